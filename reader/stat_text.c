// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table that perf stat prints for people:
 *
 *	[time] [place [nr]] value [unit] event [cgroup]  [# metric]  [( +- noise% )]  [(percent%)]
 *
 * Numbers may have any locale's separators.  A row is read from both ends: time, place
 * and value from the left, percentage and noise from the right, and what is between is
 * unit, event and metric.  Further metrics of an event follow on lines of their own,
 * and noise and percentage then stand on the last of them.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "reader/stat_row.h"

enum { VALUE_WIDTH = 18, THREAD_WIDTH = 16, EVENT_GAP = 6, GROUPS_MAX = 8, LINE_MAX_READ = 64 * 1024 };

void stat_text_clear(struct stat_text *t)
{
	free(t->header);
	memset(t, 0, sizeof(*t));
}

/* ---- title and footer ---- */

static struct stat_footer nothing_said(void)
{
	return (struct stat_footer){
		.command = { "", 0 }, .target = { "", 0 }, .elapsed_s = NAN, .user_s = NAN, .system_s = NAN
	};
}

/* " (5 runs)" at the end of *s is taken off. */
static uint32_t take_repeats(struct span *s)
{
	size_t open = s->size;
	uint64_t n;

	if (s->size < 8 || memcmp(s->at + s->size - 6, " runs)", 6) != 0)
		return 0;
	while (open > 0 && s->at[open - 1] != '(')
		open--;
	if (open == 0 || !stat_digits((struct span){ s->at + open, s->size - 6 - open }, &n) || n > UINT32_MAX)
		return 0;
	*s = span_trim(span_upto(*s, open - 1));
	return (uint32_t)n;
}

bool stat_text_title(struct span line, struct stat_footer *ret)
{
	static const char words[] = "Performance counter stats for ";
	size_t at = span_find(line, words);
	struct stat_footer f = nothing_said();
	struct span s;

	if (at == SIZE_MAX)
		return false;
	s = span_trim(span_from(line, at + strlen(words)));
	if (s.size < 3 || s.at[s.size - 1] != ':')
		return false;
	s.size--;
	f.is_title = true;
	f.repeats = take_repeats(&s);
	if (s.size < 2 || s.at[s.size - 1] != '\'')
		return false;
	if (s.at[0] != '\'')
		f.target = s; /* process id '123' */
	else if (span_is(s, "'system wide'") || span_starts(s, "'CPU(s) "))
		f.target = (struct span){ s.at + 1, s.size - 2 };
	else
		f.command = (struct span){ s.at + 1, s.size - 2 };
	*ret = f;
	return true;
}

static struct span next_word(struct span *s)
{
	struct span word;
	size_t n = 0;

	while (s->size && is_blank(s->at[0]))
		*s = span_from(*s, 1);
	while (n < s->size && !is_blank(s->at[n]))
		n++;
	word = span_upto(*s, n);
	*s = span_from(*s, n);
	return word;
}

bool stat_text_footer(struct span line, struct stat_footer *ret)
{
	struct stat_footer f = nothing_said();
	struct stat_number n, error;
	struct span s = line, word;

	if (!stat_decimal(next_word(&s), &n))
		return false;
	word = next_word(&s);
	if (span_is(word, "+-")) {
		if (!stat_decimal(next_word(&s), &error))
			return false;
		word = next_word(&s);
	}
	if (!span_is(word, "seconds"))
		return false;
	s = span_trim(s);
	if (span_starts(s, "time elapsed"))
		f.elapsed_s = n.value;
	else if (span_is(s, "user"))
		f.user_s = n.value;
	else if (span_is(s, "sys"))
		f.system_s = n.value;
	else
		return false;
	*ret = f;
	return true;
}

bool stat_text_known(struct span line)
{
	static const char *const begins[] = {
		"Some events weren't counted. Try disabling the NMI watchdog:",
		"echo 0 > /proc/sys/kernel/nmi_watchdog",
		"echo 1 > /proc/sys/kernel/nmi_watchdog",
		"perf stat ...",
		"# Table of individual measurements:",
		"# Final result:",
		"Events disabled",
		"Events enabled",
		"Failed to open /proc/schedstat",
		"The events in group usually have to be from the same PMU.",
		"Input file contains no events",
	};
	struct span s = span_trim(line), word;
	struct stat_number n;

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (span_starts(s, begins[i]))
			return true;
	if (span_find(s, "overhead percentage could be high") != SIZE_MAX)
		return true;
	/* A measurement of --table: "0.0212653 (-0.0000344) ##" */
	word = next_word(&s);
	return stat_decimal(word, &n) && span_starts(span_trim(s), "(") && s.size && s.at[s.size - 1] == '#';
}

bool stat_text_interval_header(struct span line)
{
	struct span s = line, word;

	word = next_word(&s);
	return span_is(word, "#") && span_is(next_word(&s), "time") && is_blank(line.at[1]);
}

/* ---- counts with any locale's separators ---- */

/* Digits with separators, as found: "1 004,12" is 1, 004, 12 with ' ' and ','. */
struct grouped {
	struct span digits[GROUPS_MAX];
	struct span sep[GROUPS_MAX]; /* before the group of the same index; [0] is empty */
	size_t nr;
};

/* A separator of digits at `at`: its size, or 0. */
static size_t separator_at(struct span s, size_t at)
{
	/* no-break space, narrow one, typographic apostrophe, Arabic thousands and decimals */
	static const char *const wide[] = { "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99", "\xd9\xac", "\xd9\xab" };

	if (at >= s.size)
		return 0;
	if (is_one_of(s.at[at], ",.' "))
		return 1;
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (span_starts(span_from(s, at), wide[i]))
			return strlen(wide[i]);
	return 0;
}

static size_t digits_at(struct span s, size_t at)
{
	size_t n = 0;

	while (at + n < s.size && is_digit(s.at[at + n]))
		n++;
	return n;
}

/* The size of what was read, 0 when it is no number. */
static size_t read_grouped(struct span s, struct grouped *g)
{
	size_t at = 0, sep = 0, n = digits_at(s, 0);

	for (g->nr = 0; n && g->nr < GROUPS_MAX; g->nr++) {
		g->sep[g->nr] = (struct span){ s.at + at, sep };
		g->digits[g->nr] = (struct span){ s.at + at + sep, n };
		at += sep + n;
		sep = separator_at(s, at);
		n = sep ? digits_at(s, at + sep) : 0;
		if (sep && s.at[at] == ' ' && n != 3)
			n = 0; /* a blank within a number stands before three digits */
	}
	return n ? 0 : at;
}

static bool same_separator(const struct grouped *g, size_t i)
{
	return g->sep[i].size == g->sep[1].size && memcmp(g->sep[i].at, g->sep[1].at, g->sep[1].size) == 0;
}

/* Groups 1 to `last` have three digits each; in Indian locales two, but for the last. */
static bool groups_fit(const struct grouped *g, size_t last)
{
	bool indian = last > 1 && g->digits[1].size == 2;

	if (last == 0)
		return true;
	if (g->digits[0].size > 3 || (g->digits[0].size == 1 && g->digits[0].at[0] == '0'))
		return false;
	for (size_t i = 1; i <= last; i++)
		if (g->digits[i].size != (indian && i < last ? 2u : 3u) || !same_separator(g, i))
			return false;
	return true;
}

static bool is_point(struct span sep)
{
	return span_is(sep, ".") || span_is(sep, ",") || span_is(sep, "\xd9\xab");
}

/*
 * Are the digits after the last separator decimals?  perf prints counts of events with a
 * scale with two decimals and all others with none.  -1: it can be read both ways.
 */
static int has_decimals(const struct grouped *g, bool scaled)
{
	size_t last = g->nr - 1;

	if (last == 0)
		return 0;
	if (last > 1 && same_separator(g, last))
		return 0;
	if (last > 1 || !is_point(g->sep[last]))
		return is_point(g->sep[last]);
	if (g->digits[1].size != 3 || !groups_fit(g, 1))
		return 1;
	return scaled ? -1 : 0;
}

static bool put_together(const struct grouped *g, bool decimals, struct stat_number *ret)
{
	char text[160];
	size_t used = 0;

	for (size_t i = 0; i < g->nr; i++) {
		if (used + g->digits[i].size + 2 > sizeof(text))
			return false;
		if (decimals && i == g->nr - 1)
			text[used++] = '.';
		memcpy(text + used, g->digits[i].at, g->digits[i].size);
		used += g->digits[i].size;
	}
	if (!stat_decimal((struct span){ text, used }, ret))
		return false;
	ret->comma = decimals && !span_is(g->sep[g->nr - 1], ".");
	return true;
}

static enum row_verdict grouped_value(const struct grouped *g, bool scaled, struct stat_row *row)
{
	int decimals = has_decimals(g, scaled);
	struct stat_number n;

	if (decimals < 0) {
		row->why = "has a count that can be read in two ways";
		return ROW_AMBIGUOUS;
	}
	if (!groups_fit(g, g->nr - 1 - (size_t)decimals) || !put_together(g, decimals, &n)) {
		row->why = "has a count that is no number";
		return ROW_BAD;
	}
	row->value = n.value;
	row->step = n.step;
	row->comma |= n.comma;
	return ROW_OK;
}

/* ---- the right end: noise and percentage ---- */

/* Takes "(35.67%)", "[35.67%]" or "(scaled from 35.67%)" off the end of *s. */
static bool take_percentage(struct span *s, struct stat_number *ret)
{
	struct span t = span_trim(*s);
	size_t open;

	if (t.size < 4 || t.at[t.size - 2] != '%' || (t.at[t.size - 1] != ')' && t.at[t.size - 1] != ']'))
		return false;
	open = t.size - 2;
	while (open > 0 && (is_digit(t.at[open - 1]) || t.at[open - 1] == '.' || t.at[open - 1] == ','))
		open--;
	if (!stat_decimal((struct span){ t.at + open, t.size - 2 - open }, ret))
		return false;
	if (open > 12 && memcmp(t.at + open - 13, "(scaled from ", 13) == 0)
		open -= 12;
	if (open == 0 || (t.at[open - 1] != '(' && t.at[open - 1] != '['))
		return false;
	s->size = (size_t)(t.at + open - 1 - s->at);
	return true;
}

/* Takes "( +-  0.57% )" off the end of *s. */
static bool take_noise(struct span *s, struct stat_number *ret)
{
	struct span t = span_trim(*s), inner;
	size_t open = t.size;

	if (t.size < 8 || memcmp(t.at + t.size - 3, "% )", 3) != 0)
		return false;
	while (open > 0 && t.at[open - 1] != '(')
		open--;
	inner = span_trim((struct span){ t.at + open, t.size - 3 - open });
	if (open == 0 || !span_starts(inner, "+-") || !stat_decimal(span_trim(span_from(inner, 2)), ret))
		return false;
	s->size = (size_t)(t.at + open - 1 - s->at);
	return true;
}

static void take_right_end(struct span *s, struct stat_row *row)
{
	struct stat_number n;

	if (take_percentage(s, &n)) {
		row->coverage = n.value / 100;
		row->coverage_step = n.step / 100;
		row->comma |= n.comma;
	}
	if (take_noise(s, &n)) {
		row->noise = n.value / 100;
		row->comma |= n.comma;
	}
}

/* ---- metrics ---- */

/* "   0.7 %  bad_speculation_pipeline_restarts", "  4.084 GHz", "  0.88% of all branches" */
static void take_metric(struct span text, struct stat_row *row)
{
	struct stat_metric *m = &row->metrics[row->nr_metrics];
	struct stat_number n;
	struct span s = span_trim(text);
	size_t end = 0;

	while (end < s.size && !is_blank(s.at[end]) && s.at[end] != '%')
		end++;
	if (!stat_decimal(span_upto(s, end), &n) || end == s.size)
		return;
	stat_metric_name(span_from(s, end), m);
	if (m->name.size == 0)
		return;
	m->value = n.value;
	m->step = n.step;
	row->comma |= n.comma;
	row->nr_metrics++;
}

/* Takes " # metric" off the end of *s. */
static bool split_metric(struct span *s, struct span *ret)
{
	for (size_t i = 0; i < s->size; i++) {
		if (s->at[i] != '#' || (i > 0 && !is_blank(s->at[i - 1])))
			continue;
		*ret = span_from(*s, i + 1);
		s->size = i;
		return true;
	}
	return false;
}

/* ---- the left end: time and place ---- */

static void skip_blanks(struct span *s)
{
	while (s->size && is_blank(s->at[0]))
		*s = span_from(*s, 1);
}

static bool begins_value(struct span s)
{
	return s.size && (is_digit(s.at[0]) || span_starts(s, "<not counted>") || span_starts(s, "<not supported>"));
}

static void take_time(struct span *s, struct stat_row *row)
{
	struct span rest = *s, word = next_word(&rest);

	if (rest.size == 0 || !stat_time(word, &row->time_ns))
		return;
	row->has_time = true;
	*s = rest;
}

/* Names of threads may hold blanks; they are right-aligned before "-tid". */
static bool take_thread(struct span *s, struct stat_row *row)
{
	size_t begin = row->has_time ? 1 : 0;

	for (size_t i = begin + THREAD_WIDTH; i < s->size && i < begin + THREAD_WIDTH + 16; i++) {
		size_t n = s->at[i] == '-' ? digits_at(*s, i + 1) : 0;
		struct span rest, label;

		if (n == 0 || i + 1 + n >= s->size || !is_blank(s->at[i + 1 + n]))
			continue;
		rest = span_from(*s, i + 1 + n);
		label = span_trim(span_upto(*s, i + 1 + n));
		skip_blanks(&rest);
		if ((!begins_value(rest) && !span_starts(rest, "#")) || !stat_place_thread(label, &row->place))
			continue;
		*s = rest;
		return true;
	}
	return false;
}

static void take_place(struct span *s, struct stat_row *row)
{
	struct span rest = *s, word = next_word(&rest);
	uint64_t nr;

	if (word.size == 0 || is_digit(word.at[0]) || word.at[0] == '<' || word.at[0] == '#')
		return;
	if (!stat_place_label(word, &row->place)) {
		take_thread(s, row);
		return;
	}
	if (row->place.aggregation != AGGREGATION_NONE && !stat_digits(next_word(&rest), &nr))
		row->place = stat_place_none();
	else
		*s = rest;
}

/* ---- --metric-only ---- */

static void keep_header(struct stat_text *t, struct span line)
{
	if (line.size > LINE_MAX_READ)
		return;
	if (line.size > t->header_room) {
		t->header = must_realloc(t->header, line.size, 1);
		t->header_room = line.size;
	}
	memcpy(t->header, line.at, line.size);
	t->header_size = line.size;
}

struct columns {
	struct span value[ROW_METRICS_MAX];
	size_t end[ROW_METRICS_MAX]; /* of each, from the begin of the line */
	size_t nr;
};

/* Only numbers: the values of --metric-only. */
static bool only_numbers(struct span line, struct span s, struct columns *c)
{
	for (c->nr = 0; c->nr < ROW_METRICS_MAX; c->nr++) {
		struct span word = next_word(&s);
		struct stat_number n;

		if (word.size == 0)
			return c->nr > 0;
		if (!span_is(word, "none") && !stat_decimal(word, &n))
			return false;
		c->value[c->nr] = word;
		c->end[c->nr] = (size_t)(word.at + word.size - line.at);
	}
	return false;
}

/* The words before the first name in a header. */
static struct span without_place_words(struct span s)
{
	static const char *const words[] = { "#",      "time", "core",    "cpus",  "ctrs", "cpu",   "CPU",
					     "socket", "die",  "cluster", "cache", "node", "thread" };

	for (;;) {
		struct span rest = s, word = next_word(&rest);
		bool found = false;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			found |= span_is(word, words[i]);
		if (!found)
			return span_trim(s);
		s = rest;
	}
}

/* Can a name end here?  None ends with the "%" of the next one. */
static bool ends_name(struct span header, size_t end)
{
	if (end < 2 || end > header.size || is_blank(header.at[end - 1]))
		return false;
	return (end == header.size || is_blank(header.at[end])) &&
	       !(header.at[end - 1] == '%' && is_blank(header.at[end - 2]));
}

/* Two blanks stand once, between unit and name; what has more is several names. */
static bool is_one_name(struct span s)
{
	size_t two = span_find(s, "  ");
	struct span name;

	if (two == SIZE_MAX)
		return s.size > 0;
	name = span_from(s, two + 2);
	return !is_blank(name.at[0]) && span_find(name, "  ") == SIZE_MAX;
}

/*
 * Names stand above their values, and the last name ends where the last value does but
 * for a shift of the whole line.  In perf 7.2 each column of names is wider than its
 * values by one, in 6.12 some are narrower.  false: no name ends there, or two do.
 */
static bool names_of_columns(const struct stat_text *t, const struct columns *c, struct span *names)
{
	struct span header = { t->header, t->header_size };
	size_t end, width, found, at = 0;

	while (header.size && is_blank(header.at[header.size - 1]))
		header.size--;
	for (end = header.size, found = c->nr - 1; found > 0; found--) {
		unsigned fits = 0;

		width = c->end[found] - c->end[found - 1];
		if (width + 1 >= end)
			return false;
		for (size_t begin = end - width - 1; begin <= end - width + 1; begin++) {
			if (ends_name(header, begin)) {
				at = begin;
				fits++;
			}
		}
		if (fits != 1)
			return false;
		names[found] = span_trim((struct span){ header.at + at, end - at });
		end = at;
	}
	names[0] = without_place_words(span_upto(header, end));
	for (size_t i = 0; i < c->nr; i++)
		if (!is_one_name(names[i]))
			return false;
	return true;
}

static enum row_verdict metric_only_row(const struct stat_text *t, const struct columns *c, struct stat_row *row)
{
	struct span names[ROW_METRICS_MAX];

	if (!names_of_columns(t, c, names)) {
		row->why = "has values that do not stand under names";
		return ROW_BAD;
	}
	for (size_t i = 0; i < c->nr; i++) {
		struct stat_metric *m = &row->metrics[row->nr_metrics++];
		struct stat_number n = { .value = NAN, .step = NAN };

		if (stat_decimal(c->value[i], &n))
			row->comma |= n.comma;
		stat_metric_name(names[i], m);
		m->value = n.value;
		m->step = n.step;
	}
	return ROW_OK;
}

/* ---- unit, event, cgroup ---- */

/* Units of events come from the kernel and perf's tables; these are the usual ones. */
static bool is_unit(struct span s)
{
	static const char *const units[] = { "msec",  "ns", "usec", "sec", "s",      "MiB",    "KiB", "GiB",
					     "Bytes", "B",  "MB",   "KB",  "Joules", "mJ",     "J",   "W",
					     "mW",    "C",  "%",    "MHz", "Hz",     "64Bytes" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (span_is(s, units[i]))
			return true;
	return false;
}

static bool is_event_name(struct span s)
{
	bool letter = false;

	if (s.size == 0 || !(isalnum((unsigned char)s.at[0]) || s.at[0] == '_'))
		return false;
	for (size_t i = 0; i < s.size; i++)
		letter |= isalpha((unsigned char)s.at[i]) != 0;
	return letter && s.at[s.size - 1] != ':' && s.at[s.size - 1] != '.';
}

/* A term list may hold blanks: the event goes on until its slash is closed. */
static struct span event_word(struct span *s)
{
	struct span start, word;
	const char *slash;

	skip_blanks(s);
	start = *s;
	word = next_word(s);
	slash = word.size ? memchr(word.at, '/', word.size) : NULL;
	if (!slash || slash == word.at || memchr(slash + 1, '/', (size_t)(word.at + word.size - slash) - 1))
		return word;
	slash = memchr(slash + 1, '/', (size_t)(s->at + s->size - slash) - 1);
	if (!slash)
		return word;
	*s = (struct span){ slash + 1, (size_t)(s->at + s->size - slash) - 1 };
	next_word(s); /* modifiers, if any */
	word = span_upto(start, (size_t)(s->at - start.at));
	return span_trim(word);
}

/* What stands between value and metric; `gap` blanks follow the value. */
static bool take_event(struct span s, size_t gap, struct stat_row *row)
{
	struct span rest = s, unit = next_word(&rest), after = rest, more = next_word(&after);

	row->unit = span_of("");
	if (more.size && (is_unit(unit) || (gap == 1 && is_event_name(more)))) {
		row->unit = unit;
		s = rest;
	}
	row->event = event_word(&s);
	if (!is_event_name(row->event))
		return false;
	rest = s;
	more = next_word(&rest);
	if (span_is(more, "(msec)")) { /* perf before 4.17 */
		row->unit = span_of("msec");
		s = rest;
		more = next_word(&rest);
	}
	if (more.size > 2 && more.at[0] == '[' && more.at[more.size - 1] == ']') {
		row->event.size = (size_t)(more.at + more.size - row->event.at);
		s = rest;
		more = next_word(&rest);
	}
	row->cgroup = more;
	return span_trim(rest).size == 0;
}

/* ---- a row ---- */

static enum row_verdict bad(struct stat_row *row, const char *why)
{
	row->why = why;
	return ROW_BAD;
}

static size_t read_value(struct span s, struct stat_row *row, struct grouped *g)
{
	row->supported = !span_starts(s, "<not supported>");
	row->counted = row->supported && !span_starts(s, "<not counted>");
	if (!row->supported)
		return strlen("<not supported>");
	if (!row->counted)
		return strlen("<not counted>");
	return read_grouped(s, g);
}

/*
 * Does the value end where perf's does?  Wide separators of digits count as one column
 * or as their bytes, as the C library of the time did; a longer value begins the line.
 */
static bool ends_in_column(struct span line, const char *value_end)
{
	size_t bytes = (size_t)(value_end - line.at), columns = 0;

	for (const char *p = line.at; p < value_end; p++)
		columns += ((unsigned char)*p & 0xc0) != 0x80;
	return columns == VALUE_WIDTH || bytes == VALUE_WIDTH || (bytes > VALUE_WIDTH && !is_blank(line.at[0]));
}

/*
 * "12 apples" may be a row of perf before 3.15, which put one blank before the event, or
 * anybody's: it has to stand where perf's rows do, or to have something else of them.
 */
static bool is_anybodys(const struct stat_row *row, size_t gap, bool in_column, bool has_metric)
{
	return gap == 1 && !is_unit(row->unit) && !in_column && !has_metric && isnan(row->coverage) &&
	       isnan(row->noise);
}

/* Without a title, where other programs' lines may be between, only what stands exactly as perf puts it is a row. */
static bool stands_like_perf(const struct stat_row *row, size_t gap, bool in_column)
{
	if (row->has_time || row->place.aggregation != AGGREGATION_GLOBAL)
		return true;
	return in_column && (gap >= EVENT_GAP || (gap == 1 && is_unit(row->unit)));
}

/* perf prints no percentage where running and enabled time are equal. */
static void assume_full(struct stat_row *row)
{
	if (!row->counted || !isnan(row->coverage))
		return;
	row->coverage = 1;
	row->coverage_step = 0;
}

/*
 * "65.9 %  backend_bound_cpu (20.00%)": a list of metrics that someone cut out.  Counts
 * never have one decimal, so this is none.
 */
static bool is_cut_out_metric(const struct stat_row *row)
{
	return row->counted && span_is(row->unit, "%") && row->step == 0.1 && !isnan(row->coverage);
}

static enum row_verdict count_row(struct stat_text *t, struct span line, struct span s, struct stat_row *row)
{
	struct span metric = { "", 0 };
	struct grouped g = { .nr = 0 };
	size_t used, gap;
	bool scaled, in_column, has_metric;
	enum row_verdict v = ROW_OK;

	take_right_end(&s, row);
	has_metric = split_metric(&s, &metric);
	used = read_value(s, row, &g);
	for (gap = 0; used + gap < s.size && is_blank(s.at[used + gap]); gap++)
		;
	if (used == 0 || gap == 0 || !take_event(span_from(s, used), gap, row))
		return t->titled || row->has_time ? bad(row, "is no row of counts") : ROW_FOREIGN;
	in_column = ends_in_column(line, s.at + used);
	scaled = row->unit.size && !span_is(row->unit, "ns");
	if (row->counted)
		v = grouped_value(&g, scaled, row);
	if (is_anybodys(row, gap, in_column, has_metric) ||
	    (!t->titled && !is_cut_out_metric(row) && !stands_like_perf(row, gap, in_column)))
		return ROW_FOREIGN;
	if (v != ROW_OK)
		return v;
	if (is_cut_out_metric(row)) {
		row->metrics[row->nr_metrics++] = (struct stat_metric){ row->event, row->unit, row->value, row->step };
		return ROW_OK;
	}
	take_metric(metric, row);
	assume_full(row);
	row->has_count = true;
	t->has_rows = true;
	return ROW_OK;
}

/* No value: a further metric of the row before, or the first one of a metric group. */
static enum row_verdict metric_row(struct stat_text *t, struct span s, struct stat_row *row)
{
	struct span metric = { "", 0 }, rest;
	size_t words = 0;

	take_right_end(&s, row);
	if (!split_metric(&s, &metric))
		return ROW_FOREIGN;
	for (rest = s; next_word(&rest).size;)
		words++;
	if (words > 1 || (!t->in_table && !row->has_time && !t->has_rows))
		return ROW_FOREIGN;
	row->continues = words == 0;
	take_metric(metric, row);
	return row->nr_metrics ? ROW_OK : bad(row, "has no metric");
}

/* The line above the values of --metric-only follows the title. */
static enum row_verdict other_line(struct stat_text *t, struct span line)
{
	if (!t->in_table || t->has_rows || !line.size || !is_blank(line.at[0]))
		return ROW_FOREIGN;
	keep_header(t, line);
	return ROW_KNOWN;
}

/* A line that may end too early is a row only when its end shows that it is whole. */
static bool is_cut_off(struct span line, bool whole)
{
	struct span s = span_trim(line);

	return !whole && s.size && s.at[s.size - 1] != ')';
}

enum row_verdict stat_text_row(struct stat_text *t, struct span line, bool whole, struct stat_row *row)
{
	struct columns c;
	struct span s = line;
	enum row_verdict v;

	stat_row_clear(row);
	if (stat_text_interval_header(line)) {
		t->in_table = true;
		keep_header(t, line);
		return ROW_KNOWN;
	}
	take_time(&s, row);
	take_place(&s, row);
	if ((t->in_table || row->has_time) && t->header_size && only_numbers(line, s, &c))
		return whole ? metric_only_row(t, &c, row) : bad(row, "may be cut off");
	skip_blanks(&s);
	v = begins_value(s) ? count_row(t, line, s, row) : metric_row(t, s, row);
	if (v == ROW_OK && is_cut_off(line, whole))
		return bad(row, "may be cut off");
	return v == ROW_FOREIGN && !row->has_time ? other_line(t, line) : v;
}
