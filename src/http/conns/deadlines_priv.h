/* src/http/conns/deadlines_priv.h
 * The inside of the connections and their deadlines, for deadlines.c, conns.c and leavers.c. */
#pragma once
#include "base/worker.h"
#include "http/conns/deadlines.h"
#include "http/conns/linger.h"
#include "http/conns/peers.h"

enum { DRG_TICK_MS = 50 };
#define DRG_NEVER INT64_MAX
#define DRG_CUT                                                                                              \
	(INT64_MAX - 1) /* the reaper has decided: it stays so, whatever the http thread is about to begin */

struct drg_deadlines {
	int64_t header_ns, idle_ns, byte_ns;
	unsigned max_connections, max_per_address;
	struct drg_deadlines_calls calls;
	atomic_uint count;
	int watch; /* an epoll set with every connection: tells whose client has gone */

	struct drg_worker
	        reaper; /* its lock is for what follows; held while a socket of the list is shut down */
	struct drg_conn *conns;
	struct drg_conn **by_fd;
	size_t n_fds;
	struct drg_peers *peers;
	int to_linger[DRG_LINGER_MAX];
	unsigned n_to_linger;
	struct drg_linger linger; /* the reaper's alone */
};

/* All under the lock. */

/** Shut the socket down, so that libmicrohttpd closes it. @param discard  What was not taken is thrown away. */
void drg_conn_shut_down(struct drg_conn *c, bool discard);

/* ---- leavers.c ---- */

/** Watch the client of a connection. @return false: no memory. */
bool drg_leavers_watch(struct drg_deadlines *d, struct drg_conn *c);
void drg_leavers_forget(struct drg_deadlines *d, struct drg_conn *c);
/** Mark those whose client has sent the end of its stream, or a reset. */
void drg_leavers_mark(struct drg_deadlines *d, int64_t now_ns);
/** See a marked one off, if that is what it is. */
void drg_leavers_see_off(struct drg_deadlines *d, struct drg_conn *c, int64_t now_ns);
