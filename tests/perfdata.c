// SPDX-License-Identifier: GPL-2.0-only
/* Images of perf.data, written field by field. */
#include "tests/perfdata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

void image_free(struct image *im)
{
	free(im->at);
	*im = (struct image){ .big = im->big };
}

void image_bytes(struct image *im, const void *bytes, size_t size)
{
	if (im->size + size > im->room) {
		im->room = 2 * (im->size + size) + 256;
		im->at = must_realloc(im->at, im->room, 1);
	}
	if (size)
		memcpy(im->at + im->size, bytes, size);
	im->size += size;
}

/* The low `size` bytes of v, the first one written first. */
static void put(struct image *im, uint64_t v, size_t size)
{
	uint8_t b[8];

	for (size_t i = 0; i < size; i++)
		b[im->big ? size - 1 - i : i] = (uint8_t)(v >> (8 * i));
	image_bytes(im, b, size);
}

void image_u8(struct image *im, uint8_t v)
{
	put(im, v, 1);
}

void image_u16(struct image *im, uint16_t v)
{
	put(im, v, 2);
}

void image_u32(struct image *im, uint32_t v)
{
	put(im, v, 4);
}

void image_u64(struct image *im, uint64_t v)
{
	put(im, v, 8);
}

void image_text(struct image *im, const char *text, size_t size)
{
	size_t n = strlen(text) < size ? strlen(text) : size;

	image_bytes(im, text, n);
	for (; n < size; n++)
		image_u8(im, 0);
}

void image_string(struct image *im, const char *text)
{
	image_text(im, text, (strlen(text) / 8 + 1) * 8);
}

void image_feature_string(struct image *im, const char *text)
{
	size_t size = (strlen(text) / 64 + 1) * 64;

	image_u32(im, (uint32_t)size);
	image_text(im, text, size);
}

static void patch(struct image *im, size_t at, uint64_t v, size_t size)
{
	size_t end = im->size;

	im->size = at;
	put(im, v, size);
	im->size = end;
}

void image_patch_u16(struct image *im, size_t at, uint16_t v)
{
	patch(im, at, v, 2);
}

void image_patch_u64(struct image *im, size_t at, uint64_t v)
{
	patch(im, at, v, 8);
}

/* Bit-fields fill a word from its highest bit on a big-endian machine; precise_ip has two bits. */
static uint64_t flags_in_order(uint64_t flags, bool big)
{
	uint64_t out = 0;

	if (!big)
		return flags;
	for (unsigned bit = 0; bit < 64; bit++)
		if (bit != EVENT_PRECISE_SHIFT && bit != EVENT_PRECISE_SHIFT + 1 && flags >> bit & 1)
			out |= 1ull << (63 - bit);
	return out | (flags >> EVENT_PRECISE_SHIFT & 3) << (62 - EVENT_PRECISE_SHIFT);
}

void image_attr(struct image *im, const struct event *e, size_t size)
{
	size_t start = im->size;

	image_u32(im, e->type);
	image_u32(im, (uint32_t)size);
	image_u64(im, e->config);
	image_u64(im, e->sample_period);
	image_u64(im, e->sample_type);
	image_u64(im, e->read_format);
	image_u64(im, flags_in_order(e->flags, im->big));
	image_u32(im, 1); /* wakeup_events */
	image_u32(im, e->bp_type);
	image_u64(im, e->config1);
	image_u64(im, e->config2);
	image_u64(im, e->branch_sample_type);
	image_u64(im, e->sample_regs_user);
	image_u32(im, e->sample_stack_user);
	image_u32(im, (uint32_t)e->clockid);
	image_u64(im, e->sample_regs_intr);
	while (im->size - start < 128)
		image_u64(im, 0);
	image_u64(im, e->config3);
	while (im->size - start < size)
		image_u64(im, 0);
	im->size = start + size;
}

void image_file(struct image *im, const struct image_event *events, size_t nr, size_t attr_size)
{
	size_t stride = attr_size + 16, nr_ids = 0, ids = 104;

	for (size_t i = 0; i < nr; i++)
		nr_ids += events[i].nr_ids;
	im->size = 0;
	image_bytes(im, im->big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(im, 104);
	image_u64(im, stride);
	image_u64(im, 104 + 8 * nr_ids);
	image_u64(im, nr * stride);
	im->data = 104 + 8 * nr_ids + nr * stride;
	image_u64(im, im->data);
	for (int i = 0; i < 7; i++)
		image_u64(im, 0); /* data.size, event_types, features */
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < events[i].nr_ids; k++)
			image_u64(im, events[i].ids[k]);
	for (size_t i = 0; i < nr; i++) {
		image_attr(im, &events[i].event, attr_size);
		image_u64(im, ids);
		image_u64(im, 8 * events[i].nr_ids);
		ids += 8 * events[i].nr_ids;
	}
}

void image_file_end(struct image *im)
{
	image_patch_u64(im, 48, im->size - im->data);
}

void image_file_end_features(struct image *im, const struct image_feature *features, size_t nr)
{
	uint64_t bits = 0, at = im->size + 16 * nr;

	image_file_end(im);
	for (size_t i = 0; i < nr; i++) {
		bits |= 1ull << features[i].id;
		image_u64(im, at);
		image_u64(im, features[i].size);
		at += features[i].size;
	}
	for (size_t i = 0; i < nr; i++)
		image_bytes(im, features[i].payload, features[i].size);
	image_patch_u64(im, 72, bits);
}

void image_pipe(struct image *im, const struct image_event *events, size_t nr, size_t attr_size)
{
	im->size = 0;
	image_bytes(im, im->big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(im, 16);
	im->data = im->size;
	for (size_t i = 0; i < nr; i++) {
		image_record(im, 64, 0);
		image_attr(im, &events[i].event, attr_size);
		for (size_t k = 0; k < events[i].nr_ids; k++)
			image_u64(im, events[i].ids[k]);
		image_record_end(im);
	}
}

void image_record(struct image *im, uint32_t type, uint16_t misc)
{
	im->record = im->size;
	image_u32(im, type);
	image_u16(im, misc);
	image_u16(im, 0);
}

void image_record_end(struct image *im)
{
	image_patch_u16(im, im->record + 6, (uint16_t)(im->size - im->record));
}

struct capture_reader *image_open(const struct image *im, const struct capture_options *options, struct capture **ret)
{
	char path[] = "/tmp/perftab-test-XXXXXX";
	struct capture_reader *r;
	struct error err;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, im->at, im->size), (ssize_t)im->size);
	close(fd);
	r = capture_open(path, options, &err);
	unlink(path);
	if (r)
		assert_int_equal(capture_run(r, ret, &err), 1);
	return r;
}
