/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recognition of events: what a spelling means, what a captured event is, and whether
 * the two are the same counter.
 */
#ifndef PERFTAB_EVENT_MATCH_H
#define PERFTAB_EVENT_MATCH_H

#include "metrics/set.h"

/* What one counts, in a form that can be compared. */
struct event_meaning {
	bool known;    /* type and config are; otherwise only the name */
	uint32_t type; /* enum event_type; EVENT_OF_PMU for a PMU with a number of its own */
	uint64_t config, config1, config2;
	const char *pmu;  /* "amd_umc" (without the number of the instance), or NULL */
	size_t pmu_size;  /* pmu need not end there */
	const char *name; /* the bare spelling: no modifiers, no " [cpu]" */
	size_t name_size;
	const char *modifiers; /* "u", "ppp", …; size 0: none */
	size_t modifiers_size;
};

#define EVENT_OF_PMU 0xfffffffdu

/*
 * What a spelling means: "ls_not_halted_cyc:u", "cpu/event=0x76,cmask=0x6/", "r76", "cs",
 * "L1-dcache-load-misses", "ls_not_halted_cyc [cpu]".  The parts point into `spelling`
 * and into the set.  Generic hardware events become AMD's own codes in an AMD set.
 * Returns ret->known.
 */
bool event_config_of(const struct metric_set *s, const char *spelling, struct event_meaning *ret);

/* What a captured event is: by type and config where it has them, else by its name. */
void event_meaning_of(const struct metric_set *s, const struct event *e, struct event_meaning *ret);

/* Do they count the same thing?  Modifiers do not matter. */
bool event_meaning_equal(const struct event_meaning *a, const struct event_meaning *b);

/* perf's name for a generic hardware, cache, software or tool event; NULL for others. */
const char *event_generic_name(uint32_t type, uint64_t config);

/*
 * Who is counted: bits of EVENT_EXCLUDE_USER, _KERNEL, _HOST, _GUEST, from the event's
 * flags or (where the capture has none) its modifiers.
 */
uint64_t event_excludes(const struct event *e);
/* The same for modifiers in a formula ("k"). */
uint64_t event_excludes_of(const char *modifiers, size_t size);

#endif
