/* SPDX-License-Identifier: GPL-2.0-only */
/* struct perf_event_attr of any size and byte order, and what to call an event. */
#ifndef PERFTAB_ATTR_H
#define PERFTAB_ATTR_H

#include "reader/arena.h"
#include "reader/bytes.h"
#include "reader/event.h"

/*
 * Fills the attr fields of *ret from as many bytes as there are; what an older writer
 * did not have is 0, what a newer one added is not looked at.  -1 when there are fewer
 * than the first version's 64 bytes.
 */
int attr_decode(struct bytes b, bool swap, struct event *ret);

/* Name, modifiers, pmu, unit and scale that follow from type, config and flags. */
void attr_describe(struct arena *arena, struct event *e);

/* A recorded name without what perf 6.12 -A appends (" [cpu]"). */
const char *attr_clean_name(struct arena *arena, const char *name, size_t size);

#endif
