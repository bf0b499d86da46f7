/* src/server/changes/changes.h
 * The change feed for clients (decisions F1 to F8): every source and dict record that changed since a cursor,
 * once, in its present state, in commit order; and waiting for more.
 *
 * Why no change is missed. A page is read from one snapshot in the order of the store's feed, and commits
 * have the order of their seqs. So later changes lie behind the place where the page ends. A record that
 * changes moves to a later place and is reported there. The records are rendered from the same snapshot
 * (server/snapshot.h). */
#pragma once
#include "server/changes/cursor.h"
#include "server/follower.h"
#include "server/readers.h"
#include "server/snapshot.h"

struct drg_changes;

struct drg_changes_options {
	const char *store_url; /**< read by two threads of this service */
	struct drg_follower *follower; /**< its published() is to call drg_changes_published() */
	/** how many may wait for changes, each with a connection; 0: none. A quarter of them is for those who
	 * curate, so that no customer's program keeps the workbench from its news */
	unsigned max_waiting;
};

DRG_MUSTCHECK
int drg_changes_start(const struct drg_changes_options *o, struct drg_changes **ret, struct drg_err *reterr);
/** The catalog has a new version. Called on the follower's thread. */
void drg_changes_published(struct drg_changes *c);
/** The server is stopping: answer all waiting requests, and let no request wait any more. NULL is fine. */
void drg_changes_drain(struct drg_changes *c);
/** Stop the service. Call drg_changes_drain() first; no other thread may call the service any more. NULL is
 * fine. */
void drg_changes_stop(struct drg_changes *c);

/** The records that a client wants: bits of enum drg_kind. */
struct drg_change_filter {
	unsigned source_kinds, dict_kinds;
	int64_t adapter; /**< the adapter of the sources; 0: all */
};

/**
 * The filter for the sources of a kind and for the dict records whose names these sources show: records of
 * the kind, and for hotels also countries, cities and categories.
 */
struct drg_change_filter drg_change_filter(enum drg_kind kind, int64_t adapter);

/** The change of a record since the cursor. */
enum drg_what {
	/** the record is alive now, and was not at the cursor (or was, and was deleted in between) */
	DRG_WHAT_CREATED = 1,
	DRG_WHAT_UPDATED = 2,
	DRG_WHAT_MAPPED = 4, /**< the mapping has changed, and the source is mapped */
	DRG_WHAT_UNMAPPED = 8, /**< the mapping has changed, and the source is not mapped */
	DRG_WHAT_MERGED = 16, /**< a dict id that was merged into another one */
	DRG_WHAT_DELETED = 32
};

struct drg_change {
	unsigned what;
	/** true: the dict record (kind, dict_id); false: the source (adapter, kind, source_id) */
	bool is_dict;
	enum drg_kind kind;
	int64_t adapter;
	struct drg_str source_id;
	int64_t dict_id;
	bool is_merged;
	int64_t into; /**< of a merged dict id: the id that it was merged into */
	const struct drg_view *view; /**< NULL: the record is gone */
};

/** @p c is borrowed for the call, on a reader's thread. */
typedef void drg_change_fn(void *ctx, const struct drg_change *c);

enum drg_since { DRG_SINCE_START, DRG_SINCE_NOW, DRG_SINCE_CURSOR, DRG_SINCE_TIME };

/** One request. Lives until done(). */
struct drg_changes_page {
	int64_t key_id; /**< of the API key that asks ... */
	unsigned char client[16]; /**< ... and the address, as drg_exchange_from() has it */
	bool curating; /**< it waits on the places of those who curate */
	struct drg_change_filter filter;
	enum drg_since since;
	int64_t since_us; /**< DRG_SINCE_TIME: wall clock (decision F12) */
	struct drg_cursor cursor; /**< DRG_SINCE_CURSOR: input. In every case the output: the next cursor */
	unsigned limit;
	int64_t until_ns; /**< wait for a change until this drg_clock_ns(); 0: do not wait */
	struct drg_str lang; /**< valid, lower case */
	void (*begin)(void *ctx); /**< a page begins: forget the items of one that failed */
	drg_change_fn *item;
	/** May the key of the waiting request still read? If not, done() is called without items */
	bool (*may)(void *ctx);
	void (*done)(void *ctx); /**< from a thread of the service */
	void *ctx;

	int rc; /**< DRG_OK; DRG_EINVAL: the time, see err; DRG_EBUSY and other errors: nothing was given */
	struct drg_err err;
	bool gone; /**< the cursor is of another history: the client must start over */
	bool more; /**< a further page is ready */
	unsigned n; /**< items given */

	/* private to the service */
	struct drg_changes *changes;
	struct drg_read_job job;
	unsigned tries;
	struct drg_changes_page *prev, *next;
	bool waits, left;
};

/** Request a page. done() is called in any case, perhaps before this returns. rc is DRG_EBUSY, "queue_full",
 * if too many wait for the store, or if the page would have to wait and finds no place: a key has at most
 * half as many as are free, and so has an address. */
void drg_changes_ask(struct drg_changes *c, struct drg_changes_page *p);
/** How many requests wait for changes. From any thread. */
unsigned drg_changes_waiting(struct drg_changes *c);
/** The client has left: done() is called soon, perhaps before this returns. The page must not be over
 * already. */
void drg_changes_cancel(struct drg_changes_page *p);
