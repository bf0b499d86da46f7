/* src/reconcile/words_priv.h
 * The words of the names of an index that is being made. */
#pragma once
#include "reconcile/index.h"

/** Nobody wants the index any more. Cheap: asked for each record. */
static inline bool drg_recon_left(const atomic_bool *leave)
{
	return leave != NULL && atomic_load_explicit(leave, memory_order_relaxed);
}

/** Words and their postings. @return DRG_OK, DRG_ENOMEM, DRG_ESTOPPED. */
DRG_MUSTCHECK
int drg_recon_make_words(struct drg_recon_index *x, const atomic_bool *leave);
