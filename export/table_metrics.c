// SPDX-License-Identifier: GPL-2.0-only
/* Tables metric, metric_value, and the flat table of `report`. */
#include <stdio.h>
#include <stdlib.h>

#include "export/rows.h"

enum { METRIC_COLUMNS = 8 };

static void metric_values(const struct metric_set *set, size_t m, int64_t first_id, struct value *to)
{
	const struct set_metric *metric = &set->metrics[m];

	to[0] = value_int(first_id + (int64_t)m);
	to[1] = value_text(set->name);
	to[2] = value_text(metric->name);
	to[3] = metric->parent >= 0 ? value_int(first_id + metric->parent) : value_null();
	to[4] = metric->level ? value_int(metric->level) : value_null();
	to[5] = value_text(metric->formula);
	to[6] = value_text(metric->unit);
	to[7] = value_text(metric->description);
}

static int put_metric(struct rows *r, const struct metric_set *set, size_t m, struct error *err)
{
	struct value values[METRIC_COLUMNS];

	metric_values(set, m, r->first_metric, values);
	return rows_put(r, &table_metric, values, err);
}

/*
 * Where a database that is added to has this very set already: the id of its first metric; 0
 * otherwise.  Not with several outputs, whose ids must be the same.
 */
static int64_t set_in_database(struct rows *r, const struct metric_set *set)
{
	struct value values[METRIC_COLUMNS];
	int64_t first;

	if (r->nr_sinks != 1 || !set->nr_metrics)
		return 0;
	metric_values(set, 0, 0, values);
	first = sink_find_id(r->sinks[0], &table_metric, values);
	for (size_t m = 1; m < set->nr_metrics && first; m++) {
		metric_values(set, m, first, values);
		if (sink_find_id(r->sinks[0], &table_metric, values) != first + (int64_t)m)
			first = 0;
	}
	return first;
}

int rows_metric_set(struct rows *r, const struct analysis *a, struct error *err)
{
	const struct metric_set *set = a->set;
	int64_t there;

	if (!set)
		return 0;
	for (size_t i = 0; i < r->nr_sets; i++)
		if (strcmp(r->sets[i].name, set->name) == 0) {
			r->first_metric = r->sets[i].first_id;
			return 0;
		}
	there = set_in_database(r, set);
	r->first_metric = there ? there : r->metric_id;
	if (!there)
		r->metric_id += (int64_t)set->nr_metrics;
	r->sets = must_realloc(r->sets, r->nr_sets + 1, sizeof(*r->sets));
	r->sets[r->nr_sets].name = strdup(set->name);
	r->sets[r->nr_sets++].first_id = r->first_metric;
	for (size_t m = 0; m < set->nr_metrics; m++)
		if (!there && put_metric(r, set, m, err))
			return -1;
	return 0;
}

static struct value level_of(const struct metric_result *res)
{
	return isnan(res->lo) ? value_null() : value_real(res->level);
}

static struct value reason_of(const struct metric_result *res)
{
	return res->reason && *res->reason ? value_text(res->reason) : value_null();
}

static int put_value(struct rows *r, const struct scope *s, size_t m, const struct metric_result *res,
		     struct error *err)
{
	const struct value values[] = {
		value_int(r->capture_id),
		value_int(r->first_metric + (int64_t)m),
		rows_interval_id(r, s),
		value_int(rows_place_id(r, s)),
		r->part_symbol ? value_int(r->part_symbol) : value_null(),
		value_real(res->value),
		value_real(res->value_perf),
		value_real(res->lo),
		value_real(res->hi),
		value_real(res->se),
		value_text(metric_method_name(res->method)),
		level_of(res),
		value_real(res->coverage),
		value_int(res->co_scheduled),
		value_text(metric_status_name(res->status)),
		reason_of(res),
		res->method == METHOD_SAMPLES ? value_u64(res->samples) : value_null(),
	};

	return rows_put(r, &table_metric_value, values, err);
}

/* Computed, or printed by perf without the counts that it was computed from. */
bool metric_is_shown(const struct analysis *a, size_t metric, const struct metric_result *result)
{
	return plan_has(a->plan, metric) || (a->capture->printed && !isnan(result->value_perf));
}

int rows_metrics(struct rows *r, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		 struct error *err)
{
	if (!a->plan)
		return 0;
	if (rows_scope(r, s, err))
		return -1;
	for (size_t m = 0; m < a->set->nr_metrics; m++)
		if (metric_is_shown(a, m, &results[m]) && put_value(r, s, m, &results[m], err))
			return -1;
	return 0;
}

/* The columns of a scope, the same for each metric of it. */
static void flat_scope(struct value *v, const struct scope *s, const char *path)
{
	v[0] = value_text(path);
	v[1] = s->interval >= 0 ? value_int(s->interval) : value_null();
	v[2] = value_real(s->begin_ns / 1e9);
	v[3] = value_real(s->end_ns / 1e9);
	v[4] = value_text(s->place->label);
	v[5] = value_null();
}

