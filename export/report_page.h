/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report for people: what was measured where, level 1 with its level 2 below it,
 * other metrics, counts, and what could not be used.  Keeps what it is shown and draws
 * at the end of the capture, when everything about it is known.
 */
#ifndef PERFTAB_REPORT_PAGE_H
#define PERFTAB_REPORT_PAGE_H

#include "export/page.h"
#include "metrics/analysis.h"

struct report_page;

/* The page stays the caller's; `counts`: draw the counts, too. */
struct report_page *report_page_new(struct page *page, bool counts);
int report_page_begin(struct report_page *r, const struct analysis *a);
void report_page_scope(struct report_page *r, const struct analysis *a, const struct scope *s,
		       const struct metric_result *results);
/* Samples by part of the program; the whole is drawn as the run. */
void report_page_part(struct report_page *r, const struct analysis *a, const struct part *part,
		      const struct metric_result *results);
/* Draws one capture. */
void report_page_end(struct report_page *r, const struct analysis *a);
void report_page_free(struct report_page *r); /* NULL is fine */

#endif
