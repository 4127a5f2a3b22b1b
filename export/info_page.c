// SPDX-License-Identifier: GPL-2.0-only
/* perftab info. */
#include "export/info_page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "export/sample_totals.h"
#include "export/schema.h"
#include "reader/perf_file.h"
#include "reader/records.h"

/* ---- the page ---- */

static void fact(struct page *p, const char *name, const char *value)
{
	if (value && *value)
		page_fact(p, name, value);
}

__attribute__((format(printf, 3, 4))) static void factf(struct page *p, const char *name, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	page_fact(p, name, text);
}

static void draw_head(struct page *p, const struct analysis *a)
{
	const struct capture *c = a->capture;

	page_heading(p, 1, c->path);
	fact(p, "format", c->format);
	fact(p, "byte order", c->swapped ? "the other than this machine's" : "");
	fact(p, "perf", c->perf_version);
	fact(p, "host", c->hostname);
	fact(p, "kernel", c->os_release);
	fact(p, "architecture", c->arch);
	fact(p, "CPU", c->cpu_desc);
	fact(p, "CPUID", c->cpuid);
	if (c->cpus_online >= 0)
		factf(p, "CPUs", "%" PRId64 " online, %" PRId64 " available", c->cpus_online, c->cpus_available);
	fact(p, "command", c->command);
	if (c->duration_ns >= 0)
		factf(p, "duration", "%.9g s", (double)c->duration_ns / 1e9);
	if (c->interval_ms)
		factf(p, "interval", "%" PRId64 " ms", c->interval_ms);
	fact(p, "aggregation", aggregation_name(c->aggregation));
	fact(p, "complete", c->complete ? "yes" : "no, see below");
}

static void draw_events(struct page *p, const struct analysis *a)
{
	static const struct page_column columns[] = {
		{ "event", PAGE_LEFT },	  { "is", PAGE_LEFT },	    { "group", PAGE_RIGHT }, { "type", PAGE_RIGHT },
		{ "config", PAGE_RIGHT }, { "PMU", PAGE_LEFT }, { "counts", PAGE_LEFT },
	};

	page_heading(p, 2, "Events");
	page_table_begin(p, columns, 7);
	for (size_t i = 0; i < a->capture->nr_events; i++) {
		const struct event *e = &a->capture->events[i];
		const char *canonical = a->set ? set_canonical(a->set, e) : NULL;
		char group[24] = "", type[24] = "", config[32] = "";
		const char *cells[] = { e->name, canonical && strcmp(canonical, e->name) ? canonical : "",
					group, type, config, e->pmu,
					!e->opened ? "not supported" : *e->modifiers ? e->modifiers : "" };

		if (e->group >= 0)
			snprintf(group, sizeof(group), "%" PRId32 "%s", e->group, e->group_known ? "" : "?");
		if (e->has_config) {
			snprintf(type, sizeof(type), "%" PRIu32, e->type);
			snprintf(config, sizeof(config), "0x%" PRIx64, e->config);
		}
		page_table_row(p, 0, cells);
	}
	page_table_end(p);
}

static uint64_t count_records(const struct capture *c)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < sizeof(c->record_counts) / sizeof(c->record_counts[0]); i++)
		nr += c->record_counts[i];
	return nr;
}

static const char *type_name(uint32_t type)
{
	const char *name = type ? record_type_name(type) : "of types from 128 on";

	return name ? name : "unknown";
}

static void draw_records(struct page *p, const struct capture *c)
{
	static const struct page_column columns[] = {
		{ "record", PAGE_LEFT }, { "type", PAGE_RIGHT }, { "how many", PAGE_RIGHT },
	};

	if (!count_records(c))
		return;
	page_heading(p, 2, "Records");
	page_table_begin(p, columns, 3);
	for (uint32_t i = 0; i < sizeof(c->record_counts) / sizeof(c->record_counts[0]); i++) {
		char type[16] = "", nr[24];
		const char *cells[] = { type_name(i), type, nr };

		if (!c->record_counts[i])
			continue;
		if (i)
			snprintf(type, sizeof(type), "%" PRIu32, i);
		snprintf(nr, sizeof(nr), "%" PRIu64, c->record_counts[i]);
		page_table_row(p, 0, cells);
	}
	page_table_end(p);
}

static void draw_damage(struct page *p, const struct damage *d)
{
	bool any = false;

	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = d->of[k].detail;
		char text[600], at[40] = "";

		if (!d->of[k].count)
			continue;
		if (!any)
			page_heading(p, 2, "Lost or odd");
		any = true;
		if (d->of[k].first_offset != NO_OFFSET)
			snprintf(at, sizeof(at), ", first at offset %" PRIu64, d->of[k].first_offset);
		snprintf(text, sizeof(text), "%s: %s%s%s (%" PRIu64 "%s)", damage_name((enum damage_kind)k),
			 damage_text((enum damage_kind)k), *detail ? ": " : "", detail, d->of[k].count, at);
		page_note(p, text);
	}
}

