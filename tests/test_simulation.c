// SPDX-License-Identifier: GPL-2.0-only
/*
 * A multiplexed PMU whose truth is known: six counters, five groups that take turns
 * every millisecond, and programs that are steady, trending, phased, or in step with the
 * turns.  How often does the nominal 95 % interval hold what the whole run really did,
 * and do the closure checks see when it cannot?
 *
 * SIMULATED_RUNS=1000 build/tests simulation takes more runs than the test needs.
 */
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

enum { ROUND_TICKS = 100, TURN_TICKS = 5 };
#define TICK_NS 1e6

/* ---- chance ---- */

static uint64_t chance_state;

static uint64_t chance(void)
{
	uint64_t z = chance_state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static double uniform(void)
{
	return ((double)(chance() >> 11) + 0.5) / 9007199254740992.0;
}

/* Twelve uniforms make a normal that is good enough to disturb a program with. */
static double normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform();
	return sum;
}

/* ---- programs ---- */

/* What the core does in a tick: the level 1 shares, and how they split. */
struct behaviour {
	double cycles;
	double share[5]; /* frontend, bad speculation, backend, smt, retiring */
	double latency, mispredicted, memory, microcode; /* parts of their parents */
};

static const struct behaviour calm = { 4e6, { 0.08, 0.02, 0.28, 0.02, 0.60 }, 0.3, 0.9, 0.2, 0.05 };
static const struct behaviour stalled = { 2.5e6, { 0.15, 0.06, 0.55, 0.04, 0.20 }, 0.6, 0.7, 0.8, 0.15 };

static struct behaviour between(double x)
{
	struct behaviour b;

	b.cycles = calm.cycles + x * (stalled.cycles - calm.cycles);
	for (int i = 0; i < 5; i++)
		b.share[i] = calm.share[i] + x * (stalled.share[i] - calm.share[i]);
	b.latency = calm.latency + x * (stalled.latency - calm.latency);
	b.mispredicted = calm.mispredicted + x * (stalled.mispredicted - calm.mispredicted);
	b.memory = calm.memory + x * (stalled.memory - calm.memory);
	b.microcode = calm.microcode + x * (stalled.microcode - calm.microcode);
	return b;
}

struct program {
	const char *name;
	/* how stalled it is, 0 to 1, at a tick; `phase` is the program's own to keep */
	double (*stalled)(int tick, int ticks, double *phase);
	bool claimed; /* an interval that is given holds the truth in 93 % of the runs or more */
	bool caught;  /* the closure checks must refuse the interval in 85 % or more */
};

static double steady(int tick, int ticks, double *phase) { (void)tick; (void)ticks; (void)phase; return 0.3; }
static double trending(int tick, int ticks, double *phase) { (void)phase; return (double)tick / ticks; }

/* Two phases, each of 50 to 400 ms. */
static double phased(int tick, int ticks, double *phase)
{
	(void)ticks;
	if (fabs(*phase) < tick)
		*phase = (*phase < 0 ? 1 : -1) * (tick + 50 + 350 * uniform());
	return *phase < 0 ? 0.9 : 0.1;
}

/* Phases as short as the turns: 3 to 40 ms. */
static double restless(int tick, int ticks, double *phase)
{
	(void)ticks;
	if (fabs(*phase) < tick)
		*phase = (*phase < 0 ? 1 : -1) * (tick + 3 + 37 * uniform());
	return *phase < 0 ? 0.9 : 0.1;
}

static double mixed(int tick, int ticks, double *phase)
{
	return 0.5 * trending(tick, ticks, phase) + 0.5 * phased(tick, ticks, phase);
}

static double in_step(int tick, int ticks, double *phase) { (void)ticks; (void)phase; return tick % TURN_TICKS < 2; }
static double nearly_in_step(int tick, int ticks, double *phase)
{
	(void)ticks;
	(void)phase;
	return fmod(tick, TURN_TICKS + 0.01) < 2;
}

