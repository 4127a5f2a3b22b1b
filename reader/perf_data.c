// SPDX-License-Identifier: GPL-2.0-only
/* perf.data: records become items.  The one switch over record types. */
#include "reader/perf_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/directory.h"
#include "reader/id_map.h"
#include "reader/readings.h"
#include "reader/records.h"
#include "reader/stat.h"
#include "reader/time_order.h"

/* What the buffer that sorts may hold. */
enum { ORDER_BOUND = 16 << 20, ORDER_STEP = 4096 };

/* Readings that are given together. */
enum { BATCH = 64 };

struct perf_data {
	struct perf_file *file;
	struct directory *directory; /* NULL: one file */
	struct capture *capture;
	struct capture_options options;
	struct sample_layout *layouts; /* of the first nr_layouts events */
	size_t nr_layouts;
	bool reads_samples;          /* some of them have counter values in their samples */
	struct time_order *order;    /* NULL: file order will do */
	bool main_ended, ended;
	uint32_t merged;             /* records of the folder's streams since the last release */
	struct readings *readings;
	bool readings_begun, readings_ended;
	uint64_t first_ns, last_ns;  /* of the samples */
	struct record record;
	struct sample sample;
	struct sample_id id;
	uint32_t tool_readings; /* since the last round, of events without ids */
	struct reading batch[BATCH]; /* what an item of readings borrows */
	uint32_t run_type;      /* of the last record, where more of its kind are to be expected; else 0 */
	struct bytes run;       /* records of this type in a row, not yet given */
	struct record_run run_of;
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
	d->readings = readings_new(d->capture);
	d->first_ns = UINT64_MAX;
	d->file = perf_file_open(source, d->capture, err);
	if (!d->file) {
		perf_data_close(d);
		return NULL;
	}
	if (options->time_order)
		d->order = time_order_new(ORDER_BOUND);
	*ret = d->capture;
	return d;
}

void perf_data_close(struct perf_data *d)
{
	if (!d)
		return;
	directory_close(d->directory);
	perf_file_close(d->file);
	time_order_free(d->order);
	readings_free(d->readings);
	free(d->layouts);
	capture_free(d->capture);
	free(d);
}

const char *perf_data_in_folder(const char *path, struct arena *arena)
{
	return directory_data(path, arena);
}

int perf_data_add_folder(struct perf_data *d, const char *path, struct error *err)
{
	d->directory = directory_open(path, err);
	if (!d->directory)
		return -1;
	d->capture->format = "perf.data directory";
	return 0;
}

void perf_data_progress(const struct perf_data *d, uint64_t *done, uint64_t *total)
{
	*done = *total = 0;
	if (d->directory)
		directory_progress(d->directory, done, total);
}

/* ---- which event, and when ---- */

static void update_layouts(struct perf_data *d)
{
	const struct capture *c = d->capture;

	d->layouts = must_realloc(d->layouts, c->nr_events, sizeof(*d->layouts));
	for (; d->nr_layouts < c->nr_events; d->nr_layouts++) {
		sample_layout_init(&d->layouts[d->nr_layouts], &c->events[d->nr_layouts]);
		d->reads_samples |= (d->layouts[d->nr_layouts].sample_type & SAMPLE_READ) != 0;
	}
}

/* All events agree on the place of the id: so perf makes them, and the first tells it. */
static inline int32_t event_of(struct perf_data *d, const struct record *r)
{
	uint64_t id;

	if (d->nr_layouts < d->capture->nr_events)
		update_layouts(d);
	if (d->nr_layouts < 2)
		return (int32_t)d->nr_layouts - 1;
	id = sample_id_peek(&d->layouts[0], r);
	return id ? id_map_probe(d->capture->ids, id) : -1;
}

/* Where no event is known the first one's layout is as good as any. */
static const struct sample_layout *layout_of(const struct perf_data *d, int32_t event)
{
	return d->nr_layouts ? &d->layouts[event < 0 ? 0 : event] : NULL;
}

