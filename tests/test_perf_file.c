// SPDX-License-Identifier: GPL-2.0-only
/*
 * The forms in which perf.data comes: the same capture gives the same numbers as file and
 * as pipe stream, in both byte orders, finished or not, by old and new writers.
 */
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/built.h"
#include "tests/seen.h"
#include "tests/test.h"

/* What a pipe can answer, too: it has no topology. */
static const struct scope_request requests[] = {
	{ false, PLACE_RUN }, { true, PLACE_RUN }, { false, PLACE_CPU }, { true, PLACE_CPU }, { false, PLACE_THREAD },
};

enum { NR_REQUESTS = sizeof(requests) / sizeof(requests[0]) };

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

/* ---- the same numbers ---- */

static void same_event(const struct event *a, const struct event *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->modifiers, b->modifiers);
	assert_string_equal(a->unit, b->unit);
	assert_true(a->scale == b->scale && a->group == b->group && a->opened == b->opened && a->type == b->type &&
		    a->config == b->config && a->flags == b->flags && a->read_format == b->read_format);
}

static void same_cell(const struct cell *a, const struct cell *b)
{
	assert_true(a->state == b->state && a->raw == b->raw && a->enabled == b->enabled && a->running == b->running &&
		    same(a->scaled, b->scaled) && a->scaled_perf == b->scaled_perf && a->dead == b->dead &&
		    a->fell == b->fell && a->exceeded == b->exceeded && a->instances == b->instances);
}

static void same_result(const struct metric_result *a, const struct metric_result *b)
{
	assert_true(same(a->value, b->value) && same(a->value_perf, b->value_perf) && same(a->lo, b->lo) &&
		    same(a->hi, b->hi) && same(a->coverage, b->coverage) && a->status == b->status &&
		    a->method == b->method && a->co_scheduled == b->co_scheduled);
	assert_string_equal(a->reason, b->reason);
}

static void same_seen(const struct seen *a, const struct seen *b)
{
	assert_string_equal(a->set_name, b->set_name);
	assert_int_equal(a->capture->nr_events, b->capture->nr_events);
	for (size_t e = 0; e < a->capture->nr_events; e++)
		same_event(&a->capture->events[e], &b->capture->events[e]);
	assert_int_equal(a->nr_scopes, b->nr_scopes);
	for (size_t i = 0; i < a->nr_scopes; i++) {
		assert_string_equal(a->scopes[i].label, b->scopes[i].label);
		assert_true(a->scopes[i].interval == b->scopes[i].interval && same(a->scopes[i].end_ns, b->scopes[i].end_ns));
		for (size_t e = 0; e < a->capture->nr_events; e++)
			same_cell(&a->scopes[i].cells[e], &b->scopes[i].cells[e]);
		for (size_t m = 0; m < a->nr_metrics; m++)
			same_result(&a->scopes[i].results[m], &b->scopes[i].results[m]);
	}
	assert_int_equal(a->capture->aggregation, b->capture->aggregation);
	assert_int_equal(a->capture->duration_ns, b->capture->duration_ns);
}

static struct seen *see(const char *path, const char *set)
{
	struct error err = { "" };
	struct seen *s = seen_new(path, requests, NR_REQUESTS, set, &err);

	if (!s)
		fail_msg("%s: %s", path, err.text);
	assert_false(damage_lost(&s->capture->damage));
	return s;
}

/* ---- file and pipe ---- */

static void check_as_pipe(const char *path)
{
	struct statdata *p = statdata_load(path);
	struct seen *file = see(path, NULL), *pipe;
	struct image b;

	assert_non_null(p);
	assert_string_equal(file->capture->format, "perf.data file");
	b = statdata_pipe(p);
	pipe = see(image_path(&b), *file->set_name ? file->set_name : NULL);
	assert_string_equal(pipe->capture->format, "perf.data pipe");
	same_seen(file, pipe);
	seen_free(pipe);
	seen_free(file);
	image_free(&b);
	statdata_free(p);
}

