// SPDX-License-Identifier: GPL-2.0-only
/* A buffer before a stream. */
#include "export/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"

#define WRITER_SIZE (32 * 1024)

void writer_free(struct writer *w)
{
	free(w->buffer);
	w->buffer = NULL;
	w->used = w->size = 0;
}

int writer_flush(struct writer *w)
{
	if (!w->failed && w->used) {
		errno = 0;
		if (fwrite(w->buffer, 1, w->used, w->out) != w->used)
			w->failed = errno ? errno : EIO;
	}
	w->used = 0;
	if (!w->failed)
		return 0;
	errno = w->failed;
	return -1;
}

char *writer_more(struct writer *w, size_t size)
{
	if (w->used)
		writer_flush(w);
	if (w->size < size) {
		w->size = size > WRITER_SIZE ? size : WRITER_SIZE;
		w->buffer = must_realloc(w->buffer, w->size, 1);
	}
	return w->buffer + w->used;
}

void writer_put(struct writer *w, const void *bytes, size_t size)
{
	memcpy(writer_room(w, size), bytes, size);
	w->used += size;
}
