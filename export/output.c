// SPDX-License-Identifier: GPL-2.0-only
/* One pass over a capture, any number of outputs. */
#include "export/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/outfile.h"
#include "export/page.h"
#include "export/plot.h"
#include "export/report_page.h"
#include "export/rows.h"
#include "export/sample_rows.h"

/* A page for people with its file. */
struct page_output {
	struct outfile *file;
	struct page *page;
	struct report_page *report;
	const char *path;   /* NULL: standard output */
	bool markdown;
};

struct outputs {
	struct output_options options;
	struct rows tables, metrics, counts; /* the sinks of each content */
	struct page_output *pages;
	size_t nr_pages;
	struct plot *plot;  /* NULL: no pictures */
	size_t nr_pictures; /* captures that were drawn */
	struct outfile **drawn; /* their files, not yet in place */
	size_t nr_drawn;
};

static void add_sink(struct rows *r, struct sink *sink)
{
	r->sinks = must_realloc(r->sinks, r->nr_sinks + 1, sizeof(*r->sinks));
	r->sinks[r->nr_sinks++] = sink;
}

static int open_sink(struct outputs *o, const struct output_request *q, struct error *err)
{
	const struct sink_options options = { .force = o->options.force, .append = o->options.append };
	const struct schema *schema = &schema_all;
	struct rows *rows = &o->tables;
	struct sink *sink;

	if (q->content == OUTPUT_METRICS) {
		schema = &schema_report_metrics;
		rows = &o->metrics;
	} else if (q->content == OUTPUT_COUNTS) {
		schema = &schema_report_counts;
		rows = &o->counts;
	}
	sink = sink_open(q->class, q->path, schema, &options, err);
	if (!sink)
		return -1;
	add_sink(rows, sink);
	return 0;
}

static int open_page(struct outputs *o, const struct output_request *q, struct error *err)
{
	struct page_output p = { .file = outfile_open(q->path, o->options.force, err) };

	if (!p.file)
		return -1;
	p.page = q->markdown ? page_md_new(outfile_stream(p.file)) :
			       page_text_new(outfile_stream(p.file), o->options.color);
	p.report = report_page_new(p.page, q->counts);
	p.path = q->path;
	p.markdown = q->markdown;
	if (q->markdown && q->path && !o->plot)
		o->plot = plot_new();
	o->pages = must_realloc(o->pages, o->nr_pages + 1, sizeof(*o->pages));
	o->pages[o->nr_pages++] = p;
	return 0;
}

/* Ids begin behind those of the database that is added to. */
static void first_ids(struct rows *r)
{
	const struct table *tables[] = { &table_capture, &table_event,	&table_interval, &table_place,	   &table_metric, &table_dso,
					 &table_symbol,	 &table_thread, &table_mapping,	 &table_image, &table_call_path, &table_sample };
	int64_t *ids[] = { &r->capture_id, &r->event_id,  &r->interval_id, &r->place_id, &r->metric_id,	  &r->dso_id,
			   &r->symbol_id,  &r->thread_id, &r->mapping_id,  &r->image_id, &r->call_path_id, &r->sample_id };

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		*ids[t] = 1;
		for (size_t i = 0; i < r->nr_sinks; i++) {
			int64_t id = sink_next_id(r->sinks[i], tables[t]);

			if (id > *ids[t])
				*ids[t] = id;
		}
	}
}

struct outputs *outputs_open(const struct output_request *requests, size_t nr, const struct output_options *options,
			     struct error *err)
{
	struct outputs *o = must_alloc(sizeof(*o));

	o->options = *options;
	if (options->plot)
		o->plot = plot_new();
	for (size_t i = 0; i < nr; i++) {
		const struct output_request *q = &requests[i];

		if (q->content == OUTPUT_PAGE ? open_page(o, q, err) : open_sink(o, q, err)) {
			outputs_abandon(o);
			return NULL;
		}
	}
	o->tables.only_counts = options->only_counts;
	first_ids(&o->tables);
	return o;
}

