#!/bin/sh
# embed.sh FILE.json...: prints C source that holds the files, for metrics/set.c
echo '/* made from metrics/sets/ */'
echo '#include "metrics/set_files.h"'
i=0
for f in "$@"; do
	echo "static const char set_$i[] = {"
	od -An -v -tx1 "$f" | sed 's/ \(..\)/0x\1,/g'
	echo '0 };'
	i=$((i + 1))
done
echo 'const struct set_file set_files[] = {'
i=0
for f in "$@"; do
	echo "	{ \"$(basename "$f" .json)\", set_$i, sizeof(set_$i) - 1 },"
	i=$((i + 1))
done
echo '	{ 0, 0, 0 },'
echo '};'
