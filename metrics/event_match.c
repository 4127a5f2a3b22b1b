// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of events are what someone typed: `cs`, `page-faults:u`, `cpu/event=0x76/`,
 * `ls_not_halted_cyc [cpu]`.  So an event is known by type and config wherever it has
 * them, and a spelling is translated into type and config wherever it can be.
 */
#include "metrics/event_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "metrics/event_terms.h"

#define CONFIG_DUMMY 9 /* software event; perf 6.1 keeps its tool events as such */

/* A part of a string. */
struct span {
	const char *at;
	size_t size;
};

static struct span span_of(const char *s)
{
	return (struct span){ s, strlen(s) };
}

static bool span_is(struct span s, const char *text)
{
	return strlen(text) == s.size && strncasecmp(s.at, text, s.size) == 0;
}

/* ---- generic events ---- */

struct generic {
	const char *name; /* the first of its code is the one that we show */
	uint32_t type;
	uint64_t config;
};

static const struct generic generics[] = {
	{ "cycles", EVENT_HARDWARE, 0 },
	{ "cpu-cycles", EVENT_HARDWARE, 0 },
	{ "instructions", EVENT_HARDWARE, 1 },
	{ "cache-references", EVENT_HARDWARE, 2 },
	{ "cache-misses", EVENT_HARDWARE, 3 },
	{ "branches", EVENT_HARDWARE, 4 },
	{ "branch-instructions", EVENT_HARDWARE, 4 },
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
	{ "bpf-output", EVENT_SOFTWARE, 10 },
	{ "cgroup-switches", EVENT_SOFTWARE, 11 },
	{ "duration_time", EVENT_TOOL, 1 },
	{ "user_time", EVENT_TOOL, 2 },
	{ "system_time", EVENT_TOOL, 3 },
};

/* Of a cache event's config: cache, then operation << 8, then result << 16. */
static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
static const struct {
	const char *accesses, *misses;
} cache_operations[] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};
#define NR_CACHES     (sizeof(caches) / sizeof(caches[0]))
#define NR_OPERATIONS (sizeof(cache_operations) / sizeof(cache_operations[0]))

static bool find_cache_event(struct span name, uint64_t *config)
{
	for (size_t c = 0; c < NR_CACHES; c++) {
		size_t size = strlen(caches[c]);
		struct span rest = { name.at + size + 1, name.size - size - 1 };

		if (name.size < size + 2 || strncasecmp(name.at, caches[c], size) != 0 || name.at[size] != '-')
			continue;
		for (size_t op = 0; op < NR_OPERATIONS; op++) {
			bool miss = span_is(rest, cache_operations[op].misses);

			if (miss || span_is(rest, cache_operations[op].accesses)) {
				*config = c | op << 8 | (uint64_t)miss << 16;
				return true;
			}
		}
	}
	return false;
}

static const char *cache_event_name(uint64_t config)
{
	static char names[NR_CACHES][NR_OPERATIONS][2][40];
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16;
	char *name;

	if (cache >= NR_CACHES || op >= NR_OPERATIONS || result > 1)
		return NULL;
	name = names[cache][op][result];
	strcpy(name, caches[cache]);
	strcat(name, "-");
	strcat(name, result ? cache_operations[op].misses : cache_operations[op].accesses);
	return name;
}

const char *event_generic_name(uint32_t type, uint64_t config)
{
	if (type == EVENT_HW_CACHE)
		return cache_event_name(config);
	for (size_t i = 0; i < sizeof(generics) / sizeof(generics[0]); i++)
		if (generics[i].type == type && generics[i].config == config)
			return generics[i].name;
	return NULL;
}

