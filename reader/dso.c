// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of what can be mapped.  Entries are found by a hash of their path; those
 * of one path (an updated library, a path in two kinds) are a chain.
 */
#include "reader/dso.h"

#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/arena.h"

enum { BUCKETS = 4096, NOBODY = -1 };

/* perf_event.h's numbers of the CPU's mode. */
enum { MODE_KERNEL = 1, MODE_GUEST_KERNEL = 4 };

struct entry {
	struct dso dso;
	int32_t next; /* of the same bucket */
};

/* A build-id that the capture gives for a path. */
struct known_id {
	const char *path;
	struct build_id id;
	bool kernel_mode;
	int32_t next;
};

struct dso_table {
	struct arena *arena;
	struct entry **entries; /* each where it is for good, so that pointers stay */
	size_t nr, room;
	struct known_id *ids;
	size_t nr_ids, room_ids;
	int32_t bucket[BUCKETS], id_bucket[BUCKETS];
};

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

void build_id_text(const struct build_id *id, char ret[41])
{
	size_t size = id->size <= sizeof(id->bytes) ? id->size : sizeof(id->bytes);

	for (size_t i = 0; i < size; i++)
		snprintf(ret + 2 * i, 3, "%02x", id->bytes[i]);
	ret[2 * size] = '\0';
}

/* FNV-1a: paths are short and few. */
static unsigned hash_text(const char *text)
{
	uint32_t h = 2166136261u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 16777619u;
	return h % BUCKETS;
}

static bool of_kernel(enum dso_kind kind)
{
	return kind == DSO_KERNEL || kind == DSO_GUEST_KERNEL || kind == DSO_MODULE || kind == DSO_GUEST_MODULE;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Build-ids of kernels are given for "[kernel.kallsyms]" or for the vmlinux perf had found. */
static const char *id_path(unsigned cpumode, const char *path)
{
	if (cpumode == MODE_KERNEL && strncmp(last_part(path), "vmlinux", 7) == 0)
		return "[kernel.kallsyms]";
	return path;
}

static void take_known_id(const struct dso_table *t, struct dso *d)
{
	for (int32_t i = t->id_bucket[hash_text(d->path)]; i != NOBODY; i = t->ids[i].next) {
		const struct known_id *k = &t->ids[i];

		if (strcmp(k->path, d->path) == 0 && k->kernel_mode == of_kernel(d->kind)) {
			d->build_id = k->id;
			return;
		}
	}
}

void dso_table_build_id(struct dso_table *t, unsigned cpumode, const char *path, const struct build_id *id)
{
	bool kernel_mode = cpumode == MODE_KERNEL || cpumode == MODE_GUEST_KERNEL;
	struct known_id *k;
	unsigned h;

	path = id_path(cpumode, path);
	h = hash_text(path);
	if (t->nr_ids == t->room_ids) {
		t->room_ids = t->room_ids ? 2 * t->room_ids : 64;
		t->ids = must_realloc(t->ids, t->room_ids, sizeof(*t->ids));
	}
	k = &t->ids[t->nr_ids];
	*k = (struct known_id){ arena_strdup(t->arena, path), *id, kernel_mode, t->id_bucket[h] };
	t->id_bucket[h] = (int32_t)t->nr_ids++;
	for (int32_t i = t->bucket[h]; i != NOBODY; i = t->entries[i]->next) {
		struct dso *d = &t->entries[i]->dso;

		if (!d->build_id.size && of_kernel(d->kind) == kernel_mode && strcmp(d->path, path) == 0)
			d->build_id = *id;
	}
}

/* The same thing?  Where one of the two has no build-id, it takes the other's. */
static bool same(const struct dso *a, const struct dso *b)
{
	if (a->kind != b->kind || a->pid != b->pid || strcmp(a->path, b->path) != 0)
		return false;
	if (a->kind == DSO_KSYMBOL && a->size != b->size)
		return false;
	return !a->build_id.size || !b->build_id.size || build_id_equal(&a->build_id, &b->build_id);
}

static uint32_t append(struct dso_table *t, const struct dso *d, unsigned h)
{
	struct entry *e = arena_alloc(t->arena, sizeof(*e));

	if (t->nr == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->entries = must_realloc(t->entries, t->room, sizeof(*t->entries));
	}
	e->dso = *d;
	e->dso.path = arena_strdup(t->arena, d->path);
	e->dso.name = d->name == d->path ? e->dso.path : arena_strdup(t->arena, d->name);
	e->dso.ref_symbol = d->ref_symbol ? arena_strdup(t->arena, d->ref_symbol) : NULL;
	if (!e->dso.build_id.size)
		take_known_id(t, &e->dso);
	e->next = t->bucket[h];
	t->entries[t->nr] = e;
	t->bucket[h] = (int32_t)t->nr;
	return (uint32_t)t->nr++;
}

uint32_t dso_table_add(struct dso_table *t, const struct dso *d)
{
	unsigned h = hash_text(d->path);

	for (int32_t i = t->bucket[h]; i != NOBODY; i = t->entries[i]->next) {
		struct dso *old = &t->entries[i]->dso;

		if (!same(old, d))
			continue;
		if (!old->build_id.size)
			old->build_id = d->build_id;
		return (uint32_t)i;
	}
	return append(t, d, h);
}

const struct dso *dso_table_get(const struct dso_table *t, uint32_t id)
{
	return &t->entries[id < t->nr ? id : DSO_ID_UNKNOWN]->dso;
}

size_t dso_table_count(const struct dso_table *t)
{
	return t->nr;
}

struct dso_table *dso_table_new(void)
{
	static const char *const unknown[DSO_ID_FIRST] = {
		[DSO_ID_UNKNOWN] = "[unknown]",		    [DSO_ID_UNKNOWN_KERNEL] = "[unknown kernel]",
		[DSO_ID_HYPERVISOR] = "[hypervisor]",	    [DSO_ID_GUEST_KERNEL] = "[guest kernel]",
		[DSO_ID_GUEST_USER] = "[guest user]",
	};
	struct dso_table *t = must_alloc(sizeof(*t));

	t->arena = arena_new();
	for (int b = 0; b < BUCKETS; b++)
		t->bucket[b] = t->id_bucket[b] = NOBODY;
	for (int i = 0; i < DSO_ID_FIRST; i++)
		dso_table_add(t, &(struct dso){ .kind = DSO_UNKNOWN, .path = unknown[i], .name = unknown[i], .pid = -1 });
	return t;
}

void dso_table_free(struct dso_table *t)
{
	if (!t)
		return;
	arena_free(t->arena);
	free(t->entries);
	free(t->ids);
	free(t);
}
