// SPDX-License-Identifier: GPL-2.0-only
/*
 * Student's t and the normal distribution.  Quantiles are found by bisection on the
 * tail: slower than a series, but nothing in it can go wrong, and a report asks for a
 * few dozen of them.
 */
#include "metrics/student.h"

#include <float.h>
#include <math.h>

/* Beyond this many degrees of freedom two terms of the expansion around the normal are exact enough. */
#define DF_NORMAL 1e6

/* Continued fractions divide by their terms; a term of 0 is replaced by this. */
static double not_zero(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

/*
 * The continued fraction of the incomplete beta integral, by the method of Lentz: the
 * value is kept as a product of ratios of successive numerators and denominators.
 * Converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double num = 1, den = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double product = den;

	for (int m = 1; m < 20000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		den = 1 / not_zero(1 + even * den);
		num = not_zero(1 + even / num);
		product *= den * num;
		den = 1 / not_zero(1 + odd * den);
		num = not_zero(1 + odd / num);
		step = den * num;
		product *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return product;
}

double beta_below(double a, double b, double x)
{
	int sign;
	double front;

	if (!(a > 0) || !(b > 0) || isnan(x))
		return NAN;
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Of positive t.  Near t = 0 the other end of the integral keeps the digits. */
static double tail(double t, double df)
{
	double square = t * t;

	if (square < df)
		return 0.5 - beta_below(0.5, df / 2, square / (df + square)) / 2;
	return beta_below(df / 2, 0.5, df / (df + square)) / 2;
}

double student_above(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	if (df > DF_NORMAL)
		return erfc(t / sqrt(2)) / 2;
	return t < 0 ? 1 - tail(-t, df) : tail(t, df);
}

double student_two_sided(double t, double df)
{
	return 2 * student_above(fabs(t), df);
}

double normal_two_sided(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

/* The t > 0 whose upper tail is `above`; the tail is that of df, or of the normal where df is infinite. */
static double bisect(double above, double df)
{
	double low = 0, high = 1;

	while (high < 1e300 && (isinf(df) ? normal_two_sided(high) / 2 : tail(high, df)) > above)
		high *= 2;
	for (int i = 0; i < 200 && high - low > high * 2 * DBL_EPSILON; i++) {
		double middle = low + (high - low) / 2;

		if ((isinf(df) ? normal_two_sided(middle) / 2 : tail(middle, df)) > above)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

double normal_quantile(double p)
{
	if (!(p > 0) || !(p < 1))
		return NAN;
	if (p == 0.5)
		return 0;
	return p > 0.5 ? bisect(1 - p, INFINITY) : -bisect(p, INFINITY);
}

double student_quantile(double p, double df)
{
	double z;

	if (!(p > 0) || !(p < 1) || !(df > 0))
		return NAN;
	if (p == 0.5)
		return 0;
	if (df <= DF_NORMAL)
		return p > 0.5 ? bisect(1 - p, df) : -bisect(p, df);
	z = normal_quantile(p);
	return z + (z * z * z + z) / (4 * df);
}
