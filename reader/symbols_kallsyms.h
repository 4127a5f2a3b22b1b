/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own list of symbols: /proc/kallsyms, or a copy of it. */
#ifndef PERFTAB_SYMBOLS_KALLSYMS_H
#define PERFTAB_SYMBOLS_KALLSYMS_H

#include "reader/dso.h"
#include "reader/symbol_table.h"

/* NULL when the symbols were added, else why not: "its addresses are hidden". */
const char *kallsyms_load(struct symbol_table *t, const char *path, const struct dso *dso);

/* The running kernel: is it the one of the capture?  By release and build-id, both known. */
bool kernel_is_running(const char *os_release, const struct build_id *id);

#endif
