/* Identities as bytes: the type and its fields, each text with its length before it. Identities that differ
 * in the last field only are looked up together, which costs the server least. */
#include <assert.h>
#include <stdlib.h>

#include "store/postgres/postgres_priv.h"

void drg_pg_key_build(struct drg_buf *key, const struct drg_record *r)
{
	drg_buf_clear(key);
	drg_buf_char(key, (char)r->type->id);
	for (unsigned i = 0; i < drg_sql_n_identity(r->type); i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		const union drg_value *v = drg_record_value(r, f);
		if (drg_value_is_text(f->vtype)) {
			drg_buf_add(key, &v->s.n, sizeof v->s.n);
			drg_buf_str(key, v->s);
		} else {
			drg_buf_add(key, &v->i, sizeof v->i);
		}
	}
}

/* Read an identity from its bytes. @return the length of all but the last field. */
static size_t key_read(const struct drg_type *t, struct drg_str key, struct drg_record *ret)
{
	size_t at = 1, last = 0;
	drg_record_init(ret, t);
	for (unsigned i = 0; i < drg_sql_n_identity(t); i++) {
		const struct drg_field_def *f = &t->fields[i];
		union drg_value *v = drg_record_room(ret, f);
		last = at;
		if (drg_value_is_text(f->vtype)) {
			memcpy(&v->s.n, key.p + at, sizeof v->s.n);
			v->s.p = key.p + at + sizeof v->s.n;
			at += sizeof v->s.n + v->s.n;
		} else {
			memcpy(&v->i, key.p + at, sizeof v->i);
			at += sizeof v->i;
		}
		ret->has |= drg_field_bit(f->field);
	}
	assert(at == key.n);
	return last;
}

static int by_bytes(const void *a, const void *b)
{
	const struct drg_str *x = a, *y = b;
	int order = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);
	return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

size_t drg_pg_key_run(const struct drg_type *t, const struct drg_str *keys, size_t n)
{
	struct drg_record r;
	assert(n > 0);
	size_t prefix = key_read(t, keys[0], &r), i = 1;
	while (i < n && keys[i].n > prefix && memcmp(keys[i].p, keys[0].p, prefix) == 0)
		i++;
	return i;
}

void drg_pg_key_sort(const struct drg_type *t, struct drg_str *keys, size_t n)
{
	if (drg_pg_key_run(t, keys, n) < n)
		qsort(keys, n, sizeof *keys, by_bytes);
}

int drg_pg_find_run(struct drg_store *s, const struct drg_type *t, const struct drg_str *keys, size_t n,
                    PGresult **ret, struct drg_err *reterr)
{
	const struct drg_field_def *last = &t->fields[drg_sql_n_identity(t) - 1];
	struct drg_buf elements, array;
	struct pg_params p = { 0 };
	struct drg_record r;
	drg_buf_init(&elements, SIZE_MAX);
	drg_buf_init(&array, SIZE_MAX);
	for (size_t i = n; i-- > 0;) {
		key_read(t, keys[i], &r);
		drg_pg_array_element(&elements, last, drg_record_value(&r, last));
	}
	drg_pg_array(&array, last, (uint32_t)n, &elements);
	for (const struct drg_field_def *f = t->fields; f != last; f++)
		drg_pg_param_field(&p, f, &r);
	drg_pg_param_array(&p, last, drg_buf_view(&array));
	int rc = array.rc != DRG_OK || elements.rc != DRG_OK
	                 ? drg_fail_memory(reterr)
	                 : drg_pg_exec(s, drg_pg_of_type(s, t, PG_FIND_ALL), &p, ret, reterr);
	drg_buf_done(&elements);
	drg_buf_done(&array);
	return rc;
}
