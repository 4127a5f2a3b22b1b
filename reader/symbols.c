// SPDX-License-Identifier: GPL-2.0-only
/*
 * The facade: loads the symbols of a dso when they are first needed, and gives numbers
 * to those that are hit.
 */
#include "reader/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "reader/arena.h"
#include "reader/debuginfod.h"
#include "reader/demangle.h"
#include "reader/symbols_elf.h"
#include "reader/symbols_jitdump.h"
#include "reader/symbols_kallsyms.h"
#include "reader/symbols_perfmap.h"
#include "reader/symbols_where.h"

/* What is known of one dso. */
struct loaded {
	struct symbol_table table;
	uint32_t rest;                /* number + 1 of the symbol that stands for the others; 0: none yet */
	const char *file, *debug_file; /* of the arena, or NULL */
	struct elf_file *runs;        /* `file`, open; NULL where there is none */
	uint64_t shift;               /* a vmlinux: address while recording less that as linked */
};

/* A symbol that was hit; `entry` SYMBOL_NOT_FOUND: stands for its dso. */
struct hit {
	uint32_t dso, entry;
	const char *name;
};

struct symbols {
	const struct dso_table *dsos;
	struct arena *arena;
	struct where *where;
	bool demangle, want_debuginfod, asked_debuginfod;
	struct debuginfod *debuginfod;
	const char *release, *hostname;
	struct loaded **loaded; /* by dso; NULL: not asked yet */
	size_t nr_loaded;
	struct hit *hits;
	size_t nr_hits, room_hits;
	struct wanted_file *wanted;
	size_t nr_wanted, room_wanted;
};

struct symbols *symbols_new(const struct dso_table *dsos, const struct symbols_options *o)
{
	struct symbols *s = must_alloc(sizeof(*s));

	s->dsos = dsos;
	s->arena = arena_new();
	s->where = where_new(o);
	s->demangle = !o->no_demangle;
	s->want_debuginfod = o->debuginfod;
	s->release = o->os_release ? arena_strdup(s->arena, o->os_release) : NULL;
	s->hostname = o->hostname ? arena_strdup(s->arena, o->hostname) : NULL;
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_loaded; i++) {
		if (!s->loaded[i])
			continue;
		symbol_table_release(&s->loaded[i]->table);
		elf_file_close(s->loaded[i]->runs);
		free(s->loaded[i]);
	}
	debuginfod_close(s->debuginfod);
	free(s->loaded);
	free(s->hits);
	free(s->wanted);
	where_free(s->where);
	arena_free(s->arena);
	free(s);
}

static void want(struct symbols *s, uint32_t dso, const char *reason)
{
	if (s->nr_wanted == s->room_wanted) {
		s->room_wanted = s->room_wanted ? 2 * s->room_wanted : 16;
		s->wanted = must_realloc(s->wanted, s->room_wanted, sizeof(*s->wanted));
	}
	s->wanted[s->nr_wanted++] = (struct wanted_file){ dso, dso_table_get(s->dsos, dso)->path, reason };
}

/* ---- programs and libraries ---- */

/* The pair of files that is looked for, and why others were passed over. */
struct pair {
	struct build_id id;
	struct elf_file *symbols, *runs; /* the first with all symbols, the first with a dynamic part */
	const char *symbols_path, *runs_path;
	const char *reason;
};

static void pair_close(struct pair *p)
{
	if (p->runs != p->symbols)
		elf_file_close(p->runs);
	elf_file_close(p->symbols);
}

static bool pair_complete(const struct pair *p)
{
	return p->symbols && p->runs;
}

static const char *differs(struct symbols *s, const char *path, const struct build_id *its, const struct build_id *id)
{
	char a[41], b[41];

	build_id_text(its, a);
	build_id_text(id, b);
	return arena_printf(s->arena, "build-id differs: %s has %s, the capture has %s", path, *a ? a : "none", b);
}

