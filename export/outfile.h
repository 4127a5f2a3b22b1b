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
 * or the folder cannot be written.  A device or pipe (/dev/stdout) is written as it is,
 * without a temporary file.
 */
struct outfile *outfile_open(const char *path, bool force, struct error *err);
/*
 * The same for a folder (which becomes a new folder of files, replacing the old one under
 * `force`).  An old folder is only replaced when all that it holds are regular files
 * that end in `suffix`, which is kept: ".csv".
 */
struct outfile *outfile_open_folder(const char *path, const char *suffix, bool force, struct error *err);

/* The stream to write to; for a folder NULL. */
FILE *outfile_stream(struct outfile *o);
/*
 * The temporary path (a library that wants a name: SQLite; files inside a folder).  NULL
 * where there is none: standard output, devices.
 */
const char *outfile_temporary(const struct outfile *o);
/* Where it will be in the end, for messages: the path as given, or "standard output". */
const char *outfile_name(const struct outfile *o);

/*
 * A write failed: fills *err from `errno_value`: "cannot write x.csv: No space left on
 * device", and empty text for EPIPE.  Returns -1.
 */
int outfile_failed(const struct outfile *o, int errno_value, struct error *err);

/* Flush, fsync, rename; frees.  A closed reader of standard output (EPIPE) is reported as -1 with err->text empty. */
int outfile_finish(struct outfile *o, struct error *err);
void outfile_abandon(struct outfile *o); /* removes; NULL is fine */

/* Async-signal-safe: removes every temporary output that is open. */
void outfile_remove_all(void);

#endif
