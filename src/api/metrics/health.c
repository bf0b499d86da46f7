/* /healthz: the process answers. /readyz: the reference data is loaded. A store that is away makes neither
 * fail: reads go on from the catalog. What is wrong with it stands in a word, and makes /readyz/write fail. */
#include "api/reading.h"
#include "base/version.h"
#include "api/tables.h"
#include "matching/live/automatch.h"

static int healthz(struct drg_exchange *x)
{
	drg_buf_lit(drg_exchange_out(x), "{\"status\":\"ok\"}");
	return DRG_OK;
}

/* Why the last write failed; or that the store cannot be followed. */
static const char *store_word(const struct drg_app *app)
{
	const char *trouble = drg_writer_failure(app->writer);
	return trouble != NULL ? trouble : drg_follower_is_offline(app->follower) ? "away" : "ok";
}

static int write_version(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	const struct drg_app *app = drg_app_of(r->x);
	drg_buf_printf(r->w.b,
	               "{\"status\":\"ready\",\"version\":\"%s\",\"commit\":\"%s\",\"data_version\":%lld,"
	               "\"store\":\"%s\",\"lag_seconds\":%lld,"
	               "\"set_aside\":%llu,\"waiting\":%u,\"lists_waiting\":%zu,\"writing\":%zu,\"matched\":",
	               drg_version_text, drg_commit_text, (long long)drg_catalog_seq(r->cat), store_word(app),
	               (long long)drg_follower_lag(app->follower),
	               (unsigned long long)drg_follower_aside(app->follower),
	               drg_changes_waiting(app->changes) + drg_version_waits_n(app->version_waits),
	               drg_lists_waiting(app->lists), drg_writer_waiting(app->writer));
	const int64_t matched = drg_automatch_matched(app->automatch);
	if (matched >= 0)
		drg_buf_printf(r->w.b, "%lld", (long long)matched);
	else
		drg_buf_lit(r->w.b, "null");
	const char *disk = drg_disk_word(app->disk, drg_writer_full_ns(app->writer));
	if (disk != NULL)
		drg_buf_printf(r->w.b, ",\"disk\":\"%s\"}", disk);
	else
		drg_buf_lit(r->w.b, ",\"disk\":null}");
	return DRG_OK;
}

static int readyz(struct drg_exchange *x)
{
	return drg_reading_run(x, write_version, NULL);
}

static int readyz_write(struct drg_exchange *x)
{
	const struct drg_app *app = drg_app_of(x);
	if (drg_writer_is_ready(app->writer) && !drg_follower_is_offline(app->follower))
		return readyz(x);
	return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(not_stored), NULL,
	                "nothing can be stored now (%s), reads go on", store_word(app));
}

const struct drg_endpoint drg_health[] = {
	{ .method = DRG_GET,
	  .path = "/healthz",
	  .name = "health",
	  .handler = healthz,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .probe = true,
	  .summary = "Is the process alive?" },
	{ .method = DRG_GET,
	  .path = "/readyz",
	  .name = "ready",
	  .handler = readyz,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .probe = true,
	  .summary = "Is the data loaded?" },
	{ .method = DRG_GET,
	  .path = "/readyz/write",
	  .name = "readyToWrite",
	  .handler = readyz_write,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .probe = true,
	  .summary = "Can a write be stored?" },
	{ 0 },
};
