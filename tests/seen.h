/* SPDX-License-Identifier: GPL-2.0-only */
/* What an analysis shows its visitor, kept for tests that look at all of it. */
#ifndef PERFTAB_TEST_SEEN_H
#define PERFTAB_TEST_SEEN_H

#include "metrics/analysis.h"
#include "tests/statdata.h"

struct seen_scope {
	int64_t interval; /* -1: the run */
	double begin_ns, end_ns;
	char *label;
	int32_t cpu, core, die, socket, node, tid;
	struct cell *cells;            /* one an event */
	struct metric_result *results; /* one a metric of the set */
};

struct seen {
	struct capture_reader *reader;
	struct capture *capture; /* until seen_free() */
	char *set_name;          /* "" none */
	char **metrics;          /* names */
	double *print_scale;     /* perf prints value_perf × this */
	size_t nr_metrics;
	struct seen_scope *scopes;
	size_t nr_scopes;
	char *note;
};

/* NULL and *err.  set_name NULL: by the capture's CPU. */
struct seen *seen_new(const char *path, const struct scope_request *requests, size_t nr, const char *set_name,
		      struct error *err);
struct seen *seen_image(const struct image *b, const struct scope_request *requests, size_t nr, const char *set_name,
			struct error *err);
/* The run as a whole; a failure ends the test. */
struct seen *seen_run(const char *path);
struct seen *seen_run_image(const struct image *b);
void seen_free(struct seen *s); /* NULL is fine */

/* -1: no such metric. */
int seen_metric(const struct seen *s, const char *name);
/* The scope of this interval and label, or NULL. */
const struct seen_scope *seen_scope(const struct seen *s, int64_t interval, const char *label);

/* A file in memory with these bytes: its path, good until the next call. */
const char *image_path(const struct image *b);

#endif