/* 0: none.  Records that perf made up have no time either. */
static uint64_t time_of(const struct perf_data *d, const struct record *r, int32_t event)
{
	const struct sample_layout *layout = layout_of(d, event);
	uint64_t time = r->type < RECORD_USER_TYPES && layout ? sample_time_peek(layout, r) : 0;

	return time == UINT64_MAX ? 0 : time;
}

static uint64_t time_in_directory(void *user, const struct record *r)
{
	struct perf_data *d = user;

	return time_of(d, r, event_of(d, r));
}

/* ---- the next record ---- */

/* Samples that nobody wants are not even looked at. */
static void pass_samples(struct perf_data *d)
{
	struct record_run run;

	if (d->nr_layouts < d->capture->nr_events)
		update_layouts(d);
	if (!d->nr_layouts || d->reads_samples)
		return;
	do {
		(void)perf_file_run(d->file, RECORD_SAMPLE, &run);
		d->capture->record_counts[RECORD_SAMPLE] += run.nr;
	} while (run.nr);
}

static int next_in_file_order(struct perf_data *d, struct record *ret, uint64_t *released, struct error *err)
{
	int n;

	*released = 0;
	if (!d->main_ended) {
		if (!d->options.want_samples && !d->options.count_samples)
			pass_samples(d);
		n = perf_file_next(d->file, ret, err);
		if (n || !d->directory)
			return n;
		d->main_ended = true;
	}
	return directory_next(d->directory, d->file, time_in_directory, d, ret, released, err);
}

/*
 * 1: *ret is to be given now; 0: it is in the buffer.  In a folder the streams are merged
 * when `data` has been read, so what is as old as the merge has come can go.
 */
static int sort_in(struct perf_data *d, const struct record *r, int32_t event, uint64_t merged_ns)
{
	uint64_t time = time_of(d, r, event);

	if (r->type == RECORD_FINISHED_ROUND) {
		if (!d->directory)
			time_order_round(d->order);
		return 1;
	}
	if (!time)
		return 1;
	if (!time_order_push(d->order, r, time, event)) {
		damage_note(&d->capture->damage, DAMAGE_LATE, r->offset);
		return 1;
	}
	if (merged_ns && ++d->merged == ORDER_STEP) {
		time_order_release(d->order, merged_ns);
		d->merged = 0;
	}
	return 0;
}

static int next_in_time_order(struct perf_data *d, struct record *ret, int32_t *event, struct error *err)
{
	uint64_t merged_ns;
	int n;

	for (;;) {
		if (time_order_next(d->order, ret, event))
			return 1;
		if (d->ended)
			return 0;
		n = next_in_file_order(d, ret, &merged_ns, err);
		if (n < 0)
			return -1;
		if (n == 0) {
			d->ended = true;
			time_order_release(d->order, UINT64_MAX);
			continue;
		}
		*event = event_of(d, ret);
		if (sort_in(d, ret, *event, merged_ns))
			return 1;
	}
}

static int next_record(struct perf_data *d, struct record *ret, int32_t *event, struct error *err)
{
	uint64_t merged_ns;
	int n;

	if (d->order)
		return next_in_time_order(d, ret, event, err);
	n = next_in_file_order(d, ret, &merged_ns, err);
	if (n > 0)
		*event = ret->type < RECORD_USER_TYPES ? event_of(d, ret) : -1;
	return n;
}

/* ---- items ---- */

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

/* 1: a reading; 0: of no event that the header has */
static inline int reading_of(struct perf_data *d, const struct stat_record *s, uint64_t offset, struct reading *ret)
{
	struct damage *damage = &d->capture->damage;
	int32_t event = perf_file_event_of(d->file, s->id);
	int32_t thread = s->thread;

	if (event < 0 && s->id == 0)
		event = tool_event(d);
	if (event < 0) {
		damage_note(damage, DAMAGE_UNKNOWN_EVENT, offset);
		return 0;
	}
	if (thread >= 0 && (size_t)thread >= d->capture->nr_threads) {
		if (d->capture->nr_threads)
			damage_note(damage, DAMAGE_UNKNOWN_THREAD, offset);
		thread = -1;
	}
	*ret = (struct reading){ (uint32_t)event, s->cpu, thread, s->value, s->enabled, s->running, offset };
	return 1;
}

