// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damaged captures: every prefix, and every byte changed, must end in one of the exit
 * codes 0, 2 and 3, with a line for each that says why.  A plain build takes samples of
 * them; one with sanitizers takes all.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/output.h"
#include "tests/built.h"
#include "tests/seen.h"
#include "tests/test.h"

#if defined(__SANITIZE_ADDRESS__)
enum { EVERYTHING = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { EVERYTHING = 1 };
#else
enum { EVERYTHING = 0 };
#endif
#else
enum { EVERYTHING = 0 };
#endif

enum { DONE = 0, CANNOT = 2, DAMAGED = 3 };

static const struct scope_request requests[] = {
	{ false, PLACE_RUN }, { true, PLACE_RUN }, { false, PLACE_CPU }, { false, PLACE_CORE | PLACE_THREAD },
};

/* Every kind of output, with nowhere to go; or the tables alone. */
static struct outputs *open_outputs(bool every_kind)
{
	static const struct output_request all[] = {
		{ .content = OUTPUT_TABLES, .class = &sink_null },
		{ .content = OUTPUT_METRICS, .class = &sink_null },
		{ .content = OUTPUT_COUNTS, .class = &sink_null },
		{ .content = OUTPUT_PAGE, .counts = true, .path = "/dev/null" },
		{ .content = OUTPUT_PAGE, .markdown = true, .path = "/dev/null" },
	};
	const struct output_options options = { .force = true };
	struct error err = { "" };
	struct outputs *o = outputs_open(all, every_kind ? sizeof(all) / sizeof(all[0]) : 1, &options, &err);

	if (!o)
		fail_msg("%s", err.text);
	return o;
}

/* A kind of damage that was counted has words. */
static void check_tally(const struct damage *d)
{
	for (int k = 0; k < DAMAGE_NR; k++)
		if (d->of[k].count)
			assert_true(*damage_text((enum damage_kind)k) && *damage_name((enum damage_kind)k));
}

/* Samples go to a kind of part after the other; files of this machine have nothing to do with it. */
static int analyse(struct capture_reader *reader, const char *set, bool thorough, struct error *err)
{
	static unsigned turn;
	const struct parts_options parts = { .kind = turn++ % PART_KINDS, .function = "main", .inlines = turn % 2 };
	struct locator *locator = locator_new(&(struct symbols_options){ .symfs = "fixtures/symfs" });
	const struct analysis_options options = {
		.locator = locator,
		.parts = &parts,
		.requests = requests,
		.nr_requests = sizeof(requests) / sizeof(requests[0]),
		.set_name = thorough ? set : "generic",
	};
	struct outputs *outputs = open_outputs(thorough);
	struct capture *capture;
	int code = capture_run(reader, &capture, err) == 1 &&
				   analysis_run(reader, capture, &options, &outputs_visitor, outputs, err) == 0 ?
			   DONE :
			   CANNOT;

	locator_free(locator);
	if (code == CANNOT) {
		outputs_abandon(outputs);
		return CANNOT;
	}
	check_tally(&capture->damage);
	if (damage_lost(&capture->damage))
		code = DAMAGED;
	assert_int_equal(capture->complete, code == DONE);
	assert_int_equal(outputs_finish(outputs, err), 0);
	return code;
}

/*
 * What the exit code of perftab would be.  A large metric set and pages take longer than all
 * the rest, so most captures make do with a small set and tables.
 */
static int code_of(const struct image *b, const char *set)
{
	static unsigned turn;
	const struct capture_options options = { .want_samples = true, .want_records = true };
	struct error err = { "" };
	struct capture_reader *reader = capture_open(image_path(b), &options, &err);
	int code = reader ? analyse(reader, set, turn++ % 8 == 0, &err) : CANNOT;

	capture_close(reader);
	if (code == CANNOT)
		assert_true(*err.text && !strchr(err.text, '\n'));
	return code;
}

/* ---- one capture ---- */

struct codes {
	size_t done, cannot, damaged;
};

static void count(struct codes *n, int code)
{
	n->done += code == DONE;
	n->cannot += code == CANNOT;
	n->damaged += code == DAMAGED;
}

/* A file says how long it is: no part of one passes for the whole. */
static void cut_everywhere(const struct image *whole, const char *set, size_t stride, struct codes *n)
{
	struct image part = *whole;
	bool pipe = whole->at[8] == 16 || whole->at[15] == 16;

	for (part.size = 0; part.size < whole->size; part.size += stride) {
		int code = code_of(&part, set);

		if (code == DONE && !pipe)
			fail_msg("the first %zu of %zu bytes pass for the whole", part.size, whole->size);
		count(n, code);
	}
}

static void flip_everywhere(struct image *whole, const char *set, size_t stride, struct codes *n)
{
	static const uint8_t masks[] = { 0xff, 0x01, 0x80, 0x10 };

	for (size_t at = 0, turn = 0; at < whole->size; at += stride, turn++) {
		whole->at[at] ^= masks[turn % 4];
		count(n, code_of(whole, set));
		whole->at[at] ^= masks[turn % 4];
	}
}

/* Larger captures are sampled in any case; a prime, so that all fields have their turn. */
static size_t stride_of(const struct image *b)
{
	if (EVERYTHING)
		return b->size < 7000 ? 1 : 29;
	return b->size < 7000 ? 61 : 211;
}

static void damage(struct image *b, const char *set, struct codes *n)
{
	size_t stride = stride_of(b);

	cut_everywhere(b, set, stride, n);
	flip_everywhere(b, set, stride, n);
}

/* ---- captures ---- */

static size_t damage_folder(const char *folder, struct codes *n)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	size_t nr = 0;

