// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: each field alone, all together, and many mixtures, in both byte orders.  A field is a
 * row that writes its bytes and checks what came out of them.
 */
#include <stdlib.h>
#include <string.h>

#include "reader/sample.h"

#include "tests/perfdata.h"
#include "tests/test.h"

/* ---- fields in the order in which the kernel writes them ---- */

struct row {
	uint64_t bit;
	void (*put)(struct image *im, const struct event *e);
	void (*check)(const struct sample *s, const struct event *e);
};

#define WORD_ROW(name, field, number)                                                      \
	static void put_##name(struct image *im, const struct event *e)                    \
	{                                                                                  \
		(void)e;                                                                   \
		image_u64(im, number);                                                     \
	}                                                                                  \
	static void check_##name(const struct sample *s, const struct event *e)            \
	{                                                                                  \
		(void)e;                                                                   \
		assert_int_equal(s->field, number);                                        \
	}

WORD_ROW(identifier, id, 0x1122334455667788ull)
WORD_ROW(ip, ip, 0xffffffff81234567ull)
WORD_ROW(time, time_ns, 1234567890123ull)
WORD_ROW(addr, addr, 0x7f0000001234ull)
WORD_ROW(id, id, 0x1122334455667788ull)
WORD_ROW(stream_id, stream_id, 77)
WORD_ROW(period, period, 4000037)
WORD_ROW(weight, weight, 0x123456789abcull)
WORD_ROW(data_src, data_src, 0x68100142ull)
WORD_ROW(transaction, transaction, 0x500000002ull)
WORD_ROW(phys_addr, phys_addr, 0x12345000)
WORD_ROW(cgroup, cgroup, 4711)
WORD_ROW(data_page_size, data_page_size, 4096)
WORD_ROW(code_page_size, code_page_size, 2097152)

static void put_tid(struct image *im, const struct event *e)
{
	(void)e;
	image_u32(im, 4001);
	image_u32(im, 4002);
}

static void check_tid(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->pid, 4001);
	assert_int_equal(s->tid, 4002);
}

static void put_cpu(struct image *im, const struct event *e)
{
	(void)e;
	image_u32(im, 13);
	image_u32(im, 0);
}

static void check_cpu(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->cpu, 13);
}

enum { GROUP = 3 };

static void put_read(struct image *im, const struct event *e)
{
	uint64_t f = e->read_format;
	unsigned nr = f & READ_GROUP ? GROUP : 1;

	image_u64(im, f & READ_GROUP ? GROUP : 1000);
	if (f & READ_ENABLED)
		image_u64(im, 900);
	if (f & READ_RUNNING)
		image_u64(im, 300);
	for (unsigned i = 0; i < nr; i++) {
		if (f & READ_GROUP)
			image_u64(im, 1000 + i);
		if (f & READ_ID)
			image_u64(im, 50 + i);
		if (f & READ_LOST)
			image_u64(im, 5 + i);
	}
}

static void check_read(const struct sample *s, const struct event *e)
{
	uint64_t f = e->read_format;

	assert_int_equal(s->read.nr, f & READ_GROUP ? GROUP : 1);
	assert_int_equal(s->read.enabled, f & READ_ENABLED ? 900 : 0);
	assert_int_equal(s->read.running, f & READ_RUNNING ? 300 : 0);
	for (size_t i = 0; i < s->read.nr; i++) {
		struct read_value v = read_value_at(&s->read, i);

		assert_int_equal(v.value, 1000 + i);
		assert_int_equal(v.id, f & READ_ID ? 50 + i : 0);
		assert_int_equal(v.lost, f & READ_LOST ? 5 + i : 0);
	}
}

static void put_callchain(struct image *im, const struct event *e)
{
	(void)e;
	image_u64(im, 3);
	image_u64(im, CHAIN_USER);
	image_u64(im, 0x401000);
	image_u64(im, 0x402000);
}

static void check_callchain(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->callchain.nr, 3);
	assert_true(words_at(&s->callchain, 0) == CHAIN_USER);
	assert_int_equal(words_at(&s->callchain, 2), 0x402000);
}

