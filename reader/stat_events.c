// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows find their event: first by what followed the row before when this set of rows
 * was read the last time, then by a table.
 */
#include "reader/stat_events.h"

#include <stdlib.h>

enum { EVENTS_MAX = 1 << 16, ROWS_MAX = 1 << 20, PLACES_MAX = 1 << 20, STRINGS_MAX = 1 << 20 };

/* Open addressing; a slot holds an index + 1. */
struct table {
	uint32_t *slots;
	size_t size, used;
};

/* All copies of one event name. */
struct name_copies {
	const char *name;
	uint32_t *events; /* malloc'ed */
	uint32_t nr, room;
};

struct stat_events {
	struct capture *capture;
	uint64_t set;
	uint32_t last; /* the row before, 0 at the begin of a set */

	struct known_row *rows; /* [0] stands before the first row of a set */
	uint32_t nr_rows, rows_room;
	struct known_place **places; /* of the arena */
	uint32_t nr_places, places_room;
	struct name_copies *names;
	uint32_t nr_names, names_room;
	const char **strings;
	uint32_t nr_strings, strings_room;
	struct table row_table, place_table, name_table, string_table;
	const struct known_place *last_place;
	size_t events_room;
};

struct stat_events *stat_events_new(struct capture *capture)
{
	struct stat_events *e = must_alloc(sizeof(*e));

	e->capture = capture;
	e->set = 1;
	e->rows_room = 64;
	e->rows = must_realloc(NULL, e->rows_room, sizeof(*e->rows));
	memset(&e->rows[0], 0, sizeof(e->rows[0]));
	e->nr_rows = 1;
	return e;
}

void stat_events_free(struct stat_events *e)
{
	if (!e)
		return;
	for (uint32_t i = 0; i < e->nr_names; i++)
		free(e->names[i].events);
	free(e->rows);
	free(e->places);
	free(e->names);
	free(e->strings);
	free(e->row_table.slots);
	free(e->place_table.slots);
	free(e->name_table.slots);
	free(e->string_table.slots);
	free(e);
}

void stat_events_new_set(struct stat_events *e)
{
	e->set++;
	e->last = 0;
}

/* ---- tables ---- */

static uint64_t hash_of(uint64_t h, struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		h = (h ^ (uint8_t)s.at[i]) * 0x100000001b3u;
	return (h ^ s.size) * 0x9e3779b97f4a7c15u;
}

typedef bool matches(const struct stat_events *e, uint32_t index, const void *key);
typedef uint64_t rehash(const struct stat_events *e, uint32_t index);

static void table_put(struct table *t, uint64_t hash, uint32_t index)
{
	size_t i = (size_t)(hash >> 20) & (t->size - 1);

	while (t->slots[i])
		i = (i + 1) & (t->size - 1);
	t->slots[i] = index + 1;
	t->used++;
}

static void table_add(struct stat_events *e, struct table *t, uint64_t hash, uint32_t index, rehash *again)
{
	struct table old = *t;

	if ((t->used + 1) * 2 > t->size) {
		t->size = old.size ? old.size * 2 : 64;
		t->used = 0;
		t->slots = must_alloc(t->size * sizeof(*t->slots));
		for (size_t i = 0; i < old.size; i++)
			if (old.slots[i])
				table_put(t, again(e, old.slots[i] - 1), old.slots[i] - 1);
		free(old.slots);
	}
	table_put(t, hash, index);
}

static uint32_t table_find(const struct stat_events *e, const struct table *t, uint64_t hash, matches *match,
			   const void *key)
{
	if (!t->size)
		return UINT32_MAX;
	for (size_t i = (size_t)(hash >> 20) & (t->size - 1); t->slots[i]; i = (i + 1) & (t->size - 1))
		if (match(e, t->slots[i] - 1, key))
			return t->slots[i] - 1;
	return UINT32_MAX;
}

/* Room for one more of `size` bytes each; *room doubles. */
static void *with_room(void *list, uint32_t nr, uint32_t *room, size_t size)
{
	if (nr < *room)
		return list;
	*room = *room ? *room * 2 : 16;
	return must_realloc(list, *room, size);
}

/* ---- strings ---- */

static bool same_text(const char *text, struct span s)
{
	return strnlen(text, s.size + 1) == s.size && memcmp(text, s.at, s.size) == 0;
}

static bool string_matches(const struct stat_events *e, uint32_t i, const void *key)
{
	return same_text(e->strings[i], *(const struct span *)key);
}

static uint64_t string_hash(const struct stat_events *e, uint32_t i)
{
	return hash_of(0, span_of(e->strings[i]));
}

