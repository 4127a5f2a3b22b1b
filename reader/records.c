// SPDX-License-Identifier: GPL-2.0-only
/* The table of record types and its two readers: by the fields, and by a decoder. */
#include "reader/records.h"

#define MISC_BIT(n) (1u << (n))
enum { MISC_MMAP_DATA = MISC_BIT(13), MISC_COMM_EXEC = MISC_BIT(13), MISC_BUILD_ID = MISC_BIT(14), MISC_BUILD_ID_SIZE = MISC_BIT(15) };

/* ---- values ---- */

static struct field_value number(uint64_t v)
{
	return (struct field_value){ .kind = HOLDS_NUMBER, .number = v };
}

static struct field_value number32(struct cursor *c)
{
	return number(cur_u32(c));
}

static struct field_value signed32(struct cursor *c)
{
	return (struct field_value){ .kind = HOLDS_SIGNED, .number = (uint64_t)(int64_t)(int32_t)cur_u32(c) };
}

static struct field_value address(uint64_t v)
{
	return (struct field_value){ .kind = HOLDS_ADDRESS, .number = v };
}

static struct field_value text_of(struct bytes b)
{
	b.size = bytes_strlen(b);
	return (struct field_value){ .kind = HOLDS_STRING, .bytes = b };
}

static struct field_value bytes_value(struct bytes b)
{
	return (struct field_value){ .kind = HOLDS_BYTES, .bytes = b };
}

static struct field_value words_value(struct cursor *c, enum field_kind kind, size_t size)
{
	bool swap = c->swap;

	return (struct field_value){ .kind = kind, .bytes = cur_bytes(c, cur_left(c) / size * size), .swap = swap };
}

static struct bytes take(struct cursor *c, uint16_t size)
{
	return size ? cur_bytes(c, size) : cur_rest(c);
}

static struct field_value field_read(struct cursor *c, const struct field *f)
{
	switch (f->type) {
	case FIELD_U8:
		return number(cur_u8(c));
	case FIELD_U16:
		return number(cur_u16(c));
	case FIELD_U32:
		return number32(c);
	case FIELD_I32:
		return signed32(c);
	case FIELD_U64:
		return number(cur_u64(c));
	case FIELD_HEX:
		return address(cur_u64(c));
	case FIELD_BYTES:
		return bytes_value(take(c, f->size));
	case FIELD_TEXT:
		return text_of(take(c, f->size));
	case FIELD_WORDS:
		return words_value(c, HOLDS_WORDS, 8);
	case FIELD_WORDS32:
		return words_value(c, HOLDS_WORDS32, 4);
	case FIELD_PAD:
		cur_take(c, f->size);
		break;
	}
	return (struct field_value){ .kind = HOLDS_NOTHING };
}

/* ---- the flat ones ---- */

