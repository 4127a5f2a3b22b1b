// SPDX-License-Identifier: GPL-2.0-only
/* `perftab metrics`: what is computed, from what, and how. */
#include "export/metric_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/event_match.h"
#include "metrics/plan_parts.h"
#include "metrics/record_advice.h"

/* ---- sets and lists ---- */

static void set_row(struct page *p, const struct metric_set *set)
{
	char metrics[24], events[24], width[24] = "", pipeline[24];
	size_t nr = 0;
	const char *cells[] = { set->name, metrics, pipeline, events, width };

	for (size_t m = 0; m < set->nr_metrics; m++)
		nr += set->metrics[m].level > 0;
	snprintf(metrics, sizeof(metrics), "%zu", set->nr_metrics);
	snprintf(pipeline, sizeof(pipeline), "%zu", nr);
	snprintf(events, sizeof(events), "%zu", set->nr_events);
	if (set->width)
		snprintf(width, sizeof(width), "%" PRIu32, set->width);
	page_table_row(p, 0, cells);
}

int metric_page_sets(struct page *p, struct error *err)
{
	static const struct page_column columns[] = {
		{ "set", PAGE_LEFT },
		{ "metrics", PAGE_RIGHT },
		{ "of the pipeline", PAGE_RIGHT },
		{ "events", PAGE_RIGHT },
		{ "slots a cycle", PAGE_RIGHT },
	};

	page_table_begin(p, columns, 5);
	for (const char *const *n = set_names(); *n; n++) {
		struct metric_set *set = set_builtin(*n, err);

		if (!set)
			return -1;
		set_row(p, set);
		set_free(set);
	}
	page_table_end(p);
	page_line(p, "perftab metrics --set NAME lists the metrics of a set, perftab metrics --set NAME METRIC explains one.");
	return 0;
}

void metric_page_list(struct page *p, const struct metric_set *set, const char *group)
{
	static const struct page_column columns[] = {
		{ "metric", PAGE_LEFT }, { "unit", PAGE_LEFT }, { "groups", PAGE_LEFT }, { "what it says", PAGE_LEFT },
	};

	page_table_begin(p, columns, 4);
	for (size_t m = 0; m < set->nr_metrics; m++) {
		const struct set_metric *metric = &set->metrics[m];
		const char *cells[] = { metric->name, *metric->scale_unit ? metric->scale_unit : metric->unit, metric->group,
					metric->description };

		if (!group || metric_in_group(metric, group))
			page_table_row(p, metric->level == 2, cells);
	}
	page_table_end(p);
}

/* ---- one metric ---- */

static void draw_family(struct page *p, const struct metric_set *set, size_t metric)
{
	const struct set_metric *m = &set->metrics[metric];
	char text[600] = "";

	if (m->parent >= 0)
		page_fact(p, "part of", set->metrics[m->parent].name);
	for (size_t i = 0; i < set->nr_metrics; i++)
		if (set->metrics[i].parent == (int32_t)metric && strlen(text) < sizeof(text) - 80) {
			strcat(text, *text ? ", " : "");
			strncat(text, set->metrics[i].name, 78);
		}
	if (*text)
		page_fact(p, "parts", text);
}

static void draw_event(struct page *p, const struct metric_set *set, const char *name)
{
	int32_t at = set_find_event(set, name);
	struct event_meaning e;
	char config[40] = "", pmu[64] = "";
	const char *cells[] = { name, pmu, config, at >= 0 ? set->events[at].description : "" };

	if (event_config_of(set, name, &e)) {
		snprintf(config, sizeof(config), "0x%" PRIx64, e.config);
		snprintf(pmu, sizeof(pmu), "%.*s", e.pmu ? (int)e.pmu_size : 3, e.pmu ? e.pmu : "cpu");
		if (e.type == EVENT_SOFTWARE)
			strcpy(pmu, "software");
		if (e.type == EVENT_HARDWARE)
			strcpy(pmu, "generic");
	}
	page_table_row(p, 0, cells);
}

