// SPDX-License-Identifier: GPL-2.0-only
/* Which table is it?  By address: there are some dozens at most. */
#include "export/table_list.h"

#include <stdlib.h>

#include "reader/arena.h"

void table_list_init(struct table_list *l, const struct schema *schema)
{
	*l = (struct table_list){ .nr = schema->nr_tables };
	l->tables = must_realloc(NULL, l->nr + 1, sizeof(l->tables[0]));
	for (size_t i = 0; i < l->nr; i++)
		l->tables[i] = schema->tables[i];
}

void table_list_free(struct table_list *l)
{
	free(l->tables);
	*l = (struct table_list){ 0 };
}

static size_t table_list_search(struct table_list *l, const struct table *table)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->tables[i] == table)
			return i;
	l->tables = must_realloc(l->tables, l->nr + 1, sizeof(l->tables[0]));
	l->tables[l->nr] = table;
	return l->nr++;
}

size_t table_list_find(struct table_list *l, const struct table *table)
{
	if (l->last >= l->nr || l->tables[l->last] != table)
		l->last = table_list_search(l, table);
	return l->last;
}
