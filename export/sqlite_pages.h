/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of tables into a new SQLite database by writing its pages, in the documented
 * file format, some six times as fast as the library takes them.  The library has made the
 * database before, with its empty tables, and goes on with it afterwards; it must not have the
 * file open in between.
 *
 *	pages = pages_new(fd);
 *	pages_resume(pages);
 *	tree = tree_new(pages, table, root page of the table);
 *	tree_add(tree, values) …
 *	tree_finish(tree); pages_close(pages);
 */
#ifndef PERFTAB_SQLITE_PAGES_H
#define PERFTAB_SQLITE_PAGES_H

#include "export/row.h"

#define PAGES_SIZE 4096 /* of a page */

struct pages;

/* The descriptor stays the caller's and must be readable and writable. */
struct pages *pages_new(int fd);
/*
 * The library has let go of the file, and rows can be added.  -1 and errno; EINVAL when the database does
 * not have the form that is written here (page size, no vacuum by itself).
 */
int pages_resume(struct pages *p);
/*
 * The library may work on the file until the next pages_resume(), to create tables.  Pages of trees that are
 * not finished lie unused in it meanwhile.
 */
int pages_pause(struct pages *p);
/* A last pause; frees.  These return 0, or -1 and errno. */
int pages_close(struct pages *p);
void pages_abandon(struct pages *p); /* frees; NULL is fine */

struct tree;

/* The table is empty, and its root page is a leaf. */
struct tree *tree_new(struct pages *p, const struct table *table, uint32_t root);
/*
 * Adds a row behind all others: an id must be larger than the last.  Text must be UTF-8.
 * 0; 1 and nothing added when only the library can do it: an id out of order, a value
 * that the column's type would change.  -1 and errno.
 */
int tree_add(struct tree *t, const struct value *values);
/* 0, or -1 and errno. */
int tree_finish(struct tree *t);
void tree_free(struct tree *t); /* NULL is fine */

#endif
