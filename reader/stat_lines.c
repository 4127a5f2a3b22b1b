// SPDX-License-Identifier: GPL-2.0-only
/* Lines through a window of bounded size. */
#include "reader/stat_lines.h"

enum { READ_AHEAD = 256 * 1024, LONGEST_LINE = SOURCE_WINDOW / 2 };

static int refill(struct stat_lines *l, size_t want, struct error *err)
{
	if (want < READ_AHEAD)
		want = READ_AHEAD;
	if (want > SOURCE_WINDOW)
		want = SOURCE_WINDOW;
	if (source_skip(l->source, l->at, err))
		return -1;
	l->at = 0;
	if (source_peek(l->source, want, &l->window, err))
		return -1;
	l->ended = l->window.size < want;
	return 0;
}

static int skip_mark(struct stat_lines *l, struct error *err)
{
	if (refill(l, READ_AHEAD, err))
		return -1;
	l->begun = true;
	l->number = 1;
	if (l->window.size >= 3 && memcmp(l->window.at, "\xef\xbb\xbf", 3) == 0)
		l->at = 3;
	return 0;
}

int stat_lines_ahead(struct stat_lines *l, size_t want, struct span *ret, struct error *err)
{
	if (!l->begun && skip_mark(l, err))
		return -1;
	if (l->window.size - l->at < want && !l->ended && refill(l, want, err))
		return -1;
	*ret = (struct span){ (const char *)l->window.at + l->at, l->window.size - l->at };
	return 0;
}

int stat_lines_peek(struct stat_lines *l, struct stat_line *ret, struct error *err)
{
	struct span s;
	const char *end = NULL;
	size_t seen = 0;

	do {
		if (stat_lines_ahead(l, seen + 1, &s, err))
			return -1;
		if (s.size > seen)
			end = memchr(s.at + seen, '\n', s.size - seen);
		seen = s.size;
	} while (!end && seen < LONGEST_LINE && !l->ended);
	if (s.size == 0)
		return 0;
	ret->whole = end || !l->ended;
	ret->too_long = !end && seen >= LONGEST_LINE;
	ret->text = span_upto(s, end ? (size_t)(end - s.at) : s.size);
	ret->size = ret->text.size + (end ? 1 : 0);
	while (ret->text.size && ret->text.at[ret->text.size - 1] == '\r')
		ret->text.size--;
	ret->number = l->number;
	ret->offset = source_offset(l->source) + l->at;
	return 1;
}

void stat_lines_skip(struct stat_lines *l, size_t size)
{
	const uint8_t *p = l->window.at + l->at, *end = p + size;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		l->number++;
		p++;
	}
	l->at += size;
}
