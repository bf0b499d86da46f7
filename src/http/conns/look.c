/* Ends connections without an event of their own: if there is no room, and when the server stops. */
#include <linux/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/conns/conn.h"
#include "http/http_priv.h"

/* A connection that has sent no request for this long makes room if there is none. When the server stops,
 * such a connection is not waited for either. */
static const int64_t ROOM_NS = INT64_C(500000000);
/* When the server stops, a client that reads nothing for this long is not waited for. */
static const int64_t STALL_NS = INT64_C(1500000000);

/** Does the connection wait for a request or the rest of its head, with no unread bytes? */
static bool is_waiting(const struct drg_conn *c)
{
	int unread = 0;
	return c->state <= DRG_CONN_HEAD && ioctl(c->fd, FIONREAD, &unread) == 0 && unread == 0;
}

static bool rests(const struct drg_conn *c, int64_t now_ns)
{
	return is_waiting(c) && now_ns - c->since_ns > ROOM_NS;
}

/** Must the connection make room? A trusted proxy keeps its place. */
static bool makes_room(const struct drg_conn *c, int64_t now_ns)
{
	return !c->trusted && rests(c, now_ns);
}

/** Has the client left bytes of its answer in the kernel for some time, and taken none? */
static bool stalls(struct drg_conn *c, int64_t now_ns)
{
	struct tcp_info info = { .tcpi_bytes_acked = 0 };
	socklen_t n = sizeof info;
	if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n) != 0)
		return true;
	/* A client that has all bytes waits for this thread, which may have been away for seconds. */
	const bool has_all = info.tcpi_unacked == 0 && info.tcpi_notsent_bytes == 0;
	if (c->acked_ns == 0 || info.tcpi_bytes_acked != c->acked || has_all) {
		c->acked = info.tcpi_bytes_acked;
		/* Not now_ns, which is from before the look: a thread that was held up between the two would
		 * count that time as the client's, and the next look would cut a client that reads. */
		c->acked_ns = drg_clock_ns();
	}
	return now_ns - c->acked_ns > STALL_NS;
}

/** Must the connection end because the server stops? */
static bool is_to_end(struct drg_conn *c, int64_t now_ns)
{
	const struct drg_http *h = c->loop->http;
	if (atomic_load(&h->stopping))
		return true;
	switch (c->state) {
	case DRG_CONN_WAITING: return false;
	case DRG_CONN_WRITING: return c->deadline_ns != DRG_NEVER && stalls(c, now_ns);
	case DRG_CONN_LINGERING: return false;
	default: return now_ns > atomic_load(&h->requests_until_ns) || (!c->begun && rests(c, now_ns));
	}
}

void drg_conn_check(struct drg_conn *c, int64_t now_ns, bool full, struct drg_census *all)
{
	const struct drg_http *h = c->loop->http;
	if (full && makes_room(c, now_ns)) {
		drg_conn_close(c, false);
	} else if (atomic_load(&h->draining) && is_to_end(c, now_ns)) {
		bool discard = atomic_load(&h->stopping) || c->state == DRG_CONN_WRITING;
		drg_conn_close(c, discard);
	} else if (c->state == DRG_CONN_WRITING) {
		all->answering += c->deadline_ns != DRG_NEVER;
	} else if (c->state <= DRG_CONN_BODY) {
		*(c->begun || c->state == DRG_CONN_BODY ? &all->reading : &all->waiting) += 1;
	}
}
