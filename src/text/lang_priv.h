/* src/text/lang_priv.h
 * CLDR's tables of languages, which tools/lang_tables.c makes; each is sorted by `from`. */
#pragma once
#include <stddef.h>

enum { DRG_LANG_ROW = 16 };

/** In lower case, with hyphens. */
struct drg_lang_row {
	char from[DRG_LANG_ROW], to[DRG_LANG_ROW];
};

/** "iw" is "he", "sh" is "sr-latn". */
extern const struct drg_lang_row drg_lang_aliases[];
extern const size_t drg_lang_n_aliases;
/** "uk" is "gb". */
extern const struct drg_lang_row drg_lang_regions[];
extern const size_t drg_lang_n_regions;
/** "zh" is likely "zh-hans-cn", and "zh-tw" "zh-hant-tw". Regions and scripts are here that change the rest. */
extern const struct drg_lang_row drg_lang_likely[];
extern const size_t drg_lang_n_likely;
