/* Undoing a batch: restores the records that it changed or removed. */
#include "decide/batch_priv.h"

#include "decide/apart.h"
#include "decide/history.h"
#include "decide/reference/dict_name.h"
#include "decide/suggest.h"
#include "decide/undo/earlier.h"
#include "model/key.h"
#include "model/ndjson.h"
#include "store/fetch.h"

/* How many earlier mappings are looked up at once. */
enum { UNDO_AHEAD = 500 };

int drg_undo_load(struct drg_store *s, const struct drg_record *key, struct drg_undo_current *ret,
                  struct drg_err *reterr)
{
	struct drg_rows rows;
	drg_rows_get(&rows, s, key, reterr);
	if (drg_rows_next(&rows)) {
		ret->m = rows.row.m;
		rows.rc = drg_record_copy(ret->arena, &rows.row.r, &ret->r);
	}
	int rc = drg_rows_end(&rows);
	ret->alive = rc == DRG_OK;
	return rc;
}

/* Make the record to be restored: fields that were changed since keep their values. @return false: all were
 * changed. */
static bool undo_merge(struct drg_undoing *x, const struct drg_undo_current *c, int64_t seq,
                       struct drg_record *r)
{
	const uint64_t dict = UINT64_C(1) << DRG_F_DICT_ID;
	bool source = r->type->id == DRG_TYPE_SOURCE;
	bool mapping = source && c->m.mapped_seq > seq && !drg_undo_is_ours(x, c->m.mapped_seq);
	bool data = c->m.data_seq > seq && !drg_undo_is_ours(x, c->m.data_seq);
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
		drg_undo_skip(x, r,
		              data ? "its data was changed since; its mapping is undone"
		                   : "its mapping was changed since");
	return true;
}

/* Note a record that a batch of decisions created: it is removed after all others were restored. */
static int undo_note_created(struct drg_undoing *x, const struct drg_undo_current *c, int64_t seq)
{
	if (c->m.seq != seq && !drg_undo_is_ours(x, c->m.seq)) {
		drg_undo_skip(x, &c->r, "it was changed since");
		return DRG_OK;
	}
	return drg_undo_add_created(x, &c->r);
}

/* Lead an earlier mapping to the record that has its id now. @return DRG_OK; DRG_ENOENT: no record has it. */
static int undo_follow(struct drg_undoing *x, struct drg_record *r, struct drg_err *reterr)
{
	int64_t live;
	if (r->type->id != DRG_TYPE_SOURCE || !drg_record_has(r, DRG_F_DICT_ID))
		return DRG_OK;
	int rc = drg_resolve(drg_txn_store(x->txn), drg_record_kind(r), r->v[DRG_F_DICT_ID].i, &live, reterr);
	if (rc == DRG_OK)
		drg_record_set_i(r, DRG_F_DICT_ID, live);
	return rc;
}

/* Check whether a record may be restored: changes by others since then stay.
 * @param removed  For a removed record: since when; 0: never removed.
 * @param ret      Why it is left alone, or NULL. */
