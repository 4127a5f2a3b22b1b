// SPDX-License-Identifier: GPL-2.0-only
/* Which metrics count only a part of what ran: user mode, the kernel, … */
#include "export/modifiers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"

const char *modifiers_meaning(const char *modifiers)
{
	if (strcmp(modifiers, "u") == 0)
		return "user mode only";
	return strcmp(modifiers, "k") == 0 ? "kernel only" : "";
}

static bool was_seen(const struct modifiers_walk *w, const char *modifiers)
{
	for (size_t i = 0; i < w->nr_seen; i++)
		if (strcmp(w->seen[i], modifiers) == 0)
			return true;
	return false;
}

/* Their names, or "all metrics" when there are no others. */
static char *names_of(const struct analysis *a, const char *modifiers)
{
	size_t size = 1, nr_others = 0;
	char *text, *to;

	for (size_t m = 0; m < a->set->nr_metrics; m++) {
		bool same = strcmp(plan_modifiers(a->plan, m), modifiers) == 0;

		size += plan_has(a->plan, m) && same ? strlen(a->set->metrics[m].name) + 2 : 0;
		nr_others += plan_has(a->plan, m) && !same;
	}
	if (!nr_others)
		return strdup("all metrics");
	text = to = must_alloc(size);
	for (size_t m = 0; m < a->set->nr_metrics; m++)
		if (plan_has(a->plan, m) && strcmp(plan_modifiers(a->plan, m), modifiers) == 0)
			to += sprintf(to, "%s%s", to == text ? "" : ", ", a->set->metrics[m].name);
	return text;
}

bool modifiers_next(struct modifiers_walk *w, const struct analysis *a)
{
	free(w->metrics);
	w->metrics = NULL;
	for (size_t m = 0; a->plan && m < a->set->nr_metrics && w->nr_seen < MAX_MODIFIERS; m++) {
		const char *modifiers = plan_modifiers(a->plan, m);

		if (!plan_has(a->plan, m) || !*modifiers || was_seen(w, modifiers))
			continue;
		w->seen[w->nr_seen++] = w->modifiers = modifiers;
		w->metrics = names_of(a, modifiers);
		return true;
	}
	return false;
}

void modifiers_end(struct modifiers_walk *w)
{
	free(w->metrics);
	w->metrics = NULL;
}
