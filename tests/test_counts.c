// SPDX-License-Identifier: GPL-2.0-only
/*
 * From readings to counts, through the whole reader: intervals and totals, places, cells
 * that did not run, and numbers at the ends of their range.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/seen.h"
#include "tests/test.h"

enum kind { END, READING, INTERVAL, FINAL };

/* A record of the capture: a reading, or a round with its time. */
struct step {
	enum kind kind;
	uint32_t event;
	int32_t cpu, thread;
	uint64_t value, enabled, running; /* value: a round's time */
};

#define R(event, cpu, thread, value, enabled, running) { READING, event, cpu, thread, value, enabled, running }
#define I(time) { INTERVAL, 0, 0, 0, time, 0, 0 }
#define F(time) { FINAL, 0, 0, 0, time, 0, 0 }

/* A cell that must come out. */
struct want {
	int64_t interval;
	const char *label;
	uint32_t event;
	enum cell_state state;
	uint64_t raw, enabled, running;
	double scaled; /* NAN: not known */
	uint64_t scaled_perf;
	uint32_t dead;
	bool perf_not_counted;
};

/* Two sockets: cores 0 and 1 in the first, with CPUs 0 and 1 in core 0; one core in the second. */
static const struct statdata_cpu cpus[] = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, 1, 0, 0 }, { 0, 0, 1, 1 } };

enum { NR_CPUS = sizeof(cpus) / sizeof(cpus[0]) };

/* Two events, one id for each CPU; the last event was never opened. */
static struct statdata *capture_of(const struct step *steps, bool no_scale)
{
	static const struct statdata_thread threads[] = { { 10, "one" }, { 11, "two" } };
	struct statdata *p = statdata_new(128, false);

	for (uint32_t e = 0; e < 3; e++) {
		char name[] = "e0";

		name[1] = (char)('0' + e);
		statdata_event(p, &(struct statdata_event){ .name = name, .type = 4, .config = 0x70 + e, .nr_ids = e < 2 ? NR_CPUS : 0 });
	}
	statdata_topology(p, cpus, NR_CPUS);
	statdata_feature_string(p, 5, "6.1.100");
	statdata_thread_map(p, threads, 2);
	statdata_stat_config(p, 0, 0, !no_scale, -1);
	for (; steps->kind; steps++)
		if (steps->kind == READING)
			statdata_stat(p, statdata_id(p, steps->event, steps->cpu < 0 ? 0 : (size_t)steps->cpu), steps->cpu,
				      steps->thread, steps->value, steps->enabled, steps->running);
		else
			statdata_round(p, steps->kind == FINAL, steps->value);
	return p;
}

static struct seen *see(const struct step *steps, bool no_scale, const struct scope_request *requests, size_t nr)
{
	struct statdata *p = capture_of(steps, no_scale);
	struct image b = statdata_file(p);
	struct error err = { "" };
	struct seen *s = seen_image(&b, requests, nr, NULL, &err);

