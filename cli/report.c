// SPDX-License-Identifier: GPL-2.0-only
/* perftab report: one table, for people or for scripts. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

/* A Markdown report that goes to a file has its pictures beside it. */
static bool draws_pictures(const struct options *o)
{
	bool markdown = o->format && strcmp(o->format, "md") == 0;

	for (size_t i = 0; i < o->nr_outputs; i++)
		if (markdown || (!o->format && ends_with(o->outputs[i], ".md")))
			return true;
	return o->plot;
}

/* Pictures need the run and its intervals, whatever else is asked for. */
static size_t report_requests(const struct options *o, const struct capture *c, struct scope_request *ret)
{
	size_t nr = 0;

	(void)c;
	ret[nr++] = o->by;
	for (int by_interval = 0; by_interval < 2 - o->repeat && draws_pictures(o); by_interval++)
		if (o->by.place != PLACE_RUN || o->by.by_interval != by_interval)
			ret[nr++] = (struct scope_request){ by_interval, PLACE_RUN };
	return nr;
}

static const char *format_for(const struct options *o, const char *path)
{
	static const char *const by_name[][2] = { { ".md", "md" }, { ".csv", "csv" }, { ".json", "json" } };

	if (o->format)
		return o->format;
	for (size_t i = 0; path && i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (ends_with(path, by_name[i][0]))
			return by_name[i][1];
	return "text";
}

static int request_of(const struct options *o, const char *path, struct output_request *ret)
{
	const char *format = format_for(o, path);

	if (!o->format && path && (ends_with(path, ".db") || ends_with(path, ".sqlite") || ends_with(path, "/"))) {
		fprintf(stderr, "perftab: %s: a report is text, md, csv or json; perftab convert writes this\n", path);
		return -1;
	}
	*ret = (struct output_request){ .path = path, .counts = o->counts };
	if (strcmp(format, "text") == 0 || strcmp(format, "md") == 0) {
		ret->content = OUTPUT_PAGE;
		ret->markdown = strcmp(format, "md") == 0;
		return 0;
	}
	if (strcmp(format, "csv") && strcmp(format, "json")) {
		fprintf(stderr, "perftab: -f takes text, md, csv or json, not %s\n", format);
		return -1;
	}
	ret->content = o->counts ? OUTPUT_COUNTS : OUTPUT_METRICS;
	ret->class = sink_class_named(format);
	return 0;
}

/* Places that samples are not given to. */
static bool takes_counts(unsigned place)
{
	return place != PLACE_RUN && place != PLACE_THREAD && place != PLACE_CGROUP;
}

int command_report(const struct options *o)
{
	struct output_request requests[MAX_OUTPUTS];
	size_t nr = o->nr_outputs ? o->nr_outputs : 1;
	const struct output_options options = {
		.force = o->force,
		.color = terminal_has_color(STDOUT_FILENO),
		.plot = o->plot,
		.shown = &o->by,
		.nr_shown = 1,
	};
	const struct parts_wish parts = { o->repeat || o->by.by_interval || takes_counts(o->by.place) ? NULL : &o->parts,
					  o->by_part };
	struct outputs *outputs;
	struct error err = { "" };

	if (o->repeat && (o->by.by_interval || o->nr_inputs < 2)) {
		fprintf(stderr, "perftab: --repeat takes several captures, and not --by interval\n");
		return EXIT_CANNOT;
	}
	for (size_t i = 0; i < nr; i++)
		if (request_of(o, o->nr_outputs ? o->outputs[i] : NULL, &requests[i]))
			return EXIT_CANNOT;
	outputs = outputs_open(requests, nr, &options, &err);
	if (!outputs)
		return complain(NULL, &err);
	return run_inputs(o, report_requests, o->by_part ? 0 : 1, &parts, outputs);
}
