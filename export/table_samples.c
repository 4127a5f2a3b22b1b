// SPDX-License-Identifier: GPL-2.0-only
/* Rows sample, sample_read, branch, sample_data, sample_register. */
#include "export/sample_rows.h"
#include "reader/data_src.h"
#include "reader/id_map.h"
#include "reader/tracing.h"

static struct value id_or_null(int64_t id)
{
	return id ? value_int(id) : value_null();
}

static struct value where_set(uint64_t have, uint64_t bit, uint64_t v)
{
	return have & bit ? value_u64(v) : value_null();
}

static int put_reads(struct rows *r, const struct analysis *a, const struct sample *s, int64_t sample_id, struct error *err)
{
	const struct read_block *b = &s->read;

	for (size_t i = 0; i < b->nr; i++) {
		struct read_value v = read_value_at(b, i);
		int32_t event = b->format & READ_ID ? id_map_find(a->capture->ids, v.id) : -1;
		const struct value values[] = {
			value_int(sample_id),
			event >= 0 ? value_int(r->first_event + event) : b->format & READ_GROUP ? value_null() :
										 value_int(r->first_event + s->event),
			value_u64(v.value),
			where_set(b->format, READ_ENABLED, b->enabled),
			where_set(b->format, READ_RUNNING, b->running),
			where_set(b->format, READ_LOST, v.lost),
		};

		if (rows_put(r, &table_sample_read, values, err))
			return -1;
	}
	return 0;
}

static int put_branches(struct rows *r, const struct sample *s, int64_t sample_id, struct error *err)
{
	size_t nr = branches_nr(&s->branches);

	for (size_t i = 0; i < nr; i++) {
		struct branch b = branch_at(&s->branches, i);
		const struct value values[] = {
			value_int(sample_id),  value_u64(i),       value_u64(b.from),     value_u64(b.to),
			value_int(b.mispredicted), value_int(b.predicted), value_int(b.in_tx), value_int(b.abort),
			value_int(b.cycles),   value_int(b.type),  value_int(b.spec),     value_int(b.priv),
			s->branches.counters.nr ? value_u64(b.counters) : value_null(),
		};

		if (rows_put(r, &table_branch, values, err))
			return -1;
	}
	return 0;
}

static int put_registers(struct rows *r, const struct registers *regs, const char *at, int64_t sample_id,
			 struct error *err)
{
	size_t nr = 0;

	for (unsigned bit = 0; bit < 64 && nr < regs->values.nr; bit++) {
		struct value values[4];

		if (!(regs->mask >> bit & 1))
			continue;
		values[0] = value_int(sample_id);
		values[1] = value_text(at);
		values[2] = value_int(bit);
		values[3] = value_u64(words_at(&regs->values, nr++));
		if (rows_put(r, &table_sample_register, values, err))
			return -1;
	}
	return 0;
}

static struct value word_or_null(const char *word)
{
	return *word ? value_text(word) : value_null();
}

static int put_data(struct rows *r, const struct sample *s, int64_t sample_id, struct error *err)
{
	const uint64_t weights = SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT;
	struct data_src d = { "", "", "", "", "", "" };
	struct value v[21];

	if (s->have & SAMPLE_DATA_SRC)
		data_src_decode(s->data_src, &d);
	v[0] = value_int(sample_id);
	v[1] = where_set(s->have, SAMPLE_ADDR, s->addr);
	v[2] = where_set(s->have, SAMPLE_PHYS_ADDR, s->phys_addr);
	v[3] = where_set(s->have, SAMPLE_DATA_SRC, s->data_src);
	v[4] = word_or_null(d.op);
	v[5] = word_or_null(d.level);
	v[6] = word_or_null(d.snoop);
	v[7] = word_or_null(d.lock);
	v[8] = word_or_null(d.tlb);
	v[9] = word_or_null(d.blocked);
	v[10] = where_set(s->have, weights, s->weight);
	v[11] = where_set(s->have, SAMPLE_WEIGHT_STRUCT, s->weight2);
	v[12] = where_set(s->have, SAMPLE_WEIGHT_STRUCT, s->weight3);
	v[13] = where_set(s->have, SAMPLE_TRANSACTION, s->transaction);
	v[14] = where_set(s->have, SAMPLE_DATA_PAGE_SIZE, s->data_page_size);
	v[15] = where_set(s->have, SAMPLE_CODE_PAGE_SIZE, s->code_page_size);
	v[16] = where_set(s->have, SAMPLE_CGROUP, s->cgroup);
	v[17] = where_set(s->have, SAMPLE_STREAM_ID, s->stream_id);
	v[18] = where_set(s->have, SAMPLE_STACK_USER, s->stack_size);
	v[19] = where_set(s->have, SAMPLE_AUX, s->aux.size);
	v[20] = s->branches.has_hw_idx ? value_u64(s->branches.hw_idx) : value_null();
	return rows_put(r, &table_sample_data, v, err);
}

