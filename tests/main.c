// SPDX-License-Identifier: GPL-2.0-only
/* Runs the test modules and ends with one line: "N passed, N failed". */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *test_shared(void)
{
	return access("../shared/DESIGN.md", R_OK) == 0 ? "../shared" : NULL;
}

static int wanted(const struct test_module *m, int argc, char **argv)
{
	if (argc < 2)
		return 1;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], m->name) == 0)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	size_t run = 0;
	int failed = 0;

	for (const struct test_module *const *m = test_modules; *m; m++) {
		if (!wanted(*m, argc, argv))
			continue;
		failed += _cmocka_run_group_tests((*m)->name, (*m)->tests, (*m)->nr_tests, NULL, NULL);
		run += (*m)->nr_tests;
	}
	printf("%zu passed, %d failed\n", run - (size_t)failed, failed);
	return failed || !run;
}
