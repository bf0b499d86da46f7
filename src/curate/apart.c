#include "curate/apart.h"

#include "base/clock.h"
#include "curate/history.h"
#include "curate/mapping.h"
#include "curate/suggest.h"
#include "match/vocab.h"
#include "text/stamp.h"

enum { APART_ROOM = 1 << 20 };

/* Where a dict record lives; its own id where it is gone. */
static int apart_live(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret,
                      struct drg_err *reterr)
{
	int rc = drg_resolve(s, kind, id, ret, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	*ret = id;
	return DRG_OK;
}

/* ---- said ------------------------------------------------------------------------------------------------- */

static int apart_put(struct drg_apart *a, struct drg_txn *t, int64_t live, struct drg_err *reterr)
{
	struct drg_record r;
	enum drg_put_result result;
	char at[DRG_STAMP_TEXT];
	drg_key_not_same(&r, a->adapter, a->kind, a->id, live);
	int rc = drg_store_exists(drg_txn_store(t), &r, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	drg_record_set_s(&r, DRG_F_AT, drg_str(at, drg_stamp_text(drg_wall_us(), at)));
	if (a->by.n > 0)
		drg_record_set_s(&r, DRG_F_BY, a->by);
	if (a->why.n > 0)
		drg_record_set_s(&r, DRG_F_WHY, a->why);
	a->changed = true;
	return drg_txn_put(t, &r, &result, reterr);
}

/* What is mapped to it is so no more. */
static int apart_unmap(struct drg_apart *a, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_mapping_decision d = {
		.adapter = a->adapter, .kind = a->kind, .id = a->id, .by = a->by, .why = a->why
	};
	return drg_mapping_clear(&d, t, reterr);
}

/* The source; and by and why are texts that can be kept. */
static int apart_find(struct drg_apart *a, struct drg_txn *t, struct drg_arena *arena,
                      struct drg_record *ret_source, struct drg_err *reterr)
{
	const struct drg_mapping_source of = { a->adapter, a->kind, a->id };
	const struct drg_audit audit = { .by = a->by, .why = a->why };
	struct drg_record key;
	a->changed = a->was_mapped = false;
	drg_key_source(&key, a->adapter, a->kind, a->id);
	int rc = drg_audit_check(&audit, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_fetch(drg_txn_store(t), &key, arena, ret_source, reterr);
	if (rc == DRG_ENOENT)
		return drg_mapping_unknown_source(drg_txn_store(t), &of, reterr);
	return rc;
}

int drg_apart_say(void *apart, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_apart *a = apart;
	struct drg_record source;
	struct drg_arena arena;
	int64_t live = a->dict_id;
	drg_arena_init(&arena, APART_ROOM);
	int rc = apart_find(a, t, &arena, &source, reterr);
	if (rc == DRG_OK)
		rc = drg_resolve(drg_txn_store(t), a->kind, a->dict_id, &live, reterr);
	if (rc == DRG_OK)
		rc = apart_put(a, t, live, reterr);
	if (rc == DRG_OK && drg_record_has(&source, DRG_F_DICT_ID) && source.v[DRG_F_DICT_ID].i == live) {
		a->was_mapped = true;
		rc = apart_unmap(a, t, reterr);
	}
	if (rc == DRG_OK)
		rc = drg_suggest_without(t, a->adapter, a->kind, a->id, live, reterr);
	drg_arena_done(&arena);
	return rc;
}

/* ---- forgotten -------------------------------------------------------------------------------------------- */

/* The ids that a source was said not to be. */
static int apart_gather(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_buf *b = ctx;
	drg_buf_add(b, &r->v[DRG_F_APART_FROM].i, sizeof(int64_t));
	return b->rc;
}

static int apart_forget_one(struct drg_txn *t, const struct drg_record *source, int64_t said, int64_t live,
                            bool *ret, struct drg_err *reterr)
{
	int64_t lives;
	struct drg_record gone;
	enum drg_put_result result;
	int rc = apart_live(drg_txn_store(t), drg_record_kind(source), said, &lives, reterr);
	if (rc != DRG_OK || lives != live)
		return rc;
	drg_key_not_same(&gone, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	                 source->v[DRG_F_SOURCE_ID].s, said);
	gone.deleted = true;
	*ret = true;
	return drg_txn_put(t, &gone, &result, reterr);
}

int drg_apart_of_source(struct drg_store *s, const struct drg_record *source, struct drg_buf *ret,
                        struct drg_err *reterr)
{
	struct drg_record key;
	drg_buf_clear(ret);
	drg_key_not_same(&key, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	                 source->v[DRG_F_SOURCE_ID].s, 0);
	int rc = drg_store_siblings(s, &key, apart_gather, ret, reterr);
	int64_t *v = (int64_t *)(void *)ret->p;
	for (size_t i = 0; i < ret->n / sizeof *v && rc == DRG_OK; i++)
		rc = apart_live(s, drg_record_kind(source), v[i], &v[i], reterr);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

int drg_apart_forget(struct drg_txn *t, const struct drg_record *source, int64_t live, bool *ret,
                     struct drg_err *reterr)
{
	struct drg_record key;
	struct drg_buf said;
	drg_buf_init(&said, SIZE_MAX);
	drg_key_not_same(&key, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
	                 source->v[DRG_F_SOURCE_ID].s, live);
	*ret = false;
	int rc = drg_store_siblings(drg_txn_store(t), &key, apart_gather, &said, reterr);
	const int64_t *v = (const int64_t *)(const void *)said.p;
	for (size_t i = 0; i < said.n / sizeof *v && rc == DRG_OK; i++)
		rc = apart_forget_one(t, source, v[i], live, ret, reterr);
	drg_buf_done(&said);
	if (rc == DRG_OK && *ret)
		rc = drg_suggest_with(t, source->v[DRG_F_ADAPTER_ID].i, drg_record_kind(source),
		                      source->v[DRG_F_SOURCE_ID].s, live, reterr);
	return rc;
}

int drg_apart_unsay(void *apart, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_apart *a = apart;
	struct drg_record source;
	struct drg_arena arena;
	int64_t live = a->dict_id;
	drg_arena_init(&arena, APART_ROOM);
	int rc = apart_find(a, t, &arena, &source, reterr), there = DRG_OK;
	if (rc == DRG_OK)
		there = drg_resolve(drg_txn_store(t), a->kind, a->dict_id, &live, reterr);
	if (rc == DRG_OK && (there == DRG_OK || there == DRG_ENOENT)) /* what is gone can be taken back too */
		rc = drg_apart_forget(t, &source, live, &a->changed, reterr);
	drg_arena_done(&arena);
	return rc == DRG_OK && !a->changed ? there : rc;
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

/* What was said of a source. */
struct apart_said {
	int64_t adapter, dict_id;
	enum drg_kind kind;
	struct drg_str id;
};

struct apart_reading {
	struct drg_arena arena;
	struct drg_buf said; /* struct apart_said */
};

static int apart_read(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct apart_reading *x = ctx;
	const struct apart_said a = { .adapter = r->v[DRG_F_ADAPTER_ID].i,
		                      .dict_id = r->v[DRG_F_APART_FROM].i,
		                      .kind = drg_record_kind(r),
		                      .id = drg_arena_str(&x->arena, r->v[DRG_F_SOURCE_ID].s) };
	drg_buf_add(&x->said, &a, sizeof a);
	return a.id.p != NULL && x->said.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

static int apart_read_all(struct drg_store *s, struct apart_reading *x, struct drg_err *reterr)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_NOT_SAME], .any_order = true };
	drg_arena_init(&x->arena, SIZE_MAX);
	drg_buf_init(&x->said, SIZE_MAX);
	int rc = drg_store_scan(s, &f, apart_read, x, NULL, reterr);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

static void apart_read_done(struct apart_reading *x)
{
	drg_arena_done(&x->arena);
	drg_buf_done(&x->said);
}

uint64_t drg_apart_key(int64_t adapter, enum drg_kind kind, struct drg_str id, int64_t dict_id)
{
	return (drg_match_hash(id, (uint64_t)adapter * 16 + (uint64_t)kind) ^
	        (uint64_t)dict_id * UINT64_C(0x9e3779b97f4a7c15)) |
	       1;
}

int drg_apart_all(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr)
{
	struct apart_reading x;
	int rc = apart_read_all(s, &x, reterr);
	const struct apart_said *a = (const struct apart_said *)(const void *)x.said.p;
	for (size_t i = 0; i < x.said.n / sizeof *a && rc == DRG_OK; i++) {
		int64_t live;
		rc = apart_live(s, a[i].kind, a[i].dict_id, &live, reterr);
		if (rc == DRG_OK &&
		    drg_tally_count(ret, drg_apart_key(a[i].adapter, a[i].kind, a[i].id, live)) != DRG_OK)
			rc = drg_fail_memory(reterr);
	}
	apart_read_done(&x);
	return rc;
}

/* ---- merges ----------------------------------------------------------------------------------------------- */

static int apart_dict_of(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(int64_t *)ctx = drg_record_i(r, DRG_F_DICT_ID, INT64_MIN);
	return DRG_OK;
}

int drg_apart_of_merge(struct drg_store *s, enum drg_kind kind, int64_t from, int64_t into, uint64_t *ret,
                       struct drg_err *reterr)
{
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
		rc = drg_store_get(s, &key, apart_dict_of, &mapped, reterr);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
		*ret += mapped == (live == from ? into : from);
	}
	apart_read_done(&x);
	return rc;
}
