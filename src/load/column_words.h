/* src/load/column_words.h
 * The words of which suppliers make the names of columns, in fourteen languages, and what each says. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/** What the words of a name say, a bit each. */
enum drg_column_says {
	/* whose column it is: of the hotel, of its country ... */
	DRG_COL_HOTEL = 1 << 0,
	DRG_COL_COUNTRY = 1 << 1,
	DRG_COL_CITY = 1 << 2,
	DRG_COL_DEPARTURE = 1 << 3,
	DRG_COL_CATEGORY = 1 << 4,
	DRG_COL_MEAL = 1 << 5,
	DRG_COL_CURRENCY = 1 << 6,
	DRG_COL_SUBJECTS = (1 << 7) - 1,
	/* what of it */
	DRG_COL_ID = 1 << 7,
	DRG_COL_NUMBER = 1 << 8, /**< an id of a subject, else a count or a part of a word: "phone number" */
	DRG_COL_NAME = 1 << 9,
	DRG_COL_LAT = 1 << 10,
	DRG_COL_LNG = 1 << 11,
	DRG_COL_PAIR = 1 << 12, /**< both coordinates */
	DRG_COL_ADDRESS = 1 << 13,
	DRG_COL_ZIP = 1 << 14,
	DRG_COL_URL = 1 << 15,
	DRG_COL_PHONE = 1 << 16,
	DRG_COL_ISO = 1 << 17,
	DRG_COL_LANG = 1 << 18,
	DRG_COL_RESORT = 1 << 19, /**< whether it is one */
	DRG_COL_DICT = 1 << 20,
	DRG_COL_HOUSE = 1 << 21, /**< the number of a house, which only a street has beside it */
	DRG_COL_WHAT = (1 << 22) - (1 << 7),
	/* what kind of a name or number it is */
	DRG_COL_GEO = 1 << 22, /**< alone both coordinates */
	DRG_COL_DEGREES = 1 << 23, /**< "decimal": of coordinates */
	DRG_COL_CONTACT = 1 << 24,
	DRG_COL_TITLE = 1 << 25, /**< "official", "commercial": of names and stars */
	DRG_COL_SOURCE = 1 << 26, /**< "supplier": whose id of a hotel it is */
	DRG_COL_QUALITIES = (1 << 27) - (1 << 22),
	/* how sure it is */
	DRG_COL_FEWER = 1 << 27, /**< a wider word than the usual one: "municipality", "object" */
	DRG_COL_VAGUE = 1 << 28, /**< one that may mean it: "region" */
	DRG_COL_LNG_FIRST = 1 << 29, /**< of both coordinates the longitude comes first */
};

/** Fold the words, once for the process. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_column_words_open(struct drg_err *reterr);

/** What all words of a folded name say (enum drg_column_says); 0: one of them is not known. */
unsigned drg_column_says(struct drg_str folded);
