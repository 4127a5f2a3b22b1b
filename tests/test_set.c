// SPDX-License-Identifier: GPL-2.0-only
/* The sets that are compiled in, perf's JSON from files, and the choice of a CPU's set. */
#include "metrics/set.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/formula_oracle.h"
#include "tests/test.h"

/* ---- the sets that are compiled in ---- */

/* clang-format off */
static const struct {
	const char *name;
	size_t metrics, events;
	uint32_t width;
	size_t level1, level2;
} sets[] = {
	{ "amdzen1", 11, 26, 0, 0, 0 },  { "amdzen2", 11, 26, 0, 0, 0 }, { "amdzen3", 13, 30, 0, 0, 0 },
	{ "amdzen4", 73, 192, 6, 5, 8 }, { "amdzen5", 77, 220, 8, 5, 8 }, { "amdzen6", 62, 62, 8, 5, 8 },
	{ "generic", 8, 0, 0, 0, 0 },
};
/* clang-format on */
#define NR_SETS (sizeof(sets) / sizeof(sets[0]))

static void all_are_there(void **state)
{
	const char *const *names = set_names();
	struct error err;

	(void)state;
	for (size_t i = 0; i < NR_SETS; i++) {
		struct metric_set *s = set_builtin(sets[i].name, &err);
		size_t levels[3] = { 0, 0, 0 };

		assert_non_null(s);
		assert_string_equal(names[i], sets[i].name);
		assert_int_equal(s->nr_metrics, sets[i].metrics);
		assert_int_equal(s->nr_events, sets[i].events);
		assert_int_equal(s->width, sets[i].width);
		for (size_t m = 0; m < s->nr_metrics; m++) {
			assert_true(s->metrics[m].level <= 2);
			levels[s->metrics[m].level]++;
			assert_true((s->metrics[m].level == 2) == (s->metrics[m].parent >= 0));
			assert_true(*s->metrics[m].description && *s->metrics[m].unit);
		}
		assert_int_equal(levels[1], sets[i].level1);
		assert_int_equal(levels[2], sets[i].level2);
		set_free(s);
	}
	assert_null(names[NR_SETS]);
	assert_null(set_builtin("zen9", &err));
	assert_string_equal(err.text,
			    "no set 'zen9'; there are amdzen1, amdzen2, amdzen3, amdzen4, amdzen5, amdzen6, generic");
}

/* A value for a name: any, but always the same. */
static double value_of(const char *name)
{
	uint64_t h = 1469598103934665603u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return (double)(h >> 40) / 1000 + 1;
}

struct spelled {
	const struct metric_set *set;
	bool expand;
};

/* What the oracle asks for: a name as the formula spells it. */
static double spelled_value(void *user, const char *spelled)
{
	const struct spelled *s = user;
	char name[200];
	size_t n = 0;
	int32_t m;

	for (const char *c = spelled; *c; c++)
		if (*c != '\\')
			name[n++] = *c == '@' ? '/' : (char)tolower((unsigned char)*c);
	name[n] = '\0';
	m = s->expand ? set_find_metric(s->set, name) : -1;
	return m >= 0 ? oracle_eval(s->set->metrics[m].formula, spelled_value, user) : value_of(name);
}

static double eval_named(const struct expr *e)
{
	const struct expr_name *names;
	size_t nr = expr_names(e, &names);
	double *values = malloc((nr + 1) * sizeof(double)), v;

	for (size_t i = 0; i < nr; i++)
		values[i] = value_of(names[i].text);
	v = expr_eval(e, values, NULL);
	free(values);
	return v;
}

static void every_formula_by_another_evaluator(void **state)
{
	struct error err;

	(void)state;
	for (size_t i = 0; i < NR_SETS; i++) {
		struct metric_set *s = set_builtin(sets[i].name, &err);

		for (size_t m = 0; m < s->nr_metrics; m++) {
			struct spelled plain = { s, false }, expanded = { s, true };
			double a = oracle_eval(s->metrics[m].formula, spelled_value, &plain);
			double b = oracle_eval(s->metrics[m].formula, spelled_value, &expanded);

			if (a != eval_named(s->metrics[m].expr) || b != eval_named(s->metrics[m].expanded))
				fail_msg("%s: %s", s->name, s->metrics[m].name);
		}
		set_free(s);
	}
}

