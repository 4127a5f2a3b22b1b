// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures that others published, where they lie beside the checkout: an independent
 * reader has counted their samples and records.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/records.h"

#include "tests/test.h"

enum { PATH = 0, KIND = 2, CLASS = 3, RECORDS = 18, SAMPLES = 20, COLUMNS = 26, TYPES = 128 };

struct tally {
	uint64_t samples, types[TYPES];
};

/* 0 read to the end, 2 refused, -1 stopped on the way */
static int count(const char *path, bool time_order, struct tally *ret, struct error *err)
{
	const struct capture_options options = { .want_samples = true, .want_records = true, .time_order = time_order };
	struct capture_reader *r = capture_open(path, &options, err);
	struct capture *c;
	struct item item;
	int n;

	memset(ret, 0, sizeof(*ret));
	if (!r)
		return 2;
	capture_run(r, &c, err);
	while ((n = capture_next(r, &item, err)) > 0)
		ret->samples += item.kind == ITEM_SAMPLE;
	memcpy(ret->types, c->record_counts, sizeof(ret->types));
	ret->samples += c->damage.of[DAMAGE_RECORD_ODD].count;
	capture_close(r);
	return n;
}

static void split(char *line, char *column[COLUMNS])
{
	for (size_t i = 0; i < COLUMNS; i++)
		column[i] = line ? strsep(&line, "\t") : (char *)"";
}

/* "SAMPLE:31570,MMAP2:7": how many of this type; -1 where it is not in the list */
static long long listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)); p++)
		if ((p == list || p[-1] == ',') && p[n] == ':')
			return atoll(p + n + 1);
	return -1;
}

static int compare(const char *path, char *column[COLUMNS], const struct tally *t)
{
	static const uint32_t types[] = {
		RECORD_MMAP, RECORD_MMAP2, RECORD_COMM, RECORD_FORK, RECORD_EXIT, RECORD_LOST, RECORD_THROTTLE,
		RECORD_FINISHED_ROUND, RECORD_KSYMBOL, RECORD_BPF_EVENT, RECORD_AUX, RECORD_SWITCH, RECORD_AUXTRACE,
	};
	int wrong = 0;

	if (*column[SAMPLES] && (uint64_t)atoll(column[SAMPLES]) != t->samples) {
		print_message("%s: %llu samples, expected %s\n", path, (unsigned long long)t->samples, column[SAMPLES]);
		wrong++;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		long long n = listed(column[RECORDS], record_type_name(types[i]));

		if (n < 0 || (uint64_t)n == t->types[types[i]])
			continue;
		print_message("%s: %llu %s, expected %lld\n", path, (unsigned long long)t->types[types[i]],
			      record_type_name(types[i]), n);
		wrong++;
	}
	return wrong;
}

static int check_line(char *line)
{
	char *column[COLUMNS], path[600];
	struct tally file_order, time_order;
	struct error err;
	int n;

	split(line, column);
	if (strncmp(column[KIND], "perf.data", 9))
		return 0;
	snprintf(path, sizeof(path), "%s/corpus/%s", test_shared(), column[PATH]);
	n = count(path, false, &file_order, &err);
	if (strcmp(column[CLASS], "fuzz") == 0) {
		count(path, true, &time_order, &err);
		return 0;
	}
	if (n) {
		print_message("%s: %s\n", path, err.text);
		return 1;
	}
	count(path, true, &time_order, &err);
	return compare(path, column, &file_order) + (memcmp(&file_order, &time_order, sizeof(file_order)) != 0);
}

static void corpus_has_its_samples(void **state)
{
	char index[600], *line = NULL;
	size_t room = 0;
	int wrong = 0;
	FILE *f;

	(void)state;
	if (!test_shared())
		skip();
	snprintf(index, sizeof(index), "%s/corpus/INDEX.tsv", test_shared());
	f = fopen(index, "r");
	assert_non_null(f);
	while (getline(&line, &room, f) > 0)
		wrong += check_line(line);
	free(line);
	fclose(f);
	assert_int_equal(wrong, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(corpus_has_its_samples),
};

TEST_MODULE(corpus, tests);
