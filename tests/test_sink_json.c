// SPDX-License-Identifier: GPL-2.0-only
/* JSON: read back by another library, and the bytes where they matter. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/schema.h"
#include "tests/sinks.h"
#include "tests/test.h"

static void every_value(void **state)
{
	const char *path = scratch_path(state, "out.json");
	struct error err;
	char *text;

	assert_int_equal(awkward_write(path, false, &err), 0);
	text = scratch_read(path);
	assert_string_equal(
		text,
		"{\"name\":[\n"
		"{\"id\":1,\"title\":\"first\"},\n{\"id\":2,\"title\":\"more\"},\n{\"id\":3,\"title\":\"more\"},\n"
		"{\"id\":4,\"title\":\"more\"},\n{\"id\":5,\"title\":\"more\"},\n{\"id\":6,\"title\":\"more\"},\n"
		"{\"id\":7,\"title\":\"more\"},\n{\"id\":8,\"title\":\"more\"}],\n"
		"\"row\":[\n"
		"{\"name_id\":1,\"i\":null,\"h\":null,\"r\":null,\"t\":null,\"b\":null},\n"
		"{\"name_id\":1,\"i\":0,\"h\":\"0x0\",\"r\":0.10000000000000001,\"t\":\"plain\",\"b\":\"00ff\"},\n"
		"{\"name_id\":1,\"i\":-9223372036854775808,\"h\":\"0xffffffffffffffff\",\"r\":1.0000000000000001e+300,"
		"\"t\":\"a,b\",\"b\":\"\"},\n"
		"{\"name_id\":1,\"i\":9223372036854775807,\"h\":\"0x1000001a0\",\"r\":-1.0000000000000001e-05,"
		"\"t\":\"say \\\"a\\\"\",\"b\":null},\n"
		"{\"name_id\":1,\"i\":-1,\"h\":\"0x1\",\"r\":3,\"t\":\"two\\u000alines\\u000d\",\"b\":null},\n"
		"{\"name_id\":1,\"i\":1,\"h\":\"0x2\",\"r\":0.33333333333333331,\"t\":\"\xc3\xa4 \xf0\x9f\x99\x82\",\"b\":null},\n"
		"{\"name_id\":1,\"i\":2,\"h\":\"0x3\",\"r\":1,\"t\":\"bad \xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd "
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\",\"b\":null},\n"
		"{\"name_id\":1,\"i\":3,\"h\":\"0x4\",\"r\":2,\"t\":\"tab\\u0009 esc\\u001b \\\\ / \\u007f\",\"b\":null}]}\n");
	free(text);
	assert_int_equal(scratch_count(*state), 1);
}

static json_t *load(const char *path)
{
	json_error_t error;
	json_t *j = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

	if (!j)
		fail_msg("%s, line %d", error.text, error.line);
	return j;
}

static void empty_tables_are_there(void **state)
{
	const struct sink_options options = { .force = false };
	const char *path = scratch_path(state, "all.json");
	struct error err;
	struct sink *s = sink_open(sink_class_named("json"), path, &schema_all, &options, &err);
	json_t *j;

	assert_non_null(s);
	assert_int_equal(sink_finish(s, &err), 0);
	j = load(path);
	assert_int_equal(json_object_size(j), schema_all.nr_tables);
	for (size_t i = 0; i < schema_all.nr_tables; i++)
		assert_true(json_is_array(json_object_get(j, schema_all.tables[i]->name)));
	json_decref(j);
}

/* More than any buffer holds, of two tables in turn, and one that the schema does not have. */
static void large_and_mixed(void **state)
{
	const struct sink_options options = { .force = false };
	const char *path = scratch_path(state, "large.json");
	struct error err;
	struct sink *s = sink_open(&sink_json, path, &awkward_schema, &options, &err);
	json_t *j;

	for (int i = 0; i < 20000; i++) {
		const struct value name[] = { value_int(i), value_text("name") };
		const struct value row[] = { value_int(i),       value_int(-i),          value_int(i),
					     value_real(i / 3.), value_real(INFINITY), value_null() };

		assert_int_equal(sink_row(s, i % 5 ? &awkward_name : &awkward_late, name, &err), 0);
		assert_int_equal(sink_row(s, &awkward_row, row, &err), 0);
	}
	assert_int_equal(sink_finish(s, &err), 0);
	j = load(path);
	assert_int_equal(json_array_size(json_object_get(j, "name")), 16000);
	assert_int_equal(json_array_size(json_object_get(j, "late")), 4000);
	for (size_t i = 0; i < 20000; i++) {
		json_t *row = json_array_get(json_object_get(j, "row"), i);

		assert_int_equal(json_integer_value(json_object_get(row, "name_id")), i);
		assert_true(json_number_value(json_object_get(row, "r")) == (double)i / 3.);
		assert_true(json_is_null(json_object_get(row, "t")));
	}
	json_decref(j);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(every_value, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(empty_tables_are_there, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(large_and_mixed, scratch_setup, scratch_teardown),
};

TEST_MODULE(sink_json, tests);
