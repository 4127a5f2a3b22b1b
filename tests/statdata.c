// SPDX-License-Identifier: GPL-2.0-only
/* Captures of perf stat record, written in any form. */
#include "tests/statdata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER_SIZE = 104,
	PIPE_HEADER_SIZE = 16,
	MAX_ATTR = 512,
	RECORD_ATTR = 64,
	RECORD_THREADS = 73,
	RECORD_CPUS = 74,
	RECORD_CONFIG = 75,
	RECORD_COUNT = 76,
	RECORD_ROUND = 77,
	RECORD_UPDATE = 78,
	NRCPUS = 7,
	EVENT_DESC = 12,
	CPU_TOPOLOGY = 13,
	NUMA_TOPOLOGY = 14,
	GROUP_DESC = 17,
	NR_FEATURES = 256,
};

struct built_event {
	uint8_t attr[MAX_ATTR];
	char *name;
	uint64_t *ids;
	uint32_t nr_ids;
};

struct statdata {
	bool big;
	size_t attr_size;
	struct built_event *events;
	size_t nr_events;
	uint64_t last_id;
	struct image updates; /* unit, scale and CPUs of events */
	struct image records;
	struct image groups;  /* entries of GROUP_DESC */
	uint32_t nr_groups;
	struct image features[NR_FEATURES];
	bool has_feature[NR_FEATURES];
};

/* ---- bytes that grow ---- */

static void *grown(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		abort();
	return p;
}

static char *copied(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(grown(NULL, size), s, size);
}

void image_zeros(struct image *b, size_t size)
{
	while (size--)
		image_u8(b, 0);
}

void image_double(struct image *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	image_u64(b, bits);
}

void image_write(const struct image *b, const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(b->at, 1, b->size, f) != b->size || fclose(f))
		abort();
}

struct image image_read(const char *path)
{
	struct image b = { 0 };
	uint8_t piece[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		return b;
	image_u8(&b, 0);
	b.size = 0;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		image_bytes(&b, piece, n);
	fclose(f);
	return b;
}

/* ---- a capture ---- */

struct statdata *statdata_new(size_t attr_size, bool big)
{
	struct statdata *p = grown(NULL, sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->big = p->updates.big = p->records.big = p->groups.big = big;
	p->attr_size = attr_size;
	return p;
}

void statdata_free(struct statdata *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nr_events; i++) {
		free(p->events[i].name);
		free(p->events[i].ids);
	}
	for (size_t i = 0; i < NR_FEATURES; i++)
		image_free(&p->features[i]);
	free(p->events);
	image_free(&p->updates);
	image_free(&p->records);
	image_free(&p->groups);
	free(p);
}

struct image statdata_image(const struct statdata *p)
{
	return (struct image){ .big = p->big };
}

static struct built_event *new_event(struct statdata *p)
{
	p->events = grown(p->events, (p->nr_events + 1) * sizeof(*p->events));
	memset(&p->events[p->nr_events], 0, sizeof(*p->events));
	return &p->events[p->nr_events++];
}

static void fill_attr(const struct statdata *p, const struct statdata_event *e, uint8_t *attr)
{
	const struct event event = {
		.type = e->type,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.sample_type = e->sample_type,
		.read_format = e->read_format,
		.sample_period = e->sample_period,
		.flags = e->flags,
	};
	struct image b = statdata_image(p);

	image_attr(&b, &event, p->attr_size);
	memcpy(attr, b.at, p->attr_size);
	image_free(&b);
}

static void put_record(struct image *to, uint32_t type, uint16_t misc, const struct image *body)
{
	image_u32(to, type);
	image_u16(to, misc);
	image_u16(to, (uint16_t)(8 + body->size));
	image_bytes(to, body->at, body->size);
}

enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS };

static struct image update_of(const struct statdata *p, uint64_t what, uint64_t id)
{
	struct image b = statdata_image(p);

	image_u64(&b, what);
	image_u64(&b, id);
	return b;
}

static void put_update(struct image *to, struct image *body)
{
	image_zeros(body, (8 - body->size % 8) % 8);
	put_record(to, RECORD_UPDATE, 0, body);
	image_free(body);
}

static void put_updates(struct statdata *p, const struct statdata_event *e, uint64_t id)
{
	struct image b;

	if (e->unit) {
		b = update_of(p, UPDATE_UNIT, id);
		image_text(&b, e->unit, strlen(e->unit) + 1);
		put_update(&p->updates, &b);
	}
	if (e->scale != 0) {
		b = update_of(p, UPDATE_SCALE, id);
		image_double(&b, e->scale);
		put_update(&p->updates, &b);
	}
	if (e->cpus) {
		b = update_of(p, UPDATE_CPUS, id);
		image_u16(&b, 0); /* a list */
		image_u16(&b, 1);
		image_u16(&b, 0);
		put_update(&p->updates, &b);
	}
}

