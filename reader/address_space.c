// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was mapped where and when.
 *
 * Each process has one image for each time it was forked or executed.  An image is a
 * set of pieces: rectangles of address and time that do not overlap.  A new mapping
 * ends the pieces below it at its own time, and at most two of them are split, so
 * there are never more than three pieces for a mapping.  Pieces without an end in
 * time are sorted by address (`live`); ended ones are kept aside (`past`).
 *
 * A forked process has no copy of its parent's mappings: where it has none of its own
 * it asks the parent's image as of the time of the fork.
 */
#include "reader/address_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/arena.h"

enum { NONE = -1, CACHE = 256, COMM_BUCKETS = 1024 };
enum { IMAGE_KERNEL, IMAGE_GUEST_KERNEL /* numbers of the first two images */ };

struct piece {
	uint64_t start, end;  /* end not included */
	uint64_t from, until; /* the same in time */
	uint64_t shift;       /* offset = address + shift, modulo 2^64 */
	uint32_t dso;
};

struct pieces {
	struct piece *at;
	size_t nr, room;
};

struct image {
	int32_t older, newer; /* of the same process */
	int32_t parent;       /* asked where this one has nothing */
	uint64_t parent_time;
	uint64_t from, until;
	struct pieces live, past;
	uint64_t *reach; /* past is sorted: the greatest end up to each; NULL: not yet */
};

/* What one thread was called from a time on. */
struct comm {
	uint64_t time;
	const char *text;
	int32_t older, newer; /* of the same thread */
};

/* One thread from fork to exit. */
struct life {
	struct space_thread thread;
	int32_t older;
};

/*
 * A number of the kernel (pid or tid) and the newest of the things that it names.  What
 * was found last is where the next search starts: samples come nearly in order of time.
 */
struct slot {
	int32_t id;
	bool used;
	int32_t newest, newest_comm, recent;
};

struct index {
	struct slot *at;
	size_t nr, room; /* room is a power of two */
};

enum event_kind { EVENT_MAP, EVENT_UNMAP, EVENT_FORK, EVENT_EXEC, EVENT_COMM, EVENT_EXIT };

struct event {
	uint64_t time;
	uint32_t order;
	enum event_kind kind;
	union {
		struct {
			int32_t pid, image; /* image: one of the kernels', or NONE and the process */
			uint32_t dso;
			uint64_t start, size, shift;
		} map;
		struct space_fork fork;
		struct {
			int32_t pid, tid;
			const char *text;
		} comm;
	};
};

struct cached {
	uint32_t epoch; /* valid in this one only */
	int32_t pid;
	struct piece piece; /* from and until cut to the image's */
};

struct address_space {
	struct dso_table *dsos;
	struct arena *arena;

	struct event *pending; /* until the first question */
	size_t nr_pending, room_pending;
	bool asked;
	uint64_t latest;

	struct image *images;
	size_t nr_images, room_images;
	struct comm *comms;
	size_t nr_comms, room_comms;
	struct life *lives;
	size_t nr_lives, room_lives;
	struct index processes, threads;

	uint32_t kernel_dso[2]; /* DSO_ID_UNKNOWN…: no such mapping was seen */
	uint64_t kernel_start[2];

	struct cached cache[CACHE];
	uint32_t epoch; /* ends with each event; 0 is never used */
	struct interned {
		struct interned *next;
		char *text;
	} *texts[COMM_BUCKETS];
	struct space_thread *thread_list;
};

/* Room for one more of an array that doubles. */
#define GROW(array, nr, room)                                                              \
	do {                                                                               \
		if ((nr) == (room)) {                                                      \
			(room) = (room) ? 2 * (room) : 8;                                  \
			(array) = must_realloc((array), (room), sizeof(*(array)));         \
		}                                                                          \
	} while (0)

/* ---- pids and tids ---- */

static size_t slot_hash(int32_t id)
{
	uint32_t h = (uint32_t)id * 2654435761u;

	return h ^ h >> 15;
}

static struct slot *index_find(const struct index *x, int32_t id)
{
	size_t mask = x->room - 1;

