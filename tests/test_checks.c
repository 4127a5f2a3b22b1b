// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each check alone, on both sides of its threshold, and what it does to the metrics.
 * The scope that is changed case by case is that of the SHA-256 example: five groups in
 * turns, all of it in order.
 */
#include "metrics/checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

enum { FE, BS, BE, SMT, RET, FE_LAT, FE_BW, BS_MISP, BS_RESTART, BE_MEM, BE_CPU, RET_FAST, RET_UCODE, CYCLES, METRICS };
enum { EVENTS = 17, ENABLED = 1000000000 };

/* ---- a scope in order ---- */

static const struct {
	int32_t group;
	enum event_role role;
	uint32_t same_as;
	uint64_t config;
	double per_cycle;
	const char *name;
} events_of[EVENTS] = {
	{ 0, EVENT_PLAIN, 0, 0xc3, 0.01, "ex_ret_brn_misp" },
	{ 0, EVENT_SLOTS, 1, 0x7aa, 1.62, "de_src_op_disp.all" },
	{ 0, EVENT_PLAIN, 2, 0x96, 0.004, "resyncs_or_nc_redirects" },
	{ 0, EVENT_CYCLES, 3, 0x76, 1, "ls_not_halted_cyc" },
	{ 0, EVENT_PLAIN, 4, 0xc1, 1.5, "ex_ret_ops" },
	{ 5, EVENT_PLAIN, 5, 0xa2d6, 0.1, "ex_no_retire.load_not_complete" },
	{ 5, EVENT_SLOTS, 6, 0x100001ea0, 4.0, "de_no_dispatch_per_slot.backend_stalls" },
	{ 5, EVENT_PLAIN, 7, 0x2d6, 0.4, "ex_no_retire.not_complete" },
	{ 5, EVENT_CYCLES, 3, 0x76, 1, "ls_not_halted_cyc" },
	{ 9, EVENT_PLAIN, 9, 0x1000000c2, 0.3, "ex_ret_ucode_ops" },
	{ 9, EVENT_CYCLES, 3, 0x76, 1, "ls_not_halted_cyc" },
	{ 9, EVENT_PLAIN, 4, 0xc1, 1.5, "ex_ret_ops" },
	{ 12, EVENT_SLOTS, 12, 0x1000001a0, 0.36, "de_no_dispatch_per_slot.no_ops_from_frontend" },
	{ 12, EVENT_CYCLES_PART, 13, 0x1060001a0, 0.01, "no_ops_from_frontend_cmask" },
	{ 12, EVENT_CYCLES, 3, 0x76, 1, "ls_not_halted_cyc" },
	{ 15, EVENT_SLOTS, 15, 0x1000060a0, 0.02, "de_no_dispatch_per_slot.smt_contention" },
	{ 15, EVENT_CYCLES, 3, 0x76, 1, "ls_not_halted_cyc" },
};

#define OF(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)
static const struct check_metric metrics_of[METRICS] = {
	[FE] = { "frontend_bound", OF(12, 14), -1, 1, true, false, true, true, true },
	[BS] = { "bad_speculation", OF(1, 4, 3), -1, 1, true, false, true, true, true },
	[BE] = { "backend_bound", OF(6, 8), -1, 1, true, false, true, true, true },
	[SMT] = { "smt_contention", OF(15, 16), -1, 1, true, false, true, true, true },
	[RET] = { "retiring", OF(4, 3), -1, 1, true, false, true, true, true },
	[FE_LAT] = { "frontend_bound_latency", OF(13, 14), FE, 2, true, false, true, true, true },
	[FE_BW] = { "frontend_bound_bandwidth", OF(12, 13, 14), FE, 2, true, false, true, true, true },
	[BS_MISP] = { "bad_speculation_mispredicts", OF(1, 4, 3, 0, 2), BS, 2, true, false, false, true, true },
	[BS_RESTART] = { "bad_speculation_pipeline_restarts", OF(1, 4, 3, 2, 0), BS, 2, true, false, false, true, true },
	[BE_MEM] = { "backend_bound_memory", OF(6, 8, 5, 7), BE, 2, true, false, false, true, true },
	[BE_CPU] = { "backend_bound_cpu", OF(6, 8, 5, 7), BE, 2, true, false, false, true, true },
	[RET_FAST] = { "retiring_fastpath", OF(11, 10, 9), RET, 2, true, false, false, true, true },
	[RET_UCODE] = { "retiring_microcode", OF(11, 10, 9), RET, 2, true, false, false, true, true },
	[CYCLES] = { "cycles", OF(3), -1, 0, false, true, false, true, true },
};

struct world {
	struct event events[EVENTS];
	enum event_role roles[EVENTS];
	uint32_t same_as[EVENTS];
	struct cell cells[EVENTS];
	struct check_metric metrics[METRICS];
	double values[METRICS];
	bool zero[METRICS];
	bool already_refused[METRICS];
	struct jackknife_sums sums[METRICS], closure, twin;
	bool has_rounds;
	struct check_limits limits;
	struct check_model model;
	struct checked_scope scope;
	struct metric_result results[METRICS];
	struct check_list list;
};