static int readings_item(struct perf_data *d, size_t nr, struct item *ret)
{
	ret->kind = ITEM_READINGS;
	ret->readings.list = d->batch;
	ret->readings.nr = nr;
	return 1;
}

static int stat_of(struct perf_data *d, const struct record *r, struct item *ret)
{
	struct stat_record s;

	d->capture->is_stat = true;
	if (stat_decode(r->body, r->swap, &s) == 0)
		return reading_of(d, &s, r->offset, d->batch) ? readings_item(d, 1, ret) : 0;
	damage_note(&d->capture->damage, DAMAGE_RECORD_SHORT, r->offset);
	return 0;
}

/* The next record of the run; there is one. */
static inline struct record record_of_run(struct perf_data *d)
{
	struct cursor c = cur_new((struct bytes){ d->run.at, 8 }, d->capture->swapped);
	struct record r = { .swap = d->capture->swapped, .offset = d->run_of.offset };

	r.type = cur_u32(&c);
	r.misc = cur_u16(&c);
	r.size = cur_u16(&c);
	r.body = (struct bytes){ d->run.at + 8, r.size - 8u };
	d->run.at += r.size;
	d->run.size -= r.size;
	if (!d->run_of.packed)
		d->run_of.offset += r.size;
	return r;
}

/* A set of readings is thousands of STAT records in a row: they are taken together. */
static int next_readings(struct perf_data *d, struct item *ret)
{
	size_t nr = 0;

	while (d->run.size && nr < BATCH) {
		struct record r = record_of_run(d);
		struct stat_record s;

		if (stat_decode(r.body, r.swap, &s))
			damage_note(&d->capture->damage, DAMAGE_RECORD_SHORT, r.offset);
		else
			nr += (size_t)reading_of(d, &s, r.offset, &d->batch[nr]);
	}
	return nr ? readings_item(d, nr, ret) : 0;
}

