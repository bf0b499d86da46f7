/* src/store/uses.h
 * What was used, and how often, as servers have counted it: keys, suppliers' kinds by day, records that are
 * not mapped. Uses are no records: they have no seq and are in no scan, feed, export or count (decision
 * M32). */
#pragma once
#include "store/store.h"

/** The numbers are stored: never change one. */
enum drg_use_sort {
	DRG_USE_KEY, /**< number: the API key */
	DRG_USE_KIND, /**< number: adapter; kind; slot: the day */
	DRG_USE_RECORD, /**< number: adapter; kind; id: of a source that was not mapped */
	/** No use, but kept in the same way: number: adapter; kind; slot: the day; count, mapped: by how many
	 * its records grew */
	DRG_USE_STORED,
	/** Likewise: number: adapter; kind; slot: the day; count: about how many of its records people came to
	 * be asked (store/suggestions.h) */
	DRG_USE_ASKED,
	/** Likewise: number: the API key; slot: the day; count: elements that it sent to tour/sourceAdd, if it
	 * has a limit of those */
	DRG_USE_ADDS,
	DRG_USE_SORTS
};

struct drg_use {
	enum drg_use_sort sort;
	int64_t number;
	enum drg_kind kind;
	struct drg_str id;
	int64_t slot;
	int64_t count, mapped; /**< to be added; how often; of that mapped */
	int64_t day; /**< when last; days since 1970 */
};

/** The use is borrowed for the call. A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_use_fn(void *ctx, const struct drg_use *u);

/** Add to what is stored. */
DRG_MUSTCHECK
int drg_txn_use(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr);
/** Get the count of what @p u names, with what the transaction has added. */
DRG_MUSTCHECK
int drg_txn_used(struct drg_txn *t, const struct drg_use *u, int64_t *ret, struct drg_err *reterr);
/** Forget what was last used before a day. */
DRG_MUSTCHECK
int drg_txn_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day,
                        struct drg_err *reterr);
/** All of a sort that were used on @p since_day or later, ascending by number, kind, id, slot. */
DRG_MUSTCHECK
int drg_store_uses(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn, void *ctx,
                   struct drg_err *reterr);
