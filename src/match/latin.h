/* src/match/latin.h
 * Texts in small Latin letters, as ICU writes other scripts. Words of Latin and Cyrillic letters are
 * remembered: in names of hotels they come again and again, and ICU takes ten microseconds for each. */
#pragma once
#include "text/icu.h"

#include "base/err.h"
#include "base/str.h"

/** A text of 1,024 characters, and what it can become: a letter of another script is up to a word. In units of
 * UTF-16. */
enum { DRG_LATIN_ROOM = 1 << 14 };

/** For one thread. */
struct drg_latin;

/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_latin_new(struct drg_latin **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_latin_free(struct drg_latin *l);

/** @param ret  DRG_LATIN_ROOM units. @return how many it is; 0 where ICU cannot read it. What is behind 4,096
 *             bytes is left out. */
int32_t drg_latin_small(struct drg_latin *l, struct drg_str text, UChar *ret);
