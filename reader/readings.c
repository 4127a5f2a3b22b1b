// SPDX-License-Identifier: GPL-2.0-only
/*
 * One slot for each (counter id, task).  Samples name the same counters in the same
 * order again and again, so each slot remembers which one came after it.
 */
#include "reader/readings.h"

#include <stdlib.h>

#include "reader/arena.h"
#include "reader/id_map.h"

struct slot {
	uint64_t id;
	int32_t tid;     /* -1: the counter is one task's, or no task's */
	uint32_t event;  /* + 1; 0: the slot is empty */
	uint32_t next;   /* the slot that was asked for after this one */
	int32_t cpu;     /* of the last sample */
	uint64_t offset;
	uint64_t value, enabled, running;    /* running totals, as of the last sample */
	uint64_t ended, ended_enabled, ended_running; /* totals of counters that ended or began again */
};

struct place {
	int32_t cpu, tid;
};

struct name {
	char comm[16];
};

struct readings {
	struct capture *capture;
	struct slot *slots; /* a power of two, or NULL */
	size_t mask, used;
	uint32_t last;
	struct id_map places_of, names_of, threads_of; /* to the lists below; by id, by tid */
	struct place *places;
	struct name *names;
	size_t nr_places, nr_names;
	struct reading *list; /* made at the end */
	size_t nr_list, given;
};

struct readings *readings_new(struct capture *capture)
{
	struct readings *r = must_alloc(sizeof(*r));

	r->capture = capture;
	return r;
}

void readings_free(struct readings *r)
{
	if (!r)
		return;
	id_map_free(&r->places_of);
	id_map_free(&r->names_of);
	id_map_free(&r->threads_of);
	free(r->places);
	free(r->names);
	free(r->slots);
	free(r->list);
	free(r);
}

static bool wants_growth(size_t nr)
{
	return (nr & (nr - 1)) == 0; /* lists grow at powers of two */
}

void readings_place(struct readings *r, uint64_t id, int32_t cpu, int32_t tid)
{
	if (id_map_find(&r->places_of, id) >= 0 || r->nr_places >= INT32_MAX / 2)
		return;
	if (wants_growth(r->nr_places))
		r->places = must_realloc(r->places, r->nr_places ? 2 * r->nr_places : 1, sizeof(*r->places));
	id_map_add(&r->places_of, id, (uint32_t)r->nr_places);
	r->places[r->nr_places++] = (struct place){ cpu, tid };
}

void readings_comm(struct readings *r, uint32_t tid, struct bytes comm)
{
	int32_t at = id_map_find(&r->names_of, tid);
	size_t n = comm.size < 15 ? comm.size : 15;

	if (at < 0) {
		if (r->nr_names >= INT32_MAX / 2)
			return;
		if (wants_growth(r->nr_names))
			r->names = must_realloc(r->names, r->nr_names ? 2 * r->nr_names : 1, sizeof(*r->names));
		at = (int32_t)r->nr_names++;
		id_map_add(&r->names_of, tid, (uint32_t)at);
	}
	memset(&r->names[at], 0, sizeof(r->names[at]));
	memcpy(r->names[at].comm, comm.at, n);
}

/* ---- slots ---- */

static size_t find_slot(const struct slot *slots, size_t mask, uint64_t id, int32_t tid)
{
	size_t i = (size_t)((id + ((uint64_t)(uint32_t)tid << 40)) * 0x9e3779b97f4a7c15ull >> 32) & mask;

	while (slots[i].event && (slots[i].id != id || slots[i].tid != tid))
		i = (i + 1) & mask;
	return i;
}

static void grow(struct readings *r)
{
	size_t mask = r->slots ? r->mask * 2 + 1 : 1023;
	struct slot *bigger = must_alloc((mask + 1) * sizeof(*bigger));

	for (size_t i = 0; r->slots && i <= r->mask; i++)
		if (r->slots[i].event) {
			struct slot *s = &bigger[find_slot(bigger, mask, r->slots[i].id, r->slots[i].tid)];

			*s = r->slots[i];
			s->next = 0;
		}
	free(r->slots);
	r->slots = bigger;
	r->mask = mask;
	r->last = 0;
}

static struct slot *search(struct readings *r, struct perf_file *f, uint64_t id, int32_t tid, uint64_t offset)
{
	struct slot *s;
	int32_t event;

	if (!r->slots || r->used * 2 > r->mask)
		grow(r);
	s = &r->slots[find_slot(r->slots, r->mask, id, tid)];
	if (!s->event) {
		event = perf_file_event_of(f, id);
		if (event < 0) {
			damage_note(&r->capture->damage, DAMAGE_UNKNOWN_EVENT, offset);
			return NULL;
		}
		*s = (struct slot){ .id = id, .tid = tid, .event = (uint32_t)event + 1, .cpu = -1 };
		r->used++;
	}
	r->slots[r->last].next = (uint32_t)(s - r->slots);
	r->last = (uint32_t)(s - r->slots);
	return s;
}

static inline struct slot *slot_of(struct readings *r, struct perf_file *f, uint64_t id, int32_t tid, uint64_t offset)
{
	if (r->slots) {
		uint32_t guess = r->slots[r->last].next;
		struct slot *s = &r->slots[guess];

		if (s->id == id && s->tid == tid && s->event) {
			r->last = guess;
			return s;
		}
	}
	return search(r, f, id, tid, offset);
}