/* What only some samples have, each kind in its own table. */
static int put_more(struct rows *r, const struct analysis *a, const struct sample *s, int64_t sample_id,
		    struct error *err)
{
	const uint64_t data = SAMPLE_ADDR | SAMPLE_PHYS_ADDR | SAMPLE_DATA_SRC | SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT |
			      SAMPLE_TRANSACTION | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE | SAMPLE_CGROUP |
			      SAMPLE_STREAM_ID | SAMPLE_STACK_USER | SAMPLE_AUX;

	if (s->have & SAMPLE_READ && put_reads(r, a, s, sample_id, err))
		return -1;
	if (s->have & SAMPLE_BRANCH_STACK && put_branches(r, s, sample_id, err))
		return -1;
	if (s->have & data && put_data(r, s, sample_id, err))
		return -1;
	if (s->have & SAMPLE_REGS_USER && put_registers(r, &s->regs_user, "user", sample_id, err))
		return -1;
	if (s->have & SAMPLE_REGS_INTR && put_registers(r, &s->regs_intr, "interrupt", sample_id, err))
		return -1;
	if (s->have & SAMPLE_RAW && s->raw.size)
		return rows_raw(r, a, s, sample_id, err);
	return 0;
}

static int put_sample(struct rows *r, const struct analysis *a, const struct sample *s, struct error *err)
{
	const uint64_t more = ~(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_ID |
				SAMPLE_IDENTIFIER | SAMPLE_CALLCHAIN);
	struct resolved at = { 0, 0, 0 };
	int64_t thread = 0, path = 0, id = r->sample_id++;
	struct value v[10];

	if (s->have & SAMPLE_TID && context_thread(r, r->context, s->pid, s->tid, s->time_ns, &thread, err))
		return -1;
	if (s->have & SAMPLE_IP &&
	    context_resolve(r, r->context, s->pid, s->time_ns, s->misc & MISC_CPUMODE, s->ip, &at, err))
		return -1;
	if (s->have & SAMPLE_CALLCHAIN && context_call_path(r, r->context, s, &path, err))
		return -1;
	if (a->visitor_adds && a->parts && at.symbol)
		parts_add(a->parts, s, context_symbol_number(r->context, at.symbol));
	v[0] = value_int(r->first_event + s->event);
	v[1] = where_set(s->have, SAMPLE_TIME, s->time_ns);
	v[2] = s->cpu >= 0 ? value_int(s->cpu) : value_null();
	v[3] = id_or_null(thread);
	v[4] = id_or_null(at.image);
	v[5] = where_set(s->have, SAMPLE_IP, s->ip - at.address);
	v[6] = id_or_null(at.symbol);
	v[7] = s->have & SAMPLE_PERIOD || s->period ? value_u64(s->period) : value_null();
	v[8] = id_or_null(path);
	v[9] = value_int(id);
	if (rows_put(r, &table_sample, v, err))
		return -1;
	return s->have & more ? put_more(r, a, s, id, err) : 0;
}

static void name_for_tracepoints(const struct analysis *a, const struct item *item)
{
	struct comm_record comm;

	if (a->capture->tracing && record_comm(item->record, item->layout, &comm) == 0)
		tracing_comm(a->capture->tracing, comm.comm, comm.tid);
}

int rows_item(struct rows *r, const struct analysis *a, const struct item *item, struct error *err)
{
	if (!r->context)
		r->context = context_new(r, a->locator);
	if (item->kind == ITEM_SAMPLE)
		return put_sample(r, a, item->sample, err);
	if (item->record->type == RECORD_COMM)
		name_for_tracepoints(a, item);
	if (context_record(r, r->context, item, err))
		return -1;
	return rows_record(r, a, item, err);
}

int rows_items_end(struct rows *r, struct error *err)
{
	int result = r->context ? context_end(r, r->context, err) : 0;

	context_free(r->context);
	r->context = NULL;
	return result;
}
