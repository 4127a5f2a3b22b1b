/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every instance did in every round, kept for a second walk: in memory while it is
 * little, then in a temporary file that has no name.  12 bytes for a usual difference.
 */
#ifndef PERFTAB_ROUNDS_H
#define PERFTAB_ROUNDS_H

#include "metrics/counts.h"

struct rounds;

struct rounds *rounds_new(void);
void rounds_free(struct rounds *r); /* NULL is fine */

/* One round more.  Later rounds may have more instances, never fewer. */
int rounds_add(struct rounds *r, const struct difference *d, size_t nr, struct error *err);

/* Ends the adding, and begins at the first round (again). */
int rounds_rewind(struct rounds *r, struct error *err);

/*
 * The next round, one entry for each of `nr` instances (0 for those that did not exist yet).
 * 1; 0 after the last; -1 and *err.
 */
int rounds_next(struct rounds *r, double *count, double *enabled, double *running, size_t nr, struct error *err);

#endif
