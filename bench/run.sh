#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh: measures perftab beside perf on the same generated captures.  `make bench`
# calls it; README.md beside it says what the columns are.
#
#   RUNS=3        runs of perftab for each line, and of perf for the short ones
#   PERF_RUNS=1   runs of perf where one takes long
#   ROUNDS=500    rounds of the large counting capture (x 64 CPUs x 20 events)
#   PERF=perf     the perf to measure; without one only perftab is measured
set -eu
: "${RUNS:=3}" "${PERF_RUNS:=1}" "${ROUNDS:=500}" "${PERF:=perf}" "${PERFTAB:=build/perftab}" "${TOOLS:=build/bench}"
dir=$TOOLS/data
mkdir -p "$dir"

# capture NAME KIND SIZE...: made once
capture() {
	name=$1 kind=$2
	shift 2
	[ -s "$dir/$name.data" ] || "$TOOLS/gen" "$kind" "$dir/$name.data" "$@"
	cat "$dir/$name.data" >/dev/null # into the page cache
}

# line TITLE PERF_RUNS PERF_COMMAND PERFTAB_COMMAND
line() {
	set -- "$1" "$2" "$3" "exec $4"
	ours=$("$TOOLS/measure" "$RUNS" "$4")
	theirs='- -'
	if command -v "$PERF" >/dev/null; then
		theirs=$("$TOOLS/measure" "$2" "exec $3 2>/dev/null")
	fi
	echo "$1|$ours $theirs" | awk -F'|' '{
		split($2, v, " ")
		if (v[3] == "-")
			printf "%-34s %9.3f %8.1f %9s %8s %8s\n", $1, v[1], v[2] / 1024, "-", "-", "-"
		else
			printf "%-34s %9.3f %8.1f %9.3f %8.1f %8.1f\n", $1, v[1], v[2] / 1024, v[3], v[4] / 1024, v[3] / (v[1] ? v[1] : 0.0001)
	}'
}

stat=$dir/stat_64x20x$ROUNDS.data
small=$dir/small.data
capture "stat_64x20x$ROUNDS" stat 64 20 "$ROUNDS"
capture small stat 2 12 5

command -v "$PERF" >/dev/null && "$PERF" version || echo "no perf here: perftab alone"
echo "$((64 * 20 * (ROUNDS + 1))) readings in $stat, $(wc -c <"$stat") bytes"
echo
printf '%-34s %9s %8s %9s %8s %8s\n' '' 'perftab s' 'MiB' 'perf s' 'MiB' 'ratio'
line 'run: metrics, terminal' "$PERF_RUNS" "$PERF stat report -i $stat" "$PERFTAB report $stat"
line 'interval x cpu x event, CSV' "$PERF_RUNS" "$PERF stat report -i $stat" \
	"$PERFTAB report --counts -f csv --by interval --by cpu $stat"
line 'everything, SQLite' "$PERF_RUNS" "$PERF stat report -i $stat" \
	"$PERFTAB convert $stat --force -o $dir/out.db"
line 'small capture: metrics, Markdown' "$RUNS" "$PERF report -i $small --stats" "$PERFTAB report -f md $small"
rm -f "$dir/out.db"
