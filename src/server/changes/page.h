/* src/server/changes/page.h
 * Reading pages of the change feed from the store; server/changes/changes.h says what they are. */
#pragma once
#include "server/changes/changes.h"

/** Read the next page: fills n, more, gone and the cursor. @return DRG_OK, or an error of the store. */
DRG_MUSTCHECK
int drg_changes_read_page(struct drg_changes_page *p, struct drg_store *s, struct drg_err *reterr);

/** Which sorts of records changed: a superset, so that who waits for others need not look. */
struct drg_touched {
	bool all; /**< too much to tell */
	unsigned dict_kinds, source_kinds;
	unsigned n_adapters;
	struct {
		int64_t id;
		unsigned source_kinds;
	} adapters[32];
	struct drg_clock clock; /**< up to here */
};

/** Everything that changed after @p seq. */
DRG_MUSTCHECK
int drg_changes_touched(struct drg_store *s, int64_t seq, struct drg_touched *ret, struct drg_err *reterr);
/** Can something that the filter lets through be among it? */
bool drg_change_filter_meets(const struct drg_change_filter *f, const struct drg_touched *t);
