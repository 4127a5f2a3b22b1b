/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of the contract: what they are called and which columns they have, in the
 * order in which values are given to sink_row().  Version 1; later versions add
 * columns at the end, tables and views, and rename and remove nothing.
 */
#ifndef PERFTAB_SCHEMA_H
#define PERFTAB_SCHEMA_H

#include "export/row.h"

/* Everything of a capture: databases, folders of CSV, JSON. */
extern const struct schema schema_all;

/* The run */
extern const struct table table_capture, table_feature, table_diagnostic;
/* Counts and metrics */
extern const struct table table_event, table_interval, table_place, table_count;
extern const struct table table_metric, table_metric_value, table_metric_check;
/* Samples */
extern const struct table table_thread, table_dso, table_symbol, table_mapping, table_call_path;
extern const struct table table_image;
extern const struct table table_sample, table_sample_read, table_branch, table_sample_data, table_sample_register;
extern const struct table table_record_raw;
/* Other records, as they came: record_tables.h */

/* The flat tables of `report`, each alone in its output; names instead of ids. */
extern const struct table table_report_metrics, table_report_counts;
extern const struct schema schema_report_metrics, schema_report_counts;

#endif
