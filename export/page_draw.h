/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between a page (page.c gathers and cleans what it is given) and how it is drawn (page_text.c,
 * page_md.c).  All texts are one line of UTF-8 without control characters.
 */
#ifndef PERFTAB_PAGE_DRAW_H
#define PERFTAB_PAGE_DRAW_H

#include "export/page.h"

struct page_row {
	int indent;         /* of the first cell */
	const char **cells; /* as many as there are columns; NULL: a rule */
};

struct page_table {
	const struct page_column *columns;
	size_t nr_columns;
	const struct page_row *rows;
	size_t nr_rows;
};

/* Pieces are separated by empty lines, which page.c draws. */
struct page_class {
	void (*heading)(FILE *out, bool color, int level, const char *text);
	void (*line)(FILE *out, const char *text);
	void (*facts)(FILE *out, bool color, const struct page_table *names_and_values);
	void (*table)(FILE *out, bool color, const struct page_table *table);
	void (*note)(FILE *out, const char *text);
	void (*image)(FILE *out, const char *what, const char *path); /* NULL: shows none */
};

struct page *page_new(const struct page_class *class, FILE *out, bool color);

#endif
