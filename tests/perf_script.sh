#!/bin/sh
# perf_script.sh PERFTAB: records captures of every kind with the perf that is installed, and compares
# each sample's time, cpu, task, event, period, addresses and text with what perf script prints.
# Skips where there is no perf, no sqlite3, or no permission to record.
perftab=$(realpath "${1:-build/perftab}")
for tool in perf sqlite3 awk; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
perf record -q -e cpu-clock -o probe.data true >/dev/null 2>&1 || { echo "skipped: perf cannot record here"; exit 77; }

load='for i in 1 2 3; do ls -lR /usr/share/perl /usr/include >/dev/null 2>&1 & done; wait'
failed=0 passed=0

# One line a sample: time event pid tid period ip..., from perf script's blocks of lines.  In a chain it
# prints addresses of user space as offsets in what was mapped there.
chains_of_perf() {
	perf script --ns --no-inline -f -i "$1" -F pid,tid,time,event,period,ip 2>/dev/null | awk '
		function flush() { if (line != "") print line chain; line = chain = "" }
		NF == 0 { flush(); next }
		/^\t/ && line != "" { chain = chain " " $1; next }
		{ flush(); n = split($1, task, "/"); t = $2; sub(/:$/, "", t); e = $4; sub(/:$/, "", e)
		  line = t " " e " " task[1] " " task[2] " " $3; for (i = 5; i <= NF; i++) chain = chain " " $i }
		END { flush() }' | sort
}

chains_of_perftab() {
	sqlite3 "$1" "
	WITH RECURSIVE frame(path, at, depth, ip) AS (
		SELECT DISTINCT call_path_id, call_path_id, 0, 0 FROM sample WHERE call_path_id IS NOT NULL
		UNION ALL
		SELECT f.path, c.parent_id, f.depth + 1, CASE WHEN c.ip < 0 THEN printf('%x', c.ip)
			WHEN d.path = '[unknown]' THEN '*' ELSE printf('%x', c.ip - i.address + i.dso_offset) END
		FROM frame f JOIN call_path c ON c.id = f.at JOIN image i ON i.id = c.image_id JOIN dso d ON d.id = i.dso_id),
	chain(path, text) AS (
		SELECT path, group_concat(ip, ' ') FROM (SELECT * FROM frame WHERE depth > 0 ORDER BY path, depth)
		GROUP BY path)
	SELECT printf('%d.%09d %s %d %d %d %s', s.time_ns / 1000000000, s.time_ns % 1000000000, e.name, t.pid, t.tid, s.period,
		coalesce(c.text, CASE WHEN e.sample_type & 32 THEN '' ELSE printf('%x', i.address + s.offset) END))
	FROM sample s JOIN event e ON e.id = s.event_id JOIN thread t ON t.id = s.thread_id JOIN image i ON i.id = s.image_id
	LEFT JOIN chain c ON c.path = s.call_path_id" | sort
}

# perf keeps what was mapped before an exec; for us those addresses are unknown, and match anything.
same() {
	paste -d '\n' a b | awk 'NR % 2 { n = split($0, want); line = $0; next }
		n == 5 { next } # perf gives no chain at all where one frame of it is odd
		{ if (split($0, got) != n) bad = 1
		  for (i = 1; i <= n; i++) if (got[i] != "*" && got[i] != want[i]) bad = 1
		  if (bad) { print "< " line; print "> " $0; exit } }
		END { exit bad }'
}

compare() { # NAME INPUT-of-perf [INPUT-of-perftab]
	rm -rf out.db
	"$perftab" convert -q --force -o out.db "${3:-$2}" || { echo "$1: exit code $?"; failed=$((failed + 1)); return; }
	chains_of_perf "$2" >a
	chains_of_perftab out.db >b
	disorder=$(sqlite3 out.db "SELECT count(*) FROM sample a JOIN sample b ON b.id = a.id + 1 WHERE b.time_ns < a.time_ns")
	if [ -s a ] && [ "$disorder" = 0 ] && same >difference; then
		passed=$((passed + 1))
	else
		echo "$1: $(wc -l <a) samples of perf script, $(wc -l <b) of perftab, $disorder out of order; first difference:"
		cat difference
		failed=$((failed + 1))
	fi
}

record() { # NAME OPTIONS...
	name=$1
	shift
	perf record -q -o "$name.data" "$@" -- sh -c "$load" >/dev/null 2>&1
}

record plain -e cpu-clock -F 2000 && compare plain plain.data
record two -e cpu-clock,page-faults -c 5000 -a && compare two two.data
record chain -e cpu-clock,page-faults -F 1500 -g -a && compare chain chain.data
record address -e page-faults -c 3 -d --weight --phys-data && compare address address.data
record packed -z -e cpu-clock,page-faults -F 3000 -g && compare packed packed.data
record thread --per-thread -T -e cpu-clock && compare thread thread.data
record clock --clockid mono -e cpu-clock -F 2000 && compare clock clock.data
record loop --overwrite -e cpu-clock -F 2000 -a && compare loop loop.data
record parts --threads -a -e cpu-clock,page-faults -F 2000 && compare parts parts.data
record packed_parts --threads -z -a -e cpu-clock,page-faults -F 2000 -g && compare packed_parts packed_parts.data
perf record -q -e cpu-clock,page-faults -F 2000 -g -o - -- sh -c "$load" 2>/dev/null >pipe.data && compare pipe pipe.data
cat pipe.data >copy.data && {
	rm -f out.db
	cat pipe.data | "$perftab" convert -q -o out.db - && chains_of_perf pipe.data >a && chains_of_perftab out.db >b && same &&
		passed=$((passed + 1)) || { echo "standard input: differs"; failed=$((failed + 1)); }
}
for packer in gzip xz zstd; do
	command -v $packer >/dev/null && $packer -q -c two.data >two.data.$packer && compare $packer two.data two.data.$packer
done

texts() {
	perf script --ns -f -i "$1" -F time,trace 2>/dev/null | awk '{ t = $1; sub(/:$/, "", t); $1 = ""; sub(/^[ \t]+/, ""); sub(/[ \t]+$/, ""); print t, $0 }' |
		sort >a
	rm -f out.db
	"$perftab" convert -q -o out.db "$1"
	for table in $(sqlite3 out.db "SELECT name FROM sqlite_master WHERE name GLOB 'record_*' AND sql GLOB '*sample_id*text*'"); do
		sqlite3 -separator ' ' out.db "SELECT printf('%d.%09d', s.time_ns / 1000000000, s.time_ns % 1000000000), trim(x.text)
			FROM $table x JOIN sample s ON s.id = x.sample_id"
	done | sort >b
	if [ -s a ] && cmp -s a b; then passed=$((passed + 1)); else
		echo "texts of tracepoints: $(wc -l <a) of perf script, $(wc -l <b) of perftab"
		diff a b | head -4
		failed=$((failed + 1))
	fi
}
if [ -d /sys/kernel/tracing/events/sched ] || mount | grep -q tracefs; then
	record tracepoints -a -e sched:sched_switch -e sched:sched_wakeup -e syscalls:sys_enter_openat -e sched:sched_process_exec \
		-e sched:sched_process_fork && texts tracepoints.data
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
