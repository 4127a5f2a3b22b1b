// SPDX-License-Identifier: GPL-2.0-only
/* perf stat -x: rows as perf writes them, and what they mean (tests/stat_reading.h). */
#include "tests/stat_reading.h"
#include "tests/test.h"

static const struct {
	const char *name, *text, *meaning;
} cases[] = {
	{ "shadow metrics of 6.1",
	  "# started on Mon Nov 30 17:15:11 2026\n\n"
	  "2168988967,,cycles,531136138,100.00,4.084,GHz\n"
	  "531.14,msec,task-clock,531136138,100.00,0.994,CPUs utilized\n"
	  "70,,page-faults,531136138,100.00,131.793,/sec\n",
	  "run csv\n"
	  "c cycles 2168988967 1 run=531136138\nm - GHz 4.0839999999999996\n"
	  "c task-clock 531140000 1 run=531136138\nm - CPUs utilized 0.99399999999999999\n"
	  "c page-faults 70 1 run=531136138\nm - /sec 131.79300000000001\nR 0\n" },
	{ "an event with the separator in it, copies of one event, further metrics",
	  "1967649352,,de_no_dispatch_per_slot.backend_stalls,171532300,34.00,16.2,%  backend_bound\n"
	  ",,,,,6.5,%  backend_bound_memory\n"
	  "2018810849,,ls_not_halted_cyc,171532300,34.00,,\n"
	  "142798008,,cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/,175509112,35.00,7.5,%  "
	  "frontend_bound_latency\n"
	  "2000912671,,ls_not_halted_cyc,175509112,35.00,,\n",
	  "run csv\n"
	  "c de_no_dispatch_per_slot.backend_stalls 1967649352 0.34 run=171532300\n"
	  "m % backend_bound 16.199999999999999\nm % backend_bound_memory 6.5\n"
	  "c ls_not_halted_cyc 2018810849 0.34 run=171532300\n"
	  "c cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/ 142798008 0.35 run=175509112\n"
	  "m % frontend_bound_latency 7.5\n"
	  "c ls_not_halted_cyc.1 2000912671 0.35 run=175509112\nR 0\n" },
	{ "states",
	  "<not supported>,,cycles,0,100.00,,\n<not counted>,,page-faults,0,100.00,,\n<not counted>,,r76,0,0.00,,\n",
	  "run csv\nc cycles not_supported - run=0\nc page-faults not_counted - run=0\nc r76 not_counted 0 run=0\nR "
	  "0\n" },
	{ "-I of 6.1 with --summary",
	  "     0.100106588,74,,page-faults,761192,100.00,,\n     0.200106588,,,,,5.5,x\n"
	  "     0.200106588,70,,page-faults,761192,50.00,,\n         summary,144,,page-faults,1522384,75.00,,\n",
	  "run csv\nc page-faults 74 1 run=761192\nr 100106588\nm - x 5.5\nc page-faults 70 0.5 run=761192\n"
	  "r 200106588\nc page-faults 144 0.75 run=1522384\nR 200106588\n" },
	{ "-A of 6.12 with its PMU, -r",
	  "CPU0,9,,ex_ret_ops [cpu],0.63%,190976690,35.00,,\nCPU1,8,,ex_ret_ops [cpu],0.50%,190976691,36.00,,\n",
	  "run csv\nc ex_ret_ops 9 0.35 run=190976690 noise=0.0063 @CPU0\n"
	  "c ex_ret_ops 8 0.36 run=190976691 noise=0.005 @CPU1\nR 0\n" },
	{ "places", "S0-D0-C0,1,79,,faults,896685,100.00,,\nS0-D0-C1,1,80,,faults,896685,100.00,,\n",
	  "run csv\nc faults 79 1 run=896685 @S0-D0-C0\nc faults 80 1 run=896685 @S0-D0-C1\nR 0\n" },
	{ "places of 6.12", "S0-D0-CLS65535,2,1,,faults,5,100.00,,\nS0-D0-CLS65535,2,2,,cs,5,100.00,,\n",
	  "run csv\nc faults 1 1 run=5 @S0-D0-CLS65535\nc cs 2 1 run=5 @S0-D0-CLS65535\nR 0\n" },
	{ "threads, one with the separator in its name",
	  "ksoftirqd/0-14,10,,faults,5,100.00,,\na,b-c-15,11,,faults,5,100.00,,\n",
	  "run csv\nc faults 10 1 run=5 @ksoftirqd/0-14\nc faults 11 1 run=5 @a,b-c-15\nR 0\n" },
	{ "cgroups", "CPU0,<not counted>,,faults,/,0,100.00,,\nCPU0,7,,cpu/event=0x76,umask=1/u,/a.slice,5,50.00,,\n",
	  "run csv\nc faults not_counted - run=0 @CPU0 cgroup=/\n"
	  "c cpu/event=0x76,umask=1/u 7 0.5 run=5 @CPU0 cgroup=/a.slice\nR 0\n" },
	{ "decimal comma beside the separator",
	  "0,62,msec,task-clock,619177,100,00,0,CPUs utilized\n71,,faults,1,37%,619177,50,00,7,K/sec\n",
	  "run csv\nc task-clock 620000 1 run=619177\nm - CPUs utilized 0\n"
	  "c faults 71 0.5 run=619177 noise=0.0137\nm - K/sec 7\nR 0\nd locale 2\n" },
	{ "decimal comma, other separator", "0.050096025;1,26;msec;task-clock;1264152;100,00;;\n",
	  "run csv\nc task-clock 1260000 1 run=1264152\nr 50096025\nd locale 1\n" },
	{ "several characters as separator",
	  "12::::cycles::531136138::100.00::4.5::GHz\n13::::branches::531136138::99.00::::\n",
	  "run csv\nc cycles 12 1 run=531136138\nm - GHz 4.5\nc branches 13 0.99 run=531136138\nR 0\n" },
	{ "tabs", "12\t\tcycles\t531136138\t100.00\t\t\n", "run csv\nc cycles 12 1 run=531136138\nR 0\n" },
	{ "metric lost by its sign", "12,,cycles,5,100.00,,\n,,,,,,%  bad_speculation\n",
	  "run csv\nc cycles 12 1 run=5\nm % bad_speculation nan\nR 0\n" },
	{ "metric groups of newer Intel tables",
	  "12,,cycles,5,100.00,,\n,225849327050,100.00,,,,TopdownL1\n,,,,,70.5,%  tma_backend_bound\n",
	  "run csv\nc cycles 12 1 run=5\nm % tma_backend_bound 70.5\nR 0\n" },
	{ "--metric-only", "core,cpus,%  bad_speculation,GHz,\nS0-D0-C0,1,16.5,,\nS0-D0-C1,1,none,4.5,\n",
	  "run csv\nm % bad_speculation 16.5 @S0-D0-C0\nm - GHz nan @S0-D0-C0\n"
	  "m % bad_speculation nan @S0-D0-C1\nm - GHz 4.5 @S0-D0-C1\nR 0\n" },
	{ "--metric-only of 6.1, which forgets separators",
	  " time,socket,cpusbranch_misprediction_ratio,macro_ops_dispatched,\n     0.050086735,S0,2,2.5,79920595.00,\n",
	  "run csv\nm - branch_misprediction_ratio 2.5 @S0\nm - macro_ops_dispatched 79920595 @S0\nr 50086735\n" },
	{ "runs appended without a word", "1,,a,5,100.00,,\n2,,b,5,100.00,,\n3,,a,5,100.00,,\n4,,b,5,100.00,,\n",
	  "run csv\nc a 1 1 run=5\nc b 2 1 run=5\nR 0\nrun csv\nc a 3 1 run=5\nc b 4 1 run=5\nR 0\n" },
	{ "runs with -o --append, time that goes back, CRLF, byte order mark",
	  "\xef\xbb\xbf# started on A\r\n\r\n1.000000000,1,,a,5,100.00,,\r\n# started on "
	  "B\r\n2.000000000,2,,a,5,100.00,,\r\n"
	  "1.000000000,3,,a,5,100.00,,\r\n",
	  "run csv\nc a 1 1 run=5\nr 1000000000\nrun csv\nc a 2 1 run=5\nr 2000000000\nrun csv\nc a 3 1 run=5\nr "
	  "1000000000\n" },
	{ "damaged lines are told, the rest is read",
	  "hello\n1,,a,5,100.00,,\n2,,a,5,1\n3,,cpu/event=1,umask=2,5,100.00,,\n4,,b,5,100.00,,\n,,,\nSpace, the final "
	  "frontier\n",
	  "run csv\nc a 1 1 run=5\nc b 4 1 run=5\nR 0\nd line 1\nd line_ambiguous 1\nd line_foreign 2\n" },
	{ "a missing row does not shift the copies of later intervals",
	  "1.000000000,1,,x,5,50.00,,\n1.000000000,2,,a,5,50.00,,\n1.000000000,3,,y,6,50.00,,\n1.000000000,4,,a,6,50."
	  "00,,\n"
	  "2.000000000,1,,x,5,50.00,,\n2.000000000,3,,y,6,50.00,,\n2.000000000,4,,a,6,50.00,,\n",
	  "run csv\nc x 1 0.5 run=5\nc a 2 0.5 run=5\nc y 3 0.5 run=6\nc a.1 4 0.5 run=6\nr 1000000000\n"
	  "c x 1 0.5 run=5\nc y 3 0.5 run=6\nc a.1 4 0.5 run=6\nr 2000000000\n" },
	{ "another program's table", "name,size,time\nfoo,12,35.00\n", "refused: no line of it is perf stat output\n" },
};

static void rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		stat_reading_check(cases[i].name, cases[i].text, cases[i].meaning);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(rows) };

TEST_MODULE(stat_csv, tests);
