// SPDX-License-Identifier: GPL-2.0-only
/* Pieces that the lines of all formats of perf stat share: numbers, places, names of metrics. */
#include "reader/stat_row.h"

#include <math.h>

struct span span_trim(struct span s)
{
	while (s.size && is_blank(s.at[0]))
		s = span_from(s, 1);
	while (s.size && is_blank(s.at[s.size - 1]))
		s.size--;
	return s;
}

size_t span_find(struct span s, const char *text)
{
	const char *p = s.size ? memmem(s.at, s.size, text, strlen(text)) : NULL;

	return p ? (size_t)(p - s.at) : SIZE_MAX;
}

static const double powers_of_ten[] = { 1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
					1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18 };

enum { DECIMALS_MAX = 18, EXACT_DOUBLE_BITS = 53 };

static bool not_a_number(struct span s, struct stat_number *ret)
{
	if (s.size && (s.at[0] == '-' || s.at[0] == '+'))
		s = span_from(s, 1);
	if (!span_is(s, "nan") && !span_is(s, "inf"))
		return false;
	*ret = (struct stat_number){ .value = NAN, .step = NAN };
	return true;
}

/* Both parts are exact in a double for all that perf prints, so the quotient is rounded once. */
static double decimal_value(uint64_t digits, unsigned decimals)
{
	if (digits >> EXACT_DOUBLE_BITS)
		return (double)((long double)digits / (long double)powers_of_ten[decimals]);
	return (double)digits / powers_of_ten[decimals];
}

bool stat_decimal(struct span s, struct stat_number *ret)
{
	bool negative = s.size && s.at[0] == '-', any = false, point = false, comma = false;
	unsigned decimals = 0;
	uint64_t digits = 0;
	double value;

	for (size_t i = negative; i < s.size; i++) {
		if (is_digit(s.at[i])) {
			if (digits > (UINT64_MAX - 9) / 10 || decimals >= DECIMALS_MAX)
				return false;
			digits = digits * 10 + (uint64_t)(s.at[i] - '0');
			decimals += point;
			any = true;
		} else if ((s.at[i] == '.' || s.at[i] == ',') && any && !point) {
			point = true;
			comma = s.at[i] == ',';
		} else {
			return not_a_number(s, ret);
		}
	}
	if (!any || (point && decimals == 0))
		return not_a_number(s, ret);
	value = decimal_value(digits, decimals);
	*ret = (struct stat_number){ .value = negative ? -value : value,
				     .step = 1 / powers_of_ten[decimals],
				     .comma = comma };
	return true;
}

bool stat_digits(struct span s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.size == 0 || s.size > 19)
		return false;
	for (size_t i = 0; i < s.size; i++) {
		if (!is_digit(s.at[i]))
			return false;
		v = v * 10 + (uint64_t)(s.at[i] - '0');
	}
	*ret = v;
	return true;
}

bool stat_time(struct span s, uint64_t *ret_ns)
{
	uint64_t seconds, ns;

	if (s.size < 11 || s.size > 19 || s.at[s.size - 10] != '.')
		return false;
	if (!stat_digits(span_upto(s, s.size - 10), &seconds) || !stat_digits(span_from(s, s.size - 9), &ns))
		return false;
	*ret_ns = seconds * 1000000000u + ns;
	return true;
}

struct stat_place stat_place_none(void)
{
	return (struct stat_place){ .aggregation = AGGREGATION_GLOBAL,
				    .label = { "", 0 },
				    .cpu = -1,
				    .core = -1,
				    .die = -1,
				    .socket = -1,
				    .node = -1,
				    .tid = -1,
				    .comm = { "", 0 } };
}

/* A number after `word` at the begin of *s; *s moves behind it. */
static bool numbered(struct span *s, const char *word, int32_t *ret)
{
	size_t n = strlen(word), i = n;
	uint64_t v;

	if (!span_starts(*s, word))
		return false;
	while (i < s->size && is_digit(s->at[i]))
		i++;
	if (!stat_digits((struct span){ s->at + n, i - n }, &v) || v > INT32_MAX)
		return false;
	*ret = (int32_t)v;
	*s = span_from(*s, i);
	return true;
}

