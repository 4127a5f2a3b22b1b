// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaving out one round at a time.  The totals less a round are computed for every
 * instance, scaled with what is then left of its own enabled and running time, added up
 * for each place, and handed to the formulas.  This is the second walk over a capture's
 * readings, so the loop over instances is kept bare.
 */
#include "metrics/jackknife.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"

/* One event at one place with the round at hand left out. */
struct sum {
	double scaled, enabled, running;
};

/* One series at one place, over the rounds so far.  Distances are M - M(without the round). */
struct walk {
	uint64_t rounds;
	double before;   /* distance of the round before */
	double mean, spread;
	double steps, step_max;
	bool finite;
};

struct jackknife {
	struct jackknife_setup setup;
	uint32_t *slot;      /* [layer][instance] -> into sums, the last slot is nobody's */
	size_t nr_slots;
	struct sum *totals;  /* [place][event] */
	struct sum *without; /* the same, of the round at hand */
	double *value;       /* [place][series] M */
	struct walk *walk;   /* [place][series] */
	double *scaled;      /* scratch: one for each event */
	double *replicate;   /* scratch: one for each series */
};

static double scale(double count, double enabled, double running)
{
	if (running >= enabled)
		return count;
	return running > 0 ? count * enabled / running : 0;
}

static void add_up(const struct jackknife *j, struct sum *sums, const double *count, const double *enabled,
		   const double *running)
{
	const struct jackknife_setup *s = &j->setup;
	const uint32_t *slot = j->slot;

	memset(sums, 0, (j->nr_slots + 1) * sizeof(*sums));
	for (size_t layer = 0; layer < s->nr_layers; layer++, slot += s->nr_instances) {
		for (size_t i = 0; i < s->nr_instances; i++) {
			double e = s->enabled[i] - enabled[i], r = s->running[i] - running[i];
			struct sum *sum = &sums[slot[i]];

			sum->scaled += scale(s->count[i] - count[i], e, r);
			sum->enabled += e;
			sum->running += r;
		}
	}
}

/* An event that did not run has no count; a formula that uses it has no value. */
static void evaluate(const struct jackknife *j, const struct sum *sums, double *values)
{
	const struct jackknife_setup *s = &j->setup;

	for (size_t e = 0; e < s->nr_events; e++)
		j->scaled[e] = sums[e].running > 0 ? sums[e].scaled : NAN;
	s->eval(s->user, j->scaled, values);
}

static double enabled_of(const struct jackknife_series *series, const struct sum *sums)
{
	double sum = 0;

	for (size_t i = 0; i < series->nr_events; i++)
		sum += sums[series->events[i]].enabled;
	return sum;
}

static void make_slots(struct jackknife *j)
{
	const struct jackknife_setup *s = &j->setup;
	uint32_t *slot = j->slot;

	for (size_t layer = 0; layer < s->nr_layers; layer++) {
		for (size_t i = 0; i < s->nr_instances; i++) {
			uint32_t place = s->place_of[layer][i];

			*slot++ = place == JACKKNIFE_NO_PLACE ? (uint32_t)j->nr_slots
							      : (uint32_t)(place * s->nr_events + s->event[i]);
		}
	}
}

struct jackknife *jackknife_new(const struct jackknife_setup *setup)
{
	struct jackknife *j = must_alloc(sizeof(*j));
	size_t nr_walks = setup->nr_places * setup->nr_series;
	double *nothing;

	j->setup = *setup;
	j->nr_slots = setup->nr_places * setup->nr_events;
	j->slot = must_realloc(NULL, setup->nr_layers * setup->nr_instances + 1, sizeof(*j->slot));
	j->totals = must_realloc(NULL, j->nr_slots + 1, sizeof(*j->totals));
	j->without = must_realloc(NULL, j->nr_slots + 1, sizeof(*j->without));
	j->value = must_realloc(NULL, nr_walks + 1, sizeof(*j->value));
	j->walk = must_realloc(NULL, nr_walks + 1, sizeof(*j->walk));
	j->scaled = must_realloc(NULL, setup->nr_events + 1, sizeof(*j->scaled));
	j->replicate = must_realloc(NULL, setup->nr_series + 1, sizeof(*j->replicate));
	make_slots(j);

	nothing = must_realloc(NULL, setup->nr_instances + 1, sizeof(*nothing));
	memset(nothing, 0, (setup->nr_instances + 1) * sizeof(*nothing));
	add_up(j, j->totals, nothing, nothing, nothing);
	free(nothing);