const char *stat_events_string(struct stat_events *e, struct span text)
{
	uint64_t hash;
	uint32_t i;

	hash = hash_of(0, text);
	i = table_find(e, &e->string_table, hash, string_matches, &text);
	if (i != UINT32_MAX)
		return e->strings[i];
	if (e->nr_strings == STRINGS_MAX)
		return NULL;
	e->strings = with_room(e->strings, e->nr_strings, &e->strings_room, sizeof(*e->strings));
	e->strings[e->nr_strings] = arena_strndup(e->capture->arena, text.at, text.size);
	table_add(e, &e->string_table, hash, e->nr_strings, string_hash);
	return e->strings[e->nr_strings++];
}

/* ---- places ---- */

static bool place_matches(const struct stat_events *e, uint32_t i, const void *key)
{
	const struct stat_place *p = key;

	return e->places[i]->place.aggregation == p->aggregation && same_text(e->places[i]->label, p->label);
}

static uint64_t place_hash(const struct stat_events *e, uint32_t i)
{
	return hash_of(1, span_of(e->places[i]->label));
}

static struct known_place *place_new(struct stat_events *e, const struct stat_place *place)
{
	struct known_place *p = arena_alloc(e->capture->arena, sizeof(*p));

	p->place = *place;
	p->label = stat_events_string(e, place->label);
	if (place->comm.size)
		p->comm = stat_events_string(e, place->comm);
	if (!p->label || (place->comm.size && !p->comm))
		return NULL;
	p->place.label = span_of(p->label);
	p->place.comm = p->comm ? span_of(p->comm) : span_of("");
	return p;
}

const struct known_place *stat_events_place(struct stat_events *e, const struct stat_place *place)
{
	uint64_t hash;
	uint32_t i;

	if (e->last_place && place->aggregation == e->last_place->place.aggregation &&
	    same_text(e->last_place->label, place->label))
		return e->last_place;
	hash = hash_of(1, place->label);
	i = table_find(e, &e->place_table, hash, place_matches, place);
	if (i == UINT32_MAX) {
		struct known_place *p = e->nr_places < PLACES_MAX ? place_new(e, place) : NULL;

		if (!p)
			return NULL;
		e->places = with_room(e->places, e->nr_places, &e->places_room, sizeof(*e->places));
		i = e->nr_places++;
		e->places[i] = p;
		table_add(e, &e->place_table, hash, i, place_hash);
	}
	e->last_place = e->places[i];
	return e->last_place;
}

/* ---- events ---- */

static bool name_matches(const struct stat_events *e, uint32_t i, const void *key)
{
	return same_text(e->names[i].name, *(const struct span *)key);
}

static uint64_t name_hash(const struct stat_events *e, uint32_t i)
{
	return hash_of(2, span_of(e->names[i].name));
}

static struct name_copies *copies_of(struct stat_events *e, struct span name)
{
	uint64_t hash = hash_of(2, name);
	uint32_t i = table_find(e, &e->name_table, hash, name_matches, &name);

	if (i != UINT32_MAX)
		return &e->names[i];
	e->names = with_room(e->names, e->nr_names, &e->names_room, sizeof(*e->names));
	e->names[e->nr_names] = (struct name_copies){ .name = stat_events_string(e, name) };
	if (!e->names[e->nr_names].name)
		return NULL;
	table_add(e, &e->name_table, hash, e->nr_names, name_hash);
	return &e->names[e->nr_names++];
}

static uint32_t event_new(struct stat_events *e, const struct stat_row *row)
{
	struct capture *c = e->capture;
	struct event *event;

	if (c->nr_events == e->events_room) {
		e->events_room = e->events_room ? e->events_room * 2 : 32;
		c->events = must_realloc(c->events, e->events_room, sizeof(*c->events));
	}
	event = &c->events[c->nr_events];
	memset(event, 0, sizeof(*event));
	event->position = (uint32_t)c->nr_events;
	stat_name_event(c->arena, row->event, event);
	event->unit = row->unit.size ? stat_events_string(e, row->unit) : "";
	if (!event->unit)
		event->unit = "";
	event->scale = stat_unit_scale(row->unit);
	event->opened = row->supported;
	return (uint32_t)c->nr_events++;
}

/* The event that is the `copy`-th of its name, from 0; UINT32_MAX: too many. */
static uint32_t event_of_copy(struct stat_events *e, const struct stat_row *row, uint32_t copy)
{
	struct name_copies *n = copies_of(e, row->event);

	if (!n)
		return UINT32_MAX;
	if (copy < n->nr)
		return n->events[copy];
	if (e->capture->nr_events >= EVENTS_MAX)
		return UINT32_MAX;
	n->events = with_room(n->events, n->nr, &n->room, sizeof(*n->events));
	n->events[n->nr] = event_new(e, row);
	return n->events[n->nr++];
}

/* ---- rows ---- */

