/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the files of a dso may lie, in the order in which they are tried. */
#ifndef PERFTAB_SYMBOLS_WHERE_H
#define PERFTAB_SYMBOLS_WHERE_H

#include "reader/symbols.h"

struct path_list {
	char **at; /* paths, each allocated */
	size_t nr, room;
};

struct where;

struct where *where_new(const struct symbols_options *o);
void where_free(struct where *w); /* NULL is fine */

/* The path of the capture as a file of this machine (below symfs); without " (deleted)". */
char *where_file(const struct where *w, const char *path);

/* Files that may hold symbols of a program, library, module or vdso. `id` may be unknown. */
void where_elf(const struct where *w, const struct dso *dso, const struct build_id *id, struct path_list *ret);
/* Kernels: vmlinux, then lists of symbols.  `running`: the kernel of the capture runs here. */
void where_vmlinux(const struct where *w, const struct build_id *id, struct path_list *ret);
void where_kallsyms(const struct where *w, const struct build_id *id, bool running, struct path_list *ret);
/* perf-PID.map and jit-PID.dump.  `here`: the capture was made on this machine. */
void where_beside(const struct where *w, const char *path, bool here, struct path_list *ret);

void path_list_free(struct path_list *p);

#endif
