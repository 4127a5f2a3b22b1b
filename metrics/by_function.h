/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics of parts of a program, from samples: where in the program the slots go.
 *
 * A part has a number: of a symbol, but just as well of a dso, a thread, a comm or a
 * source line; numbers are small and dense.  Each sample is added to the part that its
 * own address lies in, never to callers.  Then each part has values like a scope of
 * counts has, with an interval that says what the number of samples allows to say.
 */
#ifndef PERFTAB_BY_FUNCTION_H
#define PERFTAB_BY_FUNCTION_H

#include "metrics/plan.h"
#include "metrics/sample_error.h"

/* Stands for the whole capture, wherever a part is asked for. */
#define PART_ALL UINT32_MAX

struct by_function_options {
	double level;          /* of confidence; 0: 0.95 */
	double least_samples;  /* n_eff of the denominator below which a value is not shown; 0: 30 */
	double widest;         /* half the interval of a share above which it is not; 0: 0.10 */
	bool mixed_precision;  /* metrics whose events differ in precision are worked out all the same */
};

struct by_function;

/* The plan must outlive it. */
struct by_function *by_function_new(const struct metric_plan *plan, const struct by_function_options *options);
void by_function_free(struct by_function *b); /* NULL is fine */

/* ---- while reading ---- */

/* One sample; `event` is its position in the capture. */
void by_function_add(struct by_function *b, uint32_t part, uint32_t event, uint64_t period);

/*
 * Times that samples carry (read_format): cumulative, so the latest of each counter
 * counts.  `counter` tells the counters of an event apart: an id, or id and thread.
 */
void by_function_times(struct by_function *b, uint32_t event, uint64_t counter, uint64_t enabled, uint64_t running);

/* Samples that the capture says were lost, and that sampling was throttled. */
void by_function_lost(struct by_function *b, uint64_t samples);
void by_function_throttled(struct by_function *b);

/* ---- afterwards ---- */

/* One part that has samples. */
struct function_row {
	uint32_t part;
	double cycles;      /* scaled; of the event that rows are sorted by */
	double share;       /* of the capture's; NaN where it has none */
	uint64_t samples;   /* of that event */
	double n_eff;
};

/* Largest first, then by number.  Valid until the next by_function_add(). */
size_t by_function_rows(struct by_function *b, const struct function_row **ret);

/* The position of the event that rows are sorted by: cycles, else the first that has samples. */
uint32_t by_function_sort_event(const struct by_function *b);

/* Is it cycles? */
bool by_function_sorts_by_cycles(const struct by_function *b);

/* The samples of one event in a part. */
/* The same for many samples at once. */
void by_function_add_sum(struct by_function *b, uint32_t part, uint32_t event, const struct sample_sum *sum);

struct sample_sum by_function_sum(const struct by_function *b, uint32_t part, uint32_t event);

/* Enabled over running time of an event; 1 where the samples do not tell. */
double by_function_scale(const struct by_function *b, uint32_t event);

/* results: one for each metric of the set. */
void by_function_eval(struct by_function *b, uint32_t part, struct metric_result *results);

/* Is it to be shown?  Else it is "n/a (n=…)" with result->samples; it is stored all the same. */
bool by_function_shown(const struct metric_result *r);

/* ---- checks ---- */

struct function_check {
	const char *name;      /* "few_samples", "leader_sampled", … */
	enum check_class class;
	double observed, threshold; /* NaN where there is no number */
	const char *text;      /* for people */
};

enum { FUNCTION_CHECKS = 8 };

/*
 * What holds for the whole capture (PART_ALL) or for a part (few_samples and
 * closure_residual_fn).  At most FUNCTION_CHECKS rows.
 */
size_t by_function_checks(struct by_function *b, uint32_t part, struct function_check *ret);

#endif
