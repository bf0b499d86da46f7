#include "decide/reference/merge_undo.h"

/* Load the redirect of an id with its journal. @return DRG_ENOENT: the id has no redirect, or one that cannot
 * be split. */
static int fetch_undo(struct drg_merging *x, enum drg_kind kind, int64_t id, struct drg_record *redirect,
                      struct drg_undo *undo, struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_redirect(&key, kind, id);
	int rc = drg_fetch(x->s, &key, &x->scratch, redirect, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_undo_read(redirect, &x->scratch, undo, reterr);
	return rc == DRG_EINVAL ? DRG_ENOENT : rc;
}

/* Store the redirect with its changed journal. If it would get too large, it is not changed. */
static int put_undo(struct drg_merging *x, struct drg_record *redirect, const struct drg_undo *undo,
                    struct drg_err *reterr)
{
	struct drg_str text;
	int rc = drg_undo_text(undo, &x->scratch, &text, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ELIMIT ? DRG_OK : rc;
	drg_record_set_s(redirect, DRG_F_DATA, text);
	return drg_merging_put(x, redirect, reterr);
}

/* If an id was merged several times, each of these merges would have moved the record. */
int drg_merge_undo_extend(struct drg_merging *x, const struct drg_record *r, enum drg_kind kind, int64_t id,
                          struct drg_err *reterr)
{
	for (bool last = false; !last;) {
		struct drg_record redirect;
		struct drg_undo undo;
		drg_arena_reset(&x->scratch);
		int rc = fetch_undo(x, kind, id, &redirect, &undo, reterr);
		if (rc != DRG_OK)
			return rc == DRG_ENOENT ? DRG_OK : rc;
		last = !drg_record_has(&redirect, DRG_F_INTO);
		id = drg_record_i(&redirect, DRG_F_INTO, 0);
		rc = drg_undo_note(&undo, drg_record_kind(r), r->v[DRG_F_ID].i) == DRG_OK
		             ? put_undo(x, &redirect, &undo, reterr)
		             : drg_fail_memory(reterr);
		drg_undo_done(&undo);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

int drg_merge_undo_relink(struct drg_merging *x, enum drg_kind kind, int64_t id, drg_relink_fn *fn, void *ctx,
                          bool *ret_changed, struct drg_err *reterr)
{
	struct drg_record redirect;
	struct drg_undo undo;
	bool changed = false;
	int rc = fetch_undo(x, kind, id, &redirect, &undo, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	if (rc == DRG_OK) {
		rc = drg_record_relink(&undo.record, fn, ctx, &x->scratch, &changed) == DRG_OK
		             ? DRG_OK
		             : drg_fail_memory(reterr);
		if (rc == DRG_OK && changed)
			rc = put_undo(x, &redirect, &undo, reterr);
		drg_undo_done(&undo);
		if (rc != DRG_OK)
			return rc;
	}
	*ret_changed = changed;
	return DRG_OK;
}
