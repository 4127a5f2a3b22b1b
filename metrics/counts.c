// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readings become counts.
 *
 *	reading ─► instance (event, cpu, thread): the last two cumulative values
 *	round   ─► differences of the instances, added up in the cells of each place
 *	finish  ─► the same with the last values themselves: the whole run
 *
 * perf writes the instances in the same order in every round, so the next one is
 * guessed before it is looked up.
 */
#include "metrics/counts.h"

#include <stdlib.h>
#include <string.h>

#include "metrics/place.h"
#include "metrics/scale.h"

struct values {
	uint64_t value, enabled, running;
};

struct instance {
	uint32_t event;
	int32_t cpu, thread;
	uint32_t set;         /* number of the set it was last read in */
	struct values now, before; /* at this set and at the one before */
	bool fell, exceeded;
	uint32_t hash_next;
};

/* A printed count: what the rows of one event at one place say, and their sum over intervals. */
struct printed_row {
	uint32_t event;
	uint32_t set;
	struct whereabouts where;
	uint32_t number; /* printed_count.row */
	struct printed_count now;
	double sum_scaled, sum_running, sum_enabled;
	double step;
	bool ever_counted, running_known, total_given;
};

/* The tables of one request: cells by place and event. */
struct grid {
	struct scope_request request;
	const struct place **places;
	size_t nr_places;
	uint32_t *index_of;  /* by id of a place: index in places + 1; 0: none */
	size_t nr_index_of;
	uint32_t *place_of;  /* by instance or printed row: index + 1; 0: none */
	size_t nr_placed;
	struct cell *cells;
	bool *touched;       /* by place */
	size_t room;         /* cells */
};

struct printed_metrics {
	bool seen; /* in any set */
	struct cell_metric *list;
	struct whereabouts *where;
	size_t nr;
};

struct counts {
	struct capture *capture;
	scope_visit *visit;
	void *user;
	struct places *places;
	struct grid *grids;
	size_t nr_grids;

	struct instance *instances;
	size_t nr_instances, last;
	uint32_t *buckets; /* heads of chains: index + 1 */
	size_t mask;

	struct printed_row *rows;
	size_t nr_rows, last_row;
	struct printed_metrics metrics;

	uint32_t set;              /* number of the current set, from 1 */
	size_t read_now, read_before; /* readings in this set and in the last complete one */
	uint64_t begin_ns;         /* of the current interval */
	size_t intervals;
	bool final_seen;
	struct counts_watcher watcher;
};

const char *cell_state_name(enum cell_state s)
{
	static const char *const names[] = { "counted", "not_counted", "not_supported" };

	return names[s];
}

struct counts *counts_new(struct capture *capture, const struct scope_request *requests, size_t nr,
			  scope_visit *visit, void *user)
{
	struct counts *c = must_alloc(sizeof(*c));

	c->capture = capture;
	c->visit = visit;
	c->user = user;
	c->places = places_new();
	c->grids = must_alloc(nr * sizeof(*c->grids));
	c->nr_grids = nr;
	for (size_t i = 0; i < nr; i++)
		c->grids[i].request = requests[i];
	c->set = 1;
	return c;
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr_grids; i++) {
		free(c->grids[i].places);
		free(c->grids[i].index_of);
		free(c->grids[i].place_of);
		free(c->grids[i].cells);
		free(c->grids[i].touched);
	}
	free(c->grids);
	free(c->instances);
	free(c->buckets);
	free(c->rows);
	free(c->metrics.list);
	free(c->metrics.where);
	places_free(c->places);
	free(c);
}

/* ---- instances ---- */

static size_t bucket_of(const struct counts *c, uint32_t event, int32_t cpu, int32_t thread)
{
	uint64_t h = event * 0x9e3779b97f4a7c15ull;

	h = (h ^ (uint32_t)cpu) * 0xff51afd7ed558ccdull;
	h = (h ^ (uint32_t)thread) * 0xc4ceb9fe1a85ec53ull;
	return (size_t)(h >> 32) & c->mask;
}

