// SPDX-License-Identifier: GPL-2.0-only
/*
 * Outputs under temporary names, and how they come into place.  The open ones are a
 * linked list that a signal handler can walk at any time: signals are blocked while it
 * or a temporary name changes.
 */
#include "export/outfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/arena.h"

struct outfile {
	struct outfile *volatile next;
	char *name;      /* as the user gave it */
	char *target;    /* with links resolved: what rename replaces */
	char *temporary; /* NULL: written in place */
	const char *suffix; /* of the files of a folder; NULL: a file */
	FILE *stream;
	bool force;
};

static struct outfile *volatile open_list;

/* ---- the list that signals see ---- */

static void signals_block(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, old);
}

static void signals_restore(const sigset_t *old)
{
	sigprocmask(SIG_SETMASK, old, NULL);
}

static bool name_ends(const char *name, const char *suffix)
{
	size_t size = strlen(name), end = strlen(suffix);

	return size > end && strcmp(name + size - end, suffix) == 0;
}

/* Unlinks what ends in `suffix`; returns how many. */
static int unlink_in(int folder, const char *suffix)
{
	_Alignas(struct dirent64) char buffer[4096];
	ssize_t size;
	int removed = 0;

	while ((size = getdents64(folder, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0; at < size;) {
			const struct dirent64 *d = (const void *)(buffer + at);

			if (name_ends(d->d_name, suffix) && unlinkat(folder, d->d_name, 0) == 0)
				removed++;
			at += d->d_reclen;
		}
	}
	return removed;
}

/* Async-signal-safe: no malloc, hence getdents64 and not readdir.  Names go while the list is read: again until none goes. */
static void remove_folder(const char *path, const char *suffix)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0)
		return;
	while (unlink_in(folder, suffix) > 0)
		lseek(folder, 0, SEEK_SET);
	close(folder);
	rmdir(path);
}

static void remove_temporary(const struct outfile *o)
{
	if (o->temporary && o->suffix)
		remove_folder(o->temporary, o->suffix);
	else if (o->temporary)
		unlink(o->temporary);
}

void outfile_remove_all(void)
{
	for (const struct outfile *o = open_list; o; o = o->next)
		remove_temporary(o);
}

static void list_add(struct outfile *o)
{
	o->next = open_list;
	open_list = o;
}

static void list_remove(const struct outfile *o)
{
	struct outfile *volatile *at = &open_list;

	while (*at && *at != o)
		at = &(*at)->next;
	if (*at)
		*at = o->next;
}

static void outfile_free(struct outfile *o)
{
	sigset_t old;

	signals_block(&old);
	list_remove(o);
	signals_restore(&old);
	free(o->name);
	free(o->target);
	free(o->temporary);
	free(o);
}

/* ---- opening ---- */

static mode_t process_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(must_alloc(size), text, size);
}

/* The folder that holds the target, to be freed. */
static char *folder_of(const char *target)
{
	char *copy = copy_text(target);
	char *folder = copy_text(dirname(copy));

	free(copy);
	return folder;
}

/* "FOLDER/.NAME.perftab-XXXXXX"; a long name is cut so that the whole stays a valid one. */
static char *temporary_template(const char *target)
{
	char *folder = folder_of(target);
	const char *slash = strrchr(target, '/');
	size_t size = strlen(target) + 64;
	char *path = must_alloc(size);

	snprintf(path, size, "%s/.%.200s.perftab-XXXXXX", folder, slash ? slash + 1 : target);
	free(folder);
	return path;
}

static const char *last_part(const char *target)
{
	const char *slash = strrchr(target, '/');

	return slash ? slash + 1 : target;
}

/* Is another open one for the same name in the same folder? */
static bool is_open_already(const struct outfile *o)
{
	char *folder = folder_of(o->target);
	struct stat mine, st;
	bool known = stat(folder, &mine) == 0, found = false;

	for (const struct outfile *other = open_list; other && known && !found; other = other->next) {
		char *its = folder_of(other->target);

		found = strcmp(last_part(other->target), last_part(o->target)) == 0 && stat(its, &st) == 0 &&
			st.st_dev == mine.st_dev && st.st_ino == mine.st_ino;
		free(its);
	}
	free(folder);
	return found;
}

