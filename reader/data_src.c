// SPDX-License-Identifier: GPL-2.0-only
/*
 * union perf_mem_data_src: op 5 bits at 0, level 14 at 5, snoop 5 at 19, lock 2 at 24, tlb 7 at
 * 26, level number 4 at 33, remote 1 at 37, snoop (more) 2 at 38, blocked 3 at 40, hops 3 at 43.
 * In each list the lowest bit says that nothing is told.
 */
#include "reader/data_src.h"

#include <stdio.h>
#include <string.h>

#define NR(list) (sizeof(list) / sizeof((list)[0]))

static uint64_t field(uint64_t v, unsigned at, unsigned width)
{
	return v >> at & ((1ull << width) - 1);
}

static void add(char *to, size_t size, const char *word, char between)
{
	size_t n = strlen(to);

	if (n && n + 1 < size)
		to[n++] = between;
	snprintf(to + n, size - n, "%s", word);
}

/* The names of the bits that are set; the bit before the first name means "not told". */
static void add_bits(char *to, size_t size, uint64_t bits, const char *const *names, size_t nr, char between)
{
	for (size_t i = 0; i < nr; i++)
		if (bits >> (i + 1) & 1 && names[i])
			add(to, size, names[i], between);
}

static const char *level_of_number(uint64_t nr)
{
	static const char *const names[16] = {
		[1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4", [5] = "L2 MHB", [6] = "memory-side cache",
		[8] = "uncached", [9] = "CXL", [10] = "I/O", [11] = "any cache", [12] = "LFB", [13] = "RAM", [14] = "PMEM",
	};

	return names[nr];
}

static void decode_level(uint64_t v, struct data_src *ret)
{
	static const char *const old_levels[] = {
		"L1", "LFB", "L2", "L3", "local RAM", "remote RAM 1 hop", "remote RAM 2 hops", "remote cache 1 hop",
		"remote cache 2 hops", "I/O", "uncached",
	};
	uint64_t level = field(v, 5, 14), number = field(v, 33, 4), hops = field(v, 43, 3);
	char hop[16];

	if (level_of_number(number)) {
		if (field(v, 37, 1))
			add(ret->level, sizeof(ret->level), "remote", ' ');
		add(ret->level, sizeof(ret->level), level_of_number(number), ' ');
		snprintf(hop, sizeof(hop), "hops %u", (unsigned)hops);
		if (hops)
			add(ret->level, sizeof(ret->level), hop, ' ');
	} else {
		add_bits(ret->level, sizeof(ret->level), level >> 2, old_levels, NR(old_levels), '|');
	}
	if (level & 2)
		add(ret->level, sizeof(ret->level), "hit", ' ');
	if (level & 4)
		add(ret->level, sizeof(ret->level), "miss", ' ');
}

void data_src_decode(uint64_t v, struct data_src *ret)
{
	static const char *const ops[] = { "load", "store", "prefetch", "exec" };
	static const char *const snoops[] = { "none", "hit", "miss", "hitm" };
	static const char *const more_snoops[] = { "forward", "peer" };
	static const char *const tlbs[] = { "hit", "miss", "L1", "L2", "walker", "fault" };
	static const char *const blocks[] = { "data", "addr" };
	uint64_t snoopx = field(v, 38, 2);

	memset(ret, 0, sizeof(*ret));
	add_bits(ret->op, sizeof(ret->op), field(v, 0, 5), ops, NR(ops), '|');
	decode_level(v, ret);
	add_bits(ret->snoop, sizeof(ret->snoop), field(v, 19, 5), snoops, NR(snoops), '|');
	add_bits(ret->snoop, sizeof(ret->snoop), snoopx << 1, more_snoops, NR(more_snoops), '|');
	if (field(v, 24, 2) & 2)
		add(ret->lock, sizeof(ret->lock), "locked", ' ');
	add_bits(ret->tlb, sizeof(ret->tlb), field(v, 26, 7), tlbs, NR(tlbs), ' ');
	add_bits(ret->blocked, sizeof(ret->blocked), field(v, 40, 3), blocks, NR(blocks), '|');
}
