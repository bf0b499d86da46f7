/* avia/compared: the air place that a supplier means, and a report to those who map where there is none (spec
 * 4.3; decisions A5, A7, A8). */
#include <ctype.h>

#include "api/air_json.h"
#include "api/element.h"
#include "api/reading.h"
#include "api/tables.h"
#include "model/value.h"
#include "api/air_places.h"
#include "text/utf8.h"

/* ---- the request --------------------------------------------------------------------------------------- */

#define AIR_ROW(field, wire, type, flags, min, max)                                                          \
	{                                                                                                    \
		field, wire, type, flags, min, max, 0, NULL, DRG_REF_NONE, 0, NULL                           \
	}

enum avia_attribute {
	ADAPTER_ID,
	LANG_CODE,
	IATA_CODE,
	EXTERNAL_ID,
	TITLE,
	COUNTRY_CODE,
	CITY_NAME,
	N_ATTRIBUTES
};

static const struct drg_field_def attributes[N_ATTRIBUTES] = {
	[ADAPTER_ID] = AIR_ROW(DRG_F_ADAPTER_ID, "adapter_id", DRG_V_INT, DRG_FF_REQUIRED, -0x1p63, 0x1p63),
	[LANG_CODE] = AIR_ROW(DRG_F_LANG, "lang_code", DRG_V_LANG, DRG_FF_REQUIRED, 0, 0),
	[IATA_CODE] = AIR_ROW(DRG_F_CODE, "iata_code", DRG_V_TEXT, 0, 1, 64),
	[EXTERNAL_ID] = AIR_ROW(DRG_F_EXTERNAL_ID, "external_id", DRG_V_SRCID, 0, 1, DRG_CHARS_ID),
	[TITLE] = AIR_ROW(DRG_F_NAME, "title", DRG_V_TEXT, 0, 1, DRG_CHARS_NAME),
	/* Extensions, which narrow the title. */
	[COUNTRY_CODE] = AIR_ROW(DRG_F_COUNTRY_CODE, "country_code", DRG_V_TEXT, 0, 1, 64),
	[CITY_NAME] = AIR_ROW(DRG_F_NONE, "city_name", DRG_V_TEXT, 0, 1, DRG_CHARS_NAME),
};

static const struct drg_element_table values = { attributes, N_ATTRIBUTES };

struct request {
	struct drg_exchange *x;
	struct drg_arena *arena;
	struct drg_err *err;
	bool given[N_ATTRIBUTES];
	union drg_value v[N_ATTRIBUTES]; /* of those given */
	struct drg_str raw[N_ATTRIBUTES]; /* as sent; null where nothing was */
	bool matched;
};

static int avia_compared_read_attribute(struct request *q, enum avia_attribute i, struct drg_str raw,
                                        const struct drg_json_item *item)
{
	struct drg_err err;
	struct drg_json_item number = { .type = DRG_JSON_INT };
	q->raw[i] = raw;
	if (i == ADAPTER_ID && drg_body_int(item, &number.i))
		item = &number;
	/* Null and empty are as not sent (A5). */
	if (item->type == DRG_JSON_NULL ||
	    (i >= IATA_CODE && item->type == DRG_JSON_STRING && drg_utf8_is_blank(item->s)))
		return DRG_OK;
	int rc = drg_value_read(&attributes[i], item, q->arena, &q->v[i], &err);
	q->given[i] = rc == DRG_OK;
	if (rc != DRG_EINVAL)
		return rc == DRG_OK ? rc : DRG_ENOMEM;
	const struct drg_reason *reason = i == ADAPTER_ID  ? DRG_R(bad_integer)
	                                  : i == LANG_CODE ? DRG_R(bad_language)
	                                                   : drg_reason_find(err.reason);
	return drg_fail(q->err, rc, reason, err.field, "%s: %s", err.field, err.message);
}

static int avia_compared_read_member(struct request *q, struct drg_str name, struct drg_str raw,
                                     const struct drg_json_item *item)
{
	for (unsigned i = 0; i < N_ATTRIBUTES; i++)
		if (drg_str_eq(name, drg_str_c(attributes[i].wire)))
			return avia_compared_read_attribute(q, (enum avia_attribute)i, raw, item);
	drg_exchange_ignored(q->x, name);
	return DRG_OK;
}

static int avia_compared_read_body(struct request *q)
{
	struct drg_json_item item;
	struct drg_json_walk walk;
	struct drg_str name;
	int rc = drg_body_object(q->x, &walk);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&walk, &name, &item)) == DRG_OK) {
		rc = avia_compared_read_member(q, name, walk.raw, &item);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : DRG_ENOMEM;
}

static int check_country(const struct request *q)
{
	struct drg_str code = q->given[COUNTRY_CODE] ? drg_str_trim(q->v[COUNTRY_CODE].s) : DRG_STR("ZZ");
	if (code.n == 2 && isalpha((unsigned char)code.p[0]) && isalpha((unsigned char)code.p[1]))
		return DRG_OK;
	return drg_fail(q->err, DRG_EINVAL, DRG_R(invalid_country), "country_code",
	                "country_code: expected two letters (ISO 3166-1 alpha-2), such as FR, found \"%.*s\"",
	                (int)(code.n < 40 ? code.n : 40), code.p);
}

static int avia_compared_check_required(const struct request *q)
{
	for (unsigned i = 0; i < N_ATTRIBUTES; i++)
		if ((attributes[i].flags & DRG_FF_REQUIRED) != 0 && !q->given[i])
			return drg_fail(q->err, DRG_EINVAL, DRG_R(missing_field), attributes[i].wire,
			                "%s is required: %s in the body", attributes[i].wire,
			                i == ADAPTER_ID ? "an integer"
			                                : "a language tag such as uk or pt-BR");
	return check_country(q);
}

