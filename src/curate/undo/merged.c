#include "curate/undo/merged.h"

#include "curate/batch.h"
#include "model/ndjson.h"

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
	const struct drg_merged merged = { .seq = item->v[DRG_F_SEQ].i,
		                           .kind = drg_record_kind(&r),
		                           .id = r.v[DRG_F_ID].i,
		                           .split = r.type->id == DRG_TYPE_REDIRECT,
		                           .into = drg_record_i(&r, DRG_F_TO, 0) };
	drg_buf_add(x->merged, &merged, sizeof merged);
	return x->merged->rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

int drg_merged_read(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr)
{
	struct merged_reading x = { .merged = ret, .err = reterr };
	drg_arena_init(&x.arena, MERGED_ROOM);
	int rc = drg_batch_items(s, batch, merged_take, &x, reterr);
	drg_arena_done(&x.arena);
	return rc;
}