/* What follows a reading or a sample is most often another one. */
static bool begin_run(struct perf_data *d)
{
	d->run = perf_file_run(d->file, d->run_type, &d->run_of);
	d->capture->record_counts[d->run_type] += d->run_of.nr;
	if (!d->run_of.nr)
		d->run_type = 0;
	return d->run_of.nr;
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

static void note_time(struct perf_data *d, uint64_t time_ns)
{
	if (time_ns < d->first_ns)
		d->first_ns = time_ns;
	if (time_ns > d->last_ns)
		d->last_ns = time_ns;
}

static struct event_samples *totals_of(struct perf_data *d, size_t event)
{
	struct capture *c = d->capture;

	if (event >= c->nr_samples) {
		c->samples = must_realloc(c->samples, c->nr_events, sizeof(*c->samples));
		memset(c->samples + c->nr_samples, 0, (c->nr_events - c->nr_samples) * sizeof(*c->samples));
		c->nr_samples = c->nr_events;
	}
	return &c->samples[event];
}

/* Without decoding the rest of it. */
static inline void count_sample(struct perf_data *d, const struct sample_layout *layout, const struct record *r,
				int32_t event)
{
	struct event_samples *t = totals_of(d, event < 0 ? 0 : (size_t)event);
	uint64_t time = sample_word_peek(r, layout->at_time, 0);
	uint64_t period = sample_word_peek(r, layout->at_period, layout->period);

	t->samples++;
	t->period += period;
	t->squares += (double)period * (double)period;
	if (!time)
		return;
	note_time(d, time);
	if (!t->first_ns || time < t->first_ns)
		t->first_ns = time;
	if (time > t->last_ns)
		t->last_ns = time;
}

static int sample_of(struct perf_data *d, const struct record *r, int32_t event, struct item *ret)
{
	const struct sample_layout *layout = layout_of(d, event);
	struct damage *damage = &d->capture->damage;

	if (!layout) {
		damage_note(damage, DAMAGE_UNKNOWN_EVENT, r->offset);
		return 0;
	}
	if (event < 0)
		damage_note(damage, DAMAGE_UNKNOWN_EVENT, r->offset);
	if (d->options.count_samples && r->body.size >= layout->flat_size)
		count_sample(d, layout, r, event);
	if (!d->options.want_samples && !(layout->sample_type & SAMPLE_READ))
		return 0;
	d->sample.event = event < 0 ? 0 : (uint32_t)event;
	if (sample_decode(layout, r, &d->sample)) {
		damage_say(damage, DAMAGE_RECORD_ODD, r->offset, "sample of event %" PRIu32, d->sample.event);
		return 0;
	}
	if (layout->sample_type & SAMPLE_TIME)
		note_time(d, d->sample.time_ns);
	if (layout->sample_type & SAMPLE_READ)
		readings_sample(d->readings, d->file, &d->capture->events[d->sample.event], &d->sample);
	ret->kind = ITEM_SAMPLE;
	ret->sample = &d->sample;
	return d->options.want_samples || (d->options.want_reads && layout->sample_type & SAMPLE_READ);
}

/* u64 nr; nr × u64 {id, idx, cpu, tid} */
static void id_index(struct perf_data *d, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint64_t nr = cur_u64(&c);

	for (; nr && cur_left(&c) >= 32; nr--) {
		uint64_t id = cur_u64(&c), cpu, tid;

		(void)cur_u64(&c);
		cpu = cur_u64(&c);
		tid = cur_u64(&c);
		readings_place(d->readings, id, (int32_t)cpu, (int32_t)tid);
	}
}

/* How much was lost: LOST has it behind the id of the event, LOST_SAMPLES has nothing else. */
static uint64_t nr_lost(const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);

	if (r->type == RECORD_LOST)
		(void)cur_u64(&c);
	return cur_u64(&c);
}

/* What must be known of a record whether anybody wants it or not. */
static void note_record(struct perf_data *d, const struct record *r, int32_t event)
{
	const unsigned dropped_by_bpf = 1u << 15, private_types = 0x8000;
	struct damage *damage = &d->capture->damage;
	struct comm_record comm;

	switch (r->type) {
	case RECORD_LOST:
		damage_add(damage, DAMAGE_LOST, r->offset, nr_lost(r));
		break;
	case RECORD_LOST_SAMPLES:
		if (!(r->misc & dropped_by_bpf))
			damage_add(damage, DAMAGE_LOST_SAMPLES, r->offset, nr_lost(r));
		break;
	case RECORD_THROTTLE:
		damage_note(damage, DAMAGE_THROTTLED, r->offset);
		break;
	case RECORD_COMM:
		if (record_comm(r, layout_of(d, event), &comm) == 0)
			readings_comm(d->readings, comm.tid, comm.comm);
		break;
	case RECORD_ID_INDEX:
		id_index(d, r);
		break;
	case RECORD_READ:
		if (d->capture->nr_events > 1)
			damage_note(damage, DAMAGE_READ_MIXED, r->offset);
		if (layout_of(d, event))
			readings_read(d->readings, d->file, r, layout_of(d, event)->read_format);
		break;
	default:
		if (r->type >= private_types)
			damage_say(damage, DAMAGE_PRIVATE, r->offset, "type %" PRIu32, r->type);
		else if (!record_type_name(r->type))
			damage_say(damage, DAMAGE_UNKNOWN_RECORD, r->offset, "type %" PRIu32, r->type);
	}
}

