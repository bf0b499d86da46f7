#include "catalog/catalog_priv.h"

#include <assert.h>

static int direction_compare(const void *a, const void *b)
{
	const struct drg_direction *x = a, *y = b;
	if (x->adapter != y->adapter)
		return x->adapter < y->adapter ? -1 : 1;
	if (x->dep_city != y->dep_city)
		return x->dep_city < y->dep_city ? -1 : 1;
	return x->country < y->country ? -1 : x->country > y->country;
}

void drg_directions_init(struct drg_small *s)
{
	drg_small_init(s, sizeof(struct drg_direction), direction_compare);
}

int drg_direction_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_DIRECTION);
	struct drg_direction d = {
		.adapter = r->v[DRG_F_ADAPTER_ID].i,
		.dep_city = r->v[DRG_F_DEP_CITY_ID].i,
		.country = r->v[DRG_F_COUNTRY_ID].i,
	};
	int rc = drg_small_change(&c->directions, &d, r->deleted, reterr);
	if (rc == DRG_OK)
		c->list_changed = true;
	return rc;
}

void drg_direction_record(const struct drg_direction *d, struct drg_record *ret)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_DIRECTION]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, d->adapter);
	drg_record_set_i(ret, DRG_F_DEP_CITY_ID, d->dep_city);
	drg_record_set_i(ret, DRG_F_COUNTRY_ID, d->country);
}

size_t drg_catalog_directions(const struct drg_catalog *c, const struct drg_direction **ret)
{
	const void *rows;
	size_t n = drg_small_rows(&c->directions, &rows);
	*ret = rows;
	return n;
}
