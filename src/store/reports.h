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

/** The suppliers of a store, of air too, in an arena. */
struct drg_suppliers {
	struct drg_arena *arena;
	struct drg_report_supplier *v; /**< ascending by id */
	size_t n, room;
	char number[DRG_I64_TEXT];
};
DRG_MUSTCHECK
int drg_suppliers_load(struct drg_store *s, struct drg_arena *arena, struct drg_suppliers *ret,
                       struct drg_err *reterr);
/** Find a supplier. If there is none, its code is its number, valid until the next call. */
struct drg_report_supplier drg_suppliers_find(struct drg_suppliers *s, int64_t id);
/** The suppliers of a list of ids ("7,9"), with their codes. @return DRG_OK; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_suppliers_list(struct drg_suppliers *s, struct drg_str ids, struct drg_report_suppliers *ret,
                       struct drg_err *reterr);
