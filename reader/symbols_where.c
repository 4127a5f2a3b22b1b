// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of paths, no more: whether a file is there and is the right one is for the
 * caller to see.
 */
#include "reader/symbols_where.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"
#include "reader/symbols_elf.h"

struct where {
	char *symfs;   /* "" where there is none */
	char *dirs[3]; /* folders of build-ids, NULL ends */
	char *beside;  /* the folder of the capture, or NULL */
	char *release, *kallsyms, *vmlinux; /* or NULL */
};

static char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text_printf(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return n < 0 ? must_alloc(1) : text;
}

static char *copy(const char *text)
{
	return text ? text_printf("%s", text) : NULL;
}

/* Takes the text. */
static void add(struct path_list *p, char *path)
{
	if (p->nr == p->room) {
		p->room = p->room ? 2 * p->room : 16;
		p->at = must_realloc(p->at, p->room, sizeof(*p->at));
	}
	p->at[p->nr++] = path;
}

void path_list_free(struct path_list *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->at[i]);
	free(p->at);
	*p = (struct path_list){ 0 };
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? text_printf("%.*s", (int)(slash - path), path) : copy(".");
}

struct where *where_new(const struct symbols_options *o)
{
	struct where *w = must_alloc(sizeof(*w));
	const char *home = getenv("HOME");
	size_t n = 0;

	w->symfs = copy(o->symfs ? o->symfs : "");
	if (o->buildid_dir)
		w->dirs[n++] = copy(o->buildid_dir);
	else if (home)
		w->dirs[n++] = text_printf("%s/.debug", home);
	if (o->capture && strcmp(o->capture, "-") != 0) {
		w->beside = folder_of(o->capture);
		w->dirs[n++] = copy(w->beside);
	}
	w->release = copy(o->os_release);
	w->kallsyms = copy(o->kallsyms);
	w->vmlinux = copy(o->vmlinux);
	return w;
}

void where_free(struct where *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < sizeof(w->dirs) / sizeof(w->dirs[0]); i++)
		free(w->dirs[i]);
	free(w->symfs);
	free(w->beside);
	free(w->release);
	free(w->kallsyms);
	free(w->vmlinux);
	free(w);
}

/* The kernel marks the path of a file that was removed while it was mapped. */
static char *without_deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(path), m = sizeof(mark) - 1;

	if (n > m && strcmp(path + n - m, mark) == 0)
		n -= m;
	return text_printf("%.*s", (int)n, path);
}

char *where_file(const struct where *w, const char *path)
{
	char *plain = without_deleted(path), *whole = text_printf("%s%s", w->symfs, plain);

	free(plain);
	return whole;
}

/* The three places of the file that .gnu_debuglink names. */
static void add_debuglink(const struct where *w, const char *path, struct path_list *ret)
{
	char *whole = text_printf("%s%s", w->symfs, path), *folder = folder_of(path);
	struct elf_file *f = elf_file_open(whole);
	const char *link = f ? elf_file_debuglink(f) : NULL;

	if (link && !strchr(link, '/')) {
		add(ret, text_printf("%s%s/%s", w->symfs, folder, link));
		add(ret, text_printf("%s%s/.debug/%s", w->symfs, folder, link));
		add(ret, text_printf("%s/usr/lib/debug%s/%s", w->symfs, folder, link));
	}
	elf_file_close(f);
	free(folder);
	free(whole);
}

/* The folders that `perf buildid-cache`, `perf record` and an unpacked `perf archive` fill. */
static void add_cached(const struct where *w, const char *path, const char *hex, const char *file, struct path_list *ret)
{
	for (size_t i = 0; w->dirs[i]; i++) {
		add(ret, text_printf("%s/.build-id/%.2s/%s/%s", w->dirs[i], hex, hex + 2, file));
		add(ret, text_printf("%s%s%s/%s/%s", w->dirs[i], path[0] == '/' ? "" : "/", path, hex, file));
	}
}

