#include "api/air_places.h"

int drg_air_adapter(const struct drg_catalog *cat, int64_t id, const struct drg_adapter **ret,
                    struct drg_err *reterr)
{
	const struct drg_adapter *a = drg_catalog_adapter(cat, id);
	if (a == NULL || a->domain != DRG_DOMAIN_AIR)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_adapter), "adapter_id",
		                "adapter_id: there is no air adapter with the id %lld", (long long)id);
	*ret = a;
	return DRG_OK;
}

bool drg_air_match(const struct drg_catalog *cat, const struct drg_adapter *a,
                   const struct drg_air_clue *clue, struct drg_air_place *ret)
{
	return (clue->external_id.n > 0 && drg_air_by_external(cat, a->id, clue->external_id, ret)) ||
	       (clue->iata_code.n > 0 && drg_air_by_code(cat, clue->iata_code, ret)) ||
	       (clue->title.title.n > 0 && drg_air_by_title(cat, &clue->title, ret));
}
