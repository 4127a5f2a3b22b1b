// SPDX-License-Identifier: GPL-2.0-only
/* The report for people, as a page: keeps what it is shown, and draws its tables. */
#include "export/report_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/figures.h"
#include "export/pipeline_order.h"
#include "export/report_parts.h"
#include "export/report_words.h"
#include "export/rows.h"
#include "export/sample_totals.h"

struct report_page *report_page_new(struct page *page, bool counts)
{
	struct report_page *r = must_alloc(sizeof(*r));

	r->page = page;
	r->parts = parts_page_new(page);
	r->counts = counts;
	return r;
}

static void forget(struct report_page *r)
{
	for (size_t i = 0; i < r->nr_scopes; i++) {
		free(r->scopes[i].place);
		free(r->scopes[i].results);
		free(r->scopes[i].checks);
		free(r->scopes[i].runs);
	}
	free(r->scopes);
	free(r->cells);
	free(r->pipeline);
	free(r->others);
	free(r->place_of);
	*r = (struct report_page){ .page = r->page, .parts = r->parts, .counts = r->counts };
}

void report_page_free(struct report_page *r)
{
	if (!r)
		return;
	forget(r);
	parts_page_free(r->parts);
	free(r);
}

/* ---- keeping ---- */

static bool is_pipeline(const struct report_page *r, size_t metric)
{
	for (size_t i = 0; i < r->nr_pipeline; i++)
		if (r->pipeline[i] == metric)
			return true;
	return false;
}

int report_page_begin(struct report_page *r, const struct analysis *a)
{
	forget(r);
	parts_page_begin(r->parts);
	r->least = INFINITY;
	r->most = -INFINITY;
	if (!a->set)
		return 0;
	r->only_printed = !a->capture->nr_events;
	r->pipeline = pipeline_order(a->set, &r->nr_pipeline);
	r->others = must_realloc(NULL, a->set->nr_metrics + 1, sizeof(*r->others));
	r->place_of = must_realloc(NULL, a->set->nr_metrics + 1, sizeof(*r->place_of));
	for (size_t m = 0; m < a->set->nr_metrics; m++) {
		bool share = is_pipeline(r, m), kept = plan_has(a->plan, m) || (share && r->only_printed);

		r->place_of[m] = kept ? r->nr_results++ : NOT_COMPUTED;
		if (kept && !share)
			r->others[r->nr_others++] = m;
	}
	return 0;
}

bool report_has_pipeline(const struct report_page *r)
{
	for (size_t i = 0; i < r->nr_pipeline; i++)
		if (r->place_of[r->pipeline[i]] != NOT_COMPUTED)
			return true;
	return false;
}

static void keep_counts(struct report_page *r, const struct scope *s)
{
	for (size_t e = 0; e < s->nr_cells; e++) {
		const struct cell *c = &s->cells[e];

		if (!count_is_shown(s, e))
			continue;
		if (r->nr_cells == MAX_COUNTS) {
			r->dropped_cells++;
			continue;
		}
		if ((r->nr_cells & (r->nr_cells - 1)) == 0)
			r->cells = must_realloc(r->cells, r->nr_cells ? r->nr_cells * 2 : 1, sizeof(*r->cells));
		r->cells[r->nr_cells++] = (struct kept_count){
			.scope = (uint32_t)r->nr_scopes - 1, .event = (uint32_t)e, .state = c->state,
			.instances = c->instances, .dead = c->dead, .scaled = c->scaled, .coverage = c->coverage,
		};
	}
}

static void note_coverage(struct report_page *r, const struct scope *s)
{
	for (size_t e = 0; e < s->nr_cells; e++) {
		double c = s->cells[e].coverage;

		if (isnan(c) || !count_is_shown(s, e))
			continue;
		r->least = fmin(r->least, c);
		r->most = fmax(r->most, c);
	}
}

