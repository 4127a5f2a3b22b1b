/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen: makes large perf.data captures to measure with, always the same bytes for the
 * same arguments.
 *
 *	gen stat OUT CPUS EVENTS ROUNDS       what `perf stat record -a -A -I 1` writes: one reading
 *	                                      for each round, CPU and event, of a Zen 4
 *	gen flat OUT SAMPLES                  what `perf record -a` writes
 *	gen callgraph OUT SAMPLES             the same with -g
 *	gen group OUT SAMPLES MEMBERS         samples of one {leader,...}:S group
 *
 * The files have the byte order of this machine, as perf's own have.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ---- */

enum { HEADER_SIZE = 104, ATTR_SIZE = 128, MAX_EVENTS = 64, MAX_CPUS = 1024 };

static FILE *out;
static uint64_t at; /* bytes written */

static void die(const char *what)
{
	fprintf(stderr, "gen: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
	exit(2);
}

static void put(const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n)
		die("cannot write");
	at += n;
}

static void put_u64(uint64_t v)
{
	put(&v, sizeof(v));
}

/* A record, or the payload of a feature, is put together here before it is written. */
static struct {
	uint8_t bytes[1 << 20];
	size_t n;
} rec;

static void add(const void *p, size_t n)
{
	if (n > sizeof(rec.bytes) - rec.n)
		die("a record would become too large");
	memcpy(rec.bytes + rec.n, p, n);
	rec.n += n;
}

static void add_u16(uint16_t v)
{
	add(&v, sizeof(v));
}

static void add_u32(uint32_t v)
{
	add(&v, sizeof(v));
}

static void add_u64(uint64_t v)
{
	add(&v, sizeof(v));
}

static void add_zeros(size_t n)
{
	static const uint8_t zeros[128];

	add(zeros, n);
}

/* A name as records have it: NUL-terminated, up to the next 8 bytes. */
static void add_name(const char *s)
{
	add(s, strlen(s) + 1);
	add_zeros((8 - rec.n % 8) % 8);
}

static void record_begin(uint32_t type, uint16_t misc)
{
	rec.n = 0;
	add_u32(type);
	add_u16(misc);
	add_u16(0);
}

static void record_end(void)
{
	uint16_t size = (uint16_t)rec.n;

	memcpy(rec.bytes + 6, &size, sizeof(size));
	put(rec.bytes, rec.n);
}

/* ---- numbers that look random ---- */