	if (!x->room)
		return NULL;
	for (size_t i = slot_hash(id) & mask; x->at[i].used; i = (i + 1) & mask)
		if (x->at[i].id == id)
			return &x->at[i];
	return NULL;
}

static struct slot *index_place(struct index *x, int32_t id)
{
	size_t mask = x->room - 1;
	size_t i = slot_hash(id) & mask;

	while (x->at[i].used)
		i = (i + 1) & mask;
	x->at[i] = (struct slot){ .id = id, .used = true, .newest = NONE, .newest_comm = NONE, .recent = NONE };
	return &x->at[i];
}

static void index_double(struct index *x)
{
	struct index bigger = { .nr = x->nr, .room = x->room ? 2 * x->room : 64 };

	bigger.at = must_realloc(NULL, bigger.room, sizeof(*bigger.at));
	memset(bigger.at, 0, bigger.room * sizeof(*bigger.at));
	for (size_t i = 0; i < x->room; i++)
		if (x->at[i].used)
			*index_place(&bigger, x->at[i].id) = x->at[i];
	free(x->at);
	*x = bigger;
}

/* Found or made. */
static struct slot *index_get(struct index *x, int32_t id)
{
	struct slot *s = index_find(x, id);

	if (s)
		return s;
	if (2 * (x->nr + 1) > x->room)
		index_double(x);
	x->nr++;
	return index_place(x, id);
}

/* ---- pieces ---- */

static void pieces_add(struct pieces *p, const struct piece *new)
{
	GROW(p->at, p->nr, p->room);
	p->at[p->nr++] = *new;
}

/* There are many processes, and most of them get nothing new once they have ended. */
static void pieces_trim(struct pieces *p)
{
	if (p->nr == p->room || !p->nr)
		return;
	p->room = p->nr;
	p->at = must_realloc(p->at, p->room, sizeof(*p->at));
}

/* The first live piece that ends above `address`. */
static size_t first_above(const struct pieces *p, uint64_t address)
{
	size_t low = 0, high = p->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->at[mid].end > address)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* The part of a live piece below a new one is over at `time`. */
static void piece_end(struct image *g, struct piece part, uint64_t start, uint64_t end, uint64_t time)
{
	if (part.start < start)
		part.start = start;
	if (part.end > end)
		part.end = end;
	part.until = time;
	if (part.from >= time)
		return;
	pieces_add(&g->past, &part);
	free(g->reach);
	g->reach = NULL;
}

/* Takes the room [start, end) from the live pieces; the result is where a new one goes. */
static size_t image_clear(struct image *g, uint64_t start, uint64_t end, uint64_t time)
{
	struct pieces *live = &g->live;
	size_t first = first_above(live, start), last = first, kept = 0;
	struct piece keep[2];

	while (last < live->nr && live->at[last].start < end)
		piece_end(g, live->at[last++], start, end, time);
	if (last == first)
		return first;
	if (live->at[first].start < start) {
		keep[kept] = live->at[first];
		keep[kept++].end = start;
	}
	size_t at = first + kept;
	if (live->at[last - 1].end > end) {
		keep[kept] = live->at[last - 1];
		keep[kept++].start = end;
	}
	while (live->nr - (last - first) + kept > live->room) {
		live->room = 2 * live->room;
		live->at = must_realloc(live->at, live->room, sizeof(*live->at));
	}
	memmove(&live->at[first + kept], &live->at[last], (live->nr - last) * sizeof(*live->at));
	memcpy(&live->at[first], keep, kept * sizeof(*keep));
	live->nr = live->nr - (last - first) + kept;
	return at;
}

