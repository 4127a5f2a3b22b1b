// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures built in memory: the same one in both byte orders, cut at every byte, killed,
 * packed in COMPRESSED records, damaged.
 */
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "reader/records.h"

#include "tests/perfdata.h"
#include "tests/test.h"

enum { NR_SAMPLES = 40 };

static const uint64_t first_ids[] = { 101, 102 }, second_ids[] = { 201, 202, 203 };

static const struct image_event events[] = {
	{ .event = { .type = EVENT_RAW,
		     .config = 0x1076,
		     .config1 = 7,
		     .sample_period = 1000,
		     .sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD |
				    SAMPLE_CALLCHAIN | SAMPLE_WEIGHT_STRUCT,
		     .flags = EVENT_SAMPLE_ID_ALL | EVENT_INHERIT | EVENT_EXCLUDE_KERNEL | 2ull << EVENT_PRECISE_SHIFT },
	  .ids = first_ids,
	  .nr_ids = 2 },
	{ .event = { .type = EVENT_SOFTWARE,
		     .config = 2,
		     .sample_period = 50,
		     .sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_READ |
				    SAMPLE_RAW,
		     .read_format = READ_GROUP | READ_ID | READ_ENABLED | READ_RUNNING,
		     .flags = EVENT_SAMPLE_ID_ALL },
	  .ids = second_ids,
	  .nr_ids = 3 },
};

static void put_trailer(struct image *im, uint64_t time)
{
	image_u32(im, 70);
	image_u32(im, 71);
	image_u64(im, time);
	image_u32(im, 1);
	image_u32(im, 0);
	image_u64(im, 101);
}

static void put_sample(struct image *im, unsigned i)
{
	bool second = i % 3 == 2;

	image_record(im, RECORD_SAMPLE, i % 2 ? MISC_KERNEL : MISC_USER);
	image_u64(im, second ? second_ids[i % 2] : first_ids[i % 2]);
	image_u64(im, 0x400000 + 16 * i);
	image_u32(im, 70);
	image_u32(im, 71 + i % 2);
	image_u64(im, 5000 + 10 * i);
	image_u32(im, i % 4);
	image_u32(im, 0);
	if (second) {
		image_u64(im, 2);
		image_u64(im, 100 * i);
		image_u64(im, 50 * i);
		image_u64(im, 7 * i);
		image_u64(im, 201);
		image_u64(im, 9 * i);
		image_u64(im, 101);
		image_u32(im, 4);
		image_bytes(im, "four", 4);
	} else {
		image_u64(im, 1000 + i);
		image_u64(im, 2);
		image_u64(im, CHAIN_USER);
		image_u64(im, 0x400000 + 16 * i);
		image_u64(im, 0x0003000200000000ull + i);
	}
	image_record_end(im);
}

static void put_others(struct image *im)
{
	image_record(im, RECORD_COMM, 1 << 13);
	image_u32(im, 70);
	image_u32(im, 71);
	image_string(im, "worker");
	put_trailer(im, 4000);
	image_record_end(im);
	image_record(im, RECORD_MMAP2, MISC_USER);
	image_u32(im, 70);
	image_u32(im, 71);
	image_u64(im, 0x400000);
	image_u64(im, 0x10000);
	image_u64(im, 0x1000);
	image_u32(im, 8);
	image_u32(im, 3);
	image_u64(im, 4711);
	image_u64(im, 12);
	image_u32(im, 5);
	image_u32(im, 2);
	image_string(im, "/usr/bin/worker");
	put_trailer(im, 4001);
	image_record_end(im);
}

static void put_data(struct image *im)
{
	put_others(im);
	for (unsigned i = 0; i < NR_SAMPLES; i++)
		put_sample(im, i);
}

/* What was read, as numbers that do not depend on the byte order of the writer. */
struct reading_of_all {
	uint64_t samples, records, sum, values[3];
	size_t nr_readings;
	uint64_t damage[DAMAGE_NR];
};

static uint64_t mix(uint64_t sum, uint64_t v)
{
	return (sum ^ v) * 0x9e3779b97f4a7c15ull + 1;
}

