/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Header features: what perf wrote about the machine and the run, as sections at the
 * end of a file or as FEATURE records.  One row a feature in features.c.
 */
#ifndef PERFTAB_FEATURES_H
#define PERFTAB_FEATURES_H

#include "reader/capture.h"

struct perf_file;

enum feature_id {
	FEATURE_TRACING_DATA = 1, FEATURE_BUILD_ID = 2, FEATURE_HOSTNAME = 3, FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5, FEATURE_ARCH = 6, FEATURE_NRCPUS = 7, FEATURE_CPUDESC = 8, FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10, FEATURE_CMDLINE = 11, FEATURE_EVENT_DESC = 12, FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14, FEATURE_BRANCH_STACK = 15, FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17, FEATURE_AUXTRACE = 18, FEATURE_STAT = 19, FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21, FEATURE_MEM_TOPOLOGY = 22, FEATURE_CLOCKID = 23, FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25, FEATURE_BPF_BTF = 26, FEATURE_COMPRESSED = 27, FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29, FEATURE_HYBRID_TOPOLOGY = 30, FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32, FEATURE_E_MACHINE = 33, FEATURE_CLN_SIZE = 34,
};

/*
 * Decodes the payload of one feature into the capture (fields, events, rows of
 * `feature`).  Odd payloads are noted at `offset` and what could be read is kept.
 */
void feature_decode(struct perf_file *f, struct capture *c, uint32_t id, struct bytes payload, uint64_t offset);

/* Strings of features: u32 size, that many bytes, padded with NULs.  Without the padding. */
struct bytes feature_string(struct cursor *c);

#endif
