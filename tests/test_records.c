// SPDX-License-Identifier: GPL-2.0-only
/* The types of records: the odd layouts by hand, and all of them on bytes of any kind. */
#include <string.h>

#include "reader/records.h"

#include "export/record_tables.h"

#include "tests/perfdata.h"
#include "tests/test.h"

static const struct event no_trailer = { .sample_type = 0 };

static struct record record_of(const struct image *im, uint32_t type, uint16_t misc)
{
	return (struct record){ .type = type,
				.misc = misc,
				.size = (uint16_t)(im->size + 8),
				.swap = im->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
				.body = { im->at, im->size } };
}

static struct field_value fields[RECORD_FIELDS_MAX];

static int decode(const struct image *im, uint32_t type, uint16_t misc, uint64_t row)
{
	const struct record r = record_of(im, type, misc);
	struct sample_layout layout;

	sample_layout_init(&layout, &no_trailer);
	return record_decode(record_class_of(type), &r, &layout, row, fields);
}

static const struct field_value *value(uint32_t type, const char *name)
{
	const struct record_class *class = record_class_of(type);
	size_t nr = 0;

	for (unsigned i = 0; i < class->nr_fields; i++) {
		if (class->fields[i].name && strcmp(class->fields[i].name, name) == 0)
			return &fields[nr];
		nr += class->fields[i].type != FIELD_PAD;
	}
	fail_msg("%s has no %s", class->name, name);
	return NULL;
}

static void assert_text(const struct field_value *v, const char *text)
{
	assert_int_equal(v->kind, HOLDS_STRING);
	assert_int_equal(v->bytes.size, strlen(text));
	assert_memory_equal(v->bytes.at, text, v->bytes.size);
}

static void put_mmap2(struct image *im, bool build_id)
{
	image_u32(im, 9);
	image_u32(im, 10);
	image_u64(im, 0x400000);
	image_u64(im, 0x2000);
	image_u64(im, 0x1000);
	if (build_id) {
		image_u8(im, 8);
		image_u8(im, 0);
		image_u16(im, 0);
		image_text(im, "12345678", 20);
	} else {
		image_u32(im, 253);
		image_u32(im, 1);
		image_u64(im, 4711);
		image_u64(im, 3);
	}
	image_u32(im, 5);
	image_u32(im, 2);
	image_string(im, "/bin/true");
}

static void mmap2_is_a_union(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++)
		for (int build_id = 0; build_id < 2; build_id++) {
			struct image im = { .big = big };

			put_mmap2(&im, build_id);
			assert_int_equal(decode(&im, RECORD_MMAP2, build_id ? 1 << 14 : 0, 0), 0);
			assert_int_equal(value(RECORD_MMAP2, "addr")->number, 0x400000);
			assert_int_equal(value(RECORD_MMAP2, "prot")->number, 5);
			assert_text(value(RECORD_MMAP2, "filename"), "/bin/true");
			assert_int_equal(value(RECORD_MMAP2, "ino")->kind, build_id ? HOLDS_NOTHING : HOLDS_NUMBER);
			assert_int_equal(value(RECORD_MMAP2, "build_id")->kind, build_id ? HOLDS_BYTES : HOLDS_NOTHING);
			assert_int_equal(value(RECORD_MMAP2, "build_id")->bytes.size, build_id ? 8 : 0);
			assert_int_equal(value(RECORD_MMAP2, "maj")->number, build_id ? 0 : 253);
			image_free(&im);
		}
}

static void namespaces_as_many_as_there_are(void **state)
{
	(void)state;
	for (uint64_t nr = 0; nr <= 9; nr++) {
		struct image im = { .big = nr & 1 };

		image_u32(&im, 9);
		image_u32(&im, 10);
		image_u64(&im, nr);
		for (uint64_t i = 0; i < nr; i++) {
			image_u64(&im, 3);
			image_u64(&im, 1000 + i);
		}
		assert_int_equal(decode(&im, RECORD_NAMESPACES, 0, 0), 0);
		assert_int_equal(value(RECORD_NAMESPACES, "net_inode")->number, nr ? 1000 : 0);
		assert_int_equal(value(RECORD_NAMESPACES, "cgroup_inode")->kind, nr >= 7 ? HOLDS_NUMBER : HOLDS_NOTHING);
		image_free(&im);
	}
}

