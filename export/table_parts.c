// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of metrics by part of the program.  In the tables of a database these are the
 * values of functions, by symbol; a flat table has them by whatever was asked for.
 */
#include <stdlib.h>

#include "export/sample_rows.h"

/* A part is shown in the columns that a place counted by perf stat is shown in. */
struct part_scope {
	struct place place;
	struct scope scope;
};

static void scope_of(const struct analysis *a, const struct part *part, bool flat, struct part_scope *ret)
{
	const struct capture *c = a->capture;
	const bool is_place = flat && part->kind != PART_FUNCTION;

	ret->place = (struct place){ .label = is_place ? part->name : "run",
				     .cpu = -1,
				     .core = -1,
				     .die = -1,
				     .socket = -1,
				     .node = -1,
				     .tid = -1 };
	ret->scope = (struct scope){ .interval = -1, .begin_ns = 0, .place = &ret->place };
	ret->scope.is_total = part->number == PART_ALL; /* else only what has samples is shown */
	ret->scope.end_ns = c->duration_ns >= 0 ? (double)c->duration_ns : (double)NAN;
}

/* ---- a database ---- */

static int put_check(struct rows *r, const struct scope *s, const struct function_check *c, struct error *err)
{
	const struct value v[] = {
		value_int(r->capture_id),
		value_null(),
		value_int(rows_place_id(r, s)),
		r->part_symbol ? value_int(r->part_symbol) : value_null(),
		value_text(c->name),
		value_text(check_class_name(c->class)),
		value_real(c->observed),
		value_real(c->threshold),
		value_text(c->text),
	};

	return rows_put(r, &table_metric_check, v, err);
}

static int put_checks(struct rows *r, const struct analysis *a, const struct scope *s, const struct part *part,
		      struct error *err)
{
	struct function_check checks[FUNCTION_CHECKS];
	size_t nr = by_function_checks(parts_values(a->parts), part->number, checks);

	for (size_t i = 0; i < nr; i++)
		if (put_check(r, s, &checks[i], err))
			return -1;
	return 0;
}

int rows_part(struct rows *r, const struct analysis *a, const struct part *part, const struct metric_result *results,
	      struct error *err)
{
	struct part_scope s;
	int result;

	if (!analysis_has_metrics(a) || (part->number != PART_ALL && part->symbol < 0))
		return 0;
	scope_of(a, part, false, &s);
	r->part_symbol = part->symbol >= 0 && r->context ? context_symbol(r->context, (uint32_t)part->symbol) : 0;
	result = rows_metrics(r, a, &s.scope, results, err) || put_checks(r, a, &s.scope, part, err) ? -1 : 0;
	r->part_symbol = 0;
	return result;
}

/* ---- flat tables ---- */

/* What is said of every part, whatever the metric set: how much of the time, by how many samples. */
static int put_amounts(struct rows *r, const struct analysis *a, const struct scope *s, const struct part *part,
		       struct error *err)
{
	const struct {
		const char *metric, *unit;
		double value;
	} amounts[] = {
		{ "self_share", "share", part->share },
		{ "samples", "sample", (double)part->samples },
	};
	struct value v[17] = { { 0 } };

	v[0] = value_text(a->capture->name);
	v[2] = value_real(s->begin_ns / 1e9);
	v[3] = value_real(s->end_ns / 1e9);
	v[4] = value_text(s->place->label);
	v[5] = value_text(r->part_function);
	v[11] = value_text(metric_method_name(METHOD_SAMPLES));
	v[14] = value_int(0);
	v[15] = value_text(metric_status_name(METRIC_OK));
	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
		v[6] = value_text(amounts[i].metric);
		v[7] = value_text(amounts[i].unit);
		v[8] = value_real(amounts[i].value);
		if (rows_put(r, &table_report_metrics, v, err))
			return -1;
	}
	return 0;
}

/* The whole stands beside functions; beside threads it would be counted twice. */
static bool is_left_out(const struct analysis *a, const struct part *part)
{
	switch (parts_kind(a->parts)) {
	case PART_DSO:
	case PART_COMM:
	case PART_THREAD:
	case PART_CGROUP:
		return part->number == PART_ALL;
	default:
		return false;
	}
}

int rows_flat_part(struct rows *r, const struct analysis *a, const struct part *part,
		   const struct metric_result *results, struct error *err)
{
	struct part_scope s;
	int result;

	if (is_left_out(a, part))
		return 0;
	scope_of(a, part, true, &s);
	r->part_function = part->function;
	result = put_amounts(r, a, &s.scope, part, err) || rows_flat_metrics(r, a, &s.scope, results, err) ? -1 : 0;
	r->part_function = NULL;
	return result;
}

/* ---- sums of periods as counts ---- */

static struct cell cell_of(struct by_function *values, const struct part *part, uint32_t event)
{
	struct sample_sum sum = by_function_sum(values, part->number, event);
	double scale = by_function_scale(values, event);

	return (struct cell){
		.state = sum.samples ? CELL_COUNTED : CELL_NOT_COUNTED,
		.has_raw = sum.samples > 0,
		.instances = sum.samples > 0,
		.raw = sum.weight,
		.scaled = sum.samples ? scale * (double)sum.weight : (double)NAN,
		.coverage = NAN,
	};
}

int rows_flat_part_counts(struct rows *r, const struct analysis *a, const struct part *part, struct error *err)
{
	size_t nr = a->capture->nr_events;
	struct cell *cells;
	struct part_scope s;
	int result;

	if (is_left_out(a, part))
		return 0;
	cells = must_alloc((nr + 1) * sizeof(*cells));
	for (size_t e = 0; e < nr; e++)
		cells[e] = cell_of(parts_values(a->parts), part, (uint32_t)e);
	scope_of(a, part, true, &s);
	if (part->kind == PART_FUNCTION)
		s.place.label = part->name;
	s.scope.cells = cells;
	s.scope.nr_cells = nr;
	result = rows_flat_counts(r, a, &s.scope, err);
	free(cells);
	return result;
}
