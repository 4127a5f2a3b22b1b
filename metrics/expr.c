// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's metric language.  A formula is read once, by precedence climbing, into a flat
 * program for a stack machine: operands before their operator, as in
 *
 *	d_ratio(a - b, 6 * c)   →   a b - 6 c * d_ratio
 *
 * so that evaluating it is one loop without recursion.  `x if c else y` becomes
 * x c y select: nothing in the language has a side effect, so both branches may run.
 */
#include "metrics/expr.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NEST_MAX  200   /* parentheses, signs and else-branches inside one another */
#define STACK_MAX 256   /* values that wait for their operator */
#define CODE_MAX  20000 /* instructions, also after metrics were put into metrics */

enum opcode {
	OP_NUMBER,
	OP_NAME,
	OP_SELECT,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_LESS,
	OP_GREATER,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_NEG,
	OP_MIN,
	OP_MAX,
	OP_RATIO,
};

struct insn {
	enum opcode op;
	uint32_t name; /* OP_NAME: index into names */
	double number; /* OP_NUMBER */
};

struct expr {
	const struct insn *code;
	size_t nr_code;
	const struct expr_name *names;
	size_t nr_names;
};

/* ---- a program that is being written ---- */

struct program {
	struct insn *code;
	size_t nr_code, cap_code;
	struct expr_name *names;
	size_t nr_names, cap_names;
};

static void program_free(struct program *p)
{
	free(p->code);
	free(p->names);
}

static void program_add(struct program *p, enum opcode op, uint32_t name, double number)
{
	if (p->nr_code == p->cap_code) {
		p->cap_code = p->cap_code ? 2 * p->cap_code : 32;
		p->code = must_realloc(p->code, p->cap_code, sizeof(*p->code));
	}
	p->code[p->nr_code++] = (struct insn){ .op = op, .name = name, .number = number };
}

static uint32_t program_name(struct program *p, enum expr_name_kind kind, const char *text)
{
	for (size_t i = 0; i < p->nr_names; i++)
		if (p->names[i].kind == kind && strcmp(p->names[i].text, text) == 0)
			return (uint32_t)i;
	if (p->nr_names == p->cap_names) {
		p->cap_names = p->cap_names ? 2 * p->cap_names : 16;
		p->names = must_realloc(p->names, p->cap_names, sizeof(*p->names));
	}
	p->names[p->nr_names] = (struct expr_name){ .kind = kind, .text = text };
	return (uint32_t)p->nr_names++;
}

static size_t operands_of(enum opcode op)
{
	switch (op) {
	case OP_NUMBER:
	case OP_NAME:
		return 0;
	case OP_NEG:
		return 1;
	case OP_SELECT:
		return 3;
	default:
		return 2;
	}
}

/* The most values that wait at once. */
static size_t program_depth(const struct program *p)
{
	size_t depth = 0, most = 0;

	for (size_t i = 0; i < p->nr_code; i++) {
		depth = depth + 1 - operands_of(p->code[i].op);
		if (depth > most)
			most = depth;
	}
	return most;
}

static const struct expr *program_finish(struct arena *arena, const struct program *p)
{
	struct insn *code = arena_alloc(arena, p->nr_code * sizeof(*code));
	struct expr_name *names = arena_alloc(arena, (p->nr_names + 1) * sizeof(*names));
	struct expr *e = arena_alloc(arena, sizeof(*e));

	memcpy(code, p->code, p->nr_code * sizeof(*code));
	if (p->nr_names)
		memcpy(names, p->names, p->nr_names * sizeof(*names));
	*e = (struct expr){ .code = code, .nr_code = p->nr_code, .names = names, .nr_names = p->nr_names };
	return e;
}

/* ---- tokens ---- */

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_NAME,
	TOKEN_LITERAL,
	TOKEN_KEYWORD, /* with its row of keywords[] */
	TOKEN_SIGN,    /* one character, in `sign` */
	TOKEN_BAD,
};

struct token {
	enum token_kind kind;
	const char *at;
	size_t size;
	char sign;
	const struct keyword *keyword;
};

