// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readings in, values with their error out: the worked examples through counts, plan,
 * checks and both walks; what must not have an error; and real captures.
 */
#include "tests/trial.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/analysis.h"
#include "metrics/rounds.h"

#include "tests/test.h"

static double generated_running(int i, int j)
{
	return (trial_events[j].group == 4 ? 40000000 : 20000000) + 1000 * ((7 * i + 3 * trial_events[j].group) % 11);
}

static double generated_count(int i, int j)
{
	int64_t base = trial_events[j].count / (trial_events[j].group == 4 ? 200 : 100);
	int64_t w = trial_events[j].is_cycles ? 1000 + (5 * i + 3 * j) % 5 - 2
				      : 1000 + (i * (5 + 2 * j) + 3 * j) % 41 - 20;

	return (double)(base * w / 1000);
}

static void expect(const struct trial *t, const char *name, enum metric_status status, enum metric_method method,
		   const char *reason)
{
	const struct metric_result *r = trial_result(t, name);

	if (r->status != status || r->method != method || strcmp(r->reason, reason) != 0)
		fail_msg("%s: %s, %s, '%s'", name, metric_status_name(r->status), metric_method_name(r->method),
			 r->reason);
}

/* ---- the generator ---- */

static void add_generated(struct trial *t, int i, int cpu)
{
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(t, j, cpu, generated_count(i, j), 1e8, generated_running(i, j));
}

static const struct {
	const char *name;
	double value, coverage, se, half_width;
} worked[] = {
	{ "frontend_bound", 0.061187626739, 0.200051667, 1.426838e-04, 3.031747e-04 },
	{ "bad_speculation", 0.000365801760, 0.200048750, 6.226636e-04, 1.323036e-03 },
	{ "backend_bound", 0.674129194661, 0.200051250, 1.742575e-03, 3.702626e-03 },
	{ "smt_contention", 0.000030980230, 0.400049583, 5.394278e-08, 1.146177e-07 },
	{ "retiring", 0.262492280081, 0.200048750, 6.397134e-04, 1.359264e-03 },
	{ "frontend_bound_latency", 0.000606790530, 0.200051667, 1.328332e-06, 2.822442e-06 },
	{ "frontend_bound_bandwidth", 0.060580836209, 0.200051667, 1.421446e-04, 3.020291e-04 },
	{ "bad_speculation_mispredicts", 0.000274663974, 0.200048750, 4.674811e-04, 9.933043e-04 },
	{ "bad_speculation_pipeline_restarts", 0.000091137787, 0.200048750, 1.551826e-04, 3.297322e-04 },
	{ "backend_bound_memory", 0.016573160057, 0.200051250, 6.964325e-05, 1.479781e-04 },
	{ "backend_bound_cpu", 0.657556034604, 0.200051250, 1.699082e-03, 3.610210e-03 },
	{ "retiring_fastpath", 0.202046460310, 0.200049167, 6.678488e-04, 1.419046e-03 },
	{ "retiring_microcode", 0.061008934883, 0.200049167, 1.601040e-04, 3.401892e-04 },
};

static void close_to(const char *name, double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%s: got %.14g, wanted %.14g", name, got, want);
}

static void compare_worked(const struct metric_set *set, const struct metric_result *results)
{
	for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++) {
		const struct metric_result *r = &results[set_find_metric(set, worked[i].name)];
		const char *name = worked[i].name;

		close_to(name, r->value, worked[i].value, 0.6e-12);
		close_to(name, r->coverage, worked[i].coverage, 0.6e-9);
		close_to(name, r->se, worked[i].se, 0.6e-6 * worked[i].se);
		close_to(name, r->hi - r->value, worked[i].half_width, 0.6e-6 * worked[i].half_width);
		close_to(name, r->value - r->lo, worked[i].half_width, 0.6e-6 * worked[i].half_width);
		close_to(name, r->df, 15.558823529, 0.6e-9);
		assert_true(r->method == METHOD_INTERVALS && r->status == METRIC_OK && r->co_scheduled);
		assert_true(r->rounds == 24 && r->level == 0.95 && *r->reason == '\0');
	}
}