static struct outfile *outfile_new(const char *path, const char *suffix, bool force)
{
	struct outfile *o = must_alloc(sizeof(*o));
	char *real = path ? realpath(path, NULL) : NULL;
	size_t size;

	*o = (struct outfile){ .suffix = suffix, .force = force };
	o->name = copy_text(path ? path : "standard output");
	o->target = real ? real : copy_text(o->name);
	for (size = strlen(o->target); size > 1 && o->target[size - 1] == '/'; size--)
		o->target[size - 1] = 0;
	return o;
}

static struct outfile *refuse(struct outfile *o)
{
	outfile_abandon(o);
	return NULL;
}

static int create_temporary(struct outfile *o, struct error *err)
{
	char *path = temporary_template(o->target);
	sigset_t old;
	int fd = -1, problem = 0;

	if (is_open_already(o)) {
		free(path);
		return fail(err, NO_OFFSET, "%s is named twice as an output", o->name);
	}
	signals_block(&old);
	if (o->suffix ? !mkdtemp(path) : (fd = mkostemp(path, O_CLOEXEC)) < 0) {
		problem = errno;
		free(path);
	} else {
		o->temporary = path;
		list_add(o);
	}
	signals_restore(&old);
	if (problem)
		return outfile_failed(o, problem, err);
	if (o->suffix)
		return chmod(path, 0777 & ~process_umask()) ? outfile_failed(o, errno, err) : 0;
	o->stream = fdopen(fd, "w");
	if (!o->stream || fchmod(fd, 0666 & ~process_umask()))
		return outfile_failed(o, errno, err);
	return 0;
}

static struct outfile *open_in_place(struct outfile *o, struct error *err)
{
	o->stream = fopen(o->target, "we");
	if (!o->stream) {
		outfile_failed(o, errno, err);
		return refuse(o);
	}
	return o;
}

struct outfile *outfile_open(const char *path, bool force, struct error *err)
{
	struct outfile *o = outfile_new(path, NULL, force);
	struct stat st;

	if (!path) {
		o->stream = stdout;
		return o;
	}
	if (stat(o->target, &st) == 0) {
		if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
			return open_in_place(o, err);
		if (!S_ISREG(st.st_mode)) {
			fail(err, NO_OFFSET, "%s is not a regular file and is not replaced", path);
			return refuse(o);
		}
		if (!force) {
			fail(err, NO_OFFSET, "%s exists (use --force to replace it)", path);
			return refuse(o);
		}
	}
	return create_temporary(o, err) ? refuse(o) : o;
}

