/* The data of air suppliers about places, and their identifiers. */
#include <stdlib.h>

#include "base/bound.h"
#include "catalog/air/air_priv.h"
#include "catalog/catalog_priv.h"

/* Sources that have an external_id, ascending by adapter, external_id and place. */
struct drg_air_externals {
	size_t n;
	const struct drg_air_data *row[];
};

static int compare_ids(int64_t x, int64_t y)
{
	return x < y ? -1 : x > y;
}

static int compare_sources(const void *a, const void *b)
{
	const struct drg_air_data *x = a, *y = b;
	return x->place != y->place ? compare_ids(x->place, y->place) : compare_ids(x->adapter, y->adapter);
}

static int compare_maps(const void *a, const void *b)
{
	const struct drg_air_map *x = a, *y = b;
	return x->adapter != y->adapter ? compare_ids(x->adapter, y->adapter)
	                                : drg_str_cmp(x->external_id, y->external_id);
}

static int compare_places(const void *a, const void *b)
{
	const struct drg_air_row *x = a, *y = b;
	return x->country != y->country ? compare_ids(x->country, y->country) : compare_ids(x->id, y->id);
}

void drg_air_init(struct drg_air *a)
{
	drg_small_init(&a->places, sizeof(struct drg_air_row), compare_places);
	drg_small_init(&a->sources, sizeof(struct drg_air_data), compare_sources);
	drg_small_init(&a->maps, sizeof(struct drg_air_map), compare_maps);
	drg_buf_init(&a->plain, (size_t)1 << 24);
	drg_buf_init(&a->spread, (size_t)1 << 25);
}

/* ---- in ------------------------------------------------------------------------------------------------- */

int drg_air_source_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_air_data d = { .place = r->v[DRG_F_PLACE_ID].i, .adapter = r->v[DRG_F_ADAPTER_ID].i };
	int rc = DRG_OK;
	if (!r->deleted && drg_record_has(r, DRG_F_EXTERNAL_ID))
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_EXTERNAL_ID), &d.external_id, reterr);
	if (rc == DRG_OK && !r->deleted)
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_DATA), &d.json, reterr);
	if (rc == DRG_OK)
		rc = drg_small_change(&c->air.sources, &d, r->deleted, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_air_data *old = drg_small_find(&c->air.sources, &d);
	if (old != NULL)
		drg_heap_add_dead(&c->heap, old->json.n + old->external_id.n);
	return DRG_OK;
}

int drg_air_map_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_air_map m = { .adapter = r->v[DRG_F_ADAPTER_ID].i,
		                 .place = r->deleted ? 0 : drg_record_i(r, DRG_F_PLACE_ID, 0) };
	int rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_EXTERNAL_ID), &m.external_id, reterr);
	if (rc == DRG_OK)
		rc = drg_small_change(&c->air.maps, &m, r->deleted, reterr);
	if (rc != DRG_OK)
		return rc;
	/* The text of a removal is needed until the next publication only. */
	const struct drg_air_map *old = drg_small_find(&c->air.maps, &m);
	size_t dead = (old != NULL ? old->external_id.n : 0) + (r->deleted ? m.external_id.n : 0);
	drg_heap_add_dead(&c->heap, dead);
	return DRG_OK;
}

static int by_external(const void *a, const void *b)
{
	const struct drg_air_data *x = *(const struct drg_air_data *const *)a;
	const struct drg_air_data *y = *(const struct drg_air_data *const *)b;
	int d = x->adapter != y->adapter ? compare_ids(x->adapter, y->adapter)
	                                 : drg_str_cmp(x->external_id, y->external_id);
	return d != 0 ? d : compare_ids(x->place, y->place);
}

int drg_air_externals_new(const struct drg_sorted_rows *sources, struct drg_air_externals **ret,
                          struct drg_err *reterr)
{
	const struct drg_air_data *d = (const struct drg_air_data *)(const void *)sources->row;
	struct drg_air_externals *x = malloc(sizeof *x + sources->n * sizeof x->row[0]);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->n = 0;
	for (size_t i = 0; i < sources->n; i++)
		if (d[i].external_id.p != NULL)
			x->row[x->n++] = &d[i];
	qsort(x->row, x->n, sizeof x->row[0], by_external);
	*ret = x;
	return DRG_OK;
}