static const struct field mmap_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "addr", FIELD_HEX, 0 }, { "len", FIELD_HEX, 0 },
	{ "pgoff", FIELD_HEX, 0 }, { "filename", FIELD_TEXT, 0 },
};
static const struct field lost_fields[] = { { "id", FIELD_U64, 0 }, { "lost", FIELD_U64, 0 } };
static const struct field comm_fields[] = { { "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "comm", FIELD_TEXT, 0 } };
static const struct field fork_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "ppid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "ptid", FIELD_I32, 0 },
	{ "time", FIELD_U64, 0 },
};
static const struct field throttle_fields[] = {
	{ "time", FIELD_U64, 0 }, { "id", FIELD_U64, 0 }, { "stream_id", FIELD_U64, 0 },
};
static const struct field aux_fields[] = {
	{ "aux_offset", FIELD_HEX, 0 }, { "aux_size", FIELD_HEX, 0 }, { "flags", FIELD_HEX, 0 },
};
static const struct field itrace_start_fields[] = { { "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 } };
static const struct field lost_samples_fields[] = { { "lost", FIELD_U64, 0 } };
static const struct field switch_cpu_wide_fields[] = {
	{ "next_prev_pid", FIELD_I32, 0 }, { "next_prev_tid", FIELD_I32, 0 },
};
static const struct field ksymbol_fields[] = {
	{ "addr", FIELD_HEX, 0 }, { "len", FIELD_U32, 0 }, { "ksym_type", FIELD_U16, 0 }, { "flags", FIELD_U16, 0 },
	{ "name", FIELD_TEXT, 0 },
};
static const struct field bpf_event_fields[] = {
	{ "bpf_type", FIELD_U16, 0 }, { "flags", FIELD_U16, 0 }, { "id", FIELD_U32, 0 }, { "tag", FIELD_BYTES, 8 },
};
static const struct field cgroup_fields[] = { { "id", FIELD_U64, 0 }, { "path", FIELD_TEXT, 0 } };
static const struct field hw_id_fields[] = { { "hw_id", FIELD_HEX, 0 } };
static const struct field deferred_fields[] = {
	{ "cookie", FIELD_HEX, 0 }, { "nr", FIELD_U64, 0 }, { "ips", FIELD_WORDS, 0 },
};
static const struct field auxtrace_info_fields[] = {
	{ "auxtrace_type", FIELD_U32, 0 }, { NULL, FIELD_PAD, 4 }, { "priv", FIELD_WORDS, 0 },
};
static const struct field auxtrace_fields[] = {
	{ "size", FIELD_U64, 0 }, { "aux_offset", FIELD_U64, 0 }, { "reference", FIELD_HEX, 0 }, { "idx", FIELD_U32, 0 },
	{ "tid", FIELD_I32, 0 }, { "of_cpu", FIELD_I32, 0 }, { NULL, FIELD_PAD, 4 },
};
static const struct field auxtrace_error_fields[] = {
	{ "error_type", FIELD_U32, 0 }, { "code", FIELD_U32, 0 }, { "error_cpu", FIELD_I32, 0 }, { "pid", FIELD_I32, 0 },
	{ "tid", FIELD_I32, 0 }, { "fmt", FIELD_U32, 0 }, { "ip", FIELD_HEX, 0 }, { "time", FIELD_U64, 0 },
	{ "msg", FIELD_TEXT, 64 }, { "machine_pid", FIELD_I32, 0 }, { "vcpu", FIELD_I32, 0 },
};
static const struct field time_conv_fields[] = {
	{ "time_shift", FIELD_U64, 0 }, { "time_mult", FIELD_U64, 0 }, { "time_zero", FIELD_U64, 0 },
	{ "time_cycles", FIELD_U64, 0 }, { "time_mask", FIELD_HEX, 0 }, { "cap_user_time_zero", FIELD_U8, 0 },
	{ "cap_user_time_short", FIELD_U8, 0 },
};
static const struct field schedstat_cpu_fields[] = {
	{ "timestamp", FIELD_U64, 0 }, { "of_cpu", FIELD_U32, 0 }, { "version", FIELD_U16, 0 }, { NULL, FIELD_PAD, 2 },
	{ "yld_count", FIELD_U32, 0 }, { "array_exp", FIELD_U32, 0 }, { "sched_count", FIELD_U32, 0 },
	{ "sched_goidle", FIELD_U32, 0 }, { "ttwu_count", FIELD_U32, 0 }, { "ttwu_local", FIELD_U32, 0 },
	{ "rq_cpu_time", FIELD_U64, 0 }, { "run_delay", FIELD_U64, 0 }, { "pcount", FIELD_U64, 0 },
};
static const struct field schedstat_domain_fields[] = {
	{ "timestamp", FIELD_U64, 0 }, { "of_cpu", FIELD_U32, 0 }, { "version", FIELD_U16, 0 }, { "domain", FIELD_U16, 0 },
	{ "counters", FIELD_WORDS32, 0 },
};

/* ---- the odd ones ---- */

static const struct field mmap2_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "addr", FIELD_HEX, 0 }, { "len", FIELD_HEX, 0 },
	{ "pgoff", FIELD_HEX, 0 }, { "maj", FIELD_U32, 0 }, { "min", FIELD_U32, 0 }, { "ino", FIELD_U64, 0 },
	{ "ino_generation", FIELD_U64, 0 }, { "build_id", FIELD_BYTES, 0 }, { "prot", FIELD_U32, 0 },
	{ "flags", FIELD_U32, 0 }, { "filename", FIELD_TEXT, 0 },
};

/* u8 size, u8 and u16 nothing, 20 bytes of which `size` count */
static struct bytes build_id_read(struct cursor *c)
{
	uint8_t size = cur_u8(c);
	struct bytes id;

	cur_take(c, 3);
	id = cur_bytes(c, 20);
	if (size < id.size)
		id.size = size;
	return id;
}

/* pid, tid, addr, len, pgoff; 24 bytes: {maj, min, ino, ino_generation} or a build id; prot, flags, filename */
static int mmap2_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			struct field_value *v)
{
	(void)layout;
	(void)row;
	v[0] = signed32(&c);
	v[1] = signed32(&c);
	v[2] = address(cur_u64(&c));
	v[3] = address(cur_u64(&c));
	v[4] = address(cur_u64(&c));
	if (r->misc & MISC_BUILD_ID) {
		v[9] = bytes_value(build_id_read(&c));
	} else {
		v[5] = number32(&c);
		v[6] = number32(&c);
		v[7] = number(cur_u64(&c));
		v[8] = number(cur_u64(&c));
	}
	v[10] = number32(&c);
	v[11] = number32(&c);
	v[12] = text_of(cur_rest(&c));
	return c.failed ? -1 : 0;
}

