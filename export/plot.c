// SPDX-License-Identifier: GPL-2.0-only
/* The pipeline as SVG, for light and dark pages, without scripts and without fonts of its own. */
#include "export/plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/outfile.h"
#include "export/pipeline_order.h"

enum {
	MAX_LEVEL1 = 8,
	MAX_POINTS = 1200, /* more intervals than this are added up in pairs */
	WIDTH = 860,
	LEFT = 20,
	BAR_WIDTH = WIDTH - 2 * LEFT,
	BAR_HEIGHT = 44,
	AREA_HEIGHT = 220,
	LINE = 20,
};

/* One interval: the shares of level 1, and the slots that they are shares of. */
struct point {
	double begin_ns, end_ns, slots;
	double shares[MAX_LEVEL1];
};

struct plot {
	size_t *pipeline, nr_pipeline;
	size_t level1[MAX_LEVEL1], nr_level1;
	int32_t slots_metric;
	struct metric_result *run; /* by pipeline index; NULL: no run yet */
	struct point *points;
	size_t nr_points, merged; /* intervals that one point stands for */
	struct point pending;
	size_t nr_pending;
};

struct plot *plot_new(void)
{
	return must_alloc(sizeof(struct plot));
}

static void forget(struct plot *p)
{
	free(p->pipeline);
	free(p->run);
	free(p->points);
	*p = (struct plot){ .merged = 1 };
}

void plot_free(struct plot *p)
{
	if (!p)
		return;
	forget(p);
	free(p);
}

void plot_begin(struct plot *p, const struct analysis *a)
{
	forget(p);
	if (!a->plan)
		return;
	p->pipeline = pipeline_order(a->set, &p->nr_pipeline);
	p->slots_metric = set_find_metric(a->set, "total_dispatch_slots");
	for (size_t i = 0; i < p->nr_pipeline; i++)
		if (a->set->metrics[p->pipeline[i]].level == 1 && p->nr_level1 < MAX_LEVEL1)
			p->level1[p->nr_level1++] = i;
}

/* ---- intervals ---- */

/* The share of both is the sum of the numerators over the sum of the slots. */
static void add_point(struct point *to, const struct point *from)
{
	double slots = to->slots + from->slots;

	for (size_t i = 0; i < MAX_LEVEL1; i++)
		to->shares[i] = (to->shares[i] * to->slots + from->shares[i] * from->slots) / slots;
	to->slots = slots;
	to->end_ns = from->end_ns;
}

static void halve(struct plot *p)
{
	for (size_t i = 0; i + 1 < p->nr_points; i += 2) {
		p->points[i / 2] = p->points[i];
		add_point(&p->points[i / 2], &p->points[i + 1]);
	}
	p->nr_points /= 2;
	p->merged *= 2;
}

static void keep_point(struct plot *p, const struct point *point)
{
	if (p->nr_pending == 0)
		p->pending = *point;
	else
		add_point(&p->pending, point);
	if (++p->nr_pending < p->merged)
		return;
	if (p->nr_points == MAX_POINTS)
		halve(p);
	if (!p->points)
		p->points = must_realloc(NULL, MAX_POINTS, sizeof(*p->points));
	p->points[p->nr_points++] = p->pending;
	p->nr_pending = 0;
}

static void take_interval(struct plot *p, const struct scope *s, const struct metric_result *results)
{
	struct point point = { .begin_ns = s->begin_ns, .end_ns = s->end_ns, .slots = results[p->slots_metric].value };

	for (size_t i = 0; i < p->nr_level1; i++)
		point.shares[i] = results[p->pipeline[p->level1[i]]].value;
	keep_point(p, &point);
}

void plot_scope(struct plot *p, const struct analysis *a, const struct scope *s, const struct metric_result *results)
{
	if (!p->nr_pipeline || s->place->kind != PLACE_RUN)
		return;
	if (s->interval >= 0) {
		if (p->slots_metric >= 0 && plan_has(a->plan, (size_t)p->slots_metric))
			take_interval(p, s, results);
		return;
	}
	p->run = must_realloc(p->run, p->nr_pipeline, sizeof(*p->run));
	for (size_t i = 0; i < p->nr_pipeline; i++)
		p->run[i] = results[p->pipeline[i]];
}

bool plot_has_picture(const struct plot *p)
{
	for (size_t i = 0; p->run && i < p->nr_level1; i++)
		if (!isnan(p->run[p->level1[i]].value))
			return true;
	return false;
}

/* ---- drawing ---- */

