// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct perf_event_attr (linux/perf_event.h), versions 0 (64 bytes) to 9 (144 bytes).
 */
#include "reader/attr.h"

#include <inttypes.h>
#include <string.h>

enum { ATTR_SIZE_VER0 = 64 };

/*
 * The flags are C bit-fields.  A compiler of the other byte order fills each byte from
 * its other end, so the order of the bytes stays and the bits inside them are
 * mirrored.  precise_ip crosses a byte border and comes out with its two bits exchanged.
 */
static uint64_t flags_of_other_order(uint64_t as_read)
{
	uint64_t v = __builtin_bswap64(as_read), out = 0;
	uint64_t low, high;

	for (int bit = 0; bit < 64; bit++)
		if (v >> bit & 1)
			out |= 1ull << ((bit & ~7) + 7 - (bit & 7));
	low = out >> EVENT_PRECISE_SHIFT & 1;
	high = out >> (EVENT_PRECISE_SHIFT + 1) & 1;
	out &= ~(3ull << EVENT_PRECISE_SHIFT);
	return out | (high | low << 1) << EVENT_PRECISE_SHIFT;
}

/* Fields that may be missing at the end read as 0; `failed` is of no matter there. */
int attr_decode(struct bytes b, bool swap, struct event *ret)
{
	struct cursor c = cur_new(b, swap);

	if (b.size < ATTR_SIZE_VER0)
		return -1;
	ret->type = cur_u32(&c);
	(void)cur_u32(&c); /* size */
	ret->config = cur_u64(&c);
	ret->sample_period = cur_u64(&c);
	ret->sample_type = cur_u64(&c);
	ret->read_format = cur_u64(&c);
	ret->flags = cur_u64(&c);
	(void)cur_u32(&c); /* wakeup_events */
	ret->bp_type = cur_u32(&c);
	ret->config1 = cur_u64(&c);
	ret->config2 = cur_u64(&c);
	ret->branch_sample_type = cur_u64(&c);
	ret->sample_regs_user = cur_u64(&c);
	ret->sample_stack_user = cur_u32(&c);
	ret->clockid = (int32_t)cur_u32(&c);
	ret->sample_regs_intr = cur_u64(&c);
	(void)cur_u32(&c); /* aux_watermark */
	(void)cur_u32(&c); /* sample_max_stack, reserved */
	(void)cur_u32(&c); /* aux_sample_size */
	(void)cur_u32(&c); /* aux_action */
	(void)cur_u64(&c); /* sig_data */
	ret->config3 = cur_u64(&c);
	if (swap)
		ret->flags = flags_of_other_order(ret->flags);
	ret->has_config = true;
	return 0;
}

static const char *const hardware_names[] = {
	"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
	"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};

static const char *const software_names[] = {
	"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
};

static const char *const tool_names[] = { NULL, "duration_time", "user_time", "system_time" };

#define NAME_OF(list, n) ((n) < sizeof(list) / sizeof((list)[0]) ? (list)[n] : NULL)

static const char *cache_name(struct arena *arena, uint64_t config)
{
	static const char *const cache[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
	static const char *const op[][2] = {
		{ "loads", "load-misses" }, { "stores", "store-misses" }, { "prefetches", "prefetch-misses" },
	};
	uint64_t c = config & 0xff, o = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (c >= sizeof(cache) / sizeof(cache[0]) || o >= 3 || result >= 2)
		return NULL;
	return arena_printf(arena, "%s-%s", cache[c], op[o][result]);
}

static const char *plain_name(struct arena *arena, const struct event *e)
{
	switch (e->type) {
	case EVENT_HARDWARE:
		return NAME_OF(hardware_names, (uint32_t)e->config);
	case EVENT_SOFTWARE:
		return NAME_OF(software_names, e->config);
	case EVENT_HW_CACHE:
		return cache_name(arena, e->config);
	case EVENT_TOOL:
		return NAME_OF(tool_names, e->config);
	case EVENT_RAW:
		return arena_printf(arena, "r%" PRIx64, e->config);
	case EVENT_TRACEPOINT:
		return arena_printf(arena, "tracepoint-%" PRIu64, e->config);
	case EVENT_BREAKPOINT:
		return arena_printf(arena, "mem:0x%" PRIx64, e->config1);
	default:
		return NULL;
	}
}

static const char *pmu_of_type(uint32_t type)
{
	switch (type) {
	case EVENT_HARDWARE:
	case EVENT_HW_CACHE:
	case EVENT_RAW:
		return "cpu";
	case EVENT_SOFTWARE:
		return "software";
	case EVENT_TRACEPOINT:
		return "tracepoint";
	case EVENT_BREAKPOINT:
		return "breakpoint";
	case EVENT_TOOL:
		return "tool";
	default:
		return NULL;
	}
}

/* perf's letters: who is counted where somebody is left out, precision, guests only. */
static const char *modifiers_of(struct arena *arena, uint64_t flags)
{
	char text[16];
	size_t n = 0;
	unsigned precise = (unsigned)(flags >> EVENT_PRECISE_SHIFT & 3);

	if (flags & (EVENT_EXCLUDE_USER | EVENT_EXCLUDE_KERNEL)) {
		if (!(flags & EVENT_EXCLUDE_USER))
			text[n++] = 'u';
		if (!(flags & EVENT_EXCLUDE_KERNEL))
			text[n++] = 'k';
	}
	while (precise--)
		text[n++] = 'p';
	if (flags & EVENT_EXCLUDE_HOST)
		text[n++] = 'G';
	return n ? arena_strndup(arena, text, n) : "";
}

static bool counts_nanoseconds(const struct event *e)
{
	return e->type == EVENT_SOFTWARE && e->config <= 1;
}

void attr_describe(struct arena *arena, struct event *e)
{
	e->modifiers = modifiers_of(arena, e->flags);
	e->pmu = pmu_of_type(e->type);
	e->name = plain_name(arena, e);
	if (!e->name)
		e->name = arena_printf(arena, "type%" PRIu32 "/config=0x%" PRIx64 "/", e->type, e->config);
	else if (*e->modifiers)
		e->name = arena_printf(arena, "%s:%s", e->name, e->modifiers);
	e->unit = counts_nanoseconds(e) ? "msec" : "";
	e->scale = counts_nanoseconds(e) ? 1e-6 : 1;
	e->group = -1;
	e->group_known = true;
}

const char *attr_clean_name(struct arena *arena, const char *name, size_t size)
{
	char *copy = arena_strndup(arena, name, size);
	size_t n = strlen(copy);
	char *open;

	if (n && copy[n - 1] == ']') {
		open = strrchr(copy, '[');
		if (open && open > copy + 1 && open[-1] == ' ')
			open[-1] = 0;
	}
	return copy;
}
