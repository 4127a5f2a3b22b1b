// SPDX-License-Identifier: GPL-2.0-only
/* Captures that the tests build and that also lie in fixtures/. */
#include "tests/built.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One line of the list: group,leader,event,type,config,count,time_enabled_ns,time_running_ns */
struct line {
	char group[16], event[128];
	unsigned type;
	uint64_t config, count, enabled, running;
};

static int read_line(FILE *f, struct line *ret)
{
	char text[512];

	while (fgets(text, sizeof(text), f))
		if (sscanf(text, "%15[^,],%*d,\"%127[^\"]\",%u,%" SCNx64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64, ret->group,
			   ret->event, &ret->type, &ret->config, &ret->count, &ret->enabled, &ret->running) == 7)
			return 1;
	return 0;
}

static void machine(struct statdata *p)
{
	static const char *const command[] = { "perf", "stat", "record", "-M", "PipelineL1,PipelineL2", "--", "sha256" };
	struct image b = statdata_image(p);

	statdata_feature_string(p, 3, "constructed");
	statdata_feature_string(p, 6, "x86_64");
	image_u32(&b, 32);
	image_u32(&b, 32);
	statdata_feature(p, 7, &b);
	image_free(&b);
	statdata_feature_string(p, 8, "AMD Ryzen 9 7950X 16-Core Processor");
	statdata_feature_string(p, 9, "AuthenticAMD,25,97,2");
	image_u32(&b, sizeof(command) / sizeof(command[0]));
	for (size_t i = 0; i < sizeof(command) / sizeof(command[0]); i++)
		image_feature_string(&b, command[i]);
	statdata_feature(p, 11, &b);
	image_free(&b);
	statdata_feature(p, 19, &b);
}

/* Members of a group are read together; perf stat opens only the leaders disabled. */
static size_t add_event(struct statdata *p, const struct line *line, bool leader)
{
	const uint64_t disabled = 1 << 0, inherit = 1 << 1, enable_on_exec = 1 << 12;
	const struct statdata_event e = {
		.name = line->event,
		.type = line->type,
		.config = line->config,
		.sample_type = 0x10000, /* IDENTIFIER */
		.read_format = 0xf,     /* times, id, group */
		.flags = leader ? disabled | inherit | enable_on_exec : inherit,
		.nr_ids = 1,
	};

	return statdata_event(p, &e);
}

struct statdata *built_sha256(size_t attr_size, bool big)
{
	FILE *f = fopen("fixtures/sha256.csv", "r");
	struct statdata *p = statdata_new(attr_size, big);
	struct line lines[32];
	size_t nr = 0, leader = 0;

	while (f && nr < sizeof(lines) / sizeof(lines[0]) && read_line(f, &lines[nr])) {
		if (nr && strcmp(lines[nr].group, lines[leader].group)) {
			statdata_group(p, "{anon_group}", (uint32_t)leader, (uint32_t)(nr - leader));
			leader = nr;
		}
		add_event(p, &lines[nr], nr == leader);
		nr++;
	}
	if (f)
		fclose(f);
	statdata_group(p, "{anon_group}", (uint32_t)leader, (uint32_t)(nr - leader));
	machine(p);
	statdata_cpu_map_any(p);
	statdata_thread_map(p, &(const struct statdata_thread){ -1, "" }, 1);
	statdata_stat_config(p, 1, 0, 1, -1);
	for (size_t i = 0; i < nr; i++)
		statdata_stat(p, statdata_id(p, i, 0), -1, 0, lines[i].count, lines[i].enabled, lines[i].running);
	statdata_round(p, true, nr ? lines[0].enabled : 0);
	return p;
}
