// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of ELF files by libelf.  Which symbols count, and that an address becomes an
 * offset by the segments of the file that runs, is as in perf, so that function and
 * offset come out equal.
 */
#include "reader/symbols_elf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "reader/arena.h"
#include "reader/demangle.h"

struct elf_file {
	Elf *elf;
	GElf_Ehdr header;
	size_t section_names;
	Elf_Scn *symtab, *dynsym;
};

/* A symbol section with its strings, checked once. */
struct symbol_section {
	Elf_Data *symbols, *strings;
	size_t nr;
};

/* ---- opening ---- */

static Elf_Scn *find_section(const struct elf_file *f, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *s = NULL;

	while ((s = elf_nextscn(f->elf, s))) {
		const char *its;

		if (!gelf_getshdr(s, ret))
			continue;
		its = elf_strptr(f->elf, f->section_names, ret->sh_name);
		if (its && strcmp(its, name) == 0)
			return s;
	}
	return NULL;
}

static Elf_Scn *find_symbols(const struct elf_file *f, const char *name, uint32_t type)
{
	GElf_Shdr header;
	Elf_Scn *s = find_section(f, name, &header);

	return s && header.sh_type == type ? s : NULL;
}

static struct elf_file *file_of(Elf *elf)
{
	struct elf_file *f;

	if (!elf)
		return NULL;
	f = must_alloc(sizeof(*f));
	f->elf = elf;
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &f->header) || elf_getshdrstrndx(elf, &f->section_names)) {
		elf_file_close(f);
		return NULL;
	}
	f->symtab = find_symbols(f, ".symtab", SHT_SYMTAB);
	f->dynsym = find_symbols(f, ".dynsym", SHT_DYNSYM);
	return f;
}

struct elf_file *elf_file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = dwelf_elf_begin(fd);
	if (elf)
		elf_cntl(elf, ELF_C_FDREAD); /* it may be closed now */
	close(fd);
	return file_of(elf);
}

/* The kernel maps it whole; how long it is, its own section table tells. */
static size_t vdso_size(const char *at)
{
	Elf64_Ehdr h;

	memcpy(&h, at, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	return h.e_shoff + (size_t)h.e_shnum * h.e_shentsize;
}

struct elf_file *elf_file_own_vdso(void)
{
	char *at = (char *)getauxval(AT_SYSINFO_EHDR);
	size_t size = at ? vdso_size(at) : 0;

	elf_version(EV_CURRENT);
	return size ? file_of(elf_memory(at, size)) : NULL;
}

void elf_file_close(struct elf_file *f)
{
	if (!f)
		return;
	elf_end(f->elf);
	free(f);
}

bool elf_file_has_symtab(const struct elf_file *f)
{
	return f->symtab;
}

bool elf_file_has_dynsym(const struct elf_file *f)
{
	return f->dynsym;
}

unsigned elf_file_machine(const struct elf_file *f)
{
	return f->header.e_machine;
}

void elf_file_build_id(const struct elf_file *f, struct build_id *ret)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(f->elf, &bytes);

	*ret = (struct build_id){ 0 };
	if (size <= 0)
		return;
	ret->size = (size_t)size < sizeof(ret->bytes) ? (uint8_t)size : (uint8_t)sizeof(ret->bytes);
	memcpy(ret->bytes, bytes, ret->size);
}

const char *elf_file_debuglink(const struct elf_file *f)
{
	GElf_Word crc;

	return dwelf_elf_gnu_debuglink(f->elf, &crc);
}

/* ---- addresses and offsets ---- */

