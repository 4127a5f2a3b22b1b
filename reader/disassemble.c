// SPDX-License-Identifier: GPL-2.0-only
/* Instructions by libcapstone, and the only file that includes it. */
#include "reader/disassemble.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_CAPSTONE

#include <capstone.h> /* pkg-config names its folder */

#include "reader/arena.h"

struct disassembler {
	csh handle;
};

static bool machine_of(unsigned elf_machine, cs_arch *arch, cs_mode *mode)
{
	switch (elf_machine) {
	case EM_X86_64:
		*arch = CS_ARCH_X86;
		*mode = CS_MODE_64;
		return true;
	case EM_386:
		*arch = CS_ARCH_X86;
		*mode = CS_MODE_32;
		return true;
	case EM_AARCH64:
		*arch = CS_ARCH_ARM64;
		*mode = CS_MODE_ARM;
		return true;
	default:
		return false;
	}
}

struct disassembler *disassembler_open(unsigned elf_machine)
{
	struct disassembler *d;
	cs_arch arch;
	cs_mode mode;
	csh handle;

	if (!machine_of(elf_machine, &arch, &mode) || cs_open(arch, mode, &handle) != CS_ERR_OK)
		return NULL;
	if (arch == CS_ARCH_X86)
		cs_option(handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT); /* as perf annotate and objdump */
	d = must_alloc(sizeof(*d));
	d->handle = handle;
	return d;
}

void disassembler_close(struct disassembler *d)
{
	if (!d)
		return;
	cs_close(&d->handle);
	free(d);
}

size_t disassemble(struct disassembler *d, uint64_t address, const void *code, size_t size, char *ret, size_t room)
{
	cs_insn *one;
	size_t length;

	if (!cs_disasm(d->handle, code, size, address, 1, &one))
		return 0;
	snprintf(ret, room, "%s%s%s", one->mnemonic, one->op_str[0] ? " " : "", one->op_str);
	length = one->size;
	cs_free(one, 1);
	return length;
}

#else

struct disassembler *disassembler_open(unsigned elf_machine)
{
	(void)elf_machine;
	return NULL;
}

void disassembler_close(struct disassembler *d)
{
	(void)d;
}

size_t disassemble(struct disassembler *d, uint64_t address, const void *code, size_t size, char *ret, size_t room)
{
	(void)d;
	(void)address;
	(void)code;
	(void)size;
	(void)ret;
	(void)room;
	return 0;
}

#endif