static uint64_t sum_of_sample(const struct sample *s)
{
	uint64_t sum = mix(s->event, s->id);

	sum = mix(mix(mix(sum, s->ip), s->time_ns), s->period);
	sum = mix(mix(mix(sum, s->pid), s->tid), (uint64_t)s->cpu);
	sum = mix(mix(mix(sum, s->weight), s->weight2), s->weight3);
	for (size_t i = 0; i < s->callchain.nr; i++)
		sum = mix(sum, words_at(&s->callchain, i));
	for (size_t i = 0; i < s->raw.size; i++)
		sum = mix(sum, s->raw.at[i]);
	for (size_t i = 0; i < s->read.nr; i++) {
		struct read_value v = read_value_at(&s->read, i);

		sum = mix(mix(mix(sum, v.value), v.id), s->read.running);
	}
	return sum;
}

static uint64_t sum_of_record(const struct item *item)
{
	const struct record_class *class = record_class_of(item->record->type);
	struct field_value fields[RECORD_FIELDS_MAX];
	uint64_t sum = mix(item->record->type, item->id->time_ns);

	assert_int_equal(record_decode(class, item->record, item->layout, 0, fields), 0);
	for (unsigned i = 0; i < class->nr_fields; i++) {
		sum = mix(sum, fields[i].number);
		for (size_t b = 0; b < fields[i].bytes.size; b++)
			sum = mix(sum, fields[i].bytes.at[b]);
	}
	return sum;
}

static int read_all(const struct image *im, struct reading_of_all *ret)
{
	const struct capture_options options = { .want_samples = true, .want_records = true };
	struct capture *c = NULL;
	struct capture_reader *r = image_open(im, &options, &c);
	struct item item;
	struct error err;
	int n;

	memset(ret, 0, sizeof(*ret));
	if (!r)
		return -1;
	while ((n = capture_next(r, &item, &err)) > 0) {
		if (item.kind == ITEM_SAMPLE) {
			ret->samples++;
			ret->sum = mix(ret->sum, sum_of_sample(item.sample));
		} else if (item.kind == ITEM_RECORD) {
			ret->records++;
			ret->sum = mix(ret->sum, sum_of_record(&item));
		}
	}
	for (size_t i = 0; i < c->nr_events; i++) {
		const struct event *e = &c->events[i];

		ret->sum = mix(mix(mix(ret->sum, e->flags), e->config), e->sample_type);
		ret->sum = mix(mix(ret->sum, e->config1), e->sample_period);
		for (const char *p = e->name; *p; p++)
			ret->sum = mix(ret->sum, (uint8_t)*p);
	}
	for (int k = 0; k < DAMAGE_NR; k++)
		ret->damage[k] = c->damage.of[k].count;
	capture_close(r);
	return n;
}

static void build(struct image *im, bool big)
{
	*im = (struct image){ .big = big };
	image_file(im, events, 2, 136);
	put_data(im);
	image_file_end(im);
}

static void twin_of_the_other_order(void **state)
{
	struct image little, big;
	struct reading_of_all a, b;

	(void)state;
	build(&little, false);
	build(&big, true);
	assert_int_equal(read_all(&little, &a), 0);
	assert_int_equal(read_all(&big, &b), 0);
	assert_int_equal(a.samples, NR_SAMPLES);
	assert_int_equal(a.records, 2);
	assert_int_equal(a.damage[DAMAGE_RECORD_ODD] + a.damage[DAMAGE_UNKNOWN_EVENT], 0);
	assert_memory_equal(&a, &b, sizeof(a));
	image_free(&little);
	image_free(&big);
}

/* As a pipe stream, in both orders: the same again. */
static void pipe_reads_as_the_file(void **state)
{
	struct reading_of_all file, pipe;
	struct image im;

	(void)state;
	build(&im, false);
	assert_int_equal(read_all(&im, &file), 0);
	image_free(&im);
	for (int big = 0; big < 2; big++) {
		im = (struct image){ .big = big };
		image_pipe(&im, events, 2, 128);
		put_data(&im);
		assert_int_equal(read_all(&im, &pipe), 0);
		assert_int_equal(pipe.samples, NR_SAMPLES);
		assert_true(pipe.sum == file.sum);
		image_free(&im);
	}
}

static void every_attr_size(void **state)
{
	static const size_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 200 };
	struct reading_of_all a;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct image im = { .big = i % 2 };

		image_file(&im, events, 2, sizes[i]);
		put_data(&im);
		image_file_end(&im);
		assert_int_equal(read_all(&im, &a), 0);
		assert_int_equal(a.samples, NR_SAMPLES);
		image_free(&im);
	}
}

