// SPDX-License-Identifier: GPL-2.0-only
/* Samples and periods by event. */
#include "export/sample_totals.h"

#include <inttypes.h>

uint64_t sample_totals_samples(const struct capture *c)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < c->nr_samples; i++)
		nr += c->samples[i].samples;
	return nr;
}

static void draw_row(struct page *p, const struct event *e, const struct event_samples *s)
{
	char samples[24], period[24], first[40] = "", last[40] = "", fixed[40];
	const char *cells[] = { e->name, samples, period, fixed, first, last };

	snprintf(samples, sizeof(samples), "%" PRIu64, s->samples);
	snprintf(period, sizeof(period), "%" PRIu64, s->period);
	snprintf(fixed, sizeof(fixed), "%" PRIu64 "%s", e->sample_period, e->flags & EVENT_FREQ ? " Hz" : "");
	if (s->first_ns) {
		snprintf(first, sizeof(first), "%.9f", (double)s->first_ns / 1e9);
		snprintf(last, sizeof(last), "%.9f", (double)s->last_ns / 1e9);
	}
	page_table_row(p, 0, cells);
}

void sample_totals_draw(struct page *p, const struct capture *c)
{
	static const struct page_column columns[] = {
		{ "event", PAGE_LEFT },		     { "samples", PAGE_RIGHT }, { "sum of periods", PAGE_RIGHT },
		{ "period or frequency", PAGE_RIGHT }, { "first s", PAGE_RIGHT }, { "last s", PAGE_RIGHT },
	};

	page_table_begin(p, columns, 6);
	for (size_t i = 0; i < c->nr_samples; i++)
		if (c->samples[i].samples)
			draw_row(p, &c->events[i], &c->samples[i]);
	page_table_end(p);
	page_note(p, "The sum of the periods estimates what the event counted; it is not corrected for multiplexing.");
}
