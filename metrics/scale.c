// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows libperf. */
#include "metrics/scale.h"

#include <stdbool.h>

#include <perf/evsel.h>

uint64_t scale_perf(uint64_t value, uint64_t enabled, uint64_t running)
{
	struct perf_counts_values v = { 0 };
	__s8 scaled;

	v.val = value;
	v.ena = enabled;
	v.run = running;
	perf_counts_values__scale(&v, true, &scaled);
	return v.val;
}
