// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as perf stat output.  Whatever they are, reading ends, events keep what they
 * are once they were given out, and every item names an event that is there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/stat_output.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool right)
{
	if (!right)
		abort();
}

static void check_item(const struct capture *c, const struct item *item)
{
	if (item->kind == ITEM_PRINTED_COUNT) {
		const struct printed_count *p = &item->count;

		must(p->event < c->nr_events && c->events[p->event].position == p->event);
		must(p->counted ? p->supported : isnan(p->scaled));
		must(isnan(p->coverage) || (p->coverage >= 0 && p->coverage_step >= 0));
		must(p->line > 0 && (!p->label || *p->label));
	} else if (item->kind == ITEM_PRINTED_METRIC) {
		must(*item->metric.name && item->metric.unit);
	} else {
		must(item->kind == ITEM_ROUND);
	}
}

static void check_events(const struct capture *c)
{
	for (size_t i = 0; i < c->nr_events; i++) {
		const struct event *e = &c->events[i];

		must(e->name && e->modifiers && e->unit && e->scale > 0);
		must(e->group < 0 || ((size_t)e->group <= i && c->events[e->group].group == e->group));
	}
}

static void read_all(const char *path)
{
	struct error err;
	struct source *s = source_open(path, &err);
	struct stat_output *o;
	struct capture *c;
	struct item item;

	if (!s)
		return; /* bytes that begin like a packed file and are none */
	o = stat_output_open(s, path, &err);
	while (o && stat_output_run(o, &c, &err) > 0) {
		while (stat_output_next(o, &item, &err) > 0)
			check_item(c, &item);
		check_events(c);
	}
	stat_output_close(o);
	source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("perf stat output", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	must(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	read_all(path);
	return 0;
}
