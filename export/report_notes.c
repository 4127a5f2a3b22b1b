// SPDX-License-Identifier: GPL-2.0-only
/*
 * The notes below a report for people: what the errors mean, why some values have none,
 * every check that fired with what it saw, what is missing, and what could not be read.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/figures.h"
#include "export/report_parts.h"

__attribute__((format(printf, 2, 3))) static void notef(const struct report_page *r, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	page_note(r->page, text);
	free(text);
}

/* ---- what the errors mean ---- */

static const struct metric_result *any_result(const struct report_page *r, enum metric_method method, const char *reason)
{
	for (size_t s = 0; s < r->nr_scopes; s++)
		for (size_t i = 0; i < r->nr_results; i++) {
			const struct metric_result *res = &r->scopes[s].results[i];

			if (!isnan(res->value) && res->method == method && (!reason || !strcmp(res->reason, reason)))
				return res;
		}
	return NULL;
}

static void draw_captions(const struct report_page *r)
{
	const struct metric_result *res = any_result(r, METHOD_INTERVALS, NULL);

	if (res)
		notef(r, "±: multiplexing error of this run only, at a confidence of %g %%, from the differences between "
			 "intervals (K). How runs differ is not in it.", res->level * 100);
	res = any_result(r, METHOD_REPEATS, NULL);
	if (res)
		notef(r, "±: how far the mean of such runs may be off, at a confidence of %g %%, from the differences "
			 "between the captures.", res->level * 100);
	if (any_result(r, METHOD_EXACT, NULL))
		notef(r, "exact: counted all the time, so multiplexing adds no error. How runs differ is not included.");
}

/* Why there is no interval of error, once for each reason; checks that take it away tell their own. */
static void draw_reasons(const struct report_page *r)
{
	static const struct {
		const char *reason, *text;
	} texts[] = {
		{ "single-total", "one total alone cannot say how far multiplexing moved a value. Record with -I 100 for at "
				  "least 2 seconds, or without multiplexing." },
		{ "few-intervals", "too few intervals to say how far multiplexing moved a value; 8 are needed, 20 are better." },
		{ "nonfinite-replicate", "without one of the intervals a value could not be computed, so how far multiplexing "
					 "moved it cannot be said." },
		{ "rounds-not-kept", "the intervals could not be kept, so how far multiplexing moved a value cannot be said." },
		{ "too-few-captures", "fewer than 3 captures with a value cannot say how runs differ." },
	};

	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		if (any_result(r, METHOD_NONE, texts[t].reason))
			notef(r, "%s: %s", texts[t].reason, texts[t].text);
}

static bool has_bounds(const struct report_page *r)
{
	for (size_t s = 0; s < r->nr_scopes && r->nr_scopes <= MAX_WIDE; s++)
		for (size_t i = 0; i < r->nr_results; i++)
			if (r->scopes[s].results[i].method == METHOD_NONE && !isnan(r->scopes[s].results[i].bound_lo))
				return true;
	return false;
}

/* ---- checks ---- */

/* Some checks compare nothing: what they tell is that something is not there. */
static bool has_amount(const struct check_row *row)
{
	if (row->id == CHECK_CLOSURE_UNAVAILABLE || row->id == CHECK_DUPLICATE_CAPTURES)
		return false;
	return row->class != CHECK_REFUSE || (row->observed != 0 && isfinite(row->observed));
}

static void draw_check(const struct report_page *r, const struct kept_check *k)
{
	const struct check_row *row = &k->row;
	char detail[300], amount[200] = "", others[60] = "";

	check_detail(row, detail, sizeof(detail));
	if (has_amount(row) && isnan(row->threshold))
		snprintf(amount, sizeof(amount), ": observed %s", figure_plain(row->observed).text);
	else if (has_amount(row))
		snprintf(amount, sizeof(amount), ": observed %s, threshold %s", figure_plain(row->observed).text,
			 figure_plain(row->threshold).text);
	if (k->nr_scopes > 1)
		snprintf(others, sizeof(others), "; in %zu rows, the worst is told", k->nr_scopes);
	notef(r, "%s (%s): %s%s%s%s%s%s", check_name(row->id), check_class_name(row->class), check_text(row->id), amount,
	      *detail ? " (" : "", detail, *detail ? ")" : "", others);
}

