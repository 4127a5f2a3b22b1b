// SPDX-License-Identifier: GPL-2.0-only
/*
 * record_SYSTEM_NAME: a table for each tracepoint that samples come from, with its fields and
 * the text that perf script prints.  Raw bytes that nothing describes go to record_raw.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "export/record_value.h"
#include "export/sample_rows.h"
#include "reader/tracing.h"

/* The tables live as long as the outputs: sinks keep their addresses. */
struct tracepoint_table {
	struct table table;
	char name[160];
};

struct tracepoint_tables {
	struct arena *arena;
	struct tracepoint_table **list;
	size_t nr;
	/* of the capture that is being read, by event: NULL not yet known */
	const struct tracing_event **events;
	struct tracepoint_table **of_event;
	size_t nr_events;
	int64_t capture_id;
	struct value *values; /* of a row */
	size_t room;
};

void tracepoint_tables_free(struct tracepoint_tables *t)
{
	if (!t)
		return;
	arena_free(t->arena);
	free(t->list);
	free(t->events);
	free(t->of_event);
	free(t->values);
	free(t);
}

static enum column_type column_type_of(enum field_kind kind)
{
	switch (kind) {
	case HOLDS_ADDRESS:
		return COLUMN_HEX;
	case HOLDS_STRING:
		return COLUMN_TEXT;
	case HOLDS_BYTES:
		return COLUMN_BLOB;
	default:
		return COLUMN_INT;
	}
}

/* Databases do not tell capitals apart. */
static bool is_taken(const struct column *columns, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (strcasecmp(columns[i].name, name) == 0)
			return true;
	return false;
}

static void add_column(struct arena *arena, struct column *columns, size_t *nr, const char *name, enum column_type type)
{
	while (is_taken(columns, *nr, name))
		name = arena_printf(arena, "%s_", name);
	columns[(*nr)++] = (struct column){ arena_strdup(arena, name), type, NULL };
}

/* sample_id, the fields, text */
static const struct column *columns_of(struct arena *arena, const struct tracing_event *e, size_t *ret_nr)
{
	struct column *columns = arena_alloc(arena, (e->nr_fields + 2) * sizeof(*columns));
	size_t nr = 0;

	columns[nr++] = (struct column){ "sample_id", COLUMN_INT, "sample(id)" };
	for (size_t i = 0; i < e->nr_fields; i++)
		add_column(arena, columns, &nr, e->fields[i].name, column_type_of(e->fields[i].kind));
	add_column(arena, columns, &nr, "text", COLUMN_TEXT);
	*ret_nr = nr;
	return columns;
}

static void name_table(char *to, size_t size, const struct tracing_event *e, unsigned nth)
{
	char number[16] = "";

	if (nth)
		snprintf(number, sizeof(number), "_%u", nth + 1);
	snprintf(to, size, "record_%.60s_%.60s%s", e->system, e->name, number);
	for (char *p = to; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
}

static bool same_columns(const struct table *t, const struct column *columns, size_t nr)
{
	if (t->nr_columns != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (t->columns[i].type != columns[i].type || strcmp(t->columns[i].name, columns[i].name))
			return false;
	return true;
}

static struct tracepoint_table *find_table(const struct tracepoint_tables *t, const char *name)
{
	for (size_t i = 0; i < t->nr; i++)
		if (strcasecmp(t->list[i]->name, name) == 0)
			return t->list[i];
	return NULL;
}

/* Kernels differ in the fields of a tracepoint: another capture may need another table. */
static struct tracepoint_table *table_of(struct tracepoint_tables *t, const struct tracing_event *e)
{
	struct tracepoint_table *table;
	const struct column *columns;
	char name[sizeof(table->name)];
	unsigned nth = 0;
	size_t nr;

	columns = columns_of(t->arena, e, &nr);
	for (;; nth++) {
		name_table(name, sizeof(name), e, nth);
		table = find_table(t, name);
		if (!table)
			break;
		if (same_columns(&table->table, columns, nr))
			return table;
	}
	table = arena_alloc(t->arena, sizeof(*table));
	memcpy(table->name, name, sizeof(name));
	table->table = (struct table){ table->name, columns, nr, NULL, NULL };
	t->list = must_realloc(t->list, t->nr + 1, sizeof(struct tracepoint_table *));
	t->list[t->nr++] = table;
	return table;
}

static void begin_capture(struct tracepoint_tables *t, const struct capture *c, int64_t capture_id)
{
	t->capture_id = capture_id;
	t->nr_events = c->nr_events;
	free(t->events);
	free(t->of_event);
	t->events = must_alloc(t->nr_events * sizeof(const struct tracing_event *));
	t->of_event = must_alloc(t->nr_events * sizeof(struct tracepoint_table *));
}

/* The event's description and table, or NULL where the capture does not describe it. */
static const struct tracing_event *described(struct tracepoint_tables *t, const struct capture *c, uint32_t event)
{
	const struct event *e = &c->events[event];

	if (!t->events[event] && e->type == EVENT_TRACEPOINT) {
		t->events[event] = tracing_event_of(c->tracing, e->config);
		if (t->events[event])
			t->of_event[event] = table_of(t, t->events[event]);
	}
	return t->events[event];
}

static int put_raw(struct rows *r, const struct sample *s, int64_t sample_id, struct error *err)
{
	const struct value v[] = { value_int(sample_id), value_blob(s->raw.at, s->raw.size) };

	return rows_put(r, &table_record_raw, v, err);
}

static struct tracepoint_tables *tables_for(struct rows *r, const struct capture *c)
{
	struct tracepoint_tables *t = r->tracepoints;

	if (!t) {
		t = r->tracepoints = must_alloc(sizeof(*t));
		t->arena = arena_new();
	}
	if (t->capture_id != r->capture_id || t->nr_events != c->nr_events)
		begin_capture(t, c, r->capture_id);
	return t;
}

int rows_raw(struct rows *r, const struct analysis *a, const struct sample *s, int64_t sample_id, struct error *err)
{
	struct tracepoint_tables *t = tables_for(r, a->capture);
	const struct tracing_event *e = described(t, a->capture, s->event);
	const struct table *table;

	if (!e)
		return put_raw(r, s, sample_id, err);
	table = &t->of_event[s->event]->table;
	if (table->nr_columns > t->room) {
		t->room = table->nr_columns;
		t->values = must_realloc(t->values, t->room, sizeof(*t->values));
	}
	t->values[0] = value_int(sample_id);
	for (size_t i = 0; i < e->nr_fields; i++) {
		struct field_value v = tracing_value(a->capture->tracing, e, i, s->raw);

		t->values[i + 1] = record_value(&v, &r->word_text);
	}
	t->values[e->nr_fields + 1] = value_text(tracing_text(a->capture->tracing, e, s->raw, s->time_ns, s->cpu));
	return rows_put(r, table, t->values, err);
}
