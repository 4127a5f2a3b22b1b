// SPDX-License-Identifier: GPL-2.0-only
/*
 * One JSON object: {"capture":[{"id":1,…},…],"feature":[…],…}, every table of the schema
 * in its order, a row a line.  NULL is null, and so is an infinite number, which JSON does not
 * have; reals are %.17g; COLUMN_HEX are strings "0x1a0", blobs strings of hexadecimal
 * digits.  Text is UTF-8: bytes that are not become U+FFFD.
 *
 * Rows of different tables come mixed and a table must stand in one piece: each table's
 * rows go to an unlinked temporary file in the target's folder, joined at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

#include "export/number.h"
#include "export/outfile.h"
#include "export/sink.h"
#include "export/table_list.h"
#include "export/utf8.h"
#include "export/writer.h"
#include "reader/arena.h"

struct sink_state {
	struct outfile *out;
	char *folder; /* for the temporary files */
	struct table_list tables;
	struct part *parts; /* one for each of the tables */
	size_t nr_parts;
};

/* The rows of one table. */
struct part {
	struct writer rows; /* its `out` is NULL before the first one */
	struct key *keys;   /* of the columns; NULL before the first row */
};

/* "name": with what stands before it */
struct key {
	char *text;
	size_t size;
};

/* ---- values ---- */

/* Clean text of which nothing needs an escape ends in `to`; otherwise false, and nothing is kept. */
static bool copy_plain(char *to, const unsigned char *text, size_t size)
{
	unsigned char odd = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = text[i];

		to[i] = (char)c;
		odd |= c < 0x20 || c >= 0x7f || c == '"' || c == '\\';
	}
	return !odd;
}

static char *put_escaped_char(char *to, unsigned char c)
{
	if (c == '"' || c == '\\') {
		*to++ = '\\';
		*to++ = (char)c;
	} else if (c < 0x20 || c == 0x7f) {
		memcpy(to, "\\u00", 4);
		to[4] = (char)('0' + (c >> 4));
		to[5] = "0123456789abcdef"[c & 15];
		to += 6;
	} else {
		*to++ = (char)c;
	}
	return to;
}

static void put_escaped(struct writer *w, const void *text, size_t size)
{
	/* The cleaned text is put behind the place where it goes with its escapes. */
	size_t most = size * UTF8_GROWTH;
	char *start = writer_room(w, 7 * most + 2), *to = start;
	char *clean = start + 6 * most + 2;

	*to++ = '"';
	if (copy_plain(to, text, size)) {
		to += size;
	} else {
		size = utf8_clean(clean, text, size);
		for (size_t i = 0; i < size; i++)
			to = put_escaped_char(to, (unsigned char)clean[i]);
	}
	*to++ = '"';
	writer_used(w, (size_t)(to - start));
}

static void put_blob(struct writer *w, const unsigned char *bytes, size_t size)
{
	char *to = writer_room(w, 2 * size + 2);

	to[0] = '"';
	for (size_t i = 0; i < size; i++) {
		to[1 + 2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		to[2 + 2 * i] = "0123456789abcdef"[bytes[i] & 15];
	}
	to[1 + 2 * size] = '"';
	writer_used(w, 2 * size + 2);
}

static void put_integer(struct writer *w, const struct column *column, int64_t v)
{
	char *to = writer_room(w, NUMBER_MAX + 2);
	size_t n = 0;

	if (column->type != COLUMN_HEX) {
		writer_used(w, number_i64(to, v));
		return;
	}
	to[n++] = '"';
	n += number_hex(to + n, (uint64_t)v);
	to[n++] = '"';
	writer_used(w, n);
}

static void put_value(struct writer *w, const struct column *column, const struct value *v)
{
	if (v->kind == VALUE_INT)
		put_integer(w, column, v->i);
	else if (v->kind == VALUE_REAL && isfinite(v->r))
		writer_used(w, number_real(writer_room(w, NUMBER_MAX), v->r));
	else if (v->kind == VALUE_TEXT)
		put_escaped(w, v->p, v->size);
	else if (v->kind == VALUE_BLOB)
		put_blob(w, v->p, v->size);
	else
		writer_put(w, "null", 4);
}

/* ---- parts ---- */

/* A file without a name, that goes with its last descriptor.  NULL and errno. */
static FILE *spill_open(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) { /* a file system that does not know O_TMPFILE */
		size_t size = strlen(folder) + sizeof("/.perftab-XXXXXX");
		char *path = must_alloc(size);

		snprintf(path, size, "%s/.perftab-XXXXXX", folder);
		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
		free(path);
	}
	return fd < 0 ? NULL : fdopen(fd, "w+");
}

static void parts_grow(struct sink_state *s)
{
	s->parts = must_realloc(s->parts, s->tables.nr + 1, sizeof(s->parts[0]));
	while (s->nr_parts < s->tables.nr)
		s->parts[s->nr_parts++] = (struct part){ .keys = NULL };
}

