/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads perf stat output from memory and writes what was understood as short lines, so
 * that a test case is a text and its meaning:
 *
 *	run text cmd=sleep 1              format and command of each run
 *	c ls_not_halted_cyc.1 123 0.35 run=456 noise=0.01 @CPU3 cgroup=/a
 *	                                  count: event and copy, scaled, coverage; "-": not known,
 *	                                  "not_counted", "not_supported" in place of the count
 *	m % retiring 36.3 @CPU3           metric: unit ("-" none), name, value
 *	r 1000000000                      end of an interval; "R": of the run
 *	d line 2                          diagnostics at the end of a run
 */
#ifndef PERFTAB_STAT_READING_H
#define PERFTAB_STAT_READING_H

#include <stddef.h>

#include "reader/stat_output.h"

struct stat_reading {
	char *text; /* the lines; free with stat_reading_free() */
	size_t size, room;
	bool refused;
	struct error err;
	size_t runs, counts, metrics, rounds;
	uint64_t lost; /* diagnostics of class loss */
};

/* What a test wants to see of each item; NULL for none. */
struct stat_reading_visit {
	void (*item)(void *user, const struct capture *c, const struct item *item);
	void (*run)(void *user, const struct capture *c); /* at its end */
	void *user;
};

void stat_reading_of_memory(const void *text, size_t size, const struct stat_reading_visit *visit,
			    struct stat_reading *ret);
void stat_reading_of_file(const char *path, const struct stat_reading_visit *visit, struct stat_reading *ret);
void stat_reading_free(struct stat_reading *r);

/* Fails the test with both texts where they differ. */
void stat_reading_check(const char *name, const char *text, const char *expected);

#endif
