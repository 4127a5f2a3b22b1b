/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of perf stat record: STAT_CONFIG, THREAD_MAP, CPU_MAP, STAT, STAT_ROUND. */
#ifndef PERFTAB_STAT_H
#define PERFTAB_STAT_H

#include "reader/perf_file.h"

/* STAT, with the event still as an id. */
struct stat_record {
	uint64_t id;
	int32_t cpu, thread;
	uint64_t value, enabled, running;
};

/* With the header of 8 bytes. */
enum { STAT_RECORD_SIZE = 48 };

/*
 * u64 id; u32 cpu, thread; u64 value, enabled, running.  -1 when the body is shorter than
 * its fields.  Here, because captures hold millions of them.
 */
static inline int stat_decode(struct bytes body, bool swap, struct stat_record *ret)
{
	struct cursor c = cur_new(body, swap);

	ret->id = cur_u64(&c);
	ret->cpu = (int32_t)cur_u32(&c);
	ret->thread = (int32_t)cur_u32(&c);
	ret->value = cur_u64(&c);
	ret->enabled = cur_u64(&c);
	ret->running = cur_u64(&c);
	return c.failed ? -1 : 0;
}

/* -1 when the record is shorter than its fields. */
int stat_round_decode(const struct record *r, struct round *ret);

/* Into the capture; odd records are noted in its tally. */
void stat_config(struct capture *c, const struct record *r);
void stat_thread_map(struct capture *c, const struct record *r);
void stat_cpu_map(struct capture *c, const struct record *r);

#endif