static void put_raw(struct image *im, const struct event *e)
{
	(void)e;
	image_u32(im, 12);
	image_bytes(im, "twelve bytes", 12);
}

static void check_raw(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->raw.size, 12);
	assert_memory_equal(s->raw.at, "twelve bytes", 12);
}

enum { BRANCHES = 2 };

/* mispred, predicted, in_tx, abort, cycles 16, type 4, spec 2, new_type 4, priv 3: from the first bit on */
static uint64_t branch_flags(bool big, bool mispredicted, uint64_t cycles, uint64_t type, uint64_t priv)
{
	if (big)
		return (uint64_t)mispredicted << 63 | cycles << 44 | type << 40 | priv << 31;
	return (uint64_t)mispredicted | cycles << 4 | type << 20 | priv << 30;
}

static void put_branch_stack(struct image *im, const struct event *e)
{
	image_u64(im, BRANCHES);
	if (e->branch_sample_type & BRANCH_HW_INDEX)
		image_u64(im, 9);
	for (unsigned i = 0; i < BRANCHES; i++) {
		image_u64(im, 0x1000 + i);
		image_u64(im, 0x2000 + i);
		image_u64(im, branch_flags(im->big, i == 0, 300 + i, 4, 5));
	}
	for (unsigned i = 0; e->branch_sample_type & BRANCH_COUNTERS && i < BRANCHES; i++)
		image_u64(im, 70 + i);
}

static void check_branch_stack(const struct sample *s, const struct event *e)
{
	assert_int_equal(s->branches.entries.nr, BRANCHES * 3);
	assert_int_equal(branches_nr(&s->branches), BRANCHES);
	assert_int_equal(s->branches.has_hw_idx, !!(e->branch_sample_type & BRANCH_HW_INDEX));
	assert_int_equal(s->branches.hw_idx, e->branch_sample_type & BRANCH_HW_INDEX ? 9 : 0);
	for (size_t i = 0; i < BRANCHES; i++) {
		struct branch b = branch_at(&s->branches, i);

		assert_int_equal(b.from, 0x1000 + i);
		assert_int_equal(b.to, 0x2000 + i);
		assert_int_equal(b.mispredicted, i == 0);
		assert_int_equal(b.cycles, 300 + i);
		assert_int_equal(b.type, 4);
		assert_int_equal(b.priv, 5);
		assert_int_equal(b.counters, e->branch_sample_type & BRANCH_COUNTERS ? 70 + i : 0);
	}
}

static void put_regs(struct image *im, uint64_t mask)
{
	image_u64(im, 2);
	for (unsigned bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			image_u64(im, 100 + bit);
}

static void check_regs(const struct registers *r, uint64_t mask)
{
	size_t i = 0;

	assert_int_equal(r->abi, 2);
	for (unsigned bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			assert_int_equal(words_at(&r->values, i++), 100 + bit);
	assert_int_equal(r->values.nr, i);
}

static void put_regs_user(struct image *im, const struct event *e)
{
	put_regs(im, e->sample_regs_user);
}

static void check_regs_user(const struct sample *s, const struct event *e)
{
	check_regs(&s->regs_user, e->sample_regs_user);
}

static void put_regs_intr(struct image *im, const struct event *e)
{
	put_regs(im, e->sample_regs_intr);
}

static void check_regs_intr(const struct sample *s, const struct event *e)
{
	check_regs(&s->regs_intr, e->sample_regs_intr);
}

static void put_stack_user(struct image *im, const struct event *e)
{
	(void)e;
	image_u64(im, 16);
	image_bytes(im, "sixteen bytes...", 16);
	image_u64(im, 7);
}

static void check_stack_user(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->stack_size, 16);
	assert_int_equal(s->stack.size, 7);
	assert_memory_equal(s->stack.at, "sixteen", 7);
}

/* var1 in the low half of the word whatever the order */
static void put_weight_struct(struct image *im, const struct event *e)
{
	(void)e;
	image_u64(im, 0x0003000200000001ull);
}

static void check_weight_struct(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->weight, 1);
	assert_int_equal(s->weight2, 2);
	assert_int_equal(s->weight3, 3);
}

