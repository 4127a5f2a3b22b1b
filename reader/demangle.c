// SPDX-License-Identifier: GPL-2.0-only
/* Demangling by libiberty, and the only file that includes it. */
#include "reader/demangle.h"

#include <stddef.h>

#include <libiberty/demangle.h>

/* The style "auto" tries Rust's two manglings first, then C++'s. */
char *demangle(const char *name)
{
	return name[0] == '_' ? cplus_demangle(name, DMGL_AUTO) : NULL;
}
