// SPDX-License-Identifier: GPL-2.0-only
/* Sets meet captures that are made in memory: the choice of copies, the values, the reasons. */
#include "metrics/flagged.h"
#include "metrics/literal.h"
#include "metrics/plan_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

/* One event of a made capture and what it counted. */
struct made {
	int32_t group; /* position of the leader, -1: alone */
	uint32_t type;
	uint64_t config;
	const char *name; /* what someone typed */
	uint64_t raw, enabled, running;
	uint64_t flags;
};

struct rig {
	struct capture capture;
	struct event events[32];
	struct cell cells[32];
	struct place place;
	struct scope scope;
	struct metric_set *set;
	struct metric_plan *plan;
	struct metric_result *results;
};

static void rig_open(struct rig *r, const char *set, const struct made *made, size_t nr)
{
	struct error err;

	*r = (struct rig){ .capture = { .arena = arena_new(), .events = r->events, .nr_events = nr } };
	assert_true(nr <= 32);
	for (size_t i = 0; i < nr; i++) {
		const struct made *m = &made[i];

		r->events[i] = (struct event){ .position = (uint32_t)i,
					       .name = m->name,
					       .modifiers = "",
					       .unit = "",
					       .scale = 1,
					       .group = m->group,
					       .group_known = true,
					       .has_config = true,
					       .opened = true,
					       .type = m->type,
					       .config = m->config,
					       .flags = m->flags };
		r->cells[i] = (struct cell){
			.state = m->running ? CELL_COUNTED : CELL_NOT_COUNTED,
			.has_raw = true,
			.has_times = true,
			.instances = 1,
			.raw = m->raw,
			.enabled = m->enabled,
			.running = m->running,
			.scaled = m->running ? (double)m->raw * (double)m->enabled / (double)m->running : NAN,
			.coverage = m->enabled ? (double)m->running / (double)m->enabled : NAN,
			.scaled_perf =
				m->running ? (uint64_t)((double)m->raw * (double)m->enabled / (double)m->running) : 0
		};
	}
	r->place = (struct place){ .label = "run" };
	r->scope = (struct scope){ .interval = -1,
				   .begin_ns = 0,
				   .end_ns = 2e9,
				   .is_total = true,
				   .place = &r->place,
				   .cells = r->cells,
				   .nr_cells = nr };
	r->set = set_builtin(set, &err);
	assert_non_null(r->set);
	r->plan = plan_new(r->set, &r->capture);
	r->results = calloc(r->set->nr_metrics, sizeof(*r->results));
	plan_eval(r->plan, &r->scope, r->results);
}

static void rig_close(struct rig *r)
{
	free(r->results);
	plan_free(r->plan);
	set_free(r->set);
	arena_free(r->capture.arena);
}

static size_t metric(const struct rig *r, const char *name)
{
	int32_t m = set_find_metric(r->set, name);

	assert_true(m >= 0);
	return (size_t)m;
}

