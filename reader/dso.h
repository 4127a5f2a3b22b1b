/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be mapped: programs, libraries, the kernel, its modules, code that was
 * made at run time.  A table gives each a number, so that everything that follows
 * (mappings, symbols, rows) speaks in numbers.
 */
#ifndef PERFTAB_DSO_H
#define PERFTAB_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dso_kind {
	DSO_UNKNOWN,      /* nothing is known to lie at the address */
	DSO_FILE,         /* a program or library; an offset is one into its file */
	DSO_KERNEL,       /* offsets are addresses while recording */
	DSO_MODULE,       /* of the kernel; offsets from the start of its code */
	DSO_GUEST_KERNEL, /* as DSO_KERNEL, of a virtual machine */
	DSO_GUEST_MODULE,
	DSO_VDSO,         /* offsets from its start */
	DSO_JIT,          /* memory of one process without a file; offsets are addresses */
	DSO_KSYMBOL,      /* one BPF program or trampoline; offsets from its start */
};

/* The first entries of every table: where nothing is mapped, by mode of the CPU. */
enum {
	DSO_ID_UNKNOWN,
	DSO_ID_UNKNOWN_KERNEL,
	DSO_ID_HYPERVISOR,
	DSO_ID_GUEST_KERNEL,
	DSO_ID_GUEST_USER,
	DSO_ID_FIRST, /* of those that the capture names */
};

struct build_id {
	uint8_t bytes[20];
	uint8_t size; /* 0: not known */
};

struct dso {
	enum dso_kind kind;
	const char *path;         /* as the capture has it; of DSO_JIT "/tmp/perf-PID.map" */
	const char *name;         /* as it is shown: perf's word, "[kernel.kallsyms]", "[nf_tables]", a path */
	struct build_id build_id;
	int32_t pid;              /* DSO_JIT: whose memory it is; else -1 */
	uint64_t size;            /* DSO_KSYMBOL: of its code */
	const char *ref_symbol;   /* kernels: "_text" or "_stext"; or NULL */
	uint64_t ref_address;     /* of it while recording; modules: where they were loaded */
};

struct dso_table;

struct dso_table *dso_table_new(void);
void dso_table_free(struct dso_table *t); /* NULL is fine */

/* The pointer is good as long as the table; an id that there is not gives DSO_ID_UNKNOWN. */
const struct dso *dso_table_get(const struct dso_table *t, uint32_t id);
size_t dso_table_count(const struct dso_table *t);

/*
 * The number of the dso of this kind, path, build-id and pid, new where there was none.
 * Texts are copied.  A dso without build-id takes the one that dso_table_build_id()
 * gave for its path.
 */
uint32_t dso_table_add(struct dso_table *t, const struct dso *d);

/*
 * A build-id from a BUILD_ID record or the header's list, before or after the
 * mappings.  `cpumode` is that of the record's misc: it tells kernels from files.
 */
void dso_table_build_id(struct dso_table *t, unsigned cpumode, const char *path, const struct build_id *id);

bool build_id_equal(const struct build_id *a, const struct build_id *b); /* same size and bytes, both known */
/* Lower-case hex into `ret`, "" when not known. */
void build_id_text(const struct build_id *id, char ret[41]);

#endif
