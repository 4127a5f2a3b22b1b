/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's metric language: text becomes a small program, a program and operands become
 * a number.  The grammar is that of tools/perf/util/expr.y; `| & ^` are logical, as in
 * perf 6.12 and later (bitwise in 6.1).  All arithmetic in double.
 */
#ifndef PERFTAB_EXPR_H
#define PERFTAB_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/arena.h"
#include "reader/error.h"

struct expr;

/* What a name in an expression stands for. */
enum expr_name_kind {
	EXPR_EVENT,     /* an event (or a metric: the caller decides), `@` and escapes undone */
	EXPR_LITERAL,   /* #smt_on, #num_cpus, … with its # */
	EXPR_HAS_EVENT, /* has_event(NAME) */
	EXPR_SOURCE_COUNT,
	EXPR_AGGR_NR,
	EXPR_CPUID, /* strcmp_cpuid_str(NAME) */
};

struct expr_name {
	enum expr_name_kind kind;
	const char *text; /* lower case (but for EXPR_CPUID); of the arena */
};

/*
 * Compiles.  The result lives in the arena.  NULL and *err: "column 12: expected ')'
 * and found 'x'".  `what` names the metric in the message.
 */
const struct expr *expr_parse(struct arena *arena, const char *what, const char *text, struct error *err);

/* The names it uses, each once, in order of first use; values are given in this order. */
size_t expr_names(const struct expr *e, const struct expr_name **ret);

/* Does a division or d_ratio() occur in it? */
bool expr_divides(const struct expr *e);
/* Does one of | & ^ occur in it? */
bool expr_is_logical(const struct expr *e);

/* What expr_rewrite() puts in the place of a name: a formula, a number, or (neither) the name itself. */
struct expr_replacement {
	const struct expr *formula;
	bool known;
	double value;
};

/*
 * The same expression with names replaced, constants worked out, and the branches of
 * `if` that cannot be taken left out with all their names.  by: one for each of
 * expr_names(), in order.  NULL and *err when it grows too large.
 */
const struct expr *expr_rewrite(struct arena *arena, const char *what, const struct expr *e,
				const struct expr_replacement *by, struct error *err);

/* How a ratio by zero in d_ratio() ended, for those who must know. */
struct expr_status {
	bool zero_denominator; /* a d_ratio() had a denominator of exactly 0 and gave 0, and the result depends on it */
};

/* NaN operands propagate.  `status` may be NULL. */
double expr_eval(const struct expr *e, const double *values, struct expr_status *status);

#endif
