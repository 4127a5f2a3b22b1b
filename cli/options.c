// SPDX-License-Identifier: GPL-2.0-only
/* Options and help, from one table. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "metrics/place.h"

enum {
	REPORT = 1 << 0,
	CONVERT = 1 << 1,
	METRICS = 1 << 2,
	INFO = 1 << 3,
	READS = REPORT | CONVERT,
	INPUTS = READS | INFO,
	ALL = INPUTS | METRICS,
};

static const struct {
	const char *name;
	unsigned bit;
	const char *usage, *what;
} commands[] = {
	{ "report", REPORT, "[OPTION]… INPUT…", "tables for people and scripts" },
	{ "convert", CONVERT, "INPUT… -o OUT…",
	  "everything, in one pass, to .db or .sqlite, NAME/ (a CSV file a table), .csv, .md, .json" },
	{ "info", INFO, "[OPTION]… INPUT…", "what is in a capture, what is lost, which metrics can be computed" },
	{ "metrics", METRICS, "[OPTION]… [METRIC] [INPUT]",
	  "sets, formulas and event codes; with an input, how the metric's value came about; --record: how to record it" },
};

enum { NR_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* Long options without a letter get numbers past all letters. */
enum { OPT_BY = 256, OPT_COUNTS, OPT_SET, OPT_METRICS, OPT_FORCE, OPT_APPEND, OPT_CPUID, OPT_RECORD, OPT_PLOT, OPT_LEVEL, OPT_THRESHOLD,
       OPT_REPEAT, OPT_FUNCTION, OPT_INLINES, OPT_SYMFS, OPT_BUILDID_DIR, OPT_NO_DEMANGLE, OPT_DEBUGINFOD, OPT_MIXED_PRECISION };

static const struct option_row {
	int key;
	const char *name, *argument; /* NULL: takes none */
	unsigned commands;
	const char *help;
} rows[] = {
	{ 'f', "format", "FORMAT", REPORT, "text, md, csv or json (default: text, or by the name of -o)" },
	{ 'f', "format", "FORMAT", METRICS, "text or md" },
	{ 'f', "format", "FORMAT", INFO, "text, md or json" },
	{ 'o', "output", "OUT", INFO, "write there instead of standard output" },
	{ 'o', "output", "OUT", READS, "write there instead of standard output; may be given several times" },
	{ OPT_BY, "by", "WHAT", READS,
	  "a row for each run, interval, cpu, core, die, socket, node, thread or cgroup; interval and up to two places combine; "
	  "of samples: function, dso, comm, thread, cgroup, and line or instruction of a --function" },
	{ OPT_FUNCTION, "function", "NAME", REPORT, "of --by line and --by instruction: the function that they lie in" },
	{ OPT_INLINES, "inlines", NULL, REPORT, "with --by function: give samples to the functions that were inlined there" },
	{ OPT_SYMFS, "symfs", "DIR", INPUTS, "look for the programs and libraries of the capture below this folder" },
	{ OPT_BUILDID_DIR, "buildid-dir", "DIR", INPUTS, "the folder where perf keeps them by build-id (default: ~/.debug)" },
	{ OPT_DEBUGINFOD, "debuginfod", NULL, INPUTS, "ask the servers of $DEBUGINFOD_URLS for what is not found here" },
	{ OPT_NO_DEMANGLE, "no-demangle", NULL, READS, "show the names of C++ and Rust functions as the linker has them" },
	{ OPT_MIXED_PRECISION, "mixed-precision", NULL, READS,
	  "work out metrics of samples whose events differ in precision, too" },
	{ OPT_COUNTS, "counts", NULL, READS, "the counts (report: instead of metrics; text and md: as well; convert: alone)" },
	{ OPT_SET, "set", "NAME", ALL, "use this metric set instead of the one of the capture's CPU" },
	{ OPT_METRICS, "metrics", "FILE", ALL, "use metrics from perf's JSON: a file, or a folder of them" },
	{ OPT_LEVEL, "level", "SHARE", READS, "confidence of the intervals of error (default: 0.95)" },
	{ OPT_THRESHOLD, "threshold", "NAME=VALUE", READS,
	  "from where on a check fires, by its name in the report; may be given several times" },
	{ OPT_FORCE, "force", NULL, INPUTS, "replace outputs that exist" },
	{ OPT_APPEND, "append", NULL, CONVERT, "add the captures to a database that exists" },
	{ OPT_REPEAT, "repeat", NULL, REPORT, "the inputs are runs of one program: one table, with the error from run to run" },
	{ OPT_PLOT, "plot", "FILE.svg", REPORT, "draw the pipeline, and its intervals over time" },
	{ OPT_CPUID, "cpuid", "ID", METRICS, "the set of this CPU: AuthenticAMD,25,97,2, as perf writes it" },
	{ OPT_RECORD, "record", "NAME", METRICS, "print perf commands that record this metric or group (PipelineL2)" },
	{ 'q', "quiet", NULL, INPUTS, "no progress bar" },
	{ 'h', "help", NULL, ALL, "this help" },
};

