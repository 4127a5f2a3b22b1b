// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf stat's output files as a stream of items.  The first line that is perf's decides
 * the format; a title, "# started on", a time that goes back, another format or a list
 * of events that begins again begin another run.  The first set of rows of a run is read
 * ahead, because only then the events and their groups are known.
 */
#include "reader/stat_output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "reader/stat_events.h"
#include "reader/stat_lines.h"
#include "reader/stat_row.h"

enum {
	AHEAD_MAX = 1 << 16,     /* items of the first set that are kept; later ones come as they are read */
	RUNS_MAX = 4096,         /* in one file */
	PERIOD_ROWS_SEEN = 8192, /* to find a list of events that begins again */
	OBJECT_ROOM = 64 * 1024,
	SHOWN_MAX = 60, /* of a line in a message */
};

enum format { FORMAT_UNKNOWN, FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

static const char *const format_names[] = { "perf stat text", "perf stat text", "perf stat csv", "perf stat json" };

/* An item that waits, and its place for finding groups. */
struct waiting {
	struct item item;
	const struct known_place *place; /* of a count */
};

/* The run that is being read. */
struct run {
	struct capture *capture;
	struct stat_events *events;
	enum format format;
	struct stat_text text;
	struct stat_csv csv;
	struct stat_json json;
	bool started, titled;            /* "# started on" and a title were read */
	bool interval, final;            /* rows had times; the last rows had none */
	uint64_t time_ns;                /* of the set */
	uint32_t repeats;                /* of the title, 0 not said */
	uint64_t rows;                   /* with counts */
	uint64_t period;                 /* rows after which the list of events begins again, 0 never */
	const struct known_place *place; /* of the row before */
	const char *cgroup;
	bool frozen; /* events may not change any more */
	bool ended;
};

struct stat_output {
	struct stat_lines lines;
	char *path;
	struct capture **captures;
	size_t nr_captures;
	struct run *run;

	struct waiting *queue;
	size_t first, nr, room; /* waiting items are queue[first .. nr) */
	size_t open_count;      /* a count of a text whose percentage may still come; SIZE_MAX none */

	struct damage before; /* lines before a run */
	struct stat_row row;
	struct stat_metric metrics[ROW_METRICS_MAX];
	bool in_long_line;
	bool exhausted;
};

/* ---- messages ---- */

static void shown(struct span s, char *to)
{
	size_t n = 0;

	s = span_trim(s);
	while (n < s.size && n < SHOWN_MAX) {
		unsigned char c = (unsigned char)s.at[n];

		to[n++] = iscntrl(c) || c >= 0x80 ? '?' : (char)c;
	}
	to[n] = 0;
}

static void say(struct damage *d, enum damage_kind kind, const struct stat_line *line, const char *why)
{
	char text[SHOWN_MAX + 1];

	if (d->of[kind].count) {
		damage_note(d, kind, line->offset);
		return;
	}
	shown(line->text, text);
	damage_say(d, kind, line->offset, "line %" PRIu64 "%s%s: \"%s\"", line->number, why ? " " : "", why ? why : "",
		   text);
}

static void say_comma(struct damage *d, const struct stat_line *line)
{
	if (d->of[DAMAGE_LOCALE].count)
		damage_note(d, DAMAGE_LOCALE, line->offset);
	else
		damage_say(d, DAMAGE_LOCALE, line->offset, "line %" PRIu64 " is the first", line->number);
}

/* ---- what a line is ---- */

static bool is_started_on(struct span s)
{
	return span_starts(s, "# started on ");
}

static bool is_only_blank(struct span s)
{
	return span_trim(s).size == 0;
}

/* Does the line show by itself that perf stat wrote it, and in which format? */
static enum format format_of(struct stat_output *o, const struct stat_line *line, struct stat_csv *csv)
{
	struct span s = span_trim(line->text), ahead, next = { "", 0 };
	struct stat_text text = { .in_table = false };
	struct stat_json json = { .names = NULL };
	struct stat_footer footer;
	struct error ignored;
	enum format found = FORMAT_UNKNOWN;
	size_t used;

