// SPDX-License-Identifier: GPL-2.0-only
/*
 * The container of perf.data.
 *
 * File:	header (104 bytes), ids, attrs, data, table of features, features.
 *		u64 magic, size, attr_size, {attrs, data, event_types} × {offset, size},
 *		256 bits of features
 * Pipe:	u64 magic, size = 16, then records only; events come as HEADER_ATTR,
 *		features as FEATURE.
 *
 * A recorder that was killed leaves data.size 0: records run to the end of the file and
 * the announced features are not there.
 */
#include "reader/perf_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/attr.h"
#include "reader/cpu_map.h"
#include "reader/features.h"
#include "reader/decompress.h"
#include "reader/id_map.h"
#include "reader/tracing.h"

enum {
	PIPE_HEADER_SIZE = 16,
	FILE_HEADER_SIZE = 104,
	OLD_HEADER_SIZE = 72, /* without the bits of features */
	MAX_ATTR_STRIDE = 4096,
	MAX_FEATURE = 64 << 20,
	RECORD_HEADER = 8,
};

struct section {
	uint64_t offset, size;
};

struct perf_file {
	struct source *source;
	struct capture *capture;
	struct id_map ids;
	bool pipe;
	bool unfinished;     /* data.size is 0 */
	uint64_t attr_stride;
	uint64_t ids_size;   /* of all events together; each has its own, so no more than the file */
	struct section attrs, data;
	uint64_t features[4];
	struct perf_stream *main; /* the data section, or the pipe */
	struct tracing *tracing;
	uint8_t *build_ids;  /* feature BUILD_ID: records, given before the others */
	size_t build_ids_size, build_ids_at;
	uint64_t build_ids_offset;
};

/* Records one behind the other: a data section, a pipe, a file data.N of a directory. */
struct perf_stream {
	struct source *source;
	struct bytes window; /* what the source has in memory, from its reading position on */
	size_t passed;       /* bytes of it that were given: the source is not told for each record */
	uint64_t left;       /* bytes of records not yet given; UINT64_MAX: to the end */
	uint64_t skip;       /* bytes of the last record and of its payload, to be skipped first */
	bool cut_payload;    /* the bytes behind the last record were fewer than it says */
	bool whole;          /* `left` is known from the header: an early end is damage */
	struct decompress *packed; /* NULL until the first COMPRESSED record */
	bool inside;         /* the last record of the source was COMPRESSED: more in it */
	bool packed_dead;    /* damage: nothing more from the COMPRESSED ones */
	size_t inner_skip;
	uint64_t inner_offset;
};

/* ---- events ---- */

static struct event *add_event(struct perf_file *f)
{
	struct capture *c = f->capture;
	struct event *e;

	c->events = must_realloc(c->events, c->nr_events + 1, sizeof(*c->events));
	e = &c->events[c->nr_events];
	*e = (struct event){ .position = (uint32_t)c->nr_events };
	c->nr_events++;
	return e;
}

static void add_ids(struct perf_file *f, struct event *e, struct bytes ids)
{
	struct cursor c = cur_new(ids, f->capture->swapped);

	while (cur_left(&c) >= 8) {
		id_map_add(&f->ids, cur_u64(&c), e->position);
		e->opened = true;
	}
}

/*
 * Where no GROUP_DESC names the groups (pipe streams, killed recorders): members are read
 * together (read_format GROUP), and perf stat opens only leaders disabled.
 */
static void guess_group(struct capture *c, struct event *e)
{
	const uint64_t read_group = 8, disabled = 1;
	struct event *before;

	if (!(e->read_format & read_group) || (e->flags & disabled) || e->position == 0)
		return;
	before = &c->events[e->position - 1];
	if (!(before->read_format & read_group))
		return;
	if (before->group < 0)
		before->group = (int32_t)before->position;
	e->group = before->group;
}

/* The events are the same for every id; one event needs none (samples without ids). */
int32_t perf_file_event_of(struct perf_file *f, uint64_t id)
{
	int32_t event = id_map_find(&f->ids, id);

	if (event < 0 && id == 0 && f->capture->nr_events == 1)
		return 0;
	return event;
}

