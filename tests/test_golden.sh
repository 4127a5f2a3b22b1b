#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_golden.sh: runs each case of golden.list and compares what perftab prints, and
# its exit status, with golden/NAME.
# test_golden.sh accept NAME: takes what it prints now, and shows what changed.
perftab=${PERFTAB:-build/perftab}
cd "$(dirname "$0")/.." || exit 1
failed=0

show() {
	# shellcheck disable=SC2086 # options, between blanks
	"$perftab" $1 2>&1
	echo "exit $?"
}

while read -r name args; do
	case $name in '' | '#'*) continue ;; esac
	expected=tests/golden/$name
	if [ "${1:-}" != accept ]; then
		show "$args" | diff -u "$expected" - || { echo "golden: $name differs"; failed=1; }
	elif [ "${2:-}" = "$name" ]; then
		show "$args" >"$expected.new"
		[ ! -f "$expected" ] || diff -u "$expected" "$expected.new"
		mv "$expected.new" "$expected"
	fi
done <tests/golden.list
exit $failed