/* Where the samples end, in the image. */
static size_t samples_before(const struct image *im, size_t cut)
{
	size_t nr = 0;

	for (size_t at = im->data; at + 8 <= cut;) {
		uint32_t type;
		uint16_t size;

		memcpy(&type, im->at + at, 4);
		memcpy(&size, im->at + at + 6, 2);
		at += size;
		if (at <= cut && type == RECORD_SAMPLE)
			nr++;
	}
	return nr;
}

/* Cut anywhere, and killed (data.size still 0): every whole sample is there. */
static void cut_and_killed(void **state)
{
	struct reading_of_all a;
	struct image im;

	(void)state;
	build(&im, false);
	for (int killed = 0; killed < 2; killed++) {
		struct image cut = im;

		if (killed)
			image_patch_u64(&im, 48, 0);
		for (cut.size = im.data + 1; cut.size < im.size; cut.size += 7) {
			size_t expected = samples_before(&im, cut.size);

			assert_int_equal(read_all(&cut, &a), 0);
			assert_int_equal(a.samples, expected);
			assert_true(a.damage[killed ? DAMAGE_DATA_SIZE_ZERO : DAMAGE_TRUNCATED]);
		}
		for (cut.size = 0; cut.size < im.data; cut.size++)
			(void)read_all(&cut, &a); /* ends, one way or the other */
	}
	image_free(&im);
}

static void every_flipped_byte_ends(void **state)
{
	struct reading_of_all a;
	struct image im;

	(void)state;
	build(&im, false);
	for (size_t i = 0; i < im.size; i += i < 600 ? 1 : 5) {
		uint8_t old = im.at[i];

		im.at[i] ^= 0xff;
		(void)read_all(&im, &a);
		im.at[i] = old;
	}
	image_free(&im);
}

static void size_zero_ends_the_stream(void **state)
{
	struct reading_of_all a;
	struct image im = { .big = false };

	(void)state;
	image_file(&im, events, 2, 136);
	put_sample(&im, 0);
	image_u64(&im, 9);
	put_sample(&im, 1);
	image_file_end(&im);
	assert_int_equal(read_all(&im, &a), 0);
	assert_int_equal(a.samples, 1);
	assert_int_equal(a.damage[DAMAGE_RECORD_SIZE], 1);
	image_free(&im);
}

static void unknown_types_are_passed_over(void **state)
{
	struct reading_of_all a;
	struct image im = { .big = false };

	(void)state;
	image_file(&im, events, 2, 136);
	for (uint32_t type = 0; type < 300; type += 59) {
		image_record(&im, 23 + type, 0);
		image_bytes(&im, "12345678", 8);
		image_record_end(&im);
		put_sample(&im, type);
	}
	image_record(&im, RECORD_AUXTRACE, 0); /* its payload looks like a record without end */
	image_u64(&im, 24);
	for (int i = 0; i < 5; i++)
		image_u64(&im, 0);
	image_record_end(&im);
	for (int i = 0; i < 3; i++)
		image_u64(&im, 0);
	put_sample(&im, 1);
	image_file_end(&im);
	assert_int_equal(read_all(&im, &a), 0);
	assert_int_equal(a.samples, 7);
	assert_true(a.damage[DAMAGE_UNKNOWN_RECORD] > 0);
	assert_int_equal(a.damage[DAMAGE_RECORD_SIZE], 0);
	image_free(&im);
}

/* ---- COMPRESSED ---- */

/* One frame that is flushed at odd places: records cross from one to the next. */
static void put_compressed(struct image *im, uint32_t type, const struct image *inner, size_t piece, int damaged)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	uint8_t out[65536];
	int nth = 0;

	for (size_t at = 0; at < inner->size; at += piece, nth++) {
		size_t n = inner->size - at < piece ? inner->size - at : piece;
		ZSTD_inBuffer in = { inner->at + at, n, 0 };
		ZSTD_outBuffer to = { out, sizeof(out), 0 };

		while (ZSTD_compressStream2(z, &to, &in, ZSTD_e_flush) != 0)
			;
		if (nth == damaged)
			memset(out + to.pos / 2, 0xee, to.pos / 2);
		image_record(im, type, 0);
		if (type == RECORD_COMPRESSED2)
			image_u64(im, to.pos);
		image_bytes(im, out, to.pos);
		while (type == RECORD_COMPRESSED2 && im->size % 8)
			image_u8(im, 0);
		image_record_end(im);
	}
	ZSTD_freeCStream(z);
}