/* Every name in an expanded formula is one that the set, or everyone, knows. */
static void every_operand_is_known(void **state)
{
	static const char *const general[] = { "instructions", "cycles", "duration_time" };
	struct error err;

	(void)state;
	for (size_t i = 0; sets[i].events; i++) {
		struct metric_set *s = set_builtin(sets[i].name, &err);

		for (size_t m = 0; m < s->nr_metrics; m++) {
			const struct expr_name *names;
			size_t nr = expr_names(s->metrics[m].expanded, &names);

			for (size_t k = 0; k < nr; k++) {
				bool known = set_find_event(s, names[k].text) >= 0 || strchr(names[k].text, '/');

				for (size_t g = 0; g < 3; g++)
					known |= strcmp(names[k].text, general[g]) == 0;
				if (!known)
					fail_msg("%s: %s: %s", s->name, s->metrics[m].name, names[k].text);
			}
		}
		set_free(s);
	}
}

/* clang-format off */
static const struct {
	const char *set, *event, *pmu;
	uint64_t config;
} codes[] = {
	{ "amdzen4", "ls_not_halted_cyc", "cpu", 0x76 },
	{ "amdzen4", "de_no_dispatch_per_slot.no_ops_from_frontend", "cpu", 0x1000001a0 },
	{ "amdzen4", "de_no_dispatch_per_slot.backend_stalls", "cpu", 0x100001ea0 },
	{ "amdzen5", "de_no_dispatch_per_slot.smt_contention", "cpu", 0x1000060a0 },
	{ "amdzen4", "ex_ret_ucode_ops", "cpu", 0x1000000c2 },
	{ "amdzen4", "ex_ret_brn", "cpu", 0xc2 },
	{ "amdzen6", "bp_fe_redir.resync", "cpu", 0x19f },
	{ "amdzen6", "op_cache_hit_miss.miss", "cpu", 0x20000048f },
	{ "amdzen4", "l3_lookup_state.l3_miss", "amd_l3", 0x104 },
	/* umask 0x3f, enallslices, enallcores, sliceid 3, threadmask 3 */
	{ "amdzen5", "l3_xi_sampled_latency.all", "amd_l3", 0x0303c00000003fac },
	{ "amdzen4", "umc_cas_cmd.rd", "amd_umc", 0x10a },
	{ "amdzen4", "umc_cas_cmd.wr", "amd_umc", 0x20a },
	{ "amdzen4", "umc_mem_clk", "amd_umc", 0 },
	/* the fabric: event bits 8 and up at 32, umask bits 8 and up at 24 */
	{ "amdzen1", "dram_channel_data_controller_4", "amd_df", 0x100003807 },
	{ "amdzen3", "remote_outbound_data_controller_3", "amd_df", 0x800000287 },
	{ "amdzen4", "local_processor_read_data_beats_cs0", "amd_df", 0x700fe1f },
	{ "amdzen5", "remote_socket_write_data_beats_dram_11", "amd_df", 0x20b00ffdf },
};
/* clang-format on */

static void codes_by_hand(void **state)
{
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct metric_set *s = set_builtin(codes[i].set, &err);
		int32_t e = set_find_event(s, codes[i].event);

		assert_true(e >= 0);
		assert_string_equal(s->events[e].pmu, codes[i].pmu);
		if (s->events[e].config != codes[i].config)
			fail_msg("%s: %#lx, not %#lx", codes[i].event, (unsigned long)s->events[e].config,
				 (unsigned long)codes[i].config);
		set_free(s);
	}
}

/* The table of core events: "| name | 0x1a0 | 0x1 | 0x1000001a0 | 4,5,6 |" */
static void codes_of_the_reference(void **state)
{
	FILE *f = test_shared() ? fopen("../shared/reference/amd-pipeline-metrics.md", "r") : NULL;
	struct metric_set *loaded[7] = { NULL };
	struct error err;
	char line[65536], name[100], zens[40];
	unsigned long code, umask, config;
	size_t rows = 0;

	(void)state;
	if (!f)
		skip();
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "| %99s | %lx | %lx | %lx | %39[0-9,] |", name, &code, &umask, &config, zens) != 5)
			continue;
		rows++;
		for (char *z = zens; *z; z += *z != '\0') {
			unsigned zen = (unsigned)(*z - '0');
			char set[16];
			int32_t e;

			if (zen < 1 || zen > 6)
				continue;
			snprintf(set, sizeof(set), "amdzen%u", zen);
			if (!loaded[zen])
				loaded[zen] = set_builtin(set, &err);
			e = set_find_event(loaded[zen], name);
			if (e < 0 || loaded[zen]->events[e].config != config)
				fail_msg("%s: %s", set, name);
		}
	}
	fclose(f);
	for (unsigned i = 0; i < 7; i++)
		set_free(loaded[i]);
	assert_int_equal(rows, 72);
}

