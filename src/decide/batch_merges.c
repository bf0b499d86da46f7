/* Undoes the merges and splits of a batch (decisions M20, M28, M42). The batch has one record for each of
 * them: of a merge the record that was removed, of a split the redirect. A merge is undone by a split, and a
 * split by another merge; these move the references. */
#include "decide/batch_priv.h"
#include "decide/decision.h"
#include "model/key.h"
#include "model/ndjson.h"

struct undo_merged {
	int64_t seq; /* the commit of the batch */
	enum drg_kind kind;
	int64_t id; /* the record that was merged away, or came back */
	bool split;
	int64_t into; /* of a split: the record that `id` had been merged into */
};

enum { MERGED_ROOM = 64 << 20 };

struct merged_reading {
	struct drg_buf *merged;
	struct drg_arena arena;
	struct drg_err *err;
};

static int merged_take(void *ctx, const struct drg_record *item, const struct drg_row_meta *m)
{
	struct merged_reading *x = ctx;
	struct drg_record r;
	(void)m;
	if (!drg_record_has(item, DRG_F_DATA))
		return DRG_OK;
	drg_arena_reset(&x->arena);
	int rc = drg_ndjson_read(item->v[DRG_F_DATA].s, &x->arena, &r, x->err);
	if (rc != DRG_OK || r.deleted || (r.type->id != DRG_TYPE_DICT && r.type->id != DRG_TYPE_REDIRECT))
		return rc;
	const struct undo_merged merged = { .seq = drg_record_i(item, DRG_F_SEQ, 0),
		                            .kind = drg_record_kind(&r),
		                            .id = r.v[DRG_F_ID].i,
		                            .split = r.type->id == DRG_TYPE_REDIRECT,
		                            .into = drg_record_i(&r, DRG_F_TO, 0) };
	drg_buf_add(x->merged, &merged, sizeof merged);
	return x->merged->rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

/* Read the merges and splits of the batch, in order. An item of a merge may also be another decision about
 * the record; then the record is alive. */
static int merged_read(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr)
{
	struct merged_reading x = { .merged = ret, .err = reterr };
	drg_arena_init(&x.arena, MERGED_ROOM);
	int rc = drg_batch_items(s, batch, merged_take, &x, reterr);
	drg_arena_done(&x.arena);
	return rc;
}

/* A record that an undone merge brought back and that cannot be merged again must not be removed. */
static void undo_spare(struct drg_undoing *x, const struct drg_record *dict)
{
	for (size_t i = 0; i < x->created.n; i++) {
		struct drg_record r;
		if (drg_created_type(&x->created, i) != DRG_TYPE_DICT)
			continue;
		drg_created_at(&x->created, i, &r);
		if (drg_record_kind(&r) == drg_record_kind(dict) && r.v[DRG_F_ID].i == dict->v[DRG_F_ID].i)
			drg_created_mark_handled(&x->created, i);
	}
}

/* Undo one merge or split. @param ret  Why it cannot be undone; unchanged if it was undone. */
static int undo_turn(struct drg_undoing *x, const struct undo_merged *g, const char **ret,
                     struct drg_err *reterr)
{
	struct drg_decision d = { .verb = g->split ? DRG_VERB_MERGE : DRG_VERB_SPLIT,
		                  .kind = g->kind,
		                  .dict_id = g->id,
		                  .into = g->into };
	int rc = drg_decisions_run(x->txn, &x->ledger, &d, 1, reterr);
	if (rc != DRG_OK)
		return rc;
	if (d.is.rc != DRG_OK)
		*ret = g->split ? "it cannot be merged again" : "it cannot be split off";
	else
		x->u->restored += 1 + d.is.sums.sources + d.is.sums.others + d.is.sums.redirects;
	return DRG_OK;
}

/* Is the record still as the batch left it? @param stands  The record that has the place of the merged one
 * now.
 * @return NULL: yes; else why not. */
static const char *undo_check_merged(const struct drg_undoing *x, const struct undo_merged *g,
                                     const struct drg_undo_current *stands)
{
	if (!stands->alive)
		return "it was removed since";
	bool again = stands->m.created_seq != g->seq && !drg_undo_is_ours(x, stands->m.created_seq);
	bool renamed = g->split && stands->m.data_seq != g->seq && !drg_undo_is_ours(x, stands->m.data_seq);
	return again || renamed ? "it was changed since" : NULL;
}

static int undo_take_back(struct drg_undoing *x, const struct undo_merged *g, struct drg_err *reterr)
{
	struct drg_undo_current stands, back;
	struct drg_record dict, redirect;
	const char *why = NULL;
	int64_t removed;
	drg_arena_reset(&x->one);
	drg_key_dict(&dict, g->kind, g->id);
	drg_key_redirect(&redirect, g->kind, g->id);
	int rc = drg_undo_begin(x, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_find(x, g->split ? &redirect : &dict, &back, &removed, reterr);
	if (rc == DRG_OK)
		rc = drg_undo_find(x, g->split ? &dict : &redirect, &stands, &removed, reterr);
	if (rc != DRG_OK)
		return rc;
	if (!back.alive)
		why = undo_check_merged(x, g, &stands);
	else if (g->split && !drg_undo_is_ours(x, back.m.created_seq))
		why = "it was changed since";
	if (why == NULL && !back.alive)
		rc = undo_turn(x, g, &why, reterr);
	if (rc == DRG_OK && why != NULL) {
		drg_undo_skip(x, &dict, why);
		undo_spare(x, &dict);
	}
	return rc == DRG_OK ? drg_undo_commit(x, false, reterr) : rc;
}

/* Undo the merges and splits, the last one first: a record that was merged further comes back before the
 * records that had been merged into it. */
int drg_undo_merges(struct drg_undoing *x, struct drg_err *reterr)
{
	struct drg_buf merged;
	if (x->first != DRG_BATCH_DECIDE)
		return DRG_OK;
	drg_buf_init(&merged, SIZE_MAX);
	int rc = merged_read(x->s, x->u->batch, &merged, reterr);
	const struct undo_merged *v = (const struct undo_merged *)(const void *)merged.p;
	for (size_t i = merged.n / sizeof *v; i-- > 0 && rc == DRG_OK;)
		rc = undo_take_back(x, &v[i], reterr);
	drg_buf_done(&merged);
	return rc;
}
