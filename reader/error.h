/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line for what stopped us.  fail() fills it and returns -1, so that a
 * function can end with `return fail(err, offset, "...")`.
 */
#ifndef PERFTAB_ERROR_H
#define PERFTAB_ERROR_H

#include <stdint.h>

/* For a failure that has no place in the input. */
#define NO_OFFSET UINT64_MAX

struct error {
	char text[400];
};

/*
 * Writes one line, without the name of the input, and the offset where there is
 * one: "record header is cut off (offset 104)".  Returns -1.
 */
int fail(struct error *err, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
