// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page: takes headings, lines, facts and tables, and gives each to its class when it is whole.
 * Names from a capture may hold anything; here they become harmless for a terminal.
 */
#include "export/page.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "export/page_draw.h"
#include "export/utf8.h"
#include "reader/arena.h"

enum piece { PIECE_NONE, PIECE_TEXT, PIECE_FACTS, PIECE_TABLE, PIECE_NOTE };

struct page {
	const struct page_class *class;
	FILE *out;
	bool color;
	int failed; /* errno of the first write that failed */
	enum piece last;
	/* The table, or the facts, that are not whole yet. */
	enum piece open;
	struct arena *arena;
	struct page_column *columns;
	size_t nr_columns;
	struct page_row *rows;
	size_t nr_rows, max_rows;
};

struct page *page_new(const struct page_class *class, FILE *out, bool color)
{
	struct page *p = must_alloc(sizeof(*p));

	*p = (struct page){ .class = class, .out = out, .color = color };
	return p;
}

/* ---- text ---- */

/*
 * One line without control characters: line ends and tabs become spaces, other controls (also
 * those of two bytes, U+0080 to U+009F) and bytes that are not UTF-8 become U+FFFD.
 */
static size_t clean_text(char *to, const char *text)
{
	size_t size = strlen(text);
	char *start = to;
	char *whole = must_alloc(size * UTF8_GROWTH + 1);
	const unsigned char *s = (const unsigned char *)whole;

	size = utf8_clean(whole, text, size);
	for (size_t i = 0; i < size; i++) {
		bool two = i + 1 < size && s[i] == 0xc2 && s[i + 1] < 0xa0;

		if (s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
			*to++ = ' ';
		} else if (s[i] < 0x20 || s[i] == 0x7f || two) {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
			i += two;
		} else {
			*to++ = (char)s[i];
		}
	}
	*to = 0;
	free(whole);
	return (size_t)(to - start);
}

/* To be freed. */
static char *cleaned(const char *text)
{
	char *to = must_alloc(strlen(text ? text : "") * UTF8_GROWTH + 1);

	clean_text(to, text ? text : "");
	return to;
}

static const char *cleaned_in(struct arena *arena, const char *text)
{
	char *copy = cleaned(text);
	const char *result = arena_strdup(arena, copy);

	free(copy);
	return result;
}

/* ---- pieces ---- */

/* After a piece: keeps the errno of the first failure, which stdio forgets. */
static void piece_end(struct page *p, enum piece piece)
{
	p->last = piece;
	if (ferror(p->out) && !p->failed)
		p->failed = errno ? errno : EIO;
}

static void piece_begin(struct page *p, enum piece piece)
{
	errno = 0;
	if (p->last != PIECE_NONE && !(piece == PIECE_NOTE && p->last == PIECE_NOTE))
		fputc('\n', p->out);
}

static void rows_begin(struct page *p, enum piece piece)
{
	p->open = piece;
	p->arena = arena_new();
	p->nr_rows = 0;
}

static void rows_add(struct page *p, int indent, const char *const *cells)
{
	const char **copy = NULL;

	if (cells) {
		copy = arena_alloc(p->arena, p->nr_columns * sizeof(copy[0]));
		for (size_t i = 0; i < p->nr_columns; i++)
			copy[i] = cleaned_in(p->arena, cells[i]);
	}
	if (p->nr_rows == p->max_rows) {
		p->max_rows = 2 * p->max_rows + 16;
		p->rows = must_realloc(p->rows, p->max_rows, sizeof(p->rows[0]));
	}
	p->rows[p->nr_rows++] = (struct page_row){ .indent = indent < 0 ? 0 : indent, .cells = copy };
}

static bool column_is_empty(const struct page *p, size_t column)
{
	for (size_t i = 0; i < p->nr_rows; i++)
		if (p->rows[i].cells && *p->rows[i].cells[column])
			return false;
	return true;
}

static void drop_column(struct page *p, size_t column)
{
	size_t behind = p->nr_columns - column - 1;

	memmove(&p->columns[column], &p->columns[column + 1], behind * sizeof(p->columns[0]));
	for (size_t i = 0; i < p->nr_rows; i++)
		if (p->rows[i].cells)
			memmove(&p->rows[i].cells[column], &p->rows[i].cells[column + 1],
				behind * sizeof(p->rows[i].cells[0]));
	p->nr_columns--;
}

