/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading hostile bytes.  A cursor cannot run over its end: the first read that
 * does not fit sets `failed`, and from then on every read gives 0.  Fields are
 * swapped one by one as they are read; the bytes themselves are never changed.
 */
#ifndef PERFTAB_BYTES_H
#define PERFTAB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A borrowed piece of the input. */
struct bytes {
	const uint8_t *at;
	size_t size;
};

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool swap;   /* the writer had the other byte order */
	bool failed; /* something did not fit */
};

static inline struct cursor cur_new(struct bytes b, bool swap)
{
	return (struct cursor){ .at = b.at, .end = b.at + b.size, .swap = swap, .failed = false };
}

static inline size_t cur_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* The next `size` bytes, or NULL (and `failed`) where there are not so many. */
static inline const uint8_t *cur_take(struct cursor *c, size_t size)
{
	const uint8_t *at = c->at;

	if (c->failed || size > cur_left(c)) {
		c->failed = true;
		c->at = c->end;
		return NULL;
	}
	c->at += size;
	return at;
}

static inline uint8_t cur_u8(struct cursor *c)
{
	const uint8_t *p = cur_take(c, 1);

	return p ? *p : 0;
}

static inline uint16_t cur_u16(struct cursor *c)
{
	const uint8_t *p = cur_take(c, 2);
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cur_u32(struct cursor *c)
{
	const uint8_t *p = cur_take(c, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cur_u64(struct cursor *c)
{
	const uint8_t *p = cur_take(c, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

static inline double cur_double(struct cursor *c)
{
	uint64_t bits = cur_u64(c);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static inline struct bytes cur_bytes(struct cursor *c, size_t size)
{
	const uint8_t *p = cur_take(c, size);

	return (struct bytes){ p, p ? size : 0 };
}

/* What is left, as bytes; the cursor is at its end afterwards. */
static inline struct bytes cur_rest(struct cursor *c)
{
	return cur_bytes(c, cur_left(c));
}

/* A string that ends at the first NUL or at the end of `b`: its length without the NUL. */
static inline size_t bytes_strlen(struct bytes b)
{
	const uint8_t *nul = b.size ? memchr(b.at, 0, b.size) : NULL;

	return nul ? (size_t)(nul - b.at) : b.size;
}

#endif
