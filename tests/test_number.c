// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as text: printf in the C locale is the truth. */
#include "export/number.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

static void check_real(double v)
{
	char got[NUMBER_MAX + 1], want[64];
	size_t size = number_real(got, v);

	assert_true(size <= NUMBER_MAX);
	got[size] = 0;
	snprintf(want, sizeof(want), "%.17g", v);
	assert_string_equal(got, want);
}

static void check_both_signs(double v)
{
	check_real(v);
	check_real(-v);
}

static uint64_t random_next(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15ull;
	uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9ull;

	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static void real_special(void **state)
{
	static const double cases[] = {
		0.0, 1, 0.1, 0.5, 1e15, 1e16, 1e17, 1e18, 1e22, 1e23, 9007199254740991.0, 9007199254740992.0,
		9007199254740993.0, 99999999999999984.0, 99999999999999992.0, 100000000000000000.0, 123456789012345678.0,
		0.0001, 0.00001, 0.00012345, 0.000099999999999999991, 9.9999999999999995, 0.061230999987, 1.0 / 3,
		5e-324, DBL_MIN, DBL_MAX, DBL_EPSILON, 2.2250738585072011e-308, 1.7976931348623155e308, 8.5, 1e-300, 1e300,
		4503599627370496.5, 4503599627370497.5, 2251799813685248.25, 2251799813685248.75, INFINITY,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_both_signs(cases[i]);
}

/* Every power of two and of ten, and their neighbours: ends of ranges, ties, carries. */
static void real_powers(void **state)
{
	(void)state;
	for (int e = -1074; e < 1024; e++) {
		double v = ldexp(1, e);

		check_both_signs(v);
		check_real(nextafter(v, 0));
		check_real(nextafter(v, INFINITY));
	}
	for (int k = -323; k <= 308; k++) {
		char text[16];
		double v;

		snprintf(text, sizeof(text), "1e%d", k);
		sscanf(text, "%lf", &v);
		check_both_signs(v);
		check_real(nextafter(v, 0));
		check_real(nextafter(v, INFINITY));
	}
}

/* Exact ties of the 17th digit: odd multiples of a small power of two, and large integers ending in 5. */
static void real_ties(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		uint64_t r = random_next(&seed);
		double odd = (double)((r & ((1ull << 53) - 1)) | 1);

		check_real(ldexp(odd, -(int)(r >> 58) % 60));
		check_real((double)(r >> 3) + 5);
		check_real((double)(r % 100000000000ull) * 1e8 + 5e7);
	}
}

static void real_random(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 400000; i++) {
		uint64_t r = random_next(&seed);
		double v;

		memcpy(&v, &r, sizeof(v));
		if (!isnan(v))
			check_real(v);
		check_real((double)(r >> 11) / 9007199254740992.0);
		check_real((double)(r >> 40) / 1e3);
	}
}

static void real_in_other_locales(void **state)
{
	char got[NUMBER_MAX + 1];

	(void)state;
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		skip();
	got[number_real(got, 1.5)] = 0;
	assert_string_equal(got, "1.5");
	got[number_real(got, 123456789012345678.0 * 1e10)] = 0;
	assert_null(strchr(got, ','));
	setlocale(LC_NUMERIC, "C");
}

static void integers(void **state)
{
	static const uint64_t cases[] = {
		0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 4294967295u, 4294967296u, 9999999999999999999ull,
		10000000000000000000ull, UINT64_MAX, INT64_MAX, 1ull << 63,
	};
	char got[NUMBER_MAX + 1], want[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		got[number_u64(got, cases[i])] = 0;
		snprintf(want, sizeof(want), "%" PRIu64, cases[i]);
		assert_string_equal(got, want);
		got[number_i64(got, (int64_t)cases[i])] = 0;
		snprintf(want, sizeof(want), "%" PRId64, (int64_t)cases[i]);
		assert_string_equal(got, want);
		got[number_hex(got, cases[i])] = 0;
		snprintf(want, sizeof(want), "0x%" PRIx64, cases[i]);
		assert_string_equal(got, want);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(real_special), cmocka_unit_test(real_powers), cmocka_unit_test(real_ties),
	cmocka_unit_test(real_random),  cmocka_unit_test(integers),    cmocka_unit_test(real_in_other_locales),
};

TEST_MODULE(number, tests);
