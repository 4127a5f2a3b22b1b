// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of sampled counts. */
#include "metrics/sample_error.h"

#include <math.h>

double sample_n_eff(const struct sample_sum *s)
{
	double w = (double)s->weight;

	return s->squares > 0 ? w * w / s->squares : 0;
}

double sample_period(const struct sample_sum *s)
{
	return s->weight ? s->squares / (double)s->weight : (double)NAN;
}

struct sample_interval sample_ratio_interval(double x, double y, double k, double z)
{
	double n = x + y, q = x / n, d = 1 + z * z / n;
	double centre = (q + z * z / (2 * n)) / d;
	double half = z * sqrt(q * (1 - q) / n + z * z / (4 * n * n)) / d;
	double low = fmax(0, centre - half), high = fmin(1, centre + half);

	if (!(y > 0))
		return (struct sample_interval){ NAN, NAN };
	if (!(x > 0))
		low = 0; /* but for rounding it is */
	return (struct sample_interval){ k * low / (1 - low), k * high / (1 - high) };
}
