// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only file that knows libdebuginfod.  It is loaded when it is asked for and not
 * before: it brings an HTTP client with thirty libraries, and starting with them takes
 * longer than reading a small capture.  Without it nothing is ever found.
 */
#include "reader/debuginfod.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader/arena.h"

/* As elfutils/debuginfod.h declares them, with its client as an opaque pointer. */
typedef void *begin_call(void);
typedef void end_call(void *client);
typedef int find_call(void *client, const unsigned char *id, int size, char **path);

struct debuginfod {
	void *library;
	end_call *end;
	find_call *find_debuginfo, *find_executable;
	void *client;
};

static bool load(struct debuginfod *d)
{
	begin_call *begin;

	d->library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!d->library)
		return false;
	begin = (begin_call *)dlsym(d->library, "debuginfod_begin");
	d->end = (end_call *)dlsym(d->library, "debuginfod_end");
	d->find_debuginfo = (find_call *)dlsym(d->library, "debuginfod_find_debuginfo");
	d->find_executable = (find_call *)dlsym(d->library, "debuginfod_find_executable");
	if (!begin || !d->end || !d->find_debuginfo || !d->find_executable)
		return false;
	d->client = begin();
	return d->client != NULL;
}

struct debuginfod *debuginfod_open(void)
{
	struct debuginfod *d = must_alloc(sizeof(*d));

	if (load(d))
		return d;
	debuginfod_close(d);
	return NULL;
}

void debuginfod_close(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->end(d->client);
	if (d->library)
		dlclose(d->library);
	free(d);
}

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
	return d ? find(d, id, d->find_debuginfo) : NULL;
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	return d ? find(d, id, d->find_executable) : NULL;
}