/* Names of tracepoints that nobody else has named. */
static void name_tracepoints(struct perf_file *f)
{
	struct capture *c = f->capture;

	for (size_t i = 0; i < c->nr_events; i++) {
		struct event *e = &c->events[i];
		const struct tracing_event *t = tracing_event_of(f->tracing, e->config);

		if (e->type == EVENT_TRACEPOINT && t && strncmp(e->name, "tracepoint-", 11) == 0)
			e->name = arena_printf(c->arena, "%s:%s", t->system, t->name);
	}
}

void perf_file_tracing_data(struct perf_file *f, struct bytes blob, uint64_t offset)
{
	if (f->tracing)
		return;
	f->tracing = f->capture->tracing = tracing_new(blob, offset, &f->capture->damage);
	name_tracepoints(f);
}

void perf_file_build_ids(struct perf_file *f, struct bytes records, uint64_t offset)
{
	if (f->build_ids)
		return;
	f->build_ids = must_alloc(records.size);
	memcpy(f->build_ids, records.at, records.size);
	f->build_ids_size = records.size;
	f->build_ids_offset = offset;
}

static void rename_event(struct perf_file *f, struct event *e, const char *name)
{
	if (*name)
		e->name = name;
	(void)f;
}

void perf_file_name_event(struct perf_file *f, uint32_t position, struct bytes ids, struct bytes name)
{
	struct cursor c = cur_new(ids, f->capture->swapped);
	const char *text = attr_clean_name(f->capture->arena, (const char *)name.at, name.size);
	int32_t event = ids.size >= 8 ? id_map_find(&f->ids, cur_u64(&c)) : -1;

	if (event < 0 && position < f->capture->nr_events && !f->capture->events[position].opened)
		event = (int32_t)position;
	if (event >= 0)
		rename_event(f, &f->capture->events[event], text);
}

/* ---- header ---- */

static int not_perf_data(const uint8_t *at, size_t size, struct error *err)
{
	if (size == 0)
		return fail(err, NO_OFFSET, "is empty");
	if (size >= 4 && memcmp(at, "\177ELF", 4) == 0)
		return fail(err, NO_OFFSET, "is an ELF file, not a capture of perf");
	return fail(err, NO_OFFSET, "is not a capture of perf: expected the magic \"PERFILE2\" at its begin");
}

/* "PERFILE2" in either byte order; PERFFILE (2009 to 2011) does not tell its order by the magic. */
static int read_magic(struct perf_file *f, struct bytes start, struct error *err)
{
	struct cursor c;
	uint64_t size;

	if (start.size < PIPE_HEADER_SIZE)
		return not_perf_data(start.at, start.size, err);
	if (memcmp(start.at, "PERFILE2", 8) == 0)
		return 0;
	f->capture->swapped = true;
	if (memcmp(start.at, "2ELIFREP", 8) == 0)
		return 0;
	if (memcmp(start.at, "PERFFILE", 8) && memcmp(start.at, "ELIFFREP", 8))
		return not_perf_data(start.at, start.size, err);
	c = cur_new((struct bytes){ start.at + 8, 8 }, false);
	size = cur_u64(&c);
	f->capture->swapped = size > UINT32_MAX;
	return 0;
}

