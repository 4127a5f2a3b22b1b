// SPDX-License-Identifier: GPL-2.0-only
/*
 * plan (values), checks (what they are worth) and jackknife (their error) put together.
 *
 *	end of a round ─► what each instance did in it ─► rounds
 *	end of the run ─► rounds, once more ─► jackknife: sums for each place and metric
 *	scope          ─► plan_eval ─► checks_run with the sums of this place ─► results
 */
#include "metrics/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/check_model.h"
#include "metrics/rounds.h"

/* Places times what is kept for each of them: more than this is no real capture. */
#define SUMS_MOST ((size_t)1 << 23)

/* An instance that ran for all of the time needs no error; times differ by this at the most. */
#define TIMES_EQUAL 1e-6

/* The instances whose rounds are kept, with their totals over these rounds. */
struct kept {
	uint32_t *instances; /* of counts */
	uint32_t *events;
	double *count, *enabled, *running;
	struct difference *now;
	size_t nr, room;
	size_t seen; /* instances of counts that were looked at */
};

struct uncertainty {
	struct arena *arena;
	const struct metric_plan *plan;
	struct scope_request *requests;
	size_t nr_requests;
	struct check_limits limits;
	struct check_model *model;
	struct checks *checks;
	bool *used;             /* by event: a metric needs it */
	bool *zero_denominator; /* by metric */

	struct rounds *rounds;
	struct kept kept;
	uint64_t nr_rounds;
	bool lost;              /* rounds could not be kept */

	struct jackknife_series *series; /* the metrics, then the sum of level 1, then the twin */
	struct jackknife_sums *sums;     /* of one place */
	double *instances;               /* 1 for each event */
	struct jackknife *jackknife;
	uint32_t *place_of;     /* by place.id: place of the jackknife + 1 */
	size_t nr_places, room_places;
};

/* ---- series ---- */

static size_t closure_series(const struct uncertainty *u)
{
	return u->model->nr_metrics;
}

static size_t twin_series(const struct uncertainty *u)
{
	return u->model->nr_metrics + 1;
}

/* A ratio by zero has no replicate, although the language gives it a value. */
static double replicate(const struct plan_metric *m, const struct plan_inputs *in)
{
	struct expr_status status = { false };
	double value = plan_formula(m, in, &status);

	return status.zero_denominator ? NAN : value;
}

static void eval_series(void *user, const double *scaled, double *values)
{
	const struct uncertainty *u = user;
	const struct plan_inputs in = { scaled, u->instances, (double)u->plan->capture->duration_ns * 1e-9,
					NULL };
	double sum = 0;

	for (size_t m = 0; m < u->model->nr_metrics; m++) {
		values[m] = u->series[m].nr_events ? replicate(&u->plan->metrics[m], &in) : NAN;
		if (u->model->metrics[m].level == 1)
			sum += values[m];
	}
	values[closure_series(u)] = sum;
	values[twin_series(u)] = check_twin_difference(&u->model->twin, u->model->width, scaled);
}

static void add_event(uint32_t *events, size_t *nr, uint32_t event)
{
	for (size_t i = 0; i < *nr; i++)
		if (events[i] == event)
			return;
	events[(*nr)++] = event;
}

static void make_series(struct uncertainty *u)
{
	const struct check_model *model = u->model;
	uint32_t *closure = arena_alloc(u->arena, (model->nr_events + 1) * sizeof(*closure));
	uint32_t *twin = arena_alloc(u->arena, 4 * sizeof(*twin));
	size_t nr_closure = 0;

	u->series = arena_alloc(u->arena, (model->nr_metrics + 2) * sizeof(*u->series));
	u->sums = arena_alloc(u->arena, (model->nr_metrics + 2) * sizeof(*u->sums));
	for (size_t m = 0; m < model->nr_metrics; m++) {
		const struct check_metric *c = &model->metrics[m];

		if (!c->present)
			continue;
		u->series[m] = (struct jackknife_series){ c->events, c->nr_events, c->is_count };
		for (size_t i = 0; c->level == 1 && i < c->nr_events; i++)
			add_event(closure, &nr_closure, c->events[i]);
	}
	u->series[closure_series(u)] = (struct jackknife_series){ closure, nr_closure, false };
	if (!model->twin.present)
		return;
	memcpy(twin, (uint32_t[]){ model->twin.cycles[0], model->twin.cycles[1], model->twin.ops[0], model->twin.ops[1] },
	       4 * sizeof(*twin));
	u->series[twin_series(u)] = (struct jackknife_series){ twin, 4, false };
}

/* ---- new, free ---- */