static void image_map(struct image *g, const struct piece *new)
{
	size_t at = image_clear(g, new->start, new->end, new->from);
	struct pieces *live = &g->live;

	GROW(live->at, live->nr, live->room);
	memmove(&live->at[at + 1], &live->at[at], (live->nr - at) * sizeof(*live->at));
	live->at[at] = *new;
	live->nr++;
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static void image_sort_past(struct image *g)
{
	uint64_t reach = 0;

	qsort(g->past.at, g->past.nr, sizeof(*g->past.at), by_start);
	g->reach = must_realloc(NULL, g->past.nr, sizeof(*g->reach));
	for (size_t i = 0; i < g->past.nr; i++) {
		if (g->past.at[i].end > reach)
			reach = g->past.at[i].end;
		g->reach[i] = reach;
	}
}

static bool piece_has(const struct piece *p, uint64_t ip, uint64_t time)
{
	return ip >= p->start && ip < p->end && time >= p->from && (time < p->until || p->until == TIME_LATEST);
}

static const struct piece *image_past(struct image *g, uint64_t ip, uint64_t time)
{
	size_t low = 0, high = g->past.nr;

	if (!g->past.nr)
		return NULL;
	if (!g->reach)
		image_sort_past(g);
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->past.at[mid].start <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	while (low-- && g->reach[low] > ip)
		if (piece_has(&g->past.at[low], ip, time))
			return &g->past.at[low];
	return NULL;
}

static const struct piece *image_find(struct image *g, uint64_t ip, uint64_t time)
{
	size_t i = first_above(&g->live, ip);

	if (i < g->live.nr && piece_has(&g->live.at[i], ip, time))
		return &g->live.at[i];
	return image_past(g, ip, time);
}

/* ---- processes ---- */

static int32_t image_new(struct address_space *a, int32_t older, uint64_t from)
{
	GROW(a->images, a->nr_images, a->room_images);
	a->images[a->nr_images] =
		(struct image){ .older = older, .newer = NONE, .parent = NONE, .from = from, .until = TIME_LATEST };
	if (older != NONE) {
		pieces_trim(&a->images[older].live);
		a->images[older].until = from;
		a->images[older].newer = (int32_t)a->nr_images;
	}
	return (int32_t)a->nr_images++;
}

/* The image that a process has now; the first one began before anything was known. */
static int32_t process_image(struct address_space *a, int32_t pid)
{
	struct slot *s = index_get(&a->processes, pid);

	if (s->newest == NONE)
		s->newest = image_new(a, NONE, 0);
	return s->newest;
}

static void process_restart(struct address_space *a, int32_t pid, uint64_t time)
{
	struct slot *s = index_get(&a->processes, pid);

	s->newest = image_new(a, s->newest, time);
}

/* A parent without mappings of its own is passed over: chains stay short. */
static void process_inherit(struct address_space *a, int32_t pid, int32_t ppid, uint64_t time)
{
	struct slot *from = index_find(&a->processes, ppid);
	int32_t parent = from ? from->newest : NONE;
	struct image *child;

	process_restart(a, pid, time);
	child = &a->images[a->nr_images - 1];
	if (parent == NONE || parent == (int32_t)a->nr_images - 1)
		return;
	child->parent = parent;
	child->parent_time = time;
	if (a->images[parent].live.nr || a->images[parent].past.nr)
		return;
	child->parent = a->images[parent].parent;
	child->parent_time = a->images[parent].parent_time;
}

/* ---- threads ---- */

static const char *intern(struct address_space *a, const char *text)
{
	uint32_t h = 5381;
	struct interned **at, *i;

	for (const char *c = text; *c; c++)
		h = h * 33 ^ (uint8_t)*c;
	at = &a->texts[h % COMM_BUCKETS];
	for (i = *at; i; i = i->next)
		if (strcmp(i->text, text) == 0)
			return i->text;
	i = arena_alloc(a->arena, sizeof(*i));
	i->text = arena_strdup(a->arena, text);
	i->next = *at;
	*at = i;
	return i->text;
}

static struct life *thread_begin(struct address_space *a, struct slot *s, int32_t pid, uint64_t time)
{
	GROW(a->lives, a->nr_lives, a->room_lives);
	a->lives[a->nr_lives] = (struct life){
		.thread = { .pid = pid, .tid = s->id, .from = time, .until = TIME_LATEST },
		.older = s->newest,
	};
	s->newest = (int32_t)a->nr_lives++;
	return &a->lives[s->newest];
}

static void thread_named(struct address_space *a, struct slot *s, uint64_t time, const char *text)
{
	GROW(a->comms, a->nr_comms, a->room_comms);
	a->comms[a->nr_comms] = (struct comm){ .time = time, .text = text, .older = s->newest_comm, .newer = NONE };
	if (s->newest_comm != NONE)
		a->comms[s->newest_comm].newer = (int32_t)a->nr_comms;
	s->newest_comm = (int32_t)a->nr_comms++;
}

static void thread_comm(struct address_space *a, int32_t pid, int32_t tid, uint64_t time, const char *text)
{
	struct slot *s = index_get(&a->threads, tid);
	struct life *l = s->newest == NONE ? thread_begin(a, s, pid, time) : &a->lives[s->newest];

	l->thread.pid = pid;
	l->thread.comm = text;
	thread_named(a, s, time, text);
}

static void thread_fork(struct address_space *a, const struct space_fork *f, uint64_t time)
{
	struct slot *parent = index_find(&a->threads, f->ptid), *s;
	const char *text = parent && parent->newest_comm != NONE ? a->comms[parent->newest_comm].text : NULL;

	s = index_get(&a->threads, f->tid);
	thread_begin(a, s, f->pid, time)->thread.comm = text;
	if (text)
		thread_named(a, s, time, text);
}

static void thread_exit(struct address_space *a, int32_t pid, int32_t tid, uint64_t time)
{
	struct slot *s = index_get(&a->threads, tid);
	struct life *l = s->newest == NONE ? thread_begin(a, s, pid, 0) : &a->lives[s->newest];

	l->thread.until = time;
	s = pid == tid ? index_find(&a->processes, pid) : NULL;
	if (s && s->newest != NONE)
		pieces_trim(&a->images[s->newest].live);
}

/* ---- events ---- */

static void apply(struct address_space *a, const struct event *e)
{
	int32_t image;

	switch (e->kind) {
	case EVENT_MAP:
	case EVENT_UNMAP:
		image = e->map.image != NONE ? e->map.image : process_image(a, e->map.pid);
		struct piece p = {
			.start = e->map.start,
			.end = e->map.size > UINT64_MAX - e->map.start ? UINT64_MAX : e->map.start + e->map.size,
			.from = e->time,
			.until = TIME_LATEST,
			.shift = e->map.shift,
			.dso = e->map.dso,
		};
		if (e->kind == EVENT_MAP)
			image_map(&a->images[image], &p);
		else
			image_clear(&a->images[image], p.start, p.end, p.from);
		break;
	case EVENT_FORK:
		thread_fork(a, &e->fork, e->time);
		if (e->fork.pid == e->fork.ppid)
			break;
		if (e->fork.made_up)
			process_restart(a, e->fork.pid, e->time);
		else
			process_inherit(a, e->fork.pid, e->fork.ppid, e->time);
		break;
	case EVENT_EXEC:
		process_restart(a, e->comm.pid, e->time);
		thread_comm(a, e->comm.pid, e->comm.tid, e->time, e->comm.text);
		break;
	case EVENT_COMM:
		thread_comm(a, e->comm.pid, e->comm.tid, e->time, e->comm.text);
		break;
	case EVENT_EXIT:
		thread_exit(a, e->comm.pid, e->comm.tid, e->time);
		break;
	}
	if (e->time > a->latest)
		a->latest = e->time;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The first question: everything that was fed so far happens, in order of time. */
static void settle(struct address_space *a)
{
	if (a->asked)
		return;
	a->asked = true;
	if (a->nr_pending)
		qsort(a->pending, a->nr_pending, sizeof(*a->pending), by_time);
	for (size_t i = 0; i < a->nr_pending; i++)
		apply(a, &a->pending[i]);
	free(a->pending);
	a->pending = NULL;
	a->nr_pending = a->room_pending = 0;
}

void address_space_in_order(struct address_space *a)
{
	settle(a);
}

static void feed(struct address_space *a, struct event e)
{
	if (a->asked) {
		if (e.time < a->latest)
			e.time = a->latest;
		if (++a->epoch == 0) {
			memset(a->cache, 0, sizeof(a->cache));
			a->epoch = 1;
		}
		apply(a, &e);
		return;
	}
	GROW(a->pending, a->nr_pending, a->room_pending);
	e.order = (uint32_t)a->nr_pending;
	a->pending[a->nr_pending++] = e;
}

/* ---- what a mapping is ---- */

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Memory that belongs to no file: code in it was made at run time. */
static bool is_anonymous(const char *path)
{
	return !*path || starts(path, "//anon") || starts(path, "/dev/zero") || starts(path, "/anon_hugepage") ||
	       starts(path, "[stack") || starts(path, "/SYSV") || starts(path, "[heap]") || starts(path, "[anon");
}

/* "/lib/modules/6.1/kernel/net/nf-tables.ko.xz" is "[nf_tables]". */
static void module_name(const char *path, char *ret, size_t size)
{
	const char *name = strrchr(path, '/');
	size_t n;

	if (path[0] == '[') {
		snprintf(ret, size, "%s", path);
		return;
	}
	name = name ? name + 1 : path;
	n = strcspn(name, ".");
	snprintf(ret, size, "[%.*s]", n < 200 ? (int)n : 200, name);
	for (char *c = ret; *c; c++)
		if (*c == '-')
			*c = '_';
}

static uint32_t dso_of_user(struct address_space *a, const struct space_mmap *m)
{
	struct dso d = { .kind = DSO_FILE, .path = m->path, .name = m->path, .build_id = m->build_id, .pid = -1 };
	char path[40];

	if (starts(m->path, "[vdso")) {
		d.kind = DSO_VDSO;
	} else if (is_anonymous(m->path)) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)m->pid);
		d = (struct dso){ .kind = DSO_JIT, .path = path, .name = path, .pid = m->pid };
	}
	return dso_table_add(a->dsos, &d);
}

