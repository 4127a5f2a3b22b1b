// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metric sets from JSON.  A file is an array of objects; one with MetricName is a metric,
 * one with EventName an event, other objects and unknown keys are passed over, as perf's
 * files have many.  A set is loaded whole: events, metrics, then what follows from all of
 * them together (references between metrics, parents, the dispatch width).
 */
#include "metrics/set.h"

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "metrics/event_terms.h"
#include "metrics/set_files.h"

#define FILE_MAX (256u << 20) /* perf's largest is 2 MB */

/* A set that is being made. */
struct loader {
	struct metric_set *set;
	struct set_event *events;
	size_t nr_events, cap_events;
	struct set_metric *metrics;
	size_t nr_metrics, cap_metrics;
	const char *file; /* for messages */
	struct error *err;
};

/* ---- JSON ---- */

/* The text of a key; NULL where it is not there. */
static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static char *lower(struct arena *arena, const char *text)
{
	char *s = arena_strdup(arena, text);

	for (char *c = s; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return s;
}

static bool is_one(const char *text)
{
	return text && strcmp(text, "1") == 0;
}

/* ---- events ---- */

/* Keys of an event object that are terms of its PMU. */
static const struct {
	const char *key, *term;
} event_keys[] = {
	{ "EventCode", "event" },       { "ConfigCode", "config" },
	{ "UMask", "umask" },           { "CMask", "cmask" },
	{ "CounterMask", "cmask" },     { "Invert", "inv" },
	{ "EdgeDetect", "edge" },       { "AnyThread", "any" },
	{ "EnAllCores", "enallcores" }, { "EnAllSlices", "enallslices" },
	{ "CoreId", "coreid" },         { "SliceId", "sliceid" },
	{ "SliceMask", "slicemask" },   { "ThreadMask", "threadmask" },
	{ "RdWrMask", "rdwrmask" },
};

/* "0x1a0", "10", "0xB7,0xBB" (the first of them), true */
static uint64_t number_of(const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		return (uint64_t)json_integer_value(value);
	if (text)
		return (uint64_t)strtoull(text, NULL, 0);
	return json_is_true(value) ? 1 : 0;
}

/* Intel's events that need a register beside the counter: MSRIndex says which, MSRValue what. */
static void put_msr(const json_t *object, const char *pmu, uint64_t config[3])
{
	uint64_t index = number_of(json_object_get(object, "MSRIndex"));
	uint64_t value = number_of(json_object_get(object, "MSRValue"));
	const char *term = index == 0x3f6 ? "ldlat" : index == 0x3f7 ? "frontend" : "offcore_rsp";

	if (index)
		event_term_put(pmu, 0, term, value, config);
}

static const char *pmu_of_unit(struct arena *arena, const char *unit)
{
	static const struct {
		const char *unit, *pmu;
	} known[] = {
		{ "L3PMC", "amd_l3" },      { "DFPMC", "amd_df" },      { "UMCPMC", "amd_umc" },
		{ "cpu", "cpu" },           { "cpu_core", "cpu_core" }, { "cpu_atom", "cpu_atom" },
		{ "software", "software" }, { "CBO", "uncore_cbox" },   { "ARB", "uncore_arb" },
	};

	if (!unit)
		return "cpu";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(unit, known[i].unit) == 0)
			return known[i].pmu;
	return arena_printf(arena, "uncore_%s", lower(arena, unit));
}

static void add_event(struct loader *l, const json_t *object, const char *name)
{
	struct arena *arena = l->set->arena;
	const char *description = text_of(object, "BriefDescription");
	const char *pmu = pmu_of_unit(arena, text_of(object, "Unit"));
	uint64_t config[3] = { 0, 0, 0 };

	for (size_t i = 0; i < sizeof(event_keys) / sizeof(event_keys[0]); i++) {
		const json_t *value = json_object_get(object, event_keys[i].key);

		if (value) /* a term that the PMU lacks is one that we do not know */
			event_term_put(pmu, l->set->zen, event_keys[i].term, number_of(value), config);
	}
	put_msr(object, pmu, config);
	if (l->nr_events == l->cap_events) {
		l->cap_events = l->cap_events ? 2 * l->cap_events : 256;
		l->events = must_realloc(l->events, l->cap_events, sizeof(*l->events));
	}
	l->events[l->nr_events++] = (struct set_event){
		.name = lower(arena, name),
		.pmu = pmu,
		.config = config[0],
		.config1 = config[1],
		.config2 = config[2],
		.description = arena_strdup(arena, description ? description : ""),
	};
}

