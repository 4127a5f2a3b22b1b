// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of samples by part and event; from them values, intervals and checks.
 *
 * A metric that is one count over another has the interval of Wilson, which is right
 * for few samples and for none.  Others (differences, products) have a normal one whose
 * variance follows from that of each count by the slope of the formula there.
 */
#include "metrics/by_function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/check_model.h"
#include "metrics/student.h"

enum { NO_EVENT = UINT32_MAX, CORE_COUNTERS = 5, MAX_LEVEL_1 = 16 };

#define LOST_LIMIT     0.01
#define CLOSURE_LIMIT  0.05
#define CLOSURE_ERRORS 3
#define SMALL_PARENT   0.0005

/* Times of one counter, the latest that a sample carried. */
struct counter_times {
	uint64_t counter, enabled, running;
	uint32_t event;
	bool used;
};

/* What a formula is, found out by trying it. */
struct form {
	bool is_ratio;        /* above × a / below */
	uint32_t above, below; /* below: of any form, the first event that divides; NO_EVENT: none */
};

struct by_function {
	const struct metric_plan *plan;
	struct by_function_options options;
	double z;
	struct arena *arena;
	struct check_model *model;
	struct form *forms; /* one for each metric */
	const char **refused; /* one for each metric: why it is, whatever the samples; or NULL */
	bool leader_sampled, many_counters;
	uint32_t cycles;

	size_t nr_events, nr_parts, room_parts;
	struct sample_sum *sums; /* part × event */
	struct sample_sum *all;  /* event */

	struct counter_times *times; /* a hash table */
	size_t nr_times, room_times;
	double *scale; /* by event; worked out by by_function_rows() and others when stale */
	bool stale, times_known;

	uint64_t lost;
	bool throttled;
	struct function_row *rows;
	double *counts; /* scratch, by event */
};

/* ---- which event does what in a formula ---- */

static double try_formula(struct by_function *b, const struct plan_metric *m)
{
	const struct plan_inputs in = { b->counts, NULL, NAN, NULL };

	return plan_formula(m, &in, NULL);
}

/* Powers of two, so that a product comes out exact. */
static void set_ones(struct by_function *b)
{
	for (size_t e = 0; e < b->nr_events; e++)
		b->counts[e] = 1;
}

/* Does doubling the count of an event multiply the value by `times`, from two places? */
static bool grows_by(struct by_function *b, const struct plan_metric *m, uint32_t event, double times)
{
	double one, two;

	for (double at = 1; at <= 64; at *= 64) {
		set_ones(b);
		for (size_t i = 0; i < m->nr_events; i++)
			b->counts[m->events[i]] = 1 + (double)i * at; /* so that differences are not 0 */
		one = try_formula(b, m);
		b->counts[event] *= 2;
		two = try_formula(b, m);
		if (!isfinite(one) || one == 0 || fabs(two - times * one) > 1e-12 * fabs(one))
			return false;
	}
	return true;
}

static struct form form_of(struct by_function *b, const struct plan_metric *m)
{
	struct form f = { false, NO_EVENT, NO_EVENT };

	for (size_t i = 0; i < m->nr_events && f.below == NO_EVENT; i++)
		if (grows_by(b, m, m->events[i], 0.5))
			f.below = m->events[i];
	if (f.below == NO_EVENT || m->nr_events != 2)
		return f;
	f.above = m->events[m->events[0] == f.below];
	f.is_ratio = grows_by(b, m, f.above, 2);
	return f;
}

/* ---- what cannot be said whatever the samples ---- */

static unsigned precision_of(const struct event *e)
{
	return (unsigned)(e->flags >> EVENT_PRECISE_SHIFT) & 3;
}

static bool differs(const struct event *a, const struct event *b)
{
	return !precision_of(a) != !precision_of(b) || a->type != b->type;
}

static bool mixes_precision(const struct capture *c, const struct plan_metric *m)
{
	for (size_t i = 1; i < m->nr_events; i++)
		if (differs(&c->events[m->events[0]], &c->events[m->events[i]]))
			return true;
	return false;
}

static bool is_core(const struct event *e)
{
	return e->type == EVENT_HARDWARE || e->type == EVENT_HW_CACHE || e->type == EVENT_RAW;
}

