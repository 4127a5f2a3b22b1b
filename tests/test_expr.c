// SPDX-License-Identifier: GPL-2.0-only
/* The metric language: values by hand, two other evaluators on random formulas, bad inputs. */
#include "metrics/expr.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/formula_oracle.h"
#include "tests/test.h"

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* ---- by hand ---- */

/* a = 6, b = 4, z = 0, u = NaN */
static double letter(void *user, const char *name)
{
	(void)user;
	switch (*name) {
	case 'a':
		return 6;
	case 'b':
		return 4;
	case 'z':
		return 0;
	default:
		return NAN;
	}
}

static double eval_letters(const struct expr *e, struct expr_status *status)
{
	const struct expr_name *names;
	size_t nr = expr_names(e, &names);
	double values[64];

	assert_true(nr <= 64);
	for (size_t i = 0; i < nr; i++)
		values[i] = letter(NULL, names[i].text);
	return expr_eval(e, values, status);
}

static const struct {
	const char *text;
	double value;
} by_hand[] = {
	{ "1", 1 },
	{ " 1.5\n", 1.5 },
	{ ".5", 0.5 },
	{ "5.", 5 },
	{ "1e3", 1000 },
	{ "1e-3", 0.001 },
	{ "6.103515625e-5", 6.103515625e-5 },
	{ "a + b", 10 },
	{ "a - b - 1", 1 },
	{ "a / b / 2", 0.75 },
	{ "2 + 3 * 4", 14 },
	{ "(2 + 3) * 4", 20 },
	{ "-a * b", -24 },
	{ "- - a", 6 },
	{ "2 - -3", 5 },
	{ "a % b", 2 },
	{ "-7 % 3", -1 },
	{ "7.9 % 2.9", 1 },
	{ "a % z", NAN },
	{ "a % 0.5", NAN },
	{ "1e30 % 3", NAN },
	{ "9223372036854775807 % 3", NAN },
	{ "-9223372036854775807 % -1", NAN },
	{ "a / z", NAN },
	{ "z / z", NAN },
	{ "d_ratio(a, b)", 1.5 },
	{ "d_ratio(a, z)", 0 },
	{ "d_ratio(z, z)", 0 },
	{ "min(a, b)", 4 },
	{ "max(a, b + 3)", 7 },
	{ "min(a, u)", NAN },
	{ "max(u, a)", NAN },
	{ "u + 1", NAN },
	{ "NaN", NAN },
	{ "u < 1", 0 },
	{ "u > 1", 0 },
	{ "a < b", 0 },
	{ "a > b", 1 },
	{ "1 < 2 < 3", 1 },
	{ "3 > 2 > 1", 0 },
	/* logical, not bitwise: 6 & 1 is 1 */
	{ "a & 1", 1 },
	{ "2 | 4", 1 },
	{ "2 ^ 4", 0 },
	{ "z ^ 4", 1 },
	{ "z | z", 0 },
	{ "1 | 1 ^ 1", 1 },
	{ "1 ^ 1 & 0", 1 },
	{ "1 & 2 < 1", 0 },
	{ "1 < 1 + 1", 1 },
	{ "a if 1 else b", 6 },
	{ "a if z else b", 4 },
	{ "a if u else b", 6 },
	{ "1 if z else 2 if z else 3", 3 },
	{ "1 if z else 2 if 1 else 3", 2 },
	{ "1 + 1 if 1 else 3", 2 },
	{ "(1 if z else 2) * 3", 6 },
	{ "1 if 2 > 1 & 3 > 2 else 0", 1 },
	{ "min(1 if z else 5, 9)", 5 },
	{ "100 * d_ratio(a - b, 8 * b) / 1e-2", 625 },
};

static void values_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
		struct arena *arena = arena_new();
		struct error err = { "" };
		const struct expr *e = expr_parse(arena, "metric m", by_hand[i].text, &err);
		double v;

		if (!e)
			fail_msg("%s: %s", by_hand[i].text, err.text);
		v = eval_letters(e, NULL);
		if (!same(v, by_hand[i].value))
			fail_msg("%s is %.17g, not %.17g", by_hand[i].text, v, by_hand[i].value);
		v = oracle_eval(by_hand[i].text, letter, NULL);
		if (!same(v, by_hand[i].value))
			fail_msg("the oracle takes %s for %.17g, not %.17g", by_hand[i].text, v, by_hand[i].value);
		arena_free(arena);
	}
}

