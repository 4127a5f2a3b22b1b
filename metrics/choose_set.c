// SPDX-License-Identifier: GPL-2.0-only
/* From a capture to its metric set. */
#include "metrics/choose_set.h"

#include <string.h>

/* How many metrics of the set the capture has the events for. */
struct computable {
	size_t all, pipeline;
};

static struct computable count_computable(const struct metric_set *s, const struct capture *c)
{
	struct metric_plan *plan = plan_new(s, c);
	struct computable n = { 0, 0 };

	for (size_t m = 0; m < s->nr_metrics; m++) {
		const uint32_t *events;

		if (!plan_has(plan, m) || !plan_events(plan, m, &events))
			continue;
		n.all++;
		n.pipeline += s->metrics[m].level > 0;
	}
	plan_free(plan);
	return n;
}

static bool can_compute_any(const struct metric_set *s, const struct capture *c)
{
	return count_computable(s, c).all > 0;
}

static bool is_core_event(const struct event *e)
{
	return e->opened && (e->has_config ? e->type == EVENT_RAW : strchr(e->name, '_') || strchr(e->name, '.'));
}

/* Does the set know every core event of the capture, and (strictly) under the name that was recorded? */
static bool knows_all(const struct metric_set *s, const struct capture *c, bool by_name)
{
	size_t known = 0;

	for (size_t i = 0; i < c->nr_events; i++) {
		const struct event *e = &c->events[i];
		const char *name;

		if (!is_core_event(e))
			continue;
		name = set_canonical(s, e);
		if (!name)
			return false;
		if (by_name && strchr(e->name, '_') && !strstr(e->name, name))
			return false;
		known++;
	}
	return known > 0;
}

/* Sets that fit by their events; their names joined, and the set when it is the only one. */
static struct metric_set *by_events(struct capture *c, bool by_name, const char **names)
{
	struct metric_set *only = NULL;
	size_t nr = 0;
	struct error err;

	*names = "";
	for (const char *const *n = set_names(); *n; n++) {
		struct metric_set *s = set_builtin(*n, &err);

		if (!s || strcmp(*n, "generic") == 0 || !knows_all(s, c, by_name) || !can_compute_any(s, c)) {
			set_free(s);
			continue;
		}
		*names = arena_printf(c->arena, "%s%s%s", *names, nr ? ", " : "", *n);
		if (nr++ == 0)
			only = s;
		else
			set_free(s);
	}
	if (nr == 1)
		return only;
	set_free(only);
	return NULL;
}

static const char *all_names(struct arena *arena)
{
	const char *text = "";

	for (const char *const *n = set_names(); *n; n++)
		text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "", *n);
	return text;
}

static struct metric_set *generic_if_useful(const struct capture *c)
{
	struct error err;
	struct metric_set *s = set_builtin("generic", &err);

	if (s && can_compute_any(s, c))
		return s;
	set_free(s);
	return NULL;
}

/* A capture of nothing but generic events says more by the generic metrics. */
static int choose_by_cpu(struct capture *c, const char *name, struct metric_set **ret, struct error *err)
{
	struct metric_set *generic;
	struct computable of_cpu;

	*ret = set_builtin(name, err);
	if (!*ret)
		return -1;
	of_cpu = count_computable(*ret, c);
	if (of_cpu.pipeline)
		return 0;
	generic = generic_if_useful(c);
	if (generic && count_computable(generic, c).all > of_cpu.all) {
		set_free(*ret);
		*ret = generic;
	} else {
		set_free(generic);
	}
	return 0;
}

static void choose_by_events(struct capture *c, struct metric_set **ret, const char **note)
{
	const char *several, *exact;

	*ret = by_events(c, false, &several);
	if (!*ret && *several)
		*ret = by_events(c, true, &exact);
	if (!*ret && *several)
		*note = arena_printf(c->arena,
				     "the capture does not name its CPU, and the events fit several metric sets (%s): "
				     "choose one with --set",
				     several);
	if (*ret || *several)
		return;
	*ret = generic_if_useful(c);
	if (!*ret)
		*note = arena_printf(c->arena, "no metric set fits%s%s; there are %s (--set NAME, --metrics FILE)",
				     c->cpuid ? " the CPU " : "", c->cpuid ? c->cpuid : "", all_names(c->arena));
}

void printed_names_add(struct printed_names *p, const char *name)
{
	for (size_t i = 0; i < p->nr; i++)
		if (strcmp(p->names[i], name) == 0)
			return;
	if (p->nr < PRINTED_NAMES)
		p->names[p->nr++] = name;
}

/* The pipeline's metrics that were printed, if the set has all that look like them. */
static size_t count_printed(const struct metric_set *s, const struct printed_names *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++) {
		int32_t m = set_find_metric(s, p->names[i]);

		nr += m >= 0 && s->metrics[m].level > 0;
	}
	return nr;
}

/* perf stat --metric-only: names are all there is.  The set that has most of them, if it is one. */
static struct metric_set *by_printed_names(const struct printed_names *p)
{
	struct metric_set *best = NULL;
	size_t most = 0;
	struct error err;

	for (const char *const *n = set_names(); *n; n++) {
		struct metric_set *s = set_builtin(*n, &err);
		size_t nr = s ? count_printed(s, p) : 0;

		if (nr > most) {
			set_free(best);
			best = s;
			most = nr;
			continue;
		}
		if (nr && nr == most) {
			set_free(best); /* several: none of them is certain */
			best = NULL;
		}
		set_free(s);
	}
	return best;
}

int choose_set(struct capture *c, const char *name, const char *metrics_path, const struct printed_names *printed,
	       struct metric_set **ret, const char **note, struct error *err)
{
	const char *of_cpu = c->cpuid ? set_for_cpuid(c->cpuid) : NULL;

	*ret = NULL;
	*note = "";
	if (metrics_path) {
		*ret = set_load(metrics_path, err);
		return *ret ? 0 : -1;
	}
	if (name) {
		*ret = set_builtin(name, err);
		return *ret ? 0 : -1;
	}
	if (of_cpu)
		return choose_by_cpu(c, of_cpu, ret, err);
	if (!c->nr_events) {
		*ret = by_printed_names(printed);
		if (!*ret && printed->nr)
			*note = arena_printf(c->arena, "what perf printed (%s%s) belongs to no metric set", printed->names[0],
					     printed->nr > 1 ? ", …" : "");
		if (*ret || printed->nr)
			return 0;
	}
	choose_by_events(c, ret, note);
	return 0;
}