static void note_used(struct uncertainty *u)
{
	const struct check_model *model = u->model;

	u->used = arena_alloc(u->arena, (model->nr_events + 1) * sizeof(*u->used));
	for (size_t m = 0; m < model->nr_metrics; m++)
		for (size_t i = 0; model->metrics[m].present && i < model->metrics[m].nr_events; i++)
			u->used[model->metrics[m].events[i]] = true;
	for (int i = 0; model->twin.present && i < 2; i++)
		u->used[model->twin.cycles[i]] = u->used[model->twin.ops[i]] = true;
}

struct uncertainty *uncertainty_new(const struct metric_plan *plan, const struct scope_request *requests, size_t nr,
				    const struct uncertainty_options *options)
{
	struct arena *arena = arena_new();
	struct uncertainty *u = arena_alloc(arena, sizeof(*u));

	u->arena = arena;
	u->plan = plan;
	u->requests = arena_alloc(arena, (nr + 1) * sizeof(*u->requests));
	if (nr)
		memcpy(u->requests, requests, nr * sizeof(*requests));
	u->nr_requests = nr;
	check_limits_default(&u->limits);
	if (options && options->limits)
		u->limits = *options->limits;
	u->model = check_model_new(arena, plan);
	u->model->limits = &u->limits;
	u->model->level = options && options->level > 0 ? options->level : 0.95;
	u->model->tighten = options && options->tighten;
	u->checks = checks_new(u->model);
	u->zero_denominator = arena_alloc(arena, (u->model->nr_metrics + 1) * sizeof(*u->zero_denominator));
	u->instances = arena_alloc(arena, (u->model->nr_events + 1) * sizeof(*u->instances));
	for (size_t e = 0; e < u->model->nr_events; e++)
		u->instances[e] = 1;
	note_used(u);
	make_series(u);
	u->rounds = rounds_new();
	return u;
}

static void free_kept(struct kept *k)
{
	free(k->instances);
	free(k->events);
	free(k->count);
	free(k->enabled);
	free(k->running);
	free(k->now);
}

void uncertainty_free(struct uncertainty *u)
{
	if (!u)
		return;
	checks_free(u->checks);
	rounds_free(u->rounds);
	jackknife_free(u->jackknife);
	free_kept(&u->kept);
	free(u->place_of);
	arena_free(u->arena);
}

/* ---- the first walk ---- */

static void make_room(struct kept *k)
{
	if (k->nr < k->room)
		return;
	k->room = k->room ? 2 * k->room : 64;
	k->instances = must_realloc(k->instances, k->room, sizeof(*k->instances));
	k->events = must_realloc(k->events, k->room, sizeof(*k->events));
	k->count = must_realloc(k->count, k->room, sizeof(*k->count));
	k->enabled = must_realloc(k->enabled, k->room, sizeof(*k->enabled));
	k->running = must_realloc(k->running, k->room, sizeof(*k->running));
	k->now = must_realloc(k->now, k->room, sizeof(*k->now));
}

static void keep_new(struct uncertainty *u, const struct counts *c)
{
	struct kept *k = &u->kept;

	for (; k->seen < counts_nr_instances(c); k->seen++) {
		uint32_t event = counts_event_of(c, k->seen);

		if (event >= u->model->nr_events || !u->used[event])
			continue;
		make_room(k);
		k->instances[k->nr] = (uint32_t)k->seen;
		k->events[k->nr] = event;
		k->count[k->nr] = k->enabled[k->nr] = k->running[k->nr] = 0;
		k->nr++;
	}
}

/* A full disk costs the errors, not the values. */
static int on_round(void *user, struct counts *c, struct error *err)
{
	struct uncertainty *u = user;
	struct kept *k = &u->kept;
	struct error why;

	(void)err;
	u->nr_rounds++;
	keep_new(u, c);
	if (u->lost || !k->nr)
		return 0;
	counts_differences(c, k->instances, k->nr, k->now);
	for (size_t i = 0; i < k->nr; i++) {
		k->count[i] += (double)k->now[i].value;
		k->enabled[i] += (double)k->now[i].enabled;
		k->running[i] += (double)k->now[i].running;
	}
	u->lost = rounds_add(u->rounds, k->now, k->nr, &why) != 0;
	return 0;
}

/* ---- the second walk ---- */

static bool any_in_turns(const struct kept *k)
{
	for (size_t i = 0; i < k->nr; i++)
		if (k->enabled[i] - k->running[i] > TIMES_EQUAL * k->enabled[i])
			return true;
	return false;
}

static uint32_t place_index(struct uncertainty *u, const struct place *place)
{
	if (!place)
		return JACKKNIFE_NO_PLACE;
	if (place->id >= u->room_places) {
		size_t room = 2 * ((size_t)place->id + 32);

		u->place_of = must_realloc(u->place_of, room, sizeof(*u->place_of));
		memset(u->place_of + u->room_places, 0, (room - u->room_places) * sizeof(*u->place_of));
		u->room_places = room;
	}
	if (!u->place_of[place->id])
		u->place_of[place->id] = (uint32_t)++u->nr_places;
	return u->place_of[place->id] - 1;
}