/* --repeat: what each capture had, whose mean and error stand in a row of their own. */
static int flat_runs(struct rows *r, const struct analysis *a, const struct scope *s, size_t run, struct error *err)
{
	struct value v[17] = { { 0 } };

	flat_scope(v, s, a->runs->paths[run]);
	v[11] = value_text(metric_method_name(METHOD_NONE));
	v[16] = value_text("one-of-repeats");
	for (size_t m = 0; m < a->set->nr_metrics; m++) {
		double value = a->runs->values[m * a->runs->nr + run];

		if (!plan_has(a->plan, m))
			continue;
		v[6] = value_text(a->set->metrics[m].name);
		v[7] = value_text(a->set->metrics[m].unit);
		v[8] = value_real(value);
		v[15] = value_text(metric_status_name(isnan(value) ? METRIC_REFUSED : METRIC_OK));
		if (rows_put(r, &table_report_metrics, v, err))
			return -1;
	}
	return 0;
}

int rows_flat_metrics(struct rows *r, const struct analysis *a, const struct scope *s,
		      const struct metric_result *results, struct error *err)
{
	struct value v[17];

	if (!a->plan)
		return 0;
	flat_scope(v, s, a->capture->name);
	v[5] = value_text(r->part_function);
	for (size_t m = 0; m < a->set->nr_metrics; m++) {
		const struct metric_result *res = &results[m];

		if (!metric_is_shown(a, m, res))
			continue;
		v[6] = value_text(a->set->metrics[m].name);
		v[7] = value_text(a->set->metrics[m].unit);
		v[8] = value_real(res->value);
		v[9] = value_real(res->lo);
		v[10] = value_real(res->hi);
		v[11] = value_text(metric_method_name(res->method));
		v[12] = level_of(res);
		v[13] = value_real(res->coverage);
		v[14] = value_int(res->co_scheduled);
		v[15] = value_text(metric_status_name(res->status));
		v[16] = reason_of(res);
		if (rows_put(r, &table_report_metrics, v, err))
			return -1;
	}
	for (size_t run = 0; a->runs && run < a->runs->nr; run++)
		if (flat_runs(r, a, s, run, err))
			return -1;
	return 0;
}

/* ---- metrics that cannot be computed ---- */

static char *missing_reason(const struct analysis *a, size_t m)
{
	const char *missing = plan_missing(a->plan, m);
	char *text;

	if (asprintf(&text, "%s%s%s", plan_reason(a->plan, m), *missing ? ": " : "", missing) < 0)
		return NULL;
	return text;
}

/* The place of the run, where it was written. */
static struct value run_place(const struct rows *r)
{
	return r->nr_places && r->place_ids[0] ? value_int(r->place_ids[0]) : value_null();
}

int rows_missing_metrics(struct rows *r, const struct analysis *a, struct error *err)
{
	int result = 0;

	for (size_t m = 0; a->plan && a->capture->nr_events && m < a->set->nr_metrics && result == 0; m++) {
		struct value values[17] = { { 0 } };
		char *reason;

		if (plan_has(a->plan, m))
			continue;
		reason = missing_reason(a, m);
		values[0] = value_int(r->capture_id);
		values[1] = value_int(r->first_metric + (int64_t)m);
		values[3] = run_place(r);
		values[10] = value_text(metric_method_name(METHOD_NONE));
		values[13] = value_int(0);
		values[14] = value_text(metric_status_name(METRIC_REFUSED));
		values[15] = value_text(reason);
		result = rows_put(r, &table_metric_value, values, err);
		free(reason);
	}
	return result;
}

int rows_flat_missing_metrics(struct rows *r, const struct analysis *a, struct error *err)
{
	int result = 0;

	for (size_t m = 0; a->plan && a->capture->nr_events && m < a->set->nr_metrics && result == 0; m++) {
		struct value v[17] = { { 0 } };
		char *reason;

		if (plan_has(a->plan, m))
			continue;
		reason = missing_reason(a, m);
		v[0] = value_text(a->capture->name);
		v[2] = a->runs ? value_null() : value_real(0);
		v[3] = !a->runs && a->capture->duration_ns >= 0 ? value_real((double)a->capture->duration_ns / 1e9) : value_null();
		v[4] = value_text("run");
		v[6] = value_text(a->set->metrics[m].name);
		v[7] = value_text(a->set->metrics[m].unit);
		v[11] = value_text(metric_method_name(METHOD_NONE));
		v[14] = value_int(0);
		v[15] = value_text(metric_status_name(METRIC_REFUSED));
		v[16] = value_text(reason);
		result = rows_put(r, &table_report_metrics, v, err);
		free(reason);
	}
	return result;
}
