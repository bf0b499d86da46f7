/* src/server/changes/cursor.h
 * The position of a client in the change feed (decision F5). To the client it is opaque text, safe in a URL.
 * It means the same on every server of a store and after a restart. */
#pragma once
#include "server/branch.h"

struct drg_cursor {
	uint64_t history; /**< of the commit `seen`: drg_history_of() its branch */
	int64_t base; /**< the client holds everything up to this seq, at least */
	/** The newest commit that the client may have seen. A store without this commit, or with another one of
	 * this number, is not the store that the client has followed (decision F7). */
	int64_t seen;
	struct drg_feed_place place; /**< behind `base`, the client got the records up to this place */
};

enum { DRG_CURSOR_TEXT = 72 };

/** The cursor of a client that holds everything up to the clock. */
struct drg_cursor drg_cursor_at(const struct drg_clock *clock);

/** The version of the data of a page that returns this cursor. */
static inline struct drg_data_version drg_cursor_version(const struct drg_cursor *c)
{
	return (struct drg_data_version){ .history = c->history, .seq = c->seen };
}

/** Write it to @p buf, NUL-terminated. @return its length. */
size_t drg_cursor_write(const struct drg_cursor *c, char buf[static DRG_CURSOR_TEXT]);
/** Read a cursor. A cursor of an older format is treated as ahead of every store, so its client must start
 * over (F7).
 * @return DRG_OK; DRG_EINVAL with reason and field (since): not a cursor, or one with a typing error. */
DRG_MUSTCHECK
int drg_cursor_read(struct drg_str text, struct drg_cursor *ret, struct drg_err *reterr);
