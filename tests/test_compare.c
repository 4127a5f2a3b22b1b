// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of two sets of captures, on a worked example and at the edges of each verdict. */
#include "metrics/compare.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

static void same_digits(const char *what, double got, double want, int digits)
{
	if (!(fabs(got - want) <= 0.6 * pow(10, floor(log10(fabs(want))) + 1 - digits)))
		fail_msg("%s: got %.14g, wanted %.14g", what, got, want);
}

static void five_captures_a_side(void **state)
{
	static const double a[3][5] = { { .4310, .4280, .4335, .4298, .4317 }, { .3020, .3041, .3012, .3033, .3024 },
					{ .1810, .1822, .1798, .1815, .1809 } };
	static const double b[3][5] = { { .4602, .4651, .4583, .4629, .4610 }, { .2755, .2731, .2762, .2748, .2739 },
					{ .1812, .1801, .1820, .1806, .1817 } };
	static const struct {
		const char *name;
		double difference, se, df, p, p_holm, lo, hi;
		enum verdict verdict;
	} want[3] = {
		{ "backend_bound", 0.0307, 0.00148458748479, 7.59944712702, 5.89747060e-08, 1.17949412e-07, 0.0279203558,
		  0.0334796442, VERDICT_REGRESSED },
		{ "retiring", -0.0279, 0.000748331477355, 7.93672888326, 3.36592705e-10, 1.00977812e-09, -0.0292929978,
		  -0.0265070022, VERDICT_REGRESSED },
		{ "frontend_bound", 0.00004, 0.000526117857519, 7.88109173423, 0.941290869, 0.941290869, -0.000940258472,
		  0.00102025847, VERDICT_UNCHANGED },
	};
	const bool gated[3] = { true, true, true };
	struct comparison c[3];

	(void)state;
	memset(c, 0, sizeof(c));
	for (int i = 0; i < 3; i++) {
		c[i].a = a[i];
		c[i].b = b[i];
		c[i].nr_a = c[i].nr_b = 5;
		c[i].delta = 0.01;
		c[i].more_is_better = i == 1;
	}
	compare_metrics(c, 3, &(struct compare_options){ 0 });
	for (int i = 0; i < 3; i++) {
		same_digits(want[i].name, c[i].difference, want[i].difference, 10);
		same_digits(want[i].name, c[i].se, want[i].se, 12);
		same_digits(want[i].name, c[i].df, want[i].df, 12);
		same_digits(want[i].name, c[i].p, want[i].p, 9);
		same_digits(want[i].name, c[i].p_holm, want[i].p_holm, 9);
		same_digits(want[i].name, c[i].lo, want[i].lo, 9);
		same_digits(want[i].name, c[i].hi, want[i].hi, 9);
		if (c[i].verdict != want[i].verdict)
			fail_msg("%s: %s", want[i].name, verdict_name(c[i].verdict));
	}
	same_digits("detectable", c[2].detectable, 0.002060748, 7);
	assert_int_equal(compare_exit_code(c, gated, 3, false, false), 1);
}

/* ---- verdicts ---- */

static const double base[3] = { 0.100, 0.101, 0.099 };
static const double up[3] = { 0.130, 0.131, 0.129 };
static const double wild[3] = { 0.10, 0.16, 0.04 };
static const double flat[3] = { 0.1, 0.1, 0.1 };
static const double flat_up[3] = { 0.2, 0.2, 0.2 };
static const double less[3] = { 5, 5, 5 }, more[3] = { 6, 6, 6 };

