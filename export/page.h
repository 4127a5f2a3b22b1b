/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report for people: headings, lines, tables of few digits, notes.  The terminal and
 * Markdown draw the same page in their own way (page_text.c, page_md.c).
 */
#ifndef PERFTAB_PAGE_H
#define PERFTAB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reader/error.h"

enum page_align { PAGE_LEFT, PAGE_RIGHT };

struct page_column {
	const char *heading;
	enum page_align align;
};

struct page;

/* Draws to `out`, which stays the caller's. `color`: terminal attributes may be used. */
struct page *page_text_new(FILE *out, bool color);
struct page *page_md_new(FILE *out);

void page_heading(struct page *p, int level, const char *text);
/* A paragraph.  Markdown escapes what needs it. */
void page_line(struct page *p, const char *text);
void page_linef(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Lines to be copied as they are: a command, a formula with its numbers. */
void page_command(struct page *p, const char *text);
/* A picture beside the page; the terminal shows nothing. */
void page_image(struct page *p, const char *what, const char *path);
/* "name: value" pairs that belong together. */
void page_fact(struct page *p, const char *name, const char *value);

/*
 * A table: begin, rows of as many cells as columns, end.  NULL or "" cells are empty.  Cells are copied.
 * A column that is empty in every row is left out.
 */
void page_table_begin(struct page *p, const struct page_column *columns, size_t nr);
/* `indent`: depth below the previous rows (level 2 under its level 1), shown in the first cell. */
void page_table_row(struct page *p, int indent, const char *const *cells);
/* A line between groups of rows. */
void page_table_rule(struct page *p);
void page_table_end(struct page *p);

/* A note below a table. */
void page_note(struct page *p, const char *text);

/*
 * 0, or -1, *err and errno when something could not be written (an empty *err: the reader closed the
 * pipe).  Frees the page.
 */
int page_finish(struct page *p, struct error *err);

#endif
