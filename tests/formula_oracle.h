/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second evaluator of the metric language, to check metrics/expr.c against.  It works
 * the other way round: it cuts the text at its loosest operator, again and again.
 */
#ifndef PERFTAB_FORMULA_ORACLE_H
#define PERFTAB_FORMULA_ORACLE_H

/* The value of a name as it is spelled in the text (escapes and `@` still there, any case). */
typedef double oracle_value(void *user, const char *name);

/* Aborts the test when the text is not a formula. */
double oracle_eval(const char *text, oracle_value *value, void *user);

#endif
