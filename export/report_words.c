// SPDX-License-Identifier: GPL-2.0-only
/* The pipeline's table in sentences. */
#include "export/report_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/figures.h"
#include "metrics/by_function.h"

/* Shares that differ by less look the same in the table. */
#define SHOWN 0.001

/* A loss of which it is worth to say what it is, although it is not the largest. */
#define MUCH 0.10

enum { MAX_ROWS = 64 };

/* What the words are made from, and where they go. */
struct aloud {
	const struct words_row *rows;
	size_t nr;
	const struct check_list *checks;
	double residual;           /* of the sum of level 1; NaN where not all are known */
	size_t losses[MAX_ROWS];   /* those of level 1 that are known, the largest first */
	size_t nr_losses;
	bool all_losses;           /* none of level 1 is unknown */
	FILE *findings, *limits;
};

/* ---- what a share means ---- */

static const struct {
	const char *name, *part, *meaning; /* part: within the name of a share of level 2 */
} meanings[] = {
	{ "frontend_bound", "latency", "nothing was delivered in the cycle" },
	{ "frontend_bound", "bandwidth", "less than a full cycle's ops was delivered" },
	{ "frontend_bound", NULL, "the front end delivered no op" },
	{ "bad_speculation", "mispredict", "after mispredicted branches" },
	{ "bad_speculation", "restart", "after pipeline restarts" },
	{ "bad_speculation", NULL, "the op was dispatched and never retired" },
	{ "backend_bound", "memory", "waiting for loads" },
	{ "backend_bound", "cpu", "not waiting for memory" },
	{ "backend_bound", NULL, "the back end accepted no op" },
	{ "smt_contention", NULL, "the other thread of the core had the slot" },
};

/* "the back end accepted no op", or NULL */
static const char *meaning_of(const char *name)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		bool fits = meanings[i].part ? !strncmp(name, meanings[i].name, strlen(meanings[i].name)) &&
						       strstr(name, meanings[i].part) :
					       !strcmp(name, meanings[i].name);

		if (fits)
			return meanings[i].meaning;
	}
	return NULL;
}

static bool is_retiring(const struct words_row *row)
{
	size_t size = strlen(row->name), end = strlen("retiring");

	return row->level == 1 && size >= end && strcmp(row->name + size - end, "retiring") == 0;
}

/* ---- sentences ---- */

static void begin_sentence(FILE *out)
{
	if (ftell(out) > 0)
		fputc(' ', out);
}

/* "a", "a and b", "a, b and c" */
static void put_between(FILE *out, size_t i, size_t nr)
{
	if (i)
		fputs(i + 1 == nr ? " and " : ", ", out);
}

static void put_share(FILE *out, const struct words_row *row)
{
	fprintf(out, "%s with %s", row->name, figure_share_in_words(row->result).text);
}

/* The same with what it means: in brackets, where the figure has none of its own. */
static void put_share_and_meaning(FILE *out, const struct words_row *row)
{
	const char *meaning = meaning_of(row->name);

	put_share(out, row);
	if (meaning && !strchr(figure_share_in_words(row->result).text, '('))
		fprintf(out, " (%s)", meaning);
}

static const struct words_row *loss(const struct aloud *r, size_t i)
{
	return &r->rows[r->losses[i]];
}

/* ---- which is larger ---- */

/* What too few samples say is in the table of values, but nothing to speak of. */
static bool is_known(const struct words_row *row)
{
	if (row->missing || !isfinite(row->result->value))
		return false;
	return row->result->method != METHOD_SAMPLES || by_function_shown(row->result);
}

static bool has_error(const struct words_row *row)
{
	return row->result->method != METHOD_NONE && isfinite(row->result->lo) && isfinite(row->result->hi);
}

/* How far from its value a share may be, as far as ranking goes. */
static double reach(const struct aloud *r, const struct words_row *row)
{
	if (has_error(row))
		return fmax((row->result->hi - row->result->lo) / 2, SHOWN / 2);
	return fmax(WORDS_MARGIN, isnan(r->residual) ? 0 : fabs(r->residual)) / 2;
}

static bool is_larger(const struct aloud *r, const struct words_row *a, const struct words_row *b)
{
	return a->result->value - b->result->value > reach(r, a) + reach(r, b);
}

static bool is_above_zero(const struct aloud *r, const struct words_row *row)
{
	return row->result->value > reach(r, row);
}

