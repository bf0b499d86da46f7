/* src/reconcile/find.h
 * Records of the reference for a name and what else is known of it. What a query may cost is bounded,
 * whatever it asks (docs/openrefine.md has the rules of scores; decision O3). */
#pragma once
#include "reconcile/index.h"

enum { DRG_RECON_LIMIT_MAX = 100, DRG_RECON_IDS = 64 };

/** Dict ids that a property may mean. */
struct drg_recon_ids {
	bool given; /**< it was said, be it that nothing is called so */
	unsigned n;
	int64_t v[DRG_RECON_IDS];
};

struct drg_recon_query {
	struct drg_str text; /**< folded, at most DRG_SPELLED_MAX bytes */
	bool beginning; /**< its last word may be the beginning of one: somebody types */
	bool by_id; /**< it is written like the id of a record, the following */
	unsigned id_type;
	int64_t id;
	unsigned types; /**< a bit for each that is wanted */
	unsigned limit; /**< at most DRG_RECON_LIMIT_MAX */
	struct drg_recon_ids country, city, category;
	struct drg_str code; /**< folded; empty: not known */
	double lat, lng; /**< NAN: not known */
};

/** Does something that the query says hold for a record? */
enum drg_recon_says { DRG_RECON_OTHER = -1, DRG_RECON_NOT_SAID, DRG_RECON_SAME };

struct drg_recon_found {
	const struct drg_named *record;
	float score; /**< 0..100 */
	float name; /**< 0..1: how like the names are */
	float metres; /**< NAN: not known of both */
	int8_t country, city, category, code; /**< enum drg_recon_says */
	bool id; /**< the query is its id */
	bool exact; /**< a name is the same, letter by letter, once folded */
	bool vital; /**< numbers, and what tells sister houses apart, are the same */
};

/** The memory of a search: about 60 KiB, of a thread or request, used again. */
struct drg_recon_scratch;
/** @return NULL: no memory; to be freed with free(). */
struct drg_recon_scratch *drg_recon_scratch_new(void);

/**
 * The best, the best first.
 * @param ret       As many as `limit`.
 * @param ret_sure  The first is certainly it.
 * @return how many.
 */
unsigned drg_recon_find(const struct drg_recon_index *x, const struct drg_recon_query *q,
                        struct drg_recon_scratch *scratch, struct drg_recon_found *ret, bool *ret_sure);

/** The records of a type that have exactly this folded name: their ids, added to @p ret, those in @p countries
 * first. */
void drg_recon_named(const struct drg_recon_index *x, unsigned type, struct drg_str folded,
                     const struct drg_recon_ids *countries, struct drg_recon_ids *ret);