/* A check with a lower limit is worse for what is smaller. */
static bool is_worse(const struct check_row *a, const struct check_row *b)
{
	if (a->class != b->class)
		return a->class > b->class;
	return b->observed < b->threshold ? a->observed < b->observed : a->observed > b->observed;
}

static void note_checks(struct report_page *r, const struct check_list *list)
{
	for (size_t i = 0; list && i < list->nr; i++) {
		struct kept_check *k = &r->checks[list->rows[i].id];

		if (!k->nr_scopes++ || is_worse(&list->rows[i], &k->row))
			k->row = list->rows[i];
	}
}

static struct metric_result *keep_results(const struct report_page *r, const struct analysis *a,
					  const struct metric_result *results)
{
	struct metric_result *copy;

	if (!a->plan)
		return NULL;
	copy = must_realloc(NULL, r->nr_results + 1, sizeof(*copy));
	for (size_t m = 0; m < a->set->nr_metrics; m++)
		if (r->place_of[m] != NOT_COMPUTED)
			copy[r->place_of[m]] = results[m];
	return copy;
}

static double *keep_runs(const struct report_page *r, const struct analysis *a)
{
	double *copy = must_realloc(NULL, r->nr_results * a->runs->nr + 1, sizeof(*copy));
	size_t size = a->runs->nr * sizeof(*copy);

	for (size_t m = 0; m < a->set->nr_metrics; m++)
		if (r->place_of[m] != NOT_COMPUTED)
			memcpy(&copy[r->place_of[m] * a->runs->nr], &a->runs->values[m * a->runs->nr], size);
	return copy;
}

void report_page_scope(struct report_page *r, const struct analysis *a, const struct scope *s,
		       const struct metric_result *results)
{
	struct kept *k;

	note_coverage(r, s);
	if (a->plan)
		note_checks(r, a->checks);
	if (r->nr_scopes == MAX_SCOPES || r->nr_scopes * r->nr_results > MAX_RESULTS) {
		r->dropped_scopes++;
		return;
	}
	if ((r->nr_scopes & (r->nr_scopes - 1)) == 0)
		r->scopes = must_realloc(r->scopes, r->nr_scopes ? r->nr_scopes * 2 : 1, sizeof(*r->scopes));
	k = &r->scopes[r->nr_scopes];
	*k = (struct kept){ .interval = s->interval, .begin_ns = s->begin_ns, .end_ns = s->end_ns };
	k->place = strdup(s->place->label);
	k->results = keep_results(r, a, results);
	if (a->plan && a->checks && r->nr_scopes < MAX_WIDE) {
		k->checks = must_alloc(sizeof(*k->checks));
		*k->checks = *a->checks;
		k->runs = a->runs ? keep_runs(r, a) : NULL;
	}
	r->nr_scopes++;
	keep_counts(r, s);
}

void report_page_part(struct report_page *r, const struct analysis *a, const struct part *part,
		      const struct metric_result *results)
{
	const struct place run = { .label = "run" };
	const struct scope scope = { .interval = -1, .begin_ns = NAN, .end_ns = NAN, .is_total = true, .place = &run };

	parts_page_part(r->parts, a, part, results);
	if (part->number == PART_ALL)
		report_page_scope(r, a, &scope, results);
}

/* ---- cells ---- */

static const char *when_and_where(const struct kept *k, char *to, size_t size)
{
	if (k->interval < 0)
		snprintf(to, size, "%s", k->place);
	else if (strcmp(k->place, "run") == 0)
		snprintf(to, size, "%.3f–%.3f s", k->begin_ns * 1e-9, k->end_ns * 1e-9);
	else
		snprintf(to, size, "%.3f–%.3f s, %s", k->begin_ns * 1e-9, k->end_ns * 1e-9, k->place);
	return to;
}

/* The first column, which a table of one row or place does without. */
static const char *where_if_several(const struct report_page *r, const struct kept *k, char *to, size_t size)
{
	return r->nr_scopes > 1 ? when_and_where(k, to, size) : "";
}

