/* src/server/lists/turns.h
 * Which requests wait for which list, and whose turn is next (decision R8): keys take turns, and so do the
 * addresses of a key. A client with a thousand wishes waits as long for the next list as one with a single
 * wish. Not locked: the caller holds a lock. */
#pragma once
#include <stdbool.h>
#include <sys/queue.h>
#include "base/err.h"
#include "base/lru.h"

struct drg_awaited;
struct drg_turn;

/** Called once, from another thread. */
typedef void drg_list_wake_fn(void *ctx);

/** A request that waits. It belongs to its caller, who must not touch it until it was taken or has left. */
struct drg_list_wait {
	int64_t key_id; /**< the key of the request ... */
	unsigned char client[16]; /**< ... and the address, as drg_exchange_from() has it */
	drg_list_wake_fn *wake;
	void *ctx;
	int coding; /**< enum drg_coding; for the lists */

	/* for the turns; zero at first */
	struct drg_awaited *awaited; /**< NULL: it does not wait */
	struct drg_turn *turn;
	bool brought; /**< the list counts for its client */
	TAILQ_ENTRY(drg_list_wait) beside; /**< requests for the same list */
	TAILQ_ENTRY(drg_list_wait) behind; /**< requests of the same client */
};
TAILQ_HEAD(drg_list_waits, drg_list_wait);

/** A list that requests wait for; embedded in the caller's struct. */
struct drg_awaited {
	struct drg_list_waits waits; /**< TAILQ_INIT() it */
	int64_t since_ns; /**< since when the first request waits, as drg_clock_ns() */
};

struct drg_turns {
	/** keys and clients that wait; the one that got a list longest ago is the oldest */
	struct drg_lru keys, clients;
	size_t max; /**< lists that requests may wait for */
	size_t n; /**< lists that requests wait for */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_turns_init(struct drg_turns *t, size_t max, struct drg_err *reterr);
/** No request may wait. */
void drg_turns_done(struct drg_turns *t);

/**
 * Let @p w wait for @p a, at the end of its client's row. A request may always join a list that others wait
 * for.
 * @return DRG_OK; DRG_EBUSY: all places are taken; DRG_ELIMIT: its address has brought as many lists as a
 *         quarter of the free places; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_turns_join(struct drg_turns *t, struct drg_awaited *a, struct drg_list_wait *w);
/** End the wait of a request. @return true: it waited. */
bool drg_turns_leave(struct drg_turns *t, struct drg_list_wait *w);
/** The list to build next; NULL: no request waits. The next client is the one that got a list longest ago,
 * and the list is the one that this client has waited for longest. */
struct drg_awaited *drg_turns_next(struct drg_turns *t);
/** Note that @p a was built: append all requests that wait for it to @p ret, linked by `beside`. They wait no
 * longer, and have had their turn. */
void drg_turns_take(struct drg_turns *t, struct drg_awaited *a, struct drg_list_waits *ret);
