/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values with their error: the one entry for who wants final results.  While counts are
 * made it watches the rounds; before the scopes of the whole run it walks over them a
 * second time; then it evaluates scopes as they come.
 */
#ifndef PERFTAB_UNCERTAINTY_H
#define PERFTAB_UNCERTAINTY_H

#include "metrics/checks.h"

struct uncertainty_options {
	double level;                     /* of confidence; 0: 0.95 */
	bool tighten;                     /* by closure, where that may be done */
	const struct check_limits *limits; /* NULL: the defaults */
};

struct uncertainty;

/*
 * The plan, its capture and the limits must outlive it; requests (those that counts were
 * made with) are copied.
 */
struct uncertainty *uncertainty_new(const struct metric_plan *plan, const struct scope_request *requests, size_t nr,
				    const struct uncertainty_options *options);
void uncertainty_free(struct uncertainty *u); /* NULL is fine */

/* Before the first interval ends.  The counts must be freed before the uncertainty. */
void uncertainty_watch(struct uncertainty *u, struct counts *c);

/* results: one for each metric of the set, complete.  checks: what fired in this scope. */
void uncertainty_eval(struct uncertainty *u, const struct scope *scope, struct metric_result *results,
		      struct check_list *checks);

#endif
