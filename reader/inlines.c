// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source lines and inlined functions by libdw, and the only file that uses it for
 * that.  Debug information has no index of its own that can be relied on (clang and
 * rustc write none), so the ranges of the compilation units are sorted once for a dso.
 */
#include "reader/inlines.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdw.h>

#include "reader/arena.h"
#include "reader/demangle.h"

enum { CACHE = 4096, MOST_FRAMES = 64 };

/* Addresses [low, high) belong to a compilation unit. */
struct unit_range {
	uint64_t low, high;
	Dwarf_Off unit;
};

struct debug {
	Dwarf *dwarf; /* NULL: there is none */
	int fd;
	struct unit_range *ranges;
	size_t nr, room;
};

/* An address that was asked for before. */
struct cached {
	bool valid;
	uint32_t dso;
	uint64_t offset;
	const struct inline_frame *frames;
	size_t nr;
};

struct inlines {
	struct symbols *symbols;
	bool demangle;
	struct arena *arena;
	struct debug **debug; /* by dso; NULL: not asked yet */
	size_t nr_debug;
	struct cached cache[CACHE];
};

struct inlines *inlines_new(struct symbols *symbols, bool demangle)
{
	struct inlines *in = must_alloc(sizeof(*in));

	in->symbols = symbols;
	in->demangle = demangle;
	in->arena = arena_new();
	return in;
}

void inlines_free(struct inlines *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->nr_debug; i++) {
		if (!in->debug[i])
			continue;
		dwarf_end(in->debug[i]->dwarf);
		if (in->debug[i]->fd >= 0)
			close(in->debug[i]->fd);
		free(in->debug[i]->ranges);
		free(in->debug[i]);
	}
	free(in->debug);
	arena_free(in->arena);
	free(in);
}

/* ---- compilation units ---- */

static void add_ranges(struct debug *d, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		if (d->nr == d->room) {
			d->room = d->room ? 2 * d->room : 64;
			d->ranges = must_realloc(d->ranges, d->room, sizeof(*d->ranges));
		}
		d->ranges[d->nr++] = (struct unit_range){ low, high, dwarf_dieoffset(unit) };
	}
}

static int by_low(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static void sort_units(struct debug *d)
{
	Dwarf_Off at = 0, next;
	size_t header;
	Dwarf_Die unit;

	while (dwarf_nextcu(d->dwarf, at, &next, &header, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(d->dwarf, at + header, &unit))
			add_ranges(d, &unit);
		at = next;
	}
	if (d->nr)
		qsort(d->ranges, d->nr, sizeof(*d->ranges), by_low);
}

/* The unit that holds an address. */
static bool unit_of(const struct debug *d, uint64_t address, Dwarf_Die *ret)
{
	size_t low = 0, high = d->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (d->ranges[mid].low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || address >= d->ranges[low - 1].high)
		return false;
	return dwarf_offdie(d->dwarf, d->ranges[low - 1].unit, ret);
}

static struct debug *debug_open(const char *path)
{
	struct debug *d = must_alloc(sizeof(*d));

	d->fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (d->fd >= 0)
		d->dwarf = dwarf_begin(d->fd, DWARF_C_READ);
	if (d->dwarf)
		sort_units(d);
	return d;
}

static struct debug *debug_of(struct inlines *in, uint32_t dso)
{
	if (dso >= in->nr_debug) {
		size_t nr = (size_t)dso + 1;

		in->debug = must_realloc(in->debug, nr, sizeof(*in->debug));
		memset(in->debug + in->nr_debug, 0, (nr - in->nr_debug) * sizeof(*in->debug));
		in->nr_debug = nr;
	}
	if (!in->debug[dso])
		in->debug[dso] = debug_open(symbols_debug_file(in->symbols, dso));
	return in->debug[dso];
}

/* ---- frames ---- */

static const char *function_name(struct inlines *in, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));
	char *text;

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a));
	text = name && in->demangle ? demangle(name) : NULL;
	if (text) {
		name = arena_strdup(in->arena, text);
		free(text);
	}
	if (!name)
		name = dwarf_diename(die);
	return name ? name : "?";
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (!dwarf_attr(die, attribute, &a) || dwarf_formudata(&a, &v) || v > UINT32_MAX)
		return 0;
	return (uint32_t)v;
}

