// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts of the program, from the capture to the rows of the outputs: the modelled
 * captures came with the sums of each function, and with the profile that each has.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "export/output.h"
#include "tests/sinks.h"
#include "tests/test.h"

#define FEW   "fixtures/perf-7.2/functions-few.data"
#define SYMFS "fixtures/symfs"

/* ---- one report as a database ---- */

struct report {
	const char *path, *symfs;
	enum part_kind kind;
	const char *function;
	enum output_content content;
	bool in_order; /* as from a pipe: records and samples in order of time */
};

static struct scope_request request_of(const struct report *r)
{
	return (struct scope_request){ false, r->kind == PART_THREAD ? PLACE_THREAD : PLACE_RUN };
}

/* 0, or -1 and *err, as the command would. */
static int run_report(const struct report *r, struct outputs *o, struct error *err)
{
	const bool ordered = r->in_order || r->content == OUTPUT_TABLES;
	const struct capture_options reading = { .want_samples = true,
						 .want_records = ordered,
						 .time_order = ordered,
						 .want_reads = true,
						 .count_samples = true };
	const struct parts_options parts = { .kind = r->kind, .function = r->function };
	const struct scope_request request = request_of(r);
	struct locator *locator = locator_new(&(struct symbols_options){ .symfs = r->symfs });
	const struct analysis_options options = {
		.requests = &request,
		.nr_requests = 1,
		.nr_required = r->kind == PART_THREAD || r->kind == PART_RUN,
		.locator = locator,
		.parts = &parts,
		.parts_required = r->function != NULL,
		.visitor_adds = r->content == OUTPUT_TABLES,
	};
	struct capture_reader *reader;
	struct capture *capture = NULL;
	int result;

	if (!ordered)
		assert_int_equal(locator_read(locator, r->path, false, err), 0);
	reader = capture_open(r->path, &reading, err);
	if (!reader || capture_run(reader, &capture, err) != 1)
		fail_msg("%s: %s", r->path, err->text);
	result = analysis_run(reader, capture, &options, &outputs_visitor, o, err);
	capture_close(reader);
	locator_free(locator);
	return result;
}

static sqlite3 *report(void **state, const struct report *r)
{
	const char *path = scratch_path(state, "out.db");
	const struct output_request request = { .content = r->content, .class = &sink_sqlite, .path = path };
	const struct output_options options = { .force = true };
	struct error err = { "" };
	struct outputs *o = outputs_open(&request, 1, &options, &err);
	sqlite3 *db;

	if (!o || run_report(r, o, &err) || outputs_finish(o, &err))
		fail_msg("%s: %s", r->path, err.text);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

/* One number of a query with up to two texts and a number in it; -1: NULL or no row. */
static int64_t ask(sqlite3 *db, const char *sql, const char *text, int64_t number)
{
	sqlite3_stmt *s;
	int64_t result = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	if (text)
		sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
	if (sqlite3_bind_parameter_count(s) == 2)
		sqlite3_bind_int64(s, 2, number);
	if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
		result = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return result;
}

/* ---- sums ---- */

#define FOUR "('sha_rounds', 'branch_maze', 'pointer_chase', 'dispatch_table')"

static const char *const capture_names[] = {
	"perf-6.1/functions-l1", "perf-6.1/functions-l2", "perf-6.1/functions-few", "perf-6.1/functions-callgraph",
	"perf-7.2/functions-l1", "perf-7.2/functions-l2", "perf-7.2/functions-few", "perf-7.2/functions-callgraph",
};

enum { CAPTURES = sizeof(capture_names) / sizeof(capture_names[0]) };

/* Where sums are asked for, and how. */
static const struct sums_in {
	enum output_content content;
	bool in_order;
	const char *of_function, *of_others;
} sums_in[] = {
	{ OUTPUT_COUNTS, false, "SELECT sum(raw) FROM counts WHERE place = ?1 AND config = ?2",
	  "SELECT sum(raw) FROM counts WHERE place <> 'run' AND place NOT IN " FOUR
	  " AND ?1 = 'other' AND config = ?2" },
	{ OUTPUT_COUNTS, true, "SELECT sum(raw) FROM counts WHERE place = ?1 AND config = ?2",
	  "SELECT sum(raw) FROM counts WHERE place <> 'run' AND place NOT IN " FOUR
	  " AND ?1 = 'other' AND config = ?2" },
	{ OUTPUT_TABLES, true,
	  "SELECT sum(s.period) FROM samples s JOIN event e ON e.name = s.event WHERE s.symbol = ?1 AND e.config = ?2",
	  "SELECT sum(s.period) FROM samples s JOIN event e ON e.name = s.event"
	  " WHERE ?1 = 'other' AND s.symbol NOT IN " FOUR " AND e.config = ?2" },
};

/* function,event_index,config,period_sum,samples */
static void compare_with_truth(sqlite3 *db, const struct sums_in *in, const char *path)
{
	char line[200], function[100];
	int64_t config, period;
	unsigned rows = 0;
	FILE *f = fopen(path, "re");

	if (!f)
		fail_msg("%s is not there", path);
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		bool other;
		int64_t ours;

		assert_int_equal(sscanf(line, "%99[^,],%*u,%" SCNx64 ",%" SCNd64, function, (uint64_t *)&config,
					&period),
				 3);
		other = strcmp(function, "other") == 0;
		ours = ask(db, other ? in->of_others : in->of_function, function, config);
		if (ours != period)
			fail_msg("%s: %s of 0x%" PRIx64 " is %" PRId64 " and should be %" PRId64, path, function,
				 (uint64_t)config, ours, period);
		rows++;
	}
	assert_true(rows >= 24);
	fclose(f);
}

