// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of whole captures against others' word: what perf script says of captures
 * that are recorded on the spot, and the sums that the modelled captures came with.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/arena.h"
#include "reader/capture.h"
#include "reader/space_records.h"
#include "reader/symbols.h"
#include "tests/test.h" /* last: it has a macro fail() */

/* A capture with everything that is needed to name its samples. */
struct named {
	struct dso_table *dsos;
	struct address_space *space;
	struct symbols *symbols;
};

static void named_free(struct named *n)
{
	symbols_free(n->symbols);
	address_space_free(n->space);
	dso_table_free(n->dsos);
}

/* The first pass: who ran and what was mapped. */
static void named_open(struct named *n, const char *path, const char *symfs)
{
	struct error err = { "" };
	struct capture_reader *r = capture_open(path, &(struct capture_options){ .want_records = true }, &err);
	struct capture *c;
	struct item item;

	if (!r)
		fail_msg("%s: %s", path, err.text);
	n->dsos = dso_table_new();
	n->space = address_space_new(n->dsos);
	assert_int_equal(capture_run(r, &c, &err), 1);
	n->symbols = symbols_new(n->dsos, &(struct symbols_options){ .symfs = symfs,
								     .capture = path,
								     .os_release = c->os_release,
								     .hostname = c->hostname });
	while (capture_next(r, &item, &err) > 0)
		if (item.kind == ITEM_RECORD)
			assert_true(space_record(n->space, n->dsos, item.record, item.layout));
	capture_close(r);
}

struct found {
	bool mapped, known;
	uint32_t dso, symbol;
	uint64_t offset;
};

static struct found named_find(struct named *n, const struct sample *s)
{
	uint64_t time = s->have & SAMPLE_TIME ? s->time_ns : TIME_LATEST;
	struct found f;

	f.mapped = address_space_find(n->space, (int32_t)s->pid, time, s->misc & MISC_CPUMODE, s->ip, &f.dso, &f.offset);
	f.known = symbols_find(n->symbols, f.dso, f.offset, &f.symbol, &f.offset);
	return f;
}

/* ---- perf ---- */

/* Lines of text, sorted, to compare two lists of the same samples. */
struct lines {
	char **at;
	size_t nr, room;
};

static void add_line(struct lines *l, const char *text)
{
	if (l->nr == l->room) {
		l->room = l->room ? 2 * l->room : 1024;
		l->at = must_realloc(l->at, l->room, sizeof(*l->at));
	}
	l->at[l->nr] = strdup(text);
	assert_non_null(l->at[l->nr++]);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_lines(struct lines *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->at[i]);
	free(l->at);
}

/* One blank between words, none at the ends. */
static void squeeze(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++)
		if (*from != '\n' && !(*from == ' ' && (to == text || to[-1] == ' ')))
			*to++ = *from;
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

static void lines_of_perf(const char *path, struct lines *ret)
{
	char command[300], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(command, sizeof(command), "perf script -i %s --ns -F tid,time,ip,sym,symoff,dso 2>/dev/null", path);
	f = popen(command, "r");
	assert_non_null(f);
	while (getline(&line, &room, f) > 0) {
		squeeze(line);
		if (*line)
			add_line(ret, line);
	}
	free(line);
	pclose(f);
}

static void lines_of_ours(const char *path, struct lines *ret)
{
	struct error err = { "" };
	struct capture_reader *r = capture_open(path, &(struct capture_options){ .want_samples = true }, &err);
	struct capture *c;
	struct item item;
	struct named n;
	char line[4096];

	named_open(&n, path, NULL);
	assert_non_null(r);
	assert_int_equal(capture_run(r, &c, &err), 1);
	while (capture_next(r, &item, &err) > 0) {
		const struct sample *s = item.sample;
		struct found f;
		char name[3800];

		if (item.kind != ITEM_SAMPLE)
			continue;
		f = named_find(&n, s);
		snprintf(name, sizeof(name), "%s+0x%" PRIx64, symbols_get(n.symbols, f.symbol).name, f.offset);
		snprintf(line, sizeof(line), "%d %" PRIu64 ".%09" PRIu64 ": %" PRIx64 " %s (%s)", (int)s->tid,
			 s->time_ns / 1000000000, s->time_ns % 1000000000, s->ip, f.known ? name : "[unknown]",
			 f.mapped ? dso_table_get(n.dsos, f.dso)->name : "[unknown]");
		squeeze(line);
		add_line(ret, line);
	}
	capture_close(r);
	named_free(&n);
}

/* Programs that are everywhere, and those that are built here when a compiler is there. */
static const char *const commands[] = {
	"sh -c 'for i in 1 2 3 4; do ls -lR /usr/include | sort | wc -l; done'",
	"sh -c 'command -v python3 && python3 -c \"import os,hashlib\nfor i in range(4):\n p=os.fork()\n"
	" for k in range(20000): hashlib.sha256(bytes(200)).digest()\n if p==0: os._exit(0)\"'",
	"sh -c 'command -v g++ && echo \"#include <map>\n#include <string>\nint main(){std::map<std::string,int> m;"
	"for(int i=0;i<200000;i++) m[std::to_string(i%999)]+=i; return m.size()&1;}\" > $D/x.cc && "
	"g++ -O1 -o $D/x $D/x.cc && $D/x'",
	"sh -c 'command -v node && node --perf-basic-prof --no-logfile-per-isolate --logfile=/dev/null -e \"function hot(n){let s=0;for(let i=0;i<n;i++)"
	"{s=(s*31+i)|0;}return s;} let t=0; for(let i=0;i<30000;i++) t^=hot(1000); console.log(t);\"'",
};

