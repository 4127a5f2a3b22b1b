// SPDX-License-Identifier: GPL-2.0-only
/* Tables capture, feature, event, interval, place, diagnostic. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/rows.h"
#include "metrics/place.h"

int rows_put(struct rows *r, const struct table *table, const struct value *values, struct error *err)
{
	for (size_t i = 0; i < r->nr_sinks; i++)
		if (sink_row(r->sinks[i], table, values, err))
			return -1;
	return 0;
}

static struct value known_int(int64_t v)
{
	return v < 0 ? value_null() : value_int(v);
}

static int put_capture(struct rows *r, const struct analysis *a, struct error *err)
{
	const struct capture *c = a->capture;
	const struct value values[] = {
		value_int(r->capture_id),
		value_text(c->path),
		value_text(c->format),
		value_text(c->perf_version),
		value_text(c->hostname),
		value_text(c->os_release),
		value_text(c->arch),
		value_text(c->cpu_desc),
		value_text(c->cpuid),
		known_int(c->cpus_online),
		value_text(c->command),
		known_int(c->duration_ns),
		value_text(aggregation_name(c->aggregation)),
		value_text(a->set ? a->set->name : NULL),
		value_int(c->complete),
		c->wall_start_ns >= 0 ? value_int(c->wall_start_ns - c->clock_start_ns) : value_null(),
	};

	return rows_put(r, &table_capture, values, err);
}

static int put_features(struct rows *r, const struct capture *c, struct error *err)
{
	for (size_t i = 0; i < c->nr_features; i++) {
		const struct value values[] = {
			value_int(r->capture_id),
			value_text(c->features[i].name),
			value_text(c->features[i].value),
		};

		if (rows_put(r, &table_feature, values, err))
			return -1;
	}
	return 0;
}

static int put_event(struct rows *r, const struct analysis *a, const struct event *e, struct error *err)
{
	bool freq = e->flags & EVENT_FREQ;
	struct value period = e->sample_period ? value_u64(e->sample_period) : value_null();
	struct value config = e->has_config ? value_u64(e->config) : value_null();
	const struct value values[] = {
		value_int(r->first_event + e->position),
		value_int(r->capture_id),
		value_int(e->position),
		value_text(e->name),
		value_text(a->set ? set_canonical(a->set, e) : NULL),
		e->has_config ? value_int(e->type) : value_null(),
		config,
		e->has_config ? value_u64(e->config1) : value_null(),
		e->has_config ? value_u64(e->config2) : value_null(),
		value_text(e->modifiers),
		value_text(e->pmu),
		value_text(e->unit),
		value_real(e->scale),
		known_int(e->group),
		e->group >= 0 ? value_int(r->first_event + e->group) : value_null(),
		a->capture->printed ? value_null() : value_u64(e->sample_type),
		a->capture->printed ? value_null() : value_u64(e->read_format),
		freq ? value_null() : period,
		freq ? period : value_null(),
	};

	return rows_put(r, &table_event, values, err);
}

int rows_capture_begin(struct rows *r, const struct analysis *a, struct error *err)
{
	free(r->place_ids);
	r->place_ids = NULL;
	r->nr_places = 0;
	r->current_interval = -1;
	r->first_event = r->event_id;
	if (!r->only_counts && rows_metric_set(r, a, err))
		return -1;
	return 0;
}

/* The rows that can only be known at the end come last; ids were fixed at the begin. */
int rows_capture_end(struct rows *r, const struct analysis *a, struct error *err)
{
	const struct capture *c = a->capture;

	if (put_capture(r, a, err) || put_features(r, c, err))
		return -1;
	for (size_t i = 0; i < c->nr_events; i++)
		if (put_event(r, a, &c->events[i], err))
			return -1;
	r->event_id = r->first_event + (int64_t)c->nr_events;
	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = c->damage.of[k].detail;
		char message[400];
		struct value values[5];

		if (!c->damage.of[k].count)
			continue;
		snprintf(message, sizeof(message), "%s%s%s", damage_text((enum damage_kind)k), *detail ? ": " : "", detail);
		values[0] = value_int(r->capture_id);
		values[1] = value_text(damage_name((enum damage_kind)k));
		values[2] = value_u64(c->damage.of[k].count);
		values[3] = c->damage.of[k].first_offset == NO_OFFSET ? value_null() :
									value_u64(c->damage.of[k].first_offset);
		values[4] = value_text(message);
		if (rows_put(r, &table_diagnostic, values, err))
			return -1;
	}
	r->capture_id++;
	return 0;
}

static struct value time_ns(double ns)
{
	return ns >= 0 && ns < 0x1p63 ? value_int((int64_t)ns) : value_null();
}

static int put_interval(struct rows *r, const struct scope *s, struct error *err)
{
	struct value values[5];

	r->current_interval = s->interval;
	r->current_interval_id = r->interval_id++;
	values[0] = value_int(r->current_interval_id);
	values[1] = value_int(r->capture_id);
	values[2] = value_int(s->interval);
	values[3] = time_ns(s->begin_ns);
	values[4] = time_ns(s->end_ns);
	return rows_put(r, &table_interval, values, err);
}

static int put_place(struct rows *r, const struct place *p, struct error *err)
{
	char kind[64];
	struct value values[13];

	place_kind_name(p->kind, kind, sizeof(kind));
	r->place_ids[p->id] = r->place_id++;
	values[0] = value_int(r->place_ids[p->id]);
	values[1] = value_int(r->capture_id);
	values[2] = value_text(kind);
	values[3] = known_int(p->cpu);
	values[4] = known_int(p->core);
	values[5] = known_int(p->die);
	values[6] = known_int(p->socket);
	values[7] = known_int(p->node);
	values[8] = value_null(); /* pid: perf stat names threads only */
	values[9] = known_int(p->tid);
	values[10] = value_text(p->comm);
	values[11] = value_text(p->cgroup);
	values[12] = value_text(p->label);
	return rows_put(r, &table_place, values, err);
}

int rows_scope(struct rows *r, const struct scope *s, struct error *err)
{
	if (s->interval >= 0 && s->interval != r->current_interval && put_interval(r, s, err))
		return -1;
	if (s->place->id >= r->nr_places) {
		size_t nr = s->place->id + 16;

		r->place_ids = must_realloc(r->place_ids, nr, sizeof(*r->place_ids));
		for (size_t i = r->nr_places; i < nr; i++)
			r->place_ids[i] = 0;
		r->nr_places = nr;
	}
	return r->place_ids[s->place->id] ? 0 : put_place(r, s->place, err);
}

int64_t rows_place_id(const struct rows *r, const struct scope *s)
{
	return r->place_ids[s->place->id];
}

struct value rows_interval_id(const struct rows *r, const struct scope *s)
{
	return s->interval >= 0 ? value_int(r->current_interval_id) : value_null();
}