/* The bits were longs of the recorder: where HOSTNAME is missing after swapping u64s, u32s were meant. */
static void read_feature_bits(struct perf_file *f, struct cursor *c)
{
	for (int i = 0; i < 4; i++)
		f->features[i] = cur_u64(c);
	if (!f->capture->swapped || f->features[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (int i = 0; i < 4; i++)
		f->features[i] = f->features[i] << 32 | f->features[i] >> 32;
	if (!(f->features[0] >> FEATURE_HOSTNAME & 1))
		memset(f->features, 0, sizeof(f->features));
}

static int read_file_header(struct perf_file *f, struct bytes start, struct error *err)
{
	struct cursor c = cur_new(start, f->capture->swapped);
	uint64_t size;

	(void)cur_u64(&c);
	size = cur_u64(&c);
	f->attr_stride = cur_u64(&c);
	f->attrs.offset = cur_u64(&c);
	f->attrs.size = cur_u64(&c);
	f->data.offset = cur_u64(&c);
	f->data.size = cur_u64(&c);
	(void)cur_u64(&c); /* event_types */
	(void)cur_u64(&c);
	if (c.failed)
		return fail(err, start.size, "the header is cut off");
	if (size != FILE_HEADER_SIZE && size != OLD_HEADER_SIZE)
		return fail(err, 8, "expected a header of %d, %d or %d bytes and found %" PRIu64, FILE_HEADER_SIZE,
			    OLD_HEADER_SIZE, PIPE_HEADER_SIZE, size);
	if (size == FILE_HEADER_SIZE)
		read_feature_bits(f, &c);
	if (c.failed)
		return fail(err, start.size, "the header is cut off");
	if (f->attr_stride < 64 + 16 || f->attr_stride > MAX_ATTR_STRIDE)
		return fail(err, 16, "expected the size of an event's description and found %" PRIu64, f->attr_stride);
	return 0;
}

/* ---- events of a file ---- */

/* Ids in pieces, so that no size from the file is believed. */
static void read_ids(struct perf_file *f, struct event *e, struct section s, struct error *err)
{
	uint8_t piece[4096];
	uint64_t size = source_size(f->source);

	if (s.offset > size || s.size > size - s.offset || s.size > size - f->ids_size) {
		damage_say(&f->capture->damage, DAMAGE_IDS_OUTSIDE, s.offset, "event %" PRIu32, e->position);
		return;
	}
	f->ids_size += s.size;
	while (s.size >= 8) {
		size_t want = s.size < sizeof(piece) ? (size_t)s.size : sizeof(piece);
		int64_t n = source_pread(f->source, s.offset, piece, want, err);

		if (n < 8)
			return;
		add_ids(f, e, (struct bytes){ piece, (size_t)n });
		s.offset += (uint64_t)n;
		s.size -= (uint64_t)n;
	}
}

static void read_attr(struct perf_file *f, const uint8_t *at, uint64_t offset, struct error *err)
{
	struct capture *cap = f->capture;
	size_t attr_size = (size_t)f->attr_stride - 16;
	struct cursor c = cur_new((struct bytes){ at + attr_size, 16 }, cap->swapped);
	struct cursor head = cur_new((struct bytes){ at, 8 }, cap->swapped);
	struct event *e = add_event(f);
	struct section ids;
	uint32_t own;

	(void)cur_u32(&head);
	own = cur_u32(&head);
	if (own >= 64 && own < attr_size)
		attr_size = own;
	if (attr_decode((struct bytes){ at, attr_size }, cap->swapped, e))
		damage_note(&cap->damage, DAMAGE_ATTR_ODD, offset);
	attr_describe(cap->arena, e);
	guess_group(cap, e);
	ids.offset = cur_u64(&c);
	ids.size = cur_u64(&c);
	read_ids(f, e, ids, err);
}

static int read_attrs(struct perf_file *f, struct error *err)
{
	uint8_t at[MAX_ATTR_STRIDE];
	uint64_t size = source_size(f->source);
	uint64_t offset = f->attrs.offset, left = f->attrs.size;

	if (offset > size)
		return fail(err, 24, "the events lie outside the file");
	if (left > size - offset) {
		damage_say(&f->capture->damage, DAMAGE_TRUNCATED, size, "in the events' descriptions");
		left = size - offset;
	}
	for (; left >= f->attr_stride; left -= f->attr_stride, offset += f->attr_stride) {
		int64_t n = source_pread(f->source, offset, at, (size_t)f->attr_stride, err);

		if (n < 0)
			return -1;
		if ((uint64_t)n < f->attr_stride)
			break;
		read_attr(f, at, offset, err);
	}
	return 0;
}

/* ---- features of a file ---- */

static void read_feature(struct perf_file *f, uint32_t id, struct section s, struct error *err)
{
	struct damage *damage = &f->capture->damage;
	uint64_t size = source_size(f->source);
	uint8_t *payload;
	int64_t n;

	if (s.offset > size || s.size > size - s.offset || s.size > MAX_FEATURE) {
		damage_say(damage, DAMAGE_FEATURE_OUTSIDE, s.offset, "feature %" PRIu32, id);
		return;
	}
	payload = must_alloc((size_t)s.size);
	n = source_pread(f->source, s.offset, payload, (size_t)s.size, err);
	if (n >= 0)
		feature_decode(f, f->capture, id, (struct bytes){ payload, (size_t)n }, s.offset);
	free(payload);
}

/* One {offset, size} for each bit that is set, in their order, behind the data. */
static void read_features(struct perf_file *f, struct error *err)
{
	uint64_t table = f->data.offset + f->data.size;
	uint8_t entry[16];

	for (uint32_t id = 0; id < 256; id++) {
		struct cursor c;
		struct section s;

		if (!(f->features[id / 64] >> (id % 64) & 1))
			continue;
		if (source_pread(f->source, table, entry, sizeof(entry), err) != (int64_t)sizeof(entry)) {
			damage_say(&f->capture->damage, DAMAGE_FEATURE_OUTSIDE, table, "the table of features ends");
			return;
		}
		c = cur_new((struct bytes){ entry, sizeof(entry) }, f->capture->swapped);
		s.offset = cur_u64(&c);
		s.size = cur_u64(&c);
		read_feature(f, id, s, err);
		table += sizeof(entry);
	}
}

/* ---- open ---- */

static int open_data(struct perf_file *f, struct error *err)
{
	uint64_t size = source_size(f->source);

	if (f->data.offset > size)
		return fail(err, 40, "the records lie outside the file");
	f->unfinished = f->data.size == 0;
	if (f->unfinished) {
		damage_note(&f->capture->damage, DAMAGE_DATA_SIZE_ZERO, 48);
		return 0;
	}
	f->main->left = f->data.size;
	if (f->data.size > size - f->data.offset) {
		damage_say(&f->capture->damage, DAMAGE_TRUNCATED, size, "%" PRIu64 " bytes of records are missing",
			   f->data.size - (size - f->data.offset));
		f->main->left = size - f->data.offset;
		return 0;
	}
	f->main->whole = true;
	read_features(f, err);
	return 0;
}

static int open_file(struct perf_file *f, struct bytes start, struct error *err)
{
	if (source_spool(f->source, err))
		return -1;
	if (source_peek(f->source, FILE_HEADER_SIZE, &start, err) || read_file_header(f, start, err))
		return -1;
	f->capture->format = "perf.data file";
	if (read_attrs(f, err) || open_data(f, err))
		return -1;
	return source_seek(f->source, f->data.offset, err);
}

static int open_pipe(struct perf_file *f, struct error *err)
{
	f->pipe = true;
	f->capture->format = "perf.data pipe";
	return source_skip(f->source, PIPE_HEADER_SIZE, err);
}

static int open_any(struct perf_file *f, struct error *err)
{
	struct bytes start;
	struct cursor c;

	if (source_peek(f->source, FILE_HEADER_SIZE, &start, err) || read_magic(f, start, err))
		return -1;
	c = cur_new(start, f->capture->swapped);
	(void)cur_u64(&c);
	return cur_u64(&c) == PIPE_HEADER_SIZE ? open_pipe(f, err) : open_file(f, start, err);
}

static struct perf_stream *stream_new(struct source *source)
{
	struct perf_stream *s = must_alloc(sizeof(*s));

	s->source = source;
	s->left = UINT64_MAX;
	return s;
}

struct perf_stream *perf_stream_open(struct source *source)
{
	return stream_new(source);
}

void perf_stream_close(struct perf_stream *s)
{
	if (!s)
		return;
	decompress_free(s->packed);
	source_close(s->source);
	free(s);
}

struct perf_file *perf_file_open(struct source *source, struct capture *capture, struct error *err)
{
	struct perf_file *f = must_alloc(sizeof(*f));

	f->source = source;
	f->capture = capture;
	capture->ids = &f->ids;
	f->main = stream_new(source);
	if (open_any(f, err)) {
		perf_file_close(f);
		return NULL;
	}
	if (source_damage(source))
		damage_say(&capture->damage, DAMAGE_TRUNCATED, NO_OFFSET, "%s", source_damage(source));
	return f;
}

void perf_file_close(struct perf_file *f)
{
	if (!f)
		return;
	id_map_free(&f->ids);
	perf_stream_close(f->main);
	f->capture->tracing = NULL;
	f->capture->ids = NULL;
	tracing_free(f->tracing);
	free(f->build_ids);
	free(f);
}

/* ---- records that describe the file ---- */

/* attr in the recorder's size, then its ids */
static void header_attr(struct perf_file *f, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	struct event *e;
	uint32_t size;

	(void)cur_u32(&c);
	size = cur_u32(&c);
	if (size == 0)
		size = 64;
	if (c.failed || size < 64 || size > r->body.size) {
		damage_note(&f->capture->damage, DAMAGE_ATTR_ODD, r->offset);
		return;
	}
	e = add_event(f);
	(void)attr_decode((struct bytes){ r->body.at, size }, r->swap, e);
	attr_describe(f->capture->arena, e);
	guess_group(f->capture, e);
	add_ids(f, e, (struct bytes){ r->body.at + size, r->body.size - size });
}

/* u64 id, payload; one without payload and an id past the known ones ends them */
static void feature_record(struct perf_file *f, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint64_t id = cur_u64(&c);
	struct bytes payload = cur_rest(&c);

	if (payload.size == 0 && id >= FEATURE_CPU_DOMAIN_INFO)
		return;
	feature_decode(f, f->capture, id > UINT32_MAX ? UINT32_MAX : (uint32_t)id, payload, r->offset);
}

enum { UPDATE_UNIT = 0, UPDATE_SCALE = 1, UPDATE_NAME = 2, UPDATE_CPUS = 3 };

static const char *update_string(struct perf_file *f, struct cursor *c)
{
	struct bytes b = cur_rest(c);

	return arena_strndup(f->capture->arena, b.at, bytes_strlen(b));
}

/* An event without ids has updates with id 0: they go to the first such event of perf's tool PMU. */
static struct event *updated_event(struct perf_file *f, uint64_t id)
{
	struct capture *c = f->capture;
	int32_t event = perf_file_event_of(f, id);

	if (event >= 0)
		return &c->events[event];
	for (size_t i = 0; id == 0 && i < c->nr_events; i++)
		if (!c->events[i].opened && c->events[i].type == EVENT_TOOL)
			return &c->events[i];
	return NULL;
}

/* u64 what, u64 id, payload */
static void event_update(struct perf_file *f, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint64_t what = cur_u64(&c), id = cur_u64(&c);
	struct event *e = updated_event(f, id);

	if (c.failed) {
		damage_note(&f->capture->damage, DAMAGE_RECORD_SHORT, r->offset);
		return;
	}
	if (!e) {
		damage_note(&f->capture->damage, DAMAGE_UNKNOWN_EVENT, r->offset);
		return;
	}
	switch (what) {
	case UPDATE_UNIT:
		e->unit = update_string(f, &c);
		break;
	case UPDATE_SCALE:
		e->scale = cur_double(&c);
		if (c.failed || !(e->scale > 0 && isfinite(e->scale))) {
			e->scale = 1;
			damage_note(&f->capture->damage, DAMAGE_RECORD_ODD, r->offset);
		}
		break;
	case UPDATE_NAME: {
		struct bytes b = cur_rest(&c);

		rename_event(f, e, attr_clean_name(f->capture->arena, (const char *)b.at, bytes_strlen(b)));
		break;
	}
	case UPDATE_CPUS:
		e->has_cpu_mask = true;
		break;
	default:
		damage_note(&f->capture->damage, DAMAGE_RECORD_ODD, r->offset);
	}
}

static int skip_last(struct perf_stream *s, struct error *err);
static int peek_window(struct perf_stream *s, size_t want, struct bytes *ret, struct error *err);

/* Up to `size` bytes at the reading position, in memory that grows as they come. */
static uint8_t *gather(struct perf_stream *s, uint64_t size, size_t *ret_size, struct error *err)
{
	uint8_t *bytes = NULL;
	size_t have = 0, room = 0;
	struct bytes window;

	while (have < size && peek_window(s, 1, &window, err) == 0 && window.size) {
		if (window.size > size - have)
			window.size = (size_t)(size - have);
		if (have + window.size > room) {
			room = 2 * (have + window.size);
			bytes = must_realloc(bytes, room, 1);
		}
		memcpy(bytes + have, window.at, window.size);
		have += window.size;
		s->skip = window.size;
		if (skip_last(s, err))
			break;
	}
	*ret_size = have;
	return bytes;
}

/* simpleperf has the blob in the record, behind its size. */
static bool has_blob_inside(const struct record *r, uint64_t size)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44 };

	return r->body.size > sizeof(magic) + 4 && size <= r->body.size - 4 &&
	       memcmp(r->body.at + 4, magic, sizeof(magic)) == 0;
}

