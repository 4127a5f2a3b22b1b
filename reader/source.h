/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where bytes come from: a file, a pipe, standard input.  Read with read(2) through
 * one buffer of bounded size, never mapped: peak memory does not grow with the input.
 */
#ifndef PERFTAB_SOURCE_H
#define PERFTAB_SOURCE_H

#include "reader/bytes.h"
#include "reader/error.h"

struct source;

/* The most that source_peek() can be asked for. */
enum { SOURCE_WINDOW = 1 << 20 };

/*
 * A path, or "-" for standard input.  What is packed with gzip, xz or zstd is unpacked
 * into an unlinked temporary file first.
 */
struct source *source_open(const char *path, struct error *err);
/* The same with a smaller window: what source_peek() can be asked for. */
struct source *source_open_window(const char *path, size_t window, struct error *err);
void source_close(struct source *s); /* NULL is fine */

/* Why unpacking ended early ("gzip: cut off"), or NULL: what came before is there. */
const char *source_damage(const struct source *s);
/* Size in bytes where it is known, else 0. */
uint64_t source_size(const struct source *s);
/* Offset of the next unread byte. */
uint64_t source_offset(const struct source *s);

/*
 * At least `want` bytes at the reading position where there are so many, without
 * moving it; fewer only at the end of the input.  Borrowed until the next call.
 */
int source_peek(struct source *s, size_t want, struct bytes *ret, struct error *err);
/* Moves the position on, over what was peeked or beyond, but not beyond the end: source_offset() tells. */
int source_skip(struct source *s, uint64_t n, struct error *err);
/* Moves the position anywhere; only where seekable. */
int source_seek(struct source *s, uint64_t offset, struct error *err);

/*
 * Random access beside the stream, for tables and features: copies up to `size`
 * bytes at `offset` into `to` and returns how many there were; -1 and *err when they
 * cannot be read.  Only where seekable.
 */
int64_t source_pread(struct source *s, uint64_t offset, void *to, size_t size, struct error *err);

/*
 * Makes a pipe seekable by copying it to an unlinked temporary file.  Nothing happens
 * where it is seekable.
 */
int source_spool(struct source *s, struct error *err);

#endif
