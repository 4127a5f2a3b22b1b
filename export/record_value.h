/* SPDX-License-Identifier: GPL-2.0-only */
/* From a decoded field of a record to a value of a row. */
#ifndef PERFTAB_RECORD_VALUE_H
#define PERFTAB_RECORD_VALUE_H

#include "export/row.h"
#include "reader/records.h"

/* Words become text; it lives until the next such value. */
struct word_text {
	char *at; /* freed by the owner */
	size_t room;
};

struct value record_value(const struct field_value *v, struct word_text *text);

#endif