static void assert_near(double a, double b, double relative)
{
	if (!(fabs(a - b) <= relative * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

/* ---- the published example ---- */

#define E  10012345678u
#define R1 2010490225u
#define R2 2002461835u
#define R3 2001465794u
#define R4 2002473545u
#define R5 3997927824u

/* Names are wrong on purpose: type and config say what was counted. */
/* clang-format off */
static const struct made sha256[] = {
	{ 0, 4, 0xc3, "a", 612347, E, R1, 0 },
	{ 0, 4, 0x7aa, "b", 16990115772, E, R1, 0 },
	{ 0, 4, 0x96, "c", 203459, E, R1, 0 },
	{ 0, 4, 0x76, "d", 10754313262, E, R1, 0 },
	{ 0, 4, 0xc1, "ls_not_halted_cyc", 16976371760, E, R1, 0 },
	{ 5, 4, 0xa2d6, "f", 128335143, E, R2, 0 },
	{ 5, 4, 0x100001ea0, "g", 43381294309, E, R2, 0 },
	{ 5, 4, 0x2d6, "h", 5216239626, E, R2, 0 },
	{ 5, 4, 0x76, "i", 10708765401, E, R2, 0 },
	{ 9, 4, 0x1000000c2, "branches", 3912074616, E, R3, 0 },
	{ 9, 4, 0x76, "k", 10707241558, E, R3, 0 },
	{ 9, 4, 0xc1, "l", 16884077896, E, R3, 0 },
	{ 12, 4, 0x1000001a0, "m", 3934862036, E, R4, 0 },
	{ 12, 4, 0x1060001a0, "n", 6501231, E, R4, 0 },
	{ 12, 4, 0x76, "o", 10710430002, E, R4, 0 },
	{ 15, 4, 0x1000060a0, "p", 3977520, E, R5, 0 },
	{ 15, 4, 0x76, "q", 21384516137, E, R5, 0 },
};
/* clang-format on */

static const struct {
	const char *metric;
	double perf;
	uint32_t first; /* the event that tells which group it took */
} sha256_values[] = {
	{ "bad_speculation", 0.000212999994, 1 },
	{ "bad_speculation_mispredicts", 0.000159878587, 1 },
	{ "bad_speculation_pipeline_restarts", 0.000053121407, 1 },
	{ "frontend_bound", 0.061230999987, 12 },
	{ "frontend_bound_bandwidth", 0.060623999996, 12 },
	{ "frontend_bound_latency", 0.000606999991, 13 },
	{ "backend_bound_cpu", 0.658556841774, 6 },
	{ "backend_bound_memory", 0.016611158226, 6 },
	{ "backend_bound", 0.675168000000, 6 },
	{ "retiring", 0.263093999998, 4 },
	{ "retiring_fastpath", 0.201919470572, 11 },
	{ "retiring_microcode", 0.060894529414, 11 },
	{ "smt_contention", 0.000030999998, 15 },
};

static void published_figures(void **state)
{
	struct rig r;
	double children = 0;

	(void)state;
	rig_open(&r, "amdzen4", sha256, sizeof(sha256) / sizeof(sha256[0]));
	for (size_t i = 0; i < sizeof(sha256_values) / sizeof(sha256_values[0]); i++) {
		size_t m = metric(&r, sha256_values[i].metric);
		const struct metric_result *v = &r.results[m];
		const uint32_t *events;

		assert_true(fabs(v->value_perf - sha256_values[i].perf) < 1e-9);
		assert_near(v->value, v->value_perf, 1e-5);
		assert_string_equal(v->reason, "single-total");
		assert_int_equal(v->method, METHOD_NONE);
		assert_true(v->co_scheduled);
		assert_true(v->coverage > 0.199 && v->coverage < 0.4);
		assert_true(plan_has(r.plan, m) && plan_in_one_group(r.plan, m));
		assert_true(plan_events(r.plan, m, &events) > 0);
		assert_int_equal(events[0], sha256_values[i].first);
	}
	children =
		r.results[metric(&r, "backend_bound_cpu")].value + r.results[metric(&r, "backend_bound_memory")].value;
	assert_near(children, r.results[metric(&r, "backend_bound")].value, 1e-9);
	rig_close(&r);
}

/* ---- which copies are taken ---- */

#define U EVENT_EXCLUDE_KERNEL
#define K EVENT_EXCLUDE_USER
#define CYC(group, flags)                                  \
	{                                                  \
		group, 4, 0x76, "c", 1000, 100, 100, flags \
	}
#define OPS(group, flags)                                  \
	{                                                  \
		group, 4, 0xc1, "o", 3000, 100, 100, flags \
	}
#define BRN(group, flags)                                 \
	{                                                 \
		group, 4, 0xc2, "b", 500, 100, 100, flags \
	}

/* clang-format off */
static const struct choice_case {
	const char *what, *set, *metric;
	struct made made[6];
	size_t nr;
	bool has;
	const char *reason, *missing, *modifiers;
	bool one_group;
	uint32_t events[4];
	size_t nr_events;
} choices[] = {
	{ "one group of two", "amdzen4", "retiring", { BRN(-1, 0), OPS(1, 0), CYC(1, 0) }, 3,
	  true, "", "", "", true, { 1, 2 }, 2 },
	{ "the first group that has both", "amdzen4", "retiring",
	  { CYC(0, 0), BRN(0, 0), OPS(2, 0), BRN(2, 0), CYC(4, 0), OPS(4, 0) }, 6,
	  true, "", "", "", true, { 5, 4 }, 2 },
	{ "no group has both", "amdzen4", "retiring", { CYC(0, 0), BRN(0, 0), OPS(2, 0), BRN(2, 0), OPS(-1, 0) }, 5,
	  true, "", "", "", false, { 2, 0 }, 2 },
	{ "events outside groups are alone", "amdzen4", "retiring", { CYC(-1, 0), OPS(-1, 0) }, 2,
	  true, "", "", "", false, { 1, 0 }, 2 },
	{ "one event is a group", "amdzen4", "total_dispatch_slots", { BRN(-1, 0), CYC(-1, 0) }, 2,
	  true, "", "", "", true, { 1 }, 1 },
	{ "one is missing", "amdzen4", "retiring", { CYC(-1, 0), BRN(-1, 0) }, 2,
	  false, "missing-event", "ex_ret_ops", "", true, { 0 }, 0 },
	{ "both are missing", "amdzen4", "retiring", { BRN(-1, 0) }, 1,
	  false, "missing-event", "ex_ret_ops, ls_not_halted_cyc", "", true, { 0 }, 0 },
	{ "no events at all", "amdzen4", "retiring", { BRN(-1, 0) }, 0,
	  false, "missing-event", "ex_ret_ops, ls_not_halted_cyc", "", true, { 0 }, 0 },
	{ "user and kernel copies", "amdzen4", "retiring", { CYC(-1, K), CYC(-1, U), OPS(-1, U), OPS(-1, K) }, 4,
	  true, "", "", "k", false, { 3, 0 }, 2 },
	{ "never one of each", "amdzen4", "retiring", { CYC(-1, K), CYC(-1, U), OPS(-1, U) }, 3,
	  true, "", "", "u", false, { 2, 1 }, 2 },
	{ "not in a group either", "amdzen4", "retiring", { CYC(0, K), OPS(0, U) }, 2,
	  false, "modifiers-differ", "ex_ret_ops:k", "", true, { 0 }, 0 },
	{ "one of all against one of some", "amdzen4", "retiring", { OPS(-1, 0), CYC(-1, U) }, 2,
	  false, "modifiers-differ", "ls_not_halted_cyc without modifiers", "", true, { 0 }, 0 },
	{ "a group with both kinds of copies", "amdzen4", "retiring", { CYC(0, U), OPS(0, K), OPS(0, U) }, 3,
	  true, "", "", "u", true, { 2, 0 }, 2 },
	{ "clocks have no user copies", "generic", "clock",
	  { { -1, 0, 0, "cycles:u", 4000, 100, 100, U }, { -1, 1, 1, "task-clock", 1000, 100, 100, 0 } }, 2,
	  true, "", "", "u", false, { 0, 1 }, 2 },
	{ "the other clock", "generic", "clock",
	  { { -1, 0, 0, "cycles", 4000, 100, 100, 0 }, { -1, 1, 0, "cpu-clock", 1000, 100, 100, 0 } }, 2,
	  true, "", "", "", false, { 0, 1 }, 2 },
	{ "no clock", "generic", "clock", { { -1, 0, 0, "cycles", 4000, 100, 100, 0 } }, 1,
	  false, "missing-event", "task-clock", "", true, { 0 }, 0 },
	{ "generic events in an AMD set", "amdzen5", "l2_dtlb_misses_pti",
	  { { 0, 0, 1, "instructions", 1000, 100, 100, 0 }, { 0, 4, 0xf045, "x", 5, 100, 100, 0 } }, 2,
	  true, "", "", "", true, { 1, 0 }, 2 },
	{ "instances of a PMU, each once", "amdzen4", "umc_data_bus_utilization",
	  { { -1, 20, 0x14, "a", 10, 100, 100, 0 }, { -1, 20, 0, "b", 100, 100, 100, 0 }, { -1, 21, 0x14, "a", 20, 100, 100, 0 },
	    { -1, 21, 0, "b", 100, 100, 100, 0 }, { -1, 20, 0, "b", 999, 100, 100, 0 } }, 5,
	  true, "", "", "", false, { 0, 2, 1, 3 }, 4 },
};
/* clang-format on */

static void copies_that_are_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const struct choice_case *c = &choices[i];
		const uint32_t *events;
		struct rig r;
		size_t m;

		rig_open(&r, c->set, c->made, c->nr);
		for (size_t k = 0; k < c->nr; k++) /* numbers of their own belong to PMUs with names */
			r.events[k].pmu = c->made[k].type == 20   ? "amd_umc_0"
					  : c->made[k].type == 21 ? "amd_umc_1"
								  : NULL;
		plan_free(r.plan);
		r.plan = plan_new(r.set, &r.capture);
		plan_eval(r.plan, &r.scope, r.results);
		m = metric(&r, c->metric);
		if (plan_has(r.plan, m) != c->has || strcmp(plan_reason(r.plan, m), c->reason) != 0 ||
		    strcmp(plan_missing(r.plan, m), c->missing) != 0)
			fail_msg("%s: %d %s (%s)", c->what, plan_has(r.plan, m), plan_reason(r.plan, m),
				 plan_missing(r.plan, m));
		if (plan_events(r.plan, m, &events) != c->nr_events ||
		    memcmp(events, c->events, c->nr_events * sizeof(*events)) != 0 ||
		    plan_in_one_group(r.plan, m) != c->one_group ||
		    strcmp(plan_modifiers(r.plan, m), c->modifiers) != 0)
			fail_msg("%s: other events, group or modifiers", c->what);
		assert_string_equal(r.results[m].reason, c->reason);
		assert_int_equal(r.results[m].status, c->has ? METRIC_OK : METRIC_REFUSED);
		assert_true(isnan(r.results[m].value) == !c->has);
		rig_close(&r);
	}
}

static double value_in(struct rig *r, const char *name)
{
	return r->results[metric(r, name)].value;
}

static void instances_are_added(void **state)
{
	static const struct made made[] = {
		{ -1, 20, 0x10a, "umc_cas_cmd.rd", 1000, 100, 100, 0 },
		{ -1, 21, 0x10a, "umc_cas_cmd.rd", 500, 100, 100, 0 },
	};
	struct rig r;

	(void)state;
	rig_open(&r, "amdzen4", made, 2);
	r.events[0].pmu = "amd_umc_0";
	r.events[1].pmu = "amd_umc_1";
	plan_free(r.plan);
	r.plan = plan_new(r.set, &r.capture);
	plan_eval(r.plan, &r.scope, r.results);
	assert_near(value_in(&r, "umc_mem_read_bandwidth"), 1500 * 64 / 1e6 / 2, 1e-12);
	rig_close(&r);
}

static void events_that_could_not_be_opened(void **state)
{
	static const struct made made[] = { CYC(-1, 0), OPS(-1, 0), OPS(-1, 0) };
	struct rig r;
	size_t m;

	(void)state;
	rig_open(&r, "amdzen4", made, 3);
	m = metric(&r, "retiring");
	r.events[1].opened = false;
	plan_free(r.plan);
	r.plan = plan_new(r.set, &r.capture);
	assert_true(plan_has(r.plan, m)); /* by the second copy */
	r.events[2].opened = false;
	plan_free(r.plan);
	r.plan = plan_new(r.set, &r.capture);
	assert_false(plan_has(r.plan, m));
	assert_string_equal(plan_reason(r.plan, m), "not_supported");
	assert_string_equal(plan_missing(r.plan, m), "ex_ret_ops (not supported)");
	rig_close(&r);
}

/* ---- values and reasons ---- */

/* clang-format off */
static const struct {
	const char *what, *metric;
	struct made made[5];
	size_t nr;
	double value, perf;
	enum metric_status status;
	enum metric_method method;
	const char *reason;
	bool co_scheduled;
	double coverage;
} values[] = {
	{ "all the time", "retiring", { { 0, 4, 0x76, "", 1000, 100, 100, 0 }, { 0, 4, 0xc1, "", 3000, 100, 100, 0 } }, 2,
	  0.5, 0.5, METRIC_OK, METHOD_EXACT, "", true, 1 },
	{ "all the time, each alone", "retiring", { { -1, 4, 0x76, "", 1000, 100, 100, 0 }, { -1, 4, 0xc1, "", 3000, 90, 90, 0 } },
	  2, 0.5, 0.5, METRIC_OK, METHOD_EXACT, "", true, 1 },
	{ "in turns", "retiring", { { 0, 4, 0x76, "", 1000, 100, 50, 0 }, { 0, 4, 0xc1, "", 3000, 100, 50, 0 } }, 2,
	  0.5, 0.5, METRIC_OK, METHOD_NONE, "single-total", true, 0.5 },
	{ "in turns, each alone", "retiring", { { -1, 4, 0x76, "", 1000, 100, 50, 0 }, { -1, 4, 0xc1, "", 1500, 100, 25, 0 } }, 2,
	  0.5, 0.5, METRIC_OK, METHOD_NONE, "single-total", false, 0.25 },
	{ "perf cuts what is left of a count", "total_dispatch_slots", { { -1, 4, 0x76, "", 10, 100, 30, 0 } }, 1,
	  200, 198, METRIC_OK, METHOD_NONE, "single-total", true, 0.3 },
	{ "never had a turn", "retiring", { { 0, 4, 0x76, "", 1000, 100, 100, 0 }, { 0, 4, 0xc1, "", 0, 100, 0, 0 } }, 2,
	  NAN, NAN, METRIC_REFUSED, METHOD_NONE, "not_counted", true, NAN },
	{ "never ran", "retiring", { { 0, 4, 0x76, "", 0, 0, 0, 0 }, { 0, 4, 0xc1, "", 0, 0, 0, 0 } }, 2,
	  NAN, NAN, METRIC_REFUSED, METHOD_NONE, "not_enabled", true, NAN },
	{ "no cycles", "retiring", { { 0, 4, 0x76, "", 0, 100, 100, 0 }, { 0, 4, 0xc1, "", 3, 100, 100, 0 } }, 2,
	  NAN, 0, METRIC_REFUSED, METHOD_NONE, "zero_denominator", true, 1 },
	{ "parts of a parent that is not small", "bad_speculation_mispredicts",
	  { { 0, 4, 0x76, "", 1000, 100, 100, 0 }, { 0, 4, 0xc1, "", 3000, 100, 100, 0 }, { 0, 4, 0x7aa, "", 3300, 100, 100, 0 },
	    { 0, 4, 0xc3, "", 0, 100, 100, 0 }, { 0, 4, 0x96, "", 0, 100, 100, 0 } }, 5,
	  NAN, 0, METRIC_REFUSED, METHOD_NONE, "zero_denominator", true, 1 },
	{ "parts of next to nothing", "bad_speculation_mispredicts",
	  { { 0, 4, 0x76, "", 1000, 100, 100, 0 }, { 0, 4, 0xc1, "", 3000, 100, 100, 0 }, { 0, 4, 0x7aa, "", 3001, 100, 100, 0 },
	    { 0, 4, 0xc3, "", 0, 100, 100, 0 }, { 0, 4, 0x96, "", 0, 100, 100, 0 } }, 5,
	  0, 0, METRIC_OK, METHOD_NONE, "zero_denominator", true, 1 },
	{ "parts of nothing known", "bad_speculation_mispredicts",
	  { { 0, 4, 0x76, "", 0, 100, 100, 0 }, { 0, 4, 0xc1, "", 0, 100, 100, 0 }, { 0, 4, 0x7aa, "", 0, 100, 100, 0 },
	    { 0, 4, 0xc3, "", 5, 100, 100, 0 }, { 0, 4, 0x96, "", 1, 100, 100, 0 } }, 5,
	  NAN, 0, METRIC_REFUSED, METHOD_NONE, "zero_denominator", true, 1 },
	{ "below nothing is said as it is", "bad_speculation",
	  { { 0, 4, 0x76, "", 1000, 100, 100, 0 }, { 0, 4, 0xc1, "", 3030, 100, 100, 0 }, { 0, 4, 0x7aa, "", 3000, 100, 100, 0 } }, 3,
	  -0.005, -0.005, METRIC_OK, METHOD_EXACT, "", true, 1 },
};
/* clang-format on */

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

static void values_and_reasons(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct rig r;
		const struct metric_result *v;

		rig_open(&r, "amdzen4", values[i].made, values[i].nr);
		v = &r.results[metric(&r, values[i].metric)];
		if (!same(v->value, values[i].value) || !same(v->value_perf, values[i].perf))
			fail_msg("%s: %.17g, perf %.17g", values[i].what, v->value, v->value_perf);
		if (v->status != values[i].status || v->method != values[i].method ||
		    strcmp(v->reason, values[i].reason) != 0)
			fail_msg("%s: %s, %s, %s", values[i].what, metric_status_name(v->status),
				 metric_method_name(v->method), v->reason);
		if (v->co_scheduled != values[i].co_scheduled || !same(v->coverage, values[i].coverage))
			fail_msg("%s: coverage %g", values[i].what, v->coverage);
		rig_close(&r);
	}
}