static void draw_events(struct page *p, const struct metric_set *set, const struct set_metric *m)
{
	static const struct page_column columns[] = {
		{ "event", PAGE_LEFT }, { "PMU", PAGE_LEFT }, { "config", PAGE_RIGHT }, { "counts", PAGE_LEFT },
	};
	struct arena *arena = arena_new();
	struct record_advice advice;
	struct error err;

	if (record_advice_make(arena, set, m->name, &advice, &err) == 0) {
		page_table_begin(p, columns, 4);
		for (size_t g = 0; g < advice.nr; g++)
			for (size_t i = 0; i < advice.groups[g].nr; i++)
				draw_event(p, set, advice.groups[g].names[i]);
		page_table_end(p);
	}
	arena_free(arena);
}

void metric_page_one(struct page *p, const struct metric_set *set, size_t metric)
{
	const struct set_metric *m = &set->metrics[metric];
	char heading[200], scale[100];

	snprintf(heading, sizeof(heading), "%s (%s)", m->name, set->name);
	page_heading(p, 1, heading);
	if (*m->description)
		page_line(p, m->description);
	page_fact(p, "formula", m->formula);
	if (expr_is_logical(m->expr))
		page_fact(p, "| & ^", "logical, as in perf 6.12 and later; perf 6.1 took them bitwise");
	if (*m->scale_unit || m->scale != 1) {
		snprintf(scale, sizeof(scale), "value × %g, in %s", m->scale, m->scale_unit);
		page_fact(p, "shown as", scale);
	}
	page_fact(p, "unit of value", m->unit);
	if (*m->group)
		page_fact(p, "groups", m->group);
	if (m->threshold)
		page_fact(p, "threshold", m->threshold);
	draw_family(p, set, metric);
	draw_events(p, set, m);
}

/* ---- how to record ---- */

/* {a,b},{c,d}: one group each, in braces where it has several */
static char *event_list(struct arena *arena, const struct metric_set *set, const struct record_advice *a, bool by_code)
{
	char *text = arena_strdup(arena, "");

	for (size_t g = 0; g < a->nr; g++) {
		const struct event_group *group = &a->groups[g];

		text = arena_printf(arena, "%s%s%s", text, g ? "," : "", group->nr > 1 ? "{" : "");
		for (size_t i = 0; i < group->nr; i++)
			text = arena_printf(arena, "%s%s%s", text, i ? "," : "",
					    by_code ? record_advice_code(arena, set, group->names[i]) : group->names[i]);
		text = arena_printf(arena, "%s%s", text, group->nr > 1 ? "}" : "");
	}
	return text;
}

static void draw_command(struct page *p, const char *what, const char *command)
{
	page_line(p, what);
	page_command(p, command);
}

static bool is_l1(const char *name)
{
	return strcasecmp(name, "PipelineL1") == 0;
}

int metric_page_record(struct page *p, const struct metric_set *set, const char *name, struct error *err)
{
	struct arena *arena = arena_new();
	struct record_advice a;
	char text[300];
	int result = record_advice_make(arena, set, name, &a, err);

	if (result == 0) {
		snprintf(text, sizeof(text), "%s on %s", name, set->name);
		page_heading(p, 1, text);
		if (a.nr == 1)
			snprintf(text, sizeof(text),
				 "By event code, for any perf: %zu events in one group, nothing is multiplexed while %d counters are free:",
				 a.groups[0].nr, ADVICE_COUNTERS);
		else
			snprintf(text, sizeof(text),
				 "By event code, for any perf: %zu groups in rotation, each metric whole in one of them:", a.nr);
		draw_command(p, text,
			     arena_printf(arena, "perf stat record -I 100 -e '%s' -o perf.data -- COMMAND",
					  event_list(arena, set, &a, true)));
		draw_command(p, "The same by name, where perf knows this CPU (perf list):",
			     arena_printf(arena, "perf stat record -I 100 -e '%s' -o perf.data -- COMMAND",
					  event_list(arena, set, &a, false)));
		draw_command(p, "As perf groups them itself, more of them in rotation (perf 6.2 or newer):",
			     arena_printf(arena, "perf stat record -I 100 -M %s%s -o perf.data -- COMMAND", name,
					  is_l1(name) ? "" : ",PipelineL1"));
		page_line(p, "Run for at least 2 seconds, better 10: -I 100 gives the intervals from which the error of "
			     "multiplexing is worked out. The NMI watchdog holds a counter: "
			     "echo 0 > /proc/sys/kernel/nmi_watchdog frees it.");
	}
	arena_free(arena);
	return result;
}

