/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A metric set meets a capture: which captured event is which operand of which
 * metric, taken from one group where one group has them all; then cells become
 * values.
 */
#ifndef PERFTAB_PLAN_H
#define PERFTAB_PLAN_H

#include "metrics/counts.h"
#include "metrics/set.h"

enum metric_status { METRIC_OK, METRIC_CAUTION, METRIC_REFUSED };
enum metric_method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_REPEATS, METHOD_SAMPLES };

/* What became of one metric in one scope.  NaN: not known. */
struct metric_result {
	double value;       /* in the unit of struct set_metric: a share is 0.061 */
	double value_perf;  /* what perf would compute, in the same unit: perf prints value_perf × scale / factor */
	double se, lo, hi, level;
	double coverage;    /* least coverage of its events */
	double bound_lo, bound_hi;
	double df;
	uint32_t rounds;
	uint64_t samples;
	enum metric_status status;
	enum metric_method method;
	bool co_scheduled;
	const char *reason; /* static: "single-total", "missing-event", "not_counted", … or "" */
};

/* A check that fired. */
enum check_class { CHECK_INFO, CHECK_WARN, CHECK_NO_INTERVAL, CHECK_REFUSE };

struct metric_plan;

/* Both must outlive it. */
struct metric_plan *plan_new(const struct metric_set *set, const struct capture *capture);
void plan_free(struct metric_plan *p);

/* Can it be computed from the events there are? */
bool plan_has(const struct metric_plan *p, size_t metric);
/* Why not: "missing-event", "not_supported", "modifiers-differ", "unknown-literal"; "" when it can. */
const char *plan_reason(const struct metric_plan *p, size_t metric);
/*
 * The names of what it lacks, joined by ", " ("" when none).  With modifiers where the
 * others have some: "ex_ret_ops:u".
 */
const char *plan_missing(const struct metric_plan *p, size_t metric);
/* Positions of its events in the capture, in the order of use. */
size_t plan_events(const struct metric_plan *p, size_t metric, const uint32_t **ret);
/* Whose events they are: "u" (user only), "k" (kernel only), "" (all). */
const char *plan_modifiers(const struct metric_plan *p, size_t metric);
/* All its events in one group? */
bool plan_in_one_group(const struct metric_plan *p, size_t metric);

/* results: one for each metric of the set. */
void plan_eval(const struct metric_plan *p, const struct scope *scope, struct metric_result *results);

/*
 * The metrics that perf would mark: those whose threshold (MetricThreshold) is neither 0 nor
 * NaN.  A metric in it is what its formula gave, before ScaleUnit: 0.15 for 15 %.  results:
 * of this scope, checked.  Positions go to `ret`, which has room for all metrics; their number.
 */
size_t plan_flagged(const struct metric_plan *p, const struct scope *scope, const struct metric_result *results,
		    uint32_t *ret);

const char *metric_status_name(enum metric_status s);
const char *metric_method_name(enum metric_method m);
const char *check_class_name(enum check_class c);

#endif
