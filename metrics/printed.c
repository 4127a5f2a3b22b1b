// SPDX-License-Identifier: GPL-2.0-only
/* What perf printed against what its counts give. */
#include "metrics/printed.h"

#include <stdlib.h>
#include <strings.h>

#include "metrics/plan_parts.h"

static const struct cell_metric *find_printed(const struct scope *s, const char *name)
{
	for (size_t i = 0; i < s->nr_printed; i++)
		if (strcasecmp(s->printed[i].name, name) == 0)
			return &s->printed[i];
	return NULL;
}

/*
 * How far the rounding of the printed counts can move a metric: each count by half of its
 * last digit, one after the other.
 */
static double rounding_of(const struct metric_plan *plan, const struct scope *s, size_t m, double value)
{
	const struct plan_metric *metric = &plan->metrics[m];
	double *counts = must_alloc(s->nr_cells * sizeof(*counts));
	const struct plan_inputs in = { .counts = counts, .seconds = plan_seconds(plan, s) };
	double moved = 0;

	for (size_t e = 0; e < s->nr_cells; e++)
		counts[e] = s->cells[e].scaled;
	for (size_t i = 0; i < metric->nr_events; i++) {
		uint32_t e = metric->events[i];
		double kept = counts[e];

		counts[e] = kept + s->cells[e].scaled_step;
		moved += fabs(plan_formula(metric, &in, NULL) - value);
		counts[e] = kept;
	}
	free(counts);
	return moved;
}

static void fire(struct check_list *list, const char *metric, double difference, double allowed)
{
	struct check_row *row = NULL;

	for (size_t i = 0; i < list->nr; i++)
		if (list->rows[i].id == CHECK_PRINTED_DIFFERS)
			row = &list->rows[i];
	if (row) {
		row->others++;
		if (difference <= row->observed)
			return;
	} else {
		row = &list->rows[list->nr++];
		*row = (struct check_row){ .id = CHECK_PRINTED_DIFFERS, .class = CHECK_WARN };
	}
	row->observed = difference;
	row->threshold = allowed;
	row->subject = metric;
}

static void compare(const struct metric_plan *plan, const struct scope *s, size_t m, const struct cell_metric *printed,
		    struct metric_result *r, struct check_list *checks)
{
	const struct set_metric *metric = &plan->set->metrics[m];
	double factor = metric->factor / metric->scale;
	double allowed = printed->step / 2 * factor;
	double difference;

	r->value_perf = printed->value * factor;
	difference = fabs(r->value - r->value_perf);
	if (isnan(difference) || difference <= allowed)
		return;
	allowed += rounding_of(plan, s, m, r->value);
	if (difference <= allowed)
		return;
	fire(checks, metric->name, difference, allowed);
	if (r->status == METRIC_OK)
		r->status = METRIC_CAUTION;
}

/* Printed, but its events were not: perf's value is all there is, and nobody can check it. */
static void keep(const struct metric_plan *plan, size_t m, const struct cell_metric *printed, struct metric_result *r)
{
	const struct set_metric *metric = &plan->set->metrics[m];

	r->value_perf = NAN;
	if (!printed || isnan(printed->value))
		return;
	r->value_perf = printed->value * metric->factor / metric->scale;
	r->status = METRIC_REFUSED;
	r->reason = "printed-only";
}

void printed_compare(const struct metric_plan *plan, const struct scope *scope, struct metric_result *results,
		     struct check_list *checks)
{
	for (size_t m = 0; m < plan->set->nr_metrics; m++) {
		const struct cell_metric *printed;

		printed = find_printed(scope, plan->set->metrics[m].name);
		if (!plan->metrics[m].has)
			keep(plan, m, printed, &results[m]);
		else if (printed)
			compare(plan, scope, m, printed, &results[m], checks);
		else
			results[m].value_perf = NAN;
	}
}
