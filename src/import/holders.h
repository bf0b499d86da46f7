/* src/import/holders.h
 * Finds the stored records (holders) that would still refer to records that an import removes, when the
 * import is complete. */
#pragma once
#include "import/ident.h"
#include "store/store.h"

struct drg_holders;

/** @param dir  For temporary files. @param store  Borrowed. */
DRG_MUSTCHECK
int drg_holders_new(const char *dir, struct drg_store *store, struct drg_holders **ret,
                    struct drg_err *reterr);
/** NULL is fine. */
void drg_holders_free(struct drg_holders *h);

/**
 * Note that the import removes the record with an exact ident. Call it in the order of idents.
 * @param at  Place in the spool of the record that removes it.
 * @return DRG_OK; DRG_ELIMIT: more than a million of them; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_holders_gone(struct drg_holders *h, struct drg_ident ident, uint64_t at, struct drg_err *reterr);
/** Note that the import removes a record whose ident is a hash. Of these records only hotels of suppliers can
 * be referred to. */
DRG_MUSTCHECK
int drg_holders_gone_record(struct drg_holders *h, const struct drg_record *r, uint64_t at,
                            struct drg_err *reterr);

/** Called for a stored record that stays and refers to a record that the record at @p at removes. */
typedef int drg_held_fn(void *ctx, uint64_t at, const char *holder, struct drg_err *reterr);

/**
 * Call @p fn for each holder that stays. A holder does not stay if the import removes it too, or replaces it
 * without keeping its mapping.
 * @param set  The entries of the import; the entries of the holders are added to it.
 */
DRG_MUSTCHECK
int drg_holders_check(struct drg_holders *h, struct drg_refset *set, drg_held_fn *fn, void *ctx,
                      struct drg_err *reterr);
