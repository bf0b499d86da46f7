/* src/server/announcements.h
 * A thread for a follower that reads a copy of the store. The thread listens to the store, wakes the follower
 * at each commit, and gives it the store's clock. A follower of the store itself listens on its own
 * connection. Announcements only save time: some get lost with a connection or in a pooler, so the follower
 * polls as well. The thread begins to listen before it wakes the follower, so no commit falls between. */
#pragma once
#include "server/follower.h"

struct drg_announcements;

DRG_MUSTCHECK
int drg_announcements_start(const char *store_url, struct drg_follower *follower,
                            struct drg_announcements **ret, struct drg_err *reterr);
/** End the thread, within half a second unless it is connecting. NULL is fine. */
void drg_announcements_stop(struct drg_announcements *l);
