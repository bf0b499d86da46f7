#include "curate/automap_priv.h"

#include <stdlib.h>

#include "base/clock.h"
#include "curate/history.h"

enum { SOURCE_ROOM = 1 << 20, UNDO_AT_A_TIME = 2000 };

/* ---- writing -------------------------------------------------------------------------------------------- */

static int write_event(struct drg_txn *t, const struct drg_record *source, const int64_t *to,
                       struct drg_str by, struct drg_str why, struct drg_err *reterr)
{
	struct drg_audit audit = { .how = DRG_HOW_MATCH, .by = by, .why = why };
	int rc = drg_event_next_at(drg_txn_store(t), source, drg_wall_us(), &audit.at_us, reterr);
	return rc == DRG_OK ? drg_event_put(t, source, to, &audit, reterr) : rc;
}

/* What has been mapped, merged away or removed since it was read is left alone. */
static int write_wish(struct drg_automap_slice *x, const struct drg_automap_wish *w, struct drg_txn *t,
                      struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_record key, source;
	struct drg_store *s = drg_txn_store(t);
	drg_arena_reset(arena);
	drg_key_source(&key, w->adapter, w->kind, w->id);
	int rc = drg_fetch(s, &key, arena, &source, reterr);
	if (rc == DRG_OK && drg_record_has(&source, DRG_F_DICT_ID))
		rc = DRG_ENOENT;
	if (rc == DRG_OK) {
		drg_key_dict(&key, w->kind, w->dict_id);
		rc = drg_store_exists(s, &key, reterr);
	}
	if (rc == DRG_ENOENT) {
		x->overtaken++;
		return DRG_OK;
	}
	if (rc == DRG_OK)
		rc = write_event(t, &source, &w->dict_id, drg_str_c(x->batch), w->why, reterr);
	x->written += rc == DRG_OK;
	return rc;
}

int drg_automap_write(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_automap_slice *x = slice;
	struct drg_arena arena;
	int rc = DRG_OK;
	x->written = x->overtaken = 0;
	drg_arena_init(&arena, SOURCE_ROOM);
	for (size_t i = 0; i < x->n && rc == DRG_OK; i++)
		rc = write_wish(x, &x->wishes[i], t, &arena, reterr);
	drg_arena_done(&arena);
	return rc;
}

/* ---- what people decided -------------------------------------------------------------------------------- */

uint64_t drg_automap_source_key(int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return drg_match_hash(id, (uint64_t)adapter * 16 + (uint64_t)kind);
}

static int count_decision(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	int64_t how = drg_record_i(r, DRG_F_HOW, DRG_HOW_SET);
	if (how != DRG_HOW_SET && how != DRG_HOW_UNDO)
		return DRG_OK;
	return drg_tally_count(ctx, drg_automap_source_key(r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
	                                                   r->v[DRG_F_SOURCE_ID].s));
}

static int scan_events(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT], .any_order = true };
	int rc = drg_store_scan(s, &all, fn, ctx, NULL, reterr);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

int drg_automap_decided(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr)
{
	return scan_events(s, count_decision, ret, reterr);
}

/* ---- taking a batch back -------------------------------------------------------------------------------- */

/* Its events. */
struct batch_events {
	struct drg_automap_undo *u;
	struct drg_arena arena;
	struct drg_buf wishes; /* struct drg_automap_wish */
};

static bool is_of_match(const struct drg_record *r)
{
	return drg_record_i(r, DRG_F_HOW, DRG_HOW_SET) == DRG_HOW_MATCH && drg_record_has(r, DRG_F_TO) &&
	       drg_record_s(r, DRG_F_BY).n < DRG_AUTOMAP_BATCH;
}

static int find_last_batch(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	char *last = ctx;
	struct drg_str by = drg_record_s(r, DRG_F_BY);
	if (is_of_match(r) && drg_str_cmp(by, drg_str_c(last)) > 0) {
		memcpy(last, by.p, by.n);
		last[by.n] = '\0';
	}
	return DRG_OK;
}

