/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples are given to the parts of a program that they were taken in: functions,
 * libraries, threads, lines.  What each part comes to is by_function.h's; here parts
 * have numbers and names.
 */
#ifndef PERFTAB_PARTS_H
#define PERFTAB_PARTS_H

#include "metrics/by_function.h"
#include "reader/locate.h"

enum part_kind {
	PART_RUN, /* everything in one */
	PART_FUNCTION,
	PART_DSO,
	PART_COMM,
	PART_THREAD,
	PART_CGROUP,
	PART_LINE,        /* of one function */
	PART_INSTRUCTION, /* of one function */
	PART_KINDS
};

struct parts_options {
	enum part_kind kind;
	const char *function; /* for lines and instructions: whose */
	bool inlines;         /* functions: the innermost one that was inlined, where it is known */
	bool no_demangle;
	struct by_function_options values;
};

/* "function", "dso", …; -1 for others. */
int part_kind_named(const char *name);
const char *part_kind_name(enum part_kind kind);

struct parts;

/* All must outlive it; the locator has begun. */
struct parts *parts_new(const struct metric_plan *plan, struct locator *locator, const struct parts_options *options);
void parts_free(struct parts *p); /* NULL is fine */

/* For the run as a whole the reader has counted the samples (capture.samples); only their read values are looked at. */
void parts_sample(struct parts *p, const struct sample *s);
/* The same for functions, by who has found the symbol already. */
void parts_add(struct parts *p, const struct sample *s, uint32_t symbol);
/* Everything was read. */
void parts_finish(struct parts *p);

/* Did any sample of an event come? */
bool parts_found(const struct parts *p);

/* One part, or the whole. */
struct part {
	uint32_t number; /* for by_function_…(); PART_ALL for the whole */
	enum part_kind kind;
	const char
		*name; /* "sha_rounds", "/usr/lib/libc.so.6", "sleep-123", "sha.c:12", "0x401136"; the whole: "run" */
	const char *function;        /* of functions, lines and instructions; else NULL */
	const char *dso;             /* as it is shown, or NULL where several may be meant */
	const char *text;            /* an instruction, or NULL */
	int64_t symbol;              /* of a function: the number that the locator's symbols give it; else -1 */
	int32_t pid, tid;            /* of threads; else -1 */
	const char *comm, *cgroup;   /* or NULL */
	double cycles, share, n_eff; /* as in struct function_row */
	uint64_t samples;
};

/* Largest first, after parts_finish(); they and their texts live as long as all parts. */
size_t parts_count(const struct parts *p);
const struct part *parts_get(const struct parts *p, size_t i);
struct part parts_whole(struct parts *p);

/* Of functions: samples, of any event, in those whose names are not known. */
uint64_t parts_unnamed_samples(const struct parts *p);

/* Sums, values and checks, by struct part's number. */
struct by_function *parts_values(const struct parts *p);
enum part_kind parts_kind(const struct parts *p);

#endif