static int record_of(struct perf_data *d, const struct record *r, int32_t event, struct item *ret)
{
	const struct sample_layout *layout = r->type < RECORD_USER_TYPES ? layout_of(d, event) : NULL;
	const struct record_class *class;

	note_record(d, r, event);
	if (!d->options.want_records || (r->type < RECORD_USER_TYPES && !layout))
		return 0;
	class = record_class_of(r->type);
	if (!class || !class->name)
		return 0;
	if (layout)
		sample_id_decode(layout, r, &d->id);
	else
		d->id = (struct sample_id){ .cpu = -1 };
	ret->kind = ITEM_RECORD;
	ret->record = r;
	ret->layout = layout;
	ret->id = &d->id;
	ret->record_event = event;
	return 1;
}

/* 1: *ret is an item; 0: nothing for others in this record */
static int item_of(struct perf_data *d, const struct record *r, int32_t event, struct item *ret)
{
	d->capture->record_counts[r->type < 128 ? r->type : 0]++;
	if ((r->type == RECORD_STAT || r->type == RECORD_SAMPLE) && !d->order && !d->directory)
		d->run_type = r->type;
	switch (r->type) {
	case RECORD_SAMPLE:
		return sample_of(d, r, event, ret);
	case RECORD_STAT:
		return stat_of(d, r, ret);
	case RECORD_STAT_ROUND:
		return round_of(d, r, ret);
	case RECORD_STAT_CONFIG:
		d->capture->is_stat = true;
		stat_config(d->capture, r);
		break;
	case RECORD_THREAD_MAP:
		stat_thread_map(d->capture, r);
		break;
	case RECORD_CPU_MAP:
		stat_cpu_map(d->capture, r);
		break;
	default:
		break;
	}
	return record_of(d, r, event, ret);
}

/* What samples and READ records have counted, as one set of readings. */
static int last_readings(struct perf_data *d, struct item *ret)
{
	if (d->readings_ended)
		return 0;
	if (readings_next(d->readings, d->batch)) {
		readings_item(d, 1, ret);
		d->readings_begun = d->capture->is_stat = true;
		return 1;
	}
	d->readings_ended = true;
	if (!d->readings_begun)
		return 0;
	ret->kind = ITEM_ROUND;
	ret->round = (struct round){ .final = true, .offset = NO_OFFSET };
	if (d->capture->duration_ns > 0)
		ret->round.time_ns = (uint64_t)d->capture->duration_ns;
	return 1;
}

static void note_duration(struct perf_data *d)
{
	if (d->last_ns) {
		d->capture->first_sample_ns = d->first_ns;
		d->capture->last_sample_ns = d->last_ns;
	}
	if (d->capture->duration_ns < 0 && d->last_ns > d->first_ns && d->last_ns - d->first_ns <= INT64_MAX)
		d->capture->duration_ns = (int64_t)(d->last_ns - d->first_ns);
}

static int next_sample(struct perf_data *d, struct item *ret)
{
	while (d->run.size) {
		struct record r = record_of_run(d);

		if (sample_of(d, &r, event_of(d, &r), ret))
			return 1;
	}
	return 0;
}

/* 1: *ret is an item; 0: the run is at its end */
static int next_of_run(struct perf_data *d, struct item *ret)
{
	while (d->run.size || (d->run_type && begin_run(d)))
		if (d->run_type == RECORD_STAT ? next_readings(d, ret) : next_sample(d, ret))
			return 1;
	return 0;
}

int perf_data_next(struct perf_data *d, struct item *ret, struct error *err)
{
	int32_t event = -1;
	int n;

	for (;;) {
		if (next_of_run(d, ret))
			return 1;
		n = next_record(d, &d->record, &event, err);
		if (n <= 0)
			break;
		if (item_of(d, &d->record, event, ret))
			return 1;
	}
	if (n < 0)
		return n;
	note_duration(d);
	if (last_readings(d, ret))
		return 1;
	d->capture->complete = !damage_lost(&d->capture->damage);
	return 0;
}