/* The blob lies behind the record.  Takes both out of the source. */
static void tracing_record(struct perf_file *f, struct perf_stream *s, struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint64_t size = cur_u32(&c);
	struct error err;
	uint8_t *blob;
	size_t have;

	if (has_blob_inside(r, size)) {
		perf_file_tracing_data(f, cur_bytes(&c, size), r->offset + RECORD_HEADER + 4);
		return;
	}
	if (c.failed || f->tracing || size > MAX_FEATURE || size > s->left)
		return;
	r->body.size = 0;
	s->skip = r->size;
	if (skip_last(s, &err))
		return;
	blob = gather(s, size, &have, &err);
	if (have < size)
		damage_say(&f->capture->damage, DAMAGE_TRACING, r->offset, "cut off");
	perf_file_tracing_data(f, (struct bytes){ blob, have }, r->offset + r->size);
	free(blob);
}

static void describe(struct perf_file *f, struct perf_stream *s, struct record *r)
{
	switch (r->type) {
	case RECORD_TRACING_DATA:
		tracing_record(f, s, r);
		break;
	case RECORD_HEADER_ATTR:
		header_attr(f, r);
		break;
	case RECORD_FEATURE:
		feature_record(f, r);
		break;
	case RECORD_EVENT_UPDATE:
		event_update(f, r);
		break;
	default:
		break;
	}
}

