// SPDX-License-Identifier: GPL-2.0-only
/* CSV: one file, a folder, standard output. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/schema.h"
#include "tests/sinks.h"
#include "tests/test.h"

static const char row_csv[] = "name_id,i,h,r,t,b\n"
			      "1,,,,,\n"
			      "1,0,0x0,0.10000000000000001,plain,00ff\n"
			      "1,-9223372036854775808,0xffffffffffffffff,1.0000000000000001e+300,\"a,b\",\n"
			      "1,9223372036854775807,0x1000001a0,-1.0000000000000001e-05,\"say \"\"a\"\"\",\n"
			      "1,-1,0x1,3,\"two\nlines\r\",\n"
			      "1,1,0x2,0.33333333333333331,\xc3\xa4 \xf0\x9f\x99\x82,\n"
			      "1,2,0x3,1,bad \xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd "
			      "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd,\n"
			      "1,3,0x4,2,tab\t esc\x1b \\ / \x7f,\n";

static void assert_file(const char *path, const char *want)
{
	char *got = scratch_read(path);

	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
}

static void folder_holds_every_table(void **state)
{
	struct error err;

	assert_int_equal(awkward_write(scratch_path(state, "out/"), false, &err), 0);
	assert_file(scratch_path(state, "out/row.csv"), row_csv);
	assert_file(scratch_path(state, "out/name.csv"),
		    "id,title\n1,first\n2,more\n3,more\n4,more\n5,more\n6,more\n7,more\n8,more\n");
	assert_int_equal(scratch_count(scratch_path(state, "out")), 2);
	assert_int_equal(scratch_count(*state), 1);
}

static void every_table_has_its_header(void **state)
{
	const struct sink_options options = { .force = false };
	const char *path = scratch_path(state, "all/");
	struct error err;
	struct sink *s = sink_open(&sink_csvdir, path, &schema_all, &options, &err);

	assert_non_null(s);
	assert_int_equal(sink_next_id(s, &table_event), 1);
	assert_int_equal(sink_finish(s, &err), 0);
	assert_int_equal(scratch_count(path), schema_all.nr_tables);
	assert_file(scratch_path(state, "all/interval.csv"), "id,capture_id,position,begin_ns,end_ns\n");
}

static void table_out_of_the_schema_joins(void **state)
{
	const struct value values[] = { value_int(1), value_text("x") };
	const struct sink_options options = { .force = false };
	struct error err;
	struct sink *s = sink_open(&sink_csvdir, scratch_path(state, "late/"), &awkward_schema, &options, &err);

	assert_non_null(s);
	assert_int_equal(sink_row(s, &awkward_late, values, &err), 0);
	assert_int_equal(sink_finish(s, &err), 0);
	assert_file(scratch_path(state, "late/late.csv"), "id,title\n1,x\n");
}

static void one_file_one_table(void **state)
{
	static const struct table *const only[] = { &awkward_row };
	static const struct schema schema = { only, 1, NULL, 0 };
	const struct sink_options options = { .force = false };
	const struct value values[6] = { value_int(1), value_int(2), value_u64(UINT64_MAX), value_real(NAN),
					 value_text(NULL), value_real(0.5) };
	const char *path = scratch_path(state, "one.csv");
	struct error err;
	struct sink *s = sink_open(&sink_csv, path, &schema, &options, &err);

	assert_non_null(s);
	for (int i = 0; i < 2; i++)
		assert_int_equal(sink_row(s, &awkward_row, values, &err), 0);
	assert_int_equal(sink_finish(s, &err), 0);
	assert_file(path, "name_id,i,h,r,t,b\n1,2,0xffffffffffffffff,,,0.5\n1,2,0xffffffffffffffff,,,0.5\n");

	path = scratch_path(state, "none.csv");
	s = sink_open(&sink_csv, path, &schema_report_metrics, &options, &err);
	assert_int_equal(sink_finish(s, &err), 0);
	assert_file(path, "capture,interval,begin_s,end_s,place,function,metric,unit,value,lo,hi,method,level,coverage,"
			  "co_scheduled,status,reason\n");

	path = scratch_path(state, "none2.csv");
	s = sink_open(&sink_csv, path, &schema_report_counts, &options, &err);
	assert_int_equal(sink_finish(s, &err), 0);
	assert_file(path, "capture,interval,begin_s,end_s,place,event,group,type,config,raw,enabled_ns,running_ns,scaled,"
			  "unit,coverage,state\n");
}

/* Runs a sink on the standard output `fd` in a child; its error text comes back. */
static void standard_output(int fd, const struct sink_class *class, char *ret, size_t size)
{
	int back[2];
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(back), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		const struct sink_options options = { .force = false };
		struct error err = { "none" };
		struct sink *s;
		int result = 0;

		signal(SIGPIPE, SIG_IGN);
		dup2(fd, 1);
		s = sink_open(class, NULL, &awkward_schema, &options, &err);
		for (int i = 0; s && !result && i < 100000; i++) {
			const struct value values[] = { value_int(i), value_text("a text of some length") };

			result = sink_row(s, &awkward_name, values, &err);
		}
		if (s && result)
			sink_abandon(s);
		else if (s)
			result = sink_finish(s, &err);
		if (s && !result)
			strcpy(err.text, "no error");
		if (write(back[1], err.text, strlen(err.text) + 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(back[1]);
	n = read(back[0], ret, size);
	close(back[0]);
	waitpid(pid, NULL, 0);
	assert_true(n > 0);
}

static void full_and_closed_standard_output(void **state)
{
	static const struct sink_class *const classes[] = { &sink_csv, &sink_json };
	FILE *full = fopen("/dev/full", "w");
	char text[400];

	(void)state;
	if (!full)
		skip();
	for (size_t i = 0; i < 2; i++) {
		int gone[2];

		standard_output(fileno(full), classes[i], text, sizeof(text));
		assert_string_equal(text, "cannot write standard output: No space left on device");
		assert_int_equal(pipe(gone), 0);
		close(gone[0]);
		standard_output(gone[1], classes[i], text, sizeof(text));
		assert_string_equal(text, "");
		close(gone[1]);
	}
	fclose(full);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(folder_holds_every_table, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(every_table_has_its_header, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(table_out_of_the_schema_joins, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(one_file_one_table, scratch_setup, scratch_teardown),
	cmocka_unit_test(full_and_closed_standard_output),
};

TEST_MODULE(sink_csv, tests);
