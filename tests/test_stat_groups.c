// SPDX-License-Identifier: GPL-2.0-only
/* Groups that perf stat output does not print, recovered from times, percentages and repeated events. */
#include <stdio.h>

#include "tests/stat_reading.h"
#include "tests/test.h"

#define TITLE "\n Performance counter stats for 'x':\n\n"

/* `groups`: for each event the position of its leader, "-" none, "!" behind it where it is certain. */
static const struct {
	const char *name, *text, *groups;
} cases[] = {
	{ "equal nanoseconds under multiplexing",
	  "1,,a,50,50.00,,\n2,,cyc,50,50.00,,\n3,,b,60,60.00,,\n4,,cyc,60,60.00,,\n5,,c,70,70.00,,\n",
	  "0! 0! 2! 2! -" },
	{ "equal nanoseconds, but an event comes twice: two groups that ran together",
	  "1,,a,50,50.00,,\n2,,cyc,50,50.00,,\n3,,b,50,50.00,,\n4,,cyc,50,50.00,,\n", "0! 0! 2! 2!" },
	{ "no multiplexing: only copies are kept apart",
	  "1,,a,50,100.00,,\n2,,cyc,50,100.00,,\n3,,b,50,100.00,,\n4,,cyc,50,100.00,,\n", "0 0 2 2" },
	{ "no multiplexing, no copies", "1,,a,50,100.00,,\n2,,b,50,100.00,,\n", "- -" },
	{ "equal at one place, different at another",
	  "CPU0,1,,a,50,50.00,,\nCPU1,1,,a,51,50.00,,\nCPU0,1,,b,50,50.00,,\nCPU1,1,,b,52,50.00,,\n", "- -" },
	{ "equal at both places",
	  "CPU0,1,,a,50,50.00,,\nCPU1,1,,a,51,50.00,,\nCPU0,1,,b,50,50.00,,\nCPU1,1,,b,51,50.00,,\n", "0! 0!" },
	{ "one did not count where the other did", "1,,a,50,50.00,,\n<not counted>,,b,0,0.00,,\n", "- -" },
	{ "later intervals change nothing",
	  "1.000000000,1,,a,50,50.00,,\n1.000000000,1,,b,50,50.00,,\n2.000000000,1,,a,50,50.00,,\n2.000000000,1,,b,51,"
	  "50.00,,\n",
	  "0! 0!" },
	{ "percentages of text are no proof",
	  TITLE "                 1      a   (50.00%)\n                 1      b   (50.00%)\n                 1      c "
		"  (25.00%)\n",
	  "- - -" },
	{ "text: what comes after an event that comes again begins a group",
	  TITLE "                 1      misp   (25.00%)\n                 1      disp   (25.00%)\n                 1  "
		"    cyc   (25.00%)\n"
		"                 1      ops   (25.00%)\n                 1      load   (25.00%)\n                 1   "
		"   cyc   (25.00%)\n"
		"                 1      ucode   (25.00%)\n                 1      cyc   (25.00%)\n                 1  "
		"    ops   (25.00%)\n",
	  "0 0 0 0 4 4 6 6 6" },
	{ "text: the event that comes again leads",
	  TITLE "                 1      cyc   (25.00%)\n                 1      a   (25.00%)\n                 1      "
		"b   (25.00%)\n"
		"                 1      cyc   (25.00%)\n                 1      c   (25.00%)\n",
	  "0 0 0 3 3" },
	{ "text: percentages that differ divide",
	  TITLE "                 1      a   (25.01%)\n                 1      cyc   (25.01%)\n"
		"                 1      b   (25.00%)\n                 1      cyc   (25.00%)\n",
	  "0 0 2 2" },
};

static void print_groups(void *user, const struct capture *c)
{
	char *to = user;

	for (size_t i = 0; i < c->nr_events; i++) {
		if (c->events[i].group < 0)
			to += sprintf(to, "%s-", i ? " " : "");
		else
			to += sprintf(to, "%s%d%s", i ? " " : "", c->events[i].group,
				      c->events[i].group_known ? "!" : "");
	}
}

static void groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char found[200] = "";
		struct stat_reading_visit visit = { NULL, print_groups, found };
		struct stat_reading r;

		stat_reading_of_memory(cases[i].text, strlen(cases[i].text), &visit, &r);
		if (strcmp(found, cases[i].groups) != 0)
			fail_msg("%s: groups %s and not %s", cases[i].name, found, cases[i].groups);
		stat_reading_free(&r);
	}
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(groups) };

TEST_MODULE(stat_groups, tests);
