/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as CSV, for the sink that writes one file and the one that writes a folder.
 *
 * RFC 4180 but for the line ends, which are "\n".  Fields are quoted where they hold a
 * comma, a quote or a line end.  An empty field is NULL; so is an empty text, which
 * CSV cannot tell from it.  Integers as they are; reals as %.17g with a point whatever
 * the locale; COLUMN_HEX as 0x1a0, blobs as their bytes in hexadecimal.  Text is UTF-8: bytes that are
 * not become U+FFFD, as in the other outputs.
 */
#ifndef PERFTAB_CSV_H
#define PERFTAB_CSV_H

#include "export/row.h"
#include "export/writer.h"

enum { CSV_REMEMBERED = 64, CSV_COLUMNS = 24 };

/*
 * The last field of a column and how it was written: most columns of most rows (the
 * capture, the interval, its times, the place) say what the row before said.
 */
struct csv_field {
	uint8_t kind;   /* enum value_kind; 0: nothing is remembered */
	uint8_t length; /* of `written` */
	uint8_t missed; /* times in a row; a column that never repeats is not tried for ever */
	double real;
	char written[CSV_REMEMBERED]; /* also the text itself, as it needed no quotes */
};

/* All zero at the begin; of one table. */
struct csv_memory {
	struct csv_field fields[CSV_COLUMNS];
};

void csv_header(struct writer *w, const struct table *table);
void csv_row(struct writer *w, const struct table *table, const struct value *values, struct csv_memory *memory);

#endif
