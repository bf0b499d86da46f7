/* src/server/source_export.h
 * Exports every source and dict record as tour/sourceInfo would show it, from one snapshot of the store
 * (decisions F9, F10). A client of the change feed begins with it. Memory does not grow with the data. */
#pragma once
#include "server/changes/changes.h"

/** One export. Its functions are called on the thread that reads. */
struct drg_source_export {
	struct drg_change_filter filter;
	struct drg_str lang; /**< valid, lower case */
	/** The snapshot has begun: the change feed continues from @p cursor. @return DRG_OK; any other code
	 * ends the export. */
	int (*begin)(void *ctx, const struct drg_cursor *cursor, struct drg_err *reterr);
	/** Dict records first, then dict ids that were merged, then sources. @return likewise. */
	int (*item)(void *ctx, const struct drg_change *c, struct drg_err *reterr);
	void *ctx;
};

/** Run an export. It reads as fast as it can, or the log of the store would grow. @return DRG_OK; what begin()
 * or item() returned; errors of the store. */
DRG_MUSTCHECK
int drg_source_export_run(const struct drg_source_export *x, struct drg_store *s, struct drg_err *reterr);
