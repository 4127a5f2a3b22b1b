/* SPDX-License-Identifier: GPL-2.0-only */
/* Definitions for people: sets, metrics, how to record them, and how a value came about. */
#ifndef PERFTAB_METRIC_PAGE_H
#define PERFTAB_METRIC_PAGE_H

#include "export/page.h"
#include "metrics/analysis.h"

/* All sets in one table. */
int metric_page_sets(struct page *p, struct error *err);
/* The metrics of a set (of one of its groups, where `group` is not NULL). */
void metric_page_list(struct page *p, const struct metric_set *set, const char *group);
/* One metric: formula, events with codes, parent and children. */
void metric_page_one(struct page *p, const struct metric_set *set, size_t metric);
/* Command lines that record a metric or group. */
int metric_page_record(struct page *p, const struct metric_set *set, const char *metric_or_group, struct error *err);
/* The operands of one metric in one scope, and the arithmetic down to the value. */
void metric_page_explain(struct page *p, const struct analysis *a, const struct scope *s,
			 const struct metric_result *result, size_t metric);

#endif