static const struct {
	const char *set, *metric, *unit, *parent;
	double scale, factor;
} units[] = {
	{ "amdzen4", "frontend_bound", "share", NULL, 100, 1 },
	{ "amdzen5", "bad_speculation", "share", NULL, 100, 1 },
	{ "amdzen4", "backend_bound_memory", "share", "backend_bound", 100, 1 },
	{ "amdzen6", "retiring_from_microcode", "share", "retiring", 100, 1 },
	{ "amdzen4", "branch_misprediction_ratio", "ratio", NULL, 100, 1 },
	{ "amdzen5", "branch_misprediction_rate", "per_branch", NULL, 1, 1 },
	{ "amdzen4", "total_dispatch_slots", "event", NULL, 1, 1 },
	{ "amdzen5", "total_dispatch_slots", "slots", NULL, 1, 1 },
	{ "amdzen5", "l2_dtlb_misses_pti", "per_1k_instr", NULL, 1000, 1000 },
	{ "amdzen5", "l3_read_miss_latency", "ns", NULL, 1, 1 },
	{ "amdzen4", "l3_read_miss_latency", "core clocks", NULL, 1, 1 },
	{ "amdzen4", "dram_read_data_for_local_processor", "MiB", NULL, 6.103515625e-5, 6.103515625e-5 },
	{ "generic", "ipc", "instr_per_cycle", NULL, 1, 1 },
};

static void units_and_parents(void **state)
{
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		struct metric_set *s = set_builtin(units[i].set, &err);
		int32_t m = set_find_metric(s, units[i].metric);

		assert_true(m >= 0);
		assert_string_equal(s->metrics[m].unit, units[i].unit);
		assert_true(s->metrics[m].scale == units[i].scale && s->metrics[m].factor == units[i].factor);
		assert_int_equal(s->metrics[m].parent, units[i].parent ? set_find_metric(s, units[i].parent) : -1);
		set_free(s);
	}
}

/* ---- the choice by CPUID ---- */

/* clang-format off */
static const struct {
	const char *cpuid, *set;
} cpuids[] = {
	{ "AuthenticAMD,23,1,2", "amdzen1" },   { "AuthenticAMD,23,47,0", "amdzen1" },
	{ "AuthenticAMD,23,48,0", "amdzen2" },  { "AuthenticAMD,23,49,0", "amdzen2" },
	{ "AuthenticAMD,23,113,0", "amdzen2" }, { "AuthenticAMD,25,1,1", "amdzen3" },
	{ "AuthenticAMD,25,33,0", "amdzen3" },  { "AuthenticAMD,25,80,0", "amdzen3" },
	{ "AuthenticAMD,25,17,1", "amdzen4" },  { "AuthenticAMD,25,97,2", "amdzen4" },
	{ "AuthenticAMD,25,160,1", "amdzen4" }, { "AuthenticAMD,25,48,0", "amdzen4" },
	{ "AuthenticAMD,26,2,1", "amdzen5" },   { "AuthenticAMD,26,17,0", "amdzen5" },
	{ "AuthenticAMD,26,68,0", "amdzen5" },  { "AuthenticAMD,26,96,0", "amdzen5" },
	{ "AuthenticAMD,26,48,0", "amdzen6" },  { "AuthenticAMD,26,80,0", "amdzen6" },
	{ "AuthenticAMD,26,128,0", "amdzen6" }, { "AuthenticAMD-25-61-2", "amdzen4" },
	{ "AuthenticAMD-25-1", "amdzen3" },     { "AuthenticAMD-26-50-1", "amdzen6" },
	{ "AuthenticAMD,22,1,1", NULL },        { "AuthenticAMD,27,1,1", NULL },
	{ "GenuineIntel,6,85,4", NULL },        { "AuthenticAMD", NULL },
	{ "AuthenticAMD,", NULL },              { "AuthenticAMD,25", NULL },
	{ "AuthenticAMD,25,", NULL },           { "AuthenticAMD,25,x", NULL },
	{ "AuthenticAMD,25,-1,0", NULL },       { "AuthenticAMDX25,1,0", NULL },
	{ "", NULL },                           { NULL, NULL },
};
/* clang-format on */

static void choice_by_cpuid(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cpuids) / sizeof(cpuids[0]); i++) {
		const char *got = set_for_cpuid(cpuids[i].cpuid);

		if (!got != !cpuids[i].set || (got && strcmp(got, cpuids[i].set) != 0))
			fail_msg("%s: %s", cpuids[i].cpuid ? cpuids[i].cpuid : "NULL", got ? got : "none");
	}
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct metric_set *load_text(const char *text, struct error *err)
{
	char path[] = "/tmp/perftab-set-XXXXXX";
	int fd = mkstemp(path);
	struct metric_set *s;

	assert_true(fd >= 0);
	close(fd);
	write_file(path, text);
	s = set_load(path, err);
	unlink(path);
	return s;
}

