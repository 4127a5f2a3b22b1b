/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines and inlined functions, from the debug information of a dso.
 */
#ifndef PERFTAB_INLINES_H
#define PERFTAB_INLINES_H

#include "reader/symbols.h"

/* One function that an address is in, and the line in it. */
struct inline_frame {
	const char *function; /* demangled as the symbols are */
	const char *file;     /* or NULL where not known */
	uint32_t line;        /* 0 where not known */
};

struct inlines;

/* Both must outlive it. */
struct inlines *inlines_new(struct symbols *symbols, bool demangle);
void inlines_free(struct inlines *in); /* NULL is fine */

/*
 * The functions around an address, the innermost first; the last one is not inlined.
 * Each but the first has the line of the call.  0 where there is no debug information.
 * The frames live as long as `in`.
 */
size_t inlines_find(struct inlines *in, uint32_t dso, uint64_t offset, const struct inline_frame **ret);

/*
 * The line alone, which costs much less.  False where it is not known; the file's name
 * lives as long as `in`.
 */
bool inlines_line(struct inlines *in, uint32_t dso, uint64_t offset, const char **ret_file, uint32_t *ret_line);

#endif
