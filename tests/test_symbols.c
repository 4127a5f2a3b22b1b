// SPDX-License-Identifier: GPL-2.0-only
/*
 * Offsets become names: the rules, each kind of file, and this program's own functions.
 * tests/test_symbols_perf.c compares with perf.
 */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/arena.h"
#include "reader/demangle.h"
#include "reader/symbol_table.h"
#include "reader/symbols.h"
#include "reader/symbols_elf.h"
#include "reader/symbols_jitdump.h"
#include "reader/symbols_kallsyms.h"
#include "reader/symbols_perfmap.h"

/* ---- which of several ---- */

struct given {
	uint64_t start, size;
	enum symbol_binding binding;
	const char *name;
};

static const struct choice {
	struct given symbols[4];
	uint64_t at;
	const char *name; /* NULL: none */
} choices[] = {
	{ { { 10, 5, BINDING_LOCAL, "a" } }, 9, NULL },
	{ { { 10, 5, BINDING_LOCAL, "a" } }, 14, "a" },
	{ { { 10, 5, BINDING_LOCAL, "a" } }, 15, NULL },
	/* one without a size goes to the next, the last one to the end of the page after */
	{ { { 10, 0, BINDING_LOCAL, "a" }, { 20, 1, BINDING_LOCAL, "b" } }, 19, "a" },
	{ { { 10, 1, BINDING_LOCAL, "a" }, { 20, 0, BINDING_LOCAL, "b" } }, 8191, "b" },
	{ { { 10, 1, BINDING_LOCAL, "a" }, { 20, 0, BINDING_LOCAL, "b" } }, 8192, NULL },
	/* with a size, before weak, then global, then underscores, then length */
	{ { { 10, 5, BINDING_WEAK, "weak_with_size" }, { 10, 0, BINDING_GLOBAL, "a" }, { 10, 0, BINDING_LOCAL, "b" }, { 10, 0, BINDING_LOCAL, "c" } }, 10,
	  "c" }, /* the last one goes to the end of a page: it has a size, and is not weak */
	{ { { 10, 5, BINDING_WEAK, "weak_with_size" }, { 10, 0, BINDING_GLOBAL, "a" }, { 10, 1, BINDING_WEAK, "b" } }, 10,
	  "weak_with_size" },
	{ { { 10, 5, BINDING_WEAK, "longer_weak" }, { 10, 5, BINDING_LOCAL, "__a" } }, 10, "__a" },
	{ { { 10, 5, BINDING_LOCAL, "longer_local" }, { 10, 5, BINDING_GLOBAL, "__a" } }, 10, "__a" },
	{ { { 10, 5, BINDING_GLOBAL, "__longer" }, { 10, 5, BINDING_GLOBAL, "_a" } }, 10, "_a" },
	{ { { 10, 5, BINDING_GLOBAL, "memcpy" }, { 10, 5, BINDING_GLOBAL, "memcpy@GLIBC_2.14" } }, 10, "memcpy@GLIBC_2.14" },
	{ { { 10, 5, BINDING_GLOBAL, "SyS_ab" }, { 10, 5, BINDING_GLOBAL, "sys_ab" } }, 10, "sys_ab" },
	{ { { 10, 5, BINDING_GLOBAL, "first" }, { 10, 5, BINDING_GLOBAL, "other" } }, 10, "first" },
	/* nested: the inner one, and the outer one behind it */
	{ { { 10, 50, BINDING_LOCAL, "outer" }, { 20, 5, BINDING_LOCAL, "inner" }, { 30, 5, BINDING_LOCAL, "next" } }, 22, "inner" },
	{ { { 10, 50, BINDING_LOCAL, "outer" }, { 20, 5, BINDING_LOCAL, "inner" }, { 30, 5, BINDING_LOCAL, "next" } }, 40, "outer" },
	{ { { 10, 50, BINDING_LOCAL, "outer" }, { 20, 5, BINDING_LOCAL, "inner" }, { 30, 5, BINDING_LOCAL, "next" } }, 60, NULL },
};

static void chooses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const struct choice *c = &choices[i];
		struct symbol_table t;
		uint32_t got;

		symbol_table_init(&t, false);
		for (const struct given *g = c->symbols; g < c->symbols + 4 && g->name; g++)
			assert_true(symbol_table_add(&t, g->start, g->size, g->binding, g->name, SIZE_MAX));
		symbol_table_settle(&t, ENDS_AT_NEXT);
		for (int again = 0; again < 2; again++) {
			got = symbol_table_find(&t, c->at);
			if ((got == SYMBOL_NOT_FOUND) != !c->name ||
			    (c->name && strcmp(symbol_table_name(&t, got), c->name) != 0))
				fail_msg("case %zu: got %s", i, got == SYMBOL_NOT_FOUND ? "none" : symbol_table_name(&t, got));
		}
		symbol_table_release(&t);
	}
}