/* Values from the cells, as the formulas of the set would give them. */
static void compute(struct world *w)
{
	double x[EVENTS], *m = w->values;

	for (int e = 0; e < EVENTS; e++)
		x[e] = w->cells[e].scaled;
	m[FE] = x[12] / (6 * x[14]);
	m[BS] = (x[1] - x[4]) / (6 * x[3]);
	m[BE] = x[6] / (6 * x[8]);
	m[SMT] = x[15] / (6 * x[16]);
	m[RET] = x[4] / (6 * x[3]);
	m[FE_LAT] = 6 * x[13] / (6 * x[14]);
	m[FE_BW] = (x[12] - 6 * x[13]) / (6 * x[14]);
	m[BS_MISP] = m[BS] * x[0] / (x[0] + x[2]);
	m[BS_RESTART] = m[BS] * x[2] / (x[0] + x[2]);
	m[BE_MEM] = m[BE] * x[5] / x[7];
	m[BE_CPU] = m[BE] * (1 - x[5] / x[7]);
	m[RET_FAST] = x[11] / (6 * x[10]) * (1 - x[9] / x[11]);
	m[RET_UCODE] = x[11] / (6 * x[10]) * (x[9] / x[11]);
	m[CYCLES] = x[3];
}

static void set_cell(struct world *w, int e, double per_cycle, uint64_t running)
{
	struct cell *cell = &w->cells[e];

	*cell = (struct cell){
		.state = running ? CELL_COUNTED : CELL_NOT_COUNTED,
		.has_raw = true, .has_times = true, .instances = 1, .enabled = ENABLED, .running = running,
	};
	cell->scaled = running ? per_cycle * 5e9 : NAN;
	cell->raw = running ? (uint64_t)(per_cycle * 5e9 * (double)running / ENABLED) : 0;
	cell->coverage = (double)running / ENABLED;
}

static void set_group_running(struct world *w, int32_t group, uint64_t running)
{
	for (int e = 0; e < EVENTS; e++)
		if (w->events[e].group == group)
			set_cell(w, e, events_of[e].per_cycle, running);
}

static struct jackknife_sums steady(double value)
{
	return (struct jackknife_sums){ 50, true, value, 0.2, 2e-8, 1e-9, 1e-8 };
}

static void set_rounds(struct world *w, double rounds)
{
	w->has_rounds = true;
	w->scope.rounds = (uint64_t)rounds;
	for (int m = 0; m < METRICS; m++)
		w->sums[m].rounds = (uint64_t)rounds;
	w->closure.rounds = w->twin.rounds = (uint64_t)rounds;
}

static void world_new(struct world *w)
{
	memset(w, 0, sizeof(*w));
	memcpy(w->metrics, metrics_of, sizeof(metrics_of));
	for (int e = 0; e < EVENTS; e++) {
		w->events[e] = (struct event){ .position = (uint32_t)e, .name = events_of[e].name, .group = events_of[e].group,
					       .has_config = true, .opened = true, .type = EVENT_RAW,
					       .config = events_of[e].config };
		w->roles[e] = events_of[e].role;
		w->same_as[e] = events_of[e].same_as;
		set_cell(w, e, events_of[e].per_cycle, ENABLED / 5);
	}
	compute(w);
	for (int m = 0; m < METRICS; m++)
		w->sums[m] = steady(w->values[m]);
	w->closure = steady(1);
	w->twin = steady(0);
	w->scope.rounds = 1;
	check_limits_default(&w->limits);
	w->model.twin = (struct check_twin){ true, { 3, 10 }, { 4, 11 } };
}

static void world_run(struct world *w)
{
	struct checks *c;

	w->model.events = w->events;
	w->model.roles = w->roles;
	w->model.same_as = w->same_as;
	w->model.nr_events = EVENTS;
	w->model.metrics = w->metrics;
	w->model.nr_metrics = METRICS;
	w->model.width = 6;
	w->model.limits = &w->limits;
	w->model.level = 0.95;
	w->scope.cells = w->cells;
	w->scope.zero_denominator = w->zero;
	if (w->has_rounds) {
		w->scope.sums = w->sums;
		w->scope.closure = &w->closure;
		w->scope.twin = &w->twin;
	}
	for (int m = 0; m < METRICS; m++) {
		w->results[m] = (struct metric_result){ .value = w->values[m], .reason = "" };
		if (w->already_refused[m])
			w->results[m] = (struct metric_result){ .value = NAN, .se = NAN, .lo = NAN, .hi = NAN, .bound_lo = NAN,
								.status = METRIC_REFUSED, .reason = "missing-event" };
	}
	c = checks_new(&w->model);
	checks_run(c, &w->scope, w->results, &w->list);
	checks_free(c);
}

static const struct check_row *row_of(const struct world *w, enum check_id id)
{
	for (size_t i = 0; i < w->list.nr; i++)
		if (w->list.rows[i].id == id)
			return &w->list.rows[i];
	return NULL;
}

/* ---- changes ---- */

static void nothing(struct world *w, double x) { (void)w; (void)x; }
static void rounds(struct world *w, double x) { set_rounds(w, x); }

static void misp_enabled(struct world *w, double x)
{
	if (x > 0)
		return;
	w->cells[0].enabled = w->cells[0].running = 0;
	w->cells[0].scaled = w->cells[0].coverage = NAN;
	w->cells[0].state = CELL_NOT_COUNTED;
}