/* In aggregates other than the run perf gives up when one counter did not run. */
static void what_perf_does_not_count(void **state)
{
	static const struct made made[] = { CYC(0, 0), OPS(0, 0) };
	struct rig r;
	size_t m;

	(void)state;
	rig_open(&r, "amdzen4", made, 2);
	m = metric(&r, "retiring");
	r.cells[1].perf_not_counted = true;
	plan_eval(r.plan, &r.scope, r.results);
	assert_true(isnan(r.results[m].value_perf));
	assert_near(r.results[m].value, 0.5, 1e-12);
	r.cells[1].perf_not_counted = false;
	r.cells[1].state = CELL_NOT_SUPPORTED;
	plan_eval(r.plan, &r.scope, r.results);
	assert_true(isnan(r.results[m].value_perf) && isnan(r.results[m].value));
	assert_string_equal(r.results[m].reason, "not_supported");
	rig_close(&r);
}

/* perf stat texts: groups are a guess, counts are scaled already. */
static void printed_counts(void **state)
{
	static const struct made made[] = { CYC(0, 0), OPS(0, 0) };
	struct rig r;
	size_t m;

	(void)state;
	rig_open(&r, "amdzen4", made, 2);
	m = metric(&r, "retiring");
	for (size_t i = 0; i < 2; i++) {
		r.events[i] = (struct event){ .name = i ? "ex_ret_ops:u" : "cycles:u",
					      .modifiers = "u",
					      .unit = "",
					      .scale = 1,
					      .group = 0,
					      .group_known = false,
					      .opened = true };
		r.cells[i] = (struct cell){
			.state = CELL_COUNTED, .instances = 1, .scaled = i ? 3000.5 : 1000, .coverage = 0.5
		};
	}
	plan_free(r.plan);
	r.plan = plan_new(r.set, &r.capture);
	plan_eval(r.plan, &r.scope, r.results);
	assert_near(r.results[m].value, 3000.5 / 6000, 1e-12);
	assert_near(r.results[m].value_perf, 3000.5 / 6000, 1e-12);
	assert_false(r.results[m].co_scheduled);
	assert_string_equal(plan_modifiers(r.plan, m), "u");
	r.cells[0].coverage = r.cells[1].coverage = 1;
	plan_eval(r.plan, &r.scope, r.results);
	assert_true(r.results[m].co_scheduled);
	assert_int_equal(r.results[m].method, METHOD_EXACT);
	rig_close(&r);
}