static void put_aux(struct image *im, const struct event *e)
{
	(void)e;
	image_u64(im, 8);
	image_bytes(im, "aux area", 8);
}

static void check_aux(const struct sample *s, const struct event *e)
{
	(void)e;
	assert_int_equal(s->aux.size, 8);
	assert_memory_equal(s->aux.at, "aux area", 8);
}

static const struct row rows[] = {
	{ SAMPLE_IDENTIFIER, put_identifier, check_identifier },
	{ SAMPLE_IP, put_ip, check_ip },
	{ SAMPLE_TID, put_tid, check_tid },
	{ SAMPLE_TIME, put_time, check_time },
	{ SAMPLE_ADDR, put_addr, check_addr },
	{ SAMPLE_ID, put_id, check_id },
	{ SAMPLE_STREAM_ID, put_stream_id, check_stream_id },
	{ SAMPLE_CPU, put_cpu, check_cpu },
	{ SAMPLE_PERIOD, put_period, check_period },
	{ SAMPLE_READ, put_read, check_read },
	{ SAMPLE_CALLCHAIN, put_callchain, check_callchain },
	{ SAMPLE_RAW, put_raw, check_raw },
	{ SAMPLE_BRANCH_STACK, put_branch_stack, check_branch_stack },
	{ SAMPLE_REGS_USER, put_regs_user, check_regs_user },
	{ SAMPLE_STACK_USER, put_stack_user, check_stack_user },
	{ SAMPLE_WEIGHT, put_weight, check_weight },
	{ SAMPLE_WEIGHT_STRUCT, put_weight_struct, check_weight_struct },
	{ SAMPLE_DATA_SRC, put_data_src, check_data_src },
	{ SAMPLE_TRANSACTION, put_transaction, check_transaction },
	{ SAMPLE_REGS_INTR, put_regs_intr, check_regs_intr },
	{ SAMPLE_PHYS_ADDR, put_phys_addr, check_phys_addr },
	{ SAMPLE_CGROUP, put_cgroup, check_cgroup },
	{ SAMPLE_DATA_PAGE_SIZE, put_data_page_size, check_data_page_size },
	{ SAMPLE_CODE_PAGE_SIZE, put_code_page_size, check_code_page_size },
	{ SAMPLE_AUX, put_aux, check_aux },
};
enum { NR_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* ---- building and reading one ---- */

static struct record record_of(const struct image *im, uint32_t type)
{
	return (struct record){
		.type = type,
		.size = (uint16_t)(im->size + 8),
		.swap = im->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
		.body = { im->at, im->size },
	};
}

static void check_fields(const struct sample *s, const struct event *e)
{
	for (size_t i = 0; i < NR_ROWS; i++)
		if (e->sample_type & rows[i].bit)
			rows[i].check(s, e);
	if (!(e->sample_type & SAMPLE_PERIOD))
		assert_int_equal(s->period, e->sample_period);
	if (!(e->sample_type & SAMPLE_CPU))
		assert_int_equal(s->cpu, -1);
	if (!(e->sample_type & SAMPLE_RAW))
		assert_int_equal(s->raw.size, 0);
	if (!(e->sample_type & SAMPLE_CALLCHAIN))
		assert_int_equal(s->callchain.nr, 0);
}

/* `s` is used again and again: nothing of the one before may stay. */
static void round_trip(const struct event *e, bool big, struct sample *s)
{
	struct image im = { .big = big };
	struct sample_layout layout;
	struct record r;

	image_u8(&im, 0);
	im.size = 0;
	for (size_t i = 0; i < NR_ROWS; i++)
		if (e->sample_type & rows[i].bit)
			rows[i].put(&im, e);
	r = record_of(&im, RECORD_SAMPLE);
	sample_layout_init(&layout, e);
	assert_int_equal(sample_decode(&layout, &r, s), 0);
	check_fields(s, e);
	if (e->sample_type & (SAMPLE_IDENTIFIER | SAMPLE_ID))
		assert_true(sample_id_peek(&layout, &r) == 0x1122334455667788ull);
	assert_int_equal(sample_time_peek(&layout, &r), e->sample_type & SAMPLE_TIME ? 1234567890123ull : 0);
	if (r.body.size) { /* a byte too few is never taken for a sample */
		r.body.size--;
		assert_int_equal(sample_decode(&layout, &r, s), -1);
	}
	image_free(&im);
}

static struct event event_of(uint64_t sample_type, uint64_t read_format, uint64_t branch_sample_type)
{
	return (struct event){
		.sample_type = sample_type,
		.read_format = read_format,
		.branch_sample_type = branch_sample_type,
		.sample_period = 250000,
		.sample_regs_user = 0xff0fff,
		.sample_regs_intr = 1ull << 63 | 5,
	};
}

static void each_bit_alone(void **state)
{
	struct sample s = { 0 };

	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++)
		for (int big = 0; big < 2; big++) {
			struct event e = event_of(rows[i].bit, 0, 0);

			round_trip(&e, big, &s);
		}
}

