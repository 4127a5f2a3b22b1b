// SPDX-License-Identifier: GPL-2.0-only
/* perftab: which command, and what a signal does to unfinished outputs. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "export/outfile.h"

#define VERSION "0.1"

static const struct {
	const char *name;
	int (*run)(const struct options *o);
} commands[] = {
	{ "report", command_report },
	{ "convert", command_convert },
	{ "info", command_info },
	{ "metrics", command_metrics },
};

/* 128 + the number is what a shell shows for it: 130, 143 */
static void on_signal(int number)
{
	outfile_remove_all();
	_exit(128 + number);
}

/* abort(): out of memory, or an assertion.  What it is has been said. */
static void on_abort(int number)
{
	(void)number;
	outfile_remove_all();
	_exit(EXIT_CANNOT);
}

static void catch_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	signal(SIGABRT, on_abort);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int run_command(size_t i, int argc, char **argv)
{
	struct options options;

	switch (options_parse(&options, argc, argv)) {
	case OPTIONS_DONE:
		return EXIT_DONE;
	case OPTIONS_BAD:
		return EXIT_CANNOT;
	default:
		return commands[i].run(&options);
	}
}

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "";

	catch_signals();
	if (strcmp(first, "--version") == 0) {
		printf("perftab %s\n", VERSION);
		return EXIT_DONE;
	}
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
		options_help(NULL);
		return EXIT_DONE;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(first, commands[i].name) == 0)
			return run_command(i, argc - 1, argv + 1);
	fprintf(stderr, "perftab: %s%s%s; try perftab --help\n", *first ? "there is no command '" : "no command is named",
		first, *first ? "'" : "");
	return EXIT_CANNOT;
}
