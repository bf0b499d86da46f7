/* The answer of GET curate/history. */
#include "workbench/history_priv.h"

#include <stdio.h>

#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "decide/newest.h"
#include "model/key.h"
#include "store/store.h"
#include "text/stamp.h"
#include "workbench/record_json.h"

/* Behind the last event; where the reading stopped before there were enough, behind what it has looked at. */
static void history_write_cursor(struct drg_jw *w, const struct drg_history_work *h)
{
	int64_t at_us = 0, row = 0;
	char text[48];
	drg_jw_key(w, "cursor");
	if (!h->more && !h->stopped) {
		drg_jw_null(w);
		return;
	}
	if (h->more) {
		at_us = h->v[h->n - 1].at_us;
		row = h->v[h->n - 1].row;
	} else {
		at_us = h->ms * 1000;
	}
	int n = snprintf(text, sizeof text, "%lld-%lld", (long long)at_us, (long long)row);
	drg_jw_str(w, drg_str(text, (size_t)n));
}

/* The name of a record that was merged away is no longer known. */
static void history_dict_name(struct drg_reading *r, const char *member, enum drg_kind kind, bool there,
                              int64_t id, const struct drg_lang_pref *pref)
{
	struct drg_dict d;
	bool lives = there && drg_catalog_dict(r->cat, kind, id, &d) && d.id == id;
	drg_escaped_or_null(&r->w, member, lives ? drg_dict_name_esc(&d, pref) : drg_str(NULL, 0));
}

/* An event of one type has none of the other type's fields: what is written for them. */
static const struct drg_record no_dict_event = { .type = &drg_types[DRG_TYPE_DICT_EVENT] };
static const struct drg_record no_mapping_event = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT] };

/* The dict id @p f of the mapping event @p e, and its name. */
static void history_dict(struct drg_reading *r, const struct drg_record *e, const char *id, const char *name,
                         enum drg_field f, const struct drg_lang_pref *pref)
{
	bool there = drg_record_has(e, f);
	drg_jw_member_i64_or_null(&r->w, id, there, drg_record_i(e, f, 0));
	history_dict_name(r, name, drg_record_kind(e), there, drg_record_i(e, f, 0), pref);
}

/* The supplier's record, with its name of now. */
static void history_source(struct drg_reading *r, const struct drg_record *e)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, e->v[DRG_F_ADAPTER_ID].i);
	struct drg_source s = { .name_esc = { NULL, 0 } };
	bool there =
	        a != NULL && drg_catalog_source(r->cat, a, drg_record_kind(e), e->v[DRG_F_SOURCE_ID].s, &s);
	drg_curate_source_members(r, e);
	drg_jw_member_null(&r->w, "dict_id");
	drg_escaped_or_null(&r->w, "name", there ? s.name_esc : drg_str(NULL, 0));
}

/* The record of the reference. */
static void history_shared(struct drg_reading *r, const struct drg_record *e,
                           const struct drg_lang_pref *pref)
{
	drg_jw_member_null(&r->w, "adapter_id");
	drg_jw_member_null(&r->w, "adapter");
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(drg_record_kind(e))));
	drg_jw_member_null(&r->w, "id");
	drg_jw_member_i64(&r->w, "dict_id", e->v[DRG_F_ID].i);
	history_dict_name(r, "name", drg_record_kind(e), true, e->v[DRG_F_ID].i, pref);
}

static void history_write_event(struct drg_reading *r, const struct drg_record *e,
                                const struct drg_lang_pref *pref)
{
	const bool shared = drg_history_is_shared(e);
	const struct drg_record *dict = shared ? e : &no_dict_event,
	                        *mapping = shared ? &no_mapping_event : e;
	drg_jw_object(&r->w);
	if (shared)
		history_shared(r, e, pref);
	else
		history_source(r, e);
	drg_text_or_null(&r->w, "at", drg_record_s(e, DRG_F_AT));
	drg_jw_member_str(&r->w, "how", drg_history_how(e));
	history_dict(r, mapping, "from", "from_name", DRG_F_FROM, pref);
	history_dict(r, mapping, "to", "to_name", DRG_F_TO, pref);
	drg_text_or_null(&r->w, "lang", drg_record_s(dict, DRG_F_LANG));
	drg_text_or_null(&r->w, "was", drg_record_s(dict, DRG_F_NAME_WAS));
	drg_text_or_null(&r->w, "is", drg_record_s(dict, DRG_F_NAME_IS));
	drg_curate_int_or_null(&r->w, "into", dict, DRG_F_MERGED_INTO);
	drg_curate_int_or_null(&r->w, "batch", mapping, DRG_F_OF_BATCH);
	drg_text_or_null(&r->w, "by", drg_record_s(e, DRG_F_BY));
	drg_text_or_null(&r->w, "why", drg_record_s(e, DRG_F_WHY));
	drg_jw_object_end(&r->w);
}

int drg_history_write(struct drg_reading *r, void *work)
{
	struct drg_history_work *h = work;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_items_begin(&r->w);
	for (size_t i = 0; i < h->n; i++) {
		const struct drg_record *e = &h->v[i].r;
		if (drg_history_is_shared(e) || drg_api_can_read(r->x, e->v[DRG_F_ADAPTER_ID].i))
			history_write_event(r, e, &pref);
	}
	drg_jw_array_end(&r->w);
	history_write_cursor(&r->w, h);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}