	if (!s.size || memchr(s.at, 0, s.size))
		return FORMAT_UNKNOWN;
	if (stat_text_title(line->text, &footer) || stat_text_interval_header(line->text))
		return FORMAT_TEXT;
	while (s.size && (s.at[0] == '[' || s.at[0] == ',' || is_blank(s.at[0])))
		s = span_from(s, 1);
	if (stat_lines_ahead(&o->lines, OBJECT_ROOM, &ahead, &ignored) == 0 && span_starts(s, "{")) {
		struct span object = span_from(ahead, (size_t)(s.at - line->text.at));
		enum row_verdict v = stat_json_row(&json, object, &used, &o->row);

		stat_json_clear(&json);
		if (v == ROW_OK || (v == ROW_KNOWN && used > 2) || v == ROW_BAD)
			return FORMAT_JSON;
	}
	if (ahead.size > line->size)
		next = span_from(ahead, line->size);
	if (next.size) {
		const char *end = memchr(next.at, '\n', next.size);

		next.size = end ? (size_t)(end - next.at) : next.size;
		while (next.size && next.at[next.size - 1] == '\r')
			next.size--;
	}
	if (s.size && s.at[0] != '#' && s.at[0] != '{' && stat_csv_separator(line->text, next, csv))
		return FORMAT_CSV;
	if (stat_text_row(&text, line->text, line->whole, &o->row) == ROW_OK)
		found = FORMAT_TEXT;
	stat_text_clear(&text);
	return found;
}

/* stat_lines_ahead() may move the window: the line is taken again. */
static int format_of_line(struct stat_output *o, struct stat_line *line, enum format *ret, struct stat_csv *csv,
			  struct error *err)
{
	struct span ahead;

	if (stat_lines_ahead(&o->lines, OBJECT_ROOM, &ahead, err) || stat_lines_peek(&o->lines, line, err) < 0)
		return -1;
	memset(csv, 0, sizeof(*csv));
	*ret = format_of(o, line, csv);
	return 0;
}

/* ---- items that wait ---- */

static struct waiting *push(struct stat_output *o)
{
	if (o->first == o->nr)
		o->first = o->nr = 0;
	if (o->nr == o->room) {
		o->room = o->room ? o->room * 2 : 256;
		o->queue = must_realloc(o->queue, o->room, sizeof(*o->queue));
	}
	memset(&o->queue[o->nr], 0, sizeof(o->queue[o->nr]));
	return &o->queue[o->nr++];
}

static void push_round(struct stat_output *o, bool final, uint64_t time_ns)
{
	struct waiting *w = push(o);

	w->item.kind = ITEM_ROUND;
	w->item.round = (struct round){ .final = final,
					.time_ns = time_ns,
					.offset = source_offset(o->lines.source) + o->lines.at };
	o->open_count = SIZE_MAX;
}

static uint32_t repeats_of(const struct run *r, const struct stat_row *row)
{
	if (r->repeats)
		return r->repeats;
	return isnan(row->noise) ? 1u : 0u;
}

static void push_count(struct stat_output *o, const struct known_row *k, uint64_t line)
{
	struct run *r = o->run;
	const struct stat_row *row = &o->row;
	const struct event *e = &r->capture->events[k->event];
	const struct stat_place *p = &k->place->place;
	struct waiting *w = push(o);

	w->place = k->place;
	w->item.kind = ITEM_PRINTED_COUNT;
	w->item.count = (struct printed_count){
		.event = k->event,
		.row = stat_events_number(r->events, k),
		.supported = row->supported,
		.counted = row->counted,
		.scaled = row->value * (1 / e->scale), /* 1e6 is exact, 1e-6 is not */
		.scaled_step = row->step * (1 / e->scale),
		.coverage = row->coverage,
		.coverage_step = row->coverage_step,
		.running_ns = row->running_ns,
		.noise = row->noise,
		.repeats = repeats_of(r, row),
		.cpu = p->cpu,
		.core = p->core,
		.die = p->die,
		.socket = p->socket,
		.node = p->node,
		.tid = p->tid,
		.comm = k->place->comm,
		.cgroup = k->cgroup,
		.label = *k->place->label ? k->place->label : NULL,
		.line = line,
	};
	o->open_count = r->format == FORMAT_TEXT ? o->nr - 1 : SIZE_MAX;
}

static bool push_metric(struct stat_output *o, const struct stat_metric *m, uint64_t line)
{
	struct run *r = o->run;
	const struct stat_place *p = &r->place->place;
	const char *name = stat_events_string(r->events, m->name), *unit = stat_events_string(r->events, m->unit);
	struct waiting *w;

	if (!name || !unit)
		return false;
	w = push(o);
	w->item.kind = ITEM_PRINTED_METRIC;
	w->item.metric = (struct printed_metric){
		.name = name,
		.unit = unit,
		.value = m->value,
		.step = m->step,
		.cpu = p->cpu,
		.core = p->core,
		.die = p->die,
		.socket = p->socket,
		.node = p->node,
		.tid = p->tid,
		.comm = r->place->comm,
		.cgroup = r->cgroup,
		.label = *r->place->label ? r->place->label : NULL,
		.line = line,
	};
	return true;
}

/* Noise and percentage of an event stand on the last of its lines. */
static void finish_open_count(struct stat_output *o)
{
	struct printed_count *c;

	if (o->open_count == SIZE_MAX)
		return;
	c = &o->queue[o->open_count].item.count;
	if (!isnan(o->row.coverage)) {
		c->coverage = o->row.coverage;
		c->coverage_step = o->row.coverage_step;
	}
	if (!isnan(o->row.noise)) {
		c->noise = o->row.noise;
		c->repeats = repeats_of(o->run, &o->row);
	}
}

/* ---- rows ---- */

enum step { STEP_TAKEN, STEP_NEXT_RUN }; /* the line belongs to the next run and is left */

static enum aggregation broader(enum aggregation now, enum aggregation row)
{
	return now == AGGREGATION_UNKNOWN || now == AGGREGATION_GLOBAL ? row : now;
}

/* Ends a set where the row's time says so. */
static enum step take_time(struct stat_output *o)
{
	struct run *r = o->run;
	const struct stat_row *row = &o->row;

