// SPDX-License-Identifier: GPL-2.0-only
/* Metrics from samples: the worked examples, refusals, and the modelled captures. */
#include "metrics/by_function.h"
#include "reader/space_records.h"
#include "reader/symbols.h"
#include "tests/test.h" /* last: it has a macro fail() */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fabs(b))

enum { CYCLES, NO_OPS, DISPATCHED, RETIRED, BACKEND, SMT, LOADS, NOT_COMPLETE, EVENTS };

static const uint64_t configs[EVENTS] = {
	[CYCLES] = 0x76,       [NO_OPS] = 0x1000001a0, [DISPATCHED] = 0x7aa, [RETIRED] = 0xc1,
	[BACKEND] = 0x100001ea0, [SMT] = 0x1000060a0,  [LOADS] = 0xa2d6,     [NOT_COMPLETE] = 0x2d6,
};

struct rig {
	struct capture capture;
	struct event events[EVENTS];
	struct metric_set *set;
	struct metric_plan *plan;
	struct by_function *b;
	struct metric_result *results;
};

static void rig_open(struct rig *r, size_t nr_events)
{
	struct error err;

	*r = (struct rig){ .capture = { .arena = arena_new(), .events = r->events, .nr_events = nr_events } };
	for (size_t i = 0; i < nr_events; i++)
		r->events[i] = (struct event){ .position = (uint32_t)i, .name = "x", .modifiers = "", .unit = "", .scale = 1,
					       .group = -1, .group_known = true, .has_config = true, .opened = true,
					       .type = EVENT_RAW, .config = configs[i], .sample_period = 1000003 };
	r->set = set_builtin("amdzen4", &err);
	assert_non_null(r->set);
}

/* After the events are as the test wants them. */
static void rig_start(struct rig *r, const struct by_function_options *options)
{
	r->plan = plan_new(r->set, &r->capture);
	r->b = by_function_new(r->plan, options);
	r->results = calloc(r->set->nr_metrics, sizeof(*r->results));
}

static void rig_close(struct rig *r)
{
	by_function_free(r->b);
	plan_free(r->plan);
	set_free(r->set);
	arena_free(r->capture.arena);
	free(r->results);
}

static void add(struct rig *r, uint32_t part, uint32_t event, unsigned samples, uint64_t period)
{
	while (samples--)
		by_function_add(r->b, part, event, period);
}

static const struct metric_result *eval(struct rig *r, uint32_t part, const char *metric)
{
	by_function_eval(r->b, part, r->results);
	return &r->results[set_find_metric(r->set, metric)];
}

static const struct by_function_options usual;

