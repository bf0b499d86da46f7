#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>

struct drg_arena_block {
	struct drg_arena_block *next;
	size_t n, cap;
	alignas(max_align_t) char bytes[];
};

static const size_t BLOCK_BYTES = 16 * 1024 - sizeof(struct drg_arena_block);

void drg_arena_init(struct drg_arena *a, size_t max)
{
	*a = (struct drg_arena){ .max = max };
}

void drg_arena_done(struct drg_arena *a)
{
	while (a->blocks != NULL) {
		struct drg_arena_block *next = a->blocks->next;
		free(a->blocks);
		a->blocks = next;
	}
	a->used = 0;
}

void drg_arena_reset(struct drg_arena *a)
{
	while (a->blocks != NULL && a->blocks->next != NULL) {
		struct drg_arena_block *next = a->blocks->next;
		free(a->blocks);
		a->blocks = next;
	}
	if (a->blocks != NULL)
		a->blocks->n = 0;
	assert(a->blocks == NULL || a->blocks->next == NULL);
	a->used = 0;
}

static struct drg_arena_block *arena_add_block(struct drg_arena *a, size_t n)
{
	size_t cap = n > BLOCK_BYTES ? n : BLOCK_BYTES;
	struct drg_arena_block *b = malloc(sizeof *b + cap);
	if (b == NULL)
		return NULL;
	b->n = 0;
	b->cap = cap;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *drg_arena_alloc(struct drg_arena *a, size_t n)
{
	assert(a->used <= a->max);
	const size_t align = alignof(max_align_t);
	if (n > SIZE_MAX - align)
		return NULL;
	n = (n + align - 1) / align * align;
	if (n > a->max - a->used)
		return NULL;
	struct drg_arena_block *b = a->blocks;
	if (b == NULL || b->cap - b->n < n) {
		b = arena_add_block(a, n);
		if (b == NULL)
			return NULL;
	}
	assert(b->n <= b->cap && n <= b->cap - b->n);
	void *p = b->bytes + b->n;
	b->n += n;
	a->used += n;
	return p;
}

void *drg_arena_calloc(struct drg_arena *a, size_t count, size_t size)
{
	size_t n;
	if (__builtin_mul_overflow(count, size, &n))
		return NULL;
	void *p = drg_arena_alloc(a, n);
	if (p != NULL)
		memset(p, 0, n);
	return p;
}

struct drg_str drg_arena_str(struct drg_arena *a, struct drg_str s)
{
	char *p = drg_arena_alloc(a, s.n + 1);
	if (p == NULL)
		return drg_str(NULL, 0);
	if (s.n > 0)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return drg_str(p, s.n);
}
