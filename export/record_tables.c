// SPDX-License-Identifier: GPL-2.0-only
/* Tables made from the rows of reader/records.c. */
#include "export/record_tables.h"

#include <assert.h>
#include <stdio.h>

#include "reader/arena.h"

enum { COMMON_COLUMNS = 5, TASK_COLUMNS = 2, TABLE_NAME_SIZE = 40 };

static const struct column common_columns[COMMON_COLUMNS] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "time_ns", COLUMN_INT, NULL },
	{ "cpu", COLUMN_INT, NULL },
	{ "event_id", COLUMN_INT, "event(id)" },
	{ "misc", COLUMN_HEX, NULL },
};

static const struct column task_columns[TASK_COLUMNS] = {
	{ "pid", COLUMN_INT, NULL },
	{ "tid", COLUMN_INT, NULL },
};

struct record_table {
	uint32_t type;
	char name[TABLE_NAME_SIZE];
	struct column columns[COMMON_COLUMNS + TASK_COLUMNS + RECORD_FIELDS_MAX];
	struct table table;
};

static struct record_table tables[RECORD_TABLES];

static enum column_type column_type_of(enum field_type type)
{
	switch (type) {
	case FIELD_HEX:
		return COLUMN_HEX;
	case FIELD_BYTES:
		return COLUMN_BLOB;
	case FIELD_TEXT:
	case FIELD_WORDS:
	case FIELD_WORDS32:
		return COLUMN_TEXT;
	default:
		return COLUMN_INT;
	}
}

bool record_table_has_task(const struct record_class *class)
{
	for (unsigned i = 0; i < class->nr_fields; i++)
		if (class->fields[i].name && strcmp(class->fields[i].name, "pid") == 0)
			return false;
	return class->type < RECORD_USER_TYPES;
}

static void make(struct record_table *t, const struct record_class *class)
{
	size_t nr = COMMON_COLUMNS;

	assert(class->nr_fields <= RECORD_FIELDS_MAX);
	t->type = class->type;
	snprintf(t->name, sizeof(t->name), "record_%s", class->name);
	memcpy(t->columns, common_columns, sizeof(common_columns));
	if (record_table_has_task(class)) {
		memcpy(t->columns + nr, task_columns, sizeof(task_columns));
		nr += TASK_COLUMNS;
	}
	for (unsigned i = 0; i < class->nr_fields; i++)
		if (class->fields[i].type != FIELD_PAD)
			t->columns[nr++] = (struct column){ class->fields[i].name, column_type_of(class->fields[i].type), NULL };
	t->table = (struct table){ t->name, t->columns, nr, NULL, NULL };
}

void record_tables_make(const struct table *ret[RECORD_TABLES])
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_record_classes; i++) {
		if (!record_classes[i].name)
			continue;
		assert(nr < RECORD_TABLES);
		make(&tables[nr], &record_classes[i]);
		ret[nr] = &tables[nr].table;
		nr++;
	}
	assert(nr == RECORD_TABLES);
}

const struct table *record_table_of(uint32_t type)
{
	for (size_t i = 0; i < RECORD_TABLES; i++)
		if (tables[i].type == type)
			return &tables[i].table;
	return NULL;
}
