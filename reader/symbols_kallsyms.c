// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of "ffffffff81000000 T _text" and, for modules, "\t[name]" behind.  Symbols have
 * no sizes, so all are read and sorted together before one dso's are taken out.
 */
#include "reader/symbols_kallsyms.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "reader/bytes.h"

struct line {
	uint64_t address;
	char type;
	const char *name;
	const char *module; /* "[nf_tables]" or NULL */
};

static bool is_code_or_data(char type)
{
	return type && strchr("TtWwDdBb", type);
}

/* Cuts `text` in place. */
static bool parse_line(char *text, struct line *ret)
{
	char *end, *tab;

	text[strcspn(text, "\n")] = '\0';
	ret->address = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	ret->type = end[1];
	ret->name = end + 3;
	tab = strchr(end + 3, '\t');
	ret->module = tab ? tab + 1 : NULL;
	return true;
}

static enum symbol_binding binding_of(char type)
{
	if (type == 'W' || type == 'w')
		return BINDING_WEAK;
	return type >= 'A' && type <= 'Z' ? BINDING_GLOBAL : BINDING_LOCAL;
}

/*
 * All symbols by their addresses in the file; the module stays in the name, where the
 * table sees it.  Notes where ref_symbol is.
 */
static void read_all(FILE *f, struct symbol_table *all, const char *ref_symbol, uint64_t *ref, bool *ref_found)
{
	char *text = NULL;
	struct line l;
	size_t room = 0;

	while (getline(&text, &room, f) > 0) {
		if (!parse_line(text, &l))
			continue;
		if (ref_symbol && !l.module && !*ref_found && (l.type == 'T' || l.type == 't') &&
		    strcmp(l.name, ref_symbol) == 0) {
			*ref = l.address;
			*ref_found = true;
		}
		if (is_code_or_data(l.type) && l.name[0] != '$')
			symbol_table_add(all, l.address, 0, binding_of(l.type), l.name, SIZE_MAX);
	}
	free(text);
}

/* "name\t[module]" belongs to the dso of that name; a name without module to the kernel. */
static bool belongs(const char *name, const struct dso *dso)
{
	const char *tab = strchr(name, '\t');

	if (dso->kind == DSO_MODULE || dso->kind == DSO_GUEST_MODULE)
		return tab && strcmp(tab + 1, dso->name) == 0;
	return !tab;
}

static void take(struct symbol_table *t, const struct symbol_table *all, const struct dso *dso, uint64_t minus)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct symbol_entry *s = &all->entries[i];
		const char *name = all->names + s->name;

		if (belongs(name, dso))
			symbol_table_add(t, s->start - minus, s->size, (enum symbol_binding)s->binding, name,
					 strcspn(name, "\t"));
	}
	symbol_table_settle(t, ENDS_KEEP);
}

const char *kallsyms_load(struct symbol_table *t, const char *path, const struct dso *dso)
{
	bool module = dso->kind == DSO_MODULE || dso->kind == DSO_GUEST_MODULE, found = false;
	FILE *f = fopen(path, "re");
	struct symbol_table all;
	uint64_t ref = 0;
	const char *why = NULL;

	if (!f)
		return "it cannot be read";
	symbol_table_init(&all, false);
	read_all(f, &all, module ? NULL : dso->ref_symbol, &ref, &found);
	fclose(f);
	symbol_table_settle(&all, ENDS_KALLSYMS);
	if (!all.nr || !all.entries[all.nr - 1].start)
		why = "its addresses are hidden";
	else if (!module && dso->ref_symbol && !found)
		why = "it lacks the symbol that the capture names";
	else if (module)
		take(t, &all, dso, dso->ref_address);
	else
		take(t, &all, dso, found ? ref - dso->ref_address : 0);
	symbol_table_release(&all);
	return why;
}

/* ELF notes: {name size, size, type} and both padded to 4; in the machine's byte order. */
static bool note_build_id(struct bytes notes, struct build_id *ret)
{
	struct cursor c = cur_new(notes, false);

	while (cur_left(&c) >= 12) {
		uint32_t name_size = cur_u32(&c), size = cur_u32(&c), type = cur_u32(&c);
		const uint8_t *name = cur_take(&c, ((size_t)name_size + 3) & ~(size_t)3);
		const uint8_t *body = cur_take(&c, ((size_t)size + 3) & ~(size_t)3);

		if (!name || !body)
			return false;
		if (type != NT_GNU_BUILD_ID || name_size != 4 || memcmp(name, "GNU", 4) != 0)
			continue;
		ret->size = size < sizeof(ret->bytes) ? (uint8_t)size : (uint8_t)sizeof(ret->bytes);
		memcpy(ret->bytes, body, ret->size);
		return true;
	}
	return false;
}

bool kernel_is_running(const char *os_release, const struct build_id *id)
{
	struct build_id its = { 0 };
	struct utsname name;
	uint8_t notes[4096];
	FILE *f;
	size_t size;

	if (!os_release || !id->size || uname(&name) || strcmp(name.release, os_release) != 0)
		return false;
	f = fopen("/sys/kernel/notes", "re");
	if (!f)
		return false;
	size = fread(notes, 1, sizeof(notes), f);
	fclose(f);
	return note_build_id((struct bytes){ notes, size }, &its) && build_id_equal(&its, id);
}
