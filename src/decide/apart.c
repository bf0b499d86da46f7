#include "decide/apart.h"

#include <assert.h>

#include "base/clock.h"
#include "decide/suggest.h"
#include "match/vocab.h"
#include "text/stamp.h"

/* The id that a dict record has now; its own id if it was removed. */
static int apart_live(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret,
                      struct drg_err *reterr)
{
	int rc = drg_resolve(s, kind, id, ret, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	*ret = id;
	return DRG_OK;
}

/* ---- not_same ------------------------------------------------------------------------------------------ */

/* @param ret  True: the statement did not exist before. */
static int apart_put(struct drg_verb_run *x, const struct drg_decision *d, int64_t live, bool *ret,
                     struct drg_err *reterr)
{
	struct drg_record r;
	char at[DRG_STAMP_TEXT];
	drg_key_not_same(&r, d->adapter, d->kind, d->id, live);
	int rc = drg_store_exists(x->s, &r, reterr);
	*ret = rc == DRG_ENOENT;
	if (rc != DRG_ENOENT)
		return rc;
	drg_record_set_s(&r, DRG_F_AT, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	if (x->ledger->by.n > 0)
		drg_record_set_s(&r, DRG_F_BY, x->ledger->by);
	if (x->why.n > 0)
		drg_record_set_s(&r, DRG_F_WHY, x->why);
	return drg_verb_put(x, &r, reterr);
}

int drg_verb_not_same(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	int64_t live = d->dict_id;
	bool changed = false;
	int rc = drg_resolve(x->s, d->kind, d->dict_id, &live, reterr);
	if (rc == DRG_OK)
		rc = apart_put(x, d, live, &changed, reterr);
	/* If the source is mapped to that dict record, undo the mapping: which record it is nobody has said. */
	if (rc == DRG_OK && d->is.is_mapped && d->is.is == live)
		rc = drg_verb_map_to(x, d, NULL, reterr);
	d->is.changed = d->is.changed || changed;
	return rc == DRG_OK ? drg_suggest_hide(x->txn, d->adapter, d->kind, d->id, live, reterr) : rc;
}

/* ---- undo_not_same ------------------------------------------------------------------------------------- */

/* Gather the dict ids that a source is not, as people have said. */
static int apart_gather(struct drg_store *s, const struct drg_record *source, struct drg_buf *ret,
                        struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	drg_key_not_same(&key, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	                 source->v[DRG_F_SOURCE_ID].s, 0);
	for (drg_rows_siblings(&rows, s, &key, 0, reterr); drg_rows_next(&rows);) {
		const int64_t dict_id = drg_record_i(&rows.row.r, DRG_F_APART_FROM, 0);
		drg_buf_add(ret, &dict_id, sizeof dict_id);
		rows.rc = ret->rc;
	}
	return drg_rows_end(&rows);
}

static int apart_forget_one(struct drg_verb_run *x, int64_t said, int64_t live, bool *ret,
                            struct drg_err *reterr)
{
	const struct drg_record *source = &x->source;
	int64_t lives;
	struct drg_record gone;
	int rc = apart_live(x->s, drg_record_kind(source), said, &lives, reterr);
	if (rc != DRG_OK || lives != live)
		return rc;
	drg_key_not_same(&gone, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	                 source->v[DRG_F_SOURCE_ID].s, said);
	gone.deleted = true;
	*ret = true;
	return drg_verb_put(x, &gone, reterr);
}

int drg_not_same_of_source(struct drg_store *s, const struct drg_record *source, struct drg_buf *ret,
                           struct drg_err *reterr)
{
	drg_buf_clear(ret);
	int rc = apart_gather(s, source, ret, reterr);
	int64_t *v = (int64_t *)(void *)ret->p;
	for (size_t i = 0; i < ret->n / sizeof *v && rc == DRG_OK; i++)
		rc = apart_live(s, drg_record_kind(source), v[i], &v[i], reterr);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

int drg_not_same_remove(struct drg_verb_run *x, int64_t live, bool *ret, struct drg_err *reterr)
{
	const struct drg_record *source = &x->source;
	struct drg_buf said;
	drg_buf_init(&said, SIZE_MAX);
	*ret = false;
	int rc = apart_gather(x->s, source, &said, reterr);
	const int64_t *v = (const int64_t *)(const void *)said.p;
	for (size_t i = 0; i < said.n / sizeof *v && rc == DRG_OK; i++)
		rc = apart_forget_one(x, v[i], live, ret, reterr);
	drg_buf_done(&said);
	if (rc == DRG_OK && *ret)
		rc = drg_suggest_show(x->txn, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
		                      source->v[DRG_F_SOURCE_ID].s, live, reterr);
	return rc;
}

int drg_verb_undo_not_same(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	int64_t live = d->dict_id;
	int there = drg_resolve(x->s, d->kind, d->dict_id, &live, reterr);
	if (there != DRG_OK && there != DRG_ENOENT) /* a statement about a removed record can be undone too */
		return there;
	int rc = drg_not_same_remove(x, live, &d->is.changed, reterr);
	return rc == DRG_OK && !d->is.changed ? there : rc;
}

int drg_apart_suggest(struct drg_txn *t, const struct drg_record *not_same, struct drg_err *reterr)
{
	assert(not_same->type->id == DRG_TYPE_NOT_SAME);
	const int64_t adapter = not_same->v[DRG_F_ADAPTER_ID].i;
	const enum drg_kind kind = drg_record_kind(not_same);
	const struct drg_str id = not_same->v[DRG_F_SOURCE_ID].s;
	int64_t live;
	int rc = apart_live(drg_txn_store(t), kind, drg_record_i(not_same, DRG_F_APART_FROM, 0), &live,
	                    reterr);
	if (rc != DRG_OK)
		return rc;
	return not_same->deleted ? drg_suggest_show(t, adapter, kind, id, live, reterr)
	                         : drg_suggest_hide(t, adapter, kind, id, live, reterr);
}

/* ---- all statements ------------------------------------------------------------------------------------ */

/* A statement about a source. */
struct apart_said {
	int64_t adapter, dict_id;
	enum drg_kind kind;
	struct drg_str id;
};

struct apart_reading {
	struct drg_arena arena;
	struct drg_buf said; /* struct apart_said */
};

static int apart_read_all(struct drg_store *s, struct apart_reading *x, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_NOT_SAME], .any_order = true };
	drg_arena_init(&x->arena, SIZE_MAX);
	drg_buf_init(&x->said, SIZE_MAX);
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		const struct apart_said a = { .adapter = r->v[DRG_F_ADAPTER_ID].i,
			                      .dict_id = drg_record_i(r, DRG_F_APART_FROM, 0),
			                      .kind = drg_record_kind(r),
			                      .id = drg_arena_str(&x->arena, r->v[DRG_F_SOURCE_ID].s) };
		drg_buf_add(&x->said, &a, sizeof a);
		if (a.id.p == NULL || x->said.rc != DRG_OK)
			rows.rc = drg_fail_memory(reterr);
	}
	return drg_rows_end(&rows);
}

