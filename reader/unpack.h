/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole inputs that somebody packed: .gz, .xz and .zst, told by their first bytes. */
#ifndef PERFTAB_UNPACK_H
#define PERFTAB_UNPACK_H

#include "reader/decompress.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_XZ, PACKING_ZSTD };

enum { PACKING_MAGIC = 6 }; /* bytes that packing_of() wants to see */

enum packing packing_of(struct bytes front);
const char *packing_name(enum packing p); /* "gzip", "xz", "zstd" */

/*
 * Unpacks everything.  NULL, or why it ended early: words of the library, or "" when
 * read or write gave -1.  What came before is written all the same.
 */
const char *unpack_whole(enum packing p, unpack_read *read, unpack_write *write, void *user);

#endif
