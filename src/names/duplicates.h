/* src/names/duplicates.h
 * Records of the common reference that look like one: of one kind, called the same in some language (folded),
 * and at the same place. What is at the same place: hotels within a kilometre, cities within twenty; where
 * one of them has no coordinates, of the same city (hotels) or country (cities). Of other kinds the name
 * decides. */
#pragma once
#include "names/index.h"

/** @p id looks like @p into, which has more suppliers' records. */
struct drg_duplicate {
	enum drg_kind kind;
	int64_t id, into;
	double metres; /**< between them; below 0: not known */
	unsigned records,
	        into_records; /**< of suppliers, mapped to each; DRG_DUPLICATE_RECORDS are the most counted */
	unsigned shared; /**< suppliers that have records at both */
};
enum { DRG_DUPLICATE_RECORDS = 1000 };

struct drg_duplicates {
	bool one_kind;
	enum drg_kind kind;
	int64_t country; /**< 0: all */
	unsigned limit; /**< 0: all */
	const struct drg_name_index *names; /**< what was changed since it was made is left out */
	uint64_t found; /**< result: all of them, whatever the limit */
};

typedef int drg_duplicate_fn(void *ctx, const struct drg_duplicate *d);

/**
 * The worst first: where the most suppliers' records are at the lesser one, which those who ask for the other
 * do not get. Takes the time of sorting, however many are called the same.
 * @return DRG_OK; what @p fn returned; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_duplicates_each(struct drg_store *s, struct drg_duplicates *d, drg_duplicate_fn *fn, void *ctx,
                        struct drg_err *reterr);
