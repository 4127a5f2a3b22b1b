/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols out of ELF files.  Programs are often two files: the one that runs, with the
 * dynamic symbols and the layout, and a debug file with all symbols.
 */
#ifndef PERFTAB_SYMBOLS_ELF_H
#define PERFTAB_SYMBOLS_ELF_H

#include "reader/dso.h"
#include "reader/symbol_table.h"

struct elf_file;

/* NULL where it is no ELF file that can be read.  Compressed ones (.ko.xz) are unpacked. */
struct elf_file *elf_file_open(const char *path);
/* The vdso of this process; NULL where there is none. */
struct elf_file *elf_file_own_vdso(void);
void elf_file_close(struct elf_file *f); /* NULL is fine */

bool elf_file_has_symtab(const struct elf_file *f);
bool elf_file_has_dynsym(const struct elf_file *f);
void elf_file_build_id(const struct elf_file *f, struct build_id *ret); /* size 0: it has none */
/* The name in .gnu_debuglink, or NULL; lives as long as the file. */
const char *elf_file_debuglink(const struct elf_file *f);

/*
 * A program, library or vdso: symbols by offset in the file that runs.  `symbols` and
 * `runs` may be the same.  With PLT entries as "name@plt".
 */
void elf_load_program(struct symbol_table *t, const struct elf_file *symbols, const struct elf_file *runs);

/*
 * A vmlinux: symbols by address while recording; *ret_shift is that less the address as
 * linked.  False where ref_symbol is not in it.
 */
bool elf_load_kernel(struct symbol_table *t, const struct elf_file *f, const char *ref_symbol, uint64_t ref_address,
		     uint64_t *ret_shift);

/* A .ko: symbols by offset from the start of its code. */
void elf_load_module(struct symbol_table *t, const struct elf_file *f);

/* Code bytes at an offset of the file; the result is what could be read, at most `size`. */
size_t elf_file_code(const struct elf_file *f, uint64_t offset, void *ret, size_t size);

/* Offset in the file that runs to address as linked, and back.  False where no segment has it. */
bool elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *ret);
bool elf_file_offset(const struct elf_file *f, uint64_t address, uint64_t *ret);

/* The machine's number in the header (62 is x86-64). */
unsigned elf_file_machine(const struct elf_file *f);

#endif
