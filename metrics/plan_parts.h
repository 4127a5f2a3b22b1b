/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of a plan, for what is built on it: uncertainty, checks, explanations.
 * Everything is made by plan_new() and does not change afterwards.
 */
#ifndef PERFTAB_PLAN_PARTS_H
#define PERFTAB_PLAN_PARTS_H

#include "metrics/plan.h"

enum operand_kind {
	OPERAND_COUNT,     /* of its events, added up */
	OPERAND_INSTANCES, /* how many counters were added up (aggr_nr) */
	OPERAND_SECONDS,   /* how long the scope lasts (duration_time) */
	OPERAND_METRIC,    /* what another metric's formula gives (thresholds only) */
	OPERAND_UNKNOWN,   /* a literal that the capture does not answer: NaN */
};

/* What one name of a formula became. */
struct plan_operand {
	enum operand_kind kind;
	const char *name;
	double unit;            /* counts are multiplied by it: 1e-9 for times in ns */
	const uint32_t *events; /* positions in the capture; several where a PMU has several instances */
	size_t nr_events;
	size_t metric; /* OPERAND_METRIC: which of the set */
};

struct plan_metric {
	const struct set_metric *metric;
	const struct expr *expr;             /* references put in, literals answered; names are the operands */
	const struct plan_operand *operands; /* one for each of expr_names() */
	size_t nr_operands;
	const uint32_t *events; /* of all operands, each once, in the order of use */
	size_t nr_events;
	bool has;              /* all operands are there */
	bool one_group;        /* all events are in one group, or it is one event */
	bool groups_known;     /* and that is not a guess */
	const char *modifiers; /* of the copies that were taken: "u", "k" or "" */
	const char *reason, *missing;
	double *scratch; /* nr_operands, for plan_formula() */
};

/* A metric's threshold, planned as if it were a formula. */
struct plan_threshold {
	size_t metric; /* whose it is */
	struct plan_metric rule;
};

struct metric_plan {
	const struct metric_set *set;
	struct metric_set known; /* the set, and what the capture tells of the vendor */
	const struct capture *capture;
	struct arena *arena;
	struct plan_metric *metrics; /* one for each of the set's */
	uint32_t *computable;        /* those that have all their operands */
	size_t nr_computable;
	struct plan_threshold *thresholds; /* of computable metrics, where all that they name is there */
	size_t nr_thresholds;
	double *formulas;            /* scratch of plan_flagged(): what each formula gave, by metric */
	struct metric_result *blank; /* what is known of each before any count is */
	double *counts, *instances;  /* scratch of plan_eval(), by event */
	size_t nr_events;            /* of the capture when the plan was made */
};

/* What a formula is worked out from; arrays have one entry for each of capture.events. */
struct plan_inputs {
	const double *counts;
	const double *instances; /* for OPERAND_INSTANCES; may be NULL */
	double seconds;
	const double *formulas; /* for OPERAND_METRIC, by metric of the set; may be NULL */
};

/* The metric's value in its unit.  NaN operands give NaN.  `status` may be NULL. */
double plan_formula(const struct plan_metric *m, const struct plan_inputs *in, struct expr_status *status);

/* How long the scope lasts, NaN where that is not known. */
double plan_seconds(const struct metric_plan *p, const struct scope *scope);

/* Position of the leader of an event's group; its own where it is alone. */
uint32_t plan_group_of(const struct capture *c, uint32_t event);

#endif
