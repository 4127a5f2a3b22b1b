#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh TESTS [SCRIPT...]: runs the unit tests and then each script, and ends with one
# line for all of them: "N passed, N failed".  A script is one test; it tests $PERFTAB,
# says on its output what went wrong, and exits 0, or 77 when it cannot run here.
passed=0 failed=0 skipped=0
tests=$1
shift

out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# The last line of the unit tests is their tally; without it they did not come to their end.
# It takes those for passed that skip themselves; cmocka names each of these, more than once.
"$tests" >"$out" 2>&1
status=$?
tally=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$out")
if [ -n "$tally" ]; then
	sed '$d' "$out"
	skipped=$(grep '^\[  SKIPPED \] [^ ]*$' "$out" | sort -u | grep -c .)
	passed=$((${tally% *} - skipped)) failed=${tally#* }
	[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
else
	cat "$out"
	echo "$tests ended early, with exit status $status"
	failed=1
fi

for script; do
	sh "$script" >"$out" 2>&1
	case $? in
	0) passed=$((passed + 1)); echo "ok      $script" ;;
	77) skipped=$((skipped + 1)); echo "skipped $script: $(tail -n 1 "$out")" ;;
	*) failed=$((failed + 1)); cat "$out"; echo "FAILED  $script" ;;
	esac
done

[ "$skipped" = 0 ] && rest= || rest=", $skipped skipped"
echo "$passed passed, $failed failed$rest"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