static void smt_running(struct world *w, double x) { set_group_running(w, 15, (uint64_t)x); }
static void frontend_dead(struct world *w, double x) { w->cells[12].dead = 1; w->cells[12].dead_enabled = (uint64_t)(x * ENABLED); }
static void frontend_coverage(struct world *w, double x)
{
	set_group_running(w, 12, (uint64_t)(x * ENABLED));
	for (int e = 12; e <= 14; e++) { /* a run long enough that only coverage is low */
		w->cells[e].enabled *= 1000;
		w->cells[e].running *= 1000;
	}
}
static void frontend_seen(struct world *w, double ns) { set_group_running(w, 12, (uint64_t)ns); }
static void one_member_less(struct world *w, double ns) { w->cells[12].running -= (uint64_t)ns; }
static void split_frontend(struct world *w, double ratio)
{
	w->metrics[FE].one_group = false;
	w->events[14].group = -1;
	w->cells[12].coverage = 0.2 / ratio;
}
static void one_group_longer(struct world *w, double ratio) { smt_running(w, ratio * ENABLED / 5); }
static void residual(struct world *w, double r) { w->values[BE] += r - (w->values[FE] + w->values[BS] + w->values[BE] + w->values[SMT] + w->values[RET] - 1);
	w->values[BE_CPU] = w->values[BE] - w->values[BE_MEM]; }
static void residual_of_rounds(struct world *w, double r)
{
	set_rounds(w, 50);
	residual(w, r);
}
/* SE = sqrt(50/49 × spread): t(0.9995, 49) × SE = 3.5004 × 0.00505 = 0.01768 */
static void residual_by_chance(struct world *w, double r)
{
	residual_of_rounds(w, r);
	w->closure.spread = 2.5e-5;
	w->closure.steps = 5e-5;
}
/* q = 50 × steps / (49 × spread); z = (2 - q) √50 / 2 */
static void drifts(struct world *w, double z)
{
	set_rounds(w, 50);
	w->closure.spread = 2.5e-5;
	w->closure.steps = (2 - 2 * z / sqrt(50)) * 49.0 / 50 * w->closure.spread;
}
static void drifts_a_little(struct world *w, double z)
{
	drifts(w, z);
	w->closure.spread /= 100;
	w->closure.steps /= 100;
}
static void drifts_few_rounds(struct world *w, double k)
{
	drifts(w, 3.4);
	set_rounds(w, k);
	w->closure.steps = 0;
}
static void no_smt(struct world *w, double x)
{
	(void)x;
	w->metrics[SMT].present = false;
	w->values[SMT] = NAN;
	w->already_refused[SMT] = true;
}
static void no_level_1(struct world *w, double x)
{
	(void)x;
	for (int m = FE; m <= RET; m++) {
		w->metrics[m].present = false;
		w->values[m] = NAN;
		w->already_refused[m] = true;
	}
}
static void twins_apart(struct world *w, double d)
{
	w->cells[11].scaled = w->cells[4].scaled - d * 6 * 5e9;
	w->values[RET_FAST] = w->values[RET] - w->values[RET_UCODE];
}
static void twins_apart_in_rounds(struct world *w, double d)
{
	set_rounds(w, 50);
	twins_apart(w, d);
}
static void twins_drift(struct world *w, double z)
{
	set_rounds(w, 50);
	w->twin.spread = 3e-6; /* t(0.975, 49) × SE = 0.0035 */
	w->twin.steps = (2 - 2 * z / sqrt(50)) * 49.0 / 50 * w->twin.spread;
}
static void children_off(struct world *w, double d) { w->values[RET_FAST] = w->values[RET] - w->values[RET_UCODE] + d; }
static void children_off_in_group(struct world *w, double d) { w->values[FE_LAT] += d; }
static void anchor_off(struct world *w, double ratio)
{
	/* five copies; one of them is larger: (max - min)/mean = ratio */
	w->cells[16].scaled *= 1 + ratio / (1 - ratio / 5);
}
static void below_zero(struct world *w, double v) { w->values[BS] = v; w->values[BS_MISP] = v; w->values[BS_RESTART] = 0; residual(w, 0); }
static void below_zero_wide(struct world *w, double v)
{
	set_rounds(w, 50);
	below_zero(w, v);
	w->sums[BS].steps = w->sums[BS_MISP].steps = 1e-4;
}
static void above_one(struct world *w, double v)
{
	w->values[RET] = v;
	w->values[RET_FAST] = v - w->values[RET_UCODE];
	w->values[BE] = 1 - w->values[FE] - w->values[BS] - w->values[SMT] - v;
	w->values[BE_CPU] = w->values[BE] - w->values[BE_MEM];
}
static void more_slots(struct world *w, double ratio) { w->cells[1].scaled = ratio * 6 * 5e9; }
static void more_retired(struct world *w, double ratio) { w->cells[4].scaled = ratio * 6 * 5e9; twins_apart(w, 0); }
static void more_cycles_of_none(struct world *w, double ratio) { w->cells[13].scaled = ratio * 5e9; }
static void more_in_other_group(struct world *w, double ratio)
{
	w->events[1].group = -1;
	w->cells[1].scaled = ratio * 6 * 5e9;
}
static void ran_too_long(struct world *w, double x) { w->cells[1].exceeded = x > 0; }
static void fell(struct world *w, double x) { w->cells[1].fell = x > 0; }
static void no_mispredicts(struct world *w, double parent)
{
	w->values[BS] = parent;
	w->values[BS_MISP] = w->values[BS_RESTART] = 0;
	w->zero[BS_MISP] = w->zero[BS_RESTART] = true;
	residual(w, 0);
}
static void never_incomplete(struct world *w, double x)
{
	(void)x;
	w->zero[BE_MEM] = w->zero[BE_CPU] = true;
	w->values[BE_MEM] = 0;
	w->values[BE_CPU] = w->values[BE];
}
static void burst(struct world *w, double part)
{
	set_rounds(w, 50);
	w->sums[FE].step_max = part * w->sums[FE].steps;
}
static void few_with_burst(struct world *w, double k)
{
	burst(w, 0.9);
	set_rounds(w, k);
}
static void all_ran(struct world *w, double x)
{
	(void)x;
	for (int e = 0; e < EVENTS; e++)
		set_cell(w, e, events_of[e].per_cycle, ENABLED);
}
static void all_ran_off(struct world *w, double r)
{
	all_ran(w, 0);
	residual(w, r);
}
static void not_finite(struct world *w, double x)
{
	(void)x;
	set_rounds(w, 50);
	w->sums[FE].finite = false;
}