static int avia_compared_read_request(struct drg_exchange *x, struct request *q)
{
	*q = (struct request){ .x = x, .arena = drg_exchange_arena(x), .err = drg_exchange_err(x) };
	for (unsigned i = 0; i < N_ATTRIBUTES; i++)
		q->raw[i] = DRG_STR("null");
	int rc = avia_compared_read_body(q);
	return rc == DRG_OK ? avia_compared_check_required(q) : rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void write_request(struct drg_reading *r, const struct request *q)
{
	drg_jw_member_object(&r->w, "request");
	for (unsigned i = LANG_CODE; i <= TITLE; i++)
		drg_jw_member_raw(&r->w, attributes[i].wire, q->raw[i]);
	drg_jw_key(&r->w, "adapter");
	drg_adapter_json(&r->w, r->adapter, "title");
	drg_jw_object_end(&r->w);
}

/* Air item without a place: spec 4.3. */
static void write_nulls(struct drg_jw *w, struct drg_str language)
{
	static const char *const rest[] = { "type", "code", "title", "city", "country", "coordinates" };
	drg_jw_member_null(w, "source_id");
	drg_jw_member_str(w, "language", language);
	for (size_t i = 0; i < DRG_ARRAY_LEN(rest); i++)
		drg_jw_member_null(w, rest[i]);
}

static void write_place(struct drg_reading *r, const struct drg_air_place *place, struct drg_str language)
{
	struct drg_lang_pref pref = drg_reading_langs(r);
	drg_jw_member_object(&r->w, "compared");
	if (place != NULL)
		drg_air_members(&r->w, r->cat, place, &pref);
	else
		write_nulls(&r->w, language);
	drg_jw_object_end(&r->w);
}

/* ---- both ---------------------------------------------------------------------------------------------- */

static struct drg_str text_of(const struct request *q, enum avia_attribute i)
{
	return q->given[i] ? q->v[i].s : drg_str(NULL, 0);
}

static bool avia_compared_match(const struct drg_reading *r, const struct request *q,
                                struct drg_air_place *ret)
{
	struct drg_str country = drg_str_trim(text_of(q, COUNTRY_CODE));
	char code[2] = { 0 };
	for (size_t i = 0; i < country.n && i < sizeof code; i++)
		code[i] = (char)toupper((unsigned char)country.p[i]);
	const struct drg_air_clue clue = { .external_id = text_of(q, EXTERNAL_ID),
		                           .iata_code = drg_str_trim(text_of(q, IATA_CODE)),
		                           .title = { .title = text_of(q, TITLE),
		                                      .country_code = drg_str(code, country.n),
		                                      .city_name = text_of(q, CITY_NAME) } };
	return drg_air_match(r->cat, r->adapter, &clue, ret);
}

static int avia_compared_write_answer(struct drg_reading *r, void *ctx)
{
	struct request *q = ctx;
	struct drg_air_place place;
	char room[DRG_LANG_FULL + 1];
	struct drg_str language = drg_catalog_lang(r->cat, drg_exchange_lang(r->x, "lang"), false, room);
	q->matched = avia_compared_match(r, q, &place);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_str(&r->w, "language", language);
	write_request(r, q);
	write_place(r, q->matched ? &place : NULL, language);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* A request that names nothing has nothing to map (A5). */
static void avia_compared_report(const struct request *q)
{
	if (!q->given[IATA_CODE] && !q->given[EXTERNAL_ID] && !q->given[TITLE])
		return;
	const struct drg_air_report r = { .adapter = q->v[ADAPTER_ID].i,
		                          .external_id = text_of(q, EXTERNAL_ID),
		                          .iata_code = text_of(q, IATA_CODE),
		                          .title = text_of(q, TITLE),
		                          .lang = text_of(q, LANG_CODE) };
	drg_unmatched_report(drg_app_of(q->x)->unmatched, &r);
}

static int avia_compared_compared(struct drg_exchange *x)
{
	struct request q;
	int rc = avia_compared_read_request(x, &q);
	if (rc == DRG_OK)
		rc = drg_api_check_write(x, q.v[ADAPTER_ID].i);
	if (rc == DRG_OK)
		rc = drg_reading_run_adapter(x, q.v[ADAPTER_ID].i, avia_compared_write_answer, &q);
	if (rc == DRG_OK && !q.matched)
		avia_compared_report(&q);
	return rc;
}

static const struct drg_param avia_compared_params[] = {
	DRG_PARAM_LANG,
	{ 0 },
};
/* The one in the query is then reported as ignored. */
static const struct drg_param path_params[] = {
	{ .name = "lang", .type = DRG_P_LANG, .in_path = true, .doc = "language of names" },
	{ 0 },
};

const struct drg_endpoint drg_avia_compared[] = {
	{ .method = DRG_POST,
	  .path = "/v1/avia/compared",
	  .name = "aviaCompared",
	  .handler = avia_compared_compared,
	  .auth = DRG_AUTH_SECRET_B,
	  .params = avia_compared_params,
	  .body = DRG_BODY_JSON,
	  .summary = "The air place that a supplier means",
	  .app = DRG_COLUMNS(.adapter = drg_air_adapter, .values = &values) },
	{ .method = DRG_POST,
	  .path = "/v1/avia/compared/:lang",
	  .name = "aviaComparedIn",
	  .handler = avia_compared_compared,
	  .auth = DRG_AUTH_SECRET_B,
	  .params = path_params,
	  .body = DRG_BODY_JSON,
	  .summary = "The same, with the language in the path",
	  .app = DRG_COLUMNS(.adapter = drg_air_adapter, .values = &values) },
	{ 0 },
};