/* ---- metrics ---- */

/* "6.4e-5MB/s": the number and the rest; 1 where there is no number. */
static void read_scale_unit(struct set_metric *m, struct arena *arena, const char *text)
{
	locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
	char *end = NULL;

	m->scale = text && c_locale ? strtod_l(text, &end, c_locale) : 1;
	if (text && (!end || end == text))
		m->scale = 1;
	m->scale_unit = arena_strdup(arena, end ? end : text ? text : "");
	if (c_locale)
		freelocale(c_locale);
}

/* PipelineL1, TopdownL3 among the `;`-separated groups: the number; 0 where it is in no such group. */
static int32_t level_of(const char *groups)
{
	static const char *const trees[] = { "PipelineL", "TopdownL" };

	for (const char *g = groups; g; g = strchr(g, ';')) {
		g += strspn(g, "; ");
		for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
			size_t n = strlen(trees[i]);

			if (strncmp(g, trees[i], n) == 0 && g[n] >= '1' && g[n] <= '9' && strchr("; ", g[n + 1]))
				return g[n] - '0';
		}
	}
	return 0;
}

/* The unit of our outputs, and the factor that takes the formula's result there. */
static void choose_unit(struct set_metric *m)
{
	const char *unit = m->scale_unit;

	m->factor = 1;
	if (strcmp(unit, "%slots") == 0 || strcmp(unit, "%ops") == 0 || (m->level > 0 && strcmp(unit, "%") == 0)) {
		m->unit = "share";
	} else if (*unit == '%') {
		m->unit = "ratio";
	} else if (*unit) {
		m->unit = unit;
		m->factor = m->scale;
	} else {
		m->unit = expr_divides(m->expr) ? "ratio" : "event";
		m->factor = m->scale;
	}
}

/* When perf would mark the value.  References stay names: they mean the values of metrics. */
static int read_threshold(struct loader *l, struct set_metric *m, const char *what, const char *text)
{
	struct arena *arena = l->set->arena;

	if (!text)
		return 0;
	m->threshold = arena_strdup(arena, text);
	m->flagged = expr_parse(arena, arena_printf(arena, "%s, MetricThreshold", what), text, l->err);
	return m->flagged ? 0 : -1;
}

static int add_metric(struct loader *l, const json_t *object, const char *name, const char *formula)
{
	struct arena *arena = l->set->arena;
	const char *group = text_of(object, "MetricGroup");
	const char *description = text_of(object, "BriefDescription"),
		   *constraint = text_of(object, "MetricConstraint");
	char *what = arena_printf(arena, "%s%smetric %s", l->file, *l->file ? ": " : "", name);
	struct set_metric m = { .name = lower(arena, name), .parent = -1 };

	m.expr = expr_parse(arena, what, formula, l->err);
	if (!m.expr || read_threshold(l, &m, what, text_of(object, "MetricThreshold")))
		return -1;
	m.group = arena_strdup(arena, group ? group : "");
	m.formula = arena_strdup(arena, formula);
	m.level = level_of(m.group);
	read_scale_unit(&m, arena, text_of(object, "ScaleUnit"));
	choose_unit(&m);
	m.description = arena_strdup(arena, description ? description : "");
	m.no_group = constraint && strncmp(constraint, "NO_GROUP_EVENTS", 15) == 0;
	m.per_pkg = is_one(text_of(object, "PerPkg"));
	if (l->nr_metrics == l->cap_metrics) {
		l->cap_metrics = l->cap_metrics ? 2 * l->cap_metrics : 64;
		l->metrics = must_realloc(l->metrics, l->cap_metrics, sizeof(*l->metrics));
	}
	l->metrics[l->nr_metrics++] = m;
	return 0;
}

static int add_object(struct loader *l, const json_t *object)
{
	const char *metric = text_of(object, "MetricName"), *formula = text_of(object, "MetricExpr");
	const char *event = text_of(object, "EventName");

	if (event)
		add_event(l, object, event);
	if (!metric)
		return 0;
	if (!formula)
		return fail(l->err, NO_OFFSET, "%s%smetric %s: expected MetricExpr and found none", l->file,
			    *l->file ? ": " : "", metric);
	return add_metric(l, object, metric, formula);
}