static const char *method_text(const struct metric_result *res, char *to, size_t size)
{
	const char *reason = res->reason ? res->reason : "";

	if (isnan(res->value))
		snprintf(to, size, "%s", *reason ? reason : "not known");
	else if (res->method == METHOD_INTERVALS)
		snprintf(to, size, "intervals, K=%" PRIu32 ", %g %%", res->rounds, res->level * 100);
	else if (res->method == METHOD_REPEATS)
		snprintf(to, size, "repeats, n=%" PRIu32 ", %g %%", res->rounds, res->level * 100);
	else
		snprintf(to, size, "%s%s%s", metric_method_name(res->method), *reason ? ": " : "", reason);
	return to;
}

/* "1.2–81.2", where nothing else says how far the value may be off */
static const char *bounds_text(const struct metric_result *res, char *to, size_t size)
{
	if (res->method != METHOD_NONE || isnan(res->value) || isnan(res->bound_lo) || !(res->coverage < 1))
		return "";
	snprintf(to, size, "%.20s–%.20s", figure_percent(res->bound_lo).text, figure_percent(res->bound_hi).text);
	return to;
}

/* ---- the pipeline ---- */

static double sum_of_level1(const struct report_page *r, const struct analysis *a, const struct kept *k)
{
	double sum = 0;

	for (size_t i = 0; i < r->nr_pipeline; i++) {
		const struct metric_result *res = result_of(r, k, r->pipeline[i]);

		if (a->set->metrics[r->pipeline[i]].level == 1)
			sum += res ? res->value : NAN;
	}
	return sum;
}

static void draw_sum(struct report_page *r, double sum)
{
	struct figure percent = figure_percent(sum);
	const char *cells[5] = { "sum of level 1", percent.text, "", "", "" };
	char text[40] = "—";

	page_table_rule(r->page);
	page_table_row(r->page, 0, cells);
	if (!isnan(sum))
		snprintf(text, sizeof(text), "%+.2f", fabs(sum - 1) < 0.00005 ? 0 : (sum - 1) * 100);
	cells[0] = "residual";
	cells[1] = text;
	cells[4] = isnan(sum) ? "not all of level 1 are known" : "";
	page_table_row(r->page, 0, cells);
}

static void draw_share(struct report_page *r, const struct analysis *a, const struct kept *k, size_t metric)
{
	const struct set_metric *m = &a->set->metrics[metric];
	const struct metric_result *res = result_of(r, k, metric);
	struct figure value, coverage;
	char bounds[64], method[128];
	const char *cells[5] = { m->name, "—", "", "", report_why_missing(a, metric) };

	if (res) {
		value = figure_share(res);
		coverage = figure_coverage(res->coverage);
		cells[1] = value.text;
		cells[2] = bounds_text(res, bounds, sizeof(bounds));
		cells[3] = coverage.text;
		cells[4] = method_text(res, method, sizeof(method));
	}
	page_table_row(r->page, m->level - 1, cells);
}

static void draw_words(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	struct words_row *rows = must_realloc(NULL, r->nr_pipeline + 1, sizeof(*rows));
	struct report_words w;

	for (size_t i = 0; i < r->nr_pipeline; i++) {
		size_t m = r->pipeline[i];

		rows[i] = (struct words_row){ .name = a->set->metrics[m].name, .level = a->set->metrics[m].level,
					      .result = result_of(r, k, m) };
		rows[i].modifiers = plan_modifiers(a->plan, m);
		rows[i].missing = rows[i].result ? NULL : report_why_missing(a, m);
	}
	w = report_words(rows, r->nr_pipeline, k->checks);
	if (*w.findings)
		page_line(r->page, w.findings);
	if (*w.limits)
		page_line(r->page, w.limits);
	report_words_free(&w);
	free(rows);
}

