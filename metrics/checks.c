// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks, in the order of decision: what takes a value away; whether it is exact;
 * whether there are rounds to see its error by; what takes the interval of error away;
 * and what deserves a word.
 */
#include "metrics/checks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/bounds.h"
#include "metrics/student.h"
#include "reader/arena.h"

/* Equal times: the kernel takes enabled and running at slightly different moments. */
#define TIMES_EQUAL 1e-6

/* How far times within one group may lie apart for each instance, ns. */
#define GROUP_SLACK_NS 200e3

/* Rounds needed before slow drift can be told, and how clear it must be. */
enum { DRIFT_ROUNDS = 20 };
#define DRIFT_Z 3.3

/* Children add up to their parent by arithmetic where they come from the same counters. */
#define SAME_GROUP_SUM 1e-9

/* ---- the table ---- */

struct check_step {
	enum check_class class;
	double limit;
};

/*
 * Steps from harmless to severe.  With `below` a check fires when what is observed is
 * less than the limit, else when it is more.
 */
static const struct check_kind {
	const char *name;
	struct check_step steps[CHECK_STEPS];
	size_t nr_steps;
	bool below;
	const char *text;
} kinds[CHECK_NR] = {
	[CHECK_NOT_ENABLED] = { "not_enabled", { { CHECK_REFUSE, 0 } }, 1, false,
				"an event was never enabled here" },
	[CHECK_NOT_COUNTED] = { "not_counted", { { CHECK_REFUSE, 0 } }, 1, false, "an event never ran here" },
	[CHECK_UNOBSERVED_INSTANCES] = { "unobserved_instances",
					 { { CHECK_INFO, 0 }, { CHECK_WARN, 0.01 }, { CHECK_NO_INTERVAL, 0.10 } }, 3, false,
					 "an event never ran on a part of the cpus or threads" },
	[CHECK_COVERAGE_LOW] = { "coverage_low", { { CHECK_WARN, 0.10 }, { CHECK_NO_INTERVAL, 0.01 } }, 2, true,
				 "an event ran for a small part of the time" },
	[CHECK_OBSERVED_SHORT] = { "observed_short", { { CHECK_WARN, 0.100 }, { CHECK_NO_INTERVAL, 0.020 } }, 2, true,
				   "an event ran for a short time only (seconds)" },
	[CHECK_GROUP_INCOHERENT] = { "group_incoherent", { { CHECK_WARN, 0.001 } }, 1, false,
				     "events of one group did not run at the same time" },
	[CHECK_GROUP_SPLIT] = { "group_split", { { CHECK_INFO, 1 } }, 1, false,
				"a metric's events were counted at different times" },
	[CHECK_COVERAGE_UNEQUAL] = { "coverage_unequal", { { CHECK_WARN, 1.2 } }, 1, false,
				     "a metric's events ran for unequal parts of the time" },
	[CHECK_ROTATION_UNBALANCED] = { "rotation_unbalanced", { { CHECK_INFO, 3 } }, 1, false,
					"some groups ran much longer than others" },
	[CHECK_CLOSURE_RESIDUAL] = { "closure_residual",
				     { { CHECK_INFO, 0.005 }, { CHECK_WARN, 0.02 }, { CHECK_NO_INTERVAL, 0.05 } }, 3, false,
				     "the level 1 shares do not add up to 1" },
	[CHECK_CLOSURE_BIAS] = { "closure_bias", { { CHECK_NO_INTERVAL, 0.01 } }, 1, false,
				 "the level 1 shares miss 1 by more than chance: the rotation may be in step with the program, "
				 "or the formulas do not fit the CPU" },
	[CHECK_CLOSURE_DRIFT] = { "closure_drift", { { CHECK_NO_INTERVAL, 0.005 } }, 1, false,
				  "the sum of the level 1 shares drifts slowly: the rotation may be in step with the program" },
	[CHECK_CLOSURE_UNAVAILABLE] = { "closure_unavailable", { { CHECK_INFO, 0 } }, 1, false,
					"not all level 1 shares are there, so their sum cannot be checked" },
	[CHECK_TWIN_MISMATCH] = { "twin_mismatch", { { CHECK_NO_INTERVAL, 0.005 } }, 1, false,
				  "two groups that measured the same disagree: the rotation may be in step with the program" },
	[CHECK_PARENT_CHILD] = { "parent_child", { { CHECK_WARN, 0.01 } }, 1, false,
				 "the parts of a share do not add up to it" },
	[CHECK_ANCHOR_SPREAD] = { "anchor_spread", { { CHECK_INFO, 0.02 }, { CHECK_WARN, 0.10 } }, 2, false,
				  "an event that several groups counted differs between them" },
	[CHECK_NEGATIVE_COMPONENT] = { "negative_component", { { CHECK_INFO, 0 }, { CHECK_WARN, 0.005 } }, 2, false,
				       "a share is below 0" },
	[CHECK_OVER_UNITY] = { "over_unity", { { CHECK_WARN, 1.005 }, { CHECK_NO_INTERVAL, 1.05 } }, 2, false,
			       "a share is above 1" },
	[CHECK_IMPOSSIBLE_RATE] = { "impossible_rate", { { CHECK_REFUSE, 1.001 } }, 1, false,
				    "a counter says what it cannot have counted" },
	[CHECK_ZERO_DENOMINATOR] = { "zero_denominator", { { CHECK_INFO, 0 }, { CHECK_REFUSE, 0.0005 } }, 2, false,
				     "a denominator is exactly 0" },
	[CHECK_FEW_INTERVALS] = { "few_intervals", { { CHECK_NO_INTERVAL, JACKKNIFE_FEWEST } }, 1, true,
				  "too few intervals to see an error by" },
	[CHECK_RESONANCE_UNCHECKED] = { "resonance_unchecked", { { CHECK_INFO, 20 } }, 1, true,
					"whether the program is in step with the rotation cannot be told" },
	[CHECK_BURST_DOMINATED] = { "burst_dominated", { { CHECK_INFO, 0.5 } }, 1, false,
				    "one change between intervals makes most of the error" },
	[CHECK_DUPLICATE_CAPTURES] = { "duplicate_captures", { { CHECK_NO_INTERVAL, 0 } }, 1, false,
				       "two captures have the same counts" },
	[CHECK_PRINTED_DIFFERS] = { "printed_differs", { { CHECK_WARN, 0 } }, 1, false,
				    "a metric as perf printed it differs from ours by more than its digits allow" },
	[CHECK_METRIC_THRESHOLD] = { "metric_threshold", { { CHECK_INFO, 0 } }, 1, false,
				     "a metric is where its set says that it deserves a look (MetricThreshold)" },
};

