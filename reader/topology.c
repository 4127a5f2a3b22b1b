// SPDX-License-Identifier: GPL-2.0-only
/* Header features CPU_TOPOLOGY and NUMA_TOPOLOGY. */
#include "reader/topology.h"

#include "reader/cpu_map.h"
#include "reader/features.h"

const struct cpu_place *capture_cpu(const struct capture *c, int32_t cpu)
{
	size_t low = 0, high = c->nr_cpus;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->cpus[mid].cpu == cpu)
			return &c->cpus[mid];
		if (c->cpus[mid].cpu < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

struct cpu_place *topology_cpu(struct capture *c, int32_t cpu)
{
	const struct cpu_place *there = capture_cpu(c, cpu);
	size_t at = c->nr_cpus;

	if (there)
		return &c->cpus[there - c->cpus];
	c->cpus = must_realloc(c->cpus, c->nr_cpus + 1, sizeof(*c->cpus));
	while (at > 0 && c->cpus[at - 1].cpu > cpu) {
		c->cpus[at] = c->cpus[at - 1];
		at--;
	}
	c->nr_cpus++;
	c->cpus[at] = (struct cpu_place){ .cpu = cpu, .core = -1, .die = -1, .socket = -1, .node = -1 };
	return &c->cpus[at];
}

static int skip_strings(struct cursor *b)
{
	uint32_t nr = cur_u32(b);

	while (nr-- && !b->failed)
		(void)feature_string(b);
	return b->failed ? -1 : 0;
}

/*
 * u32 n, n × string (siblings sharing a socket or die); u32 n, n × string (threads of a core);
 * for each available CPU u32 core, u32 socket; u32 n, n × string (dies); for each CPU u32 die.
 */
int topology_decode(struct capture *c, struct cursor b)
{
	int64_t nr = c->cpus_available;

	if (skip_strings(&b) || skip_strings(&b))
		return -1;
	if (cur_left(&b) == 0)
		return 0;
	if (nr < 0 || (uint64_t)nr > cur_left(&b) / 8)
		return -1;
	for (int32_t cpu = 0; cpu < nr; cpu++) {
		struct cpu_place *p = topology_cpu(c, cpu);

		p->core = (int32_t)cur_u32(&b);
		p->socket = (int32_t)cur_u32(&b);
	}
	if (cur_left(&b) == 0)
		return 0;
	if (skip_strings(&b) || (uint64_t)nr > cur_left(&b) / 4)
		return -1;
	for (int32_t cpu = 0; cpu < nr; cpu++)
		topology_cpu(c, cpu)->die = (int32_t)cur_u32(&b);
	return 0;
}

struct node_of {
	struct capture *capture;
	int32_t node;
};

static void set_node(void *user, int32_t cpu)
{
	struct node_of *n = user;

	topology_cpu(n->capture, cpu)->node = n->node;
}

/* u32 n; n × { u32 node, u64 total_kB, u64 free_kB, string list of CPUs } */
int topology_decode_nodes(struct capture *c, struct cursor b)
{
	const uint32_t most = 1024; /* of the kernel; each may name 65536 CPUs in a few bytes */
	uint32_t nr = cur_u32(&b);

	if (nr > most)
		return -1;
	while (nr-- && !b.failed) {
		struct node_of n = { .capture = c, .node = (int32_t)cur_u32(&b) };
		const char *list;
		struct bytes text;

		(void)cur_u64(&b);
		(void)cur_u64(&b);
		text = feature_string(&b);
		if (b.failed)
			return -1;
		list = arena_strndup(c->arena, text.at, text.size);
		if (cpu_list_decode(list, set_node, &n))
			return -1;
	}
	return b.failed ? -1 : 0;
}
