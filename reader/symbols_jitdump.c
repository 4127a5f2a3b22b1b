// SPDX-License-Identifier: GPL-2.0-only
/*
 * header  u32 magic "JiTD", version, header size, ELF machine, pad, pid; u64 time, flags
 * record  u32 kind, record size; u64 time; then
 *   load  u32 pid, tid; u64 vma, address, size, index; name, NUL; the code
 *   move  u32 pid, tid; u64 vma, old address, new address, size, index
 */
#include "reader/symbols_jitdump.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/arena.h"
#include "reader/bytes.h"

enum { MAGIC = 0x4a695444, CODE_LOAD = 0, CODE_MOVE = 1, HEADER = 40, PREFIX = 16 };

/* Of the header's flags. */
#define ARCH_TIMES 1ull

/* A function and where its code is in the dump. */
struct code {
	uint64_t index, time, address, size, offset;
	int32_t pid;
	const char *name; /* in the dump; NUL-terminated */
};

struct dump {
	struct bytes file;
	uint64_t flags;
	struct code *codes; /* each load and each move */
	size_t nr, room;
};

bool jitdump_is_name(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	if (strncmp(name, "jit-", 4) != 0)
		return false;
	name += 4 + strspn(name + 4, "0123456789");
	return strcmp(name, ".dump") == 0;
}

static struct code *add_code(struct dump *d)
{
	if (d->nr == d->room) {
		d->room = d->room ? 2 * d->room : 64;
		d->codes = must_realloc(d->codes, d->room, sizeof(*d->codes));
	}
	return &d->codes[d->nr++];
}

static void read_load(struct dump *d, struct cursor c, uint64_t time)
{
	struct code k = { .time = time };
	struct bytes rest, code;
	size_t length;

	k.pid = (int32_t)cur_u32(&c);
	cur_u32(&c); /* tid */
	cur_u64(&c); /* vma */
	k.address = cur_u64(&c);
	k.size = cur_u64(&c);
	k.index = cur_u64(&c);
	rest = (struct bytes){ c.at, cur_left(&c) };
	length = bytes_strlen(rest);
	if (c.failed || length == rest.size)
		return;
	k.name = (const char *)rest.at;
	cur_take(&c, length + 1);
	code = cur_bytes(&c, k.size);
	if (c.failed || !k.size)
		return;
	k.offset = (uint64_t)(code.at - d->file.at);
	*add_code(d) = k;
}

/* Moves are rare: the load is looked for from the end. */
static void read_move(struct dump *d, struct cursor c, uint64_t time)
{
	uint64_t address, index;
	struct code k;

	cur_take(&c, 24); /* pid, tid, vma, old address */
	address = cur_u64(&c);
	cur_u64(&c); /* size */
	index = cur_u64(&c);
	for (size_t i = d->nr; !c.failed && i--;) {
		if (d->codes[i].index != index)
			continue;
		k = d->codes[i];
		k.time = time;
		k.address = address;
		*add_code(d) = k;
		return;
	}
}

static bool read_dump(struct dump *d)
{
	struct cursor c = cur_new(d->file, false);
	uint32_t magic = cur_u32(&c), size;

	c.swap = magic == __builtin_bswap32(MAGIC);
	if (magic != MAGIC && !c.swap)
		return false;
	cur_u32(&c); /* version */
	size = cur_u32(&c);
	cur_take(&c, 20); /* machine, pad, pid, time */
	d->flags = cur_u64(&c);
	if (size < HEADER || !cur_take(&c, size - HEADER))
		return false;
	while (cur_left(&c) >= PREFIX) {
		uint32_t kind = cur_u32(&c);
		uint32_t whole = cur_u32(&c);
		uint64_t time = cur_u64(&c);
		struct bytes body = cur_bytes(&c, whole < PREFIX ? SIZE_MAX : whole - PREFIX);

		if (c.failed)
			break;
		if (kind == CODE_LOAD)
			read_load(d, cur_new(body, c.swap), time);
		else if (kind == CODE_MOVE)
			read_move(d, cur_new(body, c.swap), time);
	}
	return true;
}

static void close_dump(struct dump *d)
{
	if (d->file.size)
		munmap((void *)(uintptr_t)d->file.at, d->file.size);
	free(d->codes);
}

static bool open_dump(struct dump *ret, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *at = MAP_FAILED;

	*ret = (struct dump){ .codes = NULL };
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	ret->file = (struct bytes){ at, (size_t)st.st_size };
	if (read_dump(ret))
		return true;
	close_dump(ret);
	return false;
}

bool jitdump_load(struct symbol_table *t, const char *path)
{
	struct dump d;

	if (!open_dump(&d, path))
		return false;
	for (size_t i = 0; i < d.nr; i++)
		symbol_table_add(t, d.codes[i].offset, d.codes[i].size, BINDING_GLOBAL, d.codes[i].name, SIZE_MAX);
	close_dump(&d);
	symbol_table_settle(t, ENDS_KEEP);
	return true;
}

bool jitdump_feed(struct address_space *a, uint32_t dso, const char *path)
{
	struct dump d;

	bool fed;

	if (!open_dump(&d, path))
		return false;
	fed = !(d.flags & ARCH_TIMES);
	for (size_t i = 0; fed && i < d.nr; i++) {
		const struct code *k = &d.codes[i];

		address_space_code(a, k->pid, k->time, k->address, k->size, k->offset, dso);
	}
	close_dump(&d);
	return fed;
}
