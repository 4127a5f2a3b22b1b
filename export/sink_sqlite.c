// SPDX-License-Identifier: GPL-2.0-only
/*
 * A SQLite database with the tables, foreign keys, indexes and views of the schema.  The
 * only file that knows the library.
 *
 * Inserting is most of the program's time.  A new database is made in three steps: the library creates
 * the tables and views; rows are written as pages of the file (sqlite_pages.c), which is six times as
 * fast; the library makes the indexes.  What pages cannot do, rows out of order and rows for a
 * database that has some, goes through the library, by batches that it sees as a virtual table: `INSERT
 * INTO table SELECT * FROM rows_TABLE`, two to three times as fast as a statement for each row.
 *
 * Everything happens without journal in a temporary file that is put in place at the end; a failure
 * leaves what was there before.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/outfile.h"
#include "export/sink.h"
#include "export/sqlite_pages.h"
#include "export/table_list.h"
#include "export/utf8.h"
#include "reader/arena.h"

#define SCHEMA_VERSION 1
#define APPLICATION_ID 0x50544142 /* "PTAB" */

#define BATCH_ROWS 512
#define BATCH_TEXT (32 * 1024)

/* Rows of one table that wait to be inserted. */
struct batch {
	const struct table *table;
	struct value *values; /* BATCH_ROWS × nr_columns; NULL before the first row */
	char *text;           /* BATCH_TEXT bytes: the texts and blobs of the rows */
	size_t nr_rows, text_used;
	const struct value *rows; /* what the virtual table shows: values, or a long row of the caller */
	sqlite3_stmt *insert;
};

/* Either `pages` is there, and rows go to the trees, or `db`, and they go to the batches. */
struct sink_state {
	struct outfile *out;
	const struct schema *schema;
	struct table_list tables;
	struct pages *pages;
	struct tree **trees; /* one for each of the tables */
	size_t nr_trees;
	sqlite3 *db;
	struct batch **batches; /* one for each of the tables; their addresses are known to SQLite */
	size_t nr_batches;
};

/* ---- errors and statements ---- */

static int sqlite_failed(const struct sink_state *s, struct error *err)
{
	int code = sqlite3_errcode(s->db);

	if (code == SQLITE_FULL)
		return outfile_failed(s->out, ENOSPC, err);
	if (code == SQLITE_IOERR && sqlite3_system_errno(s->db))
		return outfile_failed(s->out, sqlite3_system_errno(s->db), err);
	return fail(err, NO_OFFSET, "cannot write %s: %s", outfile_name(s->out), sqlite3_errmsg(s->db));
}

static int run(const struct sink_state *s, const char *sql, struct error *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sqlite_failed(s, err);
}

/* Runs and frees what sqlite3_str_finish() gave. */
static int run_text(const struct sink_state *s, char *sql, struct error *err)
{
	int result;

	if (!sql)
		return fail(err, NO_OFFSET, "cannot write %s: out of memory", outfile_name(s->out));
	result = run(s, sql, err);
	sqlite3_free(sql);
	return result;
}

/* The first column of the first row, or `otherwise`. */
static int64_t query_int(sqlite3 *db, const char *sql, int64_t otherwise)
{
	sqlite3_stmt *stmt = NULL;
	int64_t result = otherwise;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
	    sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		result = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return result;
}

/* ---- the virtual table ---- */

struct rows_table {
	sqlite3_vtab base;
	const struct batch *batch;
};

struct rows_cursor {
	sqlite3_vtab_cursor base;
	const struct value *row;
	const struct value *end;
	size_t nr_columns;
};

static int rows_connect(sqlite3 *db, void *batch, int argc, const char *const *argv, sqlite3_vtab **ret, char **error)
{
	const struct table *table = ((const struct batch *)batch)->table;
	sqlite3_str *sql = sqlite3_str_new(db);
	struct rows_table *t;
	char *text;
	int result;

	(void)argc, (void)argv, (void)error;
	sqlite3_str_appendall(sql, "CREATE TABLE x(");
	for (size_t i = 0; i < table->nr_columns; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "", table->columns[i].name);
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	result = text ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
	sqlite3_free(text);
	if (result != SQLITE_OK)
		return result;
	t = must_alloc(sizeof(*t));
	*t = (struct rows_table){ .batch = batch };
	*ret = &t->base;
	return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static int rows_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->estimatedCost = 1;
	return SQLITE_OK;
}