static void time_of_the_scope(void **state)
{
	static const struct made made[] = { { -1, 1, 1, "task-clock", 3000000000, 100, 100, 0 } };
	struct rig r;
	size_t m;

	(void)state;
	rig_open(&r, "generic", made, 1);
	m = metric(&r, "cpus_utilized");
	assert_near(r.results[m].value, 1.5, 1e-12); /* 3 s of CPU in 2 s */
	r.scope.begin_ns = NAN;
	r.capture.duration_ns = 4000000000;
	plan_eval(r.plan, &r.scope, r.results);
	assert_near(r.results[m].value, 0.75, 1e-12);
	r.scope.is_total = false;
	plan_eval(r.plan, &r.scope, r.results);
	assert_true(isnan(r.results[m].value));
	assert_string_equal(r.results[m].reason, "duration-unknown");
	rig_close(&r);
}

/* A set for any CPU meets raw AMD codes. */
static void vendor_of_the_capture(void **state)
{
	static const struct made made[] = { { -1, 4, 0x76, "x", 1000, 100, 100, 0 },
					    { -1, 4, 0xc0, "y", 2500, 100, 100, 0 } };
	struct rig r;
	size_t m;

	(void)state;
	rig_open(&r, "generic", made, 2);
	m = metric(&r, "ipc");
	assert_false(plan_has(r.plan, m));
	r.capture.cpuid = "AuthenticAMD,25,97,2";
	plan_free(r.plan);
	r.plan = plan_new(r.set, &r.capture);
	plan_eval(r.plan, &r.scope, r.results);
	assert_near(r.results[m].value, 2.5, 1e-12);
	rig_close(&r);
}

