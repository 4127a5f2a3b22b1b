/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be said of a multiplexed share without any statistics: what the time that
 * was not observed could have been at the most.
 */
#ifndef PERFTAB_BOUNDS_H
#define PERFTAB_BOUNDS_H

/*
 * A share measured in one group for a part `coverage` of the time.  The rest of the time
 * had between none and all of its slots of this kind, at the same rate of cycles.
 */
static inline double bound_lo(double share, double coverage)
{
	return coverage * share;
}

static inline double bound_hi(double share, double coverage)
{
	return coverage * share + 1 - coverage;
}

/* Five parts add up to 1 + residual: one of them at least is off by this much. */
static inline double bound_worst_part(double residual)
{
	return (residual < 0 ? -residual : residual) / 5;
}

#endif