struct row_key {
	const struct stat_row *row;
	const struct known_place *place;
};

static bool is_row(const struct known_row *k, const struct stat_row *row)
{
	const struct stat_place *p = &row->place;

	return k->name.size == row->event.size && memcmp(k->name.at, row->event.at, k->name.size) == 0 &&
	       k->place->place.aggregation == p->aggregation && k->place->place.label.size == p->label.size &&
	       memcmp(k->place->label, p->label.at, p->label.size) == 0 &&
	       (k->cgroup ? same_text(k->cgroup, row->cgroup) : row->cgroup.size == 0);
}

static bool row_matches(const struct stat_events *e, uint32_t i, const void *key)
{
	return is_row(&e->rows[i], key);
}

static uint64_t hash_of_row(struct span label, struct span cgroup, struct span name)
{
	return hash_of(hash_of(hash_of(3, label), cgroup), name);
}

static uint64_t row_hash(const struct stat_events *e, uint32_t i)
{
	const struct known_row *k = &e->rows[i];

	return hash_of_row(k->place->place.label, k->cgroup ? span_of(k->cgroup) : span_of(""), k->name);
}

/* A new row, the `copy`-th of its place and name; 0: too many. */
static uint32_t row_new(struct stat_events *e, const struct stat_row *row, uint32_t copy)
{
	struct known_row k = { .place = stat_events_place(e, &row->place) };
	const char *name = stat_events_string(e, row->event);

	if (row->cgroup.size)
		k.cgroup = stat_events_string(e, row->cgroup);
	if (!k.place || !name || (row->cgroup.size && !k.cgroup) || e->nr_rows == ROWS_MAX)
		return 0;
	k.event = event_of_copy(e, row, copy);
	if (k.event == UINT32_MAX)
		return 0;
	k.name = span_of(name);
	k.number = copy;
	e->rows = with_room(e->rows, e->nr_rows, &e->rows_room, sizeof(*e->rows));
	e->rows[e->nr_rows] = k;
	return e->nr_rows++;
}

/* The first copy that this set has not had yet. */
static uint32_t unused_copy(struct stat_events *e, const struct stat_row *row, uint32_t first)
{
	uint32_t i = first, added;

	if (e->rows[first].set == e->set && e->rows[first].recent)
		i = e->rows[first].recent;
	while (e->rows[i].set == e->set) {
		if (!e->rows[i].copy) {
			added = row_new(e, row, e->rows[i].number + 1);
			e->rows[i].copy = added;
			i = added;
			break;
		}
		i = e->rows[i].copy;
	}
	if (i)
		e->rows[first].recent = i;
	return i;
}

static uint32_t row_by_table(struct stat_events *e, const struct stat_row *row)
{
	uint64_t hash = hash_of_row(row->place.label, row->cgroup, row->event);
	uint32_t i = table_find(e, &e->row_table, hash, row_matches, row);

	if (i != UINT32_MAX)
		return unused_copy(e, row, i);
	i = row_new(e, row, 0);
	if (i)
		table_add(e, &e->row_table, hash, i, row_hash);
	return i;
}

const struct known_row *stat_events_row(struct stat_events *e, const struct stat_row *row)
{
	uint32_t i = e->rows[e->last].next;

	if (!i || e->rows[i].set == e->set || !is_row(&e->rows[i], row)) {
		i = row_by_table(e, row);
		if (!i)
			return NULL;
		e->rows[e->last].next = i;
	}
	e->rows[i].set = e->set;
	e->last = i;
	return &e->rows[i];
}

uint32_t stat_events_number(const struct stat_events *e, const struct known_row *row)
{
	return (uint32_t)(row - e->rows);
}

/* ---- groups ---- */

/* What is known of an event and the one after it. */
struct neighbours {
	bool compared; /* at some place both counted */
	bool differ;   /* ran for different times somewhere, or only one of them counted */
	bool exact;    /* compared by nanoseconds everywhere */
	bool partly;   /* the event did not run all the time */
};

