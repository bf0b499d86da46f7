#include "admin/backup/layout.h"

_Static_assert((int)DRG_TYPE_COUNT + (int)DRG_SIDE_TABLES <= DRG_LAYOUT_SORTS,
               "blocks that are written can be read");

/* ---- columns ------------------------------------------------------------------------------------------- */

static char letter_of_field(const struct drg_field_def *f)
{
	return drg_value_is_text(f->vtype) ? 's' : f->vtype == DRG_V_REAL ? 'r' : 'i';
}

static char letter_of_side(const struct drg_side_column *c)
{
	return c->type == DRG_SIDE_TEXT ? 's' : 'i';
}

void drg_layout_write(struct drg_buf *out)
{
	for (const struct drg_type *t = drg_types; t < drg_types + DRG_TYPE_COUNT; t++) {
		drg_buf_printf(out, "records %s", t->name);
		for (unsigned i = 0; i < t->n_fields; i++)
			drg_buf_printf(out, " %s:%c", t->fields[i].wire, letter_of_field(&t->fields[i]));
		drg_buf_char(out, '\n');
	}
	for (const struct drg_side *s = drg_sides; s < drg_sides + DRG_SIDE_TABLES; s++) {
		drg_buf_printf(out, "beside %s", s->name);
		for (unsigned i = 0; i < s->n_columns; i++)
			drg_buf_printf(out, " %s:%c", s->columns[i].name, letter_of_side(&s->columns[i]));
		drg_buf_char(out, '\n');
	}
}

static bool layout_find_column(const struct drg_layout_sort *sort, struct drg_str name, char letter,
                               struct drg_layout_column *ret)
{
	*ret = (struct drg_layout_column){ NULL, NULL };
	for (unsigned i = 0; sort->type != NULL && i < sort->type->n_fields; i++)
		if (drg_str_eq(name, drg_str_c(sort->type->fields[i].wire)))
			ret->field = &sort->type->fields[i];
	for (unsigned i = 0; sort->type == NULL && i < drg_sides[sort->side].n_columns; i++)
		if (drg_str_eq(name, drg_str_c(drg_sides[sort->side].columns[i].name)))
			ret->side = &drg_sides[sort->side].columns[i];
	return (ret->field != NULL && letter_of_field(ret->field) == letter) ||
	       (ret->side != NULL && letter_of_side(ret->side) == letter);
}

static bool layout_find_sort(struct drg_layout_sort *sort, bool records, struct drg_str name)
{
	for (unsigned i = 0; records && i < DRG_TYPE_COUNT; i++)
		if (drg_str_eq(name, drg_str_c(drg_types[i].name)))
			sort->type = &drg_types[i];
	for (unsigned i = 0; !records && i < DRG_SIDE_TABLES; i++)
		if (drg_str_eq(name, drg_str_c(drg_sides[i].name))) {
			sort->side = (enum drg_side_id)i;
			return true;
		}
	return sort->type != NULL;
}

int drg_layout_read(struct drg_layout *l, bool records, struct drg_str line)
{
	struct drg_layout_sort *sort = &l->sorts[l->n];
	struct drg_str word;
	if (l->n == DRG_LAYOUT_SORTS)
		return DRG_EINVAL;
	*sort = (struct drg_layout_sort){ .type = NULL };
	if (!drg_str_split(&line, ' ', &word) || !layout_find_sort(sort, records, word))
		return DRG_EINVAL;
	while (drg_str_split(&line, ' ', &word)) {
		if (sort->n == DRG_LAYOUT_COLUMNS || word.n < 3 || word.p[word.n - 2] != ':' ||
		    !layout_find_column(sort, drg_str(word.p, word.n - 2), word.p[word.n - 1],
		                        &sort->columns[sort->n]))
			return DRG_EINVAL;
		sort->n++;
	}
	l->n++;
	return DRG_OK;
}

/* ---- records ---------------------------------------------------------------------------------------------
 * Deleted (a byte), row and the seqs, two sets of columns (those that are there, those that are null), the
 * values. */