static void draw_pipeline(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	static const struct page_column columns[] = {
		{ "metric", PAGE_LEFT },    { "% of slots", PAGE_RIGHT }, { "bounds", PAGE_RIGHT },
		{ "coverage", PAGE_RIGHT }, { "error", PAGE_LEFT },
	};

	page_table_begin(r->page, columns, 5);
	for (size_t i = 0; i < r->nr_pipeline; i++)
		draw_share(r, a, k, r->pipeline[i]);
	draw_sum(r, sum_of_level1(r, a, k));
	page_table_end(r->page);
	draw_words(r, a, k);
	report_draw_runs(r, a, k);
}

/* perf stat --metric-only: perf's figures, which nothing here can confirm. */
static void draw_printed(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	static const struct page_column columns[] = { { "metric", PAGE_LEFT }, { "% of slots, as perf printed it", PAGE_RIGHT } };

	page_table_begin(r->page, columns, 2);
	for (size_t i = 0; i < r->nr_pipeline; i++) {
		const struct set_metric *m = &a->set->metrics[r->pipeline[i]];
		struct figure value = figure_percent(result_of(r, k, r->pipeline[i])->value_perf);
		const char *cells[2] = { m->name, value.text };

		page_table_row(r->page, m->level - 1, cells);
	}
	page_table_end(r->page);
}

static void draw_all_printed(struct report_page *r, const struct analysis *a)
{
	for (size_t i = 0; i < r->nr_scopes && i < MAX_WIDE; i++) {
		char where[300];

		if (r->nr_scopes > 1)
			page_heading(r->page, 2, when_and_where(&r->scopes[i], where, sizeof(where)));
		draw_printed(r, a, &r->scopes[i]);
	}
	if (r->nr_scopes > MAX_WIDE)
		page_linef(r->page, "%zu more rows are not shown here: -f csv or -f json has them.", r->nr_scopes - MAX_WIDE);
	page_note(r->page, "The input has these metrics without the counts behind them: they cannot be computed again, and "
			   "how far they can be trusted is not known.");
}

/* Level 1 side by side, those that can be computed. */
enum { MAX_SIDE = 12 };

static void draw_side_row(struct report_page *r, const struct analysis *a, const struct kept *k, const size_t *metrics,
			  size_t nr)
{
	struct figure values[MAX_SIDE], sum, coverage;
	const char *cells[MAX_SIDE + 3];
	double least = NAN;
	char where[300];

	cells[0] = when_and_where(k, where, sizeof(where));
	for (size_t i = 0; i < nr; i++) {
		const struct metric_result *res = result_of(r, k, metrics[i]);

		values[i] = figure_share(res);
		cells[1 + i] = values[i].text;
		least = fmin(least, res->coverage);
	}
	sum = figure_percent(sum_of_level1(r, a, k));
	coverage = figure_coverage(least);
	cells[1 + nr] = sum.text;
	cells[2 + nr] = coverage.text;
	page_table_row(r->page, 0, cells);
}

/* Many scopes: a row each. */
static void draw_side_by_side(struct report_page *r, const struct analysis *a)
{
	struct page_column columns[MAX_SIDE + 3] = { { "where", PAGE_LEFT } };
	size_t metrics[MAX_SIDE], nr = 0;

	for (size_t i = 0; i < r->nr_pipeline && nr < MAX_SIDE; i++) {
		const struct set_metric *m = &a->set->metrics[r->pipeline[i]];

		if (m->level != 1 || r->place_of[r->pipeline[i]] == NOT_COMPUTED)
			continue;
		columns[1 + nr] = (struct page_column){ m->name, PAGE_RIGHT };
		metrics[nr++] = r->pipeline[i];
	}
	columns[1 + nr] = (struct page_column){ "sum", PAGE_RIGHT };
	columns[2 + nr] = (struct page_column){ "coverage", PAGE_RIGHT };
	page_line(r->page, "Level 1 in percent of slots; level 2 of each row: -f csv or -f json.");
	for (size_t first = 0; first < r->nr_scopes; first += CHUNK) {
		page_table_begin(r->page, columns, nr + 3);
		for (size_t i = first; i < r->nr_scopes && i < first + CHUNK; i++)
			draw_side_row(r, a, &r->scopes[i], metrics, nr);
		page_table_end(r->page);
	}
}

