#include "api/reading.h"

#include <assert.h>

#include "api/tables.h"

/* The answer is of the data that were read last. */
static int read_of_version(struct drg_reading *r, drg_adapter_fn *find_adapter, int64_t adapter_id,
                           drg_reading_fn *fn, void *ctx)
{
	const struct drg_catalog_read_mark look = drg_catalog_read_begin(r->cat);
	int rc = DRG_OK;
	if (find_adapter != NULL)
		rc = drg_api_check_read(r->x, adapter_id);
	if (rc == DRG_OK && find_adapter != NULL)
		rc = find_adapter(r->cat, adapter_id, &r->adapter, drg_exchange_err(r->x));
	if (rc == DRG_OK)
		rc = fn(r, ctx);
	struct drg_data_version version = drg_catalog_read_end(r->cat, &look);
	version.open |= r->mixed;
	drg_exchange_set_version(r->x, &version);
	return rc;
}

static int reading_run(struct drg_exchange *x, drg_adapter_fn *find_adapter, int64_t adapter_id,
                       drg_reading_fn *fn, void *ctx)
{
	struct drg_reading r = { .x = x, .w.b = drg_exchange_out(x) };
	drg_read_lock();
	r.cat = drg_follower_catalog(drg_app_of(x)->follower);
	int rc = r.cat != NULL ? DRG_OK
	                       : drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(loading), NULL,
	                                  "the reference data is being loaded; try again soon");
	if (rc == DRG_OK)
		rc = read_of_version(&r, find_adapter, adapter_id, fn, ctx);
	drg_read_unlock();
	return rc;
}

int drg_reading_run(struct drg_exchange *x, drg_reading_fn *fn, void *ctx)
{
	return reading_run(x, NULL, 0, fn, ctx);
}

int drg_reading_run_adapter(struct drg_exchange *x, int64_t adapter_id, drg_reading_fn *fn, void *ctx)
{
	drg_adapter_fn *find_adapter = drg_columns_of(x)->adapter;
	assert(find_adapter != NULL);
	return reading_run(x, find_adapter, adapter_id, fn, ctx);
}

static int adapter_is_there(struct drg_reading *r, void *ctx)
{
	(void)r, (void)ctx;
	return DRG_OK;
}

int drg_api_check_adapter(struct drg_exchange *x, int64_t adapter)
{
	return drg_reading_run_adapter(x, adapter, adapter_is_there, NULL);
}

struct drg_lang_pref drg_reading_langs(const struct drg_reading *r)
{
	return drg_catalog_langs(r->cat, drg_exchange_lang(r->x, "lang"));
}

void drg_data_begin(struct drg_jw *w)
{
	drg_buf_lit(w->b, "{\"status\":\"success\",\"data\":");
}

void drg_data_end(struct drg_jw *w)
{
	drg_buf_char(w->b, '}');
}

void drg_items_begin(struct drg_jw *w)
{
	drg_data_begin(w);
	drg_jw_object(w);
	drg_jw_member_array(w, "items");
}

void drg_items_end(struct drg_jw *w)
{
	drg_jw_array_end(w);
	drg_jw_object_end(w);
	drg_data_end(w);
}

void drg_adapter_words(struct drg_jw *w, const struct drg_adapter *a, const char *name)
{
	drg_jw_member_escaped(w, "code", a->code_esc);
	drg_jw_member_escaped(w, name, a->name_esc);
}

void drg_adapter_members(struct drg_jw *w, const struct drg_adapter *a, const char *name)
{
	drg_jw_member_i64(w, "id", a->id);
	drg_adapter_words(w, a, name);
}

void drg_adapter_json(struct drg_jw *w, const struct drg_adapter *a, const char *name)
{
	drg_jw_object(w);
	drg_adapter_members(w, a, name);
	drg_jw_object_end(w);
}

void drg_suppliers_member(struct drg_reading *r, int64_t adapter, bool air)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(r->cat, &all);
	drg_jw_member_array(&r->w, "suppliers");
	for (size_t i = 0; i < n; i++) {
		if ((all[i].domain != DRG_DOMAIN_TOUR && !air) || (adapter != 0 && all[i].id != adapter) ||
		    !drg_api_can_read(r->x, all[i].id))
			continue;
		drg_jw_object(&r->w);
		drg_jw_member_i64(&r->w, "adapter_id", all[i].id);
		drg_adapter_words(&r->w, &all[i], "adapter");
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

void drg_escaped_or_null(struct drg_jw *w, const char *name, struct drg_str text)
{
	drg_jw_key(w, name);
	if (text.p != NULL)
		drg_jw_escaped(w, text);
	else
		drg_jw_null(w);
}

void drg_text_or_null(struct drg_jw *w, const char *name, struct drg_str text)
{
	drg_jw_key(w, name);
	if (text.p != NULL)
		drg_jw_str(w, text);
	else
		drg_jw_null(w);
}
