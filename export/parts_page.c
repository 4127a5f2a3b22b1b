// SPDX-License-Identifier: GPL-2.0-only
/* Parts of the program, as a page. */
#include "export/parts_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "export/figures.h"
#include "export/pipeline_order.h"

/* A person reads the first of them; names are cut to fit a line. */
enum { MAX_ROWS = 40, NAME_WIDTH = 44, MAX_COLUMNS = 16, MAX_OTHERS = 6, MAX_WANTED = 8 };

struct kept_part {
	char *name, *dso, *text;
	double share;
	uint64_t samples;
	struct metric_result *results;
};

struct parts_page {
	struct page *page;
	struct kept_part rows[MAX_ROWS];
	size_t nr_rows, dropped;
	double dropped_share;
	double level; /* of the errors; NaN where no value has one */
	bool has_whole;
};

struct parts_page *parts_page_new(struct page *page)
{
	struct parts_page *p = must_alloc(sizeof(*p));

	p->page = page;
	return p;
}

void parts_page_begin(struct parts_page *p)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		free(p->rows[i].name);
		free(p->rows[i].dso);
		free(p->rows[i].text);
		free(p->rows[i].results);
	}
	p->nr_rows = p->dropped = 0;
	p->dropped_share = 0;
	p->has_whole = false;
	p->level = NAN;
}

void parts_page_free(struct parts_page *p)
{
	if (!p)
		return;
	parts_page_begin(p);
	free(p);
}

/* ---- keeping ---- */

/* Whole characters of UTF-8, the last one a mark where something is missing. */
static char *cut_name(const char *name, size_t width)
{
	size_t at = 0, characters = 0;
	char *text;

	for (const char *c = name; *c; c++) {
		characters += ((unsigned char)*c & 0xc0) != 0x80;
		if (characters == width && ((unsigned char)*c & 0xc0) != 0x80)
			at = (size_t)(c - name);
	}
	if (characters <= width)
		return strdup(name);
	if (asprintf(&text, "%.*s…", (int)at, name) < 0)
		abort();
	return text;
}

static const char *last_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void parts_page_part(struct parts_page *p, const struct analysis *a, const struct part *part,
		     const struct metric_result *results)
{
	struct kept_part *k;

	for (size_t m = 0; a->plan && m < a->set->nr_metrics; m++)
		if (plan_has(a->plan, m) && !isnan(results[m].lo))
			p->level = results[m].level;
	p->has_whole |= part->number == PART_ALL;
	if (part->number == PART_ALL)
		return;
	if (p->nr_rows == MAX_ROWS) {
		p->dropped++;
		p->dropped_share += part->share;
		return;
	}
	k = &p->rows[p->nr_rows++];
	*k = (struct kept_part){ .share = part->share, .samples = part->samples };
	k->name = cut_name(part->name, NAME_WIDTH);
	k->dso = part->dso && part->kind != PART_DSO ? cut_name(last_of_path(part->dso), NAME_WIDTH / 2) : NULL;
	k->text = part->text ? cut_name(part->text, NAME_WIDTH) : NULL;
	if (!a->plan)
		return;
	k->results = must_alloc(a->set->nr_metrics * sizeof(*k->results));
	memcpy(k->results, results, a->set->nr_metrics * sizeof(*k->results));
}

bool parts_page_has(const struct parts_page *p)
{
	return p->nr_rows || p->has_whole;
}

/* ---- tables ---- */

/* Which metrics stand side by side. */
struct columns {
	size_t metric[MAX_COLUMNS];
	const char *heading[MAX_COLUMNS];
	size_t nr;
};

/* Below "backend_bound": "memory" for "backend_bound_memory" and "backend_bound_by_memory". */
static const char *short_name(const struct metric_set *set, size_t m)
{
	static const char *const links[] = { "_by_", "_from_", "_" };
	const char *name = set->metrics[m].name;
	const char *parent = set->metrics[m].parent >= 0 ? set->metrics[set->metrics[m].parent].name : "";
	size_t n = strlen(parent);

	if (!n || strncmp(name, parent, n))
		return name;
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (strncmp(name + n, links[i], strlen(links[i])) == 0)
			return name + n + strlen(links[i]);
	return name;
}

