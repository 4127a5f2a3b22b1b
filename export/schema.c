// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables and views of every output.  Names are kept once, in lookup tables, and the
 * large tables hold ids: `count`, `metric_value` and `sample` have no index and no key
 * but the rowid, because an index costs more time than their rows.  Views put the
 * names back.
 */
#include "export/schema.h"

#include "export/record_tables.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* ---- the run ---- */

static const struct column capture_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "path", COLUMN_TEXT, NULL },
	{ "format", COLUMN_TEXT, NULL },
	{ "perf_version", COLUMN_TEXT, NULL },
	{ "hostname", COLUMN_TEXT, NULL },
	{ "os_release", COLUMN_TEXT, NULL },
	{ "arch", COLUMN_TEXT, NULL },
	{ "cpu_desc", COLUMN_TEXT, NULL },
	{ "cpuid", COLUMN_TEXT, NULL },
	{ "cpus_online", COLUMN_INT, NULL },
	{ "command", COLUMN_TEXT, NULL },
	{ "duration_ns", COLUMN_INT, NULL },
	{ "aggregation", COLUMN_TEXT, NULL },
	{ "metric_set", COLUMN_TEXT, NULL },
	{ "complete", COLUMN_INT, NULL },
	{ "clock_wall_ns", COLUMN_INT, NULL }, /* plus a time of the capture: nanoseconds since 1970 */
};

const struct table table_capture = { "capture", capture_columns, COUNT(capture_columns), "id", NULL };

static const struct column feature_columns[] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "name", COLUMN_TEXT, NULL },
	{ "value", COLUMN_TEXT, NULL },
};

static const char *const feature_indexes[] = { "capture_id, name", NULL };

const struct table table_feature = { "feature", feature_columns, COUNT(feature_columns), NULL, feature_indexes };

static const struct column diagnostic_columns[] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "kind", COLUMN_TEXT, NULL },
	{ "count", COLUMN_INT, NULL },
	{ "first_offset", COLUMN_INT, NULL },
	{ "message", COLUMN_TEXT, NULL },
};

const struct table table_diagnostic = { "diagnostic", diagnostic_columns, COUNT(diagnostic_columns), NULL, NULL };

/* ---- counts ---- */

static const struct column event_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "position", COLUMN_INT, NULL },
	{ "name", COLUMN_TEXT, NULL },
	{ "canonical", COLUMN_TEXT, NULL },
	{ "type", COLUMN_INT, NULL },
	{ "config", COLUMN_HEX, NULL },
	{ "config1", COLUMN_HEX, NULL },
	{ "config2", COLUMN_HEX, NULL },
	{ "modifiers", COLUMN_TEXT, NULL },
	{ "pmu", COLUMN_TEXT, NULL },
	{ "unit", COLUMN_TEXT, NULL },
	{ "scale", COLUMN_REAL, NULL },
	{ "group_id", COLUMN_INT, NULL }, /* number of the group in the capture; NULL: in none */
	{ "leader_id", COLUMN_INT, "event(id)" },
	{ "sample_type", COLUMN_HEX, NULL },
	{ "read_format", COLUMN_HEX, NULL },
	{ "sample_period", COLUMN_INT, NULL },
	{ "sample_freq", COLUMN_INT, NULL },
};

static const char *const event_indexes[] = { "capture_id, position", NULL };

const struct table table_event = { "event", event_columns, COUNT(event_columns), "id", event_indexes };

static const struct column interval_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "position", COLUMN_INT, NULL },
	{ "begin_ns", COLUMN_INT, NULL },
	{ "end_ns", COLUMN_INT, NULL },
};

static const char *const interval_indexes[] = { "capture_id, position", NULL };

const struct table table_interval = { "interval", interval_columns, COUNT(interval_columns), "id", interval_indexes };

static const struct column place_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "kind", COLUMN_TEXT, NULL },
	{ "cpu", COLUMN_INT, NULL },
	{ "core", COLUMN_INT, NULL },
	{ "die", COLUMN_INT, NULL },
	{ "socket", COLUMN_INT, NULL },
	{ "node", COLUMN_INT, NULL },
	{ "pid", COLUMN_INT, NULL },
	{ "tid", COLUMN_INT, NULL },
	{ "comm", COLUMN_TEXT, NULL },
	{ "cgroup", COLUMN_TEXT, NULL },
	{ "label", COLUMN_TEXT, NULL },
};

