/* src/server/announcements.h
 * For a follower that reads a copy of the store: where the store announces its commits, this wakes it at each, and tells it the store's
 * clock. One that reads the store itself hears announcements by itself. It only makes things faster: announcements get lost,
 * with a connection or on the way over a pooler, so the follower looks at every poll all the same. It listens first and
 * wakes the follower then, so that nothing falls between. */
#pragma once
#include "server/follower.h"

struct drg_announcements;

DRG_MUSTCHECK
int drg_announcements_start(const char *store_url, struct drg_follower *follower,
                            struct drg_announcements **ret, struct drg_err *reterr);
/** Returns within half a second, unless a connection is being made. NULL is fine. */
void drg_announcements_stop(struct drg_announcements *l);