static void draw_pipelines(struct report_page *r, const struct analysis *a)
{
	if (r->nr_scopes > MAX_WIDE) {
		draw_side_by_side(r, a);
		return;
	}
	for (size_t i = 0; i < r->nr_scopes; i++) {
		char where[300];

		if (r->nr_scopes > 1)
			page_heading(r->page, 2, when_and_where(&r->scopes[i], where, sizeof(where)));
		draw_pipeline(r, a, &r->scopes[i]);
	}
}

/* ---- other metrics ---- */

struct figure report_value_of(const struct set_metric *m, const struct metric_result *res)
{
	return figure_value(res, m->scale / m->factor, m->scale == m->factor && strcmp(m->unit, "ratio"));
}

static void draw_other(struct report_page *r, const struct analysis *a, const struct kept *k, size_t metric)
{
	const struct set_metric *m = &a->set->metrics[metric];
	const struct metric_result *res = result_of(r, k, metric);
	struct figure value = report_value_of(m, res), coverage = figure_coverage(res->coverage);
	char method[128], where[300];
	const char *cells[] = { where_if_several(r, k, where, sizeof(where)), m->name, value.text, m->scale_unit,
				coverage.text, method_text(res, method, sizeof(method)) };

	page_table_row(r->page, 0, cells);
}

static void draw_others_one_by_one(struct report_page *r, const struct analysis *a)
{
	static const struct page_column columns[] = {
		{ "where", PAGE_LEFT },	    { "metric", PAGE_LEFT },	{ "value", PAGE_RIGHT },
		{ "unit", PAGE_LEFT },	    { "coverage", PAGE_RIGHT }, { "error", PAGE_LEFT },
	};
	size_t shown = 0;

	page_table_begin(r->page, columns, 6);
	for (; shown < r->nr_scopes && shown * r->nr_others < CHUNK; shown++)
		for (size_t i = 0; i < r->nr_others; i++)
			draw_other(r, a, &r->scopes[shown], r->others[i]);
	page_table_end(r->page);
	if (shown < r->nr_scopes)
		page_linef(r->page, "These are the first %zu of %zu; -f csv or -f json has all.", shown, r->nr_scopes);
}

static void draw_others_row(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	struct figure values[MAX_WIDE];
	const char *cells[MAX_WIDE + 1];
	char where[300];

	cells[0] = when_and_where(k, where, sizeof(where));
	for (size_t i = 0; i < r->nr_others; i++) {
		values[i] = report_value_of(&a->set->metrics[r->others[i]], result_of(r, k, r->others[i]));
		cells[1 + i] = values[i].text;
	}
	page_table_row(r->page, 0, cells);
}

/* Few metrics of many scopes: a row for each scope. */
static void draw_others_side_by_side(struct report_page *r, const struct analysis *a)
{
	struct page_column columns[MAX_WIDE + 1] = { { "where", PAGE_LEFT } };
	char headings[MAX_WIDE][200];

	for (size_t i = 0; i < r->nr_others; i++) {
		const struct set_metric *m = &a->set->metrics[r->others[i]];

		snprintf(headings[i], sizeof(headings[i]), "%s%s%s", m->name, *m->scale_unit ? ", " : "", m->scale_unit);
		columns[1 + i] = (struct page_column){ headings[i], PAGE_RIGHT };
	}
	for (size_t first = 0; first < r->nr_scopes; first += CHUNK) {
		page_table_begin(r->page, columns, r->nr_others + 1);
		for (size_t i = first; i < r->nr_scopes && i < first + CHUNK; i++)
			draw_others_row(r, a, &r->scopes[i]);
		page_table_end(r->page);
	}
}

