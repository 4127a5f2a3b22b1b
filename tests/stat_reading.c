// SPDX-License-Identifier: GPL-2.0-only
/* perf stat output from memory, and what was understood of it in short lines. */
#include "tests/stat_reading.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/test.h"

static void put(struct stat_reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct stat_reading *r, const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n >= (int)sizeof(text))
		n = (int)sizeof(text) - 1;
	if (r->size + (size_t)n + 1 > r->room) {
		r->room = (r->size + (size_t)n + 1) * 2;
		r->text = must_realloc(r->text, r->room, 1);
	}
	memcpy(r->text + r->size, text, (size_t)n + 1);
	r->size += (size_t)n;
}

/* Which copy of its name an event is. */
static unsigned copy_of(const struct capture *c, uint32_t event)
{
	unsigned copy = 0;

	for (uint32_t i = 0; i < event; i++)
		copy += strcmp(c->events[i].name, c->events[event].name) == 0;
	return copy;
}

static void put_place(struct stat_reading *r, const char *label, const char *cgroup)
{
	if (label)
		put(r, " @%s", label);
	if (cgroup)
		put(r, " cgroup=%s", cgroup);
	put(r, "\n");
}

static void put_count(struct stat_reading *r, const struct capture *c, const struct printed_count *p)
{
	put(r, "c %s", c->events[p->event].name);
	if (copy_of(c, p->event))
		put(r, ".%u", copy_of(c, p->event));
	if (p->counted)
		put(r, " %.17g", p->scaled);
	else
		put(r, " %s", p->supported ? "not_counted" : "not_supported");
	if (isnan(p->coverage))
		put(r, " -");
	else
		put(r, " %.6g", p->coverage);
	if (!isnan(p->running_ns))
		put(r, " run=%.17g", p->running_ns);
	if (!isnan(p->noise))
		put(r, " noise=%.6g", p->noise);
	put_place(r, p->label, p->cgroup);
}

static void put_item(struct stat_reading *r, const struct capture *c, const struct item *item)
{
	switch (item->kind) {
	case ITEM_PRINTED_COUNT:
		r->counts++;
		put_count(r, c, &item->count);
		break;
	case ITEM_PRINTED_METRIC:
		r->metrics++;
		put(r, "m %s %s %.17g", *item->metric.unit ? item->metric.unit : "-", item->metric.name,
		    item->metric.value);
		put_place(r, item->metric.label, item->metric.cgroup);
		break;
	case ITEM_ROUND:
		r->rounds++;
		put(r, "%c %" PRIu64 "\n", item->round.final ? 'R' : 'r', item->round.time_ns);
		break;
	default:
		fail_msg("an item of kind %d in perf stat output", (int)item->kind);
	}
}

static void put_damage(struct stat_reading *r, const struct damage *d)
{
	for (unsigned k = 0; k < DAMAGE_NR; k++) {
		if (!d->of[k].count)
			continue;
		put(r, "d %s %" PRIu64 "\n", damage_name(k), d->of[k].count);
		if (damage_class_of(k) == DAMAGE_LOSS)
			r->lost += d->of[k].count;
	}
}

static void read_run(struct stat_output *o, struct capture *c, const struct stat_reading_visit *visit,
		     struct stat_reading *r)
{
	struct item item;
	int n;

	r->runs++;
	put(r, "run %s%s%s\n", c->format + strlen("perf stat "), c->command ? " cmd=" : "",
	    c->command ? c->command : "");
	while ((n = stat_output_next(o, &item, &r->err)) > 0) {
		put_item(r, c, &item);
		if (visit && visit->item)
			visit->item(visit->user, c, &item);
	}
	if (n < 0)
		fail_msg("%s", r->err.text);
	put_damage(r, &c->damage);
	if (visit && visit->run)
		visit->run(visit->user, c);
}

void stat_reading_of_file(const char *path, const struct stat_reading_visit *visit, struct stat_reading *ret)
{
	struct source *s;
	struct stat_output *o;
	struct capture *c;
	int n;

	memset(ret, 0, sizeof(*ret));
	put(ret, "%s", "");
	s = source_open(path, &ret->err);
	if (!s)
		fail_msg("%s: %s", path, ret->err.text);
	o = stat_output_open(s, path, &ret->err);
	ret->refused = !o;
	while (o && (n = stat_output_run(o, &c, &ret->err)) != 0) {
		if (n < 0)
			fail_msg("%s: %s", path, ret->err.text);
		read_run(o, c, visit, ret);
	}
	stat_output_close(o);
	source_close(s);
}

void stat_reading_of_memory(const void *text, size_t size, const struct stat_reading_visit *visit,
			    struct stat_reading *ret)
{
	int fd = memfd_create("perf stat output", MFD_CLOEXEC);
	char path[64];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	stat_reading_of_file(path, visit, ret);
	close(fd);
}

void stat_reading_free(struct stat_reading *r)
{
	free(r->text);
}

void stat_reading_check(const char *name, const char *text, const char *expected)
{
	struct stat_reading r;

	stat_reading_of_memory(text, strlen(text), NULL, &r);
	if (r.refused)
		put(&r, "refused: %s\n", r.err.text);
	if (strcmp(r.text, expected) != 0)
		fail_msg("%s: expected\n%s\nand read\n%s", name, expected, r.text);
	stat_reading_free(&r);
}
