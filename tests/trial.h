/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Zen 4 run that is made of readings: the five groups and seventeen events of the
 * SHA-256 example, through counts, plan and uncertainty.
 */
#ifndef PERFTAB_TEST_TRIAL_H
#define PERFTAB_TEST_TRIAL_H

#include "metrics/uncertainty.h"

enum { TRIAL_EVENTS = 17, TRIAL_GROUPS = 5, TRIAL_CPUS = 4, TRIAL_METRICS = 200 };

/* The published counts of each event, and how long its group ran (ns, of TRIAL_ENABLED). */
#define TRIAL_ENABLED 10012345678.0

extern const struct trial_event {
	int group, leader;
	bool is_cycles;
	uint64_t config;
	int64_t count;
	uint64_t running;
} trial_events[TRIAL_EVENTS];

struct trial {
	struct capture *capture;
	struct metric_set *set;
	struct metric_plan *plan;
	struct counts *counts;
	struct uncertainty *uncertainty;
	struct metric_result results[TRIAL_METRICS]; /* of the run */
	struct metric_result at_cpu[TRIAL_METRICS];  /* of the last cpu */
	struct check_list checks;                    /* of the run */
	size_t nr_cpus;
	double total[3][TRIAL_EVENTS][TRIAL_CPUS];   /* value, enabled, running */
	bool is_read[TRIAL_EVENTS][TRIAL_CPUS];
	uint64_t rounds;
};

/* by_cpu: results for each cpu, too. */
void trial_new(struct trial *t, bool by_cpu);
void trial_free(struct trial *t);

/* Adds to the totals of an instance, which are read when the set is complete.  cpu 0: any. */
void trial_add(struct trial *t, int event, int cpu, double value, double enabled, double running);
void trial_round(struct trial *t);
/* final: the last set ends with a final round, as without -I */
void trial_end(struct trial *t, bool final);

/* After the end. */
const struct metric_result *trial_result(const struct trial *t, const char *metric);
const struct check_row *trial_fired(const struct trial *t, enum check_id id);

#endif
