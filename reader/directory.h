/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf record --threads writes: a folder with `data` (a perf.data file) and data.0,
 * data.1, …, one stream of records for each ring buffer, each in order of time.
 */
#ifndef PERFTAB_DIRECTORY_H
#define PERFTAB_DIRECTORY_H

#include "reader/perf_file.h"

struct directory;

/* The path of its file `data`, in the arena; NULL where there is none. */
const char *directory_data(const char *path, struct arena *arena);

/* The streams beside `data`; NULL and *err when they cannot be opened. */
struct directory *directory_open(const char *path, struct error *err);
void directory_close(struct directory *d); /* NULL is fine */

/* The time of a record, or 0. */
typedef uint64_t directory_time(void *user, const struct record *r);

/* The oldest of the records at the heads of the streams: 1, 0, -1.  *ret_time is its time. */
int directory_next(struct directory *d, struct perf_file *f, directory_time *time, void *user, struct record *ret,
		   uint64_t *ret_time, struct error *err);

/* Bytes read and in all. */
void directory_progress(const struct directory *d, uint64_t *done, uint64_t *total);

#endif