const char *check_name(enum check_id id)
{
	return kinds[id].name;
}

const char *check_text(enum check_id id)
{
	return kinds[id].text;
}

/* ---- thresholds ---- */

void check_limits_default(struct check_limits *l)
{
	for (size_t id = 0; id < CHECK_NR; id++)
		for (size_t s = 0; s < CHECK_STEPS; s++)
			l->limit[id][s] = kinds[id].steps[s].limit;
}

static int find_kind(const char *name, size_t size)
{
	for (int id = 0; id < CHECK_NR; id++)
		if (strlen(kinds[id].name) == size && memcmp(kinds[id].name, name, size) == 0)
			return id;
	return -1;
}

/* Keeps a milder step from being beyond a severer one. */
static void order_steps(const struct check_kind *kind, double *limit)
{
	for (size_t s = kind->nr_steps - 1; s-- > 0;)
		limit[s] = kind->below ? fmax(limit[s], limit[s + 1]) : fmin(limit[s], limit[s + 1]);
}

int check_limits_set(struct check_limits *l, const char *text, struct error *err)
{
	const char *equal = strchr(text, '=');
	int id = equal ? find_kind(text, (size_t)(equal - text)) : -1;
	double values[CHECK_STEPS];
	const char *at = equal;
	size_t nr = 0;

	if (!equal)
		return fail(err, NO_OFFSET, "threshold '%s': expected NAME=VALUE", text);
	if (id < 0)
		return fail(err, NO_OFFSET, "threshold '%s': there is no check of this name", text);
	do {
		char *end;

		if (nr == kinds[id].nr_steps)
			return fail(err, NO_OFFSET, "threshold '%s': %s has %zu value%s", text, kinds[id].name,
				    kinds[id].nr_steps, kinds[id].nr_steps == 1 ? "" : "s");
		values[nr] = strtod(at + 1, &end);
		if (end == at + 1 || !isfinite(values[nr]) || (*end && *end != '/'))
			return fail(err, NO_OFFSET, "threshold '%s': expected a number after '%c'", text, *at);
		nr++;
		at = end;
	} while (*at);
	if (nr != 1 && nr != kinds[id].nr_steps)
		return fail(err, NO_OFFSET, "threshold '%s': expected one value or %zu", text, kinds[id].nr_steps);
	memcpy(&l->limit[id][kinds[id].nr_steps - nr], values, nr * sizeof(values[0]));
	order_steps(&kinds[id], l->limit[id]);
	return 0;
}

/* ---- what fired ---- */

void check_list_clear(struct check_list *l)
{
	l->nr = 0;
}

void check_detail(const struct check_row *row, char *to, size_t size)
{
	if (row->others)
		snprintf(to, size, "%s and %u other%s", row->subject, row->others, row->others == 1 ? "" : "s");
	else
		snprintf(to, size, "%s", row->subject);
}

static bool is_worse(const struct check_row *a, const struct check_row *b)
{
	if (a->class != b->class)
		return a->class > b->class;
	return kinds[a->id].below ? a->observed < b->observed : a->observed > b->observed;
}

void check_list_add(struct check_list *l, struct check_row row)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (l->rows[i].id != row.id)
			continue;
		row.others += l->rows[i].others + 1;
		if (is_worse(&row, &l->rows[i]))
			l->rows[i] = row;
		else
			l->rows[i].others = row.others;
		return;
	}
	l->rows[l->nr++] = row;
}

/* ---- one scope ---- */

/* What is known of an event, for all metrics that use it. */
struct event_verdict {
	bool used;               /* by a metric of the set */
	bool impossible;
	bool incoherent;         /* its group is */
	enum check_class class;  /* the most severe of what fired */
	const char *no_interval; /* reason, or NULL */
};

/* What is known of a metric while it is being decided. */
struct verdict {
	bool exact;          /* no event of it was multiplexed */
	bool short_of;       /* some event ran for less than it was enabled */
	const char *no_interval; /* reason, or NULL */
};

