/* src/decide/new_record.h
 * Makes a record of the reference from suppliers' records that nothing in the reference is similar to. It
 * refers to the country, city and category that the matcher found for the suppliers' words; of several
 * records the majority decides (decide/new_choice.h). */
#pragma once
#include "decide/ledger.h"
#include "decide/mapping.h"
#include "model/record.h"

struct drg_new_record {
	const struct drg_record *sources; /**< of one kind */
	size_t n; /**< at least 1 */
	struct drg_ledger *ledger; /**< the ledger of its batch */
	/** By kind, DRG_KIND_COUNT of them: the largest id so far, so that not all are read for each record;
	 * 0: not known. NULL: none is known. */
	int64_t *largest;
	/* The result. */
	int64_t dict_id; /**< the next after the largest of its kind */
};

/**
 * Was the dict record of a source made for it? Then it came with the mapping, in one commit, and a list that
 * is read again has nothing to do.
 * @param ret_dict  That record; 0: no, or there is no such source.
 */
DRG_MUSTCHECK
int drg_new_record_made(struct drg_store *s, const struct drg_mapping_source *of, int64_t *ret_dict,
                        struct drg_err *reterr);

/**
 * In a transaction.
 * @return DRG_OK; DRG_EINVAL: this kind cannot be made from a source, or what the record would have to refer
 *         to is not known: the message says what to do; errors of the store.
 */
DRG_MUSTCHECK
int drg_new_record_make(struct drg_new_record *n, struct drg_txn *t, struct drg_err *reterr);
