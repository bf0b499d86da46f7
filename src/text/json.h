/* src/text/json.h
 * JSON in (jansson, with the limits of decision L10) and JSON out (appends to a buffer). */
#pragma once
#include <jansson.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum { DRG_JSON_DEPTH = 32 };

/**
 * Parse a whole document: UTF-8, RFC 8259, no duplicate members, nesting at most DRG_JSON_DEPTH, no \u0000,
 * integers within int64.
 * @param ret  A jansson value; release it with json_decref().
 * @return DRG_OK; DRG_EINVAL with "line L, column C: ..." in the message; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_parse(struct drg_str text, json_t **ret, struct drg_err *reterr);

/**
 * The bytes of top-level member @p name of an object that drg_json_parse() accepts, exactly as given.
 * @param ret  Empty when there is no such member.
 * @return DRG_OK; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_json_member_raw(struct drg_str object, struct drg_str name, struct drg_str *ret);

/** @p s with JSON's escapes, without quotes. Only what must be escaped is: quote, backslash, control
 * characters. */
void drg_json_escape(struct drg_buf *b, struct drg_str s);
/** Write the plain text of what drg_json_escape() wrote. */
void drg_json_unescape(struct drg_buf *b, struct drg_str escaped);
/** Does @p s need escapes? */
bool drg_json_needs_escape(struct drg_str s);
/** @p s as a quoted JSON string. */
void drg_json_string(struct drg_buf *b, struct drg_str s);
/** The shortest decimal text that reads back as the same double: 36.8969, -0.5, 12, 1e+30; null of what
 * is not finite. */
void drg_json_real(struct drg_buf *b, double d);
/** Any jansson value, compact, members in their order. */
void drg_json_value(struct drg_buf *b, const json_t *v);

/**
 * Writer of nested values that takes care of commas. Errors are the buffer's, and sticky. Values inside an
 * object are preceded by drg_jw_key(); its name is written as it is (ours, never a client's).
 */
struct drg_jw {
	struct drg_buf *b;
	bool comma; /**< a value stands before in this container */
};

static inline void drg_jw_sep(struct drg_jw *w)
{
	if (w->comma)
		drg_buf_char(w->b, ',');
	w->comma = true;
}

void drg_jw_object(struct drg_jw *w); /**< { */
void drg_jw_object_end(struct drg_jw *w); /**< } */
void drg_jw_array(struct drg_jw *w); /**< [ */
void drg_jw_array_end(struct drg_jw *w); /**< ] */
/** A member name of ours (plain ASCII): no escaping. */
void drg_jw_key(struct drg_jw *w, const char *name);
/** A member name from data: escaped. */
void drg_jw_key_str(struct drg_jw *w, struct drg_str name);
/** A member name that is escaped already. */
void drg_jw_key_escaped(struct drg_jw *w, struct drg_str escaped);
void drg_jw_str(struct drg_jw *w, struct drg_str s);
/** A string whose escapes are in place already (the catalog keeps them so). */
void drg_jw_escaped(struct drg_jw *w, struct drg_str escaped);
void drg_jw_i64(struct drg_jw *w, int64_t v);
void drg_jw_real(struct drg_jw *w, double d); /**< as drg_json_real() */
void drg_jw_bool(struct drg_jw *w, bool v);
void drg_jw_null(struct drg_jw *w);
/** Ready-made JSON as a value. */
void drg_jw_raw(struct drg_jw *w, struct drg_str json);

/* Write drg_jw_key() and the value, or the value's beginning. */
void drg_jw_member_object(struct drg_jw *w, const char *name);
void drg_jw_member_array(struct drg_jw *w, const char *name);
void drg_jw_member_str(struct drg_jw *w, const char *name, struct drg_str s);
void drg_jw_member_escaped(struct drg_jw *w, const char *name, struct drg_str escaped);
void drg_jw_member_i64(struct drg_jw *w, const char *name, int64_t v);
void drg_jw_member_u64(struct drg_jw *w, const char *name, uint64_t v); /**< at most INT64_MAX */
void drg_jw_member_i64_str(struct drg_jw *w, const char *name, int64_t v); /**< as a string (L8) */
void drg_jw_member_real(struct drg_jw *w, const char *name, double d);
void drg_jw_member_bool(struct drg_jw *w, const char *name, bool v);
void drg_jw_member_null(struct drg_jw *w, const char *name);
void drg_jw_member_raw(struct drg_jw *w, const char *name, struct drg_str json);
void drg_jw_member_str_or_null(struct drg_jw *w, const char *name,
                               struct drg_str s); /**< null: it is empty */
void drg_jw_member_i64_or_null(struct drg_jw *w, const char *name, bool is_known, int64_t v);
