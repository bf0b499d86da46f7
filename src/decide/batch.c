#include "decide/batch_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "decide/apart.h"
#include "decide/history.h"
#include "decide/reference/dict_name.h"
#include "decide/suggest.h"
#include "decide/undo/earlier.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "store/fetch.h"
#include "text/stamp.h"

/* Types in the order of removal: a record that refers to others is removed before them. */
static const enum drg_type_id going[] = { DRG_TYPE_NOT_SAME,   DRG_TYPE_PROFILE,   DRG_TYPE_AIR_MAP,
	                                  DRG_TYPE_AIR_SOURCE, DRG_TYPE_DIRECTION, DRG_TYPE_HOTEL_CONTENT,
	                                  DRG_TYPE_SOURCE,     DRG_TYPE_REDIRECT,  DRG_TYPE_DICT,
	                                  DRG_TYPE_AIR_PLACE,  DRG_TYPE_ADAPTER };

/* ---- transactions -------------------------------------------------------------------------------------- */

int drg_undo_begin(struct drg_undoing *x, struct drg_err *reterr)
{
	return x->txn != NULL ? DRG_OK : drg_store_begin(x->s, &x->txn, reterr);
}

int drg_undo_commit(struct drg_undoing *x, bool always, struct drg_err *reterr)
{
	if (x->txn == NULL || (!always && !drg_txn_should_commit(x->txn)))
		return DRG_OK;
	struct drg_txn *t = x->txn;
	int64_t seq = drg_txn_seq(t);
	x->txn = NULL;
	if (seq > 0)
		drg_buf_add(&x->own, &seq, sizeof seq);
	if (x->own.rc != DRG_OK) {
		drg_txn_rollback(t);
		return drg_fail_memory(reterr);
	}
	return drg_txn_commit(t, NULL, reterr);
}

void drg_undo_skip(struct drg_undoing *x, const struct drg_record *r, const char *why)
{
	x->u->kept++;
	if (x->u->left != NULL)
		x->u->left(x->u->ctx, r, why);
}

int drg_undo_check_leave(const struct drg_undoing *x, struct drg_err *reterr)
{
	return x->u->leave == NULL || !atomic_load_explicit(x->u->leave, memory_order_relaxed)
	               ? DRG_OK
	               : drg_fail(reterr, DRG_ESTOPPED, DRG_R(stopping), NULL,
	                          "the undoing of batch %lld was stopped; doing it again completes it",
	                          (long long)x->u->batch);
}

/* ---- the items of the batch ---------------------------------------------------------------------------- */

