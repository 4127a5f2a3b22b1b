// SPDX-License-Identifier: GPL-2.0-only
/*
 * From pids, addresses and call chains to ids.  Most questions of a capture are asked again
 * and again, so each has its cache before it: addresses by process, chains by their
 * bytes.  A process that maps something, or is forked or executed, begins a new generation:
 * what was known of its addresses is not asked any more.
 */
#include <stdlib.h>

#include "export/sample_rows.h"
#include "reader/id_map.h"

enum {
	ADDRESS_CACHE = 1 << 13,
	CHAIN_CACHE = 1 << 15,
	PATHS_BEGIN = 1 << 12,
	PATHS_MOST = 1 << 20, /* then the tree is forgotten, and its paths are written anew */
	CHAIN_FRAMES = 1 << 13,
};

struct process {
	uint32_t generation;
};

struct thread {
	uint32_t pid, tid;
	uint32_t process; /* index */
	int64_t row;      /* 0: not written, or its name has changed */
};

struct cached_address {
	uint64_t ip;
	uint64_t key; /* process, mode, generation; 0: empty */
	struct resolved resolved;
};

struct cached_chain {
	uint64_t hash; /* 0: empty */
	int64_t path;
};

struct path_node {
	uint64_t ip;
	uint32_t parent, image, id; /* ids count from the capture's first; id 0: empty */
};

#define KERNEL_ADDRESS 0xffffffff80000000ull

struct image {
	uint64_t address, dso_offset; /* what lies at `address` is at `dso_offset` in the dso */
	uint32_t dso;
	uint32_t id; /* 0: empty */
};

struct frame {
	uint64_t ip;
	unsigned cpumode;
};

struct sample_context {
	struct locator *locator; /* of the analysis, which feeds it */
	struct id_map process_of, thread_of; /* by pid, by tid */
	struct process *processes;
	struct thread *threads;
	size_t nr_processes, nr_threads;
	uint32_t kernel_generation;
	struct cached_address *addresses;
	struct cached_chain *chains;
	struct path_node *paths; /* open hash */
	size_t path_mask, nr_paths;
	struct image *images;    /* open hash */
	size_t image_mask, nr_images;
	int64_t first_dso, first_symbol, first_path, first_image;
	struct frame frames[CHAIN_FRAMES];
};

struct sample_context *context_new(const struct rows *r, struct locator *locator)
{
	struct sample_context *c = must_alloc(sizeof(*c));

	c->locator = locator;
	c->addresses = must_alloc(ADDRESS_CACHE * sizeof(*c->addresses));
	c->chains = must_alloc(CHAIN_CACHE * sizeof(*c->chains));
	c->path_mask = PATHS_BEGIN - 1;
	c->paths = must_alloc(PATHS_BEGIN * sizeof(*c->paths));
	c->image_mask = 255;
	c->images = must_alloc(256 * sizeof(*c->images));
	c->first_dso = r->dso_id;
	c->first_symbol = r->symbol_id;
	c->first_path = r->call_path_id;
	c->first_image = r->image_id;
	return c;
}

void context_free(struct sample_context *c)
{
	if (!c)
		return;
	id_map_free(&c->process_of);
	id_map_free(&c->thread_of);
	free(c->processes);
	free(c->threads);
	free(c->addresses);
	free(c->chains);
	free(c->paths);
	free(c->images);
	free(c);
}

/* ---- processes and threads ---- */

static uint32_t process_of(struct sample_context *c, uint32_t pid)
{
	int32_t at = id_map_find(&c->process_of, pid);

	if (at >= 0)
		return (uint32_t)at;
	if ((c->nr_processes & (c->nr_processes - 1)) == 0)
		c->processes = must_realloc(c->processes, c->nr_processes ? 2 * c->nr_processes : 1, sizeof(*c->processes));
	c->processes[c->nr_processes] = (struct process){ .generation = 1 };
	id_map_add(&c->process_of, pid, (uint32_t)c->nr_processes);
	return (uint32_t)c->nr_processes++;
}

static struct thread *thread_of(struct sample_context *c, uint32_t pid, uint32_t tid)
{
	int32_t at = id_map_find(&c->thread_of, tid);
	struct thread *t;