static void generator_from_readings(void **state)
{
	static struct trial t;

	(void)state;
	trial_new(&t, false);
	for (int i = 0; i < 24; i++) {
		add_generated(&t, i, 0);
		trial_round(&t);
	}
	trial_end(&t, false);
	compare_worked(t.set, t.results);
	/* the generator gives its fifth group half the rate of cycles; shares do not mind */
	assert_non_null(trial_fired(&t, CHECK_ANCHOR_SPREAD));
	assert_int_equal(trial_result(&t, "total_dispatch_slots")->status, METRIC_CAUTION);
	for (int id = 0; id < CHECK_NR; id++)
		if (id != CHECK_ANCHOR_SPREAD && trial_fired(&t, (enum check_id)id))
			fail_msg("%s fired at %g", check_name((enum check_id)id), trial_fired(&t, (enum check_id)id)->observed);
	close_to("bound", trial_result(&t, "frontend_bound")->bound_lo, 0.200051667 * 0.061187626739, 1e-9);
	trial_free(&t);
}

/* Two cpus that did the same: the run and each of them are as one. */
static void generator_at_two_cpus(void **state)
{
	static struct trial t;

	(void)state;
	trial_new(&t, true);
	for (int i = 0; i < 24; i++) {
		add_generated(&t, i, 1);
		add_generated(&t, i, 2);
		trial_round(&t);
	}
	trial_end(&t, false);
	assert_int_equal(t.nr_cpus, 2);
	compare_worked(t.set, t.results);
	compare_worked(t.set, t.at_cpu);
	trial_free(&t);
}

/* What comes after the last round belongs to the total and is no round. */
static void rest_after_the_last_round(void **state)
{
	static struct trial t;
	double whole;

	(void)state;
	trial_new(&t, false);
	for (int i = 0; i < 24; i++) {
		add_generated(&t, i, 0);
		trial_round(&t);
	}
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(&t, j, 0, generated_count(0, j) * (j == 12 ? 3 : 1), 1e8, 2e7);
	whole = t.total[0][12][0] * t.total[1][12][0] / t.total[2][12][0] /
		(6 * t.total[0][14][0] * t.total[1][14][0] / t.total[2][14][0]);
	trial_end(&t, false);
	close_to("value", trial_result(&t, "frontend_bound")->value, whole, 1e-15);
	close_to("se", trial_result(&t, "frontend_bound")->se, worked[0].se, 0.6e-6 * worked[0].se);
	assert_int_equal(trial_result(&t, "frontend_bound")->rounds, 24);
	trial_free(&t);
}

/* The published counts: no rounds, so no error, and nothing to complain of. */
static void sha256_example(void **state)
{
	static struct trial t;

	(void)state;
	trial_new(&t, false);
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(&t, j, 0, (double)trial_events[j].count, 10012345678.0, (double)trial_events[j].running);
	trial_end(&t, true);
	for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++)
		expect(&t, worked[i].name, METRIC_OK, METHOD_NONE, "single-total");
	assert_int_equal(t.checks.nr, 0);
	close_to("coverage", trial_result(&t, "retiring_fastpath")->coverage, 0.1999, 0.00005);
	close_to("backend", trial_result(&t, "backend_bound")->value_perf, 0.675168, 0.6e-12);
	trial_free(&t);
}

/* ---- edges ---- */

/* A run whose rounds are all like the first of the generator, but for what `change` does. */
static void run_edge(struct trial *t, int rounds, bool final, void (*change)(struct trial *t, int round))
{
	trial_new(t, false);
	for (int i = 0; i < rounds; i++) {
		add_generated(t, i, 0);
		if (change)
			change(t, i);
		if (!final)
			trial_round(t);
	}
	trial_end(t, final);
}

static void all_the_time(struct trial *t, int round)
{
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(t, j, 0, 0, 0, 1e8 - generated_running(round, j));
}

static void one_event_all_the_time(struct trial *t, int round)
{
	for (int j = 12; j < 15; j++)
		trial_add(t, j, 0, 0, 0, 1e8 - generated_running(round, j));
}

static void a_little_over(struct trial *t, int round)
{
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(t, j, 0, 0, 0, 1e8 - generated_running(round, j) + 50);
}

/* What was added is taken back before the set is complete. */
static void take_back(struct trial *t, int event, int round, bool enabled)
{
	trial_add(t, event, 0, -generated_count(round, event), enabled ? 0 : -1e8, -generated_running(round, event));
}

