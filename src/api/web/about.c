/* What the pages of this server tell of it (decisions W1, W3): GET /web/about.json. */
#include "api/reading.h"
#include "base/version.h"
#include "api/tables.h"
#include "access/demo_keys.h"
#include "catalog/air/air.h"

static void about_int(struct drg_jw *w, const char *name, size_t n)
{
	drg_jw_key(w, name);
	drg_jw_i64(w, (int64_t)n);
}

static void about_text(struct drg_jw *w, const char *name, const char *text)
{
	drg_jw_key(w, name);
	drg_jw_str(w, drg_str_c(text));
}

/* How much there is, and the keys: of demo data only. */
static void about_demo(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_demo_keys *keys)
{
	struct drg_catalog_stats stats;
	const struct drg_adapter *adapters;
	drg_catalog_stats(cat, &stats);
	drg_jw_object(w);
	about_text(w, "key_a", keys->text[DRG_API_A]);
	about_text(w, "key_b", keys->text[DRG_API_B]);
	about_int(w, "suppliers", drg_catalog_adapters(cat, &adapters));
	about_int(w, "sources", stats.sources);
	about_int(w, "dicts", stats.dicts);
	about_int(w, "air_places", drg_air_count(cat));
	drg_jw_object_end(w);
}

static int write_about(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	const struct drg_app *app = drg_app_of(r->x);
	struct drg_jw *w = &r->w;
	drg_jw_object(w);
	about_text(w, "version", drg_version_text);
	drg_jw_key(w, "data_version");
	drg_jw_i64(w, drg_catalog_seq(r->cat));
	/* asked for: the page says so where it is, and yet no key is given */
	drg_jw_key(w, "demo_wanted");
	drg_jw_bool(w, app->demo_keys != NULL);
	drg_jw_key(w, "demo");
	if (app->demo_keys != NULL && drg_demo_keys_are_good(r->cat))
		about_demo(w, r->cat, app->demo_keys);
	else
		drg_jw_null(w);
	drg_jw_object_end(w);
	return DRG_OK;
}

static int about(struct drg_exchange *x)
{
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	drg_exchange_add_header(x, "X-Content-Type-Options", "nosniff");
	return drg_reading_run(x, write_about, NULL);
}

const struct drg_endpoint drg_web_about[] = {
	{ .method = DRG_GET,
	  .path = "/web/about.json",
	  .handler = about,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "What the pages tell of this server" },
	{ 0 },
};