/* The group leader alone samples: the members' values say nothing of where they were counted. */
static bool samples_leaders(const struct capture *c)
{
	const uint64_t read_group = 1ull << 3;

	for (size_t e = 0; e < c->nr_events; e++)
		if (c->events[e].read_format & read_group && c->events[e].group >= 0 &&
		    c->events[e].group != (int32_t)e && !c->events[e].sample_period)
			return true;
	return false;
}

static bool has_several_groups(const struct capture *c)
{
	int32_t first = -1;

	for (size_t e = 0; e < c->nr_events; e++) {
		if (!is_core(&c->events[e]) || c->events[e].group < 0)
			continue;
		if (first >= 0 && c->events[e].group != first)
			return true;
		first = c->events[e].group;
	}
	return false;
}

/* More counters than a core has for sure, or groups that take turns. */
static bool may_multiplex(const struct capture *c)
{
	size_t core = 0;

	for (size_t e = 0; e < c->nr_events; e++)
		core += is_core(&c->events[e]);
	return core > CORE_COUNTERS || has_several_groups(c);
}

static bool crosses_groups(const struct capture *c, const struct plan_metric *m)
{
	for (size_t i = 1; i < m->nr_events; i++) {
		const struct event *a = &c->events[m->events[0]], *e = &c->events[m->events[i]];

		if ((a->group >= 0 || e->group >= 0) && a->group != e->group)
			return true;
	}
	return false;
}

static const char *refusal(const struct by_function *b, const struct plan_metric *m)
{
	const struct capture *c = b->plan->capture;

	if (!m->has)
		return m->reason;
	if (!m->nr_events)
		return "no-events";
	if (b->leader_sampled)
		return "leader_sampled";
	if (!b->options.mixed_precision && mixes_precision(c, m))
		return "mixed_precision";
	return NULL;
}

/* Rows are sorted by cycles; without those, by what was given first. */
static uint32_t find_cycles(const struct by_function *b)
{
	const struct capture *c = b->plan->capture;

	for (uint32_t e = 0; e < b->model->nr_events; e++)
		if (b->model->roles[e] == EVENT_CYCLES)
			return e;
	for (uint32_t e = 0; e < c->nr_events; e++)
		if (c->events[e].type == EVENT_HARDWARE && c->events[e].config == 0)
			return e;
	return NO_EVENT;
}

struct by_function *by_function_new(const struct metric_plan *plan, const struct by_function_options *options)
{
	struct by_function *b = must_alloc(sizeof(*b));
	size_t nr_metrics = plan->set->nr_metrics;

	b->plan = plan;
	b->options = *options;
	if (!(b->options.level > 0))
		b->options.level = 0.95;
	if (!(b->options.least_samples > 0))
		b->options.least_samples = 30;
	if (!(b->options.widest > 0))
		b->options.widest = 0.10;
	b->z = normal_quantile((1 + b->options.level) / 2);
	b->arena = arena_new();
	b->model = check_model_new(b->arena, plan);
	b->nr_events = plan->nr_events;
	b->counts = arena_alloc(b->arena, (b->nr_events + 1) * sizeof(*b->counts));
	b->scale = arena_alloc(b->arena, (b->nr_events + 1) * sizeof(*b->scale));
	b->all = arena_alloc(b->arena, (b->nr_events + 1) * sizeof(*b->all));
	b->leader_sampled = samples_leaders(plan->capture);
	b->many_counters = may_multiplex(plan->capture);
	b->cycles = find_cycles(b);
	b->stale = true;
	b->forms = arena_alloc(b->arena, (nr_metrics + 1) * sizeof(*b->forms));
	b->refused = arena_alloc(b->arena, (nr_metrics + 1) * sizeof(*b->refused));
	for (size_t i = 0; i < nr_metrics; i++) {
		b->refused[i] = refusal(b, &plan->metrics[i]);
		if (!b->refused[i])
			b->forms[i] = form_of(b, &plan->metrics[i]);
	}
	return b;
}

void by_function_free(struct by_function *b)
{
	if (!b)
		return;
	free(b->sums);
	free(b->times);
	free(b->rows);
	arena_free(b->arena);
	free(b);
}

/* ---- while reading ---- */

static void make_room(struct by_function *b, uint32_t part)
{
	size_t room = b->room_parts ? b->room_parts : 256;
	size_t one = b->nr_events * sizeof(*b->sums);

	while (room <= part)
		room *= 2;
	b->sums = must_realloc(b->sums, room, one);
	memset((char *)b->sums + b->room_parts * one, 0, (room - b->room_parts) * one);
	b->room_parts = room;
}