static const struct {
	const char *text;
	bool zero;
} zeros[] = {
	{ "d_ratio(a, b)", false },
	{ "d_ratio(a, z)", true },
	{ "1 - d_ratio(a, z)", true },
	{ "a * d_ratio(z, z)", true },
	{ "d_ratio(d_ratio(a, z), b)", true },
	{ "d_ratio(a, d_ratio(a, z))", true },
	{ "a if d_ratio(a, z) else b", true },
	{ "a if 1 else d_ratio(a, z)", false },
	{ "d_ratio(a, z) if 0 else b", false },
	{ "a / z", false },
};

static void zero_denominators(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++) {
		struct arena *arena = arena_new();
		struct error err;
		const struct expr *e = expr_parse(arena, "m", zeros[i].text, &err);
		struct expr_replacement none[8] = { { .formula = NULL } };
		struct expr_status status;

		eval_letters(e, &status);
		if (status.zero_denominator != zeros[i].zero)
			fail_msg("%s", zeros[i].text);
		e = expr_rewrite(arena, "m", e, none, &err);
		eval_letters(e, &status);
		if (status.zero_denominator != zeros[i].zero)
			fail_msg("%s, rewritten", zeros[i].text);
		arena_free(arena);
	}
}

/* ---- names ---- */

static const struct {
	const char *text;
	enum expr_name_kind kind;
	const char *name;
} spellings[] = {
	{ "ex_ret_ops", EXPR_EVENT, "ex_ret_ops" },
	{ "Ex_Ret.OPS:u", EXPR_EVENT, "ex_ret.ops:u" },
	{ "cpu@de_x.y\\,cmask\\=0x6@", EXPR_EVENT, "cpu/de_x.y,cmask=0x6/" },
	{ "branch\\-misses", EXPR_EVENT, "branch-misses" },
	{ "1a", EXPR_EVENT, "1a" },
	{ "1e", EXPR_EVENT, "1e" },
	{ "hv_24x7@PM_X\\,chip\\=?@", EXPR_EVENT, "hv_24x7/pm_x,chip=?/" },
	{ "if_x", EXPR_EVENT, "if_x" },
	{ "minimum", EXPR_EVENT, "minimum" },
	{ "nan", EXPR_EVENT, "nan" },
	{ "#smt_on", EXPR_LITERAL, "#smt_on" },
	{ "#SMT_on", EXPR_LITERAL, "#smt_on" },
	{ "has_event(a\\-b)", EXPR_HAS_EVENT, "a-b" },
	{ "source_count(Cha@x@)", EXPR_SOURCE_COUNT, "cha/x/" },
	{ "aggr_nr(x)", EXPR_AGGR_NR, "x" },
	{ "strcmp_cpuid_str(0xD40)", EXPR_CPUID, "0xD40" },
	{ "strcmp_cpuid_str(123)", EXPR_CPUID, "123" },
};

static void names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		struct arena *arena = arena_new();
		struct error err = { "" };
		const struct expr *e = expr_parse(arena, "m", spellings[i].text, &err);
		const struct expr_name *got;

		if (!e)
			fail_msg("%s: %s", spellings[i].text, err.text);
		assert_int_equal(expr_names(e, &got), 1);
		assert_int_equal(got->kind, spellings[i].kind);
		assert_string_equal(got->text, spellings[i].name);
		arena_free(arena);
	}
}

static void each_name_once(void **state)
{
	struct arena *arena = arena_new();
	struct error err;
	const struct expr *e = expr_parse(arena, "m", "b + A * b - has_event(a) + a", &err);
	const struct expr_name *got;
	const double values[] = { 10, 3, 100 };

	(void)state;
	assert_int_equal(expr_names(e, &got), 3);
	assert_string_equal(got[0].text, "b");
	assert_string_equal(got[1].text, "a");
	assert_int_equal(got[2].kind, EXPR_HAS_EVENT);
	assert_true(expr_eval(e, values, NULL) == 10 + 3 * 10 - 100 + 3);
	arena_free(arena);
}

/* ---- bad inputs ---- */

