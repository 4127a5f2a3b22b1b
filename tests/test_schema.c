// SPDX-License-Identifier: GPL-2.0-only
/* The tables of the contract: what refers to what, and that docs/schema.md tells of every column. */
#include "export/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/sinks.h"
#include "tests/test.h"

static const struct table *find_table(const char *name, size_t size)
{
	for (size_t i = 0; i < schema_all.nr_tables; i++)
		if (strlen(schema_all.tables[i]->name) == size && memcmp(schema_all.tables[i]->name, name, size) == 0)
			return schema_all.tables[i];
	return NULL;
}

static bool has_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->nr_columns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return true;
	return false;
}

/* Every reference names the key of a table that is there. */
static void references_hold(void **state)
{
	(void)state;
	for (size_t i = 0; i < schema_all.nr_tables; i++) {
		const struct table *t = schema_all.tables[i];

		assert_ptr_equal(find_table(t->name, strlen(t->name)), t); /* no name twice */
		if (t->primary_key)
			assert_true(has_column(t, t->primary_key));
		for (size_t c = 0; c < t->nr_columns; c++) {
			const char *reference = t->columns[c].references;
			const struct table *other;

			if (!reference)
				continue;
			other = find_table(reference, strcspn(reference, "("));
			assert_non_null(other);
			assert_non_null(other->primary_key);
			assert_string_equal(strchr(reference, '('), "(id)");
		}
	}
}

static void assert_documented(const char *text, const char *name)
{
	char quoted[100];

	snprintf(quoted, sizeof(quoted), "`%s`", name);
	if (!strstr(text, quoted))
		fail_msg("docs/schema.md does not tell of %s", quoted);
}

static void every_column_is_documented(void **state)
{
	char *text = scratch_read("docs/schema.md");

	(void)state;
	if (!text)
		skip();
	for (size_t i = 0; i < schema_all.nr_tables; i++) {
		const struct table *t = schema_all.tables[i];

		if (strncmp(t->name, "record_", 7) == 0) /* described together */
			continue;
		assert_documented(text, t->name);
		for (size_t c = 0; c < t->nr_columns; c++)
			assert_documented(text, t->columns[c].name);
	}
	for (size_t i = 0; i < schema_all.nr_views; i++)
		assert_documented(text, schema_all.views[i].name);
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(references_hold),
	cmocka_unit_test(every_column_is_documented),
};

TEST_MODULE(schema, tests);
