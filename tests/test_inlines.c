// SPDX-License-Identifier: GPL-2.0-only
/* Lines and inlined functions of this program's own code, against addr2line; instructions. */
#include "reader/capture.h"
#include "reader/disassemble.h"
#include "reader/inlines.h"
#include "reader/records.h"
#include "tests/test.h" /* last: it has a macro fail() */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct self {
	char path[400];
	struct dso_table *dsos;
	struct address_space *space;
	struct symbols *symbols;
	struct inlines *inlines;
	uint32_t dso;
};

static void self_open(struct self *s)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end, pgoff;
	char line[600], flags[8], path[500];
	ssize_t n = readlink("/proc/self/exe", s->path, sizeof(s->path) - 1);

	assert_true(n > 0);
	s->path[n] = '\0';
	s->dsos = dso_table_new();
	s->space = address_space_new(s->dsos);
	s->symbols = symbols_new(s->dsos, &(struct symbols_options){ .buildid_dir = "/nowhere" });
	s->inlines = inlines_new(s->symbols, true);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %499s", &start, &end, flags, &pgoff, path) == 5 &&
		    strcmp(path, s->path) == 0)
			s->dso = address_space_mmap(s->space, &(struct space_mmap){ .cpumode = CPUMODE_USER, .pid = 1,
									 .start = start, .size = end - start,
									 .pgoff = pgoff, .path = path });
	fclose(f);
}

static void self_close(struct self *s)
{
	inlines_free(s->inlines);
	symbols_free(s->symbols);
	address_space_free(s->space);
	dso_table_free(s->dsos);
}

/* Where a function of this program lies in its file, and how long it is. */
static struct symbol self_symbol(struct self *s, const void *function)
{
	uint64_t offset;
	uint32_t symbol;

	assert_true(address_space_find(s->space, 1, 0, CPUMODE_USER, (uint64_t)(uintptr_t)function, &s->dso, &offset));
	assert_true(symbols_find(s->symbols, s->dso, offset, &symbol, &offset));
	assert_int_equal(offset, 0);
	return symbols_get(s->symbols, symbol);
}

static const char *last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "??";
}

/* One line of addr2line's answer, without the end of line and "(discriminator 3)". */
static bool next_line(FILE *f, char *line, size_t size)
{
	if (!fgets(line, (int)size, f))
		return false;
	line[strcspn(line, "\n")] = '\0';
	if (strstr(line, " (discriminator"))
		*strstr(line, " (discriminator") = '\0';
	return true;
}

/* Each frame of one address: "function", then "file:line". */
static void compare_frames(FILE *f, uint64_t offset, const struct inline_frame *frames, size_t nr)
{
	char line[1000], ours[1000];

	for (size_t i = 0; i < nr; i++) {
		assert_true(next_line(f, line, sizeof(line)));
		if (strcmp(line, frames[i].function) != 0)
			fail_msg("offset %#" PRIx64 " frame %zu: %s is %s", offset, i, frames[i].function, line);
		assert_true(next_line(f, line, sizeof(line)));
		snprintf(ours, sizeof(ours), "%s:%" PRIu32, last_part(frames[i].file), frames[i].line);
		if (strcmp(last_part(line), ours) != 0)
			fail_msg("offset %#" PRIx64 " in %s: %s is %s", offset, frames[i].function, ours, line);
	}
}

/* Calls `visit` for every second byte of two functions into which others are inlined. */
static void each_offset(struct self *s, FILE *f, void (*visit)(struct self *s, FILE *f, uint64_t offset))
{
	const void *functions[] = { (const void *)(uintptr_t)record_mmap, (const void *)(uintptr_t)record_fork };

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		struct symbol y = self_symbol(s, functions[i]);

		for (uint64_t offset = y.start; offset < y.start + y.size; offset += 2)
			visit(s, f, offset);
	}
}

static void write_address(struct self *s, FILE *f, uint64_t offset)
{
	uint64_t address = 0;

	assert_true(symbols_linked_address(s->symbols, s->dso, offset, &address));
	fprintf(f, "%#" PRIx64 "\n", address);
}

