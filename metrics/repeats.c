// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures as runs of one program.  A place's cells are added up over the captures (so
 * that counts and coverage are those of all runs); a metric's value is the mean of its
 * values, and its error comes from how they differ: that holds what multiplexing did in
 * each run already.
 */
#include "metrics/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/student.h"

struct repeat repeat_of(const double *values, size_t nr, double level)
{
	struct repeat r = { nr, NAN, NAN, NAN, NAN, NAN };
	double n = (double)nr, sum = 0, squares = 0;

	for (size_t i = 0; i < nr; i++) /* from the first: equal values have exactly no spread */
		sum += values[i] - values[0];
	if (nr)
		r.mean = values[0] + sum / n;
	for (size_t i = 0; i < nr; i++)
		squares += (values[i] - r.mean) * (values[i] - r.mean);
	if (nr >= 2)
		r.sd = sqrt(squares / (n - 1));
	if (nr < REPEATS_FEWEST)
		return r;
	r.se = r.sd / sqrt(n);
	r.df = n - 1;
	r.half_width = student_quantile((1 + level) / 2, r.df) * r.se;
	return r;
}

/* ---- captures ---- */

/* What the captures had at one place. */
struct place_runs {
	struct scope scope;  /* place, cells and times are our own */
	struct place place;
	struct cell *cells;  /* sums */
	double *values;      /* [metric][capture]: those that were not refused come first */
	size_t *nr_values;   /* [metric] */
	double *of_capture;  /* [metric][capture]; NaN where there is none */
	uint64_t *raw;       /* [capture][event], to find the same capture twice */
	size_t nr_captures;
	struct metric_result *results; /* of the last capture, then of all */
	bool *caution;       /* [metric] in some capture */
	struct check_list checks;
};

struct repeats {
	const struct analysis_visitor *visitor;
	void *user;
	size_t nr, done; /* captures: in all, seen */
	double level;
	struct arena *arena;
	struct place_runs **places;
	size_t nr_places;
	const char *set_name, *paths;
	const char **path;    /* of each capture */
	size_t nr_metrics, nr_events;
	struct event *events; /* of the first capture: type, config and name */
};

struct repeats *repeats_new(size_t nr, double level, const struct analysis_visitor *visitor, void *user)
{
	struct arena *arena = arena_new();
	struct repeats *r = arena_alloc(arena, sizeof(*r));

	r->arena = arena;
	r->nr = nr;
	r->level = level > 0 ? level : 0.95;
	r->visitor = visitor;
	r->user = user;
	r->paths = "";
	r->path = arena_alloc(arena, (nr + 1) * sizeof(*r->path));
	return r;
}

void repeats_free(struct repeats *r)
{
	if (!r)
		return;
	free(r->places);
	arena_free(r->arena);
}

static void keep_events(struct repeats *r, const struct capture *c)
{
	r->nr_events = c->nr_events;
	r->events = arena_alloc(r->arena, (c->nr_events + 1) * sizeof(*r->events));
	for (size_t e = 0; e < c->nr_events; e++) {
		r->events[e] = c->events[e];
		r->events[e].name = arena_strdup(r->arena, c->events[e].name);
	}
}

/* Cells are added up by position, so the events must be the same in the same order. */
static bool same_events(const struct repeats *r, const struct capture *c)
{
	bool same = c->nr_events == r->nr_events;

	for (size_t e = 0; same && e < r->nr_events; e++)
		same = c->events[e].type == r->events[e].type && c->events[e].config == r->events[e].config &&
		       strcmp(c->events[e].name, r->events[e].name) == 0;
	return same;
}

static int on_begin(void *user, const struct analysis *a, struct error *err)
{
	struct repeats *r = user;
	const char *set = a->set ? a->set->name : "";

	if (r->done == r->nr)
		return fail(err, NO_OFFSET, "holds several runs; --repeat takes one run a file");
	if (r->done == 0) {
		r->set_name = arena_strdup(r->arena, set);
		r->nr_metrics = a->set ? a->set->nr_metrics : 0;
		keep_events(r, a->capture);
	} else if (strcmp(set, r->set_name) != 0) {
		return fail(err, NO_OFFSET, "is of another metric set (%s) than the captures before it (%s)", set,
			    r->set_name);
	} else if (!same_events(r, a->capture)) {
		return fail(err, NO_OFFSET, "counted other events than the captures before it");
	}
	r->path[r->done] = arena_strdup(r->arena, a->capture->name);
	r->paths = arena_printf(r->arena, "%s%s%s", r->paths, *r->paths ? " " : "", a->capture->name);
	return 0;
}

