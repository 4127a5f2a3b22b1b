/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who ran and what was mapped where, at any time of the recording:
 *
 *	(pid, time, mode of the CPU, address)  ->  dso and offset in it
 *	(tid, time)                            ->  comm
 *
 * It is fed with mappings, forks, execs and the like.  Before the first question they
 * may come in any order; from then on in order of time, and what comes late counts
 * from the time of the latest.  So samples can be looked up in file order once the
 * records around them were fed in a first pass, or everything can be fed sorted.
 *
 * Times are those of the records; records without a time have 0.  A question without a
 * time (a sample that has none) uses TIME_LATEST.
 */
#ifndef PERFTAB_ADDRESS_SPACE_H
#define PERFTAB_ADDRESS_SPACE_H

#include "reader/dso.h"

#define TIME_LATEST UINT64_MAX

/* perf's numbers (the low three bits of a record's misc). */
enum cpumode {
	CPUMODE_UNKNOWN,
	CPUMODE_KERNEL,
	CPUMODE_USER,
	CPUMODE_HYPERVISOR,
	CPUMODE_GUEST_KERNEL,
	CPUMODE_GUEST_USER,
};

/* MMAP and MMAP2.  Texts are copied. */
struct space_mmap {
	unsigned cpumode;
	int32_t pid;
	uint64_t time, start, size, pgoff;
	struct build_id build_id; /* MMAP2 with misc bit 14; else size 0 */
	const char *path;
};

struct space_fork {
	int32_t pid, ppid, tid, ptid;
	uint64_t time;
	bool made_up; /* misc bit 13: perf wrote it for a process that ran already; nothing is inherited */
};

struct space_comm {
	int32_t pid, tid;
	uint64_t time;
	bool exec; /* misc bit 13: the old program's mappings are gone */
	const char *comm;
};

/* KSYMBOL: type 1 BPF programs and trampolines, 2 out-of-line code. */
struct space_ksymbol {
	uint64_t time, address;
	uint32_t size;
	bool gone; /* flag bit 0: unregistered */
	const char *name;
};

struct address_space;

/* The table must outlive it, and is added to. */
struct address_space *address_space_new(struct dso_table *dsos);
void address_space_free(struct address_space *a); /* NULL is fine */

/* From now on events come in order of time: none is held until the first question. */
void address_space_in_order(struct address_space *a);

/* The number of what is mapped. */
uint32_t address_space_mmap(struct address_space *a, const struct space_mmap *m);
void address_space_fork(struct address_space *a, const struct space_fork *f);
void address_space_exit(struct address_space *a, int32_t pid, int32_t tid, uint64_t time);
void address_space_comm(struct address_space *a, const struct space_comm *c);
void address_space_ksymbol(struct address_space *a, const struct space_ksymbol *k);

/* Code of one process whose dso is known already: one function of a jitdump file. */
void address_space_code(struct address_space *a, int32_t pid, uint64_t time, uint64_t start, uint64_t size,
			uint64_t offset, uint32_t dso);

/*
 * Always gives a dso; where nothing was mapped it is one of the first of the table, the
 * offset is the address, and the result is false.
 */
bool address_space_find(struct address_space *a, int32_t pid, uint64_t time, unsigned cpumode, uint64_t ip,
			uint32_t *ret_dso, uint64_t *ret_offset);

/* The comm at that time; NULL where none is known.  Thread 0 is "swapper". */
const char *address_space_comm_at(struct address_space *a, int32_t tid, uint64_t time);

/* ---- for the table of threads ---- */

struct space_thread {
	int32_t pid, tid;
	uint64_t from, until; /* until is TIME_LATEST where no exit was seen */
	const char *comm;     /* the last one it had in that time, or NULL */
};

/* Threads in order of tid, then of time; a reused tid is several. */
size_t address_space_threads(struct address_space *a, const struct space_thread **ret);

#endif
