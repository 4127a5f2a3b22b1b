// SPDX-License-Identifier: GPL-2.0-only
/*
 * Header features (tools/perf/util/header.c describes them to perf itself).  A feature
 * is a row: its number, its name and what to do with its bytes.
 */
#include "reader/features.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/attr.h"
#include "reader/perf_file.h"
#include "reader/topology.h"

struct bytes feature_string(struct cursor *c)
{
	uint32_t size = cur_u32(c);
	struct bytes b = cur_bytes(c, size);

	b.size = bytes_strlen(b);
	return b;
}

/* A feature while it is decoded; words() adds to the text of its row. */
struct feature {
	struct perf_file *file;
	struct capture *capture;
	struct cursor c;
	uint64_t offset;
	char *text;
	size_t used, room;
};

/* Rows are for people and for searching; the lists of large machines end somewhere. */
enum { MAX_TEXT = 64 * 1024 };

static void words_n(struct feature *f, const void *text, size_t size)
{
	if (size > MAX_TEXT - f->used)
		size = MAX_TEXT - f->used;
	if (f->used + size + 1 > f->room) {
		f->room = f->used + size + 256;
		f->text = must_realloc(f->text, f->room, 1);
	}
	if (size)
		memcpy(f->text + f->used, text, size);
	f->used += size;
}