struct checks {
	const struct check_model *model;
	const struct checked_scope *scope;
	struct metric_result *results;
	struct check_list *list;
	struct verdict *verdicts;
	struct event_verdict *events;
	/* shortcuts through the model: there are hundreds of thousands of scopes */
	uint32_t *present;   /* metrics that can be computed */
	size_t nr_present;
	uint32_t *copied;    /* events that others count as well: the first of each kind */
	size_t nr_copied;
	uint32_t *pmu;       /* by event: the first event of its PMU, UINT32_MAX for software */
	/* students, remembered: every scope of a capture has the same number of rounds */
	struct { double p, df, t; } known[8];
	size_t next_known;
};

/* Events that compete for the same counters. */
static bool same_pmu(const struct event *a, const struct event *b)
{
	bool core_a = a->type == EVENT_HARDWARE || a->type == EVENT_HW_CACHE || a->type == EVENT_RAW;
	bool core_b = b->type == EVENT_HARDWARE || b->type == EVENT_HW_CACHE || b->type == EVENT_RAW;

	return core_a == core_b && (core_a || a->type == b->type);
}

static bool is_hardware(const struct event *e)
{
	return e->has_config && e->type != EVENT_SOFTWARE && e->type != EVENT_TRACEPOINT &&
	       e->type != EVENT_BREAKPOINT && e->type != EVENT_TOOL;
}

static void look_at_events(struct checks *c)
{
	const struct check_model *model = c->model;

	for (uint32_t e = 0; e < model->nr_events; e++) {
		uint32_t first = 0;
		bool copied = false;

		while (first < e && !(is_hardware(&model->events[first]) && same_pmu(&model->events[first], &model->events[e])))
			first++;
		c->pmu[e] = is_hardware(&model->events[e]) ? first : UINT32_MAX;
		for (uint32_t i = e + 1; i < model->nr_events; i++)
			copied = copied || model->same_as[i] == e;
		if (copied)
			c->copied[c->nr_copied++] = e;
	}
}

static void look_at_metrics(struct checks *c)
{
	const struct check_model *model = c->model;

	for (uint32_t m = 0; m < model->nr_metrics; m++) {
		if (!model->metrics[m].present)
			continue;
		c->present[c->nr_present++] = m;
		for (size_t i = 0; i < model->metrics[m].nr_events; i++)
			c->events[model->metrics[m].events[i]].used = true;
	}
}

struct checks *checks_new(const struct check_model *model)
{
	struct checks *c = must_alloc(sizeof(*c));

	memset(c, 0, sizeof(*c));
	c->model = model;
	c->verdicts = must_realloc(NULL, model->nr_metrics + 1, sizeof(*c->verdicts));
	c->present = must_realloc(NULL, model->nr_metrics + 1, sizeof(*c->present));
	c->events = must_realloc(NULL, model->nr_events + 1, sizeof(*c->events));
	c->copied = must_realloc(NULL, model->nr_events + 1, sizeof(*c->copied));
	c->pmu = must_realloc(NULL, model->nr_events + 1, sizeof(*c->pmu));
	memset(c->events, 0, model->nr_events * sizeof(*c->events));
	look_at_events(c);
	look_at_metrics(c);
	return c;
}

void checks_free(struct checks *c)
{
	if (!c)
		return;
	free(c->verdicts);
	free(c->events);
	free(c->present);
	free(c->copied);
	free(c->pmu);
	free(c);
}

static double student(struct checks *c, double p, double df)
{
	size_t nr = sizeof(c->known) / sizeof(c->known[0]);

	for (size_t i = 0; i < nr; i++)
		if (c->known[i].p == p && c->known[i].df == df)
			return c->known[i].t;
	c->next_known = (c->next_known + 1) % nr;
	c->known[c->next_known].p = p;
	c->known[c->next_known].df = df;
	c->known[c->next_known].t = student_quantile(p, df);
	return c->known[c->next_known].t;
}

/* The most severe step that `observed` reaches, or -1. */
static int step_of(const struct checks *c, enum check_id id, double observed)
{
	for (size_t s = kinds[id].nr_steps; s-- > 0;) {
		double limit = c->model->limits->limit[id][s];

		if (kinds[id].below ? observed < limit : observed > limit)
			return (int)s;
	}
	return -1;
}

static void record(struct checks *c, enum check_id id, enum check_class class, double observed, double threshold,
		   const char *subject)
{
	check_list_add(c->list, (struct check_row){ id, class, observed, threshold, subject, 0 });
}

/* What a check of this class does to a metric. */
static void affect(struct checks *c, size_t metric, enum check_class class, const char *reason)
{
	struct metric_result *r = &c->results[metric];

	if (r->status == METRIC_REFUSED || class == CHECK_INFO)
		return;
	if (class == CHECK_REFUSE) {
		r->status = METRIC_REFUSED;
		r->value = NAN;
		r->reason = reason;
		return;
	}
	r->status = METRIC_CAUTION;
	if (class == CHECK_NO_INTERVAL && !c->verdicts[metric].no_interval)
		c->verdicts[metric].no_interval = reason;
}

/* Compares, records and affects one metric.  Returns whether it fired. */
static bool look(struct checks *c, enum check_id id, double observed, size_t metric, const char *subject,
		 const char *reason)
{
	int s = step_of(c, id, observed);

	if (s < 0)
		return false;
	record(c, id, kinds[id].steps[s].class, observed, c->model->limits->limit[id][s], subject);
	affect(c, metric, kinds[id].steps[s].class, reason);
	return true;
}