static void verdicts(void **state)
{
	static const struct {
		const char *name;
		struct comparison c;
		bool same_work;
		enum verdict verdict;
		const char *reason;
	} cases[] = {
		{ "share up", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01 }, false, VERDICT_REGRESSED, "" },
		{ "retiring up", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01, .more_is_better = true }, false,
		  VERDICT_IMPROVED, "" },
		{ "share down", { .a = up, .b = base, .nr_a = 3, .nr_b = 3, .delta = 0.01 }, false, VERDICT_IMPROVED, "" },
		{ "sure but small", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.05 }, false, VERDICT_UNCHANGED, "" },
		{ "relative", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.02, .delta_is_relative = true }, false,
		  VERDICT_REGRESSED, "" },
		{ "wild", { .a = base, .b = wild, .nr_a = 3, .nr_b = 3, .delta = 0.01 }, false, VERDICT_NO_EVIDENCE, "" },
		{ "no variance, equal", { .a = flat, .b = flat, .nr_a = 3, .nr_b = 3, .delta = 0.01 }, false, VERDICT_UNCHANGED, "" },
		{ "no variance", { .a = flat, .b = flat_up, .nr_a = 3, .nr_b = 3, .delta = 0.01 }, false, VERDICT_NO_EVIDENCE,
		  "zero-variance" },
		{ "single", { .a = base, .b = up, .nr_a = 1, .nr_b = 3, .delta = 0.01 }, false, VERDICT_NO_EVIDENCE, "single-capture" },
		{ "two", { .a = base, .b = up, .nr_a = 2, .nr_b = 3, .delta = 0.01 }, false, VERDICT_NO_EVIDENCE, "too-few-captures" },
		{ "none", { .a = base, .b = up, .nr_a = 0, .nr_b = 3, .delta = 0.01 }, false, VERDICT_NO_EVIDENCE, "too-few-captures" },
		{ "assumed sd", { .a = base, .b = up, .nr_a = 1, .nr_b = 1, .delta = 0.01, .run_sd = 0.001 }, false,
		  VERDICT_REGRESSED, "assumed run-to-run sd" },
		{ "assumed large sd", { .a = base, .b = up, .nr_a = 1, .nr_b = 1, .delta = 0.01, .run_sd = 0.1 }, false,
		  VERDICT_NO_EVIDENCE, "assumed run-to-run sd" },
		{ "other CPU", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01, .not_comparable = "width" }, false,
		  VERDICT_NOT_COMPARABLE, "width" },
		{ "same work, less of it", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01, .work_a = more, .work_b = less },
		  true, VERDICT_SHIFTED, "" },
		{ "same work, more of it", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01, .work_a = less, .work_b = more },
		  true, VERDICT_REGRESSED, "" },
		{ "work is not said to be the same", { .a = base, .b = up, .nr_a = 3, .nr_b = 3, .delta = 0.01, .work_a = more,
						       .work_b = less }, false, VERDICT_REGRESSED, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison c = cases[i].c;

		compare_metrics(&c, 1, &(struct compare_options){ .same_work = cases[i].same_work });
		if (c.verdict != cases[i].verdict || strcmp(c.reason, cases[i].reason) != 0)
			fail_msg("%s: %s, '%s'", cases[i].name, verdict_name(c.verdict), c.reason);
	}
}

/* Corrected ps keep their order and are never below the plain ones. */
static void correction_by_hand(void **state)
{
	static const double b[4][3] = { { 0.1310, 0.1300, 0.1290 }, { 0.1035, 0.1020, 0.1045 }, { 0.1025, 0.1015, 0.1030 },
					{ 0.1001, 0.0995, 0.1008 } };
	struct comparison c[4];

	(void)state;
	memset(c, 0, sizeof(c));
	for (int i = 0; i < 4; i++) {
		c[i].a = base;
		c[i].b = b[i];
		c[i].nr_a = c[i].nr_b = 3;
		c[i].delta = 0.001;
	}
	compare_metrics(c, 4, &(struct compare_options){ 0 });
	assert_true(fabs(c[0].p_holm - 4 * c[0].p) < 1e-15);
	assert_true(c[1].p < c[2].p && c[2].p < c[3].p);
	assert_true(fabs(c[1].p_holm - 3 * c[1].p) < 1e-15);
	assert_true(fabs(c[2].p_holm - fmax(c[1].p_holm, 2 * c[2].p)) < 1e-15);
	assert_true(fabs(c[3].p_holm - fmax(c[2].p_holm, c[3].p)) < 1e-15);
}

static void exit_codes(void **state)
{
	static const struct {
		enum verdict verdicts[3];
		bool gated[3], strict, require_evidence;
		int code;
	} cases[] = {
		{ { VERDICT_UNCHANGED, VERDICT_IMPROVED, VERDICT_SHIFTED }, { 1, 1, 1 }, false, true, 0 },
		{ { VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_SHIFTED }, { 1, 1, 1 }, false, false, 1 },
		{ { VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_SHIFTED }, { 0, 1, 1 }, false, false, 0 },
		{ { VERDICT_NOT_COMPARABLE, VERDICT_NOT_COMPARABLE, VERDICT_IMPROVED }, { 1, 1, 0 }, false, false, 3 },
		{ { VERDICT_NOT_COMPARABLE, VERDICT_UNCHANGED, VERDICT_IMPROVED }, { 1, 1, 1 }, false, false, 0 },
		{ { VERDICT_NOT_COMPARABLE, VERDICT_REGRESSED, VERDICT_IMPROVED }, { 1, 1, 1 }, true, false, 3 },
		{ { VERDICT_NO_EVIDENCE, VERDICT_UNCHANGED, VERDICT_IMPROVED }, { 1, 1, 1 }, false, false, 0 },
		{ { VERDICT_NO_EVIDENCE, VERDICT_UNCHANGED, VERDICT_IMPROVED }, { 1, 1, 1 }, false, true, 4 },
		{ { VERDICT_NO_EVIDENCE, VERDICT_REGRESSED, VERDICT_IMPROVED }, { 1, 1, 1 }, false, true, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison c[3];

		memset(c, 0, sizeof(c));
		for (int k = 0; k < 3; k++)
			c[k].verdict = cases[i].verdicts[k];
		assert_int_equal(compare_exit_code(c, cases[i].gated, 3, cases[i].strict, cases[i].require_evidence),
				 cases[i].code);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(five_captures_a_side), cmocka_unit_test(verdicts),
	cmocka_unit_test(correction_by_hand),   cmocka_unit_test(exit_codes),
};

TEST_MODULE(compare, tests);