static void sums_equal_the_truth(void **state)
{
	char path[300], truth[300], symfs[300];

	if (!test_shared())
		skip();
	snprintf(symfs, sizeof(symfs), "%s/captures/symfs", test_shared());
	for (size_t i = 0; i < CAPTURES; i++)
		for (size_t k = 0; k < sizeof(sums_in) / sizeof(sums_in[0]); k++) {
			const struct report r = { .path = path,
						  .symfs = symfs,
						  .kind = PART_FUNCTION,
						  .content = sums_in[k].content,
						  .in_order = sums_in[k].in_order };
			sqlite3 *db;

			snprintf(path, sizeof(path), "%s/captures/%s.data", test_shared(), capture_names[i]);
			snprintf(truth, sizeof(truth), "%s/captures/%s.truth.csv", test_shared(), capture_names[i]);
			db = report(state, &r);
			compare_with_truth(db, &sums_in[k], truth);
			sqlite3_close(db);
		}
}

/* The truth of the fixture: cycles and retired ops. */
static const struct {
	const char *function;
	int64_t cycles, ops;
} few[] = {
	{ "sha_rounds", 836000000, 1320211200 },
	{ "branch_maze", 451000000, 1233936000 },
	{ "dispatch_table", 400000000, 708000000 },
	{ "pointer_chase", 78000000, 35568000 },
	{ "main", 41000000, 112176000 },
	{ "run", 1806000000, 3409891200 },
};

static void sums_of_the_fixture(void **state)
{
	for (int in_order = 0; in_order < 2; in_order++) {
		const struct report r = { FEW, SYMFS, PART_FUNCTION, .content = OUTPUT_COUNTS, .in_order = in_order };
		sqlite3 *db = report(state, &r);

		for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++) {
			assert_int_equal(ask(db, sums_in[0].of_function, few[i].function, 0x76), few[i].cycles);
			assert_int_equal(ask(db, sums_in[0].of_function, few[i].function, 0xc1), few[i].ops);
		}
		sqlite3_close(db);
	}
}

/* ---- values ---- */

static const struct profile {
	const char *function, *metric;
	double value;
} profiles[] = {
	{ "sha_rounds", "frontend_bound", 0.0613 },     { "sha_rounds", "bad_speculation", 0.0002 },
	{ "sha_rounds", "backend_bound", 0.6752 },      { "sha_rounds", "retiring", 0.2632 },
	{ "branch_maze", "frontend_bound", 0.1530 },    { "branch_maze", "bad_speculation", 0.2210 },
	{ "branch_maze", "backend_bound", 0.1630 },     { "branch_maze", "retiring", 0.4560 },
	{ "pointer_chase", "frontend_bound", 0.0270 },  { "pointer_chase", "bad_speculation", 0.0110 },
	{ "pointer_chase", "backend_bound", 0.8810 },   { "pointer_chase", "retiring", 0.0760 },
	{ "dispatch_table", "frontend_bound", 0.5270 }, { "dispatch_table", "bad_speculation", 0.0520 },
	{ "dispatch_table", "backend_bound", 0.1240 },  { "dispatch_table", "retiring", 0.2950 },
};

enum { PROFILES = sizeof(profiles) / sizeof(profiles[0]) };

/* 1: within; 0: not; -1: not shown */
static int is_within(sqlite3 *db, const struct profile *p)
{
	sqlite3_stmt *s;
	int result = -1;

	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT ?3 BETWEEN lo AND hi FROM metrics WHERE function = ?1 AND metric = "
					    "?2"
					    " AND method = 'samples' AND reason IS NOT 'few_samples'",
					    -1, &s, NULL),
			 SQLITE_OK);
	sqlite3_bind_text(s, 1, p->function, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, p->metric, -1, SQLITE_STATIC);
	sqlite3_bind_double(s, 3, p->value);
	if (sqlite3_step(s) == SQLITE_ROW)
		result = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return result;
}

