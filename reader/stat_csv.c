// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of perf stat -x:
 *
 *	[time,] [place [,nr],] value,unit,event[,cgroup][,noise%],run_ns,percent,metric,metric_unit
 *
 * Nothing is quoted: an event may hold the separator, and in a locale with a decimal
 * comma `-x,` splits numbers in two.  So fields are not counted.  A row is held by two
 * anchors: the value after the place, and running time with percentage, which no other
 * pair of fields looks like.  What lies between is unit, event, cgroup and noise; what
 * follows is the metric.  Where the anchors can be found in two ways the row is not used.
 */
#include <math.h>
#include <stdlib.h>

#include "reader/stat_row.h"

enum { FIELDS_MAX = 320, PREFIX_JOIN_MAX = 3 };

struct fields {
	struct span of[FIELDS_MAX];
	size_t nr;
};

void stat_csv_clear(struct stat_csv *c)
{
	free(c->header);
	memset(c, 0, sizeof(*c));
}

/* false: more fields than any row has. */
static bool split(const struct stat_csv *c, struct span line, struct fields *f)
{
	const char *at = line.at, *end = line.at + line.size;

	f->nr = 0;
	for (;;) {
		size_t left = (size_t)(end - at);
		const char *sep = NULL;

		if (left)
			sep = c->sep_size == 1 ? memchr(at, c->sep[0], left) : memmem(at, left, c->sep, c->sep_size);
		if (f->nr == FIELDS_MAX)
			return false;
		f->of[f->nr++] = (struct span){ at, (size_t)((sep ? sep : end) - at) };
		if (!sep)
			return true;
		at = sep + c->sep_size;
	}
}

/* Fields `first` to `last` with the separators between them: what perf wrote as one. */
static struct span joined(const struct fields *f, size_t first, size_t last)
{
	const char *end = f->of[last].at + f->of[last].size;

	return (struct span){ f->of[first].at, (size_t)(end - f->of[first].at) };
}

static bool is_value(struct span s)
{
	return s.size && (is_digit(s.at[0]) || span_is(s, "<not counted>") || span_is(s, "<not supported>"));
}

static bool two_digits(struct span s)
{
	return s.size == 2 && is_digit(s.at[0]) && is_digit(s.at[1]);
}

/* ---- what stands before the value ---- */

static size_t read_time(const struct fields *f, struct stat_row *row)
{
	struct span first = span_trim(f->of[0]);

	if (f->nr > 1 && stat_time(first, &row->time_ns)) {
		row->has_time = true;
		return 1;
	}
	row->summary = f->nr > 1 && span_is(first, "summary");
	return row->summary ? 1 : 0;
}

/* A thread's name may hold the separator: the place ends where "-tid" meets a value. */
static size_t read_thread(const struct fields *f, size_t at, struct stat_row *row)
{
	for (size_t last = at; last < at + PREFIX_JOIN_MAX && last + 1 < f->nr; last++) {
		if (f->of[last + 1].size && !is_value(f->of[last + 1]))
			continue;
		if (stat_place_thread(joined(f, at, last), &row->place))
			return last + 1;
	}
	return at;
}

static size_t read_place(const struct fields *f, size_t at, struct stat_row *row)
{
	uint64_t nr;

	if (at >= f->nr || f->of[at].size == 0 || is_digit(f->of[at].at[0]) || f->of[at].at[0] == '<')
		return at;
	if (!stat_place_label(f->of[at], &row->place))
		return read_thread(f, at, row);
	if (row->place.aggregation == AGGREGATION_NONE)
		return at + 1;
	if (at + 1 < f->nr && stat_digits(f->of[at + 1], &nr))
		return at + 2;
	row->place = stat_place_none();
	return at;
}

/* ---- running time and percentage ---- */

struct share {
	size_t first, after; /* the fields of running time and percentage, [first, after) */
	uint64_t run;
	struct stat_number percent;
	unsigned found;
};

/* `NN.00`, as one field, or as two where the separator is the decimal comma: then always "00". */
static size_t read_percent(const struct stat_csv *c, const struct fields *f, size_t at, struct stat_number *ret)
{
	struct span s = f->of[at];

	if (s.size >= 4 && s.size <= 6 && !is_digit(s.at[s.size - 3]))
		return is_digit(s.at[0]) && stat_decimal(s, ret) ? 1 : 0;
	if (c->sep_size != 1 || c->sep[0] != ',' || at + 1 >= f->nr)
		return 0;
	if (s.size == 0 || s.size > 3 || (s.size > 1 && s.at[0] == '0') || !span_is(f->of[at + 1], "00"))
		return 0;
	return stat_decimal(joined(f, at, at + 1), ret) ? 2 : 0;
}

