// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes samples.  The fields in front (IDENTIFIER to PERIOD) have fixed places, so
 * they are loaded from offsets that sample_layout_init() worked out; what follows
 * has lengths of its own and goes through a cursor.
 *
 * Bytes of a sample, each part only where its bit is set:
 *	IDENTIFIER, IP, TID (pid, tid), TIME, ADDR, ID, STREAM_ID, CPU (cpu, 0), PERIOD,
 *	READ, CALLCHAIN, RAW, BRANCH_STACK, REGS_USER, STACK_USER, WEIGHT, DATA_SRC,
 *	TRANSACTION, REGS_INTR, PHYS_ADDR, CGROUP, DATA_PAGE_SIZE, CODE_PAGE_SIZE, AUX
 */
#include "reader/sample.h"

/* ---- layouts ---- */

static uint16_t place(uint64_t sample_type, uint64_t bit, uint16_t *at)
{
	uint16_t here = *at;

	if (!(sample_type & bit))
		return NOWHERE;
	*at = (uint16_t)(here + 8);
	return here;
}

static void place_fields(struct sample_layout *l, uint64_t type)
{
	uint16_t at = 0;
	uint16_t identifier = place(type, SAMPLE_IDENTIFIER, &at);

	l->at_ip = place(type, SAMPLE_IP, &at);
	l->at_tid = place(type, SAMPLE_TID, &at);
	l->at_time = place(type, SAMPLE_TIME, &at);
	l->at_addr = place(type, SAMPLE_ADDR, &at);
	l->at_id = place(type, SAMPLE_ID, &at);
	l->at_stream_id = place(type, SAMPLE_STREAM_ID, &at);
	l->at_cpu = place(type, SAMPLE_CPU, &at);
	l->at_period = place(type, SAMPLE_PERIOD, &at);
	l->flat_size = at;
	if (identifier != NOWHERE)
		l->at_id = identifier;
}

/* A trailer is TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER; the last one ends the record. */
static void place_trailer(struct sample_layout *l, uint64_t type)
{
	uint16_t back = 8;
	uint16_t identifier = place(type, SAMPLE_IDENTIFIER, &back);

	l->back_cpu = place(type, SAMPLE_CPU, &back);
	l->back_stream_id = place(type, SAMPLE_STREAM_ID, &back);
	l->back_id = place(type, SAMPLE_ID, &back);
	l->back_time = place(type, SAMPLE_TIME, &back);
	l->back_tid = place(type, SAMPLE_TID, &back);
	l->trailer_size = (uint16_t)(back - 8);
	if (identifier != NOWHERE)
		l->back_id = identifier;
}

void sample_layout_init(struct sample_layout *ret, const struct event *event)
{
	const uint64_t in_front = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |
				  SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_PERIOD;
	struct sample_layout l = {
		.sample_type = event->sample_type,
		.read_format = event->read_format,
		.branch_sample_type = event->branch_sample_type,
		.period = event->flags & EVENT_FREQ ? 0 : event->sample_period,
		.regs_user = event->sample_regs_user,
		.regs_intr = event->sample_regs_intr,
	};

	l.known = !(l.sample_type & ~SAMPLE_KNOWN) && !(l.sample_type & SAMPLE_READ && l.read_format & ~READ_KNOWN);
	l.flat = !(l.sample_type & ~in_front);
	l.chain = (l.sample_type & ~in_front) == SAMPLE_CALLCHAIN;
	l.trailers = event->flags & EVENT_SAMPLE_ID_ALL;
	place_fields(&l, l.sample_type);
	place_trailer(&l, l.sample_type);
	*ret = l;
}

/* ---- fields with a fixed place ---- */

static inline uint32_t load_u32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t load_at(const uint8_t *body, uint16_t at, bool swap)
{
	return at == NOWHERE ? 0 : sample_load_u64(body + at, swap);
}

static inline void decode_front(const struct sample_layout *l, const uint8_t *body, bool swap, struct sample *s)
{
	s->id = load_at(body, l->at_id, swap);
	s->ip = load_at(body, l->at_ip, swap);
	s->time_ns = load_at(body, l->at_time, swap);
	s->addr = load_at(body, l->at_addr, swap);
	s->stream_id = load_at(body, l->at_stream_id, swap);
	s->period = l->at_period == NOWHERE ? l->period : sample_load_u64(body + l->at_period, swap);
	s->pid = s->tid = 0;
	if (l->at_tid != NOWHERE) {
		s->pid = load_u32(body + l->at_tid, swap);
		s->tid = load_u32(body + l->at_tid + 4, swap);
	}
	s->cpu = l->at_cpu == NOWHERE ? -1 : (int32_t)load_u32(body + l->at_cpu, swap);
}

/* ---- lists ---- */

static struct words cur_words(struct cursor *c, uint64_t nr, size_t words_each)
{
	struct words w = { NULL, 0, c->swap };

