/* src/import/refs.h
 * Does an import fit together, with itself and with what the store keeps? Looked at when all of it is known:
 * - what a record refers to exists: it is defined by the import, or stored and not removed by the import, or
 *   it was merged into something that does (decision M19);
 * - what is removed is not referred to any more by anything that stays;
 * - no two records share a value that must be unique;
 * - no id is that of a dict record and of a redirect. Every line's references count, also those of a line
 *   that a later one replaces. Of two lines with one identity the last one decides. Memory is bounded; where
 *   more than a bounded number of things is wrong, only so many are found at once. */
#pragma once
#include "import/claims.h"
#include "import/ident.h"
#include "import/redirects.h"
#include "import/spool.h"
#include "store/store.h"

struct drg_refs;

/** @param store  NULL: there is none yet, and nothing in it. Borrowed, as the spool. */
DRG_MUSTCHECK
int drg_refs_new(const char *dir, struct drg_store *store, struct drg_spool *spool, struct drg_refs **ret,
                 struct drg_err *reterr);
/** NULL is fine. */
void drg_refs_free(struct drg_refs *f);

/** What one thread gathers from records on their way to the spool. */
struct drg_gathered {
	struct drg_buf entries; /**< struct drg_refset_entry */
	struct drg_buf claims; /**< struct drg_claim */
	struct drg_buf redirects; /**< struct drg_redirect */
};
void drg_gathered_init(struct drg_gathered *g);
void drg_gathered_done(struct drg_gathered *g);
void drg_gathered_clear(struct drg_gathered *g);
/** @param at  Place of the record, counted from where the frames of this batch begin. */
void drg_gather(struct drg_gathered *g, struct drg_ident_cache *cache, const struct drg_record *r,
                uint64_t at);

/** Take over what was gathered. @param base  Place in the spool where the batch begins. */
DRG_MUSTCHECK
int drg_refs_add(struct drg_refs *f, struct drg_gathered *g, uint64_t base, struct drg_err *reterr);

/** Told now and then how many entries of how many were looked at. */
typedef void drg_refs_progress_fn(void *ctx, uint64_t done, uint64_t total);

/**
 * Look at everything that was added.
 * @param progress  May be NULL.
 * @param ret_ok  Is it free of faults? If not, drg_refs_fault() tells which records are at fault. Once those
 *                are rejected the rest must be looked at anew: drg_refs_clear(), add, check.
 */
DRG_MUSTCHECK
int drg_refs_check(struct drg_refs *f, drg_refs_progress_fn *progress, void *ctx, bool *ret_ok,
                   struct drg_err *reterr);

/** Is this record at fault? Then @p ret_fault is filled with field and message. */
bool drg_refs_fault(const struct drg_refs *f, const struct drg_spooled *r, struct drg_err *ret_fault);

/** The redirects of store and import, valid after drg_refs_check(). */
const struct drg_redirects *drg_refs_redirects(const struct drg_refs *f);

/** Forget everything that was added and found. */
DRG_MUSTCHECK
int drg_refs_clear(struct drg_refs *f, struct drg_err *reterr);
