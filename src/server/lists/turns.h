/* src/server/lists/turns.h
 * Which requests wait for which list, and whose turn is next (decision R8): keys take turns, and so do the
 * addresses of a key. A client with a thousand wishes waits as long for the next list as one with a single
 * wish. Not locked: the caller holds a lock. */
#pragma once
#include "base/lru.h"
#include "server/lists/lists.h"

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
 * Let @p ask wait for the list of @p asks, at the end of its client's row. A request may always join a list
 * that others wait for.
 * @return DRG_OK; DRG_EBUSY: all places are taken; DRG_ELIMIT: its address has brought as many lists as a
 *         quarter of the free places; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_turns_join(struct drg_turns *t, struct drg_list_asks *asks, struct drg_list_ask *ask);
/** End the wait of a request. @return true: it waited. */
bool drg_turns_leave(struct drg_turns *t, struct drg_list_ask *ask);
/** The list to build next; NULL: no request waits. The next client is the one that got a list longest ago,
 * and the list is the one that this client has waited for longest. */
struct drg_list_asks *drg_turns_next(struct drg_turns *t);
/** Note that the list of @p asks was built: append its requests to @p ret, linked by `beside`. They wait no
 * longer, and have had their turn. */
void drg_turns_take(struct drg_turns *t, struct drg_list_asks *asks, struct drg_list_asks *ret);
