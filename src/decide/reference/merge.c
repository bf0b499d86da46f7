/* Merges one record of the reference into another (decisions M18 to M21): references to FROM are moved to
 * INTO, FROM is removed, and a redirect takes its place. The redirect has all that a split needs to undo
 * this. */
#include "base/clock.h"

#include <assert.h>

#include "decide/apart.h"
#include "model/relink.h"
#include "decide/reference/merge_priv.h"
#include "text/stamp.h"

struct merge {
	struct drg_merging x;
	struct drg_record from; /* the record that is removed */
	int64_t into; /* alive */
	struct drg_record stays; /* the record INTO */
	struct drg_audit audit;
	struct drg_journal journal;
	unsigned ref; /* number of the reference that relink() is called for */
	bool content; /* the record is hotel content: its references are numbered */
};

/* ---- the two records ----------------------------------------------------------------------------------- */

static int find_from(struct merge *g, struct drg_err *reterr)
{
	const struct drg_decision *d = g->x.d;
	struct drg_record key;
	int64_t to;
	drg_key_dict(&key, d->kind, d->dict_id);
	int rc = drg_fetch(g->x.s, &key, &g->x.arena, &g->from, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	rc = drg_resolve(g->x.s, d->kind, d->dict_id, &to, reterr);
	return rc != DRG_OK ? rc
	                    : drg_fail(reterr, DRG_EINVAL, DRG_R(merged_already), NULL,
	                               "%s %lld was merged already and now leads to %lld",
	                               drg_kind_name(d->kind), (long long)d->dict_id, (long long)to);
}

static int find_into(struct merge *g, struct drg_err *reterr)
{
	const struct drg_decision *d = g->x.d;
	struct drg_record key;
	int rc = d->into != d->dict_id ? drg_resolve(g->x.s, d->kind, d->into, &g->into, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	if (d->into == d->dict_id)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(same), NULL, "%s %lld cannot be merged into itself",
		                drg_kind_name(d->kind), (long long)d->dict_id);
	if (g->into == d->dict_id)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(cycle), NULL,
		        "%s %lld was merged into %lld: split it first, or it is the same record twice",
		        drg_kind_name(d->kind), (long long)d->into, (long long)d->dict_id);
	g->x.sums.into = g->into;
	drg_key_dict(&key, d->kind, g->into);
	return drg_fetch(g->x.s, &key, &g->x.arena, &g->stays, reterr);
}

/* ---- the time: one for all events of a merge, by which its split knows them ---------------------------- */

static int move_time(void *ctx, struct drg_record *r, struct drg_err *reterr)
{
	struct merge *g = ctx;
	return r->type->id != DRG_TYPE_SOURCE
	               ? DRG_OK
	               : drg_event_next_at(g->x.s, r, g->audit.at_us, &g->audit.at_us, reterr);
}

/* ---- moving the references ----------------------------------------------------------------------------- */

static int64_t merge_relink(void *ctx, enum drg_kind kind, int64_t id)
{
	struct merge *g = ctx;
	bool hit = kind == g->x.d->kind && id == g->x.d->dict_id;
	if (hit && g->content)
		drg_journal_content_ref(&g->journal, g->ref);
	g->ref++;
	return hit ? g->into : id;
}

static int relink_and_put(struct merge *g, struct drg_record *r, struct drg_err *reterr)
{
	bool changed;
	g->ref = 0;
	if (drg_record_relink(r, merge_relink, g, &g->x.scratch, &changed) != DRG_OK)
		return drg_fail_memory(reterr);
	return drg_merging_put(&g->x, r, reterr);
}

static int move_dict(struct merge *g, struct drg_record *r, struct drg_err *reterr)
{
	g->x.sums.others++;
	drg_journal_dict(&g->journal, r);
	return relink_and_put(g, r, reterr);
}

static int move_content(struct merge *g, struct drg_record *r, struct drg_err *reterr)
{
	g->x.sums.others++;
	g->content = true;
	drg_journal_content(&g->journal, r);
	int rc = relink_and_put(g, r, reterr);
	drg_journal_content_end(&g->journal);
	g->content = false;
	return rc;
}

/* Move a direction. It consists of its identity only: the old one is removed, and the new one may exist
 * already. */
