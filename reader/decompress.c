// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows zstd. */
#include "reader/decompress.h"

#include <stdlib.h>

#include <zstd.h>

#include "reader/arena.h"

/* A record is at most 64 KiB; unpacking works best in pieces of zstd's block size. */
enum { CARRY_MAX = 1 << 16, BUFFER_SIZE = CARRY_MAX + (1 << 17) };

struct decompress {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	const char *damaged; /* why, or NULL */
	bool full;           /* the last piece filled the buffer: zstd may hold more */
	size_t from, to;     /* what is unpacked and not yet taken */
	uint8_t buffer[BUFFER_SIZE];
};

struct decompress *decompress_new(void)
{
	struct decompress *d = must_alloc(sizeof(*d));

	d->stream = ZSTD_createDStream();
	if (!d->stream)
		d->damaged = "no memory to unpack";
	return d;
}

void decompress_free(struct decompress *d)
{
	if (!d)
		return;
	ZSTD_freeDStream(d->stream);
	free(d);
}

void decompress_feed(struct decompress *d, struct bytes payload)
{
	d->in = (ZSTD_inBuffer){ payload.at, payload.size, 0 };
	d->full = false;
}

/* One more piece behind what is left; the rest moves to the front. */
static void unpack_piece(struct decompress *d)
{
	ZSTD_outBuffer out = { d->buffer, BUFFER_SIZE, d->to - d->from };
	size_t n;

	memmove(d->buffer, d->buffer + d->from, d->to - d->from);
	n = ZSTD_decompressStream(d->stream, &out, &d->in);
	if (ZSTD_isError(n))
		d->damaged = ZSTD_getErrorName(n);
	d->from = 0;
	d->to = out.pos;
	d->full = out.pos == out.size;
}

int decompress_peek(struct decompress *d, size_t want, struct bytes *ret, const char **reason)
{
	while (!d->damaged && d->to - d->from < want && (d->in.pos < d->in.size || d->full))
		unpack_piece(d);
	*ret = (struct bytes){ d->buffer + d->from, d->to - d->from };
	if (ret->size >= want || !d->damaged)
		return 0;
	*reason = d->damaged;
	return -1;
}

void decompress_skip(struct decompress *d, size_t n)
{
	d->from += n < d->to - d->from ? n : d->to - d->from;
}

size_t decompress_left(const struct decompress *d)
{
	return d->to - d->from;
}

/* ---- whole inputs ---- */

static const char *unpack_all(ZSTD_DStream *stream, uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
			      unpack_read *read, unpack_write *write, void *user)
{
	size_t pending = 0;
	int64_t n;

	while ((n = read(user, in, in_size)) > 0) {
		ZSTD_inBuffer from = { in, (size_t)n, 0 };
		bool more = true;

		while (from.pos < from.size || more) {
			ZSTD_outBuffer to = { out, out_size, 0 };

			pending = ZSTD_decompressStream(stream, &to, &from);
			if (ZSTD_isError(pending))
				return ZSTD_getErrorName(pending);
			if (write(user, out, to.pos) < 0)
				return "";
			more = to.pos == to.size;
		}
	}
	if (n < 0)
		return "";
	return pending ? "cut off" : NULL;
}

const char *decompress_whole(unpack_read *read, unpack_write *write, void *user)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	size_t in_size = ZSTD_DStreamInSize(), out_size = ZSTD_DStreamOutSize();
	uint8_t *in = must_alloc(in_size), *out = must_alloc(out_size);
	const char *reason = "no memory to unpack";

	if (stream)
		reason = unpack_all(stream, in, in_size, out, out_size, read, write, user);
	free(in);
	free(out);
	ZSTD_freeDStream(stream);
	return reason;
}
