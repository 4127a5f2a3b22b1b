/* SPDX-License-Identifier: GPL-2.0-only */
/* perf-PID.map: what a just-in-time compiler says about the code it made. */
#ifndef PERFTAB_SYMBOLS_PERFMAP_H
#define PERFTAB_SYMBOLS_PERFMAP_H

#include "reader/symbol_table.h"

/* Symbols by address.  False where the file cannot be opened. */
bool perfmap_load(struct symbol_table *t, const char *path);

#endif
