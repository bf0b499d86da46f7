#include "model/key.h"

void drg_key_adapter(struct drg_record *ret, int64_t id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_ADAPTER]);
	drg_record_set_i(ret, DRG_F_ID, id);
}

static void key_of_kind(struct drg_record *ret, enum drg_type_id type, enum drg_kind kind, int64_t id)
{
	drg_record_init(ret, &drg_types[type]);
	drg_record_set_i(ret, DRG_F_KIND, (int64_t)kind);
	drg_record_set_i(ret, DRG_F_ID, id);
}

void drg_key_dict(struct drg_record *ret, enum drg_kind kind, int64_t id)
{
	key_of_kind(ret, DRG_TYPE_DICT, kind, id);
}

void drg_key_redirect(struct drg_record *ret, enum drg_kind kind, int64_t id)
{
	key_of_kind(ret, DRG_TYPE_REDIRECT, kind, id);
}

static void key_of_source(struct drg_record *ret, enum drg_type_id type, int64_t adapter, enum drg_kind kind,
                          struct drg_str id)
{
	drg_record_init(ret, &drg_types[type]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_i(ret, DRG_F_KIND, (int64_t)kind);
	drg_record_set_s(ret, DRG_F_SOURCE_ID, id);
}

void drg_key_source(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	key_of_source(ret, DRG_TYPE_SOURCE, adapter, kind, id);
}

void drg_key_event(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	key_of_source(ret, DRG_TYPE_MAPPING_EVENT, adapter, kind, id);
}

void drg_key_air_map(struct drg_record *ret, int64_t adapter, struct drg_str external_id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_AIR_MAP]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_s(ret, DRG_F_EXTERNAL_ID, external_id);
}

void drg_key_air_place(struct drg_record *ret, int64_t source_id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_AIR_PLACE]);
	drg_record_set_i(ret, DRG_F_PLACE_ID, source_id);
}

void drg_key_api_key(struct drg_record *ret, int64_t id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(ret, DRG_F_ID, id);
}

void drg_key_profile(struct drg_record *ret, int64_t adapter, enum drg_kind kind)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_PROFILE]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_i(ret, DRG_F_KIND, (int64_t)kind);
}

void drg_key_batch(struct drg_record *ret, int64_t id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_BATCH]);
	drg_record_set_i(ret, DRG_F_ID, id);
}

void drg_key_batch_item(struct drg_record *ret, int64_t batch, int64_t number)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_BATCH_ITEM]);
	drg_record_set_i(ret, DRG_F_BATCH_ID, batch);
	drg_record_set_i(ret, DRG_F_NUMBER, number);
}