static void smt_never_ran(struct trial *t, int round) { take_back(t, 15, round, true); take_back(t, 16, round, true); }
static void smt_never_enabled(struct trial *t, int round) { take_back(t, 15, round, false); take_back(t, 16, round, false); }
static void smt_sometimes(struct trial *t, int round)
{
	if (round % 3)
		smt_never_ran(t, round);
}
static void smt_once(struct trial *t, int round)
{
	if (round)
		smt_never_ran(t, round);
}
static void nothing_mispredicted(struct trial *t, int round)
{
	trial_add(t, 0, 0, -generated_count(round, 0), 0, 0);
	trial_add(t, 2, 0, -generated_count(round, 2), 0, 0);
}
static void much_mispredicted(struct trial *t, int round)
{
	nothing_mispredicted(t, round);
	trial_add(t, 1, 0, 0.3 * generated_count(round, 3), 0, 0);
	trial_add(t, 6, 0, -0.3 * generated_count(round, 8), 0, 0);
}
static void never_incomplete(struct trial *t, int round)
{
	trial_add(t, 5, 0, -generated_count(round, 5), 0, 0);
	trial_add(t, 7, 0, -generated_count(round, 7), 0, 0);
}
static void always_the_same(struct trial *t, int round)
{
	for (int j = 0; j < TRIAL_EVENTS; j++)
		trial_add(t, j, 0, (double)(trial_events[j].count / (trial_events[j].group == 4 ? 200 : 100)) - generated_count(round, j), 0,
		    generated_running(0, j) - generated_running(round, j));
}

static const struct edge {
	const char *name;
	int rounds;
	bool final;
	void (*change)(struct trial *t, int round);
	const char *metric;
	enum metric_status status;
	enum metric_method method;
	const char *reason;
} edges[] = {
	{ "R = E", 10, true, all_the_time, "frontend_bound", METRIC_OK, METHOD_EXACT, "" },
	{ "R = E in rounds", 10, false, all_the_time, "frontend_bound", METRIC_OK, METHOD_EXACT, "" },
	{ "R slightly above E", 10, true, a_little_over, "frontend_bound", METRIC_OK, METHOD_EXACT, "" },
	{ "R = E for some", 10, true, one_event_all_the_time, "frontend_bound", METRIC_OK, METHOD_EXACT, "" },
	{ "R = E for others", 10, true, one_event_all_the_time, "retiring", METRIC_OK, METHOD_NONE, "single-total" },
	{ "not counted", 24, false, smt_never_ran, "smt_contention", METRIC_REFUSED, METHOD_NONE, "not_counted" },
	{ "not counted: others", 24, false, smt_never_ran, "retiring", METRIC_OK, METHOD_INTERVALS, "" },
	{ "not enabled", 24, false, smt_never_enabled, "smt_contention", METRIC_REFUSED, METHOD_NONE, "not_enabled" },
	{ "counted in some rounds", 24, false, smt_sometimes, "smt_contention", METRIC_OK, METHOD_INTERVALS, "" },
	{ "counted in one round", 24, false, smt_once, "smt_contention", METRIC_CAUTION, METHOD_NONE, "nonfinite-replicate" },
	{ "no total but the end", 5, true, NULL, "retiring", METRIC_OK, METHOD_NONE, "single-total" },
	{ "1 round", 1, false, NULL, "retiring", METRIC_CAUTION, METHOD_NONE, "single-total" },
	{ "2 rounds", 2, false, NULL, "retiring", METRIC_CAUTION, METHOD_NONE, "few-intervals" },
	{ "7 rounds", 7, false, NULL, "retiring", METRIC_CAUTION, METHOD_NONE, "few-intervals" },
	{ "8 rounds", 8, false, NULL, "retiring", METRIC_OK, METHOD_INTERVALS, "" },
	{ "0 of 0, small parent", 24, false, nothing_mispredicted, "bad_speculation_mispredicts", METRIC_OK, METHOD_NONE, "nonfinite-replicate" },
	{ "0 of 0, large parent", 24, false, much_mispredicted, "bad_speculation_mispredicts", METRIC_REFUSED, METHOD_NONE, "zero_denominator" },
	{ "0 of 0: the parent", 24, false, much_mispredicted, "bad_speculation", METRIC_OK, METHOD_INTERVALS, "" },
	{ "never incomplete", 24, false, never_incomplete, "backend_bound_memory", METRIC_REFUSED, METHOD_NONE, "zero_denominator" },
	{ "never incomplete: cpu", 24, false, never_incomplete, "backend_bound_cpu", METRIC_REFUSED, METHOD_NONE, "zero_denominator" },
	{ "all rounds equal", 24, false, always_the_same, "retiring", METRIC_OK, METHOD_INTERVALS, "" },
	{ "counts", 24, false, NULL, "total_dispatch_slots", METRIC_CAUTION, METHOD_INTERVALS, "" },
};