/* Children add up to their parent, and level 1 to what its parts are, when one group has all. */
static void children_add_up(void **state)
{
	static const uint64_t configs[] = { 0x76,        0x7aa,       0xc1,        0xc3,   0x96,  0x1000000c2,
					    0x1000001a0, 0x1060001a0, 0x100001ea0, 0xa2d6, 0x2d6, 0x1000060a0 };
	struct made made[12];
	uint64_t seed = 7;

	(void)state;
	for (int turn = 0; turn < 200; turn++) {
		struct rig r;
		double sums[128] = { 0 };
		bool parent[128] = { false };

		for (size_t i = 0; i < 12; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			made[i] = (struct made){ 0, 4, configs[i], "", 1 + (seed >> 30), 1000, 333, 0 };
		}
		rig_open(&r, "amdzen4", made, 12);
		for (size_t m = 0; m < r.set->nr_metrics; m++) {
			if (r.set->metrics[m].parent < 0)
				continue;
			sums[r.set->metrics[m].parent] += r.results[m].value;
			parent[r.set->metrics[m].parent] = true;
		}
		for (size_t m = 0; m < r.set->nr_metrics; m++) {
			assert_true(!parent[m] || r.set->metrics[m].level == 1);
			if (parent[m] && fabs(sums[m] - r.results[m].value) > 1e-9 * (fabs(r.results[m].value) + 1))
				fail_msg("%s: %.17g, its parts %.17g", r.set->metrics[m].name, r.results[m].value,
					 sums[m]);
		}
		rig_close(&r);
	}
}

