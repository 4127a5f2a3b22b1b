// SPDX-License-Identifier: GPL-2.0-only
/* See formula_oracle.h: slow and plain on purpose. */
#include "tests/formula_oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

enum { TOKENS_MAX = 4000, NAME_MAX_SIZE = 200 };

struct formula {
	char tokens[TOKENS_MAX][NAME_MAX_SIZE];
	int nr;
	oracle_value *value;
	void *user;
};

static bool is_operator(const char *t)
{
	return strlen(t) == 1 && strchr("|^&<>+-*/%", *t);
}

static void cut(struct formula *f, const char *text)
{
	while (*text) {
		size_t n;

		if (strchr(" \t\n", *text)) {
			text++;
			continue;
		}
		if (strchr("|^&<>+-*/%(),", *text)) {
			n = 1;
		} else {
			for (n = 0; text[n] && !strchr("|^&<>+-*/%(), \t\n", text[n]); n++) {
				if (text[n] == '\\')
					n++;
				else if (text[n] == 'e' && text[n + 1] == '-' && n && strspn(text, "0123456789.") == n)
					n++; /* 1e-5 */
			}
		}
		assert_true(f->nr < TOKENS_MAX && n < NAME_MAX_SIZE);
		memcpy(f->tokens[f->nr], text, n);
		f->tokens[f->nr++][n] = '\0';
		text += n;
	}
}

static double part(struct formula *f, int from, int to);

static bool is(const struct formula *f, int i, const char *text)
{
	return strcmp(f->tokens[i], text) == 0;
}

/* The first (or last) of these tokens outside parentheses; -1 when there is none. */
static int find(const struct formula *f, int from, int to, const char *const *texts, bool last)
{
	int depth = 0, found = -1;

	for (int i = from; i < to; i++) {
		depth += is(f, i, "(") - is(f, i, ")");
		if (depth || (i == from && is_operator(f->tokens[i])))
			continue;
		if (is_operator(f->tokens[i]) &&
		    (is_operator(f->tokens[i - 1]) || is(f, i - 1, "if") || is(f, i - 1, "else")))
			continue; /* a sign */
		for (int k = 0; texts[k]; k++)
			if (is(f, i, texts[k]) && (last || found < 0))
				found = i;
	}
	return found;
}

static double apply(char op, double a, double b)
{
	bool unknown = isnan(a) || isnan(b);

	switch (op) {
	case '|':
		return unknown ? NAN : (a != 0) | (b != 0);
	case '^':
		return unknown ? NAN : (a != 0) ^ (b != 0);
	case '&':
		return unknown ? NAN : (a != 0) & (b != 0);
	case '<':
		return a < b ? 1 : 0;
	case '>':
		return a > b ? 1 : 0;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b == 0 ? NAN : a / b;
	default: /* '%' of the whole parts */
		a = trunc(a);
		b = trunc(b);
		return unknown || b == 0 || fabs(a) >= 0x1p63 || fabs(b) >= 0x1p63 ? NAN : fmod(a, b) + 0.0;
	}
}

static double call(struct formula *f, int from, int to)
{
	static const char *const comma[] = { ",", NULL };
	int at;
	double a, b;

	if (is(f, from, "source_count") || is(f, from, "has_event") || is(f, from, "aggr_nr") ||
	    is(f, from, "strcmp_cpuid_str"))
		return f->value(f->user, f->tokens[from + 2]);
	at = find(f, from + 2, to - 1, comma, false);
	assert_true(at > 0);
	a = part(f, from + 2, at);
	b = part(f, at + 1, to - 1);
	if (is(f, from, "d_ratio"))
		return b == 0 ? 0 : a / b;
	if (isnan(a) || isnan(b))
		return NAN;
	if (is(f, from, "min"))
		return fmin(a, b);
	assert_string_equal(f->tokens[from], "max");
	return fmax(a, b);
}

static double word(struct formula *f, int i)
{
	char *end;
	double number = strtod(f->tokens[i], &end);

	if (*end == '\0')
		return number;
	return f->value(f->user, f->tokens[i]);
}

static double part(struct formula *f, int from, int to)
{
	static const char *const levels[][3] = {
		{ "|" }, { "^" }, { "&" }, { "<", ">" }, { "+", "-" }, { "*", "/", "%" },
	};
	static const char *const if_word[] = { "if", NULL }, *const else_word[] = { "else", NULL };
	int at;

	assert_true(from < to);
	at = find(f, from, to, if_word, false);
	if (at >= 0) {
		int other = find(f, at, to, else_word, false);

		return part(f, at + 1, other) != 0 ? part(f, from, at) : part(f, other + 1, to);
	}
	for (size_t level = 0; level < 6; level++) {
		const char *texts[4] = { levels[level][0], levels[level][1], levels[level][2], NULL };

		at = find(f, from, to, texts, true);
		if (at >= 0)
			return apply(*f->tokens[at], part(f, from, at), part(f, at + 1, to));
	}
	if (is(f, from, "-"))
		return -part(f, from + 1, to);
	if (is(f, from, "("))
		return part(f, from + 1, to - 1);
	return to - from == 1 ? word(f, from) : call(f, from, to);
}

double oracle_eval(const char *text, oracle_value *value, void *user)
{
	struct formula *f = calloc(1, sizeof(*f));
	double v;

	assert_non_null(f);
	f->value = value;
	f->user = user;
	cut(f, text);
	v = part(f, 0, f->nr);
	free(f);
	return v;
}