/* clang-format off */
static const struct {
	const char *text, *message; /* the end of the message */
} bad_files[] = {
	{ "", "'[' or '{' expected near end of file" },
	{ "[", "']' expected near end of file" },
	{ "{}", "expected an array of events and metrics" },
	{ "[]", "expected objects with MetricName or EventName and found none" },
	{ "[{\"PublicDescription\": \"x\"}]", "expected objects with MetricName or EventName and found none" },
	{ "[{\"MetricName\": \"m\"}]", ": metric m: expected MetricExpr and found none" },
	{ "[{\"MetricName\": \"m\", \"MetricExpr\": \"a +\"}]", ": metric m, column 4: expected a value and found the end" },
	{ "[{\"MetricName\": \"m\", \"MetricExpr\": \"a\", \"MetricThreshold\": \"m > \"}]",
	  ": metric m, MetricThreshold, column 5: expected a value and found the end" },
	{ "[{\"MetricName\": \"m\", \"MetricExpr\": \"a\", \"MetricThreshold\": \"(m > 1) n\"}]",
	  ": metric m, MetricThreshold, column 9: expected an operator and found 'n'" },
	{ "[{\"MetricName\": \"m\", \"MetricExpr\": \"m + 1\"}]",
	  "metric m: expected a formula without itself, and found that it leads back to it" },
	{ "[{\"MetricName\": \"a\", \"MetricExpr\": \"b\"}, {\"MetricName\": \"b\", \"MetricExpr\": \"1 + c\"},"
	  " {\"MetricName\": \"c\", \"MetricExpr\": \"a\"}]",
	  "metric a: expected a formula without itself, and found that it leads back to it" },
};
/* clang-format on */

static void bad_files_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_files) / sizeof(bad_files[0]); i++) {
		struct error err = { "" };
		size_t n, m = strlen(bad_files[i].message);

		assert_null(load_text(bad_files[i].text, &err));
		n = strlen(err.text);
		if (n < m || strcmp(err.text + n - m, bad_files[i].message) != 0)
			fail_msg("%s: %s", bad_files[i].text, err.text);
	}
	assert_null(set_load("/nonexistent/x.json", &(struct error){ "" }));
}

/* Sixty metrics, each twice the one before: 2^60 operands if nothing stopped it. */
static void growth_is_bounded(void **state)
{
	char text[8192] = "[{\"MetricName\": \"m0\", \"MetricExpr\": \"x\"}";
	struct error err = { "" };

	(void)state;
	for (int i = 1; i <= 60; i++) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, ", {\"MetricName\": \"m%d\", \"MetricExpr\": \"m%d + m%d\"}", i,
			 i - 1, i - 1);
	}
	strcat(text, "]");
	assert_null(load_text(text, &err));
	assert_non_null(strstr(err.text, "expected at most"));
}

static const char intel[] =
	"[{\"EventName\": \"INST_RETIRED.ANY_P\", \"EventCode\": \"0xC0\", \"UMask\": \"0x0\", \"Counter\": \"0,1\"},"
	" {\"EventName\": \"UOPS.X\", \"EventCode\": \"0xB1\", \"UMask\": \"0x02\", \"CounterMask\": \"4\", "
	"\"Invert\": \"1\","
	"  \"EdgeDetect\": \"1\", \"AnyThread\": \"1\"},"
	" {\"EventName\": \"OFFCORE.X\", \"EventCode\": \"0xB7,0xBB\", \"UMask\": \"0x1\", \"MSRIndex\": "
	"\"0x1a6,0x1a7\","
	"  \"MSRValue\": \"0x3F80400004\"},"
	" {\"EventName\": \"LAT\", \"EventCode\": \"205\", \"UMask\": \"0x1\", \"MSRIndex\": \"0x3F6\", \"MSRValue\": "
	"\"0x80\"},"
	" {\"EventName\": \"CHA.CLK\", \"EventCode\": \"0x01\", \"Unit\": \"CHA\", \"PerPkg\": \"1\"},"
	" {\"MetricName\": \"tma_frontend_bound\", \"MetricExpr\": \"UOPS.X / INST_RETIRED.ANY_P\", \"ScaleUnit\": "
	"\"100%\","
	"  \"MetricGroup\": \"PGO;TmaL1;TopdownL1;tma_L1_group\", \"MetricThreshold\": \"tma_frontend_bound > 0.15\"},"
	" {\"MetricName\": \"tma_fetch_latency\", \"MetricExpr\": \"4 * tma_frontend_bound\", "
	"\"DefaultMetricgroupName\": \"x\","
	"  \"MetricGroup\": \"Frontend;TopdownL2;tma_L2_group;tma_frontend_bound_group;tma_issueX\", \"Unknown\": [1, "
	"{}]},"
	" {\"ArchStdEvent\": \"CPU_CYCLES\"}]";