static int add_json(struct loader *l, const char *text, size_t size, bool must_be_array)
{
	json_error_t problem;
	json_t *root = json_loadb(text, size, 0, &problem), *object;
	size_t i;
	int ret = 0;

	if (!root)
		return fail(l->err, NO_OFFSET, "%s%sline %d, column %d: %s", l->file, *l->file ? ": " : "",
			    problem.line, problem.column, problem.text);
	if (!json_is_array(root) && must_be_array)
		ret = fail(l->err, NO_OFFSET, "%s%sexpected an array of events and metrics", l->file,
			   *l->file ? ": " : "");
	json_array_foreach(root, i, object)
	{
		ret = add_object(l, object);
		if (ret)
			break;
	}
	json_decref(root);
	return ret;
}

/* ---- what follows from all of them ---- */

static void find_parent(struct metric_set *s, struct set_metric *m)
{
	for (const char *g = m->group; g; g = strchr(g, ';')) {
		size_t size;

		g += strspn(g, "; ");
		size = strcspn(g, "; ");
		if (size <= 6 || strncmp(g + size - 6, "_group", 6) != 0)
			continue;
		for (size_t i = 0; i < s->nr_metrics; i++) {
			const char *name = s->metrics[i].name;

			if (&s->metrics[i] != m && strlen(name) == size - 6 && strncasecmp(g, name, size - 6) == 0)
				m->parent = (int32_t)i;
		}
	}
}

enum expansion { EXPAND_TODO, EXPAND_BUSY, EXPAND_DONE };

struct expander {
	struct loader *l;
	unsigned char *state; /* enum expansion of each metric */
	unsigned depth;
};

#define REFERENCE_DEPTH_MAX 100

static int expand(struct expander *x, size_t metric);

/* What stands for one name of a formula: another metric's expression, or nothing. */
static int expand_name(struct expander *x, const struct expr_name *name, struct expr_replacement *ret)
{
	struct loader *l = x->l;
	int32_t metric = name->kind == EXPR_EVENT ? set_find_metric(l->set, name->text) : -1;

	if (metric < 0)
		return 0;
	if (expand(x, (size_t)metric))
		return -1;
	ret->formula = l->metrics[metric].expanded;
	return 0;
}

static int expand(struct expander *x, size_t metric)
{
	struct set_metric *m = &x->l->metrics[metric];
	struct expr_replacement *by;
	const struct expr_name *names;
	size_t nr = expr_names(m->expr, &names);
	int ret = 0;

	if (x->state[metric] == EXPAND_DONE)
		return 0;
	if (x->state[metric] == EXPAND_BUSY)
		return fail(x->l->err, NO_OFFSET,
			    "metric %s: expected a formula without itself, and found that it leads back to it",
			    m->name);
	if (x->depth >= REFERENCE_DEPTH_MAX)
		return fail(x->l->err, NO_OFFSET,
			    "metric %s: expected at most %d metrics inside one another and found more", m->name,
			    REFERENCE_DEPTH_MAX);
	x->state[metric] = EXPAND_BUSY;
	x->depth++;
	by = must_realloc(NULL, nr + 1, sizeof(*by));
	memset(by, 0, (nr + 1) * sizeof(*by));
	for (size_t i = 0; i < nr && !ret; i++)
		ret = expand_name(x, &names[i], &by[i]);
	if (!ret) {
		m->expanded = expr_rewrite(x->l->set->arena, arena_printf(x->l->set->arena, "metric %s", m->name),
					   m->expr, by, x->l->err);
		ret = m->expanded ? 0 : -1;
	}
	free(by);
	x->depth--;
	x->state[metric] = EXPAND_DONE;
	return ret;
}

static int expand_all(struct loader *l)
{
	struct expander x = { .l = l, .state = must_alloc(l->nr_metrics + 1) };
	int ret = 0;

	for (size_t i = 0; i < l->nr_metrics && !ret; i++)
		ret = expand(&x, i);
	free(x.state);
	return ret;
}

/* total_dispatch_slots is the width times one event. */
static uint32_t width_of(const struct metric_set *s)
{
	int32_t slots = set_find_metric(s, "total_dispatch_slots");
	double one = 1, width;

	if (slots < 0 || expr_names(s->metrics[slots].expanded, NULL) != 1)
		return 0;
	width = expr_eval(s->metrics[slots].expanded, &one, NULL);
	return width >= 1 && width <= 1000 ? (uint32_t)width : 0;
}