static const struct field read_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "id", FIELD_U64, 0 }, { "value", FIELD_U64, 0 },
	{ "enabled", FIELD_U64, 0 }, { "running", FIELD_U64, 0 }, { "lost", FIELD_U64, 0 },
};

static uint64_t read_rows(struct cursor c, const struct record *r, const struct sample_layout *layout)
{
	struct read_block block;

	(void)r;
	cur_take(&c, 8);
	read_block_decode(&c, layout->read_format, &block);
	return c.failed ? 1 : block.nr;
}

/* pid, tid, then values as the event's read_format packs them */
static int read_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
		       struct field_value *v)
{
	struct read_block block;
	struct read_value value;

	(void)r;
	v[0] = signed32(&c);
	v[1] = signed32(&c);
	read_block_decode(&c, layout->read_format, &block);
	if (c.failed || row >= block.nr)
		return -1;
	value = read_value_at(&block, row);
	if (block.format & READ_ID)
		v[2] = number(value.id);
	v[3] = number(value.value);
	if (block.format & READ_ENABLED)
		v[4] = number(block.enabled);
	if (block.format & READ_RUNNING)
		v[5] = number(block.running);
	if (block.format & READ_LOST)
		v[6] = number(value.lost);
	return 0;
}

static const struct field namespaces_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "tid", FIELD_I32, 0 }, { "net_dev", FIELD_HEX, 0 }, { "net_inode", FIELD_U64, 0 },
	{ "uts_dev", FIELD_HEX, 0 }, { "uts_inode", FIELD_U64, 0 }, { "ipc_dev", FIELD_HEX, 0 }, { "ipc_inode", FIELD_U64, 0 },
	{ "pid_dev", FIELD_HEX, 0 }, { "pid_inode", FIELD_U64, 0 }, { "user_dev", FIELD_HEX, 0 }, { "user_inode", FIELD_U64, 0 },
	{ "mnt_dev", FIELD_HEX, 0 }, { "mnt_inode", FIELD_U64, 0 }, { "cgroup_dev", FIELD_HEX, 0 }, { "cgroup_inode", FIELD_U64, 0 },
};

/* pid, tid, nr, nr × {dev, inode}: as many kinds of namespaces as the kernel knew */
static int namespaces_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			     struct field_value *v)
{
	uint64_t nr;

	(void)r;
	(void)layout;
	(void)row;
	v[0] = signed32(&c);
	v[1] = signed32(&c);
	nr = cur_u64(&c);
	for (uint64_t i = 0; i < nr && i < 7; i++) {
		v[2 + 2 * i] = address(cur_u64(&c));
		v[3 + 2 * i] = number(cur_u64(&c));
	}
	return c.failed ? -1 : 0;
}

static const struct field text_poke_fields[] = {
	{ "addr", FIELD_HEX, 0 }, { "old_bytes", FIELD_BYTES, 0 }, { "new_bytes", FIELD_BYTES, 0 },
};

static int text_poke_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			    struct field_value *v)
{
	uint16_t old, new;

	(void)r;
	(void)layout;
	(void)row;
	v[0] = address(cur_u64(&c));
	old = cur_u16(&c);
	new = cur_u16(&c);
	v[1] = bytes_value(cur_bytes(&c, old));
	v[2] = bytes_value(cur_bytes(&c, new));
	return c.failed ? -1 : 0;
}

static const struct field build_id_fields[] = {
	{ "pid", FIELD_I32, 0 }, { "build_id", FIELD_BYTES, 0 }, { "filename", FIELD_TEXT, 0 },
};