/* ---- what formulas ask of the machine ---- */

static void literals(void **state)
{
	static struct cpu_place cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 1, 0, 0, 0 }, { 2, 0, 0, 0, 0 },
		{ 3, 1, 0, 0, 0 }, { 4, 0, 0, 1, 1 }, { 5, 0, 1, 1, 1 },
	};
	static struct thread_name any = { -1, NULL };
	struct capture c = { .arena = arena_new(),
			     .cpus = cpus,
			     .nr_cpus = 6,
			     .cpus_available = 8,
			     .cpus_online = 6,
			     .threads = &any,
			     .nr_threads = 1,
			     .cpuid = "AuthenticAMD,25,97,2" };
	static const struct {
		const char *name;
		double value;
	} rows[] = {
		{ "#smt_on", 1 },     { "#num_cpus", 8 }, { "#num_cpus_online", 6 },
		{ "#num_cores", 4 },  { "#num_dies", 3 }, { "#num_packages", 2 },
		{ "#target_cpu", 1 }, { "#slots", NAN },  { "#system_tsc_freq", NAN },
		{ "num_cpus", 8 },
	};
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(literal_value(&c, rows[i].name, &v));
		assert_true(same(v, rows[i].value));
	}
	assert_false(literal_value(&c, "#nothing", &v));
	assert_true(literal_cpuid(&c, "AuthenticAMD-25-61") == 1);
	assert_true(literal_cpuid(&c, "AuthenticAMD-25-61-2") == 1);
	assert_true(literal_cpuid(&c, "AuthenticAMD-25-[[:xdigit:]]+") == 1);
	assert_true(literal_cpuid(&c, "AuthenticAMD-25-6") == 0);
	assert_true(literal_cpuid(&c, "0xd40") == 0);
	assert_true(literal_cpuid(&c, "(") == 0);
	c.nr_cpus = 4;
	assert_true(literal_value(&c, "#num_packages", &v) && v == 1);
	c.nr_cpus = 2;
	assert_true(literal_value(&c, "#smt_on", &v) && v == 0);
	c.nr_cpus = 0;
	c.cpuid = NULL;
	assert_true(literal_value(&c, "#smt_on", &v) && isnan(v));
	assert_true(isnan(literal_cpuid(&c, "x")));
	arena_free(c.arena);
}