/* Of events with one name the first in the file comes first. */
static int order_names(const void *a, const void *b, void *events)
{
	const struct set_event *e = events;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = strcasecmp(e[x].name, e[y].name);

	return c ? c : (x > y) - (x < y);
}

static void sort_names(struct loader *l)
{
	uint32_t *by_name = arena_alloc(l->set->arena, (l->nr_events + 1) * sizeof(*by_name));

	for (size_t i = 0; i < l->nr_events; i++)
		by_name[i] = (uint32_t)i;
	if (l->nr_events)
		qsort_r(by_name, l->nr_events, sizeof(*by_name), order_names, l->events);
	l->set->by_name = by_name;
}

static int finish(struct loader *l)
{
	struct metric_set *s = l->set;

	if (!l->nr_metrics && !l->nr_events)
		return fail(l->err, NO_OFFSET, "expected objects with MetricName or EventName and found none");
	s->events = l->events;
	s->nr_events = l->nr_events;
	s->metrics = l->metrics;
	s->nr_metrics = l->nr_metrics;
	sort_names(l);
	if (expand_all(l))
		return -1;
	for (size_t i = 0; i < l->nr_metrics; i++)
		find_parent(s, &l->metrics[i]);
	s->width = width_of(s);
	s->amd = s->zen || set_find_event(s, "ex_ret_instr") >= 0 || set_find_event(s, "ls_not_halted_cyc") >= 0;
	return 0;
}

/* ---- sets ---- */

static unsigned zen_of(const char *name)
{
	if (strncmp(name, "amdzen", 6) != 0 || name[6] < '1' || name[6] > '6' || name[7])
		return 0;
	return (unsigned)(name[6] - '0');
}

static void begin(struct loader *l, const char *name, struct error *err)
{
	struct arena *arena = arena_new();

	*l = (struct loader){ .file = "", .err = err };
	l->set = arena_alloc(arena, sizeof(*l->set));
	l->set->arena = arena;
	l->set->name = arena_strdup(arena, name);
	l->set->zen = zen_of(name);
}

/* The set, or NULL with all that was made for it freed. */
static struct metric_set *end(struct loader *l, int failed)
{
	if (!failed && finish(l) == 0)
		return l->set;
	free(l->events);
	free(l->metrics);
	arena_free(l->set->arena);
	return NULL;
}

void set_free(struct metric_set *s)
{
	if (!s)
		return;
	free((void *)s->events);
	free((void *)s->metrics);
	arena_free(s->arena);
}

#define SETS_MAX 32

const char *const *set_names(void)
{
	static const char *names[SETS_MAX + 1];

	for (size_t i = 0; i < SETS_MAX && set_files[i].name; i++)
		names[i] = set_files[i].name;
	return names;
}

static int no_such_set(const char *name, struct error *err)
{
	char list[300] = "";

	for (size_t i = 0; set_files[i].name; i++) {
		size_t n = strlen(list);

		snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", set_files[i].name);
	}
	return fail(err, NO_OFFSET, "no set '%s'; there are %s", name, list);
}

struct metric_set *set_builtin(const char *name, struct error *err)
{
	for (const struct set_file *f = set_files; f->name; f++) {
		struct loader l;

		if (strcmp(f->name, name) != 0)
			continue;
		begin(&l, name, err);
		return end(&l, add_json(&l, f->text, f->size, true));
	}
	no_such_set(name, err);
	return NULL;
}

static int read_whole(const char *path, char **ret, size_t *size, struct error *err)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t used = 0, room = 0, n;
	int result = 0;

	if (!f)
		return fail(err, NO_OFFSET, "%s: cannot be opened: %m", path);
	do {
		room = room ? 2 * room : 1 << 16;
		text = must_realloc(text, room, 1);
		n = fread(text + used, 1, room - used, f);
		used += n;
	} while (used == room && used < FILE_MAX);
	if (ferror(f) || used >= FILE_MAX)
		result = fail(err, NO_OFFSET, "%s: cannot be read whole", path);
	fclose(f);
	if (result) {
		free(text);
		return result;
	}
	*ret = text;
	*size = used;
	return 0;
}

