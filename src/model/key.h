/* src/model/key.h
 * Identities for look-ups: records with nothing but their type and the fields that identify them. Texts are borrowed. */
#pragma once
#include "model/record.h"

void drg_key_adapter(struct drg_record *ret, int64_t id);
void drg_key_dict(struct drg_record *ret, enum drg_kind kind, int64_t id);
void drg_key_redirect(struct drg_record *ret, enum drg_kind kind, int64_t id);
void drg_key_source(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id);
/** A mapping_event of a source but for its time: what drg_store_siblings() wants. */
void drg_key_event(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id);
void drg_key_air_map(struct drg_record *ret, int64_t adapter, struct drg_str external_id);
void drg_key_air_place(struct drg_record *ret, int64_t source_id);
void drg_key_profile(struct drg_record *ret, int64_t adapter, enum drg_kind kind);
void drg_key_batch(struct drg_record *ret, int64_t id);
/** One of its items. */
void drg_key_batch_item(struct drg_record *ret, int64_t batch, int64_t number);
void drg_key_api_key(struct drg_record *ret, int64_t id);