static int rows_open(sqlite3_vtab *t, sqlite3_vtab_cursor **ret)
{
	struct rows_cursor *c = must_alloc(sizeof(*c));

	(void)t;
	*c = (struct rows_cursor){ .row = NULL };
	*ret = &c->base;
	return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *base)
{
	free(base);
	return SQLITE_OK;
}

static int rows_filter(sqlite3_vtab_cursor *base, int index, const char *name, int argc, sqlite3_value **argv)
{
	struct rows_cursor *c = (struct rows_cursor *)base;
	const struct batch *b = ((const struct rows_table *)base->pVtab)->batch;

	(void)index, (void)name, (void)argc, (void)argv;
	c->nr_columns = b->table->nr_columns;
	c->row = b->rows;
	c->end = b->rows + b->nr_rows * c->nr_columns;
	return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base)
{
	struct rows_cursor *c = (struct rows_cursor *)base;

	c->row += c->nr_columns;
	return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base)
{
	const struct rows_cursor *c = (const struct rows_cursor *)base;

	return c->row >= c->end;
}

static int rows_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct value *v = &((const struct rows_cursor *)base)->row[column];

	switch (v->kind) {
	case VALUE_NULL:
		sqlite3_result_null(context);
		break;
	case VALUE_INT:
		sqlite3_result_int64(context, v->i);
		break;
	case VALUE_REAL:
		sqlite3_result_double(context, v->r);
		break;
	case VALUE_TEXT:
		sqlite3_result_text(context, v->p, (int)v->size, SQLITE_STATIC);
		break;
	case VALUE_BLOB:
		sqlite3_result_blob(context, v->p, (int)v->size, SQLITE_STATIC);
		break;
	}
	return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
	const struct rows_cursor *c = (const struct rows_cursor *)base;

	*ret = (sqlite3_int64)((size_t)(c->end - c->row) / c->nr_columns);
	return SQLITE_OK;
}

/* Without xCreate: there by its name alone, and never in the file. */
static const sqlite3_module rows_module = {
	.xConnect = rows_connect,
	.xBestIndex = rows_best_index,
	.xDisconnect = rows_disconnect,
	.xOpen = rows_open,
	.xClose = rows_close,
	.xFilter = rows_filter,
	.xNext = rows_next,
	.xEof = rows_eof,
	.xColumn = rows_column,
	.xRowid = rows_rowid,
};

/* ---- batches ---- */

static int batch_prepare(struct sink_state *s, struct batch *b, struct error *err)
{
	char *module = sqlite3_mprintf("rows_%s", b->table->name);
	char *sql = sqlite3_mprintf("INSERT INTO \"%w\" SELECT * FROM \"%w\"", b->table->name, module);
	int result = SQLITE_NOMEM;

	if (module && sql)
		result = sqlite3_create_module(s->db, module, &rows_module, b);
	if (result == SQLITE_OK)
		result = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &b->insert, NULL);
	sqlite3_free(module);
	sqlite3_free(sql);
	return result == SQLITE_OK ? 0 : sqlite_failed(s, err);
}

/* Inserts nr rows. */
static int batch_insert(struct sink_state *s, struct batch *b, const struct value *rows, size_t nr, struct error *err)
{
	int result;

	if (!nr)
		return 0;
	if (!b->insert && batch_prepare(s, b, err))
		return -1;
	b->rows = rows;
	b->nr_rows = nr;
	result = sqlite3_step(b->insert);
	if (result == SQLITE_DONE)
		result = sqlite3_reset(b->insert);
	b->nr_rows = b->text_used = 0;
	return result == SQLITE_OK ? 0 : sqlite_failed(s, err);
}

static int batch_flush(struct sink_state *s, struct batch *b, struct error *err)
{
	return batch_insert(s, b, b->values, b->nr_rows, err);
}

static size_t row_text_size(const struct value *values, size_t nr)
{
	size_t size = 0;

	for (size_t i = 0; i < nr; i++)
		if (values[i].kind >= VALUE_TEXT)
			size += values[i].size;
	return size;
}