	if (!s)
		fail_msg("%s", err.text);
	image_free(&b);
	statdata_free(p);
	return s;
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

static void check(const struct seen *s, const struct want *w)
{
	const struct seen_scope *scope = seen_scope(s, w->interval, w->label);
	const struct cell *c = scope ? &scope->cells[w->event] : NULL;
	double coverage = w->enabled ? (double)w->running / (double)w->enabled : NAN;

	if (!c)
		fail_msg("nothing for %s, interval %" PRId64, w->label, w->interval);
	if (c->state != w->state || c->raw != w->raw || c->enabled != w->enabled || c->running != w->running ||
	    !same(c->scaled, w->scaled) || c->scaled_perf != w->scaled_perf || c->dead != w->dead ||
	    c->perf_not_counted != w->perf_not_counted || !same(c->coverage, coverage))
		fail_msg("%s, interval %" PRId64 ", e%" PRIu32 ": %s, raw %" PRIu64 ", %" PRIu64 " of %" PRIu64
			 " ns, scaled %.17g, perf %" PRIu64 ", dead %" PRIu32 ", not counted by perf %d, coverage %g",
			 w->label, w->interval, w->event, cell_state_name(c->state), c->raw, c->running, c->enabled,
			 c->scaled, c->scaled_perf, c->dead, c->perf_not_counted, c->coverage);
}

static void check_all(const struct seen *s, const struct want *want, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check(s, &want[i]);
}

#define CHECK_ALL(s, want) check_all(s, want, sizeof(want) / sizeof((want)[0]))

static const struct scope_request run = { false, PLACE_RUN };
static const struct scope_request intervals[] = { { false, PLACE_RUN }, { true, PLACE_RUN } };

/* ---- rounds ---- */

/* Readings are totals since the start; the set behind the last round is the total at the end. */
static void test_intervals(void **state)
{
	static const struct step steps[] = {
		R(0, -1, 0, 100, 1000, 500), I(1000), R(0, -1, 0, 250, 2000, 700), I(2000),
		R(0, -1, 0, 260, 2100, 800), { .kind = END },
	};
	static const struct want want[] = {
		{ 0, "run", 0, CELL_COUNTED, 100, 1000, 500, 200, 200, 0, false },
		{ 1, "run", 0, CELL_COUNTED, 150, 1000, 200, 750, 750, 0, false },
		{ -1, "run", 0, CELL_COUNTED, 260, 2100, 800, 682.5, 682, 0, false },
		{ -1, "run", 1, CELL_NOT_COUNTED, 0, 0, 0, NAN, 0, 0, true },
		{ -1, "run", 2, CELL_NOT_SUPPORTED, 0, 0, 0, NAN, 0, 0, true },
	};
	struct seen *s = see(steps, false, intervals, 2);

	(void)state;
	assert_int_equal(s->nr_scopes, 3);
	CHECK_ALL(s, want);
	assert_true(s->scopes[1].begin_ns == 1000 && s->scopes[1].end_ns == 2000);
	seen_free(s);
}

/* With --summary there is no set behind the last round: the last one is the total. */
static void test_intervals_without_last_set(void **state)
{
	static const struct step steps[] = {
		R(0, -1, 0, 100, 1000, 500), I(1000), R(0, -1, 0, 250, 2000, 700), I(2000), { .kind = END },
	};
	static const struct want want[] = {
		{ 1, "run", 0, CELL_COUNTED, 150, 1000, 200, 750, 750, 0, false },
		{ -1, "run", 0, CELL_COUNTED, 250, 2000, 700, 250.0 * 2000 / 700, 714, 0, false },
	};
	struct seen *s = see(steps, false, intervals, 2);

	(void)state;
	assert_int_equal(s->nr_scopes, 3);
	CHECK_ALL(s, want);
	seen_free(s);
}

/* Asleep during the second interval, then counting again. */
static void test_interval_asleep(void **state)
{
	static const struct step steps[] = {
		R(0, -1, 0, 100, 1000, 1000), I(1000), R(0, -1, 0, 100, 1000, 1000), I(2000),
		R(0, -1, 0, 300, 1500, 1500), I(3000), R(0, -1, 0, 300, 1500, 1500), { .kind = END },
	};
	static const struct want want[] = {
		{ 0, "run", 0, CELL_COUNTED, 100, 1000, 1000, 100, 100, 0, false },
		{ 1, "run", 0, CELL_NOT_COUNTED, 0, 0, 0, NAN, 0, 1, true },
		{ 2, "run", 0, CELL_COUNTED, 200, 500, 500, 200, 200, 0, false },
		{ -1, "run", 0, CELL_COUNTED, 300, 1500, 1500, 300, 300, 0, false },
	};
	struct seen *s = see(steps, false, intervals, 2);

	(void)state;
	assert_int_equal(s->nr_scopes, 4);
	CHECK_ALL(s, want);
	seen_free(s);
}

static void test_no_scale(void **state)
{
	static const struct step steps[] = { R(0, -1, 0, 100, 1000, 500), F(1000), { .kind = END } };
	static const struct want want[] = {
		{ -1, "run", 0, CELL_COUNTED, 100, 1000, 500, 100, 100, 0, false },
	};
	struct seen *s = see(steps, true, &run, 1);

	(void)state;
	CHECK_ALL(s, want);
	seen_free(s);
}

/* ---- places ---- */

static const struct step of_places[] = {
	R(0, 0, 0, 10, 100, 100), R(0, 1, 0, 20, 100, 50), R(0, 2, 0, 40, 100, 100), R(0, 3, 0, 80, 100, 0),
	R(0, 0, 1, 1, 100, 100),  R(0, 1, 1, 2, 100, 100), R(0, 2, 1, 4, 100, 100),  R(0, 3, 1, 8, 100, 100),
	F(100), { .kind = END },
};

/* Cells that never ran (CPU 3, thread "one") do not hide the others: a partial sum with its coverage. */
static const struct {
	unsigned place;
	size_t scopes;
	struct want want;
} by_place[] = {
	{ PLACE_RUN, 1, { -1, "run", 0, CELL_COUNTED, 165, 800, 650, 105, 105, 1, false } },
	{ PLACE_CPU, 4, { -1, "cpu=0", 0, CELL_COUNTED, 11, 200, 200, 11, 11, 0, false } },
	{ PLACE_CPU, 4, { -1, "cpu=1", 0, CELL_COUNTED, 22, 200, 150, 42, 42, 0, false } },
	{ PLACE_CPU, 4, { -1, "cpu=3", 0, CELL_COUNTED, 88, 200, 100, 8, 8, 1, true } },
	{ PLACE_CORE, 3, { -1, "S0-D0-C0", 0, CELL_COUNTED, 33, 400, 350, 53, 53, 0, false } },
	{ PLACE_CORE, 3, { -1, "S0-D1-C1", 0, CELL_COUNTED, 44, 200, 200, 44, 44, 0, false } },
	{ PLACE_CORE, 3, { -1, "S1-D0-C0", 0, CELL_COUNTED, 88, 200, 100, 8, 8, 1, true } },
	{ PLACE_DIE, 3, { -1, "S0-D1", 0, CELL_COUNTED, 44, 200, 200, 44, 44, 0, false } },
	{ PLACE_SOCKET, 2, { -1, "S0", 0, CELL_COUNTED, 77, 600, 550, 97, 97, 0, false } },
	{ PLACE_SOCKET, 2, { -1, "S1", 0, CELL_COUNTED, 88, 200, 100, 8, 8, 1, true } },
	{ PLACE_NODE, 2, { -1, "N0", 0, CELL_COUNTED, 77, 600, 550, 97, 97, 0, false } },
	{ PLACE_THREAD, 2, { -1, "one-10", 0, CELL_COUNTED, 150, 400, 250, 90, 90, 1, true } },
	{ PLACE_THREAD, 2, { -1, "two-11", 0, CELL_COUNTED, 15, 400, 400, 15, 15, 0, false } },
	{ PLACE_SOCKET | PLACE_THREAD, 4, { -1, "S0 one-10", 0, CELL_COUNTED, 70, 300, 250, 90, 90, 0, false } },
	{ PLACE_CPU | PLACE_THREAD, 8, { -1, "cpu=3 one-10", 0, CELL_NOT_COUNTED, 80, 100, 0, NAN, 0, 1, true } },
	{ PLACE_CPU | PLACE_NODE, 4, { -1, "cpu=3 N1", 0, CELL_COUNTED, 88, 200, 100, 8, 8, 1, true } },
};

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(by_place) / sizeof(by_place[0]); i++) {
		const struct scope_request q = { false, by_place[i].place };
		struct seen *s = see(of_places, false, &q, 1);

		assert_int_equal(s->nr_scopes, by_place[i].scopes);
		check(s, &by_place[i].want);
		seen_free(s);
	}
}