/* Keeps the file where it is wanted and is the right one. */
static void pair_try(struct symbols *s, struct pair *p, const char *path)
{
	struct elf_file *f = elf_file_open(path);
	struct build_id its;
	bool used = false;

	if (!f)
		return;
	elf_file_build_id(f, &its);
	if (p->id.size && !build_id_equal(&its, &p->id)) {
		if (!p->reason)
			p->reason = differs(s, path, &its, &p->id);
		elf_file_close(f);
		return;
	}
	if (!p->symbols && elf_file_has_symtab(f)) {
		p->symbols = f;
		p->symbols_path = arena_strdup(s->arena, path);
		used = true;
	}
	if (!p->runs && elf_file_has_dynsym(f)) {
		p->runs = f;
		p->runs_path = arena_strdup(s->arena, path);
		used = true;
	}
	if (!used)
		elf_file_close(f);
}

static struct debuginfod *server(struct symbols *s)
{
	if (s->want_debuginfod && !s->asked_debuginfod) {
		s->asked_debuginfod = true;
		s->debuginfod = debuginfod_open();
	}
	return s->debuginfod;
}

static void pair_try_server(struct symbols *s, struct pair *p)
{
	char *path;

	if (!p->symbols && (path = debuginfod_debug_file(server(s), &p->id))) {
		pair_try(s, p, path);
		free(path);
	}
	if (!p->runs && (path = debuginfod_program(server(s), &p->id))) {
		pair_try(s, p, path);
		free(path);
	}
}

/* A capture without build-ids: that of the file at its path speaks for the other candidates. */
static struct build_id id_at_path(const struct symbols *s, const struct dso *d)
{
	char *path = where_file(s->where, d->path);
	struct elf_file *f = d->path[0] == '/' ? elf_file_open(path) : NULL;
	struct build_id id = { 0 };

	if (f)
		elf_file_build_id(f, &id);
	elf_file_close(f);
	free(path);
	return id;
}

static void pair_find(struct symbols *s, const struct dso *d, struct pair *ret)
{
	struct path_list places = { 0 };

	*ret = (struct pair){ .id = d->build_id };
	if (!ret->id.size)
		ret->id = id_at_path(s, d);
	where_elf(s->where, d, &ret->id, &places);
	for (size_t i = 0; i < places.nr && !pair_complete(ret); i++)
		pair_try(s, ret, places.at[i]);
	path_list_free(&places);
	if (!pair_complete(ret))
		pair_try_server(s, ret);
}

static void load_program(struct symbols *s, uint32_t id, const struct dso *d, struct loaded *l)
{
	struct pair p;

	pair_find(s, d, &p);
	l->file = p.runs_path ? p.runs_path : p.symbols_path;
	l->debug_file = p.symbols_path ? p.symbols_path : p.runs_path;
	if (p.symbols || p.runs)
		elf_load_program(&l->table, p.symbols ? p.symbols : p.runs, p.runs ? p.runs : p.symbols);
	if (!p.symbols && !p.runs)
		want(s, id, p.reason ? p.reason : "not found");
	else if (!l->table.nr)
		want(s, id, "no symbols in it");
	else if (!p.symbols)
		want(s, id, "only exported functions: no debug file found");
	l->runs = p.runs ? p.runs : p.symbols;
	if (p.runs && p.symbols != p.runs)
		elf_file_close(p.symbols);
}

/* ---- the kernel ---- */

static const struct dso *the_kernel(const struct symbols *s)
{
	for (uint32_t i = DSO_ID_FIRST; i < dso_table_count(s->dsos); i++)
		if (dso_table_get(s->dsos, i)->kind == DSO_KERNEL)
			return dso_table_get(s->dsos, i);
	return NULL;
}