static int gather_batch(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct batch_events *x = ctx;
	if (!is_of_match(r) || !drg_str_eq(drg_record_s(r, DRG_F_BY), drg_str_c(x->u->batch)))
		return DRG_OK;
	struct drg_automap_wish w = { .adapter = r->v[DRG_F_ADAPTER_ID].i,
		                      .kind = drg_record_kind(r),
		                      .id = drg_arena_str(&x->arena, r->v[DRG_F_SOURCE_ID].s),
		                      .dict_id = r->v[DRG_F_TO].i };
	drg_buf_add(&x->wishes, &w, sizeof w);
	return w.id.p != NULL && x->wishes.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

/* The last event of a source: is it the one of the batch? */
struct automap_last {
	const char *batch;
	bool is_of_batch;
};

static int look_at_last(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct automap_last *x = ctx;
	x->is_of_batch = is_of_match(r) && drg_str_eq(drg_record_s(r, DRG_F_BY), drg_str_c(x->batch));
	return DRG_OK;
}

static int undo_one(struct drg_automap_slice *x, const struct drg_automap_wish *w, struct drg_txn *t,
                    struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_record key, source;
	struct automap_last last = { .batch = x->batch };
	struct drg_store *s = drg_txn_store(t);
	drg_arena_reset(arena);
	drg_key_source(&key, w->adapter, w->kind, w->id);
	int rc = drg_fetch(s, &key, arena, &source, reterr);
	if (rc == DRG_OK)
		rc = drg_event_each(s, &source, look_at_last, &last, reterr);
	bool stands = rc == DRG_OK && last.is_of_batch && drg_record_has(&source, DRG_F_DICT_ID) &&
	              source.v[DRG_F_DICT_ID].i == w->dict_id;
	if (rc == DRG_ENOENT || (rc == DRG_OK && !stands)) {
		x->overtaken++;
		return DRG_OK;
	}
	if (rc == DRG_OK)
		rc = write_event(t, &source, NULL, drg_str_c(x->batch), DRG_STR("the run was taken back"),
		                 reterr);
	x->written += rc == DRG_OK;
	return rc;
}

static int undo_slice(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_automap_slice *x = slice;
	struct drg_arena arena;
	int rc = DRG_OK;
	x->written = x->overtaken = 0;
	drg_arena_init(&arena, SOURCE_ROOM);
	for (size_t i = 0; i < x->n && rc == DRG_OK; i++)
		rc = undo_one(x, &x->wishes[i], t, &arena, reterr);
	drg_arena_done(&arena);
	return rc;
}

static int undo_all(struct drg_store *s, struct batch_events *x, struct drg_err *reterr)
{
	const struct drg_automap_wish *w = (const struct drg_automap_wish *)(const void *)x->wishes.p;
	size_t n = x->wishes.n / sizeof *w;
	int rc = DRG_OK;
	for (size_t at = 0; at < n && rc == DRG_OK; at += UNDO_AT_A_TIME) {
		struct drg_automap_slice slice = { .batch = x->u->batch,
			                           .wishes = w + at,
			                           .n = n - at < UNDO_AT_A_TIME ? n - at : UNDO_AT_A_TIME };
		rc = drg_decide(s, undo_slice, &slice, reterr);
		x->u->undone += rc == DRG_OK ? slice.written : 0;
		x->u->kept += rc == DRG_OK ? slice.overtaken : 0;
	}
	return rc;
}

int drg_automap_undo(struct drg_store *s, struct drg_automap_undo *u, struct drg_err *reterr)
{
	struct batch_events x = { .u = u };
	u->undone = u->kept = 0;
	drg_arena_init(&x.arena, SIZE_MAX);
	drg_buf_init(&x.wishes, SIZE_MAX);
	int rc = u->batch[0] == '\0' ? scan_events(s, find_last_batch, u->batch, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = scan_events(s, gather_batch, &x, reterr);
	if (rc == DRG_OK && x.wishes.n == 0)
		rc = drg_fail(reterr, DRG_ENOENT, NULL, NULL,
		              u->batch[0] != '\0'
		                      ? "no mapping was made by \"%s\": map history shows the batches as BY"
		                      : "no run of the matcher has made a mapping%s",
		              u->batch);
	if (rc == DRG_OK)
		rc = undo_all(s, &x, reterr);
	drg_buf_done(&x.wishes);
	drg_arena_done(&x.arena);
	return rc;
}