size_t statdata_event(struct statdata *p, const struct statdata_event *e)
{
	struct built_event *to = new_event(p);

	fill_attr(p, e, to->attr);
	to->name = e->name ? copied(e->name) : NULL;
	to->nr_ids = e->nr_ids;
	to->ids = grown(NULL, e->nr_ids * sizeof(*to->ids));
	for (uint32_t i = 0; i < e->nr_ids; i++)
		to->ids[i] = ++p->last_id;
	put_updates(p, e, e->nr_ids ? to->ids[0] : 0);
	return p->nr_events - 1;
}

uint64_t statdata_id(const struct statdata *p, size_t event, size_t nth)
{
	return p->events[event].ids[nth];
}

void statdata_group(struct statdata *p, const char *name, uint32_t leader, uint32_t members)
{
	p->nr_groups++;
	image_feature_string(&p->groups, name);
	image_u32(&p->groups, leader);
	image_u32(&p->groups, members);
}

/* ---- records ---- */

void statdata_late_event(struct statdata *p, const struct statdata_event *e, uint64_t id)
{
	struct image b = statdata_image(p);
	uint8_t attr[MAX_ATTR];

	fill_attr(p, e, attr);
	image_bytes(&b, attr, p->attr_size);
	image_u64(&b, id);
	put_record(&p->records, RECORD_ATTR, 0, &b);
	image_free(&b);
}

void statdata_record(struct statdata *p, uint32_t type, uint16_t misc, const struct image *body)
{
	put_record(&p->records, type, misc, body);
}

static void finish_record(struct statdata *p, uint32_t type, struct image *body)
{
	put_record(&p->records, type, 0, body);
	image_free(body);
}

void statdata_stat(struct statdata *p, uint64_t id, int32_t cpu, int32_t thread, uint64_t value, uint64_t enabled,
		   uint64_t running)
{
	struct image b = statdata_image(p);

	image_u64(&b, id);
	image_u32(&b, (uint32_t)cpu);
	image_u32(&b, (uint32_t)thread);
	image_u64(&b, value);
	image_u64(&b, enabled);
	image_u64(&b, running);
	finish_record(p, RECORD_COUNT, &b);
}

void statdata_round(struct statdata *p, bool final, uint64_t time_ns)
{
	struct image b = statdata_image(p);

	image_u64(&b, final);
	image_u64(&b, time_ns);
	finish_record(p, RECORD_ROUND, &b);
}

void statdata_stat_config(struct statdata *p, uint64_t mode, uint64_t interval_ms, uint64_t scale, int level)
{
	const uint64_t tags[][2] = { { 0, mode }, { 1, interval_ms }, { 2, scale }, { 3, level < 0 ? 0 : (uint64_t)level } };
	size_t nr = level < 0 ? 3 : 4;
	struct image b = statdata_image(p);

	image_u64(&b, nr);
	for (size_t i = 0; i < nr; i++) {
		image_u64(&b, tags[i][0]);
		image_u64(&b, tags[i][1]);
	}
	finish_record(p, RECORD_CONFIG, &b);
}

void statdata_cpu_map_any(struct statdata *p)
{
	struct image b = statdata_image(p);

	image_u16(&b, 0); /* a list */
	image_u16(&b, 1);
	image_u16(&b, 0xffff);
	image_u16(&b, 0);
	finish_record(p, RECORD_CPUS, &b);
}

void statdata_thread_map(struct statdata *p, const struct statdata_thread *threads, size_t nr)
{
	struct image b = statdata_image(p);

	image_u64(&b, nr);
	for (size_t i = 0; i < nr; i++) {
		image_u64(&b, (uint64_t)threads[i].tid);
		image_text(&b, threads[i].comm, 16);
	}
	finish_record(p, RECORD_THREADS, &b);
}

/* ---- features ---- */

void statdata_feature(struct statdata *p, uint32_t id, const struct image *payload)
{
	image_free(&p->features[id]);
	p->has_feature[id] = true;
	image_bytes(&p->features[id], payload->at, payload->size);
}

void statdata_feature_string(struct statdata *p, uint32_t id, const char *s)
{
	struct image b = statdata_image(p);

	image_feature_string(&b, s);
	statdata_feature(p, id, &b);
	image_free(&b);
}

void statdata_drop_feature(struct statdata *p, uint32_t id)
{
	p->has_feature[id] = false;
}

