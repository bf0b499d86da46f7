/* src/match/latin.h
 * Texts in small Latin letters, as ICU transliterates other scripts. Results for Latin and Cyrillic words are
 * cached: names of hotels repeat them, and ICU takes ten microseconds for each. */
#pragma once
#include "text/icu.h"

#include "base/err.h"
#include "base/str.h"

/** Room for the transliteration of a text of 1,024 characters, in units of UTF-16: a letter of another script
 * becomes up to a word. */
enum { DRG_LATIN_ROOM = 1 << 14 };

/** For one thread. */
struct drg_latin;

/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_latin_new(struct drg_latin **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_latin_free(struct drg_latin *l);

/** @param ret  DRG_LATIN_ROOM units. @return how many units; 0: ICU cannot read the text. Text behind 4,096
 *             bytes is ignored. */
int32_t drg_latin_transliterate(struct drg_latin *l, struct drg_str text, UChar *ret);
