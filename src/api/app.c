#include "api/app.h"

int drg_app_catalog(struct drg_exchange *x, const struct drg_catalog **ret)
{
	const struct drg_catalog *cat = drg_follower_catalog(drg_app_of(x)->follower);
	if (cat == NULL)
		return drg_fail(drg_exchange_err(x), DRG_EBUSY, "loading", NULL,
		                "the reference data is being loaded; try again soon");
	*ret = cat;
	return DRG_OK;
}