static int compare_seq(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

bool drg_undo_is_among(const struct drg_buf *seqs, int64_t seq)
{
	return seqs->n > 0 && bsearch(&seq, seqs->p, seqs->n / sizeof seq, sizeof seq, compare_seq) != NULL;
}

bool drg_undo_is_ours(const struct drg_undoing *x, int64_t seq)
{
	return drg_undo_is_among(&x->items.seqs, seq) || drg_undo_is_among(&x->own, seq) ||
	       drg_undo_is_among(&x->earlier, seq) || (x->txn != NULL && seq == drg_txn_seq(x->txn));
}

bool drg_undo_was_earlier(const struct drg_undoing *x, const struct drg_row_meta *m)
{
	return drg_undo_is_among(&x->earlier, m->seq) || drg_undo_is_among(&x->earlier, m->data_seq) ||
	       drg_undo_is_among(&x->earlier, m->mapped_seq);
}

int drg_undo_add_created(struct drg_undoing *x, const struct drg_record *r)
{
	return drg_created_add(&x->created, r) == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int undo_take_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	if (drg_record_i(r, DRG_F_HOW, DRG_HOW_SET) != DRG_HOW_MATCH)
		*(bool *)ctx = false;
	return DRG_OK;
}

/* May a created record be removed? Yes, if only the batch or its undoing wrote it. Of a source the mapping
 * may have changed since, if the matcher changed it. */
static bool undo_may_go(const struct drg_undoing *x, const struct drg_record *r, const struct drg_row_meta *m)
{
	return drg_undo_is_ours(x, m->seq) ||
	       (r->type->id == DRG_TYPE_SOURCE && drg_undo_is_ours(x, m->data_seq));
}

/* Likewise, but read the events of the source to see who changed its mapping. */
static int undo_is_untouched(struct drg_undoing *x, const struct drg_undo_current *c, bool *ret,
                             struct drg_err *reterr)
{
	*ret = undo_may_go(x, &c->r, &c->m);
	if (!*ret || drg_undo_is_ours(x, c->m.seq))
		return DRG_OK;
	return drg_event_each(drg_txn_store(x->txn), &c->r, undo_take_event, ret, reterr);
}

/* Was the record removed by a later batch whose undoing brought it back? Such a record no longer tells which
 * commit made it, so it is left alone if it may be of the batch. */
static bool undo_may_have_returned(const struct drg_undoing *x, const struct drg_record *r,
                                   const struct drg_row_meta *m)
{
	return !r->deleted && drg_undo_is_among(&x->returned, m->created_seq) &&
	       (drg_record_has(r, DRG_F_ADAPTER_ID)
	                ? drg_ledger_of_adapter(x->batch, r->v[DRG_F_ADAPTER_ID].i)
	                : x->first == DRG_BATCH_IMPORT);
}

static int undo_take_created(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_undoing *x = ctx;
	int rc = drg_undo_check_leave(x, x->err);
	if (rc != DRG_OK)
		return rc;
	if (undo_may_have_returned(x, r, m)) {
		drg_undo_skip(x, r, "it was removed and brought back since");
		return DRG_OK;
	}
	if (!drg_undo_is_among(&x->items.seqs, m->created_seq))
		return DRG_OK;
	if (r->deleted) {
		x->u->removed += drg_undo_is_among(&x->earlier, m->seq);
		return DRG_OK;
	}
	if (!undo_may_go(x, r, m)) {
		drg_undo_skip(x, r, "it was changed since");
		return DRG_OK;
	}
	return drg_undo_add_created(x, r);
}

/* Did the batch create nothing? A batch stores its sums only at its end; one that was interrupted has the
 * sums after its first record. */
static bool undo_created_nothing(const struct drg_record *batch)
{
	return drg_record_i(batch, DRG_F_N_CREATED, 0) == 0 &&
	       drg_record_i(batch, DRG_F_N_CHANGED, 0) + drg_record_i(batch, DRG_F_N_DELETED, 0) > 1;
}

/* Gather the records that the batch created; they have at least the seq of its first commit. */
static int undo_gather_created(struct drg_undoing *x, struct drg_err *reterr)
{
	assert(x->items.seqs.n >= sizeof(int64_t));
	const int64_t first = *(const int64_t *)(const void *)x->items.seqs.p;
	struct drg_feed_place place = { .seq = first - 1, .type = DRG_FEED_END };
	struct drg_clock clock;
	unsigned types = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(going); i++)
		types |= 1U << going[i];
	if (x->first == DRG_BATCH_IMPORT) /* decision M33 */
		types &= ~(1U << DRG_TYPE_NOT_SAME);
	if (x->first == DRG_BATCH_DECIDE) /* records that a merge or a split created are removed with it */
		types &= 1U << DRG_TYPE_NOT_SAME | 1U << DRG_TYPE_AIR_MAP | 1U << DRG_TYPE_DICT;
	int rc = drg_undo_returns(x->s, x->u->batch, &x->returned, reterr);
	return rc == DRG_OK ? drg_store_feed_from(x->s, types, &place, undo_take_created, x, &clock, reterr)
	                    : rc;
}

