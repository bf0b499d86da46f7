/* src/text/lang.h
 * Language tags (decision L1). */
#pragma once
#include <stdbool.h>
#include "base/str.h"

enum {
	DRG_LANG_MAX = 35,
	DRG_LANG_FULL =
	        DRG_LANG_MAX + 21, /**< with what CLDR has instead of its beginning, a script and a region */
	DRG_LANG_CHAIN = 8
};

/** Well formed: groups of 1..8 letters or digits, the first of 2..8 letters, joined by hyphens or, as PHP, Java
 * and Android write them, underscores; at most DRG_LANG_MAX characters? */
bool drg_lang_valid(struct drg_str tag);

/** Lower case and with hyphens into @p buf (DRG_LANG_MAX + 1 bytes, NUL-terminated). The tag is valid. */
struct drg_str drg_lang_normal(struct drg_str tag, char *buf);

/** A valid lower-case tag in full: CLDR's tag of an alias, with the likely script; where that is not the usual
 * one, with its region. "iw" is "he-hebr", "zh-hant" and "zh-tw" are "zh-hant-tw". Tags that are the same in
 * full mean the same; but "pt" does not mean "pt-br".
 * @param buf  DRG_LANG_FULL + 1 bytes. */
struct drg_str drg_lang_full(struct drg_str tag, char *buf);

/**
 * The tags to try for a valid lower-case tag: itself, what CLDR calls it, then shorter by one group at a time,
 * then "en". "uk-ua" gives uk-ua, uk, en; "zh-tw" gives zh-tw, zh-hant-tw, zh-hant, zh, en. Entries borrow from
 * @p tag and @p buf.
 * @param buf  DRG_LANG_FULL + 1 bytes.
 * @return how many, at most DRG_LANG_CHAIN.
 */
unsigned drg_lang_chain(struct drg_str tag, char *buf, struct drg_str *ret);
