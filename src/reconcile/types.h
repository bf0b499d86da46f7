/* src/reconcile/types.h
 * What the reconciliation service (docs/openrefine.md) knows, as two tables: types of records, and their
 * properties. Ids of records are a type, a hyphen and the number of the record: "hotel-55", "city--44". */
#pragma once
#include "model/model.h"

/** Kinds of the reference keep their numbers; behind them the air places. */
enum drg_recon_type { DRG_RECON_AIRPORT = DRG_KIND_COUNT, DRG_RECON_AIR_CITY, DRG_RECON_TYPES };
_Static_assert((int)DRG_RECON_AIRPORT == (int)DRG_KIND_COUNT, "behind the kinds");

enum { DRG_RECON_ALL = (1 << DRG_RECON_TYPES) - 1 };

struct drg_recon_type_row {
	const char *id, *name;
};
extern const struct drg_recon_type_row drg_recon_types[DRG_RECON_TYPES];

static inline bool drg_recon_is_air(unsigned type)
{
	return type >= DRG_KIND_COUNT;
}

/** By its id. @return DRG_RECON_TYPES: there is none. */
unsigned drg_recon_type_by_id(struct drg_str id);

enum drg_recon_property {
	DRG_RECON_ID,
	DRG_RECON_NAME,
	DRG_RECON_COUNTRY,
	DRG_RECON_CITY,
	DRG_RECON_CATEGORY,
	DRG_RECON_HOTEL_TYPE,
	DRG_RECON_LAT,
	DRG_RECON_LNG,
	DRG_RECON_CODE,
	DRG_RECON_PROPERTIES
};

struct drg_recon_property_row {
	const char *id, *name;
	unsigned types; /**< which have it, a bit for each */
	unsigned value; /**< the type of the records that it names; DRG_RECON_TYPES: a text or a number */
	bool asked; /**< tells records apart in a query; else it is only given */
};
extern const struct drg_recon_property_row drg_recon_properties[DRG_RECON_PROPERTIES];

/** By its id. @return DRG_RECON_PROPERTIES: there is none. */
unsigned drg_recon_property_by_id(struct drg_str id);

/** Room for the id of a record, with its NUL. */
enum { DRG_RECON_ID_TEXT = 48 };
/** @return its length. */
size_t drg_recon_id_text(unsigned type, int64_t id, char buf[DRG_RECON_ID_TEXT]);
/** @return false: not the id of a record. */
bool drg_recon_id_read(struct drg_str text, unsigned *ret_type, int64_t *ret_id);