	if (row->has_time) {
		if (r->final || (r->rows && !r->interval) || (r->interval && row->time_ns < r->time_ns))
			return STEP_NEXT_RUN;
		if (r->interval && row->time_ns != r->time_ns) {
			push_round(o, false, r->time_ns);
			stat_events_new_set(r->events);
		}
		r->interval = true;
		r->time_ns = row->time_ns;
	} else if (r->interval && !r->final && (row->has_count || row->summary)) {
		push_round(o, false, r->time_ns);
		stat_events_new_set(r->events);
		r->final = true;
		r->place = NULL;
	}
	return STEP_TAKEN;
}

static void too_many(struct stat_output *o, const struct stat_line *line)
{
	say(&o->run->capture->damage, DAMAGE_LINE, line, "has one event or place more than perf can have");
}

static void take_count(struct stat_output *o, const struct stat_line *line)
{
	struct run *r = o->run;
	const struct known_row *k = stat_events_row(r->events, &o->row);

	if (!k) {
		too_many(o, line);
		return;
	}
	if (!r->frozen && o->row.supported)
		r->capture->events[k->event].opened = true;
	r->place = k->place;
	r->cgroup = k->cgroup;
	r->rows++;
	push_count(o, k, line->number);
}

/* Where the row names no place, a further metric stands at the place of the row before. */
static void take_metrics(struct stat_output *o, const struct stat_line *line)
{
	struct run *r = o->run;
	bool own = o->row.place.aggregation != AGGREGATION_GLOBAL;

	if (!o->row.has_count && (own || !r->place)) {
		r->place = stat_events_place(r->events, &o->row.place);
		r->cgroup = own ? r->cgroup : NULL;
	}
	if (!r->place) {
		too_many(o, line);
		return;
	}
	for (size_t i = 0; i < o->row.nr_metrics; i++)
		if (!push_metric(o, &o->row.metrics[i], line->number))
			too_many(o, line);
}

static enum step take_row(struct stat_output *o, const struct stat_line *line)
{
	struct run *r = o->run;
	struct stat_row *row = &o->row;

