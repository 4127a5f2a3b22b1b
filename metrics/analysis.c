// SPDX-License-Identifier: GPL-2.0-only
/* One capture: readings to counts, counts to metrics, both to the visitor. */
#include "metrics/analysis.h"

#include <stdlib.h>

#include "metrics/choose_set.h"
#include "metrics/place.h"
#include "metrics/flagged.h"
#include "metrics/printed.h"

struct run {
	struct analysis analysis;
	const struct analysis_options *options;
	const struct analysis_visitor *visitor;
	void *user;
	struct counts *counts;
	struct uncertainty *uncertainty;
	struct metric_result *results;
	struct check_list checks;
	struct printed_names printed;
	struct locator *own_locator;
	struct metric_plan *bare_plan; /* without metrics: samples can be counted without a set, too */
	bool begun;
};

bool analysis_has_metrics(const struct analysis *a)
{
	for (size_t m = 0; a->plan && m < a->set->nr_metrics; m++)
		if (plan_has(a->plan, m))
			return true;
	return false;
}

/* Samples are given to parts of the program with the metrics of the plan, or with none. */
static void begin_parts(struct run *r)
{
	static const struct metric_set none = { .name = "" };
	struct analysis *a = &r->analysis;

	a->visitor_adds = r->options->visitor_adds;
	a->locator = r->options->locator;
	if (!a->locator)
		a->locator = r->own_locator = locator_new(&(struct symbols_options){ 0 });
	locator_begin(a->locator, a->capture);
	if (!r->options->parts)
		return;
	if (!a->plan)
		r->bare_plan = plan_new(&none, a->capture);
	a->parts = parts_new(a->plan ? a->plan : r->bare_plan, a->locator, r->options->parts);
}

/* As late as possible: pipe streams and texts make their events known on the way. */
static int begin(struct run *r, struct error *err)
{
	struct analysis *a = &r->analysis;

	if (r->begun)
		return 0;
	r->begun = true;
	if (r->options->only_counts) {
		begin_parts(r);
		return r->visitor->begin ? r->visitor->begin(r->user, a, err) : 0;
	}
	if (choose_set(a->capture, r->options->set_name, r->options->metrics_path, &r->printed, &a->set, &a->note, err))
		return -1;
	if (a->set) {
		a->plan = plan_new(a->set, a->capture);
		r->results = must_alloc(a->set->nr_metrics * sizeof(*r->results));
		r->uncertainty = uncertainty_new(a->plan, r->options->requests, r->options->nr_requests,
						 &r->options->uncertainty);
		uncertainty_watch(r->uncertainty, r->counts);
		a->checks = &r->checks;
	}
	begin_parts(r);
	return r->visitor->begin ? r->visitor->begin(r->user, a, err) : 0;
}

/* A capture of samples that has no readings: its scopes are empty. */
static bool is_told_by_samples(const struct run *r)
{
	return !r->analysis.capture->is_stat && r->analysis.parts && parts_found(r->analysis.parts);
}

static int on_scope(void *user, const struct scope *scope, struct error *err)
{
	struct run *r = user;

	if (begin(r, err))
		return -1;
	if (is_told_by_samples(r))
		return 0;
	if (r->analysis.plan)
		uncertainty_eval(r->uncertainty, scope, r->results, &r->checks);
	if (r->analysis.plan && r->analysis.capture->printed)
		printed_compare(r->analysis.plan, scope, r->results, &r->checks);
	if (r->analysis.plan)
		flagged_check(r->analysis.plan, scope, r->results, &r->checks);
	return r->visitor->scope(r->user, &r->analysis, scope, r->results, err);
}

