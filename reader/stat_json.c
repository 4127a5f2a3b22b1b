// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of perf stat -j.  perf writes them with printf, and often what comes out
 * is no JSON: numbers with a decimal comma ("pcnt-running" : 100,00), bare nan, names
 * that are not escaped, and with --metric-only in perf 6.1 commas and braces that are
 * missing.  So this reads pairs of key and value and is content with what is there.
 */
#include <math.h>
#include <stdlib.h>

#include "reader/stat_row.h"

enum { UNESCAPED_ROOM = 8192, OBJECT_MAX = 64 * 1024 };

#define KEYS(X)                                                                                                       \
	X(INTERVAL, "interval")                                                                                       \
	X(CORE, "core")                                                                                               \
	X(DIE, "die") X(SOCKET, "socket") X(CLUSTER, "cluster") X(CACHE, "cache") X(NODE, "node") X(CPU, "cpu")       \
		X(THREAD, "thread") X(AGGREGATE_NUMBER, "aggregate-number") X(COUNTERS, "counters")                   \
			X(COUNTER_VALUE, "counter-value") X(UNIT, "unit") X(EVENT, "event") X(CGROUP, "cgroup")       \
				X(VARIANCE, "variance") X(EVENT_RUNTIME, "event-runtime")                             \
					X(PCNT_RUNNING, "pcnt-running") X(METRIC_VALUE, "metric-value")               \
						X(METRIC_UNIT, "metric-unit") X(METRIC_THRESHOLD, "metric-threshold") \
							X(METRICGROUP, "metricgroup")

enum key {
#define X(key, text) KEY_##key,
	KEYS(X)
#undef X
		KEY_OTHER,
};

/* Keys that no other program's JSON is likely to have. */
#define TELLING                                                                                                        \
	((1u << KEY_COUNTER_VALUE) | (1u << KEY_EVENT_RUNTIME) | (1u << KEY_PCNT_RUNNING) | (1u << KEY_METRIC_VALUE) | \
	 (1u << KEY_METRIC_UNIT) | (1u << KEY_METRICGROUP) | (1u << KEY_AGGREGATE_NUMBER) | (1u << KEY_COUNTERS))

/* What was met in one object. */
struct object {
	unsigned seen; /* bits of enum key */
	struct span value[KEY_OTHER];
	unsigned units;                /* how often "unit" came: several in a header of perf 6.1 */
	unsigned nested;               /* objects inside: values under such a header */
	unsigned other, other_numbers; /* keys that are no perf key; of these with a number */
	bool named;                    /* one of them looks like "%  name" or a place stood before */
	bool twice;                    /* a count has two values */
};

void stat_json_clear(struct stat_json *j)
{
	free(j->names);
	free(j->unescaped);
	memset(j, 0, sizeof(*j));
}

static enum key key_of(struct span s)
{
	static const struct span keys[] = {
#define X(key, text) { text, sizeof(text) - 1 },
		KEYS(X)
#undef X
	};

	for (unsigned k = 0; k < KEY_OTHER; k++)
		if (keys[k].size == s.size && memcmp(keys[k].at, s.at, s.size) == 0)
			return (enum key)k;
	return KEY_OTHER;
}

/* ---- tokens ---- */

static size_t skip_space(struct span s, size_t at)
{
	while (at < s.size && (is_blank(s.at[at]) || s.at[at] == '\n' || s.at[at] == '\r'))
		at++;
	return at;
}

/* Names are not escaped: a quote ends a string only where something follows that can follow one. */
static bool ends_string(struct span s, size_t quote)
{
	size_t next = skip_space(s, quote + 1);

	if (s.at[quote - 1] == '\\')
		return false;
	return next == s.size || is_one_of(s.at[next], ",:}]\"{");
}

static struct span unescape(struct stat_json *j, struct span s)
{
	char *to;
	size_t n = 0;

