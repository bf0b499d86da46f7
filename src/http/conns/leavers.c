/* Who has gone. libmicrohttpd 0.9.75 asks for edges of "readable" and forgets one after a short read, so the end of a stream
 * that came together with the bytes before it is not seen until a deadline; and a suspended connection is not looked at
 * at all. So every connection is in an epoll set of ours too, which tells once when its client sends no more.
 *
 * That alone does not mean that the client has gone (decision E15): it may have closed its sending side only, and read
 * the answer.
 *   waiting for a request, or reading one   shutdown(SHUT_RD) makes a new edge: libmicrohttpd reads what is there, and
 *                                           then the end, as it should have; done at each tick until it has
 *   answering                               what is sent to somebody who has gone is answered by a reset
 *   parked                                  nothing is being sent. A "102 Processing" is: one who has gone resets, one
 *                                           who waits reads over it (RFC 9110, 15.2). HTTP/1.0 has no such thing;
 *                                           there the wait ends after a second. */
#include <errno.h>
#include <sys/epoll.h>

#include "http/conns/deadlines_priv.h"

static const int64_t HTTP_1_0_GRACE_NS = INT64_C(1000000000);
static const char STILL_THERE[] = "HTTP/1.1 102 Processing\r\n\r\n";

enum { EVENTS_MAX = 256 };

bool drg_leavers_watch(struct drg_deadlines *d, struct drg_conn *c)
{
	struct epoll_event e = { .events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = c };
	return epoll_ctl(d->watch, EPOLL_CTL_ADD, c->fd, &e) == 0;
}

void drg_leavers_forget(struct drg_deadlines *d, struct drg_conn *c)
{
	epoll_ctl(d->watch, EPOLL_CTL_DEL, c->fd, NULL);
}

static void leavers_mark(struct drg_deadlines *d, struct drg_conn *c, unsigned events, int64_t now_ns)
{
	if (!atomic_load(&c->gone))
		c->gone_ns = now_ns;
	atomic_store(&c->gone, true);
	c->reset |= (events & EPOLLERR) != 0;
	/* Once more for a reset, of which epoll tells without being asked. A hang-up without an error is our own shutdown: it
	 * would be told again and again, and what the client has not read yet is still to be sent. */
	struct epoll_event e = { .events = EPOLLONESHOT, .data.ptr = c };
	if ((events & (EPOLLERR | EPOLLHUP)) == 0)
		epoll_ctl(d->watch, EPOLL_CTL_MOD, c->fd, &e);
}

void drg_leavers_mark(struct drg_deadlines *d, int64_t now_ns)
{
	struct epoll_event events[EVENTS_MAX];
	int n = EVENTS_MAX;
	while (n == EVENTS_MAX) {
		n = epoll_wait(d->watch, events, EVENTS_MAX, 0);
		for (int i = 0; i < n; i++)
			leavers_mark(d, events[i].data.ptr, events[i].events, now_ns);
	}
}

static void leavers_ask(struct drg_conn *c)
{
	c->asked = true;
	ssize_t n = send(c->fd, STILL_THERE, sizeof STILL_THERE - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	c->reset |= n < 0 && errno != EAGAIN;
}

static void see_off_parked(struct drg_deadlines *d, struct drg_conn *c, int64_t now_ns)
{
	if (!c->reset && !c->asked && !c->http_1_0)
		leavers_ask(c);
	bool over = c->reset || (c->http_1_0 && now_ns > c->gone_ns + HTTP_1_0_GRACE_NS);
	if (!over || !d->calls.abandon(d->calls.ctx, c->parked))
		return;
	c->parked = NULL;
	drg_conn_shut_down(c, true);
}

void drg_leavers_see_off(struct drg_deadlines *d, struct drg_conn *c, int64_t now_ns)
{
	if (c->parked != NULL)
		see_off_parked(d, c, now_ns);
	else if (c->reset)
		drg_conn_shut_down(c, true);
	else if (atomic_load(&c->phase) != DRG_CONN_BUSY)
		shutdown(c->fd, SHUT_RD);
}
