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

/* All: -1 when the record is shorter than its fields. */
int stat_decode(const struct record *r, struct stat_record *ret);
int stat_round_decode(const struct record *r, struct round *ret);

/* Into the capture; odd records are noted in its tally. */
void stat_config(struct capture *c, const struct record *r);
void stat_thread_map(struct capture *c, const struct record *r);
void stat_cpu_map(struct capture *c, const struct record *r);

#endif
