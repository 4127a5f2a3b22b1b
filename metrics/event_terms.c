// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format files of the PMUs that we know, as rows.  A term may lie in several pieces;
 * the low bits of its value come first.
 */
#include "metrics/event_terms.h"

#include <stddef.h>
#include <string.h>

struct piece {
	uint8_t low, bits;
};

struct format {
	const char *pmu; /* a beginning: "amd_umc" is also amd_umc_3; "" any other */
	const char *term;
	unsigned word; /* config, config1, config2 */
	struct piece pieces[3];
};

#define X86_CORE(pmu)                                                                                                 \
	{ pmu, "event", 0, { { 0, 8 }, { 32, 4 } } }, { pmu, "umask", 0, { { 8, 8 } } },                              \
		{ pmu, "edge", 0, { { 18, 1 } } }, { pmu, "pc", 0, { { 19, 1 } } }, { pmu, "any", 0, { { 21, 1 } } }, \
		{ pmu, "inv", 0, { { 23, 1 } } }, { pmu, "cmask", 0, { { 24, 8 } } },                                 \
		{ pmu, "offcore_rsp", 1, { { 0, 64 } } }, { pmu, "ldlat", 1, { { 0, 16 } } },                         \
	{                                                                                                             \
		pmu, "frontend", 1,                                                                                   \
		{                                                                                                     \
			{                                                                                             \
				0, 24                                                                                 \
			}                                                                                             \
		}                                                                                                     \
	}

static const struct format formats[] = {
	X86_CORE("cpu"),
	/* families 19h and later have two bits of threadmask, 17h has eight, from the same place */
	{ "amd_l3", "event", 0, { { 0, 8 } } },
	{ "amd_l3", "umask", 0, { { 8, 8 } } },
	{ "amd_l3", "coreid", 0, { { 42, 3 } } },
	{ "amd_l3", "enallslices", 0, { { 46, 1 } } },
	{ "amd_l3", "enallcores", 0, { { 47, 1 } } },
	{ "amd_l3", "slicemask", 0, { { 48, 4 } } },
	{ "amd_l3", "sliceid", 0, { { 48, 3 } } },
	{ "amd_l3", "threadmask", 0, { { 56, 8 } } },
	{ "amd_df", "event", 0, { { 0, 8 }, { 32, 6 } } },
	{ "amd_df", "umask", 0, { { 8, 8 }, { 24, 4 } } },
	{ "amd_umc", "event", 0, { { 0, 8 } } },
	{ "amd_umc", "rdwrmask", 0, { { 8, 2 } } },
	{ "", "event", 0, { { 0, 8 } } },
	{ "", "umask", 0, { { 8, 8 } } },
	{ "", "edge", 0, { { 18, 1 } } },
	{ "", "inv", 0, { { 23, 1 } } },
	{ "", "cmask", 0, { { 24, 8 } } },
	{ "", "thresh", 0, { { 24, 8 } } },
};

/* The data fabric up to Zen 3 */
static const struct format old_fabric[] = {
	{ "amd_df", "event", 0, { { 0, 8 }, { 32, 4 }, { 59, 2 } } },
	{ "amd_df", "umask", 0, { { 8, 8 } } },
};

static uint64_t mask_of(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void put(const struct format *f, uint64_t value, uint64_t config[3])
{
	for (size_t i = 0; i < 3 && f->pieces[i].bits; i++) {
		const struct piece *p = &f->pieces[i];

		config[f->word] |= (value & mask_of(p->bits)) << p->low;
		value = p->bits >= 64 ? 0 : value >> p->bits;
	}
}

static const struct format *find(const struct format *f, size_t nr, const char *pmu, const char *term)
{
	for (size_t i = 0; i < nr; i++)
		if (strncmp(pmu, f[i].pmu, strlen(f[i].pmu)) == 0 && strcmp(term, f[i].term) == 0)
			return &f[i];
	return NULL;
}

bool event_term_put(const char *pmu, unsigned zen, const char *term, uint64_t value, uint64_t config[3])
{
	static const char *const words[] = { "config", "config1", "config2" };
	const struct format *f = NULL;

	for (size_t i = 0; i < 3; i++) {
		if (strcmp(term, words[i]) == 0) {
			config[i] |= value;
			return true;
		}
	}
	if (zen >= 1 && zen <= 3)
		f = find(old_fabric, sizeof(old_fabric) / sizeof(old_fabric[0]), pmu, term);
	if (!f)
		f = find(formats, sizeof(formats) / sizeof(formats[0]), pmu, term);
	if (!f)
		return false;
	put(f, value, config);
	return true;
}

bool event_term_is_flag(const char *term)
{
	return strcmp(term, "edge") == 0 || strcmp(term, "inv") == 0 || strcmp(term, "any") == 0 ||
	       strcmp(term, "pc") == 0;
}
