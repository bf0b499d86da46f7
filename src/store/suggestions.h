/* src/store/suggestions.h
 * The last suggestions of the matcher for suppliers' records that are not mapped (decision M35). Suggestions
 * are not records: they have no seq and are in no scan, feed, export or count; the next run of the matcher
 * makes them again. When a person maps a record its suggestion is kept, visible only to
 * drg_store_suggestion(): a person needs it if the mapping is undone. */
#pragma once
#include "store/store.h"

/** Texts are borrowed. */
struct drg_suggestion {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id; /**< the source: adapter, kind, id */
	int64_t outcome; /**< a number of the matcher (match/outcome.h) */
	struct drg_str reason; /**< a word of the matcher */
	int64_t country, city, category; /**< dict ids for the supplier's words; INT64_MIN: unknown */
	/** Dict ids, the best first, each with its thousandths of bits and perhaps a hexadecimal digit for
	 * each level that the matcher found: "55:3100:c100010 77:-200". An x before an id: a person said that
	 * it is not this record. May be empty. */
	struct drg_str ranked;
	struct drg_str explanation; /**< a text for people */
	int64_t version; /**< set by drg_store_open_cases(): the seq of the source's last change */
	struct drg_str name; /**< set by drg_store_open_cases(): the source's name; may be empty */
	/** Set by drg_store_open_cases(): the supplier's id of the country or city that must be mapped first,
	 * if that is the reason; else empty. */
	struct drg_str place;
};

/** The suggestion is borrowed for the call. A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_suggestion_fn(void *ctx, const struct drg_suggestion *s);

/** Keep the suggestion of a source that is not mapped, in place of an older one. If there was none, the
 * source counts as asked (decision M43). */
DRG_MUSTCHECK
int drg_txn_suggestion_put(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr);
/** Keep the suggestion of a source whose mapping is undone in this transaction, unless it has one. The source
 * counts as asked. */
DRG_MUSTCHECK
int drg_txn_suggestion_add(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr);
/** Forget the suggestion of a source. @param id  Empty: of each source of the adapter and kind that is
 * gone. */
DRG_MUSTCHECK
int drg_txn_suggestion_delete(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                              struct drg_err *reterr);
/** Read the suggestions of an adapter whose sources exist and are not mapped, of all kinds, ascending by kind
 * and id. @param adapter  0: of all adapters. */
DRG_MUSTCHECK
int drg_store_suggestions(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                          struct drg_err *reterr);

/** Read the suggestion of a source, mapped or not. @return DRG_OK after fn; DRG_ENOENT, without a message. */
DRG_MUSTCHECK
int drg_store_suggestion(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr);

/** The number of suggestions whose sources exist and are not mapped. */
struct drg_open_count {
	int64_t adapter;
	enum drg_kind kind;
	int64_t n;
};
/** A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_open_count_fn(void *ctx, const struct drg_open_count *c);
/** Read these numbers, ascending by adapter and kind, without zeros. It looks at each suggestion. */
DRG_MUSTCHECK
int drg_store_open_counts(struct drg_store *s, drg_open_count_fn *fn, void *ctx, struct drg_err *reterr);

/** Read the suggestions of all adapters whose sources exist and are not mapped, in any order, with `version`,
 * `name` and `place`, without `explanation`: for keeping the order of the queue in memory. */
DRG_MUSTCHECK
int drg_store_open_cases(struct drg_store *s, drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr);
