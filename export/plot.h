/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pictures of the pipeline as SVG: level 1 and 2 as stacked bars with their intervals of
 * error, and the intervals of a capture as stacked areas over time, with gaps where
 * nothing was counted.  All numbers are in it as text, too.
 */
#ifndef PERFTAB_PLOT_H
#define PERFTAB_PLOT_H

#include "export/outfile.h"
#include "metrics/analysis.h"

struct plot;

struct plot *plot_new(void);
void plot_free(struct plot *p); /* NULL is fine */

/* Forgets the capture before. */
void plot_begin(struct plot *p, const struct analysis *a);
/* Takes the run as a whole and its intervals; other scopes are none of its business. */
void plot_scope(struct plot *p, const struct analysis *a, const struct scope *s, const struct metric_result *results);
/* Is there a pipeline to draw? */
bool plot_has_picture(const struct plot *p);
/* Draws into a file that the caller puts in place or abandons, with the other outputs.  NULL and *err. */
struct outfile *plot_draw(const struct plot *p, const struct analysis *a, const char *path, bool force,
			  struct error *err);

#endif
