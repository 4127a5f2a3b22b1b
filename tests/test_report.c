// SPDX-License-Identifier: GPL-2.0-only
/* What is written of checks, and of captures that are runs of one program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/output.h"
#include "metrics/repeats.h"
#include "tests/sinks.h"
#include "tests/test.h"

/* One capture into one output; thresholds are separated by blanks. */
static void write_output(const char *capture_path, const struct output_request *request, const char *thresholds)
{
	static const struct scope_request run = { false, PLACE_RUN };
	const struct output_options options = { .force = true, .shown = &run, .nr_shown = 1 };
	const struct capture_options what = { 0 };
	struct check_limits limits;
	struct analysis_options analysis = { .requests = &run, .nr_requests = 1, .uncertainty = { .limits = &limits } };
	struct error err = { "" };
	struct outputs *o = outputs_open(request, 1, &options, &err);
	struct capture_reader *reader = capture_open(capture_path, &what, &err);
	struct capture *capture;
	char words[300], *word, *rest;

	check_limits_default(&limits);
	snprintf(words, sizeof(words), "%s", thresholds);
	for (word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		assert_int_equal(check_limits_set(&limits, word, &err), 0);
	if (!o || !reader || capture_run(reader, &capture, &err) != 1 ||
	    analysis_run(reader, capture, &analysis, &outputs_visitor, o, &err) || outputs_finish(o, &err))
		fail_msg("%s: %s", capture_path, err.text);
	capture_close(reader);
}

static const struct check_case {
	const char *capture, *thresholds;
	const char *rows; /* of the table metric_check, without its heading */
} check_cases[] = {
	{ "fixtures/sha256.data", "", "" },
	/* 2001465794 of 10012345678 ns; the worked example has 0.999736999977 for the sum */
	{ "fixtures/sha256.data", "coverage_low=0.25/0.01 closure_residual=0.0002/0.1/0.2",
	  "1,,1,,coverage_low,warn,0.19989978955658666,0.25,ex_ret_ucode_ops and 14 others\n"
	  "1,,1,,closure_residual,info,0.00026300002727097649,0.00020000000000000001,sum below 1\n" },
	{ "fixtures/perf-7.2/user-kernel.data", "",
	  "1,,1,,closure_unavailable,info,1,0,\n"
	  "1,,,,modifiers,info,,,u: all metrics\n" },
};

static void test_rows_of_checks(void **state)
{
	for (size_t i = 0; i < sizeof(check_cases) / sizeof(check_cases[0]); i++) {
		const struct check_case *c = &check_cases[i];
		const char *folder = scratch_path(state, "out/");
		const struct output_request request = { .content = OUTPUT_TABLES, .class = &sink_csvdir, .path = folder };
		char *text;

		write_output(c->capture, &request, c->thresholds);
		text = scratch_read(scratch_path(state, "out/metric_check.csv"));
		assert_non_null(text);
		assert_string_equal(strchr(text, '\n') + 1, c->rows);
		free(text);
	}
}

/* ---- runs of one program ---- */

static const char *const runs[] = { "fixtures/perf-7.2/persocket.data", "fixtures/perf-7.2/systemwide.data",
				    "fixtures/perf-6.12/percore.data" };

static void write_repeats(size_t nr, const struct output_request *request)
{
	static const struct scope_request run = { false, PLACE_RUN };
	const struct output_options options = { .force = true, .shown = &run, .nr_shown = 1 };
	const struct analysis_options analysis = { .requests = &run, .nr_requests = 1 };
	const struct capture_options what = { 0 };
	struct error err = { "" };
	struct outputs *o = outputs_open(request, 1, &options, &err);
	struct repeats *repeats = repeats_new(nr, 0, &outputs_visitor, o);

	for (size_t i = 0; i < nr; i++) {
		struct capture_reader *reader = capture_open(runs[i], &what, &err);
		struct capture *capture;

		if (!o || !reader || capture_run(reader, &capture, &err) != 1 ||
		    analysis_run(reader, capture, &analysis, &repeats_visitor, repeats, &err))
			fail_msg("%s: %s", runs[i], err.text);
		capture_close(reader);
	}
	assert_int_equal(outputs_finish(o, &err), 0);
	repeats_free(repeats);
}

/* The row of one capture and metric: "CAPTURE,…,METRIC,…"; NULL when there is none. */
static const char *find_row(const char *text, const char *capture, const char *metric, char *to, size_t size)
{
	char begin[300], name[100];

	snprintf(begin, sizeof(begin), "%s,", capture);
	snprintf(name, sizeof(name), ",%s,", metric);
	for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		snprintf(to, size, "%.*s", (int)strcspn(line, "\n"), line);
		if (strncmp(to, begin, strlen(begin)) == 0 && strstr(to, name))
			return to;
	}
	return NULL;
}

