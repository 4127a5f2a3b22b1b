/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text on its way to a stream, gathered into large pieces: what CSV and JSON write
 * their rows with.
 *
 *	char *to = writer_room(w, NUMBER_MAX);
 *	writer_used(w, number_u64(to, v));
 */
#ifndef PERFTAB_WRITER_H
#define PERFTAB_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct writer {
	FILE *out; /* borrowed; must be there when something is flushed */
	char *buffer;
	size_t used, size;
	int failed; /* errno of the first write that failed; nothing is written after it */
};

void writer_free(struct writer *w); /* what was not flushed is lost */

/* A place for `size` bytes, until the next call. */
char *writer_more(struct writer *w, size_t size);
static inline char *writer_room(struct writer *w, size_t size)
{
	return w->size - w->used < size ? writer_more(w, size) : w->buffer + w->used;
}
static inline void writer_used(struct writer *w, size_t size)
{
	w->used += size;
}

void writer_put(struct writer *w, const void *bytes, size_t size);
static inline void writer_char(struct writer *w, char c)
{
	*writer_room(w, 1) = c;
	w->used++;
}

/* 0, or -1 and errno. */
int writer_flush(struct writer *w);

#endif