static const char *const place_indexes[] = { "capture_id, kind", NULL };

const struct table table_place = { "place", place_columns, COUNT(place_columns), "id", place_indexes };

static const struct column count_columns[] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "event_id", COLUMN_INT, "event(id)" },
	{ "interval_id", COLUMN_INT, "interval(id)" },
	{ "place_id", COLUMN_INT, "place(id)" },
	{ "raw", COLUMN_INT, NULL },
	{ "enabled_ns", COLUMN_INT, NULL },
	{ "running_ns", COLUMN_INT, NULL },
	{ "scaled", COLUMN_REAL, NULL },
	{ "coverage", COLUMN_REAL, NULL },
	{ "state", COLUMN_TEXT, NULL },
};

const struct table table_count = { "count", count_columns, COUNT(count_columns), NULL, NULL };

/* ---- metrics ---- */

static const struct column metric_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "metric_set", COLUMN_TEXT, NULL },
	{ "name", COLUMN_TEXT, NULL },
	{ "parent_id", COLUMN_INT, "metric(id)" },
	{ "level", COLUMN_INT, NULL },
	{ "formula", COLUMN_TEXT, NULL },
	{ "unit", COLUMN_TEXT, NULL },
	{ "description", COLUMN_TEXT, NULL },
};

static const char *const metric_indexes[] = { "metric_set, name", NULL };

const struct table table_metric = { "metric", metric_columns, COUNT(metric_columns), "id", metric_indexes };

static const struct column metric_value_columns[] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "metric_id", COLUMN_INT, "metric(id)" },
	{ "interval_id", COLUMN_INT, "interval(id)" },
	{ "place_id", COLUMN_INT, "place(id)" },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
	{ "value", COLUMN_REAL, NULL },
	{ "value_perf", COLUMN_REAL, NULL },
	{ "lo", COLUMN_REAL, NULL },
	{ "hi", COLUMN_REAL, NULL },
	{ "se", COLUMN_REAL, NULL },
	{ "method", COLUMN_TEXT, NULL },
	{ "level", COLUMN_REAL, NULL }, /* of confidence */
	{ "coverage", COLUMN_REAL, NULL },
	{ "co_scheduled", COLUMN_INT, NULL },
	{ "status", COLUMN_TEXT, NULL },
	{ "reason", COLUMN_TEXT, NULL },
	{ "samples", COLUMN_INT, NULL },
};

const struct table table_metric_value = { "metric_value", metric_value_columns, COUNT(metric_value_columns), NULL, NULL };

static const struct column metric_check_columns[] = {
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "interval_id", COLUMN_INT, "interval(id)" },
	{ "place_id", COLUMN_INT, "place(id)" },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
	{ "name", COLUMN_TEXT, NULL },
	{ "class", COLUMN_TEXT, NULL },
	{ "observed", COLUMN_REAL, NULL },
	{ "threshold", COLUMN_REAL, NULL },
	{ "detail", COLUMN_TEXT, NULL },
};

const struct table table_metric_check = { "metric_check", metric_check_columns, COUNT(metric_check_columns), NULL, NULL };

/* ---- samples ---- */

static const struct column thread_columns[] = {
	{ "id", COLUMN_INT, NULL }, /* a new one for each name that a thread had */
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "pid", COLUMN_INT, NULL },
	{ "tid", COLUMN_INT, NULL },
	{ "comm", COLUMN_TEXT, NULL },
	{ "begin_ns", COLUMN_INT, NULL }, /* NULL: before the capture */
};

static const char *const thread_indexes[] = { "capture_id, tid", NULL };

const struct table table_thread = { "thread", thread_columns, COUNT(thread_columns), "id", thread_indexes };

static const struct column dso_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "path", COLUMN_TEXT, NULL },
	{ "build_id", COLUMN_BLOB, NULL },
};

