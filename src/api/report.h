/* src/api/report.h
 * Endpoints that show a report (model/report.h): `items`, read from the store. */
#pragma once
#include "api/store_work.h"
#include "store/reports.h"

/** In the arena of the exchange. */
struct drg_report_response {
	const struct drg_report *report;
	drg_report_query *query;
	void *asked; /**< of the query; likewise in the arena */
	size_t limit; /**< rows at most; 0: no limit */
	unsigned skip; /**< flags of columns to leave out */
	drg_store_work_fn *also; /**< reads what `tail` needs, with `asked`, after the rows; NULL: nothing */
	drg_reading_fn *tail; /**< writes the members after `items`, with this struct; NULL: none */
	bool slow; /**< see drg_slow_work_run() */

	/* the result, for `tail` */
	size_t n; /**< rows */
	bool more; /**< there are more than `limit` */

	/* its own */
	struct drg_exchange *x;
	struct drg_jw w;
	struct drg_str items;
};

/** Respond with a report; to be returned by the handler. Rows of suppliers that the key cannot read are left
 * out. */
DRG_MUSTCHECK
int drg_report_respond(struct drg_exchange *x, const struct drg_report_response *a);
/** A `tail`: the member `more`. */
drg_reading_fn drg_report_more;
