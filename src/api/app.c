#include "api/app.h"

#include "text/lang.h"

int drg_app_catalog(struct drg_exchange *x, const struct drg_catalog **ret)
{
	const struct drg_catalog *cat = drg_follower_catalog(drg_app_of(x)->follower);
	if (cat == NULL)
		return drg_fail(drg_exchange_err(x), DRG_EBUSY, "loading", NULL,
		                "the reference data is being loaded; try again soon");
	*ret = cat;
	return DRG_OK;
}

struct drg_str drg_app_language(const struct drg_catalog *cat, struct drg_str lang)
{
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(lang, chain), i = 0;
	while (i + 1 < n && !drg_catalog_knows_lang(cat, chain[i]))
		i++;
	return chain[i];
}