void where_elf(const struct where *w, const struct dso *dso, const struct build_id *id, struct path_list *ret)
{
	char *path = without_deleted(dso->path), hex[41];

	build_id_text(id, hex);
	if (dso->kind == DSO_FILE && path[0] == '/')
		add_debuglink(w, path, ret);
	if (hex[0]) {
		add_cached(w, path, hex, dso->kind == DSO_VDSO ? "vdso" : "elf", ret);
		add_cached(w, path, hex, "debug", ret);
		for (size_t i = 0; w->dirs[i]; i++) /* before perf 4.8 it was a link to the file itself */
			add(ret, text_printf("%s/.build-id/%.2s/%s", w->dirs[i], hex, hex + 2));
	}
	if (path[0] == '/' && dso->kind == DSO_FILE) {
		add(ret, text_printf("%s/usr/lib/debug%s.debug", w->symfs, path));
		add(ret, text_printf("%s/usr/lib/debug%s", w->symfs, path));
	}
	if (hex[0])
		add(ret, text_printf("%s/usr/lib/debug/.build-id/%.2s/%s.debug", w->symfs, hex, hex + 2));
	if (path[0] == '/') {
		add(ret, text_printf("%s%s", w->symfs, path));
		if (*w->symfs)
			add(ret, text_printf("%s/%s", w->symfs, last_part(path)));
	}
	free(path);
}

void where_vmlinux(const struct where *w, const struct build_id *id, struct path_list *ret)
{
	static const char *const usual[] = {
		"/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s", "/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux", "/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	char hex[41];

	build_id_text(id, hex);
	if (w->vmlinux)
		add(ret, copy(w->vmlinux));
	if (!hex[0])
		return; /* without a build-id none of the others can be told to be the right one */
	add_cached(w, "[kernel.kallsyms]", hex, "elf", ret);
	add_cached(w, "[kernel.kallsyms]", hex, "vmlinux", ret);
	for (size_t i = 0; w->release && !strchr(w->release, '/') && i < sizeof(usual) / sizeof(usual[0]); i++) {
		int at = (int)strcspn(usual[i], "%");

		add(ret, text_printf("%s%.*s%s%s", w->symfs, at, usual[i], w->release, usual[i] + at + 2));
	}
	add(ret, text_printf("%s/usr/lib/debug/.build-id/%.2s/%s.debug", w->symfs, hex, hex + 2));
	if (w->beside)
		add(ret, text_printf("%s/vmlinux", w->beside));
}

/* perf record --kcore and perf buildid-cache --kcore: a folder with a time in its name. */
static void add_matches(char *pattern, struct path_list *ret)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			add(ret, copy(found.gl_pathv[i]));
		globfree(&found);
	}
	free(pattern);
}

void where_kallsyms(const struct where *w, const struct build_id *id, bool running, struct path_list *ret)
{
	char hex[41];

	build_id_text(id, hex);
	if (w->kallsyms) {
		add(ret, copy(w->kallsyms));
		return;
	}
	if (running)
		add(ret, copy("/proc/kallsyms"));
	if (hex[0]) {
		add_cached(w, "[kernel.kallsyms]", hex, "kallsyms", ret);
		for (size_t i = 0; w->dirs[i]; i++)
			add_matches(text_printf("%s/[[]kernel.kcore[]]/%s/*/kallsyms", w->dirs[i], hex), ret);
	}
	if (*w->symfs)
		add(ret, text_printf("%s/proc/kallsyms", w->symfs));
	if (w->beside) {
		add(ret, text_printf("%s/kcore_dir/kallsyms", w->beside));
		add(ret, text_printf("%s/kallsyms", w->beside));
	}
}

void where_beside(const struct where *w, const char *path, bool here, struct path_list *ret)
{
	if (*w->symfs) {
		add(ret, text_printf("%s%s", w->symfs, path));
		add(ret, text_printf("%s/%s", w->symfs, last_part(path)));
	}
	if (w->beside)
		add(ret, text_printf("%s/%s", w->beside, last_part(path)));
	if (here && !*w->symfs)
		add(ret, copy(path));
}
