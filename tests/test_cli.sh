#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_cli.sh: what scripts rely on at the command line: exit codes, one line on standard
# error for each problem, outputs that are whole or not there.
cd "$(dirname "$0")/.." || exit 1
perftab=${PERFTAB:-build/perftab}
case $perftab in /*) ;; *) perftab=$PWD/$perftab ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
good=fixtures/perf-6.12/interval.data
failed=0

# run CODE LINES ARGUMENTS...: exit status and the number of lines on standard error;
# standard output is in $work/out, standard error in $work/err.
run() {
	code=$1 lines=$2
	shift 2
	"$perftab" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	found=$(wc -l <"$work/err")
	if [ "$status" != "$code" ] || [ "$found" != "$lines" ]; then
		echo "perftab $*: exit $status with $found lines of complaint, expected $code with $lines:"
		cat "$work/err"
		failed=1
	fi
}

# says TEXT: standard error has it
says() {
	grep -qF -- "$1" "$work/err" || { echo "expected \"$1\", found:"; cat "$work/err"; failed=1; }
}

# is TEST...: a condition
is() {
	[ "$@" ] || { echo "not so: $*"; failed=1; }
}

quiet() {
	[ ! -s "$work/out" ] || { echo "nothing was expected on standard output"; head -3 "$work/out"; failed=1; }
}

# --- what is no capture: one line that says what it is

mkdir "$work/folder"
: >"$work/empty"
echo 'a text' >"$work/text"
cat >"$work/script" <<'END'
sleep  4711 [000]   100.000001:          1 cycles:  ffffffff81000000 native_write_msr+0x4 ([kernel.kallsyms])
sleep  4711 [000]   100.000005:          1 cycles:  ffffffff81000000 native_write_msr+0x4 ([kernel.kallsyms])
END
for what in "$perftab:is an ELF file" "$work/empty:is empty" "$work/text:" "$work/folder:is a directory without" \
	"$work/script:is the text of perf script" "$work/missing:cannot be opened: No such file" "/dev/null:is empty" "fixtures/sha256.csv:"; do
	input=${what%%:*}
	for command in "report" "report --counts -f csv" "convert -o $work/x.db"; do
		# shellcheck disable=SC2086 # the command's words
		run 2 1 $command "$input"
		says "perftab: $input: ${what#*:}"
		quiet
	done
done
is ! -e "$work/x.db"

# a part of a header is no capture, and neither is a good one beside it
head -c 60 $good >"$work/part"
run 2 1 report "$work/part"
run 2 1 convert $good "$work/part" -o "$work/x.db" -o "$work/x/" -o "$work/x.json" -o "$work/x.csv" -o "$work/x.md"
is "$(find "$work" -name 'x*' -o -name '.x*')" = ""

# --- usage

run 2 1
run 2 1 frobnicate
run 2 1 report
run 2 1 convert $good
says "needs an output"
run 2 1 report --by weekday $good
run 2 1 report --by cpu --by core --by node $good
run 2 1 report -f xml $good
run 2 1 report --set amdzen99 $good
says "amdzen4"
run 2 1 report --metrics "$work/missing.json" $good
run 2 1 convert $good -o "$work/x.unknown"
for help in "--help" "report --help" "convert --help" "--version"; do
	# shellcheck disable=SC2086
	run 0 0 $help
	is -s "$work/out"
done

# --- what a capture cannot tell

run 2 1 report --by cpu fixtures/sha256.data
run 2 1 report --by interval fixtures/sha256.data
run 2 1 report --by core fixtures/perf-6.1/pipe-percpu.data
says "topology"
for by in cpu core die socket node; do
	run 0 0 report -f csv --counts --by $by fixtures/perf-7.2/interval-percpu.data
	is "$(wc -l <"$work/out")" -gt 17
	run 0 0 report -f csv --counts --by $by --by interval fixtures/perf-7.2/interval-percpu.data
	is "$(wc -l <"$work/out")" -gt 17
done
run 0 0 report -f csv --counts --by cpu --by node fixtures/perf-7.2/interval-percpu.data

# --- outputs: whole or not there, and never over another

for out in x.db x.csv x.json x.md; do
	echo mine >"$work/$out"
	run 2 1 convert $good -o "$work/$out"
	says "--force"
	is "$(cat "$work/$out")" = mine
	run 0 0 convert --force $good -o "$work/$out"
	is "$(wc -c <"$work/$out")" -gt 1000
	rm "$work/$out"
done
run 2 1 convert $good -o "$work/no/such/x.db"
run 2 1 report $good -o "$work/no/such/x.md"
run 2 1 convert $good -o "$work/x.csv" -o "$work/no/x.db"
is ! -e "$work/x.csv"
for form in convert report "convert --force" "report --force"; do
	# shellcheck disable=SC2086
	run 2 1 $form $good -o "$work/x.csv" -o "$work/./x.csv"
	says "named twice"
	is ! -e "$work/x.csv"
done
cp fixtures/stat-output/7.2-interval.csv "$work/in.csv"
run 2 1 convert --force "$work/in.csv" -o "$work/./in.csv"
says "an input cannot be an output"
cmp fixtures/stat-output/7.2-interval.csv "$work/in.csv" || failed=1
run 2 1 report $good -o "$work/x.db"
says "convert writes this"
is ! -e "$work/x.db"
is "$(find "$work" -name '.x*')" = ""

# --- a disk that is full, a reader that is gone

if [ -c /dev/full ]; then
	for form in "" "-f md" "-f csv" "-f json" "--counts -f csv"; do
		# shellcheck disable=SC2086
		"$perftab" report $form $good >/dev/full 2>"$work/err"
		is $? = 2
		is "$(wc -l <"$work/err")" = 1
		says "No space left"
	done
fi
for form in "" "-f md" "-f csv" "--by interval -f csv" "--counts -f json"; do
	# shellcheck disable=SC2086
	{ "$perftab" report $form $good 2>"$work/err"; } | true
	is ! -s "$work/err"
	# nothing is said, but it was not written; "true" may be slow to close the pipe: sleep
	{ sleep 0.1; "$perftab" report $form $good 2>"$work/err"; echo $? >"$work/code"; } | true
	is "$(cat "$work/code")" = 2
	is ! -s "$work/err"
done

# --- standard input, and damage

run 0 0 report -f csv $good
sed "s,^$good,-," "$work/out" >"$work/expected"
"$perftab" report -f csv - <$good >"$work/redirected" 2>&1
is $? = 0
# shellcheck disable=SC2002 # a pipe it is to be
cat $good | "$perftab" report -f csv - >"$work/piped" 2>&1
is $? = 0
cmp "$work/expected" "$work/redirected" || failed=1
cmp "$work/expected" "$work/piped" || failed=1

run 3 1 report fixtures/perf-6.1/killed.data
says "offset 48"
is -s "$work/out"
run 3 1 convert fixtures/perf-6.1/killed.data -o "$work/k.db" -o "$work/k.csv"
is -s "$work/k.csv"
head -c 12000 $good >"$work/cut"
run 3 2 report "$work/cut"
says "cut off"
# one that is damaged does not hide the others
run 3 2 report -f csv "$work/cut" fixtures/sha256.data
is "$(grep -c '^fixtures/sha256.data,' "$work/out")" -gt 13

# --- thresholds of a set: values that perf would mark, and a set that cannot be read

cat >"$work/marks.json" <<'END'
[{"MetricName": "opc", "MetricExpr": "ex_ret_ops / ls_not_halted_cyc if 1 | 0 else 0", "MetricThreshold": "opc > 1"},
 {"MetricName": "cyc", "MetricExpr": "ls_not_halted_cyc", "MetricThreshold": "cyc > 1e6 & opc > 1"},
 {"EventName": "ex_ret_ops", "EventCode": "0xc1"}, {"EventName": "ls_not_halted_cyc", "EventCode": "0x76"}]
END
run 0 0 convert fixtures/sha256.data --metrics "$work/marks.json" -o "$work/marks.db"
is "$(sqlite3 "$work/marks.db" "SELECT class, round(observed, 3), threshold, detail FROM metric_check
	WHERE name = 'metric_threshold'")" = "info|1.579||opc and 1 other"
run 0 0 metrics opc --metrics "$work/marks.json"
is "$(grep -c 'perf 6.1 took them bitwise' "$work/out")" = 1
run 0 0 metrics cyc --metrics "$work/marks.json"
is "$(grep -c 'bitwise' "$work/out")" = 0
sed 's/opc > 1"/opc >"/' "$work/marks.json" >"$work/unreadable.json"
run 2 1 metrics opc --metrics "$work/unreadable.json"
says "unreadable.json: metric opc, MetricThreshold, column 6: expected a value and found the end"

# --- adding to a database: a metric set that is there already is not written again

run 0 0 convert fixtures/sha256.data -o "$work/added.db"
run 0 0 convert fixtures/sha256.data -o "$work/added.db" --append
is "$(sqlite3 "$work/added.db" 'SELECT count(*) = count(DISTINCT name) FROM metric; SELECT count(*) FROM capture')" = "1
2"
is "$(sqlite3 "$work/added.db" 'SELECT count(DISTINCT round(retiring, 12)), count(*) FROM pipeline')" = "1|2"

exit $failed
