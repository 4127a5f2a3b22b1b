// SPDX-License-Identifier: GPL-2.0-only
/* What the thresholds of a set say of a scope becomes a check. */
#include "metrics/flagged.h"

#include <stdlib.h>

#include "metrics/plan_parts.h"

void flagged_check(const struct metric_plan *plan, const struct scope *scope, const struct metric_result *results,
		   struct check_list *checks)
{
	uint32_t *flagged;
	size_t nr;

	if (!plan->nr_thresholds)
		return;
	flagged = must_alloc(plan->set->nr_metrics * sizeof(*flagged));
	nr = plan_flagged(plan, scope, results, flagged);
	if (nr)
		check_list_add(checks, (struct check_row){ .id = CHECK_METRIC_THRESHOLD,
							   .class = CHECK_INFO,
							   .observed = results[flagged[0]].value,
							   .threshold = NAN, /* it is a formula */
							   .subject = plan->set->metrics[flagged[0]].name,
							   .others = (uint32_t)nr - 1 });
	free(flagged);
}
