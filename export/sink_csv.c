// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table as one CSV file (export/csv.h says how it looks).  A schema of several
 * tables may be given when rows of only one come: that one is written.  The header line is
 * there without rows too, then of the schema's first table.
 */
#include <assert.h>
#include <errno.h>

#include "export/csv.h"
#include "export/outfile.h"
#include "export/sink.h"

struct sink_state {
	struct outfile *out;
	struct writer writer;
	const struct schema *schema;
	const struct table *table; /* NULL: no row yet */
	struct csv_memory memory;
};

static int csv_open(struct sink_state *s, const char *path, const struct schema *schema,
		    const struct sink_options *options, struct error *err)
{
	assert(schema->nr_tables > 0);
	s->schema = schema;
	s->out = outfile_open(path, options->force, err);
	if (!s->out)
		return -1;
	s->writer.out = outfile_stream(s->out);
	return 0;
}

static int csv_put_row(struct sink_state *s, const struct table *table, const struct value *values, struct error *err)
{
	if (!s->table) {
		s->table = table;
		csv_header(&s->writer, table);
	}
	assert(s->table == table);
	csv_row(&s->writer, table, values, &s->memory);
	return s->writer.failed ? outfile_failed(s->out, s->writer.failed, err) : 0;
}

static int csv_finish(struct sink_state *s, struct error *err)
{
	struct outfile *out = s->out;

	if (!s->table)
		csv_header(&s->writer, s->schema->tables[0]);
	if (writer_flush(&s->writer))
		return outfile_failed(out, errno, err);
	s->out = NULL;
	return outfile_finish(out, err);
}

static void csv_abandon(struct sink_state *s)
{
	writer_free(&s->writer);
	outfile_abandon(s->out);
}

static const char *const suffixes[] = { ".csv", NULL };

const struct sink_class sink_csv = {
	.name = "csv",
	.suffixes = suffixes,
	.state_size = sizeof(struct sink_state),
	.open = csv_open,
	.row = csv_put_row,
	.finish = csv_finish,
	.abandon = csv_abandon,
};
