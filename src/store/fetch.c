#include "store/fetch.h"

#include <assert.h>

#include "model/key.h"

struct fetching {
	struct drg_arena *arena;
	struct drg_record *ret;
	struct drg_err *err;
};

static int copy_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct fetching *f = ctx;
	int rc = drg_record_copy(f->arena, r, f->ret);
	return rc == DRG_OK ? rc : drg_fail_memory(f->err);
}

int drg_fetch(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
              struct drg_record *ret, struct drg_err *reterr)
{
	struct fetching f = { arena, ret, reterr };
	return drg_store_get(s, key, copy_row, &f, reterr);
}

static int take_target(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(int64_t *)ctx = r->v[DRG_F_TO].i;
	return DRG_OK;
}

int drg_resolve(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret, struct drg_err *reterr)
{
	assert(kind < DRG_KIND_COUNT);
	struct drg_record key;
	drg_key_dict(&key, kind, id);
	int rc = drg_store_exists(s, &key, reterr);
	if (rc == DRG_OK)
		*ret = id;
	if (rc != DRG_ENOENT)
		return rc;
	drg_key_redirect(&key, kind, id);
	rc = drg_store_get(s, &key, take_target, ret, reterr);
	return rc != DRG_ENOENT ? rc
	                        : drg_fail(reterr, rc, DRG_R(unknown_dict), NULL,
	                                   "there is no %s %lld in the common reference", drg_kind_name(kind),
	                                   (long long)id);
}
