/* src/import/apply.h
 * The last step of an import: it writes the spool to the store. */
#pragma once
#include <stdio.h>
#include "import/read.h"
#include "store/store.h"

/**
 * Put every record that is not rejected, in order; write rejected rows to @p rejects.
 * @param rejects  NULL: rejected rows are dropped.
 * @return DRG_OK; errors of the store, with how much was applied in the message.
 */
DRG_MUSTCHECK
int drg_import_apply(struct drg_importing *im, struct drg_store *store, FILE *rejects,
                     struct drg_err *reterr);