static void topology_nodes(struct statdata *p, const struct statdata_cpu *cpus, uint32_t nr)
{
	struct image b = statdata_image(p);

	image_u32(&b, nr);
	for (uint32_t i = 0; i < nr; i++) {
		char list[16];

		snprintf(list, sizeof(list), "%u", i);
		image_u32(&b, cpus[i].node);
		image_u64(&b, 1024);
		image_u64(&b, 512);
		image_feature_string(&b, list);
	}
	statdata_feature(p, NUMA_TOPOLOGY, &b);
	image_free(&b);
}

void statdata_topology(struct statdata *p, const struct statdata_cpu *cpus, uint32_t nr)
{
	struct image b = statdata_image(p);

	image_u32(&b, nr);
	image_u32(&b, nr);
	statdata_feature(p, NRCPUS, &b);
	image_free(&b);
	image_u32(&b, 0); /* lists of siblings, which nobody needs beside the numbers */
	image_u32(&b, 0);
	for (uint32_t i = 0; i < nr; i++) {
		image_u32(&b, cpus[i].core);
		image_u32(&b, cpus[i].socket);
	}
	image_u32(&b, 0);
	for (uint32_t i = 0; i < nr; i++)
		image_u32(&b, cpus[i].die);
	statdata_feature(p, CPU_TOPOLOGY, &b);
	image_free(&b);
	topology_nodes(p, cpus, nr);
}

/* EVENT_DESC and GROUP_DESC as the events say, unless the capture came with its own. */
static struct image feature_payload(const struct statdata *p, uint32_t id)
{
	struct image b = statdata_image(p);

	if (p->has_feature[id]) {
		image_bytes(&b, p->features[id].at, p->features[id].size);
	} else if (id == GROUP_DESC) {
		image_u32(&b, p->nr_groups);
		image_bytes(&b, p->groups.at, p->groups.size);
	} else {
		image_u32(&b, (uint32_t)p->nr_events);
		image_u32(&b, (uint32_t)p->attr_size);
		for (size_t i = 0; i < p->nr_events; i++) {
			const struct built_event *e = &p->events[i];

			image_bytes(&b, e->attr, p->attr_size);
			image_u32(&b, e->nr_ids);
			image_feature_string(&b, e->name ? e->name : "");
			for (uint32_t k = 0; k < e->nr_ids; k++)
				image_u64(&b, e->ids[k]);
		}
	}
	return b;
}

static bool feature_wanted(const struct statdata *p, uint32_t id)
{
	if (p->has_feature[id])
		return true;
	if (id == GROUP_DESC)
		return p->nr_groups > 0;
	if (id == EVENT_DESC)
		for (size_t i = 0; i < p->nr_events; i++)
			if (p->events[i].name)
				return true;
	return false;
}

/* ---- images ---- */

static void put_feature_bits(struct image *b, const struct statdata *p)
{
	for (uint32_t word = 0; word < NR_FEATURES / 64; word++) {
		uint64_t bits = 0;

		for (uint32_t bit = 0; bit < 64; bit++)
			if (feature_wanted(p, word * 64 + bit))
				bits |= 1ull << bit;
		image_u64(b, bits);
	}
}

static void put_features(struct image *b, const struct statdata *p)
{
	struct image payloads = statdata_image(p);
	uint64_t nr = 0, at;

	for (uint32_t id = 0; id < NR_FEATURES; id++)
		nr += feature_wanted(p, id);
	at = b->size + nr * 16;
	for (uint32_t id = 0; id < NR_FEATURES; id++) {
		struct image one;

		if (!feature_wanted(p, id))
			continue;
		one = feature_payload(p, id);
		image_u64(b, at + payloads.size);
		image_u64(b, one.size);
		image_bytes(&payloads, one.at, one.size);
		image_free(&one);
	}
	image_bytes(b, payloads.at, payloads.size);
	image_free(&payloads);
}

static size_t put_ids(struct image *b, const struct built_event *e)
{
	size_t at = b->size;

	for (uint32_t k = 0; k < e->nr_ids; k++)
		image_u64(b, e->ids[k]);
	return at;
}

struct image statdata_file(const struct statdata *p)
{
	size_t stride = p->attr_size + 16, data_size = p->updates.size + p->records.size;
	size_t *ids_at = grown(NULL, p->nr_events * sizeof(*ids_at));
	struct image b = statdata_image(p), head = statdata_image(p);

