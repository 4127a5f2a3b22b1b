// SPDX-License-Identifier: GPL-2.0-only
/* The line that says why we cannot go on. */
#include "reader/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct error *err, uint64_t offset, const char *format, ...)
{
	va_list args;
	size_t used;

	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	if (offset != NO_OFFSET)
		snprintf(err->text + used, sizeof(err->text) - used, " (offset %" PRIu64 ")", offset);
	return -1;
}
