/* src/text/fold.h
 * Names as they are compared: small Latin letters and digits, words with one space between.
 *
 * Letter case, diacritics, apostrophes, soft and hard signs are gone; other scripts are written as people
 * type them in Latin letters (ICU's transliterations: BGN for Cyrillic, pinyin for Han ...), letter by
 * letter, so that a beginning folds to a beginning. "Парижъ" gives "parizh", "Saint-Étienne" "saint etienne",
 * "N'Djaména" "ndjamena". Letters that ICU cannot write in Latin ones stay as they are. */
#pragma once
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"

/** Ways to write the same name that people use beside the plain one: for what is searched, never for what is
 * asked. */
enum drg_fold_way {
	DRG_FOLD_PLAIN,
	DRG_FOLD_UKRAINIAN, /**< Cyrillic by Ukraine's own table: "kyiv", where the plain way gives "kiyiv" */
	DRG_FOLD_DIGRAPHS, /**< "muenchen", where the plain way gives "munchen" */
	DRG_FOLD_WAYS
};

/** Append @p s, folded: at most 7 bytes for each byte of it. Any thread. Allocates nothing but what @p out
 * needs. */
void drg_fold(struct drg_str s, enum drg_fold_way way, struct drg_buf *out);

/** The stamp of the tables by which it folds: fold again what was folded with other tables. */
extern const uint64_t drg_fold_stamp;

/** Write words that only capitals part with spaces: "CityName" is "City Name", "IDHotel" is "ID Hotel".
 * @param to  Twice the bytes of @p text. @return the length. */
size_t drg_fold_part(struct drg_str text, char *to);
