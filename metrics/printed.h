/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics that perf stat printed beside its counts: kept, and held against ours. */
#ifndef PERFTAB_PRINTED_H
#define PERFTAB_PRINTED_H

#include "metrics/checks.h"

/*
 * For the scope of a printed capture: value_perf of each metric becomes what was printed
 * (NaN where perf printed none, or lost it), and a check fires where ours differs from it by
 * more than the digits of the metric and of the counts allow.
 */
void printed_compare(const struct metric_plan *plan, const struct scope *scope, struct metric_result *results,
		     struct check_list *checks);

#endif
