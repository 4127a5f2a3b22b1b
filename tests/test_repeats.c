// SPDX-License-Identifier: GPL-2.0-only
/* Several captures as runs of one program: a worked example, and what the visitor is given. */
#include "metrics/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

static void close_to(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("got %.14g, wanted %.14g", got, want);
}

static void four_runs_by_hand(void **state)
{
	static const double values[] = { 0.2631, 0.2644, 0.2622, 0.2639 };
	struct repeat r = repeat_of(values, 4, 0.95);

	(void)state;
	assert_int_equal(r.nr, 4);
	close_to(r.mean, 0.2634, 1e-12);
	close_to(r.sd, 0.000962635271880, 1e-11);
	close_to(r.half_width, 0.00153176753216, 1e-11);
	close_to(r.se, 0.000962635271880 / 2, 1e-11);
}

static void fewer_runs_have_less(void **state)
{
	static const double values[] = { 0.2, 0.3, 0.4 };

	(void)state;
	assert_true(isnan(repeat_of(values, 0, 0.95).mean));
	assert_true(repeat_of(values, 1, 0.95).mean == 0.2 && isnan(repeat_of(values, 1, 0.95).sd));
	close_to(repeat_of(values, 2, 0.95).mean, 0.25, 1e-15);
	close_to(repeat_of(values, 2, 0.95).sd, sqrt(0.005), 1e-12);
	assert_true(isnan(repeat_of(values, 2, 0.95).half_width));
	close_to(repeat_of(values, 3, 0.95).half_width, 4.302652730 * 0.1 / sqrt(3), 1e-9);
}

/* ---- captures ---- */

struct shown {
	size_t begun, ended, scopes;
	char path[200];
	struct metric_result results[4];
	struct cell cell;
	struct check_list checks;
};

static int shown_begin(void *user, const struct analysis *a, struct error *err)
{
	struct shown *s = user;

	(void)err;
	s->begun++;
	strncpy(s->path, a->capture->name, sizeof(s->path) - 1);
	return 0;
}

static int shown_scope(void *user, const struct analysis *a, const struct scope *scope,
		       const struct metric_result *results, struct error *err)
{
	struct shown *s = user;

	(void)err;
	s->scopes++;
	memcpy(s->results, results, a->set->nr_metrics * sizeof(*results));
	s->cell = scope->cells[0];
	s->checks = *a->checks;
	return 0;
}

static int shown_end(void *user, const struct analysis *a, struct error *err)
{
	(void)a;
	(void)err;
	((struct shown *)user)->ended++;
	return 0;
}

static const struct analysis_visitor shown_visitor = { .begin = shown_begin, .scope = shown_scope, .end = shown_end };

struct made_run {
	const char *path, *set;
	double value;
	uint64_t raw;
	bool refused, by_interval;
	uint64_t config;
};

/* One capture of one event and two metrics; the second is always refused. */
static int give(struct repeats *r, const struct made_run *m)
{
	struct capture *c = capture_new(m->path);
	struct metric_set set = { .name = m->set, .nr_metrics = 2 };
	struct check_list checks = { .nr = 0 };
	struct analysis a = { .capture = c, .set = &set, .checks = &checks, .note = "" };
	struct metric_result results[2] = {
		{ .value = m->refused ? NAN : m->value, .value_perf = m->value, .coverage = 0.25, .co_scheduled = true,
		  .status = m->refused ? METRIC_REFUSED : METRIC_OK, .reason = m->refused ? "not_counted" : "single-total" },
		{ .value = NAN, .status = METRIC_REFUSED, .reason = "missing-event" },
	};
	struct place run = { .label = "run" };
	struct cell cell = { .has_raw = true, .has_times = true, .instances = 1, .raw = m->raw, .enabled = 100,
			     .running = 25, .scaled = 4 * (double)m->raw, .coverage = 0.25 };
	struct scope scope = { .interval = m->by_interval ? 0 : -1, .is_total = !m->by_interval, .place = &run,
			       .cells = &cell, .nr_cells = 1 };
	struct error err;
	int failed;

	c->events = calloc(1, sizeof(*c->events));
	c->events[0] = (struct event){ .name = "cycles", .type = EVENT_RAW, .config = m->config };
	c->nr_events = 1;
	check_list_add(&checks, (struct check_row){ CHECK_COVERAGE_LOW, CHECK_WARN, 0.25, 0.3, "cycles", 0 });
	failed = repeats_visitor.begin(r, &a, &err) || repeats_visitor.scope(r, &a, &scope, results, &err) ||
		 repeats_visitor.end(r, &a, &err);
	capture_free(c);
	return failed;
}