static void drop_empty_columns(struct page *p)
{
	for (size_t c = p->nr_columns; c-- > 0 && p->nr_columns > 1;)
		if (column_is_empty(p, c))
			drop_column(p, c);
}

static void rows_draw(struct page *p)
{
	const struct page_table table = { p->columns, p->nr_columns, p->rows, p->nr_rows };
	enum piece piece = p->open;

	piece_begin(p, piece);
	if (piece == PIECE_FACTS)
		p->class->facts(p->out, p->color, &table);
	else
		p->class->table(p->out, p->color, &table);
	piece_end(p, piece);
	arena_free(p->arena);
	p->arena = NULL;
	p->open = PIECE_NONE;
}

/* Facts end where something else begins; a table must have been ended. */
static void facts_end(struct page *p)
{
	assert(p->open != PIECE_TABLE);
	if (p->open == PIECE_FACTS)
		rows_draw(p);
}

/* ---- the page ---- */

void page_heading(struct page *p, int level, const char *text)
{
	char *clean = cleaned(text);

	facts_end(p);
	piece_begin(p, PIECE_TEXT);
	p->class->heading(p->out, p->color, level, clean);
	piece_end(p, PIECE_TEXT);
	free(clean);
}

void page_line(struct page *p, const char *text)
{
	char *clean = cleaned(text);

	facts_end(p);
	piece_begin(p, PIECE_TEXT);
	p->class->line(p->out, clean);
	piece_end(p, PIECE_TEXT);
	free(clean);
}

void page_linef(struct page *p, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	page_line(p, text);
	free(text);
}

/* An indented block is verbatim on the terminal and in Markdown. */
void page_command(struct page *p, const char *text)
{
	facts_end(p);
	piece_begin(p, PIECE_TEXT);
	while (*text) {
		size_t size = strcspn(text, "\n");
		char *line = must_alloc(size + 1), *clean;

		memcpy(line, text, size);
		line[size] = 0;
		clean = cleaned(line);
		fprintf(p->out, "    %s\n", clean);
		free(clean);
		free(line);
		text += size + (text[size] == '\n');
	}
	piece_end(p, PIECE_TEXT);
}

void page_image(struct page *p, const char *what, const char *path)
{
	if (!p->class->image)
		return;
	facts_end(p);
	piece_begin(p, PIECE_TEXT);
	p->class->image(p->out, what, path);
	piece_end(p, PIECE_TEXT);
}

void page_fact(struct page *p, const char *name, const char *value)
{
	const char *cells[] = { name, value };

	assert(p->open != PIECE_TABLE);
	if (p->open != PIECE_FACTS) {
		rows_begin(p, PIECE_FACTS);
		p->columns = NULL;
		p->nr_columns = 2;
	}
	rows_add(p, 0, cells);
}

void page_table_begin(struct page *p, const struct page_column *columns, size_t nr)
{
	facts_end(p);
	rows_begin(p, PIECE_TABLE);
	p->columns = arena_alloc(p->arena, nr * sizeof(columns[0]));
	p->nr_columns = nr;
	for (size_t i = 0; i < nr; i++)
		p->columns[i] = (struct page_column){ cleaned_in(p->arena, columns[i].heading), columns[i].align };
}

void page_table_row(struct page *p, int indent, const char *const *cells)
{
	assert(p->open == PIECE_TABLE);
	rows_add(p, indent, cells);
}

void page_table_rule(struct page *p)
{
	assert(p->open == PIECE_TABLE);
	rows_add(p, 0, NULL);
}

void page_table_end(struct page *p)
{
	assert(p->open == PIECE_TABLE);
	if (p->nr_rows)
		drop_empty_columns(p);
	rows_draw(p);
}

void page_note(struct page *p, const char *text)
{
	char *clean = cleaned(text);

	facts_end(p);
	piece_begin(p, PIECE_NOTE);
	p->class->note(p->out, clean);
	piece_end(p, PIECE_NOTE);
	free(clean);
}

int page_finish(struct page *p, struct error *err)
{
	int failed;

	facts_end(p);
	errno = 0;
	if (!p->failed && fflush(p->out))
		p->failed = errno ? errno : EIO;
	failed = p->failed;
	free(p->rows);
	free(p);
	if (!failed)
		return 0;
	if (failed == EPIPE)
		err->text[0] = 0; /* the reader has seen enough */
	else
		fail(err, NO_OFFSET, "cannot write the report: %s", strerror(failed));
	errno = failed;
	return -1;
}
