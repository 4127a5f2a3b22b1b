/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the outputs share: a folder to write in, and a small schema with awkward rows. */
#ifndef PERFTAB_TEST_SINKS_H
#define PERFTAB_TEST_SINKS_H

#include "export/sink.h"

/* A cmocka setup and teardown: a new empty folder as *state (a path), which is removed with all in it. */
int scratch_setup(void **state);
int scratch_teardown(void **state);

/* "FOLDER/NAME"; good until the eighth call after it. */
const char *scratch_path(void **state, const char *name);
/* The file as a string, to be freed; NULL when it is not there. */
char *scratch_read(const char *path);
void scratch_write(const char *path, const char *text);
/* How many names are in the folder, also hidden ones. */
int scratch_count(const char *folder);

/* "name" (id, title) and "row" (name_id, i, h, r, t, b), "row" with an index, and a view. */
extern const struct schema awkward_schema;
extern const struct table awkward_name, awkward_row, awkward_late;
extern const size_t awkward_nr_rows; /* of table "row" */

/* Rows of both tables, mixed. Opens, writes and finishes; what sink_*() returned, first failure wins. */
int awkward_write(const char *path, bool force, struct error *err);
int awkward_put(struct sink *s, struct error *err);

#endif
