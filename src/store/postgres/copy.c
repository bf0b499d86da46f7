/* New rows go to the server by COPY in its binary format: they are gathered by type and streamed until
 * another statement is to be sent. */
#include <assert.h>
#include <endian.h>
#include <stdio.h>

#include "store/postgres/postgres_priv.h"

/* Rows are sent when this many bytes are gathered; a transaction of a few rows sends them at its end. */
enum { CHUNK = 64 << 10 };

static const char signature[] = "PGCOPY\n\377\r\n"; /* the NUL at its end is a part of it */

static void add_u16(struct drg_buf *b, uint16_t v)
{
	v = htobe16(v);
	drg_buf_add(b, &v, sizeof v);
}

static void add_u32(struct drg_buf *b, uint32_t v)
{
	v = htobe32(v);
	drg_buf_add(b, &v, sizeof v);
}

static void add_u64(struct drg_buf *b, uint64_t v)
{
	v = htobe64(v);
	drg_buf_add(b, &v, sizeof v);
}

static void add_int2(struct drg_buf *b, int64_t v)
{
	assert(v >= INT16_MIN && v <= INT16_MAX);
	add_u32(b, sizeof(uint16_t));
	add_u16(b, (uint16_t)v);
}

static void add_int8(struct drg_buf *b, int64_t v)
{
	add_u32(b, sizeof v);
	add_u64(b, (uint64_t)v);
}

static void add_field(struct drg_buf *b, const struct drg_field_def *f, const struct drg_record *r)
{
	const union drg_value *v = drg_record_value(r, f);
	int64_t bits;
	if (!drg_record_has_value(r, f)) {
		add_u32(b, UINT32_MAX); /* NULL */
	} else if (drg_value_is_text(f->vtype)) {
		add_u32(b, (uint32_t)v->s.n);
		drg_buf_str(b, v->s);
	} else if (f->vtype == DRG_V_REAL) {
		memcpy(&bits, &v->d, sizeof bits);
		add_int8(b, bits);
	} else if (f->vtype == DRG_V_ENUM) {
		add_int2(b, v->i);
	} else {
		add_int8(b, v->i);
	}
}

/* Add the columns of a row. The server makes the number of a new row. */
static void add_row(struct drg_buf *b, const struct drg_record *r, const struct drg_row_meta *m,
                    bool numbered)
{
	const int64_t numbers[] = { m->seq, m->created_seq, m->data_seq, m->mapped_seq, m->row };
	size_t n = DRG_ARRAY_LEN(numbers) - !numbered;
	add_u16(b, (uint16_t)(1 + n + r->type->n_fields));
	add_int2(b, r->deleted);
	for (size_t i = 0; i < n; i++)
		add_int8(b, numbers[i]);
	for (unsigned i = 0; i < r->type->n_fields; i++)
		add_field(b, &r->type->fields[i], r);
}

static int copy_put(struct drg_store *s, const struct drg_buf *b, struct drg_err *reterr)
{
	if (b->rc != DRG_OK)
		return drg_fail_memory(reterr);
	if (PQputCopyData(s->conn, b->p, (int)b->n) != 1)
		return drg_pg_fail(s, NULL, reterr);
	return drg_pg_send_rest(s, reterr);
}

static int copy_open(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	assert(s->copying != t);
	struct drg_buf b;
	drg_sql_init(&b);
	drg_buf_printf(&b, "COPY dragoman.%s (deleted, seq, created_seq, data_seq, mapped_seq%s", t->name,
	               s->numbered ? ", \"row\"" : "");
	for (unsigned i = 0; i < t->n_fields; i++)
		drg_buf_printf(&b, ", \"%s\"", t->fields[i].wire);
	drg_buf_lit(&b, ") FROM STDIN (FORMAT binary)");
	drg_buf_char(&b, '\0');
	int rc = b.rc == DRG_OK ? drg_pg_script(s, b.p, NULL, reterr) : drg_fail_memory(reterr);
	drg_buf_clear(&b);
	drg_buf_add(&b, signature, sizeof signature);
	add_u32(&b, 0);
	add_u32(&b, 0);
	if (rc == DRG_OK) {
		s->copying = t;
		rc = copy_put(s, &b, reterr);
	}
	drg_buf_done(&b);
	return rc;
}

static int copy_send(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	struct drg_buf *rows = &s->gathered[t->id];
	int rc = s->copying != t ? copy_open(s, t, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = copy_put(s, rows, reterr);
	drg_buf_clear(rows);
	s->gathering[t->id]++;
	return rc;
}

int drg_pg_copy_row(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr)
{
	assert(r->type != NULL && m->seq >= 0);
	struct drg_buf *rows = &s->gathered[r->type->id];
	add_row(rows, r, m, s->numbered);
	return rows->n >= CHUNK || rows->rc != DRG_OK ? copy_send(s, r->type, reterr) : DRG_OK;
}

int drg_pg_copy_restored(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                         struct drg_err *reterr)
{
	s->numbered = true;
	return drg_pg_copy_row(s, r, m, reterr);
}

int drg_pg_copy_flush(struct drg_store *s, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		if (s->gathered[i].n > 0)
			rc = copy_send(s, &drg_types[i], reterr);
	return rc == DRG_OK ? drg_pg_copy_end(s, reterr) : rc;
}

int drg_pg_copy_end(struct drg_store *s, struct drg_err *reterr)
{
	static const char trailer[] = { '\377', '\377' };
	PGresult *res;
	if (s->copying == NULL)
		return DRG_OK;
	s->copying = NULL;
	int rc = PQputCopyData(s->conn, trailer, sizeof trailer) == 1 && PQputCopyEnd(s->conn, NULL) == 1
	                 ? DRG_OK
	                 : drg_pg_fail(s, NULL, reterr);
	while (drg_pg_await(s) && (res = PQgetResult(s->conn)) != NULL) {
		if (PQresultStatus(res) != PGRES_COMMAND_OK && rc == DRG_OK)
			rc = drg_pg_fail(s, res, reterr);
		PQclear(res);
		if (drg_pg_broken(s))
			break;
	}
	return rc == DRG_OK && drg_pg_broken(s) ? drg_pg_fail(s, NULL, reterr) : rc;
}
