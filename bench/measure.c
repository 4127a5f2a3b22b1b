/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure RUNS COMMAND: runs a shell command RUNS times, with its standard output thrown
 * away, and prints the median of its CPU seconds (user + system) and the largest peak of
 * its memory in KiB.  CPU and not wall time: other work on the machine disturbs it less.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RUNS = 99 };

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void spawn(pid_t *pid, char *command)
{
	char *const argv[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	errno = posix_spawn(pid, "/bin/sh", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (errno) {
		perror("measure: /bin/sh");
		exit(2);
	}
}

static double run(char *command, long *peak)
{
	struct rusage used;
	int status;
	pid_t pid;

	spawn(&pid, command);
	if (wait4(pid, &status, 0, &used) < 0) {
		perror("measure: wait4");
		exit(2);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: failed: %s\n", command);
		exit(1);
	}
	if (used.ru_maxrss > *peak)
		*peak = used.ru_maxrss;
	return seconds(used.ru_utime) + seconds(used.ru_stime);
}

int main(int argc, char **argv)
{
	int runs = argc == 3 ? atoi(argv[1]) : 0;
	double cpu[MAX_RUNS];
	long peak = 0;

	if (runs < 1 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: measure RUNS COMMAND (1 to %d runs)\n", MAX_RUNS);
		return 2;
	}
	for (int i = 0; i < runs; i++)
		cpu[i] = run(argv[2], &peak);
	qsort(cpu, (size_t)runs, sizeof(cpu[0]), by_size);
	printf("%.4f %ld\n", (cpu[(runs - 1) / 2] + cpu[runs / 2]) / 2, peak);
	return 0;
}
