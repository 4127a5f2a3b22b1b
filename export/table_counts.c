// SPDX-License-Identifier: GPL-2.0-only
/* Table count, and the flat table of `report --counts`. */
#include "export/rows.h"

/*
 * An event that has no reading here is not shown, unless nothing could be read anywhere: not
 * supported, or missing from a capture that was cut.
 */
bool count_is_shown(const struct scope *s, size_t event)
{
	const struct cell *cell = &s->cells[event];

	return cell->instances || cell->state == CELL_NOT_SUPPORTED || (s->is_total && s->place->kind == PLACE_RUN);
}

const char *count_unit(const struct event *e)
{
	bool clock = e->has_config && e->type == EVENT_SOFTWARE && e->config <= 1;
	bool tool = e->has_config && e->type == EVENT_TOOL;

	if (clock || tool || strcmp(e->unit, "ns") == 0 || strcmp(e->unit, "msec") == 0)
		return "ns";
	return "event";
}

/* raw, enabled_ns, running_ns: NULL where they are not known */
static void cell_values(const struct cell *cell, struct value *to)
{
	to[0] = cell->has_raw ? value_u64(cell->raw) : value_null();
	to[1] = cell->has_times ? value_u64(cell->enabled) : value_null();
	to[2] = cell->has_times ? value_u64(cell->running) : value_null();
}

int rows_counts(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err)
{
	struct value v[10];

	(void)a;
	if (rows_scope(r, s, err))
		return -1;
	v[0] = value_int(r->capture_id);
	v[2] = rows_interval_id(r, s);
	v[3] = value_int(rows_place_id(r, s));
	for (size_t e = 0; e < s->nr_cells; e++) {
		const struct cell *cell = &s->cells[e];

		if (!count_is_shown(s, e))
			continue;
		v[1] = value_int(r->first_event + (int64_t)e);
		cell_values(cell, v + 4);
		v[7] = value_real(cell->scaled);
		v[8] = value_real(cell->coverage);
		v[9] = value_text(cell_state_name(cell->state));
		if (rows_put(r, &table_count, v, err))
			return -1;
	}
	return 0;
}

static void describe_events(struct rows *r, const struct capture *c)
{
	r->events = must_realloc(r->events, c->nr_events, sizeof(*r->events));
	for (r->nr_events = 0; r->nr_events < c->nr_events; r->nr_events++) {
		const struct event *e = &c->events[r->nr_events];

		r->events[r->nr_events] = (struct event_values){
			.name = value_text(e->name),
			.group = e->group >= 0 ? value_int(e->group) : value_null(),
			.type = e->has_config ? value_int(e->type) : value_null(),
			.config = e->has_config ? value_u64(e->config) : value_null(),
			.unit = value_text(count_unit(e)),
		};
	}
}

int rows_flat_counts(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err)
{
	struct value states[] = {
		value_text(cell_state_name(CELL_COUNTED)),
		value_text(cell_state_name(CELL_NOT_COUNTED)),
		value_text(cell_state_name(CELL_NOT_SUPPORTED)),
	};
	struct value v[16];

	if (r->nr_events != s->nr_cells)
		describe_events(r, a->capture);
	v[0] = value_text(a->capture->name);
	v[1] = s->interval >= 0 ? value_int(s->interval) : value_null();
	v[2] = value_real(s->begin_ns / 1e9);
	v[3] = value_real(s->end_ns / 1e9);
	v[4] = value_text(s->place->label);
	for (size_t i = 0; i < s->nr_cells; i++) {
		const struct cell *cell = &s->cells[i];
		const struct event_values *e = &r->events[i];

		if (!count_is_shown(s, i))
			continue;
		v[5] = e->name;
		v[6] = e->group;
		v[7] = e->type;
		v[8] = e->config;
		cell_values(cell, v + 9);
		v[12] = value_real(cell->scaled);
		v[13] = e->unit;
		v[14] = value_real(cell->coverage);
		v[15] = states[cell->state];
		if (rows_put(r, &table_report_counts, v, err))
			return -1;
	}
	return 0;
}
