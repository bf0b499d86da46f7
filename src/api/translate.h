/* src/api/translate.h
 * Dict ids -> supplier records: the use case behind tour/sourceData and tour/hotelCheck. (The other way needs
 * no rule beyond drg_mapped_json().) Knows the catalog; knows nothing of HTTP and wire JSON. */
#pragma once
#include "base/arena.h"
#include "catalog/catalog.h"

/** The adapter of a tour request. @return DRG_OK; DRG_EINVAL: there is none, or it is one for air (decision
 * R1). */
DRG_MUSTCHECK
int drg_tour_adapter(const struct drg_catalog *cat, int64_t id, const struct drg_adapter **ret,
                     struct drg_err *reterr);

/** The one place where a dict id that a client sent becomes a record.
 * @return DRG_NO_HANDLE: no live record has it. */
drg_handle drg_dict_handle(const struct drg_catalog *cat, enum drg_kind kind, int64_t id);

/** The id of a country or departure city, as a list or a translation is asked for it (decision E2). One that
 * was merged away names what it leads to (M19).
 * @return DRG_OK; DRG_EINVAL: no live record has it. */
DRG_MUSTCHECK
int drg_dict_known(const struct drg_catalog *cat, enum drg_kind kind, int64_t id, int64_t *ret,
                   struct drg_err *reterr);

/** Supplier records of one dict record; the array is used again for the next. Begin with {.arena = ...}. */
struct drg_origs {
	struct drg_arena *arena;
	struct drg_source *v; /**< borrowed from the catalog, for the read section */
	size_t n, cap;
};

/** The records of an adapter that are mapped to @p dict, ascending by id in bytes (M2). @return DRG_OK,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_origs_find(const struct drg_catalog *cat, const struct drg_adapter *a, enum drg_kind kind,
                   drg_handle dict, struct drg_origs *ret);

/** The same, where the first of them (rec may be NULL) is known from drg_catalog_first_sources(). */
DRG_MUSTCHECK
int drg_origs_from(const struct drg_catalog *cat, const struct drg_source *first, struct drg_origs *ret);

/** Drop ids that stood before, keep the order (M2). @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_ids_unique(int64_t *ids, size_t *n, struct drg_arena *arena);
