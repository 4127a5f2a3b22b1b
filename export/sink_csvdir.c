// SPDX-License-Identifier: GPL-2.0-only
/*
 * A folder with a CSV file for each table of the schema, NAME/TABLE.csv, with its header
 * line even when there are no rows.
 */
#include <errno.h>
#include <stdlib.h>

#include "export/csv.h"
#include "export/outfile.h"
#include "export/sink.h"
#include "export/table_list.h"
#include "reader/arena.h"

#define CSVDIR_SUFFIX ".csv"

struct sink_state {
	struct outfile *out;
	struct table_list tables;
	struct writer *writers; /* one for each of the tables */
	struct csv_memory *memories;
	size_t nr_writers;
};

/* Opens the file of a table.  NULL and errno. */
static FILE *file_create(const struct sink_state *s, const struct table *table)
{
	const char *folder = outfile_temporary(s->out);
	size_t size = strlen(folder) + strlen(table->name) + sizeof("/" CSVDIR_SUFFIX);
	char *path = must_alloc(size);
	FILE *file;

	snprintf(path, size, "%s/%s" CSVDIR_SUFFIX, folder, table->name);
	file = fopen(path, "wxe");
	free(path);
	return file;
}

static int writers_grow(struct sink_state *s, struct error *err)
{
	s->writers = must_realloc(s->writers, s->tables.nr + 1, sizeof(s->writers[0]));
	s->memories = must_realloc(s->memories, s->tables.nr + 1, sizeof(s->memories[0]));
	while (s->nr_writers < s->tables.nr) {
		struct writer *w = &s->writers[s->nr_writers];
		const struct table *table = s->tables.tables[s->nr_writers];

		memset(&s->memories[s->nr_writers++], 0, sizeof(s->memories[0]));
		*w = (struct writer){ .out = file_create(s, table) };
		if (!w->out)
			return outfile_failed(s->out, errno, err);
		csv_header(w, table);
	}
	return 0;
}

static int csvdir_open(struct sink_state *s, const char *path, const struct schema *schema,
		       const struct sink_options *options, struct error *err)
{
	if (!path)
		return fail(err, NO_OFFSET, "a folder of CSV files cannot go to standard output");
	s->out = outfile_open_folder(path, CSVDIR_SUFFIX, options->force, err);
	if (!s->out)
		return -1;
	table_list_init(&s->tables, schema);
	return writers_grow(s, err);
}

static int csvdir_row(struct sink_state *s, const struct table *table, const struct value *values, struct error *err)
{
	size_t at = table_list_find(&s->tables, table);

	if (at >= s->nr_writers && writers_grow(s, err))
		return -1;
	csv_row(&s->writers[at], table, values, &s->memories[at]);
	return s->writers[at].failed ? outfile_failed(s->out, s->writers[at].failed, err) : 0;
}

static int csvdir_finish(struct sink_state *s, struct error *err)
{
	struct outfile *out = s->out;

	for (size_t i = 0; i < s->nr_writers; i++) {
		FILE *file = s->writers[i].out;

		if (writer_flush(&s->writers[i]))
			return outfile_failed(out, errno, err);
		s->writers[i].out = NULL;
		if (fclose(file))
			return outfile_failed(out, errno, err);
	}
	s->out = NULL;
	return outfile_finish(out, err);
}

static void csvdir_abandon(struct sink_state *s)
{
	for (size_t i = 0; i < s->nr_writers; i++) {
		if (s->writers[i].out)
			fclose(s->writers[i].out);
		writer_free(&s->writers[i]);
	}
	free(s->writers);
	free(s->memories);
	table_list_free(&s->tables);
	outfile_abandon(s->out);
}

static const char *const suffixes[] = { "/", NULL };

const struct sink_class sink_csvdir = {
	.name = "csvdir",
	.suffixes = suffixes,
	.state_size = sizeof(struct sink_state),
	.open = csvdir_open,
	.row = csvdir_row,
	.finish = csvdir_finish,
	.abandon = csvdir_abandon,
};
