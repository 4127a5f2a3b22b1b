/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds perf.data images in memory, so that a test needs no hardware and no perf.  Numbers are
 * written in the byte order that the image asks for.
 */
#ifndef PERFTAB_TESTS_PERFDATA_H
#define PERFTAB_TESTS_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/capture.h"

struct image {
	uint8_t *at; /* freed by image_free() */
	size_t size, room;
	bool big;    /* as a big-endian machine writes */
	size_t record, data; /* where the open record and the data section begin */
};

void image_free(struct image *im);
void image_bytes(struct image *im, const void *bytes, size_t size);
void image_u8(struct image *im, uint8_t v);
void image_u16(struct image *im, uint16_t v);
void image_u32(struct image *im, uint32_t v);
void image_u64(struct image *im, uint64_t v);
void image_text(struct image *im, const char *text, size_t size); /* padded with zeros to `size` */
void image_string(struct image *im, const char *text);            /* NUL and padding to 8 bytes */
void image_feature_string(struct image *im, const char *text);    /* u32 size, padded to 64 */
void image_patch_u16(struct image *im, size_t at, uint16_t v);
void image_patch_u64(struct image *im, size_t at, uint64_t v);

/* The attr of an event (its flags in the image's order), `size` bytes of it. */
void image_attr(struct image *im, const struct event *e, size_t size);

/* Header, ids and attrs of a file; event i has the ids first_id + i … */
struct image_event {
	struct event event;
	const uint64_t *ids;
	size_t nr_ids;
};
void image_file(struct image *im, const struct image_event *events, size_t nr, size_t attr_size);
/* Ends the data section: its size goes into the header.  No features. */
void image_file_end(struct image *im);
/* The same with features: payloads in the order of their ids. */
struct image_feature {
	uint32_t id;
	const void *payload;
	size_t size;
};
void image_file_end_features(struct image *im, const struct image_feature *features, size_t nr);

/* Header of a pipe; then a HEADER_ATTR for each event. */
void image_pipe(struct image *im, const struct image_event *events, size_t nr, size_t attr_size);

void image_record(struct image *im, uint32_t type, uint16_t misc);
void image_record_end(struct image *im);

/* Writes the image to a temporary file and opens it as a capture. */
struct capture_reader *image_open(const struct image *im, const struct capture_options *options, struct capture **ret);

#endif
