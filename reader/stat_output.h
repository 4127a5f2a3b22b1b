/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf stat's own output files as captures: text, CSV of -x, JSON of -j, in every
 * layout of perf 6.1 to 7.2.  One file may hold several runs, one after the other, and
 * lines of other programs between them.
 *
 * What the items of such a capture mean:
 *
 * - Counts are printed ones: scaled already, differences already with -I.  `coverage`
 *   is rounded in text (0.3567) and cut off in CSV and JSON, which print an integer
 *   quotient: 0.35 with coverage_step 0.01 stands for 0.35 up to 0.36.  Where run and
 *   enabled time were equal it is 1 and coverage_step is 0.
 * - A name may be there several times, one copy for each metric group.  Each copy is
 *   an event of its own: the k-th row of a name at one place and time belongs to the
 *   k-th event of that name, or, where a row is missing, to the event that came after
 *   the same neighbour before.
 * - Groups are not printed.  Multiplexed events that stand together and ran for the
 *   same number of nanoseconds at every place (CSV, JSON) were on the PMU together:
 *   group_known.  In text only percentages of two decimals are left, which several
 *   groups can share; and without multiplexing all run for the same time.  There, where
 *   an event has several copies, each gets the group that fits best, so that a metric
 *   takes the copy beside its other events, but group_known is false; without copies
 *   there is no group.  In both, an event that is met again begins a new group.
 *   They are found in the first set of rows, so that events never change afterwards.
 * - With -I each time is a set of rows, ended by an ITEM_ROUND; the rows of --summary,
 *   or of a run without -I, are ended by a final one.  An interval run without --summary
 *   has no final round: its total is the sum of the intervals.
 * - Rows for each cluster or cache have no field of their own: `label` has the row's
 *   word for the place ("S0-D0-CLS1"), socket and die are set.
 */
#ifndef PERFTAB_STAT_OUTPUT_H
#define PERFTAB_STAT_OUTPUT_H

#include "reader/capture.h"
#include "reader/source.h"

struct stat_output;

/* Is this beginning of an input text, so that stat_output_open() should look at it? */
bool stat_output_is(struct bytes start);

/*
 * Reads from where the source stands; the source must outlive it and stays the
 * caller's.  NULL and *err where no line is perf stat output: the line says what it is
 * instead.
 */
struct stat_output *stat_output_open(struct source *s, const char *path, struct error *err);

/* As capture_run() and capture_next(): 1 and the next, 0 at the end, -1 and *err. */
int stat_output_run(struct stat_output *o, struct capture **ret, struct error *err);
int stat_output_next(struct stat_output *o, struct item *ret, struct error *err);

void stat_output_close(struct stat_output *o); /* NULL is fine */

#endif
