/* src/server/content.h
 * What the catalog does not keep of hotels: addresses, places on the map, descriptions, facilities, photos. Read from
 * the store by key on the threads of a pool (server/readers.h; decision M26: while it cannot be read), and kept in memory as
 * far as a limit allows.
 *
 * Kept are rows as they are in the store: those of a supplier's hotel together, and by itself that of a hotel of the
 * common reference, which many suppliers share. Who is mapped to whom, and what anything is called, is the catalog's to
 * say. A row that changes is forgotten when the follower hears of it, before the catalog is published; what was being
 * read meanwhile is given to who asked, but not kept. So what is kept is never older than the catalog, and can go on
 * being served while the store is away. Nor is it newer: what a commit changed is shown together, so whoever reads ahead
 * of the follower waits for it, for a fifth of a second at most, and keeps no thread meanwhile. */
#pragma once
#include "server/content_cache.h"
#include "server/follower.h"
#include "server/readers.h"

struct drg_contents;

struct drg_contents_options {
	struct drg_readers *readers;
	struct drg_follower *follower;
	size_t max_bytes; /**< to keep; 0: nothing */
};

DRG_MUSTCHECK
int drg_contents_new(const struct drg_contents_options *o, struct drg_contents **ret, struct drg_err *reterr);
/** Nothing may be read any more. NULL is fine. */
void drg_contents_free(struct drg_contents *c);

/** A record has changed, or is gone; NULL: any may have. On the follower's thread, before the catalog is published. */
void drg_contents_changed(struct drg_contents *c, const struct drg_record *r);
/** The catalog has come further: who read ahead of it may have waited enough. On the follower's thread. */
void drg_contents_published(struct drg_contents *c);

/** One look at a supplier's hotel, and at the hotel that it is mapped to. Zero-initialise it; it lives until done(). */
struct drg_hotel_look {
	int64_t key_id; /**< of the API key that asks */
	int64_t adapter;
	struct drg_str hotel; /**< the supplier's id, 1 to 64 characters */
	bool mapped; /**< look at a dict record too */
	int64_t dict; /**< which one */
	/** After drg_contents_read(), on a thread of the pool or of the service's own; see job.rc and job.err. */
	void (*done)(void *ctx);
	void *ctx;

	struct drg_hotel_rows
	        *orig; /**< found: `source` and `hotel_content`; held until drg_hotel_look_done() */
	struct drg_hotel_rows *common; /**< found, when mapped: `dict`; likewise */
	int64_t as_of; /**< they were so at this seq, and perhaps are not in a later one; 0: nothing was found */

	struct drg_read_job job;
	/* the service's own */
	struct drg_contents *contents;
	struct drg_hotel_look *next; /* of those that wait for the catalog */
	int64_t until_ns;
};

/** Take what is kept and @p l lacks. @return Does it lack nothing now? */
bool drg_contents_find(struct drg_contents *c, struct drg_hotel_look *l);
/** Read what @p l lacks. done() is called in any case, perhaps before this returns; job.rc is DRG_EBUSY where too many wait. */
void drg_contents_read(struct drg_contents *c, struct drg_hotel_look *l);
/** Is what was found so at this seq? */
bool drg_hotel_look_is_of(const struct drg_hotel_look *l, int64_t seq);
/** Let go of what was found. */
void drg_hotel_look_done(struct drg_hotel_look *l);
