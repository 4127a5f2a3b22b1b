// SPDX-License-Identifier: GPL-2.0-only
/*
 * A set meets a capture: plan_new() finds for each metric the captured events that are
 * its operands.  What the counts make of them is plan_eval.c.
 *
 * perf opens a copy of an event for each group that needs it, and copies in different
 * groups counted at different times.  So a metric takes all its operands from the first
 * group, in the order of the file, that has them all: that is also what perf does.  Only
 * where no group has them all it takes the first copy of each.  User and kernel copies
 * are never mixed.
 */
#include "metrics/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "metrics/event_match.h"
#include "metrics/literal.h"

/* ---- what the capture offers ---- */

struct offer {
	struct event_meaning meaning;
	uint64_t excludes;
	bool free; /* it has no user or kernel copies: a clock, a time, a counter outside the cores */
	bool opened;
};

/* A distinct operand and the captured events that it may be, in the order of the file. */
struct wanted {
	const char *name;
	struct event_meaning meaning;
	bool free;
	uint32_t *events;
	size_t nr_events;
	bool unopened; /* it is there, but perf could not open it */
	bool spread;   /* its events are of several instances of a PMU */
};

struct resolver {
	struct metric_plan *plan;
	struct offer *offers; /* one for each event */
	struct wanted *wanted;
	size_t nr_wanted, cap_wanted;
	uint64_t classes[16]; /* distinct `excludes` of what is not free, in the order of the file */
	size_t nr_classes;
	bool of_thresholds; /* names may be metrics: in formulas they are put in already */
};

static bool is_free(const struct event_meaning *m)
{
	return m->known && (m->type == EVENT_TOOL || m->type == EVENT_OF_PMU ||
			    (m->type == EVENT_SOFTWARE && m->config <= 1)); /* cpu-clock, task-clock */
}

static void add_class(struct resolver *r, uint64_t excludes)
{
	for (size_t i = 0; i < r->nr_classes; i++)
		if (r->classes[i] == excludes)
			return;
	r->classes[r->nr_classes++] = excludes;
}

static void look_at_events(struct resolver *r)
{
	const struct capture *c = r->plan->capture;

	for (size_t i = 0; i < c->nr_events; i++) {
		struct offer *o = &r->offers[i];

		event_meaning_of(&r->plan->known, &c->events[i], &o->meaning);
		o->excludes = event_excludes(&c->events[i]);
		o->free = is_free(&o->meaning);
		o->opened = c->events[i].opened || o->meaning.type == EVENT_TOOL;
		if (!o->free)
			add_class(r, o->excludes);
	}
	if (!r->nr_classes)
		r->nr_classes = 1; /* all are free: any class will do */
}

static bool offer_fits(const struct wanted *w, const struct offer *o)
{
	struct event_meaning there = o->meaning;
	const uint64_t rings = EVENT_EXCLUDE_USER | EVENT_EXCLUDE_KERNEL;

	if (w->meaning.modifiers_size &&
	    ((event_excludes_of(w->meaning.modifiers, w->meaning.modifiers_size) ^ o->excludes) & rings))
		return false;
	if (!w->meaning.known)
		there.known = false; /* an event that the set does not describe: its name is all there is */
	return event_meaning_equal(&w->meaning, &there);
}

static bool same_instance(const struct capture *c, uint32_t a, uint32_t b)
{
	const struct event *x = &c->events[a], *y = &c->events[b];

	return x->type == y->type && (x->pmu == y->pmu || (x->pmu && y->pmu && strcmp(x->pmu, y->pmu) == 0));
}

static void find_events(struct resolver *r, struct wanted *w)
{
	const struct capture *c = r->plan->capture;
	size_t cap = 0;

	for (uint32_t i = 0; i < c->nr_events; i++) {
		if (!offer_fits(w, &r->offers[i]))
			continue;
		if (!r->offers[i].opened) {
			w->unopened = true;
			continue;
		}
		if (w->nr_events == cap) {
			cap = cap ? 2 * cap : 4;
			w->events = must_realloc(w->events, cap, sizeof(*w->events));
		}
		w->events[w->nr_events++] = i;
		w->free |= r->offers[i].free;
		w->spread |= w->meaning.type == EVENT_OF_PMU && !same_instance(c, w->events[0], i);
	}
}

