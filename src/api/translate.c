#include "api/translate.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"

int drg_tour_adapter(const struct drg_catalog *cat, int64_t id, const struct drg_adapter **ret,
                     struct drg_err *reterr)
{
	const struct drg_adapter *a = drg_catalog_adapter(cat, id);
	if (a == NULL || a->domain != DRG_DOMAIN_TOUR)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_adapter), "adapter_id",
		                "adapter_id: there is no tour adapter with the id %lld", (long long)id);
	*ret = a;
	return DRG_OK;
}

drg_handle drg_dict_handle(const struct drg_catalog *cat, enum drg_kind kind, int64_t id)
{
	struct drg_dict d;
	return drg_catalog_dict(cat, kind, id, &d) ? d.handle : DRG_NO_HANDLE;
}

int drg_dict_known(const struct drg_catalog *cat, enum drg_kind kind, int64_t id, int64_t *ret,
                   struct drg_err *reterr)
{
	struct drg_dict d;
	bool country = kind == DRG_KIND_COUNTRY;
	const char *name = drg_kind_name(kind);
	assert(country || kind == DRG_KIND_DEP_CITY);
	if (!drg_catalog_dict(cat, kind, id, &d))
		return drg_fail(reterr, DRG_EINVAL,
		                country ? DRG_R(unknown_country) : DRG_R(unknown_dep_city), name,
		                "%s: there is no %s with the id %lld", name,
		                country ? "country" : "departure city", (long long)id);
	*ret = d.id;
	return DRG_OK;
}

/* ---- supplier records of a dict record ------------------------------------------------------------------- */

static bool translate_add(struct drg_origs *o, const struct drg_source *s)
{
	assert(o->n <= o->cap);
	if (o->n == o->cap) {
		size_t cap = o->cap > 0 ? o->cap * 2 : 8;
		struct drg_source *v = drg_arena_alloc(o->arena, cap * sizeof *v);
		if (v == NULL)
			return false;
		if (o->n > 0)
			memcpy(v, o->v, o->n * sizeof *v);
		o->v = v;
		o->cap = cap;
	}
	o->v[o->n++] = *s;
	return true;
}

static int translate_by_id(const void *a, const void *b)
{
	return drg_str_cmp(((const struct drg_source *)a)->id, ((const struct drg_source *)b)->id);
}

int drg_origs_from(const struct drg_catalog *cat, const struct drg_source *first, struct drg_origs *ret)
{
	struct drg_source s = *first;
	ret->n = 0;
	for (bool more = s.rec != NULL; more; more = drg_catalog_next_source(cat, &s, &s))
		if (!translate_add(ret, &s))
			return DRG_ENOMEM;
	if (ret->n > 1)
		qsort(ret->v, ret->n, sizeof *ret->v, translate_by_id);
	return DRG_OK;
}

int drg_origs_find(const struct drg_catalog *cat, const struct drg_adapter *a, enum drg_kind kind,
                   drg_handle dict, struct drg_origs *ret)
{
	struct drg_source first = { .rec = NULL };
	(void)drg_catalog_first_source(cat, a, kind, dict, &first);
	return drg_origs_from(cat, &first, ret);
}

/* ---- repeats --------------------------------------------------------------------------------------------- */

/* Multiplying by an odd number that no client can foresee spreads whatever ids are sent. */
static bool translate_is_new(int64_t *slot, bool *taken, unsigned bits, uint64_t factor, int64_t id)
{
	size_t mask = ((size_t)1 << bits) - 1, at = (size_t)((uint64_t)id * factor >> (64 - bits));
	for (; taken[at]; at = (at + 1) & mask)
		if (slot[at] == id)
			return false;
	taken[at] = true;
	slot[at] = id;
	return true;
}

int drg_ids_unique(int64_t *ids, size_t *n, struct drg_arena *arena)
{
	unsigned bits = 1;
	while ((size_t)1 << bits < *n * 2)
		bits++;
	int64_t *slot = drg_arena_alloc(arena, ((size_t)1 << bits) * sizeof *slot);
	bool *taken = drg_arena_calloc(arena, (size_t)1 << bits, sizeof *taken);
	if (slot == NULL || taken == NULL)
		return DRG_ENOMEM;
	uint64_t factor = (uint64_t)drg_clock_ns() * UINT64_C(0x9e3779b97f4a7c15) | 1;
	size_t left = 0;
	for (size_t i = 0; i < *n; i++)
		if (translate_is_new(slot, taken, bits, factor, ids[i]))
			ids[left++] = ids[i];
	*n = left;
	return DRG_OK;
}
