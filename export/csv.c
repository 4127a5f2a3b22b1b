// SPDX-License-Identifier: GPL-2.0-only
/* One line of CSV. */
#include "export/csv.h"

#include <string.h>

#include "export/number.h"
#include "export/utf8.h"

static const char quoted_bytes[256] = { [','] = 1, ['"'] = 1, ['\n'] = 1, ['\r'] = 1 };

/* Clean text of which nothing needs a quote ends in `to`; otherwise false, and nothing is kept. */
static bool copy_plain(char *to, const unsigned char *text, size_t size)
{
	unsigned char odd = 0;

	memcpy(to, text, size);
	for (size_t i = 0; i < size; i++)
		odd |= (unsigned char)(quoted_bytes[text[i]] | (text[i] & 0x80));
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

/* memcmp() for a few bytes, without the call. */
static inline bool same_bytes(const char *a, const char *b, size_t size)
{
	uint64_t x, y;

	for (; size >= 8; size -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return false;
	}
	while (size && *a == *b) {
		size--;
		a++;
		b++;
	}
	return size == 0;
}

/* Writes what is remembered where the value is the same as in the last row. */
static inline size_t put_again(char *to, struct csv_field *f, const struct value *v)
{
	if (f->kind != v->kind)
		return 0;
	if (v->kind == VALUE_REAL ? memcmp(&f->real, &v->r, sizeof(f->real)) != 0 :
				    v->size != f->length || !same_bytes(f->written, v->p, v->size))
		return 0;
	memcpy(to, f->written, CSV_REMEMBERED);
	f->missed = 0;
	return f->length;
}

enum { MISSES = 50 };

static void remember(struct csv_field *f, const struct value *v, const char *written, size_t length)
{
	f->kind = 0;
	if (f->missed == MISSES)
		return;
	f->missed++;
	if (length > CSV_REMEMBERED || (v->kind == VALUE_TEXT && length != v->size))
		return;
	f->kind = (uint8_t)v->kind;
	f->length = (uint8_t)length;
	if (v->kind == VALUE_REAL)
		f->real = v->r;
	memcpy(f->written, written, length);
}

static void put_long(struct writer *w, const struct value *v, struct csv_field *f)
{
	size_t before = w->used;

	if (v->kind == VALUE_BLOB) {
		put_blob(w, v->p, v->size);
		return;
	}
	put_text(w, v->p, v->size);
	/* a flush in between moves the text to the begin of the buffer */
	if (f && w->used >= before && w->used - before == v->size)
		remember(f, v, w->buffer + before, v->size);
}

/* The fields of a row up to its next new text go without asking for room each time. */
void csv_row(struct writer *w, const struct table *table, const struct value *values, struct csv_memory *memory)
{
	size_t most = table->nr_columns * (NUMBER_MAX + 1 + CSV_REMEMBERED) + 1;
	char *start = writer_room(w, most), *to = start;

	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct value *v = &values[i];
		struct csv_field *f = i < CSV_COLUMNS ? &memory->fields[i] : NULL;
		size_t again;

		if (i)
			*to++ = ',';
		if (v->kind == VALUE_INT) {
			to += table->columns[i].type == COLUMN_HEX ? number_hex(to, (uint64_t)v->i) : number_i64(to, v->i);
		} else if (v->kind == VALUE_NULL) {
			continue;
		} else if (f && (again = put_again(to, f, v)) != 0) {
			to += again;
		} else if (v->kind == VALUE_REAL) {
			size_t length = number_real(to, v->r);

			if (f)
				remember(f, v, to, length);
			to += length;
		} else {
			writer_used(w, (size_t)(to - start));
			put_long(w, v, f);
			start = to = writer_room(w, most);
		}
	}
	*to++ = '\n';
	writer_used(w, (size_t)(to - start));
}