/* pid, 20 bytes, u8 how many count (with its misc bit, else all), 3 bytes, filename */
static int build_id_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			   struct field_value *v)
{
	struct bytes id;
	uint8_t size;

	(void)layout;
	(void)row;
	v[0] = signed32(&c);
	id = cur_bytes(&c, 20);
	size = cur_u8(&c);
	cur_take(&c, 3);
	if (r->misc & MISC_BUILD_ID_SIZE && size < id.size)
		id.size = size;
	v[1] = bytes_value(id);
	v[2] = text_of(cur_rest(&c));
	return c.failed ? -1 : 0;
}

static const struct field id_index_fields[] = {
	{ "id", FIELD_U64, 0 }, { "idx", FIELD_U64, 0 }, { "of_cpu", FIELD_I32, 0 }, { "of_tid", FIELD_I32, 0 },
	{ "machine_pid", FIELD_I32, 0 }, { "vcpu", FIELD_I32, 0 },
};

static uint64_t id_index_nr(struct cursor *c)
{
	uint64_t nr = cur_u64(c), most = cur_left(c) / 32;

	return nr < most ? nr : most;
}

static uint64_t id_index_rows(struct cursor c, const struct record *r, const struct sample_layout *layout)
{
	(void)r;
	(void)layout;
	return id_index_nr(&c);
}

static struct field_value signed64(struct cursor *c)
{
	return (struct field_value){ .kind = HOLDS_SIGNED, .number = cur_u64(c) };
}

/* nr, nr × {id, idx, cpu, tid}, and since 6.0 nr × {machine_pid, vcpu} behind all of them */
static int id_index_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			   struct field_value *v)
{
	uint64_t nr = id_index_nr(&c);
	struct cursor guest = c;

	(void)r;
	(void)layout;
	cur_take(&c, row * 32);
	v[0] = number(cur_u64(&c));
	v[1] = number(cur_u64(&c));
	v[2] = signed64(&c);
	v[3] = signed64(&c);
	cur_take(&guest, nr * 32 + row * 16);
	if (!guest.failed && cur_left(&guest) >= 16) {
		v[4] = signed64(&guest);
		v[5] = signed64(&guest);
	}
	return c.failed ? -1 : 0;
}

static const struct field bpf_metadata_fields[] = {
	{ "program", FIELD_TEXT, 0 }, { "key", FIELD_TEXT, 0 }, { "value", FIELD_TEXT, 0 },
};

enum { BPF_PROGRAM = 512, BPF_KEY = 64, BPF_VALUE = 256 };

static uint64_t bpf_metadata_rows(struct cursor c, const struct record *r, const struct sample_layout *layout)
{
	uint64_t nr, most;

	(void)r;
	(void)layout;
	cur_take(&c, BPF_PROGRAM);
	nr = cur_u64(&c);
	most = cur_left(&c) / (BPF_KEY + BPF_VALUE);
	return nr < most ? nr : most;
}

static int bpf_metadata_decode(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
			       struct field_value *v)
{
	(void)r;
	(void)layout;
	v[0] = text_of(cur_bytes(&c, BPF_PROGRAM));
	cur_take(&c, 8 + row * (BPF_KEY + BPF_VALUE));
	v[1] = text_of(cur_bytes(&c, BPF_KEY));
	v[2] = text_of(cur_bytes(&c, BPF_VALUE));
	return c.failed ? -1 : 0;
}

/* ---- the table ---- */

#define FIELDS(list) list, sizeof(list) / sizeof((list)[0])
#define FLAT(type, name, list, needed) { type, name, FIELDS(list), needed, NULL, NULL }
#define ODD(type, name, list, decode, rows) { type, name, FIELDS(list), 0, decode, rows }
/* in the walk, in `event`, `feature`, `count`, or without content */
#define ELSEWHERE(type) { type, NULL, NULL, 0, 0, NULL, NULL }

