#include "http/deadlines.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/linger.h"

static const int64_t SECOND_NS = INT64_C(1000000000);
static const int64_t TICK_NS = INT64_C(100000000);
/* The kernel keeps the time of the last data in ticks of its own. */
static const int64_t TICK_OF_KERNEL_NS = INT64_C(20000000);
static const int64_t NEVER = INT64_MAX;

struct drg_deadlines {
	int64_t header_ns, idle_ns, byte_ns;
	void (*tick)(void *ctx);
	void *tick_ctx;
	atomic_uint count;
	pthread_t reaper;

	pthread_mutex_t lock; /* for what follows; held while a socket of the list is shut down */
	pthread_cond_t wake;
	struct drg_conn *conns;
	int to_linger[DRG_LINGER_MAX];
	unsigned n_to_linger;
	bool stop;
};

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

static void shut_down(struct drg_conn *c, bool discard)
{
	/* What a reader did not take is not worth the kernel's memory either. */
	struct linger reset = { .l_onoff = 1, .l_linger = 0 };
	if (discard)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	shutdown(c->fd, SHUT_RDWR);
}

static void check_conn(const struct drg_deadlines *d, struct drg_conn *c, int64_t now_ns)
{
	int64_t deadline = atomic_load(&c->deadline_ns);
	if (now_ns < deadline)
		return;
	int phase = atomic_load(&c->phase);
	bool idle_is_over = phase == DRG_CONN_IDLE && deadline == atomic_load(&c->since_ns) + d->idle_ns;
	if (idle_is_over && head_has_begun(c, now_ns))
		take_deadline(c, deadline, now_ns + d->header_ns);
	else if (take_deadline(c, deadline, NEVER))
		shut_down(c, phase == DRG_CONN_BUSY);
}

static void wait_a_tick(struct drg_deadlines *d)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	int64_t ns = until.tv_nsec + TICK_NS;
	until.tv_sec += ns / SECOND_NS;
	until.tv_nsec = ns % SECOND_NS;
	pthread_cond_timedwait(&d->wake, &d->lock, &until);
}

/** Under the lock: who has been closed gently since the last time. */
static void take_lingering(struct drg_deadlines *d, struct drg_linger *l, int64_t now_ns)
{
	for (unsigned i = 0; i < d->n_to_linger; i++)
		drg_linger_add(l, d->to_linger[i], now_ns);
	d->n_to_linger = 0;
}

static void *run_reaper(void *arg)
{
	struct drg_deadlines *d = arg;
	struct drg_linger linger = { .n = 0 };
	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		int64_t now_ns = drg_clock_ns();
		for (struct drg_conn *c = d->conns; c != NULL; c = c->next)
			check_conn(d, c, now_ns);
		take_lingering(d, &linger, now_ns);
		pthread_mutex_unlock(&d->lock);
		drg_linger_tick(&linger, now_ns);
		d->tick(d->tick_ctx);
		pthread_mutex_lock(&d->lock);
		wait_a_tick(d);
	}
	take_lingering(d, &linger, 0);
	pthread_mutex_unlock(&d->lock);
	drg_linger_done(&linger);
	return NULL;
}

void drg_deadlines_close_waiting(struct drg_deadlines *d)
{
	int64_t now_ns = drg_clock_ns();
	pthread_mutex_lock(&d->lock);
	for (struct drg_conn *c = d->conns; c != NULL; c = c->next) {
		int64_t deadline = atomic_load(&c->deadline_ns);
		bool waits = atomic_load(&c->phase) != DRG_CONN_BUSY && deadline != NEVER;
		if (waits && !head_has_begun(c, now_ns) && take_deadline(c, deadline, NEVER))
			shut_down(c, false);
	}
	pthread_mutex_unlock(&d->lock);
}

/* ---- start and stop ---- */

static void free_deadlines(struct drg_deadlines *d)
{
	pthread_cond_destroy(&d->wake);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

int drg_deadlines_start(const struct drg_http_options *o, void (*tick)(void *ctx), void *ctx,
                        struct drg_deadlines **ret, struct drg_err *reterr)
{
	struct drg_deadlines *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	d->tick = tick;
	d->tick_ctx = ctx;
	d->header_ns = o->header_seconds * SECOND_NS;
	d->idle_ns = o->idle_seconds * SECOND_NS;
	d->byte_ns = SECOND_NS / o->min_rate;
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&d->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&d->lock, NULL);
	if (pthread_create(&d->reaper, NULL, run_reaper, d) != 0) {
		free_deadlines(d);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = d;
	return DRG_OK;
}

void drg_deadlines_stop(struct drg_deadlines *d)
{
	if (d == NULL)
		return;
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_signal(&d->wake);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->reaper, NULL);
	free_deadlines(d);
}

/* ---- connections ---- */

static void write_remote(const struct sockaddr *a, char *buf)
{
	const void *address = a->sa_family == AF_INET6
	                              ? (const void *)&((const struct sockaddr_in6 *)a)->sin6_addr
	                              : (const void *)&((const struct sockaddr_in *)a)->sin_addr;
	if (inet_ntop(a->sa_family, address, buf, INET6_ADDRSTRLEN) == NULL)
		buf[0] = '\0';
}

