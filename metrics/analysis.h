/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pulls one capture through counts and metrics: chooses the metric set, and hands every
 * scope that was asked for to the visitor, with the values of all metrics.
 */
#ifndef PERFTAB_ANALYSIS_H
#define PERFTAB_ANALYSIS_H

#include "metrics/counts.h"
#include "metrics/parts.h"
#include "metrics/plan.h"
#include "metrics/uncertainty.h"

struct analysis_options {
	const struct scope_request *requests;
	size_t nr_requests;
	const char *set_name;     /* --set, or NULL: by the capture's CPU */
	const char *metrics_path; /* --metrics, or NULL */
	bool only_counts;         /* no metrics: no set is chosen and there are no results */
	struct uncertainty_options uncertainty; /* --level, --threshold; all 0: as usual */
	bool samples_will_do;     /* where there are no counts, samples are enough for the visitor */
	size_t nr_required;       /* the first of the requests that must find something */
	struct locator *locator;  /* where samples lie; NULL: the records tell, and nothing else */
	const struct parts_options *parts; /* samples by the parts of the program; NULL: not */
	bool parts_required;      /* there must be some */
	bool visitor_adds;        /* the visitor finds the function of each sample, and gives it to parts_add() */
	void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes read, and in all or 0; or NULL */
	void *progress_user;
};

/* Captures as runs of one program (metrics/repeats.h): what each had in the scope at hand. */
struct run_values {
	size_t nr;                /* captures */
	const char *const *paths;
	const double *values;     /* [metric * nr + capture]; NaN: refused, or not there */
};

/* What is known before the first scope, and stays. */
struct analysis {
	struct capture *capture;
	struct metric_set *set;   /* NULL: none fits */
	struct metric_plan *plan; /* NULL with the set */
	const struct check_list *checks; /* what fired in the scope at hand; NULL without a set */
	const struct run_values *runs; /* NULL: a capture of its own */
	const char *note;         /* why no set was chosen, or which ones fit; "" */
	struct locator *locator;  /* of samples; has all records that came before the item at hand */
	struct parts *parts;      /* NULL: not asked for */
	bool visitor_adds;        /* as in the options */
};

struct analysis_visitor {
	/* events and set are known; before the first scope */
	int (*begin)(void *user, const struct analysis *a, struct error *err);
	/* results: one for each metric of the set; NULL without a set */
	int (*scope)(void *user, const struct analysis *a, const struct scope *scope,
		     const struct metric_result *results, struct error *err);
	/* samples and records, where the reader was asked for them; may be NULL */
	int (*item)(void *user, const struct analysis *a, const struct item *item, struct error *err);
	/*
	 * Samples by part of the program, at the end: the whole, where the run has no counts, and then
	 * parts, largest first.  results: as above, never NULL but of no length without a set.  May be NULL.
	 */
	int (*part)(void *user, const struct analysis *a, const struct part *part, const struct metric_result *results,
		    struct error *err);
	/* everything was read; the capture's tally is final */
	int (*end)(void *user, const struct analysis *a, struct error *err);
};

/* Reads the run of `reader` that `capture` is.  0, or -1 and *err. */
int analysis_run(struct capture_reader *reader, struct capture *capture, const struct analysis_options *options,
		 const struct analysis_visitor *visitor, void *user, struct error *err);

/* Can nothing at all of the set be computed from what the capture has? */
bool analysis_has_metrics(const struct analysis *a);

#endif
