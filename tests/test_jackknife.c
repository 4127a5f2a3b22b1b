// SPDX-License-Identifier: GPL-2.0-only
/* The interval of error from rounds, on examples worked out by hand and on identities. */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/jackknife.h"
#include "metrics/student.h"

/* Relative, for numbers given with `digits` significant digits. */
static void same_digits(const char *what, double got, double want, int digits)
{
	if (!(fabs(got - want) <= 0.6 * pow(10, floor(log10(fabs(want))) + 1 - digits)))
		fail_msg("%s: got %.14g, wanted %.14g", what, got, want);
}

struct interval {
	double se, df, half_width;
};

static struct interval interval_of(const struct jackknife_sums *s, double phi)
{
	double se = jackknife_se(s, phi), df = jackknife_df(s);

	return (struct interval){ se, df, student_quantile(0.975, df) * se };
}

/* ---- one metric in one group ---- */

static void frontend_eval(void *user, const double *scaled, double *values)
{
	(void)user;
	values[0] = scaled[1] / (6 * scaled[0]);
	values[1] = scaled[0]; /* cycles, a count */
}

static const double cycles[] = { 1000, 1010, 990, 1005, 995, 1000, 1002, 998 };
static const double no_ops[] = { 360, 372, 348, 366, 354, 420, 361, 359 };
static const uint32_t both[] = { 0, 1 };
static const struct jackknife_series frontend[] = { { both, 2, false }, { both, 1, true } };
static const uint32_t at_run[4];
static const uint32_t *const run_layer[] = { at_run };

static double sum(const double *v, size_t nr)
{
	double s = 0;

	while (nr--)
		s += *v++;
	return s;
}

static struct jackknife *frontend_of(size_t nr_rounds)
{
	double count[2] = { sum(cycles, nr_rounds), sum(no_ops, nr_rounds) };
	double enabled[2] = { 1e8 * (double)nr_rounds, 1e8 * (double)nr_rounds };
	double running[2] = { 2e7 * (double)nr_rounds, 2e7 * (double)nr_rounds };
	struct jackknife_setup setup = {
		.nr_events = 2, .series = frontend, .nr_series = 2, .eval = frontend_eval,
		.nr_instances = 2, .event = both, .count = count, .enabled = enabled, .running = running,
		.nr_places = 1, .nr_layers = 1, .place_of = run_layer,
	};
	struct jackknife *j = jackknife_new(&setup);

	for (size_t i = 0; i < nr_rounds; i++)
		jackknife_round(j, (double[]){ cycles[i], no_ops[i] }, (double[]){ 1e8, 1e8 },
				(double[]){ 2e7, 2e7 });
	return j;
}

static void eight_rounds_by_hand(void **state)
{
	struct jackknife *j = frontend_of(8);
	struct jackknife_sums s = jackknife_sums(j, 0, 0);
	struct interval i = interval_of(&s, 1 - s.coverage);

	(void)state;
	assert_int_equal(s.rounds, 8);
	assert_true(s.finite);
	same_digits("M", s.value, 0.06125, 12);
	same_digits("f", s.coverage, 0.2, 12);
	same_digits("D", s.steps, 3.58282551395e-06, 11);
	same_digits("se", i.se, 0.00127979025316, 11);
	same_digits("V", i.se * i.se, 1.63786309209e-06, 11);
	same_digits("df", i.df, 4.9, 12);
	same_digits("half width", i.half_width, 0.00331010236051, 11);
	same_digits("lo", s.value - i.half_width, 0.0579398976395, 11);
	same_digits("hi", s.value + i.half_width, 0.0645601023605, 11);
	i = interval_of(&s, 1);
	same_digits("V in two groups", i.se * i.se, 2.04732886511e-06, 11);
	/* the largest step is the one to or from the burst of round 6 */
	same_digits("step", s.step_max, pow(1.09375e-3 + 0.000242795324768, 2), 9);
	jackknife_free(j);
}

/* With equal enabled times the rate's replicate is that of the mean of the other rounds. */
static void count_is_looked_at_as_a_rate(void **state)
{
	struct jackknife *j = frontend_of(8);
	struct jackknife_sums s = jackknife_sums(j, 0, 1);
	double total = 5 * sum(cycles, 8), before = 0, steps = 0;

	(void)state;
	for (int i = 0; i < 8; i++) {
		double e = 7.0 / 8 * (total - 5 * (sum(cycles, 8) - cycles[i]) * 8 / 7);

		steps += i ? (e - before) * (e - before) : 0;
		before = e;
	}
	same_digits("cycles", s.value, total, 12);
	same_digits("D", s.steps, steps, 9);
	jackknife_free(j);
}

