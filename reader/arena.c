// SPDX-License-Identifier: GPL-2.0-only
/* Memory by lifetime: blocks that are released together. */
#include "reader/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	max_align_t data[];
};

struct arena {
	struct block *blocks;
};

static void out_of_memory(void)
{
	fputs("perftab: out of memory\n", stderr);
	abort();
}

void *must_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *must_realloc(void *old, size_t count, size_t size)
{
	void *p = reallocarray(old, count ? count : 1, size);

	if (!p)
		out_of_memory();
	return p;
}

struct arena *arena_new(void)
{
	return must_alloc(sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	struct block *b, *next;

	if (!arena)
		return;
	for (b = arena->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena);
}

static struct block *block_new(struct arena *arena, size_t size)
{
	struct block *b;

	if (size < BLOCK_SIZE)
		size = BLOCK_SIZE;
	b = must_alloc(sizeof(*b) + size);
	b->size = size;
	b->next = arena->blocks;
	arena->blocks = b;
	return b;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct block *b = arena->blocks;
	void *p;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + align - 1) / align * align;
	if (!b || size > b->size - b->used)
		b = block_new(arena, size);
	p = (char *)b->data + b->used;
	b->used += size;
	return p;
}

char *arena_strndup(struct arena *arena, const void *text, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	memcpy(copy, text, size);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int size;

	va_start(args, format);
	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = arena_alloc(arena, (size_t)size + 1);
	vsnprintf(text, (size_t)size + 1, format, again);
	va_end(again);
	return text;
}
