// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes perf stat output in every layout, for each version of perf, way of adding up,
 * locale and separator, and reads each back to the same counts.  What is written here
 * follows perf's own layouts; what is expected comes from the figures, not the text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/stat_reading.h"
#include "tests/test.h"

enum version { PERF_6_1, PERF_6_12, PERF_7_2, NR_VERSIONS };
enum mode { MODE_TOTAL, MODE_REPEAT, MODE_INTERVAL, MODE_SUMMARY, NR_MODES };
enum layout { LAYOUT_TEXT, LAYOUT_CSV, LAYOUT_JSON };

static const char *const version_names[] = { "6.1", "6.12", "7.2" };
static const char *const mode_names[] = { "total", "-r", "-I", "-I --summary" };

struct locale {
	const char *name, *point, *group;
};

static const struct locale locales[] = {
	{ "C", ".", "" },
	{ "en_US", ".", "," },
	{ "de_DE", ",", "." },
	{ "fr_FR", ",", "\xe2\x80\xaf" },
	{ "pl_PL", ",", "\xc2\xa0" },
	{ "de_CH", ".", "\xe2\x80\x99" },
	{ "plain blank", ",", " " },
	{ "C with comma", ",", "" },
};

static const char *const separators[] = { ",", ";", "\t", "|", "::", " ; " };

struct aggregate {
	enum aggregation kind;
	const char *labels[2]; /* as text and CSV have them */
	const char *key;       /* of JSON */
	bool by_event;         /* all places of an event, then the next event */
	enum version since;
};

static const struct aggregate aggregates[] = {
	{ AGGREGATION_GLOBAL, { "", NULL }, "", false, PERF_6_1 },
	{ AGGREGATION_NONE, { "CPU0", "CPU13" }, "cpu", true, PERF_6_1 },
	{ AGGREGATION_CORE, { "S0-D0-C0", "S1-D0-C12" }, "core", false, PERF_6_1 },
	{ AGGREGATION_DIE, { "S0-D0", "S0-D1" }, "die", false, PERF_6_1 },
	{ AGGREGATION_SOCKET, { "S0", "S1" }, "socket", false, PERF_6_1 },
	{ AGGREGATION_NODE, { "N0", "N1" }, "node", false, PERF_6_1 },
	{ AGGREGATION_THREAD, { "sh-12", "my prog-x-3456" }, "thread", true, PERF_6_1 },
	{ AGGREGATION_CLUSTER, { "S0-D0-CLS0", "S0-D0-CLS65535" }, "cluster", false, PERF_6_12 },
	{ AGGREGATION_CACHE, { "S0-D0-L3-ID0", "S0-D0-L3-ID8" }, "cache", false, PERF_6_12 },
};

struct counter {
	const char *name, *unit;
	bool supported, counted;
	uint64_t value, enabled, running;
	const char *metric, *second; /* "unit  name", printed with one decimal */
};

static const struct counter counters[] = {
	{ "task-clock", "msec", true, true, 1949123456789, 2000000000, 2000000000, "CPUs  CPUs_utilized", NULL },
	{ "ls_not_halted_cyc", "", true, true, 44116386583, 2000000000, 999600000, NULL, NULL },
	{ "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", "", true, true, 949, 2000000000, 999600000,
	  "%  frontend_bound_latency", "%  frontend_bound_bandwidth" },
	{ "ls_not_halted_cyc", "", true, true, 1949, 2000000000, 713500000, "%  retiring", NULL },
	{ "ex_ret_ops:u", "", true, true, 1949123, 2000000000, 713500000, NULL, NULL },
	{ "r10000001a0", "", true, false, 0, 2000000000, 0, NULL, NULL },
	{ "LLC-loads", "", false, false, 0, 0, 0, NULL, NULL },
	{ "page-faults", "", true, true, 0, 2000000000, 2000000000, NULL, NULL },
};

enum { NR_COUNTERS = sizeof(counters) / sizeof(counters[0]), INTERVALS = 3, ITEMS_MAX = 512 };

struct wanted {
	enum item_kind kind;
	uint32_t event;
	const char *label;
	double value, coverage, running, noise;
	char name[40], unit[12];
	uint64_t time_ns;
	bool final, supported;
};

