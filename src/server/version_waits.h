/* src/server/version_waits.h
 * Waiting for the catalog to show a commit (decision D2), for those who name one: a second at most, in a list, without a
 * thread. */
#pragma once
#include "server/follower.h"

struct drg_version_waits;

enum { DRG_VERSION_WAIT_MS = 1000 };

/** One who waits. Lives until done(). */
struct drg_version_wait {
	struct drg_data_version version; /**< of which commit; whether it is open does not matter */
	void (*done)(void *ctx); /**< called once, from a thread of the service, with `reached` set */
	void *ctx;
	/** How far the catalog is. A commit of another history may yet be reached: where the store was set back, and the follower
	 * is behind. So that too is said when the time is over. */
	enum drg_reached reached;

	/* the service's own */
	int64_t until_ns;
	struct drg_version_wait *next;
};

DRG_MUSTCHECK
int drg_version_waits_start(struct drg_follower *follower, struct drg_version_waits **ret,
                            struct drg_err *reterr);
/** Queue @p w; done() may be called before this returns. */
void drg_version_await(struct drg_version_waits *v, struct drg_version_wait *w);
/** How many wait. From any thread. */
unsigned drg_version_waits_n(struct drg_version_waits *v);
/** The catalog has moved on. On the follower's thread. */
void drg_version_waits_published(struct drg_version_waits *v);
/** Nobody asks any more; who waits is answered. NULL is fine. */
void drg_version_waits_stop(struct drg_version_waits *v);
