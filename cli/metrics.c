// SPDX-License-Identifier: GPL-2.0-only
/* perftab metrics: definitions, how to record them, and how a value came about. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "export/metric_page.h"
#include "metrics/record_advice.h"

/* The set that the options name; *ret NULL and 0 where they name none. */
static int named_set(const struct options *o, struct metric_set **ret, struct error *err)
{
	const char *name = o->set_name;

	*ret = NULL;
	if (o->metrics_path) {
		*ret = set_load(o->metrics_path, err);
		return *ret ? 0 : -1;
	}
	if (o->cpuid) {
		name = set_for_cpuid(o->cpuid);
		if (!name)
			return fail(err, NO_OFFSET, "no metric set fits the CPU '%s'", o->cpuid);
	}
	if (!name)
		return 0;
	*ret = set_builtin(name, err);
	return *ret ? 0 : -1;
}

/* Calls for the named set, or for each compiled-in set that has this metric or group. */
typedef int with_set(struct page *p, const struct metric_set *set, const char *name, struct error *err);

static bool has_metric_or_group(const struct metric_set *set, const char *name)
{
	for (size_t m = 0; m < set->nr_metrics; m++)
		if (strcmp(set->metrics[m].name, name) == 0 || metric_in_group(&set->metrics[m], name))
			return true;
	return false;
}

static int each_set(struct page *p, const char *name, with_set *call, struct error *err)
{
	size_t found = 0;
	int result = 0;

	for (const char *const *n = set_names(); *n && result == 0; n++) {
		struct metric_set *set = set_builtin(*n, err);

		if (!set)
			return -1;
		if (has_metric_or_group(set, name)) {
			result = call(p, set, name, err);
			found++;
		}
		set_free(set);
	}
	if (result == 0 && !found)
		return fail(err, NO_OFFSET, "no metric set has a metric or group '%s'", name);
	return result;
}

static int show(struct page *p, const struct metric_set *set, const char *name, struct error *err)
{
	int32_t metric = set_find_metric(set, name);

	if (metric >= 0) {
		metric_page_one(p, set, (size_t)metric);
		return 0;
	}
	if (!has_metric_or_group(set, name))
		return fail(err, NO_OFFSET, "set %s has no metric or group '%s'", set->name, name);
	metric_page_list(p, set, name);
	return 0;
}

static int define(struct page *p, const struct options *o, struct error *err)
{
	const char *name = o->record ? o->record : o->nr_inputs ? o->inputs[0] : NULL;
	with_set *call = o->record ? metric_page_record : show;
	struct metric_set *set;
	int result = 0;

	if (named_set(o, &set, err))
		return -1;
	if (!name && !set)
		return metric_page_sets(p, err);
	if (!set)
		return each_set(p, name, call, err);
	if (name)
		result = call(p, set, name, err);
	else
		metric_page_list(p, set, NULL);
	set_free(set);
	return result;
}

/* ---- how a value came about ---- */

struct explanation {
	struct page *page;
	const char *name;
	bool defined;
};

static int on_scope(void *user, const struct analysis *a, const struct scope *s, const struct metric_result *results,
		    struct error *err)
{
	struct explanation *x = user;
	int32_t metric = a->set ? set_find_metric(a->set, x->name) : -1;

	if (!a->set)
		return fail(err, NO_OFFSET, "%s", a->note);
	if (metric < 0)
		return fail(err, NO_OFFSET, "set %s has no metric '%s'", a->set->name, x->name);
	if (!x->defined)
		metric_page_one(x->page, a->set, (size_t)metric);
	x->defined = true;
	metric_page_explain(x->page, a, s, &results[metric], (size_t)metric);
	return 0;
}

static int explain_capture(struct explanation *x, const struct options *o, const char *path, struct error *err)
{
	const struct scope_request run = { false, PLACE_RUN };
	const struct analysis_options options = {
		.requests = &run, .nr_requests = 1, .set_name = o->set_name, .metrics_path = o->metrics_path, .nr_required = 1,
	};
	const struct analysis_visitor visitor = { .scope = on_scope };
	const struct capture_options reading = { 0 };
	struct capture_reader *reader = capture_open(path, &reading, err);
	struct capture *capture;
	int n, code = EXIT_DONE;

	if (!reader)
		return EXIT_CANNOT;
	while ((n = capture_run(reader, &capture, err)) > 0) {
		if (analysis_run(reader, capture, &options, &visitor, x, err)) {
			n = -1;
			break;
		}
		if (tell_damage(capture) != EXIT_DONE)
			code = EXIT_DAMAGED;
	}
	capture_close(reader);
	return n < 0 ? EXIT_CANNOT : code;
}

static int explain(struct page *p, const struct options *o)
{
	struct explanation x = { .page = p, .name = o->inputs[0] };
	struct error err = { "" };
	int code = EXIT_DONE;

	for (size_t i = 1; i < o->nr_inputs && code != EXIT_CANNOT; i++) {
		int one = explain_capture(&x, o, o->inputs[i], &err);

		if (one == EXIT_CANNOT)
			complain(o->inputs[i], &err);
		if (one != EXIT_DONE)
			code = one;
	}
	return code;
}

int command_metrics(const struct options *o)
{
	struct error err = { "" };
	struct page *p;
	int code = EXIT_DONE;

	if (o->format && strcmp(o->format, "md") && strcmp(o->format, "text")) {
		fprintf(stderr, "perftab: -f takes text or md here, not %s\n", o->format);
		return EXIT_CANNOT;
	}
	p = o->format && strcmp(o->format, "md") == 0 ? page_md_new(stdout) :
							 page_text_new(stdout, terminal_has_color(STDOUT_FILENO));
	if (!o->record && o->nr_inputs > 1)
		code = explain(p, o);
	else if (define(p, o, &err))
		code = complain(NULL, &err);
	if (page_finish(p, &err))
		return complain(NULL, &err);
	return code;
}
