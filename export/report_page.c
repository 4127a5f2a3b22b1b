// SPDX-License-Identifier: GPL-2.0-only
/* The report for people, as a page. */
#include "export/report_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/pipeline_order.h"
#include "export/rows.h"

/* A page is read by a person: what comes after these many is only counted. */
enum { MAX_SCOPES = 20000, MAX_COUNTS = 100000, MAX_WIDE = 6, CHUNK = 500 };

/* One scope, kept until the end. */
struct kept {
	int64_t interval;
	double begin_ns, end_ns;
	char *place;
	struct metric_result *results; /* of the pipeline metrics, or of all for the run */
};

struct kept_count {
	uint32_t scope, event;
	enum cell_state state;
	uint32_t instances, dead;
	double scaled, coverage;
};

struct report_page {
	struct page *page;
	bool counts;
	size_t *pipeline;   /* indices of level 1, each followed by its level 2 */
	size_t nr_pipeline;
	struct kept *scopes;
	size_t nr_scopes, dropped_scopes;
	struct kept_count *cells;
	size_t nr_cells, dropped_cells;
	double least, most; /* coverage of any event in the run */
	size_t nr_drawn;    /* captures */
};

struct report_page *report_page_new(struct page *page, bool counts)
{
	struct report_page *r = must_alloc(sizeof(*r));

	r->page = page;
	r->counts = counts;
	return r;
}

static void forget(struct report_page *r)
{
	for (size_t i = 0; i < r->nr_scopes; i++) {
		free(r->scopes[i].place);
		free(r->scopes[i].results);
	}
	free(r->scopes);
	free(r->cells);
	free(r->pipeline);
	r->scopes = NULL;
	r->cells = NULL;
	r->pipeline = NULL;
	r->nr_scopes = r->nr_cells = r->nr_pipeline = r->dropped_scopes = r->dropped_cells = 0;
}

void report_page_free(struct report_page *r)
{
	if (!r)
		return;
	forget(r);
	free(r);
}

/* ---- keeping ---- */

int report_page_begin(struct report_page *r, const struct analysis *a)
{
	forget(r);
	r->least = INFINITY;
	r->most = -INFINITY;
	if (a->set)
		r->pipeline = pipeline_order(a->set, &r->nr_pipeline);
	return 0;
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

		if (isnan(c) || !s->is_total)
			continue;
		r->least = fmin(r->least, c);
		r->most = fmax(r->most, c);
	}
}

static struct metric_result *keep_results(const struct report_page *r, const struct analysis *a, const struct scope *s,
					  const struct metric_result *results)
{
	struct metric_result *copy;

	if (!a->plan)
		return NULL;
	copy = must_alloc(a->set->nr_metrics * sizeof(*copy));
	if (s->is_total || r->nr_scopes < MAX_WIDE) {
		memcpy(copy, results, a->set->nr_metrics * sizeof(*copy));
		return copy;
	}
	copy = must_realloc(copy, r->nr_pipeline, sizeof(*copy));
	for (size_t i = 0; i < r->nr_pipeline; i++)
		copy[i] = results[r->pipeline[i]];
	return copy;
}

static bool has_all_results(const struct report_page *r, const struct kept *k)
{
	return k->interval < 0 || (size_t)(k - r->scopes) < MAX_WIDE;
}

void report_page_scope(struct report_page *r, const struct analysis *a, const struct scope *s,
		       const struct metric_result *results)
{
	struct kept *k;

	note_coverage(r, s);
	if (r->nr_scopes == MAX_SCOPES) {
		r->dropped_scopes++;
		return;
	}
	if ((r->nr_scopes & (r->nr_scopes - 1)) == 0)
		r->scopes = must_realloc(r->scopes, r->nr_scopes ? r->nr_scopes * 2 : 1, sizeof(*r->scopes));
	k = &r->scopes[r->nr_scopes];
	*k = (struct kept){ .interval = s->interval, .begin_ns = s->begin_ns, .end_ns = s->end_ns };
	k->place = strdup(s->place->label);
	k->results = keep_results(r, a, s, results);
	r->nr_scopes++;
	keep_counts(r, s);
}

static const struct metric_result *result_of(const struct report_page *r, const struct kept *k, size_t pipeline_index)
{
	return has_all_results(r, k) ? &k->results[r->pipeline[pipeline_index]] : &k->results[pipeline_index];
}

/* ---- numbers as people read them ---- */

static const char *percent(double share, char *to, size_t size)
{
	if (isnan(share))
		return strcpy(to, "—");
	snprintf(to, size, "%.1f", share * 100);
	if (strcmp(to, "-0.0") == 0)
		strcpy(to, "0.0");
	return to;
}

