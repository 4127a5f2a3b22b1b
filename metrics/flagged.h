/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics that are where their set says they deserve a look: perf's MetricThreshold. */
#ifndef PERFTAB_FLAGGED_H
#define PERFTAB_FLAGGED_H

#include "metrics/checks.h"

/*
 * One check for all flagged metrics of the scope.  The first of the set is the one that is
 * told: values of different units cannot be compared, so none of them is the worst.
 */
void flagged_check(const struct metric_plan *plan, const struct scope *scope, const struct metric_result *results,
		   struct check_list *checks);

#endif
