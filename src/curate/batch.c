#include "curate/batch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "store/ledger.h"
#include "text/stamp.h"

/* How long a transaction goes on: others wait meanwhile. */
static const int64_t HOLD_NS = 40 * INT64_C(1000000);

/* Types in the order in which they can go: what refers before what is referred to. */
static const enum drg_type_id going[] = { DRG_TYPE_PROFILE,   DRG_TYPE_AIR_MAP,       DRG_TYPE_AIR_SOURCE,
	                                  DRG_TYPE_DIRECTION, DRG_TYPE_HOTEL_CONTENT, DRG_TYPE_SOURCE,
	                                  DRG_TYPE_REDIRECT,  DRG_TYPE_DICT,          DRG_TYPE_AIR_PLACE,
	                                  DRG_TYPE_ADAPTER };

struct undoing {
	struct drg_batch_undo *u;
	struct drg_store *s;
	struct drg_txn *txn;
	int64_t began;
	struct drg_ledger ledger;
	struct drg_buf seqs; /* int64_t, ascending: commits of the batch */
	struct drg_buf items; /* struct undo_item */
	struct drg_buf lines; /* of items */
	struct drg_buf created; /* struct drg_record, texts in `arena` */
	struct drg_arena arena, one;
	struct drg_err *err;
};

struct undo_item {
	int64_t seq;
	size_t at, n;
};

/* ---- transactions ----------------------------------------------------------------------------------------- */

static int undo_begin(struct undoing *x, struct drg_err *reterr)
{
	if (x->txn != NULL)
		return DRG_OK;
	int rc = drg_store_begin(x->s, &x->txn, reterr);
	x->began = drg_clock_ns();
	return rc;
}

static int undo_commit(struct undoing *x, bool always, struct drg_err *reterr)
{
	if (x->txn == NULL || (!always && drg_clock_ns() - x->began < HOLD_NS))
		return DRG_OK;
	struct drg_txn *t = x->txn;
	x->txn = NULL;
	return drg_txn_commit(t, NULL, reterr);
}

static void leave(struct undoing *x, const struct drg_record *r, const char *why)
{
	x->u->kept++;
	if (x->u->left != NULL)
		x->u->left(x->u->ctx, r, why);
}

/* ---- what the batch has done ------------------------------------------------------------------------------ */

int drg_batch_items(struct drg_store *s, int64_t batch, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_batch_item(&key, batch, 0);
	return drg_store_siblings(s, &key, fn, ctx, reterr);
}

static int undo_take_item(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct undoing *x = ctx;
	int64_t seq = r->v[DRG_F_SEQ].i;
	struct drg_str was = drg_record_s(r, DRG_F_DATA);
	const struct undo_item item = { seq, x->lines.n, was.n };
	(void)m;
	if (x->seqs.n == 0 || ((const int64_t *)(const void *)(x->seqs.p + x->seqs.n))[-1] != seq)
		drg_buf_add(&x->seqs, &seq, sizeof seq);
	if (was.n > 0)
		drg_buf_add(&x->items, &item, sizeof item);
	drg_buf_str(&x->lines, was);
	return x->seqs.rc == DRG_OK && x->items.rc == DRG_OK && x->lines.rc == DRG_OK
	               ? DRG_OK
	               : drg_fail_memory(x->err);
}