/* Middle tones that stand out from white and from black. */
static const char *const colors[MAX_LEVEL1] = { "#3a9d5d", "#3b82c4", "#d9822b", "#a05bb5", "#7d8790",
						"#b5574a", "#5b8f8f", "#8f8f5b" };

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '&': fputs("&amp;", out); break;
		case '"': fputs("&quot;", out); break;
		default:
			if ((unsigned char)*text >= 0x20)
				fputc(*text, out);
		}
}

static const struct set_metric *metric_of(const struct plot *p, const struct analysis *a, size_t i)
{
	return &a->set->metrics[p->pipeline[i]];
}

/* "frontend_bound 6.1 % ±0.3" */
static void put_value(FILE *out, const char *name, const struct metric_result *r)
{
	double half = (r->hi - r->lo) / 2;

	put_escaped(out, name);
	if (isnan(r->value)) {
		fputs(" not known", out);
		return;
	}
	fprintf(out, " %.1f %%", fabs(r->value) < 0.0005 ? 0 : r->value * 100);
	if (!isnan(half) && r->method != METHOD_EXACT)
		fprintf(out, " ±%.1f", fmax(half * 100, 0.1));
}

static void put_description(FILE *out, const struct plot *p, const struct analysis *a)
{
	fputs("<desc id=\"d\">", out);
	for (size_t i = 0; i < p->nr_pipeline; i++) {
		fputs(i ? ", " : "Percent of dispatch slots: ", out);
		put_value(out, metric_of(p, a, i)->name, &p->run[i]);
	}
	fputs(".</desc>\n", out);
}

static double x_of(double share)
{
	return LEFT + share * BAR_WIDTH;
}

static void draw_whisker(FILE *out, double begin, const struct metric_result *r, double y)
{
	double lo = x_of(begin + r->lo), hi = x_of(begin + r->hi);

	if (isnan(r->lo) || isnan(r->hi) || r->hi <= r->lo)
		return;
	fprintf(out, "<path class=\"w\" d=\"M%.2f %.1fv8M%.2f %.1fv8M%.2f %.1fh%.2f\"/>\n", lo, y - 4, hi, y - 4, lo, y, hi - lo);
}

/* One stacked bar of a level; nothing is drawn for what is unknown or below zero. */
static void draw_bar(FILE *out, const struct plot *p, const struct analysis *a, int level, double y)
{
	double at = 0;
	size_t color = 0, child = 0;

	for (size_t i = 0; i < p->nr_pipeline; i++) {
		const struct set_metric *m = metric_of(p, a, i);
		const struct metric_result *r = &p->run[i];

		if (m->level == 1) {
			color = i ? color + 1 : 0;
			child = 0;
		} else {
			child++;
		}
		if (m->level != level || isnan(r->value) || r->value <= 0)
			continue;
		fprintf(out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s><title>", x_of(at), y,
			r->value * BAR_WIDTH, BAR_HEIGHT, colors[color % MAX_LEVEL1], child == 2 ? " fill-opacity=\".6\"" : "");
		put_value(out, m->name, r);
		fputs("</title></rect>\n", out);
		draw_whisker(out, at, r, y + BAR_HEIGHT / 2.0);
		at += r->value;
	}
}

/* Names and numbers, two columns of lines; level 2 is indented. */
static double draw_legend(FILE *out, const struct plot *p, const struct analysis *a, double y)
{
	size_t color = 0, half = (p->nr_pipeline + 1) / 2, child = 0;

	for (size_t i = 0; i < p->nr_pipeline; i++) {
		const struct set_metric *m = metric_of(p, a, i);
		double x = LEFT + (i < half ? 0 : BAR_WIDTH / 2.0) + (m->level - 1) * 16;
		double line = y + (double)(i < half ? i : i - half) * LINE;

		if (m->level == 1) {
			color = i ? color + 1 : 0;
			child = 0;
		} else {
			child++;
		}
		fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"%s/>", x, line - 11,
			colors[color % MAX_LEVEL1], child == 2 ? " fill-opacity=\".6\"" : "");
		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">", x + 18, line);
		put_value(out, m->name, &p->run[i]);
		fputs("</text>\n", out);
	}
	return y + (double)half * LINE;
}

