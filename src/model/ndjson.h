/* src/model/ndjson.h
 * The interchange format, line by line: validation on the way in, canonical bytes on the way out. */
#pragma once
#include "model/record.h"

/**
 * Told of every identifier that a record refers to (docs/interchange.md: what is checked), with the field that
 * holds it. @p ref is enum drg_kind or a DRG_REF_*; @p id is the integer (adapter, dict, place), @p text the
 * supplier's id for DRG_REF_SOURCE_HOTEL (then @p id is the adapter).
 */
typedef void drg_ref_fn(void *ctx, int ref, int64_t id, struct drg_str text, const char *field);

/**
 * One line to a record.
 * @param line    Without its newline; checked for UTF-8 here.
 * @param arena   Holds what the record borrows (besides @p line itself); the caller resets it.
 * @param ret     Written only on success; valid while arena and line are.
 * @param reterr  field, and a message "expected ..., found ...".
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_ndjson_read(struct drg_str line, struct drg_arena *arena, struct drg_record *ret,
                    struct drg_err *reterr);

/** Report every reference of @p r, those inside hotel content included. A deleted record has none. @return
 * DRG_OK; DRG_ENOMEM: not all of them were. */
DRG_MUSTCHECK
int drg_record_refs(const struct drg_record *r, drg_ref_fn *fn, void *ctx);

/**
 * The canonical line of a record with its newline: `type`, then the fields in the order of the table; absent
 * fields and defaults that equal their default are left out; names with only "en" are a plain string.
 * Reading it gives an equal record.
 */
void drg_ndjson_write(const struct drg_record *r, struct drg_buf *out);
