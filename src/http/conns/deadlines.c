#include "http/conns/deadlines_priv.h"

#include <assert.h>
#include <errno.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

static const int64_t SECOND_NS = INT64_C(1000000000);
static const int64_t TICK_NS = DRG_TICK_MS * INT64_C(1000000);
/* The kernel keeps the time of the last data in ticks of its own. */
static const int64_t TICK_OF_KERNEL_NS = INT64_C(20000000);
/* Who has sent no request for so long makes room where there is none. */
static const int64_t ROOM_NS = INT64_C(500000000);
/* Who reads nothing for so long while the server stops is not waited for. */
static const int64_t STALL_NS = INT64_C(1500000000);

/* ---- the reaper ---- */

/** Has anything been received since the connection began to wait? Bytes that libmicrohttpd has read leave no other
 * trace before the request line is whole. */
static bool head_has_begun(const struct drg_conn *c, int64_t now_ns)
{
	struct tcp_info info;
	socklen_t n = sizeof info;
	if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n) != 0)
		return false;
	int64_t received_ns = now_ns - (int64_t)info.tcpi_last_data_recv * 1000000;
	return received_ns > atomic_load(&c->since_ns) + TICK_OF_KERNEL_NS;
}

/** Replace the deadline that was seen, unless the http thread has set a new one in between. */
static bool take_deadline(struct drg_conn *c, int64_t seen, int64_t new_ns)
{
	return atomic_compare_exchange_strong(&c->deadline_ns, &seen, new_ns);
}

void drg_conn_shut_down(struct drg_conn *c, bool discard)
{
	/* What a reader did not take is not worth the kernel's memory either. */
	struct linger reset = { .l_onoff = 1, .l_linger = 0 };
	if (discard)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	shutdown(c->fd, SHUT_RDWR);
}

/** With every place taken, who has sent no request for a while makes room; a proxy keeps his place, and who has sent
 * something that we have not looked at. */
static bool makes_room(const struct drg_conn *c, int64_t now_ns)
{
	int phase = atomic_load(&c->phase), unread = 0;
	bool waits = (phase == DRG_CONN_FIRST || phase == DRG_CONN_IDLE) && c->started && !c->trusted &&
	             now_ns - atomic_load(&c->since_ns) > ROOM_NS;
	return waits && ioctl(c->fd, FIONREAD, &unread) == 0 && unread == 0;
}

static void check_conn(struct drg_deadlines *d, struct drg_conn *c, int64_t now_ns)
{
	if (atomic_load_explicit(&c->gone, memory_order_relaxed))
		drg_leavers_see_off(d, c, now_ns);
	int64_t deadline = atomic_load(&c->deadline_ns);
	bool full = atomic_load(&d->count) >= d->max_connections;
	if (full && deadline < DRG_CUT && makes_room(c, now_ns)) {
		if (take_deadline(c, deadline, DRG_CUT))
			drg_conn_shut_down(c, false);
		return;
	}
	if (now_ns < deadline)
		return;
	int phase = atomic_load(&c->phase);
	bool idle_is_over = phase == DRG_CONN_IDLE && deadline == atomic_load(&c->since_ns) + d->idle_ns;
	if (idle_is_over && head_has_begun(c, now_ns))
		take_deadline(c, deadline, now_ns + d->header_ns);
	else if (take_deadline(c, deadline, DRG_CUT))
		drg_conn_shut_down(c, phase == DRG_CONN_BUSY);
}

/** Under the lock: who has been closed gently since the last time. */
static void take_lingering(struct drg_deadlines *d, int64_t now_ns)
{
	assert(d->n_to_linger <= DRG_LINGER_MAX);
	for (unsigned i = 0; i < d->n_to_linger; i++)
		drg_linger_add(&d->linger, d->to_linger[i], now_ns);
	d->n_to_linger = 0;
}

