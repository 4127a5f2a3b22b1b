// SPDX-License-Identifier: GPL-2.0-only
/* Ids of counters, in an open hash table. */
#include "reader/id_map.h"

#include <stdlib.h>

#include "reader/arena.h"

static size_t slot_of(const struct id_map *m, uint64_t id)
{
	size_t i = id_map_home(id, m->mask);

	while (m->slots[i].event && m->slots[i].id != id)
		i = (i + 1) & m->mask;
	return i;
}

static void grow(struct id_map *m)
{
	struct id_map bigger = { .mask = m->slots ? m->mask * 2 + 1 : 63 };

	bigger.slots = must_alloc((bigger.mask + 1) * sizeof(*bigger.slots));
	for (size_t i = 0; m->slots && i <= m->mask; i++)
		if (m->slots[i].event) {
			struct id_slot *s = &bigger.slots[slot_of(&bigger, m->slots[i].id)];

			s->id = m->slots[i].id;
			s->event = m->slots[i].event;
		}
	bigger.used = m->used;
	free(m->slots);
	*m = bigger;
}

void id_map_add(struct id_map *m, uint64_t id, uint32_t event)
{
	struct id_slot *s;

	if (!m->slots || m->used * 2 >= m->mask)
		grow(m);
	s = &m->slots[slot_of(m, id)];
	if (s->event)
		return;
	s->id = id;
	s->event = event + 1;
	m->used++;
}

int32_t id_map_search(struct id_map *m, uint64_t id)
{
	size_t i;

	if (!m->slots)
		return -1;
	i = slot_of(m, id);
	if (!m->slots[i].event)
		return -1;
	m->slots[m->last].next = (uint32_t)i;
	m->last = (uint32_t)i;
	return (int32_t)m->slots[i].event - 1;
}

void id_map_free(struct id_map *m)
{
	free(m->slots);
	*m = (struct id_map){ 0 };
}