static struct share find_share(const struct stat_csv *c, const struct fields *f, size_t from)
{
	struct share s = { .found = 0 };

	for (size_t i = from; i + 1 < f->nr; i++) {
		struct stat_number percent;
		uint64_t run;
		size_t used;

		if (f->of[i].size == 0 || !is_digit(f->of[i].at[0]) || !stat_digits(f->of[i], &run))
			continue;
		used = read_percent(c, f, i + 1, &percent);
		if (used == 0)
			continue;
		s = (struct share){ i, i + 1 + used, run, percent, s.found + 1 };
	}
	return s;
}

/* ---- value, unit, event, cgroup, noise ---- */

/* Returns the field after the value, 0 when it is none. */
static size_t read_value(const struct stat_csv *c, const struct fields *f, size_t at, bool comma, struct stat_row *row)
{
	struct stat_number n;
	struct span s = f->of[at];

	row->supported = !span_is(s, "<not supported>");
	row->counted = row->supported && !span_is(s, "<not counted>");
	if (!row->counted)
		return at + 1;
	if (c->sep[0] == ',' && comma && at + 2 < f->nr && two_digits(f->of[at + 1])) {
		s = joined(f, at, at + 1);
		at++;
	}
	if (!stat_decimal(s, &n))
		return 0;
	row->value = n.value;
	row->step = n.step;
	row->comma |= n.comma;
	return at + 1;
}

/* Takes the noise of -r off the end of the fields [.., end); returns the new end. */
static size_t read_noise(const struct fields *f, size_t begin, size_t end, struct stat_row *row)
{
	struct stat_number n;
	struct span s = f->of[end - 1];

	if (end - begin < 2 || s.size < 2 || s.at[s.size - 1] != '%')
		return end;
	s.size--;
	if (two_digits(s) && end - begin > 2 && f->of[end - 2].size && is_digit(f->of[end - 2].at[0])) {
		end--;
		s = joined(f, end - 1, end);
		s.size--;
	}
	if (!stat_decimal(s, &n))
		return end;
	row->noise = n.value / 100;
	row->comma |= n.comma;
	return end - 1;
}

/* Is the slash of "pmu/" still open at the end of this piece? */
static bool slash_open(struct span s)
{
	const char *first = memchr(s.at, '/', s.size);

	return first && first > s.at && !memchr(first + 1, '/', (size_t)(s.at + s.size - first) - 1);
}

/* Event and cgroup are what is left; the event goes on until its slash is closed. */
static bool read_event(const struct fields *f, size_t begin, size_t end, struct stat_row *row)
{
	size_t last = begin;

	if (begin >= end || f->of[begin].size == 0)
		return false;
	if (slash_open(f->of[begin])) {
		while (last + 1 < end && slash_open(joined(f, begin, last)))
			last++;
		if (slash_open(joined(f, begin, last)))
			return false;
	}
	row->event = joined(f, begin, last);
	if (last + 2 < end)
		return false;
	if (last + 1 < end)
		row->cgroup = f->of[last + 1];
	return true;
}

/* ---- metrics ---- */

static void take_metric(struct stat_row *row, struct span value, struct span name)
{
	struct stat_metric *m = &row->metrics[row->nr_metrics];
	struct stat_number n = { .value = NAN, .step = NAN };

	if (span_trim(name).size == 0 || span_is(name, "(null)"))
		return;
	stat_metric_name(name, m);
	/* perf cuts off the sign and all that is no digit: an empty value was negative or NaN. */
	if (value.size)
		stat_decimal(value, &n);
	m->value = n.value;
	m->step = n.step;
	row->nr_metrics++;
}

static bool all_digits(struct span s)
{
	uint64_t v;

	return stat_digits(s, &v);
}

/* The fields after the percentage.  A name may hold the separator; a value may not. */
static void read_metric(const struct fields *f, size_t at, bool comma, struct stat_row *row)
{
	size_t value = at, name = at + 1;

	if (at + 1 >= f->nr)
		return;
	if (comma && at + 2 < f->nr && all_digits(f->of[at]) && all_digits(f->of[at + 1]))
		name++;
	if (name + 1 < f->nr && all_digits(f->of[name])) {
		row->metric_lost = true;
		return;
	}
	take_metric(row, joined(f, value, name - 1), joined(f, name, f->nr - 1));
}

/* A row of which only the metric is filled; perf's versions disagree on how many fields are empty. */
static enum row_verdict metric_row(const struct fields *f, size_t at, struct stat_row *row)
{
	struct stat_number n;
	size_t first = at;