enum keyword_kind { KEYWORD_IF, KEYWORD_ELSE, KEYWORD_NAN, KEYWORD_OF_VALUES, KEYWORD_OF_NAME };

struct keyword {
	const char *text;
	enum keyword_kind kind;
	enum opcode op;           /* KEYWORD_OF_VALUES: f(a, b) */
	enum expr_name_kind name; /* KEYWORD_OF_NAME: f(event) */
};

static const struct keyword keywords[] = {
	{ "if", KEYWORD_IF, OP_SELECT, EXPR_EVENT },
	{ "else", KEYWORD_ELSE, OP_SELECT, EXPR_EVENT },
	{ "NaN", KEYWORD_NAN, OP_NUMBER, EXPR_EVENT },
	{ "min", KEYWORD_OF_VALUES, OP_MIN, EXPR_EVENT },
	{ "max", KEYWORD_OF_VALUES, OP_MAX, EXPR_EVENT },
	{ "d_ratio", KEYWORD_OF_VALUES, OP_RATIO, EXPR_EVENT },
	{ "source_count", KEYWORD_OF_NAME, OP_NAME, EXPR_SOURCE_COUNT },
	{ "aggr_nr", KEYWORD_OF_NAME, OP_NAME, EXPR_AGGR_NR },
	{ "has_event", KEYWORD_OF_NAME, OP_NAME, EXPR_HAS_EVENT },
	{ "strcmp_cpuid_str", KEYWORD_OF_NAME, OP_NAME, EXPR_CPUID },
};

/* Binary operators by precedence: the higher binds closer. */
static const struct binary {
	char sign;
	int level;
	enum opcode op;
} binaries[] = {
	{ '|', 1, OP_OR },  { '^', 2, OP_XOR }, { '&', 3, OP_AND }, { '<', 4, OP_LESS }, { '>', 4, OP_GREATER },
	{ '+', 5, OP_ADD }, { '-', 5, OP_SUB }, { '*', 6, OP_MUL }, { '/', 6, OP_DIV },  { '%', 6, OP_MOD },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static size_t number_size(const char *s)
{
	size_t n = 0, digits = 0, e;

	for (; is_digit(s[n]); n++)
		digits++;
	if (s[n] == '.' && (digits || is_digit(s[n + 1])))
		for (n++; is_digit(s[n]); n++)
			digits++;
	if (!digits)
		return 0;
	if (s[n] == 'e') {
		e = n + 1 + (s[n + 1] == '-');
		if (is_digit(s[e]))
			for (n = e; is_digit(s[n]);)
				n++;
	}
	return n;
}

static size_t name_size(const char *s)
{
	size_t n = 0;

	for (;;) {
		if (is_word(s[n]) || s[n] == ':' || s[n] == '@' || s[n] == '?')
			n++;
		else if (s[n] == '\\' && (s[n + 1] == '-' || s[n + 1] == ',' || s[n + 1] == '='))
			n += 2;
		else
			return n;
	}
}

static size_t literal_size(const char *s)
{
	size_t n = 1;

	while (is_word(s[n]) || s[n] == '-')
		n++;
	return n > 1 ? n : 0;
}

static const struct keyword *keyword_of(const char *s, size_t size)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strlen(keywords[i].text) == size && memcmp(keywords[i].text, s, size) == 0)
			return &keywords[i];
	return NULL;
}

/* The longest of what may begin here; a number before a name of the same length. */
static struct token token_at(const char *s)
{
	struct token t = { .at = s };
	size_t number, name;

	while (isspace((unsigned char)*t.at))
		t.at++;
	number = number_size(t.at);
	name = name_size(t.at);
	t.size = number >= name ? number : name;
	if (t.size) {
		t.keyword = keyword_of(t.at, t.size);
		t.kind = number >= name ? TOKEN_NUMBER : t.keyword ? TOKEN_KEYWORD : TOKEN_NAME;
	} else if (*t.at == '#' && (t.size = literal_size(t.at)) > 0) {
		t.kind = TOKEN_LITERAL;
	} else if (*t.at) {
		t.size = 1;
		t.sign = *t.at;
		t.kind = strchr("|^&<>+-*/%(),", *t.at) ? TOKEN_SIGN : TOKEN_BAD;
	}
	return t;
}

