/* src/import/read.h
 * The first step of an import: turns rows into checked records in the spool and gathers what they refer to,
 * on all cores. */
#pragma once
#include "import/import.h"
#include "import/refs.h"
#include "import/rows.h"
#include "import/spool.h"

/** Data that the steps of an import share. */
struct drg_importing {
	const struct drg_import_options *o;
	struct drg_import_rows *rows;
	struct drg_spool *spool;
	struct drg_refs *refs;
	struct drg_import_sums *sums;
};

/** Count a bad row, and report it if it is one of the first. */
void drg_importing_bad_row(struct drg_importing *im, uint32_t file, uint64_t line, const struct drg_err *e);

/** Read and check all rows. @return DRG_OK, also when there are bad rows (they are counted); errors that end
 * the import. */
DRG_MUSTCHECK
int drg_import_read(struct drg_importing *im, struct drg_err *reterr);