__attribute__((format(printf, 2, 3))) static void words(struct feature *f, const char *format, ...)
{
	char line[256];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	words_n(f, line, n < (int)sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

static void words_string(struct feature *f)
{
	struct bytes s = feature_string(&f->c);

	words_n(f, s.at, s.size);
}

static int done(const struct feature *f)
{
	return f->c.failed ? -1 : 0;
}

/* ---- strings of the machine ---- */

static const char *one_string(struct feature *f)
{
	struct bytes s = feature_string(&f->c);

	if (f->c.failed)
		return NULL;
	words_n(f, s.at, s.size);
	return arena_strndup(f->capture->arena, s.at, s.size);
}

static int read_hostname(struct feature *f)
{
	f->capture->hostname = one_string(f);
	return done(f);
}

static int read_osrelease(struct feature *f)
{
	f->capture->os_release = one_string(f);
	return done(f);
}

static int read_version(struct feature *f)
{
	f->capture->perf_version = one_string(f);
	return done(f);
}

static int read_arch(struct feature *f)
{
	f->capture->arch = one_string(f);
	return done(f);
}

static int read_cpudesc(struct feature *f)
{
	f->capture->cpu_desc = one_string(f);
	return done(f);
}

static int read_cpuid(struct feature *f)
{
	f->capture->cpuid = one_string(f);
	return done(f);
}

static int read_nrcpus(struct feature *f)
{
	uint32_t available = cur_u32(&f->c), online = cur_u32(&f->c);

	if (f->c.failed)
		return -1;
	f->capture->cpus_available = available;
	f->capture->cpus_online = online;
	words(f, "%" PRIu32 " online, %" PRIu32 " available", online, available);
	return 0;
}

static int read_total_mem(struct feature *f)
{
	uint64_t kb = cur_u64(&f->c);

	if (f->c.failed || kb > INT64_MAX)
		return -1;
	f->capture->total_mem_kb = (int64_t)kb;
	words(f, "%" PRIu64 " kB", kb);
	return 0;
}

static bool plain_word(struct bytes s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%^{}";

	for (size_t i = 0; i < s.size; i++)
		if (!memchr(plain, s.at[i], sizeof(plain) - 1))
			return false;
	return s.size != 0;
}

/* One word of a command line, quoted as a shell would need it. */
static void words_quoted(struct feature *f, struct bytes s)
{
	if (plain_word(s)) {
		words_n(f, s.at, s.size);
		return;
	}
	words_n(f, "'", 1);
	for (size_t i = 0; i < s.size; i++)
		if (s.at[i] == '\'')
			words_n(f, "'\\''", 4);
		else
			words_n(f, s.at + i, 1);
	words_n(f, "'", 1);
}

/* u32 n, n × string; the first is the path of perf itself */
static int read_cmdline(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	for (uint32_t i = 0; i < nr && !f->c.failed; i++) {
		struct bytes s = feature_string(&f->c);

		if (f->c.failed)
			break;
		if (i)
			words_n(f, " ", 1);
		words_quoted(f, s);
	}
	if (f->used)
		f->capture->command = arena_strndup(f->capture->arena, f->text, f->used);
	return done(f);
}

/* ---- events ---- */

/* u32 nr, u32 attr_size; each: attr, u32 nr_ids, string name, nr_ids × u64 */
static int read_event_desc(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c), attr_size = cur_u32(&f->c);

	for (uint32_t i = 0; i < nr && !f->c.failed; i++) {
		uint32_t nr_ids;
		struct bytes name, ids;

		(void)cur_bytes(&f->c, attr_size);
		nr_ids = cur_u32(&f->c);
		name = feature_string(&f->c);
		if (nr_ids > cur_left(&f->c) / 8)
			return -1;
		ids = cur_bytes(&f->c, (size_t)nr_ids * 8);
		if (f->c.failed)
			return -1;
		perf_file_name_event(f->file, i, ids, name);
		if (i)
			words_n(f, ", ", 2);
		words_n(f, name.at, name.size);
	}
	return done(f);
}

/* u32 n; n × { string name, u32 leader, u32 members } */
static int read_group_desc(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	while (nr-- && !f->c.failed) {
		struct bytes name = feature_string(&f->c);
		uint32_t leader = cur_u32(&f->c), members = cur_u32(&f->c);

		if (f->c.failed)
			return -1;
		if (leader >= f->capture->nr_events || members > f->capture->nr_events - leader)
			return -1;
		for (uint32_t i = leader; i < leader + members; i++)
			f->capture->events[i].group = (int32_t)leader;
		if (f->used)
			words_n(f, ", ", 2);
		words_n(f, name.at, name.size);
		words(f, " %" PRIu32 "+%" PRIu32, leader, members);
	}
	return done(f);
}

/* u32 n; n × { u32 type, string name } */
static int read_pmu_mappings(struct feature *f)
{
	struct capture *c = f->capture;
	uint32_t nr = cur_u32(&f->c);

	while (nr-- && !f->c.failed) {
		uint32_t type = cur_u32(&f->c);
		struct bytes name = feature_string(&f->c);
		const char *pmu;

		if (f->c.failed)
			return -1;
		pmu = arena_strndup(c->arena, name.at, name.size);
		for (size_t i = 0; i < c->nr_events; i++)
			if (c->events[i].type == type && type > EVENT_BREAKPOINT)
				c->events[i].pmu = pmu;
		words(f, "%s%" PRIu32 " %s", f->used ? ", " : "", type, pmu);
	}
	return done(f);
}

/* ---- topology ---- */

static int read_cpu_topology(struct feature *f)
{
	struct cursor b = f->c;
	uint32_t nr = cur_u32(&b);

	words_n(f, "sockets: ", 9);
	while (nr-- && !b.failed) {
		struct bytes s = feature_string(&b);

		words_n(f, s.at, s.size);
		words_n(f, nr ? "; " : "", nr ? 2 : 0);
	}
	return topology_decode(f->capture, f->c);
}

static int read_numa_topology(struct feature *f)
{
	struct cursor b = f->c;
	uint32_t nr = cur_u32(&b);

	while (nr-- && !b.failed) {
		uint32_t node = cur_u32(&b);
		uint64_t total = cur_u64(&b);
		struct bytes s;

		(void)cur_u64(&b);
		s = feature_string(&b);
		words(f, "node %" PRIu32 ": %" PRIu64 " kB, cpus ", node, total);
		words_n(f, s.at, s.size);
		words_n(f, nr ? "; " : "", nr ? 2 : 0);
	}
	return topology_decode_nodes(f->capture, f->c);
}

/* u32 version, u32 n; n × { u32 level, line, sets, ways; string type, size, cpus } */
static int read_cache(struct feature *f)
{
	uint32_t nr;

	(void)cur_u32(&f->c);
	nr = cur_u32(&f->c);
	while (nr-- && !f->c.failed) {
		uint32_t level = cur_u32(&f->c), line = cur_u32(&f->c), sets = cur_u32(&f->c), ways = cur_u32(&f->c);

		words(f, "%sL%" PRIu32 " ", f->used ? "; " : "", level);
		words_string(f);
		words_n(f, " ", 1);
		words_string(f);
		words(f, " %" PRIu32 "-way %" PRIu32 " sets %" PRIu32 " bytes cpus ", ways, sets, line);
		words_string(f);
	}
	return done(f);
}

/* u64 version, u64 block_size, u64 n; n × { u64 node, u64 size, u64 bits, words } */
static int read_mem_topology(struct feature *f)
{
	uint64_t block, nr;

	(void)cur_u64(&f->c);
	block = cur_u64(&f->c);
	nr = cur_u64(&f->c);
	words(f, "blocks of %" PRIu64 " bytes", block);
	while (nr-- && !f->c.failed) {
		uint64_t node = cur_u64(&f->c), size = cur_u64(&f->c), bits = cur_u64(&f->c);

		if (bits / 64 > cur_left(&f->c) / 8)
			return -1;
		(void)cur_bytes(&f->c, (size_t)(bits / 64 + (bits % 64 != 0)) * 8);
		words(f, "; node %" PRIu64 ": %" PRIu64 " blocks", node, size);
	}
	return done(f);
}

/* ---- the run ---- */

static int read_flag(struct feature *f)
{
	words_n(f, "yes", 3);
	return 0;
}

static int read_sample_time(struct feature *f)
{
	uint64_t first = cur_u64(&f->c), last = cur_u64(&f->c);

	words(f, "%" PRIu64 " to %" PRIu64 " ns", first, last);
	return done(f);
}

static int read_clockid(struct feature *f)
{
	words(f, "resolution %" PRIu64 " ns", cur_u64(&f->c));
	return done(f);
}

static int read_tracing_data(struct feature *f)
{
	words(f, "%zu bytes", cur_left(&f->c));
	perf_file_tracing_data(f->file, cur_rest(&f->c), f->offset);
	return done(f);
}

/* records BUILD_ID, one behind the other; they become records of the capture */
static int read_build_id(struct feature *f)
{
	words(f, "%zu bytes", cur_left(&f->c));
	perf_file_build_ids(f->file, cur_rest(&f->c), f->offset);
	return done(f);
}

/* u64 n; n × { u64 offset of an AUXTRACE record, u64 size }; simpleperf leaves n out */
static int read_auxtrace(struct feature *f)
{
	uint64_t nr = cur_left(&f->c) % 16 ? cur_u64(&f->c) : cur_left(&f->c) / 16, bytes = 0;

	if (nr > cur_left(&f->c) / 16)
		return -1;
	for (uint64_t i = 0; i < nr; i++) {
		(void)cur_u64(&f->c);
		bytes += cur_u64(&f->c);
	}
	words(f, "%" PRIu64 " records, %" PRIu64 " bytes", nr, bytes);
	return done(f);
}

/* u32 n; n × { u32 info_len, u32 data_len, u64 arrays, info, data } */
static int read_bpf_prog_info(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	words(f, "%" PRIu32 " programs", nr);
	while (nr-- && !f->c.failed) {
		uint32_t info = cur_u32(&f->c), data = cur_u32(&f->c);

		(void)cur_u64(&f->c);
		(void)cur_bytes(&f->c, info);
		(void)cur_bytes(&f->c, data);
	}
	return done(f);
}

/* u32 n; n × { u32 id, u32 size, bytes } */
static int read_bpf_btf(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	words(f, "%" PRIu32 ":", nr);
	while (nr-- && !f->c.failed) {
		uint32_t id = cur_u32(&f->c), size = cur_u32(&f->c);

		(void)cur_bytes(&f->c, size);
		words(f, " id %" PRIu32 " %" PRIu32 " bytes", id, size);
	}
	return done(f);
}

/* u32 schedstat version, u32 max domains; a CPU: u32 cpu, u32 n, n × { u32 domain, [name], cpumask, cpulist } */
static int read_cpu_domain_info(struct feature *f)
{
	uint32_t version = cur_u32(&f->c), most = cur_u32(&f->c);

	words(f, "schedstat %" PRIu32 ", up to %" PRIu32 " domains", version, most);
	while (!f->c.failed && cur_left(&f->c) >= 8) {
		uint32_t cpu = cur_u32(&f->c), nr = cur_u32(&f->c);

		words(f, "; cpu %" PRIu32 ":", cpu);
		while (nr-- && !f->c.failed) {
			words(f, " %" PRIu32 " ", cur_u32(&f->c));
			if (version >= 17) {
				words_string(f);
				words_n(f, " ", 1);
			}
			(void)feature_string(&f->c);
			words_string(f);
		}
	}
	return done(f);
}

static int read_number64(struct feature *f)
{
	words(f, "%" PRIu64, cur_u64(&f->c));
	return done(f);
}

static int read_number32(struct feature *f)
{
	words(f, "%" PRIu32, cur_u32(&f->c));
	return done(f);
}

static int read_compressed(struct feature *f)
{
	uint32_t version = cur_u32(&f->c), type = cur_u32(&f->c), level = cur_u32(&f->c), ratio = cur_u32(&f->c);
	uint32_t mmap_len = cur_u32(&f->c);

	words(f, "version %" PRIu32 ", %s, level %" PRIu32 ", ratio %" PRIu32 ", mmap %" PRIu32, version,
	      type == 1 ? "zstd" : type == 0 ? "none" : "unknown", level, ratio, mmap_len);
	return done(f);
}

/* u32 version, u32 clockid, u64 wall_ns, u64 clockid_ns; perf stat leaves it empty (all 0) */
static int read_clock_data(struct feature *f)
{
	uint32_t clockid;
	uint64_t wall, clock;

	(void)cur_u32(&f->c);
	clockid = cur_u32(&f->c);
	wall = cur_u64(&f->c);
	clock = cur_u64(&f->c);
	words(f, "clockid %" PRIu32 ": %" PRIu64 " ns at wall clock %" PRIu64 " ns", clockid, clock, wall);
	if (!f->c.failed && wall && wall <= INT64_MAX && clock <= INT64_MAX) {
		f->capture->wall_start_ns = (int64_t)wall;
		f->capture->clock_start_ns = (int64_t)clock;
	}
	return done(f);
}

static void words_pairs(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	while (nr-- && !f->c.failed) {
		words_string(f);
		words_n(f, "=", 1);
		words_string(f);
		words_n(f, nr ? ", " : "", nr ? 2 : 0);
	}
}

static int read_cpu_pmu_caps(struct feature *f)
{
	words_pairs(f);
	return done(f);
}

/* u32 n; n × { u32 k, k × { string key, string value }, string pmu } */
static int read_pmu_caps(struct feature *f)
{
	uint32_t nr = cur_u32(&f->c);

	while (nr-- && !f->c.failed) {
		words_pairs(f);
		words_n(f, " (", 2);
		words_string(f);
		words_n(f, nr ? "); " : ")", nr ? 3 : 1);
	}
	return done(f);
}

/* u32 n; n × { string pmu, string cpus } */
static int read_hybrid_topology(struct feature *f)
{
	words_pairs(f);
	return done(f);
}

static int read_e_machine(struct feature *f)
{
	uint32_t machine = cur_u32(&f->c), flags = cur_u32(&f->c);

	words(f, "%" PRIu32 ", flags 0x%" PRIx32, machine, flags);
	return done(f);
}

static const struct feature_row {
	uint32_t id;
	const char *name;
	int (*read)(struct feature *f); /* -1: cut off or odd */
} rows[] = {
	{ FEATURE_TRACING_DATA, "tracing_data", read_tracing_data },
	{ FEATURE_BUILD_ID, "build_id", read_build_id },
	{ FEATURE_HOSTNAME, "hostname", read_hostname },
	{ FEATURE_OSRELEASE, "osrelease", read_osrelease },
	{ FEATURE_VERSION, "version", read_version },
	{ FEATURE_ARCH, "arch", read_arch },
	{ FEATURE_NRCPUS, "nrcpus", read_nrcpus },
	{ FEATURE_CPUDESC, "cpudesc", read_cpudesc },
	{ FEATURE_CPUID, "cpuid", read_cpuid },
	{ FEATURE_TOTAL_MEM, "total_mem", read_total_mem },
	{ FEATURE_CMDLINE, "cmdline", read_cmdline },
	{ FEATURE_EVENT_DESC, "event_desc", read_event_desc },
	{ FEATURE_CPU_TOPOLOGY, "cpu_topology", read_cpu_topology },
	{ FEATURE_NUMA_TOPOLOGY, "numa_topology", read_numa_topology },
	{ FEATURE_BRANCH_STACK, "branch_stack", read_flag },
	{ FEATURE_PMU_MAPPINGS, "pmu_mappings", read_pmu_mappings },
	{ FEATURE_GROUP_DESC, "group_desc", read_group_desc },
	{ FEATURE_AUXTRACE, "auxtrace", read_auxtrace },
	{ FEATURE_STAT, "stat", read_flag },
	{ FEATURE_CACHE, "cache", read_cache },
	{ FEATURE_SAMPLE_TIME, "sample_time", read_sample_time },
	{ FEATURE_MEM_TOPOLOGY, "mem_topology", read_mem_topology },
	{ FEATURE_CLOCKID, "clockid", read_clockid },
	{ FEATURE_DIR_FORMAT, "dir_format", read_number64 },
	{ FEATURE_BPF_PROG_INFO, "bpf_prog_info", read_bpf_prog_info },
	{ FEATURE_BPF_BTF, "bpf_btf", read_bpf_btf },
	{ FEATURE_COMPRESSED, "compressed", read_compressed },
	{ FEATURE_CPU_PMU_CAPS, "cpu_pmu_caps", read_cpu_pmu_caps },
	{ FEATURE_CLOCK_DATA, "clock_data", read_clock_data },
	{ FEATURE_HYBRID_TOPOLOGY, "hybrid_topology", read_hybrid_topology },
	{ FEATURE_PMU_CAPS, "pmu_caps", read_pmu_caps },
	{ FEATURE_CPU_DOMAIN_INFO, "cpu_domain_info", read_cpu_domain_info },
	{ FEATURE_E_MACHINE, "e_machine", read_e_machine },
	{ FEATURE_CLN_SIZE, "cln_size", read_number32 },
};

static const struct feature_row *row_of(uint32_t id)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static void add_value(struct capture *c, const char *name, const char *text, size_t size)
{
	c->features = must_realloc(c->features, c->nr_features + 1, sizeof(*c->features));
	c->features[c->nr_features++] = (struct feature_value){
		.name = name,
		.value = arena_strndup(c->arena, text, size),
	};
}

void feature_decode(struct perf_file *file, struct capture *c, uint32_t id, struct bytes payload, uint64_t offset)
{
	const struct feature_row *row = row_of(id);
	struct feature f = { .file = file, .capture = c, .c = cur_new(payload, c->swapped), .offset = offset };

	if (!row) {
		damage_say(&c->damage, DAMAGE_UNKNOWN_FEATURE, offset, "feature %" PRIu32, id);
		return;
	}
	words_n(&f, "", 0);
	/* a writer that had nothing to say leaves it empty */
	if ((payload.size || row->read == read_flag) && row->read(&f))
		damage_say(&c->damage, DAMAGE_FEATURE_ODD, offset, "%s", row->name);
	add_value(c, row->name, f.text, f.used);
	free(f.text);
}