/* ---- the parser ---- */

struct parser {
	struct arena *arena;
	const char *what, *text;
	struct token next;
	unsigned nest;
	struct program out;
	locale_t c_locale;
	struct error *err;
};

static void advance(struct parser *p)
{
	p->next = token_at(p->next.at + p->next.size);
}

static int expected(struct parser *p, const char *what)
{
	const struct token *t = &p->next;
	size_t column = (size_t)(t->at - p->text) + 1;

	if (t->kind == TOKEN_END)
		return fail(p->err, NO_OFFSET, "%s, column %zu: expected %s and found the end", p->what, column, what);
	return fail(p->err, NO_OFFSET, "%s, column %zu: expected %s and found '%.*s'", p->what, column, what,
		    t->size > 60 ? 60 : (int)t->size, t->at);
}

static bool is_sign(const struct parser *p, char sign)
{
	return p->next.kind == TOKEN_SIGN && p->next.sign == sign;
}

static bool is_keyword(const struct parser *p, enum keyword_kind kind)
{
	return p->next.kind == TOKEN_KEYWORD && p->next.keyword->kind == kind;
}

static int take_sign(struct parser *p, char sign, const char *what)
{
	if (!is_sign(p, sign))
		return expected(p, what);
	advance(p);
	return 0;
}

/* The text of a name: escapes undone, `@` as `/`, lower case unless it is a pattern. */
static const char *name_text(struct parser *p, bool pattern)
{
	char *s = arena_strndup(p->arena, p->next.at, p->next.size), *to = s;

	for (const char *from = s; *from; from++) {
		if (*from == '\\')
			from++;
		*to++ = pattern ? *from : *from == '@' ? '/' : (char)tolower((unsigned char)*from);
	}
	*to = '\0';
	return s;
}

static void emit_name(struct parser *p, enum expr_name_kind kind)
{
	const char *text = name_text(p, kind == EXPR_CPUID);

	program_add(&p->out, OP_NAME, program_name(&p->out, kind, text), 0);
	advance(p);
}

static void emit_number(struct parser *p)
{
	const char *digits = arena_strndup(p->arena, p->next.at, p->next.size);

	program_add(&p->out, OP_NUMBER, 0, strtod_l(digits, NULL, p->c_locale));
	advance(p);
}

static int parse_choice(struct parser *p);

static int parse_of_values(struct parser *p, enum opcode op)
{
	advance(p);
	if (take_sign(p, '(', "'('") || parse_choice(p) || take_sign(p, ',', "',' or an operator") || parse_choice(p) ||
	    take_sign(p, ')', "')' or an operator"))
		return -1;
	program_add(&p->out, op, 0, 0);
	return 0;
}

static int parse_of_name(struct parser *p, enum expr_name_kind kind)
{
	advance(p);
	if (take_sign(p, '(', "'('"))
		return -1;
	if (p->next.kind != TOKEN_NAME && !(p->next.kind == TOKEN_NUMBER && kind == EXPR_CPUID))
		return expected(p, "a name");
	emit_name(p, kind);
	return take_sign(p, ')', "')'");
}

static int parse_keyword(struct parser *p)
{
	const struct keyword *k = p->next.keyword;

	switch (k->kind) {
	case KEYWORD_OF_VALUES:
		return parse_of_values(p, k->op);
	case KEYWORD_OF_NAME:
		return parse_of_name(p, k->name);
	case KEYWORD_NAN:
		program_add(&p->out, OP_NUMBER, 0, NAN);
		advance(p);
		return 0;
	default:
		return expected(p, "a value");
	}
}

