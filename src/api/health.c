/* /healthz: the process answers. /readyz: the reference data is loaded. A store that is away makes neither fail: reads
 * go on from the catalog. */
#include "api/tables.h"

static int healthz(struct drg_exchange *x)
{
	drg_buf_lit(drg_exchange_out(x), "{\"status\":\"ok\"}");
	return DRG_OK;
}

static int readyz(struct drg_exchange *x)
{
	drg_read_lock();
	const struct drg_catalog *cat;
	int rc = drg_app_catalog(x, &cat);
	if (rc == DRG_OK)
		drg_buf_printf(drg_exchange_out(x), "{\"status\":\"ready\",\"data_version\":%lld}",
		               (long long)drg_catalog_seq(cat));
	drg_read_unlock();
	return rc;
}

const struct drg_endpoint drg_health[] = {
	{ .method = DRG_GET,
	  .path = "/healthz",
	  .handler = healthz,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .summary = "Is the process alive?" },
	{ .method = DRG_GET,
	  .path = "/readyz",
	  .handler = readyz,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .summary = "Is the data loaded?" },
	{ 0 },
};
