// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only file that knows libtraceevent.  The library trusts what it is given, so
 * everything is checked before: the walk over the blob, that a format says what a
 * format must say, and that its fields lie within what a record can hold.  It reads
 * raw bytes in a copy with zeros behind, wide enough for every offset that 16 bits
 * can name.
 *
 * The blob, numbers in the recorder's byte order:
 *	17 08 44 "tracing" version\0 u8 big_endian u8 long_size u32 page_size
 *	"header_page\0" u64 n, n bytes;  "header_event\0" u64 n, n bytes
 *	u32 count of (u64 n, format);  u32 count of (system\0, u32 count of (u64 n, format))
 *	u32 n, kallsyms;  u32 n, printk formats;  since version 0.6 u64 n, comms
 */
#include "reader/tracing.h"

#include <ctype.h>
#include <stdlib.h>

#include <event-parse.h>
#include <trace-seq.h>

enum { RAW_MAX = 1 << 16, SCRATCH_SIZE = 1 << 18, INDEX_MAX = 512 };

struct tracing {
	struct tep_handle *tep;
	struct arena *arena;
	bool swap;
	struct tracing_event **events; /* by ascending id */
	size_t nr, room;
	struct trace_seq text;
	uint8_t *scratch;   /* SCRATCH_SIZE, zeros from scratch_used on */
	size_t scratch_used;
};

/* ---- fields ---- */

static enum field_kind kind_of(const struct tep_format_field *f)
{
	if (f->flags & TEP_FIELD_IS_STRING)
		return HOLDS_STRING;
	if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) ||
	    (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))
		return HOLDS_BYTES;
	if (f->flags & TEP_FIELD_IS_POINTER)
		return HOLDS_ADDRESS;
	return f->flags & TEP_FIELD_IS_SIGNED ? HOLDS_SIGNED : HOLDS_NUMBER;
}

static bool field_is_sound(const struct tep_format_field *f)
{
	return f->name && f->offset >= 0 && f->size >= 0 && f->offset <= RAW_MAX && f->size <= RAW_MAX - f->offset &&
	       f->elementsize <= RAW_MAX && (!(f->flags & TEP_FIELD_IS_DYNAMIC) || f->size == 4);
}

static bool fields_are_sound(const struct tep_format_field *f)
{
	for (; f; f = f->next)
		if (!field_is_sound(f))
			return false;
	return true;
}

static void copy_fields(struct tracing *t, const struct tep_format_field *first, struct tracing_event *e)
{
	struct tracing_field *list;
	size_t nr = 0;

	for (const struct tep_format_field *f = first; f; f = f->next)
		nr++;
	list = arena_alloc(t->arena, nr * sizeof(*list));
	e->fields = list;
	e->nr_fields = nr;
	for (const struct tep_format_field *f = first; f; f = f->next, list++) {
		list->name = arena_strdup(t->arena, f->name);
		list->kind = kind_of(f);
		list->offset = (uint32_t)f->offset;
		list->size = (uint32_t)f->size;
		list->dynamic = f->flags & TEP_FIELD_IS_DYNAMIC;
		list->relative = f->flags & TEP_FIELD_IS_RELATIVE;
	}
}

/* ---- formats ---- */

/* Does an index in brackets stay small?  Outside of strings, anything but a number does not. */
static bool indexes_are_small(const char *s)
{
	bool quoted = false;

	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '"')
			quoted = !quoted;
		else if (*s == '[' && !quoted) {
			char *end;
			unsigned long n = strtoul(s + 1, &end, 10);

			if (!isdigit((unsigned char)s[1]) || *end != ']' || n >= INDEX_MAX)
				return false;
		}
	}
	return true;
}

/*
 * Can the library print it within the record?  It takes lengths of arrays from the record
 * unchecked, and follows indexes wherever they lead.
 */
static bool print_is_safe(const char *text)
{
	const char *print = strstr(text, "print fmt:");

	return print && !strstr(print, "__print_hex") && !strstr(print, "__print_array") && !strstr(print, "__get_cpumask") &&
	       indexes_are_small(print);
}

static bool text_is_format(const char *text)
{
	const char *id = strstr(text, "ID:"), *format = strstr(text, "format:"), *print = strstr(text, "print fmt:");

	return strncmp(text, "name:", 5) == 0 && id && format && print && id < format && format < print;
}

static void append_event(struct tracing *t, struct tracing_event *e)
{
	if (t->nr == t->room) {
		t->room = t->room ? t->room * 2 : 16;
		t->events = must_realloc(t->events, t->room, sizeof(struct tracing_event *));
	}
	t->events[t->nr++] = e;
}