static int by_place_and_event(const void *a, const void *b)
{
	const struct group_evidence *x = a, *y = b;

	if (x->place != y->place)
		return (uintptr_t)x->place < (uintptr_t)y->place ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void compare(const struct group_evidence *a, const struct group_evidence *b, struct neighbours *n)
{
	if (!a->counted && !b->counted)
		return;
	if (a->counted != b->counted) {
		n->differ = true;
		return;
	}
	n->exact = (n->exact || !n->compared) && !isnan(a->running_ns) && !isnan(b->running_ns);
	n->compared = true;
	if (!isnan(a->running_ns) && !isnan(b->running_ns))
		n->differ |= a->running_ns != b->running_ns;
	else
		n->differ |= a->coverage != b->coverage;
}

/* Names of the same event in several groups. */
struct copies {
	uint32_t first; /* the event of this name that comes first */
	uint32_t next;  /* the next of this name, UINT32_MAX none */
};

static int by_name(const void *a, const void *b, void *events)
{
	const struct event *x = &((const struct event *)events)[*(const uint32_t *)a];
	const struct event *y = &((const struct event *)events)[*(const uint32_t *)b];
	int order = strcmp(x->name, y->name);

	return order ? order : x->position < y->position ? -1 : 1;
}

static struct copies *find_copies(const struct capture *c)
{
	struct copies *copies = must_alloc(c->nr_events * sizeof(*copies));
	uint32_t *order = must_alloc(c->nr_events * sizeof(*order));

	for (uint32_t i = 0; i < c->nr_events; i++)
		order[i] = i;
	qsort_r(order, c->nr_events, sizeof(*order), by_name, c->events);
	for (size_t i = 0; i < c->nr_events; i++) {
		bool again = i && strcmp(c->events[order[i]].name, c->events[order[i - 1]].name) == 0;

		copies[order[i]].next = UINT32_MAX;
		copies[order[i]].first = again ? copies[order[i - 1]].first : order[i];
		if (again)
			copies[order[i - 1]].next = order[i];
	}
	free(order);
	return copies;
}

/* A stretch of events that ran for the same time; groups are cut out of it. */
struct stretch {
	uint32_t begin, end;
	bool exact;
};

static bool name_in(const struct copies *copies, uint32_t begin, uint32_t end, uint32_t event)
{
	for (uint32_t i = begin; i < end; i++)
		if (copies[i].first == copies[event].first)
			return true;
	return false;
}

/* Does [begin, end) hold an event that comes again before the end of the stretch? */
static bool has_anchor(const struct copies *copies, const struct stretch *s, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		if (copies[i].next < s->end)
			return true;
	return false;
}

static bool has_copies(const struct copies *copies, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		if (copies[i].first != i || copies[i].next != UINT32_MAX)
			return true;
	return false;
}

/* A guess is worth something only where it chooses between copies of an event. */
static void close_group(struct capture *c, const struct stretch *s, const struct copies *copies,
			const struct neighbours *n, uint32_t begin, uint32_t end)
{
	bool known = s->exact && n[begin].partly;

	if (end - begin < 2 || (!known && !has_copies(copies, begin, end)))
		return;
	for (uint32_t i = begin; i < end; i++) {
		c->events[i].group = (int32_t)begin;
		c->events[i].group_known = known;
	}
}

/*
 * No group holds an event twice.  Where a stretch holds one twice, perf's metric groups
 * look like `a b CYCLES OPS c CYCLES OPS d e CYCLES`: what comes after an event that will
 * come again, and comes nowhere else, begins the next group.  Where the stretch begins
 * with the event that comes again, each of it begins a group.
 */
static void cut_stretch(struct capture *c, const struct copies *copies, const struct neighbours *n,
			const struct stretch *s)
{
	bool leads = copies[s->begin].next < s->end;
	uint32_t begin = s->begin;

	for (uint32_t i = s->begin + 1; i < s->end; i++) {
		bool single = copies[i].first == i && copies[i].next == UINT32_MAX;

		if (!name_in(copies, begin, i, i) && (leads || !single || !has_anchor(copies, s, begin, i)))
			continue;
		close_group(c, s, copies, n, begin, i);
		begin = i;
	}
	close_group(c, s, copies, n, begin, s->end);
}

enum { GROUP_SEARCH_MAX = 4096 };

void stat_events_group(struct capture *c, struct group_evidence *rows, size_t nr)
{
	struct neighbours *n;
	struct copies *copies;
	struct stretch s = { .begin = 0, .exact = true };

	if (c->nr_events < 2 || c->nr_events > GROUP_SEARCH_MAX)
		return;
	n = must_alloc(c->nr_events * sizeof(*n));
	copies = find_copies(c);
	qsort(rows, nr, sizeof(*rows), by_place_and_event);
	for (size_t i = 0; i < nr; i++) {
		n[rows[i].event].partly |= rows[i].coverage < 1;
		if (i + 1 < nr && rows[i].place == rows[i + 1].place && rows[i].event + 1 == rows[i + 1].event)
			compare(&rows[i], &rows[i + 1], &n[rows[i].event]);
	}
	for (uint32_t i = 0; i < c->nr_events; i++) {
		bool goes_on = i + 1 < c->nr_events && !n[i].differ;

		if (goes_on) {
			s.exact = s.exact && n[i].compared && n[i].exact;
			continue;
		}
		s.end = i + 1;
		cut_stretch(c, copies, n, &s);
		s = (struct stretch){ .begin = i + 1, .exact = true };
	}
	free(copies);
	free(n);
}