static bool line_at(Dwarf_Die *unit, uint64_t address, const char **file, uint32_t *line)
{
	Dwarf_Line *l = dwarf_getsrc_die(unit, address);
	int number;

	if (!l || dwarf_lineno(l, &number))
		return false;
	*file = dwarf_linesrc(l, NULL, NULL);
	*line = (uint32_t)number;
	return true;
}

/* Where an inlined function was called. */
static void call_line(Dwarf_Die *unit, Dwarf_Die *inlined, const char **file, uint32_t *line)
{
	Dwarf_Files *files;
	size_t nr;
	uint32_t index = number_of(inlined, DW_AT_call_file);

	*line = number_of(inlined, DW_AT_call_line);
	*file = dwarf_getsrcfiles(unit, &files, &nr) == 0 && index < nr ? dwarf_filesrc(files, index, NULL, NULL) : NULL;
}

/* From the innermost scope outwards; what is no function is passed over. */
static size_t frames_of(struct inlines *in, Dwarf_Die *unit, uint64_t address, struct inline_frame *ret)
{
	Dwarf_Die *around = NULL, *chain = NULL;
	const char *file = NULL;
	uint32_t line = 0;
	size_t nr = 0;
	int n = dwarf_getscopes(unit, address, &around);

	/* The scopes around an inlined function are those of its definition; its parents are what is asked for. */
	n = n > 0 ? dwarf_getscopes_die(&around[0], &chain) : 0;
	line_at(unit, address, &file, &line);
	for (int i = 0; i < n && nr < MOST_FRAMES; i++) {
		int tag = dwarf_tag(&chain[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		ret[nr++] = (struct inline_frame){ function_name(in, &chain[i]), file, line };
		if (tag == DW_TAG_subprogram)
			break;
		call_line(unit, &chain[i], &file, &line);
	}
	free(chain);
	free(around);
	return nr;
}

static struct cached *cached_of(struct inlines *in, uint32_t dso, uint64_t offset)
{
	uint64_t h = (offset ^ (uint64_t)dso << 32) * 0x9e3779b97f4a7c15ull;

	return &in->cache[h >> 32 & (CACHE - 1)];
}

size_t inlines_find(struct inlines *in, uint32_t dso, uint64_t offset, const struct inline_frame **ret)
{
	struct cached *c = cached_of(in, dso, offset);
	struct inline_frame frames[MOST_FRAMES], *kept;
	struct debug *d;
	uint64_t address;
	Dwarf_Die unit;
	size_t nr = 0;

	if (!c->valid || c->dso != dso || c->offset != offset) {
		d = debug_of(in, dso);
		if (d->dwarf && symbols_linked_address(in->symbols, dso, offset, &address) && unit_of(d, address, &unit))
			nr = frames_of(in, &unit, address, frames);
		kept = arena_alloc(in->arena, nr * sizeof(*kept));
		memcpy(kept, frames, nr * sizeof(*kept));
		*c = (struct cached){ true, dso, offset, kept, nr };
	}
	*ret = c->frames;
	return c->nr;
}

bool inlines_line(struct inlines *in, uint32_t dso, uint64_t offset, const char **ret_file, uint32_t *ret_line)
{
	struct debug *d = debug_of(in, dso);
	uint64_t address;
	Dwarf_Die unit;

	return d->dwarf && symbols_linked_address(in->symbols, dso, offset, &address) && unit_of(d, address, &unit) &&
	       line_at(&unit, address, ret_file, ret_line);
}
