// SPDX-License-Identifier: GPL-2.0-only
/* perf stat -j: objects as perf writes them, and what they mean (tests/stat_reading.h). */
#include "tests/stat_reading.h"
#include "tests/test.h"

static const struct {
	const char *name, *text, *meaning;
} cases[] = {
	{ "perf 6.1: a comment before, empty metrics",
	  "# started on Mon Nov 30 17:14:52 2026\n\n"
	  "{\"counter-value\" : \"78983089.000000\", \"unit\" : \"\", \"event\" : \"cpu/event=0xc3/\", "
	  "\"event-runtime\" : 191430844, \"pcnt-running\" : 35.00, \"metric-value\" : 0.000000, \"metric-unit\" : "
	  "\"(null)\"}\n"
	  "{\"counter-value\" : \"524.324875\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : "
	  "524324875, \"pcnt-running\" : 100.00, \"metric-value\" : 0.986744, \"metric-unit\" : \"CPUs utilized\"}\n",
	  "run json\nc cpu/event=0xc3/ 78983089 0.35 run=191430844\n"
	  "c task-clock 524324875 1 run=524324875\nm - CPUs utilized 0.98674399999999995\nR 0\n" },
	{ "perf 6.12: intervals, further metrics, numbers as strings",
	  "{\"interval\" : 0.103296078, \"counter-value\" : \"14953586.000000\", \"unit\" : \"\", \"event\" : "
	  "\"ex_ret_brn_misp\", \"event-runtime\" : 36242923, \"pcnt-running\" : 35.00, \"metric-value\" : \"21.5\", "
	  "\"metric-unit\" : \"%  bad_speculation_mispredicts\"}\n"
	  "{\"interval\" : 0.103296078, \"metric-value\" : \"nan\", \"metric-unit\" : \"%  "
	  "bad_speculation_pipeline_restarts\"}\n"
	  "{\"interval\" : 0.203296078, \"counter-value\" : \"1.000000\", \"unit\" : \"\", \"event\" : "
	  "\"ex_ret_brn_misp\", \"event-runtime\" : 36242923, \"pcnt-running\" : 35.00, \"metric-value\" : "
	  "\"0.000000\", \"metric-unit\" : \"(null)\"}\n",
	  "run json\nc ex_ret_brn_misp 14953586 0.35 run=36242923\nm % bad_speculation_mispredicts 21.5\n"
	  "m % bad_speculation_pipeline_restarts nan\nr 103296078\nc ex_ret_brn_misp 1 0.35 run=36242923\nr "
	  "203296078\n" },
	{ "perf 7.2: no empty metrics, threshold, counters, states",
	  "{\"core\" : \"S0-D0-C0\", \"counters\" : 1, \"counter-value\" : \"9.000000\", \"unit\" : \"\", \"event\" : "
	  "\"a\", \"event-runtime\" : 5, \"pcnt-running\" : 100.00, \"metric-value\" : \"1.5\", \"metric-unit\" : \"%  "
	  "x\", \"metric-threshold\" : \"good\"}\n"
	  "{\"core\" : \"S0-D0-C1\", \"counters\" : 1, \"counter-value\" : \"<not supported>\", \"unit\" : \"\", "
	  "\"event\" : \"a\", \"event-runtime\" : 0, \"pcnt-running\" : 100.00}\n",
	  "run json\nc a 9 1 run=5 @S0-D0-C0\nm % x 1.5 @S0-D0-C0\nc a not_supported - run=0 @S0-D0-C1\nR 0\n" },
	{ "-A, -r, cgroup, thread",
	  "{\"cpu\" : \"1\", \"counter-value\" : \"9.000000\", \"unit\" : \"\", \"event\" : \"a [cpu]\", \"cgroup\" : "
	  "\"/x\", \"variance\" : 0.57, \"event-runtime\" : 5, \"pcnt-running\" : 100.00}\n"
	  "{\"thread\" : \"a b-12\", \"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"b\", "
	  "\"event-runtime\" : 0, \"pcnt-running\" : 0.00}\n",
	  "run json\nc a 9 1 run=5 noise=0.0057 @1 cgroup=/x\nc b not_counted 0 run=0 @a b-12\nR 0\n" },
	{ "decimal comma makes it no JSON",
	  "{\"counter-value\" : \"0,494894\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : "
	  "494894, \"pcnt-running\" : 100,00, \"metric-value\" : 0,222051, \"metric-unit\" : \"CPUs utilized\"}\n",
	  "run json\nc task-clock 494894 1 run=494894\nm - CPUs utilized 0.222051\nR 0\nd locale 1\n" },
	{ "several on a line, an array, other spacing",
	  "[{\"counter-value\":\"1.5\",\"unit\":\"\",\"event\":\"a\"}{\"counter-value\":2,\"event\":\"b\"},\n{"
	  "\"event\":\"c\",\n  \"counter-value\":\"3\"\n}\n]\n",
	  "run json\nc a 1.5 -\nc b 2 -\nc c 3 -\nR 0\n" },
	{ "names that are not escaped, and some that are",
	  "{\"counter-value\" : \"1\", \"unit\" : \"\", \"event\" : \"cpu/name=\"x\"/\", \"event-runtime\" : 5, "
	  "\"pcnt-running\" : 50.00}\n"
	  "{\"counter-value\" : \"2\", \"unit\" : \"\", \"event\" : \"cpu\\/event=1\\/\"}\n",
	  "run json\nc cpu/name=\"x\"/ 1 0.5 run=5\nc cpu/event=1/ 2 -\nR 0\n" },
	{ "--metric-only",
	  "{\"core\" : \"S0-D0-C0\", \"counters\" : 1, \"%  bad_speculation\" : \"none\", \"%  retiring\" : \"16.5\"}\n"
	  "{\"core\" : \"S0-D0-C1\", \"counters\" : 1, \"GHz\" : \"0.5\", \"insn per cycle\" : \"2.5\"}\n",
	  "run json\nm % bad_speculation nan @S0-D0-C0\nm % retiring 16.5 @S0-D0-C0\nm - GHz 0.5 @S0-D0-C1\nm - insn "
	  "per cycle 2.5 @S0-D0-C1\nR 0\n" },
	{ "--metric-only of 6.1 lacks commas and braces",
	  "{      \"unit\" : \"CPUs utilized\"\"unit\" : \"macro_ops_dispatched\"}\n"
	  "{\"core\" : \"S0-D0-C0\", \"aggregate-number\" : 1, {\"metric-value\" : \"1.5\"}{\"metric-value\" : "
	  "\"103176016.00\"}\n",
	  "run json\nm - CPUs utilized 1.5 @S0-D0-C0\nm - macro_ops_dispatched 103176016 @S0-D0-C0\nR 0\n" },
	{ "metric groups hold no number",
	  "{\"counter-value\" : \"1\", \"event\" : \"a\"}\n{\"event-runtime\" : 225902840555, \"pcnt-running\" : "
	  "100.00, \"metricgroup\" : \"TopdownL1\"}\n"
	  "{\"metric-value\" : \"69.5\", \"metric-unit\" : \"%  tma_backend_bound\"}\n",
	  "run json\nc a 1 -\nm % tma_backend_bound 69.5\nR 0\n" },
	{ "damage is told, the rest is read",
	  "{\"counter-value\" : \"1\", \"event\" : \"a\"}\n{\"counter-value\" : \"2\", \"ev\n{\"counter-value\" : "
	  "\"x\", \"event\" : \"b\"}\nhello\n"
	  "{\"counter-value\" : \"3\", \"event\" : \"c\"}\n{\"other\" : 1}\n{\"counter-value\" : \"4\", \"event\"",
	  "run json\nc a 1 -\nc c 3 -\nR 0\nd line 3\nd line_foreign 2\n" },
	{ "runs appended without a word",
	  "{\"counter-value\" : \"1\", \"event\" : \"a\"}{\"counter-value\" : \"2\", \"event\" : "
	  "\"b\"}{\"counter-value\" : \"3\", \"event\" : \"a\"}{\"counter-value\" : \"4\", \"event\" : \"b\"}\n",
	  "run json\nc a 1 -\nc b 2 -\nR 0\nrun json\nc a 3 -\nc b 4 -\nR 0\n" },
	{ "another program's JSON", "{\"name\" : \"x\", \"value\" : 12}\n[1, 2, 3]\n{}\n",
	  "refused: no line of it is perf stat output\n" },
};

static void objects(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		stat_reading_check(cases[i].name, cases[i].text, cases[i].meaning);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(objects) };

TEST_MODULE(stat_json, tests);
