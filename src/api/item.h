/* src/api/item.h
 * A record as the change feed and the export show it (decisions F1, F2). */
#pragma once
#include "http/exchange.h"
#include "server/changes/changes.h"

/** Append the JSON object of one record; in the export nothing "happened", and `what` is 0. */
void drg_item_json(const struct drg_change *c, struct drg_buf *out);

/** The parameters kind and adapter_id, and the adapter must be there. */
DRG_MUSTCHECK
int drg_item_filter(struct drg_exchange *x, struct drg_change_filter *ret);
/** Check of the parameter kind: one of those that sources have. */
DRG_MUSTCHECK
int drg_item_check_kind(struct drg_str value, const char *name, struct drg_err *reterr);

#define DRG_PARAM_ITEM_FILTER                                                                                \
	{ .name = "kind",                                                                                    \
	  .type = DRG_P_TEXT,                                                                                \
	  .max = 32,                                                                                         \
	  .check = drg_item_check_kind,                                                                      \
	  .schema = DRG_SCHEMA_SOURCE_KIND,                                                                  \
	  .doc = "only this kind of sources, and the dict records that they show" },                         \
	{                                                                                                    \
		.name = "adapter_id", .type = DRG_P_INT, .doc = "only the sources of this supplier"          \
	}
