/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one line of perf stat output says, whatever the format: stat_text.c, stat_csv.c
 * and stat_json.c take lines apart into rows, stat_output.c makes items of rows.  A row
 * is made of borrowed pieces of its line and lives as long as the line.
 */
#ifndef PERFTAB_STAT_ROW_H
#define PERFTAB_STAT_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reader/arena.h"
#include "reader/capture.h"

/* A borrowed piece of text. */
struct span {
	const char *at;
	size_t size;
};

static inline struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static inline bool span_is(struct span s, const char *text)
{
	return s.size == strlen(text) && memcmp(s.at, text, s.size) == 0;
}

static inline bool span_starts(struct span s, const char *text)
{
	size_t n = strlen(text);

	return s.size >= n && memcmp(s.at, text, n) == 0;
}

static inline struct span span_from(struct span s, size_t n)
{
	return (struct span){ s.at + n, s.size - n };
}

static inline struct span span_upto(struct span s, size_t n)
{
	return (struct span){ s.at, n };
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct span span_trim(struct span s);
/* Where `text` begins in `s`, or SIZE_MAX. */
size_t span_find(struct span s, const char *text);

/* ---- numbers ---- */

struct stat_number {
	double value;
	double step;   /* of the last digit */
	bool comma;    /* written with a decimal comma */
};

/*
 * A plain decimal number, the whole of `s`: digits, with a point or a comma before
 * decimals, with a sign, "nan" or "inf".  No grouped digits.  *ret stays where it is none.
 */
bool stat_decimal(struct span s, struct stat_number *ret);

/* Digits only, at most 19 of them. */
bool stat_digits(struct span s, uint64_t *ret);

/* Seconds with nine decimals and a point, as -I prints them in every locale. */
bool stat_time(struct span s, uint64_t *ret_ns);

/* ---- rows ---- */

/* A place as a row names it.  aggregation GLOBAL: it names none. */
struct stat_place {
	enum aggregation aggregation;
	struct span label; /* "CPU3", "S0-D0-C1", "sleep-123" */
	int32_t cpu, core, die, socket, node, tid;
	struct span comm;
};

struct stat_place stat_place_none(void);
/* CPU0, S0, S0-D0, S0-D0-C1, S0-D0-CLS1, S0-D0-L3-ID0, S0-C1 (perf before 5.x), N0. */
bool stat_place_label(struct span label, struct stat_place *ret);
/* "comm-tid", cut at the last '-'. */
bool stat_place_thread(struct span label, struct stat_place *ret);

struct stat_metric {
	struct span name, unit;
	double value, step;
};

enum { ROW_METRICS_MAX = 256 };

enum row_verdict {
	ROW_OK,        /* struct stat_row is filled */
	ROW_KNOWN,     /* perf wrote it and it holds no number that we keep */
	ROW_FOREIGN,   /* of another program */
	ROW_BAD,       /* perf's, but it cannot be understood: `why` */
	ROW_AMBIGUOUS, /* can be read in two ways: `why` */
};

struct stat_row {
	bool has_time;
	uint64_t time_ns;
	bool summary; /* says that it is a row of --summary */
	bool comma;   /* a decimal comma was put right */
	bool continues; /* text: goes on with the row before, whose noise and percentage may be here */
	bool metric_lost; /* the metric can be read in two ways and was left out */
	struct stat_place place;

	bool has_count;
	bool supported, counted;
	struct span event, unit, cgroup;
	double value, step; /* as printed, in `unit` */
	double coverage, coverage_step, running_ns, noise;

	struct stat_metric *metrics; /* ROW_METRICS_MAX of them, the parser's */
	size_t nr_metrics;
	const char *why; /* static */
};

/* Nothing known, no count, no metric; keeps the room for metrics. */
void stat_row_clear(struct stat_row *row);

/*
 * Running time and percentage as CSV and JSON print them.  perf prints an integer
 * quotient with ".00"; only other writers have decimals.  100 % of nothing is unknown.
 */
void stat_row_share(struct stat_row *row, double run, const struct stat_number *percent);

/* "%  retiring", "CPUs utilized", "GHz": unit and name. */
void stat_metric_name(struct span text, struct stat_metric *ret);

/* ---- formats ---- */

/* Text.  The state of one run; zeroed at its begin. */
struct stat_text {
	bool in_table; /* after a title or the header of -I, before "seconds time elapsed" */
	bool titled;   /* the table has a title, so that lines in it are perf's */
	bool has_rows; /* the table has one */
	char *header;  /* a line that may be the header of --metric-only; malloc'ed */
	size_t header_size, header_room;
};

void stat_text_clear(struct stat_text *t);

/* What a title or a line after the table says of the whole run. */
struct stat_footer {
	bool is_title;
	struct span command; /* empty: none was started */
	struct span target;  /* "system wide", "process id '123'", or empty */
	uint32_t repeats;    /* of the title; 0 not said */
	double elapsed_s, user_s, system_s; /* NaN: not in this line */
};

/* " Performance counter stats for …:" anywhere in the line. */
bool stat_text_title(struct span line, struct stat_footer *ret);
/* "… seconds time elapsed", "… seconds user", "… seconds sys" */
bool stat_text_footer(struct span line, struct stat_footer *ret);
/* Lines that perf itself writes around its tables and that say nothing we keep. */
bool stat_text_known(struct span line);
/* "#           time …counts unit events" */
bool stat_text_interval_header(struct span line);

/* `whole`: the line has its end; without, its last words may be cut off. */
enum row_verdict stat_text_row(struct stat_text *t, struct span line, bool whole, struct stat_row *row);

/* CSV.  What is known of the file so far. */
struct stat_csv {
	char sep[16];
	size_t sep_size;
	char *header; /* of --metric-only, or NULL; malloc'ed */
	size_t header_size, header_room;
};

void stat_csv_clear(struct stat_csv *c);
/* Finds the separator by a row or a pair of --metric-only lines.  false: neither. */
bool stat_csv_separator(struct span line, struct span next, struct stat_csv *ret);
enum row_verdict stat_csv_row(struct stat_csv *c, struct span line, struct stat_row *row);

/* JSON. */
struct stat_json {
	char *names; /* of a --metric-only header of perf 6.1, each NUL-terminated; malloc'ed */
	size_t names_size, names_room;
	char *unescaped; /* where strings have escapes; malloc'ed */
	size_t unescaped_size;
};

void stat_json_clear(struct stat_json *j);
/*
 * Reads one object at the begin of `text` ('{'); *used is its size, also where it is
 * damaged (then up to where reading stopped, at least 1).
 */
enum row_verdict stat_json_row(struct stat_json *j, struct span text, size_t *used, struct stat_row *row);

/* ---- names ---- */

/*
 * Fills name, modifiers, pmu and, where the spelling alone tells it (generic names,
 * raw codes, cpu/event=…/), type and config.
 */
void stat_name_event(struct arena *arena, struct span name, struct event *ret);

/* perf shows these units for counters in nanoseconds: 1e-6 for "msec", else 1. */
double stat_unit_scale(struct span unit);

#endif
