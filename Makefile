# perftab: see README.md.  `make deps`, `make`, `make demo`, `make test`.
CFLAGS ?= -O2 -g
B := build
PKGS := jansson sqlite3 libtraceevent libzstd zlib liblzma libdw libelf

WARN := -Wall -Wextra -Wshadow -Wconversion
CPPFLAGS += -I. -I$(B)/gen -isystem $(B)/deps/include -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDLIBS += $(B)/deps/lib/libperf.a $(B)/deps/lib/libapi.a $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
COMPILE = $(CC) -std=c11 $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP

LIB_SRC := $(wildcard reader/*.c metrics/*.c export/*.c) $(B)/gen/sets.c
CLI_SRC := $(wildcard cli/*.c)
TEST_SRC := $(wildcard tests/*.c) $(B)/gen/test_modules.c
obj = $(patsubst %.c,$(B)/obj/%.o,$(patsubst $(B)/gen/%,gen/%,$(1)))

all: $(B)/perftab

$(B)/perftab: $(call obj,$(CLI_SRC)) $(call obj,$(LIB_SRC))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests: $(call obj,$(TEST_SRC)) $(call obj,$(LIB_SRC))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<
$(B)/obj/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# The metric sets, as arrays of bytes: set_files[] of metrics/set.c
$(B)/gen/sets.c: metrics/sets/embed.sh $(wildcard metrics/sets/*.json)
	@mkdir -p $(@D)
	sh metrics/sets/embed.sh $(wildcard metrics/sets/*.json) > $@

# One `const struct test_module test_NAME` in each tests/test_NAME.c
$(B)/gen/test_modules.c: $(wildcard tests/test_*.c) Makefile
	@mkdir -p $(@D)
	sh tests/modules.sh $(wildcard tests/test_*.c) > $@

clean:
	rm -rf $(B)/obj $(B)/gen $(B)/perftab $(B)/tests

.PHONY: all clean
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
