/* src/catalog/air/words_priv.h
 * Words with a meaning in all names of places, by language (docs/search.md): words that may be left out,
 * words that are written in several ways; and scripts. */
#pragma once
#include "base/buf.h"

enum drg_air_generic {
	DRG_AIR_WORD_OWN, /**< no generic word */
	DRG_AIR_WORD_FILLER, /**< "of", "de" */
	DRG_AIR_WORD_AIRPORT, /**< "airport", "international" */
	/** "municipal": of airports too; may be missing in a search, not in drg_air_key() */
	DRG_AIR_WORD_SORT,
};

/** Fold the tables; call it from any thread, once. @return false: out of memory. */
bool drg_air_words_open(void);

/** The class of a folded word. */
enum drg_air_generic drg_air_generic(struct drg_str word);

/** Append @p folded without its generic words; nothing if all its words are generic. */
void drg_air_core(struct drg_str folded, struct drg_buf *out);

/** Append @p text with spaces around generic words of scripts that write none between words. */
void drg_air_spread(struct drg_str text, struct drg_buf *out);

/** Append the words of @p text that are not generic, in the letters of their script: one byte for the script,
 * then one byte for each letter. Errors are counted in these, so "щ" is one letter and not four.
 * @param text  As from drg_air_spread().
 * @param work  Is cleared.
 * @return false, nothing is appended: the text is not in Cyrillic, Arabic or Greek throughout. */
bool drg_air_letters(struct drg_str text, struct drg_buf *work, struct drg_buf *out);

/** Does @p text have a suffix that Chinese, Japanese or Korean put behind names of cities and provinces, as 市,
 * 省, 시? */
bool drg_air_has_suffix(struct drg_str text);
/** Append @p text with a space instead of each suffix. */
void drg_air_bare(struct drg_str text, struct drg_buf *out);

/** The other ways to write a folded word, separated by spaces; empty for most words. */
struct drg_str drg_air_same(struct drg_str word);

/** A number for the words of a folded name in any order. Fillers and words of airports do not count, unless
 * the name has no others; "st" and "saint" are one word. 0: no word. */
uint64_t drg_air_key(struct drg_str folded);

/** How letters are read: pinyin for Chinese; in Arabic "th" and "kh" may be the c and j of Spanish names. */
enum drg_air_reading { DRG_AIR_PLAIN, DRG_AIR_PINYIN, DRG_AIR_SPANISH };

/** A number for the sound of a folded name: its consonants by where they are formed, without repetitions and
 * spaces. 0: too few consonants to be useful. */
uint64_t drg_air_sound(struct drg_str folded, enum drg_air_reading reading);

/** The same for a name in a script, another number in each script. @param script  One of the scripts below. */
uint64_t drg_air_sound_in(struct drg_str folded, unsigned script);

/** Is a folded letter a consonant that has a sound? */
bool drg_air_is_consonant(char c);
/** 0: the same letter; 1: the same sound, or both without one; 2: different sounds. */
unsigned drg_air_letters_differ(char a, char b);

/** Scripts as bits. */
enum {
	DRG_AIR_LATIN = 1,
	DRG_AIR_CYRILLIC = 2,
	DRG_AIR_HAN = 4,
	DRG_AIR_KANA = 8,
	DRG_AIR_OTHER = 16,
	DRG_AIR_SCRIPTS = 31,
	DRG_AIR_BY_EAR = DRG_AIR_HAN | DRG_AIR_KANA | DRG_AIR_OTHER /**< write foreign names as they sound */
};
/** The script of the first letter that is not ASCII; Latin if there is none. @param text  Valid UTF-8. */
unsigned drg_air_script(struct drg_str text);
