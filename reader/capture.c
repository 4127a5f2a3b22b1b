// SPDX-License-Identifier: GPL-2.0-only
/* The front door: decides by content what an input is and hands out its captures. */
#include "reader/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader/perf_data.h"
#include "reader/stat_output.h"

struct capture_reader {
	struct source *source;
	struct perf_data *perf_data;     /* one of these two */
	struct stat_output *stat_output;
	struct capture *capture;
	unsigned runs;
	bool run_given, is_folder;
	bool source_given; /* perf_data closes it */
};

const char *aggregation_name(enum aggregation a)
{
	static const char *const names[] = {
		NULL, "none", "global", "socket", "die", "cluster", "cache", "core", "thread", "node",
	};

	return names[a];
}

struct capture *capture_new(const char *path)
{
	struct arena *arena = arena_new();
	struct capture *c = arena_alloc(arena, sizeof(*c));

	c->arena = arena;
	c->path = c->name = arena_strdup(arena, path);
	c->cpus_online = c->cpus_available = -1;
	c->total_mem_kb = c->duration_ns = -1;
	c->wall_start_ns = c->clock_start_ns = -1;
	c->user_s = c->system_s = NAN;
	c->scaled = true;
	return c;
}

void capture_free(struct capture *c)
{
	if (!c)
		return;
	free(c->events);
	free(c->samples);
	free(c->features);
	free(c->threads);
	free(c->cpus);
	arena_free(c->arena);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A folder is opened by its file `data`. */
static int open_source(struct capture_reader *r, const char *path, struct error *err)
{
	struct arena *arena = arena_new();

	r->is_folder = is_folder(path);
	if (r->is_folder)
		path = perf_data_in_folder(path, arena);
	if (path)
		r->source = source_open(path, err);
	else
		fail(err, NO_OFFSET, "is a directory without a file \"data\"");
	arena_free(arena);
	return r->source ? 0 : -1;
}

/* Enough to tell what an input is. */
enum { START_SIZE = 64 * 1024 };

static int open_content(struct capture_reader *r, const char *path, const struct capture_options *options,
			struct error *err)
{
	struct source *source = r->source;
	struct bytes start;

	if (source_peek(source, START_SIZE, &start, err))
		return -1;
	if (!r->is_folder && !perf_data_is(start) && stat_output_is(start)) {
		r->stat_output = stat_output_open(source, path, err);
		return r->stat_output ? 0 : -1;
	}
	r->source_given = true;
	r->perf_data = perf_data_open(source, path, options, &r->capture, err);
	if (!r->perf_data)
		return -1;
	return r->is_folder ? perf_data_add_folder(r->perf_data, path, err) : 0;
}

struct capture_reader *capture_open(const char *path, const struct capture_options *options, struct error *err)
{
	struct capture_reader *r = must_alloc(sizeof(*r));

	if (open_source(r, path, err) == 0 && open_content(r, path, options, err) == 0)
		return r;
	capture_close(r);
	return NULL;
}

static int next_printed_run(struct capture_reader *r, struct capture **ret, struct error *err)
{
	int n = stat_output_run(r->stat_output, ret, err);

	if (n > 0 && ++r->runs > 1)
		(*ret)->name = arena_printf((*ret)->arena, "%s#%u", (*ret)->path, r->runs);
	return n;
}

int capture_run(struct capture_reader *r, struct capture **ret, struct error *err)
{
	if (r->stat_output)
		return next_printed_run(r, ret, err);
	if (r->run_given)
		return 0;
	r->run_given = true;
	*ret = r->capture;
	return 1;
}

int capture_next(struct capture_reader *r, struct item *ret, struct error *err)
{
	if (r->stat_output)
		return stat_output_next(r->stat_output, ret, err);
	return perf_data_next(r->perf_data, ret, err);
}

void capture_progress(const struct capture_reader *r, uint64_t *done, uint64_t *total)
{
	*done = *total = 0;
	if (r->perf_data)
		perf_data_progress(r->perf_data, done, total);
	*done += source_offset(r->source);
	*total += source_size(r->source);
}

void capture_close(struct capture_reader *r)
{
	if (!r)
		return;
	stat_output_close(r->stat_output);
	perf_data_close(r->perf_data);
	if (!r->source_given)
		source_close(r->source);
	free(r);
}