/* ---- the walk ---- */

static uint64_t stream_offset(const struct perf_stream *s)
{
	return source_offset(s->source) + s->passed;
}

/* How many bytes lie behind a record that carries a payload. */
static uint64_t payload_size(const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	uint32_t size;

	if (r->type == RECORD_AUXTRACE)
		return cur_u64(&c);
	if (r->type != RECORD_TRACING_DATA)
		return 0;
	size = cur_u32(&c);
	return has_blob_inside(r, size) ? 0 : size;
}

static int cut_off(struct perf_file *f, struct perf_stream *s, size_t have)
{
	if (have || s->cut_payload)
		damage_say(&f->capture->damage, DAMAGE_TRUNCATED, stream_offset(s),
			   have ? "the last record is incomplete" : "the bytes behind the last record are incomplete");
	else if (s->whole && s->left)
		damage_note(&f->capture->damage, DAMAGE_TRUNCATED, stream_offset(s));
	else if (s->packed && !s->packed_dead && decompress_left(s->packed))
		damage_say(&f->capture->damage, DAMAGE_TRUNCATED, stream_offset(s),
			   "the last compressed record is incomplete");
	s->left = 0;
	return 0;
}

static int skip_last(struct perf_stream *s, struct error *err)
{
	uint64_t n = s->skip < s->left ? s->skip : s->left;
	uint64_t before = source_offset(s->source);

	s->skip = 0;
	if (s->left != UINT64_MAX)
		s->left -= n;
	if (n <= s->window.size - s->passed) {
		s->passed += (size_t)n;
		return 0;
	}
	n += s->passed;
	s->window.size = s->passed = 0;
	if (source_skip(s->source, n, err))
		return -1;
	s->cut_payload = source_offset(s->source) - before < n;
	return 0;
}

