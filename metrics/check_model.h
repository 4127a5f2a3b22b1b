/* SPDX-License-Identifier: GPL-2.0-only */
/* What the checks need to know of a capture and a metric set, found out once. */
#ifndef PERFTAB_CHECK_MODEL_H
#define PERFTAB_CHECK_MODEL_H

#include "metrics/checks.h"
#include "metrics/plan_parts.h"

/* Lives in the arena; points into the plan and its capture.  The caller fills in limits, level and tighten. */
struct check_model *check_model_new(struct arena *arena, const struct metric_plan *plan);

#endif
