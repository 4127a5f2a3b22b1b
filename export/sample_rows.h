/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What rows of samples refer to while one capture is read: threads, images, symbols,
 * call paths.  table_samples.c makes the rows, table_records.c those of other records,
 * table_tracepoints.c those of raw bytes.
 */
#ifndef PERFTAB_SAMPLE_ROWS_H
#define PERFTAB_SAMPLE_ROWS_H

#include "export/rows.h"
#include "reader/symbols.h"
#include "reader/sample.h"

/* Ids that a resolved address has in the tables (0: none), and where its image lies. */
struct resolved {
	int64_t image, symbol;
	uint64_t address;
};

struct sample_context;

/* A thread's row, new where it has none or its name has changed. */
int context_thread(struct rows *r, struct sample_context *c, uint32_t pid, uint32_t tid, uint64_t time_ns, int64_t *ret,
		   struct error *err);
int context_resolve(struct rows *r, struct sample_context *c, uint32_t pid, uint64_t time_ns, unsigned cpumode,
		    uint64_t ip, struct resolved *ret, struct error *err);
/* The path of a call chain; 0 for an empty one. */
int context_call_path(struct rows *r, struct sample_context *c, const struct sample *s, int64_t *ret,
		      struct error *err);
/* A record that says who runs and what is mapped. */
int context_record(struct rows *r, struct sample_context *c, const struct item *item, struct error *err);
/* Rows of dso and symbol, which are complete at the end. */
int context_end(struct rows *r, struct sample_context *c, struct error *err);

/* The id that the symbol of this number has, or will have; and back. */
int64_t context_symbol(const struct sample_context *c, uint32_t symbol);
uint32_t context_symbol_number(const struct sample_context *c, int64_t id);

/* The locator is told of each record before it comes here. */
struct sample_context *context_new(const struct rows *r, struct locator *locator);
void context_free(struct sample_context *c); /* NULL is fine */

/* table_records.c */
int rows_record(struct rows *r, const struct analysis *a, const struct item *item, struct error *err);

/* table_tracepoints.c */
struct tracepoint_tables;
void tracepoint_tables_free(struct tracepoint_tables *t); /* NULL is fine */
int rows_raw(struct rows *r, const struct analysis *a, const struct sample *s, int64_t sample_id, struct error *err);

#endif
