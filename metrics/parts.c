// SPDX-License-Identifier: GPL-2.0-only
/* Numbers and names of the parts of a program. */
#include "metrics/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/plan_parts.h"
#include "reader/disassemble.h"
#include "reader/id_map.h"
#include "reader/inlines.h"

/* What tells one part from another; which of these are set depends on the kind. */
struct part_key {
	uint64_t a, b;
	const char *text; /* compared as text; or NULL */
};

/* Keys in the order of their numbers, and a hash table of them. */
struct key_table {
	struct part_key *keys;
	uint32_t *slots; /* number + 1 */
	size_t nr, mask;
};

enum selected { NOT_ASKED, NOT_SELECTED, SELECTED };

struct parts {
	struct parts_options options;
	const struct capture *capture;
	struct locator *locator;
	struct by_function *values;
	struct inlines *inlines;
	struct arena *arena;
	struct key_table keys;      /* of parts that are not numbered elsewhere */
	struct key_table addresses; /* dso and offset, where the part is costly to find out */
	uint32_t *part_at;          /* by number in addresses; + 1 */
	uint64_t *seen_ns;          /* threads: when last, by number */
	size_t room_at, room_seen;
	unsigned char *selected; /* by symbol: enum selected */
	size_t nr_selected;
	uint32_t recent; /* number of the thread of the last sample */
	bool any;
	struct disassembler *disassembler;
	unsigned disassembler_machine;
	struct part *rows;
	size_t nr_rows;
	struct key_table by_name, by_dso; /* of functions: each name, and each in one dso */
	uint32_t *with_name, *with_dso;   /* how many functions have it, by number there */
};

static const char *const kind_names[PART_KINDS] = {
	"run", "function", "dso", "comm", "thread", "cgroup", "line", "instruction",
};

int part_kind_named(const char *name)
{
	for (int k = 0; k < PART_KINDS; k++)
		if (strcmp(kind_names[k], name) == 0)
			return k;
	return -1;
}

const char *part_kind_name(enum part_kind kind)
{
	return kind_names[kind];
}

/* ---- keys ---- */

