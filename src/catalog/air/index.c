#include "catalog/air/index_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "catalog/rcu.h"

/* ---- building ------------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
	const struct drg_air_rec *x = *(const struct drg_air_rec *const *)a;
	const struct drg_air_rec *y = *(const struct drg_air_rec *const *)b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static int index_by_id(const void *a, const void *b, void *ctx)
{
	const struct drg_air_index *ix = ctx;
	int64_t x = ix->rec[*(const uint32_t *)a]->id, y = ix->rec[*(const uint32_t *)b]->id;
	return x < y ? -1 : x > y;
}

static uint32_t *numbers(struct drg_air_index *ix, size_t n)
{
	return drg_arena_alloc(&ix->arena, (n + 1) * sizeof(uint32_t));
}

/* Do countries have the first numbers? Checked at the border only: the order by weight settles the rest. */
static bool countries_are_first(const struct drg_air_index *ix)
{
	uint32_t n = ix->n_countries;
	return n <= ix->n && (n == 0 || ix->rec[n - 1]->place == DRG_AIR_COUNTRY) &&
	       (n == ix->n || ix->rec[n]->place != DRG_AIR_COUNTRY);
}

static int number_places(struct drg_air_index *ix, const struct drg_sorted_rows *places,
                         struct drg_err *reterr)
{
	const struct drg_air_row *row = (const struct drg_air_row *)(const void *)places->row;
	uint32_t *ids = numbers(ix, places->n), *first = numbers(ix, places->n),
	         *end = numbers(ix, places->n);
	ix->rec = drg_arena_alloc(&ix->arena, (places->n + 1) * sizeof(struct drg_air_rec *));
	if (places->n >> DRG_AIR_PLACE_BITS != 0 || ids == NULL || first == NULL || end == NULL ||
	    ix->rec == NULL)
		return drg_fail_memory(reterr);
	ix->n = (uint32_t)places->n;
	for (uint32_t i = 0; i < ix->n; i++) {
		ix->rec[i] = row[i].rec;
		ix->n_countries += row[i].country != 0;
	}
	qsort(ix->rec, ix->n, sizeof(struct drg_air_rec *), by_weight);
	assert(countries_are_first(ix));
	for (uint32_t i = ix->n_countries; i < ix->n; i++)
		ids[i - ix->n_countries] = i;
	qsort_r(ids, ix->n - ix->n_countries, sizeof *ids, index_by_id, ix);
	for (uint32_t i = 0; i < ix->n; i++)
		first[i] = i > 0 && ix->rec[i]->weight == ix->rec[i - 1]->weight ? first[i - 1] : i;
	for (uint32_t i = ix->n; i-- > 0;)
		end[i] = i + 1 < ix->n && first[i + 1] == first[i] ? end[i + 1] : i + 1;
	ix->by_id = ids;
	ix->tie_first = first;
	ix->tie_end = end;
	return DRG_OK;
}

static int fill_countries(struct drg_air_index *ix, struct drg_err *reterr)
{
	enum { CODES = 256 * 256 };
	size_t words = ix->n / 64 + 1;
	uint32_t *of = drg_arena_alloc(&ix->arena, CODES * sizeof *of);
	ix->in_country = drg_arena_calloc(&ix->arena, (ix->n_countries + 1) * words, sizeof *ix->in_country);
	if (of == NULL || ix->in_country == NULL)
		return drg_fail_memory(reterr);
	memset(of, 0xff, CODES * sizeof *of);
	for (uint32_t i = 0; i < ix->n; i++) {
		const uint8_t *code = (const uint8_t *)ix->rec[i]->country_code;
		uint32_t *country = &of[code[0] * 256U + code[1]];
		if (i < ix->n_countries)
			*country = *country == DRG_AIR_NONE ? i : *country;
		else if (*country != DRG_AIR_NONE)
			ix->in_country[*country * words + i / 64] |= UINT64_C(1) << i % 64;
	}
	return DRG_OK;
}

/* Make the sets of places by kind and country: all places can be looked at in a microsecond. */
static int fill_kinds(struct drg_air_index *ix, struct drg_err *reterr)
{
	char(*code)[2] = drg_arena_alloc(&ix->arena, (ix->n + 1) * sizeof *code);
	bool full = code == NULL;
	for (size_t i = 0; i < DRG_AIR_KINDS; i++) {
		ix->of_kind[i] = drg_arena_calloc(&ix->arena, ix->n / 64 + 1, sizeof *ix->of_kind[i]);
		full |= ix->of_kind[i] == NULL;
	}
	if (full)
		return drg_fail_memory(reterr);
	for (uint32_t i = 0; i < ix->n; i++) {
		assert(ix->rec[i]->place < DRG_AIR_KINDS);
		ix->of_kind[ix->rec[i]->place][i / 64] |= UINT64_C(1) << i % 64;
		memcpy(code[i], ix->rec[i]->country_code, sizeof *code);
	}
	ix->country_code = (const char(*)[2])code;
	return DRG_OK;
}

/* No reader may use the index any more. */
static void air_index_free(struct drg_air_index *ix)
{
	if (ix == NULL)
		return;
	for (size_t i = 0; i < DRG_AIR_ORDERS; i++)
		drg_air_order_free(atomic_load_explicit(&ix->order[i], memory_order_relaxed));
	drg_arena_done(&ix->arena);
	free(ix);
}

