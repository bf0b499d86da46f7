#include "workbench/by_name.h"

/* So many records that were changed since the index was made are read as they are; if there are more, it is
 * rebuilt. */
enum { SMALL_CHANGE = 5000 };

void drg_curate_by_name_read(struct drg_exchange *x, unsigned limit, struct drg_curate_by_name *ret)
{
	*ret = (struct drg_curate_by_name){ .path = drg_app_of(x)->names_path,
		                            .one_kind = drg_exchange_has(x, "kind"),
		                            .kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		                            .country = drg_exchange_int(x, "country_id", 0),
		                            .limit = (unsigned)drg_exchange_int(x, "limit", limit) };
}

int drg_curate_by_name_open(const struct drg_curate_by_name *n, struct drg_store *s,
                            struct drg_name_index **ret, struct drg_err *reterr)
{
	const struct drg_name_index_options o = { .path = n->path,
		                                  .type = DRG_TYPE_DICT,
		                                  .max_changed = SMALL_CHANGE };
	return drg_name_index_open(s, &o, ret, reterr);
}
