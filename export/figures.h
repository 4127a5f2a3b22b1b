/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as people read them: few digits, percent, an error beside the value.  Each call
 * gives its text by value: `figure_percent(x).text` is good to the end of the statement.
 */
#ifndef PERFTAB_FIGURES_H
#define PERFTAB_FIGURES_H

#include "metrics/plan.h"

struct figure {
	char text[80];
};

/* "6.1"; "—" where it is not known; never "-0.0" */
struct figure figure_percent(double share);

/*
 * "6.1 ±0.3": the half width never shows as 0, and beyond 10 is called unreliable.  Nothing beside what is exact.
 * "n/a (n=12)" where samples are too few, here and below.
 */
struct figure figure_share(const struct metric_result *r);

/* The same in a sentence: "6.1 ±0.3 %" */
struct figure figure_share_in_words(const struct metric_result *r);

/* "35.2 %", or nothing */
struct figure figure_coverage(double coverage);

/* Whole, with its digits in groups of three; "—" where it is not known */
struct figure figure_whole(double v);

/* In the unit that a metric is shown in, with the digits that its error leaves. */
struct figure figure_value(const struct metric_result *r, double per_unit, bool counts);

/* As short as says it: 0.031 */
struct figure figure_plain(double v);

#endif
