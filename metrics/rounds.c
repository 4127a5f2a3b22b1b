// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rounds on their way to the second walk.  A round is its number of instances, then for
 * each three 32-bit numbers, or a mark and three 64-bit ones where they do not fit.  The
 * file is read by the process that wrote it, so the machine's own byte order will do.
 */
#include "metrics/rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BUFFER = 1 << 20,   /* what is kept in memory */
	SMALL = 12,
	LARGE = 28,
};

/* A small difference never begins like this. */
#define MARK UINT32_MAX

struct rounds {
	uint8_t *buffer;
	size_t used, room; /* bytes that are in the buffer, and that it can hold */
	size_t at;         /* reading: the next byte in the buffer */
	int fd;            /* of the file; -1 while all is in the buffer */
	bool reading;
	uint64_t size;     /* bytes in the file */
	uint64_t offset;   /* reading: the next byte of the file to come into the buffer */
};

struct rounds *rounds_new(void)
{
	struct rounds *r = must_alloc(sizeof(*r));

	*r = (struct rounds){ .fd = -1 };
	return r;
}

void rounds_free(struct rounds *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->buffer);
	free(r);
}

/* ---- writing ---- */

static int open_file(struct rounds *r, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];

	if (!folder || !*folder || strlen(folder) > sizeof(name) - 32)
		folder = "/tmp";
	strcpy(stpcpy(name, folder), "/perftab-XXXXXX");
	r->fd = mkostemp(name, O_CLOEXEC);
	if (r->fd < 0)
		return fail(err, NO_OFFSET, "%s: a temporary file cannot be made: %s", name, strerror(errno));
	unlink(name);
	return 0;
}

static int flush(struct rounds *r, struct error *err)
{
	size_t done = 0;

	if (r->fd < 0 && open_file(r, err))
		return -1;
	while (done < r->used) {
		ssize_t n = write(r->fd, r->buffer + done, r->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(err, NO_OFFSET, "the temporary file cannot be written: %s", strerror(errno));
		done += (size_t)n;
	}
	r->size += r->used;
	r->used = 0;
	return 0;
}

static void make_room(struct rounds *r, size_t more)
{
	size_t room = r->room ? r->room : 4096;

	if (r->room - r->used >= more)
		return;
	while (room - r->used < more)
		room *= 2;
	r->buffer = must_realloc(r->buffer, room, 1);
	r->room = room;
}

static uint8_t *pack(uint8_t *to, const struct difference *d)
{
	if ((d->value | d->enabled | d->running) < MARK) {
		const uint32_t small[3] = { (uint32_t)d->value, (uint32_t)d->enabled, (uint32_t)d->running };

		memcpy(to, small, SMALL);
		return to + SMALL;
	}
	memcpy(to, &(uint32_t){ MARK }, 4);
	memcpy(to + 4, (const uint64_t[3]){ d->value, d->enabled, d->running }, 24);
	return to + LARGE;
}

int rounds_add(struct rounds *r, const struct difference *d, size_t nr, struct error *err)
{
	const uint32_t head = (uint32_t)nr;
	uint8_t *to;

	if (r->used >= BUFFER && flush(r, err))
		return -1;
	make_room(r, sizeof(head) + nr * LARGE);
	to = r->buffer + r->used;
	memcpy(to, &head, sizeof(head));
	to += sizeof(head);
	for (size_t i = 0; i < nr; i++)
		to = pack(to, &d[i]);
	r->used = (size_t)(to - r->buffer);
	return 0;
}

/* ---- reading ---- */

int rounds_rewind(struct rounds *r, struct error *err)
{
	if (r->fd >= 0) {
		if (!r->reading && flush(r, err))
			return -1;
		r->used = 0;
		r->offset = 0;
	}
	r->reading = true;
	r->at = 0;
	return 0;
}

/* Moves what is unread to the front and fills up from the file. */
static int refill(struct rounds *r, size_t want, struct error *err)
{
	size_t left = r->used - r->at;

	if (left >= want || r->fd < 0)
		return 0;
	memmove(r->buffer, r->buffer + r->at, left);
	r->at = 0;
	r->used = left;
	make_room(r, want > BUFFER ? want : BUFFER);
	while (r->used < want && r->offset < r->size) {
		ssize_t n = pread(r->fd, r->buffer + r->used, r->room - r->used, (off_t)r->offset);

		if (n <= 0)
			return fail(err, NO_OFFSET, "the temporary file cannot be read: %s",
				    n ? strerror(errno) : "it is shorter than what was written");
		r->used += (size_t)n;
		r->offset += (uint64_t)n;
	}
	return 0;
}

static const uint8_t *unpack(const uint8_t *from, double *count, double *enabled, double *running)
{
	uint32_t small[3];
	uint64_t large[3];

	memcpy(small, from, SMALL);
	if (small[0] != MARK) {
		*count = small[0];
		*enabled = small[1];
		*running = small[2];
		return from + SMALL;
	}
	memcpy(large, from + 4, sizeof(large));
	*count = (double)large[0];
	*enabled = (double)large[1];
	*running = (double)large[2];
	return from + LARGE;
}

static void clear_rest(double *to, size_t from, size_t nr)
{
	for (size_t i = from; i < nr; i++)
		to[i] = 0;
}

int rounds_next(struct rounds *r, double *count, double *enabled, double *running, size_t nr, struct error *err)
{
	const uint8_t *from;
	uint32_t here;

	if (refill(r, sizeof(here), err))
		return -1;
	if (r->used - r->at < sizeof(here))
		return 0;
	memcpy(&here, r->buffer + r->at, sizeof(here));
	if (refill(r, sizeof(here) + (size_t)here * LARGE, err))
		return -1;
	from = r->buffer + r->at + sizeof(here);
	for (size_t i = 0; i < here && i < nr; i++)
		from = unpack(from, &count[i], &enabled[i], &running[i]);
	clear_rest(count, here, nr);
	clear_rest(enabled, here, nr);
	clear_rest(running, here, nr);
	r->at = (size_t)(from - r->buffer);
	return 1;
}
