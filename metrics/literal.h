/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What formulas ask of the machine (#num_cpus, #smt_on, strcmp_cpuid_str), answered from
 * the capture and never from the machine that perftab runs on.
 */
#ifndef PERFTAB_LITERAL_H
#define PERFTAB_LITERAL_H

#include "reader/capture.h"

/* "#num_cpus", with or without #.  False when it is no literal.  *ret is NaN where the capture does not tell. */
bool literal_value(const struct capture *c, const char *text, double *ret);

/* 1 when the pattern fits the capture's CPU whole, else 0; NaN where the CPU is not known. */
double literal_cpuid(const struct capture *c, const char *pattern);

#endif
