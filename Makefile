# SPDX-License-Identifier: GPL-2.0-only
#
# make deps      gets the libraries (demo and test do it by themselves)
# make           builds build/perftab
# make demo      the main job over fixtures/, into build/demo/
# make test      all tests
#
# make san       the tests under AddressSanitizer and UBSan
# make fuzz      each fuzz driver for FUZZ_TIME seconds
# make golden    the cases of tests/golden.list; golden-accept NAME=x takes what one of them prints now
# make bench     measures perftab beside perf
# make lint      compiler warnings as errors, clang-tidy, cppcheck
# make format    lays the .c files out as .clang-format says
# make install   PREFIX=/usr/local DESTDIR=
# make clean     removes what was built, but not the libraries of `make deps`

CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
FUZZ_TIME ?= 60

# B is where things are built: build, and build/san and build/fuzz for those configurations.
B := build
DEPS := build/deps

# --- libraries

PKGS := jansson sqlite3 libtraceevent libzstd zlib liblzma libdw libelf
ifeq ($(wildcard $(DEPS)/lib/libperf.a),)
PKGS += libperf
LIBPERF :=
else
LIBPERF := $(DEPS)/lib/libperf.a $(DEPS)/lib/libapi.a
endif
# used where it is there: instructions as text
EXTRA := $(shell pkg-config --exists capstone && echo capstone)
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) $(EXTRA) 2>/dev/null) \
	$(if $(EXTRA),-DWITH_CAPSTONE)
PKG_LIBS := $(shell pkg-config --libs $(PKGS) $(EXTRA) 2>/dev/null)

WARN := -Wall -Wextra -Wshadow -Wconversion
INCLUDE := -I. -I$(B)/gen -isystem $(DEPS)/include $(PKG_CFLAGS)
LIBS := $(LIBPERF) $(PKG_LIBS) -liberty -lm
COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(INCLUDE) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS) -Wl,--as-needed $(LDFLAGS)

# One short line for each file; `make V=1` shows the commands.
Q := $(if $(V),,@)
SAY = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,echo '  $(1)')

# --- sources, by where they lie