static int parse_primary(struct parser *p)
{
	switch (p->next.kind) {
	case TOKEN_NUMBER:
		emit_number(p);
		return 0;
	case TOKEN_NAME:
		emit_name(p, EXPR_EVENT);
		return 0;
	case TOKEN_LITERAL:
		emit_name(p, EXPR_LITERAL);
		return 0;
	case TOKEN_KEYWORD:
		return parse_keyword(p);
	default:
		if (take_sign(p, '(', "a value"))
			return -1;
		return parse_choice(p) || take_sign(p, ')', "')' or an operator") ? -1 : 0;
	}
}

static int parse_signed(struct parser *p)
{
	bool minus = false;

	if (p->out.nr_code > CODE_MAX)
		return fail(p->err, NO_OFFSET, "%s: expected at most %d steps and found more", p->what, CODE_MAX);
	for (; is_sign(p, '-'); advance(p))
		minus = !minus;
	if (parse_primary(p))
		return -1;
	if (minus)
		program_add(&p->out, OP_NEG, 0, 0);
	return 0;
}

static const struct binary *binary_next(const struct parser *p)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
		if (is_sign(p, binaries[i].sign))
			return &binaries[i];
	return NULL;
}

/* Operators of at least this level, left to right. */
static int parse_binary(struct parser *p, int level)
{
	const struct binary *b;

	if (parse_signed(p))
		return -1;
	while ((b = binary_next(p)) && b->level >= level) {
		advance(p);
		if (parse_binary(p, b->level + 1))
			return -1;
		program_add(&p->out, b->op, 0, 0);
	}
	return 0;
}

/* x if c else y; y may be the next choice. */
static int parse_choice(struct parser *p)
{
	if (++p->nest > NEST_MAX)
		return fail(p->err, NO_OFFSET, "%s, column %zu: expected at most %d levels of nesting and found more",
			    p->what, (size_t)(p->next.at - p->text) + 1, NEST_MAX);
	if (parse_binary(p, 1))
		return -1;
	if (is_keyword(p, KEYWORD_IF)) {
		advance(p);
		if (parse_binary(p, 1))
			return -1;
		if (!is_keyword(p, KEYWORD_ELSE))
			return expected(p, "'else' or an operator");
		advance(p);
		if (parse_choice(p))
			return -1;
		program_add(&p->out, OP_SELECT, 0, 0);
	}
	p->nest--;
	return 0;
}

/* Within what expr_eval() can hold? */
static int program_check(const struct program *p, const char *what, struct error *err)
{
	if (p->nr_code > CODE_MAX)
		return fail(err, NO_OFFSET, "%s: expected at most %d steps and found more", what, CODE_MAX);
	if (program_depth(p) > STACK_MAX)
		return fail(err, NO_OFFSET, "%s: expected at most %d open operands and found more", what, STACK_MAX);
	return 0;
}

const struct expr *expr_parse(struct arena *arena, const char *what, const char *text, struct error *err)
{
	struct parser p = { .arena = arena, .what = what, .text = text, .err = err };
	const struct expr *e = NULL;

	p.c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
	if (!p.c_locale) {
		fail(err, NO_OFFSET, "%s: the C locale cannot be had", what);
		return NULL;
	}
	p.next = token_at(text);
	if (parse_choice(&p))
		goto out;
	if (p.next.kind != TOKEN_END) {
		expected(&p, "an operator");
		goto out;
	}
	if (program_check(&p.out, what, err) == 0)
		e = program_finish(arena, &p.out);
out:
	program_free(&p.out);
	freelocale(p.c_locale);
	return e;
}

size_t expr_names(const struct expr *e, const struct expr_name **ret)
{
	if (ret)
		*ret = e->names;
	return e->nr_names;
}

bool expr_divides(const struct expr *e)
{
	for (size_t i = 0; i < e->nr_code; i++)
		if (e->code[i].op == OP_DIV || e->code[i].op == OP_RATIO)
			return true;
	return false;
}

bool expr_is_logical(const struct expr *e)
{
	for (size_t i = 0; i < e->nr_code; i++)
		if (e->code[i].op == OP_OR || e->code[i].op == OP_XOR || e->code[i].op == OP_AND)
			return true;
	return false;
}

/* ---- arithmetic ---- */

