/* src/decide/new_record.h
 * A record of the reference made from suppliers' records that nothing in it is like. What it refers to
 * (country, city, category) is what the matcher found that the suppliers' words mean; of several records the
 * majority decides (decide/new_choice.h). */
#pragma once
#include "decide/mapping.h"
#include "model/record.h"
#include "store/ledger.h"

struct drg_new_record {
	const struct drg_record *sources; /**< of one kind */
	size_t n; /**< at least 1 */
	struct drg_ledger *ledger; /**< the batch that it is of */
	/** By kind, DRG_KIND_COUNT of them: the largest id of before, so that not all are read for each
	 * record; 0: not known. NULL: none is remembered. */
	int64_t *largest;
	/* The result. */
	int64_t dict_id; /**< the largest of its kind, and one more */
};

/**
 * Was the dict record that a source is mapped to made for it? Then it came with the mapping, in one commit;
 * so a list that is read again has nothing to do.
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