static void build_compressed(struct image *im, uint32_t type, size_t piece, int damaged)
{
	struct image inner = { .big = false };

	image_u8(&inner, 0);
	inner.size = 0;
	put_data(&inner);
	*im = (struct image){ .big = false };
	image_file(im, events, 2, 136);
	put_compressed(im, type, &inner, piece, damaged);
	put_sample(im, 0); /* outside, behind them */
	image_file_end(im);
	image_free(&inner);
}

static void compressed_records(void **state)
{
	static const size_t pieces[] = { 1, 7, 100, 1000, 3000, 1 << 20 };
	static const uint32_t types[] = { RECORD_COMPRESSED, RECORD_COMPRESSED2 };
	struct reading_of_all plain, packed;
	struct image im = { .big = false };

	(void)state;
	image_file(&im, events, 2, 136);
	put_data(&im);
	put_sample(&im, 0);
	image_file_end(&im);
	assert_int_equal(read_all(&im, &plain), 0);
	image_free(&im);
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
			build_compressed(&im, types[t], pieces[i], -1);
			assert_int_equal(read_all(&im, &packed), 0);
			assert_memory_equal(&plain, &packed, sizeof(plain));
			image_free(&im);
		}
}

/* What is packed behind the damage is lost; what is not packed is not. */
static void damaged_compression(void **state)
{
	struct reading_of_all a;
	struct image im;

	(void)state;
	build_compressed(&im, RECORD_COMPRESSED2, 500, 3);
	assert_int_equal(read_all(&im, &a), 0);
	assert_true(a.samples > 5 && a.samples < NR_SAMPLES);
	assert_true(a.damage[DAMAGE_COMPRESSED] > 0);
	image_free(&im);
}

/* ---- inside an order ---- */

static void time_order_is_kept(void **state)
{
	const struct capture_options options = { .want_samples = true, .want_records = true, .time_order = true };
	struct image im = { .big = false };
	struct capture_reader *r;
	struct capture *c;
	struct item item;
	struct error err;
	uint64_t last = 0, nr = 0;

	(void)state;
	image_file(&im, events, 2, 136);
	for (unsigned i = NR_SAMPLES; i-- > 0;)
		put_sample(&im, i);
	put_others(&im);
	image_file_end(&im);
	r = image_open(&im, &options, &c);
	assert_non_null(r);
	while (capture_next(r, &item, &err) > 0) {
		uint64_t time = item.kind == ITEM_SAMPLE ? item.sample->time_ns : item.kind == ITEM_RECORD ? item.id->time_ns : last;

		assert_true(time >= last);
		last = time;
		nr += item.kind == ITEM_SAMPLE;
	}
	assert_int_equal(nr, NR_SAMPLES);
	assert_int_equal(c->damage.of[DAMAGE_LATE].count, 0);
	capture_close(r);
	image_free(&im);
}

/* Values read with samples: running totals, the last one counts. */
static void samples_become_readings(void **state)
{
	const struct capture_options options = { 0 };
	struct capture_reader *r;
	struct capture *c;
	struct image im;
	struct item item;
	struct error err;
	uint64_t of_first = 0, of_second = 0, rounds = 0;

	(void)state;
	build(&im, false);
	r = image_open(&im, &options, &c);
	while (capture_next(r, &item, &err) > 0) {
		rounds += item.kind == ITEM_ROUND;
		for (size_t i = 0; item.kind == ITEM_READINGS && i < item.readings.nr; i++) {
			const struct reading *one = &item.readings.list[i];

			*(one->event ? &of_second : &of_first) += one->value;
			assert_int_equal(one->enabled, 100 * 38);
			assert_int_equal(one->running, 50 * 38);
		}
	}
	assert_int_equal(of_first, 9 * 38); /* 38 is the last sample with values */
	assert_int_equal(of_second, 7 * 38);
	assert_int_equal(rounds, 1);
	capture_close(r);
	image_free(&im);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(twin_of_the_other_order),
	cmocka_unit_test(pipe_reads_as_the_file),
	cmocka_unit_test(every_attr_size),
	cmocka_unit_test(cut_and_killed),
	cmocka_unit_test(every_flipped_byte_ends),
	cmocka_unit_test(size_zero_ends_the_stream),
	cmocka_unit_test(unknown_types_are_passed_over),
	cmocka_unit_test(compressed_records),
	cmocka_unit_test(damaged_compression),
	cmocka_unit_test(time_order_is_kept),
	cmocka_unit_test(samples_become_readings),
};

TEST_MODULE(perf_image, tests);
