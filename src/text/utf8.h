/* src/text/utf8.h
 * UTF-8: validity, code points, control characters. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

/** Valid UTF-8 (no overlong forms, no surrogates)? @param ret_at  May be NULL; else offset of the first bad
 * byte. */
bool drg_utf8_valid(struct drg_str s, size_t *ret_at);
/** No byte above 0x7f? */
bool drg_utf8_is_ascii(struct drg_str s);
/** Code points in valid UTF-8. */
size_t drg_utf8_count(struct drg_str s);
/** Write a character. @return the number of bytes; 0: it is not a character. */
size_t drg_utf8_put(uint32_t c, char ret[4]);
/** Return the only character of a text; 0: the text is empty, longer or not UTF-8. */
uint32_t drg_utf8_only(struct drg_str s);
/** Valid UTF-8, cut to at most @p max bytes between two characters. */
struct drg_str drg_utf8_cut(struct drg_str s, size_t max);
/** Truncate valid UTF-8 to at most @p count code points. */
struct drg_str drg_utf8_first(struct drg_str s, size_t count);
/** A control character (C0, DEL, C1) other than tab and newline (decision M11)? */
bool drg_utf8_has_control(struct drg_str s);
/** A character that is white space (Unicode's White_Space), or one that is not? */
bool drg_utf8_has(struct drg_str s, bool white);
/** Properties of a text, found in one pass. */
struct drg_utf8_look {
	bool valid; /**< as drg_utf8_valid(); if not, the rest describes the text before the first bad byte */
	bool control; /**< as drg_utf8_has_control() */
	bool blank; /**< as drg_utf8_is_blank() */
	size_t count; /**< as drg_utf8_count() */
};
struct drg_utf8_look drg_utf8_look(struct drg_str s);
/** Nothing but white space (or nothing at all)? */
bool drg_utf8_is_blank(struct drg_str s);
/** Does it begin with a character that shows nothing, white space, a control character of ASCII, or one of
 * Unicode's Default_Ignorable_Code_Point (marks of direction, zero-width spaces, byte order marks)? @return its
 * bytes, 0: no. */
size_t drg_utf8_unseen(struct drg_str s);
/** Without such characters at both ends. */
struct drg_str drg_utf8_trim(struct drg_str s);
