/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_SAMPLE, and the trailer that other kernel records end with.  What a
 * sample holds is told by its event's sample_type; the fields come in an order of
 * their own, not in that of the bits.  Lists (call chain, branches, registers, stack,
 * raw) stay bytes of the record: they live as long as it does.
 */
#ifndef PERFTAB_SAMPLE_H
#define PERFTAB_SAMPLE_H

#include "reader/event.h"
#include "reader/perf_file.h"

/* perf_event_attr.sample_type */
#define SAMPLE_IP             (1ull << 0)
#define SAMPLE_TID            (1ull << 1)
#define SAMPLE_TIME           (1ull << 2)
#define SAMPLE_ADDR           (1ull << 3)
#define SAMPLE_READ           (1ull << 4)
#define SAMPLE_CALLCHAIN      (1ull << 5)
#define SAMPLE_ID             (1ull << 6)
#define SAMPLE_CPU            (1ull << 7)
#define SAMPLE_PERIOD         (1ull << 8)
#define SAMPLE_STREAM_ID      (1ull << 9)
#define SAMPLE_RAW            (1ull << 10)
#define SAMPLE_BRANCH_STACK   (1ull << 11)
#define SAMPLE_REGS_USER      (1ull << 12)
#define SAMPLE_STACK_USER     (1ull << 13)
#define SAMPLE_WEIGHT         (1ull << 14)
#define SAMPLE_DATA_SRC       (1ull << 15)
#define SAMPLE_IDENTIFIER     (1ull << 16)
#define SAMPLE_TRANSACTION    (1ull << 17)
#define SAMPLE_REGS_INTR      (1ull << 18)
#define SAMPLE_PHYS_ADDR      (1ull << 19)
#define SAMPLE_AUX            (1ull << 20)
#define SAMPLE_CGROUP         (1ull << 21)
#define SAMPLE_DATA_PAGE_SIZE (1ull << 22)
#define SAMPLE_CODE_PAGE_SIZE (1ull << 23)
#define SAMPLE_WEIGHT_STRUCT  (1ull << 24)
#define SAMPLE_KNOWN          ((1ull << 25) - 1)

/* perf_event_attr.read_format */
#define READ_ENABLED (1ull << 0)
#define READ_RUNNING (1ull << 1)
#define READ_ID      (1ull << 2)
#define READ_GROUP   (1ull << 3)
#define READ_LOST    (1ull << 4)
#define READ_KNOWN   ((1ull << 5) - 1)

/* perf_event_attr.branch_sample_type */
#define BRANCH_HW_INDEX (1ull << 17)
#define BRANCH_COUNTERS (1ull << 19)

/* Bits of record.misc */
#define MISC_CPUMODE  7u
#define MISC_KERNEL   1u
#define MISC_USER     2u
#define MISC_HYPERVISOR 3u
#define MISC_GUEST_KERNEL 4u
#define MISC_GUEST_USER 5u

/* Call chain entries from here on are marks: what follows belongs to ... */
#define CHAIN_MARKS         ((uint64_t)-4095)
#define CHAIN_HYPERVISOR    ((uint64_t)-32)
#define CHAIN_KERNEL        ((uint64_t)-128)
#define CHAIN_USER          ((uint64_t)-512)
#define CHAIN_USER_DEFERRED ((uint64_t)-640) /* the next entry is a cookie, not an address */
#define CHAIN_GUEST         ((uint64_t)-2048)
#define CHAIN_GUEST_KERNEL  ((uint64_t)-2176)
#define CHAIN_GUEST_USER    ((uint64_t)-2560)

/* A list of u64 in the record, in the writer's byte order. */
struct words {
	const uint8_t *at;
	size_t nr; /* words */
	bool swap;
};

static inline uint64_t words_at(const struct words *w, size_t i)
{
	uint64_t v;

	memcpy(&v, w->at + 8 * i, sizeof(v));
	return w->swap ? __builtin_bswap64(v) : v;
}

/* Counter values in a sample or a READ record; taken out with read_next(). */
struct read_block {
	uint64_t format;           /* read_format */
	uint64_t nr;               /* values; without READ_GROUP 1 */
	uint64_t enabled, running; /* 0 where the format does not have them */
	struct words values;       /* nr × {value, [id], [lost]} */
};

struct read_value {
	uint64_t value, id, lost; /* id 0 where the format has none */
};

/* The i-th value, i < block->nr. */
struct read_value read_value_at(const struct read_block *block, size_t i);

/* From the cursor on; sets its `failed` where the block does not fit. */
void read_block_decode(struct cursor *c, uint64_t read_format, struct read_block *ret);

struct branch {
	uint64_t from, to;
	bool mispredicted, predicted, in_tx, abort;
	uint16_t cycles;
	uint8_t type, spec, new_type, priv;
	uint64_t counters; /* 0 where none were recorded */
};

struct branches {
	bool has_hw_idx;
	uint64_t hw_idx;
	struct words entries;  /* three words a branch */
	struct words counters; /* none, or one a branch */
};