static const struct {
	const char *text, *message;
} bad[] = {
	{ "", "column 1: expected a value and found the end" },
	{ "   ", "column 4: expected a value and found the end" },
	{ "a +", "column 4: expected a value and found the end" },
	{ "a b", "column 3: expected an operator and found 'b'" },
	{ "a + * b", "column 5: expected a value and found '*'" },
	{ "(a", "column 3: expected ')' or an operator and found the end" },
	{ "a)", "column 2: expected an operator and found ')'" },
	{ "()", "column 2: expected a value and found ')'" },
	{ "d_ratio(a)", "column 10: expected ',' or an operator and found ')'" },
	{ "d_ratio(a, b, c)", "column 13: expected ')' or an operator and found ','" },
	{ "d_ratio a", "column 9: expected '(' and found 'a'" },
	{ "min", "column 4: expected '(' and found the end" },
	{ "a if b", "column 7: expected 'else' or an operator and found the end" },
	{ "a if b else", "column 12: expected a value and found the end" },
	{ "if a else b", "column 1: expected a value and found 'if'" },
	{ "else", "column 1: expected a value and found 'else'" },
	{ "a == b", "column 3: expected an operator and found '='" },
	{ "a <= b", "column 4: expected a value and found '='" },
	{ "!a", "column 1: expected a value and found '!'" },
	{ "a + $", "column 5: expected a value and found '$'" },
	{ "#", "column 1: expected a value and found '#'" },
	{ "has_event(1 + 2)", "column 11: expected a name and found '1'" },
	{ "has_event(a + b)", "column 13: expected ')' and found '+'" },
	{ "source_count()", "column 14: expected a name and found ')'" },
	{ "1e+3 x", "column 6: expected an operator and found 'x'" },
	{ "1.2.3.", NULL }, /* a name, if an odd one */
	{ "1 2", "column 3: expected an operator and found '2'" },
	{ "a\\", "column 2: expected an operator and found '\\'" },
	{ "a\\x", "column 2: expected an operator and found '\\'" },
	{ "+a", "column 1: expected a value and found '+'" },
	{ "a,b", "column 2: expected an operator and found ','" },
};

static void bad_inputs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct arena *arena = arena_new();
		struct error err = { "" };
		const struct expr *e = expr_parse(arena, "metric m", bad[i].text, &err);
		char want[200];

		snprintf(want, sizeof(want), "metric m, %s", bad[i].message ? bad[i].message : "");
		if (!bad[i].message)
			assert_non_null(e);
		else if (e || strcmp(err.text, want) != 0)
			fail_msg("%s: \"%s\", not \"%s\"", bad[i].text, err.text, want);
		arena_free(arena);
	}
}

/* `times` copies of `unit`, then `last`. */
static char *repeated(const char *unit, size_t times, const char *last)
{
	size_t n = strlen(unit);
	char *s = malloc(n * times + strlen(last) + 1);

	for (size_t i = 0; i < times; i++)
		memcpy(s + i * n, unit, n);
	strcpy(s + n * times, last);
	return s;
}