/* ---- one scope of one capture ---- */

static const char *copy_text(struct repeats *r, const char *text)
{
	return text ? arena_strdup(r->arena, text) : NULL;
}

static struct place_runs *add_place(struct repeats *r, const struct scope *s)
{
	struct place_runs *p = arena_alloc(r->arena, sizeof(*p));

	p->place = *s->place;
	p->place.label = copy_text(r, s->place->label);
	p->place.comm = copy_text(r, s->place->comm);
	p->place.cgroup = copy_text(r, s->place->cgroup);
	p->cells = arena_alloc(r->arena, (r->nr_events + 1) * sizeof(*p->cells));
	p->scope = (struct scope){ .interval = -1, .is_total = true, .begin_ns = NAN, .end_ns = NAN,
				   .place = &p->place, .cells = p->cells, .nr_cells = r->nr_events };
	p->values = arena_alloc(r->arena, (r->nr_metrics * r->nr + 1) * sizeof(*p->values));
	p->of_capture = arena_alloc(r->arena, (r->nr_metrics * r->nr + 1) * sizeof(*p->of_capture));
	for (size_t i = 0; i < r->nr_metrics * r->nr; i++)
		p->of_capture[i] = NAN;
	p->nr_values = arena_alloc(r->arena, (r->nr_metrics + 1) * sizeof(*p->nr_values));
	p->raw = arena_alloc(r->arena, (r->nr * r->nr_events + 1) * sizeof(*p->raw));
	p->results = arena_alloc(r->arena, (r->nr_metrics + 1) * sizeof(*p->results));
	p->caution = arena_alloc(r->arena, (r->nr_metrics + 1) * sizeof(*p->caution));
	r->places = must_realloc(r->places, r->nr_places + 1, sizeof(struct place_runs *));
	p->place.id = (uint32_t)r->nr_places;
	r->places[r->nr_places++] = p;
	return p;
}

static struct place_runs *find_place(struct repeats *r, const struct scope *s)
{
	for (size_t i = 0; i < r->nr_places; i++)
		if (r->places[i]->place.kind == s->place->kind && strcmp(r->places[i]->place.label, s->place->label) == 0)
			return r->places[i];
	return add_place(r, s);
}

static void add_cell(struct cell *to, const struct cell *from, bool first)
{
	struct cell sum = *from;

	if (!first) {
		sum.has_raw = to->has_raw && from->has_raw;
		sum.has_times = to->has_times && from->has_times;
		sum.fell = to->fell || from->fell;
		sum.exceeded = to->exceeded || from->exceeded;
		sum.perf_not_counted = to->perf_not_counted || from->perf_not_counted;
		sum.state = to->state < from->state ? to->state : from->state;
		sum.instances += to->instances;
		sum.dead += to->dead;
		sum.raw += to->raw;
		sum.enabled += to->enabled;
		sum.running += to->running;
		sum.dead_enabled += to->dead_enabled;
		sum.scaled_perf += to->scaled_perf;
		sum.scaled_step += to->scaled_step;
		sum.scaled = isnan(to->scaled) ? from->scaled : isnan(from->scaled) ? to->scaled : to->scaled + from->scaled;
		sum.coverage = sum.has_times && sum.enabled ? (double)sum.running / (double)sum.enabled : NAN;
	}
	*to = sum;
}

static void add_results(struct repeats *r, struct place_runs *p, const struct metric_result *results)
{
	bool first = p->nr_captures == 0;

	for (size_t m = 0; m < r->nr_metrics; m++) {
		struct metric_result before = p->results[m];

		p->caution[m] = p->caution[m] || results[m].status == METRIC_CAUTION;
		if (results[m].status != METRIC_REFUSED)
			p->values[m * r->nr + p->nr_values[m]++] = results[m].value;
		p->of_capture[m * r->nr + r->done] = results[m].value;
		p->results[m] = results[m];
		if (first)
			continue;
		if (!(before.coverage >= results[m].coverage))
			p->results[m].coverage = before.coverage;
		p->results[m].value_perf += before.value_perf;
		p->results[m].co_scheduled = before.co_scheduled && results[m].co_scheduled;
	}
}

