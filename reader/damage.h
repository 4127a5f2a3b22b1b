/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What in the input could not be used: a tally by kind, with the first place and
 * words for it.  It becomes the table `diagnostic` and one line each on standard
 * error.  DAMAGE_LOSS kinds make the exit code 3; DAMAGE_NOTE kinds are worth saying
 * and lose nothing.
 */
#ifndef PERFTAB_DAMAGE_H
#define PERFTAB_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum damage_class { DAMAGE_NOTE, DAMAGE_LOSS };

/*    identifier              name in outputs         class        what it means */
#define DAMAGE_KINDS(X)                                                                                    \
	X(DATA_SIZE_ZERO,         "unfinished",           DAMAGE_LOSS, "the recorder was ended before it finished the header; names and machine are not in the capture") \
	X(TRUNCATED,              "truncated",            DAMAGE_LOSS, "the capture is cut off")                \
	X(INCOMPLETE_SET,         "incomplete_set",       DAMAGE_LOSS, "the last set of readings is incomplete and is not used") \
	X(RECORD_SIZE,            "record_size",          DAMAGE_LOSS, "a record with an impossible size ends the stream") \
	X(RECORD_SHORT,           "record_short",         DAMAGE_LOSS, "a record is shorter than its fields")   \
	X(RECORD_ODD,             "record_odd",           DAMAGE_LOSS, "a record does not have the layout that its event announces") \
	X(UNKNOWN_RECORD,         "unknown_record",       DAMAGE_NOTE, "a record of a type that is not known is skipped") \
	X(UNKNOWN_EVENT,          "unknown_event",        DAMAGE_LOSS, "a record names an event id that the header does not have") \
	X(UNKNOWN_THREAD,         "unknown_thread",       DAMAGE_LOSS, "a reading names a thread that the thread map does not have") \
	X(ATTR_ODD,               "attr_odd",             DAMAGE_LOSS, "an event's description cannot be read whole") \
	X(IDS_OUTSIDE,            "ids_outside",          DAMAGE_LOSS, "ids of an event lie outside the file")  \
	X(FEATURE_OUTSIDE,        "feature_outside",      DAMAGE_LOSS, "a header feature lies outside the file") \
	X(FEATURE_ODD,            "feature_odd",          DAMAGE_LOSS, "a header feature cannot be read whole") \
	X(UNKNOWN_FEATURE,        "unknown_feature",      DAMAGE_NOTE, "a header feature that is not known is skipped") \
	X(COMPRESSED,             "compressed",           DAMAGE_LOSS, "compressed records cannot be unpacked") \
	X(COUNTER_FELL,           "counter_fell",         DAMAGE_LOSS, "a running total became smaller")        \
	X(RUNNING_EXCEEDS,        "running_exceeds",      DAMAGE_LOSS, "a counter ran for longer than it was enabled") \
	X(LINE,                   "line",                 DAMAGE_LOSS, "a line cannot be understood")           \
	X(LINE_AMBIGUOUS,         "line_ambiguous",       DAMAGE_LOSS, "a line can be read in two ways and is not used") \
	X(LINE_FOREIGN,           "line_foreign",         DAMAGE_NOTE, "a line of another program is passed over") \
	X(LOCALE,                 "locale",               DAMAGE_NOTE, "numbers were written with a decimal comma and were put right") \
	X(LOST,                   "lost",                 DAMAGE_LOSS, "records were lost while recording")     \
	X(LOST_SAMPLES,           "lost_samples",         DAMAGE_LOSS, "samples were lost while recording")     \
	X(THROTTLED,              "throttled",            DAMAGE_NOTE, "the kernel throttled sampling")         \
	X(READ_MIXED,             "read_mixed",           DAMAGE_NOTE, "totals of ended tasks (perf record -s) of several events: the kernel may have put one event's total under another") \
	X(LATE,                   "late",                 DAMAGE_NOTE, "records came later than the order of their times allows") \
	X(TRACING,                "tracing",              DAMAGE_LOSS, "the description of a tracepoint cannot be used") \
	X(PRIVATE,                "private",              DAMAGE_NOTE, "records that only another program understands are skipped")

enum damage_kind {
#define X(kind, name, class, text) DAMAGE_##kind,
	DAMAGE_KINDS(X)
#undef X
	DAMAGE_NR
};

struct damage {
	struct {
		uint64_t count;
		uint64_t first_offset; /* or NO_OFFSET */
		char detail[160];      /* of the first one; may be empty */
	} of[DAMAGE_NR];
};

/* Counts one, and keeps the offset (NO_OFFSET where there is none) and the words of the first. */
void damage_note(struct damage *d, enum damage_kind kind, uint64_t offset);
void damage_say(struct damage *d, enum damage_kind kind, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* For counts that the input itself states (LOST): adds n. */
void damage_add(struct damage *d, enum damage_kind kind, uint64_t offset, uint64_t n);

const char *damage_name(enum damage_kind kind);
const char *damage_text(enum damage_kind kind);
enum damage_class damage_class_of(enum damage_kind kind);

/* Is anything lost?  (exit code 3) */
bool damage_lost(const struct damage *d);

#endif
