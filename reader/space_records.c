// SPDX-License-Identifier: GPL-2.0-only
/* From records to the small structs that the address space is fed with. */
#include "reader/space_records.h"

#include <string.h>

enum {
	MISC_FORK_MADE_UP = 1 << 13,
	MISC_ID_SIZE = 1 << 15, /* BUILD_ID: the size of the id is told */
	KSYMBOL_GONE = 1,
	NAME_MAX_BYTES = 4096,
};

/* Names in records end at a NUL or with the record; a path is never longer than the buffer. */
struct text {
	char at[NAME_MAX_BYTES];
};

static const char *text_of(struct text *t, struct bytes b)
{
	size_t n = bytes_strlen(b);

	if (n > sizeof(t->at) - 1)
		n = sizeof(t->at) - 1;
	if (n)
		memcpy(t->at, b.at, n);
	t->at[n] = '\0';
	return t->at;
}

static struct build_id id_of(struct bytes b)
{
	struct build_id id = { .size = b.size < sizeof(id.bytes) ? (uint8_t)b.size : (uint8_t)sizeof(id.bytes) };

	if (id.size)
		memcpy(id.bytes, b.at, id.size);
	return id;
}

static bool feed_mmap(struct address_space *a, const struct record *r, const struct sample_layout *layout)
{
	struct mmap_record m;
	struct text path;

	if (record_mmap(r, layout, &m))
		return false;
	address_space_mmap(a, &(struct space_mmap){
				      .cpumode = r->misc & MISC_CPUMODE,
				      .pid = (int32_t)m.pid,
				      .time = sample_time_peek(layout, r),
				      .start = m.start,
				      .size = m.size,
				      .pgoff = m.file_offset,
				      .build_id = id_of(m.build_id),
				      .path = text_of(&path, m.file),
			      });
	return true;
}

static bool feed_comm(struct address_space *a, const struct record *r, const struct sample_layout *layout)
{
	struct comm_record c;
	struct text comm;

	if (record_comm(r, layout, &c))
		return false;
	address_space_comm(a, &(struct space_comm){ (int32_t)c.pid, (int32_t)c.tid, sample_time_peek(layout, r),
						    c.exec, text_of(&comm, c.comm) });
	return true;
}

static bool feed_task(struct address_space *a, const struct record *r)
{
	struct fork_record f;

	if (record_fork(r, &f))
		return false;
	if (r->type == RECORD_EXIT)
		address_space_exit(a, (int32_t)f.pid, (int32_t)f.tid, f.time_ns);
	else
		address_space_fork(a, &(struct space_fork){ (int32_t)f.pid, (int32_t)f.ppid, (int32_t)f.tid,
							    (int32_t)f.ptid, f.time_ns,
							    r->misc & MISC_FORK_MADE_UP });
	return true;
}

/* u64 address; u32 size; u16 type, flags; name */
static bool feed_ksymbol(struct address_space *a, const struct record *r, const struct sample_layout *layout)
{
	struct cursor c = cur_new(r->body, r->swap);
	struct space_ksymbol k = { .time = sample_time_peek(layout, r) };
	struct text name;

	k.address = cur_u64(&c);
	k.size = cur_u32(&c);
	cur_u16(&c); /* type */
	k.gone = cur_u16(&c) & KSYMBOL_GONE;
	k.name = text_of(&name, cur_rest(&c));
	if (c.failed)
		return false;
	address_space_ksymbol(a, &k);
	return true;
}

/* s32 pid; 20 bytes; u8 how many of them count, where misc tells; 3 bytes; path */
static bool feed_build_id(struct dso_table *dsos, const struct record *r)
{
	struct cursor c = cur_new(r->body, r->swap);
	struct build_id given;
	struct text path;
	struct bytes id;
	uint8_t size;

	cur_u32(&c); /* pid */
	id = cur_bytes(&c, 20);
	size = cur_u8(&c);
	cur_take(&c, 3);
	if (c.failed)
		return false;
	if (r->misc & MISC_ID_SIZE && size < id.size)
		id.size = size;
	given = id_of(id);
	dso_table_build_id(dsos, r->misc & MISC_CPUMODE, text_of(&path, cur_rest(&c)), &given);
	return true;
}

bool space_record(struct address_space *a, struct dso_table *dsos, const struct record *r,
		  const struct sample_layout *layout)
{
	switch (r->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return feed_mmap(a, r, layout);
	case RECORD_COMM:
		return feed_comm(a, r, layout);
	case RECORD_FORK:
	case RECORD_EXIT:
		return feed_task(a, r);
	case RECORD_KSYMBOL:
		return feed_ksymbol(a, r, layout);
	case RECORD_BUILD_ID:
		return feed_build_id(dsos, r);
	default:
		return true;
	}
}
