/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How to record a metric: its events packed into as few groups as the CPU has counters
 * for, each metric whole in one group where that is possible.
 */
#ifndef PERFTAB_RECORD_ADVICE_H
#define PERFTAB_RECORD_ADVICE_H

#include "metrics/set.h"

enum { ADVICE_COUNTERS = 6 }; /* general counters of a Zen core: all free without the NMI watchdog */

struct event_group {
	const char **names; /* as a formula spells them: "cpu/NAME,cmask=0x6/" included */
	size_t nr;
};

struct record_advice {
	struct event_group *groups;
	size_t nr;
	size_t nr_metrics; /* that were asked for */
};

/*
 * For one metric, or all of a MetricGroup.  -1 and *err where the set has neither; the lists
 * live in the arena.
 */
int record_advice_make(struct arena *arena, const struct metric_set *set, const char *metric_or_group,
		       struct record_advice *ret, struct error *err);

/* The event by code, as any perf takes it: "cpu/event=0x1a0,umask=0x1/"; of the arena. */
const char *record_advice_code(struct arena *arena, const struct metric_set *set, const char *name);

/* Is this one of the words of a MetricGroup ("PipelineL2;backend_bound_group")? */
bool metric_in_group(const struct set_metric *m, const char *group);

#endif