static void demangles(void **state)
{
	static const char *const rows[][2] = {
		{ "main", NULL },
		{ "_start", NULL },
		{ "_ZN2ns5outerEi", "ns::outer" },
		{ "_ZN2ns1KIiE3runEii", "ns::K<int>::run" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt" },
		{ "_Z", NULL },
		{ "_ZN99999999999999999999a", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = demangle(rows[i][0]);

		if (rows[i][1])
			assert_string_equal(text, rows[i][1]);
		else
			assert_null(text);
		free(text);
	}
}

/* A size that was guessed does not reach over what is added later: _init and the stubs behind it. */
static void cuts_guesses(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, false);
	symbol_table_add(&t, 0x100, 0, BINDING_LOCAL, "_init", SIZE_MAX);
	symbol_table_add(&t, 0x300, 0x10, BINDING_LOCAL, "main", SIZE_MAX);
	symbol_table_settle(&t, ENDS_AT_NEXT);
	assert_string_equal(symbol_table_name(&t, symbol_table_find(&t, 0x250)), "_init");
	symbol_table_add(&t, 0x110, 0x10, BINDING_GLOBAL, "puts@plt", SIZE_MAX);
	symbol_table_settle(&t, ENDS_KEEP);
	assert_string_equal(symbol_table_name(&t, symbol_table_find(&t, 0x10f)), "_init");
	assert_string_equal(symbol_table_name(&t, symbol_table_find(&t, 0x11f)), "puts@plt");
	assert_int_equal(symbol_table_find(&t, 0x250), SYMBOL_NOT_FOUND);
	symbol_table_release(&t);
}

/* ---- files of text ---- */

static char folder[] = "/tmp/perftab-test-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static const char *write_file(const char *name, const void *bytes, size_t size)
{
	static char path[100];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	return path;
}

static const char *name_at(struct symbol_table *t, uint64_t at)
{
	uint32_t s = symbol_table_find(t, at);

	return s == SYMBOL_NOT_FOUND ? "" : symbol_table_name(t, s);
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000100 t do_one\n"
			       "ffffffff81000200 D not_code\n"
			       "ffffffff81000300 r read_only\n"
			       "garbage\n"
			       "ffffffffc0000010 t nf_hook\t[nf_tables]\n"
			       "ffffffffc0000050 T nf_last\t[nf_tables]\n"
			       "ffffffffc0100000 t other\t[other]\n";

/* The kernel of the capture lay 0x2000000 higher than that of the list. */
static void reads_kallsyms(void **state)
{
	const char *path = write_file("kallsyms", kallsyms, sizeof(kallsyms) - 1);
	struct dso kernel = { .kind = DSO_KERNEL, .name = "[kernel.kallsyms]", .ref_symbol = "_text",
			      .ref_address = 0xffffffff83000000 };
	struct dso module = { .kind = DSO_MODULE, .name = "[nf_tables]", .ref_address = 0xffffffffc0000000 };
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, false);
	assert_null(kallsyms_load(&t, path, &kernel));
	assert_string_equal(name_at(&t, 0xffffffff83000010), "_text"); /* of several without a size the last one gets one */
	assert_string_equal(name_at(&t, 0xffffffff830001ff), "do_one");
	assert_string_equal(name_at(&t, 0xffffffff83000200), "not_code");
	assert_string_equal(name_at(&t, 0xffffffffc2000010), "");
	symbol_table_release(&t);

	assert_null(kallsyms_load(&t, path, &module));
	assert_int_equal(t.nr, 2);
	assert_string_equal(name_at(&t, 0x4f), "nf_hook");
	assert_string_equal(name_at(&t, 0x50), "nf_last");
	symbol_table_release(&t);

	kernel.ref_symbol = "_nowhere";
	assert_string_equal(kallsyms_load(&t, path, &kernel), "it lacks the symbol that the capture names");
	path = write_file("hidden", "0000000000000000 T _text\n0000000000000000 t a\n", 46);
	assert_string_equal(kallsyms_load(&t, path, &kernel), "its addresses are hidden");
	assert_non_null(kallsyms_load(&t, "/nowhere/kallsyms", &kernel));
}

static void reads_perfmap(void **state)
{
	static const char map[] = "7f0000001000 20 LazyCompile:~hot n.js:1\n"
				  "0x7f0000002000 0x10 with space\n"
				  "zzz\n7f0000003000\n7f0000003000 10 \n"
				  "7f0000001000 40 LazyCompile:*hot n.js:1\n";
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, false);
	assert_true(perfmap_load(&t, write_file("perf-1.map", map, sizeof(map) - 1)));
	assert_int_equal(t.nr, 2);
	assert_string_equal(name_at(&t, 0x7f000000103f), "LazyCompile:*hot n.js:1"); /* the later line */
	assert_string_equal(name_at(&t, 0x7f000000200f), "with space");
	assert_string_equal(name_at(&t, 0x7f0000002010), "");
	symbol_table_release(&t);
	assert_false(perfmap_load(&t, "/nowhere/perf-1.map"));
}