static void edges_end_as_specified(void **state)
{
	static struct trial t;

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		const struct metric_result *r;

		run_edge(&t, edges[i].rounds, edges[i].final, edges[i].change);
		r = trial_result(&t, edges[i].metric);
		if (r->status != edges[i].status || r->method != edges[i].method || strcmp(r->reason, edges[i].reason) != 0)
			fail_msg("%s: %s, %s, '%s'", edges[i].name, metric_status_name(r->status),
				 metric_method_name(r->method), r->reason);
		trial_free(&t);
	}
}

static void values_of_perf_at_the_edges(void **state)
{
	static struct trial t;

	(void)state;
	run_edge(&t, 24, false, smt_never_ran);
	assert_true(isnan(trial_result(&t, "smt_contention")->value_perf) && isnan(trial_result(&t, "smt_contention")->value));
	assert_non_null(trial_fired(&t, CHECK_CLOSURE_UNAVAILABLE));
	trial_free(&t);
	run_edge(&t, 24, false, nothing_mispredicted);
	assert_true(trial_result(&t, "bad_speculation_mispredicts")->value == 0);
	assert_true(trial_result(&t, "bad_speculation_mispredicts")->value_perf == 0);
	trial_free(&t);
	run_edge(&t, 24, false, never_incomplete);
	assert_true(trial_result(&t, "backend_bound_memory")->value_perf == 0);
	assert_true(fabs(trial_result(&t, "backend_bound_cpu")->value_perf - trial_result(&t, "backend_bound")->value_perf) < 1e-15);
	trial_free(&t);
	run_edge(&t, 24, false, always_the_same);
	close_to("equal rounds", trial_result(&t, "retiring")->hi, trial_result(&t, "retiring")->lo, 1e-12);
	trial_free(&t);
}

/* A rate for each enabled second, put back: with equal times the relative error is that of the mean. */
static void error_of_a_count(void **state)
{
	static struct trial t;
	const struct metric_result *r;

	(void)state;
	run_edge(&t, 24, false, NULL);
	r = trial_result(&t, "total_dispatch_slots");
	assert_true(r->lo < r->value && r->value < r->hi && r->se / r->value < 0.01 && r->se > 0);
	trial_free(&t);
}

/* ---- rounds ---- */

static void rounds_come_back(void **state)
{
	enum { ROUNDS = 3000, MOST = 97 };
	struct rounds *r = rounds_new();
	double count[MOST], enabled[MOST], running[MOST];
	struct error err;

	(void)state;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct difference d[MOST];
		size_t nr = i < 100 ? 5 : MOST;

		for (size_t k = 0; k < nr; k++)
			d[k] = (struct difference){ i * k, k % 7 ? i : i << 33, UINT32_MAX - (k & 1) };
		assert_int_equal(rounds_add(r, d, nr, &err), 0);
	}
	for (int again = 0; again < 2; again++) {
		assert_int_equal(rounds_rewind(r, &err), 0);
		for (uint64_t i = 0; i < ROUNDS; i++) {
			assert_int_equal(rounds_next(r, count, enabled, running, MOST, &err), 1);
			for (size_t k = 0; k < MOST; k++) {
				bool there = i >= 100 || k < 5;

				assert_true(count[k] == (there ? (double)(i * k) : 0));
				assert_true(enabled[k] == (there ? (double)(k % 7 ? i : i << 33) : 0));
				assert_true(running[k] == (there ? (double)(UINT32_MAX - (k & 1)) : 0));
			}
		}
		assert_int_equal(rounds_next(r, count, enabled, running, MOST, &err), 0);
	}
	rounds_free(r);
}

static void few_rounds_stay_in_memory(void **state)
{
	struct rounds *r = rounds_new();
	double v[3];
	struct error err;

	(void)state;
	assert_int_equal(rounds_rewind(r, &err), 0);
	assert_int_equal(rounds_next(r, &v[0], &v[1], &v[2], 1, &err), 0);
	rounds_free(r);
	r = rounds_new();
	setenv("TMPDIR", "/no such folder", 1);
	assert_int_equal(rounds_add(r, &(struct difference){ 1, 2, 3 }, 1, &err), 0);
	assert_int_equal(rounds_rewind(r, &err), 0);
	assert_int_equal(rounds_next(r, &v[0], &v[1], &v[2], 1, &err), 1);
	assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3);
	rounds_free(r);
	unsetenv("TMPDIR");
}

