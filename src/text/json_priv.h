/* src/text/json_priv.h
 * What the readers of JSON in this folder share: the grammar, and the few conversions. */
#pragma once
#include <stdint.h>
#include "base/str.h"

static inline bool drg_json_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool drg_json_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/** Not four hexadecimal digits, see drg_json_hex4(). */
enum { DRG_JSON_NOT_HEX = 0x10000 };

/** The code unit that the four characters at @p p write, or DRG_JSON_NOT_HEX. */
uint32_t drg_json_hex4(const char *p);

/** The double nearest to a number's text; infinite when it is too big. */
double drg_json_real_of(struct drg_str number);

/** Where and why a text is not what drg_json_parse() accepts. */
struct drg_json_fault {
	const char *reason; /**< stable word: "invalid_json", "invalid_utf8", "out_of_range", "too_deep" */
	const char *problem; /**< for people */
	size_t line, column; /**< from 1; columns in characters */
};

/**
 * Check a whole text by grammar and limits, but for duplicate members.
 * @param ret_value  The value's text, without the space around it; written only on success.
 * @param ret_fault  Written only on failure.
 */
bool drg_json_check(struct drg_str text, struct drg_str *ret_value, struct drg_json_fault *ret_fault);
