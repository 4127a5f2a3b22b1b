/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture: what perf wrote in one run, whatever the format.  The reader pulls it
 * apart into what is known about the run (struct capture) and a stream of items
 * (readings, ends of rounds, printed counts, samples, records) in file order:
 *
 *	reader = capture_open(path, options, &err);
 *	while ((n = capture_next(reader, &item, &err)) > 0)
 *		switch (item.kind) …
 *	capture_close(reader);
 *
 * Events and machine are known before the first item that needs them; in pipe
 * streams and perf stat texts they may still grow between items (never change).
 * After the end (n == 0) everything is complete.
 */
#ifndef PERFTAB_CAPTURE_H
#define PERFTAB_CAPTURE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/arena.h"
#include "reader/bytes.h"
#include "reader/damage.h"
#include "reader/error.h"
#include "reader/event.h"

/* How perf stat was told to add up; perf's two numberings are translated by the reader. */
enum aggregation {
	AGGREGATION_UNKNOWN,
	AGGREGATION_NONE, /* -A */
	AGGREGATION_GLOBAL,
	AGGREGATION_SOCKET,
	AGGREGATION_DIE,
	AGGREGATION_CLUSTER,
	AGGREGATION_CACHE,
	AGGREGATION_CORE,
	AGGREGATION_THREAD,
	AGGREGATION_NODE,
};

/* Its word in the outputs ("global", "core", …) or NULL for unknown. */
const char *aggregation_name(enum aggregation a);

/* One CPU's place in the machine; -1 where the capture does not tell. */
struct cpu_place {
	int32_t cpu, core, die, socket, node;
};

/* One entry of THREAD_MAP (tid -1: any), or a thread named by a perf stat text. */
struct thread_name {
	int32_t tid;
	const char *comm;
};

/* One row of the table `feature`: a header feature in words. */
struct feature_value {
	const char *name;
	const char *value;
};

/* What the samples of one event add up to.  Times are 0 where samples have none. */
struct event_samples {
	uint64_t samples, period, first_ns, last_ns;
	double squares; /* Σ period² */
};

struct tracing;
struct id_map;

struct capture {
	struct arena *arena; /* names and lists of this capture live here */
	const char *path;    /* as given by the user; "-" for standard input */
	const char *name;    /* the path; "run.txt#2" for the second run of a file */
	const char *format;  /* "perf.data file", "perf.data pipe", "perf.data directory",
	                        "perf stat text", "perf stat csv", "perf stat json" */
	uint32_t run;        /* 0, or the number of the run where one file holds several */
	bool is_stat;        /* has counter readings (perf stat record, perf stat texts) */
	bool complete;       /* nothing was lost in reading; set at the end */
	bool printed;        /* counts were printed, already scaled (perf stat texts) */
	bool swapped;        /* written on a machine of the other byte order */

	/* NULL, -1 or NaN: the capture does not tell */
	const char *hostname, *os_release, *perf_version, *arch, *cpu_desc;
	const char *cpuid; /* "AuthenticAMD,25,97,2", decimal parts */
	const char *command;
	int64_t cpus_online, cpus_available;
	int64_t total_mem_kb;
	int64_t duration_ns;    /* wall time of the run */
	int64_t interval_ms;    /* of -I; 0 none */
	int64_t wall_start_ns;  /* CLOCK_DATA: wall clock at clock_start_ns; -1 unknown */
	int64_t clock_start_ns;
	double user_s, system_s; /* perf stat texts; NaN unknown */
	enum aggregation aggregation;
	bool scaled;             /* perf stat scaled for multiplexing (false: --no-scale) */

	struct event *events;
	size_t nr_events;
	struct feature_value *features;
	size_t nr_features;
	struct thread_name *threads; /* of THREAD_MAP: what struct reading.thread counts */
	size_t nr_threads;
	struct cpu_place *cpus; /* sorted by cpu, gaps left out */
	size_t nr_cpus;

	struct id_map *ids;      /* of counters, to the position of the event; or NULL; reader/id_map.h */
	struct tracing *tracing; /* what the capture says of its tracepoints, or NULL; reader/tracing.h */
	uint64_t record_counts[128]; /* how many of each type were read; [0]: of types from 128 on */
	uint64_t first_sample_ns, last_sample_ns; /* where samples were asked for and have times; else 0 */
	struct event_samples *samples; /* by event; nr_samples of them, where samples were counted */
	size_t nr_samples;
	struct damage damage;
};

/* The place of a CPU, or NULL where the topology does not have it. */
const struct cpu_place *capture_cpu(const struct capture *c, int32_t cpu);

