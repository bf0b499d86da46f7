/* src/matching/learn/last_event.h
 * The last event in the history of each source, of those that stand (decide/standing.h). */
#pragma once
#include "store/store.h"

struct drg_last_event {
	int64_t adapter; /**< the source: adapter, kind, id */
	enum drg_kind kind;
	struct drg_str id;
	enum drg_how how;
	bool has_to;
	struct drg_str why;
	int64_t batch; /**< 0: none */

	/* The last judgement of an audit, if there was one. */
	bool audited, audited_right;
	int64_t audited_us, audited_from;
};

/** Borrowed for the call; it may call drg_rows_get() and drg_store_exists(). */
typedef int drg_last_event_fn(void *ctx, const struct drg_last_event *e);

/** Call fn for every source that has events, ascending by adapter, kind and id. */
DRG_MUSTCHECK
int drg_last_events(struct drg_store *s, drg_last_event_fn *fn, void *ctx, struct drg_err *reterr);
