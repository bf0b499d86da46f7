#include "model/key.h"

#include "base/digest.h"
#include "text/utf8.h"

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

void drg_key_dict_event(struct drg_record *ret, enum drg_kind kind, int64_t id)
{
	key_of_kind(ret, DRG_TYPE_DICT_EVENT, kind, id);
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

struct drg_str drg_key_name_id(struct drg_str name, char room[static DRG_NAME_ID])
{
	enum { HASH = 8, BEGINNING = DRG_CHARS_ID - HASH - 1 };
	char hash[DRG_DIGEST_TEXT];
	if (name.n <= DRG_CHARS_ID || drg_utf8_count(name) <= DRG_CHARS_ID)
		return name;
	const struct drg_str first = drg_utf8_first(name, BEGINNING);
	drg_digest_hex(name, hash);
	memcpy(room, first.p, first.n);
	room[first.n] = '-';
	memcpy(room + first.n + 1, hash, HASH);
	return drg_str(room, first.n + 1 + HASH);
}

void drg_key_event(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	key_of_source(ret, DRG_TYPE_MAPPING_EVENT, adapter, kind, id);
}

void drg_key_not_same(struct drg_record *ret, int64_t adapter, enum drg_kind kind, struct drg_str id,
                      int64_t dict_id)
{
	key_of_source(ret, DRG_TYPE_NOT_SAME, adapter, kind, id);
	drg_record_set_i(ret, DRG_F_APART_FROM, dict_id);
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

void drg_key_person(struct drg_record *ret, int64_t id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_PERSON]);
	drg_record_set_i(ret, DRG_F_ID, id);
}

void drg_key_session(struct drg_record *ret, int64_t person, int64_t slot)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_SESSION]);
	drg_record_set_i(ret, DRG_F_PERSON_ID, person);
	drg_record_set_i(ret, DRG_F_SLOT, slot);
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

void drg_key_scorecard(struct drg_record *ret, int64_t id)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_SCORECARD]);
	drg_record_set_i(ret, DRG_F_ID, id);
}

void drg_key_batch_item(struct drg_record *ret, int64_t batch, int64_t number)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_BATCH_ITEM]);
	drg_record_set_i(ret, DRG_F_BATCH_ID, batch);
	drg_record_set_i(ret, DRG_F_NUMBER, number);
}

/* ---- their order --------------------------------------------------------------------------------------- */

/* As many bytes as it takes, and their number before them; negative ones before all others. */
static void key_add_int(struct drg_buf *key, int64_t i)
{
	static const unsigned POSITIVE = 0x10;
	unsigned n = i < 0 ? 8 : 0;
	for (uint64_t rest = (uint64_t)i; i > 0 && rest != 0; rest >>= 8)
		n++;
	drg_buf_char(key, (char)((i < 0 ? 0U : POSITIVE) | n));
	while (n-- > 0)
		drg_buf_char(key, (char)((uint64_t)i >> 8 * n));
}

void drg_key_order(struct drg_buf *to, const struct drg_record *r)
{
	drg_buf_char(to, (char)r->type->id);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_ID) == 0)
			break;
		if (!drg_value_is_text(f->vtype)) {
			key_add_int(to, drg_record_value(r, f)->i);
			continue;
		}
		drg_buf_str(to, drg_record_value(r, f)->s);
		drg_buf_char(to, '\0');
	}
}