void drg_layout_pack_row(const struct drg_record *r, const struct drg_row_meta *m, struct drg_buf *out)
{
	const struct drg_type *t = r->type;
	uint64_t has = 0, nulls = 0;
	for (unsigned i = 0; i < t->n_fields; i++) {
		has |= (uint64_t)drg_record_has_value(r, &t->fields[i]) << i;
		nulls |= (uint64_t)drg_record_is_null(r, &t->fields[i]) << i;
	}
	drg_buf_char(out, r->deleted ? 1 : 0);
	drg_pack_i(out, m->row);
	drg_pack_i(out, m->seq);
	drg_pack_i(out, m->created_seq);
	drg_pack_i(out, m->data_seq);
	drg_pack_i(out, m->mapped_seq);
	drg_pack_u(out, has);
	drg_pack_u(out, nulls);
	for (unsigned i = 0; i < t->n_fields; i++)
		if ((has >> i & 1) != 0)
			drg_value_pack(t->fields[i].vtype, drg_record_value(r, &t->fields[i]), out);
}

/* Bits for all columns of a sort. */
static uint64_t columns_of(const struct drg_layout_sort *sort)
{
	return sort->n < 64 ? (UINT64_C(1) << sort->n) - 1 : UINT64_MAX;
}

bool drg_layout_unpack_row(const struct drg_layout_sort *sort, struct drg_packed *from,
                           struct drg_record *ret, struct drg_row_meta *ret_meta)
{
	drg_record_init(ret, sort->type);
	const char *deleted = drg_unpack_bytes(from, 1);
	ret->deleted = deleted != NULL && *deleted != 0;
	ret_meta->row = drg_unpack_i(from);
	ret_meta->seq = drg_unpack_i(from);
	ret_meta->created_seq = drg_unpack_i(from);
	ret_meta->data_seq = drg_unpack_i(from);
	ret_meta->mapped_seq = drg_unpack_i(from);
	uint64_t has = drg_unpack_u(from), nulls = drg_unpack_u(from);
	if (((has | nulls) & ~columns_of(sort)) != 0)
		return false;
	for (unsigned i = 0; i < sort->n; i++) {
		const struct drg_field_def *f = sort->columns[i].field;
		if ((nulls >> i & 1) != 0)
			ret->nulls |= drg_field_bit(f->field);
		if ((has >> i & 1) == 0)
			continue;
		drg_value_unpack(f->vtype, from, drg_record_room(ret, f));
		ret->has |= drg_field_bit(f->field);
	}
	return !from->cut;
}

/* ---- side tables: the values --------------------------------------------------------------------------- */

void drg_layout_pack_side(enum drg_side_id side, const void *row, struct drg_buf *out)
{
	for (unsigned i = 0; i < drg_sides[side].n_columns; i++) {
		const struct drg_side_value v = drg_side_value(&drg_sides[side].columns[i], row);
		if (v.is_text)
			drg_pack_s(out, v.v.s);
		else
			drg_pack_i(out, v.v.i);
	}
}

bool drg_layout_unpack_side(const struct drg_layout_sort *sort, struct drg_packed *from,
                            union drg_side_row *ret)
{
	const struct drg_side *side = &drg_sides[sort->side];
	/* Columns that the file does not have get 0, or an empty text. */
	for (unsigned i = 0; i < side->n_columns; i++)
		if (side->columns[i].type == DRG_SIDE_TEXT)
			drg_side_set_s(ret, &side->columns[i], DRG_STR(""));
		else
			drg_side_set_i(ret, &side->columns[i], 0);
	for (unsigned i = 0; i < sort->n; i++)
		if (sort->columns[i].side->type == DRG_SIDE_TEXT)
			drg_side_set_s(ret, sort->columns[i].side, drg_unpack_s(from));
		else
			drg_side_set_i(ret, sort->columns[i].side, drg_unpack_i(from));
	return !from->cut;
}