/* ---- the table ---- */

enum { SILENT = -1 };

#define OK METRIC_OK
#define CAUTION METRIC_CAUTION
#define REFUSED METRIC_REFUSED

static const struct check_case {
	const char *name;
	void (*change)(struct world *w, double x);
	double x;
	enum check_id id;
	int class; /* or SILENT */
	int metric;
	enum metric_status status;
	enum metric_method method;
	const char *reason;
} cases[] = {
	{ "one total", nothing, 0, CHECK_COVERAGE_LOW, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "rounds", rounds, 50, CHECK_FEW_INTERVALS, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "exact", all_ran, 0, CHECK_COVERAGE_LOW, SILENT, FE, OK, METHOD_EXACT, "" },
	{ "a replicate fails", not_finite, 0, CHECK_COVERAGE_LOW, SILENT, FE, OK, METHOD_NONE, "nonfinite-replicate" },

	{ "never enabled", misp_enabled, 0, CHECK_NOT_ENABLED, CHECK_REFUSE, BS_MISP, REFUSED, METHOD_NONE, "not_enabled" },
	{ "enabled", misp_enabled, 1e9, CHECK_NOT_ENABLED, SILENT, BS_MISP, OK, METHOD_NONE, "single-total" },
	{ "never ran", smt_running, 0, CHECK_NOT_COUNTED, CHECK_REFUSE, SMT, REFUSED, METHOD_NONE, "not_counted" },
	{ "never ran: others", smt_running, 0, CHECK_CLOSURE_UNAVAILABLE, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "ran", smt_running, 3e8, CHECK_NOT_COUNTED, SILENT, SMT, OK, METHOD_NONE, "single-total" },

	{ "all instances", frontend_dead, 0, CHECK_UNOBSERVED_INSTANCES, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "a few instances dead", frontend_dead, 0.0099, CHECK_UNOBSERVED_INSTANCES, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "some dead", frontend_dead, 0.0101, CHECK_UNOBSERVED_INSTANCES, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "many dead", frontend_dead, 0.1001, CHECK_UNOBSERVED_INSTANCES, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "single-total" },

	{ "coverage 10.1 %", frontend_coverage, 0.101, CHECK_COVERAGE_LOW, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "coverage 9.9 %", frontend_coverage, 0.099, CHECK_COVERAGE_LOW, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "coverage 1.01 %", frontend_coverage, 0.0101, CHECK_COVERAGE_LOW, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "coverage 0.99 %", frontend_coverage, 0.0099, CHECK_COVERAGE_LOW, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "coverage: others", frontend_coverage, 0.0099, CHECK_COVERAGE_LOW, CHECK_NO_INTERVAL, BE, OK, METHOD_NONE, "single-total" },

	{ "seen 101 ms", frontend_seen, 101e6, CHECK_OBSERVED_SHORT, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "seen 99 ms", frontend_seen, 99e6, CHECK_OBSERVED_SHORT, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "seen 20.1 ms", frontend_seen, 20.1e6, CHECK_OBSERVED_SHORT, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "seen 19.9 ms", frontend_seen, 19.9e6, CHECK_OBSERVED_SHORT, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "single-total" },

	/* max(0.001 × 200 ms, 200 µs) = 200 µs */
	{ "times 199 µs apart", one_member_less, 199e3, CHECK_GROUP_INCOHERENT, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "times 201 µs apart", one_member_less, 201e3, CHECK_GROUP_INCOHERENT, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "split", split_frontend, 1, CHECK_GROUP_SPLIT, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "not split", nothing, 0, CHECK_GROUP_SPLIT, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "split, about equal", split_frontend, 1.199, CHECK_COVERAGE_UNEQUAL, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "split, unequal", split_frontend, 1.201, CHECK_COVERAGE_UNEQUAL, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "rotation 2.99", one_group_longer, 2.99, CHECK_ROTATION_UNBALANCED, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "rotation 3.01", one_group_longer, 3.01, CHECK_ROTATION_UNBALANCED, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },

	{ "residual 0.0049", residual, -0.0049, CHECK_CLOSURE_RESIDUAL, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "residual 0.0051", residual, -0.0051, CHECK_CLOSURE_RESIDUAL, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "residual 0.0199", residual, 0.0199, CHECK_CLOSURE_RESIDUAL, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "residual 0.0201", residual, 0.0201, CHECK_CLOSURE_RESIDUAL, CHECK_WARN, RET_FAST, CAUTION, METHOD_NONE, "single-total" },
	{ "residual 0.0499", residual, -0.0499, CHECK_CLOSURE_RESIDUAL, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "residual 0.0501", residual, -0.0501, CHECK_CLOSURE_RESIDUAL, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "single-total" },
	{ "residual in rounds", residual_of_rounds, 0.0501, CHECK_CLOSURE_RESIDUAL, CHECK_NO_INTERVAL, BE_MEM, CAUTION, METHOD_NONE, "closure-failed" },
	{ "residual of exact", all_ran_off, 0.0501, CHECK_CLOSURE_RESIDUAL, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "closure-failed" },
	{ "cycles are no share", residual_of_rounds, 0.0501, CHECK_CLOSURE_RESIDUAL, CHECK_NO_INTERVAL, CYCLES, OK, METHOD_INTERVALS, "" },

	{ "bias 0.0099", residual_of_rounds, 0.0099, CHECK_CLOSURE_BIAS, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "bias 0.0101", residual_of_rounds, -0.0101, CHECK_CLOSURE_BIAS, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "closure-failed" },
	{ "bias by chance", residual_by_chance, 0.0176, CHECK_CLOSURE_BIAS, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "bias beyond chance", residual_by_chance, 0.0177, CHECK_CLOSURE_BIAS, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "closure-failed" },
	{ "bias without rounds", residual, 0.0101, CHECK_CLOSURE_BIAS, SILENT, FE, OK, METHOD_NONE, "single-total" },

	{ "drift 3.2", drifts, 3.2, CHECK_CLOSURE_DRIFT, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "drift 3.4", drifts, 3.4, CHECK_CLOSURE_DRIFT, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "closure-failed" },
	{ "drift too small to matter", drifts_a_little, 3.4, CHECK_CLOSURE_DRIFT, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "drift, 19 rounds", drifts_few_rounds, 19, CHECK_CLOSURE_DRIFT, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "drift, 20 rounds", drifts_few_rounds, 20, CHECK_CLOSURE_DRIFT, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "closure-failed" },

	{ "five shares", nothing, 0, CHECK_CLOSURE_UNAVAILABLE, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "four shares", no_smt, 0, CHECK_CLOSURE_UNAVAILABLE, CHECK_INFO, FE, OK, METHOD_NONE, "single-total" },
	{ "no share", no_level_1, 0, CHECK_CLOSURE_UNAVAILABLE, SILENT, CYCLES, OK, METHOD_NONE, "single-total" },

	{ "twins 0.0099", twins_apart, 0.0099, CHECK_TWIN_MISMATCH, SILENT, RET, OK, METHOD_NONE, "single-total" },
	{ "twins 0.0101", twins_apart, -0.0101, CHECK_TWIN_MISMATCH, CHECK_WARN, RET, CAUTION, METHOD_NONE, "single-total" },
	{ "twins in rounds 0.0049", twins_apart_in_rounds, 0.0049, CHECK_TWIN_MISMATCH, SILENT, RET, OK, METHOD_INTERVALS, "" },
	{ "twins in rounds 0.0051", twins_apart_in_rounds, 0.0051, CHECK_TWIN_MISMATCH, CHECK_NO_INTERVAL, RET, CAUTION, METHOD_NONE, "closure-failed" },
	{ "twins drift 3.2", twins_drift, 3.2, CHECK_TWIN_MISMATCH, SILENT, RET, OK, METHOD_INTERVALS, "" },
	{ "twins drift 3.4", twins_drift, 3.4, CHECK_TWIN_MISMATCH, CHECK_NO_INTERVAL, RET, CAUTION, METHOD_NONE, "closure-failed" },

	{ "children 0.0099", children_off, 0.0099, CHECK_PARENT_CHILD, SILENT, RET, OK, METHOD_NONE, "single-total" },
	{ "children 0.0101", children_off, 0.0101, CHECK_PARENT_CHILD, CHECK_WARN, RET_UCODE, CAUTION, METHOD_NONE, "single-total" },
	{ "children, one group", children_off_in_group, 0.9e-9, CHECK_PARENT_CHILD, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "children, one group, off", children_off_in_group, 1.1e-9, CHECK_PARENT_CHILD, CHECK_WARN, FE, CAUTION, METHOD_NONE, "single-total" },

	{ "anchor 1.9 %", anchor_off, 0.019, CHECK_ANCHOR_SPREAD, SILENT, CYCLES, OK, METHOD_NONE, "single-total" },
	{ "anchor 2.1 %", anchor_off, 0.021, CHECK_ANCHOR_SPREAD, CHECK_INFO, CYCLES, OK, METHOD_NONE, "single-total" },
	{ "anchor 9.9 %", anchor_off, 0.099, CHECK_ANCHOR_SPREAD, CHECK_INFO, CYCLES, OK, METHOD_NONE, "single-total" },
	{ "anchor 10.1 %", anchor_off, 0.101, CHECK_ANCHOR_SPREAD, CHECK_WARN, CYCLES, CAUTION, METHOD_NONE, "single-total" },
	{ "anchor, a share", anchor_off, 0.101, CHECK_ANCHOR_SPREAD, CHECK_WARN, RET, OK, METHOD_NONE, "single-total" },

	{ "zero", below_zero, 0, CHECK_NEGATIVE_COMPONENT, SILENT, BS, OK, METHOD_NONE, "single-total" },
	{ "a little below", below_zero, -0.0049, CHECK_NEGATIVE_COMPONENT, CHECK_INFO, BS, OK, METHOD_NONE, "single-total" },
	{ "below", below_zero, -0.0051, CHECK_NEGATIVE_COMPONENT, CHECK_WARN, BS, CAUTION, METHOD_NONE, "single-total" },
	{ "below, within the error", below_zero_wide, -0.006, CHECK_NEGATIVE_COMPONENT, CHECK_INFO, BS, OK, METHOD_INTERVALS, "" },
	{ "1.004", above_one, 1.004, CHECK_OVER_UNITY, SILENT, RET, OK, METHOD_NONE, "single-total" },
	{ "1.006", above_one, 1.006, CHECK_OVER_UNITY, CHECK_WARN, RET, CAUTION, METHOD_NONE, "single-total" },
	{ "1.049", above_one, 1.049, CHECK_OVER_UNITY, CHECK_WARN, RET, CAUTION, METHOD_NONE, "single-total" },
	{ "1.051", above_one, 1.051, CHECK_OVER_UNITY, CHECK_NO_INTERVAL, RET, CAUTION, METHOD_NONE, "single-total" },

	{ "all slots", more_slots, 1.0009, CHECK_IMPOSSIBLE_RATE, SILENT, BS, OK, METHOD_NONE, "single-total" },
	{ "more than all slots", more_slots, 1.0011, CHECK_IMPOSSIBLE_RATE, CHECK_REFUSE, BS, REFUSED, METHOD_NONE, "impossible_rate" },
	{ "retired may be more", more_retired, 1.01, CHECK_IMPOSSIBLE_RATE, SILENT, RET, OK, METHOD_NONE, "single-total" },
	{ "every cycle", more_cycles_of_none, 1.0009, CHECK_IMPOSSIBLE_RATE, SILENT, FE_LAT, OK, METHOD_NONE, "single-total" },
	{ "more than every cycle", more_cycles_of_none, 1.0011, CHECK_IMPOSSIBLE_RATE, CHECK_REFUSE, FE_LAT, REFUSED, METHOD_NONE, "impossible_rate" },
	{ "in another group", more_in_other_group, 1.0011, CHECK_IMPOSSIBLE_RATE, SILENT, BS, OK, METHOD_NONE, "single-total" },
	{ "ran too long", ran_too_long, 1, CHECK_IMPOSSIBLE_RATE, CHECK_REFUSE, BS, REFUSED, METHOD_NONE, "impossible_rate" },
	{ "a total fell", fell, 1, CHECK_IMPOSSIBLE_RATE, CHECK_REFUSE, BS, REFUSED, METHOD_NONE, "impossible_rate" },
	{ "others stay", fell, 1, CHECK_IMPOSSIBLE_RATE, CHECK_REFUSE, RET, OK, METHOD_NONE, "single-total" },

	{ "no 0", nothing, 0, CHECK_ZERO_DENOMINATOR, SILENT, BS_MISP, OK, METHOD_NONE, "single-total" },
	{ "0 of 0, parent 0.0004", no_mispredicts, 0.0004, CHECK_ZERO_DENOMINATOR, CHECK_INFO, BS_MISP, OK, METHOD_NONE, "single-total" },
	{ "0 of 0, parent 0.0006", no_mispredicts, 0.0006, CHECK_ZERO_DENOMINATOR, CHECK_REFUSE, BS_MISP, REFUSED, METHOD_NONE, "zero_denominator" },
	{ "0 of 0, parent 5 %", no_mispredicts, 0.05, CHECK_ZERO_DENOMINATOR, CHECK_REFUSE, BS_RESTART, REFUSED, METHOD_NONE, "zero_denominator" },
	{ "0 of 0: the parent", no_mispredicts, 0.05, CHECK_ZERO_DENOMINATOR, CHECK_REFUSE, BS, OK, METHOD_NONE, "single-total" },
	{ "never incomplete", never_incomplete, 0, CHECK_ZERO_DENOMINATOR, CHECK_REFUSE, BE_CPU, REFUSED, METHOD_NONE, "zero_denominator" },

	{ "1 round", rounds, 1, CHECK_FEW_INTERVALS, SILENT, FE, OK, METHOD_NONE, "single-total" },
	{ "2 rounds", rounds, 2, CHECK_FEW_INTERVALS, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "few-intervals" },
	{ "7 rounds", rounds, 7, CHECK_FEW_INTERVALS, CHECK_NO_INTERVAL, FE, CAUTION, METHOD_NONE, "few-intervals" },
	{ "8 rounds", rounds, 8, CHECK_FEW_INTERVALS, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "19 rounds", rounds, 19, CHECK_RESONANCE_UNCHECKED, CHECK_INFO, FE, OK, METHOD_INTERVALS, "" },
	{ "20 rounds", rounds, 20, CHECK_RESONANCE_UNCHECKED, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "no burst", burst, 0.49, CHECK_BURST_DOMINATED, SILENT, FE, OK, METHOD_INTERVALS, "" },
	{ "burst", burst, 0.51, CHECK_BURST_DOMINATED, CHECK_INFO, FE, OK, METHOD_INTERVALS, "" },
	{ "burst in 19 rounds", few_with_burst, 19, CHECK_BURST_DOMINATED, SILENT, FE, OK, METHOD_INTERVALS, "" },
};