static uint64_t next_random(void)
{
	static uint64_t seed = 0x9e3779b97f4a7c15;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* ---- events ---- */

struct gen_event {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint32_t per_1000; /* what it counts in 1000 cycles */
};

/* The events of the pipeline metrics of a Zen 4, then others of its core. */
static const struct gen_event zen4[] = {
	{ "ls_not_halted_cyc", 4, 0x76, 1000 },
	{ "de_no_dispatch_per_slot.no_ops_from_frontend", 4, 0x1000001a0, 720 },
	{ "de_no_dispatch_per_slot.backend_stalls", 4, 0x100001ea0, 2220 },
	{ "de_no_dispatch_per_slot.smt_contention", 4, 0x1000060a0, 180 },
	{ "de_src_op_disp.all", 4, 0x7aa, 2880 },
	{ "ex_ret_ops", 4, 0xc1, 2640 },
	{ "cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/", 4, 0x1060001a0, 70 },
	{ "ex_ret_brn_misp", 4, 0xc3, 4 },
	{ "resyncs_or_nc_redirects", 4, 0x96, 1 },
	{ "ex_no_retire.load_not_complete", 4, 0xa2d6, 210 },
	{ "ex_no_retire.not_complete", 4, 0x2d6, 350 },
	{ "ex_ret_ucode_ops", 4, 0x1000000c2, 90 },
	{ "instructions", 4, 0xc0, 2300 },
	{ "ex_ret_brn", 4, 0xc2, 400 },
	{ "ls_dispatch.ld_dispatch", 4, 0x129, 700 },
	{ "ls_dispatch.store_dispatch", 4, 0x229, 350 },
};

static const struct gen_event clocks[] = {
	{ "cpu-clock", 1, 0, 0 },
	{ "page-faults", 1, 2, 0 },
};

static struct gen_event events[MAX_EVENTS];
static char names[MAX_EVENTS][32]; /* of those that have none above */
static uint32_t nr_events, nr_cpus;

static void zen4_events(uint32_t n)
{
	const uint32_t known = sizeof(zen4) / sizeof(zen4[0]);

	for (nr_events = 0; nr_events < n; nr_events++) {
		uint32_t i = nr_events;

		if (i < known) {
			events[i] = zen4[i];
			continue;
		}
		snprintf(names[i], sizeof(names[i]), "r%" PRIx32 "43", i);
		events[i] = (struct gen_event){ names[i], 4, (uint64_t)i << 8 | 0x43, 10 };
	}
}

/* ---- header and attrs ---- */

enum {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_IDENTIFIER = 1 << 16,
};
enum { READ_TIMES = 3, READ_ID = 4, READ_GROUP = 8 };
#define FLAG_INHERIT       (1ull << 1)
#define FLAG_MMAP          (1ull << 8)
#define FLAG_COMM          (1ull << 9)
#define FLAG_TASK          (1ull << 13)
#define FLAG_SAMPLE_ID_ALL (1ull << 18)
#define FLAG_MMAP2         (1ull << 23)

static uint64_t sample_type, read_format, attr_flags, ids_per_event, data_offset;

static uint64_t id_of(uint32_t event, uint32_t cpu)
{
	return 1000 + event * ids_per_event + cpu % ids_per_event;
}

static void add_attr(const struct gen_event *e)
{
	add_u32(e->type);
	add_u32(ATTR_SIZE);
	add_u64(e->config);
	add_u64(e->type == 1 ? 250000 : 0); /* period */
	add_u64(sample_type);
	add_u64(read_format);
	add_u64(attr_flags);
	add_zeros(ATTR_SIZE - 48);
}

static void put_attr(uint32_t event)
{
	rec.n = 0;
	add_attr(&events[event]);
	add_u64(HEADER_SIZE + event * ids_per_event * 8);
	add_u64(ids_per_event * 8);
	put(rec.bytes, rec.n);
}

static void put_header(uint64_t data_size, uint64_t features)
{
	put("PERFILE2", 8);
	put_u64(HEADER_SIZE);
	put_u64(ATTR_SIZE + 16);
	put_u64(HEADER_SIZE + nr_events * ids_per_event * 8); /* attrs */
	put_u64(nr_events * (ATTR_SIZE + 16));
	put_u64(data_offset);
	put_u64(data_size);
	put_u64(0); /* event types: of old */
	put_u64(0);
	put_u64(features);
	for (int i = 0; i < 3; i++)
		put_u64(0);
}

static void file_begin(const char *path)
{
	out = fopen(path, "wb");
	if (!out)
		die(path);
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	put_header(0, 0);
	for (uint32_t e = 0; e < nr_events; e++)
		for (uint32_t i = 0; i < ids_per_event; i++)
			put_u64(id_of(e, i));
	for (uint32_t e = 0; e < nr_events; e++)
		put_attr(e);
	data_offset = at;
}

/* ---- features ---- */

/* A string as features have it: its length up to the next 64, and so many bytes. */
static void add_string(const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + 63) / 64 * 64;

	add_u32((uint32_t)padded);
	add(s, n);
	add_zeros(padded - n);
}

static void feature_cpus(void)
{
	add_u32(nr_cpus);
	add_u32(nr_cpus);
}

static void feature_command(void)
{
	add_u32(1);
	add_string("perf");
}

