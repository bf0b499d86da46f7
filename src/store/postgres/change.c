/* Rows that are overwritten are gathered by type and sent some hundred in a statement: that costs the server
 * a third of what one statement for each row costs. */
#include <assert.h>

#include "store/postgres/postgres_priv.h"

enum { FEW = 4, MAX_ROWS = 500, MAX_BYTES = 512 << 10, NUMBERS = 5 };

struct pg_changed {
	struct drg_str packed;
	struct drg_row_meta m;
};

/* The seqs and the deleted flag of a row, in the order of the statements. */
static void change_numbers(const struct drg_record *r, const struct drg_row_meta *m, int64_t *ret)
{
	const int64_t numbers[NUMBERS] = { r->deleted, m->seq, m->created_seq, m->data_seq, m->mapped_seq };
	memcpy(ret, numbers, sizeof numbers);
}

static int change_unpack(const struct pg_changed *c, struct drg_record *ret, struct drg_err *reterr)
{
	return drg_record_unpack(c->packed.p, c->packed.n, ret) > 0
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "a row that waits is damaged");
}

static int change_send_one(struct drg_store *s, const struct drg_type *t, const struct pg_changed *c,
                           struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	int64_t numbers[NUMBERS];
	struct drg_record r;
	int rc = change_unpack(c, &r, reterr);
	if (rc != DRG_OK)
		return rc;
	change_numbers(&r, &c->m, numbers);
	for (unsigned i = 0; i < NUMBERS; i++)
		drg_pg_param_i(&p, numbers[i]);
	for (unsigned i = 0; i < t->n_fields; i++)
		drg_pg_param_field(&p, &t->fields[i], &r);
	return drg_pg_queue(s, drg_pg_of_type(s, t, PG_UPDATE), &p, reterr);
}

/* Fill the arrays of a statement, one for each column. */
static int change_gather(const struct drg_type *t, const struct pg_changed *v, size_t n,
                         struct drg_buf *columns, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t k = 0; k < n && rc == DRG_OK; k++) {
		int64_t numbers[NUMBERS];
		struct drg_record r;
		rc = change_unpack(&v[k], &r, reterr);
		if (rc != DRG_OK)
			break;
		change_numbers(&r, &v[k].m, numbers);
		for (unsigned i = 0; i < NUMBERS; i++)
			drg_pg_array_element(&columns[i], NULL, &(const union drg_value){ .i = numbers[i] });
		for (unsigned i = 0; i < t->n_fields; i++) {
			const struct drg_field_def *f = &t->fields[i];
			const union drg_value *value =
			        drg_record_has_value(&r, f) ? drg_record_value(&r, f) : NULL;
			drg_pg_array_element(&columns[NUMBERS + i], f, value);
		}
	}
	return rc;
}

int drg_pg_queue_arrays(struct drg_store *s, struct pg_statement *st, const struct pg_arrays *a,
                        struct drg_err *reterr)
{
	struct drg_buf arrays[PG_MAX_PARAMS];
	struct pg_params p = { 0 };
	int rc = DRG_OK;
	for (unsigned i = 0; i < a->n_columns; i++) {
		drg_buf_init(&arrays[i], SIZE_MAX);
		drg_pg_array(&arrays[i], a->fields[i], (uint32_t)a->n, &a->columns[i]);
		drg_pg_param_array(&p, a->fields[i], drg_buf_view(&arrays[i]));
		if (a->columns[i].rc != DRG_OK || arrays[i].rc != DRG_OK)
			rc = DRG_ENOMEM;
	}
	for (unsigned i = 0; i < a->n_numbers; i++)
		drg_pg_param_i(&p, a->numbers[i]);
	rc = rc == DRG_OK ? drg_pg_queue(s, st, &p, reterr) : drg_fail_memory(reterr);
	for (unsigned i = 0; i < a->n_columns; i++)
		drg_buf_done(&arrays[i]);
	return rc;
}

static int change_send_many(struct drg_store *s, const struct drg_type *t, const struct pg_changed *v,
                            size_t n, struct drg_err *reterr)
{
	const struct drg_field_def *fields[PG_MAX_PARAMS];
	struct drg_buf columns[PG_MAX_PARAMS];
	const unsigned n_columns = NUMBERS + t->n_fields;
	assert(n_columns <= PG_MAX_PARAMS);
	for (unsigned i = 0; i < n_columns; i++) {
		fields[i] = i < NUMBERS ? NULL : &t->fields[i - NUMBERS];
		drg_buf_init(&columns[i], SIZE_MAX);
	}
	int rc = change_gather(t, v, n, columns, reterr);
	const struct pg_arrays a = { .fields = fields, .columns = columns, .n_columns = n_columns, .n = n };
	if (rc == DRG_OK)
		rc = drg_pg_queue_arrays(s, drg_pg_of_type(s, t, PG_UPDATE_ALL), &a, reterr);
	for (unsigned i = 0; i < n_columns; i++)
		drg_buf_done(&columns[i]);
	return rc;
}

static int change_flush_type(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	const struct pg_changed *v = (const struct pg_changed *)(const void *)s->changed[t->id].p;
	size_t n = s->changed[t->id].n / sizeof *v;
	int rc = n > FEW ? change_send_many(s, t, v, n, reterr) : DRG_OK;
	for (size_t i = 0; i < n && n <= FEW && rc == DRG_OK; i++)
		rc = change_send_one(s, t, &v[i], reterr);
	drg_buf_clear(&s->changed[t->id]);
	s->changed_bytes[t->id] = 0;
	s->changing[t->id]++;
	return rc;
}

int drg_pg_change_flush(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		if (s->changed[i].n > 0 && (t == NULL || t->id == i))
			rc = change_flush_type(s, &drg_types[i], reterr);
	return rc;
}

int drg_pg_change_row(struct drg_store *s, const struct drg_type *t, struct drg_str packed,
                      const struct drg_row_meta *m, struct drg_err *reterr)
{
	const struct pg_changed c = { packed, *m };
	struct drg_buf *changed = &s->changed[t->id];
	drg_buf_add(changed, &c, sizeof c);
	if (changed->rc != DRG_OK)
		return drg_fail_memory(reterr);
	s->changed_bytes[t->id] += packed.n;
	return changed->n >= MAX_ROWS * sizeof c || s->changed_bytes[t->id] >= MAX_BYTES
	               ? change_flush_type(s, t, reterr)
	               : DRG_OK;
}
