// SPDX-License-Identifier: GPL-2.0-only
/* The list of output formats, and what is the same for all of them. */
#include "export/sink.h"

#include <stdlib.h>

#include "reader/arena.h"

struct sink {
	const struct sink_class *class;
	_Alignas(max_align_t) char state[];
};

static const struct sink_class *const classes[] = {
	&sink_csvdir, &sink_sqlite, &sink_csv, &sink_json, &sink_null,
};

#define NR_CLASSES (sizeof(classes) / sizeof(classes[0]))

static bool path_has_suffix(const char *path, const char *suffix)
{
	size_t size = strlen(path), end = strlen(suffix);

	return size > end && strcmp(path + size - end, suffix) == 0;
}

const struct sink_class *sink_class_for(const char *path)
{
	for (size_t i = 0; i < NR_CLASSES; i++)
		for (const char *const *s = classes[i]->suffixes; s && *s; s++)
			if (path_has_suffix(path, *s))
				return classes[i];
	return NULL;
}

const struct sink_class *sink_class_named(const char *name)
{
	for (size_t i = 0; i < NR_CLASSES; i++)
		if (strcmp(classes[i]->name, name) == 0)
			return classes[i];
	return NULL;
}

static struct sink_state *state_of(struct sink *s)
{
	return (void *)s->state;
}

struct sink *sink_open(const struct sink_class *class, const char *path, const struct schema *schema,
		       const struct sink_options *options, struct error *err)
{
	struct sink *s = must_alloc(sizeof(*s) + class->state_size);

	memset(s, 0, sizeof(*s) + class->state_size);
	s->class = class;
	if (class->open(state_of(s), path, schema, options, err)) {
		sink_abandon(s);
		return NULL;
	}
	return s;
}

int sink_row(struct sink *s, const struct table *table, const struct value *values, struct error *err)
{
	return s->class->row(state_of(s), table, values, err);
}

int sink_finish(struct sink *s, struct error *err)
{
	int result = s->class->finish(state_of(s), err);

	s->class->abandon(state_of(s));
	free(s);
	return result;
}

void sink_abandon(struct sink *s)
{
	if (!s)
		return;
	s->class->abandon(state_of(s));
	free(s);
}

int64_t sink_next_id(struct sink *s, const struct table *table)
{
	return s->class->next_id ? s->class->next_id(state_of(s), table) : 1;
}

int64_t sink_find_id(struct sink *s, const struct table *table, const struct value *values)
{
	return s->class->find_id ? s->class->find_id(state_of(s), table, values) : 0;
}
