/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one table of options: what getopt_long takes, and what --help prints, come from the
 * same rows.
 */
#ifndef PERFTAB_OPTIONS_H
#define PERFTAB_OPTIONS_H

#include "metrics/parts.h"
#include "metrics/uncertainty.h"

enum { MAX_OUTPUTS = 32 };

/* Everything that can be said on the command line. */
struct options {
	const char *command;
	const char *format;               /* -f */
	const char *outputs[MAX_OUTPUTS]; /* -o */
	size_t nr_outputs;
	struct scope_request by;          /* --by; valid where by_given */
	bool by_given;
	bool by_part;                     /* --by names a part of the program, not a place: parts.kind */
	struct parts_options parts;       /* --function, --inlines */
	struct symbols_options symbols;   /* --symfs and others */
	bool counts, force, append, quiet;
	const char *set_name, *metrics_path;
	const char *cpuid, *record, *plot;
	double level;                     /* --level; 0: as usual */
	struct check_limits limits;       /* --threshold */
	bool repeat;                      /* the inputs are runs of one program */
	char **inputs;
	size_t nr_inputs;
};

enum { OPTIONS_OK, OPTIONS_DONE, OPTIONS_BAD };

/*
 * argv[0] is the command's name.  OPTIONS_DONE: help was asked for and printed.
 * OPTIONS_BAD: one line was written to standard error.
 */
int options_parse(struct options *ret, int argc, char **argv);

/* The help of one command, or of all (NULL). */
void options_help(const char *command);

#endif