static void put_in_bucket(struct counts *c, size_t i)
{
	struct instance *in = &c->instances[i];
	size_t b = bucket_of(c, in->event, in->cpu, in->thread);

	in->hash_next = c->buckets[b];
	c->buckets[b] = (uint32_t)i + 1;
}

static void make_room(struct counts *c)
{
	size_t room = c->nr_instances ? c->mask + 1 : 0;

	if (c->nr_instances < room)
		return;
	room = room ? room * 2 : 64;
	c->instances = must_realloc(c->instances, room, sizeof(*c->instances));
	free(c->buckets);
	c->buckets = must_alloc(room * sizeof(*c->buckets));
	c->mask = room - 1;
	for (size_t i = 0; i < c->nr_instances; i++)
		put_in_bucket(c, i);
}

static struct instance *add_instance(struct counts *c, const struct reading *r)
{
	struct instance *in;

	make_room(c);
	in = &c->instances[c->nr_instances];
	*in = (struct instance){ .event = r->event, .cpu = r->cpu, .thread = r->thread };
	put_in_bucket(c, c->nr_instances++);
	return in;
}

static bool is_of(const struct instance *in, const struct reading *r)
{
	return in->event == r->event && in->cpu == r->cpu && in->thread == r->thread;
}

static struct instance *search_instance(struct counts *c, const struct reading *r)
{
	uint32_t at = c->nr_instances ? c->buckets[bucket_of(c, r->event, r->cpu, r->thread)] : 0;

	while (at && !is_of(&c->instances[at - 1], r))
		at = c->instances[at - 1].hash_next;
	return at ? &c->instances[at - 1] : add_instance(c, r);
}

static inline struct instance *instance_of(struct counts *c, const struct reading *r)
{
	size_t guess = c->last + 1 < c->nr_instances ? c->last + 1 : 0;
	struct instance *in;

	if (guess < c->nr_instances && is_of(&c->instances[guess], r)) {
		c->last = guess;
		return &c->instances[guess];
	}
	in = search_instance(c, r);
	c->last = (size_t)(in - c->instances);
	return in;
}

static void check_reading(struct counts *c, struct instance *in, const struct reading *r)
{
	const struct values *old = &in->now;

	if (r->value < old->value || r->enabled < old->enabled || r->running < old->running) {
		in->fell = true;
		damage_say(&c->capture->damage, DAMAGE_COUNTER_FELL, r->offset, "%s",
			   c->capture->events[r->event].name);
	}
	if (r->running > r->enabled && (double)(r->running - r->enabled) > 1e-6 * (double)r->enabled) {
		in->exceeded = true;
		damage_say(&c->capture->damage, DAMAGE_RUNNING_EXCEEDS, r->offset, "%s",
			   c->capture->events[r->event].name);
	}
}

static inline void take_reading(struct counts *c, const struct reading *r)
{
	struct instance *in = instance_of(c, r);

	if (r->value < in->now.value || r->enabled < in->now.enabled || r->running < in->now.running ||
	    r->running > r->enabled)
		check_reading(c, in, r);
	if (in->set != c->set) {
		in->before = in->now;
		in->set = c->set;
		c->read_now++;
	}
	in->now = (struct values){ r->value, r->enabled, r->running };
}

void counts_readings(struct counts *c, const struct reading *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		take_reading(c, &list[i]);
}

/* ---- cells ---- */

/*
 * Events and places that hardly have a count in common are not what perf records.  A table of
 * both would grow with the square of such a file.
 */
enum { CELLS_ALWAYS = 1 << 20, CELLS_PER_COUNT = 16 };

static int check_size(const struct counts *c, const struct grid *g, size_t need, struct error *err)
{
	size_t nr = c->nr_instances + c->nr_rows + c->metrics.nr;

	if (need <= CELLS_ALWAYS || need / CELLS_PER_COUNT <= nr)
		return 0;
	return fail(err, NO_OFFSET, "has %zu events and %zu places, but only %zu counts: the table would be nearly empty",
		    c->capture->nr_events, g->nr_places, nr);
}