/* At least `want` bytes at the reading position where there are so many. */
static int peek_window(struct perf_stream *s, size_t want, struct bytes *ret, struct error *err)
{
	if (s->window.size - s->passed < want) {
		if (s->passed && source_skip(s->source, s->passed, err))
			return -1;
		s->passed = 0;
		if (source_peek(s->source, want, &s->window, err))
			return -1;
	}
	*ret = (struct bytes){ s->window.at + s->passed, s->window.size - s->passed };
	return 0;
}

static int peek_record(struct perf_stream *s, size_t want, struct bytes *ret, struct error *err)
{
	if (peek_window(s, want, ret, err))
		return -1;
	if (ret->size > s->left)
		ret->size = (size_t)s->left;
	return 0;
}

/* The header alone; -1 when its size cannot be. */
static int read_header(struct perf_file *f, struct bytes window, uint64_t offset, struct record *ret)
{
	struct cursor c = cur_new(window, f->capture->swapped);

	ret->type = cur_u32(&c);
	ret->misc = cur_u16(&c);
	ret->size = cur_u16(&c);
	ret->swap = f->capture->swapped;
	ret->offset = offset;
	if (ret->size >= RECORD_HEADER)
		return 0;
	damage_say(&f->capture->damage, DAMAGE_RECORD_SIZE, offset, "type %" PRIu32 ", size %u", ret->type, ret->size);
	return -1;
}