const struct table table_dso = { "dso", dso_columns, COUNT(dso_columns), "id", NULL };

static const struct column symbol_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "dso_id", COLUMN_INT, "dso(id)" },
	{ "name", COLUMN_TEXT, NULL },
	{ "address", COLUMN_HEX, NULL }, /* in the dso */
	{ "size", COLUMN_INT, NULL },
};

const struct table table_symbol = { "symbol", symbol_columns, COUNT(symbol_columns), "id", NULL };

static const struct column mapping_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "time_ns", COLUMN_INT, NULL },
	{ "pid", COLUMN_INT, NULL }, /* -1: the kernel */
	{ "tid", COLUMN_INT, NULL },
	{ "address", COLUMN_HEX, NULL },
	{ "size", COLUMN_HEX, NULL },
	{ "file_offset", COLUMN_HEX, NULL },
	{ "protection", COLUMN_INT, NULL },
	{ "flags", COLUMN_HEX, NULL },
	{ "dso_id", COLUMN_INT, "dso(id)" },
};

const struct table table_mapping = { "mapping", mapping_columns, COUNT(mapping_columns), "id", NULL };

/* A dso at the place where it was loaded: what lies at `address` is at `dso_offset` in the dso. */
static const struct column image_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "dso_id", COLUMN_INT, "dso(id)" },
	{ "address", COLUMN_HEX, NULL },
	{ "dso_offset", COLUMN_HEX, NULL },
};

const struct table table_image = { "image", image_columns, COUNT(image_columns), "id", NULL };

/* A tree: the frame, and the path of its caller. */
static const struct column call_path_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "parent_id", COLUMN_INT, "call_path(id)" },
	{ "ip", COLUMN_HEX, NULL },
	{ "image_id", COLUMN_INT, "image(id)" },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
};

const struct table table_call_path = { "call_path", call_path_columns, COUNT(call_path_columns), "id", NULL };

/*
 * In the order of time, so that the id is the index of time.  The event tells the capture,
 * the image the dso, and the ip is the image's address plus `offset`, which takes half the
 * bytes: every column here costs two bytes a sample, and what is NULL at the end of a row costs none.
 * (The id stands last for that: a database keeps it beside the row, and NULL in it.)
 */
static const struct column sample_columns[] = {
	{ "event_id", COLUMN_INT, "event(id)" },
	{ "time_ns", COLUMN_INT, NULL },
	{ "cpu", COLUMN_INT, NULL },
	{ "thread_id", COLUMN_INT, "thread(id)" },
	{ "image_id", COLUMN_INT, "image(id)" },
	{ "offset", COLUMN_HEX, NULL },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
	{ "period", COLUMN_INT, NULL },
	{ "call_path_id", COLUMN_INT, "call_path(id)" },
	{ "id", COLUMN_INT, NULL },
};

const struct table table_sample = { "sample", sample_columns, COUNT(sample_columns), "id", NULL };

static const struct column sample_read_columns[] = {
	{ "sample_id", COLUMN_INT, "sample(id)" },
	{ "event_id", COLUMN_INT, "event(id)" },
	{ "value", COLUMN_INT, NULL }, /* cumulative, as the kernel gave it */
	{ "enabled_ns", COLUMN_INT, NULL },
	{ "running_ns", COLUMN_INT, NULL },
	{ "lost", COLUMN_INT, NULL },
};

const struct table table_sample_read = { "sample_read", sample_read_columns, COUNT(sample_read_columns), NULL, NULL };

static const struct column branch_columns[] = {
	{ "sample_id", COLUMN_INT, "sample(id)" },
	{ "position", COLUMN_INT, NULL }, /* 0: the newest */
	{ "from_ip", COLUMN_HEX, NULL },
	{ "to_ip", COLUMN_HEX, NULL },
	{ "mispredicted", COLUMN_INT, NULL },
	{ "predicted", COLUMN_INT, NULL },
	{ "in_tx", COLUMN_INT, NULL },
	{ "abort", COLUMN_INT, NULL },
	{ "cycles", COLUMN_INT, NULL },
	{ "type", COLUMN_INT, NULL },
	{ "spec", COLUMN_INT, NULL },
	{ "priv", COLUMN_INT, NULL },
	{ "counters", COLUMN_HEX, NULL },
};

