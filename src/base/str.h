/* src/base/str.h
 * Strings as pointer and length: borrowed, not NUL-terminated unless said. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct drg_str {
	const char *p;
	size_t n;
};

/** A string literal as drg_str. */
#define DRG_STR(lit) ((struct drg_str){ (lit), sizeof(lit) - 1 })
/** For printf's "%.*s". */
#define DRG_STR_ARG(s) (int)(s).n, (s).p

static inline struct drg_str drg_str(const char *p, size_t n)
{
	return (struct drg_str){ p, n };
}

/** A drg_str of a NUL-terminated text; NULL gives an empty string. */
static inline struct drg_str drg_str_c(const char *z)
{
	return (struct drg_str){ z, z != NULL ? strlen(z) : 0 };
}

static inline bool drg_str_eq(struct drg_str a, struct drg_str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool drg_str_begins(struct drg_str s, const char *with)
{
	size_t n = strlen(with);
	return s.n >= n && memcmp(s.p, with, n) == 0;
}

/** ASCII letters compared without case. */
bool drg_str_eq_nocase(struct drg_str a, struct drg_str b);

/** Byte order, shorter first when one begins the other: <0, 0, >0. */
int drg_str_cmp(struct drg_str a, struct drg_str b);

/** Bytes of the UTF-8 character that @p s begins with; 0: an invalid or incomplete character. */
size_t drg_str_character(struct drg_str s);

/**
 * Make @p p one line that a terminal shows as plain text (decision P8): a tab and a newline become a blank.
 * Any other control character (C0, DEL, C1), a character that turns the direction of text (Bidi_Control), and
 * each byte that is not UTF-8 becomes a question mark.
 * @return its new length, at most @p n.
 */
size_t drg_str_sanitize(char *p, size_t n);

/** Without leading and trailing ASCII spaces and tabs. */
struct drg_str drg_str_trim(struct drg_str s);

/**
 * Cut the part before the first @p sep off @p rest.
 * @param rest  In and out: what is left; its p becomes NULL after the last part.
 * @return false when nothing was left.
 */
bool drg_str_split(struct drg_str *rest, char sep, struct drg_str *ret_part);

/** Is the word one of @p words, which have a blank before and behind each? */
bool drg_str_is_among(struct drg_str word, const char *words);

/**
 * A decimal integer, optional minus, within int64 (decision L7). Leading zeros are accepted, spaces and plus
 * are not.
 * @return false, @p ret untouched, for anything else.
 */
bool drg_str_to_i64(struct drg_str s, int64_t *ret);

/** Is it exactly the text that drg_i64_text() writes (no padding zeros, no "-0")? Decision M1 needs it. */
bool drg_str_is_canonical_i64(struct drg_str s, int64_t *ret);

/** Room for any int64 in decimal, with its NUL. */
#define DRG_I64_TEXT 24

/** Write @p v in decimal to @p buf (DRG_I64_TEXT bytes), NUL-terminated; returns the length. */
size_t drg_i64_text(int64_t v, char *buf);
