/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a source, one after the other, through its window.  A line is borrowed
 * until the next call.  Reading may go on inside a line, where several objects stand in
 * one.
 */
#ifndef PERFTAB_STAT_LINES_H
#define PERFTAB_STAT_LINES_H

#include "reader/source.h"
#include "reader/stat_row.h"

struct stat_lines {
	struct source *source;
	struct bytes window;
	size_t at;       /* in the window */
	bool ended;      /* nothing follows the window */
	bool begun;      /* a byte order mark has been looked for */
	uint64_t number; /* of the line at `at`, from 1 */
};

struct stat_line {
	struct span text; /* without its end */
	size_t size;      /* with it: what stat_lines_skip() goes over */
	bool whole;       /* it has an end */
	bool too_long;    /* more than anything perf writes: `text` is its begin */
	uint64_t number, offset;
};

/* 1 and the line at the position, which stays there; 0 at the end; -1 and *err. */
int stat_lines_peek(struct stat_lines *l, struct stat_line *ret, struct error *err);

/* All that the window holds from the position on; at least `want` bytes but at the end. */
int stat_lines_ahead(struct stat_lines *l, size_t want, struct span *ret, struct error *err);

/* Moves on by bytes that were seen. */
void stat_lines_skip(struct stat_lines *l, size_t size);

#endif
