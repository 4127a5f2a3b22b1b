/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU maps: as PERF_RECORD_CPU_MAP and EVENT_UPDATE CPUS store them, and as text ("0-3,8"). */
#ifndef PERFTAB_CPU_MAP_H
#define PERFTAB_CPU_MAP_H

#include "reader/bytes.h"

/* Called for each CPU in the map's order; -1 stands for "any". */
typedef void cpu_map_visit(void *user, int32_t cpu);

/* The three binary kinds: list, mask of 32- or 64-bit words, range.  -1: cut off or of no known kind. */
int cpu_map_decode(struct cursor c, cpu_map_visit *visit, void *user);

/*
 * The text of /sys/devices/system/cpu/…: "0-2,5".  Read by ourselves: libperf's
 * perf_cpu_map__new() takes "0-" for CPU 0 and warns on standard error.  -1 where it is not of
 * this form; CPUs before the odd place have been visited.
 */
int cpu_list_decode(const char *text, cpu_map_visit *visit, void *user);

#endif
