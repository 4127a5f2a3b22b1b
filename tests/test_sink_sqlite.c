// SPDX-License-Identifier: GPL-2.0-only
/* Databases: read back through the library, by names and views; what appending keeps. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "export/schema.h"
#include "tests/sinks.h"
#include "tests/test.h"

/* Every value of every row of a query: "a|b\nc|d\n", NULL as "-"; good until the next call. */
static const char *query(const char *path, const char *sql)
{
	static char *text;
	size_t size;
	FILE *out;
	sqlite3 *db;
	sqlite3_stmt *stmt;

	free(text);
	out = open_memstream(&text, &size);
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const unsigned char *v = sqlite3_column_text(stmt, i);

			fprintf(out, "%s%s", i ? "|" : "", v ? (const char *)v : "-");
		}
		fputc('\n', out);
	}
	assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
	sqlite3_close(db);
	fclose(out);
	return text;
}

static void check_sound(const char *path)
{
	assert_string_equal(query(path, "PRAGMA integrity_check"), "ok\n");
	assert_string_equal(query(path, "PRAGMA foreign_key_check"), "");
	assert_string_equal(query(path, "PRAGMA user_version"), "1\n");
	assert_string_equal(query(path, "PRAGMA application_id"), "1347699010\n");
	assert_string_equal(query(path, "PRAGMA journal_mode"), "delete\n");
}

static void every_value(void **state)
{
	const char *path = scratch_path(state, "out.db");
	struct error err;

	assert_int_equal(awkward_write(path, false, &err), 0);
	check_sound(path);
	assert_string_equal(query(path, "SELECT i, h, typeof(r), hex(b), printf('0x%x', h) FROM row"),
			    "-|-|null||0x0\n"
			    "0|0|real|00FF|0x0\n"
			    "-9223372036854775808|-1|real||0xffffffffffffffff\n"
			    "9223372036854775807|4294967712|real||0x1000001a0\n"
			    "-1|1|real||0x1\n1|2|real||0x2\n2|3|real||0x3\n3|4|real||0x4\n");
	assert_string_equal(query(path, "SELECT printf('%!.17g', r) FROM row WHERE r > 0 ORDER BY r LIMIT 2"),
			    "0.10000000000000001\n0.33333333333333331\n");
	assert_string_equal(query(path, "SELECT t FROM row WHERE t LIKE '%bad%' OR t IN ('a,b', 'two' || char(10) || 'lines' || char(13))"),
			    "a,b\ntwo\nlines\r\n"
			    "bad \xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\n");
	assert_string_equal(query(path, "SELECT count(*) FROM titles WHERE title = 'first'"), "8\n");
	assert_string_equal(query(path, "SELECT name FROM sqlite_schema ORDER BY name"), "name\nrow\nrow_1\ntitles\n");
	assert_string_equal(query(path, "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('row')"), "name|name_id|id\n");
	assert_int_equal(scratch_count(*state), 1);
}

/* More than a batch, texts longer than a batch's, tables in turn. */
static void batches_keep_every_row(void **state)
{
	const struct sink_options options = { .force = false };
	const char *path = scratch_path(state, "large.db");
	static char text[100000];
	struct error err;
	struct sink *s = sink_open(&sink_sqlite, path, &awkward_schema, &options, &err);

	assert_non_null(s);
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 5000; i++) {
		const struct value name[] = { value_int(i + 1), value_textn(text, (size_t)(i * 37 % 4000)) };
		const struct value late[] = { value_int(i + 1), value_textn(text, i % 1000 ? 1 : sizeof(text)) };

		assert_int_equal(sink_row(s, &awkward_name, name, &err), 0);
		assert_int_equal(sink_row(s, &awkward_late, late, &err), 0);
	}
	assert_int_equal(sink_finish(s, &err), 0);
	check_sound(path);
	assert_string_equal(query(path, "SELECT count(*), sum(length(title) = (id - 1) * 37 % 4000), min(id), max(id) FROM name"),
			    "5000|5000|1|5000\n");
	assert_string_equal(query(path, "SELECT count(*), sum(length(title)) FROM late"), "5000|504995\n");
}

