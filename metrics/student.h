/* SPDX-License-Identifier: GPL-2.0-only */
/* The distributions behind an interval of error: Student's t for real degrees of freedom, and the normal. */
#ifndef PERFTAB_STUDENT_H
#define PERFTAB_STUDENT_H

/* The share of the beta distribution (a, b) that lies below x: I_x(a, b).  a, b > 0. */
double beta_below(double a, double b, double x);

/* The probability of a value above t (t of either sign).  df > 0. */
double student_above(double t, double df);

/* Both tails together: the p of a test that found t. */
double student_two_sided(double t, double df);

/* The t below which a share p lies; 0 < p < 1, df > 0, else NaN.  Relative error below 1e-9. */
double student_quantile(double p, double df);

/* The same of the normal distribution. */
double normal_quantile(double p);

/* Both tails of the normal distribution beyond z. */
double normal_two_sided(double z);

#endif
