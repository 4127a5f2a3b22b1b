// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer that puts records in order of time.  Their bytes lie in blocks, which are
 * used again when all records in them have gone; what is sorted is a list of times
 * and places.  That list is a few ascending runs (one a ring buffer), so it is merged,
 * not sorted: n log(runs), and stable.
 */
#include "reader/time_order.h"

#include <stdlib.h>

#include "reader/arena.h"

enum { BLOCK_SIZE = 1 << 18 };

struct block {
	struct block *next; /* in the list of free ones */
	size_t used;
	size_t live;        /* records that have not gone yet */
	uint8_t bytes[BLOCK_SIZE];
};

struct held {
	struct block *block;
	uint64_t offset;
	uint32_t type;
	int32_t event;
	uint16_t misc, size;
	bool swap;
	uint8_t body[];
};

struct entry {
	uint64_t time_ns;
	struct held *held;
};

struct time_order {
	size_t bound, blocks;     /* bytes; blocks that are in use */
	struct block *current, *unused;
	struct entry *entries, *spare; /* `room` each */
	size_t nr, room, peak;
	size_t next, ready;       /* entries[next .. ready) are ready */
	struct block *given;      /* the block of the record that was given last */
	uint64_t last_given;      /* the latest time that got ready */
	uint64_t round_max, before_max;
};

struct time_order *time_order_new(size_t bound)
{
	struct time_order *o = must_alloc(sizeof(*o));

	o->bound = bound;
	return o;
}

static void free_blocks(struct block *b)
{
	while (b) {
		struct block *next = b->next;

		free(b);
		b = next;
	}
}

/* ---- blocks ---- */

static void block_put(struct time_order *o, struct block *b)
{
	if (!b || --b->live || b == o->current)
		return;
	b->next = o->unused;
	o->unused = b;
	o->blocks--;
}

static struct block *block_get(struct time_order *o)
{
	struct block *b = o->unused;

	if (b)
		o->unused = b->next;
	else
		b = must_realloc(NULL, 1, sizeof(*b));
	b->next = NULL;
	b->used = b->live = 0;
	o->blocks++;
	return b;
}

static struct held *hold(struct time_order *o, size_t body)
{
	const size_t align = _Alignof(struct held);
	size_t size = (sizeof(struct held) + body + align - 1) / align * align;
	struct held *h;

	if (!o->current || BLOCK_SIZE - o->current->used < size) {
		struct block *full = o->current;

		o->current = block_get(o);
		if (full && full->live == 0) { /* all of it has gone while it was filled */
			full->live = 1;
			block_put(o, full);
		}
	}
	h = (struct held *)(void *)(o->current->bytes + o->current->used);
	h->block = o->current;
	o->current->used += size;
	o->current->live++;
	return h;
}

void time_order_free(struct time_order *o)
{
	if (!o)
		return;
	for (size_t i = o->next; i < o->nr; i++)
		block_put(o, o->entries[i].held->block);
	block_put(o, o->given);
	free_blocks(o->unused);
	free(o->current);
	free(o->entries);
	free(o->spare);
	free(o);
}

/* ---- order ---- */

/* The end of the ascending run that begins at `from`. */
static size_t run_end(const struct entry *e, size_t from, size_t nr)
{
	while (++from < nr && e[from - 1].time_ns <= e[from].time_ns)
		;
	return from;
}

static struct entry *merge(const struct entry *a, const struct entry *a_end, const struct entry *b,
			   const struct entry *b_end, struct entry *to)
{
	while (a < a_end && b < b_end)
		*to++ = b->time_ns < a->time_ns ? *b++ : *a++;
	while (a < a_end)
		*to++ = *a++;
	while (b < b_end)
		*to++ = *b++;
	return to;
}

/* Merges neighbouring runs until there is one. */
static void sort(struct time_order *o)
{
	for (;;) {
		size_t at = 0, middle, end, pairs = 0;
		struct entry *to = o->spare, *old = o->entries;

		if (o->nr < 2 || run_end(o->entries, 0, o->nr) == o->nr)
			return;
		for (; at < o->nr; at = end, pairs++) {
			middle = run_end(o->entries, at, o->nr);
			end = middle < o->nr ? run_end(o->entries, middle, o->nr) : middle;
			to = merge(old + at, old + middle, old + middle, old + end, to);
		}
		o->entries = o->spare;
		o->spare = old;
		if (pairs == 1)
			return;
	}
}

/* Takes those away that were given. */
static void close_gap(struct time_order *o)
{
	o->nr -= o->next;
	if (o->next && o->nr)
		memmove(o->entries, o->entries + o->next, o->nr * sizeof(*o->entries));
	o->ready -= o->next;
	o->next = 0;
}

void time_order_release(struct time_order *o, uint64_t time_ns)
{
	size_t from = 0, to;

	close_gap(o);
	sort(o);
	to = o->nr;
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (o->entries[middle].time_ns <= time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	o->ready = from;
	if (from)
		o->last_given = o->entries[from - 1].time_ns;
}

void time_order_round(struct time_order *o)
{
	time_order_release(o, o->before_max);
	o->before_max = o->round_max;
}

/* More than may be held: the older half goes. */
static void make_room(struct time_order *o)
{
	close_gap(o);
	sort(o);
	time_order_release(o, o->entries[o->nr / 2].time_ns);
}

static void grow(struct time_order *o)
{
	o->room = o->room ? o->room * 2 : 4096;
	o->entries = must_realloc(o->entries, o->room, sizeof(*o->entries));
	o->spare = must_realloc(o->spare, o->room, sizeof(*o->spare));
}

static size_t bytes_held(const struct time_order *o)
{
	return o->blocks * BLOCK_SIZE + o->nr * 2 * sizeof(struct entry);
}

bool time_order_push(struct time_order *o, const struct record *r, uint64_t time_ns, int32_t event)
{
	struct held *h;

	block_put(o, o->given);
	o->given = NULL;
	if (time_ns < o->last_given || r->body.size > UINT16_MAX)
		return false;
	if (o->next)
		close_gap(o);
	if (o->nr == o->room)
		grow(o);
	h = hold(o, r->body.size);
	h->offset = r->offset;
	h->type = r->type;
	h->event = event;
	h->misc = r->misc;
	h->size = (uint16_t)r->body.size;
	h->swap = r->swap;
	memcpy(h->body, r->body.at, r->body.size);
	o->entries[o->nr++] = (struct entry){ time_ns, h };
	if (o->nr > o->peak)
		o->peak = o->nr;
	if (time_ns > o->round_max)
		o->round_max = time_ns;
	if (bytes_held(o) > o->bound)
		make_room(o);
	return true;
}

bool time_order_next(struct time_order *o, struct record *ret, int32_t *event)
{
	const struct held *h;

	block_put(o, o->given);
	o->given = NULL;
	if (o->next == o->ready)
		return false;
	h = o->entries[o->next++].held;
	*ret = (struct record){
		.type = h->type,
		.misc = h->misc,
		.size = (uint16_t)(h->size + 8),
		.swap = h->swap,
		.offset = h->offset,
		.body = { h->body, h->size },
	};
	*event = h->event;
	o->given = h->block;
	return true;
}

size_t time_order_held(const struct time_order *o)
{
	return o->nr - o->next;
}

size_t time_order_peak(const struct time_order *o)
{
	return o->peak;
}