/* "6.1 ±0.3"; the half width never shows as 0 */
static const char *percent_and_error(const struct metric_result *res, char *to, size_t size)
{
	double half = (res->hi - res->lo) / 2;

	percent(res->value, to, size);
	if (isnan(res->value) || isnan(half) || res->method == METHOD_EXACT)
		return to;
	half = fmax(half * 100, 0.1);
	snprintf(to + strlen(to), size - strlen(to), " ±%.1f%s", half, half > 10 ? " (unreliable)" : "");
	return to;
}

static const char *coverage_text(double coverage, char *to, size_t size)
{
	if (isnan(coverage))
		return strcpy(to, "");
	snprintf(to, size, "%.1f %%", coverage * 100);
	return to;
}

static const char *method_text(const struct metric_result *res, char *to, size_t size)
{
	const char *reason = res->reason ? res->reason : "";

	if (isnan(res->value))
		snprintf(to, size, "%s", *reason ? reason : "not known");
	else if (res->method == METHOD_INTERVALS)
		snprintf(to, size, "intervals, K=%" PRIu32 ", %g %%", res->rounds, res->level * 100);
	else if (res->method == METHOD_REPEATS)
		snprintf(to, size, "%" PRIu32 " repeats, %g %%", res->rounds, res->level * 100);
	else
		snprintf(to, size, "%s%s%s", metric_method_name(res->method), *reason ? ": " : "", reason);
	return to;
}

/* Whole numbers with digits in groups of three. */
static const char *grouped(double v, char *to, size_t size)
{
	char digits[64];
	size_t n, out = 0;

	if (isnan(v))
		return strcpy(to, "—");
	snprintf(digits, sizeof(digits), "%.0f", fabs(v));
	n = strlen(digits);
	if (v < 0)
		to[out++] = '-';
	for (size_t i = 0; i < n && out + 2 < size; i++) {
		if (i && (n - i) % 3 == 0)
			to[out++] = ',';
		to[out++] = digits[i];
	}
	to[out] = 0;
	return to;
}

/* ---- the head ---- */

static void fact(struct report_page *r, const char *name, const char *value)
{
	if (value && *value)
		page_fact(r->page, name, value);
}

__attribute__((format(printf, 3, 4))) static void factf(struct report_page *r, const char *name, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fact(r, name, text);
}

static size_t count_groups(const struct capture *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_events; i++)
		if (c->events[i].group < 0 || c->events[i].group == (int32_t)i)
			nr++;
	return nr;
}

static void draw_multiplexing(struct report_page *r, const struct capture *c)
{
	if (r->least > r->most)
		return;
	if (r->least >= 1)
		fact(r, "multiplexing", "none: every event was counted all the time");
	else if (r->most - r->least < 0.0005)
		factf(r, "multiplexing", "events were counted %.1f %% of the time, in %zu groups", r->least * 100,
		      count_groups(c));
	else
		factf(r, "multiplexing", "events were counted %.1f %% to %.1f %% of the time, in %zu groups", r->least * 100,
		      r->most * 100, count_groups(c));
}

static void draw_machine(struct report_page *r, const struct capture *c)
{
	char cpus[40] = "";

	if (c->cpus_online >= 0)
		snprintf(cpus, sizeof(cpus), "%" PRId64 " CPUs online", c->cpus_online);
	factf(r, "machine", "%s%s%s%s%s", c->hostname ? c->hostname : "", c->hostname && c->cpu_desc ? ", " : "",
	      c->cpu_desc ? c->cpu_desc : "", *cpus && (c->hostname || c->cpu_desc) ? ", " : "", cpus);
	if (c->os_release || c->perf_version)
		factf(r, "software", "%s%s%s%s%s", c->os_release ? "Linux " : "", c->os_release ? c->os_release : "",
		      c->os_release && c->perf_version ? ", " : "", c->perf_version ? "perf " : "",
		      c->perf_version ? c->perf_version : "");
}

static void draw_head(struct report_page *r, const struct analysis *a)
{
	const struct capture *c = a->capture;

	page_heading(r->page, 1, r->nr_pipeline ? "Pipeline utilization" : "Counts");
	factf(r, "capture", "%s (%s)", c->path, c->format);
	draw_machine(r, c);
	fact(r, "command", c->command);
	if (c->duration_ns >= 0)
		factf(r, "duration", "%.6g s%s", (double)c->duration_ns * 1e-9, c->interval_ms ? "" : " elapsed");
	if (c->interval_ms)
		factf(r, "interval", "%" PRId64 " ms", c->interval_ms);
	draw_multiplexing(r, c);
	if (a->set && a->set->width)
		factf(r, "metric set", "%s, %" PRIu32 " dispatch slots a cycle", a->set->name, a->set->width);
	else if (a->set)
		fact(r, "metric set", a->set->name);
	if (*a->note)
		factf(r, "metric set", "none: %s", a->note);
}