struct file {
	FILE *out;
	enum layout layout;
	enum version version;
	enum mode mode;
	const struct aggregate *aggregate;
	const struct locale *locale;
	const char *sep;
	uint64_t time_ns; /* of the interval */
	bool summary;     /* rows of --summary */
	struct wanted wanted[ITEMS_MAX];
	size_t nr_wanted, seen;
	char title[160];
};

/* ---- numbers as perf prints them ---- */

static const char *decimal(const struct file *f, double v, int decimals, char *to)
{
	char *point;
	char plain[64];

	snprintf(plain, sizeof(plain), "%.*f", decimals, v);
	point = strchr(plain, '.');
	if (!point)
		return strcpy(to, plain);
	sprintf(to, "%.*s%s%s", (int)(point - plain), plain, f->locale->point, point + 1);
	return to;
}

static const char *grouped(const struct file *f, double v, int decimals, char *to)
{
	char plain[64], *at = to;
	size_t digits, n;

	decimal(f, v, decimals, plain);
	digits = strspn(plain, "0123456789");
	for (n = 0; n < digits; n++) {
		if (n && (digits - n) % 3 == 0)
			at = stpcpy(at, f->locale->group);
		*at++ = plain[n];
	}
	strcpy(at, plain + digits);
	return to;
}

static double shown(const struct counter *c)
{
	return *c->unit ? (double)c->value * 1e-6 : (double)c->value;
}

static int decimals_of(const struct counter *c)
{
	return *c->unit ? 2 : 0;
}

static double rounded(double v, int decimals)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", decimals, v);
	return strtod(text, NULL);
}

static unsigned whole_percent(const struct counter *c)
{
	return c->enabled ? (unsigned)(100 * c->running / c->enabled) : 100;
}

static const char *state_of(const struct counter *c)
{
	return c->supported ? "<not counted>" : "<not supported>";
}

/* Figures differ by place and interval, so that a row at the wrong one is seen. */
static struct counter counter_at(const struct file *f, size_t event, size_t place)
{
	struct counter c = counters[event];

	if (c.value)
		c.value += place * 11 + f->time_ns / 1000000000 * 7;
	return c;
}

static const double noise_percent = 1.37, metric_value = 21.2;

/* ---- what is expected ---- */

static struct wanted *want(struct file *f, enum item_kind kind, size_t place)
{
	struct wanted *w = &f->wanted[f->nr_wanted++];

	assert_true(f->nr_wanted < ITEMS_MAX);
	memset(w, 0, sizeof(*w));
	w->kind = kind;
	w->label = f->aggregate->labels[place];
	return w;
}

static void want_count(struct file *f, const struct counter *c, size_t event, size_t place)
{
	struct wanted *w = want(f, ITEM_PRINTED_COUNT, place);
	int decimals = f->layout == LAYOUT_JSON ? 6 : decimals_of(c);

	w->event = (uint32_t)event;
	w->supported = c->supported;
	w->value = c->counted ? rounded(shown(c), decimals) * (*c->unit ? 1e6 : 1) : NAN;
	w->running = f->layout == LAYOUT_TEXT ? NAN : (double)c->running;
	w->noise = f->mode == MODE_REPEAT ? noise_percent / 100 : NAN;
	if (!c->supported)
		w->coverage = NAN;
	else if (f->layout == LAYOUT_TEXT)
		w->coverage = c->running == c->enabled
				      ? 1
				      : rounded(100.0 * (double)c->running / (double)c->enabled, 2) / 100;
	else
		w->coverage = whole_percent(c) / 100.0;
}

static void want_metric(struct file *f, const char *metric, size_t place, double value)
{
	struct wanted *w = want(f, ITEM_PRINTED_METRIC, place);
	const char *two = strstr(metric, "  ");

	snprintf(w->unit, sizeof(w->unit), "%.*s", (int)(two - metric), metric);
	snprintf(w->name, sizeof(w->name), "%s", two + 2);
	w->value = value;
}

static void want_round(struct file *f, bool final, uint64_t time_ns)
{
	struct wanted *w = want(f, ITEM_ROUND, 0);

	w->final = final;
	w->time_ns = time_ns;
}

