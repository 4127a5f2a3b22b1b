// SPDX-License-Identifier: GPL-2.0-only
/* Metrics that perf printed: kept where they agree with its counts, told where they do not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "metrics/analysis.h"

#include "tests/test.h"

/* One text with 1000 slots of which 62 were lost; what is printed of it is in the cases. */
static const char text[] = "# started on Mon Nov  2 10:00:00 2026\n\n\n Performance counter stats for 'true':\n\n"
			   "               620      de_no_dispatch_per_slot.no_ops_from_frontend #%s\n"
			   "            10,000      ls_not_halted_cyc\n"
			   "                 6      cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/\n\n"
			   "       0.001000000 seconds time elapsed\n\n";

static const struct {
	const char *printed; /* behind the # of the row */
	double value_perf;   /* NaN: none */
	bool differs;
} cases[] = {
	{ "      1.0 %  frontend_bound         ", 0.010, false },
	{ "      1.1 %  frontend_bound         ", 0.011, true }, /* 1.033 prints as 1.0 */
	{ "      1.2 %  frontend_bound         ", 0.012, true },
	{ "     61.2 %  frontend_bound         ", 0.612, true },
	{ "      nan %  frontend_bound         ", NAN, false },
	{ "      1.0 %  no_such_metric         ", NAN, false },
};

struct found {
	double value, value_perf;
	bool differs;
};

static int on_scope(void *user, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		    struct error *err)
{
	struct found *f = user;
	int32_t m = set_find_metric(a->set, "frontend_bound");

	(void)s;
	(void)err;
	f->value = results[m].value;
	f->value_perf = results[m].value_perf;
	for (size_t i = 0; i < a->checks->nr; i++)
		f->differs |= a->checks->rows[i].id == CHECK_PRINTED_DIFFERS;
	return 0;
}

static struct found read_text(const char *printed)
{
	const struct scope_request run = { false, PLACE_RUN };
	const struct analysis_options options = { .requests = &run, .nr_requests = 1, .set_name = "amdzen4" };
	const struct analysis_visitor visitor = { .scope = on_scope };
	const struct capture_options reading = { 0 };
	char path[] = "/tmp/perftab-test-XXXXXX";
	int fd = mkstemp(path);
	struct found found = { 0 };
	struct capture_reader *reader;
	struct capture *capture;
	struct error err = { "" };

	assert_true(fd >= 0);
	dprintf(fd, text, printed);
	close(fd);
	reader = capture_open(path, &reading, &err);
	assert_non_null(reader);
	assert_int_equal(capture_run(reader, &capture, &err), 1);
	assert_int_equal(analysis_run(reader, capture, &options, &visitor, &found, &err), 0);
	capture_close(reader);
	unlink(path);
	return found;
}

static void printed_is_kept_and_compared(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct found f = read_text(cases[i].printed);
		bool fits = f.differs == cases[i].differs &&
			    (isnan(cases[i].value_perf) ? isnan(f.value_perf) : fabs(f.value_perf - cases[i].value_perf) < 1e-12);

		if (!fits || fabs(f.value - 620.0 / 60000) > 1e-9)
			print_error("printed '%s': value %g, value_perf %g, differs %d\n", cases[i].printed, f.value,
				    f.value_perf, f.differs);
		assert_true(fits);
		assert_true(fabs(f.value - 620.0 / 60000) < 1e-9);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(printed_is_kept_and_compared),
};

TEST_MODULE(printed, tests);