	if (r->period && r->rows == r->period && row->has_count)
		return STEP_NEXT_RUN;
	if (take_time(o) == STEP_NEXT_RUN)
		return STEP_NEXT_RUN;
	/* Its name may be cut off, and what is left be another's: backend_bound_memory, backend_bound. */
	if (r->format == FORMAT_CSV && !line->whole)
		row->nr_metrics = 0;
	if (row->comma)
		say_comma(&r->capture->damage, line);
	if (row->metric_lost)
		say(&r->capture->damage, DAMAGE_LINE_AMBIGUOUS, line, "has a metric that can be read in two ways");
	if (row->continues)
		finish_open_count(o);
	else
		o->open_count = SIZE_MAX;
	r->capture->aggregation = broader(r->capture->aggregation, row->place.aggregation);
	if (row->has_count)
		take_count(o, line);
	if (row->nr_metrics)
		take_metrics(o, line);
	return STEP_TAKEN;
}

/* ---- titles, footers ---- */

static void add_feature(struct capture *c, const char *name, struct span value)
{
	for (size_t i = 0; i < c->nr_features; i++)
		if (strcmp(c->features[i].name, name) == 0)
			return;
	c->features = must_realloc(c->features, c->nr_features + 1, sizeof(*c->features));
	c->features[c->nr_features++] = (struct feature_value){ name, arena_strndup(c->arena, value.at, value.size) };
}

static enum step take_title(struct stat_output *o, const struct stat_footer *f)
{
	struct run *r = o->run;

	/* perf 6.1 writes a title before the rows of -I --summary. */
	if (r->titled || r->final || (r->rows && !r->interval))
		return STEP_NEXT_RUN;
	r->titled = true;
	r->format = FORMAT_TEXT;
	r->text.in_table = r->text.titled = true;
	r->repeats = f->repeats;
	if (f->command.size)
		r->capture->command = arena_strndup(r->capture->arena, f->command.at, f->command.size);
	if (f->target.size)
		add_feature(r->capture, "target", f->target);
	return STEP_TAKEN;
}

static void take_footer(struct stat_output *o, const struct stat_footer *f)
{
	struct capture *c = o->run->capture;

	if (!isnan(f->elapsed_s)) {
		c->duration_ns = (int64_t)llround(f->elapsed_s * 1e9);
		o->run->text.in_table = o->run->text.titled = false;
	}
	if (!isnan(f->user_s))
		c->user_s = f->user_s;
	if (!isnan(f->system_s))
		c->system_s = f->system_s;
}

static enum step take_started_on(struct stat_output *o, const struct stat_line *line)
{
	struct run *r = o->run;

	if (r->started || r->titled || r->rows || r->interval)
		return STEP_NEXT_RUN;
	r->started = true;
	add_feature(r->capture, "started on", span_trim(span_from(line->text, strlen("# started on "))));
	return STEP_TAKEN;
}

/* ---- a line ---- */

static bool has_content(const struct run *r)
{
	return r->rows || r->titled || r->interval || r->place;
}

/* A line that the run's own format does not explain: it may begin a run in another one. */
static int other_line(struct stat_output *o, struct stat_line *line, enum row_verdict v, enum step *step,
		      struct error *err)
{
	struct run *r = o->run;
	const char *why = o->row.why;
	struct stat_csv csv;
	enum format f;

