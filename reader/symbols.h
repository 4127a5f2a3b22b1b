/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dso and offset  ->  function and offset in it, without the machine that was recorded.
 *
 * A dso's symbols are loaded at the first question about it.  Where they are looked for,
 * in this order: the folders of build-ids (--buildid-dir or ~/.debug, which is also what
 * an unpacked `perf archive` is, and the folder of the capture), debug files by
 * .gnu_debuglink and by build-id, the path in the capture; all paths below --symfs where
 * that is given.  A file whose build-id is not the capture's is not used.
 *
 * Symbols have numbers, given when they are first hit: sums by function are sums by
 * number.  An address without a symbol belongs to a symbol that stands for all of its
 * dso, and is shown as "[dso+0x1234]".
 */
#ifndef PERFTAB_SYMBOLS_H
#define PERFTAB_SYMBOLS_H

#include "reader/address_space.h"

struct symbols_options {
	const char *symfs;       /* stands for "/"; NULL: the paths are those of this machine */
	const char *buildid_dir; /* NULL: ~/.debug */
	const char *capture;     /* path of the capture: its folder is looked into; or NULL */
	const char *kallsyms;    /* a copy of the kernel's list (--kallsyms); or NULL */
	const char *vmlinux;     /* or NULL */
	const char *os_release;  /* of the capture; NULL: not known */
	const char *hostname;    /* of the capture; NULL: not known */
	bool debuginfod;         /* ask the servers of $DEBUGINFOD_URLS for what is not found */
	bool no_demangle;
};

/* One that was hit. */
struct symbol {
	uint32_t dso;
	bool known;       /* false: it stands for the addresses of a dso that no symbol holds */
	const char *name; /* demangled where asked; "[dso]" where not known */
	uint64_t start;   /* offset in the dso; 0 where not known */
	uint64_t size;    /* 0 where not known */
};

/* A file without which names are missing. */
struct wanted_file {
	uint32_t dso;
	const char *path;   /* as the capture has it */
	const char *reason; /* "not found", "build-id differs: /usr/bin/x has 1a2b…", … */
};

struct symbols;

/* The table must outlive it; the options are copied. */
struct symbols *symbols_new(const struct dso_table *dsos, const struct symbols_options *options);
void symbols_free(struct symbols *s); /* NULL is fine */

/* Always gives a symbol; false where it only stands for the dso. */
bool symbols_find(struct symbols *s, uint32_t dso, uint64_t offset, uint32_t *ret_symbol, uint64_t *ret_offset);

/* Numbers are 0 … symbols_count() - 1.  Pointers in the result live as long as the symbols. */
struct symbol symbols_get(const struct symbols *s, uint32_t symbol);
size_t symbols_count(const struct symbols *s);

/* "main+0x1f", "main", "[libc.so.6+0x26f90]" into `ret`; as snprintf. */
int symbols_print(const struct symbols *s, uint32_t symbol, uint64_t offset, char *ret, size_t size);

/* What was asked for and not found, in order of the first question. */
size_t symbols_wanted(const struct symbols *s, const struct wanted_file **ret);

/* ---- for lines and instructions: reader/inlines.h, reader/disassemble.h ---- */

/*
 * The file that ran and the one with its debug information (often the same).  NULL where
 * not found.
 */
const char *symbols_file(struct symbols *s, uint32_t dso);
const char *symbols_debug_file(struct symbols *s, uint32_t dso);

/* The address at which an offset was linked, which is what debug information speaks of. */
bool symbols_linked_address(struct symbols *s, uint32_t dso, uint64_t offset, uint64_t *ret);

/* Bytes of code as they are in the file that ran; the result says how many there are. */
size_t symbols_code(struct symbols *s, uint32_t dso, uint64_t offset, void *ret, size_t size);

/* The ELF number of the machine that a dso is for; 0 where not known. */
unsigned symbols_machine(struct symbols *s, uint32_t dso);

/*
 * Feeds the code of the jitdump files that were mapped.  After all records are fed and
 * before the first question; only for captures of CLOCK_MONOTONIC (clockid 1).
 */
void symbols_feed_jitdumps(struct symbols *s, struct address_space *a);

#endif
