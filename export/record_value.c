// SPDX-License-Identifier: GPL-2.0-only
/* Numbers, texts and bytes as they are; lists of words as text. */
#include "export/record_value.h"

#include <inttypes.h>
#include <stdio.h>

#include "reader/arena.h"

enum { WORD_SIZE = 21 };

/* "0xffffffff81000000 0x401000", or decimal for 32 bits */
static struct value words_value(const struct field_value *v, struct word_text *text)
{
	size_t size = v->kind == HOLDS_WORDS32 ? 4 : 8, nr = v->bytes.size / size, used = 0;
	struct cursor c = cur_new(v->bytes, v->swap);

	if (nr * WORD_SIZE + 1 > text->room) {
		text->room = nr * WORD_SIZE + 1;
		text->at = must_realloc(text->at, text->room, 1);
	}
	for (size_t i = 0; i < nr; i++) {
		char *to = text->at + used;
		int n = size == 4 ? snprintf(to, WORD_SIZE, "%" PRIu32 " ", cur_u32(&c)) :
				    snprintf(to, WORD_SIZE, "0x%" PRIx64 " ", cur_u64(&c));

		used += (size_t)n;
	}
	return value_textn(text->at, used ? used - 1 : 0);
}

struct value record_value(const struct field_value *v, struct word_text *text)
{
	switch (v->kind) {
	case HOLDS_NOTHING:
		break;
	case HOLDS_NUMBER:
	case HOLDS_SIGNED:
	case HOLDS_ADDRESS:
		return value_u64(v->number);
	case HOLDS_STRING:
		return value_textn(v->bytes.at, v->bytes.size);
	case HOLDS_BYTES:
		return value_blob(v->bytes.at, v->bytes.size);
	case HOLDS_WORDS:
	case HOLDS_WORDS32:
		return words_value(v, text);
	}
	return value_null();
}