/* C's % of longs; NaN where C has no answer. */
static double modulo(double a, double b)
{
	const double limit = 9223372036854775808.0;
	int64_t x, y;

	if (!(fabs(a) < limit && fabs(b) < limit))
		return NAN;
	x = (int64_t)a;
	y = (int64_t)b;
	if (y == 0)
		return NAN;
	return y == -1 ? 0 : (double)(x % y);
}

static double logical(enum opcode op, double a, double b)
{
	bool x = a != 0, y = b != 0;

	if (isnan(a) || isnan(b))
		return NAN;
	return op == OP_OR ? x || y : op == OP_AND ? x && y : x != y;
}

static double binary(enum opcode op, double a, double b)
{
	switch (op) {
	case OP_OR:
	case OP_XOR:
	case OP_AND:
		return logical(op, a, b);
	case OP_LESS:
		return a < b;
	case OP_GREATER:
		return a > b;
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_DIV:
		return b == 0 ? NAN : a / b;
	case OP_MOD:
		return modulo(a, b);
	case OP_MIN:
		return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
	case OP_MAX:
		return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
	default: /* OP_RATIO */
		return b == 0 ? 0 : a / b;
	}
}

/* Each value remembers whether a d_ratio() by zero went into it. */
struct slot {
	double v;
	bool zero;
};

static struct slot eval_traced(const struct expr *e, const double *values)
{
	struct slot stack[STACK_MAX], *top = stack; /* top: the first free one */

	for (const struct insn *i = e->code, *end = i + e->nr_code; i < end; i++) {
		switch (i->op) {
		case OP_NUMBER:
			*top++ = (struct slot){ i->number, false };
			break;
		case OP_NAME:
			*top++ = (struct slot){ values[i->name], false };
			break;
		case OP_NEG:
			top[-1].v = -top[-1].v;
			break;
		case OP_SELECT:
			top -= 2;
			top[1].zero |= top[0].zero;
			top[-1].zero |= top[0].zero;
			if (top[0].v == 0)
				top[-1] = top[1];
			break;
		default:
			top--;
			top[-1].zero |= top[0].zero || (i->op == OP_RATIO && top[0].v == 0);
			top[-1].v = binary(i->op, top[-1].v, top[0].v);
		}
	}
	return stack[0];
}

/* Division by zero is rare: only then is it worth to look where the zeros go. */
double expr_eval(const struct expr *e, const double *values, struct expr_status *status)
{
	double stack[STACK_MAX], *top = stack;
	bool zero = false;

	for (const struct insn *i = e->code, *end = i + e->nr_code; i < end; i++) {
		switch (i->op) {
		case OP_NUMBER:
			*top++ = i->number;
			break;
		case OP_NAME:
			*top++ = values[i->name];
			break;
		case OP_NEG:
			top[-1] = -top[-1];
			break;
		case OP_SELECT:
			top -= 2;
			top[-1] = top[0] == 0 ? top[1] : top[-1];
			break;
		case OP_ADD:
			top--;
			top[-1] += top[0];
			break;
		case OP_SUB:
			top--;
			top[-1] -= top[0];
			break;
		case OP_MUL:
			top--;
			top[-1] *= top[0];
			break;
		case OP_RATIO:
			top--;
			zero |= top[0] == 0;
			top[-1] = top[0] == 0 ? 0 : top[-1] / top[0];
			break;
		default:
			top--;
			top[-1] = binary(i->op, top[-1], top[0]);
		}
	}
	if (status)
		status->zero_denominator = zero && eval_traced(e, values).zero;
	return stack[0];
}

/* ---- rewriting ---- */

/* A value of the program that is being written: where its code begins, and its number if it has one. */
struct part {
	size_t start;
	bool known;
	double v;
};

struct rewriter {
	struct program out;
	struct part stack[STACK_MAX];
	size_t depth;
	const char *what;
	struct error *err;
};

/* The value on top becomes a number: its code is not needed. */
static void part_becomes(struct rewriter *r, double v)
{
	struct part *p = &r->stack[r->depth - 1];

	r->out.nr_code = p->start;
	program_add(&r->out, OP_NUMBER, 0, v);
	p->known = true;
	p->v = v;
}

