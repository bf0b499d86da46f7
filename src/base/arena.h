/* src/base/arena.h
 * Memory that is freed all at once: one arena per request or per line, so that no error path frees anything. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"

struct drg_arena_block;

struct drg_arena {
	struct drg_arena_block *blocks; /**< newest first */
	size_t used; /**< bytes handed out since the last reset */
	size_t max; /**< ceiling on used */
};

void drg_arena_init(struct drg_arena *a, size_t max);
/** Free everything. */
void drg_arena_done(struct drg_arena *a);
/** Forget everything, but keep one block for reuse. */
void drg_arena_reset(struct drg_arena *a);

/** @p n bytes, aligned for any type, not cleared; NULL when memory or the ceiling is exhausted. */
void *drg_arena_alloc(struct drg_arena *a, size_t n) __attribute__((malloc));
/** Cleared memory for @p count items of @p size bytes; NULL also when the product overflows. */
void *drg_arena_calloc(struct drg_arena *a, size_t count, size_t size);
/** A copy with a NUL behind it (not counted in n); p is NULL when memory is exhausted. */
struct drg_str drg_arena_str(struct drg_arena *a, struct drg_str s);
