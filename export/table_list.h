/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of an output, with what a sink keeps for each: an array that starts with
 * the schema's tables and grows when a table comes that it does not have.
 */
#ifndef PERFTAB_TABLE_LIST_H
#define PERFTAB_TABLE_LIST_H

#include "export/row.h"

struct table_list {
	const struct table **tables;
	size_t nr, last; /* rows of one table come in runs */
};

void table_list_init(struct table_list *l, const struct schema *schema);
void table_list_free(struct table_list *l);

/* Its position; a new table is added at the end, and the caller sees that nr has grown. */
size_t table_list_find(struct table_list *l, const struct table *table);

#endif