/* ---- pages that we write, and the library ---- */

static const struct column any_columns[] = {
	{ "i", COLUMN_INT, NULL },  { "h", COLUMN_HEX, NULL },  { "r", COLUMN_REAL, NULL }, { "id", COLUMN_INT, NULL },
	{ "t", COLUMN_TEXT, NULL }, { "b", COLUMN_BLOB, NULL },
};
static const struct table any_table = { "any", any_columns, 6, "id", NULL };
static const struct table *const any_tables[] = { &any_table };
static const struct schema any_schema = { any_tables, 1, NULL, 0 }, no_schema = { NULL, 0, NULL, 0 };

static uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Rows of integers of every size, reals that are integers and others, texts of up to `longest` bytes. */
static void put_any(struct sink *s, int nr, size_t longest)
{
	static char bytes[20000];
	uint64_t seed = (uint64_t)nr;
	struct error err;

	memset(bytes, 'a', sizeof(bytes));
	for (int k = 0; k < nr; k++) {
		uint64_t r = random_next(&seed), size = longest ? random_next(&seed) % longest : 0;
		int64_t i = (int64_t)random_next(&seed) >> r % 64;
		struct value values[] = {
			value_int(i), value_u64(r), value_real(r % 3 ? (double)i / 7 : (double)i), value_int(k + 1 + (k > 5) * 1000),
			value_textn(bytes, size), value_blob(bytes, size % 7),
		};

		for (int v = 0; v < 6; v++)
			if (v != 3 && (random_next(&seed) & 7) == 0)
				values[v] = value_null();
		assert_int_equal(sink_row(s, &any_table, values, &err), 0);
	}
}

static void write_any(const char *path, int nr, size_t longest, bool by_library)
{
	const struct sink_options options = { .append = by_library };
	struct error err;
	struct sink *s;

	if (by_library) { /* a database that is there is left to the library */
		s = sink_open(&sink_sqlite, path, &no_schema, &options, &err);
		if (!s)
			fail_msg("%s", err.text);
		assert_int_equal(sink_finish(s, &err), 0);
	}
	s = sink_open(&sink_sqlite, path, &any_schema, &options, &err);
	assert_non_null(s);
	put_any(s, nr, longest);
	assert_int_equal(sink_finish(s, &err), 0);
}

/* One leaf, its edge, two levels, three levels; texts that need no, one and several pages of their own. */
static void pages_and_library_agree(void **state)
{
	static const struct {
		int rows;
		size_t longest;
	} cases[] = {
		{ 0, 0 },       { 1, 0 },      { 2, 0 },        { 60, 0 },     { 61, 0 },    { 70, 0 },     { 80, 0 },
		{ 90, 0 },      { 100, 0 },    { 200, 0 },      { 3000, 0 },   { 70000, 10 }, { 1, 20000 }, { 300, 20000 },
		{ 3000, 5000 }, { 1300, 2000 }, { 6000, 2500 }, { 1000, 4300 },
	};
	const char *ours = scratch_path(state, "pages.db"), *library = scratch_path(state, "library.db");
	char sql[700];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_any(ours, cases[i].rows, cases[i].longest, false);
		write_any(library, cases[i].rows, cases[i].longest, true);
		check_sound(ours);
		snprintf(sql, sizeof(sql), "%d\n", cases[i].rows);
		assert_string_equal(query(ours, "SELECT count(*) FROM any"), sql);
		snprintf(sql, sizeof(sql), "ATTACH '%s' AS l", library);
		sqlite3 *db;

		assert_int_equal(sqlite3_open(ours, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db,
					      "CREATE TEMP VIEW x AS SELECT *, typeof(i), typeof(h), typeof(r), typeof(t), typeof(b) FROM main.any;"
					      "CREATE TEMP VIEW y AS SELECT *, typeof(i), typeof(h), typeof(r), typeof(t), typeof(b) FROM l.any;"
					      "CREATE TEMP TABLE d AS SELECT * FROM (SELECT * FROM x EXCEPT SELECT * FROM y)"
					      " UNION ALL SELECT * FROM (SELECT * FROM y EXCEPT SELECT * FROM x);"
					      "CREATE TEMP TABLE must_be_empty(n CHECK (n = 0));"
					      "INSERT INTO must_be_empty SELECT count(*) FROM d",
					      NULL, NULL, NULL),
				 SQLITE_OK);
		sqlite3_close(db);
		unlink(ours);
		unlink(library);
	}
}