/* "[kernel.kallsyms]_text": the kernel, and that pgoff is where _text was. */
static const char *kernel_ref_symbol(const char *path)
{
	const char *end = strchr(path, ']');

	return starts(path, "[kernel.kallsyms") || starts(path, "[guest.kernel.kallsyms") ? (end ? end + 1 : "") : NULL;
}

static uint32_t dso_of_kernel(struct address_space *a, const struct space_mmap *m, bool guest)
{
	struct dso d = { .path = m->path, .build_id = m->build_id, .pid = -1 };
	const char *ref = kernel_ref_symbol(m->path);
	char name[256];
	uint32_t id;

	if (!ref) {
		module_name(m->path, name, sizeof(name));
		d.kind = guest ? DSO_GUEST_MODULE : DSO_MODULE;
		d.name = name;
		d.ref_address = m->start;
		return dso_table_add(a->dsos, &d);
	}
	d.kind = guest ? DSO_GUEST_KERNEL : DSO_KERNEL;
	d.path = d.name = guest ? "[guest.kernel.kallsyms]" : "[kernel.kallsyms]";
	d.ref_symbol = *ref ? ref : NULL;
	d.ref_address = m->pgoff;
	id = dso_table_add(a->dsos, &d);
	a->kernel_dso[guest] = id;
	a->kernel_start[guest] = m->start;
	return id;
}