struct drg_conn *drg_conn_add(struct drg_deadlines *d, int fd, const struct sockaddr *remote)
{
	struct drg_conn *c = calloc(1, sizeof *c);
	if (c == NULL)
		return NULL;
	c->fd = fd;
	c->owner = d;
	write_remote(remote, c->remote);
	int64_t now_ns = drg_clock_ns();
	atomic_store(&c->phase, DRG_CONN_FIRST);
	atomic_store(&c->since_ns, now_ns);
	atomic_store(&c->deadline_ns, now_ns + d->header_ns);
	atomic_fetch_add(&d->count, 1);
	pthread_mutex_lock(&d->lock);
	c->next = d->conns;
	if (d->conns != NULL)
		d->conns->prev = c;
	d->conns = c;
	pthread_mutex_unlock(&d->lock);
	return c;
}

/** A second descriptor of the socket, for lingering; -1: not needed, or none left. */
static int keep_for_linger(const struct drg_conn *c)
{
	int unread = 0;
	if (!c->linger && (ioctl(c->fd, FIONREAD, &unread) != 0 || unread == 0))
		return -1;
	return fcntl(c->fd, F_DUPFD_CLOEXEC, 0);
}

void drg_conn_remove(struct drg_conn *c)
{
	if (c == NULL)
		return;
	struct drg_deadlines *d = c->owner;
	int fd = keep_for_linger(c);
	pthread_mutex_lock(&d->lock);
	if (fd >= 0 && d->n_to_linger < DRG_LINGER_MAX) {
		d->to_linger[d->n_to_linger++] = fd;
		fd = -1;
	}
	if (c->prev != NULL)
		c->prev->next = c->next;
	else
		d->conns = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	pthread_mutex_unlock(&d->lock);
	atomic_fetch_sub(&d->count, 1);
	if (fd >= 0)
		close(fd);
	free(c);
}

unsigned drg_conn_count(const struct drg_deadlines *d)
{
	return atomic_load(&d->count);
}

/* ---- what a connection does ---- */

/** The deadline last: the reaper acts on it only if it is still the one that it saw first. */
static void set(struct drg_conn *c, enum drg_conn_phase phase, int64_t since_ns, int64_t deadline_ns)
{
	atomic_store_explicit(&c->phase, phase, memory_order_relaxed);
	atomic_store_explicit(&c->since_ns, since_ns, memory_order_relaxed);
	atomic_store_explicit(&c->deadline_ns, deadline_ns, memory_order_release);
}

/** @p from_ns, header_seconds, and the time that @p bytes take at the least rate. */
static int64_t allowance(const struct drg_deadlines *d, int64_t from_ns, uint64_t bytes)
{
	int64_t transfer, sum;
	if (bytes > INT64_MAX || __builtin_mul_overflow((int64_t)bytes, d->byte_ns, &transfer) ||
	    __builtin_add_overflow(from_ns + d->header_ns, transfer, &sum))
		return NEVER;
	return sum;
}

void drg_conn_wait(struct drg_conn *c, int64_t now_ns)
{
	set(c, DRG_CONN_IDLE, now_ns, now_ns + c->owner->idle_ns);
}

void drg_conn_head(struct drg_conn *c, int64_t now_ns)
{
	/* The first head has its deadline since the connection was made. */
	bool first = atomic_load_explicit(&c->phase, memory_order_relaxed) == DRG_CONN_FIRST;
	int64_t deadline = atomic_load_explicit(&c->deadline_ns, memory_order_relaxed);
	set(c, DRG_CONN_BUSY, 0, first ? deadline : now_ns + c->owner->header_ns);
}

void drg_conn_body(struct drg_conn *c, int64_t start_ns, uint64_t bytes)
{
	set(c, DRG_CONN_BUSY, 0, allowance(c->owner, start_ns, bytes));
}

void drg_conn_work(struct drg_conn *c)
{
	set(c, DRG_CONN_BUSY, 0, NEVER);
}

/** An answer that is large has to be read faster: nobody keeps megabytes of ours for an hour. */
static int64_t answer_allowance(const struct drg_deadlines *d, int64_t now_ns, uint64_t bytes)
{
	uint64_t slow = bytes < DRG_SLOW_BYTES ? bytes : DRG_SLOW_BYTES;
	int64_t at_least_rate = allowance(d, now_ns, bytes), until = allowance(d, now_ns, slow);
	uint64_t rest_ns = (bytes - slow) * ((uint64_t)SECOND_NS / DRG_SLOW_BYTES);
	if (until == NEVER || rest_ns > (uint64_t)(NEVER - until))
		return at_least_rate;
	until += (int64_t)rest_ns;
	return until < at_least_rate ? until : at_least_rate;
}

void drg_conn_answer(struct drg_conn *c, int64_t now_ns, uint64_t bytes)
{
	set(c, DRG_CONN_BUSY, 0, answer_allowance(c->owner, now_ns, bytes));
}
