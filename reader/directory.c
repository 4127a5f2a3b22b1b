// SPDX-License-Identifier: GPL-2.0-only
/* Merges the streams of a folder by time: a heap of streams, the oldest head on top. */
#include "reader/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Enough for the largest record; there may be hundreds of streams. */
enum { STREAM_WINDOW = 1 << 17 };

struct head {
	struct perf_stream *stream;
	const struct source *source; /* the stream's, for progress */
	struct record record;
	uint64_t time_ns;
};

struct directory {
	struct head *heads; /* a heap of `live`; those behind have ended */
	size_t nr, live;
	bool started, taken; /* taken: the record on top was given */
};

const char *directory_data(const char *path, struct arena *arena)
{
	const char *name = arena_printf(arena, "%s/data", path);
	struct stat st;

	return stat(name, &st) == 0 && S_ISREG(st.st_mode) ? name : NULL;
}

static bool is_stream(const char *folder, const char *name)
{
	char path[4096];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	return strncmp(name, "data.", 5) == 0 && strcmp(name, "data.old") && n > 0 && (size_t)n < sizeof(path) &&
	       stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int add_stream(struct directory *d, const char *folder, const char *name, struct error *err)
{
	char path[4096];
	struct source *source;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	source = source_open_window(path, STREAM_WINDOW, err);
	if (!source)
		return -1;
	d->heads = must_realloc(d->heads, d->nr + 1, sizeof(*d->heads));
	d->heads[d->nr++] = (struct head){ .stream = perf_stream_open(source), .source = source };
	return 0;
}

/* By length, then by letters: data.2 before data.10, whatever the file system's order is. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	size_t x = strlen((*a)->d_name), y = strlen((*b)->d_name);

	return x != y ? (x < y ? -1 : 1) : strcmp((*a)->d_name, (*b)->d_name);
}

struct directory *directory_open(const char *path, struct error *err)
{
	struct directory *d = must_alloc(sizeof(*d));
	struct dirent **names;
	int nr = scandir(path, &names, NULL, by_name), failed = 0;

	if (nr < 0) {
		fail(err, NO_OFFSET, "cannot be read: %s", strerror(errno));
		free(d);
		return NULL;
	}
	for (int i = 0; i < nr; i++) {
		if (!failed && is_stream(path, names[i]->d_name))
			failed = add_stream(d, path, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	if (!failed)
		return d;
	directory_close(d);
	return NULL;
}

void directory_close(struct directory *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr; i++)
		perf_stream_close(d->heads[i].stream);
	free(d->heads);
	free(d);
}

static void swap_heads(struct head *a, struct head *b)
{
	struct head t = *a;

	*a = *b;
	*b = t;
}

static void sift_down(struct directory *d, size_t i)
{
	for (;;) {
		size_t least = i, left = 2 * i + 1, right = left + 1;

		if (left < d->live && d->heads[left].time_ns < d->heads[least].time_ns)
			least = left;
		if (right < d->live && d->heads[right].time_ns < d->heads[least].time_ns)
			least = right;
		if (least == i)
			return;
		swap_heads(&d->heads[i], &d->heads[least]);
		i = least;
	}
}

/* The next record of a stream becomes its head: 1, 0 when it has ended, -1. */
static int advance(struct head *h, struct perf_file *f, directory_time *time, void *user, struct error *err)
{
	int n = perf_stream_next(f, h->stream, &h->record, err);

	if (n > 0)
		h->time_ns = time(user, &h->record);
	return n;
}

static int start(struct directory *d, struct perf_file *f, directory_time *time, void *user, struct error *err)
{
	d->started = true;
	d->live = d->nr;
	for (size_t i = d->nr; i-- > 0;) {
		int n = advance(&d->heads[i], f, time, user, err);

		if (n < 0)
			return -1;
		if (n == 0)
			swap_heads(&d->heads[i], &d->heads[--d->live]);
	}
	for (size_t i = d->live / 2 + 1; i-- > 0;)
		sift_down(d, i);
	return 0;
}

int directory_next(struct directory *d, struct perf_file *f, directory_time *time, void *user, struct record *ret,
		   uint64_t *ret_time, struct error *err)
{
	if (!d->started && start(d, f, time, user, err))
		return -1;
	if (d->taken) {
		int n = advance(&d->heads[0], f, time, user, err);

		if (n < 0)
			return -1;
		if (n == 0)
			swap_heads(&d->heads[0], &d->heads[--d->live]);
		sift_down(d, 0);
	}
	d->taken = d->live > 0;
	if (!d->live)
		return 0;
	*ret = d->heads[0].record;
	*ret_time = d->heads[0].time_ns;
	return 1;
}

void directory_progress(const struct directory *d, uint64_t *done, uint64_t *total)
{
	*done = *total = 0;
	for (size_t i = 0; i < d->nr; i++) {
		*done += source_offset(d->heads[i].source);
		*total += source_size(d->heads[i].source);
	}
}
