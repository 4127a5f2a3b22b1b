// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the spelling of an event says without any event table: perf's generic names,
 * raw codes and cpu/event=…/ terms become type and config, ":u" becomes a modifier.
 * Names that a CPU's own tables define (ex_ret_ops) stay names.
 */
#include <ctype.h>
#include <strings.h>

#include "reader/stat_row.h"

struct generic_name {
	const char *name;
	uint32_t type;
	uint64_t config; /* of linux/perf_event.h; tool events as perf 7.2 numbers them */
};

static const struct generic_name generic_names[] = {
	{ "cpu-cycles", EVENT_HARDWARE, 0 },
	{ "cycles", EVENT_HARDWARE, 0 },
	{ "instructions", EVENT_HARDWARE, 1 },
	{ "cache-references", EVENT_HARDWARE, 2 },
	{ "cache-misses", EVENT_HARDWARE, 3 },
	{ "branch-instructions", EVENT_HARDWARE, 4 },
	{ "branches", EVENT_HARDWARE, 4 },
	{ "branch-misses", EVENT_HARDWARE, 5 },
	{ "bus-cycles", EVENT_HARDWARE, 6 },
	{ "stalled-cycles-frontend", EVENT_HARDWARE, 7 },
	{ "idle-cycles-frontend", EVENT_HARDWARE, 7 },
	{ "stalled-cycles-backend", EVENT_HARDWARE, 8 },
	{ "idle-cycles-backend", EVENT_HARDWARE, 8 },
	{ "ref-cycles", EVENT_HARDWARE, 9 },
	{ "cpu-clock", EVENT_SOFTWARE, 0 },
	{ "task-clock", EVENT_SOFTWARE, 1 },
	{ "page-faults", EVENT_SOFTWARE, 2 },
	{ "faults", EVENT_SOFTWARE, 2 },
	{ "context-switches", EVENT_SOFTWARE, 3 },
	{ "cs", EVENT_SOFTWARE, 3 },
	{ "cpu-migrations", EVENT_SOFTWARE, 4 },
	{ "migrations", EVENT_SOFTWARE, 4 },
	{ "minor-faults", EVENT_SOFTWARE, 5 },
	{ "major-faults", EVENT_SOFTWARE, 6 },
	{ "alignment-faults", EVENT_SOFTWARE, 7 },
	{ "emulation-faults", EVENT_SOFTWARE, 8 },
	{ "dummy", EVENT_SOFTWARE, 9 },
	{ "bpf-output", EVENT_SOFTWARE, 10 },
	{ "cgroup-switches", EVENT_SOFTWARE, 11 },
	{ "duration_time", EVENT_TOOL, 1 },
	{ "user_time", EVENT_TOOL, 2 },
	{ "system_time", EVENT_TOOL, 3 },
};

enum { CACHE_OP_SHIFT = 8, CACHE_RESULT_SHIFT = 16 };

struct spelling {
	const char *text;
	uint64_t value;
};

static const struct spelling caches[] = {
	{ "L1-dcache", 0 }, { "l1d", 0 },  { "L1-icache", 1 }, { "l1i", 1 }, { "LLC", 2 },  { "L2", 2 },
	{ "dTLB", 3 },      { "iTLB", 4 }, { "branch", 5 },    { "bpu", 5 }, { "node", 6 },
};

static const struct spelling cache_ops[] = {
	{ "-load", 0 }, { "-read", 0 }, { "-store", 1 }, { "-write", 1 }, { "-prefetch", 2 },
};

static const struct spelling cache_results[] = {
	{ "s", 0 }, { "es", 0 }, { "", 0 }, { "-refs", 0 }, { "-access", 0 }, { "-misses", 1 }, { "-miss", 1 },
};

static bool same(struct span s, const char *text)
{
	return s.size == strlen(text) && strncasecmp(s.at, text, s.size) == 0;
}

static bool begins(struct span s, const char *text)
{
	return s.size >= strlen(text) && strncasecmp(s.at, text, strlen(text)) == 0;
}

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/* "L1-dcache-load-misses": cache, operation, result; without an operation it is a load. */
static bool cache_event(struct span s, uint64_t *config)
{
	for (size_t c = 0; c < COUNT_OF(caches); c++) {
		struct span op, result;

		if (!begins(s, caches[c].text))
			continue;
		op = span_from(s, strlen(caches[c].text));
		for (size_t o = 0; o < COUNT_OF(cache_ops); o++) {
			if (!begins(op, cache_ops[o].text))
				continue;
			result = span_from(op, strlen(cache_ops[o].text));
			for (size_t r = 0; r < COUNT_OF(cache_results); r++) {
				if (!same(result, cache_results[r].text))
					continue;
				*config = caches[c].value | cache_ops[o].value << CACHE_OP_SHIFT |
					  cache_results[r].value << CACHE_RESULT_SHIFT;
				return true;
			}
		}
		if (c != 5 && c != 6 && same(op, "-misses")) { /* "iTLB-misses" */
			*config = caches[c].value | 1ull << CACHE_RESULT_SHIFT;
			return true;
		}
	}
	return false;
}

static bool generic_event(struct span s, struct event *e)
{
	for (size_t i = 0; i < COUNT_OF(generic_names); i++) {
		if (!same(s, generic_names[i].name))
			continue;
		e->type = generic_names[i].type;
		e->config = generic_names[i].config;
		return true;
	}
	if (!cache_event(s, &e->config))
		return false;
	e->type = EVENT_HW_CACHE;
	return true;
}

