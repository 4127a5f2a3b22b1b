// SPDX-License-Identifier: GPL-2.0-only
/* Mappings, forks and execs in time. */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "reader/address_space.h"

/* One thing that happens; `kind` says which fields count. */
struct step {
	char kind;     /* m map, f fork, F fork made up, x exec, c comm, e exit, K kernel, k ksymbol, g ksymbol gone */
	uint64_t time;
	int32_t pid, tid; /* f: ppid in tid */
	uint64_t start, size, pgoff;
	const char *text;
};

static void take(struct address_space *a, const struct step *s)
{
	switch (s->kind) {
	case 'm':
	case 'K':
		address_space_mmap(a, &(struct space_mmap){ .cpumode = s->kind == 'K' ? CPUMODE_KERNEL : CPUMODE_USER,
							    .pid = s->kind == 'K' ? -1 : s->pid,
							    .time = s->time,
							    .start = s->start,
							    .size = s->size,
							    .pgoff = s->pgoff,
							    .path = s->text });
		break;
	case 'f':
	case 'F':
		address_space_fork(a, &(struct space_fork){ .pid = s->pid, .ppid = s->tid, .tid = s->pid, .ptid = s->tid,
							    .time = s->time, .made_up = s->kind == 'F' });
		break;
	case 'x':
	case 'c':
		address_space_comm(a, &(struct space_comm){ s->pid, s->tid, s->time, s->kind == 'x', s->text });
		break;
	case 'e':
		address_space_exit(a, s->pid, s->tid, s->time);
		break;
	default:
		address_space_ksymbol(a, &(struct space_ksymbol){ s->time, s->start, (uint32_t)s->size, s->kind == 'g',
								  s->text });
	}
}

static const struct step steps[] = {
	{ 'K', 0, 0, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text" },
	{ 'K', 0, 0, 0, 0xffffffffc0000000, 0x5000, 0, "/lib/modules/6.1/kernel/net/nf-tables.ko.xz" },
	{ 'c', 0, 7, 7, 0, 0, 0, "bash" },
	{ 'm', 0, 7, 7, 0x1000, 0x1000, 0x100, "/bin/bash" },
	{ 'f', 10, 8, 7, 0, 0, 0, NULL },
	{ 'm', 20, 7, 7, 0x5000, 0x1000, 0, "/lib/late.so" },
	{ 'x', 30, 8, 8, 0, 0, 0, "ls" },
	{ 'm', 31, 8, 8, 0x2000, 0x3000, 0, "/bin/ls" },
	{ 'm', 40, 8, 8, 0x3000, 0x1000, 0x40, "/lib/over.so" }, /* splits /bin/ls */
	{ 'm', 41, 8, 8, 0x9000, 0x1000, 0, "//anon" },
	{ 'm', 42, 8, 8, 0xa000, 0x2000, 7, "[vdso]" },
	{ 'k', 50, 0, 0, 0xffffffffc0008000, 0x100, 0, "bpf_prog_1" },
	{ 'g', 60, 0, 0, 0xffffffffc0008000, 0x100, 0, "" },
	{ 'e', 70, 8, 8, 0, 0, 0, NULL },
	{ 'F', 0, 9, 7, 0, 0, 0, NULL },
	{ 'f', 80, 8, 9, 0, 0, 0, NULL }, /* the pid again, of a parent without mappings */
};

static const struct question {
	const char *what;
	int32_t pid;
	uint64_t time;
	unsigned mode;
	uint64_t ip;
	const char *name; /* NULL: not mapped */
	uint64_t offset;
} questions[] = {
	{ "plain", 7, 5, CPUMODE_USER, 0x1010, "/bin/bash", 0x110 },
	{ "end is not in", 7, 5, CPUMODE_USER, 0x2000, NULL, 0x2000 },
	{ "before it was mapped", 7, 19, CPUMODE_USER, 0x5000, NULL, 0x5000 },
	{ "from then on", 7, 20, CPUMODE_USER, 0x5000, "/lib/late.so", 0 },
	{ "without a time", 7, TIME_LATEST, CPUMODE_USER, 0x5000, "/lib/late.so", 0 },
	{ "child has its parent's", 8, 15, CPUMODE_USER, 0x1010, "/bin/bash", 0x110 },
	{ "not what the parent maps later", 8, 25, CPUMODE_USER, 0x5000, NULL, 0x5000 },
	{ "before the fork", 8, 9, CPUMODE_USER, 0x1010, NULL, 0x1010 },
	{ "exec takes all", 8, 30, CPUMODE_USER, 0x1010, NULL, 0x1010 },
	{ "the new program", 8, 35, CPUMODE_USER, 0x3010, "/bin/ls", 0x1010 },
	{ "mapped over", 8, 40, CPUMODE_USER, 0x3010, "/lib/over.so", 0x50 },
	{ "left of it", 8, 45, CPUMODE_USER, 0x2fff, "/bin/ls", 0xfff },
	{ "right of it", 8, 45, CPUMODE_USER, 0x4000, "/bin/ls", 0x2000 },
	{ "back in time", 8, 39, CPUMODE_USER, 0x3010, "/bin/ls", 0x1010 },
	{ "anonymous", 8, 45, CPUMODE_USER, 0x9123, "/tmp/perf-8.map", 0x9123 },
	{ "vdso", 8, 45, CPUMODE_USER, 0xa010, "[vdso]", 0x10 },
	{ "pid used again", 8, 90, CPUMODE_USER, 0x2010, NULL, 0x2010 },
	{ "made up fork", 9, 90, CPUMODE_USER, 0x1010, NULL, 0x1010 },
	{ "no such process", 99, 90, CPUMODE_USER, 0x1010, NULL, 0x1010 },
	{ "kernel", 8, 45, CPUMODE_KERNEL, 0xffffffff81000010, "[kernel.kallsyms]", 0xffffffff81000010 },
	{ "behind its text", 8, 45, CPUMODE_KERNEL, 0xffffffff83000000, "[kernel.kallsyms]", 0xffffffff83000000 },
	{ "below it", 8, 45, CPUMODE_KERNEL, 0x1010, NULL, 0x1010 },
	{ "module", 8, 45, CPUMODE_KERNEL, 0xffffffffc0000020, "[nf_tables]", 0x20 },
	{ "bpf program", 8, 55, CPUMODE_KERNEL, 0xffffffffc0008010, "bpf_prog_1", 0x10 },
	{ "bpf program gone", 8, 60, CPUMODE_KERNEL, 0xffffffffc0008010, "[kernel.kallsyms]", 0xffffffffc0008010 },
	{ "guest kernel", 8, 45, CPUMODE_GUEST_KERNEL, 0xffffffff81000010, NULL, 0xffffffff81000010 },
	{ "guest user", 7, 45, CPUMODE_GUEST_USER, 0x1010, NULL, 0x1010 },
	{ "hypervisor", 7, 45, CPUMODE_HYPERVISOR, 0x1010, NULL, 0x1010 },
	{ "no mode", 7, 45, CPUMODE_UNKNOWN, 0x1010, NULL, 0x1010 },
};

static void ask_all(struct address_space *a, const struct dso_table *dsos)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		const struct question *q = &questions[i];
		uint64_t offset = 0;
		uint32_t dso = 0;
		bool found = address_space_find(a, q->pid, q->time, q->mode, q->ip, &dso, &offset);

		if (found != (q->name != NULL) || offset != q->offset ||
		    (q->name && strcmp(q->name, dso_table_get(dsos, dso)->name) != 0))
			fail_msg("%s: got %s offset %#llx", q->what, dso_table_get(dsos, dso)->name,
				 (unsigned long long)offset);
		if (!found)
			assert_true(dso < DSO_ID_FIRST);
	}
}

