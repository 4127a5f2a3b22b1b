/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The error of a value that was counted in turns with others: what the value becomes
 * when one round is left out, for each round, and how much that differs from one
 * round to the next.
 *
 * Works in one walk over the rounds, after the totals are known: jackknife_round() for
 * each round, then jackknife_sums() as often as needed.  A (place, series) pair keeps a
 * handful of sums, however many rounds there are.
 */
#ifndef PERFTAB_JACKKNIFE_H
#define PERFTAB_JACKKNIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fewest rounds from which an interval of error is made. */
enum { JACKKNIFE_FEWEST = 8 };

/* A number whose error is wanted: a metric, or a sum of metrics. */
struct jackknife_series {
	const uint32_t *events; /* that it is made of */
	size_t nr_events;
	bool is_count; /* grows with time (cycles): its rate per enabled time is what is looked at */
};

/*
 * Computes all series from the scaled counts of all events.  Whatever cannot be
 * computed (a denominator of 0, an event that did not run) is NaN.
 */
typedef void jackknife_eval(void *user, const double *scaled, double *values);

/* What cannot be known for an instance at a place of a layer. */
#define JACKKNIFE_NO_PLACE UINT32_MAX

/* Everything is borrowed and must outlive the jackknife, but for place_of. */
struct jackknife_setup {
	size_t nr_events;
	const struct jackknife_series *series;
	size_t nr_series;
	jackknife_eval *eval;
	void *user;

	/* instances: one (event, cpu, thread) each, with its totals over all rounds */
	size_t nr_instances;
	const uint32_t *event;
	const double *count, *enabled, *running;

	/*
	 * Places count from 0.  A layer gives each instance one place or none; layers are
	 * different divisions of the same instances (the run, cpus, cores), and no place is in two.
	 */
	size_t nr_places, nr_layers;
	const uint32_t *const *place_of; /* [layer][instance] */
};

/* What the rounds came to, for one series at one place. */
struct jackknife_sums {
	uint64_t rounds;   /* K: rounds in which an event of the series was enabled */
	bool finite;       /* every replicate could be computed */
	double value;      /* M, from the totals */
	double coverage;   /* f: the least running / enabled of its events */
	double steps;      /* D: sum of squared differences of neighbours */
	double step_max;   /* the largest of them */
	double spread;     /* SS: sum of squared differences from their mean */
};

struct jackknife *jackknife_new(const struct jackknife_setup *setup);
void jackknife_free(struct jackknife *j); /* NULL is fine */

/* What each instance did in this round: differences, in the order of the setup. */
void jackknife_round(struct jackknife *j, const double *count, const double *enabled, const double *running);

struct jackknife_sums jackknife_sums(const struct jackknife *j, size_t place, size_t series);

/* ---- from sums to an error ---- */

/*
 * Standard error.  `phi` is the part of the variance that was not seen: 1 - coverage for
 * what was counted together, else 1.
 */
double jackknife_se(const struct jackknife_sums *s, double phi);
/* Its degrees of freedom. */
double jackknife_df(const struct jackknife_sums *s);

/* How the rounds of a series that has a known value (the sum of the parts, a twin) hang together. */
struct closure {
	double se; /* of the sum, as if rounds were independent; rounds - 1 degrees of freedom */
	double q;  /* about 2 for independent rounds */
	double z;  /* above 3.3: slow drift against the rotation */
};

struct closure jackknife_closure(const struct jackknife_sums *s);

#endif
