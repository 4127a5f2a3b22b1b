// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables and views of every output.  Names are kept once, in lookup tables, and the
 * large tables hold ids: `count`, `metric_value` and `sample` have no index and no key
 * but the rowid, because an index costs more time than their rows.  Views put the
 * names back.
 */
#include "export/schema.h"

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

/* A tree: the frame, and the path of its caller. */
static const struct column call_path_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "parent_id", COLUMN_INT, "call_path(id)" },
	{ "ip", COLUMN_HEX, NULL },
	{ "dso_id", COLUMN_INT, "dso(id)" },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
};

const struct table table_call_path = { "call_path", call_path_columns, COUNT(call_path_columns), "id", NULL };

/* In the order of time, so that the id is the index of time. */
static const struct column sample_columns[] = {
	{ "id", COLUMN_INT, NULL },
	{ "capture_id", COLUMN_INT, "capture(id)" },
	{ "event_id", COLUMN_INT, "event(id)" },
	{ "time_ns", COLUMN_INT, NULL },
	{ "cpu", COLUMN_INT, NULL },
	{ "thread_id", COLUMN_INT, "thread(id)" },
	{ "ip", COLUMN_HEX, NULL },
	{ "dso_id", COLUMN_INT, "dso(id)" },
	{ "symbol_id", COLUMN_INT, "symbol(id)" },
	{ "period", COLUMN_INT, NULL },
	{ "call_path_id", COLUMN_INT, "call_path(id)" },
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
	{ "flags", COLUMN_HEX, NULL }, /* as the kernel packs them */
};

const struct table table_branch = { "branch", branch_columns, COUNT(branch_columns), NULL, NULL };

/* ---- other records ---- */

/* What every record has: whose it is, when (sample_id_all), and where in the input. */
#define RECORD_COLUMNS                              \
	{ "capture_id", COLUMN_INT, "capture(id)" }, \
	{ "time_ns", COLUMN_INT, NULL },             \
	{ "cpu", COLUMN_INT, NULL },                 \
	{ "pid", COLUMN_INT, NULL },                 \
	{ "tid", COLUMN_INT, NULL }

#define RECORD_TABLE(type, ...)                                                                 \
	static const struct column record_##type##_columns[] = { RECORD_COLUMNS, __VA_ARGS__ }; \
	const struct table table_record_##type = { "record_" #type, record_##type##_columns,    \
						   COUNT(record_##type##_columns), NULL, NULL }

RECORD_TABLE(comm, { "comm", COLUMN_TEXT, NULL }, { "exec", COLUMN_INT, NULL });
RECORD_TABLE(fork, { "parent_pid", COLUMN_INT, NULL }, { "parent_tid", COLUMN_INT, NULL });
RECORD_TABLE(exit, { "parent_pid", COLUMN_INT, NULL }, { "parent_tid", COLUMN_INT, NULL });
RECORD_TABLE(read, { "event_id", COLUMN_INT, "event(id)" }, { "value", COLUMN_INT, NULL },
	     { "enabled_ns", COLUMN_INT, NULL }, { "running_ns", COLUMN_INT, NULL }, { "lost", COLUMN_INT, NULL });
RECORD_TABLE(lost, { "event_id", COLUMN_INT, "event(id)" }, { "lost", COLUMN_INT, NULL });
RECORD_TABLE(lost_samples, { "event_id", COLUMN_INT, "event(id)" }, { "lost", COLUMN_INT, NULL });
RECORD_TABLE(throttle, { "event_id", COLUMN_INT, "event(id)" }, { "throttled", COLUMN_INT, NULL });
RECORD_TABLE(switch, { "out", COLUMN_INT, NULL }, { "preempted", COLUMN_INT, NULL },
	     { "other_pid", COLUMN_INT, NULL }, { "other_tid", COLUMN_INT, NULL });
RECORD_TABLE(namespaces, { "kind", COLUMN_INT, NULL }, { "device", COLUMN_HEX, NULL }, { "inode", COLUMN_INT, NULL });
RECORD_TABLE(cgroup, { "cgroup", COLUMN_INT, NULL }, { "path", COLUMN_TEXT, NULL });
RECORD_TABLE(ksymbol, { "address", COLUMN_HEX, NULL }, { "size", COLUMN_INT, NULL }, { "type", COLUMN_INT, NULL },
	     { "flags", COLUMN_HEX, NULL }, { "name", COLUMN_TEXT, NULL });
RECORD_TABLE(bpf_event, { "type", COLUMN_INT, NULL }, { "flags", COLUMN_HEX, NULL }, { "program", COLUMN_INT, NULL },
	     { "tag", COLUMN_BLOB, NULL });
RECORD_TABLE(text_poke, { "address", COLUMN_HEX, NULL }, { "old_bytes", COLUMN_BLOB, NULL },
	     { "new_bytes", COLUMN_BLOB, NULL });
RECORD_TABLE(aux, { "aux_offset", COLUMN_INT, NULL }, { "aux_size", COLUMN_INT, NULL }, { "flags", COLUMN_HEX, NULL });
RECORD_TABLE(itrace_start, { "started_pid", COLUMN_INT, NULL }, { "started_tid", COLUMN_INT, NULL });

/* ---- all of it ---- */

static const struct table *const all_tables[] = {
	&table_capture, &table_feature, &table_diagnostic,
	&table_event, &table_interval, &table_place, &table_count,
	&table_metric,
	&table_dso, &table_symbol, &table_thread, &table_mapping, &table_call_path,
	&table_metric_value, &table_metric_check,
	&table_sample, &table_sample_read, &table_branch,
	&table_record_comm, &table_record_fork, &table_record_exit, &table_record_read,
	&table_record_lost, &table_record_lost_samples, &table_record_throttle, &table_record_switch,
	&table_record_namespaces, &table_record_cgroup, &table_record_ksymbol, &table_record_bpf_event,
	&table_record_text_poke, &table_record_aux, &table_record_itrace_start,
};

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
#define SCOPE_COLUMNS \
	"c.path AS capture, i.position AS interval, i.begin_ns / 1e9 AS begin_s, i.end_ns / 1e9 AS end_s, p.label AS place"
#define SCOPE_JOINS                                  \
	" JOIN capture c ON c.id = v.capture_id"     \
	" LEFT JOIN interval i ON i.id = v.interval_id" \
	" LEFT JOIN place p ON p.id = v.place_id"

/* printf alone would make 0x0 of NULL */
#define HEX(column) "CASE WHEN " column " IS NOT NULL THEN printf('0x%x', " column ") END"

static const struct view all_views[] = {
	{ "counts",
	  "SELECT " SCOPE_COLUMNS ", e.name AS event, l.position AS \"group\", e.type, " HEX("e.config") " AS config,"
	  " v.raw, v.enabled_ns, v.running_ns, v.scaled, e.unit, v.coverage, v.state"
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
	  " " HEX("v.ip") " AS ip, s.name AS symbol, d.path AS dso, v.period, v.call_path_id"
	  " FROM sample v JOIN capture c ON c.id = v.capture_id LEFT JOIN event e ON e.id = v.event_id"
	  " LEFT JOIN thread t ON t.id = v.thread_id LEFT JOIN symbol s ON s.id = v.symbol_id"
	  " LEFT JOIN dso d ON d.id = v.dso_id" },
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
