// SPDX-License-Identifier: GPL-2.0-only
/* The head of a report for people: what was recorded, where, and how it was counted. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "export/figures.h"
#include "export/modifiers.h"
#include "export/report_parts.h"

static void fact(const struct report_page *r, const char *name, const char *value)
{
	if (value && *value)
		page_fact(r->page, name, value);
}

__attribute__((format(printf, 3, 4))) static void factf(const struct report_page *r, const char *name,
							const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fact(r, name, text);
}

/* Runs of one program have numbers, by which the tables name them. */
static void draw_captures(const struct report_page *r, const struct analysis *a)
{
	char name[40];

	if (!a->runs)
		factf(r, "capture", "%s (%s)", a->capture->name, a->capture->format);
	for (size_t i = 0; a->runs && i < a->runs->nr; i++) {
		snprintf(name, sizeof(name), "run %zu", i + 1);
		fact(r, name, a->runs->paths[i]);
	}
}

static void draw_machine(const struct report_page *r, const struct capture *c)
{
	char cpus[40] = "";

	if (c->cpus_online >= 0)
		snprintf(cpus, sizeof(cpus), "%" PRId64 " CPU%s online", c->cpus_online, c->cpus_online == 1 ? "" : "s");
	factf(r, "machine", "%s%s%s%s%s", c->hostname ? c->hostname : "", c->hostname && c->cpu_desc ? ", " : "",
	      c->cpu_desc ? c->cpu_desc : "", *cpus && (c->hostname || c->cpu_desc) ? ", " : "", cpus);
	if (c->os_release || c->perf_version)
		factf(r, "software", "%s%s%s%s%s", c->os_release ? "Linux " : "", c->os_release ? c->os_release : "",
		      c->os_release && c->perf_version ? ", " : "", c->perf_version ? "perf " : "",
		      c->perf_version ? c->perf_version : "");
}

/* Groups take turns as a whole; events in none take turns alone. */
static const char *in_groups(const struct capture *c, char *to, size_t size)
{
	size_t nr = 0, alone = 0;

	*to = 0;
	for (size_t i = 0; i < c->nr_events; i++) {
		nr += c->events[i].group == (int32_t)i;
		alone += c->events[i].group < 0;
		if (!c->events[i].group_known)
			return to;
	}
	if (nr)
		snprintf(to, size, ", in %zu group%s%s", nr, nr == 1 ? "" : "s", alone ? " and alone" : "");
	return to;
}

static void draw_multiplexing(const struct report_page *r, const struct capture *c)
{
	char groups[60];

	if (r->least > r->most)
		return;
	in_groups(c, groups, sizeof(groups));
	if (r->least >= 1)
		fact(r, "multiplexing", "none: every event was counted all the time");
	else if (r->most - r->least < 0.0005)
		factf(r, "multiplexing", "events were counted %s of the time%s", figure_coverage(r->least).text, groups);
	else
		factf(r, "multiplexing", "events were counted %s to %s of the time%s", figure_coverage(r->least).text,
		      figure_coverage(r->most).text, groups);
}

static void draw_modes(const struct report_page *r, const struct analysis *a)
{
	struct modifiers_walk walk = { 0 };

	while (modifiers_next(&walk, a)) {
		const char *meaning = modifiers_meaning(walk.modifiers);

		factf(r, "counted", "%s%s(:%s): %s", meaning, *meaning ? " " : "", walk.modifiers, walk.metrics);
	}
	modifiers_end(&walk);
}

void report_draw_head(const struct report_page *r, const struct analysis *a)
{
	const struct capture *c = a->capture;

	page_heading(r->page, 1, !r->nr_scopes	     ? "Samples by event" :
				 report_has_pipeline(r) ? "Pipeline utilization" :
				 r->nr_others	     ? "Metrics" :
							  "Counts");
	draw_captures(r, a);
	draw_machine(r, c);
	fact(r, "command", c->command);
	if (c->duration_ns >= 0 && !a->runs)
		factf(r, "duration", "%.6g s%s", (double)c->duration_ns * 1e-9, c->interval_ms ? "" : " elapsed");
	if (c->interval_ms && !a->runs)
		factf(r, "interval", "%" PRId64 " ms", c->interval_ms);
	draw_multiplexing(r, c);
	draw_modes(r, a);
	if (a->set && a->set->width && report_has_pipeline(r))
		factf(r, "metric set", "%s, %" PRIu32 " dispatch slots a cycle", a->set->name, a->set->width);
	else if (a->set)
		fact(r, "metric set", a->set->name);
	if (*a->note)
		factf(r, "metric set", "none: %s", a->note);
}
