/* src/server/source_export.h
 * Exports every source and dict record as tour/sourceInfo would show it, from one snapshot of the store
 * (decisions F9, F10). A client of the change feed begins with it. Memory does not grow with the data. Each
 * export has a thread while it runs. Their number is bounded, because the log of the store cannot be
 * shortened while one reads. */
#pragma once
#include "server/changes/changes.h"

struct drg_source_exports;

/** How many run at once: of all keys, of one key (decision F11). */
enum { DRG_EXPORTS_MAX = 8, DRG_EXPORTS_EACH = 2 };

DRG_MUSTCHECK
int drg_source_exports_start(const char *store_url, struct drg_follower *follower,
                             struct drg_source_exports **ret, struct drg_err *reterr);
/** Wait for running exports; stop their writers first. NULL is fine. */
void drg_source_exports_stop(struct drg_source_exports *e);

/** The server stops: answers that are made completely before they are sent need not be finished. From any
 * thread; NULL is fine. */
void drg_source_exports_drain(struct drg_source_exports *e);
bool drg_source_exports_draining(const struct drg_source_exports *e);

/**
 * Submit another long reading that is sent while it is made: it runs on these threads and counts with the
 * exports of @p key_id.
 * @param job  Its run() and done(); done() is called in any case: at once, with DRG_EBUSY, if too many run
 *             already.
 */
void drg_source_exports_submit(struct drg_source_exports *e, struct drg_read_job *job, int64_t key_id);

/** One export. Lives until done(). Its functions are called on a thread of the exports. */
struct drg_source_export {
	int64_t key_id; /**< of the API key that asks */
	struct drg_change_filter filter;
	struct drg_str lang; /**< valid, lower case; lives as long as this */
	/** The snapshot has begun: the change feed continues from @p cursor. @return DRG_OK, DRG_ESTOPPED. */
	int (*begin)(void *ctx, const struct drg_cursor *cursor);
	/** Dict records first, then dict ids that were merged, then sources. @return DRG_OK, DRG_ESTOPPED. */
	int (*item)(void *ctx, const struct drg_change *c);
	/** All items were passed. @return DRG_OK, DRG_ESTOPPED. */
	int (*end)(void *ctx);
	/** Called once; see rc. */
	void (*done)(void *ctx);
	void *ctx;

	bool begun; /**< begin() was called */
	bool complete; /**< end() was called and succeeded */
	struct drg_read_job job; /**< rc and err are set if begin() was not called */
};

/** Start an export. done() is called in any case: at once, with DRG_EBUSY, if too many run already. */
void drg_source_export_ask(struct drg_source_exports *e, struct drg_source_export *x);
