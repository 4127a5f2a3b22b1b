// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as a capture: opened, analysed and given to every kind of output. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/output.h"

static const struct scope_request requests[] = {
	{ false, PLACE_RUN }, { true, PLACE_RUN }, { false, PLACE_CPU }, { true, PLACE_CORE | PLACE_THREAD },
};

/* A name in /proc for bytes in memory. */
static const char *path_of(const uint8_t *bytes, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", 0);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static struct outputs *open_outputs(void)
{
	static const struct output_request all[] = {
		{ .content = OUTPUT_TABLES, .class = &sink_null },
		{ .content = OUTPUT_METRICS, .class = &sink_null },
		{ .content = OUTPUT_COUNTS, .class = &sink_null },
		{ .content = OUTPUT_PAGE, .counts = true, .path = "/dev/null" },
	};
	const struct output_options options = { .force = true };
	struct error err = { "" };
	struct outputs *o = outputs_open(all, sizeof(all) / sizeof(all[0]), &options, &err);

	if (!o)
		abort();
	return o;
}

static void analyse(struct capture_reader *reader, const char *set, enum part_kind kind)
{
	const struct parts_options parts = { .kind = kind, .function = "main" };
	struct locator *locator = locator_new(&(struct symbols_options){ .symfs = "fixtures/symfs" });
	const struct analysis_options options = {
		.locator = locator,
		.parts = &parts,
		.requests = requests,
		.nr_requests = sizeof(requests) / sizeof(requests[0]),
		.set_name = set,
	};
	struct outputs *o = open_outputs();
	struct capture *capture;
	struct error err = { "" };
	int n;

	while ((n = capture_run(reader, &capture, &err)) > 0)
		if (analysis_run(reader, capture, &options, &outputs_visitor, o, &err)) {
			n = -1;
			break;
		}
	locator_free(locator);
	if (n < 0 || outputs_finish(o, &err)) {
		if (!*err.text)
			abort(); /* a failure without a word */
		if (n < 0)
			outputs_abandon(o);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct capture_options options = { .want_samples = true, .want_records = true };
	struct error err = { "" };
	struct capture_reader *reader = capture_open(path_of(bytes, size), &options, &err);

	if (!reader) {
		if (!*err.text)
			abort();
		return 0;
	}
	/* most of the time a small set, because reading a large one takes longer than the rest */
	analyse(reader, size % 16 ? "generic" : "amdzen4", size / 16 % PART_KINDS);
	capture_close(reader);
	return 0;
}
