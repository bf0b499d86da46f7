/* src/store/uses.h
 * Uses and their counts, reported by servers: of keys, of suppliers' kinds by day, of records that are not
 * mapped. Uses are not records: they have no seq and are in no scan, feed, export or count (decision M32). */
#pragma once
#include "store/store.h"

/** The numbers are stored: never change one. */
enum drg_use_sort {
	DRG_USE_KEY, /**< number: the API key */
	DRG_USE_KIND, /**< number: adapter; kind; slot: the day */
	DRG_USE_RECORD, /**< number: adapter; kind; id: a source that was not mapped */
	/** Not a use, but kept in the same way: number: adapter; kind; slot: the day; count, mapped: growth
	 * of its records */
	DRG_USE_STORED,
	/** Not a use either: number: adapter; kind; slot: the day; count: approximate number of its records
	 * that became open questions (store/suggestions.h) */
	DRG_USE_ASKED,
	/** Not a use either: number: the API key; slot: the day; count: elements that it sent to
	 * tour/sourceAdd, if it has a limit of those */
	DRG_USE_ADDS,
	/** Not a use either: number: the API key; slot: the day; count: bytes of answers that were kept for
	 * it */
	DRG_USE_KEPT,
	DRG_USE_SORTS
};

struct drg_use {
	enum drg_use_sort sort;
	int64_t number;
	enum drg_kind kind;
	struct drg_str id;
	int64_t slot;
	int64_t count, mapped; /**< uses to add; how many of them were mapped */
	int64_t day; /**< day of the last use; days since 1970 */
};

/** The use is borrowed for the call. A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_use_fn(void *ctx, const struct drg_use *u);

/** Add to the stored counts. */
DRG_MUSTCHECK
int drg_txn_use(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr);
/** Get the count of @p u, with the additions of the transaction. */
DRG_MUSTCHECK
int drg_txn_used(struct drg_txn *t, const struct drg_use *u, int64_t *ret, struct drg_err *reterr);
/** Forget uses whose last day is before a day. */
DRG_MUSTCHECK
int drg_txn_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day,
                        struct drg_err *reterr);
/** Read all uses of a sort with a last day of @p since_day or later, ascending by number, kind, id, slot. */
DRG_MUSTCHECK
int drg_store_uses(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn, void *ctx,
                   struct drg_err *reterr);
