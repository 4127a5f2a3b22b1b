// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run, every format: the folder of CSV, JSON and the database hold the same rows of
 * every table, and the flat tables are the views of the database.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sqlite3.h>

#include "export/output.h"
#include "export/schema.h"
#include "tests/sinks.h"
#include "tests/statdata.h"
#include "tests/test.h"

/* ---- CSV, read by RFC 4180 ---- */

struct csv {
	char *text, *at;
	char field[1 << 17];
	bool last; /* the field was the last of its line */
};

static bool csv_open(struct csv *c, const char *path)
{
	c->text = c->at = scratch_read(path);
	return c->text != NULL;
}

/* false at the end */
static bool csv_field(struct csv *c)
{
	size_t n = 0;
	bool quoted = *c->at == '"';

	if (!*c->at)
		return false;
	c->at += quoted;
	for (; *c->at; c->at++) {
		if (quoted && *c->at == '"' && *++c->at != '"')
			quoted = false;
		if (!quoted && strchr(",\r\n", *c->at))
			break;
		assert_true(n + 1 < sizeof(c->field));
		c->field[n++] = *c->at;
	}
	c->field[n] = 0;
	c->last = *c->at != ',';
	c->at += strspn(c->at, c->last ? "\r\n" : ",") ? (c->at[0] == '\r' ? 2 : 1) : 0;
	return true;
}

static void csv_heading(struct csv *c, const struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		assert_true(csv_field(c));
		assert_string_equal(c->field, table->columns[i].name);
		assert_int_equal(c->last, i + 1 == table->nr_columns);
	}
}

/* ---- one value in three forms ---- */

/* The database's value as the texts have it; NULL is "". */
static void text_of(sqlite3_stmt *s, int i, enum column_type type, char *to, size_t size)
{
	*to = 0;
	if (sqlite3_column_type(s, i) == SQLITE_NULL)
		return;
	switch (type) {
	case COLUMN_INT:
		snprintf(to, size, "%lld", (long long)sqlite3_column_int64(s, i));
		break;
	case COLUMN_HEX:
		snprintf(to, size, "0x%llx", (unsigned long long)sqlite3_column_int64(s, i));
		break;
	case COLUMN_REAL:
		snprintf(to, size, "%.17g", sqlite3_column_double(s, i));
		break;
	case COLUMN_TEXT:
		snprintf(to, size, "%s", (const char *)sqlite3_column_text(s, i));
		break;
	case COLUMN_BLOB:
		for (int b = 0; b < sqlite3_column_bytes(s, i); b++)
			snprintf(to + 2 * b, size - 2 * (size_t)b, "%02x", ((const uint8_t *)sqlite3_column_blob(s, i))[b]);
	}
}

static void check_csv(const char *where, const char *field, const char *text, enum column_type type)
{
	bool same = type == COLUMN_REAL && *text ? *field && strtod(field, NULL) == strtod(text, NULL) :
						   strcmp(field, text) == 0;

	if (!same)
		fail_msg("%s: the CSV has \"%s\", the database \"%s\"", where, field, text);
}

static void check_json(const char *where, const json_t *v, sqlite3_stmt *s, int i, const char *text,
		       enum column_type type)
{
	bool null = sqlite3_column_type(s, i) == SQLITE_NULL, same;

	if (null || json_is_null(v))
		same = null && json_is_null(v);
	else if (type == COLUMN_INT)
		same = json_is_integer(v) && json_integer_value(v) == sqlite3_column_int64(s, i);
	else if (type == COLUMN_REAL)
		same = json_is_number(v) && json_number_value(v) == sqlite3_column_double(s, i);
	else
		same = json_is_string(v) && strcmp(json_string_value(v), text) == 0;
	if (!same)
		fail_msg("%s: JSON differs from the database's \"%s\"", where, text);
}

/* ---- tables ---- */

static sqlite3_stmt *prepare(sqlite3 *db, const char *format, const char *name)
{
	sqlite3_stmt *s;
	char sql[500];

	snprintf(sql, sizeof(sql), format, name);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	return s;
}

