#include "api/hotel_page.h"

#include "api/reading.h"
#include "model/value.h"

/* ---- names ----------------------------------------------------------------------------------------------- */

static void hotel_page_add_name(void *ctx, struct drg_str tag, struct drg_str name_esc)
{
	struct drg_jw *w = ctx;
	drg_jw_key_str(w, tag);
	drg_jw_escaped(w, name_esc);
}

/* Every language known, by language; an empty object where there is no such record (M15). */
static void write_names(const struct drg_hotel_page *p, bool known, const struct drg_dict *d)
{
	drg_jw_object(p->w);
	if (known)
		drg_dict_names(p->cat, d, hotel_page_add_name, p->w);
	drg_jw_object_end(p->w);
}

static void names_member(const struct drg_hotel_page *p, const char *name, drg_handle h)
{
	struct drg_dict d;
	drg_jw_key(p->w, name);
	write_names(p, drg_catalog_dict_at(p->cat, h, &d), &d);
}

/* The name in the language asked. */
static void name_member(const struct drg_hotel_page *p, const char *name, drg_handle h)
{
	struct drg_dict d;
	bool known = drg_catalog_dict_at(p->cat, h, &d);
	drg_escaped_or_null(p->w, name, known ? drg_dict_name_esc(&d, &p->pref) : drg_str(NULL, 0));
}

/* ---- the hotels ------------------------------------------------------------------------------------------ */

static void field_member(const struct drg_hotel_page *p, const char *name, const struct drg_record *r,
                         enum drg_field f)
{
	drg_jw_key(p->w, name);
	if (drg_record_has(r, f))
		drg_value_write(p->w, drg_field_of(r->type, f),
		                *drg_record_value(r, drg_field_of(r->type, f)));
	else
		drg_jw_null(p->w);
}

static void write_adapter(const struct drg_hotel_page *p)
{
	drg_jw_object(p->w);
	drg_adapter_members(p->w, p->adapter, "name");
	drg_jw_member_str_or_null(p->w, "logo", p->adapter->logo);
	drg_jw_object_end(p->w);
}

static void hotel_page_write_hotel(const struct drg_hotel_page *p)
{
	if (!p->mapped) {
		drg_jw_null(p->w);
		return;
	}
	drg_jw_object(p->w);
	drg_jw_member_i64(p->w, "id", p->hotel.id);
	name_member(p, "title", p->hotel.handle);
	names_member(p, "country", p->hotel.country);
	names_member(p, "city", p->hotel.city);
	name_member(p, "hotel_category", p->hotel.category);
	field_member(p, "lat", &p->common, DRG_F_LAT);
	field_member(p, "lng", &p->common, DRG_F_LNG);
	names_member(p, "hotel_type", p->hotel.hotel_type);
	field_member(p, "address", &p->common, DRG_F_ADDRESS);
	field_member(p, "zip", &p->common, DRG_F_ZIP);
	drg_jw_object_end(p->w);
}

static void write_orig_hotel(const struct drg_hotel_page *p)
{
	drg_jw_object(p->w);
	field_member(p, "orig_id", &p->source, DRG_F_SOURCE_ID);
	field_member(p, "title", &p->source, DRG_F_NAME);
	field_member(p, "country", &p->source, DRG_F_COUNTRY_NAME);
	field_member(p, "city", &p->source, DRG_F_CITY_NAME);
	field_member(p, "hotel_category", &p->source, DRG_F_CATEGORY_NAME);
	field_member(p, "address", &p->source, DRG_F_ADDRESS);
	field_member(p, "check_in", &p->content, DRG_F_CHECK_IN);
	field_member(p, "check_out", &p->content, DRG_F_CHECK_OUT);
	field_member(p, "room_count", &p->content, DRG_F_ROOM_COUNT);
	field_member(p, "url", &p->source, DRG_F_URL);
	field_member(p, "zip", &p->source, DRG_F_ZIP);
	field_member(p, "lat", &p->source, DRG_F_LAT);
	field_member(p, "lng", &p->source, DRG_F_LNG);
	drg_jw_object_end(p->w);
}

/* ---- the content ----------------------------------------------------------------------------------------- */

/* How a member of an object in the stored content is answered: the names of the dict record that the value is
 * the id of, texts by language, a list of objects, or as it is. A table ends with a zero name. */
enum answered { AS_IT_IS, NAMES_OF, BY_LANGUAGE, LIST };

struct page_part {
	const char *stored, *name;
	enum answered as;
	enum drg_kind kind; /* NAMES_OF */
	const struct page_part *nested; /* LIST */
};

