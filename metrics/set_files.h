/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of metrics/sets/ as they are compiled in; the array ends with name NULL. */
#ifndef PERFTAB_SET_FILES_H
#define PERFTAB_SET_FILES_H

#include <stddef.h>

struct set_file {
	const char *name; /* without .json */
	const char *text; /* NUL-terminated */
	size_t size;
};

extern const struct set_file set_files[];

#endif
