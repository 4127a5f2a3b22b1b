// SPDX-License-Identifier: GPL-2.0-only
/* Literals of the metric language from a capture's header. */
#include "metrics/literal.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting parts of the machine ---- */

static int compare_int(int32_t a, int32_t b)
{
	return (a > b) - (a < b);
}

static int by_core(const void *a, const void *b)
{
	const struct cpu_place *x = a, *y = b;
	int c = compare_int(x->socket, y->socket);

	if (!c)
		c = compare_int(x->die, y->die);
	return c ? c : compare_int(x->core, y->core);
}

static int by_die(const void *a, const void *b)
{
	const struct cpu_place *x = a, *y = b;
	int c = compare_int(x->socket, y->socket);

	return c ? c : compare_int(x->die, y->die);
}

static int by_socket(const void *a, const void *b)
{
	const struct cpu_place *x = a, *y = b;

	return compare_int(x->socket, y->socket);
}

/* Different ones by this order; NaN where the topology does not tell. */
static double count_parts(const struct capture *c, int (*order)(const void *, const void *))
{
	struct cpu_place *cpus;
	size_t nr = 0;

	if (!c->nr_cpus)
		return NAN;
	for (size_t i = 0; i < c->nr_cpus; i++)
		if (c->cpus[i].socket < 0 || (order == by_core && c->cpus[i].core < 0))
			return NAN;
	cpus = must_realloc(NULL, c->nr_cpus, sizeof(*cpus));
	memcpy(cpus, c->cpus, c->nr_cpus * sizeof(*cpus));
	qsort(cpus, c->nr_cpus, sizeof(*cpus), order);
	for (size_t i = 0; i < c->nr_cpus; i++)
		nr += i == 0 || order(&cpus[i - 1], &cpus[i]) != 0;
	free(cpus);
	return (double)nr;
}

static double num_cores(const struct capture *c)
{
	return count_parts(c, by_core);
}

static double num_dies(const struct capture *c)
{
	return count_parts(c, by_die);
}

static double num_packages(const struct capture *c)
{
	return count_parts(c, by_socket);
}

static double num_cpus(const struct capture *c)
{
	return c->cpus_available > 0 ? (double)c->cpus_available : NAN;
}

static double num_cpus_online(const struct capture *c)
{
	return c->cpus_online > 0 ? (double)c->cpus_online : NAN;
}

/* Two CPUs in one core. */
static double smt_on(const struct capture *c)
{
	double cores = num_cores(c);

	return isnan(cores) ? NAN : cores < (double)c->nr_cpus;
}

/* 1 for -a and -C: then the thread map has the one entry "any". */
static double target_cpu(const struct capture *c)
{
	return c->nr_threads ? c->threads[0].tid == -1 : NAN;
}

static double not_told(const struct capture *c)
{
	(void)c;
	return NAN;
}

static const struct {
	const char *name;
	double (*value)(const struct capture *c);
} literals[] = {
	{ "smt_on", smt_on },         { "num_cpus", num_cpus }, { "num_cpus_online", num_cpus_online },
	{ "num_cores", num_cores },   { "num_dies", num_dies }, { "num_packages", num_packages },
	{ "target_cpu", target_cpu }, { "slots", not_told },    { "system_tsc_freq", not_told },
	{ "core_wide", not_told },    { "has_pmem", not_told },
};

bool literal_value(const struct capture *c, const char *text, double *ret)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
		if (strcmp(text + (*text == '#'), literals[i].name) == 0) {
			*ret = literals[i].value(c);
			return true;
		}
	}
	return false;
}

/* perf's maps have AuthenticAMD-25-61-2: the model is hexadecimal there. */
static void map_cpuid(const char *cpuid, char *ret, size_t size)
{
	char vendor[32];
	unsigned family, model, stepping;

	if (sscanf(cpuid, "%31[^,],%u,%u,%u", vendor, &family, &model, &stepping) == 4)
		snprintf(ret, size, "%s-%u-%X-%X", vendor, family, model, stepping);
	else
		snprintf(ret, size, "%s", cpuid);
}

/* The pattern may leave out the stepping. */
double literal_cpuid(const struct capture *c, const char *pattern)
{
	char id[128], *stepping;
	char *whole;
	regex_t re;
	bool fits;

	if (!c->cpuid)
		return NAN;
	map_cpuid(c->cpuid, id, sizeof(id));
	whole = arena_printf(c->arena, "^(%s)$", pattern);
	if (regcomp(&re, whole, REG_EXTENDED | REG_NOSUB))
		return strcmp(pattern, id) == 0;
	fits = regexec(&re, id, 0, NULL, 0) == 0;
	stepping = strrchr(id, '-');
	if (!fits && stepping) {
		*stepping = '\0';
		fits = regexec(&re, id, 0, NULL, 0) == 0;
	}
	regfree(&re);
	return fits;
}
