// SPDX-License-Identifier: GPL-2.0-only
/* What perf stat record writes besides the header. */
#include "reader/stat.h"

#include <stdio.h>

#include "reader/cpu_map.h"

/* u64 type (0 interval, 1 final), u64 time */
int stat_round_decode(const struct record *r, struct round *ret)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint64_t type = cur_u64(&c), time = cur_u64(&c);

	if (c.failed)
		return -1;
	*ret = (struct round){ .final = type == 1, .time_ns = time, .offset = r->offset };
	return 0;
}

enum { CONFIG_AGGR_MODE = 0, CONFIG_INTERVAL = 1, CONFIG_SCALE = 2, CONFIG_AGGR_LEVEL = 3 };

/*
 * The numbers of the aggregation modes changed when perf learned of clusters (6.3) and
 * caches (6.4).  Writers with the new numbers add AGGR_LEVEL; perf 6.3 alone does not.
 */
static enum aggregation aggregation_of(uint64_t mode, bool new_numbers)
{
	static const enum aggregation old_modes[] = {
		AGGREGATION_NONE, AGGREGATION_GLOBAL, AGGREGATION_SOCKET, AGGREGATION_DIE,
		AGGREGATION_CORE, AGGREGATION_THREAD, AGGREGATION_UNKNOWN, AGGREGATION_NODE,
	};
	static const enum aggregation new_modes[] = {
		AGGREGATION_NONE, AGGREGATION_GLOBAL, AGGREGATION_SOCKET, AGGREGATION_DIE, AGGREGATION_CLUSTER,
		AGGREGATION_CACHE, AGGREGATION_CORE, AGGREGATION_THREAD, AGGREGATION_UNKNOWN, AGGREGATION_NODE,
	};

	if (new_numbers)
		return mode < sizeof(new_modes) / sizeof(new_modes[0]) ? new_modes[mode] : AGGREGATION_UNKNOWN;
	return mode < sizeof(old_modes) / sizeof(old_modes[0]) ? old_modes[mode] : AGGREGATION_UNKNOWN;
}

static bool version_has_caches(const char *version)
{
	unsigned major, minor;

	return version && sscanf(version, "%u.%u", &major, &minor) == 2 && (major > 6 || (major == 6 && minor >= 4));
}

/* u64 n; n × { u64 tag, u64 value } */
void stat_config(struct capture *c, const struct record *r)
{
	struct cursor b = cur_new(r->body, r->swap);
	uint64_t nr = cur_u64(&b), mode = UINT64_MAX;
	bool new_numbers = version_has_caches(c->perf_version);

	while (nr-- && !b.failed) {
		uint64_t tag = cur_u64(&b), value = cur_u64(&b);

		if (b.failed)
			break;
		if (tag == CONFIG_AGGR_MODE)
			mode = value;
		else if (tag == CONFIG_INTERVAL && value <= INT64_MAX)
			c->interval_ms = (int64_t)value;
		else if (tag == CONFIG_SCALE)
			c->scaled = value != 0;
		else if (tag == CONFIG_AGGR_LEVEL)
			new_numbers = true;
	}
	if (b.failed)
		damage_note(&c->damage, DAMAGE_RECORD_SHORT, r->offset);
	c->aggregation = aggregation_of(mode, new_numbers);
}

/* u64 n; n × { u64 tid, char comm[16] } */
void stat_thread_map(struct capture *c, const struct record *r)
{
	struct cursor b = cur_new(r->body, r->swap);
	uint64_t nr = cur_u64(&b);

	if (nr > cur_left(&b) / 24) {
		damage_note(&c->damage, DAMAGE_RECORD_SHORT, r->offset);
		nr = cur_left(&b) / 24;
	}
	c->threads = must_realloc(c->threads, (size_t)nr, sizeof(*c->threads));
	c->nr_threads = (size_t)nr;
	for (size_t i = 0; i < nr; i++) {
		struct bytes comm;

		c->threads[i].tid = (int32_t)cur_u64(&b);
		comm = cur_bytes(&b, 16);
		c->threads[i].comm = arena_strndup(c->arena, comm.at, bytes_strlen(comm));
	}
}

static void count_cpu(void *user, int32_t cpu)
{
	(void)cpu;
	++*(int64_t *)user;
}

/* Which CPUs were counted follows from the readings; here only whether the map can be read. */
void stat_cpu_map(struct capture *c, const struct record *r)
{
	int64_t nr = 0;

	if (cpu_map_decode(cur_new(r->body, r->swap), count_cpu, &nr))
		damage_say(&c->damage, DAMAGE_RECORD_ODD, r->offset, "CPU map");
}
