/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readings become counts: what each event counted in each interval and in the whole
 * run, at any place that the capture's topology allows, and how much of the time it
 * was really counting.  The only code that subtracts.
 *
 * Readings are cumulative.  An instance is one (event, cpu, thread); its count in an
 * interval is the difference to the previous round.  Scaling is per instance, then
 * instances are added (perf 6.12 and later do the same).
 */
#ifndef PERFTAB_COUNTS_H
#define PERFTAB_COUNTS_H

#include "reader/capture.h"

/* ---- places ---- */

/* Bits: a request may ask for two at once (cpu and thread). */
enum place_kind {
	PLACE_RUN = 0, /* everything together */
	PLACE_CPU = 1 << 0,
	PLACE_CORE = 1 << 1,
	PLACE_DIE = 1 << 2,
	PLACE_SOCKET = 1 << 3,
	PLACE_NODE = 1 << 4,
	PLACE_THREAD = 1 << 5,
	PLACE_CGROUP = 1 << 6,
};

struct place {
	uint32_t id;     /* from 0, in the order in which places were met; 0 is the run */
	unsigned kind;   /* bits of enum place_kind */
	const char *label; /* "run", "cpu=3", "S0-D0-C1", "sleep-123", "cpu=3 sleep-123" */
	int32_t cpu, core, die, socket, node, tid; /* -1: does not apply */
	const char *comm, *cgroup; /* or NULL */
};

/* ---- counts ---- */

enum cell_state { CELL_COUNTED, CELL_NOT_COUNTED, CELL_NOT_SUPPORTED };

/* "counted", "not_counted", "not_supported" */
const char *cell_state_name(enum cell_state s);

/* What one event counted in one interval (or the run) at one place. */
struct cell {
	enum cell_state state;
	bool has_raw;        /* raw is known (not for perf stat texts) */
	bool has_times;      /* enabled and running are known */
	bool fell;           /* a cumulative value became smaller: not to be trusted */
	bool exceeded;       /* running > enabled × (1 + 1e-6) in an instance */
	bool perf_not_counted; /* perf would print <not counted> here: an instance did not run */
	uint32_t instances;  /* that were read; 0: the event was not read here */
	uint32_t dead;       /* of these, never ran */
	uint64_t raw, enabled, running; /* sums over instances, ns */
	uint64_t dead_enabled;          /* enabled time of the dead ones */
	double scaled;       /* Σ raw × enabled / running; NaN where nothing ran */
	double coverage;     /* Σ running / Σ enabled; NaN where never enabled */
	uint64_t scaled_perf; /* the same with perf's truncation (perf_counts_values__scale), dead = 0 */
	double scaled_step;  /* perf stat texts: resolution of the printed value; else 0 */
};

/* A metric that the input printed (perf stat texts), by name as printed. */
struct cell_metric {
	const char *name, *unit;
	double value, step;
};

/* All cells of one interval (or the run) at one place.  Lives during the call. */
struct scope {
	int64_t interval;    /* position from 0; -1: the whole run */
	double begin_ns, end_ns; /* NaN where not known */
	bool is_total;       /* interval == -1 */
	const struct place *place;
	const struct cell *cells; /* one for each of capture.events, in order */
	size_t nr_cells;
	const struct cell_metric *printed; /* metrics that the input printed here */
	size_t nr_printed;
};

/* One of the tables that are wanted: per interval or for the run, by which place. */
struct scope_request {
	bool by_interval;
	unsigned place; /* bits of enum place_kind */
};

struct counts;

/* Called for each scope, intervals in order of time, places in order of their id. -1 stops. */
typedef int scope_visit(void *user, const struct scope *scope, struct error *err);

/*
 * The capture must outlive it; what the readings show to be damaged is noted in its
 * tally.  Requests are copied.
 */
struct counts *counts_new(struct capture *capture, const struct scope_request *requests, size_t nr,
			  scope_visit *visit, void *user);
void counts_free(struct counts *c);

void counts_readings(struct counts *c, const struct reading *list, size_t nr);
int counts_round(struct counts *c, const struct round *r, struct error *err);
int counts_printed(struct counts *c, const struct printed_count *p, struct error *err);
int counts_printed_metric(struct counts *c, const struct printed_metric *p, struct error *err);
/* The end of the run: visits the scopes of the whole run. */
int counts_finish(struct counts *c, struct error *err);

/* ---- the rounds themselves, for those who look at how values vary ---- */

/* What one instance did since the round before. */
struct difference {
	uint64_t value, enabled, running;
};

struct counts_watcher {
	int (*round)(void *user, struct counts *c, struct error *err);  /* at the end of each interval */
	int (*finish)(void *user, struct counts *c, struct error *err); /* before the scopes of the whole run */
	void *user;
};

/* At most one watcher; before the first interval ends. */
void counts_watch(struct counts *c, const struct counts_watcher *watcher);

/* Instances count from 0 in the order in which they were first read; there may be more later. */
size_t counts_nr_instances(const struct counts *c);
uint32_t counts_event_of(const struct counts *c, size_t instance);
/* Where it is taken, for these kinds of place; NULL where that is not known. */
const struct place *counts_place_of(struct counts *c, size_t instance, unsigned kinds);
/*
 * Within `round`: what these instances did in it.  0 for those that were not read in it or
 * whose total became smaller.
 */
void counts_differences(const struct counts *c, const uint32_t *instances, size_t nr, struct difference *ret);

/* Did a request by this place (and by interval) find anything?  For a message when not. */
bool counts_found(const struct counts *c, const struct scope_request *request);
/* Number of intervals that were seen. */
size_t counts_intervals(const struct counts *c);

#endif