/** A step of the reaper, with each tick. */
static int64_t reaper_step(void *deadlines)
{
	struct drg_deadlines *d = deadlines;
	if (d->reaper.stopping)
		return DRG_WHEN_WOKEN;
	int64_t now_ns = drg_clock_ns();
	drg_leavers_mark(d, now_ns);
	for (struct drg_conn *c = d->conns; c != NULL; c = c->next)
		check_conn(d, c, now_ns);
	take_lingering(d, now_ns);
	pthread_mutex_unlock(&d->reaper.lock);
	drg_linger_tick(&d->linger, now_ns);
	d->calls.tick(d->calls.ctx, drg_conn_count(d));
	pthread_mutex_lock(&d->reaper.lock);
	return drg_clock_ns() + TICK_NS;
}

/* ---- the end of the server ---- */

/** Has the client taken nothing of its answer for some time? */
static bool stalls(struct drg_conn *c, int64_t now_ns)
{
	struct tcp_info info = { .tcpi_bytes_acked = 0 };
	socklen_t n = sizeof info;
	if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n) != 0)
		return true;
	if (c->acked_ns == 0 || info.tcpi_bytes_acked != c->acked) {
		c->acked = info.tcpi_bytes_acked;
		c->acked_ns = now_ns;
	}
	return now_ns - c->acked_ns > STALL_NS;
}

static bool is_to_end(struct drg_conn *c, int phase, int64_t now_ns, int64_t request_until_ns)
{
	if (phase == DRG_CONN_BUSY)
		return stalls(c, now_ns);
	return now_ns > request_until_ns || (phase != DRG_CONN_READING && !head_has_begun(c, now_ns));
}

void drg_deadlines_drain(struct drg_deadlines *d, int64_t request_until_ns)
{
	int64_t now_ns = drg_clock_ns();
	pthread_mutex_lock(&d->reaper.lock);
	for (struct drg_conn *c = d->conns; c != NULL; c = c->next) {
		int64_t deadline = atomic_load(&c->deadline_ns);
		int phase = atomic_load(&c->phase);
		if (deadline < DRG_CUT && is_to_end(c, phase, now_ns, request_until_ns) &&
		    take_deadline(c, deadline, DRG_CUT))
			drg_conn_shut_down(c, phase == DRG_CONN_BUSY);
	}
	pthread_mutex_unlock(&d->reaper.lock);
}

void drg_deadlines_cut(struct drg_deadlines *d)
{
	pthread_mutex_lock(&d->reaper.lock);
	for (struct drg_conn *c = d->conns; c != NULL; c = c->next)
		drg_conn_shut_down(c, true);
	pthread_mutex_unlock(&d->reaper.lock);
}

/* ---- start and stop ---- */

static void free_deadlines(struct drg_deadlines *d)
{
	drg_worker_done(&d->reaper);
	take_lingering(d, 0);
	drg_linger_done(&d->linger);
	if (d->watch >= 0)
		close(d->watch);
	drg_peers_free(d->peers);
	free(d->by_fd);
	free(d);
}

static void init_deadlines(struct drg_deadlines *d, const struct drg_http_options *o)
{
	d->header_ns = o->header_seconds * SECOND_NS;
	d->idle_ns = o->idle_seconds * SECOND_NS;
	d->byte_ns = SECOND_NS / o->min_rate;
	d->max_connections = o->max_connections;
	d->max_per_address = o->max_per_address;
	d->watch = -1;
	drg_worker_init(&d->reaper);
}

int drg_deadlines_start(const struct drg_http_options *o, const struct drg_deadlines_calls *calls,
                        struct drg_deadlines **ret, struct drg_err *reterr)
{
	struct drg_deadlines *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	init_deadlines(d, o);
	d->calls = *calls;
	int rc = drg_peers_new(o->max_connections, &d->peers, reterr);
	if (rc == DRG_OK && (d->watch = epoll_create1(EPOLL_CLOEXEC)) < 0)
		rc = drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot watch connections: %s", strerror(errno));
	if (rc == DRG_OK)
		rc = drg_worker_start(&d->reaper, reaper_step, d, DRG_AT_ONCE, reterr);
	if (rc == DRG_OK)
		*ret = d;
	else
		free_deadlines(d);
	return rc;
}

void drg_deadlines_stop(struct drg_deadlines *d)
{
	if (d != NULL)
		free_deadlines(d);
}