static void add_column(struct columns *c, const struct analysis *a, size_t m)
{
	if (c->nr == MAX_COLUMNS || !plan_has(a->plan, m))
		return;
	c->metric[c->nr] = m;
	c->heading[c->nr++] = a->set->metrics[m].level == 2 ? short_name(a->set, m) : a->set->metrics[m].name;
}

/* One level of the pipeline. */
static struct columns pipeline_columns(const struct analysis *a, int32_t level)
{
	struct columns c = { .nr = 0 };
	size_t nr, *order;

	if (!a->plan)
		return c;
	order = pipeline_order(a->set, &nr);
	for (size_t i = 0; i < nr; i++)
		if (a->set->metrics[order[i]].level == level)
			add_column(&c, a, order[i]);
	free(order);
	return c;
}

static bool any_known(const struct parts_page *p, size_t m)
{
	for (size_t i = 0; i < p->nr_rows; i++)
		if (!isnan(p->rows[i].results[m].value))
			return true;
	return false;
}

/* Counts of events are what sums of samples are; ratios are worth a column. */
static struct columns other_columns(const struct parts_page *p, const struct analysis *a)
{
	struct columns c = { .nr = 0 };

	for (size_t m = 0; a->plan && m < a->set->nr_metrics && c.nr < MAX_OTHERS; m++)
		if (!a->set->metrics[m].level && strcmp(a->set->metrics[m].unit, "event") && any_known(p, m))
			add_column(&c, a, m);
	return c;
}

/* "% of cycles", whatever the event that counts them is called. */
static void share_heading(const struct analysis *a, char *to, size_t size)
{
	const struct capture *c = a->capture;
	uint32_t event = by_function_sort_event(parts_values(a->parts));
	const char *name = event < c->nr_events ? c->events[event].name : "samples";

	snprintf(to, size, "%% of %.40s", by_function_sorts_by_cycles(parts_values(a->parts)) ? "cycles" : name);
}

static size_t head_columns(const struct analysis *a, const char *heading, struct page_column *ret)
{
	size_t nr = 0;

	ret[nr++] = (struct page_column){ part_kind_name(parts_kind(a->parts)), PAGE_LEFT };
	if (parts_kind(a->parts) == PART_FUNCTION)
		ret[nr++] = (struct page_column){ "in", PAGE_LEFT };
	if (parts_kind(a->parts) == PART_INSTRUCTION)
		ret[nr++] = (struct page_column){ "", PAGE_LEFT };
	ret[nr++] = (struct page_column){ heading, PAGE_RIGHT };
	ret[nr++] = (struct page_column){ "samples", PAGE_RIGHT };
	return nr;
}

static struct figure value_of(const struct set_metric *m, const struct metric_result *res)
{
	return strcmp(m->unit, "share") == 0 ? figure_share(res) : figure_value(res, m->scale / m->factor, false);
}

static void draw_row(struct parts_page *p, const struct analysis *a, const struct columns *c, const struct kept_part *k)
{
	const char *cells[MAX_COLUMNS + 4];
	struct figure values[MAX_COLUMNS];
	char share[16] = "—", samples[24];
	enum part_kind kind = parts_kind(a->parts);
	size_t nr = 0;

	if (!isnan(k->share))
		snprintf(share, sizeof(share), "%.2f", k->share * 100);
	snprintf(samples, sizeof(samples), "%" PRIu64, k->samples);
	cells[nr++] = k->name;
	if (kind == PART_FUNCTION)
		cells[nr++] = k->dso;
	if (kind == PART_INSTRUCTION)
		cells[nr++] = k->text;
	cells[nr++] = share;
	cells[nr++] = samples;
	for (size_t i = 0; i < c->nr; i++)
		cells[nr++] = (values[i] = value_of(&a->set->metrics[c->metric[i]], &k->results[c->metric[i]])).text;
	page_table_row(p->page, 0, cells);
}

