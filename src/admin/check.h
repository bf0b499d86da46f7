/* src/admin/check.h
 * Checks whether the data are sound: runs the store's own check, checks each row against the model, and
 * compares the catalog that is loaded from the store with the store, row by row. */
#pragma once
#include "store/store.h"

enum drg_check_step {
	DRG_CHECK_STORE,
	DRG_CHECK_LOADING,
	DRG_CHECK_COMPARING, /**< comparing sums of all rows */
	/** if the sums of a type differ, looking up each of its rows: slow; never needed for a sound store
	 * that nobody writes to */
	DRG_CHECK_LOOKING_UP
};

struct drg_check_options {
	void (*finding)(void *ctx, const char *text);
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total);
	void *ctx;
};

/**
 * Check a store. Rows that other processes change in the meantime are not compared.
 * @param ret_findings  The number of findings.
 * @return DRG_OK, also when there are findings; errors that end the check.
 */
DRG_MUSTCHECK
int drg_check(struct drg_store *s, const struct drg_check_options *o, uint64_t *ret_findings,
              struct drg_err *reterr);
