/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of all tables, on their way to several sinks at once: which ids are next, and
 * what the current capture's rows refer to.  Each table_NAME.c makes rows of its family.
 */
#ifndef PERFTAB_ROWS_H
#define PERFTAB_ROWS_H

#include "export/record_value.h"
#include "export/schema.h"
#include "export/sink.h"
#include "metrics/analysis.h"

struct sample_context;
struct tracepoint_tables;

/* Ids of the metrics of a set that was written before: one copy for all captures. */
struct written_set {
	char *name;
	int64_t first_id;
};

/* What is the same in every row of an event. */
struct event_values {
	struct value name, group, type, config, unit;
};

struct rows {
	struct sink **sinks;
	size_t nr_sinks;
	bool only_counts;

	/* next free ids */
	int64_t capture_id, event_id, interval_id, place_id, metric_id;
	int64_t dso_id, symbol_id, thread_id, mapping_id, image_id, call_path_id, sample_id;
	struct written_set *sets;
	size_t nr_sets;

	/* of the current capture */
	int64_t first_event, first_metric;
	struct event_values *events;
	size_t nr_events;
	int64_t *place_ids; /* by place.id; 0: not yet written */
	size_t nr_places;
	int64_t part_symbol;      /* id of the function that values are of; 0: of none */
	const char *part_function; /* its name; NULL: of none */
	int64_t current_interval; /* position, -1 none */
	int64_t current_interval_id;
	struct sample_context *context; /* NULL until the first sample or record */
	struct tracepoint_tables *tracepoints; /* of all captures; NULL until the first */
	struct word_text word_text;
};

int rows_put(struct rows *r, const struct table *table, const struct value *values, struct error *err);

/* table_capture.c: what stays the same for the capture; its tally, at the end */
int rows_capture_begin(struct rows *r, const struct analysis *a, struct error *err);
int rows_capture_end(struct rows *r, const struct analysis *a, struct error *err);
/* The interval and the place of a scope, where they are new. */
int rows_scope(struct rows *r, const struct scope *s, struct error *err);
int64_t rows_place_id(const struct rows *r, const struct scope *s);
struct value rows_interval_id(const struct rows *r, const struct scope *s);

/* table_samples.c and others: samples and records, in order of time; what is complete only at their end */
int rows_item(struct rows *r, const struct analysis *a, const struct item *item, struct error *err);
int rows_items_end(struct rows *r, struct error *err);

/* table_counts.c */
int rows_counts(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err);
int rows_flat_counts(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err);
/* Has this event something to say in this scope? */
bool count_is_shown(const struct scope *s, size_t event);
/* "ns" for clocks, else "event" */
const char *count_unit(const struct event *e);

/* table_checks.c: what fired in the scope at hand; at the end, which metrics leave out a part of what ran */
int rows_checks(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err);
int rows_modifiers(struct rows *r, const struct analysis *a, struct error *err);

/* table_parts.c: samples by part of the program; only functions are in the tables of a database */
int rows_part(struct rows *r, const struct analysis *a, const struct part *part, const struct metric_result *results,
	      struct error *err);
int rows_flat_part(struct rows *r, const struct analysis *a, const struct part *part, const struct metric_result *results,
		   struct error *err);
int rows_flat_part_counts(struct rows *r, const struct analysis *a, const struct part *part, struct error *err);

/* table_metrics.c */
int rows_metric_set(struct rows *r, const struct analysis *a, struct error *err);
bool metric_is_shown(const struct analysis *a, size_t metric, const struct metric_result *result);
int rows_metrics(struct rows *r, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		 struct error *err);
int rows_flat_metrics(struct rows *r, const struct analysis *a, const struct scope *s,
		      const struct metric_result *results, struct error *err);
/* One row for each metric whose events are not in the capture. */
int rows_missing_metrics(struct rows *r, const struct analysis *a, struct error *err);
int rows_flat_missing_metrics(struct rows *r, const struct analysis *a, struct error *err);

#endif