/* ---- thresholds ---- */

/* m is 0.25 and printed as 25 %, n is 250 and told as 500, gone has no event: cycles are 1000, ops 250. */
static const char flagged_set[] =
	"[{\"MetricName\": \"m\", \"MetricExpr\": \"ex_ret_ops / ls_not_halted_cyc\", \"ScaleUnit\": \"100%%\","
	"  \"MetricThreshold\": \"%s\"},"
	" {\"MetricName\": \"n\", \"MetricExpr\": \"ex_ret_ops\", \"ScaleUnit\": \"2x\", \"MetricThreshold\": \"%s\"},"
	" {\"MetricName\": \"gone\", \"MetricExpr\": \"no_such_event\", \"MetricThreshold\": \"1\"},"
	" {\"MetricName\": \"plain\", \"MetricExpr\": \"ex_ret_ops\"},"
	" {\"EventName\": \"ex_ret_ops\", \"EventCode\": \"0xc1\"},"
	" {\"EventName\": \"ls_not_halted_cyc\", \"EventCode\": \"0x76\"}]";

static const struct {
	const char *of_m, *of_n;
	size_t nr;
	const char *detail; /* of the check; NULL: it does not fire */
	double observed;
} flags[] = {
	{ "m > 0.2", "0", 1, "m", 0.25 },
	{ "m > 0.25", "0", 0, NULL, NAN }, /* 25 would be more than 0.25 */
	{ "m > 20", "0", 0, NULL, NAN },
	{ "m < 0.3", "n > 249", 2, "m and 1 other", 0.25 },
	{ "M > 0.2 & N > 200", "n > 251", 1, "m", 0.25 },
	{ "m > 0.2 & (n > 300 & m > 0.1)", "0", 0, NULL, NAN },
	{ "m > 0.2 | n > 300", "0", 1, "m", 0.25 },
	{ "0", "n > 300 | ex_ret_ops > 200", 1, "n", 500 },
	{ "0", "-1", 1, "n", 500 },
	{ "0", "nan", 0, NULL, NAN },
	{ "0", "n / 0", 0, NULL, NAN },
	{ "gone > 0", "gone + 1", 0, NULL, NAN },        /* a metric without a value */
	{ "no_such_event < 1", "m > 0.2", 1, "n", 500 }, /* a name that is not there */
	{ "#no_such_literal", "0", 0, NULL, NAN },
};