	if (nr > cur_left(c) / (8 * words_each)) {
		c->failed = true;
		return w;
	}
	w.at = cur_take(c, (size_t)nr * 8 * words_each);
	w.nr = w.at ? (size_t)nr * words_each : 0;
	return w;
}

static size_t words_per_value(uint64_t read_format)
{
	return 1u + (read_format & READ_ID ? 1 : 0) + (read_format & READ_LOST ? 1 : 0);
}

/*
 * READ_GROUP:	nr, [enabled], [running], nr × {value, [id], [lost]}
 * otherwise:	value, [enabled], [running], [id], [lost]
 */
void read_block_decode(struct cursor *c, uint64_t read_format, struct read_block *ret)
{
	struct read_block b = { .format = read_format, .nr = 1 };
	const uint8_t *start = c->at;

	if (read_format & READ_GROUP)
		b.nr = cur_u64(c);
	else
		cur_u64(c);
	if (read_format & READ_ENABLED)
		b.enabled = cur_u64(c);
	if (read_format & READ_RUNNING)
		b.running = cur_u64(c);
	if (read_format & READ_GROUP) {
		b.values = cur_words(c, b.nr, words_per_value(read_format));
	} else {
		cur_take(c, 8 * (words_per_value(read_format) - 1));
		if (!c->failed)
			b.values = (struct words){ start, 1, c->swap };
	}
	*ret = b;
}

struct read_value read_value_at(const struct read_block *block, size_t i)
{
	struct read_value v = { 0, 0, 0 };
	size_t at = block->format & READ_GROUP ? i * words_per_value(block->format) : 0;

	v.value = words_at(&block->values, at++);
	if (!(block->format & READ_GROUP))
		at += (block->format & READ_ENABLED ? 1u : 0) + (block->format & READ_RUNNING ? 1u : 0);
	if (block->format & READ_ID)
		v.id = words_at(&block->values, at++);
	if (block->format & READ_LOST)
		v.lost = words_at(&block->values, at);
	return v;
}

/*
 * nr, [hw_idx], nr × {from, to, flags}, [nr × counters].  The kernel leaves hw_idx out
 * when there is no branch data at all: `hw_idx` says which of the two we try.
 */
static void decode_branches(struct cursor *c, const struct sample_layout *l, bool hw_idx, struct branches *b)
{
	uint64_t nr = cur_u64(c);

	b->has_hw_idx = hw_idx;
	if (hw_idx)
		b->hw_idx = cur_u64(c);
	b->entries = cur_words(c, nr, 3);
	if (l->branch_sample_type & BRANCH_COUNTERS)
		b->counters = cur_words(c, nr, 1);
}