void by_function_add(struct by_function *b, uint32_t part, uint32_t event, uint64_t period)
{
	if (event >= b->nr_events)
		return;
	if (part >= b->room_parts)
		make_room(b, part);
	if (part >= b->nr_parts)
		b->nr_parts = (size_t)part + 1;
	sample_sum_add(&b->sums[part * b->nr_events + event], period);
	sample_sum_add(&b->all[event], period);
}

static void add_sum(struct sample_sum *to, const struct sample_sum *from)
{
	to->samples += from->samples;
	to->weight += from->weight;
	to->squares += from->squares;
}

void by_function_add_sum(struct by_function *b, uint32_t part, uint32_t event, const struct sample_sum *sum)
{
	if (event >= b->nr_events)
		return;
	if (part >= b->room_parts)
		make_room(b, part);
	if (part >= b->nr_parts)
		b->nr_parts = (size_t)part + 1;
	add_sum(&b->sums[part * b->nr_events + event], sum);
	add_sum(&b->all[event], sum);
}

static struct counter_times *times_place(struct counter_times *at, size_t room, uint32_t event, uint64_t counter)
{
	uint64_t h = (counter ^ (uint64_t)event << 48) * 0x9e3779b97f4a7c15ull;
	size_t i = (size_t)(h >> 20) & (room - 1);

	while (at[i].used && (at[i].event != event || at[i].counter != counter))
		i = (i + 1) & (room - 1);
	return &at[i];
}

static void times_double(struct by_function *b)
{
	size_t room = b->room_times ? 2 * b->room_times : 64;
	struct counter_times *bigger = must_alloc(room * sizeof(*bigger));

	for (size_t i = 0; i < b->room_times; i++)
		if (b->times[i].used)
			*times_place(bigger, room, b->times[i].event, b->times[i].counter) = b->times[i];
	free(b->times);
	b->times = bigger;
	b->room_times = room;
}

void by_function_times(struct by_function *b, uint32_t event, uint64_t counter, uint64_t enabled, uint64_t running)
{
	struct counter_times *t;

	if (event >= b->nr_events)
		return;
	if (2 * (b->nr_times + 1) > b->room_times)
		times_double(b);
	t = times_place(b->times, b->room_times, event, counter);
	b->nr_times += !t->used;
	if (t->used && enabled < t->enabled)
		return; /* samples may come out of order */
	*t = (struct counter_times){ counter, enabled, running, event, true };
	b->stale = true;
}

void by_function_lost(struct by_function *b, uint64_t samples)
{
	b->lost += samples;
}

void by_function_throttled(struct by_function *b)
{
	b->throttled = true;
}

/* ---- scaling ---- */

static void settle(struct by_function *b)
{
	double *enabled, *running;

	if (!b->stale)
		return;
	b->stale = false;
	b->times_known = b->nr_times > 0;
	enabled = must_alloc((b->nr_events + 1) * sizeof(*enabled));
	running = must_alloc((b->nr_events + 1) * sizeof(*running));
	for (size_t i = 0; i < b->room_times; i++) {
		if (!b->times[i].used)
			continue;
		enabled[b->times[i].event] += (double)b->times[i].enabled;
		running[b->times[i].event] += (double)b->times[i].running;
	}
	for (size_t e = 0; e < b->nr_events; e++) {
		b->scale[e] = running[e] > 0 && enabled[e] > running[e] ? enabled[e] / running[e] : 1;
		if (b->all[e].samples && is_core(&b->plan->capture->events[e]) && !(running[e] > 0))
			b->times_known = false;
	}
	free(enabled);
	free(running);
}

double by_function_scale(const struct by_function *b, uint32_t event)
{
	settle((struct by_function *)(uintptr_t)b);
	return event < b->nr_events ? b->scale[event] : 1;
}

/* ---- sums ---- */

static const struct sample_sum *sums_of(const struct by_function *b, uint32_t part)
{
	if (part == PART_ALL)
		return b->all;
	return part < b->nr_parts ? &b->sums[part * b->nr_events] : NULL;
}

struct sample_sum by_function_sum(const struct by_function *b, uint32_t part, uint32_t event)
{
	const struct sample_sum *s = sums_of(b, part);

	return s && event < b->nr_events ? s[event] : (struct sample_sum){ 0 };
}

uint32_t by_function_sort_event(const struct by_function *b)
{
	if (b->cycles != NO_EVENT)
		return b->cycles;
	for (uint32_t e = 0; e < b->nr_events; e++)
		if (b->all[e].samples)
			return e;
	return 0;
}

