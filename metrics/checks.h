/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that catch wrong numbers: what is looked at in every scope, from which size on
 * it matters, and what then becomes of the metrics it concerns.
 *
 * A check of class refuse takes the value away; no-interval takes the interval of error
 * away; warn makes the status `caution`; info is only recorded.  checks_run() also
 * decides how a value's error was found, since the two depend on each other.
 */
#ifndef PERFTAB_CHECKS_H
#define PERFTAB_CHECKS_H

#include "metrics/jackknife.h"
#include "metrics/plan.h"

enum check_id {
	CHECK_NOT_ENABLED,
	CHECK_NOT_COUNTED,
	CHECK_UNOBSERVED_INSTANCES,
	CHECK_COVERAGE_LOW,
	CHECK_OBSERVED_SHORT,
	CHECK_GROUP_INCOHERENT,
	CHECK_GROUP_SPLIT,
	CHECK_COVERAGE_UNEQUAL,
	CHECK_ROTATION_UNBALANCED,
	CHECK_CLOSURE_RESIDUAL,
	CHECK_CLOSURE_BIAS,
	CHECK_CLOSURE_DRIFT,
	CHECK_CLOSURE_UNAVAILABLE,
	CHECK_TWIN_MISMATCH,
	CHECK_PARENT_CHILD,
	CHECK_ANCHOR_SPREAD,
	CHECK_NEGATIVE_COMPONENT,
	CHECK_OVER_UNITY,
	CHECK_IMPOSSIBLE_RATE,
	CHECK_ZERO_DENOMINATOR,
	CHECK_FEW_INTERVALS,
	CHECK_RESONANCE_UNCHECKED,
	CHECK_BURST_DOMINATED,
	CHECK_DUPLICATE_CAPTURES,
	CHECK_PRINTED_DIFFERS,
	CHECK_METRIC_THRESHOLD,
	CHECK_NR
};

/* "coverage_low", … */
const char *check_name(enum check_id id);
/* What is wrong, for people: "an event ran for a small part of the time". */
const char *check_text(enum check_id id);

/* ---- thresholds ---- */

enum { CHECK_STEPS = 3 };

/* A check has up to three steps, from harmless to severe. */
struct check_limits {
	double limit[CHECK_NR][CHECK_STEPS];
};

void check_limits_default(struct check_limits *l);

/*
 * "NAME=VALUE" sets the most severe step of the check (milder ones are moved where they
 * would be stricter in the wrong order); "NAME=V1/V2/V3" sets each.  -1 and *err.
 */
int check_limits_set(struct check_limits *l, const char *text, struct error *err);

/* ---- what fired ---- */

/* One check that fired in a scope: its worst case, and how many others there were. */
struct check_row {
	enum check_id id;
	enum check_class class;
	double observed, threshold;
	const char *subject; /* the event, metric or group concerned (borrowed), or "" */
	uint32_t others;
};

struct check_list {
	struct check_row rows[CHECK_NR];
	size_t nr;
};

void check_list_clear(struct check_list *l);
/* A check has one row: the worst case stands, the others are counted. */
void check_list_add(struct check_list *l, struct check_row row);
/* "ex_ret_ops and 3 others"; cut where it does not fit. */
void check_detail(const struct check_row *row, char *to, size_t size);

/* ---- what is checked ---- */

/* What an event counts, as far as checks care. */
enum event_role {
	EVENT_PLAIN,
	EVENT_CYCLES,       /* the denominator of the pipeline */
	EVENT_SLOTS,        /* at most `width` a cycle */
	EVENT_CYCLES_PART,  /* at most one a cycle */
};

struct check_metric {
	const char *name;
	const uint32_t *events; /* positions in the capture */
	size_t nr_events;
	int32_t parent;     /* index, or -1 */
	uint32_t level;     /* 1 or 2 in the pipeline's shares, else 0 */
	bool is_share;
	bool is_count;      /* grows with time */
	bool has_bounds;    /* a count of slots over all slots */
	bool one_group;
	bool present;       /* can be computed from this capture */
};

/* A share that two groups measured: ops / (width × cycles). */
struct check_twin {
	bool present;
	uint32_t cycles[2], ops[2];
};

/* What holds for a capture and a metric set, in every scope. */
struct check_model {
	const struct event *events;
	const enum event_role *roles;
	const uint32_t *same_as; /* for each event the first that counts the same */
	size_t nr_events;
	const struct check_metric *metrics;
	size_t nr_metrics;
	double width;
	struct check_twin twin;
	const struct check_limits *limits;
	double level;   /* of confidence: 0.95 */
	bool tighten;   /* by closure, where that may be done */
};

struct checked_scope {
	const struct cell *cells;
	uint64_t rounds;                     /* of this scope: 1 for a single interval */
	const bool *zero_denominator;        /* for each metric; NULL: none */
	const struct jackknife_sums *sums;   /* for each metric; NULL: rounds were not looked at */
	const struct jackknife_sums *closure; /* of the sum of the level 1 shares, or NULL */
	const struct jackknife_sums *twin;   /* of the difference between the twins, or NULL */
};

struct checks;

/* The model must outlive it. */
struct checks *checks_new(const struct check_model *model);
void checks_free(struct checks *c); /* NULL is fine */

/*
 * results: value, value_perf and co_scheduled (all events in one group) are set; the
 * rest is decided here.  A metric that is refused already stays so.  list is filled anew.
 */
void checks_run(struct checks *c, const struct checked_scope *scope, struct metric_result *results,
		struct check_list *list);

/* Share of retired ops by the first twin less that by the second; NaN where there is no twin. */
double check_twin_difference(const struct check_twin *twin, double width, const double *scaled);

#endif