static void free_rows(struct rows *r)
{
	for (size_t i = 0; i < r->nr_sets; i++)
		free(r->sets[i].name);
	free(r->sets);
	free(r->events);
	free(r->place_ids);
	free(r->sinks);
	free(r->word_text.at);
	context_free(r->context);
	tracepoint_tables_free(r->tracepoints);
}

static void free_outputs(struct outputs *o)
{
	free_rows(&o->tables);
	free_rows(&o->metrics);
	free_rows(&o->counts);
	free(o->pages);
	free(o->drawn);
	plot_free(o->plot);
	free(o);
}

void outputs_abandon(struct outputs *o)
{
	struct rows *all[] = { &o->tables, &o->metrics, &o->counts };
	struct error ignored;

	if (!o)
		return;
	for (size_t a = 0; a < 3; a++)
		for (size_t i = 0; i < all[a]->nr_sinks; i++)
			sink_abandon(all[a]->sinks[i]);
	for (size_t i = 0; i < o->nr_pages; i++) {
		report_page_free(o->pages[i].report);
		if (o->pages[i].page)
			(void)page_finish(o->pages[i].page, &ignored);
		outfile_abandon(o->pages[i].file);
	}
	while (o->nr_drawn)
		outfile_abandon(o->drawn[--o->nr_drawn]);
	free_outputs(o);
}

static int finish_page(struct page_output *p, struct error *err)
{
	struct page *page = p->page;
	struct outfile *file = p->file;

	report_page_free(p->report);
	*p = (struct page_output){ 0 };
	if (page_finish(page, err)) {
		outfile_failed(file, errno, err);
		outfile_abandon(file);
		return -1;
	}
	return outfile_finish(file, err);
}

static int finish_rows(struct rows *r, struct error *err)
{
	while (r->nr_sinks)
		if (sink_finish(r->sinks[--r->nr_sinks], err))
			return -1;
	return 0;
}

int outputs_finish(struct outputs *o, struct error *err)
{
	int result = 0;

	if (finish_rows(&o->tables, err) || finish_rows(&o->metrics, err) || finish_rows(&o->counts, err))
		result = -1;
	for (size_t i = 0; i < o->nr_pages && result == 0; i++)
		result = finish_page(&o->pages[i], err);
	while (o->nr_drawn && result == 0)
		result = outfile_finish(o->drawn[--o->nr_drawn], err);
	if (result) {
		outputs_abandon(o);
		return -1;
	}
	free_outputs(o);
	return 0;
}

bool outputs_want_metrics(const struct outputs *o)
{
	return o->nr_pages || o->plot || o->metrics.nr_sinks || (o->tables.nr_sinks && !o->tables.only_counts);
}

bool outputs_want_samples(const struct outputs *o)
{
	return o->tables.nr_sinks && !o->tables.only_counts;
}

bool outputs_find_functions(const struct outputs *o)
{
	return outputs_want_samples(o);
}

bool outputs_count_samples(const struct outputs *o)
{
	return o->nr_pages > 0;
}

/* ---- the visitor ---- */

static bool is_shown(const struct outputs *o, const struct scope *s)
{
	for (size_t i = 0; i < o->options.nr_shown; i++)
		if (o->options.shown[i].by_interval == (s->interval >= 0) && o->options.shown[i].place == s->place->kind)
			return true;
	return o->options.nr_shown == 0;
}

static int on_begin(void *user, const struct analysis *a, struct error *err)
{
	struct outputs *o = user;

	o->counts.nr_events = 0;
	if (o->tables.nr_sinks && rows_capture_begin(&o->tables, a, err))
		return -1;
	for (size_t i = 0; i < o->nr_pages; i++)
		if (report_page_begin(o->pages[i].report, a))
			return -1;
	if (o->plot)
		plot_begin(o->plot, a);
	return 0;
}

static int put_tables(struct outputs *o, const struct analysis *a, const struct scope *s,
		      const struct metric_result *results, struct error *err)
{
	if (rows_counts(&o->tables, a, s, err))
		return -1;
	if (o->tables.only_counts)
		return 0;
	return rows_metrics(&o->tables, a, s, results, err) || rows_checks(&o->tables, a, s, err) ? -1 : 0;
}

