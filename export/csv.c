// SPDX-License-Identifier: GPL-2.0-only
/* One line of CSV. */
#include "export/csv.h"

#include "export/number.h"
#include "export/utf8.h"

static const char quoted_bytes[256] = { [','] = 1, ['"'] = 1, ['\n'] = 1, ['\r'] = 1 };

/* Clean text of which nothing needs a quote ends in `to`; otherwise false, and nothing is kept. */
static bool copy_plain(char *to, const unsigned char *text, size_t size)
{
	unsigned char odd = 0;

	for (size_t i = 0; i < size; i++) {
		to[i] = (char)text[i];
		odd |= (unsigned char)(quoted_bytes[text[i]] | (text[i] & 0x80));
	}
	return !odd;
}

static void put_text(struct writer *w, const void *text, size_t size)
{
	/* The cleaned text is put behind the place where it goes with its quotes. */
	size_t most = size * UTF8_GROWTH;
	char *to = writer_room(w, 3 * most + 2);
	char *clean = to + 2 * most + 2, *start = to;
	bool quote = false;

	if (copy_plain(to, text, size)) {
		writer_used(w, size);
		return;
	}
	size = utf8_clean(clean, text, size);
	for (size_t i = 0; i < size; i++)
		quote |= quoted_bytes[(unsigned char)clean[i]];
	if (quote)
		*to++ = '"';
	for (size_t i = 0; i < size; i++) {
		if (clean[i] == '"')
			*to++ = '"';
		*to++ = clean[i];
	}
	if (quote)
		*to++ = '"';
	writer_used(w, (size_t)(to - start));
}

static void put_blob(struct writer *w, const unsigned char *bytes, size_t size)
{
	char *to = writer_room(w, 2 * size);

	for (size_t i = 0; i < size; i++) {
		to[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		to[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	writer_used(w, 2 * size);
}

void csv_header(struct writer *w, const struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (i)
			writer_char(w, ',');
		put_text(w, table->columns[i].name, strlen(table->columns[i].name));
	}
	writer_char(w, '\n');
}

/* The numbers of a row up to its next text go without asking for room each time. */
void csv_row(struct writer *w, const struct table *table, const struct value *values)
{
	size_t numbers = table->nr_columns * (NUMBER_MAX + 1) + 1;
	char *start = writer_room(w, numbers), *to = start;

	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct value *v = &values[i];

		if (i)
			*to++ = ',';
		if (v->kind == VALUE_INT) {
			to += table->columns[i].type == COLUMN_HEX ? number_hex(to, (uint64_t)v->i) : number_i64(to, v->i);
		} else if (v->kind == VALUE_REAL) {
			to += number_real(to, v->r);
		} else if (v->kind != VALUE_NULL) {
			writer_used(w, (size_t)(to - start));
			if (v->kind == VALUE_TEXT)
				put_text(w, v->p, v->size);
			else
				put_blob(w, v->p, v->size);
			start = to = writer_room(w, numbers);
		}
	}
	*to++ = '\n';
	writer_used(w, (size_t)(to - start));
}
