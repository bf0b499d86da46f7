/* src/server/content.h
 * Hotel data that the catalog does not keep: addresses, coordinates, descriptions, facilities, photos. They
 * are read from the store by key on the threads of a pool (server/readers.h; decision M26 for a store that
 * cannot be read), and cached up to a limit.
 *
 * The cache has rows as they are in the store: the rows of a supplier's hotel together, and the row of a
 * hotel of the common reference by itself, since many suppliers share it. Mappings and names come from the
 * catalog. When the follower applies a changed row, the cache forgets it before the catalog is published; a
 * row that was being read at that time is returned, but not cached. So the cache is never older than the
 * catalog, and can be served while the store is away. An answer is not newer than the catalog either, because
 * the changes of a commit must appear together: a look that is ahead of the follower waits for it, for a
 * fifth of a second at most, without a thread. */
#pragma once
#include "server/content_cache.h"
#include "server/follower.h"
#include "server/readers.h"

struct drg_contents;

struct drg_contents_options {
	struct drg_readers *readers;
	struct drg_follower *follower;
	size_t max_bytes; /**< of the cache; 0: nothing is cached */
};

DRG_MUSTCHECK
int drg_contents_new(const struct drg_contents_options *o, struct drg_contents **ret, struct drg_err *reterr);
/** No look may be in progress. NULL is fine. */
void drg_contents_free(struct drg_contents *c);

/** A record has changed or was removed; NULL: any may have. Called on the follower's thread before the catalog
 * is published. */
void drg_contents_changed(struct drg_contents *c, const struct drg_record *r);
/** The catalog has a new version: looks that were ahead of it may end their wait. On the follower's thread. */
void drg_contents_published(struct drg_contents *c);

/** One look at a supplier's hotel, and at the hotel that it is mapped to. Zero-initialise it; it lives until
 * done(). */
struct drg_hotel_lookup {
	int64_t key_id; /**< of the API key that asks */
	int64_t adapter;
	struct drg_str hotel; /**< the supplier's id, 1 to 64 characters */
	bool mapped; /**< look at a dict record too */
	int64_t dict; /**< the dict id */
	/** Called after drg_contents_read(), on a thread of the pool or of the service, when job.rc and
	 * job.err are set. */
	void (*done)(void *ctx);
	void *ctx;

	struct drg_hotel_rows
	        *orig; /**< `source` and `hotel_content`, if found; held until drg_hotel_lookup_done() */
	struct drg_hotel_rows *common; /**< `dict`, if mapped and found; held likewise */
	/** the seq at which these rows were valid; a later one may have others; 0: nothing was found */
	int64_t as_of;

	struct drg_read_job job;
	/* private to the service */
	struct drg_contents *contents;
	struct drg_hotel_lookup *next; /* in the list of looks that wait for the catalog */
	int64_t until_ns;
};

/** Take from the cache the rows that @p l lacks. @return true: @p l has all rows now. */
bool drg_contents_find(struct drg_contents *c, struct drg_hotel_lookup *l);
/** Read the rows that @p l lacks. done() is called in any case, perhaps before this returns; job.rc is
 * DRG_EBUSY if too many looks wait. */
void drg_contents_read(struct drg_contents *c, struct drg_hotel_lookup *l);
/** Were the rows of @p l valid at this seq? */
bool drg_hotel_lookup_is_valid_at(const struct drg_hotel_lookup *l, int64_t seq);
/** Release the rows. */
void drg_hotel_lookup_done(struct drg_hotel_lookup *l);
