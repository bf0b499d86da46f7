/* src/server/changes/page.h
 * Reads pages of the change feed from the store; server/changes/changes.h says what they are. */
#pragma once
#include "server/changes/changes.h"

/** Read the next page: fills n, more, gone and the cursor. @return DRG_OK, or an error of the store. */
DRG_MUSTCHECK
int drg_changes_read_page(struct drg_changes_page *p, struct drg_store *s, struct drg_err *reterr);

/** The kinds of records that changed: possibly more than really did. Requests that wait for other kinds need
 * not read. */
struct drg_touched {
	bool all; /**< too many changes: treat every kind as changed */
	unsigned dict_kinds, source_kinds;
	unsigned n_adapters;
	struct {
		int64_t id;
		unsigned source_kinds;
	} adapters[32];
	struct drg_clock clock; /**< the look covers the feed up to this clock */
};

/** Find out what changed after @p seq. */
DRG_MUSTCHECK
int drg_changes_touched(struct drg_store *s, int64_t seq, struct drg_touched *ret, struct drg_err *reterr);
/** May a changed record pass the filter? */
bool drg_change_filter_matches(const struct drg_change_filter *f, const struct drg_touched *t);