/* Copies a row, its texts to `text`; returns the end of what was used there. */
static char *row_copy(struct value *to, const struct value *values, size_t nr, char *text)
{
	for (size_t i = 0; i < nr; i++) {
		to[i] = values[i];
		if (values[i].kind < VALUE_TEXT)
			continue;
		if (values[i].size)
			memcpy(text, values[i].p, values[i].size);
		to[i].p = text;
		text += values[i].size;
	}
	return text;
}

static void batch_begin(struct batch *b)
{
	b->values = must_realloc(NULL, BATCH_ROWS * b->table->nr_columns, sizeof(b->values[0]));
	b->text = must_alloc(BATCH_TEXT);
}

static int batch_add(struct sink_state *s, struct batch *b, const struct value *values, struct error *err)
{
	size_t nr = b->table->nr_columns;
	size_t size = row_text_size(values, nr);
	char *end;

	if (!b->values)
		batch_begin(b);
	if ((b->nr_rows == BATCH_ROWS || size > BATCH_TEXT - b->text_used) && batch_flush(s, b, err))
		return -1;
	if (size > BATCH_TEXT)
		return batch_insert(s, b, values, 1, err);
	end = row_copy(b->values + b->nr_rows * nr, values, nr, b->text + b->text_used);
	b->text_used = (size_t)(end - b->text);
	b->nr_rows++;
	return 0;
}

static void batch_free(struct batch *b)
{
	free(b->values);
	free(b->text);
	free(b);
}

/* ---- tables, indexes, views ---- */

static const char *const column_types[] = {
	[COLUMN_INT] = "INTEGER",
	[COLUMN_HEX] = "INTEGER",
	[COLUMN_REAL] = "REAL",
	[COLUMN_TEXT] = "TEXT",
	[COLUMN_BLOB] = "BLOB",
};

static int create_table(const struct sink_state *s, const struct table *table, struct error *err)
{
	sqlite3_str *sql = sqlite3_str_new(s->db);

	sqlite3_str_appendf(sql, "CREATE TABLE IF NOT EXISTS \"%w\"(", table->name);
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct column *c = &table->columns[i];

		sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? ", " : "", c->name, column_types[c->type]);
		if (table->primary_key && strcmp(table->primary_key, c->name) == 0)
			sqlite3_str_appendall(sql, " PRIMARY KEY");
		if (c->references)
			sqlite3_str_appendf(sql, " REFERENCES %s", c->references);
	}
	sqlite3_str_appendall(sql, ")");
	return run_text(s, sqlite3_str_finish(sql), err);
}

static int create_tables(const struct sink_state *s, size_t first, struct error *err)
{
	for (size_t i = first; i < s->tables.nr; i++)
		if (create_table(s, s->tables.tables[i], err))
			return -1;
	return 0;
}

static int create_indexes(const struct sink_state *s, const struct table *table, struct error *err)
{
	for (size_t i = 0; table->indexes && table->indexes[i]; i++) {
		char *sql = sqlite3_mprintf("CREATE INDEX IF NOT EXISTS \"%w_%d\" ON \"%w\"(%s)", table->name, (int)i + 1,
					    table->name, table->indexes[i]);

		if (run_text(s, sql, err))
			return -1;
	}
	return 0;
}

static int create_views(const struct sink_state *s, struct error *err)
{
	for (size_t i = 0; i < s->schema->nr_views; i++) {
		const struct view *v = &s->schema->views[i];

		if (run_text(s, sqlite3_mprintf("CREATE VIEW IF NOT EXISTS \"%w\" AS %s", v->name, v->select), err))
			return -1;
	}
	return 0;
}

/* ---- appending ---- */

/* "PATH-wal": what another program that has the database open would leave beside it. */
static bool has_companion(const char *path, const char *suffix)
{
	char *name = sqlite3_mprintf("%s%s", path, suffix);
	struct stat st;
	bool result = name && stat(name, &st) == 0 && st.st_size > 0;

	sqlite3_free(name);
	return result;
}

