// SPDX-License-Identifier: GPL-2.0-only
/* The tally of what could not be used. */
#include "reader/damage.h"

#include <stdarg.h>
#include <stdio.h>

#include "reader/error.h"

static const struct {
	const char *name;
	enum damage_class class;
	const char *text;
} kinds[DAMAGE_NR] = {
#define X(kind, name, class, text) { name, class, text },
	DAMAGE_KINDS(X)
#undef X
};

void damage_add(struct damage *d, enum damage_kind kind, uint64_t offset, uint64_t n)
{
	if (n == 0)
		return;
	if (d->of[kind].count == 0)
		d->of[kind].first_offset = offset;
	d->of[kind].count += n;
}

void damage_note(struct damage *d, enum damage_kind kind, uint64_t offset)
{
	damage_add(d, kind, offset, 1);
}

void damage_say(struct damage *d, enum damage_kind kind, uint64_t offset, const char *format, ...)
{
	va_list args;

	if (d->of[kind].count == 0) {
		va_start(args, format);
		vsnprintf(d->of[kind].detail, sizeof(d->of[kind].detail), format, args);
		va_end(args);
	}
	damage_add(d, kind, offset, 1);
}

const char *damage_name(enum damage_kind kind)
{
	return kinds[kind].name;
}

const char *damage_text(enum damage_kind kind)
{
	return kinds[kind].text;
}

enum damage_class damage_class_of(enum damage_kind kind)
{
	return kinds[kind].class;
}

bool damage_lost(const struct damage *d)
{
	for (int k = 0; k < DAMAGE_NR; k++)
		if (d->of[k].count && kinds[k].class == DAMAGE_LOSS)
			return true;
	return false;
}
