/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counter values that perf record writes: in samples (PERF_SAMPLE_READ) and when a task
 * ends (PERF_RECORD_READ).  Kept by counter and task until the end of the capture, then
 * given as cumulative readings, as perf stat record would have written them.
 */
#ifndef PERFTAB_READINGS_H
#define PERFTAB_READINGS_H

#include "reader/sample.h"

struct readings;

struct readings *readings_new(struct capture *capture);
void readings_free(struct readings *r); /* NULL is fine */

/* Where a counter was opened (ID_INDEX): cpu and tid -1 for any. */
void readings_place(struct readings *r, uint64_t id, int32_t cpu, int32_t tid);
/* The name of a task. */
void readings_comm(struct readings *r, uint32_t tid, struct bytes comm);

/* A block of values out of a sample: running totals since the start. */
void readings_sample(struct readings *r, struct perf_file *f, const struct event *event, const struct sample *s);
/* A READ record: what this task has counted in all. */
void readings_read(struct readings *r, struct perf_file *f, const struct record *record, uint64_t read_format);

/* One after the other, at the end.  Threads are added to the capture. */
bool readings_next(struct readings *r, struct reading *ret);

#endif