static int check_ours(sqlite3 *db, const char *path, struct error *err)
{
	int64_t application = query_int(db, "PRAGMA application_id", -1);
	int64_t version = query_int(db, "PRAGMA user_version", -1);

	if (application < 0)
		return fail(err, NO_OFFSET, "%s is not a database: %s", path, sqlite3_errmsg(db));
	if (application != APPLICATION_ID)
		return fail(err, NO_OFFSET, "%s is a database of another program, nothing is added to it", path);
	if (version != SCHEMA_VERSION)
		return fail(err, NO_OFFSET, "%s has version %lld of the schema, expected %d", path, (long long)version,
			    SCHEMA_VERSION);
	return 0;
}

/* SQLite's own copying, so that a journal beside the database is taken into account. */
static int copy_database(const struct sink_state *s, sqlite3 *from, const char *path, struct error *err)
{
	sqlite3_backup *b = sqlite3_backup_init(s->db, "main", from, "main");

	if (!b)
		return sqlite_failed(s, err);
	sqlite3_backup_step(b, -1);
	if (sqlite3_backup_finish(b) == SQLITE_OK)
		return 0;
	if (sqlite3_errcode(from) != SQLITE_OK)
		return fail(err, NO_OFFSET, "cannot read %s: %s", path, sqlite3_errmsg(from));
	return sqlite_failed(s, err);
}

