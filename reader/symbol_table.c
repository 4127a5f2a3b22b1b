// SPDX-License-Identifier: GPL-2.0-only
/* The symbols of one dso, sorted; see the header. */
#include "reader/symbol_table.h"

#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"
#include "reader/demangle.h"

enum { PAGE = 4096, MOST = (1 << 29) - 2 /* ids have 29 bits */ };

void symbol_table_init(struct symbol_table *t, bool demangle)
{
	*t = (struct symbol_table){ .demangle = demangle };
}

void symbol_table_release(struct symbol_table *t)
{
	free(t->entries);
	free(t->names);
	free(t->begins);
	*t = (struct symbol_table){ 0 };
}

bool symbol_table_add(struct symbol_table *t, uint64_t start, uint64_t size, enum symbol_binding binding,
		      const char *name, size_t max)
{
	size_t length = strnlen(name, max);

	if (length + 1 > UINT32_MAX - t->names_used || t->nr >= MOST)
		return false;
	while (t->names_room - t->names_used < length + 1) {
		t->names_room = t->names_room ? 2 * t->names_room : 4096;
		t->names = must_realloc(t->names, t->names_room, 1);
	}
	if (t->nr == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->entries = must_realloc(t->entries, t->room, sizeof(*t->entries));
	}
	t->entries[t->nr++] = (struct symbol_entry){
		.start = start,
		.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
		.name = (uint32_t)t->names_used,
		.around = SYMBOL_NOT_FOUND,
		.binding = (unsigned)binding & 3,
	};
	memcpy(t->names + t->names_used, name, length);
	t->names[t->names_used + length] = '\0';
	t->names_used += length + 1;
	return true;
}

/* Names lie in the order in which they were added, so they keep the sort stable. */
static int by_start(const void *a, const void *b)
{
	const struct symbol_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static uint32_t distance(uint64_t from, uint64_t to)
{
	return to - from < UINT32_MAX ? (uint32_t)(to - from) : UINT32_MAX;
}

/* To the end of the next page: what a last symbol gets. */
static uint32_t to_page_end(uint64_t start)
{
	uint64_t end = (start + PAGE + PAGE - 1) / PAGE * PAGE;

	return end > start ? distance(start, end) : PAGE;
}

static void give_sizes(struct symbol_table *t, enum symbol_ends ends)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct symbol_entry *s = &t->entries[i], *next = s + 1;

		if (s->size)
			continue;
		s->guessed = 1;
		if (i + 1 == t->nr)
			s->size = to_page_end(s->start);
		else if (ends == ENDS_KALLSYMS &&
			 !strchr(t->names + s->name, '[') != !strchr(t->names + next->name, '['))
			s->size = to_page_end(s->start);
		else
			s->size = distance(s->start, next->start);
	}
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Which of two names is better, as they are shown: fewer underscores, then the longer one. */
static bool second_name_better(const struct symbol_table *t, const char *a, const char *b)
{
	char *da = t->demangle ? demangle(a) : NULL, *db = t->demangle ? demangle(b) : NULL;
	bool better;

	if (da)
		a = da;
	if (db)
		b = db;
	if (underscores(a) != underscores(b))
		better = underscores(b) < underscores(a);
	else if (strlen(a) != strlen(b))
		better = strlen(b) > strlen(a);
	else /* old kernels name each system call twice */
		better = strncmp(a, "SyS", 3) == 0 || strncmp(a, "compat_SyS", 10) == 0;
	free(da);
	free(db);
	return better;
}

static bool second_better(const struct symbol_table *t, const struct symbol_entry *a, const struct symbol_entry *b)
{
	if (t->latest)
		return true;
	if (!a->size != !b->size)
		return !a->size;
	if ((a->binding == BINDING_WEAK) != (b->binding == BINDING_WEAK))
		return a->binding == BINDING_WEAK;
	if ((a->binding == BINDING_GLOBAL) != (b->binding == BINDING_GLOBAL))
		return b->binding == BINDING_GLOBAL;
	return second_name_better(t, t->names + a->name, t->names + b->name);
}

