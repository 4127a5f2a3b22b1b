/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records beside samples and readings: who started, what was mapped, what was
 * lost.  Most are flat lists of fields, one row of a table here; decoding, the table
 * record_NAME of the database and the CSV follow from the row.  The odd ones bring a
 * decoder of their own and say their columns all the same.
 */
#ifndef PERFTAB_RECORDS_H
#define PERFTAB_RECORDS_H

#include "reader/sample.h"

enum field_type {
	FIELD_U8, FIELD_U16, FIELD_U32, FIELD_I32, FIELD_U64,
	FIELD_HEX,    /* u64: an address or flags */
	FIELD_PAD,    /* `size` bytes that mean nothing; no column */
	FIELD_BYTES,  /* `size` bytes; 0: the rest of the record */
	FIELD_TEXT,   /* `size` bytes, text up to the first NUL; 0: the rest of the record */
	FIELD_WORDS,  /* u64s to the end of the record */
	FIELD_WORDS32 /* u32s to the end of the record */
};

struct field {
	const char *name;
	enum field_type type;
	uint16_t size;
};

enum field_kind { HOLDS_NOTHING, HOLDS_NUMBER, HOLDS_SIGNED, HOLDS_ADDRESS, HOLDS_STRING, HOLDS_BYTES, HOLDS_WORDS, HOLDS_WORDS32 };

/* NONE: the record does not have it (an older writer, the other half of a union). */
struct field_value {
	enum field_kind kind;
	uint64_t number;    /* SIGNED: sign-extended */
	struct bytes bytes; /* STRING without its NUL; WORDS in the writer's order */
	bool swap;
};

struct record_class {
	uint32_t type;
	const char *name;            /* "mmap2": the table is record_mmap2; NULL: no table */
	const struct field *fields;  /* in the order of the bytes, but for those with a decoder */
	uint8_t nr_fields;
	uint8_t nr_needed;           /* a record without these is damaged; the rest may be missing */
	/* NULL: the fields are the layout.  Rows of one record are counted from 0. */
	int (*decode)(struct cursor c, const struct record *r, const struct sample_layout *layout, uint64_t row,
		      struct field_value *ret);
	uint64_t (*rows)(struct cursor c, const struct record *r, const struct sample_layout *layout); /* NULL: 1 */
};

enum { RECORD_FIELDS_MAX = 20 };

/* All classes, by ascending type. */
extern const struct record_class record_classes[];
extern const size_t nr_record_classes;

/* NULL for a type that is not known. */
const struct record_class *record_class_of(uint32_t type);

/* "SAMPLE", "MMAP2", …; NULL for a type that is not known. */
const char *record_type_name(uint32_t type);

/* How many rows a record gives. */
uint64_t record_rows(const struct record_class *class, const struct record *r, const struct sample_layout *layout);

/*
 * One row: as many values as the class has fields that are no FIELD_PAD.  `layout` is that of the
 * record's event (NULL for user records); its trailer is left out.  -1: the record is too short.
 */
int record_decode(const struct record_class *class, const struct record *r, const struct sample_layout *layout,
		  uint64_t row, struct field_value *ret);

/* A mapping: MMAP or MMAP2. */
struct mmap_record {
	uint32_t pid, tid;
	uint64_t start, size, file_offset;
	uint32_t prot, flags; /* 0 for MMAP */
	struct bytes build_id; /* empty where there is none */
	struct bytes file;    /* without NUL */
	bool data;            /* a data mapping, not code */
};

/* A name for a thread; exec: a new program. */
struct comm_record {
	uint32_t pid, tid;
	bool exec;
	struct bytes comm;
};

struct fork_record {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

int record_mmap(const struct record *r, const struct sample_layout *layout, struct mmap_record *ret);
int record_comm(const struct record *r, const struct sample_layout *layout, struct comm_record *ret);
int record_fork(const struct record *r, struct fork_record *ret); /* FORK and EXIT */

#endif
