// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints, described by a blob that is built here, in both byte orders. */
#include <stdio.h>
#include <string.h>

#include "reader/tracing.h"

#include "tests/perfdata.h"
#include "tests/test.h"

static const char format[] =
	"name: beat\nID: 317\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int delta;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:short step;\toffset:12;\tsize:2;\tsigned:1;\n"
	"\tfield:u16 port;\toffset:14;\tsize:2;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * where;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] tail;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"delta=%d comm=%s path=%s\", REC->delta, REC->comm, __get_str(path)\n";

static void put_sized(struct image *im, const char *text)
{
	image_u64(im, strlen(text));
	image_bytes(im, text, strlen(text));
}

static void build(struct image *im, bool big, const char *text)
{
	*im = (struct image){ .big = big };
	image_bytes(im, "\x17\x08\x44tracing0.6", 14); /* with the NUL */
	image_u8(im, big);
	image_u8(im, 8);
	image_u32(im, 4096);
	image_bytes(im, "header_page", 12);
	put_sized(im, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n");
	image_bytes(im, "header_event", 13);
	put_sized(im, "# compressed entry header\n");
	image_u32(im, 0);
	image_u32(im, 1);
	image_bytes(im, "heart", 6);
	image_u32(im, 1);
	put_sized(im, text);
	image_u32(im, 0);
	image_u32(im, 0);
	image_u64(im, 8);
	image_bytes(im, "17 cat\n", 8);
}

static void put_raw(struct image *raw, bool big)
{
	*raw = (struct image){ .big = big };
	image_u16(raw, 317);
	image_u16(raw, 0);
	image_u32(raw, 17);
	image_u32(raw, (uint32_t)-5);
	image_u16(raw, (uint16_t)-300);
	image_u16(raw, 65000);
	image_text(raw, "cat", 8);
	image_u64(raw, 0xffffffff81000000ull);
	image_u32(raw, 6u << 16 | 40);
	image_u32(raw, 4u << 16 | 6); /* from the end of this word on */
	image_bytes(raw, "/bin/\0end\0", 10);
	image_bytes(raw, "\0\0", 2);
}

static int field_at(const struct tracing_event *e, const char *name)
{
	for (size_t i = 0; i < e->nr_fields; i++)
		if (strcmp(e->fields[i].name, name) == 0)
			return (int)i;
	fail_msg("no field %s", name);
	return -1;
}

static struct field_value value_of(struct tracing *t, const struct tracing_event *e, const struct image *raw, const char *name)
{
	return tracing_value(t, e, (size_t)field_at(e, name), (struct bytes){ raw->at, raw->size });
}

static void assert_text(struct field_value v, const char *text)
{
	assert_int_equal(v.kind, HOLDS_STRING);
	assert_int_equal(v.bytes.size, strlen(text));
	assert_memory_equal(v.bytes.at, text, strlen(text));
}

static void fields_in_both_orders(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct damage damage = { 0 };
		struct image blob, raw;
		const struct tracing_event *e;
		struct tracing *t;

		build(&blob, big, format);
		put_raw(&raw, big);
		t = tracing_new((struct bytes){ blob.at, blob.size }, 0, &damage);
		assert_int_equal(damage.of[DAMAGE_TRACING].count, 0);
		assert_int_equal(tracing_nr(t), 1);
		assert_null(tracing_event_of(t, 316));
		e = tracing_event_of(t, 317);
		assert_non_null(e);
		assert_string_equal(e->system, "heart");
		assert_string_equal(e->name, "beat");
		assert_int_equal((int64_t)value_of(t, e, &raw, "delta").number, -5);
		assert_int_equal((int64_t)value_of(t, e, &raw, "step").number, -300);
		assert_int_equal(value_of(t, e, &raw, "port").number, 65000);
		assert_int_equal(value_of(t, e, &raw, "where").kind, HOLDS_ADDRESS);
		assert_true(value_of(t, e, &raw, "where").number == 0xffffffff81000000ull);
		assert_text(value_of(t, e, &raw, "comm"), "cat");
		assert_text(value_of(t, e, &raw, "path"), "/bin/");
		assert_text(value_of(t, e, &raw, "tail"), "end");
		assert_string_equal(tracing_text(t, e, (struct bytes){ raw.at, raw.size }, 1, 0),
				    "delta=-5 comm=cat path=/bin/");
		tracing_free(t);
		image_free(&blob);
		image_free(&raw);
	}
}

