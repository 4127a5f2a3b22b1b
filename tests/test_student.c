// SPDX-License-Identifier: GPL-2.0-only
/* Student's t and the normal against published quantiles and against each other. */
#include "tests/test.h"

#include <math.h>

#include "metrics/student.h"

static void close_to(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("got %.12g, wanted %.12g", got, want);
}

static void quantiles_as_published(void **state)
{
	static const struct {
		double p, df, t;
	} rows[] = {
		{ 0.975, 1, 12.706204736 },         { 0.975, 2, 4.302652730 },
		{ 0.975, 4.9, 2.586441296 },        { 0.975, 6.230769231, 2.425110773 },
		{ 0.975, 10, 2.228138852 },         { 0.975, 12.892857143, 2.162195074 },
		{ 0.975, 19.5, 2.089397621 },       { 0.975, 30, 2.042272456 },
		{ 0.975, 66.222972973, 1.996438950 }, { 0.95, 8, 1.859548038 },
		{ 0.9995, 23, 3.767626804 },        { 0.9995, 99, 3.391528833 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		close_to(student_quantile(rows[i].p, rows[i].df), rows[i].t, 1e-9);
	close_to(student_quantile(0.025, 4.9), -2.58644129562, 1e-11);
}

static void quantile_and_tail_undo_each_other(void **state)
{
	static const double p[] = { 0.001, 0.3, 0.6, 0.9, 0.975, 0.9995, 0.9999999 };
	static const double df[] = { 0.5, 1, 1.7, 3, 19.5, 250, 4321.5, 99999 };

	(void)state;
	for (size_t i = 0; i < sizeof(p) / sizeof(p[0]); i++)
		for (size_t k = 0; k < sizeof(df) / sizeof(df[0]); k++)
			close_to(student_above(student_quantile(p[i], df[k]), df[k]), 1 - p[i], 1e-8);
}

/* With 1 and 2 degrees of freedom the distribution has a closed form. */
static void closed_forms(void **state)
{
	(void)state;
	for (double t = -8; t <= 8; t += 0.37) {
		close_to(student_above(t, 1), 0.5 - atan(t) / M_PI, 1e-12);
		close_to(student_above(t, 2), 0.5 - t / (2 * sqrt(2 + t * t)), 1e-12);
	}
}

static void normal_as_published(void **state)
{
	(void)state;
	close_to(normal_quantile(0.975), 1.959963984540054, 1e-14);
	close_to(normal_quantile(0.8), 0.841621233572914, 1e-13);
	close_to(normal_quantile(0.0005), -3.290526731491926, 1e-13);
	close_to(normal_two_sided(1.959963984540054), 0.05, 1e-13);
	assert_true(normal_quantile(0.5) == 0);
	/* many degrees of freedom: continuous where the method changes */
	close_to(student_quantile(0.975, 0.999e6), student_quantile(0.975, 1.001e6), 1e-8);
	close_to(student_quantile(0.975, 1e12), 1.959963984540054, 1e-11);
}

static void beta_identities(void **state)
{
	(void)state;
	for (double x = 0.05; x < 1; x += 0.05) {
		close_to(beta_below(2.5, 0.7, x) + beta_below(0.7, 2.5, 1 - x), 1, 1e-13);
		close_to(beta_below(1, 1, x), x, 1e-13);
		close_to(beta_below(3, 1, x), x * x * x, 1e-13);
	}
}

static void nonsense_is_not_a_number(void **state)
{
	(void)state;
	assert_true(isnan(student_quantile(0, 3)) && isnan(student_quantile(1, 3)) && isnan(student_quantile(NAN, 3)));
	assert_true(isnan(student_quantile(0.9, 0)) && isnan(student_quantile(0.9, NAN)));
	assert_true(isnan(student_above(NAN, 3)) && isnan(student_above(1, -1)) && isnan(normal_quantile(1.5)));
	assert_true(isnan(beta_below(0, 1, 0.5)));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(quantiles_as_published), cmocka_unit_test(quantile_and_tail_undo_each_other),
	cmocka_unit_test(closed_forms),           cmocka_unit_test(normal_as_published),
	cmocka_unit_test(beta_identities),        cmocka_unit_test(nonsense_is_not_a_number),
};

TEST_MODULE(student, tests);