static void feature_events(void)
{
	add_u32(nr_events);
	add_u32(ATTR_SIZE);
	for (uint32_t e = 0; e < nr_events; e++) {
		add_attr(&events[e]);
		add_u32((uint32_t)ids_per_event);
		add_string(events[e].name);
		for (uint32_t i = 0; i < ids_per_event; i++)
			add_u64(id_of(e, i));
	}
}

/* Two threads a core, one socket. */
static void feature_topology(void)
{
	char list[32];

	snprintf(list, sizeof(list), "0-%" PRIu32, nr_cpus - 1);
	add_u32(1);
	add_string(list);
	add_u32((nr_cpus + 1) / 2);
	for (uint32_t c = 0; c < nr_cpus; c += 2) {
		snprintf(list, sizeof(list), c + 1 < nr_cpus ? "%" PRIu32 "-%" PRIu32 : "%" PRIu32, c, c + 1);
		add_string(list);
	}
	for (uint32_t c = 0; c < nr_cpus; c++) {
		add_u32(c / 2);
		add_u32(0);
	}
}

static void feature_group(void)
{
	add_u32(1);
	add_string("");
	add_u32(0);
	add_u32(nr_events);
}

enum feature_use { ALWAYS, STAT_ONLY, GROUP_ONLY };

/* In ascending order of their ids, as the file has them. */
static const struct feature {
	uint32_t id;
	const char *string; /* or what adds the payload, or neither: a flag */
	void (*add)(void);
	enum feature_use use;
} features[] = {
	{ 3, "bench", NULL, ALWAYS },
	{ 4, "6.1.0", NULL, ALWAYS },
	{ 5, "6.1.0", NULL, ALWAYS },
	{ 6, "x86_64", NULL, ALWAYS },
	{ 7, NULL, feature_cpus, ALWAYS },
	{ 8, "A generated Zen 4", NULL, ALWAYS },
	{ 9, "AuthenticAMD,25,97,2", NULL, ALWAYS },
	{ 11, NULL, feature_command, ALWAYS },
	{ 12, NULL, feature_events, ALWAYS },
	{ 13, NULL, feature_topology, ALWAYS },
	{ 17, NULL, feature_group, GROUP_ONLY },
	{ 19, NULL, NULL, STAT_ONLY },
};
enum { NR_FEATURES = sizeof(features) / sizeof(features[0]) };

struct place {
	uint64_t offset, size;
};

static struct place put_feature(const struct feature *f)
{
	struct place p = { .offset = at };

	rec.n = 0;
	if (f->add)
		f->add();
	else if (f->string)
		add_string(f->string);
	p.size = rec.n;
	put(rec.bytes, rec.n);
	return p;
}

static void seek_to(uint64_t offset)
{
	if (fseek(out, (long)offset, SEEK_SET))
		die("cannot seek");
}

/* The table comes before the features, and is filled in when their places are known. */
static void file_end(enum feature_use use)
{
	uint64_t table = at, bits = 0;
	struct place places[NR_FEATURES] = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < NR_FEATURES; i++)
		if (features[i].use == ALWAYS || features[i].use == use)
			bits |= 1ull << features[i].id, nr++;
	put(places, nr * sizeof(places[0]));
	nr = 0;
	for (size_t i = 0; i < NR_FEATURES; i++)
		if (bits >> features[i].id & 1)
			places[nr++] = put_feature(&features[i]);
	seek_to(table);
	put(places, nr * sizeof(places[0]));
	seek_to(0);
	put_header(table - data_offset, bits);
	if (fclose(out))
		die("cannot write");
}

/* ---- counting captures ---- */

static struct {
	uint64_t value, running;
} cells[MAX_CPUS][MAX_EVENTS];

static void put_maps(void)
{
	record_begin(73, 0); /* THREAD_MAP: any */
	add_u64(1);
	add_u64(UINT64_MAX);
	add_zeros(16);
	record_end();
	record_begin(74, 0); /* CPU_MAP: a range */
	add_u16(2);
	add_u16(0);
	add_u16(0);
	add_u16((uint16_t)(nr_cpus - 1));
	record_end();
	record_begin(75, 0); /* STAT_CONFIG: not added up, each 1 ms, scaled */
	add_u64(3);
	for (uint64_t tag = 0; tag < 3; tag++) {
		add_u64(tag);
		add_u64(tag != 0);
	}
	record_end();
}