	if (at < 0) {
		if ((c->nr_threads & (c->nr_threads - 1)) == 0)
			c->threads = must_realloc(c->threads, c->nr_threads ? 2 * c->nr_threads : 1, sizeof(*c->threads));
		at = (int32_t)c->nr_threads++;
		id_map_add(&c->thread_of, tid, (uint32_t)at);
		c->threads[at] = (struct thread){ .pid = pid, .tid = tid };
		c->threads[at].process = process_of(c, pid);
	}
	t = &c->threads[at];
	if (t->pid != pid) { /* the number was given to another thread */
		t->pid = pid;
		t->process = process_of(c, pid);
		t->row = 0;
	}
	return t;
}

static int put_thread(struct rows *r, struct sample_context *c, struct thread *t, uint64_t time_ns, struct error *err)
{
	const char *comm = locator_comm(c->locator, t->tid, time_ns);
	const struct value v[] = {
		value_int(r->thread_id),
		value_int(r->capture_id),
		value_int((int32_t)t->pid),
		value_int((int32_t)t->tid),
		value_text(comm),
		time_ns ? value_u64(time_ns) : value_null(),
	};

	t->row = r->thread_id++;
	return rows_put(r, &table_thread, v, err);
}

int context_thread(struct rows *r, struct sample_context *c, uint32_t pid, uint32_t tid, uint64_t time_ns, int64_t *ret,
		   struct error *err)
{
	struct thread *t = thread_of(c, pid, tid);

	if (!t->row && put_thread(r, c, t, time_ns, err))
		return -1;
	*ret = t->row;
	return 0;
}

/* ---- images ---- */

static struct image *find_image(struct image *images, size_t mask, const struct image *like)
{
	uint64_t h = (like->address ^ like->dso_offset << 1 ^ (uint64_t)like->dso << 48) * 0x9e3779b97f4a7c15ull;
	size_t i = (size_t)(h >> 32) & mask;

	while (images[i].id && (images[i].dso != like->dso || images[i].address != like->address ||
				images[i].dso_offset != like->dso_offset))
		i = (i + 1) & mask;
	return &images[i];
}

static void grow_images(struct sample_context *c)
{
	size_t mask = c->image_mask * 2 + 1;
	struct image *bigger = must_alloc((mask + 1) * sizeof(*bigger));

	for (size_t i = 0; i <= c->image_mask; i++)
		if (c->images[i].id)
			*find_image(bigger, mask, &c->images[i]) = c->images[i];
	free(c->images);
	c->images = bigger;
	c->image_mask = mask;
}

/* Where an offset is an address (kernels, unknown places), that of a kernel counts from the topmost 2 GiB. */
static struct image image_like(uint32_t dso, uint64_t ip, uint64_t offset)
{
	struct image image = { .address = ip - offset, .dso = dso };

	if (ip == offset && ip >= KERNEL_ADDRESS)
		image.address = image.dso_offset = KERNEL_ADDRESS;
	return image;
}

static int put_image(struct rows *r, const struct sample_context *c, const struct image *image, struct error *err)
{
	const struct value v[] = {
		value_int(r->image_id),
		value_int(r->capture_id),
		value_int(c->first_dso + image->dso),
		value_u64(image->address),
		value_u64(image->dso_offset),
	};

	return rows_put(r, &table_image, v, err);
}

static int image_of(struct rows *r, struct sample_context *c, uint32_t dso, uint64_t ip, uint64_t offset,
		    struct resolved *ret, struct error *err)
{
	struct image like = image_like(dso, ip, offset), *image = find_image(c->images, c->image_mask, &like);

	ret->address = like.address;
	if (image->id) {
		ret->image = c->first_image + image->id - 1;
		return 0;
	}
	if (put_image(r, c, &like, err))
		return -1;
	ret->image = r->image_id++;
	*image = like;
	image->id = (uint32_t)(ret->image - c->first_image) + 1;
	if (++c->nr_images * 2 > c->image_mask)
		grow_images(c);
	return 0;
}

/* ---- addresses ---- */