static bool hexadecimal(struct span s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.size == 0 || s.size > 16)
		return false;
	for (size_t i = 0; i < s.size; i++) {
		char c = (char)tolower((unsigned char)s.at[i]);

		if (!isxdigit((unsigned char)c))
			return false;
		v = v << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	*ret = v;
	return true;
}

static bool term_number(struct span s, uint64_t *ret)
{
	if (s.size > 2 && s.at[0] == '0' && (s.at[1] == 'x' || s.at[1] == 'X'))
		return hexadecimal(span_from(s, 2), ret);
	return stat_digits(s, ret);
}

/*
 * Fields of the x86 core PMU's config: event in bits 0-7 and, on AMD, 32-35; umask 8-15,
 * edge 18, inv 23, cmask 24-31.
 */
static bool put_term(struct span key, uint64_t v, struct event *e)
{
	if (span_is(key, "event"))
		e->config |= (v & 0xff) | (v & 0xf00) << 24;
	else if (span_is(key, "umask"))
		e->config |= (v & 0xff) << 8;
	else if (span_is(key, "edge"))
		e->config |= (v & 1) << 18;
	else if (span_is(key, "inv"))
		e->config |= (v & 1) << 23;
	else if (span_is(key, "cmask"))
		e->config |= (v & 0xff) << 24;
	else if (span_is(key, "config"))
		e->config |= v;
	else if (span_is(key, "config1"))
		e->config1 = v;
	else if (span_is(key, "config2"))
		e->config2 = v;
	else
		return span_is(key, "period") || span_is(key, "percore");
	return true;
}

/* "event=0xaa,umask=0x07"; false where a term is a name or is not known. */
static bool core_terms(struct span s, struct event *e)
{
	while (s.size) {
		const char *comma = memchr(s.at, ',', s.size);
		struct span term = span_upto(s, comma ? (size_t)(comma - s.at) : s.size), key = term;
		const char *equals = term.size ? memchr(term.at, '=', term.size) : NULL;
		uint64_t v = 1;

		s = span_from(s, comma ? term.size + 1 : term.size);
		if (equals) {
			key.size = (size_t)(equals - term.at);
			if (span_is(key, "name"))
				continue;
			if (!term_number(span_from(term, key.size + 1), &v))
				return false;
		}
		if (!put_term(key, v, e))
			return false;
	}
	return true;
}

/* "pmu/terms/modifiers" */
static bool pmu_event(struct arena *arena, struct span s, const char *slash, struct event *e)
{
	struct span pmu = span_upto(s, (size_t)(slash - s.at)), terms = span_from(s, pmu.size + 1);
	const char *end = terms.size ? memrchr(terms.at, '/', terms.size) : NULL;

	e->pmu = arena_strndup(arena, pmu.at, pmu.size);
	if (!end)
		return false;
	e->modifiers = arena_strndup(arena, end + 1, (size_t)(terms.at + terms.size - end) - 1);
	terms.size = (size_t)(end - terms.at);
	if (span_is(pmu, "cpu")) {
		e->type = EVENT_RAW;
		return generic_event(terms, e) || core_terms(terms, e);
	}
	if (!span_is(pmu, "software") && !span_is(pmu, "tool"))
		return false;
	return generic_event(terms, e);
}

/* Where ":u" or ":ppp" begins; tracepoints (sched:sched_switch) have other letters there. */
static size_t modifier_at(struct span s)
{
	size_t at = s.size;

	while (at > 0 && s.at[at - 1] != ':') {
		if (!is_one_of(s.at[at - 1], "ukhHGpPSDeWIbR"))
			return s.size;
		at--;
	}
	return at > 1 && at < s.size ? at - 1 : s.size;
}

static uint64_t exclusions(const char *modifiers)
{
	bool user = strchr(modifiers, 'u'), kernel = strchr(modifiers, 'k'), hv = strchr(modifiers, 'h');

	if (!user && !kernel && !hv)
		return 0;
	return (user ? 0 : EVENT_EXCLUDE_USER) | (kernel ? 0 : EVENT_EXCLUDE_KERNEL) | (hv ? 0 : EVENT_EXCLUDE_HV);
}

/* perf 6.12 adds the PMU with -A: "page-faults [software]". */
static struct span take_pmu(struct arena *arena, struct span s, struct event *e)
{
	size_t open = span_find(s, " [");

	if (open == SIZE_MAX || s.at[s.size - 1] != ']')
		return s;
	e->pmu = arena_strndup(arena, s.at + open + 2, s.size - open - 3);
	return span_trim(span_upto(s, open));
}

void stat_name_event(struct arena *arena, struct span name, struct event *ret)
{
	struct event e = { .group = -1, .scale = 1, .unit = "", .modifiers = "", .opened = true };
	struct span s = take_pmu(arena, span_trim(name), &e);
	const char *slash = s.size ? memchr(s.at, '/', s.size) : NULL;

	e.position = ret->position;
	e.name = arena_strndup(arena, s.at, s.size);
	if (slash && slash > s.at) {
		e.has_config = pmu_event(arena, s, slash, &e);
	} else {
		size_t at = modifier_at(s);

		if (at < s.size)
			e.modifiers = arena_strndup(arena, s.at + at + 1, s.size - at - 1);
		s.size = at;
		e.has_config = generic_event(s, &e);
		if (!e.has_config && s.size > 1 && s.at[0] == 'r' && hexadecimal(span_from(s, 1), &e.config)) {
			e.has_config = true;
			e.type = EVENT_RAW;
		}
	}
	if (!e.has_config)
		e.type = 0, e.config = e.config1 = e.config2 = 0;
	e.flags = exclusions(e.modifiers);
	*ret = e;
}

double stat_unit_scale(struct span unit)
{
	return span_is(unit, "msec") ? 1e-6 : 1;
}
