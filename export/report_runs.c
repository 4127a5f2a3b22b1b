// SPDX-License-Identifier: GPL-2.0-only
/* Captures as runs of one program: what each of them has, below what they have together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/figures.h"
#include "export/report_parts.h"

/* As many runs stand side by side; of more, each has a row. */
enum { MAX_COLUMNS = 6 };

/* Metrics of one table: shares of the pipeline in percent, or others each in its unit. */
struct listed {
	const size_t *metrics;
	size_t nr;
	bool shares;
};

static struct figure figure_in(const struct report_page *r, const struct analysis *a, const struct kept *k,
			       const struct listed *l, size_t i, size_t run)
{
	const struct set_metric *m = &a->set->metrics[l->metrics[i]];
	size_t place = r->place_of[l->metrics[i]];
	struct metric_result res = { .lo = NAN, .hi = NAN };

	res.value = place == NOT_COMPUTED ? (double)NAN : k->runs[place * a->runs->nr + run];
	return l->shares ? figure_percent(res.value) : report_value_of(m, &res);
}

/* "clock, GHz" */
static void name_of(const struct set_metric *m, const struct listed *l, char *to, size_t size)
{
	bool unit = !l->shares && *m->scale_unit;

	snprintf(to, size, "%s%s%s", m->name, unit ? ", " : "", unit ? m->scale_unit : "");
}

static void draw_columns(const struct report_page *r, const struct analysis *a, const struct kept *k,
			 const struct listed *l)
{
	struct page_column columns[MAX_COLUMNS + 1] = { { l->shares ? "% of slots" : "metric", PAGE_LEFT } };
	char headings[MAX_COLUMNS][40];

	for (size_t i = 0; i < a->runs->nr; i++) {
		snprintf(headings[i], sizeof(headings[i]), "run %zu", i + 1);
		columns[1 + i] = (struct page_column){ headings[i], PAGE_RIGHT };
	}
	page_table_begin(r->page, columns, a->runs->nr + 1);
	for (size_t m = 0; m < l->nr; m++) {
		const struct set_metric *metric = &a->set->metrics[l->metrics[m]];
		struct figure values[MAX_COLUMNS];
		char name[200];
		const char *cells[MAX_COLUMNS + 1] = { name };

		name_of(metric, l, name, sizeof(name));
		for (size_t i = 0; i < a->runs->nr; i++) {
			values[i] = figure_in(r, a, k, l, m, i);
			cells[1 + i] = values[i].text;
		}
		page_table_row(r->page, metric->level > 1 ? metric->level - 1 : 0, cells);
	}
	page_table_end(r->page);
}

/* A row for each run, of the first metrics. */
static void draw_rows(const struct report_page *r, const struct analysis *a, const struct kept *k,
		      const struct listed *l)
{
	struct page_column columns[MAX_COLUMNS + 1] = { { "run", PAGE_RIGHT } };
	size_t nr = l->nr < MAX_COLUMNS ? l->nr : MAX_COLUMNS;
	char headings[MAX_COLUMNS][200];

	for (size_t m = 0; m < nr; m++) {
		name_of(&a->set->metrics[l->metrics[m]], l, headings[m], sizeof(headings[m]));
		columns[1 + m] = (struct page_column){ headings[m], PAGE_RIGHT };
	}
	page_table_begin(r->page, columns, nr + 1);
	for (size_t i = 0; i < a->runs->nr; i++) {
		struct figure values[MAX_COLUMNS];
		char name[40];
		const char *cells[MAX_COLUMNS + 1] = { name };

		snprintf(name, sizeof(name), "%zu", i + 1);
		for (size_t m = 0; m < nr; m++) {
			values[m] = figure_in(r, a, k, l, m, i);
			cells[1 + m] = values[m].text;
		}
		page_table_row(r->page, 0, cells);
	}
	page_table_end(r->page);
	if (nr < l->nr)
		page_line(r->page, "-f csv or -f json has the other metrics of each run.");
}

static void draw_listed(const struct report_page *r, const struct analysis *a, const struct kept *k,
			const struct listed *l)
{
	if (!l->nr || !k->runs)
		return;
	page_line(r->page, "Each run by itself:");
	if (a->runs->nr <= MAX_COLUMNS)
		draw_columns(r, a, k, l);
	else
		draw_rows(r, a, k, l);
}

/* All shares side by side; as rows, those of level 1. */
void report_draw_runs(const struct report_page *r, const struct analysis *a, const struct kept *k)
{
	size_t *metrics = must_realloc(NULL, r->nr_pipeline + 1, sizeof(*metrics));
	struct listed l = { metrics, 0, true };

	for (size_t i = 0; k->runs && i < r->nr_pipeline; i++)
		if (r->place_of[r->pipeline[i]] != NOT_COMPUTED &&
		    (a->runs->nr <= MAX_COLUMNS || a->set->metrics[r->pipeline[i]].level == 1))
			metrics[l.nr++] = r->pipeline[i];
	draw_listed(r, a, k, &l);
	free(metrics);
}

void report_draw_other_runs(const struct report_page *r, const struct analysis *a, const struct kept *k)
{
	draw_listed(r, a, k, &(struct listed){ r->others, r->nr_others, false });
}
