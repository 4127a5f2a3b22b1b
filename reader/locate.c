// SPDX-License-Identifier: GPL-2.0-only
/* From pid, time and address to dso and symbol. */
#include "reader/locate.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "reader/id_map.h"
#include "reader/records.h"
#include "reader/space_records.h"

/* A symbol depends on dso and offset alone, so this cache never gets stale. */
enum { CACHE_BITS = 16 };

struct cached_symbol {
	uint64_t offset;
	uint32_t dso, symbol; /* symbol + 1; 0: empty */
};

struct locator {
	struct symbols_options options;
	struct dso_table *dsos;
	struct address_space *space;
	struct symbols *symbols; /* NULL until locator_begin() */
	struct cached_symbol *cache;
	struct arena *arena;
	struct id_map cgroup_of; /* by the id that samples carry */
	const char **cgroups;    /* their paths */
	size_t nr_cgroups;
	bool is_read;
};

struct locator *locator_new(const struct symbols_options *options)
{
	struct locator *l = must_alloc(sizeof(*l));

	l->options = *options;
	l->dsos = dso_table_new();
	l->space = address_space_new(l->dsos);
	l->arena = arena_new();
	return l;
}

void locator_free(struct locator *l)
{
	if (!l)
		return;
	symbols_free(l->symbols);
	address_space_free(l->space);
	dso_table_free(l->dsos);
	arena_free(l->arena);
	id_map_free(&l->cgroup_of);
	free(l->cgroups);
	free(l->cache);
	free(l);
}

void locator_begin(struct locator *l, const struct capture *c)
{
	struct symbols_options options = l->options;

	if (l->symbols)
		return;
	options.capture = c->path;
	options.os_release = c->os_release;
	options.hostname = c->hostname;
	l->symbols = symbols_new(l->dsos, &options);
	l->cache = must_alloc(sizeof(*l->cache) << CACHE_BITS);
}

/* ---- records ---- */

/* CGROUP: the id that samples carry, and the path. */
static void note_cgroup(struct locator *l, const struct record *r, const struct sample_layout *layout)
{
	struct field_value fields[RECORD_FIELDS_MAX];

	if (record_decode(record_class_of(RECORD_CGROUP), r, layout, 0, fields))
		return;
	if ((l->nr_cgroups & (l->nr_cgroups - 1)) == 0)
		l->cgroups = must_realloc(l->cgroups, l->nr_cgroups ? 2 * l->nr_cgroups : 1, sizeof(const char *));
	id_map_add(&l->cgroup_of, fields[0].number, (uint32_t)l->nr_cgroups);
	l->cgroups[l->nr_cgroups++] = arena_strndup(l->arena, fields[1].bytes.at, fields[1].bytes.size);
}

void locator_record(struct locator *l, const struct record *r, const struct sample_layout *layout)
{
	if (r->type == RECORD_CGROUP)
		note_cgroup(l, r, layout);
	else
		space_record(l->space, l->dsos, r, layout);
}

const char *locator_cgroup(struct locator *l, uint64_t id)
{
	int32_t at = id_map_find(&l->cgroup_of, id);

	return at >= 0 ? l->cgroups[at] : NULL;
}

/* ---- beforehand ---- */

static bool opens_twice(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Events of a pipe's stream that was kept in a file come later. */
static bool may_have_samples(const struct capture *c)
{
	bool may = c->nr_events == 0;

	for (size_t i = 0; i < c->nr_events; i++)
		may |= c->events[i].sample_period != 0;
	return may;
}

/* Agents that write jitdump files use CLOCK_MONOTONIC. */
static bool has_clock_of_jitdumps(const struct capture *c)
{
	for (size_t i = 0; i < c->nr_events; i++)
		if (c->events[i].flags & EVENT_USE_CLOCKID && c->events[i].clockid == 1)
			return true;
	return false;
}

static int read_records(struct locator *l, struct capture_reader *reader, bool jit_only, struct error *err)
{
	struct capture *c;
	struct item item;
	int n = capture_run(reader, &c, err);

	if (n <= 0 || !may_have_samples(c) || (jit_only && !has_clock_of_jitdumps(c)))
		return n < 0 ? -1 : 0;
	if (!has_clock_of_jitdumps(c)) /* their code is fed at the end */
		address_space_in_order(l->space);
	while ((n = capture_next(reader, &item, err)) > 0)
		if (item.kind == ITEM_RECORD)
			locator_record(l, item.record, item.layout);
	if (n < 0)
		return -1;
	locator_begin(l, c);
	if (has_clock_of_jitdumps(c))
		symbols_feed_jitdumps(l->symbols, l->space);
	l->is_read = true;
	return 0;
}

int locator_read(struct locator *l, const char *path, bool jit_only, struct error *err)
{
	const struct capture_options options = { .want_records = true, .time_order = true };
	struct capture_reader *reader;
	int result;

	if (!opens_twice(path))
		return 0;
	reader = capture_open(path, &options, err);
	if (!reader)
		return -1;
	result = read_records(l, reader, jit_only, err);
	capture_close(reader);
	return result;
}

bool locator_is_read(const struct locator *l)
{
	return l->is_read;
}

/* ---- questions ---- */

static uint64_t known_time(uint64_t time_ns)
{
	return time_ns ? time_ns : TIME_LATEST;
}

void locator_find_dso(struct locator *l, uint32_t pid, uint64_t time_ns, unsigned cpumode, uint64_t ip,
		      struct located *ret)
{
	ret->symbol = 0;
	ret->mapped =
		address_space_find(l->space, (int32_t)pid, known_time(time_ns), cpumode, ip, &ret->dso, &ret->offset);
}

void locator_find(struct locator *l, uint32_t pid, uint64_t time_ns, unsigned cpumode, uint64_t ip, struct located *ret)
{
	struct cached_symbol *slot;
	uint64_t hash, at;

	locator_find_dso(l, pid, time_ns, cpumode, ip, ret);
	hash = (ret->offset ^ (uint64_t)ret->dso << 40) * 0x9e3779b97f4a7c15ull;
	slot = &l->cache[hash >> (64 - CACHE_BITS)];
	if (!slot->symbol || slot->offset != ret->offset || slot->dso != ret->dso) {
		symbols_find(l->symbols, ret->dso, ret->offset, &ret->symbol, &at);
		*slot = (struct cached_symbol){ ret->offset, ret->dso, ret->symbol + 1 };
	}
	ret->symbol = slot->symbol - 1;
}

const char *locator_comm(struct locator *l, uint32_t tid, uint64_t time_ns)
{
	return address_space_comm_at(l->space, (int32_t)tid, known_time(time_ns));
}

const struct dso_table *locator_dsos(const struct locator *l)
{
	return l->dsos;
}

struct symbols *locator_symbols(const struct locator *l)
{
	return l->symbols;
}