/* Every share of the pipeline. */
static void affect_pipeline(struct checks *c, enum check_class class, const char *reason)
{
	for (size_t p = 0; p < c->nr_present; p++)
		if (c->model->metrics[c->present[p]].level)
			affect(c, c->present[p], class, reason);
}

static bool is_open(const struct checks *c, size_t metric)
{
	return c->results[metric].status != METRIC_REFUSED;
}

/* Events stand in groups by the position of the leader; one alone is its own. */
static uint32_t group_of(const struct checks *c, uint32_t event)
{
	int32_t leader = c->model->events[event].group;

	return leader < 0 ? event : (uint32_t)leader;
}

/* ---- what takes a value away ---- */

static bool is_exact(const struct cell *cell)
{
	if (cell->has_times)
		return cell->enabled > 0 &&
		       fabs((double)cell->enabled - (double)cell->running) <= TIMES_EQUAL * (double)cell->enabled;
	return cell->coverage >= 1 - TIMES_EQUAL;
}

static bool rate_is_impossible(const struct checks *c, uint32_t event, double *ratio)
{
	const struct check_model *model = c->model;
	double most = model->roles[event] == EVENT_SLOTS ? model->width : 1;
	const struct cell *cells = c->scope->cells;

	if (cells[event].exceeded || cells[event].fell) {
		*ratio = INFINITY;
		return true;
	}
	if ((model->roles[event] != EVENT_SLOTS && model->roles[event] != EVENT_CYCLES_PART) || !(most > 0))
		return false;
	for (uint32_t i = 0; i < model->nr_events; i++) {
		if (model->roles[i] != EVENT_CYCLES || group_of(c, i) != group_of(c, event) || !(cells[i].scaled > 0))
			continue;
		*ratio = cells[event].scaled / (most * cells[i].scaled);
		if (*ratio > model->limits->limit[CHECK_IMPOSSIBLE_RATE][0])
			return true;
	}
	return false;
}

static bool never_enabled(const struct cell *cell)
{
	return cell->state == CELL_NOT_SUPPORTED || (cell->has_times && cell->enabled == 0);
}

static bool never_ran(const struct cell *cell)
{
	return cell->state == CELL_NOT_COUNTED || (cell->has_times && cell->running == 0);
}

static void record_refusal(struct checks *c, enum check_id id, double observed, const char *subject)
{
	record(c, id, CHECK_REFUSE, observed, c->model->limits->limit[id][0], subject);
}

/* What makes an event useless, for whichever metric. */
static void check_event_states(struct checks *c)
{
	for (uint32_t e = 0; e < c->model->nr_events; e++) {
		const struct cell *cell = &c->scope->cells[e];
		const char *name = c->model->events[e].name;
		double ratio = 0;

		if (!c->events[e].used)
			continue;
		c->events[e].impossible = rate_is_impossible(c, e, &ratio);
		if (c->events[e].impossible)
			record_refusal(c, CHECK_IMPOSSIBLE_RATE, ratio, name);
		if (never_enabled(cell))
			record_refusal(c, CHECK_NOT_ENABLED, 0, name);
		else if (never_ran(cell))
			record_refusal(c, CHECK_NOT_COUNTED, 0, name);
	}
}

/* The first that is found is the reason, in the order of the checks. */
static void refuse_by_events(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	bool enabled = true, ran = true, possible = true;

	for (size_t i = 0; i < m->nr_events; i++) {
		const struct cell *cell = &c->scope->cells[m->events[i]];

		enabled = enabled && !never_enabled(cell);
		ran = ran && !never_ran(cell);
		possible = possible && !c->events[m->events[i]].impossible;
	}
	if (!enabled || !ran || !possible)
		affect(c, metric, CHECK_REFUSE,
		       kinds[!enabled ? CHECK_NOT_ENABLED : !ran ? CHECK_NOT_COUNTED : CHECK_IMPOSSIBLE_RATE].name);
}

/* What has no parts to speak of has none of each kind: a ratio of 0 to 0 below a parent of about 0. */
static void check_denominator(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	double limit = c->model->limits->limit[CHECK_ZERO_DENOMINATOR][1];
	double parent = m->parent >= 0 ? fabs(c->results[m->parent].value) : NAN;

	if (parent < limit) {
		record(c, CHECK_ZERO_DENOMINATOR, CHECK_INFO, parent, limit, m->name);
		c->results[metric].value = 0;
		return;
	}
	record_refusal(c, CHECK_ZERO_DENOMINATOR, 0, m->name);
	affect(c, metric, CHECK_REFUSE, kinds[CHECK_ZERO_DENOMINATOR].name);
}

/* Parents first: their parts look at their value. */
static void check_denominators(struct checks *c)
{
	if (!c->scope->zero_denominator)
		return;
	for (int has_parent = 0; has_parent < 2; has_parent++)
		for (size_t p = 0; p < c->nr_present; p++)
			if (c->scope->zero_denominator[c->present[p]] && is_open(c, c->present[p]) &&
			    (c->model->metrics[c->present[p]].parent >= 0) == has_parent)
				check_denominator(c, c->present[p]);
}

/* ---- how much of the time was seen ---- */

