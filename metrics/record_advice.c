// SPDX-License-Identifier: GPL-2.0-only
/* From metrics to the groups of events that record them. */
#include "metrics/record_advice.h"

#include <inttypes.h>
#include <string.h>

#include "metrics/event_match.h"

bool metric_in_group(const struct set_metric *m, const char *group)
{
	size_t size = strlen(group);

	for (const char *at = m->group; *at; at += strcspn(at, ";"), at += *at == ';')
		if (strncmp(at, group, size) == 0 && (at[size] == ';' || !at[size]))
			return true;
	return false;
}

/* ---- the events of one metric ---- */

static bool has_name(const struct event_group *g, const char *name)
{
	for (size_t i = 0; i < g->nr; i++)
		if (strcmp(g->names[i], name) == 0)
			return true;
	return false;
}

static void add_name(struct arena *arena, struct event_group *g, const char *name)
{
	const char **names;

	if (has_name(g, name))
		return;
	names = arena_alloc(arena, (g->nr + 1) * sizeof(*names));
	if (g->nr)
		memcpy(names, g->names, g->nr * sizeof(*names));
	names[g->nr++] = name;
	g->names = names;
}

/* References to other metrics are followed; the set was refused if they went round. */
static void collect(struct arena *arena, const struct metric_set *set, const struct set_metric *m, struct event_group *g)
{
	const struct expr_name *names;
	size_t nr = expr_names(m->expr, &names);

	for (size_t i = 0; i < nr; i++) {
		int32_t other = names[i].kind == EXPR_EVENT ? set_find_metric(set, names[i].text) : -1;

		if (other >= 0)
			collect(arena, set, &set->metrics[other], g);
		else if (names[i].kind == EXPR_EVENT && strcmp(names[i].text, "duration_time"))
			add_name(arena, g, names[i].text);
	}
}

/* ---- packing ---- */

static size_t size_together(const struct event_group *a, const struct event_group *b)
{
	size_t nr = a->nr;

	for (size_t i = 0; i < b->nr; i++)
		nr += !has_name(a, b->names[i]);
	return nr;
}

static struct event_group *new_group(struct arena *arena, struct record_advice *a)
{
	struct event_group *groups = arena_alloc(arena, (a->nr + 1) * sizeof(*groups));

	if (a->nr)
		memcpy(groups, a->groups, a->nr * sizeof(*groups));
	a->groups = groups;
	return &groups[a->nr++];
}

static void pack(struct arena *arena, struct record_advice *a, const struct event_group *events)
{
	struct event_group *into = NULL;

	for (size_t i = 0; i < a->nr && !into; i++)
		if (size_together(&a->groups[i], events) <= ADVICE_COUNTERS)
			into = &a->groups[i];
	if (!into)
		into = new_group(arena, a);
	for (size_t i = 0; i < events->nr; i++)
		add_name(arena, into, events->names[i]);
}

int record_advice_make(struct arena *arena, const struct metric_set *set, const char *metric_or_group,
		       struct record_advice *ret, struct error *err)
{
	*ret = (struct record_advice){ 0 };
	for (size_t m = 0; m < set->nr_metrics; m++) {
		struct event_group events = { 0 };

		if (strcmp(set->metrics[m].name, metric_or_group) && !metric_in_group(&set->metrics[m], metric_or_group))
			continue;
		collect(arena, set, &set->metrics[m], &events);
		if (events.nr)
			pack(arena, ret, &events);
		ret->nr_metrics++;
	}
	if (ret->nr_metrics)
		return 0;
	return fail(err, NO_OFFSET, "set %s has no metric or group '%s'", set->name, metric_or_group);
}

/* ---- by code ---- */

static const char *term(struct arena *arena, const char *before, const char *name, uint64_t value)
{
	return value ? arena_printf(arena, "%s,%s=0x%" PRIx64, before, name, value) : before;
}

const char *record_advice_code(struct arena *arena, const struct metric_set *set, const char *name)
{
	struct event_meaning e;
	const char *text;

	if (!event_config_of(set, name, &e) || e.type != EVENT_RAW || e.config1 || e.config2)
		return name;
	text = arena_printf(arena, "cpu/event=0x%" PRIx64, (e.config & 0xff) | (e.config >> 32 & 0xf) << 8);
	text = term(arena, text, "umask", e.config >> 8 & 0xff);
	text = term(arena, text, "edge", e.config >> 18 & 1);
	text = term(arena, text, "inv", e.config >> 23 & 1);
	text = term(arena, text, "cmask", e.config >> 24 & 0xff);
	return arena_printf(arena, "%s/", text);
}