static const struct wanted *want(struct resolver *r, const char *name)
{
	struct wanted *w;

	for (size_t i = 0; i < r->nr_wanted; i++)
		if (strcmp(r->wanted[i].name, name) == 0)
			return &r->wanted[i];
	if (r->nr_wanted == r->cap_wanted) {
		r->cap_wanted = r->cap_wanted ? 2 * r->cap_wanted : 64;
		r->wanted = must_realloc(r->wanted, r->cap_wanted, sizeof(*r->wanted));
	}
	w = &r->wanted[r->nr_wanted++];
	*w = (struct wanted){ .name = name };
	event_config_of(&r->plan->known, name, &w->meaning);
	find_events(r, w);
	w->free |= w->meaning.modifiers_size > 0; /* the formula says which copy it means */
	return w;
}

uint32_t plan_group_of(const struct capture *c, uint32_t event)
{
	int32_t leader = c->events[event].group;

	return leader < 0 ? event : (uint32_t)leader;
}

/* ---- literals ---- */

static size_t count_instances(struct resolver *r, const char *name)
{
	const struct wanted *w = want(r, name);
	size_t nr = 0;

	for (size_t i = 0; i < w->nr_events; i++) {
		size_t k = 0;

		while (k < i && !same_instance(r->plan->capture, w->events[k], w->events[i]))
			k++;
		nr += k == i;
	}
	return nr;
}

static void answer(struct resolver *r, const struct expr_name *name, struct expr_replacement *ret)
{
	const struct capture *c = r->plan->capture;
	double v = NAN;

	switch (name->kind) {
	case EXPR_EVENT: /* perf 7.2 has its literals also as events */
		if (!literal_value(c, name->text, &v) || want(r, name->text)->nr_events)
			return;
		break;
	case EXPR_LITERAL:
		literal_value(c, name->text, &v);
		break;
	case EXPR_HAS_EVENT:
		v = want(r, name->text)->nr_events > 0;
		break;
	case EXPR_SOURCE_COUNT:
		v = (double)count_instances(r, name->text);
		break;
	case EXPR_CPUID:
		v = literal_cpuid(c, name->text);
		break;
	case EXPR_AGGR_NR:
		return;
	}
	if (!isnan(v)) {
		ret->known = true;
		ret->value = v;
	}
}

/* The formula with all that the capture's header can answer. */
static const struct expr *answer_literals(struct resolver *r, const char *metric, const struct expr *formula)
{
	const struct expr_name *names;
	size_t nr = expr_names(formula, &names);
	struct expr_replacement *by = must_alloc((nr + 1) * sizeof(*by));
	const struct expr *e;
	struct error err;

	for (size_t i = 0; i < nr; i++)
		answer(r, &names[i], &by[i]);
	e = expr_rewrite(r->plan->arena, metric, formula, by, &err);
	free(by);
	return e ? e : formula; /* it cannot become larger than what the set checked */
}

/* ---- the choice of copies ---- */

/* A metric in the making: what each operand wants (NULL: no event), and what it gets. */
struct choice {
	struct plan_metric *m;
	const struct wanted **wants;
	struct plan_operand *operands;
};

static bool in_class(const struct resolver *r, const struct wanted *w, uint32_t event, uint64_t class)
{
	return w->free || r->offers[event].excludes == class;
}

/* The first copy in this group; UINT32_MAX when there is none. */
static uint32_t copy_in_group(const struct resolver *r, const struct wanted *w, uint32_t group, uint64_t class)
{
	for (size_t i = 0; i < w->nr_events; i++)
		if (plan_group_of(r->plan->capture, w->events[i]) == group && in_class(r, w, w->events[i], class))
			return w->events[i];
	return UINT32_MAX;
}

static void take(struct resolver *r, struct plan_operand *o, uint32_t event)
{
	uint32_t *events = arena_alloc(r->plan->arena, (o->nr_events + 1) * sizeof(*events));

	if (o->nr_events)
		memcpy(events, o->events, o->nr_events * sizeof(*events));
	events[o->nr_events++] = event;
	o->events = events;
}

static bool take_from_group(struct resolver *r, struct choice *ch, uint32_t group, uint64_t class)
{
	for (size_t i = 0; i < ch->m->nr_operands; i++)
		if (ch->wants[i] && copy_in_group(r, ch->wants[i], group, class) == UINT32_MAX)
			return false;
	for (size_t i = 0; i < ch->m->nr_operands; i++)
		if (ch->wants[i])
			take(r, &ch->operands[i], copy_in_group(r, ch->wants[i], group, class));
	return true;
}

