// SPDX-License-Identifier: GPL-2.0-only
/* Rows record_NAME: what all have in common, then the fields. */
#include "export/record_tables.h"
#include "export/record_value.h"
#include "export/sample_rows.h"

static struct value time_value(uint64_t time_ns)
{
	return time_ns && time_ns != UINT64_MAX ? value_u64(time_ns) : value_null();
}

static size_t common_values(const struct rows *r, const struct item *item, const struct record_class *class,
			    struct value *v)
{
	const struct sample_id *id = item->id;
	size_t nr = 0;

	v[nr++] = value_int(r->capture_id);
	v[nr++] = time_value(id->time_ns);
	v[nr++] = id->have & SAMPLE_CPU && id->time_ns ? value_int(id->cpu) : value_null();
	v[nr++] = item->record_event >= 0 && class->type < RECORD_USER_TYPES ?
			  value_int(r->first_event + item->record_event) :
			  value_null();
	v[nr++] = value_u64(item->record->misc);
	if (record_table_has_task(class)) {
		v[nr++] = id->have & SAMPLE_TID ? value_int((int32_t)id->pid) : value_null();
		v[nr++] = id->have & SAMPLE_TID ? value_int((int32_t)id->tid) : value_null();
	}
	return nr;
}

int rows_record(struct rows *r, const struct analysis *a, const struct item *item, struct error *err)
{
	const struct record_class *class = record_class_of(item->record->type);
	const struct table *table = record_table_of(item->record->type);
	struct field_value fields[RECORD_FIELDS_MAX];
	struct value v[RECORD_FIELDS_MAX + 8];
	uint64_t nr_rows;
	size_t nr;

	if (!class || !table)
		return 0;
	nr = common_values(r, item, class, v);
	nr_rows = record_rows(class, item->record, item->layout);
	for (uint64_t row = 0; row < nr_rows; row++) {
		if (record_decode(class, item->record, item->layout, row, fields)) {
			damage_say(&a->capture->damage, DAMAGE_RECORD_SHORT, item->record->offset, "%s", class->name);
			return 0;
		}
		for (size_t i = nr; i < table->nr_columns; i++)
			v[i] = record_value(&fields[i - nr], &r->word_text);
		if (rows_put(r, table, v, err))
			return -1;
	}
	return 0;
}