	assert_non_null(d);
	while ((entry = readdir(d))) {
		const char *dot = strrchr(entry->d_name, '.');
		char path[600];
		struct image b;

		if (!dot || strcmp(dot, ".data"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		b = image_read(path);
		damage(&b, "amdzen4", n);
		image_free(&b);
		nr++;
	}
	closedir(d);
	return nr;
}

static void test_damaged_fixtures(void **state)
{
	static const char *const folders[] = { "fixtures", "fixtures/perf-6.1", "fixtures/perf-6.12", "fixtures/perf-7.2" };
	struct codes n = { 0 };
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		nr += damage_folder(folders[i], &n);
	print_message("%zu captures, %zu times damaged: %zu done, %zu cannot, %zu lost something\n", nr,
		      n.done + n.cannot + n.damaged, n.done, n.cannot, n.damaged);
	assert_true(nr >= 14 && n.damaged && n.cannot);
}

/* The set is chosen, too: by the damaged CPUID or by the damaged events. */
static void test_damaged_built(void **state)
{
	struct codes n = { 0 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct statdata *p = built_sha256(i & 1 ? 64 : 184, i & 1);
		struct image b = i & 2 ? statdata_pipe(p) : statdata_file(p);
		size_t stride = EVERYTHING ? 31 : 97;

		cut_everywhere(&b, NULL, stride, &n);
		flip_everywhere(&b, NULL, stride, &n);
		image_free(&b);
		statdata_free(p);
	}
	print_message("%zu times damaged: %zu done, %zu cannot, %zu lost something\n", n.done + n.cannot + n.damaged,
		      n.done, n.cannot, n.damaged);
}

/* Two bytes at once, and whole words with the values that sizes and counts go wrong by. */
static void test_hostile_words(void **state)
{
	static const uint64_t words[] = { 0, 1, 7, 8, 0xffff, 0x7fffffff, 0xffffffff, INT64_MAX, 1ull << 63, UINT64_MAX,
					  UINT64_MAX - 7 };
	static const char *const paths[] = { "fixtures/sha256.data", "fixtures/perf-6.1/pipe-percpu.data",
					     "fixtures/perf-7.2/user-kernel.data" };
	struct codes n = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct image b = image_read(paths[i]);
		size_t stride = EVERYTHING ? 16 : 328, turn = i;

		assert_non_null(b.at);
		for (size_t at = 8; at + 8 <= b.size; at += stride, turn++)
			for (size_t w = EVERYTHING ? 0 : turn % 11; w < 11; w += EVERYTHING ? 1 : 11) {
				uint64_t old;

				memcpy(&old, b.at + at, 8);
				memcpy(b.at + at, &words[w], 8);
				count(&n, code_of(&b, "amdzen4"));
				memcpy(b.at + at, &old, 8);
			}
		image_free(&b);
	}
	print_message("%zu words: %zu done, %zu cannot, %zu lost something\n", n.done + n.cannot + n.damaged, n.done,
		      n.cannot, n.damaged);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_damaged_fixtures),
	cmocka_unit_test(test_damaged_built),
	cmocka_unit_test(test_hostile_words),
};

TEST_MODULE(damage, tests);
