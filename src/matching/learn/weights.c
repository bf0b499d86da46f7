/* The scorecard that the operator has chosen: decision M37. */
#include "matching/learn/weights.h"

#include "base/clock.h"
#include "decide/history.h"
#include "model/key.h"
#include "model/value.h"
#include "text/stamp.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

static struct drg_weights weights_of(const struct drg_record *r)
{
	return (struct drg_weights){ .id = r->v[DRG_F_ID].i,
		                     .own = drg_record_has(r, DRG_F_DATA),
		                     .at = drg_record_s(r, DRG_F_AT),
		                     .by = drg_record_s(r, DRG_F_BY),
		                     .why = drg_record_s(r, DRG_F_WHY),
		                     .text = drg_record_s(r, DRG_F_DATA) };
}

int drg_weights_each(struct drg_store *s, drg_weights_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_SCORECARD], .internal = true };
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_weights w = weights_of(&rows.row.r);
		rows.rc = fn(ctx, &w);
	}
	return drg_rows_end(&rows);
}

static int weights_highest(void *ctx, const struct drg_weights *w)
{
	int64_t *highest = ctx;
	*highest = w->id > *highest ? w->id : *highest;
	return DRG_OK;
}

static int weights_read(struct drg_store *s, int64_t id, struct drg_arena *arena, struct drg_weights *ret,
                        struct drg_err *reterr)
{
	struct drg_record key, r;
	drg_key_scorecard(&key, id);
	int rc = drg_fetch(s, &key, arena, &r, reterr);
	if (rc == DRG_OK)
		*ret = weights_of(&r);
	return rc;
}

int drg_weights_in_use(struct drg_store *s, struct drg_arena *arena, struct drg_weights *ret,
                       struct drg_err *reterr)
{
	int64_t highest = 0;
	int rc = drg_weights_each(s, weights_highest, &highest, reterr);
	*ret = (struct drg_weights){ .id = 0 };
	return rc == DRG_OK && highest > 0 ? weights_read(s, highest, arena, ret, reterr) : rc;
}

int drg_weights_card(struct drg_store *s, struct drg_scorecard *ret, struct drg_err *reterr)
{
	struct drg_weights w;
	struct drg_arena arena;
	struct drg_err e = { .code = DRG_OK };
	drg_arena_init(&arena, 2 * DRG_WEIGHTS_TEXT_MAX);
	int rc = drg_weights_in_use(s, &arena, &w, reterr);
	if (rc == DRG_OK && !w.own)
		*ret = drg_scorecard_hotels;
	if (rc == DRG_OK && w.own &&
	    (rc = drg_scorecard_read(w.text, &drg_scorecard_hotels, ret, &e)) != DRG_OK)
		rc = drg_fail(reterr, rc, DRG_R(bad_value), "weights",
		              "scorecard %lld, which is in use, cannot be read by this program (%s): take "
		              "another one with 'dragoman match weights set FILE', or the program's own with "
		              "'dragoman match weights reset'",
		              (long long)w.id, e.message);
	drg_arena_done(&arena);
	return rc;
}

/* ---- taking one into use ------------------------------------------------------------------------------- */

static int weights_check(const struct drg_weights_set *x, struct drg_str text, struct drg_err *reterr)
{
	struct drg_scorecard card;
	const struct drg_audit audit = { .by = x->by, .why = x->why };
	int rc = drg_audit_check(&audit, reterr);
	if (rc == DRG_OK && text.n > 0)
		rc = drg_field_check_text(DRG_TYPE_SCORECARD, DRG_F_DATA, text, reterr);
	return rc == DRG_OK && text.n > 0 ? drg_scorecard_read(text, &drg_scorecard_hotels, &card, reterr)
	                                  : rc;
}

static int weights_put(struct drg_weights_set *x, struct drg_txn *t, struct drg_str text,
                       struct drg_err *reterr)
{
	struct drg_record r;
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	drg_key_scorecard(&r, x->id);
	drg_record_set_s(&r, DRG_F_AT, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	if (x->by.n > 0)
		drg_record_set_s(&r, DRG_F_BY, x->by);
	if (x->why.n > 0)
		drg_record_set_s(&r, DRG_F_WHY, x->why);
	if (text.n > 0)
		drg_record_set_s(&r, DRG_F_DATA, text);
	return drg_txn_put(t, &r, &result, reterr);
}

static int weights_again(struct drg_weights_set *x, struct drg_store *s, struct drg_arena *arena,
                         struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_weights w;
	int rc = weights_read(s, x->again, arena, &w, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, NULL, "weights",
		                "there is no scorecard %lld; 'dragoman match weights list' has them",
		                (long long)x->again);
	if (rc == DRG_OK)
		*ret = w.text;
	return rc;
}

int drg_weights_activate(void *set, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_weights_set *x = set;
	struct drg_weights now;
	struct drg_arena arena;
	struct drg_str text = x->text;
	drg_arena_init(&arena, 4 * DRG_WEIGHTS_TEXT_MAX);
	int rc = x->again > 0 ? weights_again(x, drg_txn_store(t), &arena, &text, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = weights_check(x, text, reterr);
	if (rc == DRG_OK)
		rc = drg_weights_in_use(drg_txn_store(t), &arena, &now, reterr);
	if (rc == DRG_OK) {
		x->changed = !drg_str_eq(now.text, text);
		x->id = now.id + x->changed;
		rc = x->changed ? weights_put(x, t, text, reterr) : DRG_OK;
	}
	drg_arena_done(&arena);
	return rc;
}
