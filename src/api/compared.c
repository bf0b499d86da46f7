/* tour/compared, deprecated: dict records for supplier values, by their ids; what is unknown is registered
 * (spec 4.2; decisions M12 and M25). */
#include "api/tables.h"

#include <stdio.h>

#include "api/reading.h"
#include "api/submission.h"

/* The answer has no place for errors, so the first one is the request's. */
static int check_elements(const struct drg_submission *s)
{
	for (size_t i = 0; i < s->reg.n; i++) {
		const struct drg_element *e = &s->reg.elements[i];
		if (e->state != DRG_ELEMENT_REFUSED)
			continue;
		char field[64];
		snprintf(field, sizeof field, "%s[%zu]", drg_kind_name(e->kind), i - s->kind[e->kind].first);
		return drg_fail(drg_exchange_err(s->x), DRG_EINVAL, e->reason, field, "%s.%s", field,
		                e->message);
	}
	return DRG_OK;
}

/* ---- the answer ----------------------------------------------------------------------------------------- */

struct compared_answer {
	const struct drg_reading *r;
	struct drg_lang_pref pref;
	struct drg_jw w;
};

/* The dict record of a supplier's id. */
static bool compared_resolve(const struct compared_answer *a, enum drg_kind kind, struct drg_str id,
                             struct drg_dict *ret)
{
	struct drg_source s;
	return id.p != NULL && drg_catalog_source(a->r->cat, a->r->adapter, kind, id, &s) &&
	       drg_catalog_dict_at(a->r->cat, s.dict, ret);
}

/* The members id and name of a dict record, or null and the name that was sent. */
static void compared_id_and_name(struct compared_answer *a, const struct drg_dict *d, struct drg_str sent)
{
	if (d != NULL) {
		drg_jw_member_i64(&a->w, "id", d->id);
		drg_escaped_or_null(&a->w, "name", drg_dict_name_esc(d, &a->pref));
	} else {
		drg_jw_member_null(&a->w, "id");
		drg_text_or_null(&a->w, "name", sent);
	}
}

static void part(struct compared_answer *a, const char *name, const struct drg_dict *d, struct drg_str sent)
{
	drg_jw_member_object(&a->w, name);
	compared_id_and_name(a, d, sent);
	drg_jw_object_end(&a->w);
}

/* Write one part of a hotel's class and place: from its dict record, else from what was sent. */
static void hotel_part(struct compared_answer *a, const char *name, const struct drg_dict *hotel,
                       drg_handle of_hotel, enum drg_kind kind, struct drg_str id, struct drg_str sent)
{
	struct drg_dict d;
	bool found = hotel != NULL ? drg_catalog_dict_at(a->r->cat, of_hotel, &d)
	                           : compared_resolve(a, kind, id, &d);
	part(a, name, found ? &d : NULL, hotel != NULL ? drg_str(NULL, 0) : sent);
}

static void hotel_parts(struct compared_answer *a, const struct drg_element *e, const struct drg_dict *hotel)
{
	hotel_part(a, "hotel_category", hotel, hotel != NULL ? hotel->category : DRG_NO_HANDLE,
	           DRG_KIND_HOTEL_CATEGORY, drg_element_text(e, DRG_F_SRC_CATEGORY_ID),
	           drg_element_text(e, DRG_F_CATEGORY_NAME));
	hotel_part(a, "country", hotel, hotel != NULL ? hotel->country : DRG_NO_HANDLE, DRG_KIND_COUNTRY,
	           drg_element_text(e, DRG_F_SRC_COUNTRY_ID), drg_element_text(e, DRG_F_COUNTRY_NAME));
	hotel_part(a, "city", hotel, hotel != NULL ? hotel->city : DRG_NO_HANDLE, DRG_KIND_CITY,
	           drg_element_text(e, DRG_F_SRC_CITY_ID), drg_element_text(e, DRG_F_CITY_NAME));
}

