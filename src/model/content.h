/* src/model/content.h
 * What is inside hotel content: descriptions, facilities, photos. Each is a list of objects with a table of
 * its own, kept as canonical JSON text: every member present (null where nothing was given), in the table's
 * order. */
#pragma once
#include "model/ndjson.h"
#include "model/relink.h"
#include "text/json_scan.h"

/**
 * Check the list of a DRG_V_JSON field.
 * @param arena   Holds the canonical text.
 * @param reterr  The field at fault as a path: "facilities[0].items[2].type_id".
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_content_read(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr);

/** Check that drg_content_read() writes a text like this for some list. @return DRG_OK, DRG_EINVAL,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_content_check(const struct drg_field_def *f, struct drg_str text, struct drg_err *reterr);

/** Are there dict records of this kind that content can name? */
bool drg_content_names(enum drg_kind kind);

/** Report the dict records that the canonical text of field @p f refers to. @return DRG_OK; DRG_ENOMEM: none
 * was. */
DRG_MUSTCHECK
int drg_content_refs(const struct drg_field_def *f, struct drg_str text, drg_ref_fn *fn, void *ctx);

/**
 * Replace the dict ids in the canonical text of field @p f as drg_record_relink() says.
 * @param text     In and out: a new text in @p arena if an id has changed.
 * @param changed  Set when it has, else left alone.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_content_relink(const struct drg_field_def *f, drg_relink_fn *fn, void *ctx, struct drg_arena *arena,
                       struct drg_str *text, bool *changed);