const struct table table_branch = { "branch", branch_columns, COUNT(branch_columns), NULL, NULL };

/* What only some samples have: addresses of data, where the data came from, sizes. */
static const struct column sample_data_columns[] = {
	{ "sample_id", COLUMN_INT, "sample(id)" },
	{ "addr", COLUMN_HEX, NULL },
	{ "phys_addr", COLUMN_HEX, NULL },
	{ "data_src", COLUMN_HEX, NULL },
	{ "mem_op", COLUMN_TEXT, NULL },
	{ "mem_level", COLUMN_TEXT, NULL },
	{ "mem_snoop", COLUMN_TEXT, NULL },
	{ "mem_lock", COLUMN_TEXT, NULL },
	{ "mem_tlb", COLUMN_TEXT, NULL },
	{ "mem_blocked", COLUMN_TEXT, NULL },
	{ "weight", COLUMN_INT, NULL },
	{ "weight2", COLUMN_INT, NULL },
	{ "weight3", COLUMN_INT, NULL },
	{ "transaction", COLUMN_HEX, NULL },
	{ "data_page_size", COLUMN_INT, NULL },
	{ "code_page_size", COLUMN_INT, NULL },
	{ "cgroup", COLUMN_INT, NULL },
	{ "stream_id", COLUMN_INT, NULL },
	{ "stack_size", COLUMN_INT, NULL },
	{ "aux_size", COLUMN_INT, NULL },
	{ "hw_idx", COLUMN_INT, NULL },
};

const struct table table_sample_data = { "sample_data", sample_data_columns, COUNT(sample_data_columns), NULL, NULL };

static const struct column sample_register_columns[] = {
	{ "sample_id", COLUMN_INT, "sample(id)" },
	{ "at", COLUMN_TEXT, NULL },    /* "user", "interrupt" */
	{ "register", COLUMN_INT, NULL }, /* perf's number for the machine's architecture */
	{ "value", COLUMN_HEX, NULL },
};

const struct table table_sample_register = { "sample_register", sample_register_columns, COUNT(sample_register_columns), NULL,
					     NULL };

/* Raw bytes that the capture does not describe. */
static const struct column record_raw_columns[] = {
	{ "sample_id", COLUMN_INT, "sample(id)" },
	{ "raw", COLUMN_BLOB, NULL },
};

const struct table table_record_raw = { "record_raw", record_raw_columns, COUNT(record_raw_columns), NULL, NULL };

/* ---- all of it ---- */

static const struct table *const fixed_tables[] = {
	&table_capture, &table_feature, &table_diagnostic,
	&table_event, &table_interval, &table_place, &table_count,
	&table_metric,
	&table_dso, &table_symbol, &table_thread, &table_mapping, &table_image, &table_call_path,
	&table_metric_value, &table_metric_check,
	&table_sample, &table_sample_read, &table_branch, &table_sample_data, &table_sample_register, &table_record_raw,
};

/* Behind the fixed ones there is one for each type of record: made from the reader's table of types. */
static const struct table *all_tables[COUNT(fixed_tables) + RECORD_TABLES];

__attribute__((constructor)) static void make_tables(void)
{
	memcpy(all_tables, fixed_tables, sizeof(fixed_tables));
	record_tables_make(all_tables + COUNT(fixed_tables));
}

/*
 * One column for each metric of the pipeline.  The second level has other names on Zen 5
 * and later ("frontend_bound_by_latency"); what it measures is the same share of slots,
 * and both go to the column with the Zen 4 name.
 */
#define PIPELINE_COLUMN(name, other) \
	", max(CASE WHEN m.name IN ('" name "', '" other "') THEN v.value END) AS " name