static void choose(struct symbol_table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nr; i++) {
		struct symbol_entry *last = kept ? &t->entries[kept - 1] : NULL;

		if (!last || last->start != t->entries[i].start)
			t->entries[kept++] = t->entries[i];
		else if (second_better(t, last, &t->entries[i]))
			*last = t->entries[i];
	}
	t->nr = kept;
}

/* A guessed size was right for the symbols there were; more may have been added since. */
static void cut_guesses(struct symbol_table *t)
{
	for (size_t i = 0; i + 1 < t->nr; i++) {
		uint32_t room = distance(t->entries[i].start, t->entries[i + 1].start);

		if (t->entries[i].guessed && t->entries[i].size > room)
			t->entries[i].size = room;
	}
}

static bool ends_later(const struct symbol_entry *a, const struct symbol_entry *b)
{
	return a->start + a->size > b->start + b->size;
}

/* Who encloses whom: the entries that could still enclose one form a chain. */
static void nest(struct symbol_table *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		uint32_t around = i ? (uint32_t)(i - 1) : SYMBOL_NOT_FOUND;

		while (around != SYMBOL_NOT_FOUND && !ends_later(&t->entries[around], &t->entries[i]))
			around = t->entries[around].around;
		t->entries[i].around = around;
	}
}

/*
 * A table of contents: searching all of a large table misses the cache at each step, so
 * the search is kept to the few entries that begin in the same part.
 */
static void index_parts(struct symbol_table *t)
{
	uint64_t first = t->nr ? t->entries[0].start : 0, range = t->nr ? t->entries[t->nr - 1].start - first : 0;
	size_t e = 0;

	t->shift = 0;
	while (range >> t->shift >= t->nr / 2 + 1)
		t->shift++;
	t->nr_parts = (size_t)(range >> t->shift) + 1;
	t->begins = must_realloc(t->begins, t->nr_parts + 1, sizeof(*t->begins));
	for (size_t p = 0; p < t->nr_parts; p++) {
		while (e < t->nr && (t->entries[e].start - first) >> t->shift < p)
			e++;
		t->begins[p] = (uint32_t)e;
	}
	t->begins[t->nr_parts] = (uint32_t)t->nr;
}

void symbol_table_settle(struct symbol_table *t, enum symbol_ends ends)
{
	if (t->nr)
		qsort(t->entries, t->nr, sizeof(*t->entries), by_start);
	if (ends != ENDS_KEEP)
		give_sizes(t, ends);
	choose(t);
	cut_guesses(t);
	nest(t);
	index_parts(t);
	t->last = 0;
}

static bool holds(const struct symbol_entry *s, uint64_t offset)
{
	return offset >= s->start && (offset - s->start < s->size || offset == s->start);
}

/* How many entries begin at or below the offset. */
static size_t begin_below(const struct symbol_table *t, uint64_t offset)
{
	uint64_t first = t->entries[0].start, part = (offset - first) >> t->shift;
	size_t low, high;

	if (offset < first)
		return 0;
	if (part >= t->nr_parts)
		return t->nr;
	low = t->begins[part];
	high = t->begins[part + 1];
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->entries[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t symbol_table_find(struct symbol_table *t, uint64_t offset)
{
	const struct symbol_entry *last;
	uint32_t at;

	if (!t->nr)
		return SYMBOL_NOT_FOUND;
	last = t->entries + t->last;
	if (holds(last, offset) && (t->last + 1 == t->nr || offset < last[1].start))
		return (uint32_t)t->last;
	at = (uint32_t)begin_below(t, offset) - 1; /* below the first: SYMBOL_NOT_FOUND */
	while (at != SYMBOL_NOT_FOUND && !holds(&t->entries[at], offset))
		at = t->entries[at].around;
	if (at != SYMBOL_NOT_FOUND)
		t->last = at;
	return at;
}
