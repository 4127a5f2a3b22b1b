// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that perf itself wrote: every count and metric that was read, printed again as
 * perf prints it, is found in its line, and no line is left over.  And what others
 * published: tests/corpus_stat.list says which files are read and which are refused.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/perf_text.h"
#include "tests/stat_reading.h"
#include "tests/test.h"

enum layout { LAYOUT_TEXT, LAYOUT_CSV, LAYOUT_JSON };

/* A file in memory, cut into lines. */
struct lines {
	char *text, **line;
	size_t nr;
};

struct check {
	const char *path;
	enum layout layout;
	char sep;
	struct lines lines;
	size_t counts, metrics;
};

static struct lines read_lines(const char *path)
{
	struct lines l = { NULL, NULL, 0 };
	FILE *f = fopen(path, "r");
	size_t room = 0;
	ssize_t n;

	assert_non_null(f);
	n = getdelim(&l.text, &room, 0, f);
	fclose(f);
	for (char *rest = n > 0 ? l.text : NULL, *line; (line = strsep(&rest, "\n"));) {
		l.line = must_realloc(l.line, l.nr + 1, sizeof(*l.line));
		l.line[l.nr++] = line;
	}
	return l;
}

static const char *line_of(const struct check *c, uint64_t number)
{
	assert_in_range(number, 1, c->lines.nr);
	return c->lines.line[number - 1];
}

static void must_hold(const struct check *c, uint64_t number, const char *piece)
{
	if (!strstr(line_of(c, number), piece))
		fail_msg("%s:%llu: \"%s\" is not in \"%s\"", c->path, (unsigned long long)number, piece,
			 line_of(c, number));
}

static const char *state_of(const struct printed_count *p)
{
	return p->supported ? "<not counted>" : "<not supported>";
}

/* The percentage stands on the event's line or on one of those below. */
static void check_text_percent(const struct check *c, const struct printed_count *p)
{
	uint64_t at = p->line;
	char piece[32];

	snprintf(piece, sizeof(piece), "(%.2f%%)", p->coverage * 100);
	while (at < c->lines.nr && strstr(line_of(c, at + 1), " # ") && !strchr(line_of(c, at), '('))
		at++;
	if (p->coverage_step > 0)
		must_hold(c, at, piece);
	else if (strstr(line_of(c, at), "%)"))
		fail_msg("%s:%llu has a percentage", c->path, (unsigned long long)at);
}

static void check_count(const struct check *c, const struct event *e, const struct printed_count *p)
{
	char value[64], piece[400];
	double shown = p->scaled * e->scale;

	snprintf(value, sizeof(value), c->layout == LAYOUT_JSON ? "%.6f" : *e->unit ? "%.2f" : "%.0f", shown);
	if (c->layout == LAYOUT_TEXT)
		snprintf(piece, sizeof(piece), "%18s %-4s %s ", p->counted ? value : state_of(p), e->unit, e->name);
	else if (c->layout == LAYOUT_CSV)
		snprintf(piece, sizeof(piece), "%s%c%s%c%s", p->counted ? value : state_of(p), c->sep, e->unit, c->sep,
			 e->name);
	else
		snprintf(piece, sizeof(piece), "\"counter-value\" : \"%s\", \"unit\" : \"%s\", \"event\" : \"%s",
			 p->counted ? value : state_of(p), e->unit, e->name);
	must_hold(c, p->line, piece);
	if (c->layout == LAYOUT_TEXT) {
		check_text_percent(c, p);
		return;
	}
	if (c->layout == LAYOUT_CSV)
		snprintf(piece, sizeof(piece), "%c%.0f%c%.0f.00%c", c->sep, p->running_ns, c->sep, p->coverage * 100,
			 c->sep);
	else
		snprintf(piece, sizeof(piece), "\"event-runtime\" : %.0f, \"pcnt-running\" : %.0f.00", p->running_ns,
			 p->coverage * 100);
	must_hold(c, p->line, piece);
}

static void check_metric(const struct check *c, const struct printed_metric *m)
{
	char piece[200];

	if (!isnan(m->value)) {
		snprintf(piece, sizeof(piece), "%.*f", (int)lround(-log10(m->step)), m->value);
		must_hold(c, m->line, piece);
	}
	if (c->layout == LAYOUT_TEXT)
		return;
	snprintf(piece, sizeof(piece), "%s%s%s", m->unit, *m->unit ? "  " : "", m->name);
	if (!strstr(c->path, "metric-only"))
		must_hold(c, m->line, piece);
}

static void check_item(void *user, const struct capture *capture, const struct item *item)
{
	struct check *c = user;

	if (item->kind == ITEM_PRINTED_COUNT) {
		check_count(c, &capture->events[item->count.event], &item->count);
		c->counts++;
	} else if (item->kind == ITEM_PRINTED_METRIC) {
		check_metric(c, &item->metric);
		c->metrics++;
	}
}

