// SPDX-License-Identifier: GPL-2.0-only
/* The pipeline in sentences: what is said of which values, and when nothing is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/report_words.h"
#include "tests/test.h"

#define EXACT 0
#define NO_ERROR NAN

/* Values and half widths in percent. */
struct row_spec {
	const char *name;
	double value, half;
	const char *why; /* no value: "not_counted"; or "missing" */
};

struct words_case {
	const char *what;
	struct row_spec rows[14];
	struct check_row check; /* fired, when its class is not info or its threshold is not 0 */
	const char *reason;     /* of rows without an error; also makes them `caution` unless it is single-total */
	const char *findings, *limits;
};

#define RETIRING(value, half) { "retiring", value, half, NULL }
#define FRONTEND(value, half) { "frontend_bound", value, half, NULL }
#define SPECULATION(value, half) { "bad_speculation", value, half, NULL }
#define BACKEND(value, half) { "backend_bound", value, half, NULL }
#define MEMORY(value, half) { "backend_bound_memory", value, half, NULL }
#define CPU(value, half) { "backend_bound_cpu", value, half, NULL }
#define SMT(value, half) { "smt_contention", value, half, NULL }

static const struct words_case cases[] = {
	{ "exact, with a split",
	  { RETIRING(30, EXACT), FRONTEND(10, EXACT), SPECULATION(5, EXACT), BACKEND(54.9, EXACT), MEMORY(40, EXACT),
	    CPU(14.9, EXACT), SMT(0.1, EXACT) },
	  { 0 }, "",
	  "30.0 % of the dispatch slots retired an op. The largest loss is backend_bound with 54.9 %: the back end accepted no "
	  "op. Its larger part is backend_bound_memory with 40.0 % (waiting for loads), against backend_bound_cpu with 14.9 %. "
	  "Smaller: frontend_bound with 10.0 % (the front end delivered no op), bad_speculation with 5.0 % and smt_contention "
	  "with 0.1 %.",
	  "" },
	{ "intervals that are apart",
	  { RETIRING(30, 0.5), FRONTEND(10, 2), SPECULATION(5, 1), BACKEND(54.9, 3), SMT(0.1, 0.001) },
	  { 0 }, "",
	  "30.0 ±0.5 % of the dispatch slots retired an op. The largest loss is backend_bound with 54.9 ±3.0 %: the back end "
	  "accepted no op. Smaller: frontend_bound with 10.0 ±2.0 % (the front end delivered no op), bad_speculation with "
	  "5.0 ±1.0 % and smt_contention with 0.1 ±0.1 %.",
	  "" },
	{ "the two largest overlap",
	  { RETIRING(30, 0.5), FRONTEND(33, 2), SPECULATION(5, 1), BACKEND(31, 1), SMT(1, 0.2) },
	  { 0 }, "",
	  "30.0 ±0.5 % of the dispatch slots retired an op. The largest losses are frontend_bound with 33.0 ±2.0 % and "
	  "backend_bound with 31.0 ±1.0 %; which of them is the largest cannot be said. Smaller: bad_speculation with 5.0 ±1.0 % "
	  "and smt_contention with 1.0 ±0.2 %.",
	  "" },
	{ "touching is not apart, a chain is one",
	  { RETIRING(30, 0.5), FRONTEND(24, 1), SPECULATION(20, 1), BACKEND(22, 1), SMT(4, 0.2) },
	  { 0 }, "",
	  "30.0 ±0.5 % of the dispatch slots retired an op. The largest losses are frontend_bound with 24.0 ±1.0 %, backend_bound "
	  "with 22.0 ±1.0 % and bad_speculation with 20.0 ±1.0 %; which of them is the largest cannot be said. Smaller: "
	  "smt_contention with 4.0 ±0.2 %.",
	  "" },
	{ "all overlap",
	  { RETIRING(60, 2), FRONTEND(11, 4), SPECULATION(9, 4), BACKEND(12, 4), SMT(8, 4) },
	  { 0 }, "",
	  "60.0 ±2.0 % of the dispatch slots retired an op. Which loss is the largest cannot be said: they are too close for what "
	  "is known of their error.",
	  "" },
	{ "the largest is inside its error, others are not",
	  { RETIRING(93, 2), FRONTEND(1, 0.2), SPECULATION(1, 0.2), BACKEND(4, 5), SMT(1, 0.3) },
	  { 0 }, "",
	  "93.0 ±2.0 % of the dispatch slots retired an op. Which loss is the largest cannot be said: they are too close for what "
	  "is known of their error.",
	  "" },
	{ "all are inside their error",
	  { RETIRING(93, 2), FRONTEND(1, 1.2), SPECULATION(1, 1.2), BACKEND(4, 5), SMT(1, 1.3) },
	  { 0 }, "", "93.0 ±2.0 % of the dispatch slots retired an op. No loss is larger than its error.", "" },
	{ "a total, apart",
	  { RETIRING(30, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(5, NO_ERROR), BACKEND(50, NO_ERROR), SMT(0, NO_ERROR) },
	  { 0 }, "single-total",
	  "30.0 % of the dispatch slots retired an op. The largest loss is backend_bound with 50.0 %: the back end accepted no "
	  "op. Smaller: frontend_bound with 15.0 % (the front end delivered no op), bad_speculation with 5.0 % and smt_contention "
	  "with 0.0 %.",
	  "How far multiplexing moved these values is not known (single-total): events were counted for 25.0 % of the time, and "
	  "nothing was seen of the rest." },
	{ "a total, less than the margin apart",
	  { RETIRING(69.2, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(0.4, NO_ERROR), BACKEND(15.4, NO_ERROR),
	    SMT(0, NO_ERROR) },
	  { 0 }, "single-total",
	  "69.2 % of the dispatch slots retired an op. The largest losses are backend_bound with 15.4 % and frontend_bound with "
	  "15.0 %; which of them is the largest cannot be said. Smaller: bad_speculation with 0.4 % and smt_contention with 0.0 %.",
	  "How far multiplexing moved these values is not known (single-total): events were counted for 25.0 % of the time, and "
	  "nothing was seen of the rest." },
	{ "the sum misses 1 by more than the two differ",
	  { RETIRING(34, NO_ERROR), FRONTEND(30, NO_ERROR), SPECULATION(0, NO_ERROR), BACKEND(32, NO_ERROR), SMT(0, NO_ERROR) },
	  { CHECK_CLOSURE_RESIDUAL, CHECK_WARN, 0.04, 0.02, "sum below 1", 0 }, "single-total",
	  "34.0 % of the dispatch slots retired an op. The largest losses are backend_bound with 32.0 % and frontend_bound with "
	  "30.0 %; which of them is the largest cannot be said. Smaller: bad_speculation with 0.0 % and smt_contention with 0.0 %.",
	  "How far multiplexing moved these values is not known (single-total): events were counted for 25.0 % of the time, and "
	  "nothing was seen of the rest. The shares of level 1 add up to 96.0 %: at least one of them is off by 0.80 % of the "
	  "slots." },
	{ "nothing stands out",
	  { RETIRING(99.2, NO_ERROR), FRONTEND(0.3, NO_ERROR), SPECULATION(0, NO_ERROR), BACKEND(0.4, NO_ERROR),
	    SMT(0, NO_ERROR) },
	  { 0 }, "single-total", "99.2 % of the dispatch slots retired an op. No loss stands out.",
	  "How far multiplexing moved these values is not known (single-total): events were counted for 25.0 % of the time, and "
	  "nothing was seen of the rest." },
	{ "the sum is wrong: nothing is ranked, although values are far apart",
	  { RETIRING(34, NO_ERROR), FRONTEND(11, NO_ERROR), SPECULATION(17, NO_ERROR), BACKEND(12, NO_ERROR), SMT(1, NO_ERROR) },
	  { CHECK_CLOSURE_RESIDUAL, CHECK_NO_INTERVAL, 0.25, 0.05, "sum below 1", 0 }, "closure-failed", "",
	  "The shares of level 1 add up to 75.0 %, so they cannot all be right, and which are wrong is not known: none of them is "
	  "ranked." },
	{ "the sum drifts",
	  { RETIRING(30, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(5, NO_ERROR), BACKEND(50, NO_ERROR), SMT(0, NO_ERROR) },
	  { CHECK_CLOSURE_DRIFT, CHECK_NO_INTERVAL, 0.01, 0.005, "", 0 }, "closure-failed", "",
	  "No share is ranked: the sum of the level 1 shares drifts slowly: the rotation may be in step with the program "
	  "(closure_drift)." },
	{ "too little was seen",
	  { RETIRING(30, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(5, NO_ERROR), BACKEND(50, NO_ERROR), SMT(0, NO_ERROR) },
	  { CHECK_COVERAGE_LOW, CHECK_NO_INTERVAL, 0.001, 0.01, "ex_ret_ops", 0 }, "coverage-low", "",
	  "No share is ranked: an event ran for a small part of the time (coverage_low)." },
	{ "a loss is not in the capture",
	  { RETIRING(30, EXACT), FRONTEND(10, EXACT), SPECULATION(5, EXACT), BACKEND(54.9, EXACT),
	    { "smt_contention", NAN, NAN, "missing" } },
	  { 0 }, "",
	  "30.0 % of the dispatch slots retired an op. The largest loss that is known is backend_bound with 54.9 %: the back end "
	  "accepted no op. Smaller: frontend_bound with 10.0 % (the front end delivered no op) and bad_speculation with 5.0 %.",
	  "smt_contention is not known: events not in the capture." },
	{ "two were refused, one loss is left: nothing is ranked",
	  { RETIRING(30, EXACT), { "frontend_bound", NAN, NAN, "not_counted" }, { "bad_speculation", NAN, NAN, "missing" },
	    BACKEND(54.9, EXACT), { "smt_contention", NAN, NAN, "not_counted" } },
	  { 0 }, "", "30.0 % of the dispatch slots retired an op.",
	  "frontend_bound and smt_contention are not known: an event never ran here (not_counted). bad_speculation is not known: events not in the "
	  "capture." },
	{ "nothing is known",
	  { { "retiring", NAN, NAN, "not_counted" }, { "frontend_bound", NAN, NAN, "not_counted" } },
	  { 0 }, "", "", "retiring and frontend_bound are not known: an event never ran here (not_counted)." },
	{ "parts that overlap, of a loss with a wide error",
	  { RETIRING(30, 5), FRONTEND(10, 2), SPECULATION(13, 4), BACKEND(46, 15), MEMORY(28.9, 14.3), CPU(17.6, 0.9), SMT(1, 0.1) },
	  { 0 }, "",
	  "30.0 ±5.0 % of the dispatch slots retired an op. The largest loss is backend_bound with 46.0 ±15.0 % (unreliable): the "
	  "back end accepted no op. Which part of backend_bound is the largest cannot be said: backend_bound_memory with 28.9 "
	  "±14.3 % (unreliable) and backend_bound_cpu with 17.6 ±0.9 % are too close for what is known of their error. Smaller: "
	  "bad_speculation with 13.0 ±4.0 % (the op was dispatched and never retired), frontend_bound with 10.0 ±2.0 % (the "
	  "front end delivered no op) and smt_contention with 1.0 ±0.1 %.",
	  "" },
	{ "a part is not known: no split",
	  { RETIRING(30, EXACT), FRONTEND(10, EXACT), SPECULATION(5, EXACT), BACKEND(54.9, EXACT), MEMORY(40, EXACT),
	    { "backend_bound_cpu", NAN, NAN, "zero_denominator" }, SMT(0.1, EXACT) },
	  { 0 }, "",
	  "30.0 % of the dispatch slots retired an op. The largest loss is backend_bound with 54.9 %: the back end accepted no "
	  "op. Smaller: frontend_bound with 10.0 % (the front end delivered no op), bad_speculation with 5.0 % and smt_contention "
	  "with 0.1 %.",
	  "" },
	{ "two captures",
	  { RETIRING(30, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(5, NO_ERROR), BACKEND(50, NO_ERROR), SMT(0, NO_ERROR) },
	  { 0 }, "too-few-captures",
	  "30.0 % of the dispatch slots retired an op. The largest loss is backend_bound with 50.0 %: the back end accepted no "
	  "op. Smaller: frontend_bound with 15.0 % (the front end delivered no op), bad_speculation with 5.0 % and smt_contention "
	  "with 0.0 %.",
	  "How far runs differ is not known: that takes 3 captures (too-few-captures)." },
	{ "the same capture twice",
	  { RETIRING(30, NO_ERROR), FRONTEND(15, NO_ERROR), SPECULATION(5, NO_ERROR), BACKEND(50, NO_ERROR), SMT(0, NO_ERROR) },
	  { CHECK_DUPLICATE_CAPTURES, CHECK_NO_INTERVAL, 1, 1, "", 0 }, "duplicate_captures", "",
	  "No share is ranked: two captures have the same counts (duplicate_captures)." },
	{ "little was seen of some",
	  { RETIRING(30, 0.5), FRONTEND(10, 2), SPECULATION(5, 1), BACKEND(54.9, 3), SMT(0.1, 0.001) },
	  { CHECK_COVERAGE_LOW, CHECK_WARN, 0.0414, 0.1, "ex_ret_ops", 2 }, "",
	  "30.0 ±0.5 % of the dispatch slots retired an op. The largest loss is backend_bound with 54.9 ±3.0 %: the back end "
	  "accepted no op. Smaller: frontend_bound with 10.0 ±2.0 % (the front end delivered no op), bad_speculation with "
	  "5.0 ±1.0 % and smt_contention with 0.1 ±0.1 %.",
	  "ex_ret_ops and 2 others were counted for only 4.1 % of the time." },
	{ "events of a share at different times",
	  { RETIRING(93, 2), FRONTEND(1, 1.2), SPECULATION(1, 1.2), BACKEND(4, 5), SMT(1, 1.3) },
	  { CHECK_COVERAGE_UNEQUAL, CHECK_WARN, 1.5, 1.2, "bad_speculation", 0 }, "",
	  "93.0 ±2.0 % of the dispatch slots retired an op. No loss is larger than its error.",
	  "The events of bad_speculation were counted at different times, some of them 1.5 times as long as others." },
	{ "some have no error",
	  { RETIRING(30, 0.5), FRONTEND(15, 1), SPECULATION(5, 0.5), BACKEND(50, NO_ERROR), SMT(0, 0.1) },
	  { 0 }, "nonfinite-replicate",
	  "30.0 ±0.5 % of the dispatch slots retired an op. The largest loss is backend_bound with 50.0 %: the back end accepted "
	  "no op. Smaller: frontend_bound with 15.0 ±1.0 % (the front end delivered no op), bad_speculation with 5.0 ±0.5 % and "
	  "smt_contention with 0.0 ±0.1 %.",
	  "How far multiplexing moved those without an error is not known (nonfinite-replicate): events were counted for 25.0 % of "
	  "the time, and nothing was seen of the rest." },
};

static struct metric_result result_for(const struct words_case *c, const struct row_spec *s)
{
	struct metric_result r = { .value = s->value / 100, .lo = NAN, .hi = NAN, .se = NAN, .coverage = 0.25, .reason = "" };

	if (s->why) {
		r.status = METRIC_REFUSED;
		r.reason = s->why;
	} else if (isnan(s->half)) {
		r.reason = c->reason;
		r.status = strcmp(c->reason, "single-total") ? METRIC_CAUTION : METRIC_OK;
	} else {
		r.method = s->half > 0 ? METHOD_INTERVALS : METHOD_EXACT;
		r.lo = r.value - s->half / 100;
		r.hi = r.value + s->half / 100;
		r.coverage = s->half > 0 ? 0.25 : 1;
	}
	return r;
}

static void check_words(const struct words_case *c)
{
	struct metric_result results[14];
	struct words_row rows[14];
	struct check_list checks = { .nr = 0 };
	struct report_words w;
	size_t nr = 0;

	for (; nr < 14 && c->rows[nr].name; nr++) {
		const char *name = c->rows[nr].name, *why = c->rows[nr].why;
		bool part = strcmp(name, "backend_bound_memory") == 0 || strcmp(name, "backend_bound_cpu") == 0;

		results[nr] = result_for(c, &c->rows[nr]);
		rows[nr] = (struct words_row){ .name = name, .level = part ? 2 : 1, .result = &results[nr] };
		if (why && strcmp(why, "missing") == 0)
			rows[nr] = (struct words_row){ .name = name, .level = part ? 2 : 1,
						       .missing = "events not in the capture" };
	}
	if (c->check.threshold > 0)
		checks.rows[checks.nr++] = c->check;
	w = report_words(rows, nr, &checks);
	if (strcmp(w.findings, c->findings) || strcmp(w.limits, c->limits))
		fail_msg("%s:\n%s\n%s\nexpected:\n%s\n%s", c->what, w.findings, w.limits, c->findings, c->limits);
	report_words_free(&w);
}

static void test_sentences(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_words(&cases[i]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_sentences),
};

TEST_MODULE(report_words, tests);
