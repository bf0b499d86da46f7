/* src/model/key.h
 * Identities for look-ups: records with nothing but their type and the fields that identify them. Texts are
 * borrowed. */
#pragma once
#include "model/record.h"

void drg_key_adapter(struct drg_record *ret, int64_t id);
void drg_key_dict(struct drg_record *ret, enum drg_kind kind, int64_t id);
void drg_key_redirect(struct drg_record *ret, enum drg_kind kind, int64_t id);
void drg_key_source(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id);
/** Room for drg_key_name_id(). */
#define DRG_NAME_ID (4 * DRG_CHARS_ID + 1)
/** Make the id of a source that has only a name (decision M44): the name, or if that is too long for an
 * id, its first 55 characters, "-", and 8 hexadecimal digits of a hash of the name. @return borrowed from
 * the name or the room. */
struct drg_str drg_key_name_id(struct drg_str name, char room[static DRG_NAME_ID]);
/** A mapping_event of a source without its time, for drg_rows_siblings(). */
void drg_key_event(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id);
void drg_key_air_map(struct drg_record *ret, int64_t adapter, struct drg_str external_id);
void drg_key_air_place(struct drg_record *ret, int64_t source_id);
void drg_key_profile(struct drg_record *ret, int64_t adapter, enum drg_kind kind);
/** A record that a curator said a source is not: drg_rows_siblings() of it gives all. */
void drg_key_not_same(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id,
                      int64_t dict_id);
/** A dict_event of a dict record without its time, for drg_rows_siblings(). */
void drg_key_dict_event(struct drg_record *ret, enum drg_kind kind, int64_t id);
void drg_key_batch(struct drg_record *ret, int64_t id);
/** One of its items. */
void drg_key_batch_item(struct drg_record *ret, int64_t batch, int64_t number);
void drg_key_scorecard(struct drg_record *ret, int64_t id);
void drg_key_api_key(struct drg_record *ret, int64_t id);

/** Append bytes in whose order (memcmp(), then the shorter first) identities stand in the store: by type, then
 * as in its index. Two records of one identity have the same. */
void drg_key_order(struct drg_buf *to, const struct drg_record *r);
void drg_key_person(struct drg_record *ret, int64_t id);
void drg_key_session(struct drg_record *ret, int64_t person, int64_t slot);
