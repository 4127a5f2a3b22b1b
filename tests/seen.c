// SPDX-License-Identifier: GPL-2.0-only
/* What an analysis shows its visitor, kept for tests that look at all of it. */
#include "tests/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/test.h"

static int on_begin(void *user, const struct analysis *a, struct error *err)
{
	struct seen *s = user;

	(void)err;
	s->note = strdup(a->note);
	s->set_name = strdup(a->set ? a->set->name : "");
	s->nr_metrics = a->set ? a->set->nr_metrics : 0;
	s->metrics = calloc(s->nr_metrics + 1, sizeof(*s->metrics));
	s->print_scale = calloc(s->nr_metrics + 1, sizeof(*s->print_scale));
	for (size_t m = 0; m < s->nr_metrics; m++) {
		s->metrics[m] = strdup(a->set->metrics[m].name);
		s->print_scale[m] = a->set->metrics[m].scale / a->set->metrics[m].factor;
	}
	return 0;
}

static void *copy_of(const void *p, size_t size)
{
	void *to = calloc(1, size + 1);

	if (size)
		memcpy(to, p, size);
	return to;
}

static int on_scope(void *user, const struct analysis *a, const struct scope *scope,
		    const struct metric_result *results, struct error *err)
{
	const struct place *p = scope->place;
	struct seen *s = user;

	(void)a;
	(void)err;
	if ((s->nr_scopes & (s->nr_scopes - 1)) == 0)
		s->scopes = realloc(s->scopes, (s->nr_scopes ? s->nr_scopes * 2 : 1) * sizeof(*s->scopes));
	s->scopes[s->nr_scopes++] = (struct seen_scope){
		.interval = scope->interval,
		.begin_ns = scope->begin_ns,
		.end_ns = scope->end_ns,
		.label = strdup(p->label),
		.cpu = p->cpu,
		.core = p->core,
		.die = p->die,
		.socket = p->socket,
		.node = p->node,
		.tid = p->tid,
		.cells = copy_of(scope->cells, scope->nr_cells * sizeof(*scope->cells)),
		.results = copy_of(results, s->nr_metrics * sizeof(*results)),
	};
	return 0;
}

struct seen *seen_new(const char *path, const struct scope_request *requests, size_t nr, const char *set_name,
		      struct error *err)
{
	const struct analysis_options options = { .requests = requests, .nr_requests = nr, .set_name = set_name };
	const struct analysis_visitor visitor = { .begin = on_begin, .scope = on_scope };
	const struct capture_options what = { 0 };
	struct seen *s = calloc(1, sizeof(*s));

	s->reader = capture_open(path, &what, err);
	if (!s->reader || capture_run(s->reader, &s->capture, err) != 1 ||
	    analysis_run(s->reader, s->capture, &options, &visitor, s, err)) {
		seen_free(s);
		return NULL;
	}
	return s;
}

const char *image_path(const struct image *b)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0)
		fd = memfd_create("image", 0);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	for (size_t done = 0; done < b->size;) {
		ssize_t n = pwrite(fd, b->at + done, b->size - done, (off_t)done);

		assert_true(n > 0);
		done += (size_t)n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

struct seen *seen_image(const struct image *b, const struct scope_request *requests, size_t nr, const char *set_name,
			struct error *err)
{
	return seen_new(image_path(b), requests, nr, set_name, err);
}

struct seen *seen_run(const char *path)
{
	const struct scope_request run = { false, PLACE_RUN };
	struct error err = { "" };
	struct seen *s = seen_new(path, &run, 1, NULL, &err);

	if (!s)
		fail_msg("%s: %s", path, err.text);
	return s;
}

struct seen *seen_run_image(const struct image *b)
{
	return seen_run(image_path(b));
}

void seen_free(struct seen *s)
{
	if (!s)
		return;
	capture_close(s->reader);
	for (size_t m = 0; m < s->nr_metrics; m++)
		free(s->metrics[m]);
	for (size_t i = 0; i < s->nr_scopes; i++) {
		free(s->scopes[i].label);
		free(s->scopes[i].cells);
		free(s->scopes[i].results);
	}
	free(s->scopes);
	free(s->metrics);
	free(s->print_scale);
	free(s->set_name);
	free(s->note);
	free(s);
}

int seen_metric(const struct seen *s, const char *name)
{
	for (size_t m = 0; m < s->nr_metrics; m++)
		if (strcmp(s->metrics[m], name) == 0)
			return (int)m;
	return -1;
}

const struct seen_scope *seen_scope(const struct seen *s, int64_t interval, const char *label)
{
	for (size_t i = 0; i < s->nr_scopes; i++)
		if (s->scopes[i].interval == interval && strcmp(s->scopes[i].label, label) == 0)
			return &s->scopes[i];
	return NULL;
}