static int begin_grid(const struct counts *c, struct grid *g, struct error *err)
{
	size_t need = g->nr_places * c->capture->nr_events;

	if (check_size(c, g, need, err))
		return -1;
	/* one more than needed: captures without events have cells to point to, too */
	if (need >= g->room) {
		g->room = need + 1;
		g->cells = must_realloc(g->cells, g->room, sizeof(*g->cells));
	}
	if (need)
		memset(g->cells, 0, need * sizeof(*g->cells));
	if (g->nr_places)
		memset(g->touched, 0, g->nr_places * sizeof(*g->touched));
	return 0;
}

static void index_room(struct grid *g, size_t id)
{
	size_t nr = g->nr_index_of ? g->nr_index_of : 64;

	if (id < g->nr_index_of)
		return;
	while (nr <= id)
		nr *= 2;
	g->index_of = must_realloc(g->index_of, nr, sizeof(*g->index_of));
	memset(g->index_of + g->nr_index_of, 0, (nr - g->nr_index_of) * sizeof(*g->index_of));
	g->nr_index_of = nr;
}

static uint32_t add_place(struct grid *g, const struct place *p)
{
	if (!p)
		return 0;
	index_room(g, p->id);
	if (g->index_of[p->id])
		return g->index_of[p->id];
	g->places = must_realloc(g->places, g->nr_places + 1, sizeof(*g->places));
	g->touched = must_realloc(g->touched, g->nr_places + 1, sizeof(*g->touched));
	g->places[g->nr_places++] = p;
	return g->index_of[p->id] = (uint32_t)g->nr_places;
}

static struct whereabouts where_of(const struct counts *c, size_t i)
{
	if (c->capture->printed)
		return c->rows[i].where;
	return whereabouts_of(c->capture, c->instances[i].cpu, c->instances[i].thread);
}

/* Where the i-th printed metric belongs in this grid; one of a part is none of the run's. */
static const struct place *place_of_metric(const struct counts *c, const struct grid *g, size_t i)
{
	const struct whereabouts *w = &c->metrics.where[i];
	bool of_part = w->cpu >= 0 || w->socket >= 0 || w->node >= 0 || w->tid >= 0 || w->comm || w->cgroup;

	if (g->request.place == PLACE_RUN && of_part)
		return NULL;
	return places_find(c->places, g->request.place, w);
}

/* perf stat --metric-only prints metrics without a count: they have places of their own. */
static void place_metrics(struct counts *c, struct grid *g)
{
	for (size_t i = 0; i < c->metrics.nr; i++)
		(void)add_place(g, place_of_metric(c, g, i));
}

static void touch_metrics(struct counts *c, struct grid *g)
{
	for (size_t i = 0; i < c->metrics.nr; i++) {
		uint32_t place = add_place(g, place_of_metric(c, g, i));

		if (place)
			g->touched[place - 1] = true;
	}
}

/* Finds out where the instances belong that are new since the last time. */
static void place_new(struct counts *c, struct grid *g)
{
	size_t nr = c->capture->printed ? c->nr_rows : c->nr_instances;

	if (nr == g->nr_placed)
		return;
	g->place_of = must_realloc(g->place_of, nr, sizeof(*g->place_of));
	for (size_t i = g->nr_placed; i < nr; i++) {
		struct whereabouts w = where_of(c, i);

		g->place_of[i] = add_place(g, places_find(c->places, g->request.place, &w));
	}
	g->nr_placed = nr;
}

static struct cell *cell_at(struct counts *c, struct grid *g, size_t i, uint32_t event)
{
	uint32_t place = g->place_of[i];

	if (!place)
		return NULL;
	g->touched[place - 1] = true;
	return &g->cells[(place - 1) * c->capture->nr_events + event];
}