static void run_case(const struct check_case *k, struct world *w)
{
	const struct check_row *row;
	const struct metric_result *r = &w->results[k->metric];
	int class;

	world_new(w);
	k->change(w, k->x);
	world_run(w);
	row = row_of(w, k->id);
	class = row ? (int)row->class : SILENT;
	if (class != k->class)
		fail_msg("%s: %s is %s", k->name, check_name(k->id), row ? check_class_name(row->class) : "silent");
	if (r->status != k->status || r->method != k->method || strcmp(r->reason, k->reason) != 0)
		fail_msg("%s: %s has status %d, method %d, reason '%s'", k->name, w->metrics[k->metric].name,
			 r->status, r->method, r->reason);
}

static void each_check_on_both_sides(void **state)
{
	static struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run_case(&cases[i], &w);
}

static void every_check_has_a_case(void **state)
{
	bool fired[CHECK_NR] = { false }, silent[CHECK_NR] = { false };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		(cases[i].class == SILENT ? silent : fired)[cases[i].id] = true;
	for (int id = 0; id < CHECK_NR; id++)
		if (id != CHECK_DUPLICATE_CAPTURES && id != CHECK_PRINTED_DIFFERS && id != CHECK_METRIC_THRESHOLD &&
		    !(fired[id] && silent[id]))
			fail_msg("%s is not tested on both sides", check_name((enum check_id)id));
}