	if (!s.size || !memchr(s.at, '\\', s.size))
		return s;
	if (!j->unescaped)
		j->unescaped = must_alloc(UNESCAPED_ROOM);
	if (s.size > UNESCAPED_ROOM - j->unescaped_size)
		return s;
	to = j->unescaped + j->unescaped_size;
	for (size_t i = 0; i < s.size; i++) {
		if (s.at[i] == '\\' && i + 1 < s.size && is_one_of(s.at[i + 1], "\"\\/"))
			i++;
		to[n++] = s.at[i];
	}
	j->unescaped_size += n;
	return (struct span){ to, n };
}

/* A string that begins at `at` (its quote); the place behind it, or 0. */
static size_t read_string(struct stat_json *j, struct span s, size_t at, struct span *ret)
{
	for (size_t i = at + 1; i < s.size && s.at[i] != '\n' && s.at[i]; i++) {
		if (s.at[i] != '"' || !ends_string(s, i))
			continue;
		*ret = unescape(j, (struct span){ s.at + at + 1, i - at - 1 });
		return i + 1;
	}
	return 0;
}

/* A bare value; a comma with a digit behind it belongs to the number. */
static size_t read_bare(struct span s, size_t at, struct span *ret)
{
	size_t i = at;

	while (i < s.size && s.at[i] && !is_one_of(s.at[i], "}]{\" \t\r\n")) {
		if (s.at[i] == ',' && (i == at || i + 1 >= s.size || !is_digit(s.at[i + 1]) || !is_digit(s.at[i - 1])))
			break;
		i++;
	}
	*ret = (struct span){ s.at + at, i - at };
	return i == at ? 0 : i;
}

static size_t read_value(struct stat_json *j, struct span s, size_t at, struct span *ret)
{
	return at < s.size && s.at[at] == '"' ? read_string(j, s, at, ret) : read_bare(s, at, ret);
}

/* ---- pairs ---- */

static void add_metric(struct stat_row *row, struct span value, struct span name)
{
	struct stat_metric *m = &row->metrics[row->nr_metrics];
	struct stat_number n = { .value = NAN, .step = NAN };

	if (span_trim(name).size == 0 || span_is(name, "(null)") || row->nr_metrics == ROW_METRICS_MAX)
		return;
	stat_metric_name(name, m);
	if (stat_decimal(value, &n))
		row->comma |= n.comma;
	m->value = n.value;
	m->step = n.step;
	row->nr_metrics++;
}

static void add_other(struct object *o, struct stat_row *row, struct span key, struct span value)
{
	struct stat_number n;

	o->other++;
	if (!stat_decimal(value, &n) && !span_is(value, "none"))
		return;
	o->other_numbers++;
	o->named |= span_find(key, "  ") != SIZE_MAX || span_is(key, "GHz") || span_starts(key, "insn per") ||
		    span_starts(key, "CPUs utilized");
	add_metric(row, value, key);
}

static void keep_name(struct stat_json *j, struct span name)
{
	size_t need = j->names_size + name.size + 1;

	if (need > OBJECT_MAX)
		return;
	if (need > j->names_room) {
		j->names = must_realloc(j->names, need * 2, 1);
		j->names_room = need * 2;
	}
	memcpy(j->names + j->names_size, name.at, name.size);
	j->names[need - 1] = 0;
	j->names_size = need;
}

/* The n-th name of the kept header. */
static struct span kept_name(const struct stat_json *j, size_t n)
{
	size_t at = 0;

	while (n-- && at < j->names_size)
		at += strlen(j->names + at) + 1;
	return at < j->names_size ? span_of(j->names + at) : span_of("");
}

static void add_pair(struct stat_json *j, struct object *o, struct stat_row *row, struct span key, struct span value)
{
	enum key k = key_of(key);

	if (k == KEY_OTHER) {
		add_other(o, row, key, value);
		return;
	}
	if (k == KEY_UNIT && !(o->seen & (1u << KEY_COUNTER_VALUE))) {
		if (o->units++ == 0)
			j->names_size = 0;
		keep_name(j, value);
	}
	if (k == KEY_METRIC_VALUE && o->nested)
		add_metric(row, value, kept_name(j, o->nested - 1));
	else if (o->seen & (1u << k) && k != KEY_UNIT)
		o->twice = true;
	o->seen |= 1u << k;
	o->value[k] = value;
}