/* A total that fell: the counter began again. */
static void began_again(struct readings *r, struct slot *s, uint64_t offset)
{
	damage_note(&r->capture->damage, DAMAGE_COUNTER_FELL, offset);
	s->ended += s->value;
	s->ended_enabled += s->enabled;
	s->ended_running += s->running;
}

static inline void take_value(struct readings *r, struct perf_file *f, const struct sample *s, int32_t tid, uint64_t id,
			      uint64_t value)
{
	struct slot *slot = slot_of(r, f, id, tid, s->offset);

	if (!slot)
		return;
	if (value < slot->value)
		began_again(r, slot, s->offset);
	slot->value = value;
	slot->enabled = s->read.enabled;
	slot->running = s->read.running;
	slot->cpu = s->cpu;
	slot->offset = s->offset;
}

/* nr × {value, id, [lost]}: nearly all values that there are, so the bytes are stepped over here. */
static void take_group(struct readings *r, struct perf_file *f, const struct sample *s, int32_t tid)
{
	const struct words *w = &s->read.values;
	size_t step = s->read.format & READ_LOST ? 24 : 16;
	const uint8_t *at = w->at;

	for (size_t i = 0; i < s->read.nr; i++, at += step)
		take_value(r, f, s, tid, sample_load_u64(at + 8, w->swap), sample_load_u64(at, w->swap));
}

/*
 * Values of inherited counters are each task's own; of the others they are the counter's.
 */
void readings_sample(struct readings *r, struct perf_file *f, const struct event *event, const struct sample *s)
{
	const struct read_block *b = &s->read;
	int32_t tid = event->flags & EVENT_INHERIT && s->have & SAMPLE_TID ? (int32_t)s->tid : -1;

	if ((b->format & (READ_GROUP | READ_ID)) == (READ_GROUP | READ_ID)) {
		take_group(r, f, s, tid);
		return;
	}
	for (size_t i = 0; i < b->nr; i++) {
		struct read_value v = read_value_at(b, i);

		take_value(r, f, s, tid, b->format & READ_ID ? v.id : s->id, v.value);
	}
}

/* u32 pid, tid, then the values */
void readings_read(struct readings *r, struct perf_file *f, const struct record *record, uint64_t read_format)
{
	struct cursor c = cur_new(record->body, record->swap);
	struct read_block b;
	int32_t tid;

	(void)cur_u32(&c);
	tid = (int32_t)cur_u32(&c);
	read_block_decode(&c, read_format, &b);
	if (c.failed) {
		damage_note(&r->capture->damage, DAMAGE_RECORD_SHORT, record->offset);
		return;
	}
	for (size_t i = 0; i < b.nr; i++) {
		struct read_value v = read_value_at(&b, i);
		struct slot *slot = slot_of(r, f, v.id, tid, record->offset);

		if (!slot)
			continue;
		slot->ended += v.value;
		slot->ended_enabled += b.enabled;
		slot->ended_running += b.running;
		slot->offset = record->offset;
	}
}

/* ---- what came out ---- */

static int32_t thread_of(struct readings *r, int32_t tid)
{
	struct capture *c = r->capture;
	int32_t at = id_map_find(&r->threads_of, (uint32_t)tid), name;

	if (at >= 0)
		return at;
	at = (int32_t)c->nr_threads;
	name = id_map_find(&r->names_of, (uint32_t)tid);
	c->threads = must_realloc(c->threads, c->nr_threads + 1, sizeof(*c->threads));
	c->threads[c->nr_threads++] = (struct thread_name){
		.tid = tid,
		.comm = name >= 0 ? arena_strdup(c->arena, r->names[name].comm) : NULL,
	};
	id_map_add(&r->threads_of, (uint32_t)tid, (uint32_t)at);
	return at;
}

static void reading_of(struct readings *r, const struct slot *s, struct reading *ret)
{
	int32_t cpu = s->cpu, tid = s->tid, place = id_map_find(&r->places_of, s->id);

	if (place >= 0) {
		cpu = r->places[place].cpu;
		if (tid < 0)
			tid = r->places[place].tid;
	}
	*ret = (struct reading){
		.event = s->event - 1,
		.cpu = cpu,
		.thread = tid >= 0 ? thread_of(r, tid) : -1,
		.value = s->ended + s->value,
		.enabled = s->ended_enabled + s->enabled,
		.running = s->ended_running + s->running,
		.offset = s->offset,
	};
}

static int compare(const struct reading *a, const struct reading *b)
{
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static int by_place(const void *a, const void *b)
{
	return compare(a, b);
}

/* Several counters of one event at one place (the capture does not tell their CPUs) are one reading. */
static void add_up(struct readings *r)
{
	size_t to = 0;

	for (size_t i = 0; i < r->nr_list; i++) {
		struct reading *last = to ? &r->list[to - 1] : NULL;

		if (!last || compare(last, &r->list[i])) {
			r->list[to++] = r->list[i];
			continue;
		}
		last->value += r->list[i].value;
		last->enabled += r->list[i].enabled;
		last->running += r->list[i].running;
	}
	r->nr_list = to;
}

static void make_list(struct readings *r)
{
	r->list = must_alloc(r->used * sizeof(*r->list));
	for (size_t i = 0; r->slots && i <= r->mask; i++)
		if (r->slots[i].event)
			reading_of(r, &r->slots[i], &r->list[r->nr_list++]);
	qsort(r->list, r->nr_list, sizeof(*r->list), by_place);
	add_up(r);
}

bool readings_next(struct readings *r, struct reading *ret)
{
	if (!r->list)
		make_list(r);
	if (r->given == r->nr_list)
		return false;
	*ret = r->list[r->given++];
	return true;
}