enum { NR_ROWS = sizeof(rows) / sizeof(rows[0]) };

static unsigned bit_of(const char *command)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (strcmp(commands[i].name, command) == 0)
			return commands[i].bit;
	return 0;
}

static void help_row(const struct option_row *row)
{
	char left[80];

	snprintf(left, sizeof(left), "%s%c%s--%s%s%s", row->key < 256 ? "-" : " ", row->key < 256 ? row->key : ' ',
		 row->key < 256 ? ", " : "  ", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
	printf("  %-26s %s\n", left, row->help);
}

static void help_command(const char *command)
{
	unsigned bit = bit_of(command);

	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (commands[i].bit == bit)
			printf("usage: perftab %s %s\n\n%s\n\n", command, commands[i].usage, commands[i].what);
	for (size_t i = 0; i < NR_ROWS; i++)
		if (rows[i].commands & bit)
			help_row(&rows[i]);
}

void options_help(const char *command)
{
	if (command) {
		help_command(command);
		return;
	}
	printf("perftab turns captures of the Linux perf tool into tables.\n\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		printf("  perftab %s %s\n      %s\n", commands[i].name, commands[i].usage, commands[i].what);
	printf("\nINPUT is a file of perf stat record, what perf stat printed, or - for standard input.\n"
	       "perftab COMMAND --help lists the options of a command.\n\n"
	       "exit codes: 0 done, 2 cannot, 3 done but the input was damaged or incomplete\n");
}

static int bad(const char *what, const char *detail)
{
	fprintf(stderr, "perftab: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	return OPTIONS_BAD;
}

static unsigned count_bits(unsigned v)
{
	return (unsigned)__builtin_popcount(v);
}

static int add_by(struct options *o, const char *word)
{
	int kind = part_kind_named(word);

	o->by_given = true;
	if (kind >= 0) {
		o->parts.kind = (enum part_kind)kind;
		o->by_part = kind != PART_RUN && place_kind_named(word) < 0;
		if (o->by_part)
			return OPTIONS_OK;
	}
	if (strcmp(word, "interval") == 0) {
		o->by.by_interval = true;
		return OPTIONS_OK;
	}
	kind = place_kind_named(word);
	if (kind < 0)
		return bad("--by takes run, interval, cpu, core, die, socket, node, thread, cgroup, function, dso, comm, line or "
			   "instruction, not",
			   word);
	o->by.place |= (unsigned)kind;
	if (count_bits(o->by.place) > 2)
		return bad("--by takes at most two places at once", NULL);
	return OPTIONS_OK;
}

static int set_level(struct options *o, const char *word)
{
	char *end;

	o->level = strtod(word, &end);
	if (end == word || *end || !(o->level > 0 && o->level < 1))
		return bad("--level takes a share between 0 and 1, like 0.9, not", word);
	o->parts.values.level = o->level;
	return OPTIONS_OK;
}

static int add_threshold(struct options *o, const char *word)
{
	struct error err;

	return check_limits_set(&o->limits, word, &err) ? bad(err.text, NULL) : OPTIONS_OK;
}

static int take(struct options *o, int key, const char *argument)
{
	switch (key) {
	case 'f':
		o->format = argument;
		return OPTIONS_OK;
	case 'o':
		if (o->nr_outputs == MAX_OUTPUTS)
			return bad("too many outputs", argument);
		o->outputs[o->nr_outputs++] = argument;
		return OPTIONS_OK;
	case OPT_BY:
		return add_by(o, argument);
	case OPT_COUNTS:
		o->counts = true;
		return OPTIONS_OK;
	case OPT_SET:
		o->set_name = argument;
		return OPTIONS_OK;
	case OPT_METRICS:
		o->metrics_path = argument;
		return OPTIONS_OK;
	case OPT_FORCE:
		o->force = true;
		return OPTIONS_OK;
	case OPT_APPEND:
		o->append = true;
		return OPTIONS_OK;
	case OPT_CPUID:
		o->cpuid = argument;
		return OPTIONS_OK;
	case OPT_REPEAT:
		o->repeat = true;
		return OPTIONS_OK;
	case OPT_PLOT:
		o->plot = argument;
		return OPTIONS_OK;
	case OPT_LEVEL:
		return set_level(o, argument);
	case OPT_THRESHOLD:
		return add_threshold(o, argument);
	case OPT_RECORD:
		o->record = argument;
		return OPTIONS_OK;
	case OPT_FUNCTION:
		o->parts.function = argument;
		return OPTIONS_OK;
	case OPT_INLINES:
		o->parts.inlines = true;
		return OPTIONS_OK;
	case OPT_SYMFS:
		o->symbols.symfs = argument;
		return OPTIONS_OK;
	case OPT_BUILDID_DIR:
		o->symbols.buildid_dir = argument;
		return OPTIONS_OK;
	case OPT_DEBUGINFOD:
		o->symbols.debuginfod = true;
		return OPTIONS_OK;
	case OPT_NO_DEMANGLE:
		o->symbols.no_demangle = o->parts.no_demangle = true;
		return OPTIONS_OK;
	case OPT_MIXED_PRECISION:
		o->parts.values.mixed_precision = true;
		return OPTIONS_OK;
	case 'q':
		o->quiet = true;
		return OPTIONS_OK;
	case 'h':
		options_help(o->command);
		return OPTIONS_DONE;
	default:
		return bad("try --help with the command", o->command);
	}
}

static void make_getopt(unsigned bit, struct option *longs, char *shorts)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_ROWS; i++) {
		if (!(rows[i].commands & bit))
			continue;
		longs[nr++] = (struct option){ rows[i].name, rows[i].argument ? 1 : 0, NULL, rows[i].key };
		if (rows[i].key < 256) {
			*shorts++ = (char)rows[i].key;
			if (rows[i].argument)
				*shorts++ = ':';
		}
	}
	longs[nr] = (struct option){ 0 };
	*shorts = 0;
}

/* What only makes sense together. */
static int check_together(const struct options *o)
{
	bool of_function = o->parts.kind == PART_LINE || o->parts.kind == PART_INSTRUCTION;

	if (o->repeat && o->by_part)
		return bad("--repeat does not go with --by", part_kind_name(o->parts.kind));
	if (o->by_part && (o->by.by_interval || o->by.place))
		return bad("--by takes no second word beside", part_kind_name(o->parts.kind));
	if (of_function && !o->parts.function)
		return bad("--function NAME says of which function; it is needed for --by", part_kind_name(o->parts.kind));
	if (!of_function && o->parts.function)
		return bad("--function goes with --by line or --by instruction", NULL);
	if (o->parts.inlines && o->parts.kind != PART_FUNCTION)
		return bad("--inlines goes with --by function", NULL);
	return OPTIONS_OK;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A capture is never replaced by what was made of it. */
static int check_outputs(const struct options *o)
{
	for (size_t i = 0; i < o->nr_outputs; i++)
		for (size_t k = 0; k < o->nr_inputs; k++)
			if (same_file(o->outputs[i], o->inputs[k]))
				return bad("an input cannot be an output, too", o->outputs[i]);
	return OPTIONS_OK;
}

int options_parse(struct options *ret, int argc, char **argv)
{
	struct option longs[NR_ROWS + 1];
	char shorts[2 * NR_ROWS + 1];
	int key;

	*ret = (struct options){ .command = argv[0] };
	check_limits_default(&ret->limits);
	make_getopt(bit_of(argv[0]), longs, shorts);
	/* getopt's own messages begin with argv[0] */
	argv[0] = (char *)"perftab";
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		int result = take(ret, key, optarg);

		if (result != OPTIONS_OK)
			return result;
	}
	ret->inputs = argv + optind;
	ret->nr_inputs = (size_t)(argc - optind);
	if (!ret->nr_inputs && bit_of(ret->command) & INPUTS)
		return bad("no input is named; try --help with the command", ret->command);
	return check_outputs(ret) == OPTIONS_OK ? check_together(ret) : OPTIONS_BAD;
}