static void check_row(const struct table *table, size_t row, sqlite3_stmt *s, struct csv *csv, const json_t *object)
{
	static char text[1 << 17];

	assert_int_equal(json_object_size(object), table->nr_columns);
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct column *column = &table->columns[i];
		char where[200];

		snprintf(where, sizeof(where), "%s.%s, row %zu", table->name, column->name, row);
		assert_true(csv_field(csv));
		assert_int_equal(csv->last, i + 1 == table->nr_columns);
		text_of(s, (int)i, column->type, text, sizeof(text));
		check_csv(where, csv->field, text, column->type);
		check_json(where, json_object_get(object, column->name), s, (int)i, text, column->type);
	}
}

static size_t check_table(sqlite3 *db, const struct table *table, const char *csv_path, const json_t *rows)
{
	sqlite3_stmt *s = prepare(db, "SELECT * FROM \"%s\" ORDER BY rowid", table->name);
	static struct csv csv;
	size_t nr = 0;

	assert_int_equal(sqlite3_column_count(s), table->nr_columns);
	assert_true(csv_open(&csv, csv_path));
	csv_heading(&csv, table);
	for (; sqlite3_step(s) == SQLITE_ROW; nr++)
		check_row(table, nr, s, &csv, json_array_get(rows, nr));
	assert_false(csv_field(&csv));
	assert_int_equal(json_array_size(rows), nr);
	free(csv.text);
	sqlite3_finalize(s);
	return nr;
}

/* The flat table of the run as a whole is the view without intervals and other places. */
static size_t check_flat(sqlite3 *db, const struct table *table, const char *view, const char *csv_path)
{
	sqlite3_stmt *s = prepare(db, "SELECT * FROM \"%s\" WHERE interval IS NULL AND place = 'run'", view);
	static char text[1 << 17];
	static struct csv csv;
	size_t nr = 0;

	assert_int_equal(sqlite3_column_count(s), table->nr_columns);
	assert_true(csv_open(&csv, csv_path));
	csv_heading(&csv, table);
	for (; sqlite3_step(s) == SQLITE_ROW; nr++)
		for (size_t i = 0; i < table->nr_columns; i++) {
			enum column_type type = table->columns[i].type;
			char where[200];

			snprintf(where, sizeof(where), "view %s.%s, row %zu", view, table->columns[i].name, nr);
			assert_string_equal(sqlite3_column_name(s, (int)i), table->columns[i].name);
			assert_true(csv_field(&csv));
			text_of(s, (int)i, type == COLUMN_HEX ? COLUMN_TEXT : type, text, sizeof(text));
			check_csv(where, csv.field, text, type);
		}
	if (csv_field(&csv))
		fail_msg("%s has more rows than the view %s: %zu", csv_path, view, nr);
	free(csv.text);
	sqlite3_finalize(s);
	return nr;
}

/* ---- one run ---- */

static void check_pragma(sqlite3 *db, const char *pragma, const char *want)
{
	sqlite3_stmt *s = prepare(db, "PRAGMA %s", pragma);
	int step = sqlite3_step(s);

	if (want) {
		assert_int_equal(step, SQLITE_ROW);
		assert_string_equal((const char *)sqlite3_column_text(s, 0), want);
	} else {
		assert_int_equal(step, SQLITE_DONE);
	}
	sqlite3_finalize(s);
}

struct paths {
	const char *db, *folder, *json, *metrics, *counts;
};

static void convert(const char *const *inputs, size_t nr, const struct paths *p)
{
	const struct scope_request wanted[] = {
		{ false, PLACE_RUN }, { true, PLACE_RUN }, { false, PLACE_CPU }, { true, PLACE_CPU }, { false, PLACE_CORE },
	};
	const struct output_request outputs[] = {
		{ .content = OUTPUT_TABLES, .class = &sink_sqlite, .path = p->db },
		{ .content = OUTPUT_TABLES, .class = &sink_csvdir, .path = p->folder },
		{ .content = OUTPUT_TABLES, .class = &sink_json, .path = p->json },
		{ .content = OUTPUT_METRICS, .class = &sink_csv, .path = p->metrics },
		{ .content = OUTPUT_COUNTS, .class = &sink_csv, .path = p->counts },
	};
	const struct output_options options = { .force = true, .shown = wanted, .nr_shown = 1 };
	const struct analysis_options analysis = { .requests = wanted, .nr_requests = sizeof(wanted) / sizeof(wanted[0]) };
	const struct capture_options what = { 0 };
	struct error err = { "" };
	struct outputs *o = outputs_open(outputs, sizeof(outputs) / sizeof(outputs[0]), &options, &err);

	if (!o)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < nr; i++) {
		struct capture_reader *reader = capture_open(inputs[i], &what, &err);
		struct capture *capture;

		if (!reader || capture_run(reader, &capture, &err) != 1 ||
		    analysis_run(reader, capture, &analysis, &outputs_visitor, o, &err))
			fail_msg("%s: %s", inputs[i], err.text);
		capture_close(reader);
	}
	if (outputs_finish(o, &err))
		fail_msg("%s", err.text);
}