static void compare_address(struct self *s, FILE *f, uint64_t offset)
{
	const struct inline_frame *frames;
	size_t nr = inlines_find(s->inlines, s->dso, offset, &frames);
	char line[1000];

	assert_true(next_line(f, line, sizeof(line))); /* the address */
	compare_frames(f, offset, frames, nr);
}

/* The cursor of reader/bytes.h is inlined into these functions, two and three deep. */
static void equals_addr2line(void **state)
{
	char list[] = "/tmp/perftab-test-XXXXXX", command[900];
	const struct inline_frame *frames;
	struct self s;
	FILE *f;
	int fd;

	(void)state;
	self_open(&s);
	if (!inlines_find(s.inlines, s.dso, self_symbol(&s, (const void *)(uintptr_t)record_mmap).start, &frames)) {
		self_close(&s);
		skip(); /* built without -g */
	}
	fd = mkstemp(list);
	f = fdopen(fd, "w");
	assert_non_null(f);
	each_offset(&s, f, write_address);
	assert_int_equal(fclose(f), 0);
	snprintf(command, sizeof(command), "addr2line -a -i -f -e %s < %s", s.path, list);
	f = popen(command, "r");
	assert_non_null(f);
	each_offset(&s, f, compare_address);
	pclose(f);
	unlink(list);
	self_close(&s);
}

static void tells_lines(void **state)
{
	const char *file = NULL;
	uint32_t line = 0;
	struct symbol y;
	struct self s;

	(void)state;
	self_open(&s);
	y = self_symbol(&s, (const void *)(uintptr_t)last_part);
	if (inlines_line(s.inlines, s.dso, y.start, &file, &line)) {
		assert_string_equal(last_part(file), "test_inlines.c");
		assert_in_range(line, 60, 80);
	}
	assert_false(inlines_line(s.inlines, DSO_ID_UNKNOWN, 0x1234, &file, &line));
	assert_false(inlines_line(s.inlines, s.dso, UINT64_MAX - 5, &file, &line));
	self_close(&s);
}

static void disassembles(void **state)
{
	static const struct {
		unsigned machine;
		uint8_t code[8];
		size_t size, length;
		const char *text;
	} rows[] = {
		{ 62, { 0x48, 0x0f, 0xaf, 0xc2 }, 4, 4, "imulq %rdx, %rax" },
		{ 62, { 0xc3, 0x90 }, 2, 1, "retq" },
		{ 62, { 0x0f, 0xa2 }, 2, 2, "cpuid" },
		{ 62, { 0x48, 0x0f }, 2, 0, "" }, /* cut off */
		{ 62, { 0 }, 0, 0, "" },
		{ 183, { 0xc0, 0x03, 0x5f, 0xd6 }, 4, 4, "ret" },
	};

	(void)state;
	assert_null(disassembler_open(0));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct disassembler *d = disassembler_open(rows[i].machine);
		char text[100] = "";

		if (!d)
			skip(); /* built without libcapstone */
		assert_int_equal(disassemble(d, 0x1000, rows[i].code, rows[i].size, text, sizeof(text)), rows[i].length);
		assert_string_equal(text, rows[i].text);
		disassembler_close(d);
	}
}

/* The bytes of the file are those that run. */
static void gives_code(void **state)
{
	uint8_t bytes[16];
	struct symbol y;
	struct self s;

	(void)state;
	self_open(&s);
	y = self_symbol(&s, (const void *)(uintptr_t)record_fork);
	assert_int_equal(symbols_code(s.symbols, s.dso, y.start, bytes, sizeof(bytes)), sizeof(bytes));
	assert_memory_equal(bytes, (const void *)(uintptr_t)record_fork, sizeof(bytes));
	assert_int_equal(symbols_code(s.symbols, s.dso, UINT64_MAX, bytes, sizeof(bytes)), 0);
	assert_int_equal(symbols_code(s.symbols, DSO_ID_UNKNOWN, 0, bytes, sizeof(bytes)), 0);
	assert_int_not_equal(symbols_machine(s.symbols, s.dso), 0);
	self_close(&s);
}

static const struct CMUnitTest list[] = {
	cmocka_unit_test(equals_addr2line),
	cmocka_unit_test(tells_lines),
	cmocka_unit_test(disassembles),
	cmocka_unit_test(gives_code),
};

TEST_MODULE(inlines, list);
