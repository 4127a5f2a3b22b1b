// SPDX-License-Identifier: GPL-2.0-only
/* The buffer that puts records in order of time. */
#include <stdlib.h>
#include <string.h>

#include "reader/time_order.h"

#include "tests/test.h"

enum { NR = 20000, CPUS = 7 };

/* What came out: ordered, every record once, bytes unhurt. */
struct checker {
	uint64_t last, nr, late;
	uint8_t seen[NR];
};

static void push(struct time_order *o, uint64_t time_ns, uint32_t number, size_t size, struct checker *k)
{
	uint8_t body[1000];
	struct record r = { .type = RECORD_SAMPLE, .misc = (uint16_t)number, .size = (uint16_t)(size + 8), .body = { body, size } };

	memset(body, (int)(number & 0xff), size);
	memcpy(body, &number, sizeof(number));
	if (!time_order_push(o, &r, time_ns, (int32_t)(number % 5)))
		k->late++;
}

static void drain(struct time_order *o, struct checker *k, const uint64_t *times)
{
	struct record r;
	int32_t event;

	while (time_order_next(o, &r, &event)) {
		uint32_t number;

		memcpy(&number, r.body.at, sizeof(number));
		assert_true(number < NR);
		assert_false(k->seen[number]++);
		assert_int_equal(event, number % 5);
		assert_int_equal(r.misc, (uint16_t)number);
		assert_int_equal(r.body.at[r.body.size - 1], number & 0xff);
		assert_true(times[number] >= k->last);
		k->last = times[number];
		k->nr++;
	}
}

/* Ring buffers emptied one after another, in rounds. */
static void rounds_come_out_in_order(void **state)
{
	struct time_order *o = time_order_new(64 << 20);
	struct checker *k = calloc(1, sizeof(*k));
	uint64_t *times = calloc(NR, sizeof(*times));
	uint32_t number = 0;

	(void)state;
	for (uint64_t round = 0; number < NR; round++) {
		for (unsigned cpu = 0; cpu < CPUS; cpu++)
			for (unsigned i = 0; i < 40 && number < NR; i++, number++) {
				/* a buffer may hold what came while others were emptied, not more */
				times[number] = 1000000 + round * 4000 + cpu * 13 + i * 110 + (i % 3 == 0 ? 0 : cpu);
				push(o, times[number], number, 8 + number % 900, k);
				drain(o, k, times);
			}
		time_order_round(o);
		drain(o, k, times);
		assert_true(time_order_held(o) <= 2 * 40 * CPUS);
	}
	time_order_release(o, UINT64_MAX);
	drain(o, k, times);
	assert_int_equal(k->nr, NR);
	assert_int_equal(k->late, 0);
	assert_true(time_order_peak(o) < 4 * 40 * CPUS);
	time_order_free(o);
	free(times);
	free(k);
}

/* Newest first, as --overwrite dumps them; no marks at all. */
static void backwards_within_the_bound(void **state)
{
	struct time_order *o = time_order_new(64 << 20);
	struct checker *k = calloc(1, sizeof(*k));
	uint64_t *times = calloc(NR, sizeof(*times));

	(void)state;
	for (uint32_t i = 0; i < NR; i++) {
		times[i] = 5000000 - i / 3; /* equal times, too */
		push(o, times[i], i, 16, k);
		drain(o, k, times);
	}
	assert_int_equal(k->nr, 0);
	time_order_release(o, UINT64_MAX);
	drain(o, k, times);
	assert_int_equal(k->nr, NR);
	time_order_free(o);
	free(times);
	free(k);
}

/* More than may be held: the older half goes early; what is older than that is late, not lost. */
static void bound_holds(void **state)
{
	struct time_order *o = time_order_new(4 << 20);
	struct checker *k = calloc(1, sizeof(*k));
	uint64_t *times = calloc(NR, sizeof(*times));

	(void)state;
	for (uint32_t i = 0; i < NR; i++) {
		times[i] = 1000 + i;
		push(o, times[i], i, 900, k);
		drain(o, k, times);
		assert_true(time_order_held(o) * 900 < 5 << 20);
	}
	assert_true(k->nr > 0);
	push(o, 1, NR - 1, 16, k);
	assert_int_equal(k->late, 1);
	time_order_release(o, UINT64_MAX);
	drain(o, k, times);
	assert_int_equal(k->nr, NR);
	time_order_free(o);
	free(times);
	free(k);
}

static void equal_times_keep_their_order(void **state)
{
	struct time_order *o = time_order_new(64 << 20);
	struct checker k = { .last = 0 };
	struct record r;
	uint32_t number;
	int32_t event;

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		push(o, i % 10 == 9 ? 4 : 7, i, 16, &k);
	time_order_release(o, UINT64_MAX);
	for (uint32_t i = 9; i < 100; i += 10) {
		assert_true(time_order_next(o, &r, &event));
		memcpy(&number, r.body.at, sizeof(number));
		assert_int_equal(number, i);
	}
	for (uint32_t i = 0; i < 100; i++)
		if (i % 10 != 9) {
			assert_true(time_order_next(o, &r, &event));
			memcpy(&number, r.body.at, sizeof(number));
			assert_int_equal(number, i);
		}
	time_order_free(o);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rounds_come_out_in_order),
	cmocka_unit_test(backwards_within_the_bound),
	cmocka_unit_test(bound_holds),
	cmocka_unit_test(equal_times_keep_their_order),
};

TEST_MODULE(time_order, tests);