/* One millisecond.  Counters take turns: an event runs for a half to all of it. */
static void advance(uint32_t cpu)
{
	uint64_t cycles = 3000000 + next_random() % 1000000;

	for (uint32_t e = 0; e < nr_events; e++) {
		uint64_t running = 500000 + next_random() % 500001;

		cells[cpu][e].running += running;
		cells[cpu][e].value += cycles / 1000 * events[e].per_1000 * (running / 1000) / 1000;
	}
}

static void put_readings(uint64_t time)
{
	for (uint32_t c = 0; c < nr_cpus; c++)
		for (uint32_t e = 0; e < nr_events; e++) {
			record_begin(76, 0); /* STAT */
			add_u64(id_of(e, c));
			add_u32(c);
			add_u32(0);
			add_u64(cells[c][e].value);
			add_u64(time);
			add_u64(cells[c][e].running);
			record_end();
		}
}

static void gen_stat(const char *path, uint64_t rounds)
{
	sample_type = SAMPLE_IDENTIFIER;
	read_format = READ_TIMES;
	attr_flags = FLAG_INHERIT;
	ids_per_event = nr_cpus;
	file_begin(path);
	put_maps();
	for (uint64_t r = 1; r <= rounds; r++) {
		for (uint32_t c = 0; c < nr_cpus; c++)
			advance(c);
		put_readings(r * 1000000);
		record_begin(77, 0); /* STAT_ROUND */
		add_u64(0);
		add_u64(r * 1000000);
		record_end();
	}
	put_readings(rounds * 1000000); /* as perf does: the totals, without a round */
	file_end(STAT_ONLY);
}

/* ---- sampling captures ---- */

enum { TASKS = 40, FUNCTIONS = 3000, TEXT = 0x400000, SAMPLES_PER_ROUND = 2000 };

static uint32_t pid_of(uint32_t task)
{
	return 1000 + task * 7;
}

/* Of a record that perf makes up itself all is zero: TID, TIME, CPU, IDENTIFIER. */
static void add_trailer(void)
{
	add_zeros(32);
}

static void put_task(uint32_t task)
{
	char name[32];

	record_begin(3, 0); /* COMM */
	add_u32(pid_of(task));
	add_u32(pid_of(task));
	snprintf(name, sizeof(name), "task-%" PRIu32, task);
	add_name(name);
	add_trailer();
	record_end();
	record_begin(10, 2); /* MMAP2 */
	add_u32(pid_of(task));
	add_u32(pid_of(task));
	add_u64(TEXT);
	add_u64(FUNCTIONS * 64);
	add_u64(0);
	add_zeros(24);
	add_u32(5);
	add_u32(2);
	snprintf(name, sizeof(name), "/usr/bin/task-%" PRIu32, task);
	add_name(name);
	add_trailer();
	record_end();
}

/* Few functions are hot: the least of three draws. */
static uint64_t some_address(void)
{
	uint64_t r = next_random(), a = r % FUNCTIONS, b = (r >> 20) % FUNCTIONS, c = (r >> 40) % FUNCTIONS;

	if (b < a)
		a = b;
	if (c < a)
		a = c;
	return TEXT + a * 64 + (r >> 58);
}

static void add_callchain(uint64_t ip)
{
	uint64_t depth = 3 + next_random() % 6;

	add_u64(depth + 1);
	add_u64((uint64_t)-512); /* what follows is in user space */
	add_u64(ip);
	for (uint64_t i = 1; i < depth; i++)
		add_u64(TEXT + (ip / 64 * (i + 1) % 97 + i * 100) * 64);
}