#define PIPELINE_COLUMNS                                                                             \
	PIPELINE_COLUMN("frontend_bound", "frontend_bound")                                          \
	PIPELINE_COLUMN("bad_speculation", "bad_speculation")                                        \
	PIPELINE_COLUMN("backend_bound", "backend_bound")                                            \
	PIPELINE_COLUMN("smt_contention", "smt_contention")                                          \
	PIPELINE_COLUMN("retiring", "retiring")                                                      \
	PIPELINE_COLUMN("frontend_bound_latency", "frontend_bound_by_latency")                       \
	PIPELINE_COLUMN("frontend_bound_bandwidth", "frontend_bound_by_bandwidth")                   \
	PIPELINE_COLUMN("bad_speculation_mispredicts", "bad_speculation_from_mispredicts")           \
	PIPELINE_COLUMN("bad_speculation_pipeline_restarts", "bad_speculation_from_pipeline_restarts") \
	PIPELINE_COLUMN("backend_bound_memory", "backend_bound_by_memory")                           \
	PIPELINE_COLUMN("backend_bound_cpu", "backend_bound_by_cpu")                                 \
	PIPELINE_COLUMN("retiring_fastpath", "retiring_from_fastpath")                               \
	PIPELINE_COLUMN("retiring_microcode", "retiring_from_microcode")                             \
	", min(v.coverage) AS coverage"

/* Where and when of a row v that has capture_id, interval_id and place_id */
#define SCOPE_COLUMNS                                                                                \
	"c.path AS capture, i.position AS interval,"                                                 \
	" CASE WHEN v.interval_id IS NULL THEN 0 ELSE i.begin_ns END / 1e9 AS begin_s,"              \
	" CASE WHEN v.interval_id IS NULL THEN c.duration_ns ELSE i.end_ns END / 1e9 AS end_s, p.label AS place"
#define SCOPE_JOINS                                  \
	" JOIN capture c ON c.id = v.capture_id"     \
	" LEFT JOIN interval i ON i.id = v.interval_id" \
	" LEFT JOIN place p ON p.id = v.place_id"

/* The unit of a count, as count_unit() has it; event.unit is what perf shows it in. */
#define COUNT_UNIT                                                                                   \
	"CASE WHEN e.type = 4294967294 OR (e.type = 1 AND e.config IN (0, 1)) OR e.unit IN ('ns', 'msec')" \
	" THEN 'ns' ELSE 'event' END"

/* printf alone would make 0x0 of NULL */
#define HEX(column) "CASE WHEN " column " IS NOT NULL THEN printf('0x%x', " column ") END"

static const struct view all_views[] = {
	{ "counts",
	  "SELECT " SCOPE_COLUMNS ", e.name AS event, l.position AS \"group\", e.type, " HEX("e.config") " AS config,"
	  " v.raw, v.enabled_ns, v.running_ns, v.scaled, " COUNT_UNIT " AS unit, v.coverage, v.state"
	  " FROM \"count\" v" SCOPE_JOINS
	  " JOIN event e ON e.id = v.event_id LEFT JOIN event l ON l.id = e.leader_id" },
	{ "metrics",
	  "SELECT " SCOPE_COLUMNS ", s.name AS function, m.name AS metric, m.unit, v.value, v.lo, v.hi, v.method, v.level,"
	  " v.coverage, v.co_scheduled, v.status, v.reason"
	  " FROM metric_value v" SCOPE_JOINS
	  " JOIN metric m ON m.id = v.metric_id LEFT JOIN symbol s ON s.id = v.symbol_id" },
	{ "pipeline",
	  "SELECT " SCOPE_COLUMNS PIPELINE_COLUMNS
	  " FROM metric_value v" SCOPE_JOINS " JOIN metric m ON m.id = v.metric_id"
	  " WHERE v.symbol_id IS NULL AND m.level IN (1, 2)"
	  " GROUP BY v.capture_id, v.interval_id, v.place_id" },
	{ "pipeline_by_function",
	  "SELECT " SCOPE_COLUMNS ", s.name AS function, d.path AS dso" PIPELINE_COLUMNS ", max(v.samples) AS samples"
	  " FROM metric_value v" SCOPE_JOINS " JOIN metric m ON m.id = v.metric_id"
	  " JOIN symbol s ON s.id = v.symbol_id LEFT JOIN dso d ON d.id = s.dso_id"
	  " WHERE m.level IN (1, 2)"
	  " GROUP BY v.capture_id, v.interval_id, v.place_id, v.symbol_id" },
	{ "samples",
	  "SELECT v.id, c.path AS capture, v.time_ns, e.name AS event, v.cpu, t.pid, t.tid, t.comm,"
	  " " HEX("i.address + v.offset") " AS ip, s.name AS symbol, d.path AS dso, " HEX("i.dso_offset + v.offset") " AS dso_offset, v.period,"
	  " v.call_path_id, (c.clock_wall_ns + v.time_ns) / 1e9 AS wall_s"
	  " FROM sample v LEFT JOIN event e ON e.id = v.event_id LEFT JOIN capture c ON c.id = e.capture_id"
	  " LEFT JOIN thread t ON t.id = v.thread_id LEFT JOIN symbol s ON s.id = v.symbol_id"
	  " LEFT JOIN image i ON i.id = v.image_id LEFT JOIN dso d ON d.id = i.dso_id" },
	{ "problems",
	  "SELECT c.path AS capture, NULL AS interval, NULL AS place, d.kind AS problem, 'input' AS class, d.count,"
	  " d.first_offset, NULL AS observed, NULL AS threshold, d.message"
	  " FROM diagnostic d JOIN capture c ON c.id = d.capture_id"
	  " UNION ALL"
	  " SELECT c.path, i.position, p.label, v.name, v.class, 1, NULL, v.observed, v.threshold, v.detail"
	  " FROM metric_check v" SCOPE_JOINS },
};