/* For readers: an empty capture, with everything unknown; freed with its arena and lists. */
struct capture *capture_new(const char *path);
void capture_free(struct capture *c); /* NULL is fine */

/* ---- the stream ---- */

/* One counter's cumulative value at one place.  Never a difference. */
struct reading {
	uint32_t event;  /* index into capture.events */
	int32_t cpu;     /* -1: any */
	int32_t thread;  /* index into capture.threads, -1: none */
	uint64_t value, enabled, running;
	uint64_t offset; /* in the input, for messages */
};

/* The end of a set of readings (or of printed rows). */
struct round {
	bool final;         /* the whole run, not an interval */
	uint64_t time_ns;   /* since the start of the run */
	uint64_t offset;
};

/*
 * A count as a perf stat text prints it: scaled already, and a difference already
 * with -I.  The rows of one interval are followed by an ITEM_ROUND.
 */
struct printed_count {
	uint32_t event;
	uint32_t row; /* the same number for the same event at the same place, dense, from 1; 0: not numbered */
	bool supported, counted; /* <not supported>, <not counted> */
	double scaled;           /* in the event's own unit: printed value / event.scale */
	double coverage;         /* running / enabled as printed; NaN unknown, 1 where perf prints none */
	double coverage_step;    /* resolution of the printed coverage (0.0001 for "(35.67%)", 0.01 for CSV) */
	double scaled_step;      /* resolution of `scaled` (0.5 ulp of the last printed digit × 2) */
	double running_ns;       /* CSV, JSON; NaN unknown */
	double noise;            /* relative standard error of -r; NaN none */
	uint32_t repeats;        /* of -r; 1; 0 where there were several and the input does not say how many */
	/* where: -1 or NULL where the row does not say */
	int32_t cpu, core, die, socket, node, tid;
	const char *comm, *cgroup;
	const char *label; /* the row's own word for its place ("S0-D0-CLS1"), NULL none */
	uint64_t line;     /* number of the line, from 1 */
};

/* A metric that perf printed, with the place fields as above. */
struct printed_metric {
	const char *name, *unit; /* "frontend_bound", "%" */
	double value;            /* as printed, in `unit`; NaN where perf lost it */
	double step;             /* resolution of the last printed digit */
	int32_t cpu, core, die, socket, node, tid;
	const char *comm, *cgroup, *label;
	uint64_t line;
};

enum item_kind { ITEM_READINGS, ITEM_ROUND, ITEM_PRINTED_COUNT, ITEM_PRINTED_METRIC, ITEM_SAMPLE, ITEM_RECORD };

struct sample;        /* reader/sample.h */
struct sample_id;     /* reader/sample.h */
struct sample_layout; /* reader/sample.h */
struct record;        /* reader/perf_file.h */

struct item {
	enum item_kind kind;
	union {
		struct readings_item {
			const struct reading *list; /* until the next call */
			size_t nr;
		} readings;
		struct round round;
		struct printed_count count;
		struct printed_metric metric;
		const struct sample *sample; /* until the next call */
		struct { /* all until the next call */
			const struct record *record;
			const struct sample_layout *layout; /* of its event: record_decode() wants it; NULL for user records */
			const struct sample_id *id;         /* when, where and who; `have` 0 where it does not tell */
			int32_t record_event;               /* -1: no event's */
		};
	};
};

struct capture_reader;

struct capture_options {
	bool count_samples; /* capture.samples is filled */
	bool want_reads;   /* ITEM_SAMPLE is given for samples with counter values (PERF_SAMPLE_READ) */
	bool want_samples; /* ITEM_SAMPLE is given; otherwise samples are skipped by their size */
	bool want_records; /* ITEM_RECORD is given for records that are not readings */
	bool time_order;   /* samples and records come in the order of their times */
};

/*
 * Opens one input: a path, "-" for standard input, a directory of perf record
 * --threads.  What it is is decided by content.  NULL and *err when it is no
 * capture: the line says what it is instead.
 */
struct capture_reader *capture_open(const char *path, const struct capture_options *options, struct error *err);

/*
 * One file may hold several runs (perf stat texts that were appended).  Returns 1
 * and the next run, 0 when there is none, -1 and *err.  perf.data holds one run.
 * The capture stays valid until capture_close().
 */
int capture_run(struct capture_reader *r, struct capture **ret, struct error *err);

/* 1 and an item; 0 at the end of this run; -1 and *err when the input cannot be read on. */
int capture_next(struct capture_reader *r, struct item *ret, struct error *err);

/* How far we are, for a progress bar: bytes read and in all (0: not known). */
void capture_progress(const struct capture_reader *r, uint64_t *done, uint64_t *total);

void capture_close(struct capture_reader *r); /* NULL is fine */

#endif
