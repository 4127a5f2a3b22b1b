// SPDX-License-Identifier: GPL-2.0-only
/* Pages as they are drawn on a terminal and in Markdown. */
#include "export/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

/* What a page writes, to be freed. */
struct drawing {
	char *text;
	size_t size;
	FILE *out;
	struct page *page;
};

static struct page *begin(struct drawing *d, bool md)
{
	d->out = open_memstream(&d->text, &d->size);
	assert_non_null(d->out);
	d->page = md ? page_md_new(d->out) : page_text_new(d->out, false);
	return d->page;
}

static void end(struct drawing *d, const char *want)
{
	struct error err;

	assert_int_equal(page_finish(d->page, &err), 0);
	fclose(d->out);
	assert_string_equal(d->text, want);
	free(d->text);
}

static void draw_whole(struct page *p)
{
	static const struct page_column columns[] = { { "metric", PAGE_LEFT }, { "% of slots", PAGE_RIGHT }, { "note", PAGE_LEFT } };
	static const char *const rows[][3] = {
		{ "frontend_bound", "6.1", "" }, { "latency", "0.1", "a|b" }, { "retiring", "26.3 ±0.2", NULL }, { "sum", "—", "x" },
	};

	page_heading(p, 1, "Pipeline");
	page_fact(p, "machine", "Ryzen 9");
	page_fact(p, "duration", "10 s");
	page_line(p, "Shares of dispatch slots.");
	page_table_begin(p, columns, 3);
	page_table_row(p, 0, rows[0]);
	page_table_row(p, 1, rows[1]);
	page_table_row(p, 0, rows[2]);
	page_table_rule(p);
	page_table_row(p, 0, rows[3]);
	page_table_end(p);
	page_note(p, "first");
	page_note(p, "second");
}

static void whole_page_as_text(void **state)
{
	struct drawing d;

	(void)state;
	draw_whole(begin(&d, false));
	end(&d, "Pipeline\n"
		"========\n"
		"\n"
		"machine:  Ryzen 9\n"
		"duration: 10 s\n"
		"\n"
		"Shares of dispatch slots.\n"
		"\n"
		"metric          % of slots  note\n"
		"--------------  ----------  ----\n"
		"frontend_bound         6.1\n"
		"  latency              0.1  a|b\n"
		"retiring         26.3 ±0.2\n"
		"--------------  ----------  ----\n"
		"sum                      —  x\n"
		"\n"
		"- first\n"
		"- second\n");
}

static void whole_page_as_markdown(void **state)
{
	struct drawing d;

	(void)state;
	draw_whole(begin(&d, true));
	end(&d, "# Pipeline\n"
		"\n"
		"- **machine:** Ryzen 9\n"
		"- **duration:** 10 s\n"
		"\n"
		"Shares of dispatch slots.\n"
		"\n"
		"| metric         | % of slots | note |\n"
		"| -------------- | ---------: | ---- |\n"
		"| frontend_bound |        6.1 |      |\n"
		"| &emsp;latency  |        0.1 | a\\|b |\n"
		"| retiring       |  26.3 ±0.2 |      |\n"
		"| sum            |          — | x    |\n"
		"\n"
		"- first\n"
		"- second\n");
}

static void markdown_escapes(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "frontend_bound", "frontend_bound\n" },
		{ "_start and end_", "\\_start and end\\_\n" },
		{ "a*b `c` <d> [e](f)", "a\\*b \\`c\\` \\<d> \\[e\\](f)\n" },
		{ "back\\slash", "back\\\\slash\n" },
		{ "# no heading", "\\# no heading\n" },
		{ "- no list", "\\- no list\n" },
		{ "12. no list", "12\\. no list\n" },
		{ "12.5 is a number", "12.5 is a number\n" },
		{ "> no quote", "\\> no quote\n" },
		{ "a & b &amp; &#60;", "a & b \\&amp; \\&#60;\n" },
		{ "ESC \033[1m, \x7f, \xff, C1 \xc2\x9b, two\nlines", "ESC �\\[1m, �, �, C1 �, two lines\n" },
		{ "", "\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drawing d;

		page_line(begin(&d, true), cases[i].text);
		end(&d, cases[i].want);
	}
}

/* No line is longer than a hundred columns, and the words are what they were. */
static void long_lines_wrap(void **state)
{
	struct drawing d;
	struct error err;
	size_t words = 0;

	(void)state;
	begin(&d, false);
	page_linef(d.page, "%0150d %s", 7,
		   "ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört "
		   "ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört ein Wört");
	assert_int_equal(page_finish(d.page, &err), 0);
	fclose(d.out);
	for (char *line = strtok(d.text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t width = 0;

		for (const char *c = line; *c; c++)
			width += (*c & 0xc0) != 0x80;
		assert_true(width <= 100 || (words == 0 && width == 150));
		for (const char *w = line; (w = strstr(w, "W\xc3\xb6rt")); w++)
			words++;
	}
	assert_int_equal(words, 20);
	free(d.text);
}

static void full_disk_is_an_error(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct page *p;
	struct error err;

	(void)state;
	if (!full)
		skip();
	p = page_text_new(full, false);
	page_line(p, "text");
	assert_int_equal(page_finish(p, &err), -1);
	assert_string_equal(err.text, "cannot write the report: No space left on device");
	fclose(full);
}

/* What has nothing in any row has no column; rows of dashes are not nothing. */
static void empty_columns_are_left_out(void **state)
{
	static const struct page_column columns[] = { { "where", PAGE_LEFT }, { "n", PAGE_RIGHT }, { "unit", PAGE_LEFT } };
	static const char *const rows[][3] = { { "", "1", NULL }, { "", "22", "" } };
	struct drawing d;
	struct page *p = begin(&d, true);

	(void)state;
	page_table_begin(p, columns, 3);
	page_table_row(p, 0, rows[0]);
	page_table_rule(p);
	page_table_row(p, 0, rows[1]);
	page_table_end(p);
	end(&d, "|   n |\n| --: |\n|   1 |\n|  22 |\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(empty_columns_are_left_out),
	cmocka_unit_test(whole_page_as_text), cmocka_unit_test(whole_page_as_markdown), cmocka_unit_test(markdown_escapes),
	cmocka_unit_test(long_lines_wrap),    cmocka_unit_test(full_disk_is_an_error),
};

TEST_MODULE(page, tests);