bool by_function_sorts_by_cycles(const struct by_function *b)
{
	return b->cycles != NO_EVENT;
}

static int by_cycles(const void *a, const void *b)
{
	const struct function_row *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static bool has_samples(const struct sample_sum *s, size_t nr)
{
	for (size_t e = 0; e < nr; e++)
		if (s[e].samples)
			return true;
	return false;
}

size_t by_function_rows(struct by_function *b, const struct function_row **ret)
{
	uint32_t event = by_function_sort_event(b);
	double scale = by_function_scale(b, event);
	size_t nr = 0;

	b->rows = must_realloc(b->rows, b->nr_parts + 1, sizeof(*b->rows));
	for (size_t p = 0; p < b->nr_parts && b->nr_events; p++) {
		const struct sample_sum *s = &b->sums[p * b->nr_events];

		if (!has_samples(s, b->nr_events))
			continue;
		b->rows[nr++] = (struct function_row){
			.part = (uint32_t)p,
			.cycles = scale * (double)s[event].weight,
			.share = b->all[event].weight ? (double)s[event].weight / (double)b->all[event].weight : (double)NAN,
			.samples = s[event].samples,
			.n_eff = sample_n_eff(&s[event]),
		};
	}
	qsort(b->rows, nr, sizeof(*b->rows), by_cycles);
	*ret = b->rows;
	return nr;
}

/* ---- values ---- */

static void set_counts(struct by_function *b, const struct sample_sum *s)
{
	settle(b);
	for (size_t e = 0; e < b->nr_events; e++)
		b->counts[e] = b->scale[e] * (double)s[e].weight;
}

static double period_of(const struct by_function *b, const struct sample_sum *s, uint32_t event)
{
	const struct event *e = &b->plan->capture->events[event];
	double p = sample_period(&s[event]);

	if (isnan(p))
		p = sample_period(&b->all[event]);
	return isnan(p) && !(e->flags & EVENT_FREQ) && e->sample_period ? (double)e->sample_period : p;
}

/* One count over another.  k is the value for one sample of each. */
static void ratio_error(struct by_function *b, const struct plan_metric *m, const struct form *f,
			const struct sample_sum *s, struct metric_result *r)
{
	double above = b->counts[f->above], below = b->counts[f->below], k;
	struct sample_interval i;

	b->counts[f->above] = b->scale[f->above] * period_of(b, s, f->above);
	b->counts[f->below] = b->scale[f->below] * period_of(b, s, f->below);
	k = try_formula(b, m);
	i = sample_ratio_interval(sample_n_eff(&s[f->above]), sample_n_eff(&s[f->below]), k, b->z);
	r->lo = i.lo;
	r->hi = i.hi;
	b->counts[f->above] = above;
	b->counts[f->below] = below;
}

/* How much the value moves with one count. */
static double slope(struct by_function *b, uint32_t event, double (*formula)(struct by_function *b, const void *what),
		    const void *what)
{
	double at = b->counts[event], step = 1e-5 * at, up, down;

	b->counts[event] = at + step;
	up = formula(b, what);
	b->counts[event] = at - step;
	down = formula(b, what);
	b->counts[event] = at;
	return (up - down) / (2 * step);
}

/*
 * The variance of a value that depends on these events; NaN where one of them has no
 * samples, since nobody knows how far from 0 it is.
 */
static double variance(struct by_function *b, const uint32_t *events, size_t nr, const struct sample_sum *s,
		       double (*formula)(struct by_function *b, const void *what), const void *what)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct sample_sum *e = &s[events[i]];
		double d;

		if (!e->samples)
			return NAN;
		d = b->scale[events[i]] * slope(b, events[i], formula, what);
		sum += d * d * e->squares;
	}
	return sum;
}

static double one_formula(struct by_function *b, const void *what)
{
	return try_formula(b, what);
}

static void normal_error(struct by_function *b, const struct plan_metric *m, const struct sample_sum *s,
			 struct metric_result *r)
{
	r->se = sqrt(variance(b, m->events, m->nr_events, s, one_formula, m));
	r->lo = r->value - b->z * r->se;
	r->hi = r->value + b->z * r->se;
}

static void refuse(struct metric_result *r, const char *reason)
{
	r->value = r->lo = r->hi = r->se = NAN;
	r->status = METRIC_REFUSED;
	r->method = METHOD_NONE;
	r->reason = reason;
}