/* ---- text ---- */

static void text_prefix(struct file *f, size_t place)
{
	const char *label = f->aggregate->labels[place], *dash = strrchr(label, '-');

	if (f->time_ns && !f->summary)
		fprintf(f->out, "%6" PRIu64 ".%09" PRIu64 " ", f->time_ns / 1000000000, f->time_ns % 1000000000);
	if (f->aggregate->kind == AGGREGATION_THREAD)
		fprintf(f->out, "%16.*s%-9s ", (int)(dash - label), label, dash);
	else if (f->aggregate->kind == AGGREGATION_NONE)
		fprintf(f->out, "%-6s ", label);
	else if (f->aggregate->kind != AGGREGATION_GLOBAL)
		fprintf(f->out, "%-18s %3d ", label, 2);
}

static void text_end(struct file *f, const struct counter *c)
{
	char number[64];

	if (f->mode == MODE_REPEAT)
		fprintf(f->out, "  ( +-%6s%% )", decimal(f, noise_percent, 2, number));
	if (c->running != c->enabled)
		fprintf(f->out, "  (%s%%)", decimal(f, 100.0 * (double)c->running / (double)c->enabled, 2, number));
	fputc('\n', f->out);
}

static void text_row(struct file *f, const struct counter *c, size_t place)
{
	char number[96];
	const char *pmu = f->version == PERF_6_12 && f->aggregate->kind == AGGREGATION_NONE ? " [cpu]" : "";
	const char *value = c->counted ? grouped(f, shown(c), decimals_of(c), number) : state_of(c);

	text_prefix(f, place);
	fprintf(f->out, "%18s %-4s %s%-*s", value, c->unit, c->name, 26 - (int)strlen(c->name), pmu);
	if (c->metric) {
		fprintf(f->out, " # %8s %-26s", decimal(f, metric_value, 1, number), c->metric);
		want_metric(f, c->metric, place, metric_value);
	}
	if (c->second) {
		fputc('\n', f->out);
		text_prefix(f, place);
		fprintf(f->out, "%51s# %8s %-26s", "", decimal(f, metric_value, 1, number), c->second);
		want_metric(f, c->second, place, metric_value);
	}
	text_end(f, c);
}

/* ---- CSV ---- */

static void csv_prefix(struct file *f, size_t place)
{
	int pad = f->version == PERF_6_1 ? 6 : 1;

	if (f->summary)
		fprintf(f->out, f->version == PERF_6_1 ? "%16s%s" : "%s%s", "summary", f->sep);
	else if (f->time_ns)
		fprintf(f->out, "%*" PRIu64 ".%09" PRIu64 "%s", pad, f->time_ns / 1000000000, f->time_ns % 1000000000,
			f->sep);
	if (f->aggregate->kind == AGGREGATION_GLOBAL)
		return;
	fprintf(f->out, "%s%s", f->aggregate->labels[place], f->sep);
	if (f->aggregate->kind != AGGREGATION_NONE && f->aggregate->kind != AGGREGATION_THREAD)
		fprintf(f->out, "2%s", f->sep);
}

/* perf copies digits and points of the number and stops at a decimal comma. */
static double csv_metric(struct file *f)
{
	bool cut = strcmp(f->locale->point, ".") != 0;

	fprintf(f->out, cut ? "%.0f" : "%.1f", cut ? 21 : metric_value);
	return cut ? 21 : metric_value;
}

static void csv_row(struct file *f, const struct counter *c, size_t place)
{
	char number[96];
	const char *pmu = f->version == PERF_6_12 && f->aggregate->kind == AGGREGATION_NONE ? " [cpu]" : "";
	int empty = f->version != PERF_6_1 ? 5 : f->aggregate->kind == AGGREGATION_GLOBAL ? 4 : 6;

	csv_prefix(f, place);
	fprintf(f->out, "%s%s%s%s%s%s%s", c->counted ? decimal(f, shown(c), decimals_of(c), number) : state_of(c),
		f->sep, c->unit, f->sep, c->name, pmu, f->sep);
	if (f->mode == MODE_REPEAT)
		fprintf(f->out, "%s%%%s", decimal(f, noise_percent, 2, number), f->sep);
	fprintf(f->out, "%" PRIu64 "%s%s%s", c->running, f->sep, decimal(f, whole_percent(c), 2, number), f->sep);
	if (c->metric)
		want_metric(f, c->metric, place, csv_metric(f));
	fprintf(f->out, "%s%s\n", f->sep, c->metric ? c->metric : "");
	if (!c->second)
		return;
	csv_prefix(f, place);
	for (int i = 0; i < empty; i++)
		fputs(f->sep, f->out);
	want_metric(f, c->second, place, csv_metric(f));
	fprintf(f->out, "%s%s\n", f->sep, c->second);
}