static bool is_compressed(const struct record *r)
{
	return r->type == RECORD_COMPRESSED || r->type == RECORD_COMPRESSED2;
}

/* COMPRESSED: zstd to the end of the record.  COMPRESSED2: u64 size, zstd, padding. */
static void enter_compressed(struct perf_stream *s, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	struct bytes payload;

	if (!s->packed)
		s->packed = decompress_new();
	if (r->type == RECORD_COMPRESSED2) {
		uint64_t size = cur_u64(&c);

		payload = cur_rest(&c);
		if (size < payload.size)
			payload.size = (size_t)size;
	} else {
		payload = cur_rest(&c);
	}
	decompress_feed(s->packed, payload);
	s->inside = true;
	s->inner_offset = r->offset;
}

static int inner_dies(struct perf_file *f, struct perf_stream *s, const char *reason)
{
	if (reason)
		damage_say(&f->capture->damage, DAMAGE_COMPRESSED, s->inner_offset, "zstd: %s", reason);
	s->packed_dead = true;
	s->inside = false;
	return 0;
}

/* 1 and a record out of the COMPRESSED one; 0: there is no whole one left in it */
static int inner_next(struct perf_file *f, struct perf_stream *s, struct record *ret)
{
	const char *reason;
	struct bytes window;

	decompress_skip(s->packed, s->inner_skip);
	s->inner_skip = 0;
	if (decompress_peek(s->packed, RECORD_HEADER, &window, &reason))
		return inner_dies(f, s, reason);
	if (window.size >= RECORD_HEADER) {
		if (read_header(f, window, s->inner_offset, ret))
			return inner_dies(f, s, NULL);
		if (window.size < ret->size && decompress_peek(s->packed, ret->size, &window, &reason))
			return inner_dies(f, s, reason);
		if (window.size >= ret->size) {
			ret->body = (struct bytes){ window.at + RECORD_HEADER, ret->size - RECORD_HEADER };
			s->inner_skip = ret->size;
			return 1;
		}
	}
	s->inside = false;
	return 0;
}

/* 1 and the next record of the source, packed or not; 0 at the end; -1 */
static int outer_next(struct perf_file *f, struct perf_stream *s, struct record *ret, struct error *err)
{
	struct bytes window;

	if (s->skip && skip_last(s, err))
		return -1;
	if (peek_record(s, RECORD_HEADER, &window, err))
		return -1;
	if (window.size < RECORD_HEADER)
		return cut_off(f, s, window.size);
	if (read_header(f, window, stream_offset(s), ret)) {
		s->left = 0;
		return 0;
	}
	if (window.size < ret->size && peek_record(s, ret->size, &window, err))
		return -1;
	if (window.size < ret->size) {
		ret->body = (struct bytes){ window.at + RECORD_HEADER, window.size - RECORD_HEADER };
		cut_off(f, s, window.size);
		return is_compressed(ret); /* what is there of it can be unpacked */
	}
	ret->body = (struct bytes){ window.at + RECORD_HEADER, ret->size - RECORD_HEADER };
	s->skip = ret->size;
	return 1;
}

/* A record of perf itself: what lies behind it, and what it says of the file. */
static void user_record(struct perf_file *f, struct perf_stream *s, struct record *r)
{
	uint64_t behind = payload_size(r);

	s->skip = behind > UINT64_MAX - s->skip ? UINT64_MAX : s->skip + behind;
	describe(f, s, r);
}

