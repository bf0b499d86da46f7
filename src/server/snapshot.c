#include "server/snapshot.h"

#include <assert.h>
#include <stdlib.h>

#include "model/key.h"
#include "store/fetch.h"
#include "text/lang.h"

/* KEEP_BYTES: a catalog that has grown beyond this is dropped, and the records that are needed are read
 * again. */
enum { KEEP_BYTES = 32 << 20, MAX_BYTES = 256 << 20 };

struct drg_snapshot {
	struct drg_store *store;
	struct drg_catalog *cat;
	char lang_text[DRG_LANG_MAX + 1];
	struct drg_str lang;
};

/* ---- loading a record and those it refers to ------------------------------------------------------------- */

struct bringing {
	struct drg_snapshot *w;
	int64_t id[DRG_KIND_PARENTS];
	bool has[DRG_KIND_PARENTS];
	struct drg_err *err;
};

bool drg_snapshot_refuses(int rc)
{
	return rc == DRG_ELIMIT || rc == DRG_EINVAL;
}

/* Only the JSON of a hotel names others. */
static void note_refs(struct bringing *b, const struct drg_record *r)
{
	const bool hotel = drg_kind_has(r->type->id, drg_record_kind(r), DRG_F_CITY_ID);
	for (unsigned i = 0; i < DRG_KIND_PARENTS; i++) {
		b->has[i] = hotel && drg_record_has(r, drg_kind_parents[i].dict);
		b->id[i] = drg_record_i(r, drg_kind_parents[i].dict, 0);
	}
}

/* Load one dict record. @return DRG_OK, also if there is no such record: its name is then null. */
static int snapshot_load_one(struct bringing *b, enum drg_kind kind, int64_t id)
{
	struct drg_rows rows;
	struct drg_record key;
	struct drg_dict d;
	if (drg_catalog_dict(b->w->cat, kind, id, &d))
		return DRG_OK;
	drg_key_dict(&key, kind, id);
	drg_rows_get(&rows, b->w->store, &key, b->err);
	if (drg_rows_next(&rows)) {
		rows.rc = drg_catalog_apply(b->w->cat, &rows.row.r, b->err);
		if (rows.rc == DRG_OK)
			note_refs(b, &rows.row.r);
		else if (drg_snapshot_refuses(rows.rc))
			rows.rc = DRG_OK; /* its name is then null, as if it were missing */
	}
	int rc = drg_rows_end(&rows);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int snapshot_load_refs(const struct bringing *noted)
{
	struct bringing b = { .w = noted->w, .err = noted->err };
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_KIND_PARENTS && rc == DRG_OK; i++)
		if (noted->has[i])
			rc = snapshot_load_one(&b, drg_kind_parents[i].kind, noted->id[i]);
	return rc;
}

static int snapshot_load(struct drg_snapshot *w, enum drg_kind kind, int64_t id, struct drg_err *reterr)
{
	struct bringing b = { .w = w, .err = reterr };
	int rc = snapshot_load_one(&b, kind, id);
	return rc == DRG_OK ? snapshot_load_refs(&b) : rc;
}

/* Load the dict record of a mapping, or the one that it was merged into. */
static int snapshot_load_mapped(struct drg_snapshot *w, enum drg_kind kind, int64_t *id,
                                struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	struct drg_dict d;
	int rc = snapshot_load(w, kind, *id, reterr);
	if (rc != DRG_OK || drg_catalog_dict(w->cat, kind, *id, &d))
		return rc;
	drg_key_redirect(&key, kind, *id);
	drg_rows_get(&rows, w->store, &key, reterr);
	if (drg_rows_next(&rows))
		*id = rows.row.r.v[DRG_F_TO].i;
	rc = drg_rows_end(&rows);
	if (rc == DRG_ENOENT)
		return DRG_OK;
	return rc == DRG_OK ? snapshot_load(w, kind, *id, reterr) : rc;
}