/* Where the temporary files go: beside the target; for standard output where the system keeps such. */
static char *spill_folder(const char *path)
{
	const char *system = getenv("TMPDIR");
	const char *from = path ? path : system && *system ? system : "/tmp";
	char *copy = must_alloc(strlen(from) + 1), *folder;
	const char *name;

	strcpy(copy, from);
	name = path ? dirname(copy) : copy;
	folder = must_alloc(strlen(name) + 1);
	strcpy(folder, name);
	free(copy);
	return folder;
}

static int json_open(struct sink_state *s, const char *path, const struct schema *schema,
		     const struct sink_options *options, struct error *err)
{
	s->out = outfile_open(path, options->force, err);
	if (!s->out)
		return -1;
	s->folder = spill_folder(outfile_temporary(s->out));
	table_list_init(&s->tables, schema);
	parts_grow(s);
	return 0;
}

/* `,"name":`, escaped once and not in each row. */
static void keys_make(struct part *part, const struct table *table)
{
	struct writer w = { .out = NULL };

	part->keys = must_realloc(NULL, table->nr_columns + 1, sizeof(part->keys[0]));
	for (size_t i = 0; i < table->nr_columns; i++) {
		struct key *key = &part->keys[i];

		writer_room(&w, 4 + 8 * UTF8_GROWTH * strlen(table->columns[i].name)); /* it has nowhere to flush to */
		writer_char(&w, i ? ',' : '{');
		put_escaped(&w, table->columns[i].name, strlen(table->columns[i].name));
		writer_char(&w, ':');
		key->size = w.used;
		key->text = memcpy(must_alloc(w.used), w.buffer, w.used);
		w.used = 0;
	}
	writer_free(&w);
}

static void part_free(struct part *part, size_t nr_columns)
{
	for (size_t i = 0; part->keys && i < nr_columns; i++)
		free(part->keys[i].text);
	free(part->keys);
	if (part->rows.out)
		fclose(part->rows.out);
	writer_free(&part->rows);
}

static int part_begin(const struct sink_state *s, struct part *part, const struct table *table, struct error *err)
{
	part->rows.out = spill_open(s->folder);
	if (!part->rows.out)
		return outfile_failed(s->out, errno, err);
	keys_make(part, table);
	return 0;
}

static int json_row(struct sink_state *s, const struct table *table, const struct value *values, struct error *err)
{
	size_t at = table_list_find(&s->tables, table);
	struct part *part;
	struct writer *w;

	if (at >= s->nr_parts)
		parts_grow(s);
	part = &s->parts[at];
	w = &part->rows;
	if (w->out)
		writer_char(w, ',');
	else if (part_begin(s, part, table, err))
		return -1;
	writer_char(w, '\n');
	for (size_t i = 0; i < table->nr_columns; i++) {
		writer_put(w, part->keys[i].text, part->keys[i].size);
		put_value(w, &table->columns[i], &values[i]);
	}
	writer_char(w, '}');
	return w->failed ? outfile_failed(s->out, w->failed, err) : 0;
}

/* ---- joining ---- */

/* 0, or an errno. */
static int copy_part(struct writer *to, struct writer *part)
{
	char piece[16 * 1024];
	size_t size;

	if (writer_flush(part) || fflush(part->out))
		return errno;
	rewind(part->out);
	while ((size = fread(piece, 1, sizeof(piece), part->out)) > 0)
		writer_put(to, piece, size);
	return ferror(part->out) ? EIO : 0;
}

static int join(struct sink_state *s, struct writer *to)
{
	writer_char(to, '{');
	for (size_t i = 0; i < s->nr_parts; i++) {
		const char *name = s->tables.tables[i]->name;
		struct writer *part = &s->parts[i].rows;
		int problem;

		if (i)
			writer_put(to, ",\n", 2);
		put_escaped(to, name, strlen(name));
		writer_put(to, ":[", 2);
		problem = part->out ? copy_part(to, part) : 0;
		if (problem)
			return problem;
		writer_char(to, ']');
	}
	writer_put(to, "}\n", 2);
	return writer_flush(to) ? errno : 0;
}

static int json_finish(struct sink_state *s, struct error *err)
{
	struct outfile *out = s->out;
	struct writer whole = { .out = outfile_stream(out) };
	int problem = join(s, &whole);

	writer_free(&whole);
	if (problem)
		return outfile_failed(out, problem, err);
	s->out = NULL;
	return outfile_finish(out, err);
}

static void json_abandon(struct sink_state *s)
{
	for (size_t i = 0; i < s->nr_parts; i++)
		part_free(&s->parts[i], s->tables.tables[i]->nr_columns);
	free(s->parts);
	free(s->folder);
	table_list_free(&s->tables);
	outfile_abandon(s->out);
}

static const char *const suffixes[] = { ".json", NULL };

const struct sink_class sink_json = {
	.name = "json",
	.suffixes = suffixes,
	.state_size = sizeof(struct sink_state),
	.open = json_open,
	.row = json_row,
	.finish = json_finish,
	.abandon = json_abandon,
};
