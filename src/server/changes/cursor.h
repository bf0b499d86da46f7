/* src/server/changes/cursor.h
 * Where a client of the change feed stands (decision F5). To the client it is opaque text, safe in a URL; it means the
 * same on every node of a store and after any restart. */
#pragma once
#include "server/branch.h"

struct drg_cursor {
	uint64_t history; /**< of the commit `seen`: drg_history_of() its branch */
	int64_t base; /**< the client holds everything up to this seq, at least */
	int64_t seen; /**< the newest commit of which it can have seen anything: a store that has no such commit, or another
	                 one of that number, is not the one that the client has followed (decision F7) */
	struct drg_feed_place place; /**< and was given what follows up to here */
};

enum { DRG_CURSOR_TEXT = 72 };

/** The cursor of a client that holds everything up to the clock. */
struct drg_cursor drg_cursor_at(const struct drg_clock *clock);

/** The data that a page which gives this cursor is made from. */
static inline struct drg_data_version drg_cursor_version(const struct drg_cursor *c)
{
	return (struct drg_data_version){ .history = c->history, .seq = c->seen };
}

/** Into @p buf, NUL-terminated. @return its length. */
size_t drg_cursor_write(const struct drg_cursor *c, char buf[static DRG_CURSOR_TEXT]);
/** One of an older form has seen more than any store has: it is over (F7).
 * @return DRG_OK; DRG_EINVAL with reason and field (since): not a cursor, or one with a typing error. */
DRG_MUSTCHECK
int drg_cursor_read(struct drg_str text, struct drg_cursor *ret, struct drg_err *reterr);