/* Columns of the flat table, from 0. */
enum { COLUMN_VALUE = 8, COLUMN_LO, COLUMN_HI, COLUMN_METHOD, COLUMN_REASON = 16 };

static const char *column(const char *row, int nr)
{
	while (nr-- > 0)
		row = strchr(row, ',') + 1;
	return row;
}

/* Each run's value is the one that it has alone; mean and error are those of these values. */
static void test_runs_in_csv(void **state)
{
	const struct output_request request = { .content = OUTPUT_METRICS, .class = &sink_csv,
						.path = scratch_path(state, "out.csv") };
	double values[3], mean = 0, squares = 0, half;
	char row[600], *text;

	for (size_t i = 0; i < 3; i++) {
		write_output(runs[i], &request, "");
		text = scratch_read(request.path);
		values[i] = strtod(column(find_row(text, runs[i], "backend_bound", row, sizeof(row)), COLUMN_VALUE), NULL);
		mean += values[i] / 3;
		free(text);
	}
	write_repeats(3, &request);
	text = scratch_read(request.path);
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(find_row(text, runs[i], "backend_bound", row, sizeof(row)));
		assert_true(strtod(column(row, COLUMN_VALUE), NULL) == values[i]);
		assert_string_equal(column(row, COLUMN_REASON), "one-of-repeats");
		squares += (values[i] - mean) * (values[i] - mean);
	}
	half = 4.302652730 * sqrt(squares / 2 / 3);
	assert_non_null(find_row(text, "fixtures/perf-7.2/persocket.data fixtures/perf-7.2/systemwide.data "
				       "fixtures/perf-6.12/percore.data", "backend_bound", row, sizeof(row)));
	assert_true(fabs(strtod(column(row, COLUMN_VALUE), NULL) - mean) < 1e-12);
	assert_true(fabs(strtod(column(row, COLUMN_LO), NULL) - (mean - half)) < 1e-9);
	assert_true(fabs(strtod(column(row, COLUMN_HI), NULL) - (mean + half)) < 1e-9);
	assert_memory_equal(column(row, COLUMN_METHOD), "repeats,", 8);
	free(text);
}

/* Two runs show their values and no error. */
static void test_two_runs(void **state)
{
	const struct output_request request = { .content = OUTPUT_PAGE, .path = scratch_path(state, "out.txt") };
	char *text;

	write_repeats(2, &request);
	text = scratch_read(request.path);
	assert_non_null(strstr(text, "\nrun 2:        fixtures/perf-7.2/systemwide.data\n"));
	assert_non_null(strstr(text, "\nbackend_bound                         87.9   23.0\n"));
	assert_non_null(strstr(text, "none: too-few-captures\n"));
	assert_null(strstr(text, "±"));
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_runs_in_csv, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(test_two_runs, scratch_setup, scratch_teardown),
	cmocka_unit_test_setup_teardown(test_rows_of_checks, scratch_setup, scratch_teardown),
};

TEST_MODULE(report, tests);
