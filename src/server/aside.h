/* src/server/aside.h
 * The records that the catalog refuses (decision E14): which and how many they are, and why the first was
 * refused. For one thread. */
#pragma once
#include "base/lru.h"
#include "model/record.h"

struct drg_aside {
	struct drg_lru known; /**< the first 65,536 of them, by the hash of their identity */
	uint64_t beyond; /**< refused records beyond these; reset only when a new catalog is built */
	bool full; /**< at least one record was refused because the catalog's memory is full */
	bool crowded; /**< at least one record was refused because there is no room for another adapter */
	char label[160]; /**< the first refused record */
	struct drg_err why; /**< why the first record was refused */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_aside_init(struct drg_aside *a, struct drg_err *reterr);
/** All zero is fine. */
void drg_aside_done(struct drg_aside *a);

/** Note a record that the catalog refused. @param why  The reason. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_aside_add(struct drg_aside *a, const struct drg_record *r, const struct drg_err *why,
                  struct drg_err *reterr);
/** Forget a record: the catalog has applied one with this identity, or removed it. */
void drg_aside_remove(struct drg_aside *a, const struct drg_record *r);
/** How many records are quarantined. */
uint64_t drg_aside_count(const struct drg_aside *a);