/* The operand with the fewest copies: only groups that have one of those can have all. */
static const struct wanted *rarest(const struct choice *ch)
{
	const struct wanted *best = NULL;

	for (size_t i = 0; i < ch->m->nr_operands; i++) {
		const struct wanted *w = ch->wants[i];

		if (w &&
		    (!best || (best->free && !w->free) || (best->free == w->free && w->nr_events < best->nr_events)))
			best = w;
	}
	return best;
}

/* All operands from the first group that has them all. */
static bool choose_group(struct resolver *r, struct choice *ch)
{
	const struct wanted *w = rarest(ch);

	for (size_t i = 0; i < ch->m->nr_operands; i++)
		if (ch->wants[i] && ch->wants[i]->spread)
			return false; /* its instances are never in one group */
	for (size_t i = 0; i < w->nr_events; i++) {
		uint32_t event = w->events[i];

		if (take_from_group(r, ch, plan_group_of(r->plan->capture, event), r->offers[event].excludes))
			return true;
	}
	return false;
}

/* The first copy; of each instance where the PMU has several. */
static void take_first(struct resolver *r, struct plan_operand *o, const struct wanted *w, uint64_t class)
{
	for (size_t i = 0; i < w->nr_events; i++) {
		size_t k = 0;

		if (!in_class(r, w, w->events[i], class))
			continue;
		if (o->nr_events && !w->spread)
			return;
		while (k < o->nr_events && !same_instance(r->plan->capture, o->events[k], w->events[i]))
			k++;
		if (k == o->nr_events)
			take(r, o, w->events[i]);
	}
}

static bool has_class(const struct resolver *r, const struct wanted *w, uint64_t class)
{
	for (size_t i = 0; i < w->nr_events; i++)
		if (in_class(r, w, w->events[i], class))
			return true;
	return false;
}

static size_t lacking(const struct resolver *r, const struct choice *ch, uint64_t class)
{
	size_t nr = 0;

	for (size_t i = 0; i < ch->m->nr_operands; i++)
		nr += ch->wants[i] && !has_class(r, ch->wants[i], class);
	return nr;
}

/* The class that lacks the fewest operands. */
static uint64_t best_class(const struct resolver *r, const struct choice *ch)
{
	size_t best = 0;

	for (size_t i = 1; i < r->nr_classes; i++)
		if (lacking(r, ch, r->classes[i]) < lacking(r, ch, r->classes[best]))
			best = i;
	return r->classes[best];
}

static const char *modifiers_of_class(uint64_t class)
{
	const char *ring = class & EVENT_EXCLUDE_KERNEL ? (class & EVENT_EXCLUDE_USER ? "" : "u")
			   : class & EVENT_EXCLUDE_USER ? "k"
							: "";

	return ring;
}

static void add_missing(struct resolver *r, struct plan_metric *m, const char *name, const char *more)
{
	m->missing = arena_printf(r->plan->arena, "%s%s%s%s", m->missing, *m->missing ? ", " : "", name, more);
}

/* Some operands have no event at all: those are named. */
static bool report_absent(struct resolver *r, const struct choice *ch)
{
	struct plan_metric *m = ch->m;
	bool all_unopened = true;

	for (size_t i = 0; i < m->nr_operands; i++) {
		const struct wanted *w = ch->wants[i];

		if (!w || w->nr_events)
			continue;
		add_missing(r, m, w->name, w->unopened ? " (not supported)" : "");
		all_unopened &= w->unopened;
	}
	m->reason = all_unopened ? "not_supported" : "missing-event";
	return *m->missing != '\0';
}

static void report_modifiers(struct resolver *r, const struct choice *ch, uint64_t class)
{
	const char *modifiers = modifiers_of_class(class);

	ch->m->reason = "modifiers-differ";
	for (size_t i = 0; i < ch->m->nr_operands; i++)
		if (ch->wants[i] && !has_class(r, ch->wants[i], class))
			add_missing(r, ch->m, ch->wants[i]->name,
				    *modifiers ? arena_printf(r->plan->arena, ":%s", modifiers) : " without modifiers");
}

static void choose(struct resolver *r, struct choice *ch)
{
	uint64_t class;

	if (!rarest(ch)) {
		ch->m->has = true; /* a formula without events */
		return;
	}
	if (report_absent(r, ch))
		return;
	ch->m->reason = "";
	ch->m->has = true;
	if (choose_group(r, ch))
		return;
	class = best_class(r, ch);
	if (lacking(r, ch, class)) {
		ch->m->has = false;
		report_modifiers(r, ch, class);
		return;
	}
	for (size_t i = 0; i < ch->m->nr_operands; i++)
		if (ch->wants[i])
			take_first(r, &ch->operands[i], ch->wants[i], class);
}