static int on_item(struct run *r, const struct item *item, struct error *err)
{
	switch (item->kind) {
	case ITEM_READINGS:
		counts_readings(r->counts, item->readings.list, item->readings.nr);
		return 0;
	case ITEM_ROUND: /* the events of readings are known by now; who watches rounds must see the first */
		if (!item->round.final && !r->analysis.capture->printed && begin(r, err))
			return -1;
		return counts_round(r->counts, &item->round, err);
	case ITEM_PRINTED_COUNT:
		return counts_printed(r->counts, &item->count, err);
	case ITEM_PRINTED_METRIC:
		printed_names_add(&r->printed, item->metric.name);
		return counts_printed_metric(r->counts, &item->metric, err);
	case ITEM_SAMPLE:
	case ITEM_RECORD:
		if (begin(r, err))
			return -1;
		if (item->kind == ITEM_SAMPLE && r->analysis.parts && !r->options->visitor_adds)
			parts_sample(r->analysis.parts, item->sample);
		else if (item->kind == ITEM_RECORD && !locator_is_read(r->analysis.locator))
			locator_record(r->analysis.locator, item->record, item->layout);
		return r->visitor->item ? r->visitor->item(r->user, &r->analysis, item, err) : 0;
	}
	return 0;
}

static bool any_instance_has(const struct run *r, unsigned place)
{
	for (size_t i = 0; i < counts_nr_instances(r->counts); i++)
		if (counts_place_of(r->counts, i, place))
			return true;
	return false;
}

static const char *counted_by(const struct run *r)
{
	if (r->analysis.capture->printed)
		return "other places";
	if (any_instance_has(r, PLACE_CPU))
		return any_instance_has(r, PLACE_THREAD) ? "each cpu and thread" : "each cpu";
	return any_instance_has(r, PLACE_THREAD) ? "each thread" : "the run as a whole";
}

/* Why a request found nothing. */
static int nothing_found(const struct run *r, const struct scope_request *q, struct error *err)
{
	const unsigned of_topology = PLACE_CORE | PLACE_DIE | PLACE_SOCKET | PLACE_NODE;
	const struct capture *c = r->analysis.capture;
	char kind[64];

	place_kind_name(q->place, kind, sizeof(kind));
	if (!c->is_stat)
		return fail(err, NO_OFFSET, "has no counter readings: it is not from perf stat record");
	if (!counts_nr_instances(r->counts) && !c->printed)
		return fail(err, NO_OFFSET, "holds no reading of a counter: it ends before the first one, or none was written");
	if (q->by_interval && !counts_intervals(r->counts))
		return fail(err, NO_OFFSET, "has no intervals: it was recorded without -I");
	if (q->place & of_topology && !c->nr_cpus)
		return fail(err, NO_OFFSET, "does not tell the topology of its machine, so --by %s is not possible", kind);
	if (q->by_interval && q->place == PLACE_RUN)
		return fail(err, NO_OFFSET, "was not counted by interval: the intervals hold no readings");
	return fail(err, NO_OFFSET, "was not counted by %s: recorded for %s", kind, counted_by(r));
}

/* Some kinds of parts are places as well. */
static bool is_place_of(enum part_kind kind, const struct scope_request *q)
{
	static const struct {
		enum part_kind kind;
		unsigned place;
	} both[] = { { PART_RUN, PLACE_RUN }, { PART_THREAD, PLACE_THREAD }, { PART_CGROUP, PLACE_CGROUP } };

	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++)
		if (both[i].kind == kind)
			return !q->by_interval && q->place == both[i].place;
	return false;
}

/* Where such a place was counted, its counts are better than samples. */
static bool has_counts(const struct run *r, enum part_kind kind)
{
	for (size_t i = 0; i < r->options->nr_requests; i++)
		if (is_place_of(kind, &r->options->requests[i]) && counts_found(r->counts, &r->options->requests[i]))
			return true;
	return false;
}

/* Why there are no samples of what was asked for. */
static int no_parts(const struct run *r, struct error *err)
{
	const struct parts_options *o = r->options->parts;

	if (!r->analysis.capture->record_counts[RECORD_SAMPLE])
		return fail(err, NO_OFFSET, "has no samples, so --by %s is not possible",
			    part_kind_name(o->kind));
	if (o->kind == PART_CGROUP)
		return fail(err, NO_OFFSET, "its samples do not name their cgroups: it was recorded without --all-cgroups");
	return fail(err, NO_OFFSET, "has no samples in a function '%s'", o->function ? o->function : "");
}