/*
 * Function and offset of every sample.  None may differ: where a program has symbols that
 * enclose each other perf's choice depends on the shape of its tree, but none of these does.
 */
static void equals_perf_script(void **state)
{
	char folder[] = "/tmp/perftab-test-XXXXXX", path[80], command[2000];
	unsigned compared = 0;

	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("D", folder, 1);
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct lines perf = { 0 }, ours = { 0 };

		snprintf(command, sizeof(command), "perf record -q -N -e cpu-clock -F 2999 -o %s -- %s >/dev/null 2>&1", path,
			 commands[i]);
		if (system(command))
			continue; /* the program is not there, or nothing may be recorded here */
		lines_of_perf(path, &perf);
		lines_of_ours(path, &ours);
		qsort(perf.at, perf.nr, sizeof(*perf.at), by_text);
		qsort(ours.at, ours.nr, sizeof(*ours.at), by_text);
		assert_int_equal(perf.nr, ours.nr);
		for (size_t l = 0; l < perf.nr; l++)
			assert_string_equal(perf.at[l], ours.at[l]);
		free_lines(&perf);
		free_lines(&ours);
		compared++;
	}
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	if (!compared)
		skip(); /* no perf, or it may not record */
}

/* ---- the modelled captures ---- */

struct sum {
	const char *function; /* as in the truth: "other" for what is not in the program */
	uint32_t event;
	uint64_t period, samples;
};

enum { SUMS = 200 };

struct sums {
	struct sum at[SUMS];
	size_t nr;
};

static struct sum *sum_of(struct sums *s, const char *function, uint32_t event)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->at[i].event == event && strcmp(s->at[i].function, function) == 0)
			return &s->at[i];
	assert_true(s->nr < SUMS);
	s->at[s->nr] = (struct sum){ .function = function, .event = event };
	return &s->at[s->nr++];
}

static const char *const workload[] = { "sha_rounds", "branch_maze", "pointer_chase", "dispatch_table" };

/* The truth counts what is not in one of these under "other". */
static const char *truth_name(const struct named *n, const struct found *f)
{
	struct symbol y = symbols_get(n->symbols, f->symbol);

	for (size_t i = 0; i < sizeof(workload) / sizeof(workload[0]); i++)
		if (f->known && strcmp(workload[i], y.name) == 0)
			return workload[i];
	return "other";
}

static void add_up(const char *path, const char *symfs, struct sums *ret)
{
	struct error err = { "" };
	struct capture_reader *r = capture_open(path, &(struct capture_options){ .want_samples = true }, &err);
	struct capture *c;
	struct item item;
	struct named n;

	named_open(&n, path, symfs);
	assert_non_null(r);
	assert_int_equal(capture_run(r, &c, &err), 1);
	while (capture_next(r, &item, &err) > 0) {
		struct found f;
		struct sum *s;

		if (item.kind != ITEM_SAMPLE)
			continue;
		f = named_find(&n, item.sample);
		s = sum_of(ret, truth_name(&n, &f), item.sample->event);
		s->period += item.sample->period;
		s->samples++;
	}
	capture_close(r);
	named_free(&n);
}

static void compare_with_truth(const char *path, const struct sums *ours)
{
	char line[200], function[100];
	uint64_t period, samples, rows = 0;
	unsigned event;
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		struct sum *s;

		assert_int_equal(sscanf(line, "%99[^,],%u,%*[^,],%" SCNu64 ",%" SCNu64, function, &event, &period, &samples), 4);
		s = sum_of((struct sums *)(uintptr_t)ours, function, event);
		if (s->period != period || s->samples != samples)
			fail_msg("%s: %s of event %u: %" PRIu64 " in %" PRIu64 " samples, and should be %" PRIu64 " in %" PRIu64,
				 path, function, event, s->period, s->samples, period, samples);
		rows++;
	}
	fclose(f);
	assert_int_equal(rows, ours->nr);
}

static void sums_equal_the_truth(void **state)
{
	static const char *const names[] = {
		"perf-6.1/functions-l1", "perf-6.1/functions-l2", "perf-6.1/functions-few", "perf-6.1/functions-callgraph",
		"perf-7.2/functions-l1", "perf-7.2/functions-l2", "perf-7.2/functions-few", "perf-7.2/functions-callgraph",
	};
	char path[300], symfs[300];

	(void)state;
	if (!test_shared())
		skip();
	snprintf(symfs, sizeof(symfs), "%s/captures/symfs", test_shared());
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct sums sums = { .nr = 0 };

		snprintf(path, sizeof(path), "%s/captures/%s.data", test_shared(), names[i]);
		add_up(path, symfs, &sums);
		snprintf(path, sizeof(path), "%s/captures/%s.truth.csv", test_shared(), names[i]);
		compare_with_truth(path, &sums);
	}
}

static const struct CMUnitTest list[] = {
	cmocka_unit_test(equals_perf_script),
	cmocka_unit_test(sums_equal_the_truth),
};

TEST_MODULE(symbols_perf, list);
