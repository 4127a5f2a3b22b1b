/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two sets of captures of the same program before and after a change: what became
 * better, worse, or stayed the same beyond the noise from run to run.
 */
#ifndef PERFTAB_COMPARE_H
#define PERFTAB_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of what a gate thinks of them. */
enum verdict {
	VERDICT_NOT_COMPARABLE,
	VERDICT_NO_EVIDENCE,
	VERDICT_UNCHANGED,
	VERDICT_IMPROVED,
	VERDICT_SHIFTED,   /* a larger share of fewer slots: no loss */
	VERDICT_REGRESSED,
};

/* "not-comparable", "no-evidence", "unchanged", "improved", "shifted", "regressed" */
const char *verdict_name(enum verdict v);

/* One metric: its values in the captures of each side. */
struct comparison {
	const double *a, *b;
	size_t nr_a, nr_b;
	bool more_is_better;   /* retiring; else more is worse */
	double delta;          /* the smallest difference that matters; of costs a share of the mean of A */
	bool delta_is_relative;
	const char *not_comparable; /* reason, or NULL */
	/* with --same-work: the share times all slots, for each capture; NULL without */
	const double *work_a, *work_b;
	/* a single capture on a side: its own variance, and the run-to-run sd that the user gives; 0: none */
	double variance_a, variance_b, run_sd;

	/* results; NaN: not known */
	enum verdict verdict;
	const char *reason;    /* static, or "" */
	double mean_a, mean_b, difference, se, df, p, p_holm;
	double lo, hi;         /* the 90 % interval of the difference */
	double detectable;     /* the smallest effect that these captures would show */
	bool tested;
};

struct compare_options {
	double alpha;     /* 0: 0.05 */
	bool same_work;
};

/* The comparisons are one family: the more is asked, the more it takes to be sure. */
void compare_metrics(struct comparison *list, size_t nr, const struct compare_options *options);

/*
 * The exit code: 1 when a gated metric regressed; 3 when none was comparable, or any was not
 * and `strict`; 4 with `require_evidence` when one ended without; else 0.
 */
int compare_exit_code(const struct comparison *list, const bool *gated, size_t nr, bool strict, bool require_evidence);

#endif