static int check_request(const struct run *r, const struct scope_request *q, struct error *err)
{
	const struct parts *parts = r->analysis.parts;

	if (counts_found(r->counts, q))
		return 0;
	if (!parts || !is_place_of(parts_kind(parts), q) || !r->analysis.capture->record_counts[RECORD_SAMPLE])
		return nothing_found(r, q, err);
	return parts_found(parts) ? 0 : no_parts(r, err);
}

static int check_found(const struct run *r, struct error *err)
{
	const struct parts *parts = r->analysis.parts;

	if (parts && !parts_found(parts) && r->options->parts_required)
		return no_parts(r, err);
	if (r->options->samples_will_do && !r->analysis.capture->is_stat && r->analysis.capture->nr_samples &&
	    (!parts || parts_found(parts)))
		return 0;
	for (size_t i = 0; i < r->options->nr_required; i++)
		if (check_request(r, &r->options->requests[i], err))
			return -1;
	return 0;
}

static int visit_part(struct run *r, const struct part *part, struct error *err)
{
	by_function_eval(parts_values(r->analysis.parts), part->number, r->results);
	return r->visitor->part(r->user, &r->analysis, part, r->results, err);
}

static int visit_parts(struct run *r, struct error *err)
{
	struct parts *parts = r->analysis.parts;
	struct part part;

	if (!parts || !parts_found(parts))
		return 0;
	parts_finish(parts);
	if (!r->visitor->part || has_counts(r, parts_kind(parts)))
		return 0;
	if (!has_counts(r, PART_RUN)) {
		part = parts_whole(parts);
		if (visit_part(r, &part, err))
			return -1;
	}
	for (size_t i = 0; i < parts_count(parts); i++)
		if (visit_part(r, parts_get(parts, i), err))
			return -1;
	return 0;
}

static void tell_progress(const struct run *r, const struct capture_reader *reader)
{
	uint64_t done, total;

	capture_progress(reader, &done, &total);
	r->options->progress(r->options->progress_user, done, total);
}

enum { ITEMS_BETWEEN_PROGRESS = 1 << 16 };

static int read_items(struct run *r, struct capture_reader *reader, struct error *err)
{
	struct item item;
	size_t nr = 0;
	int n;

	while ((n = capture_next(reader, &item, err)) > 0) {
		if (on_item(r, &item, err))
			return -1;
		if (r->options->progress && ++nr % ITEMS_BETWEEN_PROGRESS == 0)
			tell_progress(r, reader);
	}
	return n;
}

static int read_all(struct run *r, struct capture_reader *reader, struct error *err)
{
	if (read_items(r, reader, err) < 0 || begin(r, err) || counts_finish(r->counts, err))
		return -1;
	if (check_found(r, err) || visit_parts(r, err))
		return -1;
	r->analysis.capture->complete = !damage_lost(&r->analysis.capture->damage);
	return r->visitor->end ? r->visitor->end(r->user, &r->analysis, err) : 0;
}

int analysis_run(struct capture_reader *reader, struct capture *capture, const struct analysis_options *options,
		 const struct analysis_visitor *visitor, void *user, struct error *err)
{
	struct run r = {
		.analysis = { .capture = capture, .note = "" },
		.options = options,
		.visitor = visitor,
		.user = user,
	};
	int result;

	r.counts = counts_new(capture, options->requests, options->nr_requests, on_scope, &r);
	result = read_all(&r, reader, err);
	counts_free(r.counts);
	free(r.results);
	parts_free(r.analysis.parts);
	plan_free(r.bare_plan);
	locator_free(r.own_locator);
	uncertainty_free(r.uncertainty);
	plan_free(r.analysis.plan);
	set_free(r.analysis.set);
	return result;
}
