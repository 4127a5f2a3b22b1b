/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug files from the servers of $DEBUGINFOD_URLS; only used where the user asks for it. */
#ifndef PERFTAB_DEBUGINFOD_H
#define PERFTAB_DEBUGINFOD_H

#include "reader/dso.h"

struct debuginfod;

/* NULL where libdebuginfod is not installed. */
struct debuginfod *debuginfod_open(void);
void debuginfod_close(struct debuginfod *d); /* NULL is fine */

/* Path of a file in its cache, to be freed; NULL where no server has it.  NULL is fine for `d`. */
char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id);
char *debuginfod_program(struct debuginfod *d, const struct build_id *id);

#endif