/* ---- JSON ---- */

static void json_prefix(struct file *f, size_t place)
{
	const char *label = f->aggregate->labels[place];

	fputc('{', f->out);
	if (f->time_ns && !f->summary)
		fprintf(f->out, "\"interval\" : %" PRIu64 ".%09" PRIu64 ", ", f->time_ns / 1000000000,
			f->time_ns % 1000000000);
	if (f->aggregate->kind == AGGREGATION_GLOBAL)
		return;
	if (f->aggregate->kind == AGGREGATION_NONE)
		label += 3;
	fprintf(f->out, "\"%s\" : \"%s\", ", f->aggregate->key, label);
	if (f->aggregate->kind != AGGREGATION_NONE && f->aggregate->kind != AGGREGATION_THREAD)
		fprintf(f->out, "\"%s\" : 2, ", f->version == PERF_7_2 ? "counters" : "aggregate-number");
}

static void json_metric(struct file *f, const char *metric)
{
	const char *quote = f->version == PERF_6_1 ? "" : "\"";
	char number[64];

	fprintf(f->out, "\"metric-value\" : %s%s%s, \"metric-unit\" : \"%s\"", quote,
		decimal(f, metric ? metric_value : 0, 6, number), quote, metric ? metric : "(null)");
}

static void json_row(struct file *f, const struct counter *c, size_t place)
{
	const char *pmu = f->version == PERF_6_12 && f->aggregate->kind == AGGREGATION_NONE ? " [cpu]" : "";
	char number[96];

	json_prefix(f, place);
	fprintf(f->out, "\"counter-value\" : \"%s\", \"unit\" : \"%s\", \"event\" : \"%s%s\", ",
		c->counted ? decimal(f, shown(c), 6, number) : state_of(c), c->unit, c->name, pmu);
	if (f->mode == MODE_REPEAT)
		fprintf(f->out, "\"variance\" : %s, ", decimal(f, noise_percent, 2, number));
	fprintf(f->out, "\"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %s", c->running,
		decimal(f, whole_percent(c), 2, number));
	if (c->metric || f->version != PERF_7_2) {
		fputs(", ", f->out);
		json_metric(f, c->metric);
	}
	if (c->metric)
		want_metric(f, c->metric, place, metric_value);
	fputs("}\n", f->out);
	if (!c->second)
		return;
	json_prefix(f, place);
	json_metric(f, c->second);
	want_metric(f, c->second, place, metric_value);
	fputs("}\n", f->out);
}

/* ---- files ---- */

static void row(struct file *f, size_t event, size_t place)
{
	struct counter c = counter_at(f, event, place);

	want_count(f, &c, event, place);
	if (f->layout == LAYOUT_TEXT)
		text_row(f, &c, place);
	else if (f->layout == LAYOUT_CSV)
		csv_row(f, &c, place);
	else
		json_row(f, &c, place);
}

static void set_of_rows(struct file *f)
{
	size_t places = f->aggregate->labels[1] ? 2 : 1;

	for (size_t i = 0; i < places * NR_COUNTERS; i++) {
		if (f->aggregate->by_event)
			row(f, i / places, i % places);
		else
			row(f, i % NR_COUNTERS, i / NR_COUNTERS);
	}
}