static int compare_seq(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static bool is_ours(const struct undoing *x, int64_t seq)
{
	return bsearch(&seq, x->seqs.p, x->seqs.n / sizeof seq, sizeof seq, compare_seq) != NULL;
}

static int undo_take_created(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct undoing *x = ctx;
	struct drg_record copy;
	if (r->deleted || r->type->internal || r->type->id == DRG_TYPE_MAPPING_EVENT ||
	    !is_ours(x, m->created_seq))
		return DRG_OK;
	if (!is_ours(x, m->seq)) {
		leave(x, r, "it was changed since");
		return DRG_OK;
	}
	if (drg_record_copy(&x->arena, r, &copy) != DRG_OK)
		return drg_fail_memory(x->err);
	drg_buf_add(&x->created, &copy, sizeof copy);
	return x->created.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int undo_gather(struct undoing *x, struct drg_err *reterr)
{
	int rc = drg_batch_items(x->s, x->u->batch, undo_take_item, x, reterr);
	if (rc != DRG_OK || x->seqs.n == 0)
		return rc;
	/* What it created has at least the seq of its first commit. */
	return drg_store_feed(x->s, *(const int64_t *)(const void *)x->seqs.p - 1, undo_take_created, x, NULL,
	                      reterr);
}

/* ---- what it changed or removed --------------------------------------------------------------------------- */

struct undo_current {
	struct drg_arena *arena;
	struct drg_record r;
	struct drg_row_meta m;
};

static int undo_copy(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct undo_current *c = ctx;
	c->m = *m;
	return drg_record_copy(c->arena, r, &c->r);
}

/* The record as it is to be: what was changed since stays. @return false: all of it was. */
static bool undo_merge(struct undoing *x, const struct undo_current *c, int64_t seq, struct drg_record *r)
{
	const uint64_t dict = UINT64_C(1) << DRG_F_DICT_ID;
	bool source = r->type->id == DRG_TYPE_SOURCE;
	bool mapping = source && c->m.mapped_seq > seq && !is_ours(x, c->m.mapped_seq);
	bool data = c->m.data_seq > seq && !is_ours(x, c->m.data_seq);
	if (data && (mapping || !source))
		return false;
	struct drg_record was = *r;
	if (data)
		*r = c->r;
	if (!source)
		return true;
	const struct drg_record *from = mapping ? &c->r : &was;
	r->has = (r->has & ~dict) | (from->has & dict);
	r->nulls = (r->nulls & ~dict) | ((from->has & dict) != 0 ? 0 : dict);
	r->v[DRG_F_DICT_ID] = from->v[DRG_F_DICT_ID];
	if (data || mapping)
		leave(x, r,
		      data ? "its data was changed since; its mapping is taken back"
		           : "its mapping was changed since");
	return true;
}

static int undo_restore(struct undoing *x, const struct undo_item *item, struct drg_err *reterr)
{
	struct undo_current c = { .arena = &x->one };
	enum drg_put_result result;
	struct drg_record r;
	drg_arena_reset(&x->one);
	int rc = drg_ndjson_read(drg_str(x->lines.p + item->at, item->n), &x->one, &r, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_get(drg_txn_store(x->txn), &r, undo_copy, &c, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	bool alive = rc == DRG_OK;
	if (alive && c.m.seq != item->seq && !is_ours(x, c.m.seq) && !undo_merge(x, &c, item->seq, &r)) {
		leave(x, &r, "it was changed since");
		return DRG_OK;
	}
	/* Not mapped before is not the same as nothing said. */
	if (r.type->id == DRG_TYPE_SOURCE && !drg_record_has(&r, DRG_F_DICT_ID))
		r.nulls |= UINT64_C(1) << DRG_F_DICT_ID;
	rc = drg_ledger_put(&x->ledger, x->txn, &r, &result, reterr);
	x->u->restored += rc == DRG_OK && result != DRG_PUT_SAME;
	return rc;
}

/* The last change first: of a record that was changed twice the first state is the last. */
static int undo_restore_all(struct undoing *x, struct drg_err *reterr)
{
	const struct undo_item *items = (const struct undo_item *)(const void *)x->items.p;
	int rc = DRG_OK;
	for (size_t i = x->items.n / sizeof *items; i-- > 0 && rc == DRG_OK;) {
		rc = undo_begin(x, reterr);
		if (rc == DRG_OK)
			rc = undo_restore(x, &items[i], reterr);
		if (rc == DRG_OK)
			rc = undo_commit(x, false, reterr);
	}
	return rc;
}

/* ---- what it created -------------------------------------------------------------------------------------- */

static int undo_found(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r, (void)m;
	*(bool *)ctx = true;
	return DRG_ELIMIT;
}

/* Does anything refer to it? */
static int undo_is_used(struct undoing *x, const struct drg_record *r, bool *ret, struct drg_err *reterr)
{
	struct drg_store *s = drg_txn_store(x->txn);
	/* Its history counts: events stay for good. */
	const struct drg_filter f = { .adapter = drg_record_i(r, DRG_F_ID, 0), .any_order = true };
	int rc = DRG_OK;
	*ret = false;
	if (r->type->id == DRG_TYPE_DICT)
		rc = drg_store_referrers(s, drg_record_kind(r), r->v[DRG_F_ID].i, 1, undo_found, ret, reterr);
	else if (r->type->id == DRG_TYPE_ADAPTER)
		rc = drg_store_scan(s, &f, undo_found, ret, NULL, reterr);
	return *ret ? DRG_OK : rc;
}

static int undo_remove(struct undoing *x, const struct drg_record *created, bool *ret_used,
                       struct drg_err *reterr)
{
	enum drg_put_result result;
	struct drg_record r = *created;
	int rc = undo_begin(x, reterr);
	if (rc == DRG_OK)
		rc = undo_is_used(x, &r, ret_used, reterr);
	if (rc != DRG_OK || *ret_used)
		return rc;
	r.deleted = true;
	rc = drg_ledger_put(&x->ledger, x->txn, &r, &result, reterr);
	x->u->removed += rc == DRG_OK && result == DRG_PUT_DELETED;
	return rc == DRG_OK ? undo_commit(x, false, reterr) : rc;
}

/* Records of one type; hotels before the cities that they name, and so on. */
static int undo_remove_type(struct undoing *x, enum drg_type_id type, struct drg_err *reterr)
{
	struct drg_record *list = (struct drg_record *)(void *)x->created.p;
	size_t n = x->created.n / sizeof *list;
	int rc = DRG_OK;
	for (unsigned pass = 0; pass < 4 && rc == DRG_OK; pass++)
		for (size_t i = 0; i < n && rc == DRG_OK; i++) {
			bool used = false;
			if (list[i].type->id != type || list[i].deleted)
				continue;
			rc = undo_remove(x, &list[i], &used, reterr);
			list[i].deleted = !used;
			if (used && pass == 3)
				leave(x, &list[i], "something refers to it");
		}
	return rc;
}

static int undo_remove_all(struct undoing *x, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(going) && rc == DRG_OK; i++)
		rc = undo_remove_type(x, going[i], reterr);
	return rc;
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static int undo_mark(struct undoing *x, struct drg_record *batch, struct drg_err *reterr)
{
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	drg_record_set_s(batch, DRG_F_UNDONE, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	int rc = undo_begin(x, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_put(x->txn, batch, &result, reterr);
	if (rc == DRG_OK)
		rc = drg_ledger_end(&x->ledger, x->txn, reterr);
	return rc == DRG_OK ? undo_commit(x, true, reterr) : rc;
}

static int undo_all(struct undoing *x, struct drg_err *reterr)
{
	struct undo_current batch = { .arena = &x->arena };
	struct drg_record key;
	drg_key_batch(&key, x->u->batch);
	int rc = drg_store_get(x->s, &key, undo_copy, &batch, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, NULL, NULL,
		                "there is no batch %lld; 'dragoman batch list' has them",
		                (long long)x->u->batch);
	if (rc == DRG_OK && drg_record_has(&batch.r, DRG_F_UNDONE))
		rc = drg_fail(reterr, DRG_EINVAL, NULL, NULL, "batch %lld was taken back already",
		              (long long)x->u->batch);
	if (rc == DRG_OK)
		rc = drg_store_lock_imports(x->s, reterr);
	if (rc == DRG_OK)
		rc = undo_gather(x, reterr);
	if (rc == DRG_OK)
		rc = undo_restore_all(x, reterr);
	if (rc == DRG_OK)
		rc = undo_remove_all(x, reterr);
	if (rc == DRG_OK)
		rc = undo_mark(x, &batch.r, reterr);
	return rc;
}

int drg_batch_undo(struct drg_store *s, struct drg_batch_undo *u, struct drg_err *reterr)
{
	char files[48];
	snprintf(files, sizeof files, "undo of batch %lld", (long long)u->batch);
	struct undoing x = { .u = u, .s = s, .err = reterr };
	u->removed = u->restored = u->kept = 0;
	x.ledger = (struct drg_ledger){ .what = DRG_BATCH_UNDO,
		                        .by = u->by,
		                        .why = u->why,
		                        .files = drg_str_c(files),
		                        .first_mappings = true };
	drg_ledger_init(&x.ledger);
	drg_buf_init(&x.seqs, SIZE_MAX);
	drg_buf_init(&x.items, SIZE_MAX);
	drg_buf_init(&x.lines, SIZE_MAX);
	drg_buf_init(&x.created, SIZE_MAX);
	drg_arena_init(&x.arena, SIZE_MAX);
	drg_arena_init(&x.one, 64 << 20);
	int rc = undo_all(&x, reterr);
	drg_txn_rollback(x.txn);
	u->undone_by = x.ledger.batch;
	drg_ledger_done(&x.ledger);
	drg_buf_done(&x.seqs);
	drg_buf_done(&x.items);
	drg_buf_done(&x.lines);
	drg_buf_done(&x.created);
	drg_arena_done(&x.arena);
	drg_arena_done(&x.one);
	return rc;
}
