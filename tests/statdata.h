/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captures of perf stat record, described once and written as a file or as a pipe stream,
 * in either byte order, with descriptions of events of any size.  Real captures can be
 * taken apart and written anew.  Shares no code with the reader.
 *
 *	struct statdata *p = statdata_new(128, false);
 *	statdata_event(p, &(struct statdata_event){ .name = "r76", .type = 4, .config = 0x76, .nr_ids = 1 });
 *	statdata_stat(p, statdata_id(p, 0, 0), -1, 0, 1000, 100, 50);
 *	statdata_round(p, true, 100);
 *	image = statdata_file(p);        or statdata_pipe(p)
 */
#ifndef PERFTAB_TEST_STATDATA_H
#define PERFTAB_TEST_STATDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/perfdata.h"

/* The whole file; `at` is NULL where there is none. */
struct image image_read(const char *path);
void image_write(const struct image *b, const char *path);
void image_zeros(struct image *b, size_t size);
void image_double(struct image *b, double v);

/* ---- a capture ---- */

struct statdata_event {
	const char *name;  /* NULL: neither EVENT_DESC nor NAME has one */
	uint32_t type;
	uint64_t config, config1, config2;
	uint64_t sample_type, read_format, sample_period;
	uint64_t flags;    /* as on a little-endian machine */
	uint32_t nr_ids;   /* 0: the event was not opened */
	const char *unit;  /* NULL: no EVENT_UPDATE */
	double scale;      /* 0: no EVENT_UPDATE */
	bool cpus;         /* EVENT_UPDATE with a mask of CPU 0 */
};

struct statdata;

/* attr_size: bytes of each event's description, 64 and up. */
struct statdata *statdata_new(size_t attr_size, bool big);
/* A capture that is there, of a little-endian machine, taken apart: events, names, records, features.  NULL when it is not. */
struct statdata *statdata_load(const char *path);
void statdata_free(struct statdata *p);

/* Its position.  Ids count from 1 over all events. */
size_t statdata_event(struct statdata *p, const struct statdata_event *e);
uint64_t statdata_id(const struct statdata *p, size_t event, size_t nth);
/* One entry of GROUP_DESC. */
void statdata_group(struct statdata *p, const char *name, uint32_t leader, uint32_t members);

/* A HEADER_ATTR among the records, which perf does not write. */
void statdata_late_event(struct statdata *p, const struct statdata_event *e, uint64_t id);

/* Any record; body is what follows its header. */
void statdata_record(struct statdata *p, uint32_t type, uint16_t misc, const struct image *body);
void statdata_stat(struct statdata *p, uint64_t id, int32_t cpu, int32_t thread, uint64_t value, uint64_t enabled,
		   uint64_t running);
void statdata_round(struct statdata *p, bool final, uint64_t time_ns);
/* level -1: no tag AGGR_LEVEL, which writers with the old numbers of the modes do not have */
void statdata_stat_config(struct statdata *p, uint64_t mode, uint64_t interval_ms, uint64_t scale, int level);
/* CPU_MAP with the one entry "any", as for a command. */
void statdata_cpu_map_any(struct statdata *p);
struct statdata_thread {
	int32_t tid;
	const char *comm;
};
void statdata_thread_map(struct statdata *p, const struct statdata_thread *threads, size_t nr);

/* Header features, by their numbers; the payload is copied. */
void statdata_feature(struct statdata *p, uint32_t id, const struct image *payload);
void statdata_feature_string(struct statdata *p, uint32_t id, const char *s);
void statdata_drop_feature(struct statdata *p, uint32_t id);
/* NRCPUS and CPU_TOPOLOGY (and NUMA_TOPOLOGY): cpu i is in core[i], die[i], socket[i], node[i]. */
struct statdata_cpu {
	uint32_t core, die, socket, node;
};
void statdata_topology(struct statdata *p, const struct statdata_cpu *cpus, uint32_t nr);
/* An image for payloads and bodies of this capture: in its byte order. */
struct image statdata_image(const struct statdata *p);

/* Offsets in the file's header, for images that are to be damaged. */
enum { STATDATA_AT_ATTR_SIZE = 16, STATDATA_AT_ATTRS = 24, STATDATA_AT_DATA = 40, STATDATA_AT_DATA_SIZE = 48 };

/* Header, ids, events, records, features: with EVENT_DESC and GROUP_DESC as the events say. */
struct image statdata_file(const struct statdata *p);
/* HEADER_ATTR and EVENT_UPDATE (with NAME) in front of the records; no features, as perf stat has it. */
struct image statdata_pipe(const struct statdata *p);

#endif