/* ---- the pipeline ---- */

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

static double sum_of_level1(const struct report_page *r, const struct analysis *a, const struct kept *k)
{
	double sum = 0;

	for (size_t i = 0; i < r->nr_pipeline; i++)
		if (a->set->metrics[r->pipeline[i]].level == 1)
			sum += result_of(r, k, i)->value;
	return sum;
}

static void draw_sum(struct report_page *r, double sum)
{
	char text[32];
	const char *cells[4] = { "sum of level 1", percent(sum, text, sizeof(text)), "", "" };

	page_table_rule(r->page);
	page_table_row(r->page, 0, cells);
	cells[0] = "residual";
	cells[1] = isnan(sum) ? "—" : (snprintf(text, sizeof(text), "%+.2f", (sum - 1) * 100), text);
	cells[3] = isnan(sum) ? "not all five of level 1 are known" : "";
	page_table_row(r->page, 0, cells);
}

static bool any_pipeline(const struct report_page *r, const struct analysis *a)
{
	for (size_t i = 0; i < r->nr_pipeline; i++)
		if (plan_has(a->plan, r->pipeline[i]))
			return true;
	return false;
}

static void draw_pipeline(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	static const struct page_column columns[] = {
		{ "metric", PAGE_LEFT }, { "% of slots", PAGE_RIGHT }, { "coverage", PAGE_RIGHT }, { "error", PAGE_LEFT },
	};

	page_table_begin(r->page, columns, 4);
	for (size_t i = 0; i < r->nr_pipeline; i++) {
		const struct set_metric *m = &a->set->metrics[r->pipeline[i]];
		const struct metric_result *res = result_of(r, k, i);
		char value[64], coverage[32], method[128];
		const char *cells[4] = { m->name, "—", "", "events not in the capture" };

		if (plan_has(a->plan, r->pipeline[i])) {
			cells[1] = percent_and_error(res, value, sizeof(value));
			cells[2] = coverage_text(res->coverage, coverage, sizeof(coverage));
			cells[3] = method_text(res, method, sizeof(method));
		}
		page_table_row(r->page, m->level - 1, cells);
	}
	draw_sum(r, sum_of_level1(r, a, k));
	page_table_end(r->page);
}