static void check_coverage(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	struct metric_result *r = &c->results[metric];
	struct verdict *v = &c->verdicts[metric];

	r->coverage = m->nr_events ? INFINITY : NAN;
	v->exact = true;
	for (size_t i = 0; i < m->nr_events; i++) {
		const struct cell *cell = &c->scope->cells[m->events[i]];

		if (!(cell->coverage >= r->coverage))
			r->coverage = cell->coverage;
		v->exact = v->exact && is_exact(cell);
		v->short_of = v->short_of || cell->coverage < 1 - TIMES_EQUAL;
	}
}

static void look_at_event(struct checks *c, enum check_id id, double observed, uint32_t event, const char *reason)
{
	struct event_verdict *v = &c->events[event];
	int s = step_of(c, id, observed);
	enum check_class class;

	if (s < 0)
		return;
	class = kinds[id].steps[s].class;
	record(c, id, class, observed, c->model->limits->limit[id][s], c->model->events[event].name);
	v->class = class > v->class ? class : v->class;
	if (class == CHECK_NO_INTERVAL && !v->no_interval)
		v->no_interval = reason;
}

static void check_observation(struct checks *c)
{
	for (uint32_t e = 0; e < c->model->nr_events; e++) {
		const struct cell *cell = &c->scope->cells[e];

		if (!c->events[e].used || never_enabled(cell) || never_ran(cell))
			continue;
		if (cell->has_times)
			look_at_event(c, CHECK_UNOBSERVED_INSTANCES, (double)cell->dead_enabled / (double)cell->enabled,
				      e, "unobserved-instances");
		if (is_exact(cell))
			continue;
		look_at_event(c, CHECK_COVERAGE_LOW, cell->coverage, e, "coverage-low");
		if (cell->has_times)
			look_at_event(c, CHECK_OBSERVED_SHORT, (double)cell->running / 1e9, e, "observed-short");
	}
}

/* ---- groups ---- */

struct times {
	double least, most;
	uint32_t instances;
};

static struct times group_times(const struct checks *c, uint32_t leader)
{
	struct times t = { INFINITY, 0, 0 };

	for (uint32_t e = 0; e < c->model->nr_events; e++) {
		const struct cell *cell = &c->scope->cells[e];

		if (group_of(c, e) != leader || !cell->has_times)
			continue;
		t.least = fmin(t.least, (double)cell->running);
		t.most = fmax(t.most, (double)cell->running);
		t.instances = cell->instances > t.instances ? cell->instances : t.instances;
	}
	return t;
}

/* Members of a group are on the counters together, so their times are equal. */
static void check_coherence(struct checks *c)
{
	for (uint32_t leader = 0; leader < c->model->nr_events; leader++) {
		struct times t;
		double limit;

		if (c->model->events[leader].group != (int32_t)leader)
			continue;
		t = group_times(c, leader);
		limit = fmax(c->model->limits->limit[CHECK_GROUP_INCOHERENT][0] * t.most, GROUP_SLACK_NS * t.instances);
		if (!(t.most - t.least > limit))
			continue;
		record(c, CHECK_GROUP_INCOHERENT, CHECK_WARN, t.most - t.least, limit, c->model->events[leader].name);
		for (uint32_t e = leader; e < c->model->nr_events; e++)
			if (group_of(c, e) == leader)
				c->events[e].incoherent = true;
	}
}

static void check_split(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	double least = INFINITY, most = 0, groups = 1;

	for (size_t i = 0; i < m->nr_events; i++) {
		double coverage = c->scope->cells[m->events[i]].coverage;
		bool is_new = i > 0;

		least = fmin(least, coverage);
		most = fmax(most, coverage);
		for (size_t k = 0; k < i; k++)
			is_new = is_new && group_of(c, m->events[k]) != group_of(c, m->events[i]);
		groups += is_new;
	}
	if (groups > c->model->limits->limit[CHECK_GROUP_SPLIT][0])
		record(c, CHECK_GROUP_SPLIT, CHECK_INFO, groups, c->model->limits->limit[CHECK_GROUP_SPLIT][0], m->name);
	look(c, CHECK_COVERAGE_UNEQUAL, most / least, metric, m->name, NULL);
}

static void check_grouping(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	bool incoherent = m->nr_events && c->events[m->events[0]].incoherent;

	c->results[metric].co_scheduled = (m->one_group && !incoherent) || c->verdicts[metric].exact;
	if (m->one_group && incoherent)
		affect(c, metric, CHECK_WARN, NULL);
	else if (!m->one_group && c->verdicts[metric].short_of)
		check_split(c, metric);
}

/* The range of coverage among the events of a PMU, told by its first event. */
static void check_pmu(struct checks *c, uint32_t first)
{
	double least = INFINITY, most = 0;

	for (uint32_t e = first; e < c->model->nr_events; e++) {
		double coverage = c->scope->cells[e].coverage;

		if (c->pmu[e] != first || !(coverage > 0))
			continue;
		least = coverage < least ? coverage : least;
		most = coverage > most ? coverage : most;
	}
	if (most > 0 && step_of(c, CHECK_ROTATION_UNBALANCED, most / least) >= 0)
		record(c, CHECK_ROTATION_UNBALANCED, CHECK_INFO, most / least,
		       c->model->limits->limit[CHECK_ROTATION_UNBALANCED][0],
		       c->model->events[first].pmu ? c->model->events[first].pmu : "cpu");
}

