/* src/server/version_waits.h
 * Requests that name a version wait here until the catalog shows it (decision D2): a second at most, in a
 * list, without a thread. */
#pragma once
#include "server/follower.h"

struct drg_version_waits;

enum { DRG_VERSION_WAIT_MS = 1000 };

/** One wait. Lives until done(). */
struct drg_version_wait {
	struct drg_data_version version; /**< of the commit; whether it is open does not matter */
	void (*done)(void *ctx); /**< called once, from a thread of the service, with `reached` set */
	void *ctx;
	/** Has the catalog reached the version? A commit of another history may still be reached, if the
	 * store was restored and the follower has not noticed. So DRG_OTHER_HISTORY, too, is reported only
	 * when the time is over. */
	enum drg_reached reached;

	/* private to the service */
	int64_t until_ns;
	struct drg_version_wait *next;
};

DRG_MUSTCHECK
int drg_version_waits_start(struct drg_follower *follower, struct drg_version_waits **ret,
                            struct drg_err *reterr);
/** Queue @p w; done() may be called before this returns. */
void drg_version_await(struct drg_version_waits *v, struct drg_version_wait *w);
/** How many requests wait. From any thread. */
unsigned drg_version_waits_n(struct drg_version_waits *v);
/** The catalog has a new version. Called on the follower's thread. */
void drg_version_waits_published(struct drg_version_waits *v);
/** Stop the service: all waiting requests are answered. No other thread may call it any more. NULL is
 * fine. */
void drg_version_waits_stop(struct drg_version_waits *v);