	memset(j->walk, 0, (nr_walks + 1) * sizeof(*j->walk));
	for (size_t p = 0; p < setup->nr_places; p++)
		evaluate(j, &j->totals[p * setup->nr_events], &j->value[p * setup->nr_series]);
	for (size_t i = 0; i < nr_walks; i++)
		j->walk[i].finite = isfinite(j->value[i]);
	return j;
}

void jackknife_free(struct jackknife *j)
{
	if (!j)
		return;
	free(j->slot);
	free(j->totals);
	free(j->without);
	free(j->value);
	free(j->walk);
	free(j->scaled);
	free(j->replicate);
	free(j);
}

static void step(struct walk *w, double distance)
{
	double change = distance - w->before, from_mean = distance - w->mean;

	w->rounds++;
	w->finite = w->finite && isfinite(distance);
	if (!w->finite)
		return;
	if (w->rounds > 1) {
		w->steps += change * change;
		w->step_max = fmax(w->step_max, change * change);
	}
	w->before = distance;
	w->mean += from_mean / (double)w->rounds;
	w->spread += from_mean * (distance - w->mean);
}

static bool was_enabled(const struct jackknife *j, const struct sum *totals, const struct sum *without)
{
	for (size_t e = 0; e < j->setup.nr_events; e++)
		if (totals[e].enabled > without[e].enabled)
			return true;
	return false;
}

static void place_round(struct jackknife *j, size_t place)
{
	const struct jackknife_setup *s = &j->setup;
	const struct sum *totals = &j->totals[place * s->nr_events];
	const struct sum *without = &j->without[place * s->nr_events];

	if (!was_enabled(j, totals, without))
		return;
	evaluate(j, without, j->replicate);
	for (size_t i = 0; i < s->nr_series; i++) {
		double value = j->value[place * s->nr_series + i], replicate = j->replicate[i];
		double all = enabled_of(&s->series[i], totals), left = enabled_of(&s->series[i], without);

		if (!(all > left))
			continue;
		if (s->series[i].is_count)
			replicate *= all / left;
		step(&j->walk[place * s->nr_series + i], value - replicate);
	}
}

void jackknife_round(struct jackknife *j, const double *count, const double *enabled, const double *running)
{
	add_up(j, j->without, count, enabled, running);
	for (size_t p = 0; p < j->setup.nr_places; p++)
		place_round(j, p);
}

static double coverage(const struct jackknife_series *series, const struct sum *totals)
{
	double least = INFINITY;

	for (size_t i = 0; i < series->nr_events; i++) {
		const struct sum *sum = &totals[series->events[i]];

		least = fmin(least, fmin(1, sum->running / sum->enabled));
	}
	return isfinite(least) ? least : NAN;
}

struct jackknife_sums jackknife_sums(const struct jackknife *j, size_t place, size_t series)
{
	const struct jackknife_setup *s = &j->setup;
	const struct walk *w = &j->walk[place * s->nr_series + series];
	double k = (double)w->rounds, square = k > 0 ? (k - 1) / k * ((k - 1) / k) : 0;

	/* e = (K - 1)/K × distance */
	return (struct jackknife_sums){
		.rounds = w->rounds,
		.finite = w->finite,
		.value = j->value[place * s->nr_series + series],
		.coverage = coverage(&s->series[series], &j->totals[place * s->nr_events]),
		.steps = square * w->steps,
		.step_max = square * w->step_max,
		.spread = square * w->spread,
	};
}

double jackknife_se(const struct jackknife_sums *s, double phi)
{
	double k = (double)s->rounds;

	return sqrt(phi * k / (2 * (k - 1)) * s->steps);
}

double jackknife_df(const struct jackknife_sums *s)
{
	double k = (double)s->rounds;

	return 2 * (k - 1) * (k - 1) / (3 * k - 4);
}

struct closure jackknife_closure(const struct jackknife_sums *s)
{
	double k = (double)s->rounds;
	struct closure c = { 0, 2, 0 };

	if (!(s->spread > 0))
		return c;
	c.se = sqrt(k / (k - 1) * s->spread);
	c.q = k * s->steps / ((k - 1) * s->spread);
	c.z = (2 - c.q) * sqrt(k) / 2;
	return c;
}