/* Five of the eight paths that scratch_path() keeps. */
static struct paths paths_in(void **state)
{
	return (struct paths){
		.db = scratch_path(state, "x.db"),
		.folder = scratch_path(state, "x/"),
		.json = scratch_path(state, "x.json"),
		.metrics = scratch_path(state, "metrics.csv"),
		.counts = scratch_path(state, "counts.csv"),
	};
}

static void check_equal(void **state, const char *const *inputs, size_t nr)
{
	const struct paths p = paths_in(state);
	size_t rows = 0;
	json_t *json;
	sqlite3 *db;

	convert(inputs, nr, &p);
	assert_int_equal(sqlite3_open_v2(p.db, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	check_pragma(db, "integrity_check", "ok");
	check_pragma(db, "foreign_key_check", NULL);
	check_pragma(db, "user_version", "1");
	json = json_load_file(p.json, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(json);
	assert_int_equal(json_object_size(json), schema_all.nr_tables);
	for (size_t t = 0; t < schema_all.nr_tables; t++) {
		const struct table *table = schema_all.tables[t];
		char csv[600];

		snprintf(csv, sizeof(csv), "%s%s.csv", p.folder, table->name);
		rows += check_table(db, table, csv, json_object_get(json, table->name));
	}
	json_decref(json);
	rows += check_flat(db, &table_report_metrics, "metrics", p.metrics);
	rows += check_flat(db, &table_report_counts, "counts", p.counts);
	assert_true(rows > 50 * nr);
	sqlite3_close(db);
	print_message("%zu rows are the same in all formats\n", rows);
}

static const char *const captures[] = {
	"fixtures/sha256.data",
	"fixtures/perf-6.1/pipe-percpu.data",
	"fixtures/perf-6.1/killed.data",
	"fixtures/perf-6.12/interval.data",
	"fixtures/perf-6.12/plain-events.data",
	"fixtures/perf-7.2/interval-percpu.data",
};

enum { NR_CAPTURES = sizeof(captures) / sizeof(captures[0]) };

static void test_each_alone(void **state)
{
	for (size_t i = 0; i < NR_CAPTURES; i++)
		check_equal(state, &captures[i], 1);
}

static void test_all_together(void **state)
{
	check_equal(state, captures, NR_CAPTURES);
}

/* Same input, same bytes: nothing of the time or of addresses is in an output. */
static void test_same_bytes_again(void **state)
{
	static const char *const names[] = { "x.db", "x.json", "metrics.csv", "counts.csv", "x/metric_value.csv", "x/count.csv" };
	enum { NR = sizeof(names) / sizeof(names[0]) };
	struct image first[NR];
	struct paths p = paths_in(state);

	convert(captures, NR_CAPTURES, &p);
	for (size_t i = 0; i < NR; i++)
		first[i] = image_read(scratch_path(state, names[i]));
	p = paths_in(state);
	convert(captures, NR_CAPTURES, &p);
	for (size_t i = 0; i < NR; i++) {
		struct image again = image_read(scratch_path(state, names[i]));

		assert_true(again.size > 100);
		assert_int_equal(again.size, first[i].size);
		assert_memory_equal(again.at, first[i].at, again.size);
		image_free(&again);
		image_free(&first[i]);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_each_alone, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(test_all_together, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(test_same_bytes_again, scratch_setup, scratch_teardown),
};

TEST_MODULE(outputs_equal, tests);