/* The table of the specification's U5: no_ops over slots. */
static void wilson_as_worked(void **state)
{
	static const struct {
		unsigned x, y;
		double value, lo, hi;
		bool shown;
	} rows[] = {
		{ 120, 300, 0.040000613331, 0.032381517914, 0.049412417020, true },
		{ 0, 40, 0, 0, 0.009603794307, true },
		{ 9, 60, 0.015000229999, 0.007546226024, 0.029817142944, true },
		{ 5, 29, NAN, NAN, NAN, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct metric_result *m;
		struct rig r;

		rig_open(&r, 2);
		r.events[NO_OPS].sample_period = 600011;
		rig_start(&r, &usual);
		add(&r, 3, NO_OPS, rows[i].x, 600011);
		add(&r, 3, CYCLES, rows[i].y, 1000003);
		m = eval(&r, 3, "frontend_bound");
		assert_int_equal(m->samples, rows[i].y);
		assert_int_equal(by_function_shown(m), rows[i].shown);
		assert_int_equal(m->method, METHOD_SAMPLES);
		if (rows[i].shown) {
			assert_true(fabs(m->value - rows[i].value) < 1e-12);
			assert_true(fabs(m->lo - rows[i].lo) < 1e-12);
			assert_true(fabs(m->hi - rows[i].hi) < 1e-12);
		} else {
			assert_string_equal(m->reason, "few_samples");
		}
		rig_close(&r);
	}
}

static void difference_as_worked(void **state)
{
	const struct metric_result *m;
	struct rig r;

	(void)state;
	rig_open(&r, 4);
	rig_start(&r, &usual);
	add(&r, 0, DISPATCHED, 400, 1000003);
	add(&r, 0, RETIRED, 360, 1000003);
	add(&r, 0, CYCLES, 300, 1000003);
	m = eval(&r, 0, "bad_speculation");
	assert_true(fabs(m->value - 0.0222222222222) < 1e-12);
	assert_true(fabs(m->se - 0.0153692547565) < 1e-11);
	assert_true(fabs((m->hi - m->lo) / 2 - 0.0301231857919) < 1e-11);
	rig_close(&r);
}

/* backend_bound × loads / not_complete: relative variances add up. */
static void product_adds_relative_variances(void **state)
{
	const struct metric_result *m;
	struct rig r;
	double expected;

	(void)state;
	rig_open(&r, EVENTS);
	rig_start(&r, &usual);
	add(&r, 0, BACKEND, 500, 1000003);
	add(&r, 0, CYCLES, 400, 1000003);
	add(&r, 0, LOADS, 200, 1000003);
	add(&r, 0, NOT_COMPLETE, 250, 1000003);
	m = eval(&r, 0, "backend_bound_memory");
	expected = 500.0 / 2400 * 200 / 250;
	CLOSE(m->value, expected);
	CLOSE(m->se, expected * sqrt(1.0 / 500 + 1.0 / 400 + 1.0 / 200 + 1.0 / 250));
	assert_int_equal(m->samples, 400); /* of cycles */
	rig_close(&r);
}

static void n_eff_as_worked(void **state)
{
	static const uint64_t periods[] = { 1000, 1000, 500, 2000, 1500 };
	struct sample_sum s = { 0 };

	(void)state;
	assert_true(sample_n_eff(&s) == 0);
	assert_true(isnan(sample_period(&s)));
	for (size_t i = 0; i < 5; i++)
		sample_sum_add(&s, periods[i]);
	assert_true(fabs(sample_n_eff(&s) - 4.23529411765) < 1e-11);
	CLOSE(sample_period(&s) * sample_n_eff(&s), 6000.0);
}

/* Half of the time counted: twice the count, and the same ratio where both are. */
static void scales_by_times(void **state)
{
	const struct function_row *rows;
	const struct metric_result *m;
	struct rig r;

	(void)state;
	rig_open(&r, 2);
	rig_start(&r, &usual);
	add(&r, 1, NO_OPS, 60, 1000003);
	add(&r, 1, CYCLES, 100, 1000003);
	by_function_times(r.b, CYCLES, 7, 1000, 500);
	by_function_times(r.b, CYCLES, 7, 2000, 1000);
	by_function_times(r.b, CYCLES, 7, 1500, 1500); /* older */
	by_function_times(r.b, CYCLES, 8, 2000, 1000);
	by_function_times(r.b, NO_OPS, 9, 2000, 2000);
	assert_true(by_function_scale(r.b, CYCLES) == 2);
	assert_true(by_function_scale(r.b, NO_OPS) == 1);
	assert_int_equal(by_function_rows(r.b, &rows), 1);
	CLOSE(rows[0].cycles, 200.0 * 1000003);
	m = eval(&r, 1, "frontend_bound");
	CLOSE(m->value, 60.0 / (6 * 200));
	assert_true(m->lo < m->value && m->value < m->hi);
	rig_close(&r);
}

static void sorts_by_cycles(void **state)
{
	static const uint32_t order[] = { 9, 2, 5, 7 };
	const struct function_row *rows;
	struct rig r;

	(void)state;
	rig_open(&r, 2);
	rig_start(&r, &usual);
	add(&r, 7, NO_OPS, 1, 100); /* no cycles */
	add(&r, 5, CYCLES, 1, 100);
	add(&r, 2, CYCLES, 1, 100);
	add(&r, 9, CYCLES, 3, 100);
	assert_int_equal(by_function_rows(r.b, &rows), 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(rows[i].part, order[i]);
	CLOSE(rows[0].share, 0.6);
	assert_int_equal(by_function_sum(r.b, PART_ALL, CYCLES).weight, 500);
	assert_int_equal(by_function_sum(r.b, 4711, CYCLES).weight, 0);
	assert_string_equal(eval(&r, 4711, "frontend_bound")->reason, "few_samples");
	rig_close(&r);
}

/* ---- what is refused ---- */

static const struct refused {
	const char *what;
	int32_t group[3];      /* of CYCLES, NO_OPS, BACKEND */
	uint64_t read_format;
	uint64_t flags[3];
	uint64_t period[3];
	bool forced;
	enum metric_status status;
	const char *reason;    /* of frontend_bound */
	const char *check;     /* of the capture */
} refusals[] = {
	{ "plain", { -1, -1, -1 }, 0, { 0 }, { 9, 9, 9 }, false, METRIC_OK, "", "skid" },
	{ "leader", { 0, 0, 0 }, 8, { 0 }, { 9, 0, 0 }, false, METRIC_REFUSED, "leader_sampled", "leader_sampled" },
	{ "group, all sample", { 0, 0, 0 }, 8, { 0 }, { 9, 9, 9 }, false, METRIC_OK, "", "skid" },
	{ "precise", { -1, -1, -1 }, 0, { 0, 1 << 15, 0 }, { 9, 9, 9 }, false, METRIC_REFUSED, "mixed_precision", "mixed_precision" },
	{ "precise, forced", { -1, -1, -1 }, 0, { 0, 1 << 15, 0 }, { 9, 9, 9 }, true, METRIC_OK, "", "mixed_precision" },
	{ "two groups", { 0, 1, 1 }, 0, { 0 }, { 9, 9, 9 }, false, METRIC_REFUSED, "mux_unknown", "mux_unknown" },
};

static void refuses(void **state)
{
	static const uint32_t events[] = { CYCLES, NO_OPS, BACKEND };

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refused *t = &refusals[i];
		struct function_check checks[FUNCTION_CHECKS];
		const struct metric_result *m;
		bool fired = false;
		struct rig r;
		size_t nr;

		rig_open(&r, 3);
		for (int e = 0; e < 3; e++) {
			r.events[e].config = configs[events[e]];
			r.events[e].group = t->group[e];
			r.events[e].read_format = t->read_format;
			r.events[e].flags = t->flags[e];
			r.events[e].sample_period = t->period[e];
		}
		rig_start(&r, &(struct by_function_options){ .mixed_precision = t->forced });
		add(&r, 0, 0, 100, 9);
		add(&r, 0, 1, 100, 9);
		m = eval(&r, 0, "frontend_bound");
		if (m->status != t->status || strcmp(m->reason, t->reason) != 0)
			fail_msg("%s: %s", t->what, m->reason);
		nr = by_function_checks(r.b, PART_ALL, checks);
		for (size_t c = 0; c < nr; c++)
			fired |= strcmp(checks[c].name, t->check) == 0;
		assert_true(fired);
		rig_close(&r);
	}
}

static void refuses_by_samples(void **state)
{
	struct function_check checks[FUNCTION_CHECKS];
	struct rig r;

	(void)state;
	rig_open(&r, 6);
	rig_start(&r, &usual);
	add(&r, 0, NO_OPS, 10, 9); /* no cycles at all */
	assert_string_equal(eval(&r, 0, "frontend_bound")->reason, "zero_denominator");
	assert_true(isnan(eval(&r, 0, "frontend_bound")->value));
	assert_string_equal(eval(&r, 0, "retiring_fastpath")->reason, "missing-event");
	/* six events and no times */
	add(&r, 1, NO_OPS, 1000, 9);
	add(&r, 1, CYCLES, 1000, 9);
	assert_string_equal(eval(&r, 1, "frontend_bound")->reason, "mux_unknown");
	assert_int_equal(eval(&r, 1, "frontend_bound")->status, METRIC_CAUTION);
	/* shares that do not add up to 1 */
	for (uint32_t e = 0; e < 6; e++)
		add(&r, 2, e, 1000, 9);
	assert_int_equal(by_function_checks(r.b, 2, checks), 1);
	assert_string_equal(checks[0].name, "closure_residual_fn");
	CLOSE(checks[0].observed, 4.0 / 6 - 1); /* no_ops, backend, smt and dispatched over 6 × cycles */
	by_function_lost(r.b, 100);
	assert_int_equal(by_function_checks(r.b, PART_ALL, checks), 3);
	assert_string_equal(checks[1].name, "lost_samples");
	CLOSE(checks[1].observed, 100.0 / (100 + 8010));
	rig_close(&r);
}

/* ---- the modelled captures ---- */

/* The profile of each function of the workload: fakepmu.c's table. */
static const struct {
	const char *function;
	double frontend_bound, bad_speculation, backend_bound, retiring;
} profiles[] = {
	{ "sha_rounds", 0.0613, 0.0002, 0.6752, 0.2632 },
	{ "branch_maze", 0.1530, 0.2210, 0.1630, 0.4560 },
	{ "pointer_chase", 0.0270, 0.0110, 0.8810, 0.0760 },
	{ "dispatch_table", 0.5270, 0.0520, 0.1240, 0.2950 },
};

struct named {
	struct dso_table *dsos;
	struct address_space *space;
	struct symbols *symbols;
	struct metric_set *set;
	struct metric_plan *plan;
	struct by_function *b;
	struct metric_result *results;
};

static void feed_sample(struct named *n, const struct sample *s)
{
	uint32_t dso, symbol;
	uint64_t offset;

	address_space_find(n->space, (int32_t)s->pid, s->time_ns, s->misc & MISC_CPUMODE, s->ip, &dso, &offset);
	symbols_find(n->symbols, dso, offset, &symbol, &offset);
	by_function_add(n->b, symbol, s->event, s->period);
	if (s->lists && s->have & SAMPLE_READ)
		by_function_times(n->b, s->event, s->id, s->read.enabled, s->read.running);
}

/* Visits the samples once more, when everything around them is known. */
static void read_capture(struct named *n, struct capture_reader **r, const char *path, const char *symfs)
{
	struct error err = { "" };
	struct capture_options records = { .want_records = true }, samples = { .want_samples = true };
	struct capture_reader *first = capture_open(path, &records, &err);
	struct capture *c;
	struct item item;

	n->dsos = dso_table_new();
	n->space = address_space_new(n->dsos);
	n->symbols = symbols_new(n->dsos, &(struct symbols_options){ .symfs = symfs });
	assert_non_null(first);
	assert_int_equal(capture_run(first, &c, &err), 1);
	while (capture_next(first, &item, &err) > 0)
		if (item.kind == ITEM_RECORD)
			space_record(n->space, n->dsos, item.record, item.layout);
	capture_close(first);
	*r = capture_open(path, &samples, &err);
	assert_int_equal(capture_run(*r, &c, &err), 1);
	n->set = set_builtin("amdzen4", &err);
	n->plan = plan_new(n->set, c);
	n->b = by_function_new(n->plan, &usual);
	n->results = calloc(n->set->nr_metrics, sizeof(*n->results));
	while (capture_next(*r, &item, &err) > 0)
		if (item.kind == ITEM_SAMPLE)
			feed_sample(n, item.sample);
}

static void close_capture(struct named *n, struct capture_reader *r)
{
	by_function_free(n->b);
	plan_free(n->plan);
	set_free(n->set);
	symbols_free(n->symbols);
	address_space_free(n->space);
	dso_table_free(n->dsos);
	free(n->results);
	capture_close(r);
}

static uint32_t part_named(const struct named *n, const char *function)
{
	for (uint32_t i = 0; i < symbols_count(n->symbols); i++)
		if (strcmp(symbols_get(n->symbols, i).name, function) == 0)
			return i;
	fail_msg("no %s", function);
	return 0;
}

static const struct metric_result *named_metric(struct named *n, const char *metric)
{
	return &n->results[set_find_metric(n->set, metric)];
}

/* Of the intervals of 95 % that are shown, how many hold the profile?  The captures do not change. */
static unsigned count_within(struct named *n, unsigned *ret_all)
{
	unsigned within = 0;

	*ret_all = 0;
	for (size_t f = 0; f < 4; f++) {
		const struct {
			const char *metric;
			double truth;
		} rows[] = {
			{ "frontend_bound", profiles[f].frontend_bound },
			{ "bad_speculation", profiles[f].bad_speculation },
			{ "backend_bound", profiles[f].backend_bound },
			{ "retiring", profiles[f].retiring },
		};

		by_function_eval(n->b, part_named(n, profiles[f].function), n->results);
		for (size_t i = 0; i < 4; i++) {
			const struct metric_result *m = named_metric(n, rows[i].metric);

			if (!by_function_shown(m))
				continue;
			++*ret_all;
			if (m->lo <= rows[i].truth && rows[i].truth <= m->hi)
				within++;
			else
				print_message("%s %s %.4f outside %.4f ... %.4f (%s)\n", profiles[f].function, rows[i].metric,
					      rows[i].truth, m->lo, m->hi, m->reason);
		}
	}
	return within;
}

static void shows_the_profiles(void **state)
{
	static const struct {
		const char *name;
		unsigned shown;     /* of the 16 values */
		const char *reason; /* of the first function's frontend_bound */
	} rows[] = {
		/* six counters and more, and no times in the samples; one difference is too wide to show */
		{ "perf-6.1/functions-l1", 15, "mux_unknown" },
		{ "perf-7.2/functions-l1", 15, "mux_unknown" },
		{ "perf-6.1/functions-l2", 15, "mux_unknown" },
		{ "perf-7.2/functions-l2", 15, "mux_unknown" },
		{ "perf-6.1/functions-callgraph", 11, "mux_unknown" },
		{ "perf-7.2/functions-callgraph", 11, "mux_unknown" },
		{ "perf-6.1/functions-few", 0, "few_samples" },
		{ "perf-7.2/functions-few", 0, "few_samples" },
		{ "perf-6.1/group-read", 0, "leader_sampled" },
		{ "perf-7.2/group-read", 0, "leader_sampled" },
	};
	char path[300], symfs[300];

	(void)state;
	if (!test_shared())
		skip();
	snprintf(symfs, sizeof(symfs), "%s/captures/symfs", test_shared());
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct capture_reader *r;
		unsigned all, within;
		struct named n;

		snprintf(path, sizeof(path), "%s/captures/%s.data", test_shared(), rows[i].name);
		read_capture(&n, &r, path, symfs);
		within = count_within(&n, &all);
		assert_int_equal(all, rows[i].shown);
		assert_int_equal(within, all);
		by_function_eval(n.b, part_named(&n, profiles[0].function), n.results);
		assert_string_equal(named_metric(&n, "frontend_bound")->reason, rows[i].reason);
		close_capture(&n, r);
	}
}

static const struct CMUnitTest list[] = {
	cmocka_unit_test(wilson_as_worked), cmocka_unit_test(difference_as_worked),
	cmocka_unit_test(product_adds_relative_variances), cmocka_unit_test(n_eff_as_worked),
	cmocka_unit_test(scales_by_times), cmocka_unit_test(sorts_by_cycles), cmocka_unit_test(refuses),
	cmocka_unit_test(refuses_by_samples), cmocka_unit_test(shows_the_profiles),
};

TEST_MODULE(by_function, list);
