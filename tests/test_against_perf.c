// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures with what perf itself printed in the same run: every count, every percentage
 * and every metric is to be the same, digit for digit.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include "tests/perf_text.h"
#include "tests/seen.h"
#include "tests/test.h"

struct tally {
	size_t captures, counts, metrics, not_counted;
	size_t once; /* counts where perf 6.1 scales the sum and not the parts, with another result */
};

/* ---- which scope a row belongs to ---- */

static struct scope_request request_for(const struct perf_text *t)
{
	const struct text_row *row = &t->rows[0];
	struct scope_request q = { .by_interval = *row->time != 0, .place = PLACE_RUN };

	if (row->place[0] == 'C')
		q.place = PLACE_CPU;
	else if (strstr(row->place, "-C"))
		q.place = PLACE_CORE;
	else if (strstr(row->place, "-D"))
		q.place = PLACE_DIE;
	else if (*row->place)
		q.place = PLACE_SOCKET;
	return q;
}

static bool is_of(const struct seen_scope *s, const struct text_row *row)
{
	char label[40];

	if (*row->time) {
		char time[32];

		snprintf(time, sizeof(time), "%.9f", s->end_ns / 1e9);
		if (strcmp(time, row->time))
			return false;
	}
	if (row->place[0] == 'C')
		snprintf(label, sizeof(label), "cpu=%s", row->place + 3);
	else
		snprintf(label, sizeof(label), "%s", *row->place ? row->place : "run");
	return strcmp(label, s->label) == 0;
}

static const struct seen_scope *scope_of(const struct seen *s, const struct text_row *row)
{
	for (size_t i = 0; i < s->nr_scopes; i++)
		if (is_of(&s->scopes[i], row))
			return &s->scopes[i];
	fail_msg("%s: nothing for line %zu at %s %s", s->capture->path, row->line, row->time, row->place);
	return NULL;
}

/* ---- counts ---- */

static uint64_t scaled_once(const struct cell *c)
{
	if (!c->running)
		return 0;
	if (c->running >= c->enabled)
		return c->raw;
	return (uint64_t)((double)c->raw * (double)c->enabled / (double)c->running);
}

/* perf 6.1 adds up the parts of the whole run first and scales the sum. */
static bool scales_once(const struct seen *s, const struct scope_request *q)
{
	return q->place == PLACE_RUN && s->capture->perf_version && strncmp(s->capture->perf_version, "6.1.", 4) == 0;
}

static void print_count(const struct event *e, const struct cell *c, uint64_t value, char *to, size_t size)
{
	if (c->state == CELL_NOT_SUPPORTED)
		snprintf(to, size, "<not supported>");
	else if (c->perf_not_counted)
		snprintf(to, size, "<not counted>");
	else if (floor(e->scale) != e->scale)
		snprintf(to, size, "%.2f", (double)value * e->scale);
	else
		snprintf(to, size, "%" PRIu64, value);
}

static void check_count(const struct seen *s, const struct text_row *row, const struct event *e, const struct cell *c,
			bool once, struct tally *tally)
{
	uint64_t value = once ? scaled_once(c) : c->scaled_perf;
	char text[40], percent[16] = "";

	print_count(e, c, value, text, sizeof(text));
	if (strcmp(e->name, row->event))
		fail_msg("%s: line %zu is %s, the event is %s", s->capture->path, row->line, row->event, e->name);
	if (strcmp(text, row->value))
		fail_msg("%s: line %zu, %s: perf printed %s, we have %s", s->capture->path, row->line, row->event,
			 row->value, text);
	if (!c->perf_not_counted && c->running != c->enabled)
		snprintf(percent, sizeof(percent), "%.2f", 100.0 * (double)c->running / (double)c->enabled);
	if (strcmp(percent, row->percent) && !c->perf_not_counted)
		fail_msg("%s: line %zu, %s: perf printed %s %%, we have %s", s->capture->path, row->line, row->event,
			 row->percent, percent);
	tally->counts++;
	tally->not_counted += c->perf_not_counted;
	if (once && value != c->scaled_perf)
		tally->once++;
}

/* ---- metrics ---- */

