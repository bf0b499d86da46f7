/* src/load/column_words.h
 * The words of which suppliers make the names of columns, in fourteen languages, and what each says. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include "model/kinds.h"

/** The meanings of the words of a name, a bit each. */
#define DRG_COL_BIT(n) (UINT64_C(1) << (n))
/* whose column it is: of the hotel, of its country ...; the bits of the kinds */
#define DRG_COL_HOTEL DRG_COL_BIT(DRG_KIND_HOTEL)
#define DRG_COL_COUNTRY DRG_COL_BIT(DRG_KIND_COUNTRY)
#define DRG_COL_CITY DRG_COL_BIT(DRG_KIND_CITY)
#define DRG_COL_DEPARTURE DRG_COL_BIT(DRG_KIND_DEP_CITY)
#define DRG_COL_CATEGORY DRG_COL_BIT(DRG_KIND_HOTEL_CATEGORY)
#define DRG_COL_MEAL DRG_COL_BIT(DRG_KIND_MEAL)
#define DRG_COL_CURRENCY DRG_COL_BIT(DRG_KIND_CURRENCY)
#define DRG_COL_SUBJECTS ((uint64_t)DRG_KINDS_ALL)
/* what of it */
#define DRG_COL_ID DRG_COL_BIT(16)
/** An id of a subject, else a count or a part of a word: "phone number". */
#define DRG_COL_NUMBER DRG_COL_BIT(17)
#define DRG_COL_NAME DRG_COL_BIT(18)
#define DRG_COL_LAT DRG_COL_BIT(19)
#define DRG_COL_LNG DRG_COL_BIT(20)
#define DRG_COL_PAIR DRG_COL_BIT(21) /**< both coordinates */
#define DRG_COL_ADDRESS DRG_COL_BIT(22)
#define DRG_COL_ZIP DRG_COL_BIT(23)
#define DRG_COL_URL DRG_COL_BIT(24)
#define DRG_COL_PHONE DRG_COL_BIT(25)
#define DRG_COL_ISO DRG_COL_BIT(26)
#define DRG_COL_LANG DRG_COL_BIT(27)
#define DRG_COL_RESORT DRG_COL_BIT(28) /**< whether it is one */
#define DRG_COL_DICT DRG_COL_BIT(29)
#define DRG_COL_HOUSE DRG_COL_BIT(30) /**< the number of a house, which only a street has beside it */
#define DRG_COL_WHAT (DRG_COL_BIT(31) - DRG_COL_BIT(16))
/* what kind of a name or number it is */
#define DRG_COL_GEO DRG_COL_BIT(31) /**< alone both coordinates */
#define DRG_COL_DEGREES DRG_COL_BIT(32) /**< "decimal": of coordinates */
#define DRG_COL_CONTACT DRG_COL_BIT(33)
#define DRG_COL_TITLE DRG_COL_BIT(34) /**< "official", "commercial": of names and stars */
#define DRG_COL_SOURCE DRG_COL_BIT(35) /**< "supplier": whose id of a hotel it is */
#define DRG_COL_QUALITIES (DRG_COL_BIT(36) - DRG_COL_BIT(31))
/* how sure it is */
#define DRG_COL_FEWER DRG_COL_BIT(36) /**< a wider word than the usual one: "municipality", "object" */
#define DRG_COL_VAGUE DRG_COL_BIT(37) /**< one that may mean it: "region" */
#define DRG_COL_LNG_FIRST DRG_COL_BIT(38) /**< of both coordinates the longitude comes first */

/** Fold the words, once for the process. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_column_words_open(struct drg_err *reterr);

/** The meanings of all words of a folded name (DRG_COL_...); 0: one of them is not known. */
uint64_t drg_column_says(struct drg_str folded);