const struct record_class record_classes[] = {
	FLAT(RECORD_MMAP, "mmap", mmap_fields, 6),
	FLAT(RECORD_LOST, "lost", lost_fields, 2),
	FLAT(RECORD_COMM, "comm", comm_fields, 3),
	FLAT(RECORD_EXIT, "exit", fork_fields, 5),
	FLAT(RECORD_THROTTLE, "throttle", throttle_fields, 3),
	FLAT(RECORD_UNTHROTTLE, "unthrottle", throttle_fields, 3),
	FLAT(RECORD_FORK, "fork", fork_fields, 5),
	ODD(RECORD_READ, "read", read_fields, read_decode, read_rows),
	ELSEWHERE(RECORD_SAMPLE),
	ODD(RECORD_MMAP2, "mmap2", mmap2_fields, mmap2_decode, NULL),
	FLAT(RECORD_AUX, "aux", aux_fields, 3),
	FLAT(RECORD_ITRACE_START, "itrace_start", itrace_start_fields, 2),
	FLAT(RECORD_LOST_SAMPLES, "lost_samples", lost_samples_fields, 1),
	{ RECORD_SWITCH, "switch", NULL, 0, 0, NULL, NULL },
	FLAT(RECORD_SWITCH_CPU_WIDE, "switch_cpu_wide", switch_cpu_wide_fields, 2),
	ODD(RECORD_NAMESPACES, "namespaces", namespaces_fields, namespaces_decode, NULL),
	FLAT(RECORD_KSYMBOL, "ksymbol", ksymbol_fields, 5),
	FLAT(RECORD_BPF_EVENT, "bpf_event", bpf_event_fields, 4),
	FLAT(RECORD_CGROUP, "cgroup", cgroup_fields, 2),
	ODD(RECORD_TEXT_POKE, "text_poke", text_poke_fields, text_poke_decode, NULL),
	FLAT(RECORD_AUX_OUTPUT_HW_ID, "aux_output_hw_id", hw_id_fields, 1),
	FLAT(RECORD_CALLCHAIN_DEFERRED, "callchain_deferred", deferred_fields, 2),
	ELSEWHERE(RECORD_HEADER_ATTR),
	ELSEWHERE(RECORD_EVENT_TYPE),
	ELSEWHERE(RECORD_TRACING_DATA),
	ODD(RECORD_BUILD_ID, "build_id", build_id_fields, build_id_decode, NULL),
	ELSEWHERE(RECORD_FINISHED_ROUND),
	ODD(RECORD_ID_INDEX, "id_index", id_index_fields, id_index_decode, id_index_rows),
	FLAT(RECORD_AUXTRACE_INFO, "auxtrace_info", auxtrace_info_fields, 1),
	FLAT(RECORD_AUXTRACE, "auxtrace", auxtrace_fields, 6),
	FLAT(RECORD_AUXTRACE_ERROR, "auxtrace_error", auxtrace_error_fields, 9),
	ELSEWHERE(RECORD_THREAD_MAP),
	ELSEWHERE(RECORD_CPU_MAP),
	ELSEWHERE(RECORD_STAT_CONFIG),
	ELSEWHERE(RECORD_STAT),
	ELSEWHERE(RECORD_STAT_ROUND),
	ELSEWHERE(RECORD_EVENT_UPDATE),
	FLAT(RECORD_TIME_CONV, "time_conv", time_conv_fields, 3),
	ELSEWHERE(RECORD_FEATURE),
	ELSEWHERE(RECORD_COMPRESSED),
	ELSEWHERE(RECORD_FINISHED_INIT),
	ELSEWHERE(RECORD_COMPRESSED2),
	ODD(RECORD_BPF_METADATA, "bpf_metadata", bpf_metadata_fields, bpf_metadata_decode, bpf_metadata_rows),
	FLAT(RECORD_SCHEDSTAT_CPU, "schedstat_cpu", schedstat_cpu_fields, 13),
	FLAT(RECORD_SCHEDSTAT_DOMAIN, "schedstat_domain", schedstat_domain_fields, 4),
};
const size_t nr_record_classes = sizeof(record_classes) / sizeof(record_classes[0]);

static const char *const kernel_names[] = {
	NULL, "MMAP", "LOST", "COMM", "EXIT", "THROTTLE", "UNTHROTTLE", "FORK", "READ", "SAMPLE", "MMAP2", "AUX",
	"ITRACE_START", "LOST_SAMPLES", "SWITCH", "SWITCH_CPU_WIDE", "NAMESPACES", "KSYMBOL", "BPF_EVENT", "CGROUP",
	"TEXT_POKE", "AUX_OUTPUT_HW_ID", "CALLCHAIN_DEFERRED",
};
static const char *const user_names[] = {
	"HEADER_ATTR", "EVENT_TYPE", "TRACING_DATA", "BUILD_ID", "FINISHED_ROUND", "ID_INDEX", "AUXTRACE_INFO", "AUXTRACE",
	"AUXTRACE_ERROR", "THREAD_MAP", "CPU_MAP", "STAT_CONFIG", "STAT", "STAT_ROUND", "EVENT_UPDATE", "TIME_CONV",
	"FEATURE", "COMPRESSED", "FINISHED_INIT", "COMPRESSED2", "BPF_METADATA", "SCHEDSTAT_CPU", "SCHEDSTAT_DOMAIN",
};
#define NR(list) (sizeof(list) / sizeof((list)[0]))