static int undo_gather(struct drg_undoing *x, const struct drg_record *batch, struct drg_err *reterr)
{
	const enum drg_batch_what what = (enum drg_batch_what)drg_record_i(batch, DRG_F_WHAT, 0);
	x->batch = batch;
	int rc = drg_undo_earlier(x->s, x->u->batch, &x->earlier, reterr);
	if (rc == DRG_OK)
		rc = drg_batch_items_read(x->s, x->u->batch, x->u->part, &x->items, reterr);
	/* A match creates no records. A batch of decisions notes the records that it creates in its items: a
	 * server commits it together with writes of others, so its commits do not tell. */
	if (rc != DRG_OK || x->items.seqs.n == 0 || what == DRG_BATCH_MATCH || what == DRG_BATCH_DECIDE ||
	    undo_created_nothing(batch))
		return rc;
	return undo_gather_created(x, reterr);
}

/* ---- records that the batch created -------------------------------------------------------------------- */

/* Does any other record refer to @p r? */
static int undo_is_used(struct drg_undoing *x, const struct drg_record *r, bool *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_store *s = drg_txn_store(x->txn);
	/* Events count as references: they are never removed. */
	const struct drg_filter f = { .adapter = drg_record_i(r, DRG_F_ID, 0), .any_order = true };
	*ret = false;
	if (r->type->id == DRG_TYPE_DICT)
		drg_rows_referrers(&rows, s, drg_record_kind(r), r->v[DRG_F_ID].i, 1, reterr);
	else if (r->type->id == DRG_TYPE_ADAPTER)
		drg_rows_scan(&rows, s, &f, reterr);
	else
		return DRG_OK;
	*ret = drg_rows_next(&rows);
	return drg_rows_end(&rows);
}

/* Remove a record. @param last  The last try. @param ret_used  Another record refers to it: try later, or
 * never. */
static int undo_remove(struct drg_undoing *x, struct drg_record *r, bool last, bool *ret_used,
                       struct drg_err *reterr)
{
	struct drg_undo_current c = { .arena = &x->one };
	enum drg_put_result result;
	*ret_used = false;
	drg_arena_reset(&x->one);
	int rc = drg_undo_check_leave(x, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_begin(x, reterr);
	/* Others may have written between two transactions of an undoing. */
	if (rc == DRG_OK)
		rc = drg_undo_load(drg_txn_store(x->txn), r, &c, reterr);
	if (rc == DRG_ENOENT)
		return DRG_OK;
	bool untouched = false;
	if (rc == DRG_OK)
		rc = undo_is_untouched(x, &c, &untouched, reterr);
	if (rc == DRG_OK && !untouched) {
		drg_undo_skip(x, &c.r, "it was changed since");
		return DRG_OK;
	}
	if (rc == DRG_OK)
		rc = undo_is_used(x, r, ret_used, reterr);
	if (rc == DRG_OK && *ret_used && last)
		drg_undo_skip(x, &c.r, "something refers to it");
	if (rc != DRG_OK || *ret_used)
		return rc;
	r->deleted = true;
	rc = drg_ledger_put(&x->ledger, x->txn, r, &result, reterr);
	x->u->removed += rc == DRG_OK && result == DRG_PUT_DELETED;
	if (rc == DRG_OK && r->type->id == DRG_TYPE_NOT_SAME)
		rc = drg_apart_suggest(x->txn, r, reterr);
	return rc == DRG_OK ? drg_undo_commit(x, false, reterr) : rc;
}

/* Remove the records of one type; passes take hotels before the cities that they name, and so on. */
static int undo_remove_type(struct drg_undoing *x, enum drg_type_id type, struct drg_err *reterr)
{
	enum { PASSES = 4 };
	int rc = DRG_OK;
	for (unsigned pass = 1; pass <= PASSES && rc == DRG_OK; pass++)
		for (size_t i = 0; i < x->created.n && rc == DRG_OK; i++) {
			struct drg_record r;
			bool used = false;
			if (drg_created_type(&x->created, i) != type ||
			    drg_created_is_handled(&x->created, i))
				continue;
			drg_created_at(&x->created, i, &r);
			rc = undo_remove(x, &r, pass == PASSES, &used, reterr);
			if (!used)
				drg_created_mark_handled(&x->created, i);
		}
	return rc;
}

static int undo_remove_all(struct drg_undoing *x, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(going) && rc == DRG_OK; i++)
		rc = undo_remove_type(x, going[i], reterr);
	return rc;
}