static size_t check_folder_as_pipes(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	size_t nr = 0;

	assert_non_null(d);
	while ((entry = readdir(d))) {
		char path[600], text[700];
		const char *dot = strstr(entry->d_name, ".data");

		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		snprintf(text, sizeof(text), "%s/%.*s.txt", folder, dot ? (int)(dot - entry->d_name) : 0, entry->d_name);
		if (!dot || dot[5] || strstr(entry->d_name, "pipe") || access(text, R_OK))
			continue;
		check_as_pipe(path);
		nr++;
	}
	closedir(d);
	return nr;
}

static const char *const versions[] = { "perf-6.1", "perf-6.12", "perf-7.2" };

static void test_file_and_pipe(void **state)
{
	size_t nr = 0;

	(void)state;
	check_as_pipe("fixtures/sha256.data");
	for (size_t i = 0; i < 2 * sizeof(versions) / sizeof(versions[0]); i++) {
		char folder[300];

		if (i % 2 && !test_shared())
			continue;
		snprintf(folder, sizeof(folder), "%s/%s", i % 2 ? "../shared/captures" : "fixtures", versions[i / 2]);
		nr += check_folder_as_pipes(folder);
	}
	print_message("%zu captures give the same as pipes\n", nr);
	assert_true(nr >= 11);
}

/* Real streams of perf stat record -o - */
static void test_real_pipes(void **state)
{
	struct seen *s = see("fixtures/perf-6.1/pipe.data", NULL);

	(void)state;
	assert_string_equal(s->capture->format, "perf.data pipe");
	assert_string_equal(s->set_name, "amdzen4");
	assert_null(s->capture->cpuid);
	assert_true(s->capture->is_stat && s->capture->complete);
	assert_int_equal(s->capture->events[4].group, 0);
	assert_int_equal(s->capture->events[5].group, 5);
	assert_int_equal(s->capture->events[16].group, 15);
	seen_free(s);
}

static void test_standard_input(void **state)
{
	const char *const paths[] = { "fixtures/perf-6.1/pipe.data", "fixtures/perf-6.12/interval.data" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct seen *file = see(paths[i / 2], NULL), *piped;
		int old = dup(0);
		char cat[100];
		FILE *f;

		/* redirected, and through a pipe */
		snprintf(cat, sizeof(cat), "cat %s", paths[i / 2]);
		f = i % 2 ? popen(cat, "r") : fopen(paths[i / 2], "rb");
		assert_non_null(f);
		assert_int_equal(dup2(fileno(f), 0), 0);
		piped = see("-", NULL);
		assert_int_equal(dup2(old, 0), 0);
		close(old);
		assert_string_equal(piped->capture->path, "-");
		same_seen(file, piped);
		seen_free(piped);
		seen_free(file);
		if (i % 2)
			pclose(f);
		else
			fclose(f);
	}
}

static void test_pipe_in_other_byte_order(void **state)
{
	struct statdata *little = built_sha256(128, false), *big = built_sha256(128, true);
	struct image a = statdata_pipe(little), b = statdata_pipe(big);
	struct seen *s = see(image_path(&a), NULL), *t = see(image_path(&b), NULL);

	(void)state;
	assert_false(s->capture->swapped);
	assert_true(t->capture->swapped);
	same_seen(s, t);
	seen_free(s);
	seen_free(t);
	image_free(&a);
	image_free(&b);
	statdata_free(little);
	statdata_free(big);
}

/* ---- which set, where no CPU is told ---- */

/* A pipe stream of these events, without names. */
static struct seen *pipe_of(const uint64_t *configs, size_t nr)
{
	struct statdata *p = statdata_new(128, false);
	struct error err = { "" };
	struct image b;
	struct seen *s;

	for (size_t i = 0; i < nr; i++)
		statdata_event(p, &(struct statdata_event){ .type = 4, .config = configs[i], .nr_ids = 1 });
	for (size_t i = 0; i < nr; i++)
		statdata_stat(p, statdata_id(p, i, 0), -1, 0, 1000 * (i + 1), 100, 100);
	statdata_round(p, true, 100);
	b = statdata_pipe(p);
	s = seen_image(&b, requests, 1, NULL, &err);
	if (!s)
		fail_msg("%s", err.text);
	image_free(&b);
	statdata_free(p);
	return s;
}