/* What the library can do and pages cannot: any order of ids, values of another type than the column's. */
static void hard_rows_go_to_the_library(void **state)
{
	const struct sink_options options = { .force = true };
	const struct value low[] = { value_int(2), value_text("low") }, late[] = { value_int(-7), value_text("late") };
	const struct value odd[] = { value_int(90000), value_int(12) };
	const char *path = scratch_path(state, "hard.db");
	struct error err;
	struct sink *s = sink_open(&sink_sqlite, path, &awkward_schema, &options, &err);

	for (int i = 0; i < 2000; i++) {
		const struct value name[] = { value_int(10 + i), value_text("name") };

		assert_int_equal(sink_row(s, &awkward_name, name, &err), 0);
	}
	assert_int_equal(sink_row(s, &awkward_name, low, &err), 0);
	assert_int_equal(sink_row(s, &awkward_name, odd, &err), 0);
	assert_int_equal(sink_row(s, &awkward_late, late, &err), 0);
	assert_int_equal(sink_finish(s, &err), 0);
	check_sound(path);
	assert_string_equal(query(path, "SELECT count(*), sum(title = 'name'), min(id), typeof(max(title)) FROM name"), "2002|2000|2|text\n");
	assert_string_equal(query(path, "SELECT * FROM late"), "-7|late\n");
	assert_string_equal(query(path, "SELECT name FROM sqlite_schema ORDER BY name"), "late\nname\nrow\nrow_1\ntitles\n");
}

static void contract_tables_and_views(void **state)
{
	static const char *const views[] = { "counts", "metrics", "pipeline", "pipeline_by_function", "samples", "problems" };
	const struct sink_options options = { .force = false };
	const char *path = scratch_path(state, "all.sqlite");
	struct error err;
	struct sink *s = sink_open(sink_class_for(path), path, &schema_all, &options, &err);
	char sql[100];

	assert_non_null(s);
	assert_int_equal(sink_finish(s, &err), 0);
	check_sound(path);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT * FROM %s", views[i]);
		assert_string_equal(query(path, sql), "");
	}
	assert_string_equal(query(path, "SELECT group_concat(name) FROM pragma_table_info('counts')"),
			    "capture,interval,begin_s,end_s,place,event,group,type,config,raw,enabled_ns,running_ns,scaled,unit,"
			    "coverage,state\n");
	assert_string_equal(query(path, "SELECT group_concat(name) FROM pragma_table_info('metrics')"),
			    "capture,interval,begin_s,end_s,place,function,metric,unit,value,lo,hi,method,level,coverage,"
			    "co_scheduled,status,reason\n");
	assert_string_equal(query(path, "SELECT group_concat(name) FROM pragma_table_info('metric_value')"),
			    "capture_id,metric_id,interval_id,place_id,symbol_id,value,value_perf,lo,hi,se,method,level,coverage,"
			    "co_scheduled,status,reason,samples\n");
}