	*step = STEP_TAKEN;
	if (format_of_line(o, line, &f, &csv, err))
		return -1;
	if (f != FORMAT_UNKNOWN && f != r->format && (v == ROW_FOREIGN || f != FORMAT_TEXT)) {
		if (has_content(r)) {
			stat_csv_clear(&csv);
			*step = STEP_NEXT_RUN;
			return 0;
		}
		r->format = f;
		stat_csv_clear(&r->csv);
		r->csv = csv;
		return 1; /* read it again */
	}
	stat_csv_clear(&csv);
	if (v == ROW_AMBIGUOUS)
		say(&r->capture->damage, DAMAGE_LINE_AMBIGUOUS, line, why);
	else
		say(&r->capture->damage, v == ROW_BAD ? DAMAGE_LINE : DAMAGE_LINE_FOREIGN, line, why);
	return 0;
}

/* One object; *used bytes of the line, or of more lines, are done with. */
static int take_object(struct stat_output *o, struct stat_line *line, size_t *used, enum step *step, struct error *err)
{
	enum row_verdict v;
	struct span ahead;
	size_t begin = 0;

	if (stat_lines_ahead(&o->lines, OBJECT_ROOM, &ahead, err) || stat_lines_peek(&o->lines, line, err) < 0)
		return -1;
	if (stat_lines_ahead(&o->lines, 1, &ahead, err))
		return -1;
	while (begin < line->text.size && is_one_of(line->text.at[begin], "[], \t"))
		begin++;
	*used = line->size;
	if (begin == line->text.size)
		return 0;
	if (line->text.at[begin] != '{')
		return other_line(o, line, ROW_FOREIGN, step, err);
	v = stat_json_row(&o->run->json, span_from(ahead, begin), used, &o->row);
	*used += begin;
	line->text = span_trim(span_from(line->text, begin));
	if (v == ROW_OK)
		*step = take_row(o, line);
	if (v == ROW_OK || v == ROW_KNOWN)
		return 0;
	if (v == ROW_FOREIGN || *used < line->size) {
		const char *next = v == ROW_FOREIGN || *used < begin + 2
					   ? NULL
					   : memchr(ahead.at + *used, '{', line->size - *used);

		*used = next ? (size_t)(next - ahead.at) : line->size;
	}
	say(&o->run->capture->damage, v == ROW_BAD ? DAMAGE_LINE : DAMAGE_LINE_FOREIGN, line, o->row.why);
	return 0;
}

static int take_text_or_csv(struct stat_output *o, struct stat_line *line, enum step *step, struct error *err)
{
	struct run *r = o->run;
	enum row_verdict v;

	stat_row_clear(&o->row);
	if (r->format == FORMAT_CSV)
		v = stat_csv_row(&r->csv, line->text, &o->row);
	else if (r->format == FORMAT_TEXT)
		v = stat_text_row(&r->text, line->text, line->whole, &o->row);
	else
		v = ROW_FOREIGN;
	if (v == ROW_OK)
		*step = take_row(o, line);
	return v == ROW_OK || v == ROW_KNOWN ? 0 : other_line(o, line, v, step, err);
}

/* Lines that mean the same in every format.  true: it was one. */
static bool take_common(struct stat_output *o, const struct stat_line *line, enum step *step)
{
	struct stat_footer f;

	*step = STEP_TAKEN;
	if (is_only_blank(line->text))
		return true;
	if (memchr(line->text.at, 0, line->text.size)) {
		say(&o->run->capture->damage, DAMAGE_LINE, line, "has bytes that are no text");
		return true;
	}
	if (is_started_on(line->text)) {
		*step = take_started_on(o, line);
		return true;
	}
	if (stat_text_title(line->text, &f)) {
		*step = take_title(o, &f);
		return true;
	}
	if ((o->run->titled || o->run->format == FORMAT_TEXT) && stat_text_footer(line->text, &f)) {
		take_footer(o, &f);
		return true;
	}
	return stat_text_known(line->text);
}

/* Files of -I have millions of lines that are rows: these are tried first. */
static bool is_plain_row(struct stat_output *o, const struct stat_line *line, enum step *step)
{
	struct run *r = o->run;
	struct span s = span_trim(line->text);
	struct stat_footer footer;

	if (line->too_long || !s.size || memchr(s.at, 0, s.size))
		return false;
	if (r->format == FORMAT_CSV) {
		if (stat_csv_row(&r->csv, line->text, &o->row) != ROW_OK)
			return false;
	} else if (r->format != FORMAT_TEXT || !is_digit(s.at[0]) || stat_text_footer(s, &footer) ||
		   stat_text_row(&r->text, line->text, line->whole, &o->row) != ROW_OK) {
		return false;
	}
	*step = take_row(o, line);
	return true;
}

/* Takes the line at the position.  1, or 0 at the end of the input. */
static int take_line(struct stat_output *o, enum step *step, struct error *err)
{
	struct stat_line line;
	int n = stat_lines_peek(&o->lines, &line, err), again;
	size_t used;

	if (n <= 0)
		return n;
	used = line.size;
	*step = STEP_TAKEN;
	if (o->in_long_line) {
		o->in_long_line = line.too_long;
	} else if (is_plain_row(o, &line, step)) {
		;
	} else if (o->run->format == FORMAT_JSON && line.text.size && is_one_of(line.text.at[0], "[{,] \t")) {
		if (take_object(o, &line, &used, step, err) < 0)
			return -1;
	} else if (line.too_long) {
		say(&o->run->capture->damage, DAMAGE_LINE, &line, "is longer than any that perf writes");
		o->in_long_line = true;
	} else if (!take_common(o, &line, step)) {
		again = take_text_or_csv(o, &line, step, err);
		if (again)
			return again < 0 ? -1 : 1;
		used = line.size;
	}
	if (*step == STEP_TAKEN)
		stat_lines_skip(&o->lines, used);
	return 1;
}

/* ---- a list of events that begins again ---- */

static uint64_t mix(uint64_t h, struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		h = (h ^ (uint8_t)s.at[i]) * 0x100000001b3u;
	return h + s.size;
}

/* The next count in *text, which moves behind it.  false at the end. */
static bool next_row(struct stat_output *o, struct stat_csv *csv, struct stat_json *json, struct span *text)
{
	enum format format = o->run->format;

	while (text->size) {
		const char *end = memchr(text->at, '\n', text->size);
		size_t size = end ? (size_t)(end - text->at) : text->size, used = end ? size + 1 : size;
		struct span line = span_upto(*text, size);
		struct stat_footer f;
		enum row_verdict v = ROW_FOREIGN;

		if (line.size && line.at[line.size - 1] == '\r')
			line.size--;
		if (is_started_on(line) || stat_text_title(line, &f))
			return false;
		if (format == FORMAT_CSV && end) {
			v = stat_csv_row(csv, line, &o->row);
		} else if (format == FORMAT_JSON) {
			size_t begin = 0;

			while (begin < line.size && line.at[begin] != '{')
				begin++;
			if (begin < line.size) {
				v = stat_json_row(json, span_from(*text, begin), &used, &o->row);
				used += begin;
			}
		}
		*text = span_from(*text, used);
		if (v == ROW_OK && o->row.has_count)
			return true;
	}
	return false;
}

/* The least period of a list: how far it can be moved and fits itself. */
static size_t least_period(const uint64_t *list, size_t nr)
{
	size_t *border = must_alloc((nr + 1) * sizeof(*border)), n = 0, period;

	for (size_t i = 1; i < nr; i++) {
		while (n && list[i] != list[n])
			n = border[n];
		n += list[i] == list[n];
		border[i + 1] = n;
	}
	period = nr - border[nr];
	free(border);
	return period;
}

/*
 * `perf stat -x, … 2>>log` writes no line between runs.  Where all rows ahead are one
 * list of at least two events, two or more times over, each is a run: nobody counts
 * task-clock twice in one.
 */
static int find_period(struct stat_output *o, struct error *err)
{
	uint64_t *list;
	struct stat_csv csv = o->run->csv;
	struct stat_json json = { .names = NULL };
	size_t nr = 0, period;
	struct span text;
	bool interval = false;

	if (o->run->format != FORMAT_CSV && o->run->format != FORMAT_JSON)
		return 0;
	if (stat_lines_ahead(&o->lines, OBJECT_ROOM, &text, err))
		return -1;
	csv.header = NULL;
	csv.header_size = csv.header_room = 0;
	list = must_alloc(PERIOD_ROWS_SEEN * sizeof(*list));
	while (!interval && nr < PERIOD_ROWS_SEEN && next_row(o, &csv, &json, &text)) {
		interval = o->row.has_time || o->row.summary;
		list[nr++] = mix(mix(mix(0xcbf29ce484222325u, o->row.place.label), o->row.cgroup), o->row.event);
	}
	period = nr ? least_period(list, nr) : 0;
	if (!interval && period >= 2 && nr >= 2 * period)
		o->run->period = period;
	stat_csv_clear(&csv);
	stat_json_clear(&json);
	free(list);
	return 0;
}

/* ---- runs ---- */

static struct capture *next_capture(struct stat_output *o)
{
	struct capture *c = capture_new(o->path);