static void draw_checks(const struct report_page *r)
{
	for (int class = CHECK_REFUSE; class >= CHECK_INFO; class--)
		for (size_t id = 0; id < CHECK_NR; id++)
			if (r->checks[id].nr_scopes && (int)r->checks[id].row.class == class)
				draw_check(r, &r->checks[id]);
}

/* ---- what is missing ---- */

const char *report_why_missing(const struct analysis *a, size_t metric)
{
	static const struct {
		const char *reason, *text;
	} texts[] = {
		{ "missing-event", "events not in the capture" },
		{ "not_supported", "events not supported" },
		{ "modifiers-differ", "events with different modifiers" },
	};
	const char *reason = plan_reason(a->plan, metric);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(reason, texts[i].reason) == 0)
			return texts[i].text;
	return reason;
}

/* Is this name in the list already?  Names are separated by ", ". */
static bool is_listed(const char *list, const char *name, size_t size)
{
	for (const char *at = list; (at = strstr(at, name)); at++) {
		if ((at == list || (at[-1] == ' ' && at[-2] == ',')) && (!at[size] || !strncmp(at + size, ", ", 2)))
			return true;
	}
	return false;
}

/* All events that shares of the pipeline lack, each once. */
static char *missing_events(const struct report_page *r, const struct analysis *a)
{
	char *list = strdup("");

	for (size_t i = 0; i < r->nr_pipeline; i++) {
		const char *at = r->place_of[r->pipeline[i]] == NOT_COMPUTED ? plan_missing(a->plan, r->pipeline[i]) : "";

		while (*at) {
			const char *end = strstr(at, ", ");
			size_t size = end ? (size_t)(end - at) : strlen(at);
			char *name = strndup(at, size), *more;

			if (!is_listed(list, name, size)) {
				if (asprintf(&more, "%s%s%s", list, *list ? ", " : "", name) < 0)
					abort();
				free(list);
				list = more;
			}
			free(name);
			at += end ? size + 2 : size;
		}
	}
	return list;
}

static void draw_missing(const struct report_page *r, const struct analysis *a)
{
	size_t others = 0;

	for (size_t m = 0; m < a->set->nr_metrics; m++)
		others += r->place_of[m] == NOT_COMPUTED;
	if (report_has_pipeline(r)) {
		char *list = missing_events(r, a);

		for (size_t i = 0; i < r->nr_pipeline; i++)
			others -= r->place_of[r->pipeline[i]] == NOT_COMPUTED;
		if (*list)
			notef(r, "The shares without a value need: %s", list);
		free(list);
	}
	if (others)
		notef(r, "%zu more metrics of %s need events that are not in the capture; perftab info names them.", others,
		      a->set->name);
}

/* ---- the end ---- */

void report_draw_damage(const struct report_page *r, const struct analysis *a)
{
	const struct damage *d = &a->capture->damage;

	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = d->of[k].detail;
		char at[40] = "";

		if (!d->of[k].count)
			continue;
		if (d->of[k].first_offset != NO_OFFSET)
			snprintf(at, sizeof(at), ", first at offset %" PRIu64, d->of[k].first_offset);
		notef(r, "%s: %s%s%s (%" PRIu64 "%s)", damage_name((enum damage_kind)k), damage_text((enum damage_kind)k),
		      *detail ? ": " : "", detail, d->of[k].count, at);
	}
}

void report_draw_notes(const struct report_page *r, const struct analysis *a)
{
	if (a->plan && r->nr_scopes) {
		draw_captions(r);
		draw_reasons(r);
		if (has_bounds(r))
			notef(r, "bounds: the value can lie anywhere between these, by what may have happened in the time "
				 "that was not counted, at the same rate of cycles.");
		draw_checks(r);
		draw_missing(r, a);
	}
	report_draw_damage(r, a);
}