static void add_values(struct cell *cell, const struct values *v, bool scale)
{
	cell->instances++;
	cell->raw += v->value;
	cell->enabled += v->enabled;
	cell->running += v->running;
	if (v->running == 0) {
		cell->dead++;
		cell->dead_enabled += v->enabled;
	} else if (v->running >= v->enabled || !scale) {
		cell->scaled += (double)v->value;
		cell->scaled_perf += v->value;
	} else {
		cell->scaled += (double)v->value * (double)v->enabled / (double)v->running;
		cell->scaled_perf += scale_perf(v->value, v->enabled, v->running);
	}
	if (v->running == 0 || v->enabled == 0)
		cell->perf_not_counted = true;
}

/* Values out of samples may come without times: how much of the time was counted is not known then. */
static bool lacks_times(const struct cell *cell, const struct event *e)
{
	const uint64_t times = 1 | 2; /* of read_format */

	return e->has_config && !(e->read_format & times) && !cell->enabled && !cell->running && cell->raw;
}

/*
 * What is known once everything is added.  perf says <not counted> for a place as soon as
 * one of its instances did not run; for the run as a whole only when none did.
 */
static void finish_cell(struct cell *cell, const struct event *e, unsigned place)
{
	bool ran = cell->running > 0 && cell->enabled > 0;

	if (!cell->instances) {
		cell->state = e->opened ? CELL_NOT_COUNTED : CELL_NOT_SUPPORTED;
		cell->scaled = cell->coverage = NAN;
		cell->perf_not_counted = true;
		return;
	}
	cell->has_raw = cell->has_times = true;
	if (lacks_times(cell, e)) {
		cell->has_times = cell->perf_not_counted = false;
		cell->state = CELL_COUNTED;
		cell->dead = 0;
		cell->scaled = (double)cell->raw;
		cell->scaled_perf = cell->raw;
		cell->coverage = NAN;
		return;
	}
	cell->state = ran ? CELL_COUNTED : CELL_NOT_COUNTED;
	cell->coverage = cell->enabled ? (double)cell->running / (double)cell->enabled : NAN;
	if (!ran)
		cell->scaled = NAN;
	if (place == PLACE_RUN)
		cell->perf_not_counted = !ran;
}

static int by_place_id(const void *a, const void *b, void *places)
{
	const struct place *const *list = places;
	uint32_t x = list[*(const uint32_t *)a]->id, y = list[*(const uint32_t *)b]->id;

	return x < y ? -1 : x > y;
}

/* The printed metrics of this place, gathered in a list of their own. */
static size_t metrics_of(const struct counts *c, const struct grid *g, const struct place *p, struct cell_metric *to)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->metrics.nr; i++)
		if (place_of_metric(c, g, i) == p)
			to[nr++] = c->metrics.list[i];
	return nr;
}

static int visit_place(struct counts *c, struct grid *g, uint32_t index, struct scope *scope, struct error *err)
{
	struct cell *cells = &g->cells[index * c->capture->nr_events];
	struct cell_metric *printed = NULL;
	int result;

	for (size_t e = 0; e < c->capture->nr_events; e++)
		if (!c->capture->printed || !cells[e].instances)
			finish_cell(&cells[e], &c->capture->events[e], g->request.place);
	scope->place = g->places[index];
	scope->cells = cells;
	scope->nr_cells = c->capture->nr_events;
	if (c->metrics.nr) {
		printed = must_alloc(c->metrics.nr * sizeof(*printed));
		scope->nr_printed = metrics_of(c, g, scope->place, printed);
		scope->printed = printed;
	}
	result = c->visit(c->user, scope, err);
	free(printed);
	scope->printed = NULL;
	scope->nr_printed = 0;
	return result;
}

static int visit_grid(struct counts *c, struct grid *g, struct scope scope, struct error *err)
{
	uint32_t *order = must_alloc(g->nr_places * sizeof(*order));
	size_t nr = 0;
	int result = 0;

	for (uint32_t i = 0; i < g->nr_places; i++)
		if (g->touched[i])
			order[nr++] = i;
	qsort_r(order, nr, sizeof(*order), by_place_id, g->places);
	for (size_t i = 0; i < nr && result == 0; i++)
		result = visit_place(c, g, order[i], &scope, err);
	free(order);
	return result;
}

/* ---- printed counts ---- */