/* However it is cut, it adds up to the same. */
static void test_places_add_up(void **state)
{
	static const unsigned places[] = {
		PLACE_CPU, PLACE_CORE, PLACE_DIE, PLACE_SOCKET, PLACE_NODE, PLACE_THREAD, PLACE_CPU | PLACE_THREAD,
		PLACE_CORE | PLACE_THREAD, PLACE_DIE | PLACE_NODE, PLACE_SOCKET | PLACE_CPU,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const struct scope_request q = { false, places[i] };
		struct seen *s = see(of_places, false, &q, 1);
		uint64_t raw = 0, enabled = 0, running = 0;

		for (size_t k = 0; k < s->nr_scopes; k++) {
			raw += s->scopes[k].cells[0].raw;
			enabled += s->scopes[k].cells[0].enabled;
			running += s->scopes[k].cells[0].running;
		}
		assert_true(raw == 165 && enabled == 800 && running == 650);
		seen_free(s);
	}
}

/* ---- the ends of the range ---- */

static void test_extremes(void **state)
{
	static const struct step steps[] = {
		R(0, 0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX), R(1, 0, 0, 1000003, 100, 70), F(UINT64_MAX), { .kind = END },
	};
	static const struct want want[] = {
		{ -1, "run", 0, CELL_COUNTED, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x1p64, UINT64_MAX, 0, false },
		{ -1, "run", 1, CELL_COUNTED, 1000003, 100, 70, 1000003.0 * 100 / 70, 1428575, 0, false },
	};
	struct seen *s = see(steps, false, &run, 1);

	(void)state;
	CHECK_ALL(s, want);
	seen_free(s);
}