static uint32_t *make_layer(struct uncertainty *u, struct counts *c, unsigned kinds)
{
	uint32_t *layer = must_alloc((u->kept.nr + 1) * sizeof(*layer));

	for (size_t i = 0; i < u->kept.nr; i++)
		layer[i] = place_index(u, counts_place_of(c, u->kept.instances[i], kinds));
	return layer;
}

static void make_jackknife(struct uncertainty *u, struct counts *c)
{
	uint32_t **layers = must_alloc((u->nr_requests + 1) * sizeof(uint32_t *));
	const struct kept *k = &u->kept;
	struct jackknife_setup setup = {
		.nr_events = u->model->nr_events,
		.series = u->series, .nr_series = u->model->nr_metrics + 2, .eval = eval_series, .user = u,
		.nr_instances = k->nr, .event = k->events,
		.count = k->count, .enabled = k->enabled, .running = k->running,
	};

	for (size_t i = 0; i < u->nr_requests; i++)
		if (!u->requests[i].by_interval)
			layers[setup.nr_layers++] = make_layer(u, c, u->requests[i].place);
	setup.nr_places = u->nr_places;
	setup.place_of = (const uint32_t *const *)layers;
	if (setup.nr_places <= SUMS_MOST / (setup.nr_events + setup.nr_series))
		u->jackknife = jackknife_new(&setup);
	for (size_t i = 0; i < setup.nr_layers; i++)
		free(layers[i]);
	free(layers);
}

static int walk(struct uncertainty *u, struct error *err)
{
	size_t nr = u->kept.nr;
	double *values = must_alloc((3 * nr + 1) * sizeof(*values));
	double *count = values, *enabled = values + nr, *running = values + 2 * nr;
	int n = rounds_rewind(u->rounds, err) ? -1 : 1;

	while (n > 0) {
		n = rounds_next(u->rounds, count, enabled, running, nr, err);
		if (n > 0)
			jackknife_round(u->jackknife, count, enabled, running);
	}
	free(values);
	return n;
}

static int on_finish(void *user, struct counts *c, struct error *err)
{
	struct uncertainty *u = user;
	struct error why;

	(void)err;
	if (u->nr_rounds < JACKKNIFE_FEWEST || u->lost || !u->plan->capture->scaled || !any_in_turns(&u->kept))
		return 0;
	make_jackknife(u, c);
	if (u->jackknife && walk(u, &why)) {
		jackknife_free(u->jackknife);
		u->jackknife = NULL;
	}
	return 0;
}

void uncertainty_watch(struct uncertainty *u, struct counts *c)
{
	counts_watch(c, &(struct counts_watcher){ on_round, on_finish, u });
}

/* ---- one scope ---- */

static bool is_reason(const struct metric_result *r, const char *reason)
{
	return strcmp(r->reason, reason) == 0;
}

/* What the plan refused for reasons that are checks is left to the checks. */
static void reopen(struct uncertainty *u, struct metric_result *results)
{
	memset(u->zero_denominator, 0, u->model->nr_metrics * sizeof(*u->zero_denominator));
	for (size_t m = 0; m < u->model->nr_metrics; m++) {
		struct metric_result *r = &results[m];
		bool zero;

		if (!u->model->metrics[m].present || !*r->reason)
			continue;
		zero = is_reason(r, "zero_denominator");
		u->zero_denominator[m] = zero;
		if (r->status == METRIC_REFUSED && !zero && !is_reason(r, "not_counted") && !is_reason(r, "not_enabled"))
			continue;
		r->status = METRIC_OK;
		r->reason = "";
	}
}

static void find_sums(struct uncertainty *u, const struct scope *scope, struct checked_scope *ret)
{
	uint32_t id = scope->place->id;

	if (!u->jackknife || !scope->is_total || id >= u->room_places || !u->place_of[id])
		return;
	for (size_t s = 0; s < u->model->nr_metrics + 2; s++)
		if (u->series[s].nr_events)
			u->sums[s] = jackknife_sums(u->jackknife, u->place_of[id] - 1, s);
	ret->sums = u->sums;
	ret->closure = &u->sums[closure_series(u)];
	if (u->model->twin.present)
		ret->twin = &u->sums[twin_series(u)];
}

void uncertainty_eval(struct uncertainty *u, const struct scope *scope, struct metric_result *results,
		      struct check_list *checks)
{
	struct checked_scope checked = {
		.cells = scope->cells,
		.rounds = scope->is_total && u->nr_rounds ? u->nr_rounds : 1,
		.zero_denominator = u->zero_denominator,
	};

	/* the list moves when damaged captures make an event known late; what is new has no part in the plan */
	u->model->events = u->plan->capture->events;
	plan_eval(u->plan, scope, results);
	reopen(u, results);
	find_sums(u, scope, &checked);
	checks_run(u->checks, &checked, results, checks);
}
