/* Rows in a transaction.
 *
 * The transaction's lock makes this handle the only writer, so rows that it has looked up stay true, except
 * for its own writes. Rows and missing rows are remembered: a put costs a round trip only for an unknown
 * identity. If identities come in order, as in an import, a look-up reads ahead, further the more it is used;
 * between its rows no others exist. A caller announces its puts if it can (drg_txn_prefetch()): one round trip
 * reads all. */
#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hashtab.h"
#include "store/postgres/ops_priv.h"

static const size_t MAX_REMEMBERED = 128u << 20;

/* The remembered state of an identity. */
struct pg_known {
	const char *key;
	uint32_t key_n, packed_n;
	const char *packed; /* the row as this transaction left it; NULL: see res */
	struct drg_row_meta m;
	const PGresult *res; /* the row as it was found; also NULL: no such row */
	int at;
	unsigned long gathering; /* if equal to the present number: the row waits to be copied */
	unsigned long changing; /* if equal to the present number: the row waits to replace the stored one */
	unsigned long expected; /* the round in which the row is to be looked up; 0: it was looked up */
};

/* Identities of a type that the transaction will ask for. */
struct pg_expected {
	struct drg_buf keys; /* struct drg_str, in the arena */
	unsigned long round;
};

struct pg_rows {
	struct drg_arena arena;
	struct drg_buf key, packed; /* buffers to build in */
	struct drg_buf known; /* struct pg_known, indexed by the numbers of the table */
	struct drg_hashtab table;
	struct drg_buf results; /* PGresult *, cleared at the end */
	unsigned written; /* types of which this transaction has written rows, a bit for each */
	struct pg_range range[DRG_TYPE_COUNT];
	struct pg_expected expected[DRG_TYPE_COUNT];
};

/* ---- memory --------------------------------------------------------------------------------------------- */

struct pg_rows *drg_pg_rows_new(void)
{
	struct pg_rows *w = calloc(1, sizeof *w);
	if (w == NULL)
		return NULL;
	drg_arena_init(&w->arena, SIZE_MAX);
	drg_buf_init(&w->key, SIZE_MAX);
	drg_buf_init(&w->packed, SIZE_MAX);
	drg_buf_init(&w->known, SIZE_MAX);
	drg_buf_init(&w->results, SIZE_MAX);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		drg_buf_init(&w->range[i].from, SIZE_MAX);
		w->expected[i].round = 1;
		drg_buf_init(&w->expected[i].keys, SIZE_MAX);
	}
	return w;
}

static void rows_forget(struct pg_rows *w)
{
	PGresult **results = (PGresult **)(void *)w->results.p;
	for (size_t i = 0; i < w->results.n / sizeof *results; i++)
		PQclear(results[i]);
	drg_buf_clear(&w->results);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		PQclear(w->range[i].rows);
		w->range[i].rows = NULL;
		drg_buf_clear(&w->range[i].from);
		w->range[i].hits = 0;
		w->expected[i].round++;
		drg_buf_clear(&w->expected[i].keys);
	}
	drg_buf_clear(&w->known);
	drg_hashtab_clear(&w->table);
	drg_arena_reset(&w->arena);
}

void drg_pg_rows_clear(struct drg_store *s)
{
	assert(s->rows != NULL);
	rows_forget(s->rows);
	s->rows->written = 0;
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		drg_buf_clear(&s->gathered[i]);
		drg_buf_clear(&s->changed[i]);
		s->changed_bytes[i] = 0;
	}
	drg_pg_suggested_clear(&s->suggested);
}

void drg_pg_rows_free(struct drg_store *s)
{
	struct pg_rows *w = s->rows;
	if (w == NULL)
		return;
	drg_pg_rows_clear(s);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		drg_buf_done(&w->range[i].from);
		drg_buf_done(&w->expected[i].keys);
		drg_buf_done(&s->gathered[i]);
		drg_buf_done(&s->changed[i]);
	}
	drg_pg_suggested_done(&s->suggested);
	drg_arena_done(&w->arena);
	drg_buf_done(&w->key);
	drg_buf_done(&w->packed);
	drg_buf_done(&w->results);
	drg_buf_done(&w->known);
	drg_hashtab_done(&w->table);
	free(w);
}

