/* not known. NULL: none is known. */
#pragma once
#include "decide/ledger.h"
#include "decide/mapping.h"
#include "model/record.h"

struct drg_new_record {
	const struct drg_record *sources; /**< of one kind */
	size_t n; /**< at least 1 */
	struct drg_ledger *ledger; /**< the ledger of its batch */
	/** By kind, DRG_KIND_COUNT of them: the largest id so far, so that not all ids are read for each
	 * record; */
	int64_t *largest;
	/* The result. */
	int64_t dict_id; /**< the next after the largest of its kind */
};

/**
 * Was the dict record of a source made for it? Then it came with the mapping, in one commit, and nothing is
 * to be done when a list is read again.
 * @param ret_dict  That record; 0: it was not, or there is no such source.
 */
DRG_MUSTCHECK
int drg_new_record_made(struct drg_store *s, const struct drg_mapping_source *of, int64_t *ret_dict,
                        struct drg_err *reterr);

/**
 * Make the record, in a transaction.
 * @return DRG_OK; DRG_EINVAL: this kind cannot be made from a source, or a record that the new one must refer
 * to is not known: the message says what to do; errors of the store.
 */
DRG_MUSTCHECK
int drg_new_record_make(struct drg_new_record *n, struct drg_txn *t, struct drg_err *reterr);