/*
 * All pairs up to the brace.  Returns the place behind it; 0 when the object is cut off
 * or damaged, then *stop is where.
 */
static size_t read_pairs(struct stat_json *j, struct span s, struct object *o, struct stat_row *row, size_t *stop)
{
	size_t at = 1, depth = 1;
	struct span key, value;

	while ((at = skip_space(s, at)) < s.size) {
		*stop = at;
		if (s.at[at] == '}') {
			at++;
			/* perf 6.1 forgets the outer brace when objects are inside: the line ends it. */
			if (--depth == 0 || (o->nested && (at == s.size || s.at[at] == '\n' || s.at[at] == '\r')))
				return at;
		} else if (s.at[at] == ',') {
			at++;
		} else if (s.at[at] == '{' && j->names_size && depth == 1) {
			o->nested++;
			depth++;
			at++;
		} else if (s.at[at] == '"') {
			at = read_string(j, s, at, &key);
			if (at == 0)
				return 0;
			at = skip_space(s, at);
			if (at >= s.size || s.at[at] != ':')
				return 0;
			at = read_value(j, s, skip_space(s, at + 1), &value);
			if (at == 0)
				return 0;
			add_pair(j, o, row, key, value);
		} else {
			return 0;
		}
	}
	*stop = s.size;
	return 0;
}

/* ---- what an object says ---- */

static enum row_verdict bad(struct stat_row *row, const char *why)
{
	row->why = why;
	return ROW_BAD;
}

static bool has(const struct object *o, enum key k)
{
	return o->seen & (1u << k);
}

static bool place_of(const struct object *o, struct stat_row *row)
{
	static const enum key labels[] = { KEY_CORE, KEY_DIE, KEY_SOCKET, KEY_CLUSTER, KEY_CACHE, KEY_NODE };
	uint64_t cpu;

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (has(o, labels[i]))
			return stat_place_label(o->value[labels[i]], &row->place);
	if (has(o, KEY_THREAD))
		return stat_place_thread(o->value[KEY_THREAD], &row->place);
	if (!has(o, KEY_CPU) || stat_place_label(o->value[KEY_CPU], &row->place))
		return true;
	if (!stat_digits(o->value[KEY_CPU], &cpu) || cpu > INT32_MAX)
		return false;
	row->place.aggregation = AGGREGATION_NONE;
	row->place.label = o->value[KEY_CPU];
	row->place.cpu = (int32_t)cpu;
	return true;
}

static bool time_of(const struct object *o, struct stat_row *row)
{
	struct stat_number n;

	if (!has(o, KEY_INTERVAL))
		return true;
	row->has_time = true;
	if (stat_time(o->value[KEY_INTERVAL], &row->time_ns))
		return true;
	if (!stat_decimal(o->value[KEY_INTERVAL], &n) || !(n.value >= 0 && n.value < 9e9))
		return false;
	row->time_ns = (uint64_t)llround(n.value * 1e9);
	return true;
}

static bool value_of(const struct object *o, struct stat_row *row)
{
	struct span s = o->value[KEY_COUNTER_VALUE];
	struct stat_number n;

	row->supported = !span_is(s, "<not supported>");
	row->counted = row->supported && !span_is(s, "<not counted>");
	if (!row->counted)
		return true;
	if (!stat_decimal(s, &n) || isnan(n.value))
		return false;
	row->value = n.value;
	row->step = n.step;
	row->comma |= n.comma;
	return true;
}

static bool share_of(const struct object *o, struct stat_row *row)
{
	struct stat_number run, percent;

	if (!has(o, KEY_EVENT_RUNTIME) || !has(o, KEY_PCNT_RUNNING))
		return true;
	if (!stat_decimal(o->value[KEY_EVENT_RUNTIME], &run) || !stat_decimal(o->value[KEY_PCNT_RUNNING], &percent))
		return false;
	stat_row_share(row, run.value, &percent);
	return true;
}