/* Three bursts of 6 ms in a run. */
static double bursts(int tick, int ticks, double *phase)
{
	if (tick == 0)
		*phase = uniform() * ticks / 3;
	return fmod(tick + *phase, ticks / 3.0) < 6 ? 1 : 0.1;
}

static const struct program programs[] = {
	{ "steady", steady, true, false },
	{ "trending", trending, true, false },
	{ "phased", phased, true, false },
	{ "short phases", restless, true, false },
	{ "mixed", mixed, true, false },
	{ "rare bursts", bursts, false, false },
	{ "in step with the turns", in_step, false, true },
	{ "nearly in step", nearly_in_step, false, false },
};

/* ---- the PMU ---- */

static struct behaviour behave(const struct program *p, int tick, int ticks, double *phase)
{
	struct behaviour b = between(p->stalled(tick, ticks, phase));
	double sum = 0;

	b.cycles *= 1 + 0.02 * normal();
	for (int i = 0; i < 5; i++)
		sum += b.share[i] *= exp(0.1 * normal());
	for (int i = 0; i < 5; i++)
		b.share[i] /= sum;
	return b;
}

/* What each of the seventeen events counts in a tick. */
static void count_tick(const struct behaviour *b, double *n)
{
	double slots = 6 * b->cycles, retired = b->share[4] * slots, waits = 0.4 * b->cycles, wrong = 0.004 * b->cycles;

	n[3] = n[8] = n[10] = n[14] = n[16] = b->cycles;
	n[0] = b->mispredicted * wrong;
	n[2] = wrong - n[0];
	n[1] = retired + b->share[1] * slots;
	n[4] = n[11] = retired;
	n[6] = b->share[2] * slots;
	n[7] = waits;
	n[5] = b->memory * waits;
	n[9] = b->microcode * retired;
	n[12] = b->share[0] * slots;
	n[13] = b->latency * n[12] / 6;
	n[15] = b->share[3] * slots;
}

/* Groups start one after the other; in turns where the first two fit together, two run. */
static bool group_runs(int group, int tick)
{
	static const bool turns[TURN_TICKS][TRIAL_GROUPS] = {
		{ 1, 0, 0, 0, 0 }, { 0, 1, 0, 0, 0 }, { 0, 0, 1, 1, 0 }, { 0, 0, 0, 1, 1 }, { 0, 0, 0, 0, 1 },
	};

	return turns[tick % TURN_TICKS][group];
}

static void run_tick(struct trial *t, const struct behaviour *b, int tick, double *truth)
{
	double n[TRIAL_EVENTS], ns = TICK_NS * (1 + 0.01 * normal());

	count_tick(b, n);
	for (int e = 0; e < TRIAL_EVENTS; e++) {
		bool runs = group_runs(trial_events[e].group, tick);

		truth[e] += n[e];
		trial_add(t, e, 0, runs ? floor(n[e] + 0.5) : 0, ns, runs ? ns : 0);
	}
}

static void simulate(struct trial *t, const struct program *p, int ticks, double *truth)
{
	double phase = 0;

	memset(truth, 0, TRIAL_EVENTS * sizeof(*truth));
	trial_new(t, false);
	for (int tick = 0; tick < ticks; tick++) {
		struct behaviour b = behave(p, tick, ticks, &phase);

		run_tick(t, &b, tick, truth);
		if (tick % ROUND_TICKS == ROUND_TICKS - 1)
			trial_round(t);
	}
	trial_end(t, false);
}

/* ---- what came out ---- */

enum { SHARES = 13 };

static const char *const shares[SHARES] = {
	"frontend_bound", "bad_speculation", "backend_bound", "smt_contention", "retiring",
	"frontend_bound_latency", "frontend_bound_bandwidth",
	"bad_speculation_mispredicts", "bad_speculation_pipeline_restarts",
	"backend_bound_memory", "backend_bound_cpu", "retiring_fastpath", "retiring_microcode",
};