/* 0, or -1 where the text is no format of a tracepoint */
static int add_format(struct tracing *t, const char *system, struct bytes b)
{
	char *text = arena_strndup(t->arena, b.at, b.size);
	struct tep_event *format = NULL;
	struct tracing_event *e;
	bool safe = print_is_safe(text);

	if (!text_is_format(text))
		return -1;
	if (!safe)
		strcpy(strstr(text, "print fmt:"), "print fmt: \"\"\n");
	tep_parse_format(t->tep, &format, text, strlen(text), system);
	if (!format || !fields_are_sound(format->format.fields) || !fields_are_sound(format->format.common_fields))
		return -1;
	e = arena_alloc(t->arena, sizeof(*e));
	e->id = (uint64_t)(unsigned)format->id;
	e->system = arena_strdup(t->arena, system);
	e->name = arena_strdup(t->arena, format->name);
	e->format = format;
	e->fields_only = !safe;
	copy_fields(t, format->format.fields, e);
	append_event(t, e);
	return 0;
}

/* ---- the blob ---- */

struct walk {
	struct tracing *t;
	struct cursor c;
	struct damage *damage;
	uint64_t offset;
	const uint8_t *start;
};

static void odd(struct walk *w, const char *what)
{
	damage_say(w->damage, DAMAGE_TRACING, w->offset + (uint64_t)(w->c.at - w->start), "%s", what);
}

static struct bytes cur_string(struct cursor *c)
{
	struct bytes left = { c->at, cur_left(c) };
	size_t n = bytes_strlen(left);

	left = cur_bytes(c, n);
	cur_take(c, 1); /* the NUL, which must be there */
	return left;
}

static bool expect(struct cursor *c, const char *text)
{
	struct bytes b = cur_string(c);

	return b.size == strlen(text) && memcmp(b.at, text, b.size) == 0;
}

