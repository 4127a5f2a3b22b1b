/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several captures of one program: the mean of each metric, and how much a run differs
 * from the next.  Stands between analysis_run() and a visitor: it takes the scopes of
 * each capture, and gives those of all together with the last one.
 */
#ifndef PERFTAB_REPEATS_H
#define PERFTAB_REPEATS_H

#include "metrics/analysis.h"

/* The fewest runs that show an error. */
enum { REPEATS_FEWEST = 3 };

/* ---- of one number ---- */

struct repeat {
	size_t nr;
	double mean, sd; /* sd: standard deviation of one run; NaN for fewer than two */
	double se, df, half_width; /* NaN for fewer than REPEATS_FEWEST */
};

struct repeat repeat_of(const double *values, size_t nr, double level);

/* ---- of captures ---- */

struct repeats;

/*
 * `nr` captures will come; the visitor sees one, that tells the name of all in its path.
 * Scopes are those of the whole run; intervals of different runs have nothing in common.
 */
struct repeats *repeats_new(size_t nr, double level, const struct analysis_visitor *visitor, void *user);
void repeats_free(struct repeats *r); /* NULL is fine */

/* Pass as visitor with the repeats as user to analysis_run(), for each capture in turn. */
extern const struct analysis_visitor repeats_visitor;

#endif
