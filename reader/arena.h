/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that lives as long as its owner: names, formulas, lists of events.
 * Everything is released at once by arena_free().  Running out of memory ends the
 * program with a message: nothing here asks for an amount that the input named.
 */
#ifndef PERFTAB_ARENA_H
#define PERFTAB_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* NULL is fine */

/* Zeroed, aligned for any type.  Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* A NUL-terminated copy of `size` bytes (which may hold no NUL themselves). */
char *arena_strndup(struct arena *arena, const void *text, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* malloc, calloc, realloc that never return NULL; for what grows and is freed by free(). */
void *must_alloc(size_t size);
void *must_realloc(void *old, size_t count, size_t size);

#endif
