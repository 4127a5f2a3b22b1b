/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions as text, where perftab was built with libcapstone. */
#ifndef PERFTAB_DISASSEMBLE_H
#define PERFTAB_DISASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disassembler;

/* For an ELF machine number (62: x86-64).  NULL where it, or libcapstone, is not there. */
struct disassembler *disassembler_open(unsigned elf_machine);
void disassembler_close(struct disassembler *d); /* NULL is fine */

/*
 * The instruction at the begin of `code`, which lies at `address`: "imul %rax, %rdx" as
 * AT&T writes it on x86.  Its length, or 0 where the bytes are no instruction.
 */
size_t disassemble(struct disassembler *d, uint64_t address, const void *code, size_t size, char *ret, size_t room);

#endif