/* perf stat --metric-only: perf's figures, which nothing here can confirm. */
static void draw_printed(struct report_page *r, const struct analysis *a, const struct kept *k)
{
	static const struct page_column columns[] = { { "metric", PAGE_LEFT }, { "% of slots, as perf printed it", PAGE_RIGHT } };

	page_table_begin(r->page, columns, 2);
	for (size_t i = 0; i < r->nr_pipeline; i++) {
		const struct set_metric *m = &a->set->metrics[r->pipeline[i]];
		char value[64];
		const char *cells[2] = { m->name, percent(result_of(r, k, i)->value_perf, value, sizeof(value)) };

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

/* Many scopes: a row each, level 1 side by side. */
static void draw_compact(struct report_page *r, const struct analysis *a)
{
	struct page_column columns[16] = { { "where", PAGE_LEFT } };
	size_t of[16], nr = 1;

	for (size_t i = 0; i < r->nr_pipeline && nr < 14; i++)
		if (a->set->metrics[r->pipeline[i]].level == 1) {
			columns[nr] = (struct page_column){ a->set->metrics[r->pipeline[i]].name, PAGE_RIGHT };
			of[nr++] = i;
		}
	columns[nr] = (struct page_column){ "sum", PAGE_RIGHT };
	columns[nr + 1] = (struct page_column){ "coverage", PAGE_RIGHT };
	page_line(r->page, "Level 1 in percent of slots:");
	for (size_t first = 0; first < r->nr_scopes; first += CHUNK) {
		page_table_begin(r->page, columns, nr + 2);
		for (size_t i = first; i < r->nr_scopes && i < first + CHUNK; i++) {
			const struct kept *k = &r->scopes[i];
			char text[16][48], where[300];
			const char *cells[16] = { when_and_where(k, where, sizeof(where)) };
			double coverage = NAN;

			for (size_t c = 1; c < nr; c++) {
				const struct metric_result *res = result_of(r, k, of[c]);

				cells[c] = percent_and_error(res, text[c], sizeof(text[c]));
				coverage = fmin(coverage, res->coverage);
			}
			cells[nr] = percent(sum_of_level1(r, a, k), text[nr], sizeof(text[nr]));
			cells[nr + 1] = coverage_text(coverage, text[nr + 1], sizeof(text[nr + 1]));
			page_table_row(r->page, 0, cells);
		}
		page_table_end(r->page);
	}
	page_note(r->page, "Level 2 of each row: -f csv or -f json.");
}

static void draw_all_pipelines(struct report_page *r, const struct analysis *a)
{
	if (r->nr_scopes > MAX_WIDE) {
		draw_compact(r, a);
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

static bool is_pipeline(const struct report_page *r, size_t m)
{
	for (size_t i = 0; i < r->nr_pipeline; i++)
		if (r->pipeline[i] == m)
			return true;
	return false;
}

static size_t count_others(const struct report_page *r, const struct analysis *a)
{
	size_t nr = 0;

	for (size_t m = 0; m < a->set->nr_metrics; m++)
		nr += plan_has(a->plan, m) && !is_pipeline(r, m);
	return nr;
}

static void draw_other(struct report_page *r, const struct analysis *a, const struct kept *k, const char *where, size_t m)
{
	const struct set_metric *metric = &a->set->metrics[m];
	const struct metric_result *res = &k->results[m];
	char value[64], coverage[32], method[128];
	const char *cells[] = { where, metric->name, value, metric->scale_unit, "", "" };

	if (isnan(res->value))
		strcpy(value, "—");
	else
		snprintf(value, sizeof(value), *metric->scale_unit ? "%.4g" : "%.6g",
			 res->value * metric->scale / metric->factor);
	cells[4] = coverage_text(res->coverage, coverage, sizeof(coverage));
	cells[5] = method_text(res, method, sizeof(method));
	page_table_row(r->page, 0, cells);
}

static void draw_others(struct report_page *r, const struct analysis *a)
{
	static const struct page_column columns[] = {
		{ "where", PAGE_LEFT },	    { "metric", PAGE_LEFT },	{ "value", PAGE_RIGHT },
		{ "unit", PAGE_LEFT },	    { "coverage", PAGE_RIGHT }, { "error", PAGE_LEFT },
	};
	size_t shown = 0;

	if (!count_others(r, a))
		return;
	page_heading(r->page, 2, "Other metrics");
	page_table_begin(r->page, columns, 6);
	for (size_t i = 0; i < r->nr_scopes; i++) {
		char where[300];

		if (!has_all_results(r, &r->scopes[i]) || shown > CHUNK)
			continue;
		when_and_where(&r->scopes[i], where, sizeof(where));
		for (size_t m = 0; m < a->set->nr_metrics; m++)
			if (plan_has(a->plan, m) && !is_pipeline(r, m)) {
				draw_other(r, a, &r->scopes[i], where, m);
				shown++;
			}
	}
	page_table_end(r->page);
}

/* ---- what is missing ---- */

static void draw_missing(struct report_page *r, const struct analysis *a)
{
	bool pipeline = any_pipeline(r, a);
	size_t others = 0;

	for (size_t m = 0; m < a->set->nr_metrics; m++) {
		if (plan_has(a->plan, m))
			continue;
		if (pipeline && is_pipeline(r, m)) {
			char text[1000];

			snprintf(text, sizeof(text), "%s needs events that are not in the capture: %s",
				 a->set->metrics[m].name, plan_missing(a->plan, m));
			page_note(r->page, text);
		} else {
			others++;
		}
	}
	if (others) {
		char text[300];

		snprintf(text, sizeof(text),
			 "%zu more metrics of %s need events that are not in the capture: perftab info names them.", others,
			 a->set->name);
		page_note(r->page, text);
	}
}

/* Why there is no interval of error, once for each reason. */
static void draw_reasons(struct report_page *r, const struct analysis *a)
{
	static const struct {
		const char *reason, *text;
	} texts[] = {
		{ "single-total", "single-total: one total alone cannot say how far multiplexing moved a value. Record with "
				  "-I 100 for at least 2 seconds, or without multiplexing." },
		{ "few-intervals", "few-intervals: fewer than 8 intervals cannot say how far multiplexing moved a value." },
	};

	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		for (size_t i = 0; i < r->nr_pipeline && r->nr_scopes; i++) {
			const struct metric_result *res = result_of(r, &r->scopes[0], i);

			if (!plan_has(a->plan, r->pipeline[i]) || !res->reason || strcmp(res->reason, texts[t].reason))
				continue;
			page_note(r->page, texts[t].text);
			break;
		}
}

/* What the errors that are shown do not say. */
static void draw_captions(struct report_page *r, const struct analysis *a)
{
	static const struct {
		enum metric_method method;
		const char *text;
	} texts[] = {
		{ METHOD_INTERVALS, "The interval of error is that of multiplexing in this run only: how runs differ is not in it." },
		{ METHOD_EXACT, "exact: counted all the time in this run; how runs differ is not in it." },
	};

	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		for (size_t i = 0; i < r->nr_pipeline && r->nr_scopes; i++) {
			const struct metric_result *res = result_of(r, &r->scopes[0], i);

			if (!plan_has(a->plan, r->pipeline[i]) || res->method != texts[t].method || isnan(res->value))
				continue;
			page_note(r->page, texts[t].text);
			break;
		}
}

/* Metrics of events that were counted for user or kernel alone: one note for each kind of it. */
static void draw_modifiers(struct report_page *r, const struct analysis *a)
{
	for (size_t i = 0; i < r->nr_pipeline; i++) {
		size_t m = r->pipeline[i];
		const char *modifiers = plan_has(a->plan, m) ? plan_modifiers(a->plan, m) : "";
		bool said = false;
		char text[200];

		for (size_t k = 0; k < i; k++)
			said |= plan_has(a->plan, r->pipeline[k]) &&
				strcmp(plan_modifiers(a->plan, r->pipeline[k]), modifiers) == 0;
		if (!*modifiers || said)
			continue;
		snprintf(text, sizeof(text), "%s and others like it are of events that were counted with :%s%s.",
			 a->set->metrics[m].name, modifiers,
			 strcmp(modifiers, "u") == 0 ? ", in user mode only" :
			 strcmp(modifiers, "k") == 0 ? ", in the kernel only" : "");
		page_note(r->page, text);
	}
}

/* ---- counts ---- */

static const char *count_text(const struct kept_count *k, const struct event *e, char *to, size_t size)
{
	if (k->state == CELL_NOT_SUPPORTED)
		return "not supported";
	if (k->state == CELL_NOT_COUNTED)
		return "not counted";
	if (e->scale == 1)
		return grouped(floor(k->scaled), to, size);
	snprintf(to, size, "%.2f", k->scaled * e->scale);
	return to;
}

static void draw_count(struct report_page *r, const struct analysis *a, const struct kept_count *k)
{
	const struct event *e = &a->capture->events[k->event];
	char count[80], coverage[32], group[24] = "", where[300], seen[64] = "";
	const char *cells[] = { when_and_where(&r->scopes[k->scope], where, sizeof(where)),
				e->name,
				count_text(k, e, count, sizeof(count)),
				e->unit,
				group,
				coverage_text(k->coverage, coverage, sizeof(coverage)),
				seen };

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

/* ---- the end ---- */

static void draw_damage(struct report_page *r, const struct damage *d)
{
	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = d->of[k].detail;
		char text[600], at[40] = "";

		if (!d->of[k].count)
			continue;
		if (d->of[k].first_offset != NO_OFFSET)
			snprintf(at, sizeof(at), ", first at offset %" PRIu64, d->of[k].first_offset);
		snprintf(text, sizeof(text), "%s: %s%s%s (%" PRIu64 "%s)", damage_name((enum damage_kind)k),
			 damage_text((enum damage_kind)k), *detail ? ": " : "", detail, d->of[k].count, at);
		page_note(r->page, text);
	}
}

void report_page_end(struct report_page *r, const struct analysis *a)
{
	bool pipeline = a->plan && any_pipeline(r, a);

	draw_head(r, a);
	if (a->plan && !a->capture->nr_events) {
		draw_all_printed(r, a);
		draw_damage(r, &a->capture->damage);
		return;
	}
	if (pipeline)
		draw_all_pipelines(r, a);
	if (r->dropped_scopes)
		page_linef(r->page, "%zu more rows are not shown here: -f csv or -f json has them.", r->dropped_scopes);
	if (a->plan && r->nr_scopes)
		draw_others(r, a);
	if (r->counts || !a->plan || (!pipeline && !count_others(r, a)))
		draw_counts(r, a);
	if (a->plan) {
		draw_reasons(r, a);
		draw_captions(r, a);
		draw_modifiers(r, a);
		draw_missing(r, a);
	}
	draw_damage(r, &a->capture->damage);
	r->nr_drawn++;
}