/* How many losses, from the largest on, cannot be told from one another. */
static size_t nr_largest(const struct aloud *r)
{
	size_t nr = 1;

	for (size_t i = 1; i < r->nr_losses; i++)
		for (size_t k = 0; k < nr; k++)
			if (!is_larger(r, loss(r, k), loss(r, i))) {
				nr = i + 1;
				break;
			}
	return nr;
}

/* ---- findings ---- */

static const char *whose(const char *modifiers)
{
	if (!modifiers)
		return "";
	return strcmp(modifiers, "u") == 0 ? " in user mode" : strcmp(modifiers, "k") == 0 ? " in the kernel" : "";
}

static void say_retiring(struct aloud *r)
{
	for (size_t i = 0; i < r->nr; i++)
		if (is_retiring(&r->rows[i]) && is_known(&r->rows[i])) {
			begin_sentence(r->findings);
			fprintf(r->findings, "%s of the dispatch slots%s retired an op.",
				figure_share_in_words(r->rows[i].result).text, whose(r->rows[i].modifiers));
		}
}

/* Parts whose larger one cannot be told: both, where they are two. */
static void say_equal_parts(struct aloud *r, const struct words_row *parent, const struct words_row *first, size_t nr)
{
	fprintf(r->findings, "Which part of %s is the largest cannot be said: ", parent->name);
	for (size_t i = 0; i < nr; i++) {
		put_between(r->findings, i, nr);
		put_share(r->findings, &first[i]);
	}
	fputs(" are too close for what is known of their error.", r->findings);
}

static void say_parts(struct aloud *r, const struct words_row *parent, const struct words_row *first, size_t nr)
{
	const struct words_row *most = first;
	bool clear = true;

	for (size_t i = 1; i < nr; i++)
		most = first[i].result->value > most->result->value ? &first[i] : most;
	for (size_t i = 0; i < nr; i++)
		clear = clear && (&first[i] == most || is_larger(r, most, &first[i]));
	begin_sentence(r->findings);
	if (!clear || !is_above_zero(r, most)) {
		say_equal_parts(r, parent, first, nr);
		return;
	}
	fprintf(r->findings, "Its larg%s part is ", nr == 2 ? "er" : "est");
	put_share_and_meaning(r->findings, most);
	fputs(", against ", r->findings);
	for (size_t i = 0, said = 0; i < nr; i++) {
		if (&first[i] == most)
			continue;
		put_between(r->findings, said++, nr - 1);
		put_share(r->findings, &first[i]);
	}
	fputc('.', r->findings);
}

/* The split of a loss, when all of its parts are known and are what it consists of. */
static void say_split(struct aloud *r, size_t of)
{
	const struct words_row *parent = &r->rows[of], *first = parent + 1;
	size_t nr = 0;

	while (of + 1 + nr < r->nr && first[nr].level > parent->level)
		nr++;
	for (size_t i = 0; i < nr; i++)
		if (!is_known(&first[i]) || first[i].level != parent->level + 1)
			return;
	if (nr > 1 && is_above_zero(r, parent))
		say_parts(r, parent, first, nr);
}

static void say_largest(struct aloud *r)
{
	const char *meaning = meaning_of(loss(r, 0)->name);

	begin_sentence(r->findings);
	fprintf(r->findings, "%s is ", r->all_losses ? "The largest loss" : "The largest loss that is known");
	put_share(r->findings, loss(r, 0));
	fprintf(r->findings, "%s%s.", meaning ? ": " : "", meaning ? meaning : "");
	say_split(r, r->losses[0]);
}

static void say_together(struct aloud *r, size_t nr)
{
	begin_sentence(r->findings);
	fprintf(r->findings, "The largest losses%s are ", r->all_losses ? "" : " that are known");
	for (size_t i = 0; i < nr; i++) {
		put_between(r->findings, i, nr);
		put_share(r->findings, loss(r, i));
	}
	fputs("; which of them is the largest cannot be said.", r->findings);
}

static void say_smaller(struct aloud *r, size_t from)
{
	if (from == r->nr_losses)
		return;
	begin_sentence(r->findings);
	fputs("Smaller: ", r->findings);
	for (size_t i = from; i < r->nr_losses; i++) {
		put_between(r->findings, i - from, r->nr_losses - from);
		if (loss(r, i)->result->value >= MUCH)
			put_share_and_meaning(r->findings, loss(r, i));
		else
			put_share(r->findings, loss(r, i));
	}
	fputc('.', r->findings);
}