/* 17 08 44 "tracing" version big_endian long_size page_size; the version is given back */
static int walk_head(struct walk *w, double *version)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const uint8_t *m = cur_take(&w->c, sizeof(magic));
	bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, big;
	struct bytes text;
	char buffer[16] = "";
	uint32_t page;
	int long_size;

	if (!m || memcmp(m, magic, sizeof(magic)) != 0)
		return -1;
	text = cur_string(&w->c);
	memcpy(buffer, text.at ? (const char *)text.at : "", text.size < 15 ? text.size : 15);
	*version = strtod(buffer, NULL);
	big = cur_u8(&w->c);
	w->t->swap = w->c.swap = big != host_big;
	long_size = cur_u8(&w->c);
	page = cur_u32(&w->c);
	if (w->c.failed || (long_size != 4 && long_size != 8))
		return -1;
	tep_set_file_bigendian(w->t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(w->t->tep, host_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(w->t->tep, long_size);
	tep_set_page_size(w->t->tep, page && page <= 1 << 20 ? (int)page : 4096);
	return 0;
}

/* The layouts of ftrace's own ring buffer: of no use for perf's samples. */
static int walk_header_pages(struct walk *w)
{
	static const char *const names[] = { "header_page", "header_event" };

	for (size_t i = 0; i < 2; i++) {
		if (!expect(&w->c, names[i]))
			return -1;
		cur_bytes(&w->c, cur_u64(&w->c));
	}
	return w->c.failed ? -1 : 0;
}

static int walk_formats(struct walk *w, const char *system)
{
	uint32_t nr = cur_u32(&w->c);

	for (uint32_t i = 0; i < nr; i++) {
		struct bytes text = cur_bytes(&w->c, cur_u64(&w->c));

		if (w->c.failed)
			return -1;
		if (system && add_format(w->t, system, text))
			odd(w, "the format of a tracepoint cannot be understood");
	}
	return w->c.failed ? -1 : 0;
}

static int walk_systems(struct walk *w)
{
	uint32_t nr = cur_u32(&w->c);

	for (uint32_t i = 0; i < nr && !w->c.failed; i++) {
		struct bytes name = cur_string(&w->c);

		if (w->c.failed || walk_formats(w, arena_strndup(w->t->arena, name.at, name.size)))
			return -1;
	}
	return w->c.failed ? -1 : 0;
}

/* Symbols, formats of printk and names of threads, each as text. */
static int walk_texts(struct walk *w, double version)
{
	struct bytes kallsyms, printk, comms = { NULL, 0 };
	struct arena *arena = w->t->arena;

	kallsyms = cur_bytes(&w->c, cur_u32(&w->c));
	printk = cur_bytes(&w->c, cur_u32(&w->c));
	if (version >= 0.6)
		comms = cur_bytes(&w->c, cur_u64(&w->c));
	if (kallsyms.size)
		tep_parse_kallsyms(w->t->tep, arena_strndup(arena, kallsyms.at, kallsyms.size));
	if (printk.size)
		tep_parse_printk_formats(w->t->tep, arena_strndup(arena, printk.at, printk.size));
	if (comms.size)
		tep_parse_saved_cmdlines(w->t->tep, arena_strndup(arena, comms.at, comms.size));
	return w->c.failed ? -1 : 0;
}

static void walk_blob(struct walk *w)
{
	double version = 0;

	if (walk_head(w, &version) || walk_header_pages(w))
		odd(w, "the description of the tracepoints does not begin as it must");
	else if (walk_formats(w, NULL) || walk_systems(w))
		odd(w, "the formats of the tracepoints are cut off");
	else if (walk_texts(w, version))
		odd(w, "the names behind the formats of the tracepoints are cut off");
}

static int by_id(const void *a, const void *b)
{
	uint64_t x = (*(const struct tracing_event *const *)a)->id, y = (*(const struct tracing_event *const *)b)->id;

	return x < y ? -1 : x > y;
}

struct tracing *tracing_new(struct bytes blob, uint64_t offset, struct damage *damage)
{
	struct tracing *t = must_alloc(sizeof(*t));
	struct walk w = { t, cur_new(blob, false), damage, offset, blob.at };

	t->arena = arena_new();
	t->scratch = must_alloc(SCRATCH_SIZE);
	t->tep = tep_alloc();
	trace_seq_init(&t->text);
	tep_set_loglevel(TEP_LOG_NONE);
	if (t->tep)
		walk_blob(&w);
	if (t->nr)
		qsort(t->events, t->nr, sizeof(struct tracing_event *), by_id);
	return t;
}

void tracing_free(struct tracing *t)
{
	if (!t)
		return;
	trace_seq_destroy(&t->text);
	tep_free(t->tep);
	free(t->scratch);
	free(t->events);
	arena_free(t->arena);
	free(t);
}

/* ---- use ---- */

size_t tracing_nr(const struct tracing *t)
{
	return t ? t->nr : 0;
}

const struct tracing_event *tracing_event_of(const struct tracing *t, uint64_t id)
{
	size_t from = 0, to = tracing_nr(t);

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (t->events[middle]->id == id)
			return t->events[middle];
		if (t->events[middle]->id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

static uint64_t sign_extend(uint64_t v, size_t size)
{
	unsigned shift = 64 - 8 * (unsigned)size;

	return (uint64_t)((int64_t)(v << shift) >> shift);
}

static uint64_t cur_number(struct cursor *c, size_t size)
{
	switch (size) {
	case 1:
		return cur_u8(c);
	case 2:
		return cur_u16(c);
	case 4:
		return cur_u32(c);
	default:
		return cur_u64(c);
	}
}

/* The word says length << 16 | offset; a relative offset counts from behind the word. */
static struct bytes dynamic_bytes(struct cursor *c, const struct tracing_field *f, struct bytes raw)
{
	uint32_t word = cur_u32(c);
	size_t at = word & 0xffff, size = word >> 16;

	if (f->relative)
		at += f->offset + f->size;
	if (c->failed || at > raw.size || size > raw.size - at) {
		c->failed = true;
		return (struct bytes){ NULL, 0 };
	}
	return (struct bytes){ raw.at + at, size };
}

struct field_value tracing_value(const struct tracing *t, const struct tracing_event *e, size_t i, struct bytes raw)
{
	const struct tracing_field *f = &e->fields[i];
	struct cursor c = cur_new(raw, t->swap);
	struct field_value v = { .kind = f->kind };

	cur_take(&c, f->offset);
	if (f->kind == HOLDS_STRING || f->kind == HOLDS_BYTES)
		v.bytes = f->dynamic ? dynamic_bytes(&c, f, raw) : cur_bytes(&c, f->size);
	else
		v.number = cur_number(&c, f->size);
	if (f->kind == HOLDS_STRING)
		v.bytes.size = bytes_strlen(v.bytes);
	if (f->kind == HOLDS_SIGNED)
		v.number = sign_extend(v.number, f->size);
	return c.failed ? (struct field_value){ .kind = HOLDS_NOTHING } : v;
}

/* A copy with zeros behind, so that nothing the library follows leads out of it. */
static uint8_t *copy_raw(struct tracing *t, struct bytes raw)
{
	size_t size = raw.size < RAW_MAX ? raw.size : RAW_MAX;

	memcpy(t->scratch, raw.at, size);
	if (t->scratch_used > size)
		memset(t->scratch + size, 0, t->scratch_used - size);
	t->scratch_used = size;
	return t->scratch;
}

const char *tracing_text(struct tracing *t, const struct tracing_event *e, struct bytes raw, uint64_t time_ns,
			 int32_t cpu)
{
	struct tep_record record = { .ts = time_ns, .cpu = cpu, .size = (int)(raw.size < RAW_MAX ? raw.size : RAW_MAX) };

	trace_seq_reset(&t->text);
	record.data = copy_raw(t, raw);
	if (e->fields_only)
		tep_print_fields(&t->text, record.data, record.size, e->format);
	else
		tep_print_event(t->tep, &t->text, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&t->text);
	return t->text.buffer;
}

void tracing_comm(struct tracing *t, struct bytes comm, uint32_t tid)
{
	char name[64];
	size_t n = comm.size < sizeof(name) - 1 ? comm.size : sizeof(name) - 1;

	memcpy(name, comm.at, n);
	name[n] = 0;
	tep_override_comm(t->tep, name, (int)tid);
}
