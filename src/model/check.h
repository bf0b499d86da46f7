/* src/model/check.h
 * Checks a whole record against the table of fields. The store asks it of everything that is put, whoever made
 * it, so that what is stored can be exported and imported again. */
#pragma once
#include "model/record.h"

/**
 * Check a record: every field belongs to its type and kind, none that is required is missing, and each value is
 * within the limits of its row, in the form in which it is kept. A record that is to be removed is only checked
 * for its identity, so that a row that breaks the model can be removed.
 * @param reterr  The record, its field, and what is wrong with it.
 * @return DRG_OK; DRG_EINVAL; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_record_check(const struct drg_record *r, struct drg_err *reterr);
