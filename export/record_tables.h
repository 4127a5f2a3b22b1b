/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record_NAME: a table for each type of record.  Their columns are what every record has
 * (capture, time, cpu, task, event, misc) and the fields that the reader's table of types
 * names.
 */
#ifndef PERFTAB_RECORD_TABLES_H
#define PERFTAB_RECORD_TABLES_H

#include "export/row.h"
#include "reader/records.h"

enum { RECORD_TABLES = 30 };

/* Makes them, once, and stores their addresses. */
void record_tables_make(const struct table *ret[RECORD_TABLES]);

/* The table of a type; NULL for a type without one. */
const struct table *record_table_of(uint32_t type);

/* Does the table have columns for the task of the trailer?  (The record has none of its own.) */
bool record_table_has_task(const struct record_class *class);

#endif