LIB_SRC := $(wildcard reader/*.c metrics/*.c export/*.c) $(B)/gen/sets.c
CLI_SRC := $(wildcard cli/*.c)
FUZZ_SRC := $(wildcard tests/fuzz_*.c)
TEST_SRC := $(filter-out $(FUZZ_SRC),$(wildcard tests/*.c)) $(B)/gen/test_modules.c
# what tests and fuzz drivers share: tests/perfdata.c and the like
HELP_SRC := $(filter-out $(FUZZ_SRC) tests/main.c tests/test_%.c,$(wildcard tests/*.c))
OUR_SRC := $(wildcard reader/*.c metrics/*.c export/*.c cli/*.c tests/*.c bench/*.c)
obj = $(patsubst %.c,$(B)/obj/%.o,$(patsubst $(B)/gen/%,gen/%,$(1)))

all: $(B)/perftab

$(B)/perftab: $(call obj,$(CLI_SRC)) $(call obj,$(LIB_SRC))
	@$(call SAY,LINK $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(LDLIBS)

$(B)/tests: $(call obj,$(TEST_SRC)) $(call obj,$(LIB_SRC))
	@$(call SAY,LINK $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) -lcmocka $(LDLIBS)

$(B)/fuzz_%: $(B)/obj/tests/fuzz_%.o $(call obj,$(HELP_SRC)) $(call obj,$(LIB_SRC))
	@$(call SAY,LINK $@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS) -lcmocka $(LDLIBS)

$(B)/bench/%: $(B)/obj/bench/%.o
	@mkdir -p $(@D)
	@$(call SAY,LINK $@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

$(B)/obj/%.o: %.c $(B)/obj/command
	@mkdir -p $(@D)
	@$(call SAY,CC   $<)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<
$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/obj/command
	@mkdir -p $(@D)
	@$(call SAY,CC   $<)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

# The metric sets, as arrays of bytes: set_files[] of metrics/set.c
$(B)/gen/sets.c: metrics/sets/embed.sh $(wildcard metrics/sets/*.json) $(B)/gen/names
	@$(call SAY,GEN  $@)
	$(Q)sh metrics/sets/embed.sh $(wildcard metrics/sets/*.json) > $@

# One `const struct test_module test_NAME` in each tests/test_NAME.c
$(B)/gen/test_modules.c: tests/modules.sh $(B)/gen/names
	@$(call SAY,GEN  $@)
	$(Q)sh tests/modules.sh $(wildcard tests/test_*.c) > $@

# Objects of two configurations do not mix: when another compiler or other flags are
# asked for, this file changes, and everything is built again.
same_or_write = @mkdir -p $(@D); echo '$(subst ','\'',$(1))' | cmp -s - $@ || echo '$(subst ','\'',$(1))' > $@
$(B)/obj/command: FORCE
	@pkg-config --exists $(PKGS) || { echo "libraries are missing: run 'make deps'" >&2; exit 1; }
	$(call same_or_write,$(COMPILE) $(LDFLAGS) $(LIBS))
# ... and likewise when a file comes or goes that the generated sources list.
$(B)/gen/names: FORCE
	$(call same_or_write,$(wildcard metrics/sets/*.json tests/test_*.c))
FORCE:

# --- verbs

# Flags come from pkg-config when make starts, so what needs libraries is done by a second
# make, after deps: `test` runs `do-test`.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
demo test san fuzz golden bench lint: deps
	@$(MAKE) --no-print-directory $(JOBS) do-$@

deps:
	@CC='$(CC)' LINUX_SOURCE='$(LINUX_SOURCE)' ./deps.sh

do-demo: $(B)/perftab
	@mkdir -p $(B)/demo
	$(B)/perftab report fixtures/sha256.data
	$(B)/perftab convert fixtures/sha256.data --force -o $(B)/demo/sha256.db -o $(B)/demo/sha256.md -o $(B)/demo/sha256/
	@echo "written: $(B)/demo/sha256.db, $(B)/demo/sha256.md, $(B)/demo/sha256/"

do-test: $(B)/perftab $(B)/tests
	@PERFTAB=$(B)/perftab sh tests/run.sh $(B)/tests $(wildcard tests/test_*.sh)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
do-san:
	@$(MAKE) --no-print-directory B=build/san CFLAGS='-O1 -g -fno-omit-frame-pointer $(SANITIZE)' do-test

# Inputs that reach new code are kept in build/fuzz/NAME.corpus; what fails is left in build/fuzz/.
do-fuzz:
	@mkdir -p build/fuzz
	@if ! echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		clang -x c -fsanitize=fuzzer,address -o build/fuzz/probe - 2>/dev/null; then \
		echo "fuzz: skipped, it needs clang with libFuzzer (Debian: clang and libclang-rt-dev)"; \
	else \
		$(MAKE) --no-print-directory B=build/fuzz CC=clang run-fuzz \
			CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'; \
	fi
run-fuzz: $(patsubst tests/%.c,$(B)/%,$(FUZZ_SRC))
	@set -e; for f in $^; do \
		echo "fuzz: $$f for $(FUZZ_TIME) seconds"; mkdir -p $$f.corpus; \
		$$f -max_total_time=$(FUZZ_TIME) -rss_limit_mb=1024 -timeout=10 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=$$f. $$f.corpus fixtures; \
	done

do-golden: $(B)/perftab
	@PERFTAB=$(B)/perftab sh tests/test_golden.sh
golden-accept: $(B)/perftab
	@PERFTAB=$(B)/perftab sh tests/test_golden.sh accept '$(NAME)'

do-bench: $(B)/perftab $(B)/bench/gen $(B)/bench/measure
	@PERFTAB=$(B)/perftab TOOLS=$(B)/bench sh bench/run.sh

# gcc and clang with warnings as errors, then clang-tidy and cppcheck; each one that is here.
# Left out of clang-tidy: what it takes for a mistake and is our way (sizes of arrays of
# pointers, strcmp() as a truth); of cppcheck: that it cannot read compound literals after "?".
TIDY := bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,-bugprone-sizeof-expression,$\
	-bugprone-implicit-widening-of-multiplication-result,-bugprone-suspicious-string-compare,$\
	-bugprone-not-null-terminated-result,-bugprone-reserved-identifier,-bugprone-branch-clone,-bugprone-integer-division,-bugprone-signal-handler,-bugprone-suspicious-memory-comparison
do-lint: $(B)/gen/sets.c $(B)/gen/test_modules.c
	@failed=0; \
	have() { command -v $$1 >/dev/null || { echo "lint: no $$1, skipped"; return 1; }; }; \
	for cc in gcc clang; do have $$cc || continue; for f in $(OUR_SRC); do \
		$$cc -std=c11 -D_GNU_SOURCE $(WARN) -Werror $(INCLUDE) -O2 -fsyntax-only $$f || failed=1; \
	done; done; \
	if have clang-tidy; then \
		clang-tidy --quiet --warnings-as-errors='*' --checks='-*,$(TIDY)' $(OUR_SRC) \
			-- -std=c11 -D_GNU_SOURCE $(INCLUDE) 2>$(B)/lint.log || { failed=1; grep error: $(B)/lint.log; }; \
	fi; \
	if have cppcheck; then \
		cppcheck --quiet -j2 --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
			--suppress=missingInclude --suppress=internalAstError -I. -D_GNU_SOURCE $(OUR_SRC) || failed=1; \
	fi; \
	exit $$failed

format:
	clang-format -i $(OUR_SRC)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/perftab $(DESTDIR)$(PREFIX)/bin/perftab
	install -m 644 docs/perftab.1 $(DESTDIR)$(PREFIX)/share/man/man1/perftab.1

clean:
	rm -rf $(filter-out $(DEPS),$(wildcard $(B)/*))

.PHONY: all deps demo test san fuzz golden bench lint format install clean golden-accept FORCE \
	do-demo do-test do-san do-fuzz do-golden do-bench do-lint run-fuzz
.SECONDARY:
.DELETE_ON_ERROR:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
