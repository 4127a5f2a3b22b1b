/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as text, fast: an output may print a hundred million of them.  The same in
 * every locale.  Each function writes at most NUMBER_MAX bytes (also behind the number), no NUL, and returns
 * how many.
 */
#ifndef PERFTAB_NUMBER_H
#define PERFTAB_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_MAX 48

size_t number_u64(char *to, uint64_t v);
size_t number_i64(char *to, int64_t v);
/* "0x1a0", "0x0" */
size_t number_hex(char *to, uint64_t v);
/* Exactly what printf("%.17g") writes in the C locale. */
size_t number_real(char *to, double v);

#endif
