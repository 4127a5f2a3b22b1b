/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests are modules: tests/test_NAME.c defines `const struct test_module test_NAME`
 * with its cmocka tests.  `build/tests` runs all, `build/tests NAME…` those.
 */
#ifndef PERFTAB_TEST_H
#define PERFTAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct test_module {
	const char *name;
	const struct CMUnitTest *tests;
	size_t nr_tests;
};

#define TEST_MODULE(module, list)                                                       \
	const struct test_module test_##module = { #module, list, sizeof(list) / sizeof((list)[0]) }

extern const struct test_module *const test_modules[];

/* "../shared" where it lies beside the checkout, else NULL: a test that needs it says skip(). */
const char *test_shared(void);

#endif