static void id_index_with_and_without_guests(void **state)
{
	const struct record_class *class = record_class_of(RECORD_ID_INDEX);

	(void)state;
	for (int guests = 0; guests < 2; guests++) {
		struct image im = { .big = guests };
		struct record r;

		image_u64(&im, 2);
		for (uint64_t i = 0; i < 2; i++) {
			image_u64(&im, 50 + i);
			image_u64(&im, i);
			image_u64(&im, i);
			image_u64(&im, UINT64_MAX);
		}
		for (uint64_t i = 0; guests && i < 2; i++) {
			image_u64(&im, 900 + i);
			image_u64(&im, i);
		}
		r = record_of(&im, RECORD_ID_INDEX, 0);
		assert_int_equal(record_rows(class, &r, NULL), 2);
		assert_int_equal(decode(&im, RECORD_ID_INDEX, 0, 1), 0);
		assert_int_equal(value(RECORD_ID_INDEX, "id")->number, 51);
		assert_int_equal((int64_t)value(RECORD_ID_INDEX, "of_tid")->number, -1);
		assert_int_equal(value(RECORD_ID_INDEX, "machine_pid")->kind, guests ? HOLDS_SIGNED : HOLDS_NOTHING);
		assert_int_equal(value(RECORD_ID_INDEX, "machine_pid")->number, guests ? 901 : 0);
		image_free(&im);
	}
}

static void text_poke_has_two_lists(void **state)
{
	struct image im = { .big = false };

	(void)state;
	image_u64(&im, 0xffffffff81000000ull);
	image_u16(&im, 2);
	image_u16(&im, 5);
	image_bytes(&im, "ABabcde", 7);
	assert_int_equal(decode(&im, RECORD_TEXT_POKE, 0, 0), 0);
	assert_int_equal(value(RECORD_TEXT_POKE, "old_bytes")->bytes.size, 2);
	assert_memory_equal(value(RECORD_TEXT_POKE, "new_bytes")->bytes.at, "abcde", 5);
	im.size--;
	assert_int_equal(decode(&im, RECORD_TEXT_POKE, 0, 0), -1);
	image_free(&im);
}

static void time_conv_grew(void **state)
{
	struct image im = { .big = false };

	(void)state;
	for (uint64_t i = 1; i <= 3; i++)
		image_u64(&im, i);
	assert_int_equal(decode(&im, RECORD_TIME_CONV, 0, 0), 0);
	assert_int_equal(value(RECORD_TIME_CONV, "time_zero")->number, 3);
	assert_int_equal(value(RECORD_TIME_CONV, "time_cycles")->kind, HOLDS_NOTHING);
	image_u64(&im, 4);
	image_u64(&im, 5);
	image_u64(&im, 1);
	assert_int_equal(decode(&im, RECORD_TIME_CONV, 0, 0), 0);
	assert_int_equal(value(RECORD_TIME_CONV, "time_cycles")->number, 4);
	assert_int_equal(value(RECORD_TIME_CONV, "cap_user_time_zero")->number, 1);
	image_free(&im);
}

/* A record with fewer bytes than its fields is told to be short; no bytes are read that are not there. */
static void all_types_on_any_bytes(void **state)
{
	uint64_t x = 88172645463325252ull;

	(void)state;
	for (size_t k = 0; k < nr_record_classes; k++)
		for (size_t size = 0; size < 900; size += size < 80 ? 1 : 37) {
			struct image im = { .big = size & 1 };
			struct record r;
			struct sample_layout layout;
			uint64_t rows;

			if (!record_classes[k].name)
				continue;
			image_u8(&im, 0);
			for (im.size = 0; im.size < size;) {
				x ^= x << 13;
				x ^= x >> 7;
				x ^= x << 17;
				image_u8(&im, x & 3 ? 0 : (uint8_t)(x >> 8));
			}
			r = record_of(&im, record_classes[k].type, (uint16_t)x);
			sample_layout_init(&layout, &no_trailer);
			rows = record_rows(&record_classes[k], &r, &layout);
			for (uint64_t row = 0; row < rows && row < 100; row++)
				(void)record_decode(&record_classes[k], &r, &layout, row, fields);
			image_free(&im);
		}
}

static void types_and_tables_agree(void **state)
{
	(void)state;
	for (size_t k = 0; k < nr_record_classes; k++) {
		const struct record_class *c = &record_classes[k];

		assert_non_null(record_type_name(c->type));
		assert_ptr_equal(record_class_of(c->type), c);
		assert_true(!c->name == !record_table_of(c->type));
		if (k)
			assert_true(record_classes[k - 1].type < c->type);
	}
	for (uint32_t type = 1; type <= RECORD_SCHEDSTAT_DOMAIN; type++)
		assert_true((type > RECORD_CALLCHAIN_DEFERRED && type < RECORD_USER_TYPES) == !record_class_of(type));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(mmap2_is_a_union),
	cmocka_unit_test(namespaces_as_many_as_there_are),
	cmocka_unit_test(id_index_with_and_without_guests),
	cmocka_unit_test(text_poke_has_two_lists),
	cmocka_unit_test(time_conv_grew),
	cmocka_unit_test(all_types_on_any_bytes),
	cmocka_unit_test(types_and_tables_agree),
};

TEST_MODULE(records, tests);