/* What holds for a result, whatever fired. */
static void results_agree_with_themselves(void **state)
{
	static struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_case(&cases[i], &w);
		for (int m = 0; m < METRICS; m++) {
			const struct metric_result *r = &w.results[m];
			bool has_error = r->method == METHOD_EXACT || r->method == METHOD_INTERVALS;

			assert_true(isnan(r->value) == (r->status == METRIC_REFUSED));
			assert_true(has_error == (r->reason[0] == '\0'));
			assert_true(has_error == isfinite(r->lo) && has_error == isfinite(r->hi));
			assert_true(has_error == isfinite(r->se));
			if (has_error)
				assert_true(r->lo <= r->value && r->value <= r->hi);
			if (isfinite(r->bound_lo))
				assert_true(r->bound_lo <= r->value + 1e-12 || r->value < 0);
		}
	}
}

static void value_of_exact_is_its_interval(void **state)
{
	static struct world w;

	(void)state;
	world_new(&w);
	all_ran(&w, 0);
	compute(&w);
	world_run(&w);
	for (int m = 0; m < METRICS; m++) {
		assert_true(w.results[m].se == 0 && w.results[m].lo == w.values[m] && w.results[m].hi == w.values[m]);
		assert_true(isnan(w.results[m].bound_lo)); /* nothing was unobserved */
	}
	assert_int_equal(w.list.nr, 0);
}

