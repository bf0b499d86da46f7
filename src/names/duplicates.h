/* src/names/duplicates.h
 * Finds records of the common reference that may be duplicates: of one kind, with the same name in some
 * language (folded), and at the same place. Hotels within a kilometre are at the same place, and cities
 * within twenty. If one of two records has no coordinates, they must be in the same city (hotels) or country
 * (cities). For other kinds the name decides. */
#pragma once
#include "names/index.h"

/** The record @p id may be a duplicate of the record @p into, which has more suppliers' records. */
struct drg_duplicate {
	enum drg_kind kind;
	int64_t id, into;
	double metres; /**< distance of the two records; below 0: not known */
	/** numbers of suppliers' records mapped to each; at most DRG_DUPLICATE_RECORDS are counted */
	unsigned records, into_records;
	unsigned shared; /**< number of suppliers that have records mapped to both */
};
enum { DRG_DUPLICATE_RECORDS = 1000 };

struct drg_duplicates {
	bool one_kind;
	enum drg_kind kind;
	int64_t country; /**< 0: all */
	unsigned limit; /**< 0: all */
	/** the index of names, with the records that were changed since it was made */
	const struct drg_name_index *names;
	uint64_t found; /**< result: the number of duplicates, whatever the limit */
};

/** Is a place near another one of its kind, so that two records with one name are probably one? Hotels within a
 * kilometre or in one city, cities within twenty kilometres or in one country; other kinds everywhere. */
bool drg_named_near(const struct drg_named *a, const struct drg_named *b);
/** The distance in metres; below 0: not known. */
double drg_named_metres(const struct drg_named *a, const struct drg_named *b);

/** A result other than DRG_OK ends the search and is returned. */
typedef int drg_named_fn(void *ctx, const struct drg_named *named);
/** Call @p fn for the records of the reference that have this name in some language (folded) and are near
 * @p place, each once. @param place  Its kind, country, city, lat and lng. */
DRG_MUSTCHECK
int drg_namesakes_each(const struct drg_name_index *names, struct drg_str name, const struct drg_named *place,
                       drg_named_fn *fn, void *ctx, struct drg_err *reterr);

typedef int drg_duplicate_fn(void *ctx, const struct drg_duplicate *d);

/**
 * Call @p fn for the duplicates, the worst first: those with the most suppliers' records at @p id, which
 * clients that ask for @p into do not get. Takes about as long as sorting, however many records have the same
 * name.
 * @return DRG_OK; what @p fn returned; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_duplicates_each(struct drg_store *s, struct drg_duplicates *d, drg_duplicate_fn *fn, void *ctx,
                        struct drg_err *reterr);
