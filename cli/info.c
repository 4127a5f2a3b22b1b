// SPDX-License-Identifier: GPL-2.0-only
/* perftab info: what is in a capture, what is lost, what can be computed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "export/info_page.h"
#include "export/outfile.h"

struct info {
	struct page *page; /* or */
	struct sink *sink;
	int64_t captures;
};

static int on_end(void *user, const struct analysis *a, struct error *err)
{
	struct info *i = user;
	int result = 0;

	i->captures++;
	if (i->page)
		info_page(i->page, a);
	else
		result = info_rows(i->sink, a, i->captures, err);
	return result;
}

static int no_scope(void *user, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		    struct error *err)
{
	(void)user;
	(void)a;
	(void)s;
	(void)results;
	(void)err;
	return 0;
}

static int read_input(struct info *i, const struct options *o, const char *path)
{
	const struct analysis_visitor visitor = { .scope = no_scope, .end = on_end };
	const struct parts_options functions = { .kind = PART_FUNCTION };
	struct locator *locator = locator_new(&o->symbols);
	const struct analysis_options options = {
		.set_name = o->set_name, .metrics_path = o->metrics_path, .progress = progress_show,
		.locator = locator, .parts = &functions,
	};
	const struct capture_options reading = { .count_samples = true, .want_samples = true };
	struct error err = { "" };
	struct capture_reader *reader = open_located(path, locator, &reading, &err);
	struct capture *capture;
	int n, code = EXIT_DONE;

	if (!reader) {
		locator_free(locator);
		return complain(path, &err);
	}
	while ((n = capture_run(reader, &capture, &err)) > 0) {
		if (analysis_run(reader, capture, &options, &visitor, i, &err)) {
			n = -1;
			break;
		}
		progress_end();
		if (tell_damage(capture) != EXIT_DONE)
			code = EXIT_DAMAGED;
	}
	capture_close(reader);
	locator_free(locator);
	return n < 0 ? complain(path, &err) : code;
}

static int read_inputs(struct info *i, const struct options *o)
{
	int code = EXIT_DONE;

	progress_begin(o->quiet);
	for (size_t k = 0; k < o->nr_inputs && code != EXIT_CANNOT; k++) {
		int one = read_input(i, o, o->inputs[k]);

		if (one != EXIT_DONE)
			code = one;
	}
	progress_end();
	return code;
}

static int finish_sink(struct info *i, int code)
{
	struct error err = { "" };

	if (code == EXIT_CANNOT) {
		sink_abandon(i->sink);
		return code;
	}
	return sink_finish(i->sink, &err) ? complain(NULL, &err) : code;
}

/* A page is gathered in a file of its own, so that one that cannot be finished is not shown in part. */
static int finish_page(struct info *i, struct outfile *file, int code)
{
	struct error err = { "" };

	if (page_finish(i->page, &err)) {
		outfile_abandon(file);
		return complain(NULL, &err);
	}
	return outfile_finish(file, &err) ? complain(NULL, &err) : code;
}

static int as_json(const struct options *o, const char *path)
{
	const struct sink_options sink_options = { .force = o->force };
	struct error err = { "" };
	struct info i = { .sink = sink_open(sink_class_named("json"), path, &schema_info, &sink_options, &err) };

	if (!i.sink)
		return complain(NULL, &err);
	return finish_sink(&i, read_inputs(&i, o));
}

static int as_page(const struct options *o, const char *path)
{
	struct error err = { "" };
	struct outfile *file = outfile_open(path, o->force, &err);
	struct info i = { 0 };

	if (!file)
		return complain(NULL, &err);
	i.page = o->format && strcmp(o->format, "md") == 0 ?
			 page_md_new(outfile_stream(file)) :
			 page_text_new(outfile_stream(file), !path && terminal_has_color(STDOUT_FILENO));
	return finish_page(&i, file, read_inputs(&i, o));
}

int command_info(const struct options *o)
{
	const char *path = o->nr_outputs ? o->outputs[0] : NULL;

	if (o->nr_outputs > 1) {
		fprintf(stderr, "perftab: info takes one -o\n");
		return EXIT_CANNOT;
	}
	if (o->format && strcmp(o->format, "json") == 0)
		return as_json(o, path);
	if (o->format && strcmp(o->format, "md") && strcmp(o->format, "text")) {
		fprintf(stderr, "perftab: -f takes text, md or json here, not %s\n", o->format);
		return EXIT_CANNOT;
	}
	return as_page(o, path);
}
