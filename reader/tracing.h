/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: the description that perf stores in the capture (feature TRACING_DATA)
 * and what it says of the raw bytes of a sample.
 */
#ifndef PERFTAB_TRACING_H
#define PERFTAB_TRACING_H

#include "reader/damage.h"
#include "reader/records.h"

struct tracing_field {
	const char *name;
	enum field_kind kind; /* NUMBER, SIGNED, ADDRESS, STRING, BYTES */
	uint32_t offset, size;
	bool dynamic, relative; /* offset is of a word that says where the bytes are */
};

struct tracing_event {
	uint64_t id; /* an event's config */
	const char *system, *name;
	const struct tracing_field *fields;
	size_t nr_fields;
	void *format;      /* tracing.c's own */
	bool fields_only;  /* its print format cannot be followed safely: the text is " name=value" for each field */
};

struct tracing;

/*
 * `blob` as the feature has it, borrowed for the call.  What cannot be read is noted;
 * the tracepoints before it can be used.
 */
struct tracing *tracing_new(struct bytes blob, uint64_t offset, struct damage *damage);
void tracing_free(struct tracing *t); /* NULL is fine */

size_t tracing_nr(const struct tracing *t);
/* NULL where the capture does not describe it. */
const struct tracing_event *tracing_event_of(const struct tracing *t, uint64_t id);

/* One field of the raw bytes; HOLDS_NOTHING where they are too few. */
struct field_value tracing_value(const struct tracing *t, const struct tracing_event *e, size_t i, struct bytes raw);

/* What perf script prints behind the event's name; until the next call. */
const char *tracing_text(struct tracing *t, const struct tracing_event *e, struct bytes raw, uint64_t time_ns,
			 int32_t cpu);

/* Some formats name a thread by its number. */
void tracing_comm(struct tracing *t, struct bytes comm, uint32_t tid);

#endif