static enum row_verdict count_of(const struct object *o, struct stat_row *row)
{
	struct stat_number n;

	if (!has(o, KEY_EVENT) || o->value[KEY_EVENT].size == 0)
		return bad(row, "has a count without an event");
	if (!value_of(o, row))
		return bad(row, "has a count that is no number");
	if (!share_of(o, row))
		return bad(row, "has a running time or percentage that is no number");
	row->event = o->value[KEY_EVENT];
	row->unit = has(o, KEY_UNIT) ? o->value[KEY_UNIT] : span_of("");
	row->cgroup = has(o, KEY_CGROUP) ? o->value[KEY_CGROUP] : span_of("");
	if (has(o, KEY_VARIANCE) && stat_decimal(o->value[KEY_VARIANCE], &n)) {
		row->noise = n.value / 100;
		row->comma |= n.comma;
	}
	row->has_count = true;
	return ROW_OK;
}

/* Metrics as keys are perf's only where something else in the object is. */
static enum row_verdict metric_only(const struct object *o, struct stat_row *row)
{
	bool ours = o->named || has(o, KEY_INTERVAL) || row->place.aggregation != AGGREGATION_GLOBAL;

	if (!o->other || o->other_numbers != o->other || !ours)
		return o->other ? ROW_FOREIGN : ROW_KNOWN;
	return ROW_OK;
}

static enum row_verdict meaning(const struct object *o, struct stat_row *row)
{
	if (o->twice)
		return bad(row, "has a key twice");
	if (!time_of(o, row))
		return bad(row, "has an interval that is no time");
	if (!place_of(o, row))
		return bad(row, "has a place that cannot be understood");
	if (has(o, KEY_COUNTER_VALUE)) {
		row->nr_metrics = 0; /* keys that a later perf may add */
		if (has(o, KEY_METRIC_VALUE) && has(o, KEY_METRIC_UNIT))
			add_metric(row, o->value[KEY_METRIC_VALUE], o->value[KEY_METRIC_UNIT]);
		return count_of(o, row);
	}
	if (o->nested)
		return row->nr_metrics ? ROW_OK : ROW_KNOWN;
	if (has(o, KEY_METRICGROUP) || o->units)
		return ROW_KNOWN;
	if (has(o, KEY_METRIC_VALUE) && has(o, KEY_METRIC_UNIT)) {
		row->nr_metrics = 0;
		add_metric(row, o->value[KEY_METRIC_VALUE], o->value[KEY_METRIC_UNIT]);
		return row->nr_metrics ? ROW_OK : ROW_KNOWN;
	}
	if (has(o, KEY_EVENT_RUNTIME))
		return bad(row, "has a running time without a count");
	return metric_only(o, row);
}

/* Are the keys met so far perf's?  Only then damage is a loss. */
static bool is_ours(const struct object *o)
{
	return (o->seen & TELLING) || o->nested || o->named || (o->seen & (1u << KEY_INTERVAL)) ||
	       (o->units && o->seen == 1u << KEY_UNIT && !o->other);
}

enum row_verdict stat_json_row(struct stat_json *j, struct span text, size_t *used, struct stat_row *row)
{
	struct object o = { .seen = 0 };
	size_t end, stop = 0;

	stat_row_clear(row);
	j->unescaped_size = 0;
	if (text.size > OBJECT_MAX)
		text.size = OBJECT_MAX;
	end = read_pairs(j, text, &o, row, &stop);
	*used = end ? end : stop ? stop : 1;
	if (end == 0) {
		row->nr_metrics = 0;
		return is_ours(&o) ? bad(row, "is damaged or cut off") : ROW_FOREIGN;
	}
	if (!is_ours(&o) && o.seen + o.other)
		return ROW_FOREIGN;
	return meaning(&o, row);
}
