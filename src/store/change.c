#include "store/change.h"

#include <assert.h>

void drg_change_first(const struct drg_record *r, int64_t seq, struct drg_row_meta *ret)
{
	assert(!r->deleted && seq > 0);
	*ret = (struct drg_row_meta){ seq, seq, seq, drg_record_has(r, DRG_F_DICT_ID) ? seq : 0, 0 };
}

/* Complete the record to be written. A tombstone keeps its identity only, a record the fields it omits. */
static void change_complete(struct drg_record *next, const struct drg_record *row)
{
	assert(next->type == row->type);
	for (unsigned i = 0; i < next->type->n_fields; i++) {
		const struct drg_field_def *f = &next->type->fields[i];
		uint64_t bit = drg_field_bit(f->field);
		if (next->deleted && (f->flags & DRG_FF_ID) == 0) {
			next->has &= ~bit;
		} else if ((f->flags & DRG_FF_KEEP) != 0 && ((next->has | next->nulls) & bit) == 0) {
			if (drg_record_has_value(row, f))
				drg_record_set_value(next, f, *drg_record_value(row, f));
		}
	}
}

/* Compare the row with its successor, and set the seqs. */
static void change_compare(const struct drg_record *row, int64_t seq, struct drg_row_change *c)
{
	const struct drg_record *next = &c->next;
	bool data = row->deleted != next->deleted, mapping = false;
	for (unsigned i = 0; i < next->type->n_fields; i++) {
		const struct drg_field_def *f = &next->type->fields[i];
		if (!drg_record_field_eq(f, row, next))
			*(f->field == DRG_F_DICT_ID ? &mapping : &data) = true;
	}
	if (!data && !mapping)
		return;
	bool created = row->deleted && !next->deleted;
	c->result = next->deleted ? DRG_PUT_DELETED : created ? DRG_PUT_CREATED : DRG_PUT_CHANGED;
	c->meta.seq = seq;
	if (created)
		c->meta.created_seq = seq;
	if (data)
		c->meta.data_seq = seq;
	if (mapping)
		c->meta.mapped_seq = seq;
}

void drg_change_put(const struct drg_record *row, const struct drg_row_meta *meta, const struct drg_record *r,
                    int64_t seq, struct drg_row_change *ret)
{
	assert(row->type == r->type && meta->seq <= seq);
	ret->result = DRG_PUT_SAME;
	ret->next = *r;
	ret->meta = *meta;
	change_complete(&ret->next, row);
	change_compare(row, seq, ret);
}
