#include "base/lru.h"

#include <assert.h>
#include <stdlib.h>

static void unlink_used(struct drg_lru *l, struct drg_lru_item *item)
{
	*(item->newer != NULL ? &item->newer->older : &l->newest) = item->older;
	*(item->older != NULL ? &item->older->newer : &l->oldest) = item->newer;
}

static void link_newest(struct drg_lru *l, struct drg_lru_item *item)
{
	assert((l->newest == NULL) == (l->oldest == NULL));
	item->newer = NULL;
	item->older = l->newest;
	*(l->newest != NULL ? &l->newest->newer : &l->oldest) = item;
	l->newest = item;
}

static struct drg_lru_item *of_hash(struct drg_lru_item *item, uint64_t hash)
{
	while (item != NULL && item->hash != hash)
		item = item->in_bucket;
	return item;
}

int drg_lru_init(struct drg_lru *l, size_t buckets, struct drg_err *reterr)
{
	assert(buckets > 0 && (buckets & (buckets - 1)) == 0);
	*l = (struct drg_lru){ .n_buckets = buckets,
		               .buckets = calloc(buckets, sizeof(struct drg_lru_item *)) };
	return l->buckets != NULL ? DRG_OK : drg_fail_memory(reterr);
}

void drg_lru_done(struct drg_lru *l)
{
	assert(l->n == 0 && l->newest == NULL && l->oldest == NULL);
	free(l->buckets);
	l->buckets = NULL;
}

size_t drg_lru_bucket(const struct drg_lru *l, uint64_t hash)
{
	return hash & (l->n_buckets - 1);
}

struct drg_lru_item *drg_lru_first(const struct drg_lru *l, uint64_t hash)
{
	return of_hash(l->buckets[drg_lru_bucket(l, hash)], hash);
}

struct drg_lru_item *drg_lru_next(const struct drg_lru_item *item)
{
	return of_hash(item->in_bucket, item->hash);
}

void drg_lru_add(struct drg_lru *l, struct drg_lru_item *item)
{
	struct drg_lru_item **bucket = &l->buckets[drg_lru_bucket(l, item->hash)];
	item->in_bucket = *bucket;
	*bucket = item;
	link_newest(l, item);
	assert((l->newest == l->oldest) == (l->n == 0));
	l->n++;
}

void drg_lru_use(struct drg_lru *l, struct drg_lru_item *item)
{
	assert(l->n > 0 && (item->newer == NULL) == (l->newest == item));
	unlink_used(l, item);
	link_newest(l, item);
}

void drg_lru_remove(struct drg_lru *l, struct drg_lru_item *item)
{
	assert(l->n > 0 && (item->older == NULL) == (l->oldest == item));
	struct drg_lru_item **at = &l->buckets[drg_lru_bucket(l, item->hash)];
	while (*at != item)
		at = &(*at)->in_bucket;
	*at = item->in_bucket;
	unlink_used(l, item);
	l->n--;
}
