#include "api/curate_words.h"

#include "base/clock.h"
#include "match/outcome.h"
#include "text/stamp.h"

const char *drg_curate_reason(unsigned reason)
{
	return reason < DRG_WHY_COUNT ? drg_reason_name((enum drg_match_reason)reason) : "other";
}

int drg_curate_reason_of(struct drg_str word)
{
	int r = DRG_WHY_COUNT;
	while (r >= 0 && !drg_str_eq(word, drg_str_c(drg_curate_reason((unsigned)r))))
		r--;
	return r;
}

int drg_curate_check_reason(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_curate_reason_of(value) >= 0
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected a reason of the matcher, such as ambiguous, found \"%.*s\"",
	                          name, DRG_STR_ARG(value));
}

int drg_curate_check_dict_kind(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_kind_by_name(value) != DRG_KIND_NONE
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_kind), name,
	                          "%s: expected a kind of records, such as hotel, found \"%.*s\"", name,
	                          DRG_STR_ARG(value));
}

void drg_curate_dict_members(struct drg_reading *r, enum drg_kind kind, int64_t id,
                             const struct drg_lang_pref *pref)
{
	struct drg_dict d;
	struct drg_str name = { NULL, 0 };
	if (drg_catalog_dict(r->cat, kind, id, &d)) {
		id = d.id;
		name = drg_dict_name_esc(&d, pref);
	}
	drg_jw_member_i64(&r->w, "id", id);
	drg_escaped_or_null(&r->w, "name", name);
}

void drg_curate_dict_or_null(struct drg_reading *r, const char *name, enum drg_kind kind, int64_t id,
                             const struct drg_lang_pref *pref)
{
	drg_jw_key(&r->w, name);
	if (id == INT64_MIN) {
		drg_jw_null(&r->w);
		return;
	}
	drg_jw_object(&r->w);
	drg_curate_dict_members(r, kind, id, pref);
	drg_jw_object_end(&r->w);
}

void drg_curate_time(struct drg_jw *w, int64_t wall_us)
{
	char text[DRG_STAMP_TEXT];
	drg_jw_str(w, drg_str(text, drg_stamp_text(wall_us, text)));
}

int drg_curate_by(struct drg_exchange *x, struct drg_str said, struct drg_str *ret)
{
	struct drg_str key = drg_exchange_caller(x)->name;
	struct drg_buf text;
	drg_buf_init(&text, SIZE_MAX);
	drg_buf_str(&text, key);
	drg_buf_lit(&text, " for ");
	drg_buf_str(&text, said);
	int rc = text.rc;
	*ret = drg_arena_str(drg_exchange_arena(x), drg_buf_view(&text));
	drg_buf_done(&text);
	return rc == DRG_OK && ret->p != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_curate_since(struct drg_exchange *x, int64_t *ret_us)
{
	struct drg_str since = drg_exchange_text(x, "since");
	const char *fault = since.n > 0 ? drg_stamp_read_past(since, drg_wall_us(), ret_us) : NULL;
	return fault == NULL ? DRG_OK
	                     : drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(invalid_time), "since",
	                                "since: \"%.*s\" %s", DRG_STR_ARG(since), fault);
}

int drg_curate_check_adapter(struct drg_exchange *x)
{
	if (drg_exchange_has(x, "adapter_id"))
		return drg_api_check_adapter(x, drg_exchange_int(x, "adapter_id", 0));
	return drg_exchange_caller(x)->reads == NULL
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(missing_field), "adapter_id",
	                          "adapter_id is required: this key reads some suppliers only");
}
