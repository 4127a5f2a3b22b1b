/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the samples of a capture add up to, event by event.  The sum of the periods is an
 * estimate of the count, and not corrected for multiplexing.
 */
#ifndef PERFTAB_SAMPLE_TOTALS_H
#define PERFTAB_SAMPLE_TOTALS_H

#include "export/page.h"
#include "metrics/analysis.h"
#include "reader/sample.h"

struct event_samples {
	uint64_t samples, period, first_ns, last_ns; /* times 0 where samples have none */
};

struct sample_totals {
	struct event_samples *of; /* by event */
	size_t nr;
};

void sample_totals_add(struct sample_totals *t, const struct capture *c, const struct sample *s);
void sample_totals_clear(struct sample_totals *t); /* frees */

uint64_t sample_totals_samples(const struct sample_totals *t);

/* A table of the events that have samples. */
void sample_totals_draw(const struct sample_totals *t, struct page *p, const struct capture *c);

#endif
