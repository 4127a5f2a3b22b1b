/* SPDX-License-Identifier: GPL-2.0-only */
/* One function a command, and what they share. */
#ifndef PERFTAB_COMMANDS_H
#define PERFTAB_COMMANDS_H

#include "cli/options.h"
#include "export/output.h"

/* Exit codes of the contract. */
enum { EXIT_DONE = 0, EXIT_REGRESSED = 1, EXIT_CANNOT = 2, EXIT_DAMAGED = 3, EXIT_NO_EVIDENCE = 4 };

int command_report(const struct options *o);
int command_convert(const struct options *o);
int command_info(const struct options *o);
int command_metrics(const struct options *o);

/* One line on standard error: "perftab: NAME: text"; none where the reader of a pipe closed it.  Returns EXIT_CANNOT. */
int complain(const char *name, const struct error *err);
/* A line for each kind of damage that loses something; EXIT_DAMAGED or EXIT_DONE. */
int tell_damage(const struct capture *c);

/*
 * Runs every capture of every input through the outputs and finishes them.  `requests` is
 * asked for each capture; the first nr_required must find something.  Returns the exit code.
 */
/*
 * The parts that samples are given to, and must some be there?  Kinds that are places as well
 * are taken only where nothing was counted.
 */
struct parts_wish {
	const struct parts_options *options; /* NULL: none */
	bool required;
};

typedef size_t requests_for(const struct options *o, const struct capture *c, struct scope_request *ret);
enum { MAX_REQUESTS = 32 };
int run_inputs(const struct options *o, requests_for *requests, size_t nr_required, const struct parts_wish *parts,
	       struct outputs *outputs);

/* Opens a capture so that the locator knows where its samples lie when they come. */
struct capture_reader *open_located(const char *path, struct locator *locator, const struct capture_options *options,
				    struct error *err);

/* progress.c: a bar on standard error, only on a terminal. */
void progress_begin(bool quiet);
void progress_show(void *user, uint64_t done, uint64_t total);
void progress_end(void);
/* May terminal attributes be used on this stream?  (a terminal, NO_COLOR unset) */
bool terminal_has_color(int fd);

#endif
