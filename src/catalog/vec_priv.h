/* src/catalog/vec_priv.h
 * A list of numbers that only grows at its end; readers see a pointer and a count that belong together. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "catalog/retire_priv.h"

struct drg_vec_block {
	uint32_t cap;
	_Atomic uint32_t n;
	uint32_t v[];
};

/** All zero is an empty list. */
struct drg_vec {
	_Atomic(struct drg_vec_block *) block;
};

void drg_vec_done(struct drg_vec *v);
/** Fill an empty list with @p n numbers (their bytes are at @p from). */
DRG_MUSTCHECK
int drg_vec_fill(struct drg_vec *v, const void *from, uint32_t n, struct drg_err *reterr);
/** Reserve room for the next drg_vec_push(). */
DRG_MUSTCHECK
int drg_vec_reserve(struct drg_vec *v, struct drg_retire *retire, struct drg_err *reterr);
void drg_vec_push(struct drg_vec *v, uint32_t x);
/** @param ret  The numbers, valid for the length of the read section. @return how many. */
size_t drg_vec_view(const struct drg_vec *v, const uint32_t **ret);
/** Is @p x in the list? A linear search. */
bool drg_vec_has(const struct drg_vec *v, uint32_t x);
