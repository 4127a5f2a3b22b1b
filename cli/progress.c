// SPDX-License-Identifier: GPL-2.0-only
/* A progress bar on standard error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"

enum { WIDTH = 30 };

static bool wanted;
static bool drawn;
static struct timespec begun;

static double seconds_since(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) * 1e-9;
}

bool terminal_has_color(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void progress_begin(bool quiet)
{
	wanted = !quiet && isatty(STDERR_FILENO);
	drawn = false;
	clock_gettime(CLOCK_MONOTONIC, &begun);
}

/* Work of less than half a second draws nothing. */
void progress_show(void *user, uint64_t done, uint64_t total)
{
	(void)user;
	if (!wanted || seconds_since(&begun) < 0.5)
		return;
	drawn = true;
	if (total) {
		int filled = (int)((double)done / (double)total * WIDTH);

		if (filled > WIDTH)
			filled = WIDTH;
		fprintf(stderr, "\r[%.*s%*s] %3.0f %%", filled, "##############################", WIDTH - filled, "",
			(double)done / (double)total * 100);
	} else {
		fprintf(stderr, "\r%" PRIu64 " MB read", done / 1000000);
	}
}

void progress_end(void)
{
	if (drawn)
		fprintf(stderr, "\r%*s\r", WIDTH + 12, "");
	drawn = false;
}