/* Places that differ in what has no field of its own (clusters of a die) have numbers of their own. */
static bool is_row_of(const struct printed_row *row, const struct printed_count *p, const struct whereabouts *w)
{
	return row->number == p->row && row->event == p->event && whereabouts_equal(&row->where, w);
}

static struct printed_row *row_of(struct counts *c, const struct printed_count *p)
{
	struct whereabouts w = { p->cpu, p->core, p->die, p->socket, p->node, p->tid, p->comm, p->cgroup };
	bool is_new = p->row > c->nr_rows;

	if (p->row && !is_new && c->rows[p->row - 1].number == p->row)
		return &c->rows[p->row - 1];
	for (size_t i = 0; !is_new && i < c->nr_rows; i++) {
		size_t at = (c->last_row + 1 + i) % c->nr_rows;

		if (is_row_of(&c->rows[at], p, &w)) {
			c->last_row = at;
			return &c->rows[at];
		}
	}
	if ((c->nr_rows & (c->nr_rows - 1)) == 0)
		c->rows = must_realloc(c->rows, c->nr_rows ? c->nr_rows * 2 : 1, sizeof(*c->rows));
	c->last_row = c->nr_rows++;
	c->rows[c->last_row] = (struct printed_row){ .event = p->event, .where = w, .number = p->row, .running_known = true };
	return &c->rows[c->last_row];
}

int counts_printed(struct counts *c, const struct printed_count *p, struct error *err)
{
	struct printed_row *row = row_of(c, p);

	(void)err;
	row->now = *p;
	row->set = c->set;
	c->read_now++;
	return 0;
}

int counts_printed_metric(struct counts *c, const struct printed_metric *p, struct error *err)
{
	size_t n = c->metrics.nr;

	(void)err;
	c->metrics.list = must_realloc(c->metrics.list, n + 1, sizeof(*c->metrics.list));
	c->metrics.where = must_realloc(c->metrics.where, n + 1, sizeof(*c->metrics.where));
	c->metrics.list[n] = (struct cell_metric){ p->name, p->unit, p->value, p->step };
	c->metrics.where[n] =
		(struct whereabouts){ p->cpu, p->core, p->die, p->socket, p->node, p->tid, p->comm, p->cgroup };
	c->metrics.nr++;
	c->metrics.seen = true;
	return 0;
}