/* ---- plan_new ---- */

/* What a name asks for; NULL when it is no event. */
static const struct wanted *look_up(struct resolver *r, const struct expr_name *name, struct plan_operand *o)
{
	const struct wanted *w;

	int32_t metric = -1;

	*o = (struct plan_operand){ .kind = OPERAND_UNKNOWN, .name = name->text, .unit = 1 };
	if (r->of_thresholds && name->kind == EXPR_EVENT)
		metric = set_find_metric(r->plan->set, name->text);
	if (metric >= 0) {
		o->kind = OPERAND_METRIC;
		o->metric = (size_t)metric;
		return NULL;
	}
	if (name->kind == EXPR_AGGR_NR) {
		o->kind = OPERAND_INSTANCES;
		return want(r, name->text);
	}
	if (name->kind != EXPR_EVENT)
		return NULL;
	w = want(r, name->text);
	o->kind = OPERAND_COUNT;
	if (!w->meaning.known || w->meaning.type != EVENT_TOOL)
		return w;
	o->unit = 1e-9; /* ns; formulas want seconds */
	if (w->meaning.config != 1)
		return w;
	o->kind = OPERAND_SECONDS;
	return NULL;
}

/* What those that are not free exclude, if there are any. */
static const char *modifiers_of(const struct resolver *r, const struct plan_metric *m)
{
	for (size_t i = 0; i < m->nr_events; i++)
		if (!r->offers[m->events[i]].free)
			return modifiers_of_class(r->offers[m->events[i]].excludes);
	return "";
}

static void collect_events(struct resolver *r, struct plan_metric *m)
{
	const struct capture *c = r->plan->capture;
	size_t most = 0, nr = 0;
	uint32_t *events;

	for (size_t i = 0; i < m->nr_operands; i++)
		most += m->operands[i].nr_events;
	events = arena_alloc(r->plan->arena, (most + 1) * sizeof(*events));
	m->one_group = m->groups_known = true;
	for (size_t i = 0; i < m->nr_operands; i++) {
		for (size_t k = 0; k < m->operands[i].nr_events; k++) {
			uint32_t event = m->operands[i].events[k];
			size_t j = 0;

			while (j < nr && events[j] != event)
				j++;
			if (j < nr)
				continue;
			events[nr++] = event;
			m->one_group &= plan_group_of(c, event) == plan_group_of(c, events[0]);
			m->groups_known &= c->events[event].group_known;
		}
	}
	m->groups_known |= nr <= 1;
	m->events = events;
	m->nr_events = nr;
}

static void plan_one(struct resolver *r, struct plan_metric *m, const struct set_metric *metric,
		     const struct expr *formula)
{
	struct arena *arena = r->plan->arena;
	const struct expr_name *names;
	struct choice ch = { .m = m };
	const char *unknown = NULL;

	m->metric = metric;
	m->expr = answer_literals(r, metric->name, formula);
	m->nr_operands = expr_names(m->expr, &names);
	m->reason = m->missing = "";
	m->scratch = arena_alloc(arena, (m->nr_operands + 1) * sizeof(double));
	ch.operands = arena_alloc(arena, (m->nr_operands + 1) * sizeof(*ch.operands));
	for (size_t i = 0; i < m->nr_operands; i++) /* all first: the list of what is wanted may move */
		look_up(r, &names[i], &ch.operands[i]);
	ch.wants = must_alloc((m->nr_operands + 1) * sizeof(struct wanted *));
	for (size_t i = 0; i < m->nr_operands; i++) {
		ch.wants[i] = look_up(r, &names[i], &ch.operands[i]);
		if (ch.operands[i].kind == OPERAND_UNKNOWN && !unknown)
			unknown = names[i].text;
	}
	m->operands = ch.operands;
	choose(r, &ch);
	if (m->has && unknown) {
		m->has = false;
		m->reason = "unknown-literal";
		add_missing(r, m, unknown, "");
	}
	free(ch.wants);
	collect_events(r, m);
	m->modifiers = modifiers_of(r, m);
}

