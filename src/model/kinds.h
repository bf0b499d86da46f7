/* src/model/kinds.h
 * The one table of the kinds of records: "meal", "hotel". A kind is its row here; the fields of its records are
 * in the tables of fields (model/model.c). Requests, lists, columns of suppliers' files, the matcher,
 * OpenRefine, OpenAPI and the pages read the row. A file that must name a kind, because it is about that kind
 * alone, has a row in tools/kinds.md (tools/lint_kinds.py). */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

/** How the matcher compares suppliers' records of a kind with the reference. */
enum drg_kind_comparison {
	DRG_COMPARED_NOT, /**< only the reference has records of this kind */
	DRG_COMPARED_CODES, /**< by ISO code, then by name */
	DRG_COMPARED_PLACES, /**< by name, and by where it is */
	DRG_COMPARED_TERMS, /**< by what the name means ("half board"), then by the name */
	DRG_COMPARED_LABELS, /**< by name alone */
	DRG_COMPARED_HOTELS /**< by all that is known of a house, weighed (match/card/) */
};

/** By what the main references of API A know the records of a kind. */
enum drg_list_keyed {
	DRG_KEYED_NOT, /**< the main references of neither API have this kind */
	DRG_KEYED_ID,
	DRG_KEYED_CODE, /**< the ISO code */
	DRG_KEYED_NAME
};

/* The columns:
 *   number, NAME  DRG_KIND_NAME. The number is stored: never change one; a new kind has the next one
 *   name, plural  on the wire; the plural is its member of API A's main references
 *   title, label  for people: in OpenRefine; on the pages
 *   compared      DRG_COMPARED_...: of all kinds but NOT, suppliers have records too
 *   keyed         DRG_KEYED_...
 *   requests      ASKED: an attribute of tour/sourceInfo, tour/sourceAdd and tour/compared; OTHER: these
 *                 requests do not know it; it is loaded, matched, curated and exported like the others
 *   order         its place on the pages and in the main references, from 0
 *   offered       its place where the most used kinds come first (OpenRefine, the demo), from 1; 0: not there
 *   words         how suppliers name a column of it, folded, with bars between them: "room type|room types";
 *                 "": load/column_words.c has such words, by language, or there are none */
/* clang-format off */
#define DRG_KINDS(K) \
	K(0, COUNTRY, "country", "countries", "Country", "Country", \
	  CODES, CODE, ASKED, 0, 3, "") \
	K(1, DEP_CITY, "dep_city", "dep_cities", "Departure city", "Departure city", \
	  PLACES, ID, ASKED, 1, 4, "") \
	K(2, CURRENCY, "currency", "currencies", "Currency", "Currency", \
	  CODES, CODE, ASKED, 6, 7, "") \
	K(3, CITY, "city", "cities", "City or resort", "City", \
	  PLACES, NOT, ASKED, 2, 2, "") \
	K(4, MEAL, "meal", "meals", "Meal", "Meal", \
	  TERMS, NAME, ASKED, 5, 5, "") \
	K(5, HOTEL_CATEGORY, "hotel_category", "hotel_categories", "Hotel category", "Hotel category", \
	  TERMS, NAME, ASKED, 3, 6, "") \
	K(6, HOTEL, "hotel", "hotels", "Hotel", "Hotel", \
	  HOTELS, NOT, ASKED, 4, 1, "") \
	K(7, HOTEL_TYPE, "hotel_type", "hotel_types", "Hotel type", "Hotel type", \
	  NOT, NOT, OTHER, 7, 0, "") \
	K(8, DESCRIPTION_TYPE, "description_type", "description_types", "Type of description", \
	  "Type of description", NOT, NOT, OTHER, 8, 0, "") \
	K(9, FACILITY_GROUP, "facility_group", "facility_groups", "Group of facilities", \
	  "Group of facilities", NOT, NOT, OTHER, 9, 0, "") \
	K(10, FACILITY_TYPE, "facility_type", "facility_types", "Facility", "Facility", \
	  NOT, NOT, OTHER, 10, 0, "")
/* clang-format on */

#define DRG_KIND_ENUM(number, NAME, ...) DRG_KIND_##NAME = (number),
/** Kinds of dict records; drg_kind_is_source(): of source records too. */
enum drg_kind { DRG_KINDS(DRG_KIND_ENUM) DRG_KIND_COUNT, DRG_KIND_NONE = 255 };
#undef DRG_KIND_ENUM
_Static_assert(DRG_KIND_COUNT <= 16, "a kind has four bits in the matcher's keys");

struct drg_kind_row {
	const char *name, *plural, *title, *label, *words;
	enum drg_kind_comparison compared;
	enum drg_list_keyed keyed;
	bool asked;
	uint8_t offered;
};
extern const struct drg_kind_row drg_kinds[DRG_KIND_COUNT];
/** Kinds by their `order`. */
extern const uint8_t drg_kinds_in_order[DRG_KIND_COUNT];

#define DRG_KIND_BIT(number, NAME, name, plural, title, label, compared, ...)                                \
	| (unsigned)(DRG_COMPARED_##compared != DRG_COMPARED_NOT) << (number)
/** The kinds of source records, and all kinds: a bit for each. */
enum { DRG_KINDS_SOURCE = 0 DRG_KINDS(DRG_KIND_BIT), DRG_KINDS_ALL = (1 << DRG_KIND_COUNT) - 1 };
#undef DRG_KIND_BIT

/** Is the kind in the set? Any number may be asked for. */
static inline bool drg_kind_in(unsigned kinds, unsigned kind)
{
	return kind < DRG_KIND_COUNT && (kinds >> kind & 1) != 0;
}

/** Do suppliers have records of this kind? Any number may be asked for. */
static inline bool drg_kind_is_source(unsigned kind)
{
	return drg_kind_in(DRG_KINDS_SOURCE, kind);
}

/** How records of the kind are compared; DRG_COMPARED_NOT: not at all, or there is no such kind. */
static inline enum drg_kind_comparison drg_kind_compared(unsigned kind)
{
	return kind < DRG_KIND_COUNT ? drg_kinds[kind].compared : DRG_COMPARED_NOT;
}

/** Wire name of a kind ("dep_city"); "" beyond the last. */
const char *drg_kind_name(enum drg_kind kind);
/** @return DRG_KIND_NONE when there is none of that name. */
enum drg_kind drg_kind_by_name(struct drg_str name);
/** Write the names of kinds, with commas: "country, dep_city". @return the text, in @p buf. */
const char *drg_kind_names(unsigned kinds, char *buf, size_t n);