static int on_scope(void *user, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		    struct error *err)
{
	struct outputs *o = user;

	if (o->tables.nr_sinks && put_tables(o, a, s, results, err))
		return -1;
	if (o->plot)
		plot_scope(o->plot, a, s, results);
	if (!is_shown(o, s))
		return 0;
	if (o->metrics.nr_sinks && rows_flat_metrics(&o->metrics, a, s, results, err))
		return -1;
	if (o->counts.nr_sinks && rows_flat_counts(&o->counts, a, s, err))
		return -1;
	for (size_t i = 0; i < o->nr_pages; i++)
		report_page_scope(o->pages[i].report, a, s, results);
	return 0;
}

static int on_item(void *user, const struct analysis *a, const struct item *item, struct error *err)
{
	struct outputs *o = user;

	return outputs_want_samples(o) ? rows_item(&o->tables, a, item, err) : 0;
}

static int on_part(void *user, const struct analysis *a, const struct part *part, const struct metric_result *results,
		   struct error *err)
{
	struct outputs *o = user;

	if (outputs_want_samples(o) && rows_part(&o->tables, a, part, results, err))
		return -1;
	if (o->metrics.nr_sinks && rows_flat_part(&o->metrics, a, part, results, err))
		return -1;
	if (o->counts.nr_sinks && rows_flat_part_counts(&o->counts, a, part, err))
		return -1;
	for (size_t i = 0; i < o->nr_pages; i++)
		report_page_part(o->pages[i].report, a, part, results);
	return 0;
}

/* run.svg for the first capture, run-2.svg for the second; beside run.md. */
static char *picture_path(const char *path, size_t nr)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
	char *text;

	if (asprintf(&text, nr > 1 ? "%.*s-%zu.svg" : "%.*s.svg", (int)stem, path, nr) < 0)
		abort();
	return text;
}

static int draw_to(struct outputs *o, const struct analysis *a, const char *path, struct error *err)
{
	struct outfile *file = plot_draw(o->plot, a, path, o->options.force, err);

	if (!file)
		return -1;
	o->drawn = must_realloc(o->drawn, o->nr_drawn + 1, sizeof(*o->drawn));
	o->drawn[o->nr_drawn++] = file;
	return 0;
}

static int draw_beside(struct outputs *o, const struct analysis *a, const struct page_output *p, struct error *err)
{
	char *path = picture_path(p->path, o->nr_pictures);
	const char *name = strrchr(path, '/');
	int result = draw_to(o, a, path, err);

	page_image(p->page, "Pipeline utilization", name ? name + 1 : path);
	free(path);
	return result;
}

static int draw_pictures(struct outputs *o, const struct analysis *a, struct error *err)
{
	int result = 0;

	if (!plot_has_picture(o->plot))
		return o->options.plot ? fail(err, NO_OFFSET, "has no pipeline metrics to draw") : 0;
	o->nr_pictures++;
	if (o->options.plot) {
		char *path = picture_path(o->options.plot, o->nr_pictures);

		result = draw_to(o, a, path, err);
		free(path);
	}
	for (size_t i = 0; i < o->nr_pages && result == 0; i++)
		if (o->pages[i].markdown && o->pages[i].path)
			result = draw_beside(o, a, &o->pages[i], err);
	return result;
}

static int on_end(void *user, const struct analysis *a, struct error *err)
{
	struct outputs *o = user;

	if (o->tables.nr_sinks) {
		if (!o->tables.only_counts && (rows_missing_metrics(&o->tables, a, err) || rows_modifiers(&o->tables, a, err)))
			return -1;
		if (rows_items_end(&o->tables, err) || rows_capture_end(&o->tables, a, err))
			return -1;
	}
	if (o->metrics.nr_sinks && rows_flat_missing_metrics(&o->metrics, a, err))
		return -1;
	for (size_t i = 0; i < o->nr_pages; i++)
		report_page_end(o->pages[i].report, a);
	return o->plot ? draw_pictures(o, a, err) : 0;
}

const struct analysis_visitor outputs_visitor = { .begin = on_begin, .scope = on_scope, .item = on_item, .part = on_part, .end = on_end };
