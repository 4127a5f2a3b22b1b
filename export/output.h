/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command writes: one pass over the captures, any number of outputs.  An output
 * is all tables (database, folder of CSV, JSON), one flat table (CSV, JSON of `report`)
 * or a page for people (terminal, Markdown).
 */
#ifndef PERFTAB_OUTPUT_H
#define PERFTAB_OUTPUT_H

#include "metrics/analysis.h"
#include "export/sink.h"

enum output_content { OUTPUT_TABLES, OUTPUT_METRICS, OUTPUT_COUNTS, OUTPUT_PAGE };

struct output_request {
	enum output_content content;
	const struct sink_class *class; /* for tables and flat tables */
	bool markdown;                  /* for pages: Markdown instead of the terminal's form */
	bool counts;                    /* for pages: the counts, too */
	const char *path;               /* NULL: standard output */
};

struct output_options {
	bool force, append, color;
	const char *plot;               /* --plot: a file for the picture, or NULL */
	bool only_counts;               /* tables: leave out the metrics */
	const struct scope_request *shown; /* for pages: the scopes that are drawn */
	size_t nr_shown;
};

struct outputs;

/* Opens them all, or none. */
struct outputs *outputs_open(const struct output_request *requests, size_t nr, const struct output_options *options,
			     struct error *err);

/* Does any of them show metrics? */
bool outputs_want_metrics(const struct outputs *o);

/* Do they have tables of samples and records?  They want them in order of time. */
bool outputs_want_samples(const struct outputs *o);
/* Do they, on the way, find the function of each? */
bool outputs_find_functions(const struct outputs *o);
/* Does a page only count them? */
bool outputs_count_samples(const struct outputs *o);

/* Pass as visitor and user to analysis_run(), once for each capture. */
extern const struct analysis_visitor outputs_visitor;

/* Puts all in place; frees.  On failure none is left behind that is not whole. */
int outputs_finish(struct outputs *o, struct error *err);
void outputs_abandon(struct outputs *o); /* NULL is fine */

#endif