static uint64_t hash_key(const struct part_key *k)
{
	uint64_t h = (k->a ^ k->b * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;

	for (const char *c = k->text; c && *c; c++)
		h = (h ^ (unsigned char)*c) * 0x100000001b3ull;
	return h ^ h >> 32;
}

static bool same_key(const struct part_key *x, const struct part_key *y)
{
	if (x->a != y->a || x->b != y->b || !x->text != !y->text)
		return false;
	return x->text == y->text || strcmp(x->text, y->text) == 0;
}

static uint32_t *key_slot(const struct key_table *t, const struct part_key *k)
{
	size_t i = (size_t)hash_key(k) & t->mask;

	while (t->slots[i] && !same_key(&t->keys[t->slots[i] - 1], k))
		i = (i + 1) & t->mask;
	return &t->slots[i];
}

static void double_table(struct key_table *t)
{
	size_t room = t->slots ? 2 * (t->mask + 1) : 64;

	free(t->slots);
	t->slots = must_alloc(room * sizeof(*t->slots));
	t->mask = room - 1;
	t->keys = must_realloc(t->keys, room, sizeof(*t->keys));
	for (size_t i = 0; i < t->nr; i++)
		*key_slot(t, &t->keys[i]) = (uint32_t)i + 1;
}

/* The number of the key, a new one where there was none.  Its text must stay. */
static uint32_t key_number(struct key_table *t, const struct part_key *k)
{
	uint32_t *slot;

	if (2 * (t->nr + 1) > t->mask)
		double_table(t);
	slot = key_slot(t, k);
	if (!*slot) {
		t->keys[t->nr++] = *k;
		*slot = (uint32_t)t->nr;
	}
	return *slot - 1;
}

static void free_table(struct key_table *t)
{
	free(t->keys);
	free(t->slots);
}

/* ---- the whole ---- */

struct parts *parts_new(const struct metric_plan *plan, struct locator *locator, const struct parts_options *options)
{
	struct parts *p = must_alloc(sizeof(*p));

	p->options = *options;
	p->capture = plan->capture;
	p->locator = locator;
	p->values = by_function_new(plan, &options->values);
	p->arena = arena_new();
	if (options->kind == PART_LINE || (options->kind == PART_FUNCTION && options->inlines))
		p->inlines = inlines_new(locator_symbols(locator), !options->no_demangle);
	return p;
}

void parts_free(struct parts *p)
{
	if (!p)
		return;
	by_function_free(p->values);
	inlines_free(p->inlines);
	disassembler_close(p->disassembler);
	arena_free(p->arena);
	free_table(&p->keys);
	free_table(&p->addresses);
	free(p->part_at);
	free(p->seen_ns);
	free(p->selected);
	free(p->rows);
	free_table(&p->by_name);
	free_table(&p->by_dso);
	free(p->with_name);
	free(p->with_dso);
	free(p);
}

/* ---- which part a sample lies in ---- */

static bool is_selected(struct parts *p, uint32_t symbol)
{
	if (symbol >= p->nr_selected) {
		size_t room = 2 * (size_t)symbol + 64;

		p->selected = must_realloc(p->selected, room, 1);
		memset(p->selected + p->nr_selected, NOT_ASKED, room - p->nr_selected);
		p->nr_selected = room;
	}
	if (p->selected[symbol] == NOT_ASKED) {
		const char *name = symbols_get(locator_symbols(p->locator), symbol).name;

		p->selected[symbol] = strcmp(name, p->options.function) == 0 ? SELECTED : NOT_SELECTED;
	}
	return p->selected[symbol] == SELECTED;
}

static uint32_t inlined_part(struct parts *p, const struct located *at)
{
	const struct inline_frame *frames;
	size_t nr = inlines_find(p->inlines, at->dso, at->offset, &frames);
	struct part_key key = { at->symbol, 0, nr > 1 ? arena_strdup(p->arena, frames[0].function) : NULL };

	return key_number(&p->keys, &key);
}

static uint32_t line_part(struct parts *p, const struct located *at)
{
	const char *file = NULL;
	uint32_t line = 0;
	struct part_key key;

	if (!inlines_line(p->inlines, at->dso, at->offset, &file, &line))
		file = NULL;
	key = (struct part_key){ at->symbol, line, file };
	return key_number(&p->keys, &key);
}

/* Lines and the like are found out once for each address. */
static uint32_t part_of_address(struct parts *p, const struct located *at)
{
	const struct part_key address = { at->dso, at->offset, NULL };
	uint32_t number = key_number(&p->addresses, &address);

	if (number >= p->room_at) {
		size_t room = 2 * (size_t)number + 64;

		p->part_at = must_realloc(p->part_at, room, sizeof(*p->part_at));
		memset(p->part_at + p->room_at, 0, (room - p->room_at) * sizeof(*p->part_at));
		p->room_at = room;
	}
	if (!p->part_at[number])
		p->part_at[number] = 1 + (p->options.kind == PART_LINE ? line_part(p, at) : inlined_part(p, at));
	return p->part_at[number] - 1;
}

static uint32_t part_of_thread(struct parts *p, const struct sample *s)
{
	const struct part_key key = { s->pid, s->tid, NULL };

	if (p->recent >= p->keys.nr || !same_key(&p->keys.keys[p->recent], &key))
		p->recent = key_number(&p->keys, &key);
	if (p->recent >= p->room_seen) {
		size_t room = 2 * (size_t)p->recent + 64;

		p->seen_ns = must_realloc(p->seen_ns, room, sizeof(*p->seen_ns));
		memset(p->seen_ns + p->room_seen, 0, (room - p->room_seen) * sizeof(*p->seen_ns));
		p->room_seen = room;
	}
	if (s->time_ns > p->seen_ns[p->recent])
		p->seen_ns[p->recent] = s->time_ns;
	return p->recent;
}

static uint32_t part_of_comm(struct parts *p, const struct sample *s)
{
	const struct part_key key = { 0, 0, locator_comm(p->locator, s->tid, s->time_ns) };

	return key_number(&p->keys, &key);
}

static uint32_t part_of_cgroup(struct parts *p, const struct sample *s)
{
	const struct part_key key = { s->cgroup, 0, NULL };

	return s->have & SAMPLE_CGROUP ? key_number(&p->keys, &key) : PART_ALL;
}

static uint32_t part_of_code(struct parts *p, const struct sample *s)
{
	struct located at;

	locator_find(p->locator, s->pid, s->time_ns, s->misc & MISC_CPUMODE, s->ip, &at);
	switch (p->options.kind) {
	case PART_LINE:
		return is_selected(p, at.symbol) ? part_of_address(p, &at) : PART_ALL;
	case PART_INSTRUCTION:
		if (!is_selected(p, at.symbol))
			return PART_ALL;
		return key_number(&p->keys, &(struct part_key){ at.symbol, at.offset, NULL });
	default:
		return p->inlines ? part_of_address(p, &at) : at.symbol;
	}
}

/* PART_ALL: in none. */
static inline uint32_t part_of(struct parts *p, const struct sample *s)
{
	struct located at;

	switch (p->options.kind) {
	case PART_DSO:
		locator_find_dso(p->locator, s->pid, s->time_ns, s->misc & MISC_CPUMODE, s->ip, &at);
		return at.dso;
	case PART_COMM:
		return part_of_comm(p, s);
	case PART_THREAD:
		return part_of_thread(p, s);
	case PART_CGROUP:
		return part_of_cgroup(p, s);
	case PART_FUNCTION:
	case PART_LINE:
	case PART_INSTRUCTION:
		return part_of_code(p, s);
	default:
		return 0;
	}
}

/* Counters are told apart by id; one that follows tasks has totals for each of them. */
static void note_times(struct parts *p, const struct sample *s)
{
	const uint64_t both = READ_ENABLED | READ_RUNNING;
	const struct read_block *b = &s->read;

	if ((b->format & both) != both)
		return;
	for (size_t i = 0; i < b->nr; i++) {
		struct read_value v = read_value_at(b, i);
		int32_t event = b->format & READ_ID ? id_map_find(p->capture->ids, v.id) : (int32_t)s->event;

		if (event >= 0)
			by_function_times(p->values, (uint32_t)event, v.id << 24 ^ s->tid, b->enabled, b->running);
	}
}

static void add_to(struct parts *p, const struct sample *s, uint32_t part)
{
	p->any = true;
	by_function_add(p->values, part, s->event, s->period);
	if (s->have & SAMPLE_READ)
		note_times(p, s);
}

void parts_sample(struct parts *p, const struct sample *s)
{
	uint32_t part = p->options.kind == PART_RUN ? PART_ALL : part_of(p, s);

	if (part != PART_ALL)
		add_to(p, s, part);
	else if (p->options.kind == PART_RUN && s->have & SAMPLE_READ)
		note_times(p, s);
}

void parts_add(struct parts *p, const struct sample *s, uint32_t symbol)
{
	add_to(p, s, symbol);
}

/* The run as a whole: what the reader counted. */
static void add_run(struct parts *p)
{
	for (uint32_t e = 0; e < p->capture->nr_samples; e++) {
		const struct event_samples *s = &p->capture->samples[e];
		const struct sample_sum sum = { s->samples, s->period, s->squares };

		by_function_add_sum(p->values, 0, e, &sum);
	}
}

bool parts_found(const struct parts *p)
{
	return p->any || (p->options.kind == PART_RUN && p->capture->nr_samples);
}

struct by_function *parts_values(const struct parts *p)
{
	return p->values;
}

enum part_kind parts_kind(const struct parts *p)
{
	return p->options.kind;
}

/* ---- names ---- */

static struct symbol symbol_of(const struct parts *p, const struct part *ret)
{
	return symbols_get(locator_symbols(p->locator), (uint32_t)ret->symbol);
}

static const char *dso_name(const struct parts *p, uint32_t dso)
{
	return dso_table_get(locator_dsos(p->locator), dso)->name;
}

static const char *short_dso_name(const struct parts *p, uint32_t dso)
{
	const char *name = dso_name(p, dso), *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

/* Functions of the same name are told apart by their dso, and where that does not do by their address. */
static const char *distinct_name(struct parts *p, const struct symbol *s)
{
	const struct part_key in_all = { 0, 0, s->name }, in_dso = { s->dso, 0, s->name };

	if (p->with_name[key_number(&p->by_name, &in_all)] < 2)
		return s->name;
	if (p->with_dso[key_number(&p->by_dso, &in_dso)] < 2)
		return arena_printf(p->arena, "%s [%s]", s->name, short_dso_name(p, s->dso));
	return arena_printf(p->arena, "%s [%s 0x%" PRIx64 "]", s->name, short_dso_name(p, s->dso), s->start);
}

static void count_names(struct parts *p)
{
	p->with_name = must_alloc((p->nr_rows + 1) * sizeof(*p->with_name));
	p->with_dso = must_alloc((p->nr_rows + 1) * sizeof(*p->with_dso));
	for (size_t i = 0; i < p->nr_rows; i++) {
		struct symbol s = symbols_get(locator_symbols(p->locator), p->rows[i].number);
		const struct part_key in_all = { 0, 0, s.name }, in_dso = { s.dso, 0, s.name };

		p->with_name[key_number(&p->by_name, &in_all)]++;
		p->with_dso[key_number(&p->by_dso, &in_dso)]++;
	}
}

static void name_function(struct parts *p, struct part *ret)
{
	struct symbol s;

	ret->symbol = ret->number;
	if (p->inlines)
		ret->symbol = (int64_t)p->keys.keys[ret->number].a;
	s = symbol_of(p, ret);
	ret->name = ret->function = p->inlines ? s.name : distinct_name(p, &s);
	if (p->inlines && p->keys.keys[ret->number].text) {
		ret->name = ret->function =
			arena_printf(p->arena, "%s (inlined in %s)", p->keys.keys[ret->number].text, s.name);
		ret->symbol = -1;
	}
	ret->dso = dso_name(p, s.dso);
}

static void name_thread(struct parts *p, struct part *ret)
{
	const struct part_key *k = &p->keys.keys[ret->number];
	const char *comm = locator_comm(p->locator, (uint32_t)k->b, p->seen_ns[ret->number]);

	ret->pid = (int32_t)k->a;
	ret->tid = (int32_t)k->b;
	ret->comm = comm;
	ret->name = arena_printf(p->arena, "%s-%" PRId32, comm ? comm : "", ret->tid);
}

static void name_cgroup(struct parts *p, struct part *ret)
{
	const struct part_key *k = &p->keys.keys[ret->number];

	ret->cgroup = locator_cgroup(p->locator, k->a);
	ret->name = ret->cgroup ? ret->cgroup : arena_printf(p->arena, "[cgroup %" PRIu64 "]", k->a);
}

static void name_line(struct parts *p, struct part *ret)
{
	const struct part_key *k = &p->keys.keys[ret->number];
	struct symbol s = symbols_get(locator_symbols(p->locator), (uint32_t)k->a);

	ret->function = s.name;
	ret->dso = dso_name(p, s.dso);
	ret->name = k->text ? arena_printf(p->arena, "%s:%" PRIu64, k->text, k->b) : "[no line]";
}

static const char *instruction_at(struct parts *p, uint32_t dso, uint64_t offset, uint64_t address)
{
	struct symbols *symbols = locator_symbols(p->locator);
	unsigned machine = symbols_machine(symbols, dso);
	unsigned char code[16];
	char text[200];
	size_t size;

	if (machine != p->disassembler_machine) {
		disassembler_close(p->disassembler);
		p->disassembler = disassembler_open(machine);
		p->disassembler_machine = machine;
	}
	size = p->disassembler ? symbols_code(symbols, dso, offset, code, sizeof(code)) : 0;
	if (!size || !disassemble(p->disassembler, address, code, size, text, sizeof(text)))
		return NULL;
	return arena_strdup(p->arena, text);
}

/* The address is that at which the program was linked: what objdump shows. */
static void name_instruction(struct parts *p, struct part *ret)
{
	const struct part_key *k = &p->keys.keys[ret->number];
	struct symbol s = symbols_get(locator_symbols(p->locator), (uint32_t)k->a);
	uint64_t address = k->b;

	symbols_linked_address(locator_symbols(p->locator), s.dso, k->b, &address);
	ret->function = s.name;
	ret->dso = dso_name(p, s.dso);
	ret->text = instruction_at(p, s.dso, k->b, address);
	ret->name = arena_printf(p->arena, "0x%" PRIx64, address);
}

static void name_part(struct parts *p, struct part *ret)
{
	switch (ret->kind) {
	case PART_FUNCTION:
		name_function(p, ret);
		return;
	case PART_DSO:
		ret->name = ret->dso = dso_name(p, ret->number);
		return;
	case PART_COMM:
		ret->comm = p->keys.keys[ret->number].text;
		ret->name = ret->comm ? ret->comm : "[unknown]";
		return;
	case PART_THREAD:
		name_thread(p, ret);
		return;
	case PART_CGROUP:
		name_cgroup(p, ret);
		return;
	case PART_LINE:
		name_line(p, ret);
		return;
	case PART_INSTRUCTION:
		name_instruction(p, ret);
		return;
	default:
		ret->name = "run";
	}
}

/* ---- rows ---- */

static const struct part nameless = { .symbol = -1, .pid = -1, .tid = -1 };

static struct part part_of_row(const struct parts *p, const struct function_row *row)
{
	struct part ret = nameless;

	ret.kind = p->options.kind;
	ret.number = row->part;
	ret.cycles = row->cycles;
	ret.share = row->share;
	ret.samples = row->samples;
	ret.n_eff = row->n_eff;
	return ret;
}

/* Numbers depend on which sample came first, so those that are alike go by name. */
static int by_size_and_name(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order;

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	order = strcmp(x->name, y->name);
	if (order == 0 && x->dso && y->dso)
		order = strcmp(x->dso, y->dso);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void make_rows(struct parts *p, const struct function_row *rows)
{
	p->rows = must_alloc((p->nr_rows + 1) * sizeof(*p->rows));
	for (size_t i = 0; i < p->nr_rows; i++)
		p->rows[i] = part_of_row(p, &rows[i]);
	if (p->options.kind == PART_FUNCTION && !p->inlines)
		count_names(p);
	for (size_t i = 0; i < p->nr_rows; i++)
		name_part(p, &p->rows[i]);
	qsort(p->rows, p->nr_rows, sizeof(*p->rows), by_size_and_name);
}

void parts_finish(struct parts *p)
{
	const struct damage *d = &p->capture->damage;
	const struct function_row *rows;

	if (p->options.kind == PART_RUN)
		add_run(p);
	by_function_lost(p->values, d->of[DAMAGE_LOST].count + d->of[DAMAGE_LOST_SAMPLES].count);
	if (d->of[DAMAGE_THROTTLED].count)
		by_function_throttled(p->values);
	if (p->options.kind == PART_RUN)
		return;
	p->nr_rows = by_function_rows(p->values, &rows);
	make_rows(p, rows);
}

size_t parts_count(const struct parts *p)
{
	return p->nr_rows;
}

const struct part *parts_get(const struct parts *p, size_t i)
{
	return &p->rows[i];
}

struct part parts_whole(struct parts *p)
{
	uint32_t event = by_function_sort_event(p->values);
	struct sample_sum sum = by_function_sum(p->values, PART_ALL, event);
	struct part ret = nameless;

	ret.number = PART_ALL;
	ret.kind = PART_RUN;
	ret.name = "run";
	ret.cycles = by_function_scale(p->values, event) * (double)sum.weight;
	ret.share = sum.samples ? 1 : (double)NAN;
	ret.samples = sum.samples;
	ret.n_eff = sample_n_eff(&sum);
	return ret;
}

uint64_t parts_unnamed_samples(const struct parts *p)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct part *part = &p->rows[i];

		if (part->symbol < 0 || symbol_of(p, part).known)
			continue;
		for (uint32_t e = 0; e < p->capture->nr_events; e++)
			nr += by_function_sum(p->values, part->number, e).samples;
	}
	return nr;
}