/* Forget the rows of a long transaction if they take too much memory; they are looked up again. */
static int rows_make_room(struct drg_store *s, struct drg_err *reterr)
{
	if (s->rows->arena.used < MAX_REMEMBERED)
		return DRG_OK;
	int rc = drg_pg_rows_flush(s, reterr);
	rows_forget(s->rows);
	return rc;
}

/* ---- what is known of single identities ------------------------------------------------------------------ */

/* Find the state of an identity, or NULL and where it belongs. The key stays in w->key, with its rc. */
static struct pg_known *rows_find(struct pg_rows *w, const struct drg_record *r, uint64_t *ret_hash,
                                  size_t *ret_at)
{
	struct pg_known *v = (struct pg_known *)(void *)w->known.p;
	uint32_t i;
	drg_pg_key_build(&w->key, r);
	if (w->key.rc != DRG_OK)
		return NULL;
	*ret_hash = drg_hash(w->key.p, w->key.n, 0);
	DRG_HASHTAB_FIND(i, &w->table, *ret_hash, *ret_at,
	                 v[i].key_n == w->key.n && memcmp(v[i].key, w->key.p, w->key.n) == 0);
	return i != DRG_HASHTAB_NONE ? &v[i] : NULL;
}

/* Find the state of an identity, or add one. NULL: no memory. */
static struct pg_known *rows_take(struct pg_rows *w, const struct drg_record *r)
{
	uint64_t hash;
	size_t at;
	if (!drg_hashtab_reserve(&w->table, 1))
		return NULL;
	struct pg_known *k = rows_find(w, r, &hash, &at);
	if (k != NULL || w->key.rc != DRG_OK)
		return k;
	struct drg_str key = drg_arena_str(&w->arena, drg_buf_view(&w->key));
	const struct pg_known added = { .key = key.p, .key_n = (uint32_t)key.n };
	if (key.p != NULL)
		drg_buf_add(&w->known, &added, sizeof added);
	if (key.p == NULL || w->known.rc != DRG_OK)
		return NULL;
	drg_hashtab_put(&w->table, hash, at, (uint32_t)w->table.n);
	return (struct pg_known *)(void *)(w->known.p + w->known.n) - 1;
}

/* Remember a row as the transaction has written it. */
static int rows_remember(struct pg_rows *w, const struct drg_record *r, const struct drg_row_meta *m,
                         struct pg_known **ret, struct drg_err *reterr)
{
	assert(r->type->id < DRG_TYPE_COUNT);
	w->written |= 1U << r->type->id;
	drg_buf_clear(&w->packed);
	drg_record_pack(r, &w->packed); /* first, since the record may borrow from what goes */
	struct pg_known *k = rows_take(w, r);
	struct drg_str packed = { NULL, 0 };
	if (k != NULL && w->packed.rc == DRG_OK)
		packed = drg_arena_str(&w->arena, drg_buf_view(&w->packed));
	if (packed.p == NULL)
		return drg_fail_memory(reterr);
	k->expected = 0;
	k->packed = packed.p;
	k->packed_n = (uint32_t)packed.n;
	k->m = *m;
	*ret = k;
	return DRG_OK;
}

/* ---- what is expected ------------------------------------------------------------------------------------ */

