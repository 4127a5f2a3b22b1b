// SPDX-License-Identifier: GPL-2.0-only
/* What is written of checks: every one that fired, with what was observed and the threshold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/output.h"
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_rows_of_checks, scratch_setup, scratch_teardown),
};

TEST_MODULE(report, tests);
