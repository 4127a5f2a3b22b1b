// SPDX-License-Identifier: GPL-2.0-only
/*
 * The metrics that perf printed, computed again from the counts in the same file: in
 * perf's own output files to the last printed digit, in tables of real Zen 4 machines
 * that others published within 0.06 points.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/seen.h"
#include "tests/test.h"

struct tally {
	size_t files, metrics;
};

static struct scope_request request_for(const char *path)
{
	static const struct {
		const char *word;
		unsigned place;
	} places[] = { { "percpu", PLACE_CPU }, { "percore", PLACE_CORE }, { "persocket", PLACE_SOCKET } };
	const char *name = strrchr(path, '/');
	struct scope_request q = { .by_interval = strstr(name, "interval") != NULL, .place = PLACE_RUN };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strstr(name, places[i].word))
			q.place = places[i].place;
	return q;
}

/* perf prints `value` × print_scale with a step of `step`. */
static void compare(const char *path, const struct seen *s, double allowed, struct tally *t)
{
	for (size_t i = 0; i < s->nr_scopes; i++) {
		for (size_t m = 0; m < s->nr_metrics; m++) {
			const struct metric_result *r = &s->scopes[i].results[m];
			double printed = r->value_perf * s->print_scale[m], ours = r->value * s->print_scale[m];

			if (isnan(printed))
				continue;
			if (!(fabs(ours - printed) <= allowed))
				fail_msg("%s: %s of %s is %.9g and was printed as %.9g", path, s->metrics[m],
					 s->scopes[i].label, ours, printed);
			t->metrics++;
		}
	}
}

static void check_file(const char *path, double allowed, struct tally *t)
{
	struct scope_request q = request_for(path);
	struct error err = { "" };
	struct seen *s = seen_new(path, &q, 1, strstr(path, "zen5") ? "amdzen5" : "amdzen4", &err);

	if (!s)
		fail_msg("%s: %s", path, err.text);
	compare(path, s, allowed, t);
	t->files++;
	seen_free(s);
}

static struct tally check_all(const char *folder, const char *pattern, double allowed)
{
	struct tally t = { 0, 0 };
	char full[300];
	glob_t files;

	snprintf(full, sizeof(full), "%s/%s", folder, pattern);
	if (glob(full, 0, NULL, &files))
		return t;
	for (size_t i = 0; i < files.gl_pathc; i++)
		if (!strstr(files.gl_pathv[i], ".truth.") && !strstr(files.gl_pathv[i], "metric-only"))
			check_file(files.gl_pathv[i], allowed, &t);
	globfree(&files);
	return t;
}

/* One decimal of a percentage; JSON has six. */
static const double half_a_digit = 0.05 + 1e-9, half_a_digit_json = 0.5e-6 + 1e-7;

static void fixtures(void **state)
{
	(void)state;
	assert_true(check_all("fixtures", "perf-*/*.txt", half_a_digit).metrics > 100);
	assert_true(check_all("fixtures", "stat-output/*.csv", half_a_digit).metrics > 50);
	assert_true(check_all("fixtures", "stat-output/*.json", half_a_digit_json).metrics > 10);
	assert_true(check_all("fixtures", "stat-output/*.out", half_a_digit).metrics > 10);
}

static void captures(void **state)
{
	char folder[200];
	size_t metrics = 0;

	(void)state;
	if (!test_shared())
		skip();
	snprintf(folder, sizeof(folder), "%s/captures", test_shared());
	metrics += check_all(folder, "perf-*/*.txt", half_a_digit).metrics;
	metrics += check_all(folder, "perf-*/*.out", half_a_digit).metrics;
	metrics += check_all(folder, "perf-*/*.csv", half_a_digit).metrics;
	metrics += check_all(folder, "perf-*/*.json", half_a_digit_json).metrics;
	print_message("%zu printed metrics\n", metrics);
	assert_true(metrics > 2000);
}

static void published_pipelines(void **state)
{
	struct tally t = { 0, 0 };
	char path[600], line[8192];
	FILE *index;

	(void)state;
	if (!test_shared())
		skip();
	snprintf(path, sizeof(path), "%s/corpus/INDEX.tsv", test_shared());
	index = fopen(path, "r");
	assert_non_null(index);
	while (fgets(line, sizeof(line), index)) {
		if (!strstr(line, "\tperf stat text zen pipeline\t") || strstr(line, "trimmed"))
			continue;
		*strchr(line, '\t') = 0;
		snprintf(path, sizeof(path), "%s/corpus/%.500s", test_shared(), line);
		check_file(path, 0.06, &t);
	}
	fclose(index);
	print_message("%zu printed metrics in %zu files\n", t.metrics, t.files);
	assert_true(t.files == 24 && t.metrics >= 170);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fixtures),
	cmocka_unit_test(captures),
	cmocka_unit_test(published_pipelines),
};

TEST_MODULE(stat_metrics, tests);