static const struct page_part description[] = {
	{ .stored = "type_id", .name = "type", .as = NAMES_OF, .kind = DRG_KIND_DESCRIPTION_TYPE },
	{ .stored = "orig_type", .name = "orig_type", .as = BY_LANGUAGE },
	{ .stored = "text", .name = "orig_description", .as = BY_LANGUAGE },
	{ 0 },
};
static const struct page_part facility[] = {
	{ .stored = "type_id", .name = "facility_type", .as = NAMES_OF, .kind = DRG_KIND_FACILITY_TYPE },
	{ .stored = "orig_type", .name = "orig_facility_type", .as = BY_LANGUAGE },
	{ .stored = "value_type", .name = "value_type" },
	{ .stored = "value", .name = "value" },
	{ 0 },
};
static const struct page_part facility_group[] = {
	{ .stored = "group_id", .name = "facility_group", .as = NAMES_OF, .kind = DRG_KIND_FACILITY_GROUP },
	{ .stored = "orig_group", .name = "orig_facility_group", .as = BY_LANGUAGE },
	{ .stored = "items", .name = "data", .as = LIST, .nested = facility },
	{ 0 },
};
static const struct page_part photo[] = {
	{ .stored = "url", .name = "url_orig" },
	{ .stored = "is_main", .name = "is_main" },
	{ 0 },
};

static const struct page_part *part_of(const struct page_part *parts, struct drg_str stored)
{
	while (parts->name != NULL && !drg_str_eq(drg_str_c(parts->stored), stored))
		parts++;
	return parts->name != NULL ? parts : NULL;
}

static int hotel_page_write_list(const struct drg_hotel_page *p, const struct page_part *parts,
                                 const struct drg_json_item *list);

static int hotel_page_write_value(const struct drg_hotel_page *p, const struct page_part *part,
                                  const struct drg_json_item *v, struct drg_str raw)
{
	struct drg_dict d;
	switch (part->as) {
	case LIST: return hotel_page_write_list(p, part->nested, v);
	case NAMES_OF:
		write_names(p, v->type == DRG_JSON_INT && drg_catalog_dict(p->cat, part->kind, v->i, &d), &d);
		break;
	case BY_LANGUAGE: drg_jw_raw(p->w, v->type != DRG_JSON_NULL ? raw : DRG_STR("{}")); break;
	case AS_IT_IS: drg_jw_raw(p->w, raw); break;
	}
	return DRG_OK;
}

static int write_object(const struct drg_hotel_page *p, const struct page_part *parts,
                        const struct drg_json_item *object)
{
	struct drg_json_walk walk;
	struct drg_json_item v;
	struct drg_str name;
	int rc;
	if (object->type != DRG_JSON_OBJECT)
		return DRG_ECORRUPT;
	drg_jw_object(p->w);
	drg_json_walk_init(&walk, object, p->arena);
	while ((rc = drg_json_walk_next(&walk, &name, &v)) == DRG_OK) {
		const struct page_part *part = part_of(parts, name);
		if (part == NULL)
			continue;
		drg_jw_key(p->w, part->name);
		rc = hotel_page_write_value(p, part, &v, walk.raw);
		if (rc != DRG_OK)
			return rc;
	}
	drg_jw_object_end(p->w);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int hotel_page_write_list(const struct drg_hotel_page *p, const struct page_part *parts,
                                 const struct drg_json_item *list)
{
	struct drg_json_walk walk;
	struct drg_json_item v;
	int rc;
	if (list->type != DRG_JSON_ARRAY)
		return DRG_ECORRUPT;
	drg_jw_array(p->w);
	drg_json_walk_init(&walk, list, p->arena);
	while ((rc = drg_json_walk_next(&walk, NULL, &v)) == DRG_OK) {
		rc = write_object(p, parts, &v);
		if (rc != DRG_OK)
			return rc;
	}
	drg_jw_array_end(p->w);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A list of the content; empty where there is none. */
static int list_member(const struct drg_hotel_page *p, const char *name, enum drg_field f,
                       const struct page_part *parts)
{
	struct drg_json_item list;
	drg_jw_key(p->w, name);
	if (!drg_record_has(&p->content, f)) {
		drg_jw_raw(p->w, DRG_STR("[]"));
		return DRG_OK;
	}
	int rc = drg_json_scan(drg_record_s(&p->content, f), p->arena, &list, NULL);
	if (rc != DRG_OK)
		return rc == DRG_EINVAL ? DRG_ECORRUPT : rc;
	return hotel_page_write_list(p, parts, &list);
}

int drg_hotel_page(const struct drg_hotel_page *p)
{
	struct drg_jw *w = p->w;
	drg_data_begin(w);
	drg_jw_object(w);
	drg_jw_key(w, "adapter");
	write_adapter(p);
	drg_jw_key(w, "hotel");
	hotel_page_write_hotel(p);
	drg_jw_key(w, "orig_hotel");
	write_orig_hotel(p);
	int rc = list_member(p, "hotel_description", DRG_F_DESCRIPTIONS, description);
	if (rc == DRG_OK)
		rc = list_member(p, "hotel_facility", DRG_F_FACILITIES, facility_group);
	if (rc == DRG_OK)
		rc = list_member(p, "hotel_photo", DRG_F_PHOTOS, photo);
	drg_jw_object_end(w);
	drg_data_end(w);
	return rc;
}
