/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the samples of one capture lie: who ran, what was mapped, and what it is called,
 * held together.  Either all records of a file are read beforehand, and its samples may
 * be asked for in any order; or records and samples come in order of time.
 */
#ifndef PERFTAB_LOCATE_H
#define PERFTAB_LOCATE_H

#include "reader/capture.h"
#include "reader/sample.h"
#include "reader/symbols.h"

struct locator;

/*
 * The options are copied, their texts are not; what they say of the capture is filled in
 * from the capture itself.
 */
struct locator *locator_new(const struct symbols_options *options);
void locator_free(struct locator *l); /* NULL is fine */

/*
 * Reads the records of an input that can be opened twice; nothing happens where it cannot
 * (a pipe), or where it has no samples.  jit_only: nor where the order of time is enough.
 */
int locator_read(struct locator *l, const char *path, bool jit_only, struct error *err);
/* Were they read?  Else they are to be fed. */
bool locator_is_read(const struct locator *l);

/* Before the first question: what is known of the capture helps to find its symbols. */
void locator_begin(struct locator *l, const struct capture *c);

/* One record, as it comes in an item. */
void locator_record(struct locator *l, const struct record *r, const struct sample_layout *layout);

struct located {
	bool mapped; /* false: nothing is known to lie there */
	uint32_t dso, symbol;
	uint64_t offset; /* in the dso */
};

/* Without the symbol.  time_ns 0: not known. */
void locator_find_dso(struct locator *l, uint32_t pid, uint64_t time_ns, unsigned cpumode, uint64_t ip,
		      struct located *ret);
void locator_find(struct locator *l, uint32_t pid, uint64_t time_ns, unsigned cpumode, uint64_t ip,
		  struct located *ret);

/* The name of a thread at that time, or NULL. */
const char *locator_comm(struct locator *l, uint32_t tid, uint64_t time_ns);
/* The path of a cgroup by the id that samples carry, or NULL. */
const char *locator_cgroup(struct locator *l, uint64_t id);

/* Its parts, for tables; the symbols only from locator_begin() on. */
const struct dso_table *locator_dsos(const struct locator *l);
struct symbols *locator_symbols(const struct locator *l);

#endif