static int move_direction(struct merge *g, struct drg_record *r, struct drg_err *reterr)
{
	struct drg_record old = *r;
	enum drg_put_result result;
	bool changed;
	old.deleted = true;
	g->x.sums.others++;
	int rc = drg_merging_put(&g->x, &old, reterr);
	if (rc == DRG_OK && drg_record_relink(r, merge_relink, g, &g->x.scratch, &changed) != DRG_OK)
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = drg_txn_put(g->x.txn, r, &result, reterr);
	if (rc == DRG_OK)
		drg_journal_direction(&g->journal, &old, result == DRG_PUT_SAME);
	return rc;
}

/* Move a redirect of an id that was merged into FROM earlier: it leads to INTO now, and remembers FROM. */
static int move_redirect(struct merge *g, struct drg_record *r, struct drg_err *reterr)
{
	g->x.sums.redirects++;
	if (!drg_record_has(r, DRG_F_INTO))
		drg_record_set_i(r, DRG_F_INTO, g->x.d->dict_id);
	drg_record_set_i(r, DRG_F_TO, g->into);
	return drg_merging_put(&g->x, r, reterr);
}

static int move(void *ctx, struct drg_record *r, struct drg_err *reterr)
{
	struct merge *g = ctx;
	drg_arena_reset(&g->x.scratch);
	switch (r->type->id) {
	case DRG_TYPE_SOURCE:
		g->x.sums.sources++;
		return drg_event_put(g->x.txn, r, &g->into, &g->audit, reterr);
	case DRG_TYPE_REDIRECT: return move_redirect(g, r, reterr);
	case DRG_TYPE_DIRECTION: return move_direction(g, r, reterr);
	case DRG_TYPE_HOTEL_CONTENT: return move_content(g, r, reterr);
	default: return move_dict(g, r, reterr);
	}
}

/* ---- replacing FROM by a redirect ---------------------------------------------------------------------- */

static void merge_set_text(struct drg_record *r, enum drg_field f, struct drg_str text)
{
	if (text.n > 0)
		drg_record_set_s(r, f, text);
}

static int leave_redirect(struct merge *g, struct drg_err *reterr)
{
	struct drg_record gone, redirect;
	struct drg_str undo;
	char at[DRG_STAMP_TEXT];
	int rc = drg_journal_text(&g->journal, &g->from, &g->x.arena, &undo, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_key_dict(&gone, g->x.d->kind, g->x.d->dict_id);
	gone.deleted = true;
	drg_key_redirect(&redirect, g->x.d->kind, g->x.d->dict_id);
	drg_record_set_i(&redirect, DRG_F_TO, g->into);
	drg_record_set_s(&redirect, DRG_F_AT, drg_str(at, drg_stamp_text(g->audit.at_us, at)));
	merge_set_text(&redirect, DRG_F_BY, g->audit.by);
	merge_set_text(&redirect, DRG_F_WHY, g->audit.why);
	drg_record_set_s(&redirect, DRG_F_DATA, undo);
	/* The batch identifies the merge by this record, and undoes it by a split (decide/batch_merges.c). */
	rc = drg_verb_put(g->x.v, &gone, reterr);
	return rc == DRG_OK ? drg_merging_put(&g->x, &redirect, reterr) : rc;
}

int drg_verb_merge(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	assert(d->verb == DRG_VERB_MERGE);
	struct merge g = { .audit = { x->how, x->ledger->by, x->why, drg_wall_us() } };
	drg_journal_init(&g.journal);
	drg_merging_begin(&g.x, x, d);
	int rc = find_from(&g, reterr);
	if (rc == DRG_OK)
		rc = find_into(&g, reterr);
	if (rc == DRG_OK)
		rc = drg_not_same_count_merge(g.x.s, d->kind, d->dict_id, g.into, &g.x.sums.apart, reterr);
	if (rc == DRG_OK)
		rc = drg_referrers_collect(g.x.s, d->kind, d->dict_id, true, &g.x.referrers, reterr);
	if (rc == DRG_OK)
		rc = drg_referrers_each(&g.x.referrers, move_time, &g, reterr);
	if (rc == DRG_OK)
		rc = drg_referrers_each(&g.x.referrers, move, &g, reterr);
	if (rc == DRG_OK)
		rc = leave_redirect(&g, reterr);
	if (rc == DRG_OK)
		rc = drg_merging_keep(&g.x, DRG_DICT_HOW_MERGE, &g.from, &g.stays, reterr);
	d->is.changed = true;
	d->is.sums = g.x.sums;
	drg_journal_done(&g.journal);
	drg_merging_done(&g.x);
	return rc;
}