static void draw_table(struct parts_page *p, const struct analysis *a, const struct columns *c, const char *what)
{
	struct page_column columns[MAX_COLUMNS + 4];
	char heading[60];
	size_t nr;

	share_heading(a, heading, sizeof(heading));
	nr = head_columns(a, heading, columns);
	if (what)
		page_line(p->page, what);
	for (size_t i = 0; i < c->nr; i++)
		columns[nr++] = (struct page_column){ c->heading[i], PAGE_RIGHT };
	page_table_begin(p->page, columns, nr);
	for (size_t i = 0; i < p->nr_rows; i++)
		draw_row(p, a, c, &p->rows[i]);
	page_table_end(p->page);
}

static void draw_tables(struct parts_page *p, const struct analysis *a)
{
	struct columns level1 = pipeline_columns(a, 1), level2 = pipeline_columns(a, 2), others = other_columns(p, a);

	draw_table(p, a, &level1, level1.nr ? "Level 1 in percent of slots:" : NULL);
	if (level2.nr)
		draw_table(p, a, &level2, "Level 2 in percent of slots:");
	if (others.nr)
		draw_table(p, a, &others, "Other metrics:");
	if (p->dropped)
		page_linef(p->page, "%zu more, with %.2f %% of it, are not shown here: -f csv or -f json has them.",
			   p->dropped, p->dropped_share * 100);
}

/* ---- captions ---- */

__attribute__((format(printf, 2, 3))) static void notef(struct parts_page *p, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	page_note(p->page, text);
}

static void draw_checks(struct parts_page *p, const struct analysis *a)
{
	struct function_check checks[FUNCTION_CHECKS];
	size_t nr = by_function_checks(parts_values(a->parts), PART_ALL, checks);

	for (size_t i = 0; i < nr; i++) {
		char text[400];

		if (isnan(checks[i].observed))
			snprintf(text, sizeof(text), "%s: %s.%s", checks[i].name, checks[i].text,
				 checks[i].class == CHECK_REFUSE ? " Values by part of the program are refused." : "");
		else
			snprintf(text, sizeof(text), "%s: %s (%.4g).", checks[i].name, checks[i].text,
				 checks[i].observed);
		page_note(p->page, text);
	}
}

static void draw_meaning(struct parts_page *p, const struct analysis *a)
{
	const struct capture *c = a->capture;
	uint32_t event = by_function_sort_event(parts_values(a->parts));

	notef(p, "Samples are those of %s; each belongs to where it was taken, not to callers.%s",
	      event < c->nr_events ? c->events[event].name : "the first event",
	      parts_kind(a->parts) == PART_LINE || parts_kind(a->parts) == PART_INSTRUCTION
		      ? " Percentages are of this function."
		      : "");
	if (!isnan(p->level))
		notef(p,
		      "±: what the number of samples leaves open (%g %%, Wilson's interval for shares); how runs "
		      "differ is not in it. "
		      "n/a (n=…): too few samples to say.",
		      p->level * 100);
}

static void draw_wanted(struct parts_page *p, const struct analysis *a)
{
	const struct wanted_file *wanted;
	size_t nr = symbols_wanted(locator_symbols(a->locator), &wanted);

	if (!p->nr_rows || parts_kind(a->parts) != PART_FUNCTION)
		return;
	for (size_t i = 0; i < nr && i < MAX_WANTED; i++)
		notef(p, "names are missing: %s: %s", wanted[i].path, wanted[i].reason);
	if (nr > MAX_WANTED)
		notef(p, "and those of %zu more files; --symfs and --buildid-dir say where to look", nr - MAX_WANTED);
}

void parts_page_draw(struct parts_page *p, const struct analysis *a)
{
	char heading[64];

	if (p->nr_rows) {
		snprintf(heading, sizeof(heading), "By %s", part_kind_name(parts_kind(a->parts)));
		page_heading(p->page, 2, heading);
		draw_tables(p, a);
	}
	draw_meaning(p, a);
	draw_checks(p, a);
	draw_wanted(p, a);
}
