// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan and the counts of one scope become values: ours, from what was counted in full
 * precision, and perf's, from what perf would have added up.  A value that cannot be
 * known is refused with a reason.
 */
#include "metrics/plan_parts.h"

#include <string.h>

static double operand_value(const struct plan_operand *o, const struct plan_inputs *in)
{
	const double *from = o->kind == OPERAND_INSTANCES ? in->instances : in->counts;
	double sum = 0;

	if (o->kind == OPERAND_SECONDS)
		return in->seconds;
	if (o->kind == OPERAND_METRIC)
		return in->formulas ? in->formulas[o->metric] : NAN;
	if (o->kind == OPERAND_UNKNOWN || !from)
		return NAN;
	for (size_t i = 0; i < o->nr_events; i++)
		sum += from[o->events[i]];
	return sum * o->unit;
}

static double formula_value(const struct plan_metric *m, const struct plan_inputs *in, struct expr_status *status)
{
	for (size_t i = 0; i < m->nr_operands; i++)
		m->scratch[i] = operand_value(&m->operands[i], in);
	return expr_eval(m->expr, m->scratch, status);
}

double plan_formula(const struct plan_metric *m, const struct plan_inputs *in, struct expr_status *status)
{
	return m->metric->factor * formula_value(m, in, status);
}

double plan_seconds(const struct metric_plan *p, const struct scope *scope)
{
	double ns = scope->end_ns - scope->begin_ns;

	if (isnan(ns) && scope->is_total && p->capture->duration_ns > 0)
		ns = (double)p->capture->duration_ns;
	return ns * 1e-9;
}

/* Counted all the time that it was enabled; times that differ by a millionth are equal. */
static bool is_exact(const struct cell *c)
{
	double enabled = (double)c->enabled, running = (double)c->running;

	if (!c->has_times)
		return c->coverage >= 1 - 1e-6;
	return !c->dead && fabs(enabled - running) <= 1e-6 * enabled;
}

static const char *why_unknown(const struct cell *c)
{
	if (c->state == CELL_NOT_SUPPORTED)
		return "not_supported";
	if (c->state == CELL_NOT_COUNTED)
		return c->has_times && !c->enabled ? "not_enabled" : "not_counted";
	return NULL;
}

static void refuse(struct metric_result *r, const char *reason)
{
	r->value = NAN;
	r->status = METRIC_REFUSED;
	r->method = METHOD_NONE;
	r->reason = reason;
}

/* Coverage and how the events were counted.  False when one of them was not. */
static bool look_at_cells(const struct plan_metric *m, const struct scope *scope, struct metric_result *r, bool *exact)
{
	const char *why = NULL;

	*exact = true;
	for (size_t i = 0; i < m->nr_events; i++) {
		const struct cell *c = m->events[i] < scope->nr_cells ? &scope->cells[m->events[i]] : NULL;

		if (!c || why_unknown(c)) {
			why = why ? why : c ? why_unknown(c) : "not_counted";
			continue;
		}
		*exact &= is_exact(c);
		if (!(r->coverage <= c->coverage))
			r->coverage = c->coverage;
	}
	r->co_scheduled = (m->one_group && m->groups_known) || (!why && *exact);
	if (!why)
		return true;
	r->coverage = NAN;
	refuse(r, why);
	return false;
}

static void eval_one(const struct plan_metric *m, const struct scope *scope, const struct plan_inputs *in,
		     struct metric_result *r)
{
	struct expr_status status;
	bool exact;

	if (!look_at_cells(m, scope, r, &exact))
		return;
	r->value = plan_formula(m, in, &status);
	if (status.zero_denominator || isnan(r->value)) {
		refuse(r, isnan(in->seconds) && !status.zero_denominator ? "duration-unknown" : "zero_denominator");
	} else if (exact) {
		r->method = METHOD_EXACT;
		r->se = 0;
		r->lo = r->hi = r->value;
	} else {
		r->reason = "single-total";
	}
}

/* Parts of next to nothing are nothing, although their ratio is unknown. */
#define SMALL_PARENT 0.0005

static void allow_small_parents(const struct metric_plan *p, struct metric_result *results)
{
	for (size_t i = 0; i < p->nr_computable; i++) {
		int32_t parent = p->set->metrics[p->computable[i]].parent;
		struct metric_result *r = &results[p->computable[i]];

		if (parent < 0 || r->status != METRIC_REFUSED || strcmp(r->reason, "zero_denominator") != 0 ||
		    !(fabs(results[parent].value) < SMALL_PARENT))
			continue;
		r->value = 0;
		r->status = METRIC_OK;
	}
}

static double count_for_perf(const struct cell *c)
{
	if (c->state != CELL_COUNTED || c->perf_not_counted)
		return NAN;
	return c->has_raw ? (double)c->scaled_perf : c->scaled;
}

void plan_eval(const struct metric_plan *p, const struct scope *scope, struct metric_result *results)
{
	const struct plan_inputs in = { p->counts, p->instances, plan_seconds(p, scope), NULL };

	for (size_t i = 0; i < p->nr_events; i++) {
		const struct cell *c = i < scope->nr_cells ? &scope->cells[i] : NULL;

		p->counts[i] = c ? count_for_perf(c) : NAN;
		p->instances[i] = c ? (double)c->instances : (double)NAN;
	}
	memcpy(results, p->blank, p->set->nr_metrics * sizeof(*results));
	for (size_t i = 0; i < p->nr_computable; i++)
		results[p->computable[i]].value_perf = plan_formula(&p->metrics[p->computable[i]], &in, NULL);
	for (size_t i = 0; i < p->nr_events && i < scope->nr_cells; i++)
		p->counts[i] = scope->cells[i].scaled;
	for (size_t i = 0; i < p->nr_computable; i++)
		eval_one(&p->metrics[p->computable[i]], scope, &in, &results[p->computable[i]]);
	allow_small_parents(p, results);
}

/* ---- thresholds ---- */

size_t plan_flagged(const struct metric_plan *p, const struct scope *scope, const struct metric_result *results,
		    uint32_t *ret)
{
	const struct plan_inputs in = { p->counts, p->instances, plan_seconds(p, scope), p->formulas };
	size_t nr = 0;

	if (!p->nr_thresholds)
		return 0;
	for (size_t i = 0; i < p->nr_events; i++) {
		const struct cell *c = i < scope->nr_cells ? &scope->cells[i] : NULL;

		p->counts[i] = c ? c->scaled : NAN;
		p->instances[i] = c ? (double)c->instances : (double)NAN;
	}
	for (size_t i = 0; i < p->set->nr_metrics; i++)
		p->formulas[i] = results[i].value / p->set->metrics[i].factor;
	for (size_t i = 0; i < p->nr_thresholds; i++) {
		const struct plan_threshold *t = &p->thresholds[i];
		double v = formula_value(&t->rule, &in, NULL);

		if (v != 0 && !isnan(v) && !isnan(results[t->metric].value))
			ret[nr++] = (uint32_t)t->metric;
	}
	return nr;
}

/* ---- words ---- */

const char *metric_status_name(enum metric_status s)
{
	static const char *const names[] = { "ok", "caution", "refused" };

	return names[s];
}

const char *metric_method_name(enum metric_method m)
{
	static const char *const names[] = { "none", "exact", "intervals", "repeats", "samples" };

	return names[m];
}

const char *check_class_name(enum check_class c)
{
	static const char *const names[] = { "info", "warn", "no-interval", "refuse" };

	return names[c];
}
