/* src/reconcile/score_priv.h
 * How like a query and a record are. */
#pragma once
#include "reconcile/find.h"

enum { DRG_RECON_QUERY_WORDS = 16 };

/** A query, cut into words. */
struct drg_recon_asked {
	const struct drg_recon_index *x;
	const struct drg_recon_query *q;
	struct drg_str words[DRG_RECON_QUERY_WORDS];
	uint32_t numbers[DRG_RECON_QUERY_WORDS]; /**< DRG_RECON_NO_WORD: no name has it */
	float weights[DRG_RECON_QUERY_WORDS];
	unsigned n;
};

void drg_recon_ask(struct drg_recon_asked *a, const struct drg_recon_index *x,
                   const struct drg_recon_query *q);
/** Everything of @p ret. */
void drg_recon_score(const struct drg_recon_asked *a, const struct drg_named *r, struct drg_recon_found *ret);
/** The fit of a record to the query's words about places: the higher, the better. */
int drg_recon_fits(const struct drg_recon_query *q, const struct drg_named *r);
/** Is the first of the best certainly it? */
bool drg_recon_is_sure(const struct drg_recon_query *q, const struct drg_recon_found *best, unsigned n);
