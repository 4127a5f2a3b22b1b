// SPDX-License-Identifier: GPL-2.0-only
/* What the spelling of an event tells; numbers are those of linux/perf_event.h. */
#include "reader/stat_row.h"
#include "tests/test.h"

enum { NO_CONFIG = -1 };

static const struct {
	const char *spelling;
	int64_t type; /* NO_CONFIG: a table of the CPU is needed */
	uint64_t config;
	const char *name, *modifiers, *pmu;
} cases[] = {
	{ "cycles", 0, 0, "cycles", "", NULL },
	{ "cpu-cycles:u", 0, 0, "cpu-cycles:u", "u", NULL },
	{ "branches", 0, 4, "branches", "", NULL },
	{ "idle-cycles-backend", 0, 8, "idle-cycles-backend", "", NULL },
	{ "task-clock", 1, 1, "task-clock", "", NULL },
	{ "cs", 1, 3, "cs", "", NULL },
	{ "CPU-migrations", 1, 4, "CPU-migrations", "", NULL },
	{ "page-faults [software]", 1, 2, "page-faults", "", "software" },
	{ "software/page-faults/", 1, 2, "software/page-faults/", "", "software" },
	{ "duration_time", EVENT_TOOL, 1, "duration_time", "", NULL },
	{ "L1-dcache-loads", 3, 0, "L1-dcache-loads", "", NULL },
	{ "L1-dcache-load-misses:k", 3, 0x10000, "L1-dcache-load-misses:k", "k", NULL },
	{ "L1-icache-misses", 3, 0x10001, "L1-icache-misses", "", NULL },
	{ "L1-dcache-prefetches", 3, 0x200, "L1-dcache-prefetches", "", NULL },
	{ "LLC-store-misses", 3, 0x10102, "LLC-store-misses", "", NULL },
	{ "dTLB-loads", 3, 3, "dTLB-loads", "", NULL },
	{ "iTLB-load-misses", 3, 0x10004, "iTLB-load-misses", "", NULL },
	{ "branch-load-misses", 3, 0x10005, "branch-load-misses", "", NULL },
	{ "r76", 4, 0x76, "r76", "", NULL },
	{ "r10000001a0:uk", 4, 0x10000001a0, "r10000001a0:uk", "uk", NULL },
	{ "cpu/event=0x1a0,umask=0x01,cmask=0x6/", 4, 0x1060001a0, "cpu/event=0x1a0,umask=0x01,cmask=0x6/", "", "cpu" },
	{ "cpu/event=0xc0,inv,edge/u", 4, 0x8400c0, "cpu/event=0xc0,inv,edge/u", "u", "cpu" },
	{ "cpu/config=0x76,name=x/", 4, 0x76, "cpu/config=0x76,name=x/", "", "cpu" },
	{ "cpu/cycles/", 0, 0, "cpu/cycles/", "", "cpu" },
	{ "ex_ret_ops:u", NO_CONFIG, 0, "ex_ret_ops:u", "u", NULL },
	{ "ls_not_halted_cyc [cpu]", NO_CONFIG, 0, "ls_not_halted_cyc", "", "cpu" },
	{ "cpu/ex_ret_ops,cmask=0x6/", NO_CONFIG, 0, "cpu/ex_ret_ops,cmask=0x6/", "", "cpu" },
	{ "cpu_core/cycles/", NO_CONFIG, 0, "cpu_core/cycles/", "", "cpu_core" },
	{ "msr/tsc/", NO_CONFIG, 0, "msr/tsc/", "", "msr" },
	{ "sched:sched_switch", NO_CONFIG, 0, "sched:sched_switch", "", NULL },
	{ "resyncs_or_nc_redirects", NO_CONFIG, 0, "resyncs_or_nc_redirects", "", NULL },
	{ "r", NO_CONFIG, 0, "r", "", NULL },
	{ "cpu/event=zz/", NO_CONFIG, 0, "cpu/event=zz/", "", "cpu" },
	{ "/", NO_CONFIG, 0, "/", "", NULL },
	{ ":u", NO_CONFIG, 0, ":u", "", NULL },
};

static void spellings(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct event e = { .position = 3 };

		stat_name_event(arena, span_of(cases[i].spelling), &e);
		if (e.has_config != (cases[i].type != NO_CONFIG) || (e.has_config && e.type != cases[i].type) ||
		    e.config != cases[i].config || strcmp(e.name, cases[i].name) != 0 ||
		    strcmp(e.modifiers, cases[i].modifiers) != 0 || !e.pmu != !cases[i].pmu ||
		    (e.pmu && strcmp(e.pmu, cases[i].pmu) != 0) || e.position != 3)
			fail_msg("%s: name %s, modifiers %s, pmu %s, config known %d, type %u, config 0x%llx",
				 cases[i].spelling, e.name, e.modifiers, e.pmu ? e.pmu : "-", e.has_config, e.type,
				 (unsigned long long)e.config);
	}
	arena_free(arena);
}

static void modifiers_exclude(void **state)
{
	static const struct {
		const char *spelling;
		uint64_t flags;
	} excluded[] = {
		{ "cycles", 0 },
		{ "cycles:u", EVENT_EXCLUDE_KERNEL | EVENT_EXCLUDE_HV },
		{ "cycles:k", EVENT_EXCLUDE_USER | EVENT_EXCLUDE_HV },
		{ "cycles:uk", EVENT_EXCLUDE_HV },
		{ "cycles:ppp", 0 },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++) {
		struct event e = { 0 };

		stat_name_event(arena, span_of(excluded[i].spelling), &e);
		assert_int_equal(e.flags, excluded[i].flags);
	}
	arena_free(arena);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(spellings), cmocka_unit_test(modifiers_exclude) };

TEST_MODULE(stat_names, tests);
