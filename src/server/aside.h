/* src/server/aside.h
 * The records that the catalog cannot take in (decision E14): which they are, how many, and why the first of them was
 * refused. One thread. */
#pragma once
#include "base/lru.h"
#include "model/record.h"

struct drg_aside {
	struct drg_lru known; /**< the first 65,536 of them, by the hash of their identity */
	uint64_t beyond; /**< refusals beyond those, which nothing takes back but a catalog built anew */
	bool full; /**< one at least for lack of memory in the catalog, */
	bool crowded; /**< ... one at least for lack of room for another adapter */
	char label[160]; /**< the first one, ... */
	struct drg_err why; /**< ... and what was said of it */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_aside_init(struct drg_aside *a, struct drg_err *reterr);
/** All zero is fine. */
void drg_aside_done(struct drg_aside *a);

/** The catalog refuses a record. @param why  What it said. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_aside_add(struct drg_aside *a, const struct drg_record *r, const struct drg_err *why,
                  struct drg_err *reterr);
/** The catalog has taken in, or removed, a record with this identity. */
void drg_aside_remove(struct drg_aside *a, const struct drg_record *r);
/** How many are set aside. */
uint64_t drg_aside_count(const struct drg_aside *a);
