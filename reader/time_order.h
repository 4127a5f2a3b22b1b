/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records in order of time.  perf empties its ring buffers one after another and ends
 * each turn with FINISHED_ROUND: what comes after a mark is no older than what came
 * before the mark ahead of it.  So two rounds are held at most, and what cannot be held
 * (a round beyond the bound, a capture without marks) goes out early: what is older and
 * comes later is late.
 */
#ifndef PERFTAB_TIME_ORDER_H
#define PERFTAB_TIME_ORDER_H

#include "reader/perf_file.h"

struct time_order;

/* `bound`: bytes that may be held. */
struct time_order *time_order_new(size_t bound);
void time_order_free(struct time_order *o); /* NULL is fine */

/*
 * Holds a copy of the record.  False: it is older than what was given already, or too
 * large to hold, and was not taken.  All that is ready must have been taken before.
 */
bool time_order_push(struct time_order *o, const struct record *r, uint64_t time_ns, int32_t event);

/* FINISHED_ROUND: what is no younger than the round before gets ready. */
void time_order_round(struct time_order *o);
/* What is no younger than this gets ready; UINT64_MAX at the end. */
void time_order_release(struct time_order *o, uint64_t time_ns);

/* The next that is ready, until the next call of anything here. */
bool time_order_next(struct time_order *o, struct record *ret, int32_t *event);

/* Records that are held, and the most that ever were. */
size_t time_order_held(const struct time_order *o);
size_t time_order_peak(const struct time_order *o);

#endif