static struct address_space *fed(struct dso_table *dsos)
{
	struct address_space *a = address_space_new(dsos);
	size_t nr = sizeof(steps) / sizeof(steps[0]);

	for (size_t i = 0; i < nr; i++)
		take(a, &steps[i]);
	return a;
}

/* Twice, so that the second round meets what the first remembered. */
static void finds(void **state)
{
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = fed(dsos);

	(void)state;
	ask_all(a, dsos);
	ask_all(a, dsos);
	address_space_free(a);
	dso_table_free(dsos);
}

/* Records of equal time keep their order, so only those with times of their own are turned round. */
static void finds_out_of_order(void **state)
{
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = address_space_new(dsos);
	size_t nr = sizeof(steps) / sizeof(steps[0]);

	(void)state;
	for (size_t i = nr; i--;)
		if (steps[i].time)
			take(a, &steps[i]);
	for (size_t i = 0; i < nr; i++)
		if (!steps[i].time)
			take(a, &steps[i]);
	ask_all(a, dsos);
	address_space_free(a);
	dso_table_free(dsos);
}

/* Fed and asked in turn, as with a sorted stream. */
static void finds_in_turn(void **state)
{
	static const struct step early = { 'm', 10, 1, 1, 0x1000, 0x1000, 0, "/a" };
	static const struct step late = { 'm', 5, 1, 1, 0x1000, 0x1000, 0, "/late" };
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = address_space_new(dsos);
	uint64_t offset;
	uint32_t dso;

	(void)state;
	take(a, &early);
	assert_true(address_space_find(a, 1, 12, CPUMODE_USER, 0x1000, &dso, &offset));
	assert_string_equal(dso_table_get(dsos, dso)->name, "/a");
	take(a, &late); /* counts from 10 on */
	assert_true(address_space_find(a, 1, 12, CPUMODE_USER, 0x1000, &dso, &offset));
	assert_string_equal(dso_table_get(dsos, dso)->name, "/late");
	address_space_free(a);
	dso_table_free(dsos);
}

