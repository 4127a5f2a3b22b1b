// SPDX-License-Identifier: GPL-2.0-only
/*
 * Welch's test for each metric, Holm's correction over all of them, and a verdict that
 * needs both: a difference that is no chance and one that is large enough to matter.
 */
#include "metrics/compare.h"

#include <math.h>
#include <stdlib.h>

#include "metrics/repeats.h"
#include "metrics/student.h"

#define POWER 0.8           /* with which the detectable effect would be seen */
#define SAME_INTERVAL 0.95  /* one-sided: a 90 % interval inside the smallest difference that matters */

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "not-comparable", "no-evidence", "unchanged", "improved", "shifted", "regressed" };

	return names[v];
}

static void end_with(struct comparison *c, enum verdict v, const char *reason)
{
	c->verdict = v;
	c->reason = reason;
}

static double quantile(const struct comparison *c, double p)
{
	return isinf(c->df) ? normal_quantile(p) : student_quantile(p, c->df);
}

/* Too few captures to see how runs differ; the user may know. */
static bool assume_run_sd(struct comparison *c)
{
	bool single = c->nr_a == 1 || c->nr_b == 1;

	if (!(c->run_sd > 0) || c->nr_a != 1 || c->nr_b != 1) {
		end_with(c, VERDICT_NO_EVIDENCE, single ? "single-capture" : "too-few-captures");
		return false;
	}
	c->se = sqrt(c->variance_a + c->variance_b + 2 * c->run_sd * c->run_sd);
	c->df = INFINITY;
	c->p = normal_two_sided(c->difference / c->se);
	c->reason = "assumed run-to-run sd";
	return true;
}

static bool welch(struct comparison *c, const struct repeat *a, const struct repeat *b)
{
	double va = a->sd * a->sd / (double)a->nr, vb = b->sd * b->sd / (double)b->nr;

	c->se = sqrt(va + vb);
	if (!(c->se > 0)) {
		if (c->difference == 0)
			end_with(c, VERDICT_UNCHANGED, "");
		else
			end_with(c, VERDICT_NO_EVIDENCE, "zero-variance");
		return false;
	}
	c->df = (va + vb) * (va + vb) / (va * va / (double)(a->nr - 1) + vb * vb / (double)(b->nr - 1));
	c->p = student_two_sided(c->difference / c->se, c->df);
	return true;
}

/* Everything but what depends on the other metrics. */
static void test(struct comparison *c)
{
	struct repeat a = repeat_of(c->a, c->nr_a, 0.95), b = repeat_of(c->b, c->nr_b, 0.95);

	c->mean_a = a.mean;
	c->mean_b = b.mean;
	c->difference = b.mean - a.mean;
	c->se = c->df = c->p = c->p_holm = c->lo = c->hi = c->detectable = NAN;
	c->reason = "";
	c->tested = false;
	if (c->not_comparable) {
		end_with(c, VERDICT_NOT_COMPARABLE, c->not_comparable);
		return;
	}
	if (c->nr_a < REPEATS_FEWEST || c->nr_b < REPEATS_FEWEST)
		c->tested = c->nr_a && c->nr_b && assume_run_sd(c);
	else
		c->tested = welch(c, &a, &b);
	if (!c->nr_a || !c->nr_b)
		end_with(c, VERDICT_NO_EVIDENCE, "too-few-captures");
}

static int by_p(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a, *y = *(const struct comparison *const *)b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/* The k-th smallest p of m counts (m - k + 1) times, and never less than those before it. */
static size_t correct(struct comparison *list, size_t nr)
{
	struct comparison **tested = malloc((nr + 1) * sizeof(struct comparison *));
	double before = 0;
	size_t m = 0;

	if (!tested)
		abort();
	for (size_t i = 0; i < nr; i++)
		if (list[i].tested)
			tested[m++] = &list[i];
	qsort(tested, m, sizeof(struct comparison *), by_p);
	for (size_t k = 0; k < m; k++) {
		before = fmax(before, fmin(1, (double)(m - k) * tested[k]->p));
		tested[k]->p_holm = before;
	}
	free(tested);
	return m;
}

static double mean_of(const double *v, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += v[i];
	return sum / (double)nr;
}

static bool no_more_work(const struct comparison *c)
{
	return c->work_a && c->work_b && mean_of(c->work_b, c->nr_b) - mean_of(c->work_a, c->nr_a) <= 0;
}

static void decide(struct comparison *c, const struct compare_options *o, double alpha, size_t family)
{
	double delta = c->delta_is_relative ? c->delta * fabs(c->mean_a) : c->delta;
	double reach = quantile(c, SAME_INTERVAL) * c->se;
	bool better = (c->difference > 0) == c->more_is_better;

	c->lo = c->difference - reach;
	c->hi = c->difference + reach;
	c->detectable = (quantile(c, 1 - alpha / (2 * (double)family)) + quantile(c, POWER)) * c->se;
	if (c->p_holm <= alpha && fabs(c->difference) >= delta) {
		c->verdict = better ? VERDICT_IMPROVED : VERDICT_REGRESSED;
		if (!better && o->same_work && no_more_work(c))
			c->verdict = VERDICT_SHIFTED;
	} else {
		c->verdict = c->lo > -delta && c->hi < delta ? VERDICT_UNCHANGED : VERDICT_NO_EVIDENCE;
	}
}

void compare_metrics(struct comparison *list, size_t nr, const struct compare_options *options)
{
	double alpha = options->alpha > 0 ? options->alpha : 0.05;
	size_t family;

	for (size_t i = 0; i < nr; i++)
		test(&list[i]);
	family = correct(list, nr);
	for (size_t i = 0; i < nr; i++)
		if (list[i].tested)
			decide(&list[i], options, alpha, family);
}

int compare_exit_code(const struct comparison *list, const bool *gated, size_t nr, bool strict, bool require_evidence)
{
	size_t comparable = 0, not_comparable = 0, regressed = 0, without = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!gated[i])
			continue;
		comparable += list[i].verdict != VERDICT_NOT_COMPARABLE;
		not_comparable += list[i].verdict == VERDICT_NOT_COMPARABLE;
		regressed += list[i].verdict == VERDICT_REGRESSED;
		without += list[i].verdict == VERDICT_NO_EVIDENCE;
	}
	if (!comparable || (strict && not_comparable))
		return 3;
	if (regressed)
		return 1;
	return require_evidence && without ? 4 : 0;
}
