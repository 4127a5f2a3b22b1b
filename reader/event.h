/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter as it was opened.  The same counter may be there several times: perf
 * opens a copy for each metric group.  Fields of struct perf_event_attr keep their
 * kernel names; what an older recorder did not write is 0.
 */
#ifndef PERFTAB_EVENT_H
#define PERFTAB_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* perf_event_attr.type; numbers from linux/perf_event.h and perf's tool PMU (7.2) */
enum event_type {
	EVENT_HARDWARE = 0,
	EVENT_SOFTWARE = 1,
	EVENT_TRACEPOINT = 2,
	EVENT_HW_CACHE = 3,
	EVENT_RAW = 4, /* also the x86 PMU "cpu" */
	EVENT_BREAKPOINT = 5,
	EVENT_TOOL = 0xfffffffe,
};

/* Bits of perf_event_attr's flags word, as on a little-endian machine. */
#define EVENT_INHERIT        (1ull << 1)
#define EVENT_EXCLUDE_USER   (1ull << 4)
#define EVENT_EXCLUDE_KERNEL (1ull << 5)
#define EVENT_EXCLUDE_HV     (1ull << 6)
#define EVENT_FREQ           (1ull << 10)
#define EVENT_INHERIT_STAT   (1ull << 11)
#define EVENT_SAMPLE_ID_ALL  (1ull << 18)
#define EVENT_EXCLUDE_HOST   (1ull << 19)
#define EVENT_EXCLUDE_GUEST  (1ull << 20)
#define EVENT_USE_CLOCKID    (1ull << 25)
#define EVENT_PRECISE_SHIFT  15 /* two bits */

struct event {
	uint32_t position;     /* in the capture, from 0 */
	const char *name;      /* as recorded, or made from type and config */
	const char *modifiers; /* "u", "k", "ppp", "uG", … or "" */
	const char *pmu;       /* "cpu", "amd_l3", "software", … or NULL where not known */
	const char *unit;      /* perf's unit ("msec") or "" */
	double scale;          /* perf shows value × scale; 1 where nothing was said */
	int32_t group;         /* position of the leader when in a group of several, else -1 */
	bool group_known;      /* false for perf stat texts, where groups are a guess */
	bool has_config;       /* type and config are known (always for perf.data) */
	bool opened;           /* has ids; false: not supported */
	bool has_cpu_mask;     /* counts only on the CPUs of its PMU's mask (uncore) */

	uint32_t type;
	uint64_t config, config1, config2, config3;
	uint64_t sample_type, read_format;
	uint64_t sample_period; /* or frequency, when flags has EVENT_FREQ */
	uint64_t flags;
	uint64_t branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint32_t bp_type;
};

#endif