uint32_t address_space_mmap(struct address_space *a, const struct space_mmap *m)
{
	bool guest = m->cpumode == CPUMODE_GUEST_KERNEL;
	bool kernel = guest || m->cpumode == CPUMODE_KERNEL;
	struct event e = { .time = m->time, .kind = EVENT_MAP };
	enum dso_kind kind;

	e.map.image = guest ? IMAGE_GUEST_KERNEL : kernel ? IMAGE_KERNEL : NONE;
	e.map.pid = m->pid;
	e.map.dso = kernel ? dso_of_kernel(a, m, guest) : dso_of_user(a, m);
	e.map.start = m->start;
	e.map.size = m->size;
	kind = dso_table_get(a->dsos, e.map.dso)->kind;
	if (kind == DSO_VDSO || kind == DSO_MODULE || kind == DSO_GUEST_MODULE)
		e.map.shift = 0 - m->start;
	else if (kind == DSO_FILE)
		e.map.shift = m->pgoff - m->start;
	if (m->size && m->cpumode != CPUMODE_GUEST_USER && m->cpumode != CPUMODE_HYPERVISOR)
		feed(a, e);
	return e.map.dso;
}

void address_space_code(struct address_space *a, int32_t pid, uint64_t time, uint64_t start, uint64_t size,
			uint64_t offset, uint32_t dso)
{
	struct event e = { .time = time, .kind = EVENT_MAP };

	e.map.pid = pid;
	e.map.image = NONE;
	e.map.dso = dso;
	e.map.start = start;
	e.map.size = size;
	e.map.shift = offset - start;
	if (size)
		feed(a, e);
}