static void check_rotation(struct checks *c)
{
	for (uint32_t e = 0; e < c->model->nr_events; e++)
		if (c->pmu[e] == e)
			check_pmu(c, e);
}

/* The same counter in several groups, told by its first event. */
static void check_anchor(struct checks *c, uint32_t event)
{
	double least = INFINITY, most = 0, sum = 0, nr = 0, observed;
	int s;

	for (uint32_t e = event; e < c->model->nr_events; e++) {
		double scaled = c->scope->cells[e].scaled;

		if (c->model->same_as[e] != event || isnan(scaled))
			continue;
		least = fmin(least, scaled);
		most = fmax(most, scaled);
		sum += scaled;
		nr++;
	}
	observed = nr > 1 && sum > 0 ? (most - least) / (sum / nr) : 0;
	s = step_of(c, CHECK_ANCHOR_SPREAD, observed);
	if (s < 0)
		return;
	record(c, CHECK_ANCHOR_SPREAD, kinds[CHECK_ANCHOR_SPREAD].steps[s].class, observed,
	       c->model->limits->limit[CHECK_ANCHOR_SPREAD][s], c->model->events[event].name);
	for (size_t p = 0; p < c->nr_present; p++) {
		const struct check_metric *m = &c->model->metrics[c->present[p]];

		for (size_t i = 0; m->is_count && i < m->nr_events; i++)
			if (c->model->same_as[m->events[i]] == event)
				affect(c, c->present[p], kinds[CHECK_ANCHOR_SPREAD].steps[s].class, NULL);
	}
}

static void check_anchors(struct checks *c)
{
	for (size_t i = 0; i < c->nr_copied; i++)
		check_anchor(c, c->copied[i]);
}

/* ---- what must add up ---- */

/* Sum of the level 1 shares; NaN unless all are there.  *nr_there counts those that are. */
static double level1_sum(const struct checks *c, size_t *nr_there)
{
	double sum = 0;
	size_t nr = 0;

	*nr_there = 0;
	for (size_t m = 0; m < c->model->nr_metrics; m++) {
		if (c->model->metrics[m].level != 1)
			continue;
		nr++;
		*nr_there += isfinite(c->results[m].value) ? 1 : 0;
		sum += c->results[m].value;
	}
	return nr && *nr_there == nr ? sum : NAN;
}

/*
 * A series with a known value: is it missed by more than chance, and does it drift?
 * Limits: the least distance that matters, and the least half width.
 */
static void check_against(struct checks *c, enum check_id bias_id, double bias_limit, enum check_id drift_id,
			  double drift_limit, double distance, const struct jackknife_sums *sums, const char *subject)
{
	struct closure k = jackknife_closure(sums);
	double df = (double)sums->rounds - 1;
	double chance = fmax(bias_limit, student(c, 0.9995, df) * k.se);
	double half_width = student(c, 0.975, df) * k.se;

	if (fabs(distance) > chance) {
		record(c, bias_id, CHECK_NO_INTERVAL, fabs(distance), chance, subject);
		affect_pipeline(c, CHECK_NO_INTERVAL, "closure-failed");
	}
	if (sums->rounds >= DRIFT_ROUNDS && k.z > DRIFT_Z && half_width > drift_limit) {
		record(c, drift_id, CHECK_NO_INTERVAL, half_width, drift_limit, subject);
		affect_pipeline(c, CHECK_NO_INTERVAL, "closure-failed");
	}
}

static bool usable(const struct jackknife_sums *sums)
{
	return sums && sums->finite && sums->rounds >= JACKKNIFE_FEWEST;
}

/* Returns whether the sum of the parts could be followed through the rounds. */
static bool check_closure(struct checks *c)
{
	const struct check_limits *l = c->model->limits;
	size_t nr_there;
	double residual = level1_sum(c, &nr_there) - 1;
	int s = step_of(c, CHECK_CLOSURE_RESIDUAL, fabs(residual));

	if (isnan(residual)) {
		if (nr_there)
			record(c, CHECK_CLOSURE_UNAVAILABLE, CHECK_INFO, (double)nr_there, 0, "");
		return false;
	}
	if (s >= 0) {
		record(c, CHECK_CLOSURE_RESIDUAL, kinds[CHECK_CLOSURE_RESIDUAL].steps[s].class, fabs(residual),
		       l->limit[CHECK_CLOSURE_RESIDUAL][s], residual < 0 ? "sum below 1" : "sum above 1");
		affect_pipeline(c, kinds[CHECK_CLOSURE_RESIDUAL].steps[s].class, "closure-failed");
	}
	if (!usable(c->scope->closure))
		return false;
	check_against(c, CHECK_CLOSURE_BIAS, l->limit[CHECK_CLOSURE_BIAS][0], CHECK_CLOSURE_DRIFT,
		      l->limit[CHECK_CLOSURE_DRIFT][0], residual, c->scope->closure,
		      residual < 0 ? "sum below 1" : "sum above 1");
	return true;
}

double check_twin_difference(const struct check_twin *twin, double width, const double *scaled)
{
	if (!twin->present)
		return NAN;
	return (scaled[twin->ops[0]] / scaled[twin->cycles[0]] - scaled[twin->ops[1]] / scaled[twin->cycles[1]]) / width;
}