static bool is_kernel(unsigned cpumode)
{
	return cpumode != CPUMODE_USER && cpumode != CPUMODE_GUEST_USER;
}

static int find_address(struct rows *r, struct sample_context *c, uint32_t pid, uint64_t time_ns, unsigned cpumode,
			uint64_t ip, struct resolved *ret, struct error *err)
{
	struct located at;

	locator_find(c->locator, pid, time_ns, cpumode, ip, &at);
	if (image_of(r, c, at.dso, ip, at.offset, ret, err))
		return -1;
	ret->symbol = c->first_symbol + at.symbol;
	return 0;
}

static int resolve(struct rows *r, struct sample_context *c, uint32_t process, uint32_t pid, uint64_t time_ns,
		   unsigned cpumode, uint64_t ip, struct resolved *ret, struct error *err)
{
	uint64_t owner = is_kernel(cpumode) ? 0 : (uint64_t)process + 1;
	uint32_t generation = owner ? c->processes[process].generation : c->kernel_generation + 1;
	uint64_t key = owner << 35 | (uint64_t)cpumode << 32 | generation;
	struct cached_address *slot = &c->addresses[(ip ^ owner * 0x9e37) * 0x9e3779b97f4a7c15ull >> 51];

	_Static_assert(ADDRESS_CACHE == 1 << (64 - 51), "the hash fills the cache");
	if (slot->key != key || slot->ip != ip) {
		if (find_address(r, c, pid, time_ns, cpumode, ip, &slot->resolved, err))
			return -1;
		slot->key = key;
		slot->ip = ip;
	}
	*ret = slot->resolved;
	return 0;
}

int context_resolve(struct rows *r, struct sample_context *c, uint32_t pid, uint64_t time_ns, unsigned cpumode,
		    uint64_t ip, struct resolved *ret, struct error *err)
{
	return resolve(r, c, process_of(c, pid), pid, time_ns, cpumode, ip, ret, err);
}

/* ---- call paths ---- */

static struct path_node *find_path(struct path_node *paths, size_t mask, uint32_t parent, uint64_t ip, uint32_t image)
{
	uint64_t h = (ip ^ (uint64_t)image << 50) * 0x9e3779b97f4a7c15ull;
	size_t i = (size_t)((h ^ parent) * 0xff51afd7ed558ccdull >> 32) & mask;

	while (paths[i].id && (paths[i].ip != ip || paths[i].parent != parent || paths[i].image != image))
		i = (i + 1) & mask;
	return &paths[i];
}

static void forget_paths(struct sample_context *c)
{
	memset(c->paths, 0, (c->path_mask + 1) * sizeof(*c->paths));
	memset(c->chains, 0, CHAIN_CACHE * sizeof(*c->chains));
	c->nr_paths = 0;
}

static void make_room_for_paths(struct sample_context *c)
{
	size_t mask = c->path_mask * 2 + 1;
	struct path_node *bigger;

	if (mask >= PATHS_MOST) {
		forget_paths(c);
		return;
	}
	bigger = must_alloc((mask + 1) * sizeof(*bigger));
	for (size_t i = 0; i <= c->path_mask; i++)
		if (c->paths[i].id)
			*find_path(bigger, mask, c->paths[i].parent, c->paths[i].ip, c->paths[i].image) = c->paths[i];
	free(c->paths);
	c->paths = bigger;
	c->path_mask = mask;
}

/* The path that goes on from `parent` (0: none) to this frame; numbers count from 1. */
static int path_of(struct rows *r, struct sample_context *c, uint32_t parent, uint64_t ip, const struct resolved *at,
		   uint32_t *ret, struct error *err)
{
	uint32_t image = (uint32_t)(at->image - c->first_image);
	struct path_node *node = find_path(c->paths, c->path_mask, parent, ip, image);

	if (!node->id) {
		const struct value v[] = {
			value_int(r->call_path_id),
			parent ? value_int(c->first_path + parent - 1) : value_null(),
			value_u64(ip),
			value_int(at->image),
			value_int(at->symbol),
		};

		if (rows_put(r, &table_call_path, v, err))
			return -1;
		*node = (struct path_node){ ip, parent, image, (uint32_t)(r->call_path_id++ - c->first_path) + 1 };
		c->nr_paths++;
	}
	*ret = node->id;
	return 0;
}

