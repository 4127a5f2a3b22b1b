// SPDX-License-Identifier: GPL-2.0-only
/* A run made of readings: no file, so that a test can say what each counter did. */
#include "tests/trial.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

const struct trial_event trial_events[TRIAL_EVENTS] = {
	{ 0, 0, false, 0xc3, 612347, 2010490225 },
	{ 0, 0, false, 0x7aa, 16990115772, 2010490225 },
	{ 0, 0, false, 0x96, 203459, 2010490225 },
	{ 0, 0, true, 0x76, 10754313262, 2010490225 },
	{ 0, 0, false, 0xc1, 16976371760, 2010490225 },
	{ 1, 5, false, 0xa2d6, 128335143, 2002461835 },
	{ 1, 5, false, 0x100001ea0, 43381294309, 2002461835 },
	{ 1, 5, false, 0x2d6, 5216239626, 2002461835 },
	{ 1, 5, true, 0x76, 10708765401, 2002461835 },
	{ 2, 9, false, 0x1000000c2, 3912074616, 2001465794 },
	{ 2, 9, true, 0x76, 10707241558, 2001465794 },
	{ 2, 9, false, 0xc1, 16884077896, 2001465794 },
	{ 3, 12, false, 0x1000001a0, 3934862036, 2002473545 },
	{ 3, 12, false, 0x1060001a0, 6501231, 2002473545 },
	{ 3, 12, true, 0x76, 10710430002, 2002473545 },
	{ 4, 15, false, 0x1000060a0, 3977520, 3997927824 },
	{ 4, 15, true, 0x76, 21384516137, 3997927824 },
};

static int on_scope(void *user, const struct scope *scope, struct error *err)
{
	struct trial *t = user;
	struct check_list ignored;

	(void)err;
	if (scope->place->kind == PLACE_RUN)
		uncertainty_eval(t->uncertainty, scope, t->results, &t->checks);
	else
		uncertainty_eval(t->uncertainty, scope, t->at_cpu, &ignored);
	t->nr_cpus += scope->place->kind == PLACE_CPU;
	return 0;
}

void trial_new(struct trial *t, bool by_cpu)
{
	const struct scope_request requests[] = { { false, PLACE_RUN }, { false, PLACE_CPU } };
	struct error err;

	memset(t, 0, sizeof(*t));
	t->capture = capture_new("made of readings");
	t->capture->is_stat = t->capture->scaled = true;
	t->capture->events = calloc(TRIAL_EVENTS, sizeof(struct event));
	t->capture->nr_events = TRIAL_EVENTS;
	for (uint32_t e = 0; e < TRIAL_EVENTS; e++)
		t->capture->events[e] = (struct event){
			.position = e, .name = arena_printf(t->capture->arena, "event %u", e), .modifiers = "", .unit = "",
			.scale = 1, .group = trial_events[e].leader, .group_known = true, .has_config = true, .opened = true,
			.type = EVENT_RAW, .config = trial_events[e].config, .read_format = 3,
		};
	t->set = set_builtin("amdzen4", &err);
	assert_non_null(t->set);
	assert_true(t->set->nr_metrics < TRIAL_METRICS);
	t->plan = plan_new(t->set, t->capture);
	t->counts = counts_new(t->capture, requests, by_cpu ? 2 : 1, on_scope, t);
	t->uncertainty = uncertainty_new(t->plan, requests, by_cpu ? 2 : 1, NULL);
	uncertainty_watch(t->uncertainty, t->counts);
}

void trial_free(struct trial *t)
{
	counts_free(t->counts);
	uncertainty_free(t->uncertainty);
	plan_free(t->plan);
	set_free(t->set);
	capture_free(t->capture);
}

void trial_add(struct trial *t, int event, int cpu, double value, double enabled, double running)
{
	t->total[0][event][cpu] += value;
	t->total[1][event][cpu] += enabled;
	t->total[2][event][cpu] += running;
	t->is_read[event][cpu] = true;
}

static void read_set(struct trial *t)
{
	for (int e = 0; e < TRIAL_EVENTS; e++)
		for (int cpu = 0; cpu < TRIAL_CPUS; cpu++)
			if (t->is_read[e][cpu])
				counts_readings(t->counts, &(struct reading){
					.event = (uint32_t)e, .cpu = cpu - 1, .thread = -1,
					.value = (uint64_t)t->total[0][e][cpu], .enabled = (uint64_t)t->total[1][e][cpu],
					.running = (uint64_t)t->total[2][e][cpu] }, 1);
}

void trial_round(struct trial *t)
{
	struct error err;

	t->rounds++;
	read_set(t);
	assert_int_equal(counts_round(t->counts, &(struct round){ .time_ns = t->rounds * 100000000 }, &err), 0);
}

void trial_end(struct trial *t, bool final)
{
	struct error err;

	read_set(t);
	if (final)
		assert_int_equal(counts_round(t->counts, &(struct round){ .final = true, .time_ns = 1000000000 }, &err), 0);
	assert_int_equal(counts_finish(t->counts, &err), 0);
}

const struct metric_result *trial_result(const struct trial *t, const char *name)
{
	int32_t m = set_find_metric(t->set, name);

	assert_true(m >= 0);
	return &t->results[m];
}

const struct check_row *trial_fired(const struct trial *t, enum check_id id)
{
	for (size_t i = 0; i < t->checks.nr; i++)
		if (t->checks.rows[i].id == id)
			return &t->checks.rows[i];
	return NULL;
}
