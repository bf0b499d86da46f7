#include "curate/air_map.h"

#include "model/value.h"
#include "curate/history.h"
#include "store/air_reports.h"
#include "text/utf8.h"

/* An adapter and a few such. */
enum { RECORD_ROOM = 1 << 20 };

struct mapping {
	struct drg_store *s;
	struct drg_arena arena;
	struct drg_txn *txn;
	struct drg_record key; /* of the air_map */
	struct drg_air_mapping result;
};

static int check_adapter(struct mapping *x, int64_t id, struct drg_err *reterr)
{
	struct drg_record key, adapter;
	drg_key_adapter(&key, id);
	int rc = drg_fetch(x->s, &key, &x->arena, &adapter, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, "unknown_adapter", "adapter_id", "there is no adapter %lld",
		                (long long)id);
	if (rc == DRG_OK && drg_record_i(&adapter, DRG_F_DOMAIN, DRG_DOMAIN_TOUR) != DRG_DOMAIN_AIR)
		return drg_fail(reterr, DRG_EINVAL, "unknown_adapter", "adapter_id",
		                "adapter %lld is not one for air", (long long)id);
	return rc;
}

static int read_key(struct mapping *x, int64_t adapter, struct drg_str external_id, struct drg_err *reterr)
{
	const struct drg_type *type = &drg_types[DRG_TYPE_AIR_MAP];
	const struct drg_json_item item = { .type = DRG_JSON_STRING, .s = external_id };
	union drg_value id;
	struct drg_err err;
	if (!drg_utf8_valid(external_id, NULL))
		return drg_fail(reterr, DRG_EINVAL, "invalid_text", "external_id",
		                "external_id: expected UTF-8");
	int rc = drg_value_read(drg_field_of(type, DRG_F_EXTERNAL_ID), &item, &x->arena, &id, &err);
	if (rc != DRG_OK)
		return drg_fail(reterr, rc, err.reason, err.field, "%s: %s", err.field, err.message);
	drg_record_init(&x->key, type);
	drg_record_set_i(&x->key, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_s(&x->key, DRG_F_EXTERNAL_ID, id.s);
	return DRG_OK;
}

static int read_stored(struct mapping *x, struct drg_err *reterr)
{
	struct drg_record stored;
	int rc = drg_fetch(x->s, &x->key, &x->arena, &stored, reterr);
	x->result.was_mapped = rc == DRG_OK;
	if (rc == DRG_OK)
		x->result.was = drg_record_i(&stored, DRG_F_PLACE_ID, 0);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int begin(struct mapping *x, int64_t adapter, struct drg_str external_id, struct drg_err *reterr)
{
	drg_arena_init(&x->arena, RECORD_ROOM);
	int rc = read_key(x, adapter, external_id, reterr);
	if (rc == DRG_OK)
		rc = drg_store_begin(x->s, &x->txn, reterr);
	if (rc == DRG_OK)
		rc = check_adapter(x, adapter, reterr);
	return rc == DRG_OK ? read_stored(x, reterr) : rc;
}

static int put(struct mapping *x, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result result;
	int rc = drg_txn_put(x->txn, r, &result, reterr);
	if (rc == DRG_OK)
		x->result.changed = result != DRG_PUT_SAME;
	return rc;
}

static int check_place(struct mapping *x, int64_t id, struct drg_err *reterr)
{
	struct drg_record place;
	drg_record_init(&place, &drg_types[DRG_TYPE_AIR_PLACE]);
	drg_record_set_i(&place, DRG_F_PLACE_ID, id);
	int rc = drg_store_exists(x->s, &place, reterr);
	return rc == DRG_ENOENT ? drg_fail(reterr, rc, "unknown_place", "source_id",
	                                   "there is no air place %lld", (long long)id)
	                        : rc;
}

static int end(struct mapping *x, int rc, struct drg_air_mapping *ret, struct drg_err *reterr)
{
	if (rc == DRG_OK)
		rc = drg_txn_commit(x->txn, NULL, reterr);
	else
		drg_txn_rollback(x->txn);
	if (rc == DRG_OK)
		*ret = x->result;
	drg_arena_done(&x->arena);
	return rc;
}

int drg_air_map_set(struct drg_store *s, int64_t adapter, struct drg_str external_id, int64_t place,
                    struct drg_air_mapping *ret, struct drg_err *reterr)
{
	struct mapping x = { .s = s };
	int rc = begin(&x, adapter, external_id, reterr);
	if (rc == DRG_OK)
		rc = check_place(&x, place, reterr);
	if (rc == DRG_OK) {
		struct drg_record r = x.key;
		drg_record_set_i(&r, DRG_F_PLACE_ID, place);
		rc = put(&x, &r, reterr);
	}
	if (rc == DRG_OK)
		rc = drg_txn_air_reports_forget(x.txn, adapter, x.key.v[DRG_F_EXTERNAL_ID].s,
		                                &x.result.reports, reterr);
	return end(&x, rc, ret, reterr);
}

int drg_air_map_clear(struct drg_store *s, int64_t adapter, struct drg_str external_id,
                      struct drg_air_mapping *ret, struct drg_err *reterr)
{
	struct mapping x = { .s = s };
	int rc = begin(&x, adapter, external_id, reterr);
	if (rc == DRG_OK && !x.result.was_mapped)
		rc = drg_fail(reterr, DRG_ENOENT, "not_mapped", "external_id",
		              "adapter %lld has no mapping of \"%.*s\"", (long long)adapter,
		              DRG_STR_ARG(external_id));
	if (rc == DRG_OK) {
		x.key.deleted = true;
		rc = put(&x, &x.key, reterr);
	}
	return end(&x, rc, ret, reterr);
}
