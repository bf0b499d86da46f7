/* The facts that this server's pages show about it (decisions W1, W3): GET /web/about.json. */
#include "api/reading.h"
#include "base/version.h"
#include "api/tables.h"
#include "access/demo_keys.h"
#include "catalog/air/air.h"

/* How much there is, and the keys: of demo data only. */
static void about_demo(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_demo_keys *keys)
{
	struct drg_catalog_stats stats;
	const struct drg_adapter *adapters;
	drg_catalog_stats(cat, &stats);
	drg_jw_object(w);
	drg_jw_member_str(w, "key_a", drg_str_c(keys->text[DRG_API_A]));
	drg_jw_member_str(w, "key_b", drg_str_c(keys->text[DRG_API_B]));
	drg_jw_member_u64(w, "suppliers", drg_catalog_adapters(cat, &adapters));
	drg_jw_member_u64(w, "sources", stats.sources);
	drg_jw_member_u64(w, "dicts", stats.dicts);
	drg_jw_member_u64(w, "air_places", drg_air_count(cat));
	drg_jw_object_end(w);
}

static int write_about(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	const struct drg_app *app = drg_app_of(r->x);
	struct drg_jw *w = &r->w;
	drg_jw_object(w);
	drg_jw_member_str(w, "version", drg_str_c(drg_version_text));
	drg_jw_member_i64(w, "data_version", drg_catalog_seq(r->cat));
	/* asked for: the page says so where it is, and yet no key is given */
	drg_jw_member_bool(w, "demo_wanted", app->demo_keys != NULL);
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
	  .summary = "Describe this server for its pages" },
	{ 0 },
};