static void true_shares(const double *n, double *m)
{
	double slots = 6 * n[3];

	m[0] = n[12] / slots;
	m[1] = (n[1] - n[4]) / slots;
	m[2] = n[6] / slots;
	m[3] = n[15] / slots;
	m[4] = n[4] / slots;
	m[5] = 6 * n[13] / slots;
	m[6] = m[0] - m[5];
	m[7] = m[1] * n[0] / (n[0] + n[2]);
	m[8] = m[1] - m[7];
	m[9] = m[2] * n[5] / n[7];
	m[10] = m[2] - m[9];
	m[11] = m[4] * (1 - n[9] / n[4]);
	m[12] = m[4] - m[11];
}

struct tally {
	int runs, refused; /* runs in which the closure checks took the errors away */
	int given, held;   /* intervals, and those that hold the truth */
	double half_width, error; /* sums over intervals that were given */
	int worst_held, worst_given; /* of the share that did worst */
};

static void add_run(struct tally *all, struct tally *each, const struct trial *t, const double *truth)
{
	double m[SHARES];
	bool refused = false;

	true_shares(truth, m);
	for (int s = 0; s < SHARES; s++) {
		const struct metric_result *r = trial_result(t, shares[s]);
		bool held = fabs(r->value - m[s]) <= r->hi - r->value;

		refused = refused || strcmp(r->reason, "closure-failed") == 0;
		if (r->method != METHOD_INTERVALS)
			continue;
		each[s].given++;
		each[s].held += held;
		all->given++;
		all->held += held;
		all->half_width += r->hi - r->value;
		all->error += fabs(r->value - m[s]);
	}
	all->runs++;
	all->refused += refused;
}

static struct tally try_program(const struct program *p, int ticks, int runs)
{
	static struct trial t;
	struct tally all = { 0 }, each[SHARES] = { { 0 } };
	double truth[TRIAL_EVENTS];

	for (int i = 0; i < runs; i++) {
		simulate(&t, p, ticks, truth);
		add_run(&all, each, &t, truth);
		trial_free(&t);
	}
	for (int s = 0; s < SHARES; s++)
		if (!all.worst_given || each[s].held * all.worst_given < all.worst_held * each[s].given) {
			all.worst_held = each[s].held;
			all.worst_given = each[s].given;
		}
	return all;
}

static double percent(double part, double of)
{
	return of > 0 ? 100 * part / of : NAN;
}

static void report(const struct program *p, int ticks, const struct tally *t)
{
	print_message("%-23s %3d s  %5.1f %%  %5.1f %%  %5.2f pp  %5.2f pp  %5.1f %%\n", p->name, ticks / 1000,
		      percent(t->held, t->given), percent(t->worst_held, t->worst_given),
		      percent(t->half_width, t->given), percent(t->error, t->given), percent(t->refused, t->runs));
}

static void intervals_hold_the_truth(void **state)
{
	const char *asked = getenv("SIMULATED_RUNS");
	int runs = asked ? atoi(asked) : 60;

	(void)state;
	chance_state = 1;
	print_message("program                     run     held    worst    +-       error  refused by closure\n");
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		for (int ticks = 2000; ticks <= (asked ? 5000 : 2000); ticks += 3000) {
			const struct program *p = &programs[i];
			struct tally t = try_program(p, ticks, runs);

			report(p, ticks, &t);
			if (p->claimed && !(percent(t.held, t.given) >= 93 && percent(t.refused, t.runs) <= 5))
				fail_msg("%s: %d of %d intervals hold the truth", p->name, t.held, t.given);
			if (p->caught && !(percent(t.refused, t.runs) >= 85))
				fail_msg("%s: closure saw it in %d of %d runs", p->name, t.refused, t.runs);
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(intervals_hold_the_truth),
};

TEST_MODULE(simulation, tests);