static void too_much(void **state)
{
	static const struct {
		const char *unit;
		size_t times;
		const char *last;
		bool ok;
	} cases[] = {
		{ "(", 1000000, "a", false },
		{ "-", 1000000, "a", true },
		{ "min(", 1000000, "a", false },
		{ "a if b else ", 150, "a", false }, /* more values wait than there is room for */
		{ "a if b else ", 1000000, "a", false },
		{ "a if b else ", 100, "a", true },
		{ "a+", 9000, "a", true },
		{ "a+", 1000000, "a", false },
		{ "a|(", 1000000, "a", false },
		{ "#", 1000000, "", false },
		{ "a", 1000000, "", true },
		{ "9", 1000000, "", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct error err;
		char *text = repeated(cases[i].unit, cases[i].times, cases[i].last);

		if ((expr_parse(arena, "m", text, &err) != NULL) != cases[i].ok)
			fail_msg("%s, %zu times", cases[i].unit, cases[i].times);
		free(text);
		arena_free(arena);
	}
}

static void decimal_point_in_any_locale(void **state)
{
	static const char *const names_of_locales[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
	struct arena *arena = arena_new();
	struct error err;
	const struct expr *e;
	bool found = false;

	(void)state;
	for (size_t i = 0; i < 4 && !found; i++)
		found = setlocale(LC_NUMERIC, names_of_locales[i]) != NULL;
	e = expr_parse(arena, "m", "1.5 + 6.25e-2", &err);
	setlocale(LC_NUMERIC, "C");
	assert_non_null(e);
	assert_true(expr_eval(e, NULL, NULL) == 1.5625);
	arena_free(arena);
}

/* ---- random formulas ---- */

static uint64_t seed;

static unsigned random_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

struct text {
	char s[1 << 16];
	size_t size;
};

static void put(struct text *t, const char *s)
{
	assert_true(t->size + strlen(s) < sizeof(t->s));
	strcpy(t->s + t->size, s);
	t->size += strlen(s);
}

static double grow(struct text *t, int level, int depth);

static double grow_leaf(struct text *t)
{
	static const char *const leaves[] = { "a", "b", "z", "u", "0", "1", "2.5", "1e3", "4e-2", "NaN", "7" };
	const char *leaf = leaves[random_below(11)];

	put(t, leaf);
	return strchr("abzu", *leaf) ? letter(NULL, leaf) : strtod(leaf, NULL);
}

static double grow_call(struct text *t, int depth)
{
	static const char *const functions[] = { "d_ratio(", "min(", "max(" };
	unsigned f = random_below(3);
	double a, b;

	put(t, functions[f]);
	a = grow(t, 0, depth - 1);
	put(t, ", ");
	b = grow(t, 0, depth - 1);
	put(t, ")");
	if (f == 0)
		return b == 0 ? 0 : a / b;
	if (isnan(a) || isnan(b))
		return NAN;
	return f == 1 ? (a < b ? a : b) : a > b ? a : b;
}

static double whole(double a, double b)
{
	if (!(fabs(a) < 0x1p63 && fabs(b) < 0x1p63) || (int64_t)b == 0)
		return NAN;
	return (int64_t)b == -1 ? 0 : (double)((int64_t)a % (int64_t)b);
}

static double grow_binary(struct text *t, int depth, int level)
{
	static const char *const signs[] = { "", "|", "^", "&", "<>", "+-", "*/%" };
	const char *all = signs[level];
	char sign[4] = { ' ', all[random_below((unsigned)strlen(all))], ' ', '\0' };
	double a = grow(t, level, depth - 1), b;
	bool unknown;

	put(t, random_below(2) ? sign : (char[]){ sign[1], '\0' });
	b = grow(t, level + 1, depth - 1);
	unknown = isnan(a) || isnan(b);
	switch (sign[1]) {
	case '|':
		return unknown ? NAN : a != 0 || b != 0;
	case '^':
		return unknown ? NAN : (a != 0) != (b != 0);
	case '&':
		return unknown ? NAN : a != 0 && b != 0;
	case '<':
		return a < b;
	case '>':
		return a > b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b == 0 ? NAN : a / b;
	default:
		return whole(a, b);
	}
}

/* Something that binds at least as closely as `level`; 0 a choice, 1 to 6 operators, 7 a sign. */
static double grow(struct text *t, int level, int depth)
{
	int kind = depth > 0 ? (int)random_below(10) : 9;
	bool paren = kind < level || random_below(12) == 0;
	double a, b, c;

	if (kind >= 8)
		return kind == 8 ? grow_call(t, depth) : grow_leaf(t);
	if (paren)
		put(t, "(");
	if (kind == 0) {
		a = grow(t, 1, depth - 1);
		put(t, " if ");
		c = grow(t, 1, depth - 1);
		put(t, " else ");
		b = grow(t, 0, depth - 1);
		a = c != 0 ? a : b;
	} else if (kind == 7) {
		put(t, "-");
		a = -grow(t, 7, depth - 1);
	} else {
		a = grow_binary(t, depth, kind);
	}
	if (paren)
		put(t, ")");
	return a;
}

static double eval_rewritten(struct arena *arena, const struct expr *e, unsigned known, const char *what)
{
	const struct expr_name *got;
	size_t nr = expr_names(e, &got);
	struct expr_replacement by[8] = { { .formula = NULL } };
	struct error err;

	for (size_t i = 0; i < nr; i++)
		if (known >> i & 1)
			by[i] = (struct expr_replacement){ .known = true, .value = letter(NULL, got[i].text) };
	e = expr_rewrite(arena, what, e, by, &err);
	assert_non_null(e);
	nr = expr_names(e, &got);
	if (known == 15)
		assert_int_equal(nr, 0);
	return eval_letters(e, NULL);
}

static void random_formulas(void **state)
{
	struct text *t = malloc(sizeof(*t));

	(void)state;
	seed = 20240229;
	for (int i = 0; i < 20000; i++) {
		struct arena *arena = arena_new();
		struct error err = { "" };
		const struct expr *e;
		double want, got;

		t->size = 0;
		want = grow(t, 0, 1 + i % 7);
		e = expr_parse(arena, "m", t->s, &err);
		if (!e)
			fail_msg("%s: %s", t->s, err.text);
		got = eval_letters(e, NULL);
		if (!same(got, want))
			fail_msg("%s is %.17g, not %.17g", t->s, got, want);
		if (i % 16 == 0 && !same(oracle_eval(t->s, letter, NULL), want))
			fail_msg("the oracle differs: %s", t->s);
		got = eval_rewritten(arena, e, (unsigned)i % 16, t->s);
		if (!same(got, want))
			fail_msg("%s, rewritten, is %.17g, not %.17g", t->s, got, want);
		arena_free(arena);
	}
	free(t);
}

/* Words in any order: most are no formula, none may do harm. */
static void noise(void **state)
{
	static const char *const words[] = { "a",    "b",   "z",    "1",       ".5",  "1e-",       "if",
					     "else", "min", "max",  "d_ratio", "NaN", "(",         ")",
					     "(",    ")",   ",",    "+",       "-",   "*",         "/",
					     "%",    "<",   ">",    "|",       "^",   "&",         "#x",
					     "#",    "\\-", "\\",   "@",       "?",   "has_event", "source_count",
					     "=",    "!",   "\x80", " ",       "\"" };
	struct text *t = malloc(sizeof(*t));
	size_t formulas = 0;

	(void)state;
	seed = 1;
	for (int i = 0; i < 50000; i++) {
		struct arena *arena = arena_new();
		struct error err = { "" };
		const struct expr *e;

		t->size = 0;
		for (unsigned n = 1 + random_below(12); n; n--) {
			put(t, words[random_below(sizeof(words) / sizeof(words[0]))]);
			put(t, random_below(2) ? " " : "");
		}
		e = expr_parse(arena, "m", t->s, &err);
		formulas += e != NULL;
		if (e)
			eval_letters(e, NULL);
		else
			assert_non_null(strstr(err.text, "expected"));
		arena_free(arena);
	}
	assert_true(formulas > 100);
	free(t);
}

/* ---- rewriting ---- */

static void branches_not_taken_lose_their_names(void **state)
{
	struct arena *arena = arena_new();
	struct error err;
	const struct expr *e = expr_parse(arena, "m", "(b / 2 if #smt_on else z + a) * b", &err);
	struct expr_replacement by[8] = { { .formula = NULL } };
	const struct expr_name *got;

	(void)state;
	assert_int_equal(expr_names(e, &got), 4);
	assert_string_equal(got[1].text, "#smt_on");
	by[1] = (struct expr_replacement){ .known = true, .value = 1 };
	e = expr_rewrite(arena, "m", e, by, &err);
	assert_int_equal(expr_names(e, &got), 1);
	assert_string_equal(got[0].text, "b");
	assert_true(eval_letters(e, NULL) == 8);
	arena_free(arena);
}

static void formulas_within_formulas(void **state)
{
	struct arena *arena = arena_new();
	struct error err;
	const struct expr *slots = expr_parse(arena, "slots", "6 * a", &err);
	const struct expr *e = expr_parse(arena, "m", "d_ratio(b, slots) + slots", &err);
	struct expr_replacement by[2] = { { .formula = NULL }, { .formula = slots } };
	const struct expr_name *got;

	(void)state;
	e = expr_rewrite(arena, "m", e, by, &err);
	assert_int_equal(expr_names(e, &got), 2);
	assert_string_equal(got[0].text, "b");
	assert_string_equal(got[1].text, "a");
	assert_true(eval_letters(e, NULL) == 4.0 / 36 + 36);
	assert_true(expr_divides(e));
	assert_false(expr_divides(slots));
	arena_free(arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_by_hand),
	cmocka_unit_test(zero_denominators),
	cmocka_unit_test(names),
	cmocka_unit_test(each_name_once),
	cmocka_unit_test(bad_inputs),
	cmocka_unit_test(too_much),
	cmocka_unit_test(decimal_point_in_any_locale),
	cmocka_unit_test(random_formulas),
	cmocka_unit_test(noise),
	cmocka_unit_test(branches_not_taken_lose_their_names),
	cmocka_unit_test(formulas_within_formulas),
};

TEST_MODULE(expr, tests);
