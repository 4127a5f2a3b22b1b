// SPDX-License-Identifier: GPL-2.0-only
/* One capture: readings to counts, counts to metrics, both to the visitor. */
#include "metrics/analysis.h"

#include <stdlib.h>

#include "metrics/choose_set.h"
#include "metrics/place.h"
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
	bool begun, has_samples;
};

bool analysis_has_metrics(const struct analysis *a)
{
	for (size_t m = 0; a->plan && m < a->set->nr_metrics; m++)
		if (plan_has(a->plan, m))
			return true;
	return false;
}

/* As late as possible: pipe streams and texts make their events known on the way. */
static int begin(struct run *r, struct error *err)
{
	struct analysis *a = &r->analysis;

	if (r->begun)
		return 0;
	r->begun = true;
	if (r->options->only_counts)
		return r->visitor->begin ? r->visitor->begin(r->user, a, err) : 0;
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
	return r->visitor->begin ? r->visitor->begin(r->user, a, err) : 0;
}

static int on_scope(void *user, const struct scope *scope, struct error *err)
{
	struct run *r = user;

	if (begin(r, err))
		return -1;
	if (r->analysis.plan)
		uncertainty_eval(r->uncertainty, scope, r->results, &r->checks);
	if (r->analysis.plan && r->analysis.capture->printed)
		printed_compare(r->analysis.plan, scope, r->results, &r->checks);
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
		r->has_samples = true;
		/* fall through */
	case ITEM_RECORD:
		if (begin(r, err))
			return -1;
		return r->visitor->item ? r->visitor->item(r->user, &r->analysis, item, err) : 0;
	}
	return 0;
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
	if (q->by_interval && !counts_intervals(r->counts))
		return fail(err, NO_OFFSET, "has no intervals: it was recorded without -I");
	if (q->place & of_topology && !c->nr_cpus)
		return fail(err, NO_OFFSET, "does not tell the topology of its machine, so --by %s is not possible", kind);
	return fail(err, NO_OFFSET, "was not counted by %s: recorded for %s", kind,
		    c->printed ? "other places" : "the run as a whole");
}

static int check_found(const struct run *r, struct error *err)
{
	if (r->options->samples_will_do && !r->analysis.capture->is_stat && r->has_samples)
		return 0;
	for (size_t i = 0; i < r->options->nr_required; i++)
		if (!counts_found(r->counts, &r->options->requests[i]))
			return nothing_found(r, &r->options->requests[i], err);
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
	if (check_found(r, err))
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
	uncertainty_free(r.uncertainty);
	plan_free(r.analysis.plan);
	set_free(r.analysis.set);
	return result;
}