/* Does it hold nothing but regular files with our suffix?  Fills *err with what else it is or holds. */
static int check_old_folder(const struct outfile *o, struct error *err)
{
	DIR *dir = opendir(o->target);
	const struct dirent *d;
	int result = 0;

	if (!dir)
		return fail(err, NO_OFFSET, "%s exists and is not a folder that could be replaced", o->name);
	while (!result && (d = readdir(dir))) {
		struct stat st;

		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (!name_ends(d->d_name, o->suffix) ||
		    fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			result = fail(err, NO_OFFSET, "%s is not replaced: it holds '%s', which is not one of our outputs",
				      o->name, d->d_name);
	}
	closedir(dir);
	return result;
}

struct outfile *outfile_open_folder(const char *path, const char *suffix, bool force, struct error *err)
{
	struct outfile *o = outfile_new(path, suffix, force);
	struct stat st;

	if (lstat(o->target, &st) == 0) {
		if (!force) {
			fail(err, NO_OFFSET, "%s exists (use --force to replace it)", path);
			return refuse(o);
		}
		if (check_old_folder(o, err))
			return refuse(o);
	}
	return create_temporary(o, err) ? refuse(o) : o;
}

/* ---- what it is ---- */

FILE *outfile_stream(struct outfile *o)
{
	return o->stream;
}

const char *outfile_temporary(const struct outfile *o)
{
	return o->temporary;
}

const char *outfile_name(const struct outfile *o)
{
	return o->name;
}

int outfile_failed(const struct outfile *o, int errno_value, struct error *err)
{
	if (errno_value == EPIPE) {
		err->text[0] = 0;
		return -1;
	}
	return fail(err, NO_OFFSET, "cannot write %s: %s", o->name, strerror(errno_value));
}

/* ---- closing ---- */

/* After a failed write that nobody looked at: was it a pipe whose reader closed? */
static bool reader_is_gone(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

/* Flushes and closes the stream; standard output stays open. 0 or an errno. */
static int close_stream(struct outfile *o)
{
	FILE *stream = o->stream;
	int problem = 0;

	o->stream = NULL;
	if (!stream)
		return 0;
	errno = 0;
	if (fflush(stream))
		problem = errno;
	else if (ferror(stream))
		problem = reader_is_gone(fileno(stream)) ? EPIPE : EIO;
	if (!problem && o->temporary && fsync(fileno(stream)))
		problem = errno;
	if (stream != stdout && fclose(stream) && !problem)
		problem = errno;
	return problem;
}

/* fsync of a file or folder by name. 0 or an errno. */
static int sync_path(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	int problem = 0;

	if (fd < 0)
		return errno;
	if (fsync(fd) && errno != EINVAL)
		problem = errno;
	close(fd);
	return problem;
}

static int sync_files_in(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	int problem = 0;

	if (!dir)
		return errno;
	while (!problem && (d = readdir(dir))) {
		size_t size = strlen(path) + strlen(d->d_name) + 2;
		char *name;

		if (d->d_name[0] == '.')
			continue;
		name = must_alloc(size);
		snprintf(name, size, "%s/%s", path, d->d_name);
		problem = sync_path(name, 0);
		free(name);
	}
	closedir(dir);
	return problem ? problem : sync_path(path, O_DIRECTORY);
}

/* rename, but with `flags` of renameat2 where the file system has them.  0 or an errno. */
static int rename_flags(const char *from, const char *to, unsigned flags)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, flags) == 0)
		return 0;
	return errno;
}

static bool flags_unknown(int problem)
{
	return problem == EINVAL || problem == ENOSYS || problem == EOPNOTSUPP;
}

static int put_file(const struct outfile *o)
{
	int problem = o->force ? EINVAL : rename_flags(o->temporary, o->target, RENAME_NOREPLACE);

	if (flags_unknown(problem))
		problem = rename(o->temporary, o->target) ? errno : 0;
	return problem;
}

/* The new folder and the old one change places; the old one is then under the temporary name. */
static int put_folder(const struct outfile *o)
{
	int problem = rename_flags(o->temporary, o->target, RENAME_NOREPLACE);

	if (o->force && problem == EEXIST) {
		problem = rename_flags(o->temporary, o->target, RENAME_EXCHANGE);
		if (!problem || !flags_unknown(problem))
			return problem;
		remove_folder(o->target, o->suffix);
		return rename(o->temporary, o->target) ? errno : 0;
	}
	if (flags_unknown(problem)) {
		if (o->force)
			remove_folder(o->target, o->suffix);
		problem = rename(o->temporary, o->target) ? errno : 0;
	}
	return problem;
}

static int put_in_place(const struct outfile *o, struct error *err)
{
	char *folder = folder_of(o->target);
	struct stat st;
	int problem = 0;

	if (o->suffix && lstat(o->target, &st) == 0 && o->force && check_old_folder(o, err)) {
		free(folder);
		return -1;
	}
	if (o->suffix)
		problem = sync_files_in(o->temporary);
	if (!problem)
		problem = o->suffix ? put_folder(o) : put_file(o);
	if (!problem)
		problem = sync_path(folder, O_DIRECTORY);
	free(folder);
	return problem ? outfile_failed(o, problem, err) : 0;
}

int outfile_finish(struct outfile *o, struct error *err)
{
	int problem = close_stream(o);
	int result;

	if (problem)
		result = outfile_failed(o, problem, err);
	else
		result = o->temporary ? put_in_place(o, err) : 0;
	/* Nothing is under the temporary name now, or the folder that was replaced, or a failure. */
	remove_temporary(o);
	outfile_free(o);
	return result;
}

void outfile_abandon(struct outfile *o)
{
	if (!o)
		return;
	if (o->stream && o->stream != stdout)
		fclose(o->stream);
	remove_temporary(o);
	outfile_free(o);
}
