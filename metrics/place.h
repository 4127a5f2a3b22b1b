/* SPDX-License-Identifier: GPL-2.0-only */
/* Where counts are taken: the list of places of a capture, and which of them something belongs to. */
#ifndef PERFTAB_PLACE_H
#define PERFTAB_PLACE_H

#include "metrics/counts.h"

/* All that is known of where one count was taken; -1 and NULL: not known. */
struct whereabouts {
	int32_t cpu, core, die, socket, node, tid;
	const char *comm, *cgroup;
};

struct places;

/* A list that holds the run as place 0. */
struct places *places_new(void);
void places_free(struct places *p);

/* From a CPU and an index into the thread map; topology is filled in. */
struct whereabouts whereabouts_of(const struct capture *c, int32_t cpu, int32_t thread);
bool whereabouts_equal(const struct whereabouts *a, const struct whereabouts *b);

/*
 * The place of these kinds (bits of enum place_kind) for something taken there, or NULL
 * where what is known does not tell.  The pointer stays valid.
 */
const struct place *places_find(struct places *p, unsigned kinds, const struct whereabouts *w);

/* "cpu", "core", …: a word of --by to its bit; -1 for others. */
int place_kind_named(const char *name);
/* "run", "cpu", "cpu+thread", … */
void place_kind_name(unsigned kinds, char *to, size_t size);

#endif