/* ---- how a value came about ---- */

static void draw_operand(struct page *p, const struct analysis *a, const struct scope *s, const struct plan_operand *o,
			 uint32_t event)
{
	const struct event *e = &a->capture->events[event];
	const struct cell *c = &s->cells[event];
	char group[24] = "", raw[40] = "", enabled[40] = "", running[40] = "", scaled[48] = "", coverage[24] = "";
	const char *cells[] = { o->name, e->name, group, raw, enabled, running, coverage, scaled };

	if (e->group >= 0)
		snprintf(group, sizeof(group), "%" PRId32, e->group);
	if (c->has_raw)
		snprintf(raw, sizeof(raw), "%" PRIu64, c->raw);
	if (c->has_times) {
		snprintf(enabled, sizeof(enabled), "%" PRIu64, c->enabled);
		snprintf(running, sizeof(running), "%" PRIu64, c->running);
	}
	if (!isnan(c->coverage))
		snprintf(coverage, sizeof(coverage), "%.2f %%", c->coverage * 100);
	snprintf(scaled, sizeof(scaled), "%s", cell_state_name(c->state));
	if (!isnan(c->scaled))
		snprintf(scaled, sizeof(scaled), "%.6f", c->scaled);
	page_table_row(p, 0, cells);
}

static void draw_operands(struct page *p, const struct analysis *a, const struct scope *s, const struct plan_metric *m)
{
	static const struct page_column columns[] = {
		{ "operand", PAGE_LEFT },      { "event", PAGE_LEFT },	      { "group", PAGE_RIGHT },
		{ "raw", PAGE_RIGHT },	       { "enabled ns", PAGE_RIGHT }, { "running ns", PAGE_RIGHT },
		{ "coverage", PAGE_RIGHT }, { "scaled", PAGE_RIGHT },
	};

	page_table_begin(p, columns, 8);
	for (size_t i = 0; i < m->nr_operands; i++)
		for (size_t k = 0; k < m->operands[i].nr_events; k++)
			draw_operand(p, a, s, &m->operands[i], m->operands[i].events[k]);
	page_table_end(p);
	page_note(p, "scaled is raw × enabled / running, for each counter that was opened, added up.");
}

/* The formula with each operand replaced by its number. */
static char *with_numbers(struct arena *arena, const struct scope *s, const struct plan_metric *m)
{
	char *text = arena_strdup(arena, m->metric->formula);

	for (size_t i = 0; i < m->nr_operands; i++) {
		double sum = 0;

		for (size_t k = 0; k < m->operands[i].nr_events; k++)
			sum += s->cells[m->operands[i].events[k]].scaled;
		text = arena_printf(arena, "%s\n%s = %.17g", text, m->operands[i].name, sum * m->operands[i].unit);
	}
	return text;
}

void metric_page_explain(struct page *p, const struct analysis *a, const struct scope *s,
			 const struct metric_result *result, size_t metric)
{
	const struct plan_metric *m = &a->plan->metrics[metric];
	struct arena *arena = arena_new();
	char text[400];

	snprintf(text, sizeof(text), "%s in %s", m->metric->name, a->capture->name);
	page_heading(p, 2, text);
	if (!m->has) {
		page_linef(p, "Not computable: the capture lacks %s.", m->missing);
		arena_free(arena);
		return;
	}
	draw_operands(p, a, s, m);
	page_command(p, with_numbers(arena, s, m));
	page_linef(p, "%s = %.17g (%s), as perf would work it out %.17g", m->metric->name, result->value, m->metric->unit,
		   result->value_perf);
	page_linef(p, m->one_group ? "All its events were counted together, in one group%s." :
				     "Its events are in different groups%s, so they were counted at different times.",
		   m->groups_known ? "" : " (as far as the capture tells)");
	if (result->reason && *result->reason)
		page_linef(p, "error: %s, %s", metric_method_name(result->method), result->reason);
	arena_free(arena);
}