static double draw_bars(FILE *out, const struct plot *p, const struct analysis *a, double y)
{
	for (int level = 1; level <= 2; level++) {
		fprintf(out, "<text x=\"%d\" y=\"%.1f\">level %d, percent of slots</text>\n", LEFT, y + 14, level);
		fprintf(out, "<rect class=\"f\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT, y + 20, BAR_WIDTH,
			BAR_HEIGHT);
		draw_bar(out, p, a, level, y + 20);
		y += BAR_HEIGHT + 34;
	}
	return draw_legend(out, p, a, y + 14);
}

/* ---- areas ---- */

static bool is_known(const struct plot *p, const struct point *point)
{
	for (size_t i = 0; i < p->nr_level1; i++)
		if (isnan(point->shares[i]))
			return false;
	return true;
}

static double level_under(const struct point *point, size_t layers)
{
	double sum = 0;

	for (size_t i = 0; i < layers; i++)
		sum += fmax(point->shares[i], 0);
	return sum;
}

/* From one gap to the next: along the upper edge, and back along the lower. */
static void draw_stretch(FILE *out, const struct plot *p, size_t first, size_t end, size_t layer, double y, double x0,
			 double scale)
{
	fprintf(out, "<path fill=\"%s\" d=\"", colors[layer]);
	for (size_t i = first; i < end; i++) {
		double top = y + AREA_HEIGHT * (1 - level_under(&p->points[i], layer + 1));

		fprintf(out, "%s%.2f %.2fL%.2f %.2f", i == first ? "M" : "L", x0 + p->points[i].begin_ns * scale, top,
			x0 + p->points[i].end_ns * scale, top);
	}
	for (size_t i = end; i-- > first;) {
		double bottom = y + AREA_HEIGHT * (1 - level_under(&p->points[i], layer));

		fprintf(out, "L%.2f %.2fL%.2f %.2f", x0 + p->points[i].end_ns * scale, bottom,
			x0 + p->points[i].begin_ns * scale, bottom);
	}
	fputs("z\"/>\n", out);
}

static double draw_areas(FILE *out, const struct plot *p, const struct analysis *a, double y)
{
	double end = p->nr_points ? p->points[p->nr_points - 1].end_ns : 0;
	double scale = BAR_WIDTH / end;

	(void)a;
	fprintf(out, "<text x=\"%d\" y=\"%.1f\">level 1 over time, percent of slots (%zu %s)</text>\n", LEFT, y + 14,
		p->nr_points, p->merged > 1 ? "steps of several intervals" : "intervals");
	y += 22;
	fprintf(out, "<rect class=\"f\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT, y, BAR_WIDTH, AREA_HEIGHT);
	for (size_t layer = 0; layer < p->nr_level1; layer++)
		for (size_t i = 0; i < p->nr_points;) {
			size_t stop = i;

			while (stop < p->nr_points && is_known(p, &p->points[stop]))
				stop++;
			if (stop > i)
				draw_stretch(out, p, i, stop, layer, y, LEFT, scale);
			i = stop + 1;
		}
	fprintf(out, "<text x=\"%d\" y=\"%.1f\">0 s</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g s</text>\n", LEFT,
		y + AREA_HEIGHT + 16, LEFT + BAR_WIDTH, y + AREA_HEIGHT + 16, end * 1e-9);
	return y + AREA_HEIGHT + 28;
}

/* ---- the file ---- */

static void draw(FILE *out, const struct plot *p, const struct analysis *a)
{
	bool areas = p->nr_points > 1;
	double height = 2.0 * (BAR_HEIGHT + 34) + 30 + (double)((p->nr_pipeline + 1) / 2) * LINE + 30 +
			(areas ? AREA_HEIGHT + 60 : 0);
	double y = 10;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
		"aria-labelledby=\"t d\">\n<title id=\"t\">Pipeline utilization: ",
		WIDTH, height, WIDTH, height);
	put_escaped(out, a->capture->command ? a->capture->command : a->capture->path);
	fputs("</title>\n", out);
	put_description(out, p, a);
	fputs("<style>text{font:13px sans-serif;fill:#222}.f{fill:none;stroke:#888}.w{fill:none;stroke:#111;stroke-width:1.5}"
	      "@media(prefers-color-scheme:dark){text{fill:#ddd}.w{stroke:#fff}}</style>\n",
	      out);
	y = draw_bars(out, p, a, y);
	if (areas)
		draw_areas(out, p, a, y + 10);
	fputs("</svg>\n", out);
}

struct outfile *plot_draw(const struct plot *p, const struct analysis *a, const char *path, bool force,
			  struct error *err)
{
	struct outfile *file = outfile_open(path, force, err);

	if (file)
		draw(outfile_stream(file), p, a);
	return file;
}