/* Of 95 %: one in twenty may lie outside. */
static void functions_show_their_profiles(void **state)
{
	char path[300], symfs[300];
	int shown = 0, within = 0;

	if (!test_shared())
		skip();
	snprintf(symfs, sizeof(symfs), "%s/captures/symfs", test_shared());
	for (size_t i = 0; i < CAPTURES; i++) {
		const struct report r = {
			.path = path, .symfs = symfs, .kind = PART_FUNCTION, .content = OUTPUT_METRICS
		};
		sqlite3 *db;

		snprintf(path, sizeof(path), "%s/captures/%s.data", test_shared(), capture_names[i]);
		db = report(state, &r);
		for (size_t k = 0; k < PROFILES; k++) {
			int in = is_within(db, &profiles[k]);

			shown += in >= 0;
			within += in > 0;
		}
		sqlite3_close(db);
	}
	assert_true(shown >= 80);
	assert_true(within >= shown * 95 / 100);
}

static void few_samples_are_said(void **state)
{
	const struct report r = { FEW, SYMFS, PART_FUNCTION, .content = OUTPUT_METRICS };
	sqlite3 *db = report(state, &r);

	/* five functions, five shares of level 1 */
	assert_int_equal(ask(db,
			     "SELECT count(*) FROM metrics WHERE function IS NOT NULL AND unit = 'share'"
			     " AND metric <> 'self_share' AND reason = 'few_samples' AND status = 'caution'"
			     " AND value IS NOT NULL AND method = 'samples'",
			     NULL, 0),
			 25);
	assert_int_equal(ask(db,
			     "SELECT count(*) FROM metrics WHERE function IS NOT NULL AND unit = 'share'"
			     " AND metric <> 'self_share'",
			     NULL, 0),
			 25);
	/* the whole has enough for some */
	assert_int_equal(ask(db,
			     "SELECT count(*) FROM metrics WHERE function IS NULL AND metric = 'frontend_bound'"
			     " AND reason = 'mux_unknown' AND level = 0.95 AND place = 'run'",
			     NULL, 0),
			 1);
	assert_int_equal(ask(db, "SELECT value FROM metrics WHERE metric = 'samples' AND function = ?1", "sha_rounds",
			     0),
			 19);
	assert_int_equal(ask(db, "SELECT value * 1e6 FROM metrics WHERE metric = 'self_share' AND function = ?1",
			     "sha_rounds", 0),
			 462901);
	sqlite3_close(db);
}

static void values_in_a_database(void **state)
{
	const struct report r = { FEW, SYMFS, PART_FUNCTION, .content = OUTPUT_TABLES };
	sqlite3 *db = report(state, &r);

	assert_int_equal(ask(db, "SELECT count(*) FROM pragma_foreign_key_check", NULL, 0), 0);
	assert_int_equal(ask(db, "SELECT count(*) FROM pipeline_by_function", NULL, 0), 5);
	assert_int_equal(ask(db,
			     "SELECT samples FROM pipeline_by_function WHERE function = ?1 AND dso = '/tmp/workload'",
			     "sha_rounds", 0),
			 19);
	assert_int_equal(ask(db, "SELECT count(*) FROM pipeline", NULL, 0), 1);
	assert_int_equal(ask(db, "SELECT count(DISTINCT symbol_id) FROM metric_value", NULL, 0), 5);
	assert_int_equal(ask(db,
			     "SELECT count(*) FROM metric_check WHERE name = 'few_samples' AND symbol_id IS NOT NULL",
			     NULL, 0),
			 5);
	assert_int_equal(ask(db, "SELECT count(*) FROM metric_check WHERE name = 'skid' AND symbol_id IS NULL", NULL,
			     0),
			 1);
	assert_int_equal(ask(db, "SELECT address FROM symbol WHERE name = ?1", "sha_rounds", 0) > 0, 1);
	assert_int_equal(ask(db, "SELECT count(*) FROM samples WHERE symbol IS NULL OR dso <> '/tmp/workload'", NULL,
			     0),
			 0);
	sqlite3_close(db);
}

/* ---- refusals ---- */