static void comms(void **state)
{
	static const struct {
		int32_t tid;
		uint64_t time;
		const char *comm;
	} rows[] = {
		{ 7, 0, "bash" }, { 8, 9, NULL }, { 8, 10, "bash" }, { 8, 29, "bash" }, { 8, 30, "ls" },
		{ 8, 79, "ls" },  { 0, 5, "swapper" }, { 99, 5, NULL }, { 8, TIME_LATEST, "bash" },
	};
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = fed(dsos);
	const struct space_thread *t;
	size_t nr;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got = address_space_comm_at(a, rows[i].tid, rows[i].time);

		if (!rows[i].comm || !got)
			assert_ptr_equal(got, rows[i].comm);
		else
			assert_string_equal(got, rows[i].comm);
	}
	nr = address_space_threads(a, &t);
	assert_int_equal(nr, 4); /* 7, 8 twice, 9 */
	assert_int_equal(t[1].tid, 8);
	assert_int_equal(t[1].from, 10);
	assert_int_equal(t[1].until, 70);
	assert_string_equal(t[1].comm, "ls");
	assert_int_equal(t[2].from, 80);
	address_space_free(a);
	dso_table_free(dsos);
}

/* What must hold: the last mapping of an address up to a time is the one that counts. */
static void agrees_with_a_list(void **state)
{
	enum { MAPS = 300, QUESTIONS = 20000, ROOM = 400, TIMES = 100 };
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = address_space_new(dsos);
	struct step maps[MAPS];
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < MAPS; i++) {
		maps[i] = (struct step){ .kind = 'm', .time = (uint64_t)(rand_r(&seed) % TIMES), .pid = 1,
					 .start = (uint64_t)(rand_r(&seed) % ROOM),
					 .size = 1 + (uint64_t)(rand_r(&seed) % 60), .pgoff = (uint64_t)i * 1000, .text = "/x" };
		take(a, &maps[i]);
	}
	for (int q = 0; q < QUESTIONS; q++) {
		uint64_t ip = (uint64_t)(rand_r(&seed) % (ROOM + 60)), time = (uint64_t)(rand_r(&seed) % TIMES), offset;
		const struct step *best = NULL;
		uint32_t dso;

		for (int i = 0; i < MAPS; i++)
			if (maps[i].time <= time && ip >= maps[i].start && ip - maps[i].start < maps[i].size &&
			    (!best || maps[i].time >= best->time))
				best = &maps[i];
		assert_int_equal(address_space_find(a, 1, time, CPUMODE_USER, ip, &dso, &offset), best != NULL);
		if (best)
			assert_int_equal(offset, ip - best->start + best->pgoff);
	}
	address_space_free(a);
	dso_table_free(dsos);
}

static void build_ids(void **state)
{
	struct build_id one = { { 1, 2, 3 }, 20 }, two = { { 9 }, 20 };
	struct dso_table *t = dso_table_new();
	struct dso d = { .kind = DSO_FILE, .path = "/lib/x.so", .name = "/lib/x.so", .pid = -1 };
	uint32_t first;
	char text[41];

	(void)state;
	dso_table_build_id(t, CPUMODE_USER, "/lib/x.so", &one); /* before the mapping */
	first = dso_table_add(t, &d);
	assert_true(build_id_equal(&dso_table_get(t, first)->build_id, &one));
	assert_int_equal(dso_table_add(t, &d), first);
	d.build_id = two; /* the file was replaced while recording */
	assert_int_not_equal(dso_table_add(t, &d), first);
	d = (struct dso){ .kind = DSO_KERNEL, .path = "[kernel.kallsyms]", .name = "[kernel.kallsyms]", .pid = -1 };
	first = dso_table_add(t, &d);
	dso_table_build_id(t, CPUMODE_KERNEL, "/usr/lib/debug/boot/vmlinux-6.1", &two); /* after it */
	assert_true(build_id_equal(&dso_table_get(t, first)->build_id, &two));
	build_id_text(&two, text);
	assert_string_equal(text, "0900000000000000000000000000000000000000");
	assert_false(build_id_equal(&(struct build_id){ 0 }, &(struct build_id){ 0 }));
	assert_int_equal(dso_table_get(t, 12345)->kind, DSO_UNKNOWN);
	dso_table_free(t);
}

static const struct CMUnitTest list[] = {
	cmocka_unit_test(finds),	       cmocka_unit_test(finds_out_of_order), cmocka_unit_test(finds_in_turn),
	cmocka_unit_test(comms),	       cmocka_unit_test(agrees_with_a_list), cmocka_unit_test(build_ids),
};

TEST_MODULE(address_space, list);
