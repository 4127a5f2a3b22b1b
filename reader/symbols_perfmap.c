// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of "START SIZE name", both in hex, with or without 0x.  Code that was thrown
 * away and made anew appears again at the same place: the later line is the one that is
 * still true at the end.
 */
#include "reader/symbols_perfmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts `text` in place. */
static bool parse_line(char *text, uint64_t *start, uint64_t *size, char **name)
{
	char *end;

	text[strcspn(text, "\n")] = '\0';
	*start = strtoull(text, &end, 16);
	if (end == text || *end != ' ')
		return false;
	text = end + 1;
	*size = strtoull(text, &end, 16);
	if (end == text || *end != ' ' || !end[1])
		return false;
	*name = end + 1;
	return true;
}

bool perfmap_load(struct symbol_table *t, const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t start, size;
	char *text = NULL, *name;
	size_t room = 0;

	if (!f)
		return false;
	while (getline(&text, &room, f) > 0)
		if (parse_line(text, &start, &size, &name))
			symbol_table_add(t, start, size, BINDING_GLOBAL, name, SIZE_MAX);
	free(text);
	fclose(f);
	t->latest = true;
	symbol_table_settle(t, ENDS_KEEP);
	return true;
}
