// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU maps of perf.data.  All begin with u16 kind:
 *	0 list   u16 nr, nr × u16 cpu (0xffff: any)
 *	1 mask   u16 nr, u16 word_size; 4: nr × u32; 8: 4 bytes of padding, nr × u64
 *	2 range  u8 any, u8 padding, u16 first, u16 last
 */
#include "reader/cpu_map.h"

#include <stdlib.h>

enum { KIND_LIST = 0, KIND_MASK = 1, KIND_RANGE = 2, ANY_CPU = 0xffff, MAX_CPU = 0xffff };

static int decode_list(struct cursor c, cpu_map_visit *visit, void *user)
{
	uint16_t nr = cur_u16(&c);

	if (c.failed || nr > cur_left(&c) / 2)
		return -1;
	while (nr--) {
		uint16_t cpu = cur_u16(&c);

		visit(user, cpu == ANY_CPU ? -1 : cpu);
	}
	return 0;
}

static int decode_mask(struct cursor c, cpu_map_visit *visit, void *user)
{
	uint16_t nr = cur_u16(&c);
	uint16_t word_size = cur_u16(&c);

	if (word_size == 8)
		(void)cur_u32(&c);
	if (c.failed || (word_size != 4 && word_size != 8) || nr > cur_left(&c) / word_size)
		return -1;
	for (int32_t first = 0; nr--; first += word_size * 8) {
		uint64_t word = word_size == 4 ? cur_u32(&c) : cur_u64(&c);

		for (int32_t bit = 0; word; bit++, word >>= 1)
			if (word & 1)
				visit(user, first + bit);
	}
	return 0;
}

static int decode_range(struct cursor c, cpu_map_visit *visit, void *user)
{
	uint8_t any = cur_u8(&c);
	uint16_t first, last;

	(void)cur_u8(&c);
	first = cur_u16(&c);
	last = cur_u16(&c);
	if (c.failed || first > last)
		return -1;
	if (any)
		visit(user, -1);
	for (int32_t cpu = first; cpu <= last; cpu++)
		visit(user, cpu);
	return 0;
}

int cpu_map_decode(struct cursor c, cpu_map_visit *visit, void *user)
{
	switch (cur_u16(&c)) {
	case KIND_LIST:
		return decode_list(c, visit, user);
	case KIND_MASK:
		return decode_mask(c, visit, user);
	case KIND_RANGE:
		return decode_range(c, visit, user);
	default:
		return -1;
	}
}

static int number(const char **text, long *ret)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -1;
	*ret = strtol(*text, &end, 10);
	*text = end;
	return *ret > MAX_CPU ? -1 : 0;
}

int cpu_list_decode(const char *text, cpu_map_visit *visit, void *user)
{
	long first, last;

	while (*text && *text != '\n') {
		if (number(&text, &first))
			return -1;
		last = first;
		if (*text == '-') {
			text++;
			if (number(&text, &last) || last < first)
				return -1;
		}
		for (; first <= last; first++)
			visit(user, (int32_t)first);
		if (*text == ',')
			text++;
		else if (*text && *text != '\n')
			return -1;
	}
	return 0;
}
