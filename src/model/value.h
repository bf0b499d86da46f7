/* src/model/value.h
 * One value of one field: JSON checked by the field's row in the model table, and written back. The rules of
 * every reader (NDJSON, CSV, hotel content) live here. */
#pragma once
#include "model/record.h"
#include "text/json.h"
#include "text/json_scan.h"

enum { DRG_NAMES_MAX = 200 }; /**< languages in one DRG_V_NAMES */

/**
 * Check @p v and take it over. Every type but DRG_V_JSON and DRG_V_RAW, which need more than the value.
 * @param v       Not null (JSON); what null means is the caller's business.
 * @param arena   Holds texts of the result; others are borrowed from @p v.
 * @param reterr  The field, and "expected ..., found ...".
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_value_read(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *arena,
                   union drg_value *ret, struct drg_err *reterr);

/**
 * Check a value in a record's canonical form. For every type except DRG_V_JSON and DRG_V_RAW, which
 * drg_record_check() checks.
 * @param reterr  As drg_value_read().
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_value_check(const struct drg_field_def *f, union drg_value v, struct drg_err *reterr);

/** Remove a text from the beginning of canonical JSON. @return false: it begins differently. */
bool drg_kept_take(struct drg_str *rest, struct drg_str text);
/**
 * Check a value in canonical JSON, and remove it from the beginning of @p rest. For the types DRG_V_INT,
 * DRG_V_BOOL, DRG_V_TEXT and DRG_V_NAMES.
 * @return DRG_OK; DRG_EINVAL, and @p rest is undefined; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_value_take(const struct drg_field_def *f, struct drg_str *rest, struct drg_err *reterr);

/**
 * Check a user's text for a field of a type (DRG_V_TEXT or DRG_V_SRCID), before it is used.
 * @param reterr  The message begins with the field's name; empty_text, too_short, too_long,
 *                control_character, or invalid_text if it is not UTF-8.
 * @return DRG_OK, DRG_EINVAL.
 */
DRG_MUSTCHECK
int drg_field_check_text(enum drg_type_id type, enum drg_field field, struct drg_str text,
                         struct drg_err *reterr);

/** Fail with "expected <what the field wants>, found <found>". */
int drg_value_fail(struct drg_err *reterr, const struct drg_field_def *f, const struct drg_reason *reason,
                   const char *found);

/**
 * Fail because of a member that does not belong there: the field is its name, made fit for terminals.
 * @param where  "dict city".
 * @param names  The members that do belong there, joined by commas.
 */
int drg_value_fail_member(struct drg_err *reterr, struct drg_str name, const char *where, const char *names);

/** The canonical JSON of a value of any type. Names are an object, also when only "en" is there. */
void drg_value_write(struct drg_jw *w, const struct drg_field_def *f, union drg_value v);
