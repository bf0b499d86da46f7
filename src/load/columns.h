/* src/load/columns.h
 * What suppliers call their columns, in several languages, and which field that is. */
#pragma once
#include "model/model.h"
#include "base/err.h"

/** Fold the names, once. @return DRG_OK; DRG_EINTERNAL: ICU lacks its data. */
DRG_MUSTCHECK
int drg_columns_open(struct drg_err *reterr);

/** The field that a column of this name feeds in a list of this kind; NULL: none that is known. */
const struct drg_field_def *drg_column_field(enum drg_kind kind, struct drg_str name);

/** The same column but for case, diacritics and blanks? */
bool drg_column_eq(struct drg_str a, struct drg_str b);