static void intervals(struct file *f)
{
	if (f->layout == LAYOUT_TEXT)
		fputs("#           time             counts unit events\n", f->out);
	for (uint64_t i = 1; i <= INTERVALS; i++) {
		f->time_ns = i * 1000000000 + i;
		set_of_rows(f);
		want_round(f, false, f->time_ns);
	}
	if (f->mode != MODE_SUMMARY)
		return;
	f->summary = true;
	if (f->layout == LAYOUT_TEXT && f->version == PERF_6_1)
		fputs("\n Performance counter stats for 'sleep 3':\n\n", f->out);
	set_of_rows(f);
	want_round(f, true, f->time_ns);
}

static void total(struct file *f)
{
	char number[64];

	if (f->layout == LAYOUT_TEXT)
		fprintf(f->out, "\n Performance counter stats for 'sleep 3'%s:\n\n",
			f->mode == MODE_REPEAT ? " (5 runs)" : "");
	set_of_rows(f);
	if (f->layout == LAYOUT_TEXT && f->mode == MODE_REPEAT)
		fprintf(f->out, "\n            %s +- 0%s0001 seconds time elapsed  ( +-  1%s37%% )\n\n\n",
			decimal(f, 3.0021, 4, number), f->locale->point, f->locale->point);
	else if (f->layout == LAYOUT_TEXT)
		fprintf(f->out, "\n       %s seconds time elapsed\n\n", decimal(f, 3.0021, 9, number));
	want_round(f, true, f->layout == LAYOUT_TEXT ? 3002100000 : 0);
}

/* ---- comparison ---- */

static bool near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static bool same_place(const struct file *f, const struct wanted *w, const struct printed_count *p)
{
	char label[64];

	switch (f->aggregate->kind) {
	case AGGREGATION_GLOBAL:
		return !p->label;
	case AGGREGATION_NONE:
		snprintf(label, sizeof(label), "CPU%d", p->cpu);
		break;
	case AGGREGATION_CORE:
		snprintf(label, sizeof(label), "S%d-D%d-C%d", p->socket, p->die, p->core);
		break;
	case AGGREGATION_DIE:
		snprintf(label, sizeof(label), "S%d-D%d", p->socket, p->die);
		break;
	case AGGREGATION_SOCKET:
		snprintf(label, sizeof(label), "S%d", p->socket);
		break;
	case AGGREGATION_NODE:
		snprintf(label, sizeof(label), "N%d", p->node);
		break;
	case AGGREGATION_THREAD:
		snprintf(label, sizeof(label), "%s-%d", p->comm, p->tid);
		break;
	default:
		snprintf(label, sizeof(label), "%s", p->label);
		break;
	}
	return strcmp(label, w->label) == 0;
}

static void compare(void *user, const struct capture *c, const struct item *item)
{
	struct file *f = user;
	const struct wanted *w = &f->wanted[f->seen];
	const struct printed_count *p = &item->count;
	bool same = f->seen < f->nr_wanted && w->kind == item->kind;

	if (same && item->kind == ITEM_PRINTED_COUNT)
		same = p->event == w->event && p->supported == w->supported && p->counted == !isnan(w->value) &&
		       near(p->scaled, w->value) && near(p->coverage, w->coverage) && near(p->running_ns, w->running) &&
		       near(p->noise, w->noise) && same_place(f, w, p);
	else if (same && item->kind == ITEM_PRINTED_METRIC)
		same = strcmp(item->metric.name, w->name) == 0 && strcmp(item->metric.unit, w->unit) == 0 &&
		       near(item->metric.value, w->value);
	else if (same)
		same = item->round.final == w->final && item->round.time_ns == w->time_ns;
	if (!same)
		fail_msg("%s: item %zu of %zu differs: event %s, %.17g for %.17g, coverage %g for %g", f->title,
			 f->seen, f->nr_wanted, item->kind == ITEM_PRINTED_COUNT ? c->events[p->event].name : "-",
			 item->kind == ITEM_PRINTED_COUNT    ? p->scaled
			 : item->kind == ITEM_PRINTED_METRIC ? item->metric.value
							     : (double)item->round.time_ns,
			 w->value, p->coverage, w->coverage);
	f->seen++;
}