/* Fields that the bytes do not reach are not known, wherever they are cut. */
static void short_raw_bytes(void **state)
{
	struct damage damage = { 0 };
	struct image blob, raw;
	const struct tracing_event *e;
	struct tracing *t;

	(void)state;
	build(&blob, false, format);
	put_raw(&raw, false);
	t = tracing_new((struct bytes){ blob.at, blob.size }, 0, &damage);
	e = tracing_event_of(t, 317);
	for (size_t size = 0; size < raw.size; size++) {
		struct bytes b = { raw.at, size };

		for (size_t i = 0; i < e->nr_fields; i++) {
			struct field_value v = tracing_value(t, e, i, b);

			if (size < e->fields[i].offset + e->fields[i].size)
				assert_int_equal(v.kind, HOLDS_NOTHING);
		}
		(void)tracing_text(t, e, b, 1, 0);
	}
	for (size_t i = 0; i < raw.size; i++) { /* lengths and offsets that lead elsewhere */
		raw.at[i] ^= 0xff;
		for (size_t f = 0; f < e->nr_fields; f++)
			(void)tracing_value(t, e, f, (struct bytes){ raw.at, raw.size });
		(void)tracing_text(t, e, (struct bytes){ raw.at, raw.size }, 1, 0);
		raw.at[i] ^= 0xff;
	}
	tracing_free(t);
	image_free(&blob);
	image_free(&raw);
}

static void cut_and_damaged_blobs(void **state)
{
	struct image blob;

	(void)state;
	build(&blob, false, format);
	for (size_t size = 0; size < blob.size; size++) {
		struct damage damage = { 0 };
		struct tracing *t = tracing_new((struct bytes){ blob.at, size }, 0, &damage);

		assert_true(damage.of[DAMAGE_TRACING].count > 0);
		tracing_free(t);
	}
	image_free(&blob);
}

struct odd_format {
	const char *from, *to; /* in the format's text */
	size_t nr;             /* tracepoints that can be used */
};

static void formats_that_cannot_be_trusted(void **state)
{
	static const struct odd_format list[] = {
		{ "ID: 317", "IX: 317", 0 },
		{ "offset:24", "offset:99999999", 0 },
		{ "size:8;\tsigned:0;\n\tfield:void", "size:99999;\tsigned:0;\n\tfield:void", 0 },
		{ "REC->delta", "REC->comm[9999999]", 1 },
		{ "REC->delta", "REC->comm[REC->delta]", 1 },
		{ "__get_str(path)", "__print_hex(REC->comm, REC->delta)", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const char *at = strstr(format, list[i].from);
		struct damage damage = { 0 };
		struct image blob, raw;
		const struct tracing_event *e;
		struct tracing *t;
		char text[4096];

		assert_non_null(at);
		snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - format), format, list[i].to, at + strlen(list[i].from));
		build(&blob, false, text);
		put_raw(&raw, false);
		t = tracing_new((struct bytes){ blob.at, blob.size }, 0, &damage);
		assert_int_equal(tracing_nr(t), list[i].nr);
		assert_int_equal(damage.of[DAMAGE_TRACING].count, 1 - list[i].nr);
		e = tracing_event_of(t, 317);
		if (e)
			assert_non_null(strstr(tracing_text(t, e, (struct bytes){ raw.at, raw.size }, 1, 0), "delta="));
		tracing_free(t);
		image_free(&blob);
		image_free(&raw);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fields_in_both_orders),
	cmocka_unit_test(short_raw_bytes),
	cmocka_unit_test(cut_and_damaged_blobs),
	cmocka_unit_test(formats_that_cannot_be_trusted),
};

TEST_MODULE(tracing, tests);