void address_space_ksymbol(struct address_space *a, const struct space_ksymbol *k)
{
	struct event e = { .time = k->time, .kind = k->gone ? EVENT_UNMAP : EVENT_MAP };
	struct dso d = { .kind = DSO_KSYMBOL, .path = k->name, .name = k->name, .pid = -1, .size = k->size };

	if (!k->size)
		return;
	e.map.image = IMAGE_KERNEL;
	e.map.start = k->address;
	e.map.size = k->size;
	e.map.shift = 0 - k->address;
	e.map.dso = k->gone ? DSO_ID_UNKNOWN : dso_table_add(a->dsos, &d);
	feed(a, e);
}

void address_space_fork(struct address_space *a, const struct space_fork *f)
{
	feed(a, (struct event){ .time = f->time, .kind = EVENT_FORK, .fork = *f });
}

void address_space_exit(struct address_space *a, int32_t pid, int32_t tid, uint64_t time)
{
	feed(a, (struct event){ .time = time, .kind = EVENT_EXIT, .comm = { pid, tid, NULL } });
}

void address_space_comm(struct address_space *a, const struct space_comm *c)
{
	feed(a, (struct event){ .time = c->time,
				.kind = c->exec ? EVENT_EXEC : EVENT_COMM,
				.comm = { c->pid, c->tid, intern(a, c->comm) } });
}

/* ---- questions ---- */

static bool find_in_kernel(struct address_space *a, bool guest, uint64_t ip, uint64_t time, uint32_t *ret_dso,
			   uint64_t *ret_offset)
{
	const struct piece *p = image_find(&a->images[guest], ip, time);

	*ret_offset = ip;
	if (p) {
		*ret_dso = p->dso;
		*ret_offset = ip + p->shift;
		return true;
	}
	/* The mapping ends with the text; init code and entry stubs lie behind it. */
	if (a->kernel_dso[guest] != DSO_ID_UNKNOWN && ip >= a->kernel_start[guest]) {
		*ret_dso = a->kernel_dso[guest];
		return true;
	}
	*ret_dso = guest ? DSO_ID_GUEST_KERNEL : DSO_ID_UNKNOWN_KERNEL;
	return false;
}

static int32_t image_at(const struct address_space *a, int32_t pid, uint64_t time)
{
	struct slot *s = index_find(&a->processes, pid);
	int32_t g;

	if (!s || s->newest == NONE)
		return NONE;
	g = s->recent == NONE ? s->newest : s->recent;
	while (a->images[g].newer != NONE && a->images[a->images[g].newer].from <= time)
		g = a->images[g].newer;
	while (g != NONE && a->images[g].from > time)
		g = a->images[g].older;
	s->recent = g;
	return g;
}

static void remember(struct cached *c, uint32_t epoch, int32_t pid, const struct image *g, const struct piece *p)
{
	*c = (struct cached){ .epoch = epoch, .pid = pid, .piece = *p };
	if (c->piece.from < g->from)
		c->piece.from = g->from;
	if (c->piece.until > g->until)
		c->piece.until = g->until;
}