static int load_file(struct loader *l, const char *path, bool must_be_array)
{
	char *text = NULL;
	size_t size = 0;
	int ret;

	if (read_whole(path, &text, &size, l->err))
		return -1;
	l->file = path;
	ret = add_json(l, text, size, must_be_array);
	l->file = "";
	free(text);
	return ret;
}

static int is_json(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && strcmp(d->d_name + n - 5, ".json") == 0;
}

/* Files in the order of their names. */
static int load_folder(struct loader *l, const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, is_json, alphasort), ret = 0;

	if (nr < 0)
		return fail(l->err, NO_OFFSET, "%s: cannot be listed: %m", path);
	for (int i = 0; i < nr; i++) {
		char *file = arena_printf(l->set->arena, "%s/%s", path, entries[i]->d_name);

		if (!ret)
			ret = load_file(l, file, false);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

/* The last part of the path, without .json. */
static char *name_of_path(const char *path)
{
	size_t n = strlen(path), start;
	char *name;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (start = n; start > 0 && path[start - 1] != '/'; start--)
		;
	if (n - start > 5 && strncmp(path + n - 5, ".json", 5) == 0)
		n -= 5;
	name = must_alloc(n - start + 1);
	memcpy(name, path + start, n - start);
	return name;
}

struct metric_set *set_load(const char *path, struct error *err)
{
	char *name = name_of_path(path);
	struct loader l;
	struct stat st;
	bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	begin(&l, name, err);
	free(name);
	return end(&l, folder ? load_folder(&l, path) : load_file(&l, path, true));
}

int32_t set_find_metric(const struct metric_set *s, const char *name)
{
	for (size_t i = 0; i < s->nr_metrics; i++)
		if (strcasecmp(s->metrics[i].name, name) == 0)
			return (int32_t)i;
	return -1;
}

/* As strcasecmp() of a name and one that need not end after `size`. */
static int compare_names(const char *name, const char *other, size_t size)
{
	int c = strncasecmp(name, other, size);

	return c ? c : name[size] != '\0';
}

int32_t set_find_eventn(const struct metric_set *s, const char *name, size_t size)
{
	size_t low = 0, high = s->nr_events;

	while (low < high) { /* the first that is not before it */
		size_t middle = low + (high - low) / 2;

		if (compare_names(s->events[s->by_name[middle]].name, name, size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == s->nr_events || compare_names(s->events[s->by_name[low]].name, name, size) != 0)
		return -1;
	return (int32_t)s->by_name[low];
}

int32_t set_find_event(const struct metric_set *s, const char *name)
{
	return set_find_eventn(s, name, strlen(name));
}

/* ---- the CPU's set ---- */

/* Models of a family, by their tens in hexadecimal (bit 4: 0x40-0x4f), and the set they have; 0: all others. */
static const struct {
	long family;
	unsigned tens;
	const char *set;
} families[] = {
	{ 23, 1 << 0 | 1 << 1 | 1 << 2, "amdzen1" },
	{ 23, 0, "amdzen2" },
	{ 25, 1 << 0 | 1 << 2 | 1 << 4 | 1 << 5, "amdzen3" },
	{ 25, 0, "amdzen4" },
	{ 26, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7, "amdzen5" },
	{ 26, 0, "amdzen6" },
};

/*
 * perf.data has decimal numbers between commas; perf's own maps have a hexadecimal model
 * between dashes.  Both are understood.
 */
const char *set_for_cpuid(const char *cpuid)
{
	static const char vendor[] = "AuthenticAMD";
	const char *at = cpuid ? cpuid + sizeof(vendor) - 1 : NULL;
	long family, model;
	char *end;

	if (!cpuid || strncmp(cpuid, vendor, sizeof(vendor) - 1) != 0 || (*at != ',' && *at != '-'))
		return NULL;
	family = strtol(at + 1, &end, 10);
	if (end == at + 1 || *end != *at)
		return NULL;
	at = end;
	model = strtol(at + 1, &end, *at == '-' ? 16 : 10);
	if (end == at + 1 || model < 0 || (*end && *end != *at))
		return NULL;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		bool fits = !families[i].tens || (model < 0x100 && families[i].tens >> (model >> 4) & 1);

		if (families[i].family == family && fits)
			return families[i].set;
	}
	return NULL;
}