static void leaders_are_refused(void **state)
{
	char path[300], symfs[300];

	if (!test_shared())
		skip();
	snprintf(path, sizeof(path), "%s/captures/perf-7.2/group-read.data", test_shared());
	snprintf(symfs, sizeof(symfs), "%s/captures/symfs", test_shared());
	for (int in_order = 0; in_order < 2; in_order++) {
		const struct report r = { path, symfs, PART_FUNCTION, .content = OUTPUT_METRICS, .in_order = in_order };
		sqlite3 *db = report(state, &r);

		assert_int_equal(ask(db,
				     "SELECT count(*) FROM metrics WHERE function = ?1 AND unit = 'share' AND"
				     " metric <> 'self_share' AND value IS NULL AND status = 'refused' AND"
				     " reason = 'leader_sampled'",
				     "sha_rounds", 0),
				 5);
		assert_int_equal(ask(db,
				     "SELECT count(*) FROM metrics WHERE function IS NULL AND metric = ?1"
				     " AND value IS NOT NULL AND method = 'none' AND place = 'run'",
				     "frontend_bound", 0),
				 1);
		sqlite3_close(db);
	}
}

/* Where threads were counted, counts are shown; else samples. */
static void threads_by_what_there_is(void **state)
{
	static const struct {
		const char *capture, *method;
	} cases[] = {
		{ "perf-7.2/inherit-stat", "none" },
		{ "perf-7.2/functions-callgraph", "samples" },
	};
	char path[300];

	if (!test_shared())
		skip();
	for (size_t i = 0; i < 2; i++) {
		const struct report r = { .path = path, .kind = PART_THREAD, .content = OUTPUT_METRICS };
		sqlite3 *db;

		snprintf(path, sizeof(path), "%s/captures/%s.data", test_shared(), cases[i].capture);
		db = report(state, &r);
		assert_true(
			ask(db,
			    "SELECT count(*) FROM metrics WHERE place LIKE 'workload-%' AND metric = 'frontend_bound'"
			    " AND method = ?1",
			    cases[i].method, 0) > 0);
		assert_int_equal(ask(db,
				     "SELECT count(*) FROM metrics WHERE metric = 'frontend_bound' AND method <> ?1",
				     cases[i].method, 0),
				 0);
		sqlite3_close(db);
	}
}

/* ---- other parts ---- */

static const struct parts_case {
	enum part_kind kind;
	const char *function;
	const char *place; /* one of the rows */
	int64_t cycles;    /* its sum */
} parts_cases[] = {
	{ PART_DSO, NULL, "/tmp/workload", 1806000000 },
	{ PART_COMM, NULL, "workload", 1806000000 },
	{ PART_RUN, NULL, "run", 1806000000 },
	{ PART_LINE, "sha_rounds", "[no line]", 836000000 }, /* without debug information */
	{ PART_INSTRUCTION, "sha_rounds", "0x401182", -1 },
};

static void other_parts_of_the_fixture(void **state)
{
	for (size_t i = 0; i < sizeof(parts_cases) / sizeof(parts_cases[0]); i++) {
		const struct parts_case *c = &parts_cases[i];
		const struct report r = { FEW, SYMFS, c->kind, c->function, OUTPUT_COUNTS, false };
		sqlite3 *db = report(state, &r);
		int64_t cycles = ask(db, "SELECT raw FROM counts WHERE place = ?1 AND config = ?2", c->place, 0x76);

		if (c->cycles < 0 ? cycles <= 0 : cycles != c->cycles)
			fail_msg("%s: %" PRId64 " in %s", part_kind_name(c->kind), cycles, c->place);
		sqlite3_close(db);
	}
}

static void what_is_not_there(void **state)
{
	static const struct {
		struct report report;
		const char *message;
	} cases[] = {
		{ { FEW, SYMFS, PART_LINE, "no_such", OUTPUT_METRICS, false },
		  "has no samples in a function 'no_such'" },
		{ { "fixtures/sha256.data", NULL, PART_LINE, "main", OUTPUT_METRICS, false },
		  "has no samples, so --by line is not possible" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct output_request request = { .content = OUTPUT_METRICS, .class = &sink_null };
		const struct output_options options = { .force = true };
		struct error err = { "" };
		struct outputs *o = outputs_open(&request, 1, &options, &err);

		assert_int_equal(run_report(&cases[i].report, o, &err), -1);
		assert_string_equal(err.text, cases[i].message);
		outputs_abandon(o);
	}
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

static const struct CMUnitTest tests[] = {
	WITH_FOLDER(sums_equal_the_truth),
	WITH_FOLDER(sums_of_the_fixture),
	WITH_FOLDER(functions_show_their_profiles),
	WITH_FOLDER(few_samples_are_said),
	WITH_FOLDER(values_in_a_database),
	WITH_FOLDER(leaders_are_refused),
	WITH_FOLDER(threads_by_what_there_is),
	WITH_FOLDER(other_parts_of_the_fixture),
	WITH_FOLDER(what_is_not_there),
};

TEST_MODULE(parts, tests);