static void draw_metrics(struct page *p, const struct analysis *a)
{
	static const struct page_column columns[] = {
		{ "metric", PAGE_LEFT }, { "can be computed", PAGE_LEFT }, { "events that are missing", PAGE_LEFT },
	};

	page_heading(p, 2, "Metrics");
	if (!a->plan) {
		page_line(p, a->note);
		return;
	}
	page_linef(p, "Of the set %s:", a->set->name);
	page_table_begin(p, columns, 3);
	for (int has = 1; has >= 0; has--)
		for (size_t m = 0; m < a->set->nr_metrics; m++) {
			const char *cells[] = { a->set->metrics[m].name, has ? "yes" : "no",
						has ? "" : plan_missing(a->plan, m) };

			if (plan_has(a->plan, m) == (has != 0))
				page_table_row(p, 0, cells);
		}
	page_table_end(p);
}

/* How many samples have no function, and which files would tell. */
static void draw_names(struct page *p, const struct analysis *a)
{
	static const struct page_column columns[] = { { "file", PAGE_LEFT }, { "", PAGE_LEFT } };
	const struct wanted_file *wanted;
	size_t nr = symbols_wanted(locator_symbols(a->locator), &wanted);

	if (!a->parts || !parts_found(a->parts))
		return;
	page_heading(p, 2, "Names of functions");
	page_linef(p, "%" PRIu64 " of %" PRIu64 " samples lie in functions whose names are not known.%s",
		   parts_unnamed_samples(a->parts), sample_totals_samples(a->capture), nr ? "  These files are wanted:" : "");
	if (!nr)
		return;
	page_table_begin(p, columns, 2);
	for (size_t i = 0; i < nr; i++) {
		const char *cells[] = { wanted[i].path, wanted[i].reason };

		page_table_row(p, 0, cells);
	}
	page_table_end(p);
	page_note(p, "--symfs and --buildid-dir say where to look for them, --debuginfod asks servers.");
}

void info_page(struct page *p, const struct analysis *a)
{
	draw_head(p, a);
	draw_events(p, a);
	if (sample_totals_samples(a->capture)) {
		page_heading(p, 2, "Samples");
		sample_totals_draw(p, a->capture);
	}
	draw_names(p, a);
	draw_records(p, a->capture);
	draw_damage(p, &a->capture->damage);
	draw_metrics(p, a);
}

/* ---- rows ---- */

static const struct column capture_columns[] = {
	{ "id", COLUMN_INT, NULL },	      { "path", COLUMN_TEXT, NULL },	    { "format", COLUMN_TEXT, NULL },
	{ "perf_version", COLUMN_TEXT, NULL }, { "hostname", COLUMN_TEXT, NULL },    { "os_release", COLUMN_TEXT, NULL },
	{ "arch", COLUMN_TEXT, NULL },	      { "cpu_desc", COLUMN_TEXT, NULL },    { "cpuid", COLUMN_TEXT, NULL },
	{ "cpus_online", COLUMN_INT, NULL },  { "command", COLUMN_TEXT, NULL },	    { "duration_ns", COLUMN_INT, NULL },
	{ "interval_ms", COLUMN_INT, NULL },  { "aggregation", COLUMN_TEXT, NULL }, { "metric_set", COLUMN_TEXT, NULL },
	{ "complete", COLUMN_INT, NULL },     { "unnamed_samples", COLUMN_INT, NULL },
};
static const struct column event_columns[] = {
	{ "capture_id", COLUMN_INT, NULL }, { "position", COLUMN_INT, NULL },  { "name", COLUMN_TEXT, NULL },
	{ "canonical", COLUMN_TEXT, NULL }, { "group", COLUMN_INT, NULL },     { "type", COLUMN_INT, NULL },
	{ "config", COLUMN_HEX, NULL },	    { "modifiers", COLUMN_TEXT, NULL }, { "supported", COLUMN_INT, NULL },
	{ "samples", COLUMN_INT, NULL },    { "period_sum", COLUMN_INT, NULL }, { "first_ns", COLUMN_INT, NULL },
	{ "last_ns", COLUMN_INT, NULL },
};
static const struct column record_columns[] = {
	{ "capture_id", COLUMN_INT, NULL },
	{ "type", COLUMN_INT, NULL },
	{ "name", COLUMN_TEXT, NULL },
	{ "count", COLUMN_INT, NULL },
};
static const struct column metric_columns[] = {
	{ "capture_id", COLUMN_INT, NULL },
	{ "name", COLUMN_TEXT, NULL },
	{ "computable", COLUMN_INT, NULL },
	{ "missing", COLUMN_TEXT, NULL },
};

static const struct column wanted_columns[] = {
	{ "capture_id", COLUMN_INT, NULL },
	{ "path", COLUMN_TEXT, NULL },
	{ "reason", COLUMN_TEXT, NULL },
};

#define TABLE(variable, name, columns)                                                                                 \
	static const struct table variable = { name, columns, sizeof(columns) / sizeof((columns)[0]), NULL, NULL }