static int append_to(const struct sink_state *s, const char *path, struct error *err)
{
	sqlite3 *from = NULL;
	int result;

	if (sqlite3_open_v2(path, &from, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		result = fail(err, NO_OFFSET, "cannot read %s: %s", path, sqlite3_errmsg(from));
	else
		result = check_ours(from, path, err) || copy_database(s, from, path, err) ? -1 : 0;
	sqlite3_close(from);
	if (!result && (has_companion(path, "-wal") || has_companion(path, "-journal")))
		result = fail(err, NO_OFFSET, "%s is in use by another program", path);
	return result;
}

/* ---- opening the library ---- */

static int database_open(struct sink_state *s, struct error *err)
{
	const char *path = outfile_temporary(s->out);

	if (!path)
		return fail(err, NO_OFFSET, "a database cannot go to %s: it is not a file", outfile_name(s->out));
	/* Nobody else knows the file: no locks, no mutexes. */
	if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
		return sqlite_failed(s, err);
	sqlite3_extended_result_codes(s->db, 0);
	return 0;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static int database_begin(const struct sink_state *s, struct error *err)
{
	return run(s,
		   /* exclusive: a copy in WAL mode can then be taken out of it without shared memory */
		   "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA secure_delete = OFF; PRAGMA cache_size = -4096; PRAGMA foreign_keys = OFF;"
		   "PRAGMA application_id = " TEXT(APPLICATION_ID) "; PRAGMA user_version = " TEXT(SCHEMA_VERSION) ";"
		   "BEGIN",
		   err);
}

/* ---- rows by pages ---- */

static struct tree *tree_of(const struct sink_state *s, const struct table *table)
{
	char *sql = sqlite3_mprintf("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = %Q", table->name);
	uint32_t root = (uint32_t)query_int(s->db, sql, 0);

	sqlite3_free(sql);
	return root ? tree_new(s->pages, table, root) : NULL;
}

/* The library made the tables, and steps back: a tree for each that has none. */
static int pages_begin(struct sink_state *s, struct error *err)
{
	if (run(s, "COMMIT", err))
		return -1;
	s->trees = must_realloc(s->trees, s->tables.nr + 1, sizeof(s->trees[0]));
	for (; s->nr_trees < s->tables.nr; s->nr_trees++) {
		struct tree *t = tree_of(s, s->tables.tables[s->nr_trees]);

		if (!t)
			return sqlite_failed(s, err);
		s->trees[s->nr_trees] = t;
	}
	sqlite3_close(s->db);
	s->db = NULL;
	return pages_resume(s->pages) ? outfile_failed(s->out, errno, err) : 0;
}

/* The trees are whole, and the library takes over for good. */
static int pages_end(struct sink_state *s, struct error *err)
{
	struct pages *pages = s->pages;

	for (size_t i = 0; i < s->nr_trees; i++)
		if (tree_finish(s->trees[i]))
			return outfile_failed(s->out, errno, err);
	s->pages = NULL;
	if (pages_close(pages))
		return outfile_failed(s->out, errno, err);
	return database_open(s, err) || database_begin(s, err) ? -1 : 0;
}

/* A table comes that is not in the schema: the library makes it while the trees rest. */
static int pages_add_table(struct sink_state *s, struct error *err)
{
	if (pages_pause(s->pages))
		return outfile_failed(s->out, errno, err);
	if (database_open(s, err) || database_begin(s, err) || create_tables(s, s->nr_trees, err))
		return -1;
	return pages_begin(s, err);
}

/* ---- the sink ---- */

static int new_database(struct sink_state *s, struct error *err)
{
	if (run(s, "PRAGMA page_size = " TEXT(PAGES_SIZE) "; PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8'", err))
		return -1;
	if (database_begin(s, err) || create_tables(s, 0, err) || create_views(s, err))
		return -1;
	s->pages = pages_new(fileno(outfile_stream(s->out)));
	return pages_begin(s, err);
}

static int old_database(struct sink_state *s, const char *path, struct error *err)
{
	if (append_to(s, path, err) || database_begin(s, err) || create_tables(s, 0, err))
		return -1;
	return create_views(s, err);
}

static int sqlite_open(struct sink_state *s, const char *path, const struct schema *schema,
		       const struct sink_options *options, struct error *err)
{
	bool append = options->append && path && access(path, F_OK) == 0;

	if (!path)
		return fail(err, NO_OFFSET, "a database cannot go to standard output");
	s->schema = schema;
	table_list_init(&s->tables, schema);
	s->out = outfile_open(path, options->force || append, err);
	if (!s->out || database_open(s, err))
		return -1;
	return append ? old_database(s, path, err) : new_database(s, err);
}
/* ---- rows ---- */

/* For the library: a batch for each table, and the table where it is not there yet. */
static int batches_grow(struct sink_state *s, struct error *err)
{
	if (create_tables(s, s->nr_batches, err))
		return -1;
	s->batches = must_realloc(s->batches, s->tables.nr + 1, sizeof(s->batches[0]));
	for (; s->nr_batches < s->tables.nr; s->nr_batches++) {
		struct batch *b = must_alloc(sizeof(*b));

		*b = (struct batch){ .table = s->tables.tables[s->nr_batches] };
		s->batches[s->nr_batches] = b;
	}
	return 0;
}

static int put_row(struct sink_state *s, size_t at, const struct value *values, struct error *err)
{
	int result = 1;

	if (s->pages && at >= s->nr_trees && pages_add_table(s, err))
		return -1;
	if (s->pages)
		result = tree_add(s->trees[at], values);
	if (result < 0)
		return outfile_failed(s->out, errno, err);
	if (result == 0)
		return 0;
	if (s->pages && pages_end(s, err))
		return -1;
	if (at >= s->nr_batches && batches_grow(s, err))
		return -1;
	return batch_add(s, s->batches[at], values, err);
}

static bool row_is_utf8(const struct value *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (values[i].kind == VALUE_TEXT && !utf8_valid(values[i].p, values[i].size))
			return false;
	return true;
}

static int put_unclean_row(struct sink_state *s, size_t at, const struct value *values, struct error *err)
{
	size_t nr = s->tables.tables[at]->nr_columns;
	struct value *row = must_realloc(NULL, nr, sizeof(row[0]));
	char *text = must_alloc(row_text_size(values, nr) * UTF8_GROWTH), *to = text;
	int result;

	for (size_t i = 0; i < nr; i++) {
		row[i] = values[i];
		if (row[i].kind == VALUE_TEXT) {
			row[i].p = to;
			row[i].size = (uint32_t)utf8_clean(to, values[i].p, values[i].size);
			to += row[i].size;
		}
	}
	result = put_row(s, at, row, err);
	free(text);
	free(row);
	return result;
}

static int sqlite_row(struct sink_state *s, const struct table *table, const struct value *values, struct error *err)
{
	size_t at = table_list_find(&s->tables, table);

	if (row_is_utf8(values, table->nr_columns))
		return put_row(s, at, values, err);
	return put_unclean_row(s, at, values, err);
}

static int64_t sqlite_next_id(struct sink_state *s, const struct table *table)
{
	char *sql;
	int64_t largest;

	if (!s->db || !table->primary_key)
		return 1;
	sql = sqlite3_mprintf("SELECT max(\"%w\") FROM \"%w\"", table->primary_key, table->name);
	largest = query_int(s->db, sql, 0);
	sqlite3_free(sql);
	return largest + 1;
}

static void bind_value(sqlite3_stmt *stmt, int at, const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
		sqlite3_bind_int64(stmt, at, v->i);
		break;
	case VALUE_REAL:
		sqlite3_bind_double(stmt, at, v->r);
		break;
	case VALUE_TEXT:
		sqlite3_bind_text(stmt, at, v->p, (int)v->size, SQLITE_STATIC);
		break;
	case VALUE_BLOB:
		sqlite3_bind_blob(stmt, at, v->p, (int)v->size, SQLITE_STATIC);
		break;
	default:
		sqlite3_bind_null(stmt, at);
	}
}

/* SELECT min(id) FROM table WHERE a IS ?2 AND b IS ?3 … */
static int64_t sqlite_find_id(struct sink_state *s, const struct table *table, const struct value *values)
{
	sqlite3_str *sql;
	sqlite3_stmt *stmt = NULL;
	char *text;
	int64_t id = 0;

	if (!s->db || !table->primary_key)
		return 0;
	sql = sqlite3_str_new(s->db);
	sqlite3_str_appendf(sql, "SELECT min(\"%w\") FROM \"%w\" WHERE 1", table->primary_key, table->name);
	for (size_t i = 0; i < table->nr_columns; i++)
		if (strcmp(table->columns[i].name, table->primary_key))
			sqlite3_str_appendf(sql, " AND \"%w\" IS ?%d", table->columns[i].name, (int)i + 1);
	text = sqlite3_str_finish(sql);
	if (text && sqlite3_prepare_v2(s->db, text, -1, &stmt, NULL) == SQLITE_OK) {
		for (size_t i = 0; i < table->nr_columns; i++)
			if (strcmp(table->columns[i].name, table->primary_key))
				bind_value(stmt, (int)i + 1, &values[i]);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			id = sqlite3_column_int64(stmt, 0);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(text);
	return id;
}

/* ---- the end ---- */

static void database_close(struct sink_state *s)
{
	for (size_t i = 0; i < s->nr_batches; i++) {
		sqlite3_finalize(s->batches[i]->insert);
		s->batches[i]->insert = NULL;
	}
	sqlite3_close(s->db);
	s->db = NULL;
}

static int database_end(struct sink_state *s, struct error *err)
{
	if (s->pages && pages_end(s, err))
		return -1;
	for (size_t i = 0; i < s->nr_batches; i++)
		if (batch_flush(s, s->batches[i], err))
			return -1;
	for (size_t i = 0; i < s->tables.nr; i++)
		if (create_indexes(s, s->tables.tables[i], err))
			return -1;
	return run(s, "COMMIT", err);
}

/* Journals of a database that was replaced would be played into the new one. */
static void remove_companions(const char *path)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		char *name = sqlite3_mprintf("%s%s", path, suffixes[i]);

		if (name)
			unlink(name);
		sqlite3_free(name);
	}
}

static int sqlite_finish(struct sink_state *s, struct error *err)
{
	struct outfile *out = s->out;
	char *target;
	int result;

	if (database_end(s, err))
		return -1;
	database_close(s);
	s->out = NULL;
	target = sqlite3_mprintf("%s", outfile_name(out));
	result = outfile_finish(out, err);
	if (!result && target)
		remove_companions(target);
	sqlite3_free(target);
	return result;
}

static void sqlite_abandon(struct sink_state *s)
{
	database_close(s);
	for (size_t i = 0; i < s->nr_batches; i++)
		batch_free(s->batches[i]);
	free(s->batches);
	for (size_t i = 0; i < s->nr_trees; i++)
		tree_free(s->trees[i]);
	free(s->trees);
	pages_abandon(s->pages);
	table_list_free(&s->tables);
	outfile_abandon(s->out);
}

static const char *const suffixes[] = { ".db", ".sqlite", NULL };

const struct sink_class sink_sqlite = {
	.name = "sqlite",
	.suffixes = suffixes,
	.state_size = sizeof(struct sink_state),
	.open = sqlite_open,
	.row = sqlite_row,
	.finish = sqlite_finish,
	.abandon = sqlite_abandon,
	.next_id = sqlite_next_id,
	.find_id = sqlite_find_id,
};
