/* src/server/lists/lists.h
 * Reference lists kept ready: a thread builds each once per data version, language and filter, with an ETag
 * (decision R7), and compresses it in the codings that are asked for.
 *
 * A list is named by a key. The first request for a key waits until the builder has made the list. Once it
 * was asked for again, the list is rebuilt after each change of the data as long as requests for it come now
 * and then, and they get the list that is ready. Any other list is built only while a request waits for it;
 * clients take turns (R8). An outdated list is served for at most STALE_MS, so a change is seen within a
 * second of its commit (decision E8). The builders, which decide what a list looks like, are in api/.
 *
 * The ETag is made from the list's bytes, so two nodes, or one before and after a restart, give the same one
 * for the same list, and a change that does not show in a list leaves it as it was. */
#pragma once
#include <sys/queue.h>
#include "base/measure.h"
#include "catalog/catalog.h"
#include "http/content.h"
#include "server/follower.h"
#include "text/lang.h"

struct drg_lists;
struct drg_list_key;

enum { DRG_LIST_UNCOUNTED = -1 };

/** Append the body for a key. Runs inside a read section, on the builder thread. May fail, but not with
 * DRG_EBUSY. @param ret_total  How many items it has; DRG_LIST_UNCOUNTED unless set. */
typedef int drg_list_build_fn(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                              struct drg_buf *out, int64_t *ret_total, struct drg_err *err);

/** The inputs of a list, besides the data. Compared as bytes: zero-initialise it. */
struct drg_list_key {
	drg_list_build_fn *build;
	const void *form; /**< for the builder; static */
	char lang[DRG_LANG_MAX + 1]; /**< as drg_lists_lang() returns it */
	char country_code[3]; /**< filters departure cities and air places; "": all */
	bool demo;
	bool description; /**< meals and hotel categories with their descriptions */
	bool city, apt; /**< air places wanted; neither: both */
	int64_t dep_city, country; /**< dict ids, for lists of hotels */
};

struct drg_lists_options {
	struct drg_follower *follower;
	void *ctx; /**< passed to the builders */
	size_t max_bytes; /**< beyond this the least recently used lists are dropped; 0: 512 MiB */
	/** the same limit by number, because the builder looks through all lists; 0: 16,384 */
	size_t max_lists;
	/** lists that requests may wait for; one address has its share (server/lists/turns.h); 0: 1,024 */
	size_t max_waiting;
	const _Atomic int64_t *gate; /**< for tests: how many lists may be built; NULL: any number */
};

DRG_MUSTCHECK
int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr);
/** The server is about to stop: requests that wait, and new ones, get DRG_ESTOPPED, except for lists that are
 * ready or being built. NULL is fine. */
void drg_lists_drain(struct drg_lists *l);
/** End the thread and free everything except lists that are held. Requests that wait are woken; a request
 * that asks again from within its wake() gets DRG_ESTOPPED. No thread may ask afterwards. NULL is fine. */
void drg_lists_stop(struct drg_lists *l);

/** The data changed. Called after each publication (drg_follower_options.published). */
void drg_lists_data_changed(struct drg_lists *l);

/**
 * The language of a key for a requested one: the first of its fallbacks that the catalog knows or that has an
 * order of its own, else "en". So the number of lists is bounded by the data and ICU, not by what clients
 * send; and an order never depends on a removed record that had a name in the language.
 * @param buf  DRG_LANG_MAX + 1 bytes.
 */
void drg_lists_lang(const struct drg_catalog *cat, struct drg_str lang, char *buf);

/** A request for a list; zero-initialise it. It belongs to its caller, who must not touch it while it waits. */
struct drg_list_ask {
	struct drg_list_key key;
	enum drg_coding coding; /**< the response's coding, see drg_content.coded_when_asked */
	/** If-None-Match; p == NULL: none. A list with one of these tags needs no coding */
	struct drg_str tags;
	/** drg_clock_ns() when it came: the list is outdated by at most STALE_MS at that time */
	int64_t asked_ns;
	/** the list must be of this commit or a later one; 0: any. The catalog must have reached it */
	int64_t min_seq;
	int64_t key_id; /**< the API key of the request ... */
	unsigned char client[16]; /**< ... and the address, as drg_exchange_from() has it */
	/** Called once with the request, from another thread, when the wait ends; `rc` is set then. NULL:
	 * the request does not wait, and nothing is built for it */
	void (*wake)(struct drg_list_ask *ask);
	void *ctx; /**< for the caller */
	/** for the caller, because `wake` can be called before drg_lists_get() returns DRG_EBUSY */
	atomic_bool met;

	/* the result */
	int rc; /**< when woken: as drg_lists_get() returns; DRG_EBUSY: call it again */
	struct drg_content *content; /**< on DRG_OK: the list, held for the caller */
	struct drg_data_version version; /**< on DRG_OK: the newest version that the list is known to match */
	struct drg_err *err; /**< the caller's; set on errors; can be NULL */

	/* for the turns */
	struct drg_list_asks *with; /**< the requests that wait for the same list; NULL: not waiting */
	struct drg_turn *turn;
	bool brought; /**< true if the list counts for its client */
	TAILQ_ENTRY(drg_list_ask) beside; /**< requests for the same list */
	TAILQ_ENTRY(drg_list_ask) behind; /**< requests of the same client */
};
TAILQ_HEAD(drg_list_asks, drg_list_ask);

/**
 * Get a list. Callable from any thread, once the catalog is loaded.
 * @return DRG_OK; DRG_EBUSY: it is going to be built, and the request waits, perhaps not any more;
 *         DRG_ELIMIT (lists_waiting): too many are waited for; DRG_ESTOPPED; or the builder's error.
 */
DRG_MUSTCHECK
int drg_lists_get(struct drg_lists *l, struct drg_list_ask *ask);
/** The client has left: a list that no other request waits for is not built. From any thread. @return true: it
 * waited, and is not woken any more; false: it did not wait, or is being woken. */
bool drg_lists_cancel(struct drg_lists *l, struct drg_list_ask *ask);
/** How many lists requests wait for, including the one being built. */
size_t drg_lists_waiting(struct drg_lists *l);
/** Counts since the start, and what is kept. From any thread. */
struct drg_lists_counts {
	struct drg_durations_sum builds; /**< durations of all builds, failed ones too */
	uint64_t failed;
	/** lists that requests wait for; lists that are kept, and their bytes */
	size_t waiting, ready, bytes;
};
void drg_lists_count(struct drg_lists *l, struct drg_lists_counts *ret);
