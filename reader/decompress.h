/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records inside COMPRESSED and COMPRESSED2 records, and whole inputs packed with zstd.
 * All compressed records of one data stream are one zstd frame that is never
 * finished, and records cross from one to the next: one struct decompress for each
 * data stream, fed in order.
 */
#ifndef PERFTAB_DECOMPRESS_H
#define PERFTAB_DECOMPRESS_H

#include "reader/bytes.h"

struct decompress;

struct decompress *decompress_new(void);
void decompress_free(struct decompress *d); /* NULL is fine */

/*
 * The payload of the next COMPRESSED record.  It is borrowed until decompress_peek()
 * has given all of it.
 */
void decompress_feed(struct decompress *d, struct bytes payload);

/*
 * Up to `want` bytes of the unpacked stream at its reading position; fewer when this
 * payload has no more: what is left then waits for the next one.  Borrowed until the
 * next call.  -1: the stream is damaged, now and for good.
 */
int decompress_peek(struct decompress *d, size_t want, struct bytes *ret, const char **reason);
void decompress_skip(struct decompress *d, size_t n);

/* Unpacked bytes that no call has taken. */
size_t decompress_left(const struct decompress *d);

/* ---- whole inputs ---- */

/* Reads up to `size` bytes, 0 at the end, -1; writes all, or -1. */
typedef int64_t unpack_read(void *user, void *to, size_t size);
typedef int unpack_write(void *user, const void *from, size_t size);

/* NULL, or why not: "damaged" texts of the library; "" when read or write failed. */
const char *decompress_whole(unpack_read *read, unpack_write *write, void *user);

#endif