	while (first < f->nr && f->of[first].size == 0)
		first++;
	if (first == f->nr)
		return ROW_KNOWN;
	if (first == at + 1 && f->nr > first + 2 && all_digits(f->of[first]) && f->of[first + 1].size > 3)
		return ROW_KNOWN; /* running time of a metric group: its metrics follow */
	if (first < at + 3 || first >= f->nr) {
		row->why = "has neither a count nor a metric";
		return ROW_BAD;
	}
	if (!stat_decimal(f->of[first], &n))
		take_metric(row, span_of(""), joined(f, first, f->nr - 1));
	else if (first + 1 < f->nr)
		take_metric(row, f->of[first], joined(f, first + 1, f->nr - 1));
	if (row->nr_metrics)
		return ROW_OK;
	row->why = "has a metric without a name";
	return ROW_BAD;
}

/* ---- --metric-only ---- */

static void keep_header(struct stat_csv *c, struct span line)
{
	if (line.size > c->header_room) {
		c->header = must_realloc(c->header, line.size, 1);
		c->header_room = line.size;
	}
	memcpy(c->header, line.at, line.size);
	c->header_size = line.size;
}

static bool ends_with_separator(const struct stat_csv *c, struct span line)
{
	return line.size > c->sep_size && memcmp(line.at + line.size - c->sep_size, c->sep, c->sep_size) == 0;
}

static bool is_place_word(struct span s)
{
	static const char *const words[] = { "time", "core",    "cpus",  "ctrs", "cpu",    "socket",
					     "die",  "cluster", "cache", "node", "thread", "CPU" };

	s = span_trim(s);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_is(s, words[i]))
			return true;
	return false;
}

/* A header holds no number and ends with the separator. */
static bool is_header(const struct stat_csv *c, struct span line, const struct fields *f)
{
	bool any = false;

	if (!ends_with_separator(c, line))
		return false;
	for (size_t i = 0; i + 1 < f->nr; i++) {
		struct span s = span_trim(f->of[i]);
		struct stat_number n;

		if (s.size == 0 || s.at[0] == '#' || s.at[0] == '<' || stat_decimal(s, &n))
			return false;
		any = true;
	}
	return any;
}

/* perf 6.1 forgets the separator after "cpus". */
static struct span header_name(struct span s)
{
	if (s.size > 4 && (span_starts(s, "cpus") || span_starts(s, "ctrs")) && s.at[4] != ' ')
		return span_from(s, 4);
	return s;
}

static bool is_metric_value(struct span s)
{
	struct stat_number n;

	s = span_trim(s);
	return s.size == 0 || span_is(s, "none") || stat_decimal(s, &n);
}

/* The names of a header, without the words for time and place. */
static bool header_names(const struct stat_csv *c, struct fields *names, size_t *first)
{
	if (!c->header || !split(c, (struct span){ c->header, c->header_size }, names))
		return false;
	for (*first = 0; *first + 1 < names->nr; (*first)++)
		if (!is_place_word(names->of[*first]))
			return true;
	return false;
}

/*
 * Values under the header of --metric-only, one for each name.  In perf 6.1 the header
 * has fewer columns for the place than the rows.
 */
static bool metric_only_row(struct stat_csv *c, struct span line, const struct fields *f, size_t at,
			    struct stat_row *row)
{
	struct fields names;
	size_t first;

	if (!header_names(c, &names, &first) || !ends_with_separator(c, line) || at + 1 >= f->nr)
		return false;
	if (names.nr - first != f->nr - at || f->nr - at > ROW_METRICS_MAX)
		return false;
	for (size_t i = at; i + 1 < f->nr; i++)
		if (!is_metric_value(f->of[i]))
			return false;
	for (size_t i = 0; at + i + 1 < f->nr; i++)
		take_metric(row, span_trim(f->of[at + i]), header_name(names.of[first + i]));
	return row->nr_metrics > 0;
}

/* ---- a row ---- */

static enum row_verdict bad(struct stat_row *row, enum row_verdict verdict, const char *why)
{
	row->why = why;
	return verdict;
}

/* The value's place is known, running time and percentage are not there. */
static enum row_verdict no_share(const struct fields *f, size_t at, struct stat_row *row)
{
	bool thread = row->place.aggregation == AGGREGATION_THREAD;
	bool prefixed = row->has_time || row->summary || (row->place.aggregation != AGGREGATION_GLOBAL && !thread);

	if (!prefixed && (thread || f->nr - at < 3))
		return ROW_FOREIGN;
	return bad(row, ROW_BAD, "has no running time and percentage");
}

static enum row_verdict count_row(const struct stat_csv *c, const struct fields *f, size_t at, struct stat_row *row)
{
	struct share s = find_share(c, f, at + 2);
	size_t unit, end;
	bool comma;