/* Lines that hold a count, told by what no other line has. */
static size_t count_lines(const struct check *c)
{
	char empty[] = { c->sep, c->sep, c->sep, c->sep, 0 };
	size_t nr = 0;

	for (size_t i = 0; i < c->lines.nr; i++) {
		const char *line = c->lines.line[i];

		if (c->layout == LAYOUT_JSON)
			nr += strstr(line, "\"counter-value\"") != NULL;
		else if (c->layout == LAYOUT_CSV)
			nr += *line && *line != '#' && strstr(line, ".00") && !strstr(line, empty);
	}
	return nr;
}

static void check_printed_again(const char *path, enum layout layout, char sep)
{
	struct check c = { .path = path, .layout = layout, .sep = sep, .lines = read_lines(path) };
	struct stat_reading_visit visit = { check_item, NULL, &c };
	struct stat_reading r;

	stat_reading_of_file(path, &visit, &r);
	if (r.refused)
		fail_msg("%s: %s", path, r.err.text);
	if (r.lost)
		fail_msg("%s: lines are lost:\n%s", path, r.text);
	if (layout != LAYOUT_TEXT && !strstr(path, "metric-only") && c.counts != count_lines(&c))
		fail_msg("%s: %zu of %zu counts", path, c.counts, count_lines(&c));
	if (c.counts + c.metrics == 0 && !strstr(path, "6.1/metric-only"))
		fail_msg("%s: nothing was read", path);
	stat_reading_free(&r);
	free(c.lines.line);
	free(c.lines.text);
}

/* ---- against the tests' own reader of tables ---- */