static void iso_code(struct compared_answer *a, const struct drg_element *e, const struct drg_dict *d)
{
	struct drg_str sent = drg_element_text(e, DRG_F_ISO_CODE);
	drg_text_or_null(&a->w, "iso_code", sent.p != NULL && d != NULL ? d->code : sent);
}

static void compared_member(struct compared_answer *a, const struct drg_element *e)
{
	struct drg_dict found, *d = compared_resolve(a, e->kind, e->key, &found) ? &found : NULL;
	drg_jw_key_str(&a->w, e->key);
	drg_jw_object(&a->w);
	compared_id_and_name(a, d, drg_element_text(e, DRG_F_NAME));
	if (e->kind == DRG_KIND_CURRENCY)
		iso_code(a, e, d);
	else if (e->kind == DRG_KIND_HOTEL)
		hotel_parts(a, e, d);
	drg_jw_object_end(&a->w);
}

static void write_kinds(struct compared_answer *a, const struct drg_submission *s)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		if (!s->kind[k].given)
			continue;
		drg_jw_key(&a->w, drg_kind_name((enum drg_kind)k));
		drg_jw_object(&a->w);
		for (size_t i = 0; i < s->kind[k].n; i++) {
			const struct drg_element *e = &s->reg.elements[s->kind[k].first + i];
			if (e->state != DRG_ELEMENT_REPEATED)
				compared_member(a, e);
		}
		drg_jw_object_end(&a->w);
	}
}

static int compared_write_answer(struct drg_reading *r, void *submission)
{
	const struct drg_submission *s = submission;
	struct compared_answer a = { .r = r, .pref = drg_catalog_langs(r->cat, s->lang), .w = r->w };
	char room[DRG_LANG_FULL + 1];
	drg_submission_begin(s, &a.w, drg_catalog_lang(r->cat, s->lang, false, room));
	write_kinds(&a, s);
	drg_submission_end(&a.w);
	return DRG_OK;
}

static int compared_answer(struct drg_exchange *x)
{
	struct drg_submission *s = drg_exchange_data(x);
	return drg_reading_run_adapter(x, s->reg.adapter, compared_write_answer, s);
}

/* ---- the request ---------------------------------------------------------------------------------------- */

static int mark_known(struct drg_reading *r, void *submission)
{
	struct drg_submission *s = submission;
	struct drg_source found;
	for (size_t i = 0; i < s->reg.n; i++) {
		struct drg_element *e = &s->reg.elements[i];
		if (e->state == DRG_ELEMENT_NEW &&
		    drg_catalog_source(r->cat, r->adapter, e->kind, e->key, &found))
			e->state = DRG_ELEMENT_KNOWN;
	}
	return DRG_OK;
}

static int compared_compared(struct drg_exchange *x)
{
	struct drg_submission *s;
	int rc = drg_submission_read(x, &s);
	if (rc == DRG_OK)
		rc = check_elements(s);
	if (rc == DRG_OK)
		rc = drg_submission_merge(s, NULL);
	if (rc == DRG_OK)
		rc = drg_reading_run_adapter(x, s->reg.adapter, mark_known, s);
	return rc == DRG_OK ? drg_submission_register(s, false, compared_answer) : rc;
}

static const struct drg_body_field fields[] = { DRG_SUBMISSION_FIELDS,
	                                        { "lang", DRG_B_LANG_OR_NOT, false },
	                                        { 0 } };

const struct drg_endpoint drg_compared[] = {
	{ .method = DRG_POST,
	  .path = "/v1/tour/compared",
	  .name = "tourCompared",
	  .handler = compared_compared,
	  .auth = DRG_AUTH_SECRET_B,
	  .body = DRG_BODY_JSON,
	  .summary = "Dict records for supplier values; deprecated, use sourceAdd",
	  .deprecated =
	          "@1795132800", /* 2026-11-20: the first release, in which it was so from the beginning */
	  .successor = "/v1/tour/sourceAdd",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .fields = fields,
	                     .elements = &drg_compared_elements) },
	{ 0 },
};