static bool load_vmlinux(struct symbols *s, const struct dso *d, struct loaded *l, const char **reason)
{
	struct path_list places = { 0 };
	struct build_id its;

	where_vmlinux(s->where, &d->build_id, &places);
	for (size_t i = 0; i < places.nr && !l->table.nr; i++) {
		struct elf_file *f = elf_file_open(places.at[i]);

		if (!f)
			continue;
		elf_file_build_id(f, &its);
		if (d->build_id.size && !build_id_equal(&its, &d->build_id)) {
			if (!*reason)
				*reason = differs(s, places.at[i], &its, &d->build_id);
		} else if (elf_load_kernel(&l->table, f, d->ref_symbol, d->ref_address, &l->shift) && l->table.nr) {
			l->file = l->debug_file = arena_strdup(s->arena, places.at[i]);
			l->runs = f;
			break;
		}
		elf_file_close(f);
	}
	path_list_free(&places);
	return l->table.nr;
}

static bool load_kallsyms(struct symbols *s, const struct dso *d, struct loaded *l, const char **reason)
{
	const struct dso *kernel = the_kernel(s);
	struct build_id id = kernel ? kernel->build_id : (struct build_id){ 0 };
	struct path_list places = { 0 };
	const char *why;

	where_kallsyms(s->where, &id, kernel_is_running(s->release, &id), &places);
	for (size_t i = 0; i < places.nr && !l->table.nr; i++) {
		FILE *there = fopen(places.at[i], "re");

		if (!there)
			continue;
		fclose(there);
		why = kallsyms_load(&l->table, places.at[i], d);
		if (why && !*reason)
			*reason = arena_printf(s->arena, "%s: %s", places.at[i], why);
	}
	path_list_free(&places);
	return l->table.nr;
}

static void load_kernel(struct symbols *s, uint32_t id, const struct dso *d, struct loaded *l)
{
	const char *reason = NULL;

	if (load_vmlinux(s, d, l, &reason) || load_kallsyms(s, d, l, &reason))
		return;
	want(s, id, reason ? reason : "not found: a vmlinux or a copy of /proc/kallsyms");
}

static void load_module(struct symbols *s, uint32_t id, const struct dso *d, struct loaded *l)
{
	struct pair p;

	pair_find(s, d, &p);
	if (p.symbols && p.id.size && d->build_id.size) {
		elf_load_module(&l->table, p.symbols);
		l->file = l->debug_file = p.symbols_path;
	}
	if (!l->table.nr && !load_kallsyms(s, d, l, &p.reason))
		want(s, id, p.reason ? p.reason : "not found, nor a copy of /proc/kallsyms");
	pair_close(&p);
}

/* ---- what has no file of its own ---- */

static void load_vdso(struct symbols *s, uint32_t id, const struct dso *d, struct loaded *l)
{
	struct elf_file *own = elf_file_own_vdso();
	const struct dso *kernel = the_kernel(s);
	struct build_id its = { 0 };
	struct pair p;

	pair_find(s, d, &p);
	if (own)
		elf_file_build_id(own, &its);
	if (p.symbols || p.runs)
		elf_load_program(&l->table, p.symbols ? p.symbols : p.runs, p.runs ? p.runs : p.symbols);
	else if (own && (d->build_id.size ? build_id_equal(&its, &d->build_id) :
					    kernel && kernel_is_running(s->release, &kernel->build_id)))
		elf_load_program(&l->table, own, own);
	if (!l->table.nr)
		want(s, id, "not found: perf record keeps it in ~/.debug");
	pair_close(&p);
	elf_file_close(own);
}

/* Was the capture made here?  A file of /tmp says nothing about another machine's process. */
static bool made_here(const struct symbols *s)
{
	const struct dso *kernel = the_kernel(s);
	struct utsname name;

	if (!s->hostname || !s->release || uname(&name))
		return false;
	if (strcmp(name.nodename, s->hostname) != 0 || strcmp(name.release, s->release) != 0)
		return false;
	return !kernel || !kernel->build_id.size || kernel_is_running(s->release, &kernel->build_id);
}

