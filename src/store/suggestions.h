/* src/store/suggestions.h
 * What the matcher last said of suppliers' records that are not mapped (decision M35). Suggestions are no
 * records: they have no seq, and are in no scan, feed, export or count; the next run of the matcher makes
 * them again. That of a record that a person maps stays, unseen but for drg_store_suggestion(): it is what a
 * person has to look at where the mapping is taken back. */
#pragma once
#include "store/store.h"

/** Texts are borrowed. */
struct drg_suggestion {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id; /**< the source: adapter, kind, id */
	int64_t outcome; /**< the matcher's (match/outcome.h) */
	struct drg_str reason; /**< a word of its */
	int64_t country, city, category; /**< dict ids that the supplier's words mean; INT64_MIN: not known */
	/** Dict ids, the best first, each with its thousandths of bits and perhaps a hexadecimal digit for each
	 * level that the matcher found: "55:3100:c100010 77:-200". An x before an id: a person said that it is
	 * not this one. May be empty. */
	struct drg_str ranked;
	struct drg_str explanation; /**< for people */
	int64_t version; /**< of drg_store_open_cases(): the seq of the source's last change */
	struct drg_str name; /**< of drg_store_open_cases(): the source's name; may be empty */
	/** Of drg_store_open_cases(): the supplier's id of the country or city that must be mapped first, if
	 * that is the reason; else empty. */
	struct drg_str place;
};

/** The suggestion is borrowed for the call. A return other than DRG_OK ends the reading and is handed
 * through. */
typedef int drg_suggestion_fn(void *ctx, const struct drg_suggestion *s);

/** Keep one of a source that is not mapped, in place of that of before. Where there was none, it counts as
 * asked (decision M43). */
DRG_MUSTCHECK
int drg_txn_suggest(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr);
/** The mapping of a source is taken back in this transaction: keep one, but where there is one it stays. It
 * counts as asked. */
DRG_MUSTCHECK
int drg_txn_suggest_again(struct drg_txn *t, const struct drg_suggestion *s, struct drg_err *reterr);
/** Forget that of a source. @param id  Empty: those of every source of the adapter and kind that is gone. */
DRG_MUSTCHECK
int drg_txn_unsuggest(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                      struct drg_err *reterr);
/** Those of an adapter whose source is there and not mapped, of all kinds, ascending by kind and id. @param
 * adapter  0: of all. */
DRG_MUSTCHECK
int drg_store_suggestions(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                          struct drg_err *reterr);

/** That of a source, be it mapped or not. @return DRG_OK after fn was called; DRG_ENOENT, without words. */
DRG_MUSTCHECK
int drg_store_suggestion(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr);

/** How many there are whose source is there and not mapped. */
struct drg_open_count {
	int64_t adapter;
	enum drg_kind kind;
	int64_t n;
};
/** A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_open_count_fn(void *ctx, const struct drg_open_count *c);
/** Ascending by adapter and kind, those of which there is one at least. It looks at each of them. */
DRG_MUSTCHECK
int drg_store_open_counts(struct drg_store *s, drg_open_count_fn *fn, void *ctx, struct drg_err *reterr);

/** Those whose source is there and not mapped, of all adapters, in any order, with `version`, `name` and
 * `place`, without `explanation`: for who keeps the order of the queue in memory. */
DRG_MUSTCHECK
int drg_store_open_cases(struct drg_store *s, drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr);
