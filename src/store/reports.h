/* src/store/reports.h
 * What the queries of reports (model/report.h) have in common: their type, and the words for suppliers. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "model/report.h"
#include "store/store.h"

/**
 * Read the rows of a report, in their order. Can be called again, from the beginning.
 * @param asked  What the query's header says.
 * @param arena  Lives as long as @p asked.
 */
typedef int drg_report_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                             void *ctx, struct drg_err *reterr);

/** Load the suppliers of a store into an arena. */
DRG_MUSTCHECK
int drg_suppliers_load(struct drg_store *s, struct drg_arena *arena, struct drg_suppliers *ret,
                       struct drg_err *reterr);