static struct metric_set *load_flagged(const char *of_m, const char *of_n)
{
	char path[] = "/tmp/perftab-plan-XXXXXX";
	int fd = mkstemp(path);
	struct error err = { "" };
	struct metric_set *s;
	FILE *f;

	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	fprintf(f, flagged_set, of_m, of_n);
	fclose(f);
	s = set_load(path, &err);
	unlink(path);
	if (!s)
		fail_msg("%s, %s: %s", of_m, of_n, err.text);
	return s;
}

static void thresholds_of_metrics(void **state)
{
	static const struct made made[] = {
		{ 0, 4, 0x76, "a", 500, 100, 50, 0 },
		{ 0, 4, 0xc1, "b", 125, 100, 50, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct check_list checks = { .nr = 0 };
		uint32_t flagged[4];
		char detail[100] = "";
		struct rig r;

		rig_open(&r, "amdzen4", made, 2);
		plan_free(r.plan);
		set_free(r.set);
		r.set = load_flagged(flags[i].of_m, flags[i].of_n);
		r.plan = plan_new(r.set, &r.capture);
		plan_eval(r.plan, &r.scope, r.results);
		if (plan_flagged(r.plan, &r.scope, r.results, flagged) != flags[i].nr)
			fail_msg("%s, %s: not %zu", flags[i].of_m, flags[i].of_n, flags[i].nr);
		flagged_check(r.plan, &r.scope, r.results, &checks);
		assert_int_equal(checks.nr, flags[i].detail ? 1 : 0);
		if (checks.nr) {
			check_detail(&checks.rows[0], detail, sizeof(detail));
			assert_string_equal(detail, flags[i].detail);
			assert_int_equal(checks.rows[0].id, CHECK_METRIC_THRESHOLD);
			assert_int_equal(checks.rows[0].class, CHECK_INFO);
			assert_near(checks.rows[0].observed, flags[i].observed, 1e-12);
			assert_true(isnan(checks.rows[0].threshold));
		}
		rig_close(&r);
	}
}

/* What is refused, by its counts or by a check, is not marked. */
static void refused_is_not_flagged(void **state)
{
	static const struct made made[] = {
		{ 0, 4, 0x76, "a", 500, 100, 50, 0 },
		{ 0, 4, 0xc1, "b", 0, 100, 0, 0 },
	};
	uint32_t flagged[4];
	struct rig r;

	(void)state;
	rig_open(&r, "amdzen4", made, 2);
	plan_free(r.plan);
	set_free(r.set);
	r.set = load_flagged("1", "m < 1");
	r.plan = plan_new(r.set, &r.capture);
	plan_eval(r.plan, &r.scope, r.results);
	assert_int_equal(plan_flagged(r.plan, &r.scope, r.results, flagged), 0);
	rig_close(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(published_figures),
	cmocka_unit_test(copies_that_are_taken),
	cmocka_unit_test(instances_are_added),
	cmocka_unit_test(events_that_could_not_be_opened),
	cmocka_unit_test(values_and_reasons),
	cmocka_unit_test(what_perf_does_not_count),
	cmocka_unit_test(printed_counts),
	cmocka_unit_test(time_of_the_scope),
	cmocka_unit_test(vendor_of_the_capture),
	cmocka_unit_test(children_add_up),
	cmocka_unit_test(literals),
	cmocka_unit_test(thresholds_of_metrics),
	cmocka_unit_test(refused_is_not_flagged),
};

TEST_MODULE(plan, tests);
