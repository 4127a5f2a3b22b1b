// SPDX-License-Identifier: GPL-2.0-only
/* How pipeline metrics are laid out for people. */
#include "export/pipeline_order.h"

#include <stdlib.h>

/* What was of use first, then the losses in the order in which ops go through the machine. */
static const char *const order[] = { "retiring", "frontend_bound", "bad_speculation", "backend_bound", "smt_contention" };

static void add(size_t **list, size_t *nr, size_t m)
{
	*list = must_realloc(*list, *nr + 1, sizeof(**list));
	(*list)[(*nr)++] = m;
}

size_t *pipeline_order(const struct metric_set *set, size_t *nr)
{
	size_t *list = NULL;

	*nr = 0;
	for (size_t o = 0; o < sizeof(order) / sizeof(order[0]); o++) {
		int32_t parent = set_find_metric(set, order[o]);

		if (parent < 0 || set->metrics[parent].level != 1)
			continue;
		add(&list, nr, (size_t)parent);
		for (size_t m = 0; m < set->nr_metrics; m++)
			if (set->metrics[m].level == 2 && set->metrics[m].parent == parent)
				add(&list, nr, m);
	}
	return list;
}