static void test_set_by_events(void **state)
{
	/* level 1 has the same codes on Zen 4 and Zen 5, and six or eight slots */
	static const uint64_t level1[] = { 0x76, 0xc1, 0x7aa, 0x1000001a0, 0x100001ea0, 0x1000060a0 };
	static const uint64_t zen4[] = { 0x76, 0xc1, 0x7aa, 0xc3, 0x96 };
	static const uint64_t zen5[] = { 0x76, 0xc1, 0x7aa, 0xc3, 0x19f };
	static const uint64_t none[] = { 0x1ff, 0x2ff };
	struct seen *s = pipe_of(level1, 6);

	(void)state;
	assert_string_equal(s->set_name, "");
	assert_true(strstr(s->note, "--set") && strstr(s->note, "amdzen4") && strstr(s->note, "amdzen5"));
	assert_int_equal(s->scopes[0].cells[5].raw, 6000);
	seen_free(s);
	s = pipe_of(zen4, 5);
	assert_string_equal(s->set_name, "amdzen4");
	seen_free(s);
	s = pipe_of(zen5, 5);
	assert_true(strcmp(s->set_name, "amdzen4") != 0);
	print_message("by its events: \"%s\" %s\n", s->set_name, s->note);
	seen_free(s);
	s = pipe_of(none, 2);
	assert_string_equal(s->set_name, "");
	assert_true(*s->note);
	print_message("no set: %s\n", s->note);
	seen_free(s);
}

/* ---- the numbers of aggregation modes ---- */

static enum aggregation mode_of(uint64_t number, int level, const char *version)
{
	struct statdata *p = statdata_new(128, false);
	enum aggregation mode;
	struct image b;
	struct seen *s;

	statdata_event(p, &(struct statdata_event){ .name = "e", .type = 4, .config = 0x76, .nr_ids = 1 });
	if (version)
		statdata_feature_string(p, 5, version);
	statdata_stat_config(p, number, 0, 1, level);
	statdata_stat(p, 1, -1, 0, 1, 1, 1);
	statdata_round(p, true, 1);
	b = statdata_file(p);
	s = seen_run_image(&b);
	mode = s->capture->aggregation;
	seen_free(s);
	image_free(&b);
	statdata_free(p);
	return mode;
}

