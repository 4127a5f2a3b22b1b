/* SPDX-License-Identifier: GPL-2.0-only */
/* Which metric set belongs to a capture. */
#ifndef PERFTAB_CHOOSE_SET_H
#define PERFTAB_CHOOSE_SET_H

#include "metrics/plan.h"

/*
 * The set that the user names (a compiled-in one, or perf's JSON at metrics_path), else the
 * one of the capture's CPUID, else the only one that knows all of the capture's core
 * events, else `generic` where its metrics can be computed.  *ret NULL with *note (of the
 * capture's arena) where none fits; -1 only for a name or file that cannot be used.
 */
int choose_set(struct capture *c, const char *name, const char *metrics_path, struct metric_set **ret,
	       const char **note, struct error *err);

#endif
