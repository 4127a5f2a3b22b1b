/* SPDX-License-Identifier: GPL-2.0-only */
/* Which metric set belongs to a capture. */
#ifndef PERFTAB_CHOOSE_SET_H
#define PERFTAB_CHOOSE_SET_H

#include "metrics/plan.h"

/* Names of metrics that the input printed, each once. */
enum { PRINTED_NAMES = 64 };

struct printed_names {
	const char *names[PRINTED_NAMES];
	size_t nr;
};

void printed_names_add(struct printed_names *p, const char *name);

/*
 * The set that the user names (a compiled-in one, or perf's JSON at metrics_path), else the
 * one of the capture's CPUID, else the only one that knows all of the capture's core
 * events (of a capture without counts: the only one that has the printed metrics of the
 * pipeline), else `generic` where its metrics can be computed.  *ret NULL with *note (of the
 * capture's arena) where none fits; -1 only for a name or file that cannot be used.
 */
int choose_set(struct capture *c, const char *name, const char *metrics_path, const struct printed_names *printed,
	       struct metric_set **ret, const char **note, struct error *err);

#endif
