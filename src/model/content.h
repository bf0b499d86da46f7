/* src/model/content.h
 * What is inside hotel content: descriptions, facilities, photos. Each is a list of objects with a table of its
 * own, kept as canonical JSON text: every member present (null where nothing was given), in the table's order. */
#pragma once
#include "model/ndjson.h"
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

/** Report the dict records that the canonical text of field @p f refers to. */
void drg_content_refs(const struct drg_field_def *f, struct drg_str text, drg_ref_fn *fn, void *ctx);
