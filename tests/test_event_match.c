// SPDX-License-Identifier: GPL-2.0-only
/* Spellings of events, and captured events whose names say what their type and config do not. */
#include "metrics/event_match.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"

#define OTHER EVENT_OF_PMU

/* clang-format off */
static const struct {
	const char *spelling;
	bool known;
	uint32_t type;
	uint64_t config;
	const char *pmu, *modifiers;
} spellings[] = {
	{ "ls_not_halted_cyc", true, EVENT_RAW, 0x76, "cpu", "" },
	{ "LS_NOT_HALTED_CYC:u", true, EVENT_RAW, 0x76, "cpu", "u" },
	{ "ls_not_halted_cyc:ppp", true, EVENT_RAW, 0x76, "cpu", "ppp" },
	{ "ls_not_halted_cyc [cpu]", true, EVENT_RAW, 0x76, "cpu", "" },
	{ "ls_not_halted_cyc:uk [cpu]", true, EVENT_RAW, 0x76, "cpu", "uk" },
	{ "de_src_op_disp.all", true, EVENT_RAW, 0x7aa, "cpu", "" },
	{ "cpu/event=0x76/", true, EVENT_RAW, 0x76, "cpu", "" },
	{ "cpu/event=0xaa,umask=0x7/u", true, EVENT_RAW, 0x7aa, "cpu", "u" },
	{ "cpu/event=0x1a0,umask=0x1,cmask=0x6/", true, EVENT_RAW, 0x1060001a0, "cpu", "" },
	{ "cpu/event=0x1a0,umask=0x1,cmask=6,name=whatever/", true, EVENT_RAW, 0x1060001a0, "cpu", "" },
	{ "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", true, EVENT_RAW, 0x1060001a0, "cpu", "" },
	{ "cpu/DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND,CMASK=0x6/:k", true, EVENT_RAW, 0x1060001a0, "cpu", "k" },
	{ "cpu/event=0xc1,inv,edge,cmask=1/", true, EVENT_RAW, 0x18400c1, "cpu", "" },
	{ "cpu/config=0x1060001a0/", true, EVENT_RAW, 0x1060001a0, "cpu", "" },
	{ "r1060001a0", true, EVENT_RAW, 0x1060001a0, NULL, "" },
	{ "r76:u", true, EVENT_RAW, 0x76, NULL, "u" },
	{ "rC1", true, EVENT_RAW, 0xc1, NULL, "" },
	{ "cycles", true, EVENT_RAW, 0x76, NULL, "" },
	{ "cpu-cycles:u", true, EVENT_RAW, 0x76, NULL, "u" },
	{ "cpu/cycles/", true, EVENT_RAW, 0x76, NULL, "" },
	{ "instructions", true, EVENT_RAW, 0xc0, NULL, "" },
	{ "branches", true, EVENT_RAW, 0xc2, NULL, "" },
	{ "branch-instructions", true, EVENT_RAW, 0xc2, NULL, "" },
	{ "ex_ret_ucode_ops", true, EVENT_RAW, 0x1000000c2, "cpu", "" },
	{ "cache-misses", true, EVENT_RAW, 0x964, NULL, "" },
	{ "ref-cycles", true, EVENT_RAW, 0x100000120, NULL, "" },
	{ "stalled-cycles-backend", true, EVENT_HARDWARE, 8, NULL, "" }, /* Zen 1 alone has it */
	{ "cs", true, EVENT_SOFTWARE, 3, NULL, "" },
	{ "context-switches:u", true, EVENT_SOFTWARE, 3, NULL, "u" },
	{ "faults", true, EVENT_SOFTWARE, 2, NULL, "" },
	{ "software/context-switches,name=context-switches/", true, EVENT_SOFTWARE, 3, NULL, "" },
	{ "L1-dcache-load-misses", true, EVENT_HW_CACHE, 0x10000, NULL, "" },
	{ "LLC-stores", true, EVENT_HW_CACHE, 0x102, NULL, "" },
	{ "duration_time", true, EVENT_TOOL, 1, NULL, "" },
	{ "umc_cas_cmd.rd", true, OTHER, 0x10a, "amd_umc", "" },
	{ "amd_umc_3/event=0xa,rdwrmask=0x1/", true, OTHER, 0x10a, "amd_umc", "" },
	{ "amd_umc_11/umc_cas_cmd.rd/", true, OTHER, 0x10a, "amd_umc", "" },
	{ "amd_df/event=0x1f,umask=0x7fe/", true, OTHER, 0x700fe1f, "amd_df", "" },
	{ "amd_l3/event=0x04,umask=0x01/", true, OTHER, 0x104, "amd_l3", "" },
	{ "l3_lookup_state.l3_miss", true, OTHER, 0x104, "amd_l3", "" },
	{ "no_such_event", false, 0, 0, NULL, "" },
	{ "no_such_event:u", false, 0, 0, NULL, "u" },
	{ "sched:sched_switch", false, 0, 0, NULL, "" },
	{ "cpu/no_such_event/", false, 0, 0, NULL, "" },
	{ "cpu/event=/", false, 0, 0, NULL, "" },
	{ "cpu/event=0x76", false, 0, 0, NULL, "" },
	{ "/", false, 0, 0, NULL, "" },
	{ "//", false, 0, 0, NULL, "" },
	{ ":u", false, 0, 0, NULL, "" },
	{ "", false, 0, 0, NULL, "" },
	{ "r", false, 0, 0, NULL, "" },
	{ "rx", false, 0, 0, NULL, "" },
	{ "r11111111111111111", false, 0, 0, NULL, "" },
	{ " [cpu]", false, 0, 0, NULL, "" },
	{ "]", false, 0, 0, NULL, "" },
};
/* clang-format on */