size_t drg_air_externals_bytes(const struct drg_air_externals *x)
{
	return x != NULL ? sizeof *x + x->n * sizeof x->row[0] : 0;
}

/* ---- out ------------------------------------------------------------------------------------------------ */

size_t drg_air_data(const struct drg_catalog *c, int64_t place, const struct drg_air_data **ret)
{
	const void *rows;
	size_t n = drg_small_rows(&c->air.sources, &rows), lo, hi;
	const struct drg_air_data *d = rows;
	DRG_BOUND(lo, n, i, d[i].place < place);
	for (hi = lo; hi < n && d[hi].place == place;)
		hi++;
	*ret = d != NULL ? d + lo : NULL;
	return hi - lo;
}

/* The first source with this external_id; it has the lowest place. */
static const struct drg_air_data *first_external(const struct drg_air_externals *x, int64_t adapter,
                                                 struct drg_str external_id)
{
	const struct drg_air_data wanted = { .place = INT64_MIN,
		                             .adapter = adapter,
		                             .external_id = external_id };
	const struct drg_air_data *key = &wanted;
	size_t n = x != NULL ? x->n : 0, lo;
	DRG_BOUND(lo, n, i, by_external(&x->row[i], &key) < 0);
	bool found =
	        lo < n && x->row[lo]->adapter == adapter && drg_str_eq(x->row[lo]->external_id, external_id);
	return found ? x->row[lo] : NULL;
}

bool drg_air_by_external(const struct drg_catalog *c, int64_t adapter, struct drg_str external_id,
                         struct drg_air_place *ret)
{
	const struct drg_air_map key = { .adapter = adapter, .external_id = external_id };
	const struct drg_air_map *m = drg_small_find(&c->air.maps, &key);
	if (m != NULL && drg_air_find(c, m->place, ret))
		return true;
	const struct drg_air_externals *x = atomic_load_explicit(&c->air.externals, memory_order_acquire);
	const struct drg_air_data *d = first_external(x, adapter, external_id);
	return d != NULL && drg_air_find(c, d->place, ret);
}

/* ---- back ----------------------------------------------------------------------------------------------- */

static void source_record(const struct drg_air_data *d, struct drg_record *ret)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_AIR_SOURCE]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, d->adapter);
	drg_record_set_i(ret, DRG_F_PLACE_ID, d->place);
	if (d->external_id.p != NULL)
		drg_record_set_s(ret, DRG_F_EXTERNAL_ID, d->external_id);
	drg_record_set_s(ret, DRG_F_DATA, d->json);
}

static void map_record(const struct drg_air_map *m, struct drg_record *ret)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_AIR_MAP]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, m->adapter);
	drg_record_set_s(ret, DRG_F_EXTERNAL_ID, m->external_id);
	drg_record_set_i(ret, DRG_F_PLACE_ID, m->place);
}

int drg_air_each(const struct drg_catalog *c, struct drg_arena *arena, drg_catalog_row_fn *fn, void *ctx)
{
	struct drg_record r;
	const void *rows;
	int rc = DRG_OK;
	size_t n = drg_small_rows(&c->air.places, &rows);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_air_row *row = (const struct drg_air_row *)rows + i;
		if (row->country != 0)
			break;
		rc = drg_air_place_record(c, row->rec, arena, &r);
		rc = rc == DRG_OK ? fn(ctx, &r) : rc;
		drg_arena_reset(arena);
	}
	n = drg_small_rows(&c->air.sources, &rows);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		source_record(&((const struct drg_air_data *)rows)[i], &r);
		rc = fn(ctx, &r);
	}
	n = drg_small_rows(&c->air.maps, &rows);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		map_record(&((const struct drg_air_map *)rows)[i], &r);
		rc = fn(ctx, &r);
	}
	return rc;
}