/* The segment that holds an address. */
static bool segment_of(const struct elf_file *f, uint64_t address, GElf_Phdr *ret)
{
	size_t nr;

	if (elf_getphdrnum(f->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		uint64_t size;

		if (!gelf_getphdr(f->elf, (int)i, ret) || ret->p_type != PT_LOAD)
			continue;
		size = ret->p_memsz > ret->p_filesz ? ret->p_memsz : ret->p_filesz;
		if (address >= ret->p_vaddr && address - ret->p_vaddr < size)
			return true;
	}
	return false;
}

bool elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *ret)
{
	GElf_Phdr p;
	size_t nr;

	if (elf_getphdrnum(f->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		if (offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
			continue;
		*ret = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

bool elf_file_offset(const struct elf_file *f, uint64_t address, uint64_t *ret)
{
	GElf_Phdr p;

	if (!segment_of(f, address, &p) || address - p.p_vaddr >= p.p_filesz)
		return false;
	*ret = address - p.p_vaddr + p.p_offset;
	return true;
}

size_t elf_file_code(const struct elf_file *f, uint64_t offset, void *ret, size_t size)
{
	size_t whole;
	const char *raw = elf_rawfile(f->elf, &whole);

	if (!raw || offset >= whole)
		return 0;
	if (size > whole - offset)
		size = whole - offset;
	memcpy(ret, raw + offset, size);
	return size;
}

/* ---- which symbols ---- */

static bool open_symbols(const struct elf_file *f, Elf_Scn *section, struct symbol_section *ret)
{
	GElf_Shdr header;
	Elf_Scn *strings;

	if (!section || !gelf_getshdr(section, &header) || !header.sh_entsize)
		return false;
	strings = elf_getscn(f->elf, header.sh_link);
	ret->symbols = elf_getdata(section, NULL);
	ret->strings = strings ? elf_getdata(strings, NULL) : NULL;
	if (!ret->symbols || !ret->strings || !ret->strings->d_buf)
		return false;
	ret->nr = ret->symbols->d_size / header.sh_entsize;
	return true;
}

/* Its name and how long it can be; "" where there is none. */
static const char *symbol_name(const struct symbol_section *s, const GElf_Sym *sym, size_t *max)
{
	if (sym->st_name >= s->strings->d_size) {
		*max = 0;
		return "";
	}
	*max = s->strings->d_size - sym->st_name;
	return (const char *)s->strings->d_buf + sym->st_name;
}

static bool is_label(const GElf_Sym *sym)
{
	unsigned visible = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && visible != STV_HIDDEN && visible != STV_INTERNAL;
}

/* Functions, objects, and labels in code or data. */
static bool is_wanted(const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	if (!sym->st_name || sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT || is_label(sym);
}

/* "$a", "$d.4": marks of the assembler on ARM, not functions. */
static bool is_arm_mark(unsigned machine, const char *name, size_t max)
{
	return (machine == EM_ARM || machine == EM_AARCH64) && max > 2 && name[0] == '$' && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

static bool section_says(const struct elf_file *f, const GElf_Shdr *h, const char *word)
{
	const char *name = elf_strptr(f->elf, f->section_names, h->sh_name);

	return name && strstr(name, word);
}

/*
 * The section that a symbol lies in.  Debug files have the sections of the program
 * without their bytes; the place in the file is then that of the file that runs.
 */
static bool section_of(const struct elf_file *symbols, const struct elf_file *runs, const GElf_Sym *sym,
		       GElf_Shdr *ret, const struct elf_file **owner)
{
	Elf_Scn *s = elf_getscn(symbols->elf, sym->st_shndx);

	*owner = symbols;
	if (!s || !gelf_getshdr(s, ret) || !(ret->sh_flags & SHF_ALLOC))
		return false;
	if (ret->sh_type != SHT_NOBITS)
		return true;
	*owner = runs;
	s = elf_getscn(runs->elf, sym->st_shndx);
	return s && gelf_getshdr(s, ret);
}

static enum symbol_binding binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_WEAK:
		return BINDING_WEAK;
	case STB_GLOBAL:
		return BINDING_GLOBAL;
	default:
		return BINDING_LOCAL; /* GNU_UNIQUE as well */
	}
}

/* What becomes of a symbol's value; false: it is left out. */
typedef bool place_symbol(const struct elf_file *runs, const GElf_Shdr *section, const char *section_name,
			  uint64_t shift, uint64_t *value);

static bool place_in_program(const struct elf_file *runs, const GElf_Shdr *section, const char *section_name,
			     uint64_t shift, uint64_t *value)
{
	GElf_Phdr p;

	(void)section_name;
	(void)shift;
	if (segment_of(runs, *value, &p))
		*value += p.p_offset - p.p_vaddr;
	else
		*value += section->sh_offset - section->sh_addr;
	return true;
}

static bool place_in_kernel(const struct elf_file *runs, const GElf_Shdr *section, const char *section_name,
			    uint64_t shift, uint64_t *value)
{
	(void)runs;
	(void)section;
	(void)section_name;
	*value += shift;
	return true;
}

/* Its code is loaded first; other sections lie where only the kernel knew. */
static bool place_in_module(const struct elf_file *runs, const GElf_Shdr *section, const char *section_name,
			    uint64_t shift, uint64_t *value)
{
	(void)shift;
	if (runs->header.e_type != ET_REL)
		*value -= section->sh_addr;
	return strcmp(section_name, ".text") == 0;
}

static void add_symbol(struct symbol_table *t, const struct elf_file *symbols, const struct elf_file *runs,
		       const struct symbol_section *s, GElf_Sym *sym, place_symbol *place, uint64_t shift)
{
	const struct elf_file *owner;
	const char *name, *section_name;
	GElf_Shdr section;
	uint64_t value = sym->st_value;
	size_t max;

	name = symbol_name(s, sym, &max);
	if (is_arm_mark(symbols->header.e_machine, name, max) || !section_of(symbols, runs, sym, &section, &owner))
		return;
	if (is_label(sym) && !section_says(owner, &section, "text") && !section_says(owner, &section, "data"))
		return;
	section_name = elf_strptr(owner->elf, owner->section_names, section.sh_name);
	if (symbols->header.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		value &= ~1ull; /* the bit that says Thumb */
	if (place(runs, &section, section_name ? section_name : "", shift, &value))
		symbol_table_add(t, value, sym->st_size, binding_of(sym), name, max);
}

static void add_section(struct symbol_table *t, const struct elf_file *symbols, const struct elf_file *runs,
			Elf_Scn *section, place_symbol *place, uint64_t shift)
{
	struct symbol_section s;
	GElf_Sym sym;

	if (!open_symbols(symbols, section, &s))
		return;
	for (size_t i = 0; i < s.nr; i++)
		if (gelf_getsym(s.symbols, (int)i, &sym) && is_wanted(&sym))
			add_symbol(t, symbols, runs, &s, &sym, place, shift);
	symbol_table_settle(t, ENDS_AT_NEXT);
}

/* ---- the procedure linkage table ---- */

struct plt_shape {
	uint64_t start, header, entry;
};

/*
 * Where the stubs lie.  With branch tracking (x86 -fcf-protection) calls go to .plt.sec,
 * which has no header.
 */
static bool plt_shape(const struct elf_file *f, struct plt_shape *ret)
{
	GElf_Shdr h;

	if (find_section(f, ".plt.sec", &h) && h.sh_type == SHT_PROGBITS) {
		*ret = (struct plt_shape){ h.sh_offset, 0, 16 };
		return true;
	}
	if (!find_section(f, ".plt", &h) || h.sh_type != SHT_PROGBITS)
		return false;
	switch (f->header.e_machine) {
	case EM_ARM:
		*ret = (struct plt_shape){ h.sh_offset, 20, 12 };
		break;
	case EM_AARCH64:
		*ret = (struct plt_shape){ h.sh_offset, 32, 16 };
		break;
	default:
		*ret = (struct plt_shape){ h.sh_offset, h.sh_entsize, h.sh_entsize };
	}
	return ret->entry;
}

/* The dynamic symbol that the i-th relocation names. */
static size_t relocation_symbol(Elf_Data *data, bool with_addend, size_t i)
{
	GElf_Rela a;
	GElf_Rel r;

	if (with_addend)
		return gelf_getrela(data, (int)i, &a) ? GELF_R_SYM(a.r_info) : 0;
	return gelf_getrel(data, (int)i, &r) ? GELF_R_SYM(r.r_info) : 0;
}

static void add_stub(struct symbol_table *t, uint64_t start, uint64_t size, const char *name, size_t max)
{
	size_t length = strnlen(name, max);
	char *copy = must_alloc(length + 5), *shown;

	memcpy(copy, name, length);
	shown = t->demangle ? demangle(copy) : NULL;
	if (shown) {
		free(copy);
		length = strlen(shown);
		copy = must_alloc(length + 5);
		memcpy(copy, shown, length);
		free(shown);
	}
	memcpy(copy + length, "@plt", 5);
	symbol_table_add(t, start, size, BINDING_GLOBAL, copy, length + 5);
	free(copy);
}

static void add_plt(struct symbol_table *t, const struct elf_file *f)
{
	struct symbol_section s;
	struct plt_shape plt;
	GElf_Shdr h;
	Elf_Scn *section = find_section(f, ".rela.plt", &h);
	Elf_Data *data;
	GElf_Sym sym;

	if (!section)
		section = find_section(f, ".rel.plt", &h);
	data = section ? elf_getdata(section, NULL) : NULL;
	if (!data || !h.sh_entsize || h.sh_type == SHT_NOBITS || !f->dynsym || h.sh_link != elf_ndxscn(f->dynsym))
		return;
	if (!open_symbols(f, f->dynsym, &s) || !plt_shape(f, &plt))
		return;
	for (size_t i = 0; i < data->d_size / h.sh_entsize; i++) {
		size_t n = relocation_symbol(data, h.sh_type == SHT_RELA, i), max = 0;
		const char *name = n < s.nr && gelf_getsym(s.symbols, (int)n, &sym) ? symbol_name(&s, &sym, &max) : "";

		add_stub(t, plt.start + plt.header + i * plt.entry, plt.entry, name, max);
	}
	symbol_table_settle(t, ENDS_KEEP);
}

/* ---- the three kinds of files ---- */

void elf_load_program(struct symbol_table *t, const struct elf_file *symbols, const struct elf_file *runs)
{
	add_section(t, symbols, runs, symbols->symtab, place_in_program, 0);
	add_section(t, symbols, runs, symbols->dynsym, place_in_program, 0);
	if (t->nr)
		add_plt(t, runs);
}

static bool find_value(const struct elf_file *f, const char *name, uint64_t *ret)
{
	struct symbol_section s;
	GElf_Sym sym;
	size_t max;

	if (!open_symbols(f, f->symtab, &s))
		return false;
	for (size_t i = 0; i < s.nr; i++) {
		const char *its;

		if (!gelf_getsym(s.symbols, (int)i, &sym))
			continue;
		its = symbol_name(&s, &sym, &max);
		if (strnlen(its, max) < max && strcmp(its, name) == 0) {
			*ret = sym.st_value;
			return true;
		}
	}
	return false;
}

bool elf_load_kernel(struct symbol_table *t, const struct elf_file *f, const char *ref_symbol, uint64_t ref_address,
		     uint64_t *ret_shift)
{
	uint64_t linked = ref_address;

	if (ref_symbol && !find_value(f, ref_symbol, &linked))
		return false;
	*ret_shift = ref_address - linked;
	add_section(t, f, f, f->symtab, place_in_kernel, *ret_shift);
	return true;
}

void elf_load_module(struct symbol_table *t, const struct elf_file *f)
{
	add_section(t, f, f, f->symtab, place_in_module, 0);
}
