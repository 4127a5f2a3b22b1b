// SPDX-License-Identifier: GPL-2.0-only
/* A page on a terminal: aligned columns, one place for each code point, paragraphs of a hundred columns. */
#include "export/page_draw.h"

#include <stdlib.h>
#include <string.h>

#include "export/utf8.h"
#include "reader/arena.h"

#define LINE_WIDTH 100
#define INDENT 2 /* columns for each level */
#define GAP 2    /* between columns */

static const char bold[] = "\033[1m", plain[] = "\033[0m";

static void put_many(FILE *out, char c, size_t n)
{
	while (n-- > 0)
		fputc(c, out);
}

/* Words until the line is full; the lines after the first begin with `indent` spaces. */
static void put_wrapped(FILE *out, const char *text, size_t column, size_t indent)
{
	bool first = true;

	while (*(text += strspn(text, " "))) {
		size_t size = strcspn(text, " ");
		char word[4 * LINE_WIDTH];
		size_t width = size;

		if (size < sizeof(word)) { /* a longer word is a line of its own, whatever its width */
			memcpy(word, text, size);
			word[size] = 0;
			width = utf8_width(word);
		}
		if (!first && column + 1 + width > LINE_WIDTH) {
			fputc('\n', out);
			put_many(out, ' ', indent);
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, size, out);
		column += width;
		text += size;
		first = false;
	}
	fputc('\n', out);
}

static void text_heading(FILE *out, bool color, int level, const char *text)
{
	if (color) {
		fprintf(out, "%s%s%s\n", bold, text, plain);
		return;
	}
	fprintf(out, "%s\n", text);
	put_many(out, level > 1 ? '-' : '=', utf8_width(text));
	fputc('\n', out);
}

static void text_line(FILE *out, const char *text)
{
	put_wrapped(out, text, 0, 0);
}

static void text_note(FILE *out, const char *text)
{
	fputs("- ", out);
	put_wrapped(out, text, 2, 2);
}

static void text_facts(FILE *out, bool color, const struct page_table *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->nr_rows; i++) {
		size_t w = utf8_width(t->rows[i].cells[0]);

		width = w > width ? w : width;
	}
	for (size_t i = 0; i < t->nr_rows; i++) {
		const char *name = t->rows[i].cells[0];

		fprintf(out, "%s%s:%s", color ? bold : "", name, color ? plain : "");
		put_many(out, ' ', width - utf8_width(name) + 1);
		put_wrapped(out, t->rows[i].cells[1], width + 2, width + 2);
	}
}

/* ---- tables ---- */

static size_t cell_indent(const struct page_row *row, size_t column)
{
	return column ? 0 : (size_t)row->indent * INDENT;
}

static size_t *column_widths(const struct page_table *t)
{
	size_t *widths = must_realloc(NULL, t->nr_columns + 1, sizeof(widths[0]));

	for (size_t c = 0; c < t->nr_columns; c++) {
		widths[c] = utf8_width(t->columns[c].heading);
		for (size_t r = 0; r < t->nr_rows; r++) {
			const struct page_row *row = &t->rows[r];
			size_t w = row->cells ? cell_indent(row, c) + utf8_width(row->cells[c]) : 0;

			widths[c] = w > widths[c] ? w : widths[c];
		}
	}
	return widths;
}

/* `pending`: spaces that are only written when something follows them on the line */
static void put_cell(FILE *out, const char *text, size_t indent, enum page_align align, size_t width, size_t *pending)
{
	size_t used = indent + utf8_width(text);
	size_t before = align == PAGE_RIGHT ? width - used : indent;

	if (!*text) {
		*pending += width;
		return;
	}
	put_many(out, ' ', *pending + before);
	fputs(text, out);
	*pending = width - before - (used - indent);
}

static void put_row(FILE *out, const struct page_table *t, const size_t *widths, const struct page_row *row)
{
	size_t pending = 0;

	for (size_t c = 0; c < t->nr_columns; c++) {
		put_cell(out, row->cells[c], cell_indent(row, c), t->columns[c].align, widths[c], &pending);
		pending += GAP;
	}
	fputc('\n', out);
}

static void put_rule(FILE *out, const struct page_table *t, const size_t *widths)
{
	for (size_t c = 0; c < t->nr_columns; c++) {
		put_many(out, ' ', c ? GAP : 0);
		put_many(out, '-', widths[c]);
	}
	fputc('\n', out);
}

static void put_headings(FILE *out, bool color, const struct page_table *t, const size_t *widths)
{
	const char **cells = must_realloc(NULL, t->nr_columns + 1, sizeof(cells[0]));

	for (size_t c = 0; c < t->nr_columns; c++)
		cells[c] = t->columns[c].heading;
	fputs(color ? bold : "", out);
	put_row(out, t, widths, &(struct page_row){ .cells = cells });
	fputs(color ? plain : "", out);
	put_rule(out, t, widths);
	free(cells);
}

static void text_table(FILE *out, bool color, const struct page_table *t)
{
	size_t *widths = column_widths(t);

	put_headings(out, color, t, widths);
	for (size_t r = 0; r < t->nr_rows; r++) {
		if (t->rows[r].cells)
			put_row(out, t, widths, &t->rows[r]);
		else
			put_rule(out, t, widths);
	}
	free(widths);
}

static const struct page_class text_class = {
	.heading = text_heading,
	.line = text_line,
	.facts = text_facts,
	.table = text_table,
	.note = text_note,
};

struct page *page_text_new(FILE *out, bool color)
{
	return page_new(&text_class, out, color);
}