static void check_twin(struct checks *c)
{
	const struct check_twin *twin = &c->model->twin;
	const struct cell *cells = c->scope->cells;
	double limit = c->model->limits->limit[CHECK_TWIN_MISMATCH][0], difference;

	if (!twin->present)
		return;
	difference = (cells[twin->ops[0]].scaled / cells[twin->cycles[0]].scaled -
		      cells[twin->ops[1]].scaled / cells[twin->cycles[1]].scaled) / c->model->width;
	if (usable(c->scope->twin)) {
		check_against(c, CHECK_TWIN_MISMATCH, limit, CHECK_TWIN_MISMATCH, limit / 2, difference, c->scope->twin,
			      c->model->events[twin->ops[0]].name);
	} else if (fabs(difference) > 2 * limit) {
		record(c, CHECK_TWIN_MISMATCH, CHECK_WARN, fabs(difference), 2 * limit,
		       c->model->events[twin->ops[0]].name);
		affect_pipeline(c, CHECK_WARN, NULL);
	}
}

/* Was this value set to 0 because there was next to nothing to divide? */
static bool is_void(const struct checks *c, size_t metric)
{
	return c->scope->zero_denominator && c->scope->zero_denominator[metric];
}

/* The children of a parent in one group with it: nothing but rounding may be left. */
static void check_children(struct checks *c, size_t parent)
{
	const struct check_model *model = c->model;
	bool same = model->metrics[parent].one_group;
	double sum = 0, difference, limit;
	size_t nr = 0;

	for (size_t p = 0; p < c->nr_present; p++) {
		size_t m = c->present[p];

		if (model->metrics[m].parent != (int32_t)parent)
			continue;
		nr++;
		sum += is_open(c, m) ? c->results[m].value : NAN;
		same = same && !is_void(c, m) && model->metrics[m].one_group && model->metrics[m].nr_events &&
		       group_of(c, model->metrics[m].events[0]) == group_of(c, model->metrics[parent].events[0]);
	}
	difference = fabs(sum - c->results[parent].value);
	limit = same ? SAME_GROUP_SUM : model->limits->limit[CHECK_PARENT_CHILD][0];
	if (!nr || !(difference > limit))
		return;
	record(c, CHECK_PARENT_CHILD, CHECK_WARN, difference, limit, model->metrics[parent].name);
	affect(c, parent, CHECK_WARN, NULL);
	for (size_t p = 0; p < c->nr_present; p++)
		if (model->metrics[c->present[p]].parent == (int32_t)parent)
			affect(c, c->present[p], CHECK_WARN, NULL);
}

static void check_parents(struct checks *c)
{
	for (size_t p = 0; p < c->nr_present; p++) {
		size_t m = c->present[p];

		if (c->model->metrics[m].level == 1 && is_open(c, m) && c->model->metrics[m].nr_events)
			check_children(c, m);
	}
}

/* ---- the error ---- */

static void no_error(struct metric_result *r, const char *reason)
{
	r->method = METHOD_NONE;
	r->reason = reason;
}

/* Is this the only level 1 share that its group gives?  Then the sum's error holds for it as well. */
static bool alone_in_group(const struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];

	for (size_t i = 0; i < c->model->nr_metrics; i++) {
		const struct check_metric *other = &c->model->metrics[i];

		if (i != metric && other->level == 1 && other->nr_events &&
		    group_of(c, other->events[0]) == group_of(c, m->events[0]))
			return false;
	}
	return true;
}

static bool is_twin(const struct check_twin *twin, const struct check_metric *m)
{
	return twin->present && m->nr_events == 2 &&
	       ((m->events[0] == twin->cycles[0] && m->events[1] == twin->ops[0]) ||
		(m->events[1] == twin->cycles[0] && m->events[0] == twin->ops[0]));
}

/* The other series that tells how far a level 1 share can be off, or NULL. */
static const struct jackknife_sums *tightener(const struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];

	if (!c->model->tighten || m->level != 1 || !m->one_group)
		return NULL;
	if (is_twin(&c->model->twin, m))
		return usable(c->scope->twin) ? c->scope->twin : NULL;
	return usable(c->scope->closure) && alone_in_group(c, metric) ? c->scope->closure : NULL;
}

static void set_interval(struct checks *c, size_t metric, const struct jackknife_sums *sums)
{
	const struct jackknife_sums *other = tightener(c, metric);
	struct metric_result *r = &c->results[metric];
	bool split = !c->model->metrics[metric].is_count && !r->co_scheduled;
	double half_width;

	r->method = METHOD_INTERVALS;
	r->reason = "";
	r->se = jackknife_se(sums, split ? 1 : 1 - sums->coverage);
	r->df = jackknife_df(sums);
	if (other && jackknife_closure(other).se < r->se) {
		r->se = jackknife_closure(other).se;
		r->df = (double)other->rounds - 1;
	}
	half_width = student(c, (1 + c->model->level) / 2, r->df) * r->se;
	r->lo = r->value - half_width;
	r->hi = r->value + half_width;
}

static void set_exact(struct metric_result *r)
{
	r->method = METHOD_EXACT;
	r->reason = "";
	r->se = 0;
	r->lo = r->hi = r->value;
}

