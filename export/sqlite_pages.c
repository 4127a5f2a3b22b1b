// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table b-trees of SQLite, built from the left to the right: leaves are filled and go to the end of the
 * file; each level above gathers the pages below it.  The page that is the top in the end
 * goes to the table's root page.  Format: https://sqlite.org/fileformat2.html
 */
#include "export/sqlite_pages.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader/arena.h"

#define PENDING_PAGES 16
/* The bytes at 1 GiB are for locks: their page stays empty. */
#define LOCK_PAGE ((1u << 30) / PAGES_SIZE + 1)
#define VARINT_MAX 9

struct pages {
	int fd;
	int failed;      /* errno of the first write that failed */
	uint32_t count;  /* pages of the file, with the pending ones */
	size_t nr_pending; /* the last of them, not written yet */
	unsigned char pending[PENDING_PAGES][PAGES_SIZE];
};

/* ---- bytes ---- */

static void put_big(unsigned char *to, uint64_t v, size_t size)
{
	while (size-- > 0) {
		to[size] = (unsigned char)v;
		v >>= 8;
	}
}

static uint32_t get_big32(const unsigned char *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static size_t varint_size(uint64_t v)
{
	size_t n = (size_t)(63 - __builtin_clzll(v | 1)) / 7 + 1;

	return n < VARINT_MAX ? n : VARINT_MAX;
}

/* Seven bits a byte, most significant first; a ninth byte has eight. */
static unsigned char *put_varint(unsigned char *to, uint64_t v)
{
	size_t size;

	if (v < 0x80) {
		*to = (unsigned char)v;
		return to + 1;
	}
	size = varint_size(v);
	if (size == VARINT_MAX) {
		to[8] = (unsigned char)v;
		v >>= 8;
	}
	for (size_t i = size == VARINT_MAX ? 8 : size; i > 0; i--) {
		to[i - 1] = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	if (size < VARINT_MAX)
		to[size - 1] &= 0x7f;
	return to + size;
}

/* ---- the file ---- */

/* The bytes of the file's header that matter here */
#define HEADER_SIZE 100
#define HEADER_PAGE_SIZE 16
#define HEADER_RESERVED 20
#define HEADER_PAGE_COUNT 28
#define HEADER_VACUUM_ROOT 52
#define HEADER_ENCODING 56 /* 1: UTF-8, 0: not decided, as there are no tables */

int pages_resume(struct pages *p)
{
	unsigned char header[HEADER_SIZE];
	ssize_t size = pread(p->fd, header, sizeof(header), 0);

	if (size < 0)
		return -1;
	if (size != sizeof(header) || (header[HEADER_PAGE_SIZE] << 8 | header[HEADER_PAGE_SIZE + 1]) != PAGES_SIZE ||
	    header[HEADER_RESERVED] || get_big32(header + HEADER_VACUUM_ROOT) || get_big32(header + HEADER_ENCODING) > 1) {
		errno = EINVAL;
		return -1;
	}
	p->count = get_big32(header + HEADER_PAGE_COUNT);
	return 0;
}

struct pages *pages_new(int fd)
{
	struct pages *p = must_alloc(sizeof(*p));

	p->fd = fd;
	p->failed = 0;
	p->count = 0;
	p->nr_pending = 0;
	return p;
}

static void write_at(struct pages *p, const void *bytes, size_t size, uint64_t offset)
{
	const char *from = bytes;

	while (size && !p->failed) {
		ssize_t n = pwrite(p->fd, from, size, (off_t)offset);

		if (n < 0 && errno != EINTR)
			p->failed = errno;
		if (n > 0) {
			from += n;
			size -= (size_t)n;
			offset += (uint64_t)n;
		}
	}
}

static void pages_flush(struct pages *p)
{
	uint64_t first = p->count - p->nr_pending;

	write_at(p, p->pending, p->nr_pending * PAGES_SIZE, first * PAGES_SIZE);
	p->nr_pending = 0;
}

/* A place at the end of the file; *number is its page. Good until the next call. */
static unsigned char *pages_place(struct pages *p, uint32_t *number)
{
	unsigned char *page;

	if (p->nr_pending == PENDING_PAGES)
		pages_flush(p);
	page = p->pending[p->nr_pending++];
	*number = ++p->count;
	if (*number != LOCK_PAGE)
		return page;
	memset(page, 0, PAGES_SIZE);
	return pages_place(p, number);
}

static uint32_t pages_append(struct pages *p, const unsigned char *page)
{
	uint32_t number;

	memcpy(pages_place(p, &number), page, PAGES_SIZE);
	return number;
}

static int pages_result(const struct pages *p)
{
	if (!p->failed)
		return 0;
	errno = p->failed;
	return -1;
}

int pages_pause(struct pages *p)
{
	unsigned char count[4];

	pages_flush(p);
	put_big(count, p->count, sizeof(count));
	write_at(p, count, sizeof(count), HEADER_PAGE_COUNT);
	return pages_result(p);
}

int pages_close(struct pages *p)
{
	int result = pages_pause(p);

	free(p);
	return result;
}

void pages_abandon(struct pages *p)
{
	free(p);
}

/* ---- trees ---- */

#define LEAF_TYPE 13
#define LEAF_HEADER 8
#define INTERIOR_TYPE 5
#define INTERIOR_HEADER 12

/* A page below, and the largest rowid in it. */
struct child {
	uint32_t page;
	int64_t key;
};

/* The children of the page of this level that is being filled. */
struct level {
	struct child *children;
	size_t nr, bytes; /* bytes: what they need in a page */
};

struct tree {
	struct pages *pages;
	const struct table *table;
	size_t key_column; /* nr_columns: the rowid is only counted */
	uint32_t root;
	int64_t last_rowid;
	struct level *levels; /* [0]: above the leaves */
	size_t nr_levels;
	unsigned char *types, *body; /* of the row that is being added */
	size_t body_size;            /* allocated */
	size_t nr_cells, content; /* of the leaf: cells grow down from its end, to `content` */
	unsigned char leaf[PAGES_SIZE];
};

#define CHILDREN_MAX (PAGES_SIZE / 7)

struct tree *tree_new(struct pages *p, const struct table *table, uint32_t root)
{
	struct tree *t = must_alloc(sizeof(*t));

	*t = (struct tree){ .pages = p, .table = table, .root = root, .content = PAGES_SIZE };
	t->types = must_realloc(NULL, table->nr_columns + 1, VARINT_MAX);
	while (t->key_column < table->nr_columns &&
	       !(table->primary_key && strcmp(table->primary_key, table->columns[t->key_column].name) == 0))
		t->key_column++;
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr_levels; i++)
		free(t->levels[i].children);
	free(t->levels);
	free(t->types);
	free(t->body);
	free(t);
}

/* ---- interior pages ---- */

/* Writes the first nr children as one page. */
static void interior_write(unsigned char *page, const struct child *children, size_t nr)
{
	size_t content = PAGES_SIZE;

	memset(page, 0, PAGES_SIZE);
	for (size_t i = 0; i + 1 < nr; i++) {
		unsigned char cell[4 + VARINT_MAX];
		size_t size;

		put_big(cell, children[i].page, 4);
		size = (size_t)(put_varint(cell + 4, (uint64_t)children[i].key) - cell);
		content -= size;
		memcpy(page + content, cell, size);
		put_big(page + INTERIOR_HEADER + 2 * i, content, 2);
	}
	page[0] = INTERIOR_TYPE;
	put_big(page + 3, nr - 1, 2);
	put_big(page + 5, content, 2);
	put_big(page + 8, children[nr - 1].page, 4);
}

static void level_add(struct tree *t, size_t at, uint32_t page, int64_t key);

/* The first nr children become a page, which is a child of the level above. */
static void level_close(struct tree *t, size_t at, size_t nr)
{
	const struct child *children = t->levels[at].children;
	int64_t key = children[nr - 1].key;
	uint32_t number;

	interior_write(pages_place(t->pages, &number), children, nr);
	level_add(t, at + 1, number, key);
}

static size_t child_size(int64_t key)
{
	return 2 + 4 + varint_size((uint64_t)key);
}

/* A full page is closed without its last child, so that the next one has two: a page of one is not allowed. */
static void level_add(struct tree *t, size_t at, uint32_t page, int64_t key)
{
	struct level *l;

	if (at == t->nr_levels) {
		t->levels = must_realloc(t->levels, at + 1, sizeof(t->levels[0]));
		t->levels[t->nr_levels++] = (struct level){
			.children = must_realloc(NULL, CHILDREN_MAX, sizeof(struct child)),
		};
	}
	l = &t->levels[at];
	if (INTERIOR_HEADER + l->bytes + child_size(key) > PAGES_SIZE) {
		level_close(t, at, l->nr - 1);
		l = &t->levels[at];
		l->children[0] = l->children[l->nr - 1];
		l->bytes = child_size(l->children[0].key);
		l->nr = 1;
	}
	l->children[l->nr++] = (struct child){ page, key };
	l->bytes += child_size(key);
}

/* ---- leaves ---- */

static const unsigned char *leaf_finish(struct tree *t)
{
	size_t pointers_end = LEAF_HEADER + 2 * t->nr_cells;

	t->leaf[0] = LEAF_TYPE;
	put_big(t->leaf + 1, 0, 2);
	put_big(t->leaf + 3, t->nr_cells, 2);
	put_big(t->leaf + 5, t->content, 2);
	t->leaf[7] = 0;
	memset(t->leaf + pointers_end, 0, t->content - pointers_end);
	t->nr_cells = 0;
	t->content = PAGES_SIZE;
	return t->leaf;
}

/* Room for a cell, in this leaf or the next. */
static unsigned char *leaf_cell(struct tree *t, size_t size)
{
	if (LEAF_HEADER + 2 * (t->nr_cells + 1) + size > t->content)
		level_add(t, 0, pages_append(t->pages, leaf_finish(t)), t->last_rowid);
	t->content -= size;
	put_big(t->leaf + LEAF_HEADER + 2 * t->nr_cells++, t->content, 2);
	return t->leaf + t->content;
}

int tree_finish(struct tree *t)
{
	const unsigned char *top = t->leaf;
	unsigned char page[PAGES_SIZE];

	if (!t->nr_cells)
		return pages_result(t->pages); /* no rows: the root is as the library made it */
	leaf_finish(t);
	if (t->nr_levels) {
		size_t at = 0;

		level_add(t, 0, pages_append(t->pages, t->leaf), t->last_rowid);
		for (; at + 1 < t->nr_levels; at++)
			level_close(t, at, t->levels[at].nr);
		interior_write(page, t->levels[at].children, t->levels[at].nr);
		top = page;
	}
	write_at(t->pages, top, PAGES_SIZE, (uint64_t)(t->root - 1) * PAGES_SIZE);
	return pages_result(t->pages);
}

/* ---- records ---- */

/*
 * A record is the types of its columns and then their values.  Types: 0 is NULL, 1 to 6 are integers of 1, 2, 3, 4, 6, 8
 * bytes, 7 a double, 8 and 9 are 0 and 1; 12, 14, 16 … blobs and 13, 15, 17 … texts of 0, 1, 2 … bytes.
 */
enum { TYPE_NULL = 0, TYPE_REAL = 7, TYPE_ZERO = 8, TYPE_BLOB = 12, TYPE_TEXT = 13 };

/* By the bits of v, or of ~v when it is negative */
static const unsigned char integer_types[64] = {
	1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
	5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
};
static const unsigned char integer_sizes[] = { 0, 1, 2, 3, 4, 6, 8 };

/* Writes the value, and up to eight bytes behind it; returns its type. */
static unsigned char put_integer(unsigned char **body, int64_t v)
{
	uint64_t u = (uint64_t)(v < 0 ? ~v : v), big;
	unsigned char type;
	size_t size;

	if ((uint64_t)v < 2)
		return (unsigned char)(TYPE_ZERO + v);
	type = integer_types[64 - __builtin_clzll(u | 1)];
	size = integer_sizes[type];
	big = htobe64((uint64_t)v << (64 - 8 * size));
	memcpy(*body, &big, sizeof(big));
	*body += size;
	return type;
}

/* As an integer, which is shorter, where SQLite would do that, too. */
static unsigned char put_real(unsigned char **body, double r)
{
	uint64_t bits;

	if (r > -140737488355328.0 && r < 140737488355328.0 && r == (double)(int64_t)r && !(r == 0 && signbit(r)))
		return put_integer(body, (int64_t)r);
	memcpy(&bits, &r, sizeof(bits));
	bits = htobe64(bits);
	memcpy(*body, &bits, sizeof(bits));
	*body += sizeof(bits);
	return TYPE_REAL;
}

/* Room for a text of this size, and for what all other columns may still need. */
static unsigned char *body_room(struct tree *t, unsigned char *body, size_t size)
{
	size_t used = (size_t)(body - t->body);

	size += used + 8 * (t->table->nr_columns + 1);
	if (size > t->body_size) {
		t->body_size = 2 * size;
		t->body = must_realloc(t->body, t->body_size, 1);
	}
	return t->body + used;
}

static unsigned char *put_bytes(struct tree *t, unsigned char *body, const struct value *v)
{
	body = body_room(t, body, v->size);
	if (v->size)
		memcpy(body, v->p, v->size);
	return body + v->size;
}

/*
 * Makes t->types and t->body, up to the last column that is not NULL: columns that a record does not
 * have are NULL (so it is after ALTER TABLE ADD COLUMN).  False when a column's type makes something else of its
 * value, which is the library's business.
 */
static bool make_record(struct tree *t, const struct value *values, size_t *types_size, size_t *body_size)
{
	unsigned char *types = t->types, *end = types + 1, *body = body_room(t, t->body, 0);

	for (size_t i = 0; i < t->table->nr_columns; i++) {
		enum column_type column = t->table->columns[i].type;
		const struct value *v = &values[i];

		if (v->kind == VALUE_NULL || i == t->key_column) {
			*types++ = TYPE_NULL;
			continue;
		} else if (v->kind == VALUE_INT && (column == COLUMN_INT || column == COLUMN_HEX)) {
			*types++ = put_integer(&body, v->i);
		} else if (v->kind == VALUE_REAL && column == COLUMN_REAL && !isnan(v->r)) {
			*types++ = put_real(&body, v->r);
		} else if (v->kind == VALUE_TEXT && column == COLUMN_TEXT) {
			types = put_varint(types, TYPE_TEXT + 2 * (uint64_t)v->size);
			body = put_bytes(t, body, v);
		} else if (v->kind == VALUE_BLOB && column == COLUMN_BLOB) {
			types = put_varint(types, TYPE_BLOB + 2 * (uint64_t)v->size);
			body = put_bytes(t, body, v);
		} else {
			return false;
		}
		end = types;
	}
	*types_size = (size_t)(end - t->types);
	*body_size = (size_t)(body - t->body);
	return true;
}

static void put_record(const struct tree *t, unsigned char *to, size_t header, size_t types_size, size_t body_size)
{
	to = put_varint(to, header);
	memcpy(to, t->types, types_size);
	memcpy(to + types_size, t->body, body_size);
}

/* The part of a long record that does not stay in the leaf: a chain of pages. Returns the first. */
static uint32_t overflow_write(struct pages *p, const unsigned char *bytes, size_t size)
{
	const size_t most = PAGES_SIZE - 4;
	uint32_t first, number;
	unsigned char *page = pages_place(p, &first);

	for (;;) {
		size_t n = size < most ? size : most;

		memset(page, 0, PAGES_SIZE);
		memcpy(page + 4, bytes, n);
		bytes += n;
		size -= n;
		if (!size)
			return first;
		/* The next page of the chain is the next of the file, or the one behind the page of the locks. */
		number = p->count + 1 == LOCK_PAGE ? p->count + 2 : p->count + 1;
		put_big(page, number, 4);
		page = pages_place(p, &number);
	}
}

/* Of a record longer than LOCAL_MAX, between LOCAL_MIN and LOCAL_MAX bytes stay in the leaf. */
#define LOCAL_MAX ((size_t)PAGES_SIZE - 35)
#define LOCAL_MIN ((size_t)(PAGES_SIZE - 12) * 32 / 255 - 23)

/* A record that does not fit a page: a part stays, the rest goes to pages of its own. */
static void add_long(struct tree *t, int64_t rowid, const unsigned char *record, size_t payload)
{
	size_t local = LOCAL_MIN + (payload - LOCAL_MIN) % (PAGES_SIZE - 4);
	unsigned char *to;
	uint32_t chain;

	if (local > LOCAL_MAX)
		local = LOCAL_MIN;
	chain = overflow_write(t->pages, record + local, payload - local);
	to = leaf_cell(t, varint_size(payload) + varint_size((uint64_t)rowid) + local + 4);
	to = put_varint(put_varint(to, payload), (uint64_t)rowid);
	memcpy(to, record, local);
	put_big(to + local, chain, 4);
}

/* The rowid, which stands for the key column.  False: out of order. */
static bool next_rowid(const struct tree *t, const struct value *values, int64_t *ret)
{
	const struct value *key = &values[t->key_column];

	*ret = t->last_rowid + 1;
	if (t->key_column == t->table->nr_columns || key->kind == VALUE_NULL)
		return t->last_rowid < INT64_MAX;
	*ret = key->i;
	return key->kind == VALUE_INT && key->i > t->last_rowid;
}

int tree_add(struct tree *t, const struct value *values)
{
	size_t types_size, body_size, header, payload;
	int64_t rowid;

	if (!next_rowid(t, values, &rowid) || !make_record(t, values, &types_size, &body_size))
		return 1;
	header = types_size + (types_size + 1 < 0x80 ? 1 : 2); /* with its own size; there are not thousands of columns */
	payload = header + body_size;
	if (payload > LOCAL_MAX) {
		unsigned char *record = must_alloc(payload);

		put_record(t, record, header, types_size, body_size);
		add_long(t, rowid, record, payload);
		free(record);
	} else {
		unsigned char *to = leaf_cell(t, varint_size(payload) + varint_size((uint64_t)rowid) + payload);

		to = put_varint(put_varint(to, payload), (uint64_t)rowid);
		put_record(t, to, header, types_size, body_size);
	}
	t->last_rowid = rowid;
	return pages_result(t->pages);
}