/* A capture with one interval, one place, an event and two metrics (and room for columns to come), of Zen 4's names or Zen 5's. */
static int put_capture(struct sink *s, int64_t id, bool zen5, struct error *err)
{
	const struct value capture[40] = { value_int(id), value_text(zen5 ? "five" : "four") };
	const struct value event[40] = { value_int(id), value_int(id), value_int(0), value_text("r76"), value_null(),
					 value_int(4), value_u64(0x76) };
	const struct value interval[] = { value_int(id), value_int(id), value_int(0), value_int(0), value_int(500000000) };
	const struct value place[40] = { [0] = value_int(id), [1] = value_int(id), [2] = value_text("run"), [12] = value_text("run") };
	const struct value count[] = { value_int(id), value_int(id), value_int(id), value_int(id), value_int(7),
				       value_int(10), value_int(5), value_real(14), value_real(0.5), value_text("counted") };
	const struct value metrics[2][20] = {
		{ value_int(2 * id - 1), value_text("set"), value_text("frontend_bound"), value_null(), value_int(1) },
		{ value_int(2 * id), value_text("set"),
		  value_text(zen5 ? "frontend_bound_by_latency" : "frontend_bound_latency"), value_int(2 * id - 1), value_int(2) },
	};
	int bad = 0;

	bad |= sink_row(s, &table_count, count, err); /* rows come in any order */
	for (int i = 0; i < 2; i++) {
		const struct value value[40] = { value_int(id), value_int(2 * id - 1 + i), value_int(id), value_int(id),
						 value_null(), value_real(i ? 0.25 : 0.75), [12] = value_real(0.5) };

		bad |= sink_row(s, &table_metric_value, value, err) | sink_row(s, &table_metric, metrics[i], err);
	}
	bad |= sink_row(s, &table_capture, capture, err) | sink_row(s, &table_event, event, err);
	return bad | sink_row(s, &table_interval, interval, err) | sink_row(s, &table_place, place, err);
}

/* Opens, checks the next id, adds a capture, finishes. */
static int append(const char *path, int64_t id, bool zen5, struct error *err)
{
	const struct sink_options options = { .append = true };
	struct sink *s = sink_open(&sink_sqlite, path, &schema_all, &options, err);

	if (!s)
		return -1;
	assert_int_equal(sink_next_id(s, &table_capture), id);
	assert_int_equal(sink_next_id(s, &table_metric), 2 * id - 1);
	assert_int_equal(sink_next_id(s, &table_count), 1);
	assert_int_equal(put_capture(s, id, zen5, err), 0);
	return sink_finish(s, err);
}

static void captures_append(void **state)
{
	const char *path = scratch_path(state, "all.db");
	struct error err;

	assert_int_equal(append(path, 1, false, &err), 0); /* makes it */
	assert_int_equal(append(path, 2, true, &err), 0);
	check_sound(path);
	assert_string_equal(query(path, "SELECT capture, interval, begin_s, end_s, place, frontend_bound, frontend_bound_latency,"
					" retiring, coverage FROM pipeline"),
			    "four|0|0.0|0.5|run|0.75|0.25|-|0.5\nfive|0|0.0|0.5|run|0.75|0.25|-|0.5\n");
	assert_string_equal(query(path, "SELECT capture, event, \"group\", type, config, raw, scaled, state FROM counts"),
			    "four|r76|-|4|0x76|7|14.0|counted\nfive|r76|-|4|0x76|7|14.0|counted\n");
	assert_int_equal(scratch_count(*state), 1);
}

/* The database stays as it was, byte for byte, whatever stops us. */
static void failed_append_changes_nothing(void **state)
{
	const char *path = scratch_path(state, "all.db"), *copy = scratch_path(state, "copy.db");
	const struct sink_options options = { .append = true };
	char command[200];
	struct error err;
	struct sink *s;

	assert_int_equal(append(path, 1, false, &err), 0);
	snprintf(command, sizeof(command), "cp %s %s", path, copy);
	assert_int_equal(system(command), 0);

	s = sink_open(&sink_sqlite, path, &schema_all, &options, &err);
	assert_int_equal(put_capture(s, 2, true, &err), 0);
	sink_abandon(s);
	s = sink_open(&sink_sqlite, path, &schema_all, &options, &err);
	assert_int_equal(put_capture(s, 1, true, &err), 0); /* an id that is there: our mistake, found at the end */
	assert_int_equal(sink_finish(s, &err), -1);
	snprintf(command, sizeof(command), "cmp %s %s", path, copy);
	assert_int_equal(system(command), 0);
	assert_int_equal(scratch_count(*state), 2);
}

