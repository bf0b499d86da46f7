/* Decisions about the identifiers of air suppliers: which place an identifier means. */
#include "decide/verb.h"
#include "model/value.h"
#include "store/air_reports.h"

static int air_map_check_adapter(struct drg_verb_run *x, int64_t id, struct drg_err *reterr)
{
	struct drg_record key, adapter;
	drg_key_adapter(&key, id);
	int rc = drg_fetch(x->s, &key, &x->arena, &adapter, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_adapter), "adapter_id", "there is no adapter %lld",
		                (long long)id);
	if (rc == DRG_OK && drg_record_i(&adapter, DRG_F_DOMAIN, DRG_DOMAIN_TOUR) != DRG_DOMAIN_AIR)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_adapter), "adapter_id",
		                "adapter %lld is not one for air", (long long)id);
	return rc;
}

static int air_map_read_key(const struct drg_decision *d, struct drg_record *ret, struct drg_err *reterr)
{
	drg_key_air_map(ret, d->adapter, d->id);
	return drg_field_check_text(DRG_TYPE_AIR_MAP, DRG_F_EXTERNAL_ID, d->id, reterr);
}

/* Load the mapping of the identifier, and check that it is the one that the decider saw. */
static int air_map_find(struct drg_verb_run *x, struct drg_decision *d, struct drg_record *ret,
                        struct drg_err *reterr)
{
	struct drg_record stored;
	int rc = air_map_read_key(d, ret, reterr);
	if (rc == DRG_OK)
		rc = air_map_check_adapter(x, d->adapter, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_fetch(x->s, ret, &x->arena, &stored, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	d->is.was_mapped = rc == DRG_OK;
	d->is.was = rc == DRG_OK ? drg_record_i(&stored, DRG_F_PLACE_ID, 0) : 0;
	bool same = d->seen_mapped == d->is.was_mapped && (!d->seen_mapped || d->seen == d->is.was);
	return !d->has_seen || same ? DRG_OK
	                            : drg_fail(reterr, DRG_EEXIST, DRG_R(changed_since), "external_id",
	                                       "external_id: somebody else has decided about it meanwhile");
}

static int air_map_check_place(struct drg_verb_run *x, int64_t id, struct drg_err *reterr)
{
	struct drg_record place;
	drg_key_air_place(&place, id);
	int rc = drg_store_exists(x->s, &place, reterr);
	return rc == DRG_ENOENT ? drg_fail(reterr, rc, DRG_R(unknown_place), "source_id",
	                                   "there is no air place %lld", (long long)id)
	                        : rc;
}

int drg_verb_place(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_record r;
	int rc = air_map_find(x, d, &r, reterr);
	if (rc == DRG_OK)
		rc = air_map_check_place(x, d->dict_id, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_record_set_i(&r, DRG_F_PLACE_ID, d->dict_id);
	d->is.is_mapped = true;
	d->is.is = d->dict_id;
	d->is.changed = !d->is.was_mapped || d->is.was != d->dict_id;
	rc = drg_verb_put(x, &r, reterr);
	return rc == DRG_OK ? drg_txn_air_reports_forget(x->txn, d->adapter, r.v[DRG_F_EXTERNAL_ID].s,
	                                                 &d->is.reports, reterr)
	                    : rc;
}

int drg_verb_no_place(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_record r;
	int rc = air_map_find(x, d, &r, reterr);
	if (rc == DRG_OK && !d->is.was_mapped)
		rc = drg_fail(reterr, DRG_ENOENT, DRG_R(not_mapped), "external_id",
		              "adapter %lld has no mapping of \"%.*s\"", (long long)d->adapter,
		              DRG_STR_ARG(d->id));
	if (rc != DRG_OK)
		return rc;
	r.deleted = true;
	d->is.changed = true;
	return drg_verb_put(x, &r, reterr);
}
