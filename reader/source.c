// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where bytes come from.  One buffer; peek() fills it, skip() walks through it.  On a
 * file a skip beyond the buffer is a seek, on a pipe it is reading and dropping.
 */
#include "reader/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/arena.h"
#include "reader/unpack.h"

struct source {
	int fd;
	bool close_fd;
	bool seekable;
	bool ended;       /* read() gave 0 */
	uint64_t size;    /* where known */
	uint64_t offset;  /* of the first unread byte, buffer[begin] */
	size_t begin, end; /* unread bytes in the buffer */
	uint8_t *buffer;
	size_t window, room; /* room for a window that begins anywhere in what one read brought */
	char damage[80];   /* of the packing; "" none */
};

static int describe_file(struct source *s, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(s->fd, &st))
		return fail(err, NO_OFFSET, "cannot be read: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail(err, NO_OFFSET, "is a directory");
	s->seekable = S_ISREG(st.st_mode);
	if (s->seekable) {
		off_t at = s->close_fd ? 0 : lseek(s->fd, 0, SEEK_CUR);

		/* standard input that somebody has read from already */
		if (at != 0)
			s->seekable = false;
		else
			s->size = (uint64_t)st.st_size;
	}
	if (s->seekable)
		(void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	(void)path;
	return 0;
}

static struct source *source_open_raw(const char *path, size_t window, struct error *err)
{
	struct source *s = must_alloc(sizeof(*s));

	s->close_fd = strcmp(path, "-") != 0;
	s->fd = s->close_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (s->fd < 0) {
		fail(err, NO_OFFSET, "cannot be opened: %s", strerror(errno));
		free(s);
		return NULL;
	}
	if (describe_file(s, path, err)) {
		source_close(s);
		return NULL;
	}
	s->window = window;
	s->room = 2 * window;
	s->buffer = must_realloc(NULL, s->room, 1);
	return s;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->close_fd)
		close(s->fd);
	free(s->buffer);
	free(s);
}

const char *source_damage(const struct source *s)
{
	return *s->damage ? s->damage : NULL;
}

uint64_t source_size(const struct source *s)
{
	return s->size;
}

uint64_t source_offset(const struct source *s)
{
	return s->offset;
}

/* Moves what is unread to the front, so that a window fits behind `begin`. */
static void make_room(struct source *s)
{
	memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
	s->end -= s->begin;
	s->begin = 0;
}

