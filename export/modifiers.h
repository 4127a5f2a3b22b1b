/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics that are made of events with modifiers (ls_not_halted_cyc:u) look like any
 * other: this says which they are and what they leave out.
 */
#ifndef PERFTAB_MODIFIERS_H
#define PERFTAB_MODIFIERS_H

#include "metrics/analysis.h"

enum { MAX_MODIFIERS = 16 };

struct modifiers_walk {
	const char *modifiers; /* of the metrics at hand: "u" */
	char *metrics;         /* "all metrics" or their names, joined by ", " */
	const char *seen[MAX_MODIFIERS];
	size_t nr_seen;
};

/* The next group of metrics that have modifiers in common; false after the last.  Starts zeroed. */
bool modifiers_next(struct modifiers_walk *w, const struct analysis *a);
void modifiers_end(struct modifiers_walk *w);

/* "user mode only", "kernel only"; "" of others */
const char *modifiers_meaning(const char *modifiers);

#endif
