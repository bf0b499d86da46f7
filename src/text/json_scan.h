/* src/text/json_scan.h
 * JSON read in place: the text is checked once and then walked, no tree is built. For the millions of short
 * lines of an import, where building one costs more than everything else. Grammar and limits are the ones of
 * drg_json_parse(), except duplicate members, which the walker has to look out for, and numbers too big for
 * 64 bits or a double: their reader refuses them, or keeps their text. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

enum drg_json_type {
	DRG_JSON_NULL,
	DRG_JSON_BOOL,
	DRG_JSON_INT,
	DRG_JSON_BIG_INT, /**< beyond 64 bits, its digits in `s` */
	DRG_JSON_REAL,
	DRG_JSON_STRING,
	DRG_JSON_OBJECT,
	DRG_JSON_ARRAY
};

/** One value. */
struct drg_json_item {
	enum drg_json_type type;
	union {
		bool b;
		int64_t i;
		double d;
		struct drg_str s; /**< STRING: decoded; OBJECT, ARRAY: the text with its brackets; BIG_INT */
	};
};

/**
 * Check a whole text, to its last byte and deepest level.
 * @param arena  Holds a text that has escapes; other texts are borrowed from @p text.
 * @param ret    The value, for use while @p text and @p arena are.
 * @return DRG_OK; DRG_EINVAL with "column C: ..." in the message (C counts characters from 1); DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_scan(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                  struct drg_err *reterr);

/**
 * Like drg_json_scan(), for a text of many lines in which no object may have a member twice, at any depth:
 * the body of a request (decision L10). One pass; what a member is called and whether anybody reads it makes
 * no difference.
 * @return DRG_OK; DRG_EINVAL with "line L, column C: ..." in the message; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_scan_document(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                           struct drg_err *reterr);
/** The same, and refuse numbers too big for 64 bits or a double, as drg_json_parse() does. */
DRG_MUSTCHECK
int drg_json_scan_small_numbers(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                                struct drg_err *reterr);

/** A walk over the members of an object or the items of an array. */
struct drg_json_walk {
	const char *p, *end;
	struct drg_arena *arena;
	struct drg_str raw; /**< the last value, byte for byte */
	bool object;
};

/** @param container  An object or array that came from drg_json_scan(), directly or by walking. */
void drg_json_walk_init(struct drg_json_walk *w, const struct drg_json_item *container,
                        struct drg_arena *arena);

/**
 * The next value.
 * @param ret_name  Its member name, decoded; left alone in an array.
 * @return DRG_OK; DRG_ENOENT behind the last; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_walk_next(struct drg_json_walk *w, struct drg_str *ret_name, struct drg_json_item *ret);

/**
 * Find some members in one walk.
 * @param v    An object; in anything else no member is found.
 * @param ret  For each of the @p n names its value; DRG_JSON_NULL: there is none.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_find_members(const struct drg_json_item *v, struct drg_arena *arena, const char *const names[],
                          size_t n, struct drg_json_item ret[]);
/**
 * The items of an array, in @p arena. Null has none, and any other value is its only item.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_items(const struct drg_json_item *v, struct drg_arena *arena, const struct drg_json_item **ret,
                   size_t *ret_n);

/** "an object", "the text \"abc\"" (cut, escaped), "the number 12.5": what was found, for messages, into
 * @p buf. */
const char *drg_json_item_describe(const struct drg_json_item *v, char *buf, size_t n);
