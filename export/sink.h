/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An output: rows become a file.  Each format is one struct sink_class in its own
 * sink_NAME.c, which completes struct sink_state for itself.  A sink knows tables and
 * values, and nothing of perf.
 *
 * An output appears whole or not at all: it is written beside its target under a
 * temporary name, and put in place by sink_finish().  sink_abandon() removes it.
 */
#ifndef PERFTAB_SINK_H
#define PERFTAB_SINK_H

#include <stdbool.h>

#include "export/row.h"
#include "reader/error.h"

struct sink_state; /* each sink's own */

struct sink_options {
	bool force;  /* replace what is there */
	bool append; /* add to a database that is there */
};

struct sink_class {
	const char *name;            /* "sqlite": also what -f takes */
	const char *const *suffixes; /* ".db", ".sqlite"; "/" for a folder; NULL-terminated; may be NULL */
	size_t state_size;
	/* path NULL: standard output.  The schema outlives the sink.  The state is zeroed. */
	int (*open)(struct sink_state *s, const char *path, const struct schema *schema,
		    const struct sink_options *options, struct error *err);
	/*
	 * values: as many as the table has columns.  A table that the schema does not have (one
	 * that the capture describes: a tracepoint) joins the output with its first row.
	 */
	int (*row)(struct sink_state *s, const struct table *table, const struct value *values, struct error *err);
	int (*finish)(struct sink_state *s, struct error *err);
	void (*abandon)(struct sink_state *s); /* also after a failed open, row or finish */
	int64_t (*next_id)(struct sink_state *s, const struct table *table); /* NULL: it never appends */
	int64_t (*find_id)(struct sink_state *s, const struct table *table, const struct value *values); /* as above */
};

struct sink;

/* export/sink_NAME.c */
extern const struct sink_class sink_null, sink_csv, sink_csvdir, sink_json, sink_sqlite;

/* The class for a file name (or folder "NAME/"), or NULL. */
const struct sink_class *sink_class_for(const char *path);
const struct sink_class *sink_class_named(const char *name);

struct sink *sink_open(const struct sink_class *class, const char *path, const struct schema *schema,
		       const struct sink_options *options, struct error *err);
int sink_row(struct sink *s, const struct table *table, const struct value *values, struct error *err);
/*
 * Puts the output in place and frees the sink.  On failure nothing is left behind and
 * the sink is freed as well.
 */
int sink_finish(struct sink *s, struct error *err);
void sink_abandon(struct sink *s); /* NULL is fine */

/*
 * Where a sink that was opened on a database with rows (append) wants ids to begin for
 * this table: the largest there + 1; 1 for an empty table.
 */
int64_t sink_next_id(struct sink *s, const struct table *table);
/*
 * The id of a row that was there before and says the same in all columns but its id; 0
 * where there is none.
 */
int64_t sink_find_id(struct sink *s, const struct table *table, const struct value *values);

#endif