static inline size_t branches_nr(const struct branches *b)
{
	return b->entries.nr / 3;
}

/* The i-th, i < branches_nr(). */

struct branch branch_at(const struct branches *b, size_t i);

struct registers {
	uint64_t abi;  /* 0 none, 1 32 bits, 2 64 bits */
	uint64_t mask; /* which; the lowest bit comes first */
	struct words values;
};

struct sample {
	uint32_t event;   /* index into capture.events */
	uint16_t misc;
	uint64_t offset;  /* of its record in the input */
	uint64_t have;    /* sample_type: fields whose bit is not set are 0 */

	uint64_t id, ip, time_ns, addr, stream_id;
	uint32_t pid, tid;
	int32_t cpu;      /* -1 where the sample does not tell */
	uint64_t period;  /* the event's own where it is fixed */

	bool lists;       /* something below is set; all of it is 0 otherwise */
	bool only_chain;  /* and that is the call chain */
	struct read_block read;
	struct words callchain;
	struct bytes raw;
	struct branches branches;
	struct registers regs_user, regs_intr;
	struct bytes stack;   /* user stack: the valid part */
	uint64_t stack_size;  /* as recorded */
	uint64_t weight;      /* WEIGHT; the low 32 bits of WEIGHT_STRUCT */
	uint16_t weight2, weight3;
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct bytes aux;
};

/* What the sample_type of one event means for its bytes; made once. */
struct sample_layout {
	uint64_t sample_type, read_format, branch_sample_type, period;
	uint64_t regs_user, regs_intr;
	bool known;          /* false: bits that we do not know; its samples cannot be decoded */
	bool flat;           /* nothing behind PERIOD */
	bool chain;          /* nothing but the call chain */
	bool trailers;       /* other records end with a trailer (sample_id_all) */
	uint16_t flat_size;  /* IDENTIFIER to PERIOD */
	/* places in the body, NOWHERE where the sample does not have it */
	uint16_t at_id, at_ip, at_tid, at_time, at_addr, at_stream_id, at_cpu, at_period;
	uint16_t trailer_size;
	/* places counted back from the end of the record */
	uint16_t back_tid, back_time, back_id, back_stream_id, back_cpu;
};

enum { NOWHERE = 0xffff };

void sample_layout_init(struct sample_layout *ret, const struct event *event);

/*
 * Decodes a SAMPLE of the event with this layout.  `ret` must have been all zero
 * before it was used for the first time; ret->event is left alone.  -1: the record
 * does not have this layout, to the byte.
 */
int sample_decode(const struct sample_layout *layout, const struct record *r, struct sample *ret);

/* The trailer of a kernel record that is no SAMPLE.  Where there is none, `have` is 0. */
struct sample_id {
	uint64_t have; /* bits of sample_type that are set below */
	uint32_t pid, tid;
	int32_t cpu;
	uint64_t time_ns, id, stream_id;
	size_t size;   /* bytes that it takes at the end of the record */
};

void sample_id_decode(const struct sample_layout *layout, const struct record *r, struct sample_id *ret);

/* ---- asked for every record, so they are inline ---- */

static inline uint64_t sample_load_u64(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline bool sample_has_trailer(const struct sample_layout *l, const struct record *r)
{
	return l->trailers && r->type < RECORD_USER_TYPES && r->type != RECORD_SAMPLE &&
	       r->body.size >= l->trailer_size;
}

static inline uint64_t sample_load_back(const struct record *r, uint16_t back)
{
	return back == NOWHERE ? 0 : sample_load_u64(r->body.at + r->body.size - back, r->swap);
}

static inline uint64_t sample_load_front(const struct record *r, uint16_t at)
{
	return at == NOWHERE || r->body.size < (size_t)at + 8 ? 0 : sample_load_u64(r->body.at + at, r->swap);
}

/*
 * The id that says which event a record belongs to, before the event is known; 0
 * where the record has none.
 */
static inline uint64_t sample_id_peek(const struct sample_layout *any, const struct record *r)
{
	if (r->type == RECORD_SAMPLE)
		return sample_load_front(r, any->at_id);
	return sample_has_trailer(any, r) ? sample_load_back(r, any->back_id) : 0;
}

/* The 8 bytes at a place of a sample's body that its size allows; `otherwise` where it has none. */
static inline uint64_t sample_word_peek(const struct record *r, uint16_t at, uint64_t otherwise)
{
	uint64_t v;

	if (at == NOWHERE)
		return otherwise;
	memcpy(&v, r->body.at + at, sizeof(v));
	return r->swap ? __builtin_bswap64(v) : v;
}

/* The time of a record of this layout, 0 where it has none. */
static inline uint64_t sample_time_peek(const struct sample_layout *layout, const struct record *r)
{
	if (r->type == RECORD_SAMPLE)
		return sample_load_front(r, layout->at_time);
	return sample_has_trailer(layout, r) ? sample_load_back(r, layout->back_time) : 0;
}

#endif