static void bounds_by_hand(void **state)
{
	static struct world w;

	(void)state;
	world_new(&w);
	w.values[FE] = 0.061231;
	world_run(&w);
	assert_true(fabs(w.results[FE].bound_lo - 0.0122462) < 1e-15);
	assert_true(fabs(w.results[FE].bound_hi - 0.8122462) < 1e-15);
	assert_true(isnan(w.results[BE_MEM].bound_lo) && isnan(w.results[CYCLES].bound_hi));
}

/* phi: what was counted together needs only the error of the part that was not seen. */
static void error_grows_when_split(void **state)
{
	static struct world together, apart;

	(void)state;
	world_new(&together);
	set_rounds(&together, 50);
	world_run(&together);
	world_new(&apart);
	set_rounds(&apart, 50);
	split_frontend(&apart, 1);
	world_run(&apart);
	assert_true(together.results[FE].co_scheduled);
	assert_true(!apart.results[FE].co_scheduled);
	assert_true(fabs(apart.results[FE].se * sqrt(0.8) - together.results[FE].se) < 1e-15);
	assert_true(fabs(together.results[FE].se - sqrt(0.8 * 50 / (2 * 49) * 2e-8)) < 1e-15);
}

/* Closure may stand in for a share that is alone in its group, the twin for retiring, nothing for others. */
static void tightening(void **state)
{
	static struct world w;

	(void)state;
	world_new(&w);
	set_rounds(&w, 50);
	w.model.tighten = true;
	w.closure.spread = 1e-12;
	w.closure.steps = 2e-12;
	w.twin.spread = 4e-12;
	w.twin.steps = 8e-12;
	world_run(&w);
	assert_true(fabs(w.results[FE].se - sqrt(50.0 / 49 * 1e-12)) < 1e-18 && w.results[FE].df == 49);
	assert_true(fabs(w.results[RET].se - sqrt(50.0 / 49 * 4e-12)) < 1e-18);
	assert_true(fabs(w.results[BS].se - sqrt(0.8 * 50 / (2 * 49) * 2e-8)) < 1e-15);
	assert_true(w.results[FE_LAT].se > 1e-5);
}

/* Printed counts have a coverage and no times. */
static void printed_counts(void **state)
{
	static struct world w;

	(void)state;
	world_new(&w);
	for (int e = 0; e < EVENTS; e++) {
		w.cells[e].has_times = w.cells[e].has_raw = false;
		w.cells[e].enabled = w.cells[e].running = 0;
		w.cells[e].coverage = w.events[e].group == 12 ? 1 : w.events[e].group == 15 ? NAN : 0.2;
	}
	world_run(&w);
	assert_int_equal(w.results[FE].method, METHOD_EXACT);
	assert_int_equal(w.results[BE].method, METHOD_NONE);
	assert_string_equal(w.results[BE].reason, "single-total");
	assert_int_equal(w.results[SMT].method, METHOD_NONE);
	assert_true(isnan(w.results[SMT].coverage) && w.results[BE].coverage == 0.2);
}