struct rows {
	const char *path;
	struct perf_text text;
	size_t seen, metric;
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static void check_row(void *user, const struct capture *capture, const struct item *item)
{
	struct rows *t = user;
	const struct text_row *row = &t->text.rows[t->seen ? t->seen - 1 : 0];
	char value[64];

	if (item->kind == ITEM_PRINTED_METRIC) {
		assert_true(t->metric < row->nr_metrics);
		/* the other reader leaves units but "%" with the name: "%ops  name" */
		assert_true(ends_with(row->metrics[t->metric].name, item->metric.name));
		if (!isnan(item->metric.value))
			assert_true(fabs(item->metric.value - strtod(row->metrics[t->metric].value, NULL)) < 1e-9);
		t->metric++;
	}
	if (item->kind != ITEM_PRINTED_COUNT)
		return;
	assert_true(t->seen < t->text.nr && (t->seen == 0 || t->metric == row->nr_metrics));
	row = &t->text.rows[t->seen++];
	t->metric = 0;
	snprintf(value, sizeof(value), *capture->events[item->count.event].unit ? "%.2f" : "%.0f",
		 item->count.scaled * capture->events[item->count.event].scale);
	assert_string_equal(item->count.counted ? value : state_of(&item->count), row->value);
	assert_string_equal(capture->events[item->count.event].name, row->event);
	assert_string_equal(item->count.label ? item->count.label : "", row->place);
	assert_true(item->count.line <= row->line);
	if (*row->percent)
		assert_true(fabs(item->count.coverage * 100 - strtod(row->percent, NULL)) < 1e-9);
}

static void check_rows(const char *path)
{
	struct rows t = { .path = path, .text = perf_text_read(path) };
	struct stat_reading_visit visit = { check_row, NULL, &t };
	struct stat_reading r;

	stat_reading_of_file(path, &visit, &r);
	if (r.refused || t.seen != t.text.nr || t.text.odd_line)
		fail_msg("%s: %zu of %zu rows %s", path, t.seen, t.text.nr, r.err.text);
	stat_reading_free(&r);
	perf_text_free(&t.text);
}

/* ---- files that end too early ---- */

struct cut {
	const char *path;
	char *counts[512], *metrics[512]; /* of the whole file */
	size_t nr_counts, nr_metrics;     /* of the whole file, then seen in the cut one */
	bool whole;
};

/* One count or metric in words; groups and percentages of a last line may differ. */
static void keep_or_compare(struct cut *c, const char *what, char **list, size_t *nr)
{
	assert_true(*nr < 512);
	if (c->whole)
		list[*nr] = strdup(what);
	else if (!list[*nr] || strcmp(list[*nr], what) != 0)
		fail_msg("%s, cut off: \"%s\" in place of \"%s\"", c->path, what, list[*nr] ? list[*nr] : "nothing");
	(*nr)++;
}

static void cut_item(void *user, const struct capture *capture, const struct item *item)
{
	struct cut *c = user;
	char what[400];

	if (item->kind == ITEM_PRINTED_COUNT) {
		snprintf(what, sizeof(what), "%s %.17g %d %.17g %s", capture->events[item->count.event].name,
			 item->count.scaled, item->count.counted, item->count.running_ns,
			 item->count.label ? item->count.label : "");
		keep_or_compare(c, what, c->counts, &c->nr_counts);
	} else if (item->kind == ITEM_PRINTED_METRIC) {
		snprintf(what, sizeof(what), "%s %s %.17g %s", item->metric.unit, item->metric.name, item->metric.value,
			 item->metric.label ? item->metric.label : "");
		keep_or_compare(c, what, c->metrics, &c->nr_metrics);
	}
}

/* A file that ends anywhere gives what the whole one gives, up to there, and nothing else. */
static void check_cut(const char *path)
{
	struct lines l = read_lines(path);
	struct cut c = { .path = path, .whole = true };
	struct stat_reading_visit visit = { cut_item, NULL, &c };
	struct stat_reading r;
	size_t size = 0;

	for (size_t i = 0; i < l.nr; i++)
		size += strlen(l.line[i]) + 1;
	for (size_t i = 0; i + 1 < size; i++)
		if (!l.text[i])
			l.text[i] = '\n';
	for (size_t n = size - 1; n > 0; n = n > 3000 ? n - 61 : n - 1) {
		c.nr_counts = c.nr_metrics = 0;
		stat_reading_of_memory(l.text, n, &visit, &r);
		stat_reading_free(&r);
		c.whole = false;
	}
	for (size_t i = 0; i < 512; i++) {
		free(c.counts[i]);
		free(c.metrics[i]);
	}
	free(l.line);
	free(l.text);
}

/* ---- files ---- */

static size_t for_each(const char *folder, const char *pattern, void (*check)(const char *path))
{
	char full[300];
	glob_t files;
	size_t nr;

	snprintf(full, sizeof(full), "%s/%s", folder, pattern);
	if (glob(full, 0, NULL, &files))
		return 0;
	for (size_t i = 0; i < files.gl_pathc; i++)
		if (!strstr(files.gl_pathv[i], ".truth."))
			check(files.gl_pathv[i]);
	nr = files.gl_pathc;
	globfree(&files);
	return nr;
}

static void check_table(const char *path)
{
	check_printed_again(path, LAYOUT_TEXT, 0);
}

static void check_csv(const char *path)
{
	check_printed_again(path, LAYOUT_CSV, strstr(path, "-semi") ? ';' : ',');
}

static void check_json(const char *path)
{
	check_printed_again(path, LAYOUT_JSON, 0);
}

static void fixtures(void **state)
{
	(void)state;
	assert_true(for_each("fixtures", "perf-*/*.txt", check_rows) >= 11);
	assert_true(for_each("fixtures", "perf-*/*.txt", check_table) >= 11);
	assert_true(for_each("fixtures", "stat-output/*.csv", check_csv) >= 3);
	assert_true(for_each("fixtures", "stat-output/*.json", check_json) >= 3);
	assert_true(for_each("fixtures", "stat-output/*.out", check_table) >= 3);
}

static void cut_off(void **state)
{
	(void)state;
	assert_true(for_each("fixtures", "stat-output/*", check_cut) >= 13);
}

static void captures(void **state)
{
	char folder[200];

	(void)state;
	if (!test_shared())
		skip();
	snprintf(folder, sizeof(folder), "%s/captures", test_shared());
	assert_true(for_each(folder, "perf-*/*.txt", check_rows) > 40);
	assert_true(for_each(folder, "perf-*/*.txt", check_table) > 40);
	assert_true(for_each(folder, "perf-*/*.out", check_table) > 15);
	assert_true(for_each(folder, "perf-*/*.csv", check_csv) > 25);
	assert_true(for_each(folder, "perf-*/*.json", check_json) > 15);
}

/* "path read COUNTS METRICS reason" or "path refused reason" */
static void published_file(const char *line)
{
	char path[300], what[20], full[600];
	size_t counts = 0, metrics = 0;
	struct stat_reading r;
	int used = 0;

	assert_int_equal(sscanf(line, "%299s %19s %n", path, what, &used), 2);
	snprintf(full, sizeof(full), "%s/corpus/%s", test_shared(), path);
	stat_reading_of_file(full, NULL, &r);
	if (strcmp(what, "refused") == 0) {
		if (!r.refused || strncmp(r.err.text, line + used, strlen(r.err.text)) != 0)
			fail_msg("%s: %s", path, r.refused ? r.err.text : "was read");
	} else {
		assert_int_equal(sscanf(line + used, "%zu %zu", &counts, &metrics), 2);
		if (r.refused || r.lost || r.counts != counts || r.metrics != metrics)
			fail_msg("%s: %zu counts, %zu metrics, %s", path, r.counts, r.metrics,
				 r.refused ? r.err.text : r.text);
	}
	stat_reading_free(&r);
}

static void published(void **state)
{
	struct lines list = read_lines("tests/corpus_stat.list");

	(void)state;
	if (test_shared())
		for (size_t i = 0; i < list.nr; i++)
			if (*list.line[i] && *list.line[i] != '#')
				published_file(list.line[i]);
	free(list.line);
	free(list.text);
	if (!test_shared())
		skip();
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fixtures),
	cmocka_unit_test(cut_off),
	cmocka_unit_test(captures),
	cmocka_unit_test(published),
};

TEST_MODULE(stat_captures, tests);
