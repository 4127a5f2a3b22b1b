/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of perf.data feed the address space. */
#ifndef PERFTAB_SPACE_RECORDS_H
#define PERFTAB_SPACE_RECORDS_H

#include "reader/address_space.h"
#include "reader/records.h"

/*
 * MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL and BUILD_ID are fed, others are left alone.
 * `layout` is that of the record's event, NULL
 * for user records.  In any order: see address_space.h.  False where the record is too short for its
 * fields.
 */
bool space_record(struct address_space *a, struct dso_table *dsos, const struct record *r,
		  const struct sample_layout *layout);

#endif
