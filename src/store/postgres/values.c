/* Converts values to and from PostgreSQL's binary formats. */
#include <assert.h>
#include <endian.h>
#include <string.h>

#include "store/postgres/postgres_priv.h"

enum {
	OID_INT8 = 20,
	OID_TEXT = 25,
	OID_FLOAT8 = 701,
	OID_TEXT_ARRAY = 1009,
	OID_INT8_ARRAY = 1016,
	OID_FLOAT8_ARRAY = 1022
};

/* ---- parameters ----------------------------------------------------------------------------------------- */

static void add_param(struct pg_params *p, Oid type, const char *value, size_t n)
{
	assert(p->n < PG_MAX_PARAMS);
	p->types[p->n] = type;
	p->values[p->n] = value;
	p->lengths[p->n] = (int)n;
	p->formats[p->n] = 1;
	p->n++;
}

static void add_number(struct pg_params *p, Oid type, uint64_t bits)
{
	uint64_t *at = &p->numbers[p->n];
	*at = htobe64(bits);
	add_param(p, type, (const char *)at, sizeof *at);
}

void drg_pg_param_i(struct pg_params *p, int64_t v)
{
	add_number(p, OID_INT8, (uint64_t)v);
}

void drg_pg_param_s(struct pg_params *p, struct drg_str v)
{
	add_param(p, OID_TEXT, v.n > 0 ? v.p : "", v.n);
}

static bool is_text(const struct drg_field_def *f)
{
	return f != NULL && drg_value_is_text(f->vtype);
}

static bool is_real(const struct drg_field_def *f)
{
	return f != NULL && f->vtype == DRG_V_REAL;
}

void drg_pg_param_array(struct pg_params *p, const struct drg_field_def *f, struct drg_str v)
{
	add_param(p, is_text(f) ? OID_TEXT_ARRAY : is_real(f) ? OID_FLOAT8_ARRAY : OID_INT8_ARRAY, v.p, v.n);
}

void drg_pg_param_field(struct pg_params *p, const struct drg_field_def *f, const struct drg_record *r)
{
	assert(drg_field_index(f->field) < DRG_F_COUNT);
	const union drg_value *v = drg_record_value(r, f);
	bool text = drg_value_is_text(f->vtype), real = f->vtype == DRG_V_REAL;
	uint64_t bits;
	if (!drg_record_has_value(r, f)) {
		add_param(p, text ? OID_TEXT : real ? OID_FLOAT8 : OID_INT8, NULL, 0);
	} else if (text) {
		drg_pg_param_s(p, v->s);
	} else if (real) {
		memcpy(&bits, &v->d, sizeof bits);
		add_number(p, OID_FLOAT8, bits);
	} else {
		drg_pg_param_i(p, v->i);
	}
}

void drg_pg_param_identity(struct pg_params *p, const struct drg_record *r)
{
	assert(r->type != NULL && r->type->n_fields <= PG_MAX_PARAMS);
	for (unsigned i = 0; i < drg_sql_n_identity(r->type); i++)
		drg_pg_param_field(p, &r->type->fields[i], r);
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

static void add_big_endian(struct drg_buf *b, uint64_t v, size_t n)
{
	while (n-- > 0)
		drg_buf_char(b, (char)(v >> 8 * n));
}

/* An element of an array: its length and its bytes. */
void drg_pg_array_element(struct drg_buf *b, const struct drg_field_def *f, const union drg_value *v)
{
	uint64_t bits;
	if (v == NULL) {
		add_big_endian(b, UINT32_MAX, 4);
	} else if (is_text(f)) {
		add_big_endian(b, v->s.n, 4);
		drg_buf_str(b, v->s);
	} else {
		memcpy(&bits, v, sizeof bits); /* an integer, or the bits of a real */
		add_big_endian(b, sizeof bits, 4);
		add_big_endian(b, bits, sizeof bits);
	}
}

/* An array: dimensions, whether there are NULLs (the server checks itself), type of the elements, their
 * number, index of the first, the elements. */
void drg_pg_array(struct drg_buf *b, const struct drg_field_def *f, uint32_t n,
                  const struct drg_buf *elements)
{
	assert(n > 0 || elements->n == 0);
	const uint64_t head[] = { 1, 0, is_text(f) ? OID_TEXT : is_real(f) ? OID_FLOAT8 : OID_INT8, n, 1 };
	for (size_t i = 0; i < DRG_ARRAY_LEN(head); i++)
		add_big_endian(b, head[i], 4);
	drg_buf_add(b, elements->p, elements->n);
}

/* ---- results -------------------------------------------------------------------------------------------- */

/* Integers of any width, and booleans. */
int64_t drg_pg_i(const PGresult *res, int row, int col)
{
	const char *p = PQgetvalue(res, row, col);
	uint64_t u;
	uint32_t u4;
	uint16_t u2;
	switch (PQgetlength(res, row, col)) {
	case 8: memcpy(&u, p, 8); return (int64_t)be64toh(u);
	case 4: memcpy(&u4, p, 4); return (int32_t)be32toh(u4);
	case 2: memcpy(&u2, p, 2); return (int16_t)be16toh(u2);
	case 1: return *p;
	default: return 0;
	}
}

struct drg_str drg_pg_s(const PGresult *res, int row, int col)
{
	return drg_str(PQgetvalue(res, row, col), (size_t)PQgetlength(res, row, col));
}

struct pg_at {
	const PGresult *res;
	int row;
};

static inline bool pg_value(const void *at, int col, const struct drg_field_def *f, union drg_value *ret)
{
	const struct pg_at *a = at;
	if (PQgetisnull(a->res, a->row, col) == 1)
		return false;
	int64_t i;
	if (drg_value_is_text(f->vtype)) {
		ret->s = drg_pg_s(a->res, a->row, col);
		return true;
	}
	i = drg_pg_i(a->res, a->row, col);
	if (f->vtype == DRG_V_REAL)
		memcpy(&ret->d, &i, sizeof ret->d);
	else
		ret->i = i;
	return true;
}

int drg_pg_read_row(const struct drg_store *s, const PGresult *res, int at, const struct drg_type *t,
                    struct drg_record *ret, struct drg_row_meta *ret_meta, struct drg_err *reterr)
{
	const struct pg_at where = { res, at };
	bool odd_words = ((const struct drg_store_head *)s)->odd_words;
	drg_record_init(ret, t);
	ret->deleted = drg_pg_i(res, at, COL_DELETED) != 0;
	ret_meta->seq = drg_pg_i(res, at, COL_SEQ);
	ret_meta->created_seq = drg_pg_i(res, at, COL_CREATED_SEQ);
	ret_meta->data_seq = drg_pg_i(res, at, COL_DATA_SEQ);
	ret_meta->mapped_seq = drg_pg_i(res, at, COL_MAPPED_SEQ);
	ret_meta->row = drg_pg_i(res, at, COL_ROW);
	return drg_sql_read_fields(t, odd_words, pg_value, &where, ret) ? DRG_OK : drg_pg_corrupt(s, reterr);
}