static int give_all(const struct made_run *runs, size_t nr, struct shown *shown)
{
	struct repeats *r = repeats_new(nr, 0, &shown_visitor, shown);
	int failed = 0;

	memset(shown, 0, sizeof(*shown));
	for (size_t i = 0; i < nr && !failed; i++)
		failed = give(r, &runs[i]);
	repeats_free(r);
	return failed;
}

static void captures_become_one(void **state)
{
	static const struct made_run runs[] = {
		{ "a", "amdzen4", 0.2631, 1000, false, false, 0x76 }, { "b", "amdzen4", 0.2644, 1001, false, false, 0x76 },
		{ "c", "amdzen4", 0.2622, 1002, false, false, 0x76 }, { "d", "amdzen4", 0.2639, 1003, false, false, 0x76 },
	};
	struct shown s;

	(void)state;
	assert_int_equal(give_all(runs, 4, &s), 0);
	assert_true(s.begun == 1 && s.scopes == 1 && s.ended == 1);
	assert_string_equal(s.path, "a b c d");
	assert_int_equal(s.results[0].method, METHOD_REPEATS);
	close_to(s.results[0].value, 0.2634, 1e-12);
	close_to(s.results[0].hi - s.results[0].value, 0.00153176753216, 1e-10);
	assert_true(s.results[0].rounds == 4 && s.results[0].level == 0.95 && s.results[0].status == METRIC_OK);
	assert_int_equal(s.results[1].status, METRIC_REFUSED);
	assert_string_equal(s.results[1].reason, "missing-event");
	assert_true(s.cell.raw == 4006 && s.cell.enabled == 400 && s.cell.coverage == 0.25);
	assert_true(s.cell.scaled == 4 * 4006.0);
	assert_true(s.checks.nr == 1 && s.checks.rows[0].others == 3);
}

static void what_takes_the_error_away(void **state)
{
	static const struct {
		const char *name;
		struct made_run runs[3];
		size_t nr;
		enum metric_status status;
		enum metric_method method;
		const char *reason;
	} cases[] = {
		{ "two", { { "a", "x", 0.1, 1, 0, 0, 0 }, { "b", "x", 0.2, 2, 0, 0, 0 } }, 2, METRIC_OK, METHOD_NONE, "too-few-captures" },
		{ "copies", { { "a", "x", 0.1, 1, 0, 0, 0 }, { "b", "x", 0.2, 2, 0, 0, 0 }, { "c", "x", 0.1, 1, 0, 0, 0 } }, 3,
		  METRIC_CAUTION, METHOD_NONE, "duplicate_captures" },
		{ "refused in one", { { "a", "x", 0.1, 1, 0, 0, 0 }, { "b", "x", 0.2, 2, 1, 0, 0 }, { "c", "x", 0.1, 3, 0, 0, 0 } }, 3,
		  METRIC_CAUTION, METHOD_NONE, "too-few-captures" },
		{ "refused in all", { { "a", "x", 0.1, 1, 1, 0, 0 }, { "b", "x", 0.2, 2, 1, 0, 0 }, { "c", "x", 0.1, 3, 1, 0, 0 } }, 3,
		  METRIC_REFUSED, METHOD_NONE, "not_counted" },
	};
	struct shown s;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(give_all(cases[i].runs, cases[i].nr, &s), 0);
		if (s.results[0].status != cases[i].status || s.results[0].method != cases[i].method ||
		    strcmp(s.results[0].reason, cases[i].reason) != 0 || isfinite(s.results[0].lo))
			fail_msg("%s: %s, %s, '%s'", cases[i].name, metric_status_name(s.results[0].status),
				 metric_method_name(s.results[0].method), s.results[0].reason);
	}
}

static void what_cannot_be_taken_together(void **state)
{
	static const struct made_run runs[][2] = {
		{ { "a", "amdzen4", 0.1, 1, 0, 0, 1 }, { "b", "amdzen5", 0.1, 2, 0, 0, 1 } },
		{ { "a", "amdzen4", 0.1, 1, 0, 0, 1 }, { "b", "amdzen4", 0.1, 2, 0, 0, 2 } },
		{ { "a", "amdzen4", 0.1, 1, 0, 1, 1 }, { "b", "amdzen4", 0.1, 2, 0, 1, 1 } },
	};
	struct shown s;

	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		assert_true(give_all(runs[i], 2, &s) != 0);
		assert_int_equal(s.begun, 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(four_runs_by_hand),        cmocka_unit_test(fewer_runs_have_less),
	cmocka_unit_test(captures_become_one),      cmocka_unit_test(what_takes_the_error_away),
	cmocka_unit_test(what_cannot_be_taken_together),
};

TEST_MODULE(repeats, tests);
