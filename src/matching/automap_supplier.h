/* src/matching/automap_supplier.h
 * The records of one supplier in the form that src/match needs, and the known meanings of its ids and names. */
#pragma once
#include "matching/automap_priv.h"

struct drg_supplier_row {
	struct drg_str id, name, code; /**< in drg_supplier.texts */
	int64_t dict_id; /**< DRG_PLACE_UNKNOWN: not mapped */
	int64_t country; /**< DRG_PLACE_UNKNOWN: not known */
	bool lacks_country; /**< the reference lacks the country that it names */
	double lat, lng;
	bool decided; /**< by a person */
};

struct drg_supplier {
	int64_t adapter;
	struct drg_normal *normal;
	struct drg_automap_reference *ref;
	const struct drg_tally *decided;
	const struct drg_tally *reopened; /**< of those; NULL: none */
	struct drg_store *ask; /**< ask the store for the meaning of ids; NULL: use what was learnt */
	struct drg_known known, learning;
	struct drg_arena texts; /**< texts of the kind that was read last */
	struct drg_buf rows; /**< struct drg_supplier_row; likewise */
	struct drg_places hotels; /**< of the kind hotel: one for each row */
	enum drg_kind kind;
	/** the supplier's ids of countries that are letters, or digits, are ISO codes; its names are */
	bool iso_letters, iso_digits, iso_names;
};

void drg_supplier_init(struct drg_supplier *x, int64_t adapter, struct drg_normal *normal,
                       struct drg_automap_reference *ref, const struct drg_tally *decided);
void drg_supplier_done(struct drg_supplier *x);

/** Read the supplier's records of a kind; they replace those that were read before. */
DRG_MUSTCHECK
int drg_supplier_read(struct drg_supplier *x, struct drg_store *s, enum drg_kind kind,
                      struct drg_err *reterr);

/** Begin a kind without reading: then add records one by one. */
void drg_supplier_clear(struct drg_supplier *x, enum drg_kind kind);
/** Find out by a thousand records whether the supplier's ids of countries are those of ISO 3166-1 (decision
 * M44). Call it before records of this kind are taken.
 * @return DRG_OK; errors of the store. */
DRG_MUSTCHECK
int drg_supplier_detect_iso_codes(struct drg_supplier *x, struct drg_store *s, enum drg_kind kind,
                                  struct drg_err *reterr);
/** Take a record of the supplier. @param decided  A person has decided about it. @return DRG_OK,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_supplier_add_record(struct drg_supplier *x, const struct drg_record *source, bool decided);

static inline size_t drg_supplier_size(const struct drg_supplier *x)
{
	return x->rows.n / sizeof(struct drg_supplier_row);
}

static inline const struct drg_supplier_row *drg_supplier_row(const struct drg_supplier *x, size_t i)
{
	return &((const struct drg_supplier_row *)(const void *)x->rows.p)[i];
}

/** Why it is not mapped: a country that the reference lacks is another reason than one that is not known. */
static inline enum drg_match_reason drg_supplier_reason(const struct drg_supplier_row *row,
                                                        enum drg_match_reason reason)
{
	return reason == DRG_WHY_COUNTRY_UNMAPPED && row->lacks_country ? DRG_WHY_COUNTRY_MISSING : reason;
}

/** Learn that an id and a name mean this dict record. @param country  Of a city, else 0. */
DRG_MUSTCHECK
int drg_supplier_learn(struct drg_supplier *x, enum drg_kind kind, struct drg_str id, struct drg_str name,
                       int64_t country, int64_t dict_id);
/** The country that tells names of the kind that was read last apart: of a city its own, else 0. */
int64_t drg_supplier_country_of(const struct drg_supplier *x, const struct drg_supplier_row *row);
/** Learn the mappings of the kind that was read last. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_supplier_learn_mapped(struct drg_supplier *x);
/** Sort what was learnt, so that it can be looked up. */
DRG_MUSTCHECK
int drg_supplier_learn_end(struct drg_supplier *x);
