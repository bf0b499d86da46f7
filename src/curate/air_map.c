#include "curate/air_map.h"

#include "model/key.h"
#include "model/value.h"
#include "store/air_reports.h"
#include "store/fetch.h"
#include "text/utf8.h"

/* An adapter and a few such. */
enum { RECORD_ROOM = 1 << 20 };

struct mapping {
	const struct drg_air_mapping *m;
	struct drg_txn *txn;
	struct drg_store *s; /* of the transaction */
	struct drg_arena arena;
	struct drg_record key; /* of the air_map */
	struct drg_air_mapping_change change;
};

static int air_map_check_adapter(struct mapping *x, struct drg_err *reterr)
{
	int64_t id = x->m->adapter;
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

static int air_map_read_key(struct mapping *x, struct drg_err *reterr)
{
	const struct drg_type *type = &drg_types[DRG_TYPE_AIR_MAP];
	const struct drg_json_item item = { .type = DRG_JSON_STRING, .s = x->m->external_id };
	union drg_value id;
	struct drg_err err;
	if (!drg_utf8_valid(x->m->external_id, NULL))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_text), "external_id",
		                "external_id: expected UTF-8");
	int rc = drg_value_read(drg_field_of(type, DRG_F_EXTERNAL_ID), &item, &x->arena, &id, &err);
	if (rc != DRG_OK)
		return drg_fail(reterr, rc, drg_reason_find(err.reason), err.field, "%s: %s", err.field,
		                err.message);
	drg_key_air_map(&x->key, x->m->adapter, id.s);
	return DRG_OK;
}

static int read_stored(struct mapping *x, struct drg_err *reterr)
{
	struct drg_record stored;
	int rc = drg_fetch(x->s, &x->key, &x->arena, &stored, reterr);
	x->change.was_mapped = rc == DRG_OK;
	if (rc == DRG_OK)
		x->change.was = drg_record_i(&stored, DRG_F_PLACE_ID, 0);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int air_map_check_seen(const struct mapping *x, struct drg_err *reterr)
{
	const struct drg_air_mapping *m = x->m;
	bool same = m->seen_mapped == x->change.was_mapped && (!m->seen_mapped || m->seen == x->change.was);
	if (!m->expects || same)
		return DRG_OK;
	return drg_fail(reterr, DRG_EEXIST, DRG_R(changed_since), "external_id",
	                "external_id: somebody else has decided about it meanwhile");
}

static int find_stored(struct mapping *x, struct drg_err *reterr)
{
	int rc = air_map_read_key(x, reterr);
	if (rc == DRG_OK)
		rc = air_map_check_adapter(x, reterr);
	if (rc == DRG_OK)
		rc = read_stored(x, reterr);
	return rc == DRG_OK ? air_map_check_seen(x, reterr) : rc;
}

static int air_map_put(struct mapping *x, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result result;
	struct drg_ledger *ledger = x->m->ledger;
	int rc = ledger != NULL ? drg_ledger_put(ledger, x->txn, r, &result, reterr)
	                        : drg_txn_put(x->txn, r, &result, reterr);
	if (rc == DRG_OK)
		x->change.changed = result != DRG_PUT_SAME;
	return rc;
}

static int check_place(struct mapping *x, int64_t id, struct drg_err *reterr)
{
	struct drg_record place;
	drg_key_air_place(&place, id);
	int rc = drg_store_exists(x->s, &place, reterr);
	return rc == DRG_ENOENT ? drg_fail(reterr, rc, DRG_R(unknown_place), "source_id",
	                                   "there is no air place %lld", (long long)id)
	                        : rc;
}

/* What a decision wants of an identifier that was found. */
typedef int wish_fn(struct mapping *x, struct drg_err *reterr);

static int about_identifier(void *mapping, struct drg_txn *t, wish_fn *wish, struct drg_err *reterr)
{
	struct drg_air_mapping *m = mapping;
	struct mapping x = { .m = m, .txn = t, .s = drg_txn_store(t) };
	drg_arena_init(&x.arena, RECORD_ROOM);
	int rc = find_stored(&x, reterr);
	if (rc == DRG_OK)
		rc = wish(&x, reterr);
	if (rc == DRG_OK)
		m->change = x.change;
	drg_arena_done(&x.arena);
	return rc;
}

static int air_map_wish_set(struct mapping *x, struct drg_err *reterr)
{
	struct drg_record r = x->key;
	int rc = check_place(x, x->m->place, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_record_set_i(&r, DRG_F_PLACE_ID, x->m->place);
	rc = air_map_put(x, &r, reterr);
	return rc == DRG_OK ? drg_txn_air_reports_forget(x->txn, x->m->adapter, r.v[DRG_F_EXTERNAL_ID].s,
	                                                 &x->change.reports, reterr)
	                    : rc;
}

int drg_air_map_set(void *mapping, struct drg_txn *t, struct drg_err *reterr)
{
	return about_identifier(mapping, t, air_map_wish_set, reterr);
}

static int air_map_wish_clear(struct mapping *x, struct drg_err *reterr)
{
	if (!x->change.was_mapped)
		return drg_fail(reterr, DRG_ENOENT, DRG_R(not_mapped), "external_id",
		                "adapter %lld has no mapping of \"%.*s\"", (long long)x->m->adapter,
		                DRG_STR_ARG(x->m->external_id));
	x->key.deleted = true;
	return air_map_put(x, &x->key, reterr);
}

int drg_air_map_clear(void *mapping, struct drg_txn *t, struct drg_err *reterr)
{
	return about_identifier(mapping, t, air_map_wish_clear, reterr);
}