	c->format = format_names[FORMAT_UNKNOWN];
	c->run = (uint32_t)o->nr_captures;
	c->is_stat = c->printed = true;
	c->damage = o->before;
	memset(&o->before, 0, sizeof(o->before));
	o->captures = must_realloc(o->captures, o->nr_captures + 1, sizeof(struct capture *));
	o->captures[o->nr_captures++] = c;
	return c;
}

static void run_begin(struct stat_output *o)
{
	o->run = must_alloc(sizeof(*o->run));
	o->run->capture = next_capture(o);
	o->run->events = stat_events_new(o->run->capture);
	o->open_count = SIZE_MAX;
}

static void run_free(struct run *r)
{
	if (!r)
		return;
	stat_events_free(r->events);
	stat_text_clear(&r->text);
	stat_csv_clear(&r->csv);
	stat_json_clear(&r->json);
	free(r);
}

/* All rows were read: ends the last set. */
static void run_end(struct stat_output *o)
{
	struct run *r = o->run;
	struct capture *c = r->capture;

	r->ended = true;
	o->open_count = SIZE_MAX;
	if (r->interval && !r->final) {
		push_round(o, false, r->time_ns);
		if (c->duration_ns < 0 && r->time_ns <= INT64_MAX)
			c->duration_ns = (int64_t)r->time_ns;
	} else if (r->rows || r->place) {
		uint64_t time_ns = c->duration_ns >= 0 ? (uint64_t)c->duration_ns : r->time_ns;

		push_round(o, true, time_ns);
	}
	c->format = format_names[r->format];
	c->complete = !damage_lost(&c->damage);
}

static int read_on(struct stat_output *o, struct error *err)
{
	enum step step;
	int n = take_line(o, &step, err);

	if (n < 0)
		return -1;
	if (n == 0)
		o->exhausted = true;
	if (n == 0 || step == STEP_NEXT_RUN)
		run_end(o);
	return 0;
}

/* The first round may have a count of the next set behind it. */
static bool first_set_is_read(const struct stat_output *o, size_t *scanned)
{
	for (; *scanned < o->nr; (*scanned)++)
		if (o->queue[*scanned].item.kind == ITEM_ROUND)
			return true;
	return o->run->ended || o->nr >= AHEAD_MAX;
}

static void find_groups(struct stat_output *o)
{
	struct group_evidence *rows = must_alloc((o->nr + 1) * sizeof(*rows));
	size_t nr = 0;

	for (size_t i = o->first; i < o->nr && o->queue[i].item.kind != ITEM_ROUND; i++) {
		const struct printed_count *c = &o->queue[i].item.count;

		if (o->queue[i].item.kind == ITEM_PRINTED_COUNT)
			rows[nr++] = (struct group_evidence){ o->queue[i].place, c->event, c->counted, c->running_ns,
							      c->coverage };
	}
	stat_events_group(o->run->capture, rows, nr);
	free(rows);
	o->run->frozen = true;
}

static int read_first_set(struct stat_output *o, struct error *err)
{
	size_t scanned = 0;

	while (!first_set_is_read(o, &scanned)) {
		bool unknown = o->run->format == FORMAT_UNKNOWN;

		if (read_on(o, err))
			return -1;
		if (unknown && o->run->format != FORMAT_UNKNOWN && find_period(o, err))
			return -1;
	}
	o->run->capture->format = format_names[o->run->format];
	find_groups(o);
	return 0;
}

/* ---- lines between runs ---- */

/* The words of perf script and perf report, to say what a text is that we do not read. */
struct other_texts {
	unsigned script, report;
};

static bool is_sample_time(struct span s)
{
	size_t point = s.size;

	if (s.size < 9 || s.at[s.size - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < s.size; i++) {
		if (s.at[i] == '.' && point == s.size)
			point = i;
		else if (!is_digit(s.at[i]))
			return false;
	}
	return point > 0 && (s.size - 2 - point == 6 || s.size - 2 - point == 9);
}

/* "dd 29776 666709.771979:   10101010 cpu-clock: " */
static bool is_script_line(struct span line)
{
	for (size_t at = 0; at < line.size && at < 200;) {
		size_t end = at;

		while (end < line.size && !is_blank(line.at[end]))
			end++;
		if (at > 2 && is_sample_time((struct span){ line.at + at, end - at }))
			return true;
		at = end + 1;
	}
	return false;
}

static bool is_report_line(struct span line)
{
	static const char *const begins[] = { "# Overhead", "# Samples: ", "# Total Lost Samples: ",
					      "# To display the perf.data header info", "# Children " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (span_starts(line, begins[i]))
			return true;
	return false;
}

/* Skips to the first line that is perf stat's.  1, or 0 at the end. */
static int find_run(struct stat_output *o, struct other_texts *other, struct error *err)
{
	struct stat_line line;
	struct stat_csv csv;
	enum format f = FORMAT_UNKNOWN;
	int n;

	while ((n = stat_lines_peek(&o->lines, &line, err)) > 0) {
		if (!o->in_long_line && is_started_on(line.text))
			return 1;
		if (!o->in_long_line && !line.too_long && !is_only_blank(line.text)) {
			if (format_of_line(o, &line, &f, &csv, err))
				return -1;
			stat_csv_clear(&csv);
			if (f != FORMAT_UNKNOWN)
				return 1;
			other->script += is_script_line(line.text);
			other->report += is_report_line(line.text);
			if (!stat_text_known(line.text))
				say(&o->before, DAMAGE_LINE_FOREIGN, &line, NULL);
		}
		o->in_long_line = line.too_long;
		stat_lines_skip(&o->lines, line.size);
	}
	return n;
}

static struct stat_output *refuse(struct stat_output *o, const struct other_texts *other, struct error *err)
{
	if (other->report > other->script)
		fail(err, NO_OFFSET, "is the text of perf report, not of perf stat");
	else if (other->script)
		fail(err, NO_OFFSET, "is the text of perf script, not of perf stat");
	else
		fail(err, NO_OFFSET, "no line of it is perf stat output");
	stat_output_close(o);
	return NULL;
}

/* ---- the interface ---- */

bool stat_output_is(struct bytes start)
{
	size_t n = start.size < 4096 ? start.size : 4096, odd = 0;

	for (size_t i = 0; i < n; i++) {
		if (start.at[i] == 0)
			return false;
		odd += start.at[i] < ' ' && !is_one_of((char)start.at[i], "\t\n\r\f\033");
	}
	return n > 0 && odd * 50 <= n;
}

struct stat_output *stat_output_open(struct source *s, const char *path, struct error *err)
{
	struct stat_output *o = must_alloc(sizeof(*o));
	struct other_texts other = { 0 };
	int n;

	o->lines.source = s;
	o->path = must_alloc(strlen(path) + 1);
	strcpy(o->path, path);
	o->row.metrics = o->metrics;
	n = find_run(o, &other, err);
	if (n > 0)
		return o;
	if (n == 0)
		return refuse(o, &other, err);
	stat_output_close(o);
	return NULL;
}

static int leave_run(struct stat_output *o, struct error *err)
{
	struct item item;
	int n = 1;

	while (o->run && n > 0)
		n = stat_output_next(o, &item, err);
	run_free(o->run);
	o->run = NULL;
	o->first = o->nr = 0;
	return n < 0 ? -1 : 0;
}

/* What follows the last run, or runs beyond the limit, is told in the last capture. */
static void tell_last(struct stat_output *o, bool limit)
{
	struct damage *d;

	if (!o->nr_captures)
		return;
	d = &o->captures[o->nr_captures - 1]->damage;
	if (o->before.of[DAMAGE_LINE_FOREIGN].count)
		damage_add(d, DAMAGE_LINE_FOREIGN, o->before.of[DAMAGE_LINE_FOREIGN].first_offset,
			   o->before.of[DAMAGE_LINE_FOREIGN].count);
	if (limit)
		damage_say(d, DAMAGE_LINE, NO_OFFSET, "line %" PRIu64 ": only the first %d runs of a file are read",
			   o->lines.number, RUNS_MAX);
	o->captures[o->nr_captures - 1]->complete = !damage_lost(d);
}

int stat_output_run(struct stat_output *o, struct capture **ret, struct error *err)
{
	struct other_texts ignored = { 0 };
	int n;

	if (leave_run(o, err))
		return -1;
	if (o->exhausted)
		return 0;
	n = find_run(o, &ignored, err);
	if (n > 0 && o->nr_captures < RUNS_MAX) {
		run_begin(o);
		if (read_first_set(o, err))
			return -1;
		*ret = o->run->capture;
		return 1;
	}
	if (n >= 0) {
		tell_last(o, n > 0);
		o->exhausted = true;
	}
	return n < 0 ? -1 : 0;
}

int stat_output_next(struct stat_output *o, struct item *ret, struct error *err)
{
	while (o->first == o->nr || o->first == o->open_count) {
		if (!o->run || o->run->ended) {
			if (o->first < o->nr)
				break;
			return 0;
		}
		if (read_on(o, err))
			return -1;
	}
	*ret = o->queue[o->first++].item;
	return 1;
}

void stat_output_close(struct stat_output *o)
{
	if (!o)
		return;
	run_free(o->run);
	for (size_t i = 0; i < o->nr_captures; i++)
		capture_free(o->captures[i]);
	free(o->captures);
	free(o->queue);
	free(o->path);
	free(o);
}