static void test_aggregation_modes(void **state)
{
	static const struct {
		uint64_t number;
		enum aggregation old, new;
	} modes[] = {
		{ 0, AGGREGATION_NONE, AGGREGATION_NONE },       { 1, AGGREGATION_GLOBAL, AGGREGATION_GLOBAL },
		{ 2, AGGREGATION_SOCKET, AGGREGATION_SOCKET },   { 3, AGGREGATION_DIE, AGGREGATION_DIE },
		{ 4, AGGREGATION_CORE, AGGREGATION_CLUSTER },    { 5, AGGREGATION_THREAD, AGGREGATION_CACHE },
		{ 6, AGGREGATION_UNKNOWN, AGGREGATION_CORE },    { 7, AGGREGATION_NODE, AGGREGATION_THREAD },
		{ 8, AGGREGATION_UNKNOWN, AGGREGATION_UNKNOWN }, { 9, AGGREGATION_UNKNOWN, AGGREGATION_NODE },
		{ UINT64_MAX, AGGREGATION_UNKNOWN, AGGREGATION_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_int_equal(mode_of(modes[i].number, -1, "6.1.192"), modes[i].old);
		assert_int_equal(mode_of(modes[i].number, -1, NULL), modes[i].old);
		assert_int_equal(mode_of(modes[i].number, 0, "6.1.192"), modes[i].new);
		assert_int_equal(mode_of(modes[i].number, 3, NULL), modes[i].new);
		assert_int_equal(mode_of(modes[i].number, -1, "6.12.95"), modes[i].new);
		assert_int_equal(mode_of(modes[i].number, -1, "7.2.13"), modes[i].new);
	}
}

/* ---- events ---- */

static void test_not_supported(void **state)
{
	struct statdata *p = statdata_new(136, false);
	struct image b;
	struct seen *s;

	(void)state;
	statdata_event(p, &(struct statdata_event){ .name = "cycles", .type = 0, .config = 0, .nr_ids = 0 });
	statdata_event(p, &(struct statdata_event){ .name = "r76", .type = 4, .config = 0x76, .nr_ids = 1 });
	statdata_stat(p, 1, -1, 0, 5, 10, 10);
	statdata_round(p, true, 10);
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_false(s->capture->events[0].opened);
	assert_string_equal(s->capture->events[0].name, "cycles");
	assert_int_equal(s->scopes[0].cells[0].state, CELL_NOT_SUPPORTED);
	assert_true(isnan(s->scopes[0].cells[0].scaled));
	assert_int_equal(s->scopes[0].cells[1].state, CELL_COUNTED);
	assert_false(damage_lost(&s->capture->damage));
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* perf 7.2: duration_time and its like have no ids; their readings carry id 0, in the order of the events. */
static void test_tool_events(void **state)
{
	static const char *const names[] = { "duration_time", "r76", "user_time", "system_time" };
	struct statdata *p = statdata_new(144, false);
	struct image b;
	struct seen *s;

	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		statdata_event(p, &(struct statdata_event){ .name = names[i], .type = i == 1 ? 4 : 0xfffffffe,
							    .config = i == 1 ? 0x76 : i ? i : 1, .nr_ids = i == 1,
							    .unit = i == 0 ? "ns" : NULL });
	for (uint64_t round = 1; round <= 2; round++) {
		statdata_stat(p, 0, -1, 0, 1000 * round, 1000 * round, 1000 * round);
		statdata_stat(p, 1, -1, 0, 7 * round, 1000 * round, 1000 * round);
		statdata_stat(p, 0, -1, 0, 600 * round, 1000 * round, 1000 * round);
		statdata_stat(p, 0, -1, 0, 300 * round, 1000 * round, 1000 * round);
		statdata_round(p, false, 1000 * round);
	}
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_false(damage_lost(&s->capture->damage));
	assert_int_equal(s->scopes[0].cells[0].raw, 2000);
	assert_int_equal(s->scopes[0].cells[1].raw, 14);
	assert_int_equal(s->scopes[0].cells[2].raw, 1200);
	assert_int_equal(s->scopes[0].cells[3].raw, 600);
	assert_string_equal(s->capture->events[0].unit, "ns");
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* perf 6.12 -A stores "name [pmu]"; units and scales come as updates. */
static void test_names_and_units(void **state)
{
	struct statdata *p = statdata_new(136, false);
	struct image b;
	struct seen *s;

	(void)state;
	statdata_event(p, &(struct statdata_event){ .name = "ex_ret_ops [cpu]", .type = 4, .config = 0xc1, .nr_ids = 1 });
	statdata_event(p, &(struct statdata_event){ .name = "task-clock", .type = 1, .config = 1, .nr_ids = 1, .unit = "msec",
						    .scale = 1e-6, .cpus = true });
	statdata_event(p, &(struct statdata_event){ .type = 4, .config = 0x1060001a0, .nr_ids = 1, .flags = EVENT_EXCLUDE_KERNEL });
	statdata_stat(p, 2, 0, 0, 5000000, 10, 10);
	statdata_round(p, true, 10);
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_string_equal(s->capture->events[0].name, "ex_ret_ops");
	assert_string_equal(s->capture->events[1].unit, "msec");
	assert_true(s->capture->events[1].scale == 1e-6 && s->capture->events[1].has_cpu_mask);
	assert_int_equal(s->capture->events[2].config, 0x1060001a0);
	assert_string_equal(s->capture->events[2].modifiers, "u");
	assert_true(*s->capture->events[2].name);
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* Not as perf writes it: an event that is described when others have been counted already. */
static void test_late_event(void **state)
{
	const struct scope_request both[] = { { true, PLACE_RUN }, { false, PLACE_RUN } };
	struct statdata *p = built_sha256(128, false);
	const struct statdata_event late = { .type = 4, .config = 0xc0 };
	struct error err = { "" };
	struct image b;
	struct seen *s;

	(void)state;
	statdata_round(p, false, 1000);
	statdata_late_event(p, &late, 99);
	statdata_stat(p, 99, -1, 0, 77, 1000, 1000);
	statdata_round(p, false, 2000);
	b = statdata_pipe(p);
	s = seen_image(&b, both, 2, "amdzen4", &err);
	if (!s)
		fail_msg("%s", err.text);
	assert_int_equal(s->capture->nr_events, 18);
	assert_int_equal(seen_scope(s, 1, "run")->cells[17].raw, 77);
	assert_int_equal(seen_scope(s, -1, "run")->cells[17].raw, 77);
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* ---- unfinished ---- */

/* The recorder was killed: data.size is 0 and the bits promise features that are not there. */
static void test_unfinished(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image b = statdata_file(p);
	struct seen *whole = seen_run_image(&b), *cut;
	uint64_t data, size;

	(void)state;
	memcpy(&data, b.at + STATDATA_AT_DATA, 8);
	memcpy(&size, b.at + STATDATA_AT_DATA_SIZE, 8);
	b.size = data + size;
	image_patch_u64(&b, STATDATA_AT_DATA_SIZE, 0);
	cut = seen_run_image(&b);
	assert_int_equal(cut->capture->damage.of[DAMAGE_DATA_SIZE_ZERO].count, 1);
	assert_true(damage_lost(&cut->capture->damage) && !cut->capture->complete);
	assert_null(cut->capture->cpuid);
	/* names follow from the codes, groups from how events were opened */
	assert_string_equal(cut->set_name, "amdzen4");
	for (size_t e = 0; e < whole->capture->nr_events; e++) {
		same_cell(&whole->scopes[0].cells[e], &cut->scopes[0].cells[e]);
		assert_int_equal(whole->capture->events[e].group, cut->capture->events[e].group);
	}
	for (size_t m = 0; m < whole->nr_metrics; m++)
		assert_true(same(whole->scopes[0].results[m].value_perf, cut->scopes[0].results[m].value_perf));
	seen_free(whole);
	seen_free(cut);
	image_free(&b);
	statdata_free(p);
}

static void test_really_killed(void **state)
{
	const struct scope_request both[] = { { false, PLACE_RUN }, { true, PLACE_RUN } };
	struct error err = { "" };
	struct seen *s = seen_new("fixtures/perf-6.1/killed.data", both, 2, NULL, &err);

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->capture->damage.of[DAMAGE_DATA_SIZE_ZERO].count, 1);
	assert_int_equal(s->capture->interval_ms, 100);
	assert_int_equal(s->nr_scopes, 5);
	for (size_t e = 0; e < s->capture->nr_events; e++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < 4; i++)
			sum += s->scopes[i].cells[e].raw;
		assert_int_equal(sum, s->scopes[4].cells[e].raw);
	}
	seen_free(s);
}

/* Cut in the middle of a set: what is not whole is not used. */
static void test_cut_set(void **state)
{
	const struct scope_request both[] = { { false, PLACE_RUN }, { true, PLACE_RUN } };
	struct statdata *p = statdata_new(128, false);
	struct error err = { "" };
	struct image b;
	struct seen *s;
	uint64_t data, size;

	(void)state;
	statdata_event(p, &(struct statdata_event){ .name = "a", .type = 4, .config = 1, .nr_ids = 1 });
	statdata_event(p, &(struct statdata_event){ .name = "b", .type = 4, .config = 2, .nr_ids = 1 });
	for (uint64_t round = 1; round <= 3; round++) {
		statdata_stat(p, 1, -1, 0, 10 * round, 100 * round, 100 * round);
		statdata_stat(p, 2, -1, 0, 20 * round, 100 * round, 100 * round);
		statdata_round(p, false, 100 * round);
	}
	b = statdata_file(p);
	memcpy(&data, b.at + STATDATA_AT_DATA, 8);
	memcpy(&size, b.at + STATDATA_AT_DATA_SIZE, 8);
	b.size = data + size - 24 - 48 + 20; /* the last round, and most of the reading before it */
	s = seen_new(image_path(&b), both, 2, NULL, &err);
	assert_non_null(s);
	assert_int_equal(s->nr_scopes, 3);
	assert_int_equal(s->scopes[2].interval, -1);
	assert_int_equal(s->scopes[2].cells[0].raw, 20);
	assert_int_equal(s->scopes[2].cells[1].raw, 40);
	assert_true(s->capture->damage.of[DAMAGE_TRUNCATED].count && s->capture->damage.of[DAMAGE_INCOMPLETE_SET].count);
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* ---- what the reader does not know ---- */

static void test_unknown_parts(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image odd = statdata_image(p), b;
	struct seen *s;

	(void)state;
	image_u64(&odd, 1);
	statdata_feature(p, 77, &odd);
	statdata_record(p, 200, 0, &odd);
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_int_equal(s->capture->damage.of[DAMAGE_UNKNOWN_FEATURE].count, 1);
	assert_int_equal(s->capture->damage.of[DAMAGE_UNKNOWN_RECORD].count, 1);
	assert_false(damage_lost(&s->capture->damage));
	seen_free(s);
	image_free(&b);
	image_free(&odd);
	statdata_free(p);
}

/* Few bytes that ask for a lot of work: they are refused, and the rest is read. */
static void test_too_many_nodes(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image nodes = statdata_image(p), b;
	struct seen *s;

	(void)state;
	image_u32(&nodes, 100000);
	for (uint32_t i = 0; i < 100000; i++) {
		image_u32(&nodes, i);
		image_zeros(&nodes, 16);
		image_u32(&nodes, 8);
		image_text(&nodes, "0-65535", 8);
	}
	statdata_feature(p, 14, &nodes);
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_int_equal(s->capture->damage.of[DAMAGE_FEATURE_ODD].count, 1);
	assert_int_equal(s->capture->nr_cpus, 0);
	assert_int_equal(s->scopes[0].cells[0].raw, 612347);
	seen_free(s);
	image_free(&b);
	image_free(&nodes);
	statdata_free(p);
}

static void test_unknown_id(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image b;
	struct seen *s;

	(void)state;
	statdata_stat(p, 12345, -1, 0, 1, 1, 1);
	b = statdata_file(p);
	s = seen_run_image(&b);
	assert_int_equal(s->capture->damage.of[DAMAGE_UNKNOWN_EVENT].count, 1);
	assert_true(damage_lost(&s->capture->damage));
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

/* Every event says that the whole file is its ids: one can be, the others are not read. */
static void test_ids_of_all(void **state)
{
	struct statdata *p = built_sha256(128, false);
	struct image b = statdata_file(p);
	const size_t stride = 128 + 16;
	uint64_t attrs, size, nr;
	struct seen *s;

	(void)state;
	memcpy(&attrs, b.at + 24, 8);
	memcpy(&size, b.at + 32, 8);
	nr = size / stride;
	for (uint64_t i = 0; i < nr; i++) {
		image_patch_u64(&b, (size_t)(attrs + i * stride) + 128, 0);
		image_patch_u64(&b, (size_t)(attrs + i * stride) + 136, b.size);
	}
	s = seen_run_image(&b);
	assert_int_equal(s->capture->damage.of[DAMAGE_IDS_OUTSIDE].count, nr - 1);
	seen_free(s);
	image_free(&b);
	statdata_free(p);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_file_and_pipe),
	cmocka_unit_test(test_real_pipes),
	cmocka_unit_test(test_standard_input),
	cmocka_unit_test(test_pipe_in_other_byte_order),
	cmocka_unit_test(test_set_by_events),
	cmocka_unit_test(test_aggregation_modes),
	cmocka_unit_test(test_not_supported),
	cmocka_unit_test(test_tool_events),
	cmocka_unit_test(test_names_and_units),
	cmocka_unit_test(test_late_event),
	cmocka_unit_test(test_unfinished),
	cmocka_unit_test(test_really_killed),
	cmocka_unit_test(test_cut_set),
	cmocka_unit_test(test_unknown_parts),
	cmocka_unit_test(test_unknown_id),
	cmocka_unit_test(test_too_many_nodes),
	cmocka_unit_test(test_ids_of_all),
};

TEST_MODULE(perf_file, tests);
