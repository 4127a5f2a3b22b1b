/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline's table read aloud: where the slots went, the largest loss first, what is
 * below it, and what cannot be said and why.
 *
 * A sentence uses the numbers that the table shows.  Values are ranked only where their
 * intervals of error are apart; values whose error is not known only where they differ
 * by more than WORDS_MARGIN, and by more than the shares miss 1 together.
 */
#ifndef PERFTAB_REPORT_WORDS_H
#define PERFTAB_REPORT_WORDS_H

#include "metrics/checks.h"

#define WORDS_MARGIN 0.01

/* One row of the table: level 1, each followed by its level 2. */
struct words_row {
	const char *name;
	int level;
	const char *missing; /* NULL: can be computed; else why not: "events not in the capture" */
	const struct metric_result *result;
	const char *modifiers; /* whose ops: "u", "k"; NULL or "": all */
};

struct report_words {
	char *findings, *limits; /* sentences, or "" */
};

struct report_words report_words(const struct words_row *rows, size_t nr, const struct check_list *checks);
void report_words_free(struct report_words *w);

#endif
