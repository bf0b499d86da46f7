#include "decide/undo/created.h"

#include <assert.h>

struct created_row {
	size_t at; /* in `packed` */
	uint8_t type;
	bool handled;
};

void drg_created_init(struct drg_created *c)
{
	c->n = 0;
	drg_buf_init(&c->rows, SIZE_MAX);
	drg_buf_init(&c->packed, SIZE_MAX);
	drg_tally_init(&c->dicts);
}

void drg_created_done(struct drg_created *c)
{
	drg_buf_done(&c->rows);
	drg_buf_done(&c->packed);
	drg_tally_done(&c->dicts);
}

static uint64_t created_dict_key(enum drg_kind kind, int64_t id)
{
	return ((uint64_t)id * 16 + (uint64_t)kind) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static uint64_t created_identity(const struct drg_type *t)
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < t->n_fields; i++)
		if ((t->fields[i].flags & DRG_FF_ID) != 0)
			bits |= drg_field_bit(t->fields[i].field);
	return bits;
}

int drg_created_add(struct drg_created *c, const struct drg_record *r)
{
	const struct created_row row = { .at = c->packed.n, .type = (uint8_t)r->type->id };
	struct drg_record key = *r;
	key.has &= created_identity(r->type);
	key.nulls = 0;
	drg_record_pack(&key, &c->packed);
	drg_buf_add(&c->rows, &row, sizeof row);
	if (c->packed.rc != DRG_OK || c->rows.rc != DRG_OK)
		return DRG_ENOMEM;
	c->n++;
	return r->type->id == DRG_TYPE_DICT
	               ? drg_tally_add(&c->dicts, created_dict_key(drg_record_kind(r), r->v[DRG_F_ID].i))
	               : DRG_OK;
}

static struct created_row *created_row_at(const struct drg_created *c, size_t i)
{
	assert(i < c->n);
	return (struct created_row *)(void *)c->rows.p + i;
}

void drg_created_at(const struct drg_created *c, size_t i, struct drg_record *ret)
{
	assert(i < c->n);
	const size_t at = created_row_at(c, i)->at;
	size_t used = drg_record_unpack(c->packed.p + at, c->packed.n - at, ret);
	assert(used > 0);
	(void)used;
}

enum drg_type_id drg_created_type(const struct drg_created *c, size_t i)
{
	assert(i < c->n);
	return (enum drg_type_id)created_row_at(c, i)->type;
}

void drg_created_mark_handled(struct drg_created *c, size_t i)
{
	assert(i < c->n);
	created_row_at(c, i)->handled = true;
}

bool drg_created_is_handled(const struct drg_created *c, size_t i)
{
	return created_row_at(c, i)->handled;
}

bool drg_created_has_dict(const struct drg_created *c, enum drg_kind kind, int64_t id)
{
	return drg_tally_get(&c->dicts, created_dict_key(kind, id)) > 0;
}
