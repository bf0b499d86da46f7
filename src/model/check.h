/* src/model/check.h
 * Checks a whole record against the table of fields. The store checks every record that it puts, whatever
 * its origin, so that an export of the store can be imported. */
#pragma once
#include "model/record.h"

/**
 * Check a record: every field belongs to its type and kind, no required field is missing, and each value is
 * canonical and within the limits of its field. For the removal of a record, only its identity is checked, so
 * that a row that breaks the model can be removed.
 * @param reterr  Names the record, the field and the error.
 * @return DRG_OK; DRG_EINVAL; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_record_check(const struct drg_record *r, struct drg_err *reterr);