const struct schema schema_all = { all_tables, COUNT(all_tables), all_views, COUNT(all_views) };

/* ---- the flat tables of `report` ---- */

static const struct column report_metrics_columns[] = {
	{ "capture", COLUMN_TEXT, NULL },   { "interval", COLUMN_INT, NULL },     { "begin_s", COLUMN_REAL, NULL },
	{ "end_s", COLUMN_REAL, NULL },     { "place", COLUMN_TEXT, NULL },       { "function", COLUMN_TEXT, NULL },
	{ "metric", COLUMN_TEXT, NULL },    { "unit", COLUMN_TEXT, NULL },        { "value", COLUMN_REAL, NULL },
	{ "lo", COLUMN_REAL, NULL },        { "hi", COLUMN_REAL, NULL },          { "method", COLUMN_TEXT, NULL },
	{ "level", COLUMN_REAL, NULL },     { "coverage", COLUMN_REAL, NULL },    { "co_scheduled", COLUMN_INT, NULL },
	{ "status", COLUMN_TEXT, NULL },    { "reason", COLUMN_TEXT, NULL },
};

const struct table table_report_metrics = { "metrics", report_metrics_columns, COUNT(report_metrics_columns), NULL, NULL };

static const struct column report_counts_columns[] = {
	{ "capture", COLUMN_TEXT, NULL },    { "interval", COLUMN_INT, NULL },   { "begin_s", COLUMN_REAL, NULL },
	{ "end_s", COLUMN_REAL, NULL },      { "place", COLUMN_TEXT, NULL },     { "event", COLUMN_TEXT, NULL },
	{ "group", COLUMN_INT, NULL },       { "type", COLUMN_INT, NULL },       { "config", COLUMN_HEX, NULL },
	{ "raw", COLUMN_INT, NULL },         { "enabled_ns", COLUMN_INT, NULL }, { "running_ns", COLUMN_INT, NULL },
	{ "scaled", COLUMN_REAL, NULL },     { "unit", COLUMN_TEXT, NULL },      { "coverage", COLUMN_REAL, NULL },
	{ "state", COLUMN_TEXT, NULL },
};

const struct table table_report_counts = { "counts", report_counts_columns, COUNT(report_counts_columns), NULL, NULL };

static const struct table *const report_metrics_tables[] = { &table_report_metrics };
static const struct table *const report_counts_tables[] = { &table_report_counts };

const struct schema schema_report_metrics = { report_metrics_tables, 1, NULL, 0 };
const struct schema schema_report_counts = { report_counts_tables, 1, NULL, 0 };
