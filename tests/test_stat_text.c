// SPDX-License-Identifier: GPL-2.0-only
/* perf stat's tables for people: lines as perf prints them, and what they mean (tests/stat_reading.h). */
#include "tests/stat_reading.h"
#include "tests/test.h"

#define TITLE "\n Performance counter stats for 'sleep 1':\n\n"

static const struct {
	const char *name, *text, *meaning;
} cases[] = {
	{ "title, metrics, percentage, elapsed time",
	  TITLE "        9,645.94 msec task-clock                       #    0.964 CPUs utilized          \n"
		"    78,123,456      cycles:u                         #    3.114 GHz                      (35.67%)\n"
		"               423      context-switches                 #   43.853 /sec                   \n"
		"   <not supported>      LLC-loads                                                             \n"
		"     <not counted>      r76                                                     (0.00%)\n\n"
		"      10.021276358 seconds time elapsed\n\n       9.001250000 seconds user\n       0.000000000 "
		"seconds sys\n\n\n",
	  "run text cmd=sleep 1\nc task-clock 9645940000 1\nm - CPUs utilized 0.96399999999999997\n"
	  "c cycles:u 78123456 0.3567\nm - GHz 3.1139999999999999\nc context-switches 423 1\nm - /sec "
	  "43.853000000000002\n"
	  "c LLC-loads not_supported -\nc r76 not_counted 0\nR 10021276358\n" },
	{ "the percentage stands on the last line of an event",
	  TITLE
	  "          71537211      ex_ret_brn_misp                  #     21.5 %  bad_speculation_mispredicts\n"
	  "                                                  #      0.5 %  bad_speculation_pipeline_restarts  ( +-  "
	  "0.72% )  (35.67%)\n"
	  "           2224418      resyncs_or_nc_redirects                                                 (35.67%)\n",
	  "run text cmd=sleep 1\nc ex_ret_brn_misp 71537211 0.3567 noise=0.0072\nm % bad_speculation_mispredicts 21.5\n"
	  "m % bad_speculation_pipeline_restarts 0.5\nc resyncs_or_nc_redirects 2224418 0.3567\nR 0\n" },
	{ "-r",
	  "\n Performance counter stats for 'a \\' b' (5 runs):\n\n"
	  "          79557864      cpu/event=0xc3,umask=0x7/                                    ( +-  0.57% )  "
	  "(35.55%)\n\n"
	  "         # Table of individual measurements:\n         0.0106909 (+0.0000262) #\n\n         # Final "
	  "result:\n"
	  "            0.5654 +- 0.0197 seconds time elapsed  ( +-  3.49% )\n",
	  "run text cmd=a \\' b\nc cpu/event=0xc3,umask=0x7/ 79557864 0.3555 noise=0.0057\nR 565400000\n" },
	{ "places",
	  " Performance counter stats for 'system wide':\n\n"
	  "CPU0              8897132      ex_ret_brn_misp [cpu]            #      0.5 %  x\n"
	  "CPU0                                                             #      0.5 %  y  (35.67%)\n"
	  "S0-D0-C0           1            9339511      a                                                      "
	  "(35.67%)\n"
	  "S0        2           18725142      b   (35.43%)\nN0        2           18725142      c  /user.slice   "
	  "(35.43%)\n"
	  "            perf-5209               1.50 msec task-clock\n     Web Content-13242                 12      "
	  "faults\n",
	  "run text\nc ex_ret_brn_misp 8897132 0.3567 @CPU0\nm % x 0.5 @CPU0\nm % y 0.5 @CPU0\nc a 9339511 0.3567 "
	  "@S0-D0-C0\n"
	  "c b 18725142 0.3543 @S0\nc c 18725142 0.3543 @N0 cgroup=/user.slice\nc task-clock 1500000 1 @perf-5209\n"
	  "c faults 12 1 @Web Content-13242\nR 0\n" },
	{ "intervals with a summary of 6.12",
	  "#           time             counts unit events\n"
	  "     0.100138960           14637575      a                                                      (35.67%)\n"
	  "     0.100138960           14637576      a                                                      (35.67%)\n"
	  "     0.200138960               0.75 msec task-clock\n"
	  "#           time             counts unit events\n"
	  "     0.200138960      <not counted>      a\n          14637577      a\n",
	  "run text\nc a 14637575 0.3567\nc a.1 14637576 0.3567\nr 100138960\nc task-clock 750000 1\nc a not_counted "
	  "-\n"
	  "r 200138960\nc a 14637577 1\nR 200138960\n" },
	{ "locales: comma and blank, comma and point, apostrophe, no-break space, lakh",
	  TITLE
	  "          1 004,12 msec task-clock:u                     #      1,5 CPUs  CPUs_utilized       \n"
	  "        14.510.845      instructions:u                   #      3,5 instructions  insn_per_cycle  (49,81%)\n"
	  "             1.949      faults\n        14'510'845      a\n  14\xc2\xa0"
	  "510\xe2\x80\xaf"
	  "845      b\n"
	  "  14\xe2\x80\xaf"
	  "510\xe2\x80\xaf"
	  "845      c\n       1,23,45,678      d\n             12,50 MiB  e\n\n"
	  "            0,4297 seconds time elapsed\n",
	  "run text cmd=sleep 1\nc task-clock:u 1004120000 1\nm CPUs CPUs_utilized 1.5\nc instructions:u 14510845 "
	  "0.4981\n"
	  "m instructions insn_per_cycle 3.5\nc faults 1949 1\nc a 14510845 1\nc c 14510845 1\nc d 12345678 1\nc e "
	  "12.5 1\n"
	  "R 429700000\nd line 1\nd locale 3\n" },
	{ "a scaled count with three decimals can be two numbers",
	  TITLE "             1.949 msec task-clock\n              12      a\n",
	  "run text cmd=sleep 1\nc a 12 1\nR 0\nd line_ambiguous 1\n" },
	{ "old perf: unit behind the event, percentage in brackets",
	  TITLE "       1234.567890 task-clock (msec)         #    0.999 CPUs utilized\n       12 cycles        #    "
		"3.5 GHz   [83.25%]\n",
	  "run text cmd=sleep 1\nc task-clock 1234567890 1\nm - CPUs utilized 0.999\nc cycles 12 0.8325\nm - GHz "
	  "3.5\nR 0\n" },
	{ "metric groups",
	  TITLE "                        TopdownL1                 #     68.5 %  tma_backend_bound\n"
		"                                                  #      3.5 %  tma_bad_speculation   (12.00%)\n",
	  "run text cmd=sleep 1\nm % tma_backend_bound 68.5\nm % tma_bad_speculation 3.5\nR 0\n" },
	{ "--metric-only: the header may begin further left",
	  TITLE "      %  branch_misprediction_ratio macro_ops_dispatched \n"
		"CPU0                                  2.5          81815801.00 \nCPU1                                 "
		" nan          81898225.00 \n",
	  "run text cmd=sleep 1\nm % branch_misprediction_ratio 2.5 @CPU0\nm - macro_ops_dispatched 81815801 @CPU0\n"
	  "m % branch_misprediction_ratio nan @CPU1\nm - macro_ops_dispatched 81898225 @CPU1\nR 0\n" },
	{ "--metric-only: columns of names wider by one (7.2)",
	  TITLE " %  bad_speculation_mispredicts %  bad_speculation_pipeline_restarts   %  bad_speculation \n"
		"                          21.5                                 0.5                22.5 \n",
	  "run text cmd=sleep 1\nm % bad_speculation_mispredicts 21.5\nm % bad_speculation_pipeline_restarts 0.5\n"
	  "m % bad_speculation 22.5\nR 0\n" },
	{ "--metric-only: one number is no row of several names",
	  TITLE " %  bad_speculation_mispredicts %  bad_speculation_pipeline_restarts \n   12\n",
	  "run text cmd=sleep 1\nd line 1\n" },
	{ "runs one after the other, other programs' lines between",
	  "Hello\n   12 apples\n" TITLE
	  "                12      a\n\n       1.000000000 seconds time elapsed\n   13 pears\n" TITLE
	  "                14      a\nSome events weren't counted. Try disabling the NMI watchdog:\n"
	  "\techo 0 > /proc/sys/kernel/nmi_watchdog\n",
	  "run text cmd=sleep 1\nc a 12 1\nR 1000000000\nd line_foreign 3\nrun text cmd=sleep 1\nc a 14 1\nR 0\n" },
	{ "a piece of a table, cut out of a page",
	  "       910,366,687      L1-dcache-load-misses            #      2.5 %  l1d_miss_rate            "
	  "(42.89%)\n\nPipelineL1:\n"
	  "    44,116,386,583      ls_not_halted_cyc                                                       (49.98%)\n",
	  "run text\nc L1-dcache-load-misses 910366687 0.4289\nm % l1d_miss_rate 2.5\nc ls_not_halted_cyc 44116386583 "
	  "0.4998\nR 0\n"
	  "d line_foreign 1\n" },
	{ "metrics, cut out of a page",
	  " 0.5 %  bad_speculation   (20.08%) \n65.5 %  backend_bound_cpu                  (20.00%)\n",
	  "run text\nm % bad_speculation 0.5\nm % backend_bound_cpu 65.5\nR 0\n" },
	{ "text and CSV in one file", TITLE "                12      a\n1,,cycles,5,100.00,,\n",
	  "run text cmd=sleep 1\nc a 12 1\nR 0\nrun csv\nc cycles 1 1 run=5\nR 0\n" },
	{ "a program's lines between intervals are no summary",
	  "#           time             counts unit events\n"
	  "     0.100138960           14637575      a                                                      (35.67%)\n"
	  "  12 apples\n   13      pears\n"
	  "     0.200138960           14637576      a                                                      (35.67%)\n",
	  "run text\nc a 14637575 0.3567\nr 100138960\nc a 14637576 0.3567\nr 200138960\nd line_foreign 2\n" },
	{ "a program's line in a table, and rows of old perf",
	  TITLE "             12345 cycles\n12 apples\n 7 green pears\n",
	  "run text cmd=sleep 1\nc cycles 12345 1\nR 0\nd line_foreign 2\n" },
	{ "a last line that is cut off",
	  TITLE "                12      a\n                13      b   (12.00%)\n                14      ex_ret_o",
	  "run text cmd=sleep 1\nc a 12 1\nc b 13 0.12\nR 0\nd line 1\n" },
	{ "a run without counts", "# started on Mon Nov 30 17:15:09 2026\n\n\n\n", "run text\n" },
	{ "perf script", "dd 29776 666709.771979:   10101010 cpu-clock: \n\t          414b3b fsnotify (/x)\n",
	  "refused: is the text of perf script, not of perf stat\n" },
	{ "perf report",
	  "# To display the perf.data header info, please use --header/--header-only options.\n#\n"
	  "# Samples: 12  of event 'cycles'\n# Overhead  Command\n    12.00%  sh  [.] main\n",
	  "refused: is the text of perf report, not of perf stat\n" },
	{ "no perf at all", "Dear reader,\n\n  12 apples and 3.5% (35.00%) pears\n",
	  "refused: no line of it is perf stat output\n" },
};

static void tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		stat_reading_check(cases[i].name, cases[i].text, cases[i].meaning);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(tables) };

TEST_MODULE(stat_text, tests);
