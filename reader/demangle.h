/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ and Rust functions as their authors wrote them. */
#ifndef PERFTAB_DEMANGLE_H
#define PERFTAB_DEMANGLE_H

/*
 * "_ZN2ns1KIiE3runEii" is "ns::K<int>::run"; parameters are left out, as perf does.
 * NULL when the name is not mangled.  Free it.
 */
char *demangle(const char *name);

#endif