/* ---- thresholds ---- */

static void thresholds_from_text(void **state)
{
	static const struct {
		const char *text;
		enum check_id id;
		double limit[3];
	} good[] = {
		{ "coverage_low=0.05", CHECK_COVERAGE_LOW, { 0.1, 0.05, 0 } },
		{ "coverage_low=0.2", CHECK_COVERAGE_LOW, { 0.2, 0.2, 0 } },
		{ "coverage_low=0.5/0.25", CHECK_COVERAGE_LOW, { 0.5, 0.25, 0 } },
		{ "closure_residual=0.01", CHECK_CLOSURE_RESIDUAL, { 0.005, 0.01, 0.01 } },
		{ "closure_residual=0.001/0.002/0.003", CHECK_CLOSURE_RESIDUAL, { 0.001, 0.002, 0.003 } },
		{ "observed_short=1e-2", CHECK_OBSERVED_SHORT, { 0.1, 0.01, 0 } },
	};
	static const char *const bad[] = {
		"", "coverage_low", "coverage=1", "coverage_low=", "coverage_low=x", "coverage_low=0.1/",
		"coverage_low=0.1/0.2/0.3", "coverage_low=nan", "closure_residual=1/2", "coverage_low=0.1x", "=1",
	};
	struct check_limits l;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		check_limits_default(&l);
		assert_int_equal(check_limits_set(&l, good[i].text, &err), 0);
		for (int s = 0; s < 3; s++)
			if (fabs(l.limit[good[i].id][s] - good[i].limit[s]) > 1e-15)
				fail_msg("%s: step %d is %g", good[i].text, s, l.limit[good[i].id][s]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		check_limits_default(&l);
		err.text[0] = 0;
		assert_int_equal(check_limits_set(&l, bad[i], &err), -1);
		assert_true(err.text[0] != 0);
	}
}

static void thresholds_are_obeyed(void **state)
{
	static struct world w;
	struct error err;

	(void)state;
	world_new(&w);
	assert_int_equal(check_limits_set(&w.limits, "coverage_low=0.5/0.25", &err), 0);
	world_run(&w);
	assert_non_null(row_of(&w, CHECK_COVERAGE_LOW));
	assert_int_equal(row_of(&w, CHECK_COVERAGE_LOW)->class, CHECK_NO_INTERVAL);
	assert_true(row_of(&w, CHECK_COVERAGE_LOW)->threshold == 0.25);
}

static void one_row_for_the_worst(void **state)
{
	static struct world w;
	char detail[100];

	(void)state;
	world_new(&w);
	frontend_coverage(&w, 0.05);
	w.cells[12].coverage = 0.04;
	world_run(&w);
	assert_non_null(row_of(&w, CHECK_COVERAGE_LOW));
	assert_true(row_of(&w, CHECK_COVERAGE_LOW)->observed == 0.04);
	check_detail(row_of(&w, CHECK_COVERAGE_LOW), detail, sizeof(detail));
	assert_string_equal(detail, "de_no_dispatch_per_slot.no_ops_from_frontend and 2 others");
}

static void names_are_those_of_the_table(void **state)
{
	static const char *const names[] = {
		"not_enabled", "not_counted", "unobserved_instances", "coverage_low", "observed_short", "group_incoherent",
		"group_split", "coverage_unequal", "rotation_unbalanced", "closure_residual", "closure_bias",
		"closure_drift", "closure_unavailable", "twin_mismatch", "parent_child", "anchor_spread",
		"negative_component", "over_unity", "impossible_rate", "zero_denominator", "few_intervals",
		"resonance_unchecked", "burst_dominated", "duplicate_captures", "printed_differs",
		"metric_threshold",
	};

	char page[20000] = "", row[100];
	FILE *docs = fopen("docs/errors.md", "r");

	(void)state;
	assert_non_null(docs);
	assert_true(fread(page, 1, sizeof(page) - 1, docs) > 0);
	fclose(docs);
	assert_int_equal(sizeof(names) / sizeof(names[0]), CHECK_NR);
	for (int id = 0; id < CHECK_NR; id++) {
		assert_string_equal(check_name((enum check_id)id), names[id]);
		assert_true(strlen(check_text((enum check_id)id)) > 10);
		snprintf(row, sizeof(row), "\n| `%s` |", names[id]);
		if (!strstr(page, row))
			fail_msg("docs/errors.md says nothing of %s", names[id]);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_check_on_both_sides),      cmocka_unit_test(every_check_has_a_case),
	cmocka_unit_test(results_agree_with_themselves), cmocka_unit_test(value_of_exact_is_its_interval),
	cmocka_unit_test(bounds_by_hand),                cmocka_unit_test(error_grows_when_split),
	cmocka_unit_test(tightening),                    cmocka_unit_test(printed_counts),
	cmocka_unit_test(thresholds_from_text),          cmocka_unit_test(thresholds_are_obeyed),
	cmocka_unit_test(one_row_for_the_worst),         cmocka_unit_test(names_are_those_of_the_table),
};

TEST_MODULE(checks, tests);