static int fill_once(struct source *s, struct error *err)
{
	size_t room = s->room - s->end;
	ssize_t n;

	if (room > s->window)
		room = s->window;
	do {
		n = read(s->fd, s->buffer + s->end, room);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail(err, s->offset, "cannot be read: %s", strerror(errno));
	if (n == 0)
		s->ended = true;
	s->end += (size_t)n;
	return 0;
}

int source_peek(struct source *s, size_t want, struct bytes *ret, struct error *err)
{
	if (want > s->window)
		want = s->window;
	if (s->end - s->begin < want && s->room - s->begin < s->window)
		make_room(s);
	while (s->end - s->begin < want && !s->ended)
		if (fill_once(s, err))
			return -1;
	*ret = (struct bytes){ s->buffer + s->begin, s->end - s->begin };
	return 0;
}

int source_seek(struct source *s, uint64_t offset, struct error *err)
{
	if (offset > INT64_MAX)
		offset = INT64_MAX;
	if (lseek(s->fd, (off_t)offset, SEEK_SET) < 0)
		return fail(err, offset, "cannot be read at this place: %s", strerror(errno));
	s->offset = offset;
	s->begin = s->end = 0;
	s->ended = false;
	return 0;
}

static int read_and_drop(struct source *s, uint64_t n, struct error *err)
{
	while (n) {
		size_t have;

		s->begin = s->end = 0;
		if (fill_once(s, err))
			return -1;
		if (s->ended)
			return 0;
		have = s->end < n ? s->end : (size_t)n;
		s->begin += have;
		s->offset += have;
		n -= have;
	}
	return 0;
}

int source_skip(struct source *s, uint64_t n, struct error *err)
{
	size_t have = s->end - s->begin;

	if (n <= have) {
		s->begin += (size_t)n;
		s->offset += n;
		return 0;
	}
	s->offset += have;
	s->begin = s->end;
	n -= have;
	if (s->seekable && s->offset < s->size)
		return source_seek(s, n > s->size - s->offset ? s->size : s->offset + n, err);
	return read_and_drop(s, n, err);
}

int64_t source_pread(struct source *s, uint64_t offset, void *to, size_t size, struct error *err)
{
	size_t done = 0;

	if (offset > INT64_MAX - SOURCE_WINDOW)
		return 0;
	while (done < size) {
		ssize_t n = pread(s->fd, (uint8_t *)to + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(err, offset, "cannot be read: %s", strerror(errno));
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}

static int temporary_file(struct error *err)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!folder || !*folder || strlen(folder) > sizeof(name) - 32)
		folder = "/tmp";
	strcpy(stpcpy(name, folder), "/perftab-XXXXXX");
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return fail(err, NO_OFFSET, "cannot be kept in a temporary file: %s: %s", name, strerror(errno));
	unlink(name);
	return fd;
}

static int write_all(int fd, const uint8_t *at, size_t size, struct error *err)
{
	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(err, NO_OFFSET, "cannot be kept in a temporary file: %s", strerror(errno));
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Copies everything from the reading position on; offsets count from there. */
static int copy_rest(struct source *s, int fd, uint64_t *size, struct error *err)
{
	struct bytes b;

	for (;;) {
		if (source_peek(s, 1, &b, err))
			return -1;
		if (!b.size)
			return 0;
		if (write_all(fd, b.at, b.size, err) || source_skip(s, b.size, err))
			return -1;
		*size += b.size;
	}
}

/* From here on everything comes from this file, which is the source's now. */
static int read_from(struct source *s, int fd, uint64_t size, struct error *err)
{
	if (s->close_fd)
		close(s->fd);
	s->fd = fd;
	s->close_fd = true;
	s->seekable = true;
	s->size = size;
	return source_seek(s, 0, err);
}

int source_spool(struct source *s, struct error *err)
{
	uint64_t size = 0;
	int fd;

	if (s->seekable)
		return 0;
	fd = temporary_file(err);
	if (fd < 0)
		return -1;
	if (copy_rest(s, fd, &size, err)) {
		close(fd);
		return -1;
	}
	return read_from(s, fd, size, err);
}

/* ---- packed inputs ---- */

struct unpacking {
	struct source *source;
	struct error *err;
	int fd;
	uint64_t size;
};

static int64_t unpack_in(void *user, void *to, size_t size)
{
	struct unpacking *u = user;
	struct bytes b;

	if (source_peek(u->source, 1, &b, u->err))
		return -1;
	if (b.size > size)
		b.size = size;
	memcpy(to, b.at, b.size);
	return source_skip(u->source, b.size, u->err) ? -1 : (int64_t)b.size;
}

static int unpack_out(void *user, const void *from, size_t size)
{
	struct unpacking *u = user;

	u->size += size;
	return write_all(u->fd, from, size, u->err);
}

static int source_unpack(struct source *s, enum packing packing, struct error *err)
{
	struct unpacking u = { s, err, temporary_file(err), 0 };
	const char *reason;

	if (u.fd < 0)
		return -1;
	reason = unpack_whole(packing, unpack_in, unpack_out, &u);
	if (reason && (!*reason || !u.size)) {
		if (*reason)
			fail(err, NO_OFFSET, "%s: %s", packing_name(packing), reason);
		close(u.fd);
		return -1;
	}
	if (reason)
		snprintf(s->damage, sizeof(s->damage), "%s: %s", packing_name(packing), reason);
	return read_from(s, u.fd, u.size, err);
}

static int look_for_packing(struct source *s, struct error *err)
{
	enum packing packing;
	struct bytes front;

	if (source_peek(s, PACKING_MAGIC, &front, err))
		return -1;
	packing = packing_of(front);
	return packing == PACKING_NONE ? 0 : source_unpack(s, packing, err);
}

struct source *source_open_window(const char *path, size_t window, struct error *err)
{
	struct source *s = source_open_raw(path, window, err);

	if (s && look_for_packing(s, err)) {
		source_close(s);
		return NULL;
	}
	return s;
}

struct source *source_open(const char *path, struct error *err)
{
	return source_open_window(path, SOURCE_WINDOW, err);
}
