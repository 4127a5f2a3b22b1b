// SPDX-License-Identifier: GPL-2.0-only
/* perftab convert: everything, in one pass, into any number of outputs. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

/*
 * Without --by: the run, its intervals, and both by the smallest places there are.  What a
 * perf.data file tells by CPU can be added up in SQL; printed counts are taken as printed.
 */
static size_t convert_requests(const struct options *o, const struct capture *c, struct scope_request *ret)
{
	static const unsigned places[] = { PLACE_RUN,	 PLACE_CPU,  PLACE_THREAD, PLACE_CGROUP,
					   PLACE_CORE, PLACE_DIE, PLACE_SOCKET, PLACE_NODE };
	size_t nr_places = c->printed ? 8 : 4, nr = 0;

	if (o->by_given) {
		ret[0] = o->by;
		return 1;
	}
	for (size_t i = 0; i < nr_places; i++) {
		ret[nr++] = (struct scope_request){ false, places[i] };
		ret[nr++] = (struct scope_request){ true, places[i] };
	}
	return nr;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

static int request_of(const struct options *o, const char *path, struct output_request *ret)
{
	*ret = (struct output_request){ .path = path, .counts = o->counts, .class = sink_class_for(path) };
	if (ends_with(path, ".md")) {
		ret->content = OUTPUT_PAGE;
		ret->markdown = true;
		return 0;
	}
	if (!ret->class) {
		fprintf(stderr, "perftab: %s: expected a name that ends in .db, .sqlite, /, .csv, .md or .json\n", path);
		return -1;
	}
	ret->content = OUTPUT_TABLES;
	if (ends_with(path, ".csv"))
		ret->content = o->counts ? OUTPUT_COUNTS : OUTPUT_METRICS;
	return 0;
}

int command_convert(const struct options *o)
{
	const struct scope_request run = { false, PLACE_RUN };
	struct output_request requests[MAX_OUTPUTS];
	struct output_options options = {
		.force = o->force,
		.append = o->append,
		.only_counts = o->counts,
		.shown = o->by_given ? &o->by : &run,
		.nr_shown = 1,
	};
	const struct parts_options functions = { .kind = PART_FUNCTION, .values = o->parts.values };
	const struct parts_wish parts = { o->counts ? NULL : &functions, false };
	struct outputs *outputs;
	struct error err = { "" };

	if (!o->nr_outputs) {
		fprintf(stderr, "perftab: convert needs an output: -o NAME.db, -o NAME/, …\n");
		return EXIT_CANNOT;
	}
	for (size_t i = 0; i < o->nr_outputs; i++)
		if (request_of(o, o->outputs[i], &requests[i]))
			return EXIT_CANNOT;
	outputs = outputs_open(requests, o->nr_outputs, &options, &err);
	if (!outputs)
		return complain(NULL, &err);
	return run_inputs(o, convert_requests, o->by_given ? 1 : 0, &parts, outputs);
}