static void load_first(struct symbols *s, uint32_t id, const struct dso *d, struct loaded *l,
		       bool (*load)(struct symbol_table *, const char *))
{
	struct path_list places = { 0 };
	bool done = false;

	where_beside(s->where, d->path, made_here(s), &places);
	for (size_t i = 0; i < places.nr && !done; i++)
		done = load(&l->table, places.at[i]);
	path_list_free(&places);
	if (!done)
		want(s, id, "not found, neither below --symfs nor beside the capture");
}

static void load(struct symbols *s, uint32_t id, struct loaded *l)
{
	const struct dso *d = dso_table_get(s->dsos, id);

	symbol_table_init(&l->table, s->demangle && d->kind == DSO_FILE);
	switch (d->kind) {
	case DSO_FILE:
		if (jitdump_is_name(d->path))
			load_first(s, id, d, l, jitdump_load);
		else
			load_program(s, id, d, l);
		break;
	case DSO_KERNEL:
		load_kernel(s, id, d, l);
		break;
	case DSO_MODULE:
		load_module(s, id, d, l);
		break;
	case DSO_VDSO:
		load_vdso(s, id, d, l);
		break;
	case DSO_JIT:
		load_first(s, id, d, l, perfmap_load);
		break;
	case DSO_KSYMBOL:
		symbol_table_add(&l->table, 0, d->size, BINDING_GLOBAL, d->name, SIZE_MAX);
		symbol_table_settle(&l->table, ENDS_KEEP);
		break;
	case DSO_GUEST_KERNEL:
	case DSO_GUEST_MODULE:
		want(s, id, "symbols of guests are not looked for");
		break;
	case DSO_UNKNOWN:
		break;
	}
}

static struct loaded *loaded_of(struct symbols *s, uint32_t dso)
{
	struct loaded *l;

	if (dso >= s->nr_loaded) {
		size_t nr = dso_table_count(s->dsos);

		s->loaded = must_realloc(s->loaded, nr, sizeof(*s->loaded));
		memset(s->loaded + s->nr_loaded, 0, (nr - s->nr_loaded) * sizeof(*s->loaded));
		s->nr_loaded = nr;
	}
	l = s->loaded[dso];
	if (l)
		return l;
	l = must_alloc(sizeof(*l));
	s->loaded[dso] = l;
	load(s, dso, l);
	return l;
}

/* ---- questions ---- */

static uint32_t there_is(const struct symbols *s, uint32_t dso)
{
	return dso < dso_table_count(s->dsos) ? dso : DSO_ID_UNKNOWN;
}

static uint32_t new_hit(struct symbols *s, uint32_t dso, uint32_t entry, const char *name)
{
	if (s->nr_hits == s->room_hits) {
		s->room_hits = s->room_hits ? 2 * s->room_hits : 256;
		s->hits = must_realloc(s->hits, s->room_hits, sizeof(*s->hits));
	}
	s->hits[s->nr_hits] = (struct hit){ dso, entry, name };
	return (uint32_t)s->nr_hits++;
}

/* The name as it is shown. */
static const char *shown(struct symbols *s, const struct symbol_table *t, uint32_t entry)
{
	char *text = t->demangle ? demangle(symbol_table_name(t, entry)) : NULL;
	const char *kept;

	if (!text)
		return symbol_table_name(t, entry);
	kept = arena_strdup(s->arena, text);
	free(text);
	return kept;
}

static const char *name_of_rest(struct symbols *s, const struct dso *d)
{
	const char *slash = strrchr(d->name, '/');

	if (d->name[0] == '[')
		return d->name;
	return arena_printf(s->arena, "[%s]", slash && slash[1] ? slash + 1 : d->name);
}

