/* src/admin/check.h
 * Is the data sound? The store's own check, and the catalog that the store gives compared with it, row by
 * row. */
#pragma once
#include "store/store.h"

enum drg_check_step {
	DRG_CHECK_STORE,
	DRG_CHECK_LOADING,
	DRG_CHECK_COMPARING, /**< sums of all that is kept */
	/** where the sums of a type differ, each row of it: slow, and never so with a sound store that stands
	 * still */
	DRG_CHECK_LOOKING_UP
};

struct drg_check_options {
	void (*finding)(void *ctx, const char *text);
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total);
	void *ctx;
};

/**
 * Rows that other processes change in the meantime are left out of the comparison.
 * @param ret_findings  How many there were.
 * @return DRG_OK, also when there are findings; errors that end the check.
 */
DRG_MUSTCHECK
int drg_check(struct drg_store *s, const struct drg_check_options *o, uint64_t *ret_findings,
              struct drg_err *reterr);
