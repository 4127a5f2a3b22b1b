/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the CPUs of the recorded machine are: core, die, socket, node. */
#ifndef PERFTAB_TOPOLOGY_H
#define PERFTAB_TOPOLOGY_H

#include "reader/capture.h"

/* The entry of a CPU, made (all -1) where it is not there yet. */
struct cpu_place *topology_cpu(struct capture *c, int32_t cpu);

/*
 * Header feature CPU_TOPOLOGY.  The lists of siblings are skipped; ids by CPU follow them where
 * the writer was new enough.  -1 when it is cut off; what was there before is kept.
 */
int topology_decode(struct capture *c, struct cursor b);

/* Header feature NUMA_TOPOLOGY: the node of each CPU. */
int topology_decode_nodes(struct capture *c, struct cursor b);

#endif
