// SPDX-License-Identifier: GPL-2.0-only
/* The only file that includes libdebuginfod; without it nothing is ever found. */
#include "reader/debuginfod.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef WITH_DEBUGINFOD

#include <elfutils/debuginfod.h>

#include "reader/arena.h"

struct debuginfod {
	debuginfod_client *client;
};

struct debuginfod *debuginfod_open(void)
{
	debuginfod_client *client = debuginfod_begin();
	struct debuginfod *d;

	if (!client)
		return NULL;
	d = must_alloc(sizeof(*d));
	d->client = client;
	return d;
}

void debuginfod_close(struct debuginfod *d)
{
	if (!d)
		return;
	debuginfod_end(d->client);
	free(d);
}

typedef int find_call(debuginfod_client *client, const unsigned char *id, int size, char **path);

static char *find(struct debuginfod *d, const struct build_id *id, find_call *call)
{
	char *path = NULL;
	int fd;

	if (!d || !id->size)
		return NULL;
	fd = call(d->client, id->bytes, id->size, &path);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}

char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id)
{
	return find(d, id, debuginfod_find_debuginfo);
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	return find(d, id, debuginfod_find_executable);
}

#else

struct debuginfod *debuginfod_open(void)
{
	return NULL;
}

void debuginfod_close(struct debuginfod *d)
{
	(void)d;
}

char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id)
{
	(void)d;
	(void)id;
	return NULL;
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	(void)d;
	(void)id;
	return NULL;
}

#endif