/* ---- jitdump ---- */

struct image {
	uint8_t at[1024];
	size_t size;
};

static void put(struct image *i, const void *bytes, size_t size)
{
	memcpy(i->at + i->size, bytes, size);
	i->size += size;
}

static void put32(struct image *i, uint32_t v)
{
	put(i, &v, sizeof(v));
}

static void put64(struct image *i, uint64_t v)
{
	put(i, &v, sizeof(v));
}

static void put_load(struct image *i, uint64_t time, uint64_t address, uint64_t index, const char *name, size_t size)
{
	static const uint8_t code[64] = { 0xc3 };

	put32(i, 0);
	put32(i, (uint32_t)(16 + 40 + strlen(name) + 1 + size));
	put64(i, time);
	put32(i, 42);
	put32(i, 42);
	put64(i, address);
	put64(i, address);
	put64(i, size);
	put64(i, index);
	put(i, name, strlen(name) + 1);
	put(i, code, size);
}

static void put_move(struct image *i, uint64_t time, uint64_t from, uint64_t to, uint64_t index, size_t size)
{
	put32(i, 1);
	put32(i, 16 + 48);
	put64(i, time);
	put32(i, 42);
	put32(i, 42);
	put64(i, from);
	put64(i, from);
	put64(i, to);
	put64(i, size);
	put64(i, index);
}

static struct image jitdump(void)
{
	struct image i = { .size = 0 };

	put32(&i, 0x4a695444);
	put32(&i, 1);
	put32(&i, 40);
	put32(&i, 62);
	put32(&i, 0);
	put32(&i, 42);
	put64(&i, 1);
	put64(&i, 0);
	put_load(&i, 100, 0x1000, 1, "first", 32);
	put_load(&i, 200, 0x1000, 2, "second", 16); /* at the same place */
	put_move(&i, 300, 0x1000, 0x3000, 2, 16);
	return i;
}

static void reads_jitdump(void **state)
{
	static const struct {
		uint64_t time, ip;
		const char *name;
		uint64_t offset;
	} rows[] = {
		{ 100, 0x1004, "first", 4 }, { 250, 0x1004, "second", 4 }, { 250, 0x1014, "first", 0x14 },
		{ 299, 0x3004, NULL, 0 },    { 300, 0x3004, "second", 4 }, { 99, 0x1004, NULL, 0 },
	};
	struct image i = jitdump();
	const char *path = write_file("jit-42.dump", i.at, i.size);
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = address_space_new(dsos);
	struct symbols *s = symbols_new(dsos, &(struct symbols_options){ .symfs = folder });
	uint64_t offset;
	uint32_t dso, symbol;

	(void)state;
	assert_true(jitdump_is_name(path));
	assert_false(jitdump_is_name("/tmp/jit-42.dumps"));
	address_space_mmap(a, &(struct space_mmap){ .cpumode = CPUMODE_USER, .pid = 42, .time = 50, .start = 0x8000,
						    .size = 0x1000, .path = "/home/user/jit-42.dump" });
	symbols_feed_jitdumps(s, a);
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		bool found = address_space_find(a, 42, rows[r].time, CPUMODE_USER, rows[r].ip, &dso, &offset);

		assert_int_equal(found, rows[r].name != NULL);
		if (!found)
			continue;
		assert_true(symbols_find(s, dso, offset, &symbol, &offset));
		assert_string_equal(symbols_get(s, symbol).name, rows[r].name);
		assert_int_equal(offset, rows[r].offset);
	}
	symbols_free(s);
	address_space_free(a);
	dso_table_free(dsos);
}

/* Every prefix ends cleanly. */
static void survives_cut_jitdump(void **state)
{
	struct image i = jitdump();

	(void)state;
	for (size_t size = 1; size < i.size; size++) {
		const char *path = write_file("jit-1.dump", i.at, size);
		struct symbol_table t;

		symbol_table_init(&t, false);
		jitdump_load(&t, path);
		symbol_table_release(&t);
	}
}

/* ---- this program ---- */

/* Feeds the mappings of this process, as perf would have written them. */
static void feed_self(struct address_space *a)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[600], flags[8], path[500];
	unsigned long start, end, pgoff;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %499s", &start, &end, flags, &pgoff, path) != 5 || flags[2] != 'x')
			continue;
		address_space_mmap(a, &(struct space_mmap){ .cpumode = CPUMODE_USER, .pid = 1, .start = start,
							    .size = end - start, .pgoff = pgoff, .path = path });
	}
	fclose(f);
}

