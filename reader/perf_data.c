// SPDX-License-Identifier: GPL-2.0-only
/* perf.data: records become items.  The one switch over record types. */
#include "reader/perf_data.h"

#include <stdlib.h>
#include <string.h>

#include "reader/perf_file.h"
#include "reader/stat.h"

struct perf_data {
	struct perf_file *file;
	struct capture *capture;
	struct capture_options options;
	struct record record;
	uint32_t tool_readings; /* since the last round, of events without ids */
};

bool perf_data_is(struct bytes start)
{
	return start.size >= 8 && (!memcmp(start.at, "PERFILE2", 8) || !memcmp(start.at, "2ELIFREP", 8) ||
				   !memcmp(start.at, "PERFFILE", 8) || !memcmp(start.at, "ELIFFREP", 8));
}

struct perf_data *perf_data_open(struct source *source, const char *path, const struct capture_options *options,
				 struct capture **ret, struct error *err)
{
	struct perf_data *d = must_alloc(sizeof(*d));

	d->capture = capture_new(path);
	d->options = *options;
	d->file = perf_file_open(source, d->capture, err);
	if (!d->file) {
		perf_data_close(d);
		return NULL;
	}
	*ret = d->capture;
	return d;
}

void perf_data_close(struct perf_data *d)
{
	if (!d)
		return;
	perf_file_close(d->file);
	capture_free(d->capture);
	free(d);
}

/*
 * perf 7.2 writes its tool events (duration_time, …) without ids: their readings carry id 0
 * and come in the order of the events.
 */
static int32_t tool_event(struct perf_data *d)
{
	uint32_t nth = d->tool_readings++;

	for (size_t i = 0; i < d->capture->nr_events; i++) {
		const struct event *e = &d->capture->events[i];

		if (e->type == EVENT_TOOL && !e->opened && nth-- == 0)
			return (int32_t)i;
	}
	return -1;
}

static int reading_of(struct perf_data *d, const struct record *r, struct item *ret)
{
	struct damage *damage = &d->capture->damage;
	struct stat_record s;
	int32_t event;

	if (stat_decode(r, &s)) {
		damage_note(damage, DAMAGE_RECORD_SHORT, r->offset);
		return 0;
	}
	event = perf_file_event_of(d->file, s.id);
	if (event < 0 && s.id == 0)
		event = tool_event(d);
	if (event < 0) {
		damage_note(damage, DAMAGE_UNKNOWN_EVENT, r->offset);
		return 0;
	}
	if (s.thread >= 0 && (size_t)s.thread >= d->capture->nr_threads) {
		if (d->capture->nr_threads)
			damage_note(damage, DAMAGE_UNKNOWN_THREAD, r->offset);
		s.thread = -1;
	}
	d->capture->is_stat = true;
	ret->kind = ITEM_READING;
	ret->reading = (struct reading){ (uint32_t)event, s.cpu, s.thread, s.value, s.enabled, s.running, r->offset };
	return 1;
}

static int round_of(struct perf_data *d, const struct record *r, struct item *ret)
{
	struct capture *c = d->capture;

	if (stat_round_decode(r, &ret->round)) {
		damage_note(&c->damage, DAMAGE_RECORD_SHORT, r->offset);
		return 0;
	}
	if (ret->round.time_ns <= INT64_MAX)
		c->duration_ns = (int64_t)ret->round.time_ns;
	d->tool_readings = 0;
	ret->kind = ITEM_ROUND;
	return 1;
}

/* 1: *ret is an item; 0: nothing for others in this record */
static int item_of(struct perf_data *d, const struct record *r, struct item *ret)
{
	switch (r->type) {
	case RECORD_STAT:
		return reading_of(d, r, ret);
	case RECORD_STAT_ROUND:
		return round_of(d, r, ret);
	case RECORD_STAT_CONFIG:
		d->capture->is_stat = true;
		stat_config(d->capture, r);
		return 0;
	case RECORD_THREAD_MAP:
		stat_thread_map(d->capture, r);
		return 0;
	case RECORD_CPU_MAP:
		stat_cpu_map(d->capture, r);
		return 0;
	default:
		return 0;
	}
}

int perf_data_next(struct perf_data *d, struct item *ret, struct error *err)
{
	int n;

	while ((n = perf_file_next(d->file, &d->record, err)) > 0)
		if (item_of(d, &d->record, ret))
			return 1;
	d->capture->complete = !damage_lost(&d->capture->damage);
	return n;
}
