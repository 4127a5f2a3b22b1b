/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a PMU's terms ("event", "umask", "cmask") lie in perf_event_attr.config, as the
 * kernel's sysfs format files tell: "cpu" with event 0x1a0 and umask 1 is 0x1000001a0.
 */
#ifndef PERFTAB_EVENT_TERMS_H
#define PERFTAB_EVENT_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/* Puts a value into config[0..2].  False when the PMU has no such term.  zen: 1 to 6, or 0. */
bool event_term_put(const char *pmu, unsigned zen, const char *term, uint64_t value, uint64_t config[3]);

/* Is it a term that takes no value when it is named alone (edge, inv, any)? */
bool event_term_is_flag(const char *term);

#endif
