/* src/store/lend.h
 * Lends the handles of a database to threads, and bounds their number in this process. From any thread. */
#pragma once
#include "store/store.h"

/** The connections of a server that are not lent: the follower's and the writer's. */
enum { DRG_STORE_OWN_CONNECTIONS = 2 };
/** Set how many connections there may be at once, the two above included; unlimited unless it is called. Call
 * it before the first handle is lent. */
void drg_store_set_connections(unsigned n);
/** How many handles can be lent at once. */
unsigned drg_store_lendable(const char *url);

/** Handles of a database: lent now; open and waiting to be lent; how many may be lent, 0: unlimited. */
struct drg_store_lending {
	unsigned lent, waiting, max;
};
void drg_store_lending(struct drg_store_lending *ret);

/** Borrow a handle of a database: one that was given back, or a new one. Waits up to 5 s if as many as may be
 * are lent. For a store in a file a handle is opened.
 * @return DRG_OK; as drg_store_open(); DRG_EBUSY: no handle was given back. */
DRG_MUSTCHECK
int drg_store_borrow(const char *url, enum drg_store_mode mode, struct drg_store **ret,
                     struct drg_err *reterr);
/** Give a handle back; the pointer is NULL afterwards. A handle that has failed is closed instead. A handle
 * that was not borrowed, or is of a file, does not change. */
void drg_store_return(struct drg_store **s);

/** Reserve places for @p n handles that the caller opens: waiting handles are closed, or lent ones waited
 * for. @return DRG_OK, DRG_EBUSY. */
DRG_MUSTCHECK
int drg_store_reserve_connections(const char *url, unsigned n, struct drg_err *reterr);
void drg_store_unreserve_connections(const char *url, unsigned n);

/** Call it now and then: it closes unused handles that were given back, except one.
 * @param shed  Close all of them: another user needs the connections more, or the process ends. */
void drg_store_close_idle(bool shed);
