/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What samples say of a count, and how well: pure arithmetic.  Each sample stands for
 * its period of events; a count is the sum, its variance the sum of squares.
 */
#ifndef PERFTAB_SAMPLE_ERROR_H
#define PERFTAB_SAMPLE_ERROR_H

#include <stdint.h>

/* The samples of one event in one function. */
struct sample_sum {
	uint64_t samples;
	uint64_t weight; /* of their periods */
	double squares;  /* of their periods */
};

static inline void sample_sum_add(struct sample_sum *s, uint64_t period)
{
	s->samples++;
	s->weight += period;
	s->squares += (double)period * (double)period;
}

/* How many samples of equal periods would say as much; 0 where there are none. */
double sample_n_eff(const struct sample_sum *s);

/* The period of such a sample; NaN where there are none. */
double sample_period(const struct sample_sum *s);

struct sample_interval {
	double lo, hi;
};

/*
 * Of k · X/Y, where x and y samples (n_eff) were seen of X and Y: by the interval of
 * Wilson for the share x/(x+y).  y = 0 has none (NaN); x = 0 has an upper end all the
 * same.  z: 1.96 for 95 %.
 */
struct sample_interval sample_ratio_interval(double x, double y, double k, double z);

#endif
