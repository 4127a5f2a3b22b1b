/* SPDX-License-Identifier: GPL-2.0-only */
/* perf_mem_data_src: where the data of a memory access came from, in words. */
#ifndef PERFTAB_DATA_SRC_H
#define PERFTAB_DATA_SRC_H

#include <stddef.h>
#include <stdint.h>

/* Each "" where the CPU does not tell. */
struct data_src {
	char op[32];      /* "load", "store", "load|prefetch" */
	char level[48];   /* "L1 hit", "remote cache 2 hops miss" */
	char snoop[32];   /* "none", "hit", "hitm" */
	char lock[8];     /* "locked" */
	char tlb[40];     /* "L1 hit", "walker miss" */
	char blocked[16]; /* "data", "addr" */
};

void data_src_decode(uint64_t v, struct data_src *ret);

#endif
