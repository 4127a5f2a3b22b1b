// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows zlib and liblzma; zstd is decompress.c's. */
#include "reader/unpack.h"

#include <stdlib.h>

#include <lzma.h>
#include <zlib.h>

#include "reader/arena.h"

enum { PIECE = 1 << 17 };

/* What is read and what is unpacked, a piece of each. */
struct pieces {
	uint8_t in[PIECE];
	uint8_t out[PIECE];
};

enum packing packing_of(struct bytes front)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b, 0x08 };
	static const uint8_t xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (front.size >= sizeof(gzip) && memcmp(front.at, gzip, sizeof(gzip)) == 0)
		return PACKING_GZIP;
	if (front.size >= sizeof(xz) && memcmp(front.at, xz, sizeof(xz)) == 0)
		return PACKING_XZ;
	if (front.size >= sizeof(zstd) && memcmp(front.at, zstd, sizeof(zstd)) == 0)
		return PACKING_ZSTD;
	return PACKING_NONE;
}

const char *packing_name(enum packing p)
{
	static const char *const names[] = { "none", "gzip", "xz", "zstd" };

	return names[p];
}

/* ---- gzip: one member or several behind one another ---- */

/* 1: this member ended; 0: it goes on; -1 and *reason */
static int gunzip_piece(z_stream *z, struct pieces *p, unpack_write *write, void *user, const char **reason)
{
	int n;

	do {
		z->next_out = p->out;
		z->avail_out = PIECE;
		n = inflate(z, Z_NO_FLUSH);
		if (n != Z_OK && n != Z_STREAM_END && n != Z_BUF_ERROR) {
			*reason = z->msg ? z->msg : "damaged";
			return -1;
		}
		if (write(user, p->out, PIECE - z->avail_out) < 0) {
			*reason = "";
			return -1;
		}
	} while (n != Z_STREAM_END && z->avail_out == 0);
	return n == Z_STREAM_END;
}

static const char *gunzip(z_stream *z, struct pieces *p, unpack_read *read, unpack_write *write, void *user)
{
	const char *reason = NULL;
	int64_t n;
	int ended = 0;

	while ((n = read(user, p->in, PIECE)) > 0) {
		z->next_in = p->in;
		z->avail_in = (uInt)n;
		while (z->avail_in) {
			if (ended && inflateReset(z) != Z_OK)
				return "damaged";
			ended = gunzip_piece(z, p, write, user, &reason);
			if (ended < 0)
				return reason;
		}
	}
	if (n < 0)
		return "";
	return ended ? NULL : "cut off";
}

static const char *unpack_gzip(struct pieces *p, unpack_read *read, unpack_write *write, void *user)
{
	z_stream z = { .zalloc = Z_NULL };
	const char *reason;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return "no memory to unpack";
	reason = gunzip(&z, p, read, write, user);
	inflateEnd(&z);
	return reason;
}

/* ---- xz ---- */

static const char *xz_reason(lzma_ret n)
{
	switch (n) {
	case LZMA_FORMAT_ERROR:
	case LZMA_DATA_ERROR:
		return "damaged";
	case LZMA_BUF_ERROR:
		return "cut off";
	case LZMA_MEMLIMIT_ERROR:
		return "needs more memory than is allowed";
	default:
		return "cannot be unpacked";
	}
}

static const char *unxz(lzma_stream *z, struct pieces *p, unpack_read *read, unpack_write *write, void *user)
{
	lzma_action action = LZMA_RUN;

	for (;;) {
		lzma_ret n;

		if (z->avail_in == 0 && action == LZMA_RUN) {
			int64_t got = read(user, p->in, PIECE);

			if (got < 0)
				return "";
			z->next_in = p->in;
			z->avail_in = (size_t)got;
			if (got == 0)
				action = LZMA_FINISH;
		}
		z->next_out = p->out;
		z->avail_out = PIECE;
		n = lzma_code(z, action);
		if (write(user, p->out, PIECE - z->avail_out) < 0)
			return "";
		if (n == LZMA_STREAM_END)
			return NULL;
		if (n != LZMA_OK)
			return xz_reason(n);
	}
}

static const char *unpack_xz(struct pieces *p, unpack_read *read, unpack_write *write, void *user)
{
	const uint64_t memory = 128 << 20; /* xz -9 needs 65 MiB */
	lzma_stream z = LZMA_STREAM_INIT;
	const char *reason;

	if (lzma_stream_decoder(&z, memory, LZMA_CONCATENATED) != LZMA_OK)
		return "no memory to unpack";
	reason = unxz(&z, p, read, write, user);
	lzma_end(&z);
	return reason;
}

const char *unpack_whole(enum packing packing, unpack_read *read, unpack_write *write, void *user)
{
	struct pieces *p = must_alloc(sizeof(*p));
	const char *reason = NULL;

	switch (packing) {
	case PACKING_GZIP:
		reason = unpack_gzip(p, read, write, user);
		break;
	case PACKING_XZ:
		reason = unpack_xz(p, read, write, user);
		break;
	case PACKING_ZSTD:
		reason = decompress_whole(read, write, user);
		break;
	case PACKING_NONE:
		break;
	}
	free(p);
	return reason;
}