/* ---- the generator over the groups of the SHA-256 example ---- */

enum { ROUNDS = 24, EVENTS = 17 };

static const struct {
	int group;
	bool is_cycles;
	int64_t count;
} rows[EVENTS] = {
	{ 0, false, 612347 },      { 0, false, 16990115772 }, { 0, false, 203459 },     { 0, true, 10754313262 },
	{ 0, false, 16976371760 }, { 1, false, 128335143 },   { 1, false, 43381294309 }, { 1, false, 5216239626 },
	{ 1, true, 10708765401 },  { 2, false, 3912074616 },  { 2, true, 10707241558 }, { 2, false, 16884077896 },
	{ 3, false, 3934862036 },  { 3, false, 6501231 },     { 3, true, 10710430002 }, { 4, false, 3977520 },
	{ 4, true, 21384516137 },
};

static double generated_running(int i, int j)
{
	return (rows[j].group == 4 ? 40000000 : 20000000) + 1000 * ((7 * i + 3 * rows[j].group) % 11);
}

static double generated_count(int i, int j)
{
	int64_t base = rows[j].count / (rows[j].group == 4 ? 200 : 100);
	int64_t w = rows[j].is_cycles ? 1000 + (5 * i + 3 * j) % 5 - 2
				      : 1000 + (i * (5 + 2 * j) + 3 * j) % 41 - 20;

	return (double)(base * w / 1000);
}

enum { FE, BS, BE, SMT, RET, FE_LAT, FE_BW, BS_MISP, BS_RESTART, BE_MEM, BE_CPU, RET_FAST, RET_UCODE, SUM, TWIN, SERIES };

static void pipeline_eval(void *user, const double *x, double *m)
{
	(void)user;
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
	m[SUM] = m[FE] + m[BS] + m[BE] + m[SMT] + m[RET];
	m[TWIN] = m[RET] - x[11] / (6 * x[10]);
}

#define OF(...) { (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), false }
static const struct jackknife_series pipeline[SERIES] = {
	OF(12, 14), OF(1, 3, 4), OF(6, 8), OF(15, 16), OF(3, 4), OF(13, 14), OF(12, 13, 14),
	OF(0, 1, 2, 3, 4), OF(0, 1, 2, 3, 4), OF(5, 6, 7, 8), OF(5, 6, 7, 8), OF(9, 10, 11), OF(9, 10, 11),
	OF(1, 3, 4, 6, 8, 12, 14, 15, 16), OF(3, 4, 10, 11),
};

/* `copies` of each instance, half of them (the odd ones) at a second cpu. */
static struct jackknife *pipeline_walk(size_t copies)
{
	static uint32_t event[EVENTS * 2], run[EVENTS * 2], cpu[EVENTS * 2];
	static double total[3][EVENTS * 2];
	const uint32_t *const layers[] = { run, cpu };
	struct jackknife_setup setup = {
		.nr_events = EVENTS, .series = pipeline, .nr_series = SERIES, .eval = pipeline_eval,
		.nr_instances = EVENTS * copies, .event = event,
		.count = total[0], .enabled = total[1], .running = total[2],
		.nr_places = 1 + copies, .nr_layers = 2, .place_of = layers,
	};
	struct jackknife *j;

	memset(total, 0, sizeof(total));
	for (size_t i = 0; i < setup.nr_instances; i++) {
		event[i] = (uint32_t)(i % EVENTS);
		cpu[i] = (uint32_t)(1 + i / EVENTS);
		for (int k = 0; k < ROUNDS; k++) {
			total[0][i] += generated_count(k, (int)event[i]);
			total[1][i] += 1e8;
			total[2][i] += generated_running(k, (int)event[i]);
		}
	}
	j = jackknife_new(&setup);
	for (int k = 0; k < ROUNDS; k++) {
		double delta[3][EVENTS * 2];

		for (size_t i = 0; i < setup.nr_instances; i++) {
			delta[0][i] = generated_count(k, (int)event[i]);
			delta[1][i] = 1e8;
			delta[2][i] = generated_running(k, (int)event[i]);
		}
		jackknife_round(j, delta[0], delta[1], delta[2]);
	}
	return j;
}

