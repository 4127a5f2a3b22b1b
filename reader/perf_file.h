/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container of perf.data: header, events, header features, and the walk over its
 * records; as file and as pipe stream.  Layouts: tools/perf/Documentation/
 * perf.data-file-format.txt of the kernel.  Nothing here knows what records mean,
 * beyond those that describe the file itself.
 */
#ifndef PERFTAB_PERF_FILE_H
#define PERFTAB_PERF_FILE_H

#include "reader/capture.h"
#include "reader/source.h"

/* PERF_RECORD_* and perf's own record types */
enum record_type {
	RECORD_MMAP = 1, RECORD_LOST = 2, RECORD_COMM = 3, RECORD_EXIT = 4, RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6, RECORD_FORK = 7, RECORD_READ = 8, RECORD_SAMPLE = 9, RECORD_MMAP2 = 10,
	RECORD_AUX = 11, RECORD_ITRACE_START = 12, RECORD_LOST_SAMPLES = 13, RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15, RECORD_NAMESPACES = 16, RECORD_KSYMBOL = 17, RECORD_BPF_EVENT = 18,
	RECORD_CGROUP = 19, RECORD_TEXT_POKE = 20, RECORD_AUX_OUTPUT_HW_ID = 21, RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_USER_TYPES = 64,
	RECORD_HEADER_ATTR = 64, RECORD_EVENT_TYPE = 65, RECORD_TRACING_DATA = 66, RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68, RECORD_ID_INDEX = 69, RECORD_AUXTRACE_INFO = 70, RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72, RECORD_THREAD_MAP = 73, RECORD_CPU_MAP = 74, RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76, RECORD_STAT_ROUND = 77, RECORD_EVENT_UPDATE = 78, RECORD_TIME_CONV = 79,
	RECORD_FEATURE = 80, RECORD_COMPRESSED = 81, RECORD_FINISHED_INIT = 82, RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84, RECORD_SCHEDSTAT_CPU = 85, RECORD_SCHEDSTAT_DOMAIN = 86,
};

/* One record.  The body is borrowed and lives until the next perf_file_next(). */
struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;      /* with the 8 bytes of its header */
	bool swap;          /* as the capture's */
	uint64_t offset;    /* of its header in the input */
	struct bytes body;  /* what follows the header */
};

struct perf_file;
struct tracing;

/* Takes the source over, also on failure.  Reads header, events and features (files); *capture is filled. */
struct perf_file *perf_file_open(struct source *source, struct capture *capture, struct error *err);

/* 1 and a record; 0 at the end; -1.  Damage is noted in the capture's tally. */
int perf_file_next(struct perf_file *f, struct record *ret, struct error *err);

/*
 * Records of this type that lie one behind the other at the reading position and are in
 * memory: their bytes, headers included.  They count as given and live until the next call.
 * Empty: use perf_file_next().
 */
struct record_run {
	uint64_t offset; /* of the first one in the input */
	size_t nr;
	bool packed;     /* they lie in one COMPRESSED record, and all have its offset */
};
struct bytes perf_file_run(struct perf_file *f, uint32_t type, struct record_run *ret);

/*
 * The event of an id, or -1.  Id 0 is the only event's when there is one.
 */
int32_t perf_file_event_of(struct perf_file *f, uint64_t id);

/*
 * A recorded name for an event: the one whose ids these are (bytes in the order of the
 * file), or the one at `position` where there are no ids.
 */
void perf_file_name_event(struct perf_file *f, uint32_t position, struct bytes ids, struct bytes name);

/* What features say that is not for struct capture: tracepoints, records BUILD_ID.  Both are copied. */
void perf_file_tracing_data(struct perf_file *f, struct bytes blob, uint64_t offset);
void perf_file_build_ids(struct perf_file *f, struct bytes records, uint64_t offset);

/* ---- streams of records beside the file's own: data.N of a directory ---- */

struct perf_stream;

/* Takes the source over: headerless records, read as the file's. */
struct perf_stream *perf_stream_open(struct source *source);
int perf_stream_next(struct perf_file *f, struct perf_stream *s, struct record *ret, struct error *err);
void perf_stream_close(struct perf_stream *s); /* NULL is fine */

void perf_file_close(struct perf_file *f); /* NULL is fine; the capture stays */

#endif
