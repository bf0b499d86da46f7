#include "match/postings.h"

#include <assert.h>

#include "base/pages.h"

static size_t postings_list(const struct drg_postings *p, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - p->bits));
}

static size_t postings_bytes(const struct drg_postings *p)
{
	return (((size_t)1 << p->bits) + 1) * sizeof *p->start;
}

int drg_postings_init(struct drg_postings *p, size_t expected)
{
	p->bits = 10;
	while ((size_t)1 << p->bits < expected && p->bits < 28)
		p->bits++;
	p->items = NULL;
	p->n_items = 0;
	p->start = drg_pages_new(postings_bytes(p), true);
	return p->start != NULL ? DRG_OK : DRG_ENOMEM;
}

void drg_postings_done(struct drg_postings *p)
{
	drg_pages_free(p->start, postings_bytes(p));
	drg_pages_free(p->items, p->n_items * sizeof *p->items);
	*p = (struct drg_postings){ .bits = 0 };
}

void drg_postings_count(struct drg_postings *p, uint64_t key)
{
	p->start[postings_list(p, key)]++;
}

/* Turn each count into the end of its list; drg_postings_put() moves it to the beginning. */
int drg_postings_allocate(struct drg_postings *p)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < (size_t)1 << p->bits; i++) {
		sum += p->start[i];
		p->start[i] = (uint32_t)sum;
	}
	if (sum > UINT32_MAX)
		return DRG_ELIMIT;
	p->start[(size_t)1 << p->bits] = (uint32_t)sum;
	p->n_items = (size_t)sum + 1;
	p->items = drg_pages_new(p->n_items * sizeof *p->items, true);
	return p->items != NULL ? DRG_OK : DRG_ENOMEM;
}

void drg_postings_put(struct drg_postings *p, uint64_t key, uint32_t item)
{
	p->items[--p->start[postings_list(p, key)]] = item;
}

const uint32_t *drg_postings_find(const struct drg_postings *p, uint64_t key, uint32_t *ret_n)
{
	assert(p->start != NULL);
	size_t list = postings_list(p, key);
	*ret_n = p->start[list + 1] - p->start[list];
	return p->items + p->start[list];
}
