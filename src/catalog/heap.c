#include "catalog/heap_priv.h"

#include <assert.h>

#include "base/pages.h"

int drg_heap_init(struct drg_heap *h, size_t bytes, struct drg_err *reterr)
{
	assert(bytes >= DRG_HEAP_MIN && bytes <= DRG_HEAP_MAX); /* a reference cannot reach beyond this */
	h->size = bytes & ~(DRG_HEAP_UNIT - 1);
	h->base = drg_pages_new(h->size, true);
	h->used = DRG_HEAP_UNIT; /* the first unit is never used, so reference 0 refers to nothing */
	h->dead = 0;
	if (h->base == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot reserve %zu bytes for the catalog",
		                bytes);
	return DRG_OK;
}

void drg_heap_done(struct drg_heap *h)
{
	drg_pages_free(h->base, h->size);
	h->base = NULL;
}

struct drg_buf drg_heap_top(const struct drg_heap *h)
{
	size_t used = atomic_load_explicit(&h->used, memory_order_relaxed);
	size_t room = h->size - used > DRG_HEAP_SLACK ? h->size - used - DRG_HEAP_SLACK : 0;
	return (struct drg_buf){ .p = h->base + used, .cap = room, .max = room };
}

drg_ref drg_heap_take(struct drg_heap *h, size_t bytes)
{
	size_t used = atomic_load_explicit(&h->used, memory_order_relaxed);
	size_t rounded = (bytes + DRG_HEAP_UNIT - 1) & ~(DRG_HEAP_UNIT - 1);
	assert(used % DRG_HEAP_UNIT == 0);
	assert(rounded == 0 || used + rounded + DRG_HEAP_SLACK <= h->size);
	atomic_store_explicit(&h->used, used + rounded, memory_order_relaxed);
	return (drg_ref)(used / DRG_HEAP_UNIT);
}

int drg_heap_full(const struct drg_heap *h, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ELIMIT, DRG_R(catalog_full), NULL, "the catalog is full (%zu bytes)",
	                h->size);
}

int drg_heap_str(struct drg_heap *h, struct drg_str s, struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_buf b = drg_heap_top(h);
	drg_buf_str(&b, s);
	if (b.rc != DRG_OK)
		return drg_heap_full(h, reterr);
	*ret = drg_buf_view(&b);
	drg_heap_take(h, b.n);
	return DRG_OK;
}

void drg_heap_add_dead(struct drg_heap *h, size_t bytes)
{
	size_t rounded = (bytes + DRG_HEAP_UNIT - 1) & ~(DRG_HEAP_UNIT - 1);
	size_t dead = atomic_load_explicit(&h->dead, memory_order_relaxed);
	/* Limit the sum: a publication that failed and is tried again counts the memory that it replaces
	 * twice. */
	size_t used = atomic_load_explicit(&h->used, memory_order_relaxed);
	atomic_store_explicit(&h->dead, dead + rounded < used ? dead + rounded : used, memory_order_relaxed);
}