static bool is_share(const struct set_metric *m)
{
	return strcmp(m->unit, "share") == 0 || strcmp(m->unit, "ratio") == 0;
}

/* The event whose samples decide whether a value is shown: what divides, else the weakest. */
static uint32_t base_event(const struct plan_metric *m, const struct form *f, const struct sample_sum *s)
{
	uint32_t weakest = m->events[0];

	if (f->below != NO_EVENT)
		return f->below;
	for (size_t i = 1; i < m->nr_events; i++)
		if (sample_n_eff(&s[m->events[i]]) < sample_n_eff(&s[weakest]))
			weakest = m->events[i];
	return weakest;
}

static void judge(struct by_function *b, const struct plan_metric *m, const struct sample_sum *base,
		  struct metric_result *r)
{
	double half = (r->hi - r->lo) / 2;

	r->samples = base->samples;
	if (sample_n_eff(base) < b->options.least_samples || isnan(half) ||
	    (is_share(m->metric) && half > b->options.widest)) {
		r->status = METRIC_CAUTION;
		r->reason = "few_samples";
	} else if (b->many_counters && !b->times_known) {
		r->status = METRIC_CAUTION;
		r->reason = "mux_unknown";
	} else if (b->throttled) {
		r->status = METRIC_CAUTION;
		r->reason = "throttled";
	}
}

static void eval_one(struct by_function *b, size_t metric, const struct sample_sum *s, struct metric_result *r)
{
	const struct plan_metric *m = &b->plan->metrics[metric];
	const struct form *f = &b->forms[metric];
	const struct sample_sum *base;
	struct expr_status status;
	const struct plan_inputs in = { b->counts, NULL, NAN, NULL };

	if (b->refused[metric]) {
		refuse(r, b->refused[metric]);
		return;
	}
	if (b->many_counters && !b->times_known && crosses_groups(b->plan->capture, m)) {
		refuse(r, "mux_unknown");
		return;
	}
	base = &s[base_event(m, f, s)];
	r->value = plan_formula(m, &in, &status);
	if (status.zero_denominator || !isfinite(r->value)) {
		refuse(r, status.zero_denominator ? "zero_denominator" : "duration-unknown");
		r->samples = base->samples;
		return;
	}
	r->method = METHOD_SAMPLES;
	r->level = b->options.level;
	if (f->is_ratio)
		ratio_error(b, m, f, s, r);
	else
		normal_error(b, m, s, r);
	judge(b, m, base, r);
}

static const struct metric_result unknown = {
	.value = NAN, .value_perf = NAN, .se = NAN, .lo = NAN, .hi = NAN, .level = NAN, .coverage = NAN,
	.bound_lo = NAN, .bound_hi = NAN, .df = NAN, .reason = "",
};

/* Parts of next to nothing are nothing, although their ratio is unknown. */
static void allow_small_parents(const struct metric_set *set, struct metric_result *results)
{
	for (size_t i = 0; i < set->nr_metrics; i++) {
		int32_t parent = set->metrics[i].parent;

		if (parent < 0 || strcmp(results[i].reason, "zero_denominator") != 0 ||
		    !(fabs(results[parent].value) < SMALL_PARENT))
			continue;
		results[i].value = 0;
		results[i].status = METRIC_OK;
	}
}

void by_function_eval(struct by_function *b, uint32_t part, struct metric_result *results)
{
	const struct metric_set *set = b->plan->set;
	const struct sample_sum *s = sums_of(b, part);

	if (s)
		set_counts(b, s);
	for (size_t i = 0; i < set->nr_metrics; i++) {
		results[i] = unknown;
		if (s)
			eval_one(b, i, s, &results[i]);
		else
			refuse(&results[i], "few_samples");
	}
	allow_small_parents(set, results);
}

bool by_function_shown(const struct metric_result *r)
{
	return !isnan(r->value) && strcmp(r->reason, "few_samples") != 0;
}

/* ---- checks ---- */

struct checks_out {
	struct function_check *to;
	size_t nr;
};

static void fire(struct checks_out *o, const char *name, enum check_class class, double observed, double threshold,
		 const char *text)
{
	o->to[o->nr++] = (struct function_check){ name, class, observed, threshold, text };
}

static bool has_skid(const struct capture *c)
{
	for (size_t e = 0; e < c->nr_events; e++)
		if (is_core(&c->events[e]) && !precision_of(&c->events[e]))
			return true;
	return false;
}