/* Frames from the sampled one outwards; the marks between them say whose they are. */
static size_t frames_of(struct sample_context *c, const struct sample *s)
{
	unsigned cpumode = s->misc & MISC_CPUMODE;
	size_t nr = 0;

	for (size_t i = 0; i < s->callchain.nr && nr < CHAIN_FRAMES; i++) {
		uint64_t ip = words_at(&s->callchain, i);

		if (ip < CHAIN_MARKS)
			c->frames[nr++] = (struct frame){ ip, cpumode };
		else if (ip == CHAIN_KERNEL)
			cpumode = CPUMODE_KERNEL;
		else if (ip == CHAIN_USER)
			cpumode = CPUMODE_USER;
		else if (ip == CHAIN_HYPERVISOR)
			cpumode = CPUMODE_HYPERVISOR;
		else if (ip == CHAIN_GUEST_KERNEL)
			cpumode = CPUMODE_GUEST_KERNEL;
		else if (ip == CHAIN_GUEST_USER)
			cpumode = CPUMODE_GUEST_USER;
		else if (ip == CHAIN_USER_DEFERRED)
			break; /* its frames come later, under the cookie that follows here */
	}
	return nr;
}

static uint64_t hash_chain(const struct sample_context *c, const struct sample *s, uint32_t process)
{
	uint64_t h = (uint64_t)c->processes[process].generation << 32 | process;

	h = (h ^ (uint64_t)c->kernel_generation << 8 ^ (s->misc & MISC_CPUMODE)) * 0x9e3779b97f4a7c15ull;
	for (size_t i = 0; i < s->callchain.nr; i++) {
		uint64_t v;

		memcpy(&v, s->callchain.at + 8 * i, sizeof(v));
		h = (h ^ v) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h ? h : 1;
}

static int make_path(struct rows *r, struct sample_context *c, const struct sample *s, uint32_t process, int64_t *ret,
		     struct error *err)
{
	size_t nr = frames_of(c, s);
	struct resolved at;
	uint32_t path = 0;

	if ((c->nr_paths + nr) * 4 > (c->path_mask + 1) * 3)
		make_room_for_paths(c);
	while (nr-- > 0) {
		const struct frame *f = &c->frames[nr];

		if (resolve(r, c, process, s->pid, s->time_ns, f->cpumode, f->ip, &at, err))
			return -1;
		if (path_of(r, c, path, f->ip, &at, &path, err))
			return -1;
	}
	*ret = path ? c->first_path + path - 1 : 0;
	return 0;
}

int context_call_path(struct rows *r, struct sample_context *c, const struct sample *s, int64_t *ret,
		      struct error *err)
{
	uint32_t process = process_of(c, s->pid);
	uint64_t hash = hash_chain(c, s, process);
	struct cached_chain *slot = &c->chains[hash & (CHAIN_CACHE - 1)];

	if (slot->hash != hash) {
		int64_t path;

		if (make_path(r, c, s, process, &path, err))
			return -1;
		*slot = (struct cached_chain){ hash, path };
	}
	*ret = slot->path;
	return 0;
}

/* ---- records ---- */

static void new_generation(struct sample_context *c, const struct record *r, uint32_t pid)
{
	uint32_t process;

	if (is_kernel(r->misc & MISC_CPUMODE) && r->type != RECORD_FORK && r->type != RECORD_COMM)
		c->kernel_generation++;
	process = process_of(c, pid);
	c->processes[process].generation++;
}

static int put_mapping(struct rows *r, struct sample_context *c, const struct item *item, const struct mmap_record *m,
		       struct error *err)
{
	unsigned cpumode = item->record->misc & MISC_CPUMODE;
	uint64_t time_ns = item->id->time_ns;
	struct located at;
	struct value v[11];

	locator_find_dso(c->locator, m->pid, time_ns, cpumode, m->start, &at);
	v[0] = value_int(r->mapping_id++);
	v[1] = value_int(r->capture_id);
	v[2] = time_ns ? value_u64(time_ns) : value_null();
	v[3] = value_int((int32_t)m->pid);
	v[4] = value_int((int32_t)m->tid);
	v[5] = value_u64(m->start);
	v[6] = value_u64(m->size);
	v[7] = value_u64(m->file_offset);
	v[8] = item->record->type == RECORD_MMAP2 ? value_int(m->prot) : value_null();
	v[9] = item->record->type == RECORD_MMAP2 ? value_int(m->flags) : value_null();
	v[10] = value_int(c->first_dso + at.dso);
	return rows_put(r, &table_mapping, v, err);
}

static int on_mmap(struct rows *r, struct sample_context *c, const struct item *item, struct error *err)
{
	struct mmap_record m;

	if (record_mmap(item->record, item->layout, &m))
		return 0;
	new_generation(c, item->record, m.pid);
	return put_mapping(r, c, item, &m, err);
}

static int on_comm(struct rows *r, struct sample_context *c, const struct item *item, struct error *err)
{
	struct comm_record m;
	struct thread *t;
	int64_t row;

	if (record_comm(item->record, item->layout, &m))
		return 0;
	t = thread_of(c, m.pid, m.tid);
	t->row = 0;
	if (m.exec)
		new_generation(c, item->record, m.pid);
	return context_thread(r, c, m.pid, m.tid, item->id->time_ns, &row, err);
}

static void on_fork(struct sample_context *c, const struct record *record)
{
	struct fork_record f;

	if (record_fork(record, &f))
		return;
	thread_of(c, f.pid, f.tid)->row = 0;
	if (f.pid != f.ppid)
		new_generation(c, record, f.pid);
}

int context_record(struct rows *r, struct sample_context *c, const struct item *item, struct error *err)
{
	switch (item->record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return on_mmap(r, c, item, err);
	case RECORD_COMM:
		return on_comm(r, c, item, err);
	case RECORD_FORK:
		on_fork(c, item->record);
		return 0;
	case RECORD_KSYMBOL:
	case RECORD_TEXT_POKE:
		c->kernel_generation++;
		return 0;
	default:
		return 0;
	}
}

/* ---- the end ---- */

static int put_dsos(struct rows *r, const struct sample_context *c, struct error *err)
{
	const struct dso_table *dsos = locator_dsos(c->locator);
	size_t nr = dso_table_count(dsos);

	for (size_t i = 0; i < nr; i++) {
		const struct dso *d = dso_table_get(dsos, (uint32_t)i);
		const struct value v[] = {
			value_int(c->first_dso + (int64_t)i),
			value_int(r->capture_id),
			value_text(d->name),
			d->build_id.size ? value_blob(d->build_id.bytes, d->build_id.size) : value_null(),
		};

		if (rows_put(r, &table_dso, v, err))
			return -1;
	}
	r->dso_id = c->first_dso + (int64_t)nr;
	return 0;
}

static int put_symbols(struct rows *r, const struct sample_context *c, struct error *err)
{
	const struct symbols *symbols = locator_symbols(c->locator);
	size_t nr = symbols_count(symbols);

	for (size_t i = 0; i < nr; i++) {
		struct symbol s = symbols_get(symbols, (uint32_t)i);
		const struct value v[] = {
			value_int(c->first_symbol + (int64_t)i),
			value_int(c->first_dso + s.dso),
			value_text(s.name),
			s.known ? value_u64(s.start) : value_null(),
			s.known && s.size ? value_u64(s.size) : value_null(),
		};

		if (rows_put(r, &table_symbol, v, err))
			return -1;
	}
	r->symbol_id = c->first_symbol + (int64_t)nr;
	return 0;
}

int64_t context_symbol(const struct sample_context *c, uint32_t symbol)
{
	return c->first_symbol + symbol;
}

uint32_t context_symbol_number(const struct sample_context *c, int64_t id)
{
	return (uint32_t)(id - c->first_symbol);
}

int context_end(struct rows *r, struct sample_context *c, struct error *err)
{
	return put_dsos(r, c, err) || put_symbols(r, c, err) ? -1 : 0;
}