static bool any_above_zero(const struct aloud *r)
{
	for (size_t i = 0; i < r->nr_losses; i++)
		if (is_above_zero(r, loss(r, i)))
			return true;
	return false;
}

static void say_losses(struct aloud *r)
{
	size_t nr = r->nr_losses ? nr_largest(r) : 0;

	if (r->nr_losses < 2)
		return;
	if (!any_above_zero(r)) {
		begin_sentence(r->findings);
		fputs(has_error(loss(r, 0)) ? "No loss is larger than its error." : "No loss stands out.", r->findings);
	} else if (nr == r->nr_losses || !is_above_zero(r, loss(r, 0))) {
		begin_sentence(r->findings);
		fputs("Which loss is the largest cannot be said: they are too close for what is known of their error.",
		      r->findings);
	} else {
		if (nr == 1)
			say_largest(r);
		else
			say_together(r, nr);
		say_smaller(r, nr);
	}
}

/* ---- limits ---- */

static const struct check_row *fired(const struct aloud *r, enum check_id id)
{
	for (size_t i = 0; i < r->checks->nr; i++)
		if (r->checks->rows[i].id == id && r->checks->rows[i].class == CHECK_NO_INTERVAL)
			return &r->checks->rows[i];
	return NULL;
}

/* What makes every share of level 1 doubtful.  Says so, and returns whether there is such a thing. */
static bool say_doubts(struct aloud *r)
{
	static const enum check_id doubts[] = { CHECK_CLOSURE_BIAS,	    CHECK_CLOSURE_DRIFT, CHECK_TWIN_MISMATCH,
						CHECK_UNOBSERVED_INSTANCES, CHECK_COVERAGE_LOW,	 CHECK_OBSERVED_SHORT,
						CHECK_DUPLICATE_CAPTURES };

	if (fired(r, CHECK_CLOSURE_RESIDUAL)) {
		fprintf(r->limits,
			"The shares of level 1 add up to %s %%, so they cannot all be right, and which are wrong is not "
			"known: none of them is ranked.",
			figure_percent(1 + r->residual).text);
		return true;
	}
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		const struct check_row *row = fired(r, doubts[i]);

		if (!row || !r->nr_losses || loss(r, 0)->result->status == METRIC_OK)
			continue;
		fprintf(r->limits, "No share is ranked: %s (%s).", check_text(row->id), check_name(row->id));
		return true;
	}
	return false;
}

/* Those of level 1 that have a value and no error, with why. */
static void say_no_error(struct aloud *r)
{
	double coverage = INFINITY;
	size_t nr = 0, nr_known = 0;
	const char *reason = "";

	for (size_t i = 0; i < r->nr; i++) {
		if (r->rows[i].level != 1 || !is_known(&r->rows[i]))
			continue;
		nr_known++;
		if (has_error(&r->rows[i]))
			continue;
		nr++;
		reason = r->rows[i].result->reason;
		coverage = fmin(coverage, r->rows[i].result->coverage);
	}
	if (!nr)
		return;
	begin_sentence(r->limits);
	if (strcmp(reason, "too-few-captures") == 0) {
		fputs("How far runs differ is not known: that takes 3 captures (too-few-captures).", r->limits);
		return;
	}
	fprintf(r->limits, "How far multiplexing moved %s is not known (%s)",
		nr == nr_known ? "these values" : "those without an error", reason);
	if (coverage < 1)
		fprintf(r->limits, ": events were counted for %s of the time, and nothing was seen of the rest",
			figure_coverage(coverage).text);
	fputc('.', r->limits);
}

/* What multiplexing left little of, short of a doubt. */
static void say_warning(struct aloud *r, const struct check_row *row)
{
	const char *verb = row->others ? "were" : "was";
	char detail[300];

	if (row->class != CHECK_WARN || !*row->subject)
		return;
	check_detail(row, detail, sizeof(detail));
	if (row->id == CHECK_COVERAGE_LOW) {
		begin_sentence(r->limits);
		fprintf(r->limits, "%s %s counted for only %s of the time.", detail, verb,
			figure_coverage(row->observed).text);
	} else if (row->id == CHECK_OBSERVED_SHORT) {
		begin_sentence(r->limits);
		fprintf(r->limits, "%s %s counted for only %s s.", detail, verb, figure_plain(row->observed).text);
	} else if (row->id == CHECK_COVERAGE_UNEQUAL) {
		begin_sentence(r->limits);
		fprintf(r->limits, "The events of %s were counted at different times, some of them %s times as long as others.",
			detail, figure_plain(row->observed).text);
	}
}

