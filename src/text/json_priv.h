/* src/text/json_priv.h
 * What the readers of JSON in this folder share: the grammar, and the few conversions. */
#pragma once
#include <stdint.h>
#include "base/compiler.h"
#include "base/str.h"

static inline bool drg_json_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool drg_json_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/** Stands for itself inside a string. */
static inline bool drg_json_is_plain(char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

/** To the first character at or behind @p p that is not plain, or to @p end; eight at a time. */
static inline const char *drg_json_skip_plain(const char *p, const char *end)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	for (; end - p >= 8; p += 8) {
		uint64_t w;
		memcpy(&w, p, sizeof w);
		/* A byte that becomes zero or borrows lends its highest bit. */
		uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';
		uint64_t odd = ((w - ones * 0x20) & ~w) | ((quote - ones) & ~quote) |
		               ((backslash - ones) & ~backslash);
		if ((odd & high) != 0)
			break;
	}
	while (p < end && drg_json_is_plain(*p))
		p++;
	return p;
}

/** Not four hexadecimal digits, see drg_json_hex4(). */
enum { DRG_JSON_NOT_HEX = 0x10000 };

/** The code unit that the four characters at @p p write, or DRG_JSON_NOT_HEX. */
uint32_t drg_json_hex4(const char *p);

/** The double nearest to a number's text; infinite when it is too big. */
double drg_json_real_of(struct drg_str number);

/** Decode a checked string: @p s is the text between its quotes, @p out has room for as much. @return
 * bytes. */
size_t drg_json_decode(struct drg_str s, char *out);

/** The place and the reason at which a text is not accepted. */
struct drg_json_fault {
	const struct drg_reason *reason;
	const char *problem; /**< for people */
	size_t line, column; /**< from 1; columns in characters */
};

/** The use of a text. Beyond the grammar that all share: */
enum drg_json_use {
	DRG_JSON_LINE, /**< numbers of any size; the walker looks out for members that stand twice */
	DRG_JSON_TREE, /**< no object may have a member twice, numbers fit 64 bits or a double */
	DRG_JSON_DOCUMENT /**< no object may have a member twice; numbers of any size */
};

/**
 * The one acceptor: check a whole text by grammar and limits (decision L10).
 * @param ret_value  The value's text, without the space around it; written only on success.
 * @param ret_fault  Written only with DRG_EINVAL.
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM (never for DRG_JSON_LINE).
 */
DRG_MUSTCHECK
int drg_json_check(struct drg_str text, enum drg_json_use use, struct drg_str *ret_value,
                   struct drg_json_fault *ret_fault);
