/* src/import/refs.h
 * Checks whether an import is consistent, with itself and with the store, when all of its records are known:
 * - a record that is referred to exists: the import defines it, or it is stored and the import does not
 *   remove it, or it was merged into a record that exists (decision M19);
 * - no record that stays refers to a removed one;
 * - no two records share a value that must be unique;
 * - no id belongs to both a dict record and a redirect.
 * The references of every line count, also those of a line that a later one replaces. Of two lines with one
 * identity the last one decides. Memory is bounded: if very many things are wrong, only a bounded number of
 * them is found at once. */
#pragma once
#include "import/claims.h"
#include "import/ident.h"
#include "import/redirects.h"
#include "import/spool.h"
#include "store/store.h"

struct drg_refs;

/** @param store  NULL: there is no store yet. Store and spool are borrowed. */
DRG_MUSTCHECK
int drg_refs_new(const char *dir, struct drg_store *store, struct drg_spool *spool, struct drg_refs **ret,
                 struct drg_err *reterr);
/** NULL is fine. */
void drg_refs_free(struct drg_refs *f);

/** The entries that one thread gathers from records before they are spooled. */
struct drg_gathered {
	struct drg_buf entries; /**< struct drg_refset_entry */
	struct drg_buf claims; /**< struct drg_claim */
	struct drg_buf redirects; /**< struct drg_redirect */
};
void drg_gathered_init(struct drg_gathered *g);
void drg_gathered_done(struct drg_gathered *g);
void drg_gathered_clear(struct drg_gathered *g);
/** Gather from a record. @param at  Place of the record, counted from the beginning of the batch's frames. */
void drg_gathered_add(struct drg_gathered *g, struct drg_ident_cache *cache, const struct drg_record *r,
                      uint64_t at);

/** Add what was gathered from a batch. @param base  Place in the spool where the batch begins. */
DRG_MUSTCHECK
int drg_refs_add(struct drg_refs *f, struct drg_gathered *g, uint64_t base, struct drg_err *reterr);

/** Called now and then with the number of checked entries and of all entries. */
typedef void drg_refs_progress_fn(void *ctx, uint64_t done, uint64_t total);

/**
 * Check everything that was added.
 * @param progress  May be NULL.
 * @param ret_ok    False: there are faults; drg_refs_fault() tells which records are at fault. When these are
 * rejected, check the rest again: drg_refs_clear(), add, check.
 */
DRG_MUSTCHECK
int drg_refs_check(struct drg_refs *f, drg_refs_progress_fn *progress, void *ctx, bool *ret_ok,
                   struct drg_err *reterr);

/** Is this record at fault? If so, @p ret_fault gets field and message. */
bool drg_refs_fault(const struct drg_refs *f, const struct drg_spooled *r, struct drg_err *ret_fault);

/** The redirects of store and import, valid after drg_refs_check(). */
const struct drg_redirects *drg_refs_redirects(const struct drg_refs *f);

/** Remove everything that was added and found. */
DRG_MUSTCHECK
int drg_refs_clear(struct drg_refs *f, struct drg_err *reterr);
