/* src/import/read.h
 * The first step of an import: rows to checked records in the spool, with what they refer to, on all cores. */
#pragma once
#include "import/import.h"
#include "import/refs.h"
#include "import/rows.h"
#include "import/spool.h"

/** What the steps of an import share. */
struct drg_importing {
	const struct drg_import_options *o;
	struct drg_rows *rows;
	struct drg_spool *spool;
	struct drg_refs *refs;
	struct drg_import_sums *sums;
};

/** A row is bad: count it, and tell of it if it is among the first. */
void drg_importing_bad_row(struct drg_importing *im, uint32_t file, uint64_t line, const struct drg_err *e);

/** @return DRG_OK, also when there are bad rows (they are counted); errors that end the import. */
DRG_MUSTCHECK
int drg_import_read(struct drg_importing *im, struct drg_err *reterr);
