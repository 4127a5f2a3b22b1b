/* SPDX-License-Identifier: GPL-2.0-only */
/* The order in which people are shown the pipeline: each of level 1, followed by its level 2. */
#ifndef PERFTAB_PIPELINE_ORDER_H
#define PERFTAB_PIPELINE_ORDER_H

#include "metrics/set.h"

/* Indices of the set's pipeline metrics; to be freed.  *nr 0 and NULL where the set has none. */
size_t *pipeline_order(const struct metric_set *set, size_t *nr);

#endif