/* ---- the whole undoing --------------------------------------------------------------------------------- */

static int undo_mark(struct drg_undoing *x, struct drg_record *batch, struct drg_err *reterr)
{
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	drg_record_set_s(batch, DRG_F_UNDONE, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	int rc = drg_undo_begin(x, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_put(x->txn, batch, &result, reterr);
	if (rc == DRG_OK)
		rc = drg_ledger_end(&x->ledger, x->txn, reterr);
	return rc == DRG_OK ? drg_undo_commit(x, true, reterr) : rc;
}

static int undo_check_spared(struct drg_undoing *x, const struct drg_record *batch, struct drg_err *reterr)
{
	int rc = drg_undo_first(x->s, batch, &x->first, reterr);
	return rc == DRG_OK && x->u->spare_imports && x->first == DRG_BATCH_IMPORT
	               ? drg_fail(reterr, DRG_EAUTH, DRG_R(role_not_allowed), NULL,
	                          "batch %lld is an import: only an administrator can undo it",
	                          (long long)x->u->batch)
	               : rc;
}

/* Undo the batch. The caller holds the right to import; its last holder may have undone the same batch. */
static int undo_all(struct drg_undoing *x, struct drg_err *reterr)
{
	struct drg_undo_current batch = { .arena = &x->arena };
	struct drg_record key;
	drg_key_batch(&key, x->u->batch);
	int rc = drg_undo_load(x->s, &key, &batch, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_batch), NULL,
		                "there is no batch %lld; 'dragoman batch list' has them",
		                (long long)x->u->batch);
	if (rc == DRG_OK)
		rc = undo_check_spared(x, &batch.r, reterr);
	if (rc == DRG_OK && drg_record_has(&batch.r, DRG_F_UNDONE))
		rc = drg_fail(reterr, DRG_EINVAL, DRG_R(undone_already), NULL,
		              "batch %lld was already undone", (long long)x->u->batch);
	if (rc == DRG_OK)
		rc = undo_gather(x, &batch.r, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_merges(x, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_restore_all(x, reterr);
	if (rc == DRG_OK)
		rc = undo_remove_all(x, reterr);
	if (rc == DRG_OK)
		rc = undo_mark(x, &batch.r, reterr);
	return rc;
}

int drg_batch_undo(struct drg_store *s, struct drg_batch_undo *u, struct drg_err *reterr)
{
	char files[DRG_UNDO_FILES];
	struct drg_undoing x = { .u = u, .s = s, .err = reterr };
	u->removed = u->restored = u->kept = 0;
	int rc = drg_audit_check(&(const struct drg_audit){ .by = u->by, .why = u->why }, reterr);
	if (rc != DRG_OK)
		return rc;
	x.ledger = (struct drg_ledger){ .what = DRG_BATCH_UNDO,
		                        .by = u->by,
		                        .why = u->why,
		                        .files = drg_str_c(drg_undo_files(u->batch, files)),
		                        .first_mappings = true };
	drg_ledger_init(&x.ledger);
	drg_buf_init(&x.own, SIZE_MAX);
	drg_buf_init(&x.earlier, SIZE_MAX);
	drg_buf_init(&x.returned, SIZE_MAX);
	drg_created_init(&x.created);
	drg_arena_init(&x.arena, SIZE_MAX);
	drg_arena_init(&x.one, 64 << 20);
	rc = drg_store_lock_imports(s, reterr);
	if (rc == DRG_OK) {
		rc = undo_all(&x, reterr);
		drg_txn_rollback(x.txn);
		drg_store_unlock_imports(s);
	}
	u->undone_by = x.ledger.state.batch;
	drg_ledger_done(&x.ledger);
	drg_buf_done(&x.own);
	drg_batch_items_done(&x.items);
	drg_buf_done(&x.earlier);
	drg_buf_done(&x.returned);
	drg_created_done(&x.created);
	drg_arena_done(&x.arena);
	drg_arena_done(&x.one);
	return rc;
}
