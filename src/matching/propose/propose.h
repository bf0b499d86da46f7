/* src/matching/propose/propose.h
 * Proposes new records of the reference (decision M40): suppliers' hotels that are similar to nothing in the
 * reference, but to each other. A hotel that two suppliers or more have is proposed, and made when a person
 * accepts it; a hotel of one supplier alone is not. */
#pragma once
#include "decide/mapping.h"
#include "decide/new_choice.h"
#include "decide/new_record.h"
#include "match/hotels.h"

struct drg_proposal_member {
	int64_t adapter;
	struct drg_str id, name, lang, city; /**< as the supplier has them */
};

struct drg_proposal {
	const struct drg_proposal_member *members; /**< ascending by adapter; no adapter twice */
	size_t n; /**< at least 2 */
	double bits; /**< of the weakest tie that joined them */
	struct drg_str name; /**< the most frequent name */
	int64_t country, city,
	        category; /**< the most frequent ones; INT64_MIN: not known, and it cannot be made */
	double lat, lng; /**< the median; NAN: not known */
};
/** Borrowed for the call. Any result but DRG_OK ends the run and is returned. */
typedef int drg_proposal_fn(void *ctx, const struct drg_proposal *p);

struct drg_proposing {
	struct drg_scorecard card;
	unsigned threads; /**< 0: one for each core */
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;

	/* The result. */
	/** hotels that the last run of the matcher found nothing for, and that the reference still lacks */
	uint64_t records;
	/** further hotels that it found nothing for, but that may be in the reference */
	uint64_t in_reference;
	/** ties left out because a supplier has another record that fits nearly as well */
	uint64_t ambiguous;
	uint64_t proposals, members;
};
/**
 * Call fn for the proposals, those of most suppliers first. Reads the results of the last run of the matcher
 * (decision M35), leaves out what was decided or added to the reference since, and compares the rest. The
 * reference is in memory meanwhile.
 * @return DRG_OK; DRG_ENOMEM; what @p fn returned; errors of the store.
 */
DRG_MUSTCHECK
int drg_propose(struct drg_store *s, struct drg_proposing *p, drg_proposal_fn *fn, void *ctx,
                struct drg_err *reterr);

/** Makes a record from some sources of one kind, and maps them to it. */
struct drg_proposal_make {
	const struct drg_mapping_source *sources;
	size_t n; /**< at least 1 */
	struct drg_ledger *ledger; /**< the ledger of its batch */
	int64_t *largest; /**< as in struct drg_new_record */

	/* The result. */
	int64_t dict_id;
	bool was_made; /**< it was made of exactly these before: nothing is written */
};
/**
 * Make the record and map the sources to it. A drg_txn_fn; @p make is a struct drg_proposal_make.
 * @return DRG_OK; DRG_ENOENT: a source does not exist; DRG_EINVAL: a source is mapped by now, two are of one
 * supplier, or a record that the new one must refer to is not known; then nothing was written; errors of the
 * store.
 */
DRG_MUSTCHECK
int drg_proposal_make(void *make, struct drg_txn *t, struct drg_err *reterr);