struct resolved {
	char text[100];
	bool known;
};

static struct resolved resolve(struct symbols *s, struct address_space *a, const void *ip)
{
	struct resolved r;
	uint64_t offset;
	uint32_t dso, symbol;

	address_space_find(a, 1, 0, CPUMODE_USER, (uint64_t)(uintptr_t)ip, &dso, &offset);
	r.known = symbols_find(s, dso, offset, &symbol, &offset);
	symbols_print(s, symbol, offset, r.text, sizeof(r.text));
	return r;
}

static void names_itself(void **state)
{
	struct dso_table *dsos = dso_table_new();
	struct address_space *a = address_space_new(dsos);
	struct symbols *s = symbols_new(dsos, &(struct symbols_options){ .no_demangle = true });
	struct resolved r;

	(void)state;
	feed_self(a);
	r = resolve(s, a, (const void *)(uintptr_t)symbols_find);
	assert_string_equal(r.text, "symbols_find");
	r = resolve(s, a, (const char *)(uintptr_t)symbols_find + 4);
	assert_string_equal(r.text, "symbols_find+0x4");
	r = resolve(s, a, (const void *)(uintptr_t)names_itself); /* static: only in .symtab */
	assert_string_equal(r.text, "names_itself");
	r = resolve(s, a, (const void *)1);
	assert_string_equal(r.text, "[unknown+0x1]");
	assert_false(r.known);
	symbols_free(s);
	address_space_free(a);
	dso_table_free(dsos);
}

/* A file that is not the one of the capture is passed over, and that is said. */
static void refuses_other_build_id(void **state)
{
	struct build_id other = { { 0xab, 0xcd }, 20 };
	struct dso_table *dsos = dso_table_new();
	struct symbols *s;
	const struct wanted_file *w;
	char path[400];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	uint32_t dso, gone, symbol;
	uint64_t offset;

	(void)state;
	assert_true(n > 0);
	path[n] = '\0';
	dso = dso_table_add(dsos, &(struct dso){ .kind = DSO_FILE, .path = path, .name = path, .pid = -1, .build_id = other });
	gone = dso_table_add(dsos, &(struct dso){ .kind = DSO_FILE, .path = "/gone/x.so", .name = "/gone/x.so", .pid = -1 });
	s = symbols_new(dsos, &(struct symbols_options){ .buildid_dir = "/nowhere" });
	assert_false(symbols_find(s, dso, 0x1234, &symbol, &offset));
	assert_int_equal(offset, 0x1234);
	assert_false(symbols_find(s, gone, 0x10, &symbol, &offset));
	assert_string_equal(symbols_get(s, symbol).name, "[x.so]");
	assert_int_equal(symbols_wanted(s, &w), 2);
	assert_int_equal(w[0].dso, dso);
	assert_non_null(strstr(w[0].reason, "build-id differs: "));
	assert_non_null(strstr(w[0].reason, "the capture has abcd"));
	assert_string_equal(w[1].reason, "not found");
	/* an id that the table does not have, and one that came after the first question */
	assert_false(symbols_find(s, 4711, 5, &symbol, &offset));
	assert_string_equal(symbols_get(s, symbol).name, "[unknown]");
	dso = dso_table_add(dsos, &(struct dso){ .kind = DSO_KSYMBOL, .path = "bpf_prog_1", .name = "bpf_prog_1", .pid = -1, .size = 16 });
	assert_true(symbols_find(s, dso, 5, &symbol, &offset));
	assert_string_equal(symbols_get(s, symbol).name, "bpf_prog_1");
	symbols_free(s);
	dso_table_free(dsos);
}

static void refuses_what_is_no_elf(void **state)
{
	(void)state;
	assert_null(elf_file_open("/nowhere"));
	assert_null(elf_file_open("/"));
	assert_null(elf_file_open("/dev/null"));
	assert_null(elf_file_open(write_file("text", "hello", 5)));
	assert_null(elf_file_open(write_file("text", "\177ELF\2\1\1", 7)));
}

static const struct CMUnitTest list[] = {
	cmocka_unit_test(chooses),
	cmocka_unit_test(cuts_guesses),
	cmocka_unit_test(demangles),
	cmocka_unit_test_setup_teardown(reads_kallsyms, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(reads_perfmap, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(reads_jitdump, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(survives_cut_jitdump, make_folder, remove_folder),
	cmocka_unit_test(names_itself),
	cmocka_unit_test(refuses_other_build_id),
	cmocka_unit_test_setup_teardown(refuses_what_is_no_elf, make_folder, remove_folder),
};

TEST_MODULE(symbols, list);