static void check_metrics(const struct seen *s, const struct text_row *row, const struct seen_scope *scope,
			  struct tally *tally)
{
	for (size_t i = 0; i < row->nr_metrics; i++) {
		int m = seen_metric(s, row->metrics[i].name);
		char text[32];

		if (strcmp(row->metrics[i].unit, "%"))
			continue; /* "insn per cycle" and the like, which old perf adds by itself */
		if (m < 0)
			fail_msg("%s: line %zu: no metric %s", s->capture->path, row->line, row->metrics[i].name);
		snprintf(text, sizeof(text), "%.1f", scope->results[m].value_perf * s->print_scale[m]);
		if (strcmp(text, row->metrics[i].value))
			fail_msg("%s: line %zu, %s: perf printed %s, we have %s", s->capture->path, row->line,
				 row->metrics[i].name, row->metrics[i].value, text);
		tally->metrics++;
	}
}

/* ---- captures ---- */

/* The rows of one scope come in the order of the events. */
static void check_rows(const struct seen *s, const struct perf_text *t, bool once, struct tally *tally)
{
	size_t *next = calloc(s->nr_scopes, sizeof(*next));

	for (size_t i = 0; i < t->nr; i++) {
		const struct seen_scope *scope = scope_of(s, &t->rows[i]);
		size_t e = next[scope - s->scopes]++;

		if (e >= s->capture->nr_events)
			fail_msg("%s: line %zu: more rows than events", s->capture->path, t->rows[i].line);
		check_count(s, &t->rows[i], &s->capture->events[e], &scope->cells[e], once, tally);
		check_metrics(s, &t->rows[i], scope, tally);
	}
	for (size_t i = 0; i < s->nr_scopes; i++)
		if (next[i] != s->capture->nr_events)
			fail_msg("%s: perf printed %zu of %zu events for %s, interval %" PRId64, s->capture->path, next[i],
				 s->capture->nr_events, s->scopes[i].label, s->scopes[i].interval);
	free(next);
}

static void check_capture(const char *data, const char *text, struct tally *tally)
{
	struct perf_text t = perf_text_read(text);
	struct error err = { "" };
	struct scope_request q;
	struct seen *s;

	if (!t.nr || t.odd_line)
		fail_msg("%s: line %zu cannot be understood", text, t.odd_line);
	q = request_for(&t);
	s = seen_new(data, &q, 1, NULL, &err);
	if (!s)
		fail_msg("%s: %s", data, err.text);
	assert_false(damage_lost(&s->capture->damage));
	check_rows(s, &t, scales_once(s, &q), tally);
	tally->captures++;
	seen_free(s);
	perf_text_free(&t);
}

/* Every NAME.data of a folder that has a NAME.txt. */
static void check_folder(const char *folder, struct tally *tally)
{
	DIR *d = opendir(folder);
	struct dirent *entry;

	assert_non_null(d);
	while ((entry = readdir(d))) {
		char data[600], text[600];
		const char *dot = strstr(entry->d_name, ".txt");

		if (!dot || dot[4])
			continue;
		snprintf(text, sizeof(text), "%s/%s", folder, entry->d_name);
		snprintf(data, sizeof(data), "%s/%.*s.data", folder, (int)(dot - entry->d_name), entry->d_name);
		check_capture(data, text, tally);
	}
	closedir(d);
}

static const char *const versions[] = { "perf-6.1", "perf-6.12", "perf-7.2" };

static void check_all(const char *above, struct tally *tally)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		char folder[300];

		snprintf(folder, sizeof(folder), "%s/%s", above, versions[i]);
		check_folder(folder, tally);
	}
	print_message("%s: %zu captures, %zu counts (%zu not counted), %zu metrics as perf printed them; "
		      "%zu counts scaled once by perf 6.1\n",
		      above, tally->captures, tally->counts, tally->not_counted, tally->metrics, tally->once);
}

static void test_fixtures_as_printed(void **state)
{
	struct tally tally = { 0 };

	(void)state;
	check_all("fixtures", &tally);
	assert_true(tally.captures >= 8 && tally.counts > 400 && tally.metrics > 100);
}

static void test_shared_as_printed(void **state)
{
	struct tally tally = { 0 };

	(void)state;
	if (!test_shared())
		skip();
	check_all("../shared/captures", &tally);
	assert_true(tally.captures >= 50);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_fixtures_as_printed),
	cmocka_unit_test(test_shared_as_printed),
};

TEST_MODULE(against_perf, tests);
