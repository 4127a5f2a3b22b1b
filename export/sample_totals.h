/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the samples of a capture add up to, event by event.  The sum of the periods is an
 * estimate of the count, and not corrected for multiplexing.
 */
#ifndef PERFTAB_SAMPLE_TOTALS_H
#define PERFTAB_SAMPLE_TOTALS_H

#include "export/page.h"
#include "reader/capture.h"

uint64_t sample_totals_samples(const struct capture *c);

/* A table of the events that have samples. */
void sample_totals_draw(struct page *p, const struct capture *c);

#endif
