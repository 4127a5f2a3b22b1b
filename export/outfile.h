/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that appear whole or not at all: written under a temporary name in the same
 * folder, fsync, rename.  Also the one list of what must be removed when a signal ends
 * the program.
 */
#ifndef PERFTAB_OUTFILE_H
#define PERFTAB_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "reader/error.h"

struct outfile;

/*
 * path NULL: standard output.  -1 and *err when the target exists and `force` is false,
 * or the folder cannot be written.
 */
struct outfile *outfile_open(const char *path, bool force, struct error *err);
/* The same for a folder (which becomes a new folder of files, replacing the old one under `force`). */
struct outfile *outfile_open_folder(const char *path, bool force, struct error *err);

/* The stream to write to; for a folder NULL. */
FILE *outfile_stream(struct outfile *o);
/* The temporary path (a library that wants a name: SQLite; files inside a folder). */
const char *outfile_temporary(const struct outfile *o);

/* Flush, fsync, rename; frees.  A closed reader of standard output (EPIPE) is reported as -1 with err->text empty. */
int outfile_finish(struct outfile *o, struct error *err);
void outfile_abandon(struct outfile *o); /* removes; NULL is fine */

/* Async-signal-safe: removes every temporary output that is open. */
void outfile_remove_all(void);

#endif
