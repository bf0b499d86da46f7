/* src/reconcile/making_priv.h
 * The making of an index: what is gathered of the records, before their names are cut into words. */
#pragma once
#include "base/buf.h"
#include "reconcile/index.h"

struct drg_recon_making {
	struct drg_buf records, names; /**< struct drg_recon_record, drg_recon_name: as the index has them */
	struct drg_buf texts, folded;
	struct drg_arena arena; /**< of a record */
	int64_t countries[26 * 26]; /**< by alpha-2 code; DRG_RECON_UNKNOWN */
	const atomic_bool *leave; /**< or NULL */
	struct drg_err *err;
};

/** Nobody wants the index any more. Cheap: asked for each record. */
static inline bool drg_recon_left(const atomic_bool *leave)
{
	return leave != NULL && atomic_load_explicit(leave, memory_order_relaxed);
}

/** Read all records. @return DRG_OK, DRG_ENOMEM, DRG_ELIMIT, DRG_ESTOPPED, errors of the store. */
DRG_MUSTCHECK
int drg_recon_gather(struct drg_recon_making *m, struct drg_store *s, struct drg_clock *ret_clock);

/** The words of the names of @p x, and their postings. @return DRG_OK, DRG_ENOMEM, DRG_ESTOPPED. */
DRG_MUSTCHECK
int drg_recon_make_words(struct drg_recon_index *x, const atomic_bool *leave);
