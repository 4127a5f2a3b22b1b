// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page as Markdown (GitHub's dialect).  What the capture calls its things is text and
 * never markup.
 */
#include "export/page_draw.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "export/utf8.h"
#include "reader/arena.h"

#define INDENT "&emsp;" /* for each level: GitHub drops spaces at the edge of a cell */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/*
 * An underscore inside a word is itself (frontend_bound), at its edge it is emphasis; an ampersand
 * matters when it looks like an entity.
 */
static bool needs_escape(const char *text, size_t at)
{
	char c = text[at], next = text[at + 1];

	if (c == '_')
		return !(at && is_word(text[at - 1]) && is_word(next));
	if (c == '&')
		return is_word(next) || next == '#';
	return strchr("\\`*<[]|~$", c) != NULL;
}

/* `to` has room for twice the text and a NUL. */
static char *escape(char *to, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (needs_escape(text, i))
			*to++ = '\\';
		*to++ = text[i];
	}
	*to = 0;
	return to;
}

static void put_escaped(FILE *out, const char *text)
{
	char *copy = must_alloc(2 * strlen(text) + 1);

	escape(copy, text);
	fputs(copy, out);
	free(copy);
}

/* At the start of a line some more is markup: "# ", "- ", "> ", "1. ". */
static void put_paragraph(FILE *out, const char *text)
{
	size_t digits;

	text += strspn(text, " ");
	digits = strspn(text, "0123456789");
	if (*text && strchr("#>+-=", *text)) {
		fprintf(out, "\\%c", *text++);
	} else if (digits && strchr(".)", text[digits] ? text[digits] : 'x') && text[digits + 1] == ' ') {
		fprintf(out, "%.*s\\%c", (int)digits, text, text[digits]);
		text += digits + 1;
	}
	put_escaped(out, text);
	fputc('\n', out);
}

static void md_heading(FILE *out, bool color, int level, const char *text)
{
	(void)color;
	for (int i = 0; i < level && i < 6; i++)
		fputc('#', out);
	fputc(' ', out);
	put_escaped(out, text);
	fputc('\n', out);
}

static void md_note(FILE *out, const char *text)
{
	fputs("- ", out);
	put_paragraph(out, text);
}

static void md_facts(FILE *out, bool color, const struct page_table *t)
{
	(void)color;
	for (size_t i = 0; i < t->nr_rows; i++) {
		fputs("- **", out);
		put_escaped(out, t->rows[i].cells[0]);
		fputs(":** ", out);
		put_escaped(out, t->rows[i].cells[1]);
		fputc('\n', out);
	}
}

/* ---- tables ---- */

/* The cell as it stands in the file, in the arena. */
static const char *cell_text(struct arena *arena, int indent, const char *text)
{
	size_t before = (size_t)indent * strlen(INDENT);
	char *cell = arena_alloc(arena, before + 2 * strlen(text) + 1);
	char *to = cell;

	for (int i = 0; i < indent; i++, to += strlen(INDENT))
		memcpy(to, INDENT, strlen(INDENT));
	escape(to, text);
	return cell;
}

/* Every cell of the headings and rows, escaped; rules have no form here and are left out. */
static const char **all_cells(struct arena *arena, const struct page_table *t, size_t *nr_lines)
{
	const char **cells = arena_alloc(arena, (t->nr_rows + 1) * t->nr_columns * sizeof(cells[0]));
	const char **to = cells;

	for (size_t c = 0; c < t->nr_columns; c++)
		*to++ = cell_text(arena, 0, t->columns[c].heading);
	*nr_lines = 1;
	for (size_t r = 0; r < t->nr_rows; r++) {
		const struct page_row *row = &t->rows[r];

		if (!row->cells)
			continue;
		for (size_t c = 0; c < t->nr_columns; c++)
			*to++ = cell_text(arena, c ? 0 : row->indent, row->cells[c]);
		++*nr_lines;
	}
	return cells;
}

static size_t column_width(const char *const *cells, size_t nr_lines, size_t nr_columns, size_t column)
{
	size_t width = 3;

	for (size_t i = 0; i < nr_lines; i++) {
		size_t w = utf8_width(cells[i * nr_columns + column]);

		width = w > width ? w : width;
	}
	return width;
}

static void put_padded(FILE *out, const char *text, enum page_align align, size_t width)
{
	int pad = (int)(width - utf8_width(text));

	if (align == PAGE_RIGHT)
		fprintf(out, " %*s%s |", pad, "", text);
	else
		fprintf(out, " %s%*s |", text, pad, "");
}

static void put_alignment(FILE *out, const struct page_table *t, const size_t *widths)
{
	fputc('|', out);
	for (size_t c = 0; c < t->nr_columns; c++) {
		bool right = t->columns[c].align == PAGE_RIGHT;

		fputc(' ', out);
		for (size_t i = right; i < widths[c]; i++)
			fputc('-', out);
		fputs(right ? ": |" : " |", out);
	}
	fputc('\n', out);
}

static void md_table(FILE *out, bool color, const struct page_table *t)
{
	struct arena *arena = arena_new();
	size_t nr_lines, *widths = arena_alloc(arena, (t->nr_columns + 1) * sizeof(widths[0]));
	const char *const *cells = all_cells(arena, t, &nr_lines);

	(void)color;
	for (size_t c = 0; c < t->nr_columns; c++)
		widths[c] = column_width(cells, nr_lines, t->nr_columns, c);
	for (size_t i = 0; i < nr_lines; i++) {
		fputc('|', out);
		for (size_t c = 0; c < t->nr_columns; c++)
			put_padded(out, cells[i * t->nr_columns + c], t->columns[c].align, widths[c]);
		fputc('\n', out);
		if (i == 0)
			put_alignment(out, t, widths);
	}
	arena_free(arena);
}

/* A path may hold what would end a link: it is written as a URL has it. */
static void md_image(FILE *out, const char *what, const char *path)
{
	fputs("![", out);
	put_escaped(out, what);
	fputs("](", out);
	for (; *path; path++)
		if (is_word(*path) || strchr("-._~/", *path))
			fputc(*path, out);
		else
			fprintf(out, "%%%02X", (unsigned char)*path);
	fputs(")\n", out);
}

static const struct page_class md_class = {
	.heading = md_heading,
	.line = put_paragraph,
	.facts = md_facts,
	.table = md_table,
	.note = md_note,
	.image = md_image,
};

struct page *page_md_new(FILE *out)
{
	return page_new(&md_class, out, false);
}
