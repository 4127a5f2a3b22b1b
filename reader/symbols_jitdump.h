/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * jit-PID.dump: code that a just-in-time compiler made, with its bytes and the times at
 * which it was placed.  Each piece of code has its own bytes in the dump, so "offset in
 * the dump" names a function whatever else lay at its address before or after.
 */
#ifndef PERFTAB_SYMBOLS_JITDUMP_H
#define PERFTAB_SYMBOLS_JITDUMP_H

#include "reader/address_space.h"
#include "reader/symbol_table.h"

/* Is it the name of such a file: "jit-1234.dump"? */
bool jitdump_is_name(const char *path);

/* Symbols by offset in the dump.  False where it cannot be opened or is no jitdump. */
bool jitdump_load(struct symbol_table *t, const char *path);

/*
 * Feeds the address space with where the code lay and when.  The times in a dump are
 * those of CLOCK_MONOTONIC: only for captures that were recorded with it (-k mono).
 * False where it cannot be read, or has times of the CPU's own counter.
 */
bool jitdump_feed(struct address_space *a, uint32_t dso, const char *path);

#endif
