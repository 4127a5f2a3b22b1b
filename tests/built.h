/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures that the tests build and that also lie in fixtures/. */
#ifndef PERFTAB_TEST_BUILT_H
#define PERFTAB_TEST_BUILT_H

#include "tests/statdata.h"

/* The constructed counts of fixtures/sha256.csv as a capture. */
struct statdata *built_sha256(size_t attr_size, bool big);

#endif