/* A text may print any number; integers end somewhere. */
static uint64_t whole(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

#define MOST_NS 0x1p62 /* a century on all CPUs of a large machine */

/* Adds one printed count to a cell; the cell's times stay known only while every part has them. */
static void add_printed(struct cell *cell, const struct printed_count *p, const struct event *e)
{
	double enabled = p->running_ns / p->coverage;
	bool first = cell->instances++ == 0;

	if (first) {
		cell->state = p->supported ? CELL_NOT_COUNTED : CELL_NOT_SUPPORTED;
		cell->scaled = cell->coverage = NAN;
		cell->has_times = true;
		cell->perf_not_counted = false;
	}
	(void)e;
	if (!p->counted || !p->supported) {
		cell->dead++;
		cell->perf_not_counted = true;
		return;
	}
	cell->coverage = cell->state != CELL_COUNTED || cell->coverage == p->coverage ? p->coverage : NAN;
	cell->scaled = cell->state == CELL_COUNTED ? cell->scaled + p->scaled : p->scaled;
	cell->state = CELL_COUNTED;
	cell->scaled_step += p->scaled_step;
	cell->scaled_perf = whole(cell->scaled);
	if (!(p->running_ns >= 0 && p->running_ns < MOST_NS && enabled >= 0 && enabled < MOST_NS)) {
		cell->has_times = false;
		return;
	}
	cell->running += (uint64_t)p->running_ns;
	cell->enabled += (uint64_t)enabled;
}

static void finish_printed(struct cell *cell)
{
	if (cell->state != CELL_COUNTED)
		cell->has_times = false;
	if (cell->has_times && cell->enabled && cell->instances > 1)
		cell->coverage = (double)cell->running / (double)cell->enabled;
}

/* The sum of all intervals, for files that end without a summary. */
static void sum_row(struct printed_row *row)
{
	const struct printed_count *p = &row->now;

	if (!p->counted)
		return;
	row->ever_counted = true;
	row->sum_scaled += p->scaled;
	row->sum_running += p->running_ns;
	row->sum_enabled += p->running_ns / p->coverage;
	row->step += p->scaled_step;
}

static void total_of_row(const struct printed_row *row, struct printed_count *ret)
{
	*ret = row->now;
	if (row->total_given)
		return;
	ret->counted = row->ever_counted;
	ret->scaled = row->sum_scaled;
	ret->scaled_step = row->step;
	ret->running_ns = row->sum_running;
	ret->coverage = row->sum_running / row->sum_enabled;
}

/* ---- rounds ---- */

static void fill_interval(struct counts *c, struct grid *g)
{
	for (size_t i = 0; i < c->nr_instances; i++) {
		const struct instance *in = &c->instances[i];
		struct values d = { in->now.value - in->before.value, in->now.enabled - in->before.enabled,
				    in->now.running - in->before.running };
		struct cell *cell = in->set == c->set ? cell_at(c, g, i, in->event) : NULL;

		if (!cell)
			continue;
		if (in->now.value < in->before.value || in->now.enabled < in->before.enabled ||
		    in->now.running < in->before.running) {
			cell->fell = true;
			cell->instances++;
			cell->dead++;
			cell->perf_not_counted = true;
			continue;
		}
		cell->exceeded |= in->exceeded;
		add_values(cell, &d, c->capture->scaled);
	}
}

static void fill_printed(struct counts *c, struct grid *g, bool total)
{
	for (size_t i = 0; i < c->nr_rows; i++) {
		struct printed_row *row = &c->rows[i];
		struct printed_count p = row->now;
		struct cell *cell = total || row->set == c->set ? cell_at(c, g, i, row->event) : NULL;

		if (!cell)
			continue;
		if (total)
			total_of_row(row, &p);
		add_printed(cell, &p, &c->capture->events[row->event]);
	}
	for (size_t i = 0; i < g->nr_places * c->capture->nr_events; i++)
		if (g->cells[i].instances)
			finish_printed(&g->cells[i]);
	touch_metrics(c, g);
}

static int visit_interval(struct counts *c, uint64_t end_ns, struct error *err)
{
	struct scope scope = {
		.interval = (int64_t)c->intervals,
		.begin_ns = (double)c->begin_ns,
		.end_ns = (double)end_ns,
	};

	for (size_t i = 0; i < c->nr_grids; i++) {
		struct grid *g = &c->grids[i];

		if (!g->request.by_interval)
			continue;
		place_new(c, g);
		place_metrics(c, g);
		if (begin_grid(c, g, err))
			return -1;
		if (c->capture->printed)
			fill_printed(c, g, false);
		else
			fill_interval(c, g);
		if (visit_grid(c, g, scope, err))
			return -1;
	}
	return 0;
}

static void end_set(struct counts *c)
{
	for (size_t i = 0; i < c->nr_rows; i++)
		if (c->rows[i].set == c->set)
			sum_row(&c->rows[i]);
	c->set++;
	c->read_before = c->read_now;
	c->read_now = 0;
	c->metrics.nr = 0;
}

/* Rows before a final round are the totals themselves; they stay for counts_finish(). */
static void end_run(struct counts *c)
{
	c->final_seen = true;
	for (size_t i = 0; i < c->nr_rows; i++)
		if (c->rows[i].set == c->set)
			c->rows[i].total_given = true;
	c->set++;
	c->read_before = c->read_now;
	c->read_now = 0;
}

int counts_round(struct counts *c, const struct round *r, struct error *err)
{
	if (r->final) {
		end_run(c);
		return 0;
	}
	if ((c->watcher.round && c->watcher.round(c->watcher.user, c, err)) || visit_interval(c, r->time_ns, err))
		return -1;
	c->intervals++;
	c->begin_ns = r->time_ns;
	end_set(c);
	return 0;
}

/* ---- the whole run ---- */

/*
 * The set behind the last round is the total at the end of the run.  Where the capture was
 * cut it may be a part of one: then the values of the last complete set stand.
 */
static bool last_set_is_partial(const struct counts *c)
{
	const struct damage *d = &c->capture->damage;
	bool cut = d->of[DAMAGE_TRUNCATED].count || d->of[DAMAGE_DATA_SIZE_ZERO].count || d->of[DAMAGE_RECORD_SIZE].count;

	return cut && c->intervals && c->read_now && c->read_now < c->read_before;
}

static void fill_run(struct counts *c, struct grid *g, bool partial)
{
	for (size_t i = 0; i < c->nr_instances; i++) {
		const struct instance *in = &c->instances[i];
		const struct values *v = partial && in->set == c->set ? &in->before : &in->now;
		struct cell *cell = cell_at(c, g, i, in->event);

		if (!cell)
			continue;
		cell->fell |= in->fell;
		cell->exceeded |= in->exceeded;
		add_values(cell, v, c->capture->scaled);
	}
}

/* An event that was not supported has no instance; the run and every place say so. */
int counts_finish(struct counts *c, struct error *err)
{
	struct scope scope = {
		.interval = -1,
		.is_total = true,
		.begin_ns = 0,
		.end_ns = c->capture->duration_ns >= 0 ? (double)c->capture->duration_ns : NAN,
	};
	bool partial = last_set_is_partial(c);

	if (!c->capture->is_stat && !c->nr_rows && !c->metrics.seen)
		return 0; /* a capture of samples */
	if (partial)
		damage_note(&c->capture->damage, DAMAGE_INCOMPLETE_SET, NO_OFFSET);
	if (c->watcher.finish && c->watcher.finish(c->watcher.user, c, err))
		return -1;
	for (size_t i = 0; i < c->nr_grids; i++) {
		struct grid *g = &c->grids[i];

		if (g->request.by_interval)
			continue;
		place_new(c, g);
		place_metrics(c, g);
		if (g->request.place == PLACE_RUN)
			(void)add_place(g, places_find(c->places, PLACE_RUN, NULL));
		if (begin_grid(c, g, err))
			return -1;
		if (g->request.place == PLACE_RUN)
			g->touched[0] = true;
		if (c->capture->printed)
			fill_printed(c, g, true);
		else
			fill_run(c, g, partial);
		if (visit_grid(c, g, scope, err))
			return -1;
	}
	return 0;
}

/* ---- watching ---- */

void counts_watch(struct counts *c, const struct counts_watcher *watcher)
{
	c->watcher = *watcher;
}

size_t counts_nr_instances(const struct counts *c)
{
	return c->nr_instances;
}

uint32_t counts_event_of(const struct counts *c, size_t instance)
{
	return c->instances[instance].event;
}

const struct place *counts_place_of(struct counts *c, size_t instance, unsigned kinds)
{
	struct whereabouts w = where_of(c, instance);

	return places_find(c->places, kinds, &w);
}

void counts_differences(const struct counts *c, const uint32_t *instances, size_t nr, struct difference *ret)
{
	for (size_t i = 0; i < nr; i++) {
		const struct instance *in = &c->instances[instances[i]];
		const struct values *now = &in->now, *before = &in->before;

		if (in->set != c->set || now->value < before->value || now->enabled < before->enabled ||
		    now->running < before->running)
			ret[i] = (struct difference){ 0 };
		else
			ret[i] = (struct difference){ now->value - before->value, now->enabled - before->enabled,
						      now->running - before->running };
	}
}

bool counts_found(const struct counts *c, const struct scope_request *request)
{
	for (size_t i = 0; i < c->nr_grids; i++)
		if (c->grids[i].request.by_interval == request->by_interval &&
		    c->grids[i].request.place == request->place)
			return (c->nr_instances || c->nr_rows || c->metrics.seen) && c->grids[i].nr_places &&
			       (!request->by_interval || c->intervals);
	return false;
}

size_t counts_intervals(const struct counts *c)
{
	return c->intervals;
}
