// SPDX-License-Identifier: GPL-2.0-only
/* Every capture of every input, through the outputs. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "metrics/repeats.h"

int complain(const char *name, const struct error *err)
{
	if (*err->text)
		fprintf(stderr, "perftab: %s%s%s\n", name ? name : "", name ? ": " : "", err->text);
	return EXIT_CANNOT;
}

int tell_damage(const struct capture *c)
{
	for (int k = 0; k < DAMAGE_NR; k++) {
		const char *detail = c->damage.of[k].detail;
		uint64_t nr = c->damage.of[k].count, at = c->damage.of[k].first_offset;

		if (!nr || damage_class_of((enum damage_kind)k) != DAMAGE_LOSS)
			continue;
		fprintf(stderr, "perftab: %s: %s%s%s", c->path, damage_text((enum damage_kind)k), *detail ? ": " : "", detail);
		if (nr > 1)
			fprintf(stderr, " (%" PRIu64 " times)", nr);
		if (at != NO_OFFSET)
			fprintf(stderr, " (offset %" PRIu64 ")", at);
		fputc('\n', stderr);
	}
	return damage_lost(&c->damage) ? EXIT_DAMAGED : EXIT_DONE;
}

/* What is the same for every input, and where all of it goes. */
struct work {
	const struct options *options;
	requests_for *requests;
	size_t nr_required;
	const struct parts_wish *parts;
	struct outputs *outputs;
	const struct analysis_visitor *visitor;
	void *user;
};

static int run_captures(const struct work *w, const char *path, struct capture_reader *reader, struct locator *locator)
{
	const struct options *o = w->options;
	struct scope_request list[MAX_REQUESTS];
	struct analysis_options options = {
		.requests = list,
		.set_name = o->set_name,
		.metrics_path = o->metrics_path,
		.only_counts = !outputs_want_metrics(w->outputs),
		.uncertainty = { .level = o->level, .limits = &o->limits },
		.samples_will_do = outputs_count_samples(w->outputs),
		.nr_required = w->nr_required,
		.locator = locator,
		.parts = w->parts->options,
		.parts_required = w->parts->required,
		.visitor_adds = outputs_find_functions(w->outputs) && w->parts->options &&
				w->parts->options->kind == PART_FUNCTION && !w->parts->options->inlines,
		.progress = progress_show,
	};
	struct capture *capture;
	struct error err = { "" };
	int n, code = EXIT_DONE;

	while ((n = capture_run(reader, &capture, &err)) > 0) {
		options.nr_requests = w->requests(o, capture, list);
		if (analysis_run(reader, capture, &options, w->visitor, w->user, &err))
			return complain(path, &err);
		progress_end();
		if (tell_damage(capture) != EXIT_DONE)
			code = EXIT_DAMAGED;
	}
	return n < 0 ? complain(path, &err) : code;
}

/*
 * Tables of samples want the order of time, in which records come before what they tell of.
 * For sums alone all records are read first where that can be, and samples as they lie.
 */
struct capture_reader *open_located(const char *path, struct locator *locator, const struct capture_options *options,
				    struct error *err)
{
	struct capture_options o = *options;

	if (o.want_samples && locator_read(locator, path, o.time_order, err))
		return NULL;
	if (o.want_samples && !locator_is_read(locator))
		o.time_order = true;
	o.want_records |= o.time_order;
	return capture_open(path, &o, err);
}

static int run_input(const struct work *w, const char *path)
{
	const bool tables = outputs_want_samples(w->outputs);
	const struct capture_options options = {
		.count_samples = outputs_count_samples(w->outputs) ||
				 (w->parts->options && w->parts->options->kind == PART_RUN),
		.want_samples = tables || (w->parts->options && w->parts->options->kind != PART_RUN),
		.want_reads = w->parts->options != NULL,
		.want_records = tables,
		.time_order = tables,
	};
	struct locator *locator = locator_new(&w->options->symbols);
	struct error err = { "" };
	struct capture_reader *reader = open_located(path, locator, &options, &err);
	int code = reader ? run_captures(w, path, reader, locator) : complain(path, &err);

	capture_close(reader);
	locator_free(locator);
	return code;
}

int run_inputs(const struct options *o, requests_for *requests, size_t nr_required, const struct parts_wish *parts,
	       struct outputs *outputs)
{
	struct repeats *repeats =
		o->repeat ? repeats_new(o->nr_inputs, o->level, &outputs_visitor, outputs) : NULL;
	const struct work work = {
		.options = o,
		.requests = requests,
		.nr_required = nr_required,
		.parts = parts,
		.outputs = outputs,
		.visitor = repeats ? &repeats_visitor : &outputs_visitor,
		.user = repeats ? (void *)repeats : (void *)outputs,
	};
	struct error err = { "" };
	int code = EXIT_DONE;

	progress_begin(o->quiet);
	for (size_t i = 0; i < o->nr_inputs && code != EXIT_CANNOT; i++) {
		int one = run_input(&work, o->inputs[i]);

		if (one != EXIT_DONE)
			code = one;
	}
	progress_end();
	repeats_free(repeats);
	if (code == EXIT_CANNOT) {
		outputs_abandon(outputs);
		return code;
	}
	if (outputs_finish(outputs, &err))
		return complain(NULL, &err);
	return code;
}
