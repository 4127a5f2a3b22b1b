/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables and values: all that a sink knows. */
#ifndef PERFTAB_ROW_H
#define PERFTAB_ROW_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum column_type {
	COLUMN_INT,  /* integer; SQLite INTEGER */
	COLUMN_HEX,  /* 64 bits: hexadecimal with 0x in texts, INTEGER of the same bits in SQLite */
	COLUMN_REAL, /* %.17g */
	COLUMN_TEXT,
	COLUMN_BLOB, /* hexadecimal in texts, BLOB in SQLite */
};

struct column {
	const char *name;
	enum column_type type;
	const char *references; /* "event(id)" for a foreign key, or NULL */
};

struct table {
	const char *name;
	const struct column *columns;
	size_t nr_columns;
	const char *primary_key; /* "id" (an INTEGER PRIMARY KEY: the rowid), or NULL */
	const char *const *indexes; /* SQL column lists, NULL-terminated: "capture_id, event_id"; or NULL */
};

struct view {
	const char *name;
	const char *select; /* SQL after "CREATE VIEW name AS " */
};

struct schema {
	const struct table *const *tables; /* in the order in which references can be made */
	size_t nr_tables;
	const struct view *views;
	size_t nr_views;
};

enum value_kind { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

/* Text and blobs are borrowed for the call. */
struct value {
	enum value_kind kind;
	uint32_t size; /* of text and blob */
	union {
		int64_t i;
		double r;
		const void *p;
	};
};

static inline struct value value_null(void)
{
	return (struct value){ .kind = VALUE_NULL };
}

static inline struct value value_int(int64_t i)
{
	return (struct value){ .kind = VALUE_INT, .i = i };
}

static inline struct value value_u64(uint64_t u) /* the bits; beyond 2^63 only for COLUMN_HEX */
{
	return (struct value){ .kind = VALUE_INT, .i = (int64_t)u };
}

static inline struct value value_real(double r) /* NaN is NULL */
{
	return isnan(r) ? value_null() : (struct value){ .kind = VALUE_REAL, .r = r };
}

static inline struct value value_text(const char *s) /* NULL is NULL */
{
	return s ? (struct value){ .kind = VALUE_TEXT, .size = (uint32_t)strlen(s), .p = s } : value_null();
}

static inline struct value value_textn(const void *s, size_t n)
{
	return (struct value){ .kind = VALUE_TEXT, .size = (uint32_t)n, .p = s };
}

static inline struct value value_blob(const void *p, size_t n)
{
	return (struct value){ .kind = VALUE_BLOB, .size = (uint32_t)n, .p = p };
}

#endif