	image_zeros(&b, HEADER_SIZE);
	for (size_t i = 0; i < p->nr_events; i++)
		ids_at[i] = put_ids(&b, &p->events[i]);
	image_bytes(&head, p->big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(&head, HEADER_SIZE);
	image_u64(&head, stride);
	image_u64(&head, b.size);
	image_u64(&head, p->nr_events * stride);
	image_u64(&head, b.size + p->nr_events * stride);
	image_u64(&head, data_size);
	image_zeros(&head, 16);
	put_feature_bits(&head, p);
	memcpy(b.at, head.at, HEADER_SIZE);
	image_free(&head);
	for (size_t i = 0; i < p->nr_events; i++) {
		image_bytes(&b, p->events[i].attr, p->attr_size);
		image_u64(&b, ids_at[i]);
		image_u64(&b, p->events[i].nr_ids * 8ull);
	}
	free(ids_at);
	image_bytes(&b, p->updates.at, p->updates.size);
	image_bytes(&b, p->records.at, p->records.size);
	put_features(&b, p);
	return b;
}

struct image statdata_pipe(const struct statdata *p)
{
	struct image b = statdata_image(p), body = statdata_image(p);

	image_bytes(&b, p->big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(&b, PIPE_HEADER_SIZE);
	for (size_t i = 0; i < p->nr_events; i++) {
		image_bytes(&body, p->events[i].attr, p->attr_size);
		(void)put_ids(&body, &p->events[i]);
		put_record(&b, RECORD_ATTR, 0, &body);
		image_free(&body);
	}
	image_bytes(&b, p->updates.at, p->updates.size);
	for (size_t i = 0; i < p->nr_events; i++) {
		const struct built_event *e = &p->events[i];

		if (!e->name || !e->nr_ids)
			continue;
		body = update_of(p, UPDATE_NAME, e->ids[0]);
		image_text(&body, e->name, strlen(e->name) + 1);
		put_update(&b, &body);
	}
	image_bytes(&b, p->records.at, p->records.size);
	return b;
}

/* ---- captures that are there ---- */

static uint64_t get_u64(const struct image *b, size_t at)
{
	uint64_t v = 0;

	if (at <= b->size && b->size - at >= sizeof(v))
		memcpy(&v, b->at + at, sizeof(v));
	return v;
}

static uint32_t get_u32(const struct image *b, size_t at)
{
	uint32_t v = 0;

	if (at <= b->size && b->size - at >= sizeof(v))
		memcpy(&v, b->at + at, sizeof(v));
	return v;
}

static void load_events(struct statdata *p, const struct image *b)
{
	size_t stride = p->attr_size + 16, at = get_u64(b, STATDATA_AT_ATTRS), end = at + get_u64(b, STATDATA_AT_ATTRS + 8);

	for (; at < end; at += stride) {
		struct built_event *e = new_event(p);
		size_t ids = get_u64(b, at + p->attr_size);

		memcpy(e->attr, b->at + at, p->attr_size);
		e->nr_ids = (uint32_t)(get_u64(b, at + p->attr_size + 8) / 8);
		e->ids = grown(NULL, e->nr_ids * sizeof(*e->ids));
		for (uint32_t k = 0; k < e->nr_ids; k++)
			e->ids[k] = get_u64(b, ids + 8 * k);
	}
}

static void load_names(struct statdata *p)
{
	const struct image *b = &p->features[EVENT_DESC];
	uint32_t nr = get_u32(b, 0), attr_size = get_u32(b, 4);
	size_t at = 8;

	for (uint32_t i = 0; i < nr && i < p->nr_events; i++) {
		uint32_t nr_ids, size;

		at += attr_size;
		nr_ids = get_u32(b, at);
		size = get_u32(b, at + 4);
		p->events[i].name = copied((const char *)b->at + at + 8);
		at += 8 + size + 8ull * nr_ids;
	}
}

static void load_features(struct statdata *p, const struct image *b, size_t table)
{
	for (uint32_t id = 0; id < NR_FEATURES; id++) {
		struct image payload;

		if (!(get_u64(b, 72 + id / 64 * 8) >> id % 64 & 1))
			continue;
		payload = (struct image){ .at = b->at + get_u64(b, table), .size = get_u64(b, table + 8) };
		statdata_feature(p, id, &payload);
		table += 16;
	}
}

struct statdata *statdata_load(const char *path)
{
	struct image b = image_read(path);
	size_t data = get_u64(&b, STATDATA_AT_DATA), size = get_u64(&b, STATDATA_AT_DATA_SIZE);
	struct statdata *p = NULL;

	if (b.size > HEADER_SIZE && memcmp(b.at, "PERFILE2", 8) == 0 && get_u64(&b, 8) == HEADER_SIZE) {
		p = statdata_new(get_u64(&b, STATDATA_AT_ATTR_SIZE) - 16, false);
		load_events(p, &b);
		image_bytes(&p->records, b.at + data, size);
		load_features(p, &b, data + size);
		load_names(p);
	}
	image_free(&b);
	return p;
}