static void all_bits_together(void **state)
{
	struct sample s = { 0 };

	(void)state;
	for (int big = 0; big < 2; big++)
		for (uint64_t format = 0; format < 32; format++)
			for (uint64_t branches = 0; branches < 4; branches++) {
				uint64_t extra = (branches & 1 ? BRANCH_HW_INDEX : 0) | (branches & 2 ? BRANCH_COUNTERS : 0);
				struct event e = event_of(SAMPLE_KNOWN & ~SAMPLE_WEIGHT, format, extra);

				round_trip(&e, big, &s);
			}
}

static void every_read_format(void **state)
{
	struct sample s = { 0 };

	(void)state;
	for (int big = 0; big < 2; big++)
		for (uint64_t format = 0; format < 32; format++) {
			struct event e = event_of(SAMPLE_READ | SAMPLE_TIME, format, 0);

			round_trip(&e, big, &s);
		}
}

static void mixtures(void **state)
{
	uint64_t x = 88172645463325252ull;
	struct sample s = { 0 };

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct event e;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		e = event_of(x & SAMPLE_KNOWN, x >> 32 & 31, x >> 40 & 1 ? BRANCH_HW_INDEX : 0);
		if (e.sample_type & SAMPLE_WEIGHT)
			e.sample_type &= ~SAMPLE_WEIGHT_STRUCT;
		round_trip(&e, x >> 41 & 1, &s);
	}
}

/* Without branch data the kernel leaves hw_idx out, though it was asked for. */
static void no_branches_no_hw_idx(void **state)
{
	struct event e = event_of(SAMPLE_IP | SAMPLE_BRANCH_STACK | SAMPLE_DATA_SRC, 0, BRANCH_HW_INDEX);
	struct sample_layout layout;
	struct sample s = { 0 };

	(void)state;
	sample_layout_init(&layout, &e);
	for (int with = 0; with < 2; with++) {
		struct image im = { .big = false };
		struct record r;

		image_u64(&im, 1);
		image_u64(&im, 0);
		if (with)
			image_u64(&im, UINT64_MAX);
		image_u64(&im, 42);
		r = record_of(&im, RECORD_SAMPLE);
		assert_int_equal(sample_decode(&layout, &r, &s), 0);
		assert_int_equal(branches_nr(&s.branches), 0);
		assert_int_equal(s.branches.has_hw_idx, with);
		assert_int_equal(s.data_src, 42);
		image_free(&im);
	}
}

static void empty_parts(void **state)
{
	struct event e = event_of(SAMPLE_CALLCHAIN | SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_AUX, 0, 0);
	struct sample_layout layout;
	struct sample s = { 0 };
	struct image im = { .big = false };
	struct record r;

	(void)state;
	for (int i = 0; i < 4; i++)
		image_u64(&im, 0); /* no frames, no registers, no stack, nothing of AUX */
	r = record_of(&im, RECORD_SAMPLE);
	sample_layout_init(&layout, &e);
	assert_int_equal(sample_decode(&layout, &r, &s), 0);
	assert_int_equal(s.callchain.nr + s.regs_user.values.nr + s.stack.size + s.aux.size, 0);
	image_free(&im);
}

