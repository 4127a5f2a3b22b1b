// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fixtures that the tests build themselves: what lies in fixtures/ is what is built.
 * `WRITE_FIXTURES=1 build/tests fixtures` writes them anew.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/built.h"
#include "tests/seen.h"
#include "tests/test.h"

static void check_file(const char *path, const struct image *built)
{
	struct image there;

	if (getenv("WRITE_FIXTURES"))
		image_write(built, path);
	there = image_read(path);
	if (there.size != built->size || memcmp(there.at, built->at, there.size))
		fail_msg("%s is not what is built (%zu bytes, %zu are built)", path, there.size, built->size);
	image_free(&there);
}

static void test_sha256_is_built(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image b = statdata_file(p);

	(void)state;
	check_file("fixtures/sha256.data", &b);
	image_free(&b);
	statdata_free(p);
}

static const struct figure {
	const char *metric;
	double value;
	const char *printed;
} figures[] = {
	{ "bad_speculation", 0.000212999994, "0.0" },
	{ "bad_speculation_mispredicts", 0.000159878587, "0.0" },
	{ "bad_speculation_pipeline_restarts", 0.000053121407, "0.0" },
	{ "frontend_bound", 0.061230999987, "6.1" },
	{ "frontend_bound_bandwidth", 0.060623999996, "6.1" },
	{ "frontend_bound_latency", 0.000606999991, "0.1" },
	{ "backend_bound_cpu", 0.658556841774, "65.9" },
	{ "backend_bound_memory", 0.016611158226, "1.7" },
	{ "backend_bound", 0.675168000000, "67.5" },
	{ "retiring", 0.263093999998, "26.3" },
	{ "retiring_fastpath", 0.201919470572, "20.2" },
	{ "retiring_microcode", 0.060894529414, "6.1" },
	{ "smt_contention", 0.000030999998, "0.0" },
};

/* What perf makes of each count, in order. */
static const uint64_t scaled[] = {
	3049519, 84611658441, 1013236, 53557038263, 84543212548, 641678054, 216907262345, 26081293217, 53544022215,
	19570178761, 53563045672, 84462709707, 19674266857, 32506083, 53552032089, 9961236, 53555035795,
};

static void check_sha256(const struct seen *s)
{
	const struct seen_scope *run = seen_scope(s, -1, "run");

	assert_non_null(run);
	assert_string_equal(s->set_name, "amdzen4");
	assert_int_equal(s->capture->nr_events, sizeof(scaled) / sizeof(scaled[0]));
	for (size_t i = 0; i < s->capture->nr_events; i++)
		assert_int_equal(run->cells[i].scaled_perf, scaled[i]);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		int m = seen_metric(s, figures[i].metric);
		const struct metric_result *r = &run->results[m];
		char printed[32];

		assert_true(m >= 0);
		if (!(fabs(r->value_perf - figures[i].value) < 1e-9 && fabs(r->value - figures[i].value) < 1e-9))
			fail_msg("%s is %.12f, perf's way %.12f, and should be %.12f", figures[i].metric, r->value,
				 r->value_perf, figures[i].value);
		snprintf(printed, sizeof(printed), "%.1f", r->value_perf * s->print_scale[m]);
		assert_string_equal(printed, figures[i].printed);
		assert_true(r->co_scheduled);
		assert_int_equal(r->method, METHOD_NONE);
		assert_string_equal(r->reason, "single-total");
	}
}

static void test_sha256_figures(void **state)
{
	struct seen *s = seen_run("fixtures/sha256.data");

	(void)state;
	assert_false(damage_lost(&s->capture->damage));
	check_sha256(s);
	seen_free(s);
}

/* Descriptions of all sizes that perf has ever written and of ones it will, in both byte orders. */
static void test_sha256_in_any_form(void **state)
{
	static const size_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 184 };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct statdata *p = built_sha256(sizes[i / 2], i % 2);
		struct image b = statdata_file(p);
		struct seen *s = seen_run_image(&b);

		assert_false(damage_lost(&s->capture->damage));
		assert_int_equal(s->capture->swapped, i % 2);
		check_sha256(s);
		seen_free(s);
		image_free(&b);
		statdata_free(p);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_sha256_is_built),
	cmocka_unit_test(test_sha256_figures),
	cmocka_unit_test(test_sha256_in_any_form),
};

TEST_MODULE(fixtures, tests);
