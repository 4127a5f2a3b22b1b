// SPDX-License-Identifier: GPL-2.0-only
/* Is it UTF-8, and if not, what to write instead. */
#include "export/utf8.h"

#include <stdint.h>
#include <string.h>

/* How many of the bytes are ASCII before the first that is not. */
static size_t ascii_run(const unsigned char *s, size_t size)
{
	size_t n = 0;
	uint64_t eight;

	for (; size - n >= sizeof(eight); n += sizeof(eight)) {
		memcpy(&eight, s + n, sizeof(eight));
		if (eight & 0x8080808080808080ull)
			break;
	}
	while (n < size && s[n] < 0x80)
		n++;
	return n;
}

/* Lead bytes, and what the second byte may be (no overlong forms, no surrogates, nothing above U+10FFFF). */
static const struct lead {
	unsigned char first, last, size, second_min, second_max;
} leads[] = {
	{ 0xc2, 0xdf, 2, 0x80, 0xbf }, { 0xe0, 0xe0, 3, 0xa0, 0xbf }, { 0xe1, 0xec, 3, 0x80, 0xbf },
	{ 0xed, 0xed, 3, 0x80, 0x9f }, { 0xee, 0xef, 3, 0x80, 0xbf }, { 0xf0, 0xf0, 4, 0x90, 0xbf },
	{ 0xf1, 0xf3, 4, 0x80, 0xbf }, { 0xf4, 0xf4, 4, 0x80, 0x8f },
};

/* Size of the character of several bytes that begins here; 0 when there is none. */
static size_t character_size(const unsigned char *s, size_t left)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		const struct lead *l = &leads[i];

		if (s[0] < l->first || s[0] > l->last)
			continue;
		if (left < l->size || s[1] < l->second_min || s[1] > l->second_max)
			return 0;
		for (size_t k = 2; k < l->size; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return l->size;
	}
	return 0;
}

bool utf8_valid(const void *text, size_t size)
{
	const unsigned char *s = text;

	for (size_t at = 0;;) {
		size_t n;

		at += ascii_run(s + at, size - at);
		if (at == size)
			return true;
		n = character_size(s + at, size - at);
		if (!n)
			return false;
		at += n;
	}
}

size_t utf8_clean(char *to, const void *text, size_t size)
{
	const unsigned char *s = text;
	char *start = to;

	for (size_t at = 0; at < size;) {
		size_t n = s[at] < 0x80 ? 1 : character_size(s + at, size - at);

		if (n) {
			memcpy(to, s + at, n);
			to += n;
		} else {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
		}
		at += n ? n : 1;
	}
	return (size_t)(to - start);
}

size_t utf8_width(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t size = strlen(text), width = 0;

	for (size_t at = 0; at < size; width++) {
		size_t n = s[at] < 0x80 ? 1 : character_size(s + at, size - at);

		at += n ? n : 1;
	}
	return width;
}