int perf_stream_next(struct perf_file *f, struct perf_stream *s, struct record *ret, struct error *err)
{
	int n;

	for (;;) {
		if (s->inside && inner_next(f, s, ret)) {
			if (ret->type >= RECORD_USER_TYPES)
				describe(f, s, ret);
			return 1;
		}
		n = outer_next(f, s, ret, err);
		if (n <= 0)
			return n;
		if (ret->type < RECORD_USER_TYPES)
			return 1;
		if (!is_compressed(ret)) {
			user_record(f, s, ret);
			return 1;
		}
		if (s->packed_dead)
			damage_note(&f->capture->damage, DAMAGE_COMPRESSED, ret->offset);
		else
			enter_compressed(s, ret);
	}
}

/* ---- build ids of the header ---- */

/* 1 and the next of the records that the feature BUILD_ID holds */
static int next_build_id(struct perf_file *f, struct record *ret)
{
	size_t left = f->build_ids_size - f->build_ids_at;
	struct bytes window = { f->build_ids + f->build_ids_at, left };

	if (left < RECORD_HEADER)
		return 0;
	if (read_header(f, window, f->build_ids_offset + f->build_ids_at, ret) || ret->size > left) {
		f->build_ids_at = f->build_ids_size;
		return 0;
	}
	ret->type = RECORD_BUILD_ID;
	ret->body = (struct bytes){ window.at + RECORD_HEADER, ret->size - RECORD_HEADER };
	f->build_ids_at += ret->size;
	return 1;
}

int perf_file_next(struct perf_file *f, struct record *ret, struct error *err)
{
	if (f->build_ids_at < f->build_ids_size && next_build_id(f, ret))
		return 1;
	return perf_stream_next(f, f->main, ret, err);
}

/* Not more at once than stays in the processor's cache until it is decoded. */
enum { RUN_SIZE = 32 * 1024 };

/* How much of the window is whole records of this type, one behind the other. */
static size_t run_size(const struct perf_file *f, struct bytes window, uint32_t type, size_t *ret_nr)
{
	size_t size = 0, nr = 0;

	while (size < RUN_SIZE && window.size - size >= RECORD_HEADER) {
		struct cursor c = cur_new((struct bytes){ window.at + size, RECORD_HEADER }, f->capture->swapped);
		uint32_t this_type = cur_u32(&c);
		uint16_t this_size;

		(void)cur_u16(&c);
		this_size = cur_u16(&c);
		if (this_type != type || this_size < RECORD_HEADER || this_size > window.size - size)
			break;
		size += this_size;
		nr++;
	}
	*ret_nr = nr;
	return size;
}

/* The same out of a COMPRESSED record: all of it has that record's offset. */
static struct bytes inner_run(struct perf_file *f, struct perf_stream *s, uint32_t type, struct record_run *ret)
{
	const char *reason;
	struct bytes window;

	decompress_skip(s->packed, s->inner_skip);
	s->inner_skip = 0;
	if (decompress_peek(s->packed, RECORD_HEADER, &window, &reason))
		window.size = 0; /* perf_file_next() finds it again */
	s->inner_skip = run_size(f, window, type, &ret->nr);
	ret->offset = s->inner_offset;
	ret->packed = true;
	return (struct bytes){ window.at, s->inner_skip };
}

struct bytes perf_file_run(struct perf_file *f, uint32_t type, struct record_run *ret)
{
	const struct bytes nothing = { NULL, 0 };
	struct perf_stream *s = f->main;
	struct bytes window;
	struct error err; /* what cannot be read now is found again by perf_file_next() */

	*ret = (struct record_run){ .nr = 0 };
	if (s->inside)
		return inner_run(f, s, type, ret);
	if (f->build_ids_at < f->build_ids_size || (s->skip && skip_last(s, &err)))
		return nothing;
	if (s->cut_payload || peek_record(s, RECORD_HEADER, &window, &err))
		return nothing;
	ret->offset = stream_offset(s);
	s->skip = run_size(f, window, type, &ret->nr);
	return (struct bytes){ window.at, (size_t)s->skip };
}