static void perfs_own_keys(void **state)
{
	struct error err = { "" };
	struct metric_set *s = load_text(intel, &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_false(s->amd);
	assert_int_equal(s->nr_events, 5);
	assert_int_equal(s->nr_metrics, 2);
	assert_string_equal(s->events[0].name, "inst_retired.any_p");
	assert_int_equal(s->events[0].config, 0xc0);
	assert_int_equal(s->events[1].config, 0x2b1 | 4 << 24 | 1 << 23 | 1 << 21 | 1 << 18);
	assert_int_equal(s->events[2].config, 0x1b7);
	assert_true(s->events[2].config1 == 0x3f80400004);
	assert_int_equal(s->events[3].config, 0x1cd);
	assert_int_equal(s->events[3].config1, 0x80);
	assert_string_equal(s->events[4].pmu, "uncore_cha");
	assert_int_equal(s->metrics[0].level, 1);
	assert_string_equal(s->metrics[0].threshold, "tma_frontend_bound > 0.15");
	assert_non_null(s->metrics[0].flagged);
	assert_null(s->metrics[1].flagged);
	assert_string_equal(s->metrics[0].unit, "share");
	assert_int_equal(s->metrics[1].level, 2);
	assert_int_equal(s->metrics[1].parent, 0);
	set_free(s);
}

/* Every prefix, and every byte changed: a set or a message, nothing else. */
static void damaged_files(void **state)
{
	char text[sizeof(intel)];

	(void)state;
	for (size_t i = 0; i < sizeof(intel) - 1; i++) {
		for (int flip = 0; flip < 2; flip++) {
			struct error err = { "" };
			struct metric_set *s;

			memcpy(text, intel, sizeof(text));
			text[i] = flip ? (char)(text[i] ^ (1 << i % 7)) : '\0';
			s = load_text(text, &err);
			assert_true(s || *err.text);
			set_free(s);
		}
	}
}

static void a_folder_of_files(void **state)
{
	char folder[] = "/tmp/perftab-sets-XXXXXX", path[200], sub[100];
	struct error err = { "" };
	struct metric_set *s;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(sub, sizeof(sub), "%s/amdzen5", folder);
	assert_int_equal(mkdir(sub, 0700), 0);
	snprintf(path, sizeof(path), "%s/b.json", sub);
	write_file(path, "[{\"MetricName\": \"M\", \"MetricExpr\": \"2 * E1\"}]");
	snprintf(path, sizeof(path), "%s/a.json", sub);
	write_file(path, "[{\"EventName\": \"e1\", \"EventCode\": \"0x1a0\"}]");
	snprintf(path, sizeof(path), "%s/groups.json", sub);
	write_file(path, "{\"g\": \"words\"}"); /* perf's metricgroups.json is no array */
	snprintf(path, sizeof(path), "%s/notes.txt", sub);
	write_file(path, "not read");
	s = set_load(sub, &err);
	if (!s)
		fail_msg("%s", err.text);
	assert_string_equal(s->name, "amdzen5");
	assert_int_equal(s->zen, 5);
	assert_int_equal(s->nr_events, 1);
	assert_true(s->events[0].config == 0x1000000a0);
	assert_int_equal(s->nr_metrics, 1);
	set_free(s);
	for (size_t i = 0; i < 4; i++) {
		static const char *const files[] = { "a.json", "b.json", "groups.json", "notes.txt" };

		snprintf(path, sizeof(path), "%s/%s", sub, files[i]);
		unlink(path);
	}
	assert_null(set_load(sub, &err));
	rmdir(sub);
	rmdir(folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_are_there),          cmocka_unit_test(every_formula_by_another_evaluator),
	cmocka_unit_test(every_operand_is_known), cmocka_unit_test(codes_by_hand),
	cmocka_unit_test(codes_of_the_reference), cmocka_unit_test(units_and_parents),
	cmocka_unit_test(choice_by_cpuid),        cmocka_unit_test(bad_files_are_refused),
	cmocka_unit_test(growth_is_bounded),      cmocka_unit_test(perfs_own_keys),
	cmocka_unit_test(damaged_files),          cmocka_unit_test(a_folder_of_files),
};

TEST_MODULE(set, tests);
