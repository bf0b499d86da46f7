/* src/load/columns.h
 * What suppliers call their columns, in several languages, and which field that is. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "model/model.h"
#include "sheet/sheet.h"

/** Fold the names, once. @return DRG_OK; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_columns_open(struct drg_err *reterr);

/** The name of a column, folded once: a header may have a thousand, and each is compared with many. */
struct drg_column {
	struct drg_str name; /**< borrowed */
	struct drg_str key; /**< folded; empty where the name is longer than any of people's */
};
/** @param arena  Owns the key. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_column_make(struct drg_str name, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr);
/** The same column but for case, diacritics and blanks? */
bool drg_column_same(const struct drg_column *a, const struct drg_column *b);

/** The field that a column feeds in a list of this kind; NULL: none that is known. @param ret_vague  It may be
 * that, if no other column is; may be NULL. */
const struct drg_field_def *drg_column_field(enum drg_kind kind, const struct drg_column *column,
                                             bool *ret_vague);
/**
 * Likewise, those of a column that feeds two: "Coordinates", "lat, lng", "Code / Name", whose cells have both.
 * @return how many fields: 0 to 2, in @p ret
 */
unsigned drg_column_fields(enum drg_kind kind, const struct drg_column *column,
                           const struct drg_field_def *ret[2]);
/** Is it a word for a sum: "Total", "Итого"? */
bool drg_column_is_total(struct drg_str cell);
/** Which part of its cells feeds the field, if it feeds that besides another: 0, 1; -1: it does not feed two
 * of which this is one. */
int drg_column_part(enum drg_kind kind, const struct drg_column *column, const struct drg_field_def *f);

/** Where the columns of a list of ours stand. @param ret  For each of the @p n names its cell in the header;
 * -1: there is none.
 * @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_columns_find(const struct drg_sheet_row *header, const char *const *names, unsigned n, int *ret,
                     struct drg_err *reterr);
