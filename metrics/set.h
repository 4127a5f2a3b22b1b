/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metric sets: the metrics and events of one CPU family, from JSON in the dialect of
 * perf's own event tables (an array of objects; MetricName… or EventName…).  The sets
 * of metrics/sets/ are compiled into the program; `--metrics FILE|DIR` loads others.
 */
#ifndef PERFTAB_SET_H
#define PERFTAB_SET_H

#include "metrics/expr.h"
#include "reader/capture.h"

/* An event of the set and how it is recognised. */
struct set_event {
	const char *name; /* lower case: "ls_not_halted_cyc" */
	const char *pmu;  /* "cpu", "amd_l3", "amd_df", "amd_umc", … */
	uint64_t config;  /* of perf_event_attr, as the kernel's format files place the terms */
	uint64_t config1, config2;
	const char *description; /* or "" */
};

struct set_metric {
	const char *name;
	const char *group;           /* MetricGroup as given: "PipelineL2;backend_bound_group", or "" */
	const char *formula;         /* MetricExpr as given */
	const struct expr *expr;     /* compiled, references to other metrics left as names */
	const struct expr *expanded; /* the same with those put in: events and literals only */
	double scale;                /* of ScaleUnit: 100 for "100%" */
	const char *scale_unit;      /* "%", "per_1k_instr", … or "" */
	const char *unit; /* of value in our outputs: "share" for slots, "ratio", "event", "ns", "MB/s", … */
	double factor;    /* what the formula's result is multiplied by to be in `unit`: 1 for shares, ratios
	                            and events, else `scale` ("1e3per_1k_instr") */
	const char *description;
	const char *threshold; /* MetricThreshold as given, or NULL */
	const struct expr *flagged; /* the same compiled: not 0 where perf would mark the value; or NULL */
	int32_t parent;        /* index of the metric one level up, -1 */
	int32_t level;         /* 1, 2, … for PipelineL1, TopdownL1, …, else 0 */
	bool no_group;         /* MetricConstraint NO_GROUP_EVENTS */
	bool per_pkg;
};

struct metric_set {
	const char *name;        /* "amdzen4", or the file's name */
	uint32_t width;          /* dispatch width in slots a cycle, 0 where not known */
	bool amd;                /* the core events are AMD's: generic events have known codes */
	unsigned zen;            /* 1 to 6 by name ("amdzen4"), 0 where not known */
	struct arena *arena;     /* owns everything here */
	const uint32_t *by_name; /* events in the order of their names */
	const struct set_event *events;
	size_t nr_events;
	const struct set_metric *metrics;
	size_t nr_metrics;
};

/* Names of the compiled-in sets, in order; NULL after the last. */
const char *const *set_names(void);

/* A compiled-in set.  NULL and *err: "no set 'x'; there are amdzen1, …".  Free with set_free(). */
struct metric_set *set_builtin(const char *name, struct error *err);

/* perf's JSON as it is: a file, or a folder of them. */
struct metric_set *set_load(const char *path, struct error *err);

/*
 * The set of a CPUID as perf.data has it ("AuthenticAMD,25,97,2"), by the rules of perf
 * 7.2; NULL where none fits.
 */
const char *set_for_cpuid(const char *cpuid);

void set_free(struct metric_set *s);

/* Index by name, or -1. */
int32_t set_find_metric(const struct metric_set *s, const char *name);
int32_t set_find_event(const struct metric_set *s, const char *name);
/* The same for a name that need not end after `size`. */
int32_t set_find_eventn(const struct metric_set *s, const char *name, size_t size);

/*
 * Is this captured event the one that a formula calls `operand`?  By type and config
 * where they are known (type 4 or PMU "cpu"; the generic hardware events that the
 * kernel maps to the same code; software and tool events), else by name with all
 * spellings that perf accepts: "ls_not_halted_cyc:u", "cpu/event=0x76/", "r76",
 * "ls_not_halted_cyc [cpu]".  Modifiers do not matter here.
 */
bool set_is_event(const struct metric_set *s, const char *operand, const struct event *e);

/* The set's name for a captured event ("ls_not_halted_cyc"), or NULL. */
const char *set_canonical(const struct metric_set *s, const struct event *e);

#endif
