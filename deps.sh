#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# deps.sh: gets what perftab is built and tested with.  `make deps` calls it, and so do
# `make demo` and `make test`; where everything is there it only looks and says nothing.
#
# Debian packages come through apt-get (as root; anyone else is told the command).
# libperf is in no package: where pkg-config knows none, it is built once into
# build/deps/ from the kernel source of the release, or from LINUX_SOURCE=linux-6.x.tar.xz.
set -u
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL CFLAGS CPPFLAGS LDFLAGS LDLIBS

cd "$(dirname "$0")" || exit 1
cc=${CC:-cc}
dest=$PWD/build/deps
log=$dest/deps.log
work=

say() { echo "deps: $*" >&2; }
fail() { say "$*"; exit 1; }
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# --- what is missing

missing=

# want PACKAGE PROBE...: the package is missing when the probe fails
want() {
	package=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $package"
}

program() { command -v "$1"; }
library() { pkg-config --exists "$1"; }
header() { echo "#include <$1>" | $cc -E -; }

compiler_package() {
	case $1 in
	cc) echo gcc ;;
	*/*) fail "the compiler $1 is not there" ;;
	*) echo "$1" ;;
	esac
}

look() {
	missing=
	want "$(compiler_package "${cc%% *}")" program "${cc%% *}"
	want make               program make
	want pkg-config         program pkg-config
	want xz-utils           program xz
	want sqlite3            program sqlite3
	want libc6-dev          header stdio.h
	want libiberty-dev      header libiberty/demangle.h
	want libjansson-dev     library jansson
	want libsqlite3-dev     library sqlite3
	want libtraceevent-dev  library libtraceevent
	want libzstd-dev        library libzstd
	want zlib1g-dev         library zlib
	want liblzma-dev        library liblzma
	want libelf-dev         library libelf
	want libdw-dev          library libdw
	want libcmocka-dev      library cmocka
}

# --- Debian packages

apt_install() {
	# shellcheck disable=SC2086 # a list of names
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 $missing </dev/null >>"$log" 2>&1
}

apt_update() {
	say "updating the package lists"
	apt-get update </dev/null >>"$log" 2>&1
}

why() { grep '^E: ' "$log" | tail -n 1; }

packages() {
	look
	[ -n "$missing" ] || return 0
	if ! program apt-get >/dev/null; then
		fail "missing here, by their Debian names:$missing; install what this system calls them"
	fi
	if [ "$(id -u)" != 0 ]; then
		fail "run this, then try again: sudo sh -c 'apt-get update && apt-get install -y$missing'"
	fi
	say "installing$missing"
	: >"$log"
	apt_install || { apt_update && apt_install; } ||
		fail "cannot install$missing: $(why) (all of it: build/deps/deps.log)"
	look
	[ -z "$missing" ] || fail "installed, and still not usable:$missing"
}

# --- libperf

have_libperf() {
	[ -f "$dest/lib/libperf.a" ] && [ -f "$dest/lib/libapi.a" ] && [ -f "$dest/include/perf/event.h" ] ||
		library libperf
}

# The kernel source that this release of Debian has: linux-source-6.1, -6.12, ...
source_package() {
	apt-cache depends linux-source 2>/dev/null | sed -n 's/.*Depends: \(linux-source-[0-9.]*\)$/\1/p' | head -n 1
}

download_source() {
	program apt-get >/dev/null ||
		fail "libperf: not known to pkg-config; make deps LINUX_SOURCE=linux-6.x.tar.xz builds it from a kernel's source"
	package=$(source_package)
	if [ -z "$package" ]; then
		[ "$(id -u)" = 0 ] || fail "no package lists: run this, then try again: sudo apt-get update"
		apt_update
		package=$(source_package)
	fi
	[ -n "$package" ] || fail "libperf: apt-get offers no linux-source package: $(why)"
	say "libperf: fetching $package (about 140 MB)"
	fetch_source || { [ "$(id -u)" = 0 ] && apt_update && fetch_source; } ||
		fail "libperf: cannot fetch $package: $(why) (all of it: build/deps/deps.log)"
}

# A package that is fetched and not installed needs no root.
fetch_source() {
	(cd "$work" && apt-get download "$package" </dev/null >>"$log" 2>&1) || return 1
	tarball=$work/$package.tar.xz
	dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -xO "./usr/src/$package.tar.xz" >"$tarball" &&
		rm "$work/$package"_*.deb
}

find_source() {
	if [ -n "${LINUX_SOURCE:-}" ]; then
		[ -r "$LINUX_SOURCE" ] || fail "libperf: cannot read LINUX_SOURCE=$LINUX_SOURCE"
		tarball=$LINUX_SOURCE
		return
	fi
	for tarball in /usr/src/linux-source-[0-9]*.tar.xz; do
		[ -r "$tarball" ] && return
	done
	download_source
}

unpack_source() {
	top=$(basename "$tarball" .tar.xz)
	say "libperf: unpacking what it needs of $(basename "$tarball")"
	xz -dc -T0 "$tarball" | tar -x -C "$work" --wildcards \
		"$top/tools/lib/perf" "$top/tools/lib/api" "$top/tools/lib/*.c" \
		"$top/tools/include" "$top/tools/arch/*/include" "$top/tools/scripts" \
		"$top/tools/build/Build*" "$top/tools/build/Makefile*" "$top/tools/build/fixdep.c" >>"$log" 2>&1 ||
		fail "libperf: $(basename "$tarball") is not a kernel's source as expected (see build/deps/deps.log)"
}

# libperf.a calls into libapi.a, which is built on the way and not installed.
# libperf.a comes last: where it is, all is.
build_libperf() {
	say "libperf: building"
	make -C "$work/$top/tools/lib/perf" CC="$cc" prefix="$work/out" libdir_relative=lib \
		install_lib install_headers >>"$log" 2>&1 ||
		fail "libperf: does not build (see build/deps/deps.log)"
	api=$(find "$work/$top/tools/lib" -name libapi.a | head -n 1)
	[ -n "$api" ] || fail "libperf: its build made no libapi.a (see build/deps/deps.log)"
	rm -rf "$dest/include" "$dest/lib" &&
		mkdir -p "$dest/lib" &&
		mv "$work/out/include" "$dest/include" &&
		mv "$api" "$dest/lib/libapi.a" &&
		mv "$work/out/lib/libperf.a" "$dest/lib/libperf.a" ||
		fail "libperf: cannot write to build/deps"
	say "libperf: built from $(basename "$tarball"), in build/deps"
}

libperf() {
	have_libperf && return
	: >"$log"
	work=$(mktemp -d "${TMPDIR:-/tmp}/perftab-deps.XXXXXX") || exit 1
	find_source
	unpack_source
	build_libperf
}

mkdir -p "$dest" || exit 1
packages
libperf