static bool writer_is_big(bool swap)
{
	return swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/*
 * The flags are C bit-fields: on a big-endian machine they begin at the highest bit.
 * Takes `width` bits beginning `at` bits after the first.
 */
static uint64_t bit_field(uint64_t v, bool big, unsigned at, unsigned width)
{
	return v >> (big ? 64 - at - width : at) & ((1ull << width) - 1);
}

struct branch branch_at(const struct branches *b, size_t i)
{
	uint64_t flags = words_at(&b->entries, 3 * i + 2);
	bool big = writer_is_big(b->entries.swap);

	return (struct branch){
		.from = words_at(&b->entries, 3 * i),
		.to = words_at(&b->entries, 3 * i + 1),
		.mispredicted = bit_field(flags, big, 0, 1),
		.predicted = bit_field(flags, big, 1, 1),
		.in_tx = bit_field(flags, big, 2, 1),
		.abort = bit_field(flags, big, 3, 1),
		.cycles = (uint16_t)bit_field(flags, big, 4, 16),
		.type = (uint8_t)bit_field(flags, big, 20, 4),
		.spec = (uint8_t)bit_field(flags, big, 24, 2),
		.new_type = (uint8_t)bit_field(flags, big, 26, 4),
		.priv = (uint8_t)bit_field(flags, big, 30, 3),
		.counters = i < b->counters.nr ? words_at(&b->counters, i) : 0,
	};
}

static void decode_registers(struct cursor *c, uint64_t mask, struct registers *ret)
{
	ret->abi = cur_u64(c);
	ret->mask = mask;
	if (ret->abi)
		ret->values = cur_words(c, (uint64_t)__builtin_popcountll(mask), 1);
}

/* size, then where size is not 0: the bytes, and how many of them are valid */
static void decode_stack(struct cursor *c, struct sample *s)
{
	uint64_t valid;

	s->stack_size = cur_u64(c);
	if (!s->stack_size)
		return;
	s->stack = cur_bytes(c, s->stack_size);
	valid = cur_u64(c);
	if (valid < s->stack.size)
		s->stack.size = valid;
}

static void decode_weight(struct cursor *c, uint64_t type, struct sample *s)
{
	uint64_t v = cur_u64(c);

	if (type & SAMPLE_WEIGHT_STRUCT) {
		s->weight = (uint32_t)v;
		s->weight2 = (uint16_t)(v >> 32);
		s->weight3 = (uint16_t)(v >> 48);
	} else {
		s->weight = v;
	}
}

static void decode_lists(struct cursor *c, const struct sample_layout *l, bool hw_idx, struct sample *s)
{
	uint64_t type = l->sample_type;

	if (type & SAMPLE_READ)
		read_block_decode(c, l->read_format, &s->read);
	if (type & SAMPLE_CALLCHAIN)
		s->callchain = cur_words(c, cur_u64(c), 1);
	if (type & SAMPLE_RAW)
		s->raw = cur_bytes(c, cur_u32(c));
	if (type & SAMPLE_BRANCH_STACK)
		decode_branches(c, l, hw_idx, &s->branches);
	if (type & SAMPLE_REGS_USER)
		decode_registers(c, l->regs_user, &s->regs_user);
	if (type & SAMPLE_STACK_USER)
		decode_stack(c, s);
	if (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		decode_weight(c, type, s);
	if (type & SAMPLE_DATA_SRC)
		s->data_src = cur_u64(c);
	if (type & SAMPLE_TRANSACTION)
		s->transaction = cur_u64(c);
	if (type & SAMPLE_REGS_INTR)
		decode_registers(c, l->regs_intr, &s->regs_intr);
	if (type & SAMPLE_PHYS_ADDR)
		s->phys_addr = cur_u64(c);
	if (type & SAMPLE_CGROUP)
		s->cgroup = cur_u64(c);
	if (type & SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cur_u64(c);
	if (type & SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cur_u64(c);
	if (type & SAMPLE_AUX)
		s->aux = cur_bytes(c, cur_u64(c));
}

static void clear_lists(struct sample *s)
{
	size_t from = offsetof(struct sample, read);

	memset((char *)s + from, 0, sizeof(*s) - from);
	s->lists = s->only_chain = false;
}

/* The usual case, without clearing what was clear before. */
static int decode_chain(const struct sample_layout *l, const struct record *r, struct sample *s)
{
	struct cursor c = cur_new(r->body, r->swap);

	if (s->lists && !s->only_chain)
		clear_lists(s);
	cur_take(&c, l->flat_size);
	s->callchain = cur_words(&c, cur_u64(&c), 1);
	s->lists = s->only_chain = true;
	if (!c.failed && !cur_left(&c))
		return 0;
	clear_lists(s);
	return -1;
}

static int try_lists(struct cursor c, const struct sample_layout *l, bool hw_idx, struct sample *s)
{
	clear_lists(s);
	s->lists = true;
	decode_lists(&c, l, hw_idx, s);
	return c.failed || cur_left(&c) ? -1 : 0;
}

static int decode_behind(const struct sample_layout *l, const struct record *r, struct sample *s)
{
	bool hw_idx = l->sample_type & SAMPLE_BRANCH_STACK && l->branch_sample_type & BRANCH_HW_INDEX;
	struct cursor c = cur_new(r->body, r->swap);

	cur_take(&c, l->flat_size);
	if (try_lists(c, l, hw_idx, s) == 0)
		return 0;
	if (hw_idx && try_lists(c, l, false, s) == 0 && s->branches.entries.nr == 0)
		return 0;
	clear_lists(s);
	return -1;
}

int sample_decode(const struct sample_layout *layout, const struct record *r, struct sample *ret)
{
	if (!layout->known || r->body.size < layout->flat_size)
		return -1;
	if (layout->flat && r->body.size != layout->flat_size)
		return -1;
	ret->misc = r->misc;
	ret->offset = r->offset;
	ret->have = layout->sample_type;
	decode_front(layout, r->body.at, r->swap, ret);
	if (layout->chain)
		return decode_chain(layout, r, ret);
	if (!layout->flat)
		return decode_behind(layout, r, ret);
	if (ret->lists)
		clear_lists(ret);
	return 0;
}

/* ---- trailers ---- */

static const uint8_t *from_end(const struct record *r, uint16_t back)
{
	return r->body.at + r->body.size - back;
}

void sample_id_decode(const struct sample_layout *layout, const struct record *r, struct sample_id *ret)
{
	const struct sample_layout *l = layout;
	const uint64_t bits = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER;

	*ret = (struct sample_id){ .cpu = -1 };
	if (!sample_has_trailer(l, r))
		return;
	ret->have = l->sample_type & bits;
	ret->size = l->trailer_size;
	if (l->back_tid != NOWHERE) {
		ret->pid = load_u32(from_end(r, l->back_tid), r->swap);
		ret->tid = load_u32(from_end(r, l->back_tid) + 4, r->swap);
	}
	ret->time_ns = sample_load_back(r, l->back_time);
	ret->id = sample_load_back(r, l->back_id);
	ret->stream_id = sample_load_back(r, l->back_stream_id);
	if (l->back_cpu != NOWHERE)
		ret->cpu = (int32_t)load_u32(from_end(r, l->back_cpu), r->swap);
}