static bool socket_parts(struct span s, struct stat_place *p)
{
	int32_t skipped;

	p->aggregation = AGGREGATION_SOCKET;
	if (numbered(&s, "-D", &p->die))
		p->aggregation = AGGREGATION_DIE;
	if (numbered(&s, "-CLS", &skipped))
		p->aggregation = AGGREGATION_CLUSTER;
	else if (numbered(&s, "-L", &skipped))
		p->aggregation = numbered(&s, "-ID", &skipped) ? AGGREGATION_CACHE : AGGREGATION_UNKNOWN;
	else if (numbered(&s, "-C", &p->core))
		p->aggregation = AGGREGATION_CORE;
	return s.size == 0 && p->aggregation != AGGREGATION_UNKNOWN;
}

bool stat_place_label(struct span label, struct stat_place *ret)
{
	struct stat_place p = stat_place_none();
	struct span s = label;
	bool ok = false;

	p.label = label;
	if (numbered(&s, "CPU", &p.cpu)) {
		p.aggregation = AGGREGATION_NONE;
		ok = s.size == 0;
	} else if (numbered(&s, "N", &p.node)) {
		p.aggregation = AGGREGATION_NODE;
		ok = s.size == 0;
	} else if (numbered(&s, "S", &p.socket)) {
		ok = socket_parts(s, &p);
	}
	if (ok)
		*ret = p;
	return ok;
}

bool stat_place_thread(struct span label, struct stat_place *ret)
{
	struct stat_place p = stat_place_none();
	size_t at = label.size;
	uint64_t tid;

	while (at > 0 && label.at[at - 1] != '-')
		at--;
	if (at < 2 || !stat_digits(span_from(label, at), &tid) || tid > INT32_MAX)
		return false;
	p.aggregation = AGGREGATION_THREAD;
	p.label = label;
	p.comm = span_upto(label, at - 1);
	p.tid = (int32_t)tid;
	*ret = p;
	return true;
}

void stat_row_clear(struct stat_row *row)
{
	struct stat_metric *metrics = row->metrics;

	memset(row, 0, sizeof(*row));
	row->metrics = metrics;
	row->place = stat_place_none();
	row->value = row->step = NAN;
	row->coverage = row->coverage_step = NAN;
	row->running_ns = row->noise = NAN;
}

void stat_row_share(struct stat_row *row, double run, const struct stat_number *percent)
{
	double hundred = percent->value;

	/* damaged: perf prints neither below 0 */
	if (run < 0 || hundred < 0)
		return;
	row->running_ns = run;
	row->comma |= percent->comma;
	if (run == 0 && hundred > 0)
		return;
	row->coverage = hundred / 100;
	row->coverage_step = hundred != floor(hundred) ? 0.0001 : hundred == 100 ? 0 : 0.01;
}

/* perf's older words for shares have their % only in text. */
static bool is_percentage_word(struct span name)
{
	static const char *const ends[] = { " cycles idle", " idle cycles" };

	if (span_starts(name, "of all "))
		return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t n = strlen(ends[i]);

		if (name.size > n && memcmp(name.at + name.size - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

void stat_metric_name(struct span text, struct stat_metric *ret)
{
	size_t two;

	text = span_trim(text);
	two = span_find(text, "  ");
	if (two != SIZE_MAX) {
		ret->unit = span_upto(text, two);
		ret->name = span_trim(span_from(text, two));
	} else if (span_starts(text, "% ") || (text.size > 1 && text.at[0] == '%')) {
		ret->unit = span_upto(text, 1);
		ret->name = span_trim(span_from(text, 1));
	} else {
		ret->unit = is_percentage_word(text) ? span_of("%") : span_of("");
		ret->name = text;
	}
}