static void add_group_read(uint64_t time)
{
	add_u64(nr_events);
	add_u64(time);
	add_u64(time);
	for (uint32_t e = 0; e < nr_events; e++) {
		cells[0][e].value += 100 * events[e].per_1000 + next_random() % 1000;
		add_u64(cells[0][e].value);
		add_u64(id_of(e, 0));
	}
}

static void put_sample(uint64_t i)
{
	uint64_t time = 1000000000 + i * 20000, ip = some_address();
	uint32_t pid = pid_of((uint32_t)(next_random() % TASKS));
	uint32_t event = sample_type & SAMPLE_READ || next_random() % 50 ? 0 : 1;

	record_begin(9, 2); /* SAMPLE */
	add_u64(id_of(event, 0));
	add_u64(ip);
	add_u32(pid);
	add_u32(pid);
	add_u64(time);
	add_u32((uint32_t)(i / 64 % nr_cpus));
	add_u32(0);
	add_u64(event ? 1 : 250000);
	if (sample_type & SAMPLE_READ)
		add_group_read(time);
	if (sample_type & SAMPLE_CALLCHAIN)
		add_callchain(ip);
	record_end();
}

static void gen_samples(const char *path, uint64_t samples, uint64_t more)
{
	nr_cpus = 8;
	ids_per_event = 1;
	sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | more;
	attr_flags |= FLAG_MMAP | FLAG_COMM | FLAG_TASK | FLAG_SAMPLE_ID_ALL | FLAG_MMAP2;
	file_begin(path);
	for (uint32_t t = 0; t < TASKS; t++)
		put_task(t);
	for (uint64_t i = 1; i <= samples; i++) {
		put_sample(i);
		if (i % SAMPLES_PER_ROUND == 0 || i == samples) {
			record_begin(68, 0); /* FINISHED_ROUND */
			record_end();
		}
	}
	file_end(more & SAMPLE_READ ? GROUP_ONLY : ALWAYS);
}

static void gen_clock(const char *path, uint64_t samples, uint64_t more)
{
	memcpy(events, clocks, sizeof(clocks));
	nr_events = sizeof(clocks) / sizeof(clocks[0]);
	read_format = READ_ID;
	attr_flags = FLAG_INHERIT;
	gen_samples(path, samples, more);
}

static void gen_group(const char *path, uint64_t samples)
{
	read_format = READ_TIMES | READ_ID | READ_GROUP;
	gen_samples(path, samples, SAMPLE_READ);
}

/* ---- arguments ---- */

static uint64_t number(const char *s, uint64_t least, uint64_t most)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(s, &end, 10);
	if (errno || *end || n < least || n > most) {
		fprintf(stderr, "gen: %s: expected a number from %" PRIu64 " to %" PRIu64 "\n", s, least, most);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[1] : "";

	if (!strcmp(what, "stat") && argc == 6) {
		nr_cpus = (uint32_t)number(argv[3], 1, MAX_CPUS);
		zen4_events((uint32_t)number(argv[4], 1, MAX_EVENTS));
		gen_stat(argv[2], number(argv[5], 1, UINT32_MAX));
	} else if (!strcmp(what, "flat") && argc == 4) {
		gen_clock(argv[2], number(argv[3], 1, UINT32_MAX), 0);
	} else if (!strcmp(what, "callgraph") && argc == 4) {
		gen_clock(argv[2], number(argv[3], 1, UINT32_MAX), SAMPLE_CALLCHAIN);
	} else if (!strcmp(what, "group") && argc == 5) {
		zen4_events((uint32_t)number(argv[4], 2, MAX_EVENTS));
		gen_group(argv[2], number(argv[3], 1, UINT32_MAX));
	} else {
		fprintf(stderr, "usage: gen stat OUT CPUS EVENTS ROUNDS\n"
				"       gen flat OUT SAMPLES\n"
				"       gen callgraph OUT SAMPLES\n"
				"       gen group OUT SAMPLES MEMBERS\n");
		return 2;
	}
	return 0;
}
