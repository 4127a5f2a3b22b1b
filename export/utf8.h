/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in a capture are bytes; outputs are UTF-8.  What is not becomes U+FFFD. */
#ifndef PERFTAB_UTF8_H
#define PERFTAB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* A bad byte becomes three. */
#define UTF8_GROWTH 3

bool utf8_valid(const void *text, size_t size);

/*
 * Copies and replaces; `to` has room for size × UTF8_GROWTH.  Returns the new size.
 * Each byte that begins no whole character is replaced by one U+FFFD.
 */
size_t utf8_clean(char *to, const void *text, size_t size);

/* Columns on a terminal, taking one for each code point; bad bytes count as one. */
size_t utf8_width(const char *text);

#endif