bool symbols_find(struct symbols *s, uint32_t dso, uint64_t offset, uint32_t *ret_symbol, uint64_t *ret_offset)
{
	struct loaded *l = dso < s->nr_loaded ? s->loaded[dso] : NULL;
	struct symbol_entry *e;
	uint32_t at;

	if (!l) {
		dso = there_is(s, dso);
		l = loaded_of(s, dso);
	}
	at = symbol_table_find(&l->table, offset);

	if (at == SYMBOL_NOT_FOUND) {
		if (!l->rest)
			l->rest = 1 + new_hit(s, dso, SYMBOL_NOT_FOUND, name_of_rest(s, dso_table_get(s->dsos, dso)));
		*ret_symbol = l->rest - 1;
		*ret_offset = offset;
		return false;
	}
	e = &l->table.entries[at];
	if (!e->id)
		e->id = (1 + new_hit(s, dso, at, shown(s, &l->table, at))) & 0x1fffffff;
	*ret_symbol = e->id - 1;
	*ret_offset = offset - e->start;
	return true;
}

struct symbol symbols_get(const struct symbols *s, uint32_t symbol)
{
	const struct hit *h = &s->hits[symbol];
	const struct symbol_table *t = &s->loaded[h->dso]->table;
	struct symbol ret = { .dso = h->dso, .known = h->entry != SYMBOL_NOT_FOUND, .name = h->name };

	if (ret.known) {
		ret.start = t->entries[h->entry].start;
		ret.size = t->entries[h->entry].size;
	}
	return ret;
}

size_t symbols_count(const struct symbols *s)
{
	return s->nr_hits;
}

int symbols_print(const struct symbols *s, uint32_t symbol, uint64_t offset, char *ret, size_t size)
{
	struct symbol y = symbols_get(s, symbol);
	size_t n = strlen(y.name);

	if (!y.known)
		return snprintf(ret, size, "%.*s+0x%llx]", (int)(n ? n - 1 : 0), y.name, (unsigned long long)offset);
	if (!offset)
		return snprintf(ret, size, "%s", y.name);
	return snprintf(ret, size, "%s+0x%llx", y.name, (unsigned long long)offset);
}

size_t symbols_wanted(const struct symbols *s, const struct wanted_file **ret)
{
	*ret = s->wanted;
	return s->nr_wanted;
}

const char *symbols_file(struct symbols *s, uint32_t dso)
{
	return loaded_of(s, there_is(s, dso))->file;
}

const char *symbols_debug_file(struct symbols *s, uint32_t dso)
{
	return loaded_of(s, there_is(s, dso))->debug_file;
}

bool symbols_linked_address(struct symbols *s, uint32_t dso, uint64_t offset, uint64_t *ret)
{
	const struct loaded *l = loaded_of(s, there_is(s, dso));

	if (!l->runs)
		return false;
	if (dso_table_get(s->dsos, dso)->kind != DSO_KERNEL)
		return elf_file_address(l->runs, offset, ret);
	*ret = offset - l->shift;
	return true;
}

size_t symbols_code(struct symbols *s, uint32_t dso, uint64_t offset, void *ret, size_t size)
{
	const struct loaded *l = loaded_of(s, there_is(s, dso));

	if (!l->runs)
		return 0;
	if (dso_table_get(s->dsos, dso)->kind == DSO_KERNEL && !elf_file_offset(l->runs, offset - l->shift, &offset))
		return 0;
	return elf_file_code(l->runs, offset, ret, size);
}

unsigned symbols_machine(struct symbols *s, uint32_t dso)
{
	const struct loaded *l = loaded_of(s, there_is(s, dso));

	return l->runs ? elf_file_machine(l->runs) : 0;
}

void symbols_feed_jitdumps(struct symbols *s, struct address_space *a)
{
	for (uint32_t i = DSO_ID_FIRST; i < dso_table_count(s->dsos); i++) {
		const struct dso *d = dso_table_get(s->dsos, i);
		struct path_list places = { 0 };
		bool done = false;

		if (d->kind != DSO_FILE || !jitdump_is_name(d->path))
			continue;
		where_beside(s->where, d->path, made_here(s), &places);
		for (size_t p = 0; p < places.nr && !done; p++)
			done = jitdump_feed(a, i, places.at[p]);
		path_list_free(&places);
	}
}
