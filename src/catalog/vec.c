#include "catalog/vec_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct drg_vec_block *vec_block_of(const struct drg_vec *v)
{
	/* this thread alone writes it, so relaxed is enough */
	return atomic_load_explicit(&v->block, memory_order_relaxed);
}

static uint32_t count_of(const struct drg_vec_block *b)
{
	return b != NULL ? atomic_load_explicit(&b->n, memory_order_relaxed) : 0;
}

static size_t bytes_for(uint32_t cap)
{
	return sizeof(struct drg_vec_block) + cap * sizeof(uint32_t);
}

void drg_vec_done(struct drg_vec *v)
{
	free(vec_block_of(v));
	atomic_store_explicit(&v->block, NULL, memory_order_relaxed);
}

int drg_vec_fill(struct drg_vec *v, const void *from, uint32_t n, struct drg_err *reterr)
{
	if (vec_block_of(v) != NULL || n > UINT32_MAX / 2)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "a list of numbers stands there twice");
	uint32_t cap = n + n / 4 + 8;
	struct drg_vec_block *b = malloc(bytes_for(cap));
	if (b == NULL)
		return drg_fail_memory(reterr);
	b->cap = cap;
	atomic_init(&b->n, n);
	memcpy(b->v, from, n * sizeof *b->v);
	atomic_store_explicit(&v->block, b, memory_order_release);
	return DRG_OK;
}

int drg_vec_reserve(struct drg_vec *v, struct drg_retire *retire, struct drg_err *reterr)
{
	assert(retire != NULL);
	struct drg_vec_block *old = vec_block_of(v);
	uint32_t n = count_of(old);
	if (old != NULL && n < old->cap)
		return DRG_OK;
	uint32_t cap = n < 8 ? 16 : n + n / 2;
	assert(cap > n); /* a list has at most one entry for each handle */
	struct drg_vec_block *b = malloc(bytes_for(cap));
	if (b == NULL)
		return drg_fail_memory(reterr);
	b->cap = cap;
	atomic_init(&b->n, n);
	if (n > 0)
		memcpy(b->v, old->v, n * sizeof *b->v);
	atomic_store_explicit(&v->block, b, memory_order_release);
	drg_retire_block(retire, old, old != NULL ? bytes_for(old->cap) : 0);
	return DRG_OK;
}

void drg_vec_push(struct drg_vec *v, uint32_t x)
{
	struct drg_vec_block *b = vec_block_of(v);
	uint32_t n = count_of(b);
	assert(b != NULL && n < b->cap);
	b->v[n] = x;
	atomic_store_explicit(&b->n, n + 1, memory_order_release);
}

size_t drg_vec_view(const struct drg_vec *v, const uint32_t **ret)
{
	const struct drg_vec_block *b = atomic_load_explicit(&v->block, memory_order_acquire);
	*ret = b != NULL ? b->v : NULL;
	return b != NULL ? atomic_load_explicit(&b->n, memory_order_acquire) : 0;
}

bool drg_vec_has(const struct drg_vec *v, uint32_t x)
{
	const struct drg_vec_block *b = vec_block_of(v);
	for (uint32_t i = 0, n = count_of(b); i < n; i++)
		if (b->v[i] == x)
			return true;
	return false;
}