/* Load an adapter. Sources are found by their adapter, but show nothing of it. */
static int snapshot_load_adapter(struct drg_snapshot *w, int64_t id, const struct drg_adapter **ret,
                                 struct drg_err *reterr)
{
	*ret = drg_catalog_adapter(w->cat, id);
	if (*ret != NULL)
		return DRG_OK;
	struct drg_record r;
	drg_key_adapter(&r, id);
	drg_record_set_s(&r, DRG_F_CODE, DRG_STR(""));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR(""));
	int rc = drg_catalog_apply(w->cat, &r, reterr);
	if (rc == DRG_OK)
		rc = drg_catalog_publish(w->cat, 0, "", reterr);
	if (rc == DRG_OK)
		*ret = drg_catalog_adapter(w->cat, id);
	assert(rc != DRG_OK || *ret != NULL);
	return rc;
}

/* ---- start and end --------------------------------------------------------------------------------------- */

static int fresh_catalog(struct drg_snapshot *w, struct drg_err *reterr)
{
	const struct drg_catalog_options o = { .max_bytes = MAX_BYTES, .no_search = true, .alone = true };
	struct drg_catalog *fresh;
	int rc = drg_catalog_new(&o, &fresh, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_catalog_free(w->cat);
	w->cat = fresh;
	return DRG_OK;
}

int drg_snapshot_new(struct drg_store *s, struct drg_str lang, struct drg_snapshot **ret,
                     struct drg_err *reterr)
{
	struct drg_snapshot *w = calloc(1, sizeof *w);
	if (w == NULL)
		return drg_fail_memory(reterr);
	w->store = s;
	w->lang = drg_lang_normal(lang, w->lang_text);
	int rc = fresh_catalog(w, reterr);
	if (rc == DRG_OK)
		*ret = w;
	else
		drg_snapshot_free(w);
	return rc;
}

void drg_snapshot_free(struct drg_snapshot *w)
{
	if (w == NULL)
		return;
	drg_catalog_free(w->cat);
	free(w);
}

static int snapshot_bound(struct drg_snapshot *w, struct drg_err *reterr)
{
	struct drg_catalog_stats st;
	drg_catalog_stats(w->cat, &st);
	return st.heap_used + st.table_bytes > KEEP_BYTES ? fresh_catalog(w, reterr) : DRG_OK;
}

/* Set the language last: a language has its number only after the texts were applied. */
static void snapshot_finish(const struct drg_snapshot *w, struct drg_view *v)
{
	v->cat = w->cat;
	v->pref = drg_catalog_langs(w->cat, w->lang);
}

int drg_snapshot_source(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                        struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_SOURCE && !r->deleted);
	struct drg_record mapped = *r;
	const struct drg_adapter *adapter;
	int rc = snapshot_bound(w, reterr);
	if (rc == DRG_OK)
		rc = snapshot_load_adapter(w, r->v[DRG_F_ADAPTER_ID].i, &adapter, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_DICT_ID))
		rc = snapshot_load_mapped(w, drg_record_kind(r), &mapped.v[DRG_F_DICT_ID].i, reterr);
	if (rc == DRG_OK)
		rc = drg_catalog_apply(w->cat, &mapped, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret = (struct drg_view){ 0 };
	ret->has_source = drg_catalog_source(w->cat, adapter, drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s,
	                                     &ret->source);
	ret->has_dict = drg_catalog_dict_at(w->cat, ret->source.dict, &ret->dict);
	snapshot_finish(w, ret);
	return DRG_OK;
}

int drg_snapshot_dict(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                      struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_DICT && !r->deleted);
	struct bringing b = { .w = w, .err = reterr };
	int rc = snapshot_bound(w, reterr);
	if (rc == DRG_OK)
		rc = drg_catalog_apply(w->cat, r, reterr);
	note_refs(&b, r);
	if (rc == DRG_OK)
		rc = snapshot_load_refs(&b);
	if (rc != DRG_OK)
		return rc;
	*ret = (struct drg_view){ 0 };
	ret->has_dict = drg_catalog_dict(w->cat, drg_record_kind(r), r->v[DRG_F_ID].i, &ret->dict);
	snapshot_finish(w, ret);
	return DRG_OK;
}