static void draw_others(struct report_page *r, const struct analysis *a)
{
	if (!r->nr_others)
		return;
	if (report_has_pipeline(r))
		page_heading(r->page, 2, "Other metrics");
	if (r->nr_scopes > MAX_WIDE && r->nr_others <= MAX_WIDE)
		draw_others_side_by_side(r, a);
	else
		draw_others_one_by_one(r, a);
	if (r->nr_scopes == 1)
		report_draw_other_runs(r, a, &r->scopes[0]);
}

/* ---- counts ---- */

static struct figure count_figure(const struct kept_count *k, const struct event *e)
{
	struct figure f;

	if (k->state == CELL_NOT_SUPPORTED)
		snprintf(f.text, sizeof(f.text), "not supported");
	else if (k->state == CELL_NOT_COUNTED)
		snprintf(f.text, sizeof(f.text), "not counted");
	else if (e->scale == 1)
		return figure_whole(floor(k->scaled));
	else
		snprintf(f.text, sizeof(f.text), "%.2f", k->scaled * e->scale);
	return f;
}

static void draw_count(struct report_page *r, const struct analysis *a, const struct kept_count *k)
{
	const struct event *e = &a->capture->events[k->event];
	struct figure count = count_figure(k, e), coverage = figure_coverage(k->coverage);
	char group[24] = "", where[300], seen[64] = "";
	const char *cells[] = { where_if_several(r, &r->scopes[k->scope], where, sizeof(where)), e->name, count.text,
				e->unit, group, coverage.text, seen };

	if (e->group >= 0)
		snprintf(group, sizeof(group), "%" PRId32, e->group);
	if (k->dead && k->state == CELL_COUNTED)
		snprintf(seen, sizeof(seen), "%" PRIu32 " of %" PRIu32 " counters never ran", k->dead, k->instances);
	page_table_row(r->page, 0, cells);
}

static void draw_counts(struct report_page *r, const struct analysis *a)
{
	static const struct page_column columns[] = {
		{ "where", PAGE_LEFT },	 { "event", PAGE_LEFT },     { "count", PAGE_RIGHT }, { "unit", PAGE_LEFT },
		{ "group", PAGE_RIGHT }, { "coverage", PAGE_RIGHT }, { "", PAGE_LEFT },
	};

	if (report_has_pipeline(r) || r->nr_others)
		page_heading(r->page, 2, "Counts");
	for (size_t first = 0; first < r->nr_cells; first += CHUNK) {
		page_table_begin(r->page, columns, 7);
		for (size_t i = first; i < r->nr_cells && i < first + CHUNK; i++)
			draw_count(r, a, &r->cells[i]);
		page_table_end(r->page);
	}
	if (r->dropped_cells)
		page_linef(r->page, "%zu more counts are not shown here: -f csv or -f json has them.", r->dropped_cells);
}

static void draw_samples(struct report_page *r, const struct analysis *a)
{
	if (!sample_totals_samples(a->capture))
		return;
	page_heading(r->page, 2, "Samples");
	sample_totals_draw(r->page, a->capture);
}

void report_page_end(struct report_page *r, const struct analysis *a)
{
	report_draw_head(r, a);
	if (r->only_printed) {
		draw_all_printed(r, a);
		report_draw_damage(r, a);
		return;
	}
	if (!r->nr_scopes) {
		draw_samples(r, a);
		report_draw_damage(r, a);
		return;
	}
	if (report_has_pipeline(r))
		draw_pipelines(r, a);
	if (r->dropped_scopes)
		page_linef(r->page, "%zu more rows are not shown here: -f csv or -f json has them.", r->dropped_scopes);
	if (r->nr_scopes)
		draw_others(r, a);
	draw_samples(r, a);
	if (parts_page_has(r->parts))
		parts_page_draw(r->parts, a);
	else if (r->counts || (!report_has_pipeline(r) && !r->nr_others))
		draw_counts(r, a);
	report_draw_notes(r, a);
}
