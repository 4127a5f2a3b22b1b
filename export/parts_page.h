/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report's tables of functions, libraries, threads and lines: what each took of the
 * time, and where its slots went.
 */
#ifndef PERFTAB_PARTS_PAGE_H
#define PERFTAB_PARTS_PAGE_H

#include "export/page.h"
#include "metrics/analysis.h"

struct parts_page;

struct parts_page *parts_page_new(struct page *page);
void parts_page_free(struct parts_page *p); /* NULL is fine */

/* Forgets the capture before. */
void parts_page_begin(struct parts_page *p);
/* Keeps a part; they come largest first, and the largest are drawn. */
void parts_page_part(struct parts_page *p, const struct analysis *a, const struct part *part,
		     const struct metric_result *results);
/* Any part, or a whole that was told by samples? */
bool parts_page_has(const struct parts_page *p);
void parts_page_draw(struct parts_page *p, const struct analysis *a);

#endif
