/* src/import/holders.h
 * What an import removes, and which stored records would still refer to it when the import is complete. */
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
 * The import removes something with an exact ident. To be called in the order of idents.
 * @param at  Place in the spool of the record that removes it.
 * @return DRG_OK; DRG_ELIMIT: more than a million of them; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_holders_gone(struct drg_holders *h, struct drg_ident ident, uint64_t at, struct drg_err *reterr);
/** The import removes a record that is known by a hash: of these only supplier hotels are referred to. */
DRG_MUSTCHECK
int drg_holders_gone_record(struct drg_holders *h, const struct drg_record *r, uint64_t at,
                            struct drg_err *reterr);

/** A stored record that stays refers to what the record at @p at removes. */
typedef int drg_held_fn(void *ctx, uint64_t at, const char *holder, struct drg_err *reterr);

/**
 * Call @p fn for each of them. A record that the import removes too, or replaces without keeping its mapping,
 * is none.
 * @param set  The entries of the import; gets those of the holders besides.
 */
DRG_MUSTCHECK
int drg_holders_check(struct drg_holders *h, struct drg_refset *set, drg_held_fn *fn, void *ctx,
                      struct drg_err *reterr);
