/* src/catalog/air/words_priv.h
 * Words that mean the same in all names of places, by language (docs/search.md): those that may be missing, those that
 * are written in several ways, what countries are called beside their names, and scripts. */
#pragma once
#include "base/buf.h"

enum drg_air_generic {
	DRG_AIR_WORD_OWN, /**< no generic word */
	DRG_AIR_WORD_FILLER, /**< "of", "de" */
	DRG_AIR_WORD_AIRPORT, /**< "airport", "international" */
	DRG_AIR_WORD_SORT, /**< "municipal": of airports too; may be missing in a search, not in drg_air_key() */
};

/** Folds the tables; any thread, once. @return false: out of memory. */
bool drg_air_words_open(void);

/** What a folded word is. */
enum drg_air_generic drg_air_generic(struct drg_str word);

/** Appends @p folded without its generic words: nothing where it has no others. */
void drg_air_core(struct drg_str folded, struct drg_buf *out);

/** Appends @p text with spaces around generic words of scripts that write none between words. */
void drg_air_spread(struct drg_str text, struct drg_buf *out);

/** Appends the words of @p text that are not generic in the letters of their script, a byte for each behind one for the script:
 * so errors are counted as they were typed, "щ" being one letter and not four. @param text  As drg_air_spread() gives it.
 * @param work  Is cleared. @return false, and nothing is appended: it is not in Cyrillic, Arabic or Greek throughout. */
bool drg_air_letters(struct drg_str text, struct drg_buf *work, struct drg_buf *out);

/** Has @p text what Chinese, Japanese and Korean write behind names of cities and provinces, as 市, 省, 시? */
bool drg_air_has_suffix(struct drg_str text);
/** Appends @p text with a space instead of each of them. */
void drg_air_bare(struct drg_str text, struct drg_buf *out);

/** The other ways to write a folded word, with spaces between; empty for most. */
struct drg_str drg_air_same(struct drg_str word);

/** What a country is called beside its names, with spaces between; empty for most. @param code  ISO alpha-2. */
struct drg_str drg_air_country_words(struct drg_str code);

/** A number for the words of a folded name in any order, without fillers and those of airports (of all words, where there
 * are no others), "st" and "saint" being one; 0 for no word. */
uint64_t drg_air_key(struct drg_str folded);

/** What letters stand for: of Chinese those of pinyin; in Arabic "th" and "kh" are the c and j of Spanish names, too. */
enum drg_air_reading { DRG_AIR_PLAIN, DRG_AIR_PINYIN, DRG_AIR_SPANISH };

/** A number for how a folded name sounds: its consonants by where they are formed, each once in a row, without spaces;
 * 0 where that says too little. */
uint64_t drg_air_sound(struct drg_str folded, enum drg_air_reading reading);

/** Is a folded letter a consonant that counts in a sound? */
bool drg_air_is_consonant(char c);
/** 0: the same letter; 1: of one sound, or both none; 2. */
unsigned drg_air_letters_differ(char a, char b);

/** Scripts as bits. */
enum {
	DRG_AIR_LATIN = 1,
	DRG_AIR_CYRILLIC = 2,
	DRG_AIR_HAN = 4,
	DRG_AIR_KANA = 8,
	DRG_AIR_OTHER = 16,
	DRG_AIR_SCRIPTS = 31,
	DRG_AIR_BY_EAR =
	        DRG_AIR_HAN | DRG_AIR_KANA | DRG_AIR_OTHER /**< foreign names are written as they sound */
};
/** Of the first letter that is not ASCII; Latin where there is none. @param text  Valid UTF-8. */
unsigned drg_air_script(struct drg_str text);