/* The codes that the kernel gives the generic hardware events on AMD, Zen `first` to `last`. */
static const struct amd_code {
	uint64_t generic, config;
	unsigned first, last;
} amd_codes[] = {
	{ 0, 0x76, 0, 6 },                             /* cycles */
	{ 1, 0xc0, 0, 6 },                             /* instructions */
	{ 2, 0xff60, 0, 6 },                           /* cache-references */
	{ 3, 0x0964, 0, 6 },                           /* cache-misses */
	{ 4, 0xc2, 0, 6 },                             /* branches */
	{ 5, 0xc3, 0, 6 },                             /* branch-misses */
	{ 7, 0x0287, 1, 1 },                           /* stalled-cycles-frontend */
	{ 7, 0xa9, 2, 6 },        { 8, 0x0187, 1, 1 }, /* stalled-cycles-backend */
	{ 9, 0x100000120, 4, 6 },                      /* ref-cycles */
};

/* One form for what can be opened in two ways. */
static void make_comparable(const struct metric_set *s, struct event_meaning *m)
{
	if (m->type == EVENT_HARDWARE || m->type == EVENT_HW_CACHE)
		m->config &= UINT32_MAX; /* above it is the PMU of a hybrid machine */
	if (m->type != EVENT_HARDWARE || !s || !s->amd)
		return;
	for (size_t i = 0; i < sizeof(amd_codes) / sizeof(amd_codes[0]); i++) {
		const struct amd_code *c = &amd_codes[i];

		if (c->generic == m->config && s->zen >= c->first && s->zen <= c->last) {
			m->type = EVENT_RAW;
			m->config = c->config;
			return;
		}
	}
}

/* ---- spellings ---- */

static bool is_core_pmu(struct span pmu)
{
	return span_is(pmu, "cpu") || span_is(pmu, "cpu_core") || span_is(pmu, "cpu_atom");
}

/* "amd_umc_3" is an instance of "amd_umc". */
static struct span pmu_stem(struct span pmu)
{
	size_t n = pmu.size;

	while (n && isdigit((unsigned char)pmu.at[n - 1]))
		n--;
	if (n && n < pmu.size && pmu.at[n - 1] == '_')
		pmu.size = n - 1;
	return pmu;
}

static void set_pmu(struct event_meaning *m, struct span pmu)
{
	pmu = is_core_pmu(pmu) ? pmu : pmu_stem(pmu);
	m->pmu = pmu.at;
	m->pmu_size = pmu.size;
}

static void meaning_of_set_event(const struct set_event *e, struct event_meaning *m)
{
	m->known = true;
	m->type = is_core_pmu(span_of(e->pmu)) ? EVENT_RAW : EVENT_OF_PMU;
	set_pmu(m, span_of(e->pmu));
	m->config |= e->config;
	m->config1 |= e->config1;
	m->config2 |= e->config2;
}

static const struct set_event *find_set_event(const struct metric_set *s, struct span name)
{
	int32_t e = s ? set_find_eventn(s, name.at, name.size) : -1;

	return e < 0 ? NULL : &s->events[e];
}

static bool find_generic(struct span name, struct event_meaning *m)
{
	uint64_t config;

	for (size_t i = 0; i < sizeof(generics) / sizeof(generics[0]); i++) {
		if (span_is(name, generics[i].name)) {
			m->type = generics[i].type;
			m->config |= generics[i].config;
			return m->known = true;
		}
	}
	if (!find_cache_event(name, &config))
		return false;
	m->type = EVENT_HW_CACHE;
	m->config |= config;
	return m->known = true;
}

