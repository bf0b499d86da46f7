/* src/import/claims.h
 * Values that must be unique (DRG_FF_UNIQUE): which record claims which value, in an import and the store
 * together. */
#pragma once
#include "import/ident.h"
#include "store/store.h"

/** A record's claim to a value, or the end of a claim that the record may have had. */
struct drg_claim {
	struct drg_ident who;
	struct drg_ident value; /**< drg_ident_of_value() */
	uint64_t at; /**< place of the record in the spool */
	const struct drg_field_def *field;
	bool was_stored; /**< the store has this record, alive */
	enum { DRG_CLAIM_STORED, DRG_CLAIM_MADE, DRG_CLAIM_ENDED } state;
};

/** Append the claims of a record (struct drg_claim) to @p out; most records have none. */
void drg_claims_of(const struct drg_record *r, uint64_t at, struct drg_buf *out);

struct drg_claims;

DRG_MUSTCHECK
int drg_claims_new(struct drg_claims **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_claims_free(struct drg_claims *c);
void drg_claims_clear(struct drg_claims *c);

/** @return DRG_OK; DRG_ELIMIT: more than a million records with unique values; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_claims_add(struct drg_claims *c, const struct drg_claim *claim, struct drg_err *reterr);

/** Called with a claim of the import that clashes with the claim of the record @p other. */
typedef int drg_clash_fn(void *ctx, const struct drg_claim *claim, struct drg_ident other,
                         struct drg_err *reterr);

/** Called with a claim of the import by a record that is too many. */
typedef int drg_excess_fn(void *ctx, const struct drg_claim *claim, struct drg_err *reterr);

/**
 * Find records that are too many: the store would have more than @p max records with a claim to @p field.
 * Call @p fn for each new record beyond that number, in the order of the import. Call it after
 * drg_claims_check().
 */
DRG_MUSTCHECK
int drg_claims_beyond(struct drg_claims *c, const struct drg_field_def *field, size_t max, drg_excess_fn *fn,
                      void *ctx, struct drg_err *reterr);

/** Call @p fn for each clash. Afterwards claims may be added only after drg_claims_clear(). @param store
 * NULL: nothing is stored. */
DRG_MUSTCHECK
int drg_claims_check(struct drg_claims *c, struct drg_store *store, drg_clash_fn *fn, void *ctx,
                     struct drg_err *reterr);