static void decide(struct checks *c, size_t metric)
{
	const struct jackknife_sums *sums = c->scope->sums ? &c->scope->sums[metric] : NULL;
	struct metric_result *r = &c->results[metric];
	const struct verdict *v = &c->verdicts[metric];
	uint64_t rounds = sums ? sums->rounds : c->scope->rounds;

	r->rounds = rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds;
	if (r->status == METRIC_REFUSED)
		return;
	if (v->exact && !v->no_interval) {
		set_exact(r);
	} else if (v->exact) {
		no_error(r, v->no_interval);
	} else if (rounds < 2) {
		no_error(r, "single-total");
	} else if (look(c, CHECK_FEW_INTERVALS, (double)rounds, metric, c->model->metrics[metric].name, NULL)) {
		no_error(r, "few-intervals");
	} else if (!sums) {
		no_error(r, "rounds-not-kept");
	} else if (!sums->finite) {
		no_error(r, "nonfinite-replicate");
	} else if (v->no_interval) {
		no_error(r, v->no_interval);
	} else {
		set_interval(c, metric, sums);
	}
}

/* What deserves a word once the interval is known. */
static void check_interval(struct checks *c, size_t metric, bool followed)
{
	const struct jackknife_sums *sums = c->scope->sums ? &c->scope->sums[metric] : NULL;
	const char *name = c->model->metrics[metric].name;
	double limit = c->model->limits->limit[CHECK_RESONANCE_UNCHECKED][0];

	if (c->results[metric].method != METHOD_INTERVALS || !sums)
		return;
	if ((double)sums->rounds < limit || !followed)
		record(c, CHECK_RESONANCE_UNCHECKED, CHECK_INFO, (double)sums->rounds, limit, name);
	if (sums->rounds >= DRIFT_ROUNDS && sums->steps > 0 &&
	    step_of(c, CHECK_BURST_DOMINATED, sums->step_max / sums->steps) >= 0)
		record(c, CHECK_BURST_DOMINATED, CHECK_INFO, sums->step_max / sums->steps,
		       c->model->limits->limit[CHECK_BURST_DOMINATED][0], name);
}

static void check_sign(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];
	const struct metric_result *r = &c->results[metric];
	const double *limit = c->model->limits->limit[CHECK_NEGATIVE_COMPONENT];
	bool severe = -r->value > limit[1] && !(r->hi >= 0);

	if (!m->level || !(r->value < -limit[0]))
		return;
	record(c, CHECK_NEGATIVE_COMPONENT, severe ? CHECK_WARN : CHECK_INFO, -r->value, limit[severe], m->name);
	affect(c, metric, severe ? CHECK_WARN : CHECK_INFO, NULL);
}

static void set_bounds(struct checks *c, size_t metric)
{
	struct metric_result *r = &c->results[metric];

	if (!c->model->metrics[metric].has_bounds || !r->co_scheduled || !c->verdicts[metric].short_of)
		return;
	r->bound_lo = bound_lo(r->value, r->coverage);
	r->bound_hi = bound_hi(r->value, r->coverage);
}

/* ---- all together ---- */

static void begin(struct checks *c, const struct checked_scope *scope, struct metric_result *results,
		  struct check_list *list)
{
	c->scope = scope;
	c->results = results;
	c->list = list;
	check_list_clear(list);
	for (size_t e = 0; e < c->model->nr_events; e++)
		c->events[e] = (struct event_verdict){ .used = c->events[e].used };
	for (size_t p = 0; p < c->nr_present; p++) {
		struct metric_result *r = &results[c->present[p]];

		c->verdicts[c->present[p]] = (struct verdict){ 0 };
		r->se = r->lo = r->hi = r->df = r->bound_lo = r->bound_hi = NAN;
		r->level = c->model->level;
		r->method = METHOD_NONE;
	}
}

static void check_refusals(struct checks *c)
{
	check_event_states(c);
	for (size_t p = 0; p < c->nr_present; p++)
		if (is_open(c, c->present[p]))
			refuse_by_events(c, c->present[p]);
	check_denominators(c);
}

static void check_measurement(struct checks *c, size_t metric)
{
	const struct check_metric *m = &c->model->metrics[metric];

	for (size_t i = 0; i < m->nr_events; i++)
		affect(c, metric, c->events[m->events[i]].class, c->events[m->events[i]].no_interval);
	check_grouping(c, metric);
	if (m->is_share)
		look(c, CHECK_OVER_UNITY, c->results[metric].value, metric, m->name, "over-unity");
}

static void check_measurements(struct checks *c)
{
	check_observation(c);
	check_coherence(c);
	for (size_t p = 0; p < c->nr_present; p++) {
		check_coverage(c, c->present[p]);
		if (is_open(c, c->present[p]))
			check_measurement(c, c->present[p]);
	}
	check_rotation(c);
	check_anchors(c);
}

void checks_run(struct checks *c, const struct checked_scope *scope, struct metric_result *results,
		struct check_list *list)
{
	bool followed;

	begin(c, scope, results, list);
	check_refusals(c);
	check_measurements(c);
	followed = check_closure(c);
	check_twin(c);
	check_parents(c);
	for (size_t p = 0; p < c->nr_present; p++)
		decide(c, c->present[p]);
	for (size_t p = 0; p < c->nr_present; p++) {
		if (!is_open(c, c->present[p]))
			continue;
		check_interval(c, c->present[p], followed);
		check_sign(c, c->present[p]);
		set_bounds(c, c->present[p]);
	}
}