/* r76, r1060001a0 */
static bool find_raw(struct span name, struct event_meaning *m)
{
	uint64_t config = 0;

	if (name.size < 2 || name.size > 17 || (name.at[0] != 'r' && name.at[0] != 'R'))
		return false;
	for (size_t i = 1; i < name.size; i++) {
		char c = name.at[i];

		if (!isxdigit((unsigned char)c))
			return false;
		config = config << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	m->type = EVENT_RAW;
	m->config |= config;
	return m->known = true;
}

static bool find_named(const struct metric_set *s, struct span name, struct event_meaning *m)
{
	const struct set_event *e = find_set_event(s, name);

	if (e) {
		meaning_of_set_event(e, m);
		return true;
	}
	return find_generic(name, m) || find_raw(name, m);
}

/* "ukhGp…": may follow a ':' or the last '/'. */
static bool is_modifiers(struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		if (!strchr("ukhGHIpPSDWeRbX", s.at[i]))
			return false;
	return s.size > 0;
}

/* One term of cpu/…/: what it says about the config, or which event it names. */
static bool apply_term(const struct metric_set *s, const char *pmu, const char *term, struct event_meaning *m)
{
	static const char *const silent[] = { "name", "period", "freq", "percore", "metric-id", "call-graph", "time" };
	uint64_t config[3] = { 0, 0, 0 };
	const char *is = strchr(term, '=');
	size_t size = is ? (size_t)(is - term) : strlen(term);
	char key[32], *end;
	uint64_t value = 1;

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (span_is((struct span){ term, size }, silent[i]))
			return true;
	if (!is && !event_term_is_flag(term))
		return find_named(s, (struct span){ term, size }, m);
	if (size >= sizeof(key))
		return false;
	memcpy(key, term, size);
	key[size] = '\0';
	if (is) {
		value = strtoull(is + 1, &end, 0);
		if (end == is + 1 || *end)
			return false;
	}
	if (!event_term_put(pmu, s ? s->zen : 0, key, value, config))
		return false;
	m->config |= config[0];
	m->config1 |= config[1];
	m->config2 |= config[2];
	return true;
}

/* The terms between the slashes.  Those of a named event are added to its own. */
static bool find_terms(const struct metric_set *s, struct span pmu, struct span terms, struct event_meaning *m)
{
	struct event_meaning made = *m;
	char text[512], pmu_name[64], *save, *term;

	if (terms.size >= sizeof(text) || !pmu.size || pmu.size >= sizeof(pmu_name))
		return false;
	for (size_t i = 0; i < terms.size; i++)
		text[i] = (char)tolower((unsigned char)terms.at[i]);
	text[terms.size] = '\0';
	memcpy(pmu_name, pmu.at, pmu.size);
	pmu_name[pmu.size] = '\0';

	made.type = is_core_pmu(pmu) ? EVENT_RAW : EVENT_OF_PMU;
	set_pmu(&made, pmu);
	for (term = strtok_r(text, ",", &save); term; term = strtok_r(NULL, ",", &save))
		if (!apply_term(s, pmu_name, term, &made))
			return false;
	set_pmu(&made, pmu); /* a named event pointed at the set's */
	made.known = true;
	if (made.type != EVENT_RAW && made.type != EVENT_OF_PMU) { /* software/cs/, cpu/cycles/ */
		made.pmu = NULL;
		made.pmu_size = 0;
	}
	*m = made;
	return true;
}

/* Cuts " [cpu]" and blanks at both ends. */
static struct span trim(const char *spelling)
{
	struct span s = span_of(spelling);
	const char *bracket = s.size && s.at[s.size - 1] == ']' ? strrchr(spelling, '[') : NULL;

	if (bracket && bracket > spelling && bracket[-1] == ' ')
		s.size = (size_t)(bracket - spelling);
	while (s.size && s.at[s.size - 1] == ' ')
		s.size--;
	for (; s.size && *s.at == ' '; s.size--)
		s.at++;
	return s;
}

static const char *last_of(struct span s, char c)
{
	return s.size ? memrchr(s.at, c, s.size) : NULL;
}

static void set_modifiers(struct event_meaning *m, struct span s)
{
	m->modifiers = s.at;
	m->modifiers_size = s.size;
}

/* pmu/terms/modifiers */
static bool split_slashes(const struct metric_set *s, struct span text, struct event_meaning *m)
{
	const char *first = memchr(text.at, '/', text.size), *last = last_of(text, '/');
	struct span pmu, terms, rest;

	if (!first || first == last)
		return false;
	pmu = (struct span){ text.at, (size_t)(first - text.at) };
	terms = (struct span){ first + 1, (size_t)(last - first - 1) };
	rest = (struct span){ last + 1, (size_t)(text.at + text.size - last - 1) };
	if (rest.size && *rest.at == ':')
		rest = (struct span){ rest.at + 1, rest.size - 1 };
	if (rest.size && !is_modifiers(rest))
		return false;
	set_modifiers(m, rest);
	m->name_size = (size_t)(last + 1 - text.at);
	find_terms(s, pmu, terms, m);
	return true;
}

/* name:modifiers */
static void split_colon(const struct metric_set *s, struct span text, struct event_meaning *m)
{
	const char *colon = last_of(text, ':');
	struct span rest;

	if (colon && colon > text.at) {
		rest = (struct span){ colon + 1, (size_t)(text.at + text.size - colon - 1) };
		if (is_modifiers(rest)) {
			set_modifiers(m, rest);
			m->name_size = (size_t)(colon - text.at);
		}
	}
	find_named(s, (struct span){ m->name, m->name_size }, m);
}

bool event_config_of(const struct metric_set *s, const char *spelling, struct event_meaning *ret)
{
	struct span text = trim(spelling);

	*ret = (struct event_meaning){ .name = text.at, .name_size = text.size, .modifiers = "" };
	if (!split_slashes(s, text, ret))
		split_colon(s, text, ret);
	if (ret->known)
		make_comparable(s, ret);
	return ret->known;
}

/* ---- captured events ---- */

/* perf 6.1 opens its tool events as software dummies: only the name tells which it is. */
static void undo_dummy(struct event_meaning *m, const struct event_meaning *by_name)
{
	if (m->type == EVENT_SOFTWARE && m->config == CONFIG_DUMMY && by_name->known && by_name->type == EVENT_TOOL) {
		m->type = by_name->type;
		m->config = by_name->config;
	}
}

/*
 * cpu/cycles/, and from perf 7 on also plain `instructions`, are opened by the code that
 * the kernel's sysfs gives.  Where we have no table of such codes, the name is believed.
 */
static bool is_sysfs_name(const struct metric_set *s, const struct event_meaning *by_name)
{
	bool slashes = memchr(by_name->name, '/', by_name->name_size) != NULL;

	return by_name->known && by_name->type == EVENT_HARDWARE && !memchr(by_name->name, '=', by_name->name_size) &&
	       (slashes || !s || !s->amd);
}

static bool is_fixed_type(uint32_t type)
{
	return type == EVENT_HARDWARE || type == EVENT_SOFTWARE || type == EVENT_HW_CACHE || type == EVENT_RAW ||
	       type == EVENT_TOOL;
}

void event_meaning_of(const struct metric_set *s, const struct event *e, struct event_meaning *ret)
{
	struct event_meaning by_name;

	event_config_of(s, e->name, &by_name);
	*ret = by_name;
	if (!e->has_config || e->type == EVENT_TRACEPOINT || e->type == EVENT_BREAKPOINT)
		return;
	ret->config = e->config;
	ret->config1 = e->config1;
	ret->config2 = e->config2;
	if (is_fixed_type(e->type)) {
		ret->type = e->type;
		ret->pmu = NULL;
		ret->pmu_size = 0;
	} else if (e->pmu) {
		ret->type = is_core_pmu(span_of(e->pmu)) ? EVENT_RAW : EVENT_OF_PMU;
		set_pmu(ret, span_of(e->pmu));
	} else if (!by_name.known || by_name.type != EVENT_OF_PMU) {
		ret->known = false; /* a PMU of which neither the number nor the name is known */
		return;
	}
	ret->known = true;
	undo_dummy(ret, &by_name);
	if (ret->type == EVENT_RAW && is_sysfs_name(s, &by_name)) {
		ret->type = by_name.type;
		ret->config = by_name.config;
	}
	make_comparable(s, ret);
}

static bool same_pmu(const struct event_meaning *a, const struct event_meaning *b)
{
	struct span x = { a->pmu, a->pmu_size }, y = { b->pmu, b->pmu_size };

	if (a->type == EVENT_RAW && (!a->pmu || !b->pmu || span_is(x, "cpu") || span_is(y, "cpu")))
		return true;
	return x.size == y.size && strncasecmp(x.at, y.at, x.size) == 0;
}

bool event_meaning_equal(const struct event_meaning *a, const struct event_meaning *b)
{
	if (a->known != b->known)
		return false;
	if (!a->known)
		return a->name_size == b->name_size && strncasecmp(a->name, b->name, a->name_size) == 0;
	if (a->type != b->type || a->config != b->config)
		return false;
	if (a->type != EVENT_RAW && a->type != EVENT_OF_PMU)
		return true;
	return a->config1 == b->config1 && a->config2 == b->config2 && same_pmu(a, b);
}

/* ---- who is counted ---- */

uint64_t event_excludes_of(const char *modifiers, size_t size)
{
	bool user = false, kernel = false, host = false, guest = false;
	uint64_t bits = 0;

	for (size_t i = 0; i < size; i++) {
		user |= modifiers[i] == 'u';
		kernel |= modifiers[i] == 'k';
		host |= modifiers[i] == 'H';
		guest |= modifiers[i] == 'G';
	}
	if (user != kernel)
		bits |= user ? EVENT_EXCLUDE_KERNEL : EVENT_EXCLUDE_USER;
	if (host != guest)
		bits |= host ? EVENT_EXCLUDE_GUEST : EVENT_EXCLUDE_HOST;
	return bits;
}

uint64_t event_excludes(const struct event *e)
{
	const uint64_t all = EVENT_EXCLUDE_USER | EVENT_EXCLUDE_KERNEL | EVENT_EXCLUDE_HOST | EVENT_EXCLUDE_GUEST;

	if (e->has_config)
		return e->flags & all;
	return event_excludes_of(e->modifiers, strlen(e->modifiers));
}

/* ---- the set's questions ---- */

bool set_is_event(const struct metric_set *s, const char *operand, const struct event *e)
{
	struct event_meaning wanted, there;

	event_config_of(s, operand, &wanted);
	event_meaning_of(s, e, &there);
	if (!wanted.known && there.known) /* an event that the set does not describe: its name is all there is */
		there.known = false;
	return event_meaning_equal(&wanted, &there);
}

/* An operand that a formula spells with terms, as cpu/…,cmask=0x6/. */
static const char *spelled_operand(const struct metric_set *s, const struct event_meaning *there)
{
	struct event_meaning m;
	const struct expr_name *names;

	for (size_t i = 0; i < s->nr_metrics; i++) {
		size_t nr = expr_names(s->metrics[i].expr, &names);

		for (size_t k = 0; k < nr; k++) {
			if (names[k].kind != EXPR_EVENT || !strchr(names[k].text, '/'))
				continue;
			if (event_config_of(s, names[k].text, &m) && event_meaning_equal(&m, there))
				return names[k].text;
		}
	}
	return NULL;
}

const char *set_canonical(const struct metric_set *s, const struct event *e)
{
	struct event_meaning there;
	const char *name;

	event_meaning_of(s, e, &there);
	if (!there.known)
		return NULL;
	for (size_t i = 0; i < s->nr_events; i++) {
		struct event_meaning m = { .known = false };

		meaning_of_set_event(&s->events[i], &m);
		if (event_meaning_equal(&m, &there))
			return s->events[i].name;
	}
	name = spelled_operand(s, &there);
	return name ? name : e->has_config ? event_generic_name(e->type, e->config) : NULL;
}
