/* SPDX-License-Identifier: GPL-2.0-only */
/* Scaling for the time in which a counter did not run: perf's way, by libperf. */
#ifndef PERFTAB_SCALE_H
#define PERFTAB_SCALE_H

#include <stdint.h>

/* perf_counts_values__scale(): value × enabled / running, truncated to an integer; 0 where it never ran. */
uint64_t scale_perf(uint64_t value, uint64_t enabled, uint64_t running);

#endif
