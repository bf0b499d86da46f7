#include "catalog/handle_priv.h"

#include <assert.h>

#include "catalog/catalog_priv.h"
#include "catalog/hash_priv.h"
#include "base/pages.h"

/* The smallest size of a dict record: it bounds how many there can be. */
enum { RECORD_MIN = 64 };

static size_t slot_bytes(const struct drg_handles *h)
{
	return h->cap * sizeof *h->slot;
}

static size_t country_bytes(const struct drg_handles *h)
{
	return h->cap * sizeof *h->hotels_of;
}

int drg_handles_init(struct drg_handles *h, size_t heap_size, struct drg_retire *retire, uint64_t seed,
                     struct drg_err *reterr)
{
	assert(retire != NULL && heap_size >= DRG_HEAP_MIN);
	h->cap = (uint32_t)(heap_size / RECORD_MIN) + 1;
	h->n = 1; /* 0 is DRG_NO_HANDLE */
	h->retire = retire;
	h->seed = seed;
	h->slot = drg_pages_new(slot_bytes(h), true);
	h->hotels_of = drg_pages_new(country_bytes(h), false);
	if (h->slot == NULL || h->hotels_of == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot reserve memory for %u handles",
		                h->cap);
	return drg_table_init(&h->by_pair, retire, reterr);
}

void drg_handles_done(struct drg_handles *h)
{
	const drg_handle *country;
	size_t n = drg_vec_view(&h->of_kind[DRG_KIND_COUNTRY], &country);
	for (size_t i = 0; i < n; i++)
		drg_vec_done(&h->hotels_of[country[i]]);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_vec_done(&h->of_kind[k]);
	drg_table_done(&h->by_pair);
	drg_pages_free(h->hotels_of, country_bytes(h));
	drg_pages_free(h->slot, slot_bytes(h));
	h->hotels_of = NULL;
	h->slot = NULL;
}

static uint32_t pair_tag(const struct drg_handles *h, enum drg_kind kind, int64_t id)
{
	return drg_tag(h->seed, kind, &id, sizeof id);
}

static drg_handle handle_find(const struct drg_handles *h, uint32_t tag, enum drg_kind kind, int64_t id)
{
	struct drg_probe at = drg_table_probe(&h->by_pair, tag);
	drg_handle handle;
	while ((handle = drg_probe_next(&at)) != DRG_NO_HANDLE)
		if (h->slot[handle].id == id && h->slot[handle].kind == kind)
			break;
	return handle;
}

drg_handle drg_handle_find(const struct drg_handles *h, enum drg_kind kind, int64_t id)
{
	return handle_find(h, pair_tag(h, kind, id), kind, id);
}

void drg_handle_prefetch(const struct drg_handles *h, enum drg_kind kind, int64_t id)
{
	struct drg_probe at = drg_table_probe(&h->by_pair, pair_tag(h, kind, id));
	drg_probe_prefetch(&at);
}

void drg_handle_prefetch_slot(const struct drg_handles *h, enum drg_kind kind, int64_t id)
{
	struct drg_probe at = drg_table_probe(&h->by_pair, pair_tag(h, kind, id));
	__builtin_prefetch(&h->slot[drg_probe_next(&at)]);
}

int drg_handle_make(struct drg_handles *h, enum drg_kind kind, int64_t id, drg_handle *ret,
                    struct drg_err *reterr)
{
	assert(kind < DRG_KIND_COUNT);
	uint32_t tag = pair_tag(h, kind, id);
	*ret = handle_find(h, tag, kind, id);
	if (*ret != DRG_NO_HANDLE)
		return DRG_OK;
	uint32_t n = atomic_load_explicit(&h->n, memory_order_relaxed);
	assert(n > DRG_NO_HANDLE && n <= h->cap);
	if (n == h->cap)
		return drg_fail(reterr, DRG_ELIMIT, DRG_R(catalog_full), NULL,
		                "the catalog is full (%u dict records)", n - 1);
	int rc = drg_table_reserve(&h->by_pair, reterr);
	if (rc == DRG_OK)
		rc = drg_vec_reserve(&h->of_kind[kind], h->retire, reterr);
	if (rc != DRG_OK)
		return rc;
	h->slot[n].id = id;
	h->slot[n].kind = (uint8_t)kind;
	atomic_store_explicit(&h->n, n + 1, memory_order_relaxed);
	drg_table_insert(&h->by_pair, tag, n);
	drg_vec_push(&h->of_kind[kind], n);
	*ret = n;
	return DRG_OK;
}

int drg_handle_reserve_hotel(struct drg_handles *h, drg_handle country, struct drg_err *reterr)
{
	assert(country != DRG_NO_HANDLE && country < h->cap);
	return drg_vec_reserve(&h->hotels_of[country], h->retire, reterr);
}

void drg_handle_add_hotel(struct drg_handles *h, drg_handle country, drg_handle hotel, bool maybe_there)
{
	assert(hotel != DRG_NO_HANDLE && hotel < h->cap);
	assert(country != DRG_NO_HANDLE && country < h->cap);
	if (!maybe_there || !drg_vec_has(&h->hotels_of[country], hotel))
		drg_vec_push(&h->hotels_of[country], hotel);
}

size_t drg_handles_bytes(const struct drg_handles *h)
{
	const uint32_t *unused;
	size_t bytes = drg_table_bytes(&h->by_pair);
	bytes += atomic_load_explicit(&h->n, memory_order_relaxed) * sizeof *h->slot;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		bytes += drg_vec_view(&h->of_kind[k], &unused) * sizeof *unused;
	return bytes;
}

size_t drg_catalog_kind_handles(const struct drg_catalog *c, enum drg_kind kind, const drg_handle **ret)
{
	return drg_vec_view(&c->handles.of_kind[kind], ret);
}

size_t drg_catalog_country_hotels(const struct drg_catalog *c, drg_handle country, const drg_handle **ret)
{
	return drg_vec_view(&c->handles.hotels_of[country], ret);
}