static void generator_is_the_published_one(void **state)
{
	double n1 = 0, n16 = 0, r1 = 0, r12 = 0, r16 = 0, n12 = 0;

	(void)state;
	assert_true(generated_count(0, 1) == 167012837 && generated_running(0, 1) == 20000000);
	assert_true(generated_count(23, 16) == 107029502 && generated_running(23, 16) == 40008000);
	for (int i = 0; i < ROUNDS; i++) {
		n1 += generated_count(i, 1), r1 += generated_running(i, 1);
		n12 += generated_count(i, 12), r12 += generated_running(i, 12);
		n16 += generated_count(i, 16), r16 += generated_running(i, 16);
	}
	assert_true(n1 == 4078817062 && r1 == 480117000);
	assert_true(n12 == 943697942 && r12 == 480124000);
	assert_true(n16 == 2568708048 && r16 == 960119000);
}

static const struct {
	const char *name;
	int series;
	double value, coverage, se, half_width;
} worked[] = {
	{ "frontend_bound", FE, 0.061187626739, 0.200051667, 1.426838e-04, 3.031747e-04 },
	{ "bad_speculation", BS, 0.000365801760, 0.200048750, 6.226636e-04, 1.323036e-03 },
	{ "backend_bound", BE, 0.674129194661, 0.200051250, 1.742575e-03, 3.702626e-03 },
	{ "smt_contention", SMT, 0.000030980230, 0.400049583, 5.394278e-08, 1.146177e-07 },
	{ "retiring", RET, 0.262492280081, 0.200048750, 6.397134e-04, 1.359264e-03 },
	{ "frontend_bound_latency", FE_LAT, 0.000606790530, 0.200051667, 1.328332e-06, 2.822442e-06 },
	{ "frontend_bound_bandwidth", FE_BW, 0.060580836209, 0.200051667, 1.421446e-04, 3.020291e-04 },
	{ "bad_speculation_mispredicts", BS_MISP, 0.000274663974, 0.200048750, 4.674811e-04, 9.933043e-04 },
	{ "bad_speculation_pipeline_restarts", BS_RESTART, 0.000091137787, 0.200048750, 1.551826e-04, 3.297322e-04 },
	{ "backend_bound_memory", BE_MEM, 0.016573160057, 0.200051250, 6.964325e-05, 1.479781e-04 },
	{ "backend_bound_cpu", BE_CPU, 0.657556034604, 0.200051250, 1.699082e-03, 3.610210e-03 },
	{ "retiring_fastpath", RET_FAST, 0.202046460310, 0.200049167, 6.678488e-04, 1.419046e-03 },
	{ "retiring_microcode", RET_UCODE, 0.061008934883, 0.200049167, 1.601040e-04, 3.401892e-04 },
};

static void generator_by_hand(void **state)
{
	struct jackknife *j = pipeline_walk(1);

	(void)state;
	for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++) {
		struct jackknife_sums s = jackknife_sums(j, 0, (size_t)worked[i].series);
		struct interval e = interval_of(&s, 1 - s.coverage);

		if (fabs(s.value - worked[i].value) > 0.6e-12 || fabs(s.coverage - worked[i].coverage) > 0.6e-9)
			fail_msg("%s: value %.13g coverage %.10g", worked[i].name, s.value, s.coverage);
		same_digits(worked[i].name, e.se, worked[i].se, 7);
		same_digits(worked[i].name, e.half_width, worked[i].half_width, 7);
		same_digits("df", e.df, 15.558823529, 11);
		same_digits("t", student_quantile(0.975, e.df), 2.124801170, 10);
		assert_true(s.finite && s.rounds == ROUNDS);
	}
	jackknife_free(j);
}