/* Thresholds that can be told: of metrics that there are, by names that there are. */
static void plan_thresholds(struct resolver *r)
{
	struct metric_plan *p = r->plan;
	size_t nr = 0;

	for (size_t i = 0; i < p->set->nr_metrics; i++)
		nr += p->metrics[i].has && p->set->metrics[i].flagged;
	p->thresholds = arena_alloc(p->arena, (nr + 1) * sizeof(*p->thresholds));
	r->of_thresholds = true;
	p->formulas = arena_alloc(p->arena, (p->set->nr_metrics + 1) * sizeof(*p->formulas));
	for (size_t i = 0; i < p->set->nr_metrics; i++) {
		const struct set_metric *m = &p->set->metrics[i];
		struct plan_threshold t = { .metric = i };

		if (!p->metrics[i].has || !m->flagged)
			continue;
		plan_one(r, &t.rule, m, m->flagged);
		if (t.rule.has)
			p->thresholds[p->nr_thresholds++] = t;
	}
}

/* A set for any CPU knows AMD's codes when the capture is AMD's. */
static void learn_vendor(struct metric_plan *p)
{
	const char *own = set_for_cpuid(p->capture->cpuid);

	p->known = *p->set;
	if (p->known.amd || !own)
		return;
	p->known.amd = true;
	p->known.zen = (unsigned)(own[strlen(own) - 1] - '0');
}

/* Results before there are counts: what lacks an operand stays so. */
static void prepare_results(struct metric_plan *p)
{
	const struct metric_result unknown = {
		.value = NAN,
		.value_perf = NAN,
		.se = NAN,
		.lo = NAN,
		.hi = NAN,
		.level = NAN,
		.coverage = NAN,
		.bound_lo = NAN,
		.bound_hi = NAN,
		.df = NAN,
		.reason = "",
	};

	p->blank = arena_alloc(p->arena, (p->set->nr_metrics + 1) * sizeof(*p->blank));
	p->computable = arena_alloc(p->arena, (p->set->nr_metrics + 1) * sizeof(*p->computable));
	for (size_t i = 0; i < p->set->nr_metrics; i++) {
		p->blank[i] = unknown;
		if (p->metrics[i].has) {
			p->computable[p->nr_computable++] = (uint32_t)i;
		} else {
			p->blank[i].status = METRIC_REFUSED;
			p->blank[i].reason = p->metrics[i].reason;
		}
	}
}

struct metric_plan *plan_new(const struct metric_set *set, const struct capture *capture)
{
	struct arena *arena = arena_new();
	struct metric_plan *p = arena_alloc(arena, sizeof(*p));
	struct resolver r = { .plan = p };

	*p = (struct metric_plan){ .set = set, .capture = capture, .arena = arena, .nr_events = capture->nr_events };
	p->metrics = arena_alloc(arena, (set->nr_metrics + 1) * sizeof(*p->metrics));
	p->counts = must_alloc((capture->nr_events + 1) * sizeof(double));
	p->instances = must_alloc((capture->nr_events + 1) * sizeof(double));
	learn_vendor(p);
	r.offers = must_alloc((capture->nr_events + 1) * sizeof(*r.offers));
	look_at_events(&r);
	for (size_t i = 0; i < set->nr_metrics; i++)
		plan_one(&r, &p->metrics[i], &set->metrics[i], set->metrics[i].expanded);
	plan_thresholds(&r);
	prepare_results(p);
	for (size_t i = 0; i < r.nr_wanted; i++)
		free(r.wanted[i].events);
	free(r.wanted);
	free(r.offers);
	return p;
}

void plan_free(struct metric_plan *p)
{
	if (!p)
		return;
	free(p->counts);
	free(p->instances);
	arena_free(p->arena);
}

bool plan_has(const struct metric_plan *p, size_t metric)
{
	return p->metrics[metric].has;
}

const char *plan_reason(const struct metric_plan *p, size_t metric)
{
	return p->metrics[metric].reason;
}

const char *plan_missing(const struct metric_plan *p, size_t metric)
{
	return p->metrics[metric].missing;
}

size_t plan_events(const struct metric_plan *p, size_t metric, const uint32_t **ret)
{
	*ret = p->metrics[metric].events;
	return p->metrics[metric].nr_events;
}

const char *plan_modifiers(const struct metric_plan *p, size_t metric)
{
	return p->metrics[metric].modifiers;
}

bool plan_in_one_group(const struct metric_plan *p, size_t metric)
{
	return p->metrics[metric].one_group;
}
