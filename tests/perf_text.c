// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf stat's output for people, line by line:
 *
 *	[time] [place [counters]] value [msec] event [# value unit name] [(percent%)]
 *	[time] [place [counters]] # value unit name [(percent%)]
 */
#include "tests/perf_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next word without moving on; its length. */
static size_t word_at(const char **at)
{
	*at += strspn(*at, " ");
	return strcspn(*at, " ");
}

static void take(const char **at, size_t n, char *to, size_t size)
{
	snprintf(to, size, "%.*s", (int)n, *at);
	*at += n;
}

static bool is_number(const char *s, size_t n)
{
	if (n && *s == '-')
		s++, n--;
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]) && s[i] != '.')
			return false;
	return n > 0;
}

/* Nine decimals: nothing but a time has so many. */
static bool is_time(const char *s, size_t n)
{
	return n > 10 && is_number(s, n) && s[n - 10] == '.';
}

static bool is_place(const char *s, size_t n)
{
	return (n > 3 && strncmp(s, "CPU", 3) == 0 && isdigit((unsigned char)s[3])) ||
	       (n > 1 && s[0] == 'S' && isdigit((unsigned char)s[1]));
}

static bool is_noise(const char *line)
{
	static const char *const noise[] = { "Performance counter stats", "Failed to open", "seconds time elapsed",
					     "seconds user", "seconds sys", "counts unit events" };

	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
		if (strstr(line, noise[i]))
			return true;
	return line[strspn(line, " ")] == 0;
}

static void trim(char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] == ' ')
		s[--n] = 0;
}

/* "(35.67%)" at the end of the line is cut off. */
static void take_percent(char *line, struct text_row *row)
{
	char *open = strrchr(line, '(');
	size_t n;

	trim(line);
	n = strlen(line);
	if (!open || n < 3 || line[n - 1] != ')' || line[n - 2] != '%')
		return;
	snprintf(row->percent, sizeof(row->percent), "%.*s", (int)(line + n - 2 - open - 1), open + 1);
	*open = 0;
	trim(line);
}

/* "-0.1 %  name", "2.46  insn per cycle" */
static void take_metric(const char *at, struct text_row *row)
{
	size_t n = word_at(&at), m = row->nr_metrics;

	if (!n || m == TEXT_METRICS)
		return;
	row->nr_metrics++;
	take(&at, n, row->metrics[m].value, sizeof(row->metrics[m].value));
	if (strncmp(at, " %  ", 4) == 0) {
		strcpy(row->metrics[m].unit, "%");
		at += 4;
	}
	at += strspn(at, " ");
	take(&at, strlen(at), row->metrics[m].name, sizeof(row->metrics[m].name));
}

static void take_event(const char *at, struct text_row *row)
{
	char *pmu;

	at += strspn(at, " ");
	if (strncmp(at, "msec ", 5) == 0)
		at += 5;
	take(&at, strlen(at), row->event, sizeof(row->event));
	trim(row->event);
	pmu = strstr(row->event, " [");
	if (pmu)
		*pmu = 0;
}

static void take_prefix(const char **at, struct text_row *row)
{
	size_t n = word_at(at);

	if (is_time(*at, n)) {
		take(at, n, row->time, sizeof(row->time));
		n = word_at(at);
	}
	if (!is_place(*at, n))
		return;
	take(at, n, row->place, sizeof(row->place));
	if (row->place[0] == 'S')
		*at += word_at(at); /* number of counters */
}

static bool take_value(const char **at, struct text_row *row)
{
	size_t n = word_at(at);

	if (**at == '<')
		n = strcspn(*at, ">") + 1;
	else if (!is_number(*at, n))
		return false;
	take(at, n, row->value, sizeof(row->value));
	return true;
}

/* A line that begins with "#" continues the row before it. */
static bool read_line(char *line, struct perf_text *t)
{
	struct text_row row = { .time = "" };
	const char *at = line;
	char *metric;

	take_percent(line, &row);
	take_prefix(&at, &row);
	(void)word_at(&at);
	if (*at == '#') {
		struct text_row *last = t->nr ? &t->rows[t->nr - 1] : NULL;

		if (!last || strcmp(last->place, row.place) || strcmp(last->time, row.time))
			return false;
		take_metric(at + 1, last);
		if (*row.percent)
			strcpy(last->percent, row.percent);
		return true;
	}
	if (!take_value(&at, &row))
		return false;
	metric = strstr(line, " # ");
	if (metric) {
		take_metric(metric + 3, &row);
		*metric = 0;
	}
	take_event(at, &row);
	t->rows = realloc(t->rows, (t->nr + 1) * sizeof(*t->rows));
	t->rows[t->nr++] = row;
	return true;
}

struct perf_text perf_text_read(const char *path)
{
	struct perf_text t = { NULL, 0, 0 };
	FILE *f = fopen(path, "r");
	char line[1024];

	for (size_t nr = 1; f && fgets(line, sizeof(line), f); nr++) {
		line[strcspn(line, "\n")] = 0;
		if (is_noise(line))
			continue;
		if (!read_line(line, &t) && !t.odd_line)
			t.odd_line = nr;
		else if (t.nr)
			t.rows[t.nr - 1].line = nr;
	}
	if (f)
		fclose(f);
	return t;
}

void perf_text_free(struct perf_text *t)
{
	free(t->rows);
	*t = (struct perf_text){ NULL, 0, 0 };
}