static int on_scope(void *user, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		    struct error *err)
{
	struct repeats *r = user;
	struct place_runs *p;

	if (!s->is_total)
		return fail(err, NO_OFFSET, "intervals of several runs have nothing in common: --repeat is not for them");
	p = find_place(r, s);
	if (p->nr_captures > r->done)
		return 0;
	for (size_t e = 0; e < r->nr_events && e < s->nr_cells; e++) {
		add_cell(&p->cells[e], &s->cells[e], p->nr_captures == 0);
		p->raw[p->nr_captures * r->nr_events + e] = s->cells[e].raw;
	}
	if (results)
		add_results(r, p, results);
	for (size_t i = 0; a->checks && i < a->checks->nr; i++) {
		struct check_row row = a->checks->rows[i];

		row.subject = arena_strdup(r->arena, row.subject);
		check_list_add(&p->checks, row);
	}
	p->nr_captures++;
	return 0;
}

/* ---- all of them ---- */

/* Are two captures copies of one?  Then they show no difference between runs. */
static bool has_twins(const struct repeats *r, const struct place_runs *p)
{
	size_t size = r->nr_events * sizeof(*p->raw);

	for (size_t i = 0; i < p->nr_captures; i++)
		for (size_t k = i + 1; k < p->nr_captures; k++)
			if (memcmp(&p->raw[i * r->nr_events], &p->raw[k * r->nr_events], size) == 0)
				return true;
	return false;
}

/* Raw counts are those of perf.data; printed ones say nothing of copies. */
static bool has_raw(const struct repeats *r, const struct place_runs *p)
{
	for (size_t e = 0; e < r->nr_events; e++)
		if (p->cells[e].has_raw && p->cells[e].raw)
			return true;
	return false;
}

static void conclude_metric(const struct repeats *r, struct place_runs *p, size_t m, bool twins)
{
	struct repeat all = repeat_of(&p->values[m * r->nr], p->nr_values[m], r->level);
	struct metric_result *res = &p->results[m];

	res->bound_lo = res->bound_hi = res->se = res->lo = res->hi = res->df = NAN;
	res->value_perf /= (double)p->nr_captures;
	res->method = METHOD_NONE;
	res->rounds = (uint32_t)all.nr;
	res->level = r->level;
	if (!all.nr)
		return; /* refused in each: the reason of the last stands */
	res->value = all.mean;
	res->status = p->caution[m] || twins || all.nr < p->nr_captures ? METRIC_CAUTION : METRIC_OK;
	res->reason = twins ? check_name(CHECK_DUPLICATE_CAPTURES) : all.nr < REPEATS_FEWEST ? "too-few-captures" : "";
	if (*res->reason)
		return;
	res->method = METHOD_REPEATS;
	res->se = all.se;
	res->df = all.df;
	res->lo = all.mean - all.half_width;
	res->hi = all.mean + all.half_width;
}

static void conclude_place(const struct repeats *r, struct place_runs *p)
{
	bool twins = has_raw(r, p) && has_twins(r, p);

	if (twins)
		check_list_add(&p->checks, (struct check_row){ CHECK_DUPLICATE_CAPTURES, CHECK_NO_INTERVAL, 0, 0, "", 0 });
	for (size_t m = 0; m < r->nr_metrics; m++)
		conclude_metric(r, p, m, twins);
}

/* The last capture stands for all. */
static int show(struct repeats *r, const struct analysis *last, struct error *err)
{
	struct run_values runs = { .nr = r->nr, .paths = r->path };
	struct analysis all = *last;

	all.runs = &runs;
	if (r->visitor->begin && r->visitor->begin(r->user, &all, err))
		return -1;
	for (size_t i = 0; i < r->nr_places; i++) {
		conclude_place(r, r->places[i]);
		runs.values = r->places[i]->of_capture;
		all.checks = &r->places[i]->checks;
		if (r->visitor->scope(r->user, &all, &r->places[i]->scope, all.set ? r->places[i]->results : NULL, err))
			return -1;
	}
	return r->visitor->end ? r->visitor->end(r->user, &all, err) : 0;
}

/* While it stands for all, it has the names of all. */
static int on_end(void *user, const struct analysis *a, struct error *err)
{
	struct repeats *r = user;
	const char *path = a->capture->name;
	int result;

	if (++r->done < r->nr)
		return 0;
	a->capture->name = r->paths;
	result = show(r, a, err);
	a->capture->name = path;
	return result;
}

const struct analysis_visitor repeats_visitor = { .begin = on_begin, .scope = on_scope, .end = on_end };
