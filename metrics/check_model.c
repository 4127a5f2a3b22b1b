// SPDX-License-Identifier: GPL-2.0-only
/*
 * Roles: which captured events count cycles and slots, which of them count the same in
 * different groups, and which metrics are shares of the pipeline.
 */
#include "metrics/check_model.h"

#include <math.h>
#include <string.h>

#include "metrics/event_match.h"

/* Events of AMD's pipeline by the names that the sets give them. */
#define CYCLES_NAME "ls_not_halted_cyc"
static const char *const slot_names[] = {
	"de_no_dispatch_per_slot.no_ops_from_frontend",
	"de_no_dispatch_per_slot.backend_stalls",
	"de_no_dispatch_per_slot.smt_contention",
	"de_src_op_disp.all",
};

/* A counter with a threshold of slots counts cycles. */
#define CONFIG_CMASK 0xff000000ull

static bool is_core(const struct event_meaning *m, const struct set_event *e)
{
	return m->known && m->type == EVENT_RAW && m->config1 == e->config1 && m->config2 == e->config2;
}

static enum event_role role_of(const struct metric_set *set, const struct event *event)
{
	struct event_meaning m;
	int32_t cycles = set_find_event(set, CYCLES_NAME);

	event_meaning_of(set, event, &m);
	if (cycles >= 0 && is_core(&m, &set->events[cycles]) && m.config == set->events[cycles].config)
		return EVENT_CYCLES;
	for (size_t i = 0; i < sizeof(slot_names) / sizeof(slot_names[0]); i++) {
		int32_t slots = set_find_event(set, slot_names[i]);

		if (slots < 0 || !is_core(&m, &set->events[slots]))
			continue;
		if (m.config == set->events[slots].config)
			return EVENT_SLOTS;
		if ((m.config & ~CONFIG_CMASK) == set->events[slots].config)
			return EVENT_CYCLES_PART;
	}
	return EVENT_PLAIN;
}

static bool same_event(const struct metric_set *set, const struct event *a, const struct event *b)
{
	struct event_meaning x, y;

	event_meaning_of(set, a, &x);
	event_meaning_of(set, b, &y);
	return a->has_config == b->has_config && event_excludes(a) == event_excludes(b) && x.type != EVENT_OF_PMU &&
	       event_meaning_equal(&x, &y);
}

static void look_at_events(struct arena *arena, const struct metric_plan *plan, struct check_model *model)
{
	enum event_role *roles = arena_alloc(arena, (plan->nr_events + 1) * sizeof(*roles));
	uint32_t *same_as = arena_alloc(arena, (plan->nr_events + 1) * sizeof(*same_as));
	const struct event *events = plan->capture->events;

	for (uint32_t e = 0; e < plan->nr_events; e++) {
		roles[e] = role_of(plan->set, &events[e]);
		same_as[e] = 0;
		while (same_as[e] < e && !same_event(plan->set, &events[same_as[e]], &events[e]))
			same_as[e]++;
	}
	model->roles = roles;
	model->same_as = same_as;
}

/* A value that doubles when all counts double grows with time. */
static bool grows_with_counts(struct arena *arena, const struct metric_plan *plan, const struct plan_metric *m)
{
	double *counts = arena_alloc(arena, (plan->nr_events + 1) * sizeof(*counts));
	double *instances = arena_alloc(arena, (plan->nr_events + 1) * sizeof(*instances));
	const struct plan_inputs in = { counts, instances, 1, NULL };
	double once, twice;

	for (size_t e = 0; e < plan->nr_events; e++) {
		counts[e] = 1e6 + 1000 * (double)((e * 7919) % 997);
		instances[e] = 1;
	}
	once = plan_formula(m, &in, NULL);
	for (size_t e = 0; e < plan->nr_events; e++)
		counts[e] *= 2;
	twice = plan_formula(m, &in, NULL);
	return once != 0 && fabs(twice - 2 * once) <= 1e-9 * fabs(once);
}

static uint32_t pipeline_level(const struct metric_set *set, const struct set_metric *m)
{
	bool is_part = (m->level == 1 || m->level == 2) && strstr(m->group, "PipelineL");

	return set->width && is_part ? (uint32_t)m->level : 0;
}

static void look_at_metric(struct arena *arena, const struct metric_plan *plan, size_t metric, struct check_metric *ret)
{
	const struct plan_metric *p = &plan->metrics[metric];
	const struct set_metric *m = &plan->set->metrics[metric];

	*ret = (struct check_metric){
		.name = m->name,
		.events = p->events,
		.nr_events = p->nr_events,
		.parent = m->parent,
		.level = pipeline_level(plan->set, m),
		.is_share = strcmp(m->unit, "share") == 0,
		.is_count = p->has && grows_with_counts(arena, plan, p),
		.one_group = p->one_group && p->groups_known,
		.present = p->has,
	};
	ret->has_bounds = ret->level == 1 || (ret->level == 2 && m->parent >= 0 &&
					      strcmp(plan->set->metrics[m->parent].name, "frontend_bound") == 0);
}

/* The event of `group` that counts the same as `event`; UINT32_MAX where there is none. */
static uint32_t copy_in_group(const struct check_model *model, const struct capture *c, uint32_t event, uint32_t group)
{
	for (uint32_t e = 0; e < model->nr_events; e++)
		if (model->same_as[e] == model->same_as[event] && plan_group_of(c, e) == group)
			return e;
	return UINT32_MAX;
}

/* retiring is measured wherever cycles and retired ops are in one group: the first two such groups. */
static void find_twin(const struct metric_plan *plan, struct check_model *model)
{
	int32_t retiring = set_find_metric(plan->set, "retiring");
	const struct capture *c = plan->capture;
	struct check_twin *twin = &model->twin;
	uint32_t group;

	if (retiring < 0 || !(model->width > 0) || !model->metrics[retiring].present ||
	    !model->metrics[retiring].one_group || model->metrics[retiring].nr_events != 2)
		return;
	twin->cycles[0] = model->metrics[retiring].events[0];
	twin->ops[0] = model->metrics[retiring].events[1];
	if (model->roles[twin->cycles[0]] != EVENT_CYCLES) {
		twin->cycles[0] = model->metrics[retiring].events[1];
		twin->ops[0] = model->metrics[retiring].events[0];
	}
	group = plan_group_of(c, twin->ops[0]);
	for (uint32_t e = 0; e < model->nr_events; e++) {
		if (plan_group_of(c, e) == group || model->same_as[e] != model->same_as[twin->ops[0]])
			continue;
		twin->ops[1] = e;
		twin->cycles[1] = copy_in_group(model, c, twin->cycles[0], plan_group_of(c, e));
		twin->present = model->roles[twin->cycles[0]] == EVENT_CYCLES && twin->cycles[1] != UINT32_MAX;
		if (twin->present)
			return;
	}
}

struct check_model *check_model_new(struct arena *arena, const struct metric_plan *plan)
{
	struct check_model *model = arena_alloc(arena, sizeof(*model));
	struct check_metric *metrics = arena_alloc(arena, (plan->set->nr_metrics + 1) * sizeof(*metrics));

	model->events = plan->capture->events;
	model->nr_events = plan->nr_events;
	model->nr_metrics = plan->set->nr_metrics;
	model->width = plan->set->width;
	look_at_events(arena, plan, model);
	for (size_t m = 0; m < model->nr_metrics; m++)
		look_at_metric(arena, plan, m, &metrics[m]);
	model->metrics = metrics;
	find_twin(plan, model);
	return model;
}
