/* src/server/lists/lists.h
 * Reference lists kept ready: built once per data version, language and filter, with an ETag (decision R7), off the request
 * path. They are compressed there too, in the codings that are asked for.
 *
 * A list is named by a key. The first request for a key waits while the builder thread makes it; once it was asked for
 * again the list is rebuilt after each change of the data for as long as it is asked for now and then, and requests get
 * what is ready. Else a list is built for those who wait; where nobody waits any more it is not, and clients take turns
 * (R8). A list that the data has left behind is served for at most STALE_MS, so a change is seen within a second of its
 * commit (decision E8). What a list looks like is its kind's business: api/ registers the builders here.
 *
 * The ETag is made from the list's bytes, so two nodes, or one before and after a restart, give the same one for
 * the same list, and a change that does not show in a list leaves it as it was. */
#pragma once
#include "base/measure.h"
#include "catalog/catalog.h"
#include "server/follower.h"
#include "server/lists/turns.h"
#include "text/compress.h"
#include "text/lang.h"

struct drg_lists;
struct drg_list_key;

/** What a builder makes. */
struct drg_list_body {
	struct drg_buf text; /**< to be appended to */
	int64_t total; /**< how many items are in it; DRG_LIST_UNCOUNTED unless set */
};
enum { DRG_LIST_UNCOUNTED = -1 };

/** Append the body for a key. Runs inside a read section, on the builder thread. May fail, but not with DRG_EBUSY. */
typedef int drg_list_build_fn(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                              struct drg_list_body *out, struct drg_err *err);

/** What a list depends on, besides the data. Compared as bytes: zero-initialise it. */
struct drg_list_key {
	drg_list_build_fn *build;
	const void *form; /**< the builder's own; static */
	char lang[DRG_LANG_MAX + 1]; /**< as drg_lists_lang() gives it */
	char country_code[3]; /**< narrows departure cities and air places; "" for all */
	bool demo;
	bool description; /**< meals and hotel categories with their descriptions */
	bool city, apt; /**< air places wanted; neither: both */
	int64_t dep_city, country; /**< dict ids, for lists of hotels */
};

/** Room for a list's ETag with its NUL. */
#define DRG_LIST_ETAG 40

/** One list, immutable. */
struct drg_list {
	struct drg_str
	        body[DRG_CODING_COUNT]; /**< empty where a coding does not pay, or nobody has asked for it */
	bool pays; /**< is it large enough to be compressed? */
	char etag[DRG_LIST_ETAG];
	struct drg_data_version version; /**< the newest that it is known to be of */
	void *attached; /**< what drg_lists_options.attach gave; NULL without */
	int64_t total; /**< of the items, for X-Total-Count; DRG_LIST_UNCOUNTED */
};

struct drg_lists_options {
	struct drg_follower *follower;
	void *ctx; /**< handed to the builders */
	size_t max_bytes; /**< least recently used lists go beyond it; 0: 512 MiB */
	size_t max_lists; /**< likewise, however small they are: the builder looks through all of them; 0: 16,384 */
	size_t max_waiting; /**< lists that may be waited for; one address has its share (server/lists/turns.h); 0: 1,024 */
	/** What those who hand lists out keep with each, made once, when the list is, and anew where it turns out to be the same
	 * in a later version of the data; NULL: out of memory. Or no function. Called under a lock: it must not wait. */
	void *(*attach)(const struct drg_list *list);
	void (*detach)(void *attached); /**< nobody holds the list any more; from any thread */
	const _Atomic int64_t
	        *gate; /**< of tests: so many lists are built, and no more; NULL: there is none */
};

DRG_MUSTCHECK
int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr);
/** The server is going to stop: who waits is woken and told DRG_ESTOPPED, as who comes is, but for the list that is being built
 * and those that are ready. NULL is fine. */
void drg_lists_drain(struct drg_lists *l);
/** End the thread and free everything but the lists that are held, which stay until released. Who waits is woken, and
 * told DRG_ESTOPPED if it asks from within the call; afterwards nobody may ask. NULL is fine. */
void drg_lists_stop(struct drg_lists *l);

/** The data changed: to be called after each publication (drg_follower_options.published). */
void drg_lists_data_changed(struct drg_lists *l);

/**
 * The language of a key for a requested one: the first of its fallbacks that the catalog knows or that has an order of
 * its own, else "en". So the lists that can exist are bounded by the data and ICU, not by what clients send; and an
 * order never depends on whether some record, gone since, once had a name in the language.
 * @param buf  DRG_LANG_MAX + 1 bytes.
 */
void drg_lists_lang(const struct drg_catalog *cat, struct drg_str lang, char *buf);

/** Is the list there in a coding, or does none pay? */
bool drg_list_has(const struct drg_list *list, enum drg_coding c);

/** What a request asks for. */
struct drg_list_wish {
	struct drg_list_key key;
	enum drg_coding coding; /**< the list is there in it, and uncompressed in any case */
	int64_t asked_ns; /**< drg_clock_ns() when it came: what it gets is at most STALE_MS older than that */
	int64_t min_seq; /**< the list is of this commit or a later one; 0: any. The catalog must have come so far */
};

/**
 * Get a list. Callable from any thread, once the catalog is loaded.
 * @param wish  The same in every call for a request.
 * @param wait  Who asks, and how it is woken: when DRG_EBUSY was returned its `wake` is called once the list is ready or
 *              failed; then ask again. NULL: only have a look, nothing is built for it.
 * @param ret   Held for the caller; drg_list_release() it.
 * @return DRG_OK; DRG_EBUSY: it is going to be built; DRG_ELIMIT (lists_waiting): too many are waited for; DRG_ESTOPPED; or the
 *         builder's error.
 */
DRG_MUSTCHECK
int drg_lists_get(struct drg_lists *l, const struct drg_list_wish *wish, struct drg_list_wait *wait,
                  const struct drg_list **ret, struct drg_err *reterr);
/** Its client has left: what nobody else waits for is not built. From any thread. @return true: it waited, and is not woken
 * any more; false: it did not, or is being woken. */
bool drg_lists_leave(struct drg_lists *l, struct drg_list_wait *wait);
/** How many lists are waited for, or being built for who waits. */
size_t drg_lists_waiting(struct drg_lists *l);
/** What it has done so far, and keeps. From any thread. */
struct drg_lists_counts {
	struct drg_durations_sum builds; /**< how long they took, those that failed too */
	uint64_t failed;
	size_t waiting, ready, bytes; /**< lists that are waited for; lists, and their bytes, that are kept */
};
void drg_lists_count(struct drg_lists *l, struct drg_lists_counts *ret);
/** Takes a const list as void so that it can be a release callback. From any thread. */
void drg_list_release(void *list);
