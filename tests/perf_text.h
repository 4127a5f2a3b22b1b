/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf stat printed, read for the tests alone: nothing of this is shared with the reader. */
#ifndef PERFTAB_TEST_PERF_TEXT_H
#define PERFTAB_TEST_PERF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_METRICS = 4 };

/* One count with the metrics behind it and in the lines below it. */
struct text_row {
	char time[32];   /* "" without -I */
	char place[32];  /* "CPU0", "S0-D0-C1", "S0", or "" */
	char value[40];  /* as printed: digits, or "<not counted>" */
	char event[160]; /* name as printed, without " [pmu]" */
	char percent[16]; /* "35.67", or "" */
	struct {
		char value[32], unit[16], name[80];
	} metrics[TEXT_METRICS];
	size_t nr_metrics;
	size_t line;
};

struct perf_text {
	struct text_row *rows;
	size_t nr;
	size_t odd_line; /* the first line that was not understood; 0 none */
};

/* nr is 0 when it cannot be read. */
struct perf_text perf_text_read(const char *path);
void perf_text_free(struct perf_text *t);

#endif
