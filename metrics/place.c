// SPDX-License-Identifier: GPL-2.0-only
/* Places and their labels, in perf's spelling where perf has one (S0-D0-C1, N0, comm-tid). */
#include "metrics/place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct places {
	struct arena *arena;
	struct place **list;
	size_t nr, last;
	uint32_t *table; /* list index + 1, open addressing; 0: empty */
	size_t mask;
};

static const struct {
	const char *name;
	enum place_kind kind;
} kinds_by_name[] = {
	{ "run", PLACE_RUN },	{ "cpu", PLACE_CPU },	{ "core", PLACE_CORE },	    { "die", PLACE_DIE },
	{ "socket", PLACE_SOCKET }, { "node", PLACE_NODE }, { "thread", PLACE_THREAD }, { "cgroup", PLACE_CGROUP },
};

enum { NR_KINDS = sizeof(kinds_by_name) / sizeof(kinds_by_name[0]) };

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

int place_kind_named(const char *name)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (strcmp(kinds_by_name[i].name, name) == 0)
			return (int)kinds_by_name[i].kind;
	return -1;
}

void place_kind_name(unsigned kinds, char *to, size_t size)
{
	*to = 0;
	if (kinds == PLACE_RUN)
		append(to, size, "run");
	for (size_t i = 1; i < NR_KINDS; i++)
		if (kinds & kinds_by_name[i].kind)
			append(to, size, "%s%s", *to ? "+" : "", kinds_by_name[i].name);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

static uint64_t mix_text(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = mix(h, (unsigned char)*text);
	return h;
}

static uint64_t hash_of(const struct place *p)
{
	uint64_t h = mix(p->kind, (uint32_t)p->cpu);

	h = mix(h, (uint64_t)(uint32_t)p->core << 32 | (uint32_t)p->die);
	h = mix(h, (uint64_t)(uint32_t)p->socket << 32 | (uint32_t)p->node);
	h = mix(h, (uint32_t)p->tid);
	return mix_text(mix_text(h, p->comm), p->cgroup);
}

static void put_in_table(struct places *p, uint32_t at)
{
	size_t i = (size_t)hash_of(p->list[at]) & p->mask;

	while (p->table[i])
		i = (i + 1) & p->mask;
	p->table[i] = at + 1;
}

/* Twice as large as the list is now; kept no more than half full. */
static void grow_table(struct places *p)
{
	p->mask = p->table ? p->mask * 2 + 1 : 63;
	free(p->table);
	p->table = must_alloc((p->mask + 1) * sizeof(*p->table));
	for (uint32_t at = 0; at < p->nr; at++)
		put_in_table(p, at);
}

static struct place *add(struct places *p, const struct place *what)
{
	struct place *copy = arena_alloc(p->arena, sizeof(*copy));

	*copy = *what;
	copy->id = (uint32_t)p->nr;
	if ((p->nr & (p->nr - 1)) == 0)
		p->list = must_realloc(p->list, p->nr ? 2 * p->nr : 1, sizeof(*p->list));
	if (!p->table || 2 * p->nr > p->mask)
		grow_table(p);
	p->list[p->nr] = copy;
	put_in_table(p, (uint32_t)p->nr++);
	return copy;
}

struct places *places_new(void)
{
	struct places *p = must_alloc(sizeof(*p));
	const struct place run = {
		.kind = PLACE_RUN, .label = "run", .cpu = -1, .core = -1, .die = -1, .socket = -1, .node = -1, .tid = -1,
	};

	p->arena = arena_new();
	add(p, &run);
	return p;
}

void places_free(struct places *p)
{
	if (!p)
		return;
	arena_free(p->arena);
	free(p->list);
	free(p->table);
	free(p);
}

struct whereabouts whereabouts_of(const struct capture *c, int32_t cpu, int32_t thread)
{
	const struct cpu_place *at = cpu >= 0 ? capture_cpu(c, cpu) : NULL;
	struct whereabouts w = { cpu, -1, -1, -1, -1, -1, NULL, NULL };

	if (at) {
		w.core = at->core;
		w.die = at->socket >= 0 && at->die < 0 ? 0 : at->die;
		w.socket = at->socket;
		w.node = at->node;
	}
	if (thread >= 0 && (size_t)thread < c->nr_threads && c->threads[thread].tid >= 0) {
		w.tid = c->threads[thread].tid;
		w.comm = c->threads[thread].comm;
	}
	return w;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool whereabouts_equal(const struct whereabouts *a, const struct whereabouts *b)
{
	return a->cpu == b->cpu && a->core == b->core && a->die == b->die && a->socket == b->socket &&
	       a->node == b->node && a->tid == b->tid && same_text(a->comm, b->comm) &&
	       same_text(a->cgroup, b->cgroup);
}

/*
 * What of the whereabouts the kinds ask for; false when something of it is not known.  A CPU
 * also says where in the machine it is.
 */
static bool narrow(unsigned kinds, const struct whereabouts *w, struct place *ret)
{
	unsigned in_socket = kinds & (PLACE_SOCKET | PLACE_DIE | PLACE_CORE);

	*ret = (struct place){ .kind = kinds, .cpu = -1, .core = -1, .die = -1, .socket = -1, .node = -1, .tid = -1 };
	if (kinds & PLACE_CPU)
		ret->cpu = w->cpu;
	if (in_socket | (kinds & PLACE_CPU))
		ret->socket = w->socket;
	if (kinds & (PLACE_DIE | PLACE_CORE | PLACE_CPU))
		ret->die = w->die;
	if (kinds & (PLACE_CORE | PLACE_CPU))
		ret->core = w->core;
	if (kinds & (PLACE_NODE | PLACE_CPU))
		ret->node = w->node;
	if (kinds & PLACE_THREAD) {
		ret->tid = w->tid;
		ret->comm = w->comm;
	}
	if (kinds & PLACE_CGROUP)
		ret->cgroup = w->cgroup;
	return !((kinds & PLACE_CPU && w->cpu < 0) || (in_socket && w->socket < 0) ||
		 (kinds & (PLACE_DIE | PLACE_CORE) && w->die < 0) || (kinds & PLACE_CORE && w->core < 0) ||
		 (kinds & PLACE_NODE && w->node < 0) || (kinds & PLACE_THREAD && w->tid < 0 && !w->comm) ||
		 (kinds & PLACE_CGROUP && !w->cgroup));
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->kind == b->kind && a->cpu == b->cpu && a->core == b->core && a->die == b->die &&
	       a->socket == b->socket && a->node == b->node && a->tid == b->tid && same_text(a->comm, b->comm) &&
	       same_text(a->cgroup, b->cgroup);
}

static const char *label_of(struct arena *arena, const struct place *p)
{
	char text[400] = "";

	if (p->kind & PLACE_CPU)
		append(text, sizeof(text), " cpu=%" PRId32, p->cpu);
	if (p->kind & (PLACE_SOCKET | PLACE_DIE | PLACE_CORE))
		append(text, sizeof(text), " S%" PRId32, p->socket);
	if (p->kind & (PLACE_DIE | PLACE_CORE))
		append(text, sizeof(text), "-D%" PRId32, p->die);
	if (p->kind & PLACE_CORE)
		append(text, sizeof(text), "-C%" PRId32, p->core);
	if (p->kind & PLACE_NODE)
		append(text, sizeof(text), " N%" PRId32, p->node);
	if (p->kind & PLACE_THREAD) {
		bool named = p->comm && *p->comm;

		append(text, sizeof(text), " %s", named ? p->comm : "tid=");
		if (p->tid >= 0)
			append(text, sizeof(text), "%s%" PRId32, named ? "-" : "", p->tid);
	}
	if (p->kind & PLACE_CGROUP)
		append(text, sizeof(text), " %s", p->cgroup);
	return arena_strdup(arena, text + 1);
}

/* Things come place by place, or all places in turn: the last one and the one after it are tried first. */
static struct place *search(struct places *p, const struct place *wanted)
{
	for (size_t at = p->last; at < p->nr && at <= p->last + 1; at++) {
		if (same_place(p->list[at], wanted)) {
			p->last = at;
			return p->list[at];
		}
	}
	for (size_t i = (size_t)hash_of(wanted) & p->mask; p->table[i]; i = (i + 1) & p->mask) {
		size_t at = p->table[i] - 1;

		if (same_place(p->list[at], wanted)) {
			p->last = at;
			return p->list[at];
		}
	}
	return NULL;
}

const struct place *places_find(struct places *p, unsigned kinds, const struct whereabouts *w)
{
	struct place wanted;
	struct place *there;

	if (kinds == PLACE_RUN)
		return p->list[0];
	if (!narrow(kinds, w, &wanted))
		return NULL;
	there = search(p, &wanted);
	if (there)
		return there;
	wanted.label = label_of(p->arena, &wanted);
	if (wanted.comm)
		wanted.comm = arena_strdup(p->arena, wanted.comm);
	if (wanted.cgroup)
		wanted.cgroup = arena_strdup(p->arena, wanted.cgroup);
	return add(p, &wanted);
}
