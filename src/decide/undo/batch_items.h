/* src/decide/undo/batch_items.h
 * The records that a batch has changed or removed (decide/ledger.h), as its undoing needs them: the state of
 * each record before the batch, in the order in which the store writes fastest. A large batch is read in
 * parts, so that memory is bounded: some 400 bytes for each record of a part, and 32 for each of the earlier
 * parts. */
#pragma once
#include "match/tally.h"
#include "store/store.h"

/** A record as it was before the batch. */
struct drg_batch_item {
	int64_t seq; /**< the commit of the batch that changed it first */
	struct drg_str was; /**< its line; borrowed from the part */
};

/** The default number of items of a part. */
enum { DRG_BATCH_PART = 200000 };

struct drg_batch_items {
	size_t n; /**< items of the part that was read */
	struct drg_buf seqs; /**< int64_t, ascending: the commits of the whole batch */
	/* private */
	struct drg_buf rows, lines, keys;
	struct drg_tally seen; /* hashes of the records in earlier parts */
	int64_t batch, next; /* the number of the first item of the next part; -1: none */
	size_t part;
};

/**
 * Read the first part, and the commits of all parts. Give @p ret to drg_batch_items_done() in any case.
 * @param part  How many items it has at most; 0: DRG_BATCH_PART.
 * @return DRG_OK; DRG_ENOMEM, errors of the store.
 */
DRG_MUSTCHECK
int drg_batch_items_read(struct drg_store *s, int64_t batch, size_t part, struct drg_batch_items *ret,
                         struct drg_err *reterr);
/** Is there another part? */
bool drg_batch_items_more(const struct drg_batch_items *b);
/** Read the next part in place of this one, leaving out records of earlier parts. There must be a next part.
 * @return As above. */
DRG_MUSTCHECK
int drg_batch_items_next(struct drg_store *s, struct drg_batch_items *b, struct drg_err *reterr);
void drg_batch_items_done(struct drg_batch_items *b);

/** @param i  Below n. */
struct drg_batch_item drg_batch_item(const struct drg_batch_items *b, size_t i);

/** Call fn for every item of a batch from a number on, in order; an item has at_seq, and `was` if the record
 * existed. It is borrowed for the call. */
DRG_MUSTCHECK
int drg_batch_items_from(struct drg_store *s, int64_t batch, int64_t number, drg_row_fn *fn, void *ctx,
                         struct drg_err *reterr);
