/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of one dso: a sorted array and one piece of memory for the names.  A
 * loader (symbols_elf.c, symbols_kallsyms.c, …) adds what it finds and settles; where
 * several symbols share an address one is chosen, by the rules of perf, so that both
 * name the same function.
 */
#ifndef PERFTAB_SYMBOL_TABLE_H
#define PERFTAB_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SYMBOL_NOT_FOUND = UINT32_MAX };

enum symbol_binding { BINDING_LOCAL, BINDING_GLOBAL, BINDING_WEAK };

struct symbol_entry {
	uint64_t start;
	uint32_t size;    /* 0: only its first address is its own */
	uint32_t name;    /* in names[] */
	uint32_t around;  /* the nearest entry before it that ends later, or SYMBOL_NOT_FOUND */
	uint32_t id : 29; /* for the owner: 0 when new */
	uint32_t binding : 2;
	uint32_t guessed : 1; /* the size: it ends where another begins */
};

struct symbol_table {
	struct symbol_entry *entries;
	size_t nr, room;
	char *names;
	size_t names_used, names_room;
	bool demangle; /* names are shown demangled: the choice looks at those */
	bool latest;   /* of several symbols at an address the one that was added last is chosen */
	size_t last;   /* entry of the last hit */
	uint32_t *begins; /* the range of starts in equal parts: the first entry of each part */
	size_t nr_parts;
	unsigned shift;   /* a part is 1 << shift wide */
};

void symbol_table_init(struct symbol_table *t, bool demangle);
void symbol_table_release(struct symbol_table *t);

/* `name` is copied up to its NUL or `max` bytes.  False when the table is full (4 GiB of names). */
bool symbol_table_add(struct symbol_table *t, uint64_t start, uint64_t size, enum symbol_binding binding,
		      const char *name, size_t max);

/* How symbols without a size get one. */
enum symbol_ends {
	ENDS_KEEP,     /* they get none */
	ENDS_AT_NEXT,  /* up to the next symbol */
	ENDS_KALLSYMS, /* the same, but a page where one module ends and another begins */
};

/* Sorts, gives sizes, chooses.  May be called again after more were added. */
void symbol_table_settle(struct symbol_table *t, enum symbol_ends ends);

/* The entry that holds the offset, or SYMBOL_NOT_FOUND.  Only after settling. */
uint32_t symbol_table_find(struct symbol_table *t, uint64_t offset);

static inline const char *symbol_table_name(const struct symbol_table *t, uint32_t entry)
{
	return t->names + t->entries[entry].name;
}

#endif
