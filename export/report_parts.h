/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of the report for people: what is kept of a capture until its page is
 * drawn (report_page.c), and who draws which part of it.
 */
#ifndef PERFTAB_REPORT_PARTS_H
#define PERFTAB_REPORT_PARTS_H

#include "export/figures.h"
#include "export/page.h"
#include "export/parts_page.h"
#include "metrics/analysis.h"

/* A page is read by a person: what comes after these many is only counted. */
enum { MAX_SCOPES = 20000, MAX_RESULTS = 400000, MAX_COUNTS = 100000, MAX_WIDE = 6, CHUNK = 500 };

/* One scope, kept until the end. */
struct kept {
	int64_t interval;
	double begin_ns, end_ns;
	char *place;
	struct metric_result *results; /* of the metrics that can be computed */
	struct check_list *checks;     /* of the first MAX_WIDE scopes, else NULL */
	double *runs;                  /* --repeat: [result][capture], of the same scopes; else NULL */
};

struct kept_count {
	uint32_t scope, event;
	enum cell_state state;
	uint32_t instances, dead;
	double scaled, coverage;
};

/* A check that fired: its worst case in any scope. */
struct kept_check {
	struct check_row row;
	size_t nr_scopes;
};

struct report_page {
	struct page *page;
	struct parts_page *parts; /* of the program, from samples */
	bool counts;
	bool only_printed;     /* perf's own metrics, without counts */
	size_t *pipeline;      /* indices of level 1, each followed by its level 2 */
	size_t nr_pipeline;
	size_t *others;        /* the rest of the metrics that can be computed */
	size_t nr_others;
	size_t *place_of;      /* by metric: where in kept.results; NOT_COMPUTED */
	size_t nr_results;
	struct kept *scopes;
	size_t nr_scopes, dropped_scopes;
	struct kept_count *cells;
	size_t nr_cells, dropped_cells;
	struct kept_check checks[CHECK_NR];
	double least, most;    /* coverage of any event */
};

#define NOT_COMPUTED ((size_t)-1)

/* NULL where the capture lacks its events. */
static inline const struct metric_result *result_of(const struct report_page *r, const struct kept *k, size_t metric)
{
	return r->place_of[metric] == NOT_COMPUTED ? NULL : &k->results[r->place_of[metric]];
}

/* Are there shares of the pipeline to show? */
bool report_has_pipeline(const struct report_page *r);

/* report_head.c: machine, run, and how it was counted */
void report_draw_head(const struct report_page *r, const struct analysis *a);

/* report_runs.c: what each capture has, where they are runs of one program */
void report_draw_runs(const struct report_page *r, const struct analysis *a, const struct kept *k);
void report_draw_other_runs(const struct report_page *r, const struct analysis *a, const struct kept *k);

/* report_page.c: a metric beside the pipeline, in the unit that people read it in */
struct figure report_value_of(const struct set_metric *m, const struct metric_result *res);

/* report_notes.c: what the values are worth, and what could not be used */
void report_draw_notes(const struct report_page *r, const struct analysis *a);
void report_draw_damage(const struct report_page *r, const struct analysis *a);
/* Why this metric has no row of values: "events not in the capture" */
const char *report_why_missing(const struct analysis *a, size_t metric);

#endif
