// SPDX-License-Identifier: GPL-2.0-only
/* Sets meet captures that are made in memory: the choice of copies, the values, the reasons. */
#include "metrics/plan_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

		r->events[i] = (struct event){ .position = (uint32_t)i, .name = m->name, .modifiers = "", .unit = "",
			.scale = 1, .group = m->group, .group_known = true, .has_config = true, .opened = true,
			.type = m->type, .config = m->config, .flags = m->flags };
		r->cells[i] = (struct cell){ .state = m->running ? CELL_COUNTED : CELL_NOT_COUNTED, .has_raw = true,
			.has_times = true, .instances = 1, .raw = m->raw, .enabled = m->enabled, .running = m->running,
			.scaled = m->running ? (double)m->raw * (double)m->enabled / (double)m->running : NAN,
			.coverage = (double)m->running / (double)m->enabled,
			.scaled_perf = m->running ? (uint64_t)((double)m->raw * (double)m->enabled / (double)m->running) : 0 };
	}
	r->place = (struct place){ .label = "run" };
	r->scope = (struct scope){ .interval = -1, .begin_ns = 0, .end_ns = 2e9, .is_total = true, .place = &r->place,
		.cells = r->cells, .nr_cells = nr };
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

#define E 10012345678u
#define R1 2010490225u
#define R2 2002461835u
#define R3 2001465794u
#define R4 2002473545u
#define R5 3997927824u

/* Names are wrong on purpose: type and config say what was counted. */
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
	children = r.results[metric(&r, "backend_bound_cpu")].value + r.results[metric(&r, "backend_bound_memory")].value;
	assert_near(children, r.results[metric(&r, "backend_bound")].value, 1e-9);
	rig_close(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(published_figures),
};

TEST_MODULE(plan, tests);