static bool any_mixes_precision(const struct by_function *b)
{
	for (size_t i = 0; i < b->plan->nr_computable; i++)
		if (mixes_precision(b->plan->capture, &b->plan->metrics[b->plan->computable[i]]))
			return true;
	return false;
}

static uint64_t all_samples(const struct by_function *b)
{
	uint64_t nr = 0;

	for (size_t e = 0; e < b->nr_events; e++)
		nr += b->all[e].samples;
	return nr;
}

static void check_capture(const struct by_function *b, struct checks_out *o)
{
	double lost = (double)b->lost, part = b->lost ? lost / (lost + (double)all_samples(b)) : 0;

	if (b->leader_sampled)
		fire(o, "leader_sampled", CHECK_REFUSE, NAN, NAN,
		     "only group leaders have samples: where the other events were counted is not known");
	if (any_mixes_precision(b))
		fire(o, "mixed_precision", b->options.mixed_precision ? CHECK_WARN : CHECK_REFUSE, NAN, NAN,
		     "events of one metric differ in precision, so their samples lie at different instructions");
	if (b->many_counters && !b->times_known)
		fire(o, "mux_unknown", CHECK_WARN, NAN, CORE_COUNTERS,
		     "the samples do not tell for how long each event was counted");
	if (part > LOST_LIMIT)
		fire(o, "lost_samples", CHECK_WARN, part, LOST_LIMIT, "samples were lost while recording");
	if (b->throttled)
		fire(o, "throttled", CHECK_WARN, NAN, NAN, "the kernel throttled sampling");
	if (has_skid(b->plan->capture))
		fire(o, "skid", CHECK_INFO, NAN, NAN, "samples lie some instructions behind what caused them");
}

/* The level 1 metrics, and all their events. */
struct level_1 {
	const struct plan_metric *metrics[MAX_LEVEL_1];
	size_t nr;
	uint32_t *events;
	size_t nr_events;
};

static double sum_of_level_1(struct by_function *b, const void *what)
{
	const struct level_1 *l = what;
	double sum = 0;

	for (size_t i = 0; i < l->nr; i++)
		sum += try_formula(b, l->metrics[i]);
	return sum;
}

static void add_events(struct level_1 *l, const struct plan_metric *m)
{
	for (size_t i = 0; i < m->nr_events; i++) {
		size_t k = 0;

		while (k < l->nr_events && l->events[k] != m->events[i])
			k++;
		l->events[k] = m->events[i];
		l->nr_events += k == l->nr_events;
	}
}

/* False where one of them cannot be worked out. */
static bool level_1_of(const struct by_function *b, struct level_1 *ret)
{
	const struct metric_set *set = b->plan->set;

	for (size_t i = 0; i < set->nr_metrics; i++) {
		if (set->metrics[i].level != 1)
			continue;
		if (b->refused[i] || ret->nr == MAX_LEVEL_1)
			return false;
		ret->metrics[ret->nr++] = &b->plan->metrics[i];
		add_events(ret, &b->plan->metrics[i]);
	}
	return ret->nr > 0;
}

static void check_closure(struct by_function *b, const struct sample_sum *s, struct checks_out *o)
{
	struct level_1 l = { .events = must_alloc((b->nr_events + 1) * sizeof(*l.events)) };
	double residual, error;

	set_counts(b, s);
	if (level_1_of(b, &l)) {
		residual = sum_of_level_1(b, &l) - 1;
		error = sqrt(variance(b, l.events, l.nr_events, s, sum_of_level_1, &l));
		if (fabs(residual) > CLOSURE_LIMIT && fabs(residual) > CLOSURE_ERRORS * error)
			fire(o, "closure_residual_fn", CHECK_WARN, residual, CLOSURE_LIMIT,
			     "the level 1 shares do not add up to 1");
	}
	free(l.events);
}

size_t by_function_checks(struct by_function *b, uint32_t part, struct function_check *ret)
{
	struct checks_out o = { ret, 0 };
	const struct sample_sum *s = sums_of(b, part);
	double n;

	settle(b);
	if (part == PART_ALL) {
		check_capture(b, &o);
	} else if (s) {
		n = sample_n_eff(&s[by_function_sort_event(b)]);
		if (n < b->options.least_samples)
			fire(&o, "few_samples", CHECK_WARN, n, b->options.least_samples, "too few samples to say");
		check_closure(b, s, &o);
	}
	return o.nr;
}
