/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the id of an opened counter to the event.  Captures name the same ids in the
 * same order again and again, so the map remembers which id came after which and
 * looks there first.
 */
#ifndef PERFTAB_ID_MAP_H
#define PERFTAB_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

struct id_slot {
	uint64_t id;
	uint32_t event; /* + 1; 0: empty */
	uint32_t next;  /* slot that was asked for after this one */
};

struct id_map {
	struct id_slot *slots; /* a power of two, or NULL */
	size_t mask, used;
	uint32_t last;
};

/* The first event that claims an id keeps it. */
void id_map_add(struct id_map *m, uint64_t id, uint32_t event);
int32_t id_map_search(struct id_map *m, uint64_t id);
void id_map_free(struct id_map *m);

/* The event, or -1. */
static inline int32_t id_map_find(struct id_map *m, uint64_t id)
{
	if (m->slots) {
		uint32_t guess = m->slots[m->last].next;

		if (m->slots[guess].id == id && m->slots[guess].event) {
			m->last = guess;
			return (int32_t)m->slots[guess].event - 1;
		}
	}
	return id_map_search(m, id);
}

static inline size_t id_map_home(uint64_t id, size_t mask)
{
	return (size_t)(id * 0x9e3779b97f4a7c15ull >> 32) & mask;
}

/* The same for ids that come in no order: nothing is remembered, the first look is at the id's own slot. */
static inline int32_t id_map_probe(struct id_map *m, uint64_t id)
{
	const struct id_slot *s;

	if (!m->slots)
		return -1;
	s = &m->slots[id_map_home(id, m->mask)];
	return s->id == id && s->event ? (int32_t)s->event - 1 : id_map_search(m, id);
}

#endif