/* Without a place for temporary files the values stand and the errors are missing, and it says so. */
static void no_temporary_file(void **state)
{
	static struct trial t;

	(void)state;
	setenv("TMPDIR", "/no such folder", 1);
	trial_new(&t, false);
	for (int i = 0; i < 6000; i++) {
		add_generated(&t, i % 24, 0);
		trial_round(&t);
	}
	trial_end(&t, false);
	unsetenv("TMPDIR");
	expect(&t, "frontend_bound", METRIC_OK, METHOD_NONE, "rounds-not-kept");
	assert_true(fabs(trial_result(&t, "frontend_bound")->value - 0.0612) < 0.001);
	trial_free(&t);
}

/* ---- real captures ---- */

struct seen {
	size_t scopes, pipeline, intervals, reason;
	const char *path, *wanted;
};

static int see_scope(void *user, const struct analysis *a, const struct scope *scope,
		     const struct metric_result *results, struct error *err)
{
	struct seen *s = user;

	(void)err;
	s->scopes++;
	for (size_t m = 0; a->set && m < a->set->nr_metrics; m++) {
		const struct metric_result *r = &results[m];
		bool has_error = r->method == METHOD_EXACT || r->method == METHOD_INTERVALS;

		if (!plan_has(a->plan, m))
			continue;
		if (has_error != isfinite(r->lo) || has_error != isfinite(r->hi) || has_error != isfinite(r->se) ||
		    has_error != (*r->reason == '\0') || (has_error && !(r->lo <= r->value && r->value <= r->hi)))
			fail_msg("%s: %s: %s, '%s'", s->path, a->set->metrics[m].name, metric_method_name(r->method),
				 r->reason);
		if (!scope->is_total && r->method == METHOD_INTERVALS)
			fail_msg("%s: an interval has an error", s->path);
		if (!scope->is_total || !a->set->width || a->set->metrics[m].level < 1 || a->set->metrics[m].level > 2)
			continue;
		s->pipeline++;
		s->intervals += r->method == METHOD_INTERVALS;
		s->reason += r->method == METHOD_NONE && strcmp(r->reason, s->wanted) == 0;
	}
	return 0;
}

static void see_capture(const char *path, const char *reason, struct seen *s)
{
	const struct scope_request requests[] = { { false, PLACE_RUN }, { true, PLACE_RUN } };
	const struct analysis_options options = { .requests = requests, .nr_requests = 2 };
	const struct analysis_visitor visitor = { .scope = see_scope };
	const struct capture_options open = { 0 };
	struct error err = { "" };
	struct capture_reader *reader = capture_open(path, &open, &err);
	struct capture *capture;

	if (!reader)
		fail_msg("%s: %s", path, err.text);
	*s = (struct seen){ .path = path, .wanted = reason };
	while (capture_run(reader, &capture, &err) > 0)
		if (analysis_run(reader, capture, &options, &visitor, s, &err))
			fail_msg("%s: %s", path, err.text);
	capture_close(reader);
}

/* Every share of these captures has the method, or the reason not to have one. */
static void see_pattern(const char *pattern, const char *reason)
{
	char path[1000];
	glob_t found;

	if (!test_shared())
		skip();
	snprintf(path, sizeof(path), "%s/captures/perf-*/%s", test_shared(), pattern);
	assert_int_equal(glob(path, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct seen s;

		see_capture(found.gl_pathv[i], reason, &s);
		if (s.pipeline == 0 || (*reason ? s.reason : s.intervals) != s.pipeline)
			fail_msg("%s: of %zu shares %zu have intervals and %zu '%s'", found.gl_pathv[i], s.pipeline,
				 s.intervals, s.reason, reason);
	}
	globfree(&found);
}

static void interval_captures_have_errors(void **state)
{
	(void)state;
	see_pattern("interval.data", "");
	see_pattern("interval-percpu.data", "few-intervals"); /* five of them */
}

static void single_totals_have_none(void **state)
{
	(void)state;
	see_pattern("sha256.data", "single-total");
	see_pattern("genoa.data", "single-total");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(generator_from_readings),   cmocka_unit_test(generator_at_two_cpus),
	cmocka_unit_test(rest_after_the_last_round), cmocka_unit_test(sha256_example),
	cmocka_unit_test(edges_end_as_specified),    cmocka_unit_test(values_of_perf_at_the_edges),
	cmocka_unit_test(error_of_a_count),          cmocka_unit_test(rounds_come_back),
	cmocka_unit_test(few_rounds_stay_in_memory), cmocka_unit_test(no_temporary_file),
	cmocka_unit_test(interval_captures_have_errors), cmocka_unit_test(single_totals_have_none),
};

TEST_MODULE(uncertainty, tests);