/* @param was  The previous index, NULL at first: the orders that it has are made again. */
static int air_index_new(const struct drg_catalog *c, const struct drg_sorted_rows *places,
                         struct drg_air_index *was, struct drg_air_index **ret, struct drg_err *reterr)
{
	struct drg_air_index *ix = calloc(1, sizeof *ix);
	if (ix == NULL)
		return drg_fail_memory(reterr);
	drg_arena_init(&ix->arena, SIZE_MAX / 2);
	int rc = number_places(ix, places, reterr);
	if (rc == DRG_OK && !drg_air_codes_build(ix))
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = fill_countries(ix, reterr);
	if (rc == DRG_OK)
		rc = fill_kinds(ix, reterr);
	if (rc == DRG_OK)
		rc = drg_air_texts_build(ix, reterr);
	if (rc != DRG_OK) {
		air_index_free(ix);
		return rc;
	}
	for (size_t i = 0; was != NULL && i < DRG_AIR_ORDERS; i++) {
		const struct drg_air_order *o = atomic_load_explicit(&was->order[i], memory_order_acquire);
		if (o == NULL)
			break;
		drg_air_order(c, ix, drg_str_c(o->lang));
	}
	*ret = ix;
	return DRG_OK;
}

/* ---- publishing ----------------------------------------------------------------------------------------- */

static void air_drop(struct drg_air_next *next)
{
	free(next->places);
	free(next->sources);
	free(next->maps);
	free(next->externals);
	air_index_free(next->index);
	*next = (struct drg_air_next){ 0 };
}

/* Are the places equal in what is searched? A country that was only stored again needs no new index. */
static bool same_places(const struct drg_catalog *c, const struct drg_sorted_rows *next)
{
	const struct drg_air_row *to = (const struct drg_air_row *)(const void *)next->row, *row;
	const void *rows;
	if (drg_small_rows(&c->air.places, &rows) != next->n || drg_air_index_of(c) == NULL)
		return false;
	row = rows;
	for (size_t i = 0; i < next->n; i++)
		if (row[i].id != to[i].id || row[i].country != to[i].country ||
		    !drg_air_rec_same(row[i].rec, to[i].rec))
			return false;
	return true;
}

int drg_air_prepare(struct drg_catalog *c, struct drg_air_next *ret, struct drg_err *reterr)
{
	*ret = (struct drg_air_next){ 0 };
	int rc = drg_small_merge(&c->air.places, &ret->places, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.sources, &ret->sources, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.maps, &ret->maps, reterr);
	if (rc == DRG_OK && ret->places != NULL && !same_places(c, ret->places))
		rc = air_index_new(c, ret->places, drg_air_index_of(c), &ret->index, reterr);
	if (rc == DRG_OK && ret->sources != NULL)
		rc = drg_air_externals_new(ret->sources, &ret->externals, reterr);
	if (rc != DRG_OK)
		air_drop(ret);
	return rc;
}

void drg_air_publish(struct drg_catalog *c, struct drg_air_next *next)
{
	struct drg_air_index *was = drg_air_index_of(c);
	struct drg_air_externals *externals = atomic_load_explicit(&c->air.externals, memory_order_relaxed);
	if (next->externals != NULL) { /* before the rows that the old index points to are retired */
		atomic_store_explicit(&c->air.externals, next->externals, memory_order_release);
		drg_retire_block(&c->retire, externals, drg_air_externals_bytes(externals));
	}
	drg_small_publish(&c->air.sources, next->sources, &c->retire);
	drg_small_publish(&c->air.maps, next->maps, &c->retire);
	drg_small_publish(&c->air.places, next->places, &c->retire);
	if (next->index != NULL) {
		atomic_store_explicit(&c->air.index, next->index, memory_order_release);
		if (was != NULL)
			drg_read_synchronize();
		air_index_free(was);
	}
}

void drg_air_done(struct drg_air *a)
{
	air_index_free(atomic_load_explicit(&a->index, memory_order_relaxed));
	free(atomic_load_explicit(&a->externals, memory_order_relaxed));
	drg_small_done(&a->places);
	drg_small_done(&a->sources);
	drg_small_done(&a->maps);
	drg_buf_done(&a->plain);
	drg_buf_done(&a->spread);
}

/* ---- looking up ----------------------------------------------------------------------------------------- */

size_t drg_air_count(const struct drg_catalog *c)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL ? ix->n - ix->n_countries : 0;
}

void drg_air_at(const struct drg_catalog *c, size_t i, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	assert(ix != NULL && i < ix->n - ix->n_countries);
	drg_air_fill(ix->rec[ix->by_id[i]], ret);
}

bool drg_air_find(const struct drg_catalog *c, int64_t id, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	uint32_t lo = 0, n = (uint32_t)drg_air_count(c), hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (ix->rec[ix->by_id[mid]]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n || ix->rec[ix->by_id[lo]]->id != id)
		return false;
	drg_air_fill(ix->rec[ix->by_id[lo]], ret);
	return true;
}

static bool fill_at(const struct drg_air_index *ix, uint32_t i, struct drg_air_place *ret)
{
	if (i != DRG_AIR_NONE)
		drg_air_fill(ix->rec[i], ret);
	return i != DRG_AIR_NONE;
}

bool drg_air_city(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL && fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_CITY), ret);
}

bool drg_air_by_code(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL && (fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_APT), ret) ||
	                      fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_CITY), ret));
}