	if (s.found == 0)
		return no_share(f, at, row);
	if (s.found > 1)
		return bad(row, ROW_AMBIGUOUS, "has running time and percentage twice");
	comma = s.after - s.first == 3;
	unit = read_value(c, f, at, comma, row);
	if (unit == 0)
		return bad(row, ROW_BAD, "has a count that is no number");
	if (unit + 1 >= s.first)
		return bad(row, ROW_BAD, "has too few fields");
	row->unit = f->of[unit];
	end = read_noise(f, unit + 1, s.first, row);
	if (all_digits(row->unit))
		return bad(row, ROW_AMBIGUOUS, "has a count that can be read in two ways");
	if (!read_event(f, unit + 1, end, row))
		return bad(row, ROW_AMBIGUOUS, "has fields between unit and running time that are no event");
	stat_row_share(row, (double)s.run, &s.percent);
	read_metric(f, s.after, comma, row);
	row->has_count = true;
	return ROW_OK;
}

enum row_verdict stat_csv_row(struct stat_csv *c, struct span line, struct stat_row *row)
{
	struct fields f;
	size_t at;

	stat_row_clear(row);
	if (line.size && line.at[0] == '#')
		return ROW_FOREIGN;
	if (!split(c, line, &f))
		return bad(row, ROW_BAD, "has too many fields");
	if (f.nr < 2)
		return ROW_FOREIGN;
	at = read_place(&f, read_time(&f, row), row);
	if (c->header && metric_only_row(c, line, &f, at, row))
		return ROW_OK;
	if (at < f.nr && f.of[at].size == 0)
		return metric_row(&f, at, row);
	if (at < f.nr && is_value(f.of[at]))
		return count_row(c, &f, at, row);
	if (is_header(c, line, &f)) {
		keep_header(c, line);
		return ROW_KNOWN;
	}
	return row->has_time || row->summary || row->place.aggregation != AGGREGATION_GLOBAL
		       ? bad(row, ROW_BAD, "has no count")
		       : ROW_FOREIGN;
}

/* ---- which separator? ---- */

static bool separator_fits(struct span line, struct span sep, struct stat_csv *ret, struct stat_row *row)
{
	struct stat_csv c = { .sep_size = sep.size };

	memcpy(c.sep, sep.at, sep.size);
	if (stat_csv_row(&c, line, row) != ROW_OK || !row->has_count) {
		stat_csv_clear(&c);
		return false;
	}
	*ret = c;
	return true;
}

/* The separator is what stands between running time and percentage, and before the former. */
static bool separator_of_row(struct span line, struct stat_csv *ret, struct stat_row *row)
{
	size_t i = 1;

	while (i < line.size) {
		size_t run = i, sep, percent;

		if (!is_digit(line.at[i]) || is_digit(line.at[i - 1])) {
			i++;
			continue;
		}
		while (i < line.size && is_digit(line.at[i]))
			i++;
		sep = i;
		while (i < line.size && !is_digit(line.at[i]))
			i++;
		percent = i;
		if (i == line.size || percent - sep > sizeof(ret->sep) || percent - sep > run)
			continue;
		if (memcmp(line.at + run - (percent - sep), line.at + sep, percent - sep) != 0)
			continue;
		if (line.at[sep] == '.' && percent - sep == 1)
			continue;
		if (separator_fits(line, (struct span){ line.at + sep, percent - sep }, ret, row))
			return true;
	}
	return false;
}

/* A header and the row below it end with the same separator. */
static bool separator_of_header(struct span line, struct span next, struct stat_csv *ret, struct stat_row *row)
{
	struct stat_csv c = { .sep_size = 0 };
	size_t n = 0;

	while (n < line.size && n < next.size && n < sizeof(c.sep)) {
		char x = line.at[line.size - 1 - n];

		if (x != next.at[next.size - 1 - n] || x == ' ' || x == '}' || x == ':' || is_digit(x) || x >= 'a')
			break;
		n++;
	}
	if (n == 0 || n == line.size)
		return false;
	memcpy(c.sep, line.at + line.size - n, n);
	c.sep_size = n;
	if (stat_csv_row(&c, line, row) == ROW_KNOWN && c.header && stat_csv_row(&c, next, row) == ROW_OK &&
	    !row->has_count) {
		*ret = c;
		return true;
	}
	stat_csv_clear(&c);
	return false;
}

bool stat_csv_separator(struct span line, struct span next, struct stat_csv *ret)
{
	struct stat_metric metrics[ROW_METRICS_MAX];
	struct stat_row row = { .metrics = metrics };

	return separator_of_row(line, ret, &row) || separator_of_header(line, next, ret, &row);
}