static void check_run(void *user, const struct capture *c)
{
	struct file *f = user;

	if (c->aggregation != f->aggregate->kind && f->aggregate->kind != AGGREGATION_GLOBAL)
		fail_msg("%s: aggregation %d", f->title, (int)c->aggregation);
	if (damage_lost(&c->damage) || c->damage.of[DAMAGE_LINE_FOREIGN].count)
		fail_msg("%s: a line was not understood: %s%s%s", f->title, c->damage.of[DAMAGE_LINE].detail,
			 c->damage.of[DAMAGE_LINE_AMBIGUOUS].detail, c->damage.of[DAMAGE_LINE_FOREIGN].detail);
	if (c->nr_events != NR_COUNTERS)
		fail_msg("%s: %zu events", f->title, c->nr_events);
}

static void write_and_read(struct file *f)
{
	struct stat_reading_visit visit = { compare, check_run, f };
	struct stat_reading r;
	char *text = NULL;
	size_t size = 0;

	f->nr_wanted = f->seen = 0;
	f->time_ns = 0;
	f->summary = false;
	snprintf(f->title, sizeof(f->title), "%s, perf %s, %s, %s, locale %s, separator \"%s\"",
		 f->layout == LAYOUT_TEXT  ? "text"
		 : f->layout == LAYOUT_CSV ? "CSV"
					   : "JSON",
		 version_names[f->version], aggregation_name(f->aggregate->kind), mode_names[f->mode], f->locale->name,
		 f->sep);
	f->out = open_memstream(&text, &size);
	if (f->layout != LAYOUT_JSON || f->version == PERF_6_1)
		fputs("# started on Mon Nov 30 17:14:50 2026\n\n", f->out);
	if (f->mode >= MODE_INTERVAL)
		intervals(f);
	else
		total(f);
	fclose(f->out);
	stat_reading_of_memory(text, size, &visit, &r);
	if (r.refused)
		fail_msg("%s: refused: %s", f->title, r.err.text);
	if (f->seen != f->nr_wanted || r.runs != 1)
		fail_msg("%s: %zu of %zu items, %zu runs", f->title, f->seen, f->nr_wanted, r.runs);
	stat_reading_free(&r);
	free(text);
}

static size_t every_aggregate(struct file *f)
{
	size_t written = 0;

	for (size_t a = 0; a < sizeof(aggregates) / sizeof(aggregates[0]); a++) {
		for (int m = 0; m < NR_MODES; m++) {
			f->aggregate = &aggregates[a];
			f->mode = (enum mode)m;
			if (f->aggregate->since > f->version ||
			    (m == MODE_REPEAT && f->aggregate->kind == AGGREGATION_THREAD))
				continue;
			write_and_read(f);
			written++;
		}
	}
	return written;
}

static void text(void **state)
{
	struct file f = { .layout = LAYOUT_TEXT, .sep = "" };
	size_t written = 0;

	(void)state;
	for (int v = 0; v < NR_VERSIONS; v++) {
		for (size_t l = 0; l < sizeof(locales) / sizeof(locales[0]); l++) {
			f.version = (enum version)v;
			f.locale = &locales[l];
			written += every_aggregate(&f);
		}
	}
	print_message("%zu texts\n", written);
}

static void csv(void **state)
{
	struct file f = { .layout = LAYOUT_CSV };
	size_t written = 0;

	(void)state;
	for (int v = 0; v < NR_VERSIONS; v++) {
		for (size_t s = 0; s < sizeof(separators) / sizeof(separators[0]); s++) {
			f.version = (enum version)v;
			f.sep = separators[s];
			f.locale = &locales[0];
			written += every_aggregate(&f);
			f.locale = &locales[2];
			written += every_aggregate(&f);
		}
	}
	print_message("%zu CSV files\n", written);
}

static void json(void **state)
{
	struct file f = { .layout = LAYOUT_JSON, .sep = "" };
	size_t written = 0;

	(void)state;
	for (int v = 0; v < NR_VERSIONS; v++) {
		f.version = (enum version)v;
		f.locale = &locales[0];
		written += every_aggregate(&f);
		f.locale = &locales[2];
		written += every_aggregate(&f);
	}
	print_message("%zu JSON files\n", written);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(text), cmocka_unit_test(csv), cmocka_unit_test(json) };

TEST_MODULE(stat_generator, tests);