static int part_push(struct rewriter *r, bool known, double v)
{
	if (r->depth == STACK_MAX)
		return fail(r->err, NO_OFFSET, "%s: expected at most %d open operands and found more", r->what,
			    STACK_MAX);
	if (r->out.nr_code > CODE_MAX)
		return fail(r->err, NO_OFFSET, "%s: expected at most %d steps and found more", r->what, CODE_MAX);
	r->stack[r->depth++] = (struct part){ r->out.nr_code, known, v };
	return 0;
}

static void rewrite_select(struct rewriter *r)
{
	struct part *a = &r->stack[r->depth - 3], *c = a + 1, *b = a + 2;
	size_t size = r->out.nr_code - b->start;

	r->depth -= 2;
	if (!c->known) {
		program_add(&r->out, OP_SELECT, 0, 0);
		a->known = false;
	} else if (c->v != 0) { /* NaN, too */
		r->out.nr_code = c->start;
	} else {
		memmove(r->out.code + a->start, r->out.code + b->start, size * sizeof(*r->out.code));
		r->out.nr_code = a->start + size;
		a->known = b->known;
		a->v = b->v;
	}
}

static void rewrite_operator(struct rewriter *r, enum opcode op)
{
	struct part *a, *b = &r->stack[r->depth - 1];

	if (op == OP_NEG) {
		program_add(&r->out, op, 0, 0);
		if (b->known)
			part_becomes(r, -b->v);
		return;
	}
	a = b - 1;
	r->depth--;
	program_add(&r->out, op, 0, 0);
	/* a d_ratio() by zero stays, so that expr_eval() sees it */
	if (a->known && b->known && !(op == OP_RATIO && b->v == 0))
		part_becomes(r, binary(op, a->v, b->v));
	else
		a->known = false;
}

static int rewrite_code(struct rewriter *r, const struct expr *e, const struct expr_replacement *by);

static int rewrite_name(struct rewriter *r, const struct expr_name *name, const struct expr_replacement *by)
{
	if (by && by->formula)
		return rewrite_code(r, by->formula, NULL);
	if (part_push(r, by && by->known, by ? by->value : 0))
		return -1;
	if (by && by->known)
		program_add(&r->out, OP_NUMBER, 0, by->value);
	else
		program_add(&r->out, OP_NAME, program_name(&r->out, name->kind, name->text), 0);
	return 0;
}

static int rewrite_code(struct rewriter *r, const struct expr *e, const struct expr_replacement *by)
{
	for (size_t i = 0; i < e->nr_code; i++) {
		const struct insn *in = &e->code[i];

		switch (in->op) {
		case OP_NUMBER:
			if (part_push(r, true, in->number))
				return -1;
			program_add(&r->out, OP_NUMBER, 0, in->number);
			break;
		case OP_NAME:
			if (rewrite_name(r, &e->names[in->name], by ? &by[in->name] : NULL))
				return -1;
			break;
		case OP_SELECT:
			rewrite_select(r);
			break;
		default:
			rewrite_operator(r, in->op);
		}
	}
	return 0;
}

/* Names that only code used which is gone are dropped. */
static void drop_unused_names(struct program *p)
{
	struct expr_name *old = p->names;

	p->names = NULL;
	p->nr_names = p->cap_names = 0;
	for (size_t i = 0; i < p->nr_code; i++) {
		struct insn *in = &p->code[i];

		if (in->op == OP_NAME)
			in->name = program_name(p, old[in->name].kind, old[in->name].text);
	}
	free(old);
}

const struct expr *expr_rewrite(struct arena *arena, const char *what, const struct expr *e,
				const struct expr_replacement *by, struct error *err)
{
	struct rewriter r = { .what = what, .err = err };
	const struct expr *ret = NULL;

	if (rewrite_code(&r, e, by) == 0 && program_check(&r.out, what, err) == 0) {
		drop_unused_names(&r.out);
		ret = program_finish(arena, &r.out);
	}
	program_free(&r.out);
	return ret;
}