static void spellings_mean(void **state)
{
	struct error err;
	struct metric_set *s = set_builtin("amdzen4", &err);

	(void)state;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		const char *text = spellings[i].spelling, *pmu = spellings[i].pmu;
		struct event_meaning m;

		if (event_config_of(s, text, &m) != spellings[i].known || m.known != spellings[i].known)
			fail_msg("%s: known %d", text, m.known);
		if (m.modifiers_size != strlen(spellings[i].modifiers) ||
		    memcmp(m.modifiers, spellings[i].modifiers, m.modifiers_size) != 0)
			fail_msg("%s: modifiers", text);
		if (!m.known)
			continue;
		if (m.type != spellings[i].type || m.config != spellings[i].config)
			fail_msg("%s: %#x %#lx", text, m.type, (unsigned long)m.config);
		if (pmu && (m.pmu_size != strlen(pmu) || memcmp(m.pmu, pmu, m.pmu_size) != 0))
			fail_msg("%s: pmu %.*s", text, (int)m.pmu_size, m.pmu);
	}
	set_free(s);
}

/* Pieces of spellings in any order do no harm. */
static void noise(void **state)
{
	static const char *const pieces[] = { "cpu",
					      "/",
					      "/",
					      ":",
					      "u",
					      "k",
					      "event=",
					      "0x76",
					      ",",
					      "umask=",
					      "ls_not_halted_cyc",
					      "r",
					      "76",
					      " ",
					      "[",
					      "]",
					      "=",
					      "name=",
					      "amd_umc_",
					      "3",
					      "L1-dcache-",
					      "load-misses",
					      "\xff",
					      "-",
					      "cycles",
					      "inv",
					      "config=" };
	struct error err;
	struct metric_set *s = set_builtin("amdzen4", &err);
	uint32_t seed = 1;
	char text[400];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		struct event_meaning m;

		text[0] = '\0';
		for (int n = 0; n <= i % 14; n++) {
			seed = seed * 1664525 + 1013904223;
			strcat(text, pieces[(seed >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		event_config_of(s, text, &m);
		assert_true(m.name >= text && m.name + m.name_size <= text + strlen(text));
		assert_true(m.modifiers_size <= strlen(text));
	}
	set_free(s);
}

/* clang-format off */
static const struct {
	const char *set, *operand;
	bool is;
	/* the captured event */
	const char *name, *pmu;
	bool has_config;
	uint32_t type;
	uint64_t config, config1;
} matches[] = {
	/* by config, whatever the name */
	{ "amdzen4", "ls_not_halted_cyc", true, "my_cycles", NULL, true, 4, 0x76, 0 },
	{ "amdzen4", "ls_not_halted_cyc", false, "ls_not_halted_cyc", NULL, true, 4, 0xc1, 0 },
	{ "amdzen4", "ls_not_halted_cyc", false, "ls_not_halted_cyc", NULL, true, 4, 0x76, 1 },
	{ "amdzen4", "ls_not_halted_cyc", true, "cycles", NULL, true, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", true, "x", NULL, true, 0, 0x400000000, 0 },
	{ "amdzen4", "cycles", true, "x", "cpu", true, 4, 0x76, 0 },
	{ "amdzen5", "instructions", true, "r0c0", NULL, true, 4, 0xc0, 0 },
	{ "amdzen5", "instructions", true, "x", NULL, true, 0, 1, 0 },
	{ "amdzen4", "ex_ret_brn", true, "branches", NULL, true, 0, 4, 0 },
	{ "amdzen4", "ex_ret_brn_misp", true, "branch-misses:u", NULL, true, 0, 5, 0 },
	{ "amdzen4", "ex_ret_ucode_ops", false, "branches", NULL, true, 4, 0xc2, 0 },
	{ "amdzen4", "ex_ret_ucode_ops", true, "branches", NULL, true, 4, 0x1000000c2, 0 },
	{ "amdzen4", "ex_ret_brn", false, "x", NULL, true, 4, 0x1000000c2, 0 },
	{ "amdzen4", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", true, "x", NULL, true, 4, 0x1060001a0, 0 },
	{ "amdzen4", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", false, "x", NULL, true, 4, 0x1000001a0, 0 },
	{ "amdzen4", "de_no_dispatch_per_slot.no_ops_from_frontend", false, "x", NULL, true, 4, 0x1060001a0, 0 },
	/* PMUs with numbers of their own */
	{ "amdzen4", "umc_mem_clk", true, "x", "amd_umc_7", true, 23, 0, 0 },
	{ "amdzen4", "umc_mem_clk", false, "x", "amd_umc_7", true, 23, 5, 0 },
	{ "amdzen4", "umc_mem_clk", false, "x", "amd_df", true, 23, 0, 0 },
	{ "amdzen4", "umc_mem_clk", false, "x", NULL, true, 23, 0, 0 },
	{ "amdzen4", "umc_mem_clk", true, "umc_mem_clk", NULL, true, 23, 0, 0 },
	{ "amdzen4", "umc_cas_cmd.all", false, "umc_mem_clk", NULL, true, 23, 0, 0 },
	{ "amdzen4", "l3_lookup_state.l3_miss", true, "x", "amd_l3", true, 10, 0x104, 0 },
	{ "amdzen4", "ls_not_halted_cyc", false, "x", "amd_l3", true, 10, 0x76, 0 },
	/* software and tools */
	{ "generic", "context-switches", true, "cs", NULL, true, 1, 3, 0 },
	{ "generic", "context-switches", true, "x", NULL, true, 1, 3, 0 },
	{ "generic", "duration_time", true, "duration_time", NULL, true, 1, 9, 0 },
	{ "generic", "user_time", true, "user_time", NULL, true, EVENT_TOOL, 2, 0 },
	{ "generic", "user_time", false, "duration_time", NULL, true, 1, 9, 0 },
	{ "generic", "user_time", false, "dummy", NULL, true, 1, 9, 0 },
	/* no codes without an AMD set, but for what the kernel itself calls cycles */
	{ "generic", "cycles", false, "x", NULL, true, 4, 0x76, 0 },
	{ "generic", "cycles", true, "cpu/cycles/", NULL, true, 4, 0x3c, 0 },
	{ "generic", "cycles", false, "cpu/cycles,name=x/", NULL, true, 4, 0x76, 0 },
	{ "generic", "cycles", true, "x", NULL, true, 0, 0, 0 },
	/* perf 7.2 opens `instructions` by the code in sysfs */
	{ "generic", "instructions", true, "instructions:u", NULL, true, 4, 0xc0, 0 },
	{ "generic", "instructions", false, "ex_ret_instr", NULL, true, 4, 0xc0, 0 },
	{ "amdzen4", "instructions", false, "instructions", NULL, true, 4, 0xc1, 0 },
	/* tracepoints: only the name counts */
	{ "generic", "sched:sched_switch", true, "sched:sched_switch", NULL, true, 2, 314, 0 },
	{ "generic", "context-switches", false, "sched:sched_switch", NULL, true, 2, 3, 0 },
	/* texts: by name, in any spelling */
	{ "amdzen4", "ls_not_halted_cyc", true, "ls_not_halted_cyc", NULL, false, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", true, "cycles:u", NULL, false, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", true, "r76", NULL, false, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", true, "cpu/event=0x76/", NULL, false, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", true, "ls_not_halted_cyc [cpu]", NULL, false, 0, 0, 0 },
	{ "amdzen4", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", true,
	  "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", NULL, false, 0, 0, 0 },
	{ "amdzen4", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", true,
	  "cpu/event=0x1a0,umask=0x1,cmask=0x6/u", NULL, false, 0, 0, 0 },
	{ "amdzen4", "ls_not_halted_cyc", false, "ex_ret_ops", NULL, false, 0, 0, 0 },
	{ "generic", "cycles", true, "cycles:u", NULL, false, 0, 0, 0 },
	/* an event that no table describes */
	{ "generic", "topdown-retiring", true, "topdown-retiring:u", NULL, true, 4, 0x8000, 0 },
	{ "generic", "topdown-retiring", true, "topdown-retiring", NULL, false, 0, 0, 0 },
	{ "generic", "topdown-retiring", false, "topdown-bad-spec", NULL, true, 4, 0x8100, 0 },
};
/* clang-format on */

static void captured_events_are_recognised(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
		struct error err;
		struct metric_set *s = set_builtin(matches[i].set, &err);
		const struct event e = { .name = matches[i].name,
					 .modifiers = "",
					 .pmu = matches[i].pmu,
					 .unit = "",
					 .has_config = matches[i].has_config,
					 .type = matches[i].type,
					 .config = matches[i].config,
					 .config1 = matches[i].config1 };

		if (set_is_event(s, matches[i].operand, &e) != matches[i].is)
			fail_msg("row %zu: %s and %s", i, matches[i].operand, e.name);
		set_free(s);
	}
}

/* clang-format off */
static const struct {
	const char *set, *name, *canonical;
	uint32_t type;
	uint64_t config;
} canonicals[] = {
	{ "amdzen4", "x", "ls_not_halted_cyc", 4, 0x76 },
	{ "amdzen4", "x", "ls_not_halted_cyc", 0, 0 },
	{ "amdzen1", "x", "cycles", 0, 0 },
	{ "amdzen4", "x", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", 4, 0x1060001a0 },
	{ "amdzen4", "x", NULL, 4, 0x1080001a0 },
	{ "amdzen5", "x", "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x8/", 4, 0x1080001a0 },
	{ "amdzen4", "cs", "context-switches", 1, 3 },
	{ "generic", "x", "L1-dcache-loads", 3, 0 },
	{ "generic", "x", NULL, 3, 0xffffff },
	{ "generic", "x", NULL, 2, 3 },
	{ "generic", "x", NULL, 4, 0x76 },
};
/* clang-format on */

static void canonical_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(canonicals) / sizeof(canonicals[0]); i++) {
		struct error err;
		struct metric_set *s = set_builtin(canonicals[i].set, &err);
		const struct event e = { .name = canonicals[i].name,
					 .modifiers = "",
					 .unit = "",
					 .has_config = true,
					 .type = canonicals[i].type,
					 .config = canonicals[i].config };
		const char *got = set_canonical(s, &e);

		if (!got != !canonicals[i].canonical || (got && strcmp(got, canonicals[i].canonical) != 0))
			fail_msg("row %zu: %s", i, got ? got : "none");
		set_free(s);
	}
}

static const struct {
	const char *modifiers;
	uint64_t excludes;
} rings[] = {
	{ "", 0 },
	{ "u", EVENT_EXCLUDE_KERNEL },
	{ "k", EVENT_EXCLUDE_USER },
	{ "uk", 0 },
	{ "ppp", 0 },
	{ "upp", EVENT_EXCLUDE_KERNEL },
	{ "G", EVENT_EXCLUDE_HOST },
	{ "uH", EVENT_EXCLUDE_KERNEL | EVENT_EXCLUDE_GUEST },
};

static void modifiers_say_who_is_counted(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		struct event e = { .modifiers = rings[i].modifiers };

		assert_int_equal(event_excludes(&e), rings[i].excludes);
		e = (struct event){ .modifiers = "", .has_config = true, .flags = rings[i].excludes | EVENT_INHERIT };
		assert_int_equal(event_excludes(&e), rings[i].excludes);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(spellings_mean),
	cmocka_unit_test(noise),
	cmocka_unit_test(captured_events_are_recognised),
	cmocka_unit_test(canonical_names),
	cmocka_unit_test(modifiers_say_who_is_counted),
};

TEST_MODULE(event_match, tests);