static bool find_in_process(struct address_space *a, int32_t pid, uint64_t ip, uint64_t time, uint32_t *ret_dso,
			    uint64_t *ret_offset)
{
	struct cached *c = &a->cache[(slot_hash(pid) ^ ip >> 20) % CACHE];
	const struct piece *p = &c->piece;
	int32_t own, g;

	if (c->epoch != a->epoch || c->pid != pid || !piece_has(p, ip, time)) {
		own = image_at(a, pid, time);
		for (p = NULL, g = own; g != NONE && !p; g = p ? g : a->images[g].parent) {
			p = image_find(&a->images[g], ip, time);
			if (p && g == own)
				remember(c, a->epoch, pid, &a->images[g], p);
			if (!p && a->images[g].parent_time < time)
				time = a->images[g].parent_time;
		}
		if (!p)
			return false;
	}
	*ret_dso = p->dso;
	*ret_offset = ip + p->shift;
	return true;
}

bool address_space_find(struct address_space *a, int32_t pid, uint64_t time, unsigned cpumode, uint64_t ip,
			uint32_t *ret_dso, uint64_t *ret_offset)
{
	settle(a);
	*ret_offset = ip;
	switch (cpumode) {
	case CPUMODE_KERNEL:
		return find_in_kernel(a, false, ip, time, ret_dso, ret_offset);
	case CPUMODE_GUEST_KERNEL:
		return find_in_kernel(a, true, ip, time, ret_dso, ret_offset);
	case CPUMODE_USER:
		*ret_dso = DSO_ID_UNKNOWN;
		return find_in_process(a, pid, ip, time, ret_dso, ret_offset);
	case CPUMODE_HYPERVISOR:
		*ret_dso = DSO_ID_HYPERVISOR;
		return false;
	case CPUMODE_GUEST_USER:
		*ret_dso = DSO_ID_GUEST_USER;
		return false;
	default:
		*ret_dso = DSO_ID_UNKNOWN;
		return false;
	}
}

const char *address_space_comm_at(struct address_space *a, int32_t tid, uint64_t time)
{
	struct slot *s;
	int32_t c;

	settle(a);
	if (tid == 0)
		return "swapper";
	s = index_find(&a->threads, tid);
	if (!s || s->newest_comm == NONE)
		return NULL;
	c = s->recent == NONE ? s->newest_comm : s->recent;
	while (a->comms[c].newer != NONE && a->comms[a->comms[c].newer].time <= time)
		c = a->comms[c].newer;
	while (c != NONE && a->comms[c].time > time)
		c = a->comms[c].older;
	s->recent = c;
	return c == NONE ? NULL : a->comms[c].text;
}

static int by_tid(const void *a, const void *b)
{
	const struct space_thread *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

size_t address_space_threads(struct address_space *a, const struct space_thread **ret)
{
	settle(a);
	a->thread_list = must_realloc(a->thread_list, a->nr_lives, sizeof(*a->thread_list));
	for (size_t i = 0; i < a->nr_lives; i++)
		a->thread_list[i] = a->lives[i].thread;
	if (a->nr_lives)
		qsort(a->thread_list, a->nr_lives, sizeof(*a->thread_list), by_tid);
	*ret = a->thread_list;
	return a->nr_lives;
}

struct address_space *address_space_new(struct dso_table *dsos)
{
	struct address_space *a = must_alloc(sizeof(*a));

	a->dsos = dsos;
	a->epoch = 1;
	a->arena = arena_new();
	a->kernel_dso[0] = a->kernel_dso[1] = DSO_ID_UNKNOWN;
	image_new(a, NONE, 0); /* IMAGE_KERNEL */
	image_new(a, NONE, 0); /* IMAGE_GUEST_KERNEL */
	return a;
}

void address_space_free(struct address_space *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nr_images; i++) {
		free(a->images[i].live.at);
		free(a->images[i].past.at);
		free(a->images[i].reach);
	}
	free(a->images);
	free(a->pending);
	free(a->comms);
	free(a->lives);
	free(a->processes.at);
	free(a->threads.at);
	free(a->thread_list);
	arena_free(a->arena);
	free(a);
}