static int undo_check(struct drg_undoing *x, const struct drg_undo_current *c, int64_t removed, int64_t seq,
                      struct drg_record *r, const char **ret, struct drg_err *reterr)
{
	int rc = DRG_OK;
	*ret = NULL;
	if (c->alive && c->m.seq != seq && !drg_undo_is_ours(x, c->m.seq) && !undo_merge(x, c, seq, r))
		*ret = "it was changed since";
	if (removed > 0 && !drg_undo_is_ours(x, removed))
		*ret = "it was removed since";
	if (*ret == NULL)
		rc = undo_follow(x, r, reterr);
	if (rc == DRG_ENOENT)
		*ret = "the record that it was mapped to was removed";
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A source that loses its mapping becomes an open question again; a record that the batch itself created is
 * not suggested for it. */
static int undo_reopen(struct drg_undoing *x, const struct drg_undo_current *was, const struct drg_record *r,
                       struct drg_err *reterr)
{
	if (r->type->id != DRG_TYPE_SOURCE || drg_record_has(r, DRG_F_DICT_ID) ||
	    !drg_record_has(&was->r, DRG_F_DICT_ID))
		return DRG_OK;
	int64_t dict_id = was->r.v[DRG_F_DICT_ID].i;
	bool made = drg_created_has_dict(&x->created, drg_record_kind(r), dict_id);
	return drg_suggest_reopen(x->txn, r, made ? NULL : &dict_id, reterr);
}

/* Load the present record. @param ret_removed  If it is not alive: since when it is removed; 0: it never
 * existed. */
int drg_undo_find(struct drg_undoing *x, const struct drg_record *r, struct drg_undo_current *ret,
                  int64_t *ret_removed, struct drg_err *reterr)
{
	struct drg_store *s = drg_txn_store(x->txn);
	*ret = (struct drg_undo_current){ .arena = &x->one };
	*ret_removed = 0;
	int rc = drg_undo_load(s, r, ret, reterr);
	return rc == DRG_ENOENT ? drg_store_removed(s, r, ret_removed, reterr) : rc;
}

static int undo_put(struct drg_undoing *x, const struct drg_undo_current *c, struct drg_record *r,
                    struct drg_err *reterr)
{
	enum drg_put_result result;
	/* "Not mapped" must be written explicitly: a missing field would leave the mapping unchanged. */
	if (r->type->id == DRG_TYPE_SOURCE && !drg_record_has(r, DRG_F_DICT_ID))
		r->nulls |= UINT64_C(1) << DRG_F_DICT_ID;
	int rc = drg_ledger_put(&x->ledger, x->txn, r, &result, reterr);
	if (rc == DRG_OK && result != DRG_PUT_SAME && c->alive)
		rc = undo_reopen(x, c, r, reterr);
	if (rc == DRG_OK && r->type->id == DRG_TYPE_NOT_SAME)
		rc = drg_apart_suggest(x->txn, r, reterr);
	if (rc == DRG_OK && r->type->id == DRG_TYPE_DICT && c->alive && x->first == DRG_BATCH_DECIDE)
		rc = drg_dict_names_restored(x->txn, &c->r, r,
		                             &(const struct drg_audit){ .by = x->u->by, .why = x->u->why },
		                             &x->one, reterr);
	x->u->restored += rc == DRG_OK && (result != DRG_PUT_SAME || drg_undo_was_earlier(x, &c->m));
	return rc;
}

/* Was the record removed only by a merge or a split? Then drg_undo_merges() has brought it back already. */
static bool undo_is_merged(const struct drg_undoing *x, const struct drg_record *r, bool alive)
{
	return x->first == DRG_BATCH_DECIDE &&
	       (r->type->id == DRG_TYPE_REDIRECT || (r->type->id == DRG_TYPE_DICT && !alive));
}

static int undo_restore(struct drg_undoing *x, const struct drg_batch_item *item, struct drg_err *reterr)
{
	const char *why;
	struct drg_undo_current c;
	struct drg_record r;
	int64_t removed;
	drg_arena_reset(&x->one);
	int rc = drg_ndjson_read(item->was, &x->one, &r, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_find(x, &r, &c, &removed, reterr);
	if (rc != DRG_OK)
		return rc;
	/* An earlier undoing has removed the record, so nothing is left to do for it. */
	if (drg_undo_is_among(&x->earlier, removed)) {
		*(r.deleted ? &x->u->removed : &x->u->restored) += 1;
		return DRG_OK;
	}
	if (r.deleted)
		return c.alive ? undo_note_created(x, &c, item->seq) : DRG_OK;
	if (undo_is_merged(x, &r, c.alive))
		return DRG_OK;
	rc = undo_check(x, &c, removed, item->seq, &r, &why, reterr);
	if (rc == DRG_OK && why != NULL)
		drg_undo_skip(x, &r, why);
	return rc == DRG_OK && why == NULL ? undo_put(x, &c, &r, reterr) : rc;
}

static int undo_expect_one(struct drg_undoing *x, const struct drg_batch_item *item, struct drg_err *reterr)
{
	struct drg_record r, key;
	drg_arena_reset(&x->one);
	int rc = drg_ndjson_read(item->was, &x->one, &r, reterr);
	if (rc != DRG_OK || r.type->id != DRG_TYPE_SOURCE || !drg_record_has(&r, DRG_F_DICT_ID))
		return rc;
	drg_key_dict(&key, drg_record_kind(&r), r.v[DRG_F_DICT_ID].i);
	return drg_txn_prefetch(x->txn, &key, reterr);
}

/* Announce the earlier mappings of the next items, which come in no order. @param i  The first of them. */
static int undo_expect(struct drg_undoing *x, size_t i, struct drg_err *reterr)
{
	size_t end = x->items.n - i < UNDO_AHEAD ? x->items.n : i + UNDO_AHEAD;
	int rc = DRG_OK;
	for (; i < end && rc == DRG_OK && drg_txn_can_prefetch(x->txn); i++) {
		const struct drg_batch_item item = drg_batch_item(&x->items, i);
		rc = undo_expect_one(x, &item, reterr);
	}
	return rc;
}

static int undo_restore_part(struct drg_undoing *x, struct drg_err *reterr)
{
	size_t expected = 0;
	int rc = DRG_OK;
	for (size_t i = 0; i < x->items.n && rc == DRG_OK; i++) {
		const struct drg_batch_item item = drg_batch_item(&x->items, i);
		if (x->txn == NULL)
			expected = i;
		rc = drg_undo_check_leave(x, reterr);
		if (rc == DRG_OK)
			rc = drg_undo_begin(x, reterr);
		if (rc == DRG_OK && i == expected) {
			expected = i + UNDO_AHEAD;
			rc = undo_expect(x, i, reterr);
		}
		if (rc == DRG_OK)
			rc = undo_restore(x, &item, reterr);
		if (rc == DRG_OK)
			rc = drg_undo_commit(x, false, reterr);
	}
	return rc;
}

int drg_undo_restore_all(struct drg_undoing *x, struct drg_err *reterr)
{
	int rc = undo_restore_part(x, reterr);
	while (rc == DRG_OK && drg_batch_items_more(&x->items)) {
		/* Commit, so that others can write while the next part is read. */
		rc = drg_undo_commit(x, true, reterr);
		if (rc == DRG_OK)
			rc = drg_batch_items_next(x->s, &x->items, reterr);
		if (rc == DRG_OK)
			rc = undo_restore_part(x, reterr);
	}
	return rc;
}
