// SPDX-License-Identifier: GPL-2.0-only
/* Table metric_check: the checks that fired in each scope, and whose events the metrics are made of. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/modifiers.h"
#include "export/rows.h"

/* What is refused for what it is, not for how much of it there is, has no amount: not counted, a total that fell. */
static struct value amount_of(const struct check_row *c, double amount)
{
	return c->class == CHECK_REFUSE && (c->observed == 0 || isinf(c->observed)) ? value_null() : value_real(amount);
}

int rows_checks(struct rows *r, const struct analysis *a, const struct scope *s, struct error *err)
{
	struct value v[9] = { { 0 } };

	if (!a->checks || !a->checks->nr)
		return 0;
	if (rows_scope(r, s, err))
		return -1;
	v[0] = value_int(r->capture_id);
	v[1] = rows_interval_id(r, s);
	v[2] = value_int(rows_place_id(r, s));
	for (size_t i = 0; i < a->checks->nr; i++) {
		const struct check_row *c = &a->checks->rows[i];
		char detail[300];

		check_detail(c, detail, sizeof(detail));
		v[4] = value_text(check_name(c->id));
		v[5] = value_text(check_class_name(c->class));
		v[6] = amount_of(c, c->observed);
		v[7] = amount_of(c, c->threshold);
		v[8] = *detail ? value_text(detail) : value_null();
		if (rows_put(r, &table_metric_check, v, err))
			return -1;
	}
	return 0;
}

int rows_modifiers(struct rows *r, const struct analysis *a, struct error *err)
{
	struct modifiers_walk walk = { 0 };
	struct value v[9] = { { 0 } };
	int result = 0;

	v[0] = value_int(r->capture_id);
	v[4] = value_text("modifiers");
	v[5] = value_text(check_class_name(CHECK_INFO));
	while (result == 0 && modifiers_next(&walk, a)) {
		char *detail;

		if (asprintf(&detail, "%s: %s", walk.modifiers, walk.metrics) < 0)
			abort();
		v[8] = value_text(detail);
		result = rows_put(r, &table_metric_check, v, err);
		free(detail);
	}
	modifiers_end(&walk);
	return result;
}
