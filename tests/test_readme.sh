#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_readme.sh: the examples of README.md are what the program prints.  In blocks that
# begin with ```console, each line "$ COMMAND" is run, and what follows is compared.
cd "$(dirname "$0")/.." || exit 1
export PERFTAB="${PERFTAB:-build/perftab}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p build/demo

awk '/^```console$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$work/expected"
grep '^\$ ' "$work/expected" | while read -r _ command; do
	echo "\$ $command"
	sh -c "$(echo "$command" | sed 's,^build/perftab ,"$PERFTAB" ,')" 2>&1
done >"$work/printed"
[ -s "$work/expected" ] || { echo "README.md has no example"; exit 1; }
diff -u "$work/expected" "$work/printed"