/* A total that becomes smaller is not a count: the interval has none, and it is said. */
static void test_falling(void **state)
{
	static const struct step steps[] = {
		R(0, -1, 0, 100, 1000, 1000), I(1000), R(0, -1, 0, 50, 2000, 2000), I(2000),
		R(0, -1, 0, 70, 3000, 3000), I(3000), { .kind = END },
	};
	struct seen *s = see(steps, false, intervals, 2);
	const struct seen_scope *fell = seen_scope(s, 1, "run"), *after = seen_scope(s, 2, "run");
	const struct seen_scope *total = seen_scope(s, -1, "run");

	(void)state;
	assert_true(fell && after && total);
	assert_true(fell->cells[0].fell && fell->cells[0].state == CELL_NOT_COUNTED && isnan(fell->cells[0].scaled));
	assert_true(!after->cells[0].fell && after->cells[0].scaled == 20);
	assert_true(total->cells[0].fell);
	assert_int_equal(s->capture->damage.of[DAMAGE_COUNTER_FELL].count, 1);
	assert_true(damage_lost(&s->capture->damage));
	seen_free(s);
}

static void test_running_exceeds(void **state)
{
	static const struct step steps[] = {
		R(0, -1, 0, 100, 1000, 1002), R(1, -1, 0, 7, 10000000, 10000005), F(1000), { .kind = END },
	};
	static const struct want want[] = {
		{ -1, "run", 0, CELL_COUNTED, 100, 1000, 1002, 100, 100, 0, false },
		{ -1, "run", 1, CELL_COUNTED, 7, 10000000, 10000005, 7, 7, 0, false },
	};
	struct seen *s = see(steps, false, &run, 1);

	(void)state;
	CHECK_ALL(s, want);
	assert_true(s->scopes[0].cells[0].exceeded && !s->scopes[0].cells[1].exceeded);
	assert_int_equal(s->capture->damage.of[DAMAGE_RUNNING_EXCEEDS].count, 1);
	seen_free(s);
}

/* ---- what the capture does not tell ---- */

static void test_place_is_not_told(void **state)
{
	static const struct step steps[] = { R(0, -1, -1, 100, 1000, 1000), F(1000), { .kind = END } };
	static const unsigned places[] = { PLACE_CPU, PLACE_CORE, PLACE_DIE, PLACE_SOCKET, PLACE_NODE, PLACE_THREAD, PLACE_CGROUP };

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const struct scope_request q = { false, places[i] };
		struct seen *s = see(steps, false, &q, 1);

		assert_int_equal(s->nr_scopes, 0);
		seen_free(s);
	}
}

/* ---- tables that would be far larger than their input ---- */

/* As many events as CPUs, and a reading of each event on one CPU or on all. */
static struct seen *see_square(uint32_t n, bool full, struct error *err)
{
	const struct scope_request by_cpu = { false, PLACE_CPU };
	struct statdata *p = statdata_new(64, false);
	struct image b;
	struct seen *s;

	for (uint32_t e = 0; e < n; e++)
		statdata_event(p, &(struct statdata_event){ .type = 4, .config = e, .nr_ids = 1 });
	for (uint32_t e = 0; e < n; e++)
		for (uint32_t cpu = full ? 0 : e; cpu < n && (full || cpu == e); cpu++)
			statdata_stat(p, statdata_id(p, e, 0), (int32_t)cpu, -1, 5, 10, 10);
	statdata_round(p, true, 1000);
	b = statdata_file(p);
	s = seen_image(&b, &by_cpu, 1, NULL, err);
	image_free(&b);
	statdata_free(p);
	return s;
}

static void test_sparse_table(void **state)
{
	struct error err = { "" };
	struct seen *s = see_square(1100, false, &err);

	(void)state;
	assert_null(s);
	assert_string_equal(err.text, "has 1100 events and 1100 places, but only 1100 counts: the table would be nearly empty");
	s = see_square(100, false, &err);
	assert_true(s && s->nr_scopes == 100);
	seen_free(s);
	s = see_square(300, true, &err);
	assert_true(s && s->nr_scopes == 300 && s->scopes[299].cells[299].raw == 5);
	seen_free(s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_intervals),
	cmocka_unit_test(test_intervals_without_last_set),
	cmocka_unit_test(test_interval_asleep),
	cmocka_unit_test(test_no_scale),
	cmocka_unit_test(test_places),
	cmocka_unit_test(test_places_add_up),
	cmocka_unit_test(test_extremes),
	cmocka_unit_test(test_falling),
	cmocka_unit_test(test_running_exceeds),
	cmocka_unit_test(test_place_is_not_told),
	cmocka_unit_test(test_sparse_table),
};

TEST_MODULE(counts, tests);