static void say_warnings(struct aloud *r)
{
	for (size_t i = 0; i < r->checks->nr; i++)
		say_warning(r, &r->checks->rows[i]);
}

/* Why a share is not known. */
static const char *why_unknown(const struct words_row *row)
{
	return row->missing ? row->missing : *row->result->reason ? row->result->reason : "no value";
}

/* "an event never ran here (not_counted)"; what no check says stands for itself. */
static void put_why(FILE *out, const char *why)
{
	for (int id = 0; id < CHECK_NR; id++)
		if (strcmp(check_name((enum check_id)id), why) == 0) {
			fprintf(out, "%s (%s)", check_text((enum check_id)id), why);
			return;
		}
	fputs(strcmp(why, "few_samples") == 0 ? "too few samples to say (few_samples)" : why, out);
}

/* All shares of level 1 that are not known for the same reason as the one at `at`. */
static void say_unknown(struct aloud *r, size_t at)
{
	const char *why = why_unknown(&r->rows[at]);
	size_t same[MAX_ROWS], nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		if (r->rows[i].level != 1 || is_known(&r->rows[i]) || strcmp(why_unknown(&r->rows[i]), why))
			continue;
		if (i < at)
			return; /* said already */
		same[nr++] = i;
	}
	begin_sentence(r->limits);
	for (size_t i = 0; i < nr; i++) {
		put_between(r->limits, i, nr);
		fputs(r->rows[same[i]].name, r->limits);
	}
	fprintf(r->limits, " %s not known: ", nr > 1 ? "are" : "is");
	put_why(r->limits, why);
	fputc('.', r->limits);
}

static void say_unknowns(struct aloud *r)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->rows[i].level == 1 && !is_known(&r->rows[i]))
			say_unknown(r, i);
}

/* Parts that do not make the whole, by more than nothing and less than a doubt. */
static void say_residual(struct aloud *r)
{
	for (size_t i = 0; i < r->checks->nr; i++) {
		if (r->checks->rows[i].id != CHECK_CLOSURE_RESIDUAL || isnan(r->residual))
			continue;
		begin_sentence(r->limits);
		fprintf(r->limits, "The shares of level 1 add up to %s %%: at least one of them is off by %.2f %% of the slots.",
			figure_percent(1 + r->residual).text, fabs(r->residual) * 100 / 5);
	}
}

/* ---- all together ---- */

static int by_value(const void *a, const void *b, void *rows)
{
	const struct words_row *of = rows;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	double left = of[x].result->value, right = of[y].result->value;

	return left < right ? 1 : left > right ? -1 : x < y ? -1 : x > y;
}

static void look_at_level1(struct aloud *r)
{
	double sum = 0;

	r->all_losses = true;
	for (size_t i = 0; i < r->nr; i++) {
		const struct words_row *row = &r->rows[i];

		if (row->level != 1)
			continue;
		sum += row->missing ? (double)NAN : row->result->value;
		if (is_retiring(row))
			continue;
		if (is_known(row))
			r->losses[r->nr_losses++] = i;
		else
			r->all_losses = false;
	}
	r->residual = sum - 1;
	qsort_r(r->losses, r->nr_losses, sizeof(r->losses[0]), by_value, (void *)(uintptr_t)r->rows);
}

struct report_words report_words(const struct words_row *rows, size_t nr, const struct check_list *checks)
{
	struct aloud r = { .rows = rows, .nr = nr < MAX_ROWS ? nr : MAX_ROWS, .checks = checks };
	struct report_words w;
	size_t size[2];

	r.findings = open_memstream(&w.findings, &size[0]);
	r.limits = open_memstream(&w.limits, &size[1]);
	if (!r.findings || !r.limits)
		abort();
	look_at_level1(&r);
	if (!say_doubts(&r)) {
		say_retiring(&r);
		say_losses(&r);
		say_no_error(&r);
		say_warnings(&r);
		say_residual(&r);
	}
	say_unknowns(&r);
	fclose(r.findings);
	fclose(r.limits);
	return w;
}

void report_words_free(struct report_words *w)
{
	free(w->findings);
	free(w->limits);
}
