#include "store/fetch.h"

#include <assert.h>

#include "model/key.h"

int drg_fetch(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
              struct drg_record *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	drg_rows_get(&rows, s, key, reterr);
	if (drg_rows_next(&rows) && drg_record_copy(arena, &rows.row.r, ret) != DRG_OK)
		rows.rc = drg_fail_memory(reterr);
	return drg_rows_end(&rows);
}

int drg_resolve(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	assert(kind < DRG_KIND_COUNT);
	struct drg_record key;
	drg_key_dict(&key, kind, id);
	int rc = drg_store_exists(s, &key, reterr);
	if (rc == DRG_OK)
		*ret = id;
	if (rc != DRG_ENOENT)
		return rc;
	drg_key_redirect(&key, kind, id);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows))
		*ret = rows.row.r.v[DRG_F_TO].i;
	rc = drg_rows_end(&rows);
	return rc != DRG_ENOENT ? rc
	                        : drg_fail(reterr, rc, DRG_R(unknown_dict), NULL,
	                                   "there is no %s %lld in the common reference", drg_kind_name(kind),
	                                   (long long)id);
}
