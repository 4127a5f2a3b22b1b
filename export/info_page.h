/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in a capture: container, machine, events, records, samples, what was lost or
 * odd, and which metrics can be computed.  As a page, or as rows.
 */
#ifndef PERFTAB_INFO_PAGE_H
#define PERFTAB_INFO_PAGE_H

#include "export/page.h"
#include "export/sink.h"
#include "metrics/analysis.h"

void info_page(struct page *p, const struct analysis *a);

extern const struct schema schema_info;
int info_rows(struct sink *sink, const struct analysis *a, int64_t capture_id, struct error *err);

#endif