/* A database that another program left in WAL mode, with rows that are still in the log. */
static void append_to_a_database_with_a_log(void **state)
{
	const char *path = scratch_path(state, "wal.db");
	struct error err;
	sqlite3 *db;

	assert_int_equal(append(path, 1, false, &err), 0);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = WAL; UPDATE capture SET path = 'logged'", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(append(path, 2, false, &err), -1);
	assert_non_null(strstr(err.text, "is in use by another program"));
	sqlite3_close(db);
	assert_int_equal(append(path, 2, false, &err), 0);
	check_sound(path);
	assert_string_equal(query(path, "SELECT path FROM capture"), "logged\nfour\n");
}

static void refuses_what_is_not_ours(void **state)
{
	const struct sink_options append_options = { .append = true }, none = { .force = false };
	const char *text = scratch_path(state, "text.db"), *other = scratch_path(state, "other.db");
	char want[200];
	struct error err;
	sqlite3 *db;

	scratch_write(text, "not a database, but a text that is long enough to be read as the header of one, so that it is refused");
	assert_null(sink_open(&sink_sqlite, text, &schema_all, &append_options, &err));
	assert_non_null(strstr(err.text, "is not a database"));

	assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE t(a)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	assert_null(sink_open(&sink_sqlite, other, &schema_all, &append_options, &err));
	assert_non_null(strstr(err.text, "is a database of another program"));

	assert_null(sink_open(&sink_sqlite, other, &schema_all, &none, &err));
	snprintf(want, sizeof(want), "%s exists (use --force to replace it)", other);
	assert_string_equal(err.text, want);
	assert_null(sink_open(&sink_sqlite, NULL, &schema_all, &none, &err));
	assert_null(sink_open(&sink_sqlite, "/dev/null", &schema_all, &none, &err));
	assert_int_equal(scratch_count(*state), 2);
}

static void force_replaces_with_journals(void **state)
{
	const char *path = scratch_path(state, "x.db");
	struct error err;

	scratch_write(path, "old");
	scratch_write(scratch_path(state, "x.db-journal"), "old");
	scratch_write(scratch_path(state, "x.db-wal"), "old");
	assert_int_equal(awkward_write(path, true, &err), 0);
	assert_int_equal(scratch_count(*state), 1);
	check_sound(path);
}

static void same_rows_same_bytes(void **state)
{
	static const char *const names[][2] = { { "a.db", "b.db" }, { "a.json", "b.json" }, { "a/", "b/" } };
	char command[300];
	struct error err;

	for (size_t i = 0; i < 3; i++) {
		const char *a = scratch_path(state, names[i][0]), *b = scratch_path(state, names[i][1]);

		assert_int_equal(awkward_write(a, false, &err), 0);
		assert_int_equal(awkward_write(b, false, &err), 0);
		snprintf(command, sizeof(command), "diff -r %s %s", a, b);
		assert_int_equal(system(command), 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(every_value, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(batches_keep_every_row, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(pages_and_library_agree, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(hard_rows_go_to_the_library, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(contract_tables_and_views, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(captures_append, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(failed_append_changes_nothing, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(append_to_a_database_with_a_log, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(refuses_what_is_not_ours, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(force_replaces_with_journals, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(same_rows_same_bytes, scratch_setup, scratch_teardown),
};

TEST_MODULE(sink_sqlite, tests);
