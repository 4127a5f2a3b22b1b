#!/bin/sh
# modules.sh tests/test_NAME.c...: prints the C list of test modules for tests/main.c
echo '#include "tests/test.h"'
for f in "$@"; do n=$(basename "$f" .c); echo "extern const struct test_module $n;"; done
echo 'const struct test_module *const test_modules[] = {'
for f in "$@"; do n=$(basename "$f" .c); echo "	&$n,"; done
echo '	0,'
echo '};'
