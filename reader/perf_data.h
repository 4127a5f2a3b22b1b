/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf.data capture as a stream of items: the walk over its records, decoded. */
#ifndef PERFTAB_PERF_DATA_H
#define PERFTAB_PERF_DATA_H

#include "reader/capture.h"
#include "reader/source.h"

struct perf_data;

/* Is this the begin of perf.data of any kind? */
bool perf_data_is(struct bytes start);

/* A folder of perf record --threads: what to open in it, or NULL. */
const char *perf_data_in_folder(const char *path, struct arena *arena);
/* Reads the streams of the folder `path` as well. */
int perf_data_add_folder(struct perf_data *d, const char *path, struct error *err);
/* Bytes of the streams of a folder, read and in all, beside those of the source. */
void perf_data_progress(const struct perf_data *d, uint64_t *done, uint64_t *total);

/* Takes the source over, also on failure.  *ret is the capture, which lives until the close. */
struct perf_data *perf_data_open(struct source *source, const char *path, const struct capture_options *options,
				 struct capture **ret, struct error *err);
int perf_data_next(struct perf_data *d, struct item *ret, struct error *err);
void perf_data_close(struct perf_data *d); /* NULL is fine */

#endif