static void apart_read_done(struct apart_reading *x)
{
	drg_arena_done(&x->arena);
	drg_buf_done(&x->said);
}

uint64_t drg_not_same_key(int64_t adapter, enum drg_kind kind, struct drg_str id, int64_t dict_id)
{
	return (drg_match_hash(id, (uint64_t)adapter * 16 + (uint64_t)kind) ^
	        (uint64_t)dict_id * UINT64_C(0x9e3779b97f4a7c15)) |
	       1;
}

int drg_not_same_count_all(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr)
{
	struct apart_reading x;
	int rc = apart_read_all(s, &x, reterr);
	const struct apart_said *a = (const struct apart_said *)(const void *)x.said.p;
	for (size_t i = 0; i < x.said.n / sizeof *a && rc == DRG_OK; i++) {
		int64_t live;
		rc = apart_live(s, a[i].kind, a[i].dict_id, &live, reterr);
		if (rc == DRG_OK &&
		    drg_tally_add(ret, drg_not_same_key(a[i].adapter, a[i].kind, a[i].id, live)) != DRG_OK)
			rc = drg_fail_memory(reterr);
	}
	apart_read_done(&x);
	return rc;
}

/* ---- merges -------------------------------------------------------------------------------------------- */

int drg_not_same_count_merge(struct drg_store *s, enum drg_kind kind, int64_t from, int64_t into,
                             uint64_t *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	assert(from != into);
	struct apart_reading x;
	int rc = apart_read_all(s, &x, reterr);
	const struct apart_said *a = (const struct apart_said *)(const void *)x.said.p;
	*ret = 0;
	for (size_t i = 0; i < x.said.n / sizeof *a && rc == DRG_OK; i++) {
		int64_t live, mapped = INT64_MIN;
		struct drg_record key;
		if (a[i].kind != kind)
			continue;
		rc = apart_live(s, kind, a[i].dict_id, &live, reterr);
		if (rc != DRG_OK || (live != from && live != into))
			continue;
		drg_key_source(&key, a[i].adapter, kind, a[i].id);
		drg_rows_get(&rows, s, &key, reterr);
		if (drg_rows_next(&rows))
			mapped = drg_record_i(&rows.row.r, DRG_F_DICT_ID, INT64_MIN);
		rc = drg_rows_end(&rows);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
		*ret += mapped == (live == from ? into : from);
	}
	apart_read_done(&x);
	return rc;
}