int drg_pg_expect(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr)
{
	struct pg_rows *w = t->head.store->rows;
	struct pg_expected *x = &w->expected[key->type->id];
	uint64_t hash;
	size_t at;
	if (rows_find(w, key, &hash, &at) != NULL || drg_pg_range_covers(&w->range[key->type->id], key))
		return DRG_OK;
	struct pg_known *k = rows_take(w, key);
	if (k == NULL)
		return drg_fail_memory(reterr);
	const struct drg_str packed = { k->key, k->key_n };
	k->expected = x->round;
	drg_buf_add(&x->keys, &packed, sizeof packed);
	return x->keys.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* Note which of the expected rows exist; the others do not. */
static int expected_note(struct drg_store *s, const struct drg_type *t, const PGresult *rows,
                         struct drg_err *reterr)
{
	struct drg_record r;
	struct drg_row_meta m;
	for (int i = 0; i < PQntuples(rows); i++) {
		int rc = drg_pg_read_row(s, rows, i, t, &r, &m, reterr);
		struct pg_known *k = rc == DRG_OK ? rows_take(s->rows, &r) : NULL;
		if (k == NULL)
			return rc != DRG_OK ? rc : drg_fail_memory(reterr);
		k->res = rows;
		k->at = i;
	}
	return DRG_OK;
}

static int expected_load(struct drg_store *s, const struct drg_type *t, const struct drg_str *keys, size_t n,
                         struct drg_err *reterr)
{
	PGresult *rows;
	int rc = drg_pg_find_run(s, t, keys, n, &rows, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_buf_add(&s->rows->results, &rows, sizeof(PGresult *));
	if (s->rows->results.rc == DRG_OK)
		return expected_note(s, t, rows, reterr);
	PQclear(rows);
	return drg_fail_memory(reterr);
}

/* One statement for each set of identities that differ in the last field only: it costs the server least. */
static int rows_load_expected(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	struct pg_expected *x = &s->rows->expected[t->id];
	struct drg_str *keys = (struct drg_str *)(void *)x->keys.p;
	size_t n = x->keys.n / sizeof *keys;
	int rc = DRG_OK;
	assert(n > 0);
	drg_pg_key_sort(t, keys, n);
	for (size_t run; n > 0 && rc == DRG_OK; keys += run, n -= run) {
		run = drg_pg_key_run(t, keys, n);
		rc = expected_load(s, t, keys, run, reterr);
	}
	drg_buf_clear(&x->keys);
	x->round++;
	return rc;
}

/* ---- look-ups ------------------------------------------------------------------------------------------- */

static int give_found(struct drg_store *s, const struct drg_record *key, const PGresult *res, int at,
                      struct drg_stored *ret, struct drg_err *reterr)
{
	ret->row = drg_pg_i(res, at, COL_ROW);
	return drg_pg_read_row(s, res, at, key->type, &ret->r, &ret->m, reterr);
}

static int give_known(struct drg_store *s, const struct drg_record *key, const struct pg_known *k,
                      struct drg_stored *ret, struct drg_err *reterr)
{
	if (k->packed == NULL)
		return k->res != NULL ? give_found(s, key, k->res, k->at, ret, reterr) : DRG_ENOENT;
	ret->row = 0; /* the server has not reported it */
	ret->m = k->m;
	return drg_record_unpack(k->packed, k->packed_n, &ret->r) > 0
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "a remembered row is damaged");
}

static int load_in_txn(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                       struct drg_err *reterr)
{
	struct pg_range *g = &s->rows->range[key->type->id];
	uint64_t hash;
	size_t place;
	int rc = rows_make_room(s, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct pg_known *k = rows_find(s->rows, key, &hash, &place);
	if (k != NULL && k->packed == NULL && k->expected == s->rows->expected[key->type->id].round) {
		rc = rows_load_expected(s, key->type, reterr);
		k = rows_find(s->rows, key, &hash, &place);
	}
	if (rc != DRG_OK || s->rows->key.rc != DRG_OK)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	if (k != NULL)
		return give_known(s, key, k, ret, reterr);
	if (!drg_pg_range_covers(g, key))
		rc = drg_pg_range_read(s, g, key, reterr);
	if (rc != DRG_OK)
		return rc;
	g->hits++;
	int at = drg_pg_range_search(g, key);
	return at >= 0 ? give_found(s, key, g->rows, at, ret, reterr) : DRG_ENOENT;
}

int drg_pg_load(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult **res = &s->loaded[key->type->id];
	if (s->head.txn != NULL)
		return load_in_txn(s, key, ret, reterr);
	assert(*res == NULL);
	drg_pg_param_identity(&p, key);
	int rc = drg_pg_exec(s, drg_pg_of_type(s, key->type, PG_FIND), &p, res, reterr);
	if (rc != DRG_OK)
		return rc;
	return PQntuples(*res) > 0 ? give_found(s, key, *res, 0, ret, reterr) : DRG_ENOENT;
}

void drg_pg_unload(struct drg_store *s, const struct drg_type *t)
{
	PQclear(s->loaded[t->id]);
	s->loaded[t->id] = NULL;
}

int drg_pg_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr)
{
	struct drg_stored row;
	int rc = drg_pg_load(s, key, &row, reterr);
	bool gone = rc == DRG_OK && row.r.deleted;
	drg_pg_unload(s, key->type);
	return gone ? DRG_ENOENT : rc;
}

/* ---- siblings ------------------------------------------------------------------------------------------- */

static void first_sibling(const struct drg_record *key, struct drg_record *ret)
{
	const struct drg_field_def *last = &key->type->fields[drg_sql_n_identity(key->type) - 1];
	*ret = *key;
	if (drg_value_is_text(last->vtype))
		drg_record_set_s(ret, last->field, drg_str("", 0));
	else
		drg_record_set_i(ret, last->field, INT64_MIN);
}

/* A reading takes the rows of a range while the range may change: the caller may look up other rows, which
 * replaces the range. Or everything is forgotten meanwhile, with the rows that this transaction wrote over
 * those of the range. Then the rows are not put back. */
void drg_pg_range_return(struct drg_store *s, const struct drg_type *t, PGresult *rows)
{
	struct pg_range *g = &s->rows->range[t->id];
	if (g->rows == NULL && g->from.n > 0)
		g->rows = rows;
	else
		PQclear(rows);
}

int drg_pg_known_siblings(struct drg_rows *q, const struct drg_record *key, bool *ret_known,
                          struct drg_err *reterr)
{
	struct drg_store *s = q->store;
	struct pg_range *g = &s->rows->range[key->type->id];
	struct drg_record first;
	int from, to, rc = DRG_OK;
	*ret_known = false;
	if ((s->rows->written >> key->type->id & 1) != 0)
		return DRG_OK;
	first_sibling(key, &first);
	if (!drg_pg_range_covers(g, &first))
		rc = drg_pg_range_read(s, g, &first, reterr);
	if (rc != DRG_OK)
		return rc;
	g->hits++;
	*ret_known = drg_pg_range_siblings(g, &first, &from, &to);
	if (!*ret_known)
		return DRG_OK;
	q->page = g->rows;
	q->at = from;
	q->n = to;
	q->living = true;
	q->lent = true;
	g->rows = NULL;
	return DRG_OK;
}

/* ---- writing -------------------------------------------------------------------------------------------- */

int drg_pg_rows_flush(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_pg_copy_flush(s, reterr);
	return rc == DRG_OK ? drg_pg_change_flush(s, NULL, reterr) : rc;
}

int drg_pg_insert(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                  bool *ret_inserted, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	struct drg_stored row;
	struct pg_known *k;
	int rc = load_in_txn(s, r, &row, reterr);
	if (rc == DRG_OK)
		*ret_inserted = false;
	if (rc != DRG_ENOENT)
		return rc;
	rc = rows_remember(s->rows, r, m, &k, reterr);
	if (rc != DRG_OK)
		return rc;
	k->gathering = s->gathering[r->type->id];
	*ret_inserted = true;
	return drg_pg_copy_row(s, r, m, reterr);
}

int drg_pg_update(struct drg_txn *t, int64_t row, const struct drg_record *r, const struct drg_row_meta *m,
                  struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	const struct drg_type *type = r->type;
	struct pg_known *k;
	(void)row;
	int rc = rows_remember(s->rows, r, m, &k, reterr);
	if (rc == DRG_OK && k->gathering == s->gathering[type->id]) {
		k->gathering = 0;
		rc = drg_pg_copy_flush(s, reterr);
	}
	if (rc == DRG_OK && k->changing == s->changing[type->id])
		rc = drg_pg_change_flush(s, type, reterr);
	if (rc != DRG_OK)
		return rc;
	k->changing = s->changing[type->id];
	return drg_pg_change_row(s, type, drg_str(k->packed, k->packed_n), m, reterr);
}
