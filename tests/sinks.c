// SPDX-License-Identifier: GPL-2.0-only
/* Folders to write in, and rows that are hard to write. */
#include "tests/sinks.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/test.h"

int scratch_setup(void **state)
{
	char *path = strdup("/tmp/perftab-test-XXXXXX");

	*state = path;
	return path && mkdtemp(path) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

int scratch_teardown(void **state)
{
	int result = nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return result;
}

const char *scratch_path(void **state, const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, PATH_MAX, "%s/%s", (const char *)*state, name);
	return path;
}

char *scratch_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &size, -1, f) < 0) { /* the whole file; it holds no byte 0xff in our tests */
		free(text);
		text = strdup("");
	}
	fclose(f);
	return text;
}

void scratch_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

int scratch_count(const char *folder)
{
	DIR *dir = opendir(folder);
	int n = 0;

	if (!dir)
		return -1;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static const struct column name_columns[] = { { "id", COLUMN_INT, NULL }, { "title", COLUMN_TEXT, NULL } };
static const struct column row_columns[] = {
	{ "name_id", COLUMN_INT, "name(id)" }, { "i", COLUMN_INT, NULL },  { "h", COLUMN_HEX, NULL },
	{ "r", COLUMN_REAL, NULL },            { "t", COLUMN_TEXT, NULL }, { "b", COLUMN_BLOB, NULL },
};
static const char *const row_indexes[] = { "name_id, i", NULL };

const struct table awkward_name = { "name", name_columns, 2, "id", NULL };
const struct table awkward_row = { "row", row_columns, 6, NULL, row_indexes };
const struct table awkward_late = { "late", name_columns, 2, "id", NULL }; /* not in the schema */

static const struct table *const tables[] = { &awkward_name, &awkward_row };
static const struct view views[] = { { "titles", "SELECT n.title, r.t FROM row r JOIN name n ON n.id = r.name_id" } };

const struct schema awkward_schema = { tables, 2, views, 1 };

#define ROW(...) { INT(1), __VA_ARGS__ }
#define INT(v) { .kind = VALUE_INT, .i = (int64_t)(v) }
#define REAL(v) { .kind = VALUE_REAL, .r = (v) }
#define TEXT(s) { .kind = VALUE_TEXT, .size = sizeof(s) - 1, .p = (s) }
#define BLOB(s) { .kind = VALUE_BLOB, .size = sizeof(s) - 1, .p = (s) }
#define NOTHING { .kind = VALUE_NULL }

static const struct value rows[][6] = {
	ROW(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING),
	ROW(INT(0), INT(0), REAL(0.1), TEXT("plain"), BLOB("\x00\xff")),
	ROW(INT(INT64_MIN), INT(UINT64_MAX), REAL(1e300), TEXT("a,b"), BLOB("")),
	ROW(INT(INT64_MAX), INT(0x1000001a0), REAL(-0.00001), TEXT("say \"a\""), NOTHING),
	ROW(INT(-1), INT(1), REAL(3), TEXT("two\nlines\r"), NOTHING),
	ROW(INT(1), INT(2), REAL(1.0 / 3), TEXT("\xc3\xa4 \xf0\x9f\x99\x82"), NOTHING),
	ROW(INT(2), INT(3), REAL(1), TEXT("bad \xff\xc3(\xe2\x82 \xed\xa0\x80 \xc0\x80"), NOTHING),
	ROW(INT(3), INT(4), REAL(2), TEXT("tab\t esc\x1b \\ / \x7f"), NOTHING),
};

const size_t awkward_nr_rows = sizeof(rows) / sizeof(rows[0]);

int awkward_put(struct sink *s, struct error *err)
{
	for (size_t i = 0; i < awkward_nr_rows; i++) {
		const struct value name[] = { value_int((int64_t)i + 1), value_text(i ? "more" : "first") };

		if (sink_row(s, &awkward_name, name, err) || sink_row(s, &awkward_row, rows[i], err))
			return -1;
	}
	return 0;
}

int awkward_write(const char *path, bool force, struct error *err)
{
	const struct sink_options options = { .force = force };
	struct sink *s = sink_open(sink_class_for(path), path, &awkward_schema, &options, err);

	if (!s)
		return -1;
	if (awkward_put(s, err)) {
		sink_abandon(s);
		return -1;
	}
	return sink_finish(s, err);
}
