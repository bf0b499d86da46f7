/* src/server/lists/turns.h
 * Who waits for which list, and whose turn it is (decision R8): keys take turns, and the addresses of a key among
 * themselves. So a client with a thousand wishes and one with a single wish wait alike. Not locked: its user does that. */
#pragma once
#include <stdbool.h>
#include <sys/queue.h>
#include "base/err.h"
#include "base/lru.h"

struct drg_awaited;
struct drg_turn;

/** Called once, from another thread. */
typedef void drg_list_wake_fn(void *ctx);

/** A request that waits. Its caller's, who leaves it alone until it was taken or has left. */
struct drg_list_wait {
	int64_t key_id; /**< whose request it is: the key ... */
	unsigned char client[16]; /**< ... and the address, as drg_exchange_from() has it */
	drg_list_wake_fn *wake;
	void *ctx;
	int coding; /**< enum drg_coding; of the lists */

	/* of the turns; zero at first */
	struct drg_awaited *awaited; /**< NULL: it does not wait */
	struct drg_turn *turn;
	bool brought; /**< the list counts as its client's */
	TAILQ_ENTRY(drg_list_wait) beside; /**< who waits for the same list */
	TAILQ_ENTRY(drg_list_wait) behind; /**< in its client's row */
};
TAILQ_HEAD(drg_list_waits, drg_list_wait);

/** What is waited for; embedded in its user's struct. */
struct drg_awaited {
	struct drg_list_waits waits; /**< TAILQ_INIT() it */
	int64_t since_ns; /**< where somebody waits: since when, as drg_clock_ns() */
};

struct drg_turns {
	struct drg_lru keys, clients; /**< those who wait; who got a list longest ago is the oldest */
	size_t max; /**< lists that may be waited for */
	size_t n; /**< lists that are */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_turns_init(struct drg_turns *t, size_t max, struct drg_err *reterr);
/** Nobody waits. */
void drg_turns_done(struct drg_turns *t);

/**
 * @p w waits for @p a from now on, at the end of its client's row. Who comes to a list that is waited for already always may.
 * @return DRG_OK; DRG_EBUSY: all places are taken; DRG_ELIMIT: its address has brought as many lists as a quarter of the free
 *         places; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_turns_join(struct drg_turns *t, struct drg_awaited *a, struct drg_list_wait *w);
/** It waits no longer. @return whether it did. */
bool drg_turns_leave(struct drg_turns *t, struct drg_list_wait *w);
/** What is to be made next: of who got a list longest ago what he has waited for the longest; NULL: nobody waits. */
struct drg_awaited *drg_turns_next(struct drg_turns *t);
/** It was made: put all who wait for @p a behind those in @p ret, linked by `beside`. They wait no longer, and have had their
 * turn. */
void drg_turns_take(struct drg_turns *t, struct drg_awaited *a, struct drg_list_waits *ret);