TABLE(table_info_capture, "capture", capture_columns);
TABLE(table_info_event, "event", event_columns);
TABLE(table_info_record, "record", record_columns);
TABLE(table_info_metric, "metric", metric_columns);
TABLE(table_info_wanted, "wanted_file", wanted_columns);

static const struct table *const tables[] = {
	&table_info_capture, &table_info_event, &table_info_record, &table_diagnostic, &table_info_metric,
	&table_info_wanted,
};

const struct schema schema_info = { tables, sizeof(tables) / sizeof(tables[0]), NULL, 0 };

static struct value known(int64_t v)
{
	return v < 0 ? value_null() : value_int(v);
}

static int put_capture(struct sink *sink, const struct analysis *a, int64_t id, struct error *err)
{
	const struct capture *c = a->capture;
	const struct value v[] = {
		value_int(id),		     value_text(c->path),	value_text(c->format),
		value_text(c->perf_version), value_text(c->hostname),	value_text(c->os_release),
		value_text(c->arch),	     value_text(c->cpu_desc),	value_text(c->cpuid),
		known(c->cpus_online),	     value_text(c->command),	known(c->duration_ns),
		value_int(c->interval_ms),   value_text(aggregation_name(c->aggregation)),
		value_text(a->set ? a->set->name : NULL), value_int(c->complete),
		a->parts && parts_found(a->parts) ? value_u64(parts_unnamed_samples(a->parts)) : value_null(),
	};

	return sink_row(sink, &table_info_capture, v, err);
}

static int put_events(struct sink *sink, const struct analysis *a, int64_t id, struct error *err)
{
	for (size_t i = 0; i < a->capture->nr_events; i++) {
		const struct event *e = &a->capture->events[i];
		const struct event_samples none = { 0 }, *s = i < a->capture->nr_samples ? &a->capture->samples[i] : &none;
		const struct value v[] = {
			value_int(id), value_int((int64_t)i), value_text(e->name),
			value_text(a->set ? set_canonical(a->set, e) : NULL), known(e->group),
			e->has_config ? value_int(e->type) : value_null(),
			e->has_config ? value_u64(e->config) : value_null(), value_text(e->modifiers),
			value_int(e->opened), value_u64(s->samples), value_u64(s->period),
			s->first_ns ? value_u64(s->first_ns) : value_null(),
			s->last_ns ? value_u64(s->last_ns) : value_null(),
		};

		if (sink_row(sink, &table_info_event, v, err))
			return -1;
	}
	return 0;
}

static int put_records(struct sink *sink, const struct capture *c, int64_t id, struct error *err)
{
	for (uint32_t i = 0; i < sizeof(c->record_counts) / sizeof(c->record_counts[0]); i++) {
		const struct value v[] = { value_int(id), i ? value_int(i) : value_null(), value_text(type_name(i)),
					   value_u64(c->record_counts[i]) };

		if (c->record_counts[i] && sink_row(sink, &table_info_record, v, err))
			return -1;
	}
	return 0;
}

static int put_damage(struct sink *sink, const struct damage *d, int64_t id, struct error *err)
{
	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = d->of[k].detail;
		char message[400];
		struct value v[5];

		if (!d->of[k].count)
			continue;
		snprintf(message, sizeof(message), "%s%s%s", damage_text((enum damage_kind)k), *detail ? ": " : "", detail);
		v[0] = value_int(id);
		v[1] = value_text(damage_name((enum damage_kind)k));
		v[2] = value_u64(d->of[k].count);
		v[3] = d->of[k].first_offset == NO_OFFSET ? value_null() : value_u64(d->of[k].first_offset);
		v[4] = value_text(message);
		if (sink_row(sink, &table_diagnostic, v, err))
			return -1;
	}
	return 0;
}

static int put_metrics(struct sink *sink, const struct analysis *a, int64_t id, struct error *err)
{
	for (size_t m = 0; a->plan && m < a->set->nr_metrics; m++) {
		bool has = plan_has(a->plan, m);
		const struct value v[] = { value_int(id), value_text(a->set->metrics[m].name), value_int(has),
					   has ? value_null() : value_text(plan_missing(a->plan, m)) };

		if (sink_row(sink, &table_info_metric, v, err))
			return -1;
	}
	return 0;
}

static int put_wanted(struct sink *sink, const struct analysis *a, int64_t id, struct error *err)
{
	const struct wanted_file *wanted;
	size_t nr = symbols_wanted(locator_symbols(a->locator), &wanted);

	for (size_t i = 0; i < nr; i++) {
		const struct value v[] = { value_int(id), value_text(wanted[i].path), value_text(wanted[i].reason) };

		if (sink_row(sink, &table_info_wanted, v, err))
			return -1;
	}
	return 0;
}

int info_rows(struct sink *sink, const struct analysis *a, int64_t id, struct error *err)
{
	if (put_capture(sink, a, id, err) || put_events(sink, a, id, err) || put_records(sink, a->capture, id, err) ||
	    put_damage(sink, &a->capture->damage, id, err))
		return -1;
	return put_metrics(sink, a, id, err) || put_wanted(sink, a, id, err) ? -1 : 0;
}