const char *record_type_name(uint32_t type)
{
	if (type < NR(kernel_names))
		return kernel_names[type];
	if (type >= RECORD_USER_TYPES && type - RECORD_USER_TYPES < NR(user_names))
		return user_names[type - RECORD_USER_TYPES];
	return NULL;
}

const struct record_class *record_class_of(uint32_t type)
{
	for (size_t i = 0; i < nr_record_classes; i++)
		if (record_classes[i].type == type)
			return &record_classes[i];
	return NULL;
}

/* ---- decoding ---- */

/* The body without the trailer. */
static struct cursor body_of(const struct record *r, const struct sample_layout *layout)
{
	struct cursor c = cur_new(r->body, r->swap);

	if (layout && layout->trailers && r->type < RECORD_USER_TYPES && r->body.size >= layout->trailer_size)
		c.end -= layout->trailer_size;
	return c;
}

/* Optional fields are there or not as a whole: one that is cut off is not there. */
static int flat_decode(struct cursor c, const struct record_class *class, struct field_value *ret)
{
	for (unsigned i = 0; i < class->nr_fields; i++) {
		struct field_value v = field_read(&c, &class->fields[i]);

		if (c.failed)
			return i < class->nr_needed ? -1 : 0;
		if (class->fields[i].type != FIELD_PAD)
			*ret++ = v;
	}
	return 0;
}

uint64_t record_rows(const struct record_class *class, const struct record *r, const struct sample_layout *layout)
{
	return class->rows ? class->rows(body_of(r, layout), r, layout) : 1;
}

int record_decode(const struct record_class *class, const struct record *r, const struct sample_layout *layout,
		  uint64_t row, struct field_value *ret)
{
	struct cursor c = body_of(r, layout);

	for (unsigned i = 0; i < class->nr_fields; i++)
		ret[i] = (struct field_value){ .kind = HOLDS_NOTHING };
	return class->decode ? class->decode(c, r, layout, row, ret) : flat_decode(c, class, ret);
}

/* ---- those that others need by field ---- */

int record_mmap(const struct record *r, const struct sample_layout *layout, struct mmap_record *ret)
{
	struct cursor c = body_of(r, layout);
	struct mmap_record m = { .data = r->misc & MISC_MMAP_DATA };

	m.pid = cur_u32(&c);
	m.tid = cur_u32(&c);
	m.start = cur_u64(&c);
	m.size = cur_u64(&c);
	m.file_offset = cur_u64(&c);
	if (r->type == RECORD_MMAP2) {
		if (r->misc & MISC_BUILD_ID)
			m.build_id = build_id_read(&c);
		else
			cur_take(&c, 24);
		m.prot = cur_u32(&c);
		m.flags = cur_u32(&c);
	}
	m.file = cur_rest(&c);
	m.file.size = bytes_strlen(m.file);
	if (c.failed)
		return -1;
	*ret = m;
	return 0;
}

int record_comm(const struct record *r, const struct sample_layout *layout, struct comm_record *ret)
{
	struct cursor c = body_of(r, layout);
	struct comm_record m = { .exec = r->misc & MISC_COMM_EXEC };

	m.pid = cur_u32(&c);
	m.tid = cur_u32(&c);
	m.comm = cur_rest(&c);
	m.comm.size = bytes_strlen(m.comm);
	if (c.failed)
		return -1;
	*ret = m;
	return 0;
}

int record_fork(const struct record *r, struct fork_record *ret)
{
	struct cursor c = cur_new(r->body, r->swap);
	struct fork_record f;

	f.pid = cur_u32(&c);
	f.ppid = cur_u32(&c);
	f.tid = cur_u32(&c);
	f.ptid = cur_u32(&c);
	f.time_ns = cur_u64(&c);
	if (c.failed)
		return -1;
	*ret = f;
	return 0;
}
