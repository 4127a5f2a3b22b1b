/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which event and which place a printed row belongs to.  Rows name events by name
 * alone, the same name several times, so the order decides; and rows come in the same
 * order in every interval, so that the next row is mostly the one that came next before.
 */
#ifndef PERFTAB_STAT_EVENTS_H
#define PERFTAB_STAT_EVENTS_H

#include "reader/capture.h"
#include "reader/stat_row.h"

/* A place with strings of the capture's arena. */
struct known_place {
	struct stat_place place;
	const char *label, *comm; /* NULL: none */
};

/* A row as it comes back in each set: place, cgroup and event. */
struct known_row {
	const struct known_place *place;
	const char *cgroup; /* or NULL */
	struct span name;   /* as printed */
	uint32_t event;     /* index into capture.events */
	uint32_t next;      /* the row that followed, 0 none */
	uint32_t number;    /* which copy it is, from 0 */
	uint32_t copy;      /* the next row of the same place and name, 0 none */
	uint32_t recent;    /* of the first copy: the one used last */
	uint64_t set;       /* in which it was met last */
};

struct stat_events;

/* Its number among all rows that were met, from 1. */
uint32_t stat_events_number(const struct stat_events *e, const struct known_row *row);

struct stat_events *stat_events_new(struct capture *capture);
void stat_events_free(struct stat_events *e); /* NULL is fine */

/* Rows from here on are of another time. */
void stat_events_new_set(struct stat_events *e);

/* NULL: more places than any machine has. */
const struct known_place *stat_events_place(struct stat_events *e, const struct stat_place *place);

/*
 * The row's place and event, which is added to the capture when it is new.  Borrowed until
 * the next call.  NULL: more rows or events than perf ever opens.
 */
const struct known_row *stat_events_row(struct stat_events *e, const struct stat_row *row);

/* A string of the capture's arena, the same pointer for the same text; NULL when there are too many. */
const char *stat_events_string(struct stat_events *e, struct span text);

/* ---- groups ---- */

/* What one row of the first set tells of its event. */
struct group_evidence {
	const struct known_place *place;
	uint32_t event;
	bool counted;
	double running_ns, coverage; /* NaN unknown */
};

/* Sets group and group_known of the capture's events.  Sorts `rows`. */
void stat_events_group(struct capture *capture, struct group_evidence *rows, size_t nr);

#endif
