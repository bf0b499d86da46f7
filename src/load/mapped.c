/* Checks that the dict ids of a list exist. A missing id is a bad cell like any other (decision P3): an
 * import would refuse the whole list for it, without its line. */
#include "load/load_priv.h"

#include "model/key.h"

static int mapped_redirects(struct load_run *l, struct drg_err *reterr)
{
	if (l->redirects != NULL)
		return DRG_OK;
	int rc = drg_redirects_new(&l->redirects, reterr);
	if (rc == DRG_OK)
		rc = drg_redirects_load(l->redirects, l->store, reterr);
	if (rc == DRG_OK)
		drg_redirects_sort(l->redirects);
	return rc;
}

int drg_load_mapped(struct load_run *l, struct drg_record *r, const struct drg_record *was,
                    struct drg_err *reterr)
{
	const int64_t id = r->v[DRG_F_DICT_ID].i;
	const struct drg_str bytes = drg_str((const char *)&id, sizeof id);
	const enum drg_kind kind = drg_record_kind(r);
	struct drg_record key;
	int64_t to;
	if (!drg_record_has(r, DRG_F_DICT_ID))
		return DRG_OK;
	/* A stored mapping exists: the store ensures that. */
	if (was != NULL && drg_record_has(was, DRG_F_DICT_ID) && was->v[DRG_F_DICT_ID].i == id)
		return DRG_OK;
	int rc = mapped_redirects(l, reterr);
	if (rc == DRG_OK && drg_redirects_resolve(l->redirects, kind, id, &to)) {
		drg_record_set_i(r, DRG_F_DICT_ID, to);
		return DRG_OK;
	}
	if (rc != DRG_OK || drg_seen_has(&l->mapped, (unsigned)kind, bytes))
		return rc;
	drg_key_dict(&key, kind, id);
	rc = drg_store_exists(l->store, &key, reterr);
	if (rc == DRG_OK && drg_seen_add(&l->mapped, (unsigned)kind, bytes) == DRG_SEEN_NO_MEMORY)
		return drg_fail_memory(reterr);
	return rc;
}
