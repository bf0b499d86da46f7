/* src/server/source_export.h
 * Every source and dict record as tour/sourceInfo would show it, from one snapshot of the store (decisions F9, F10): where
 * a client of the change feed begins. Memory does not grow with the data. Each export has a thread while it runs; how many
 * run at once is bounded, since while one reads, the log of the store cannot be shortened. */
#pragma once
#include "server/changes/changes.h"

struct drg_source_exports;

/** So many run at once, of all keys and of one (decision F11). */
enum { DRG_EXPORTS_MAX = 8, DRG_EXPORTS_EACH = 2 };

DRG_MUSTCHECK
int drg_source_exports_start(const char *store_url, struct drg_follower *follower,
                             struct drg_source_exports **ret, struct drg_err *reterr);
/** Waits for those that run: their writers are to be stopped before. NULL is fine. */
void drg_source_exports_stop(struct drg_source_exports *e);

/** What is made as a whole before it is sent need not be made any more: the server stops. From any thread; NULL is fine. */
void drg_source_exports_drain(struct drg_source_exports *e);
bool drg_source_exports_draining(const struct drg_source_exports *e);

/**
 * Something else that is read for long and sent while it is made: on these threads, and counted with the exports of @p key_id.
 * @param job  Its run() and done(), which is called in any case: at once, with DRG_EBUSY, where too many run already.
 */
void drg_source_exports_submit(struct drg_source_exports *e, struct drg_read_job *job, int64_t key_id);

/** One export. Lives until done(). Called on a thread of the exports. */
struct drg_source_export {
	int64_t key_id; /**< of the API key that asks */
	struct drg_change_filter filter;
	struct drg_str lang; /**< valid, lower case; lives as long as this */
	/** The snapshot is there: the change feed goes on from @p cursor. @return DRG_OK, DRG_ESTOPPED. */
	int (*begin)(void *ctx, const struct drg_cursor *cursor);
	/** Dict records first, then dict ids that were merged, then sources. @return DRG_OK, DRG_ESTOPPED. */
	int (*item)(void *ctx, const struct drg_change *c);
	/** Everything was given. @return DRG_OK, DRG_ESTOPPED. */
	int (*end)(void *ctx);
	/** Called once; see rc. */
	void (*done)(void *ctx);
	void *ctx;

	bool begun; /**< begin() was called */
	bool complete; /**< end() was called and succeeded */
	struct drg_read_job job; /**< rc and err where not begun */
};

/** done() is called in any case: at once, with DRG_EBUSY, where too many run already. */
void drg_source_export_ask(struct drg_source_exports *e, struct drg_source_export *x);