static void closure_and_twin_by_hand(void **state)
{
	struct jackknife *j = pipeline_walk(1);
	struct jackknife_sums s = jackknife_sums(j, 0, SUM), twin = jackknife_sums(j, 0, TWIN);
	struct closure c = jackknife_closure(&s), t = jackknife_closure(&twin);

	(void)state;
	same_digits("S", s.value, 0.998205883472, 12);
	same_digits("SE_S", c.se, 1.414315e-03, 7);
	same_digits("Q", c.q, 3.302728811, 10);
	same_digits("z", c.z, -3.191020860, 10);
	same_digits("twin", twin.value, -0.000563115112, 9);
	same_digits("twin SE", t.se, 1.137366e-03, 7);
	same_digits("twin Q", t.q, 2.924761670, 10);
	same_digits("twin z", t.z, -2.265194225, 10);
	jackknife_free(j);
}

/* Two cpus that did the same: each is as the run, and the run as each of them. */
static void places_are_told_apart(void **state)
{
	struct jackknife *one = pipeline_walk(1), *two = pipeline_walk(2);

	(void)state;
	for (size_t m = 0; m < SERIES; m++) {
		struct jackknife_sums want = jackknife_sums(one, 0, m);

		for (size_t place = 0; place < 3; place++) {
			struct jackknife_sums got = jackknife_sums(two, place, m);

			assert_true(got.rounds == want.rounds && got.finite);
			assert_true(fabs(got.value - want.value) < 1e-13);
			assert_true(fabs(got.steps / want.steps - 1) < 1e-8);
			assert_true(fabs(got.spread / want.spread - 1) < 1e-8);
		}
	}
	jackknife_free(one);
	jackknife_free(two);
}

/* ---- what may go wrong ---- */

struct odd_round {
	double n, e, r;
};

static struct jackknife_sums one_event(const struct odd_round *rounds, size_t nr, bool is_count)
{
	static const uint32_t first[] = { 0 };
	const struct jackknife_series series[2] = { { both, 2, false }, { first, 1, is_count } };
	double count[2] = { 0 }, enabled[2] = { 0 }, running[2] = { 0 };
	struct jackknife_setup setup = {
		.nr_events = 2, .series = series, .nr_series = 2, .eval = frontend_eval,
		.nr_instances = 2, .event = both, .count = count, .enabled = enabled, .running = running,
		.nr_places = 1, .nr_layers = 1, .place_of = run_layer,
	};
	struct jackknife_sums s;
	struct jackknife *j;

	for (size_t i = 0; i < nr; i++)
		for (int k = 0; k < 2; k++)
			count[k] += rounds[i].n, enabled[k] += rounds[i].e, running[k] += rounds[i].r;
	j = jackknife_new(&setup);
	for (size_t i = 0; i < nr; i++)
		jackknife_round(j, (double[]){ rounds[i].n, rounds[i].n }, (double[]){ rounds[i].e, rounds[i].e },
				(double[]){ rounds[i].r, rounds[i].r });
	s = jackknife_sums(j, 0, 0);
	jackknife_free(j);
	return s;
}

static void edges(void **state)
{
	static const struct odd_round asleep[] = { { 10, 100, 50 }, { 0, 0, 0 }, { 12, 100, 50 }, { 8, 100, 0 } };
	static const struct odd_round once[] = { { 10, 100, 50 }, { 0, 100, 0 }, { 0, 100, 0 } };
	static const struct odd_round never[] = { { 0, 100, 0 }, { 0, 100, 0 } };
	static const struct odd_round same[] = { { 10, 100, 50 }, { 10, 100, 50 }, { 10, 100, 50 }, { 10, 100, 50 } };
	struct jackknife_sums s;

	(void)state;
	s = one_event(asleep, 4, false); /* a round with nothing enabled is no round */
	assert_true(s.rounds == 3 && s.finite);
	s = one_event(once, 3, false); /* without the first round nothing is left */
	assert_false(s.finite);
	s = one_event(never, 2, false);
	assert_false(s.finite);
	assert_true(isnan(s.value));
	s = one_event(same, 4, false);
	assert_true(s.finite && s.steps == 0 && s.spread == 0);
	assert_true(interval_of(&s, 0.5).half_width == 0);
	assert_true(jackknife_closure(&s).z == 0 && jackknife_closure(&s).se == 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(eight_rounds_by_hand),     cmocka_unit_test(count_is_looked_at_as_a_rate),
	cmocka_unit_test(generator_is_the_published_one), cmocka_unit_test(generator_by_hand),
	cmocka_unit_test(closure_and_twin_by_hand), cmocka_unit_test(places_are_told_apart),
	cmocka_unit_test(edges),
};

TEST_MODULE(jackknife, tests);
