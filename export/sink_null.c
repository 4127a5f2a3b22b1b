// SPDX-License-Identifier: GPL-2.0-only
/* Takes rows and writes nothing: for measuring what comes before the outputs, and the shortest example of a sink. */
#include "export/sink.h"

struct sink_state {
	uint64_t rows;
};

static int null_open(struct sink_state *s, const char *path, const struct schema *schema,
		     const struct sink_options *options, struct error *err)
{
	(void)path, (void)schema, (void)options, (void)err;
	s->rows = 0;
	return 0;
}

static int null_row(struct sink_state *s, const struct table *table, const struct value *values, struct error *err)
{
	(void)table, (void)values, (void)err;
	s->rows++;
	return 0;
}

static int null_finish(struct sink_state *s, struct error *err)
{
	(void)s, (void)err;
	return 0;
}

static void null_abandon(struct sink_state *s)
{
	(void)s;
}

const struct sink_class sink_null = {
	.name = "null",
	.state_size = sizeof(struct sink_state),
	.open = null_open,
	.row = null_row,
	.finish = null_finish,
	.abandon = null_abandon,
};