/* Sizes that the record does not have. */
static void lists_longer_than_the_record(void **state)
{
	static const uint64_t types[] = { SAMPLE_CALLCHAIN, SAMPLE_RAW, SAMPLE_BRANCH_STACK, SAMPLE_STACK_USER, SAMPLE_AUX };

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (unsigned shift = 0; shift < 64; shift++) {
			struct event e = event_of(types[i], 0, 0);
			struct image im = { .big = false };
			struct sample_layout layout;
			struct sample s = { 0 };
			struct record r;

			image_u64(&im, 5ull << shift);
			r = record_of(&im, RECORD_SAMPLE);
			sample_layout_init(&layout, &e);
			if (types[i] != SAMPLE_RAW || (uint32_t)(5ull << shift) != 4)
				if (!(types[i] == SAMPLE_RAW && (uint32_t)(5ull << shift) == 0))
					assert_int_equal(sample_decode(&layout, &r, &s), -1);
			assert_false(s.lists);
			image_free(&im);
		}
}

static void unknown_bits_are_not_guessed(void **state)
{
	struct event e = event_of(SAMPLE_IP | 1ull << 25, 0, 0);
	struct sample_layout layout;
	struct sample s = { 0 };
	struct image im = { .big = false };
	struct record r;

	(void)state;
	image_u64(&im, 1);
	r = record_of(&im, RECORD_SAMPLE);
	sample_layout_init(&layout, &e);
	assert_int_equal(sample_decode(&layout, &r, &s), -1);
	image_free(&im);
}

/* ---- trailers ---- */

static void each_trailer(void **state)
{
	const uint64_t bits[] = { SAMPLE_TID, SAMPLE_TIME, SAMPLE_ID, SAMPLE_STREAM_ID, SAMPLE_CPU, SAMPLE_IDENTIFIER };

	(void)state;
	for (unsigned set = 0; set < 64; set++) {
		struct event e = { .flags = EVENT_SAMPLE_ID_ALL };
		struct image im = { .big = set & 1 };
		struct sample_layout layout;
		struct sample_id id;
		struct record r;

		for (unsigned i = 0; i < 6; i++)
			if (set >> i & 1)
				e.sample_type |= bits[i];
		image_u64(&im, 99); /* the record's own field */
		for (size_t i = 0; i < NR_ROWS; i++)
			if (e.sample_type & rows[i].bit && rows[i].bit != SAMPLE_IDENTIFIER)
				rows[i].put(&im, &e);
		if (e.sample_type & SAMPLE_IDENTIFIER)
			put_identifier(&im, &e);
		r = record_of(&im, RECORD_LOST_SAMPLES);
		sample_layout_init(&layout, &e);
		sample_id_decode(&layout, &r, &id);
		assert_int_equal(id.size, im.size - 8);
		assert_int_equal(id.have, e.sample_type);
		assert_int_equal(id.tid, e.sample_type & SAMPLE_TID ? 4002 : 0);
		assert_int_equal(id.time_ns, e.sample_type & SAMPLE_TIME ? 1234567890123ull : 0);
		assert_int_equal(id.stream_id, e.sample_type & SAMPLE_STREAM_ID ? 77 : 0);
		assert_int_equal(id.cpu, e.sample_type & SAMPLE_CPU ? 13 : -1);
		if (e.sample_type & (SAMPLE_ID | SAMPLE_IDENTIFIER))
			assert_true(id.id == 0x1122334455667788ull && sample_id_peek(&layout, &r) == id.id);
		assert_int_equal(sample_time_peek(&layout, &r), id.time_ns);
		image_free(&im);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_bit_alone),
	cmocka_unit_test(all_bits_together),
	cmocka_unit_test(every_read_format),
	cmocka_unit_test(mixtures),
	cmocka_unit_test(no_branches_no_hw_idx),
	cmocka_unit_test(empty_parts),
	cmocka_unit_test(lists_longer_than_the_record),
	cmocka_unit_test(unknown_bits_are_not_guessed),
	cmocka_unit_test(each_trailer),
};

TEST_MODULE(sample, tests);
