#include "http/conns/loop.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "http/conns/conn.h"
#include "http/counts_priv.h"
#include "http/http_priv.h"

enum { EVENTS_MAX = 128, CLOCK_LOOK_MS = 5 };

/* ---- the inbox ---- */

static void loop_wake(struct drg_loop *l)
{
	const uint64_t one = 1;
	ssize_t n = write(l->wake, &one, sizeof one);
	(void)n; /* cannot fail: the eventfd's counter is far from full */
}

/** Called under the lock. */
static void take_out(struct drg_loop *l, struct drg_post *p)
{
	assert(p->posted);
	*(p->prev != NULL ? &p->prev->next : &l->first) = p->next;
	*(p->next != NULL ? &p->next->prev : &l->last) = p->prev;
	p->posted = false;
}

void drg_loop_post(struct drg_loop *l, struct drg_post *p)
{
	assert(p->run != NULL);
	pthread_mutex_lock(&l->lock);
	bool first = l->first == NULL;
	if (!p->posted) {
		p->posted = true;
		p->prev = l->last;
		p->next = NULL;
		*(l->last != NULL ? &l->last->next : &l->first) = p;
		l->last = p;
	}
	/* Wake the loop under the lock: after that the post may run and end the loop. */
	if (first)
		loop_wake(l);
	pthread_mutex_unlock(&l->lock);
}

void drg_loop_unpost(struct drg_loop *l, struct drg_post *p)
{
	pthread_mutex_lock(&l->lock);
	if (p->posted)
		take_out(l, p);
	pthread_mutex_unlock(&l->lock);
}

static void run_posts(struct drg_loop *l)
{
	for (;;) {
		pthread_mutex_lock(&l->lock);
		struct drg_post *p = l->first;
		if (p != NULL)
			take_out(l, p);
		pthread_mutex_unlock(&l->lock);
		if (p == NULL)
			return;
		p->run(l, p);
	}
}

static void sweep_run(struct drg_loop *l, struct drg_post *p)
{
	struct drg_census all = { 0 };
	const struct drg_http *h = l->http;
	const bool full = atomic_load(&h->n_conns) >= h->opt.max_connections;
	int64_t now_ns = drg_clock_ns();
	(void)p;
	for (struct drg_conn *c = l->conns, *next; c != NULL; c = next) {
		next = c->next;
		drg_conn_check(c, now_ns, full, &all);
	}
	pthread_mutex_lock(&l->lock);
	l->census = all;
	pthread_mutex_unlock(&l->lock);
}

void drg_loop_sweep(struct drg_loop *l)
{
	drg_loop_post(l, &l->sweep);
}

bool drg_loop_swept(struct drg_loop *l)
{
	pthread_mutex_lock(&l->lock);
	bool posted = l->sweep.posted;
	pthread_mutex_unlock(&l->lock);
	return !posted;
}

/* ---- a turn ---- */

void drg_loop_again(struct drg_loop *l, struct drg_conn *c)
{
	assert(c->loop == l);
	if (c->queued)
		return;
	c->queued = true;
	c->again = NULL;
	*l->again_end = c;
	l->again_end = &c->again;
}

static void run_again(struct drg_loop *l)
{
	struct drg_conn *list = l->again;
	l->again = NULL;
	l->again_end = &l->again;
	while (list != NULL) {
		struct drg_conn *c = list;
		list = c->again;
		c->queued = false;
		if (c->fd >= 0)
			drg_conn_run(c);
		else
			drg_conn_free(c);
	}
}

static void run_timers(struct drg_loop *l, int64_t now_ns)
{
	struct drg_timer *due;
	while (now_ns >= l->timers.next_ns && (due = drg_timers_due(&l->timers, now_ns)) != NULL)
		drg_conn_due(DRG_CONTAINER_OF(due, struct drg_conn, timer), now_ns);
}

static void free_closed(struct drg_loop *l)
{
	while (l->closed != NULL) {
		struct drg_conn *c = l->closed;
		l->closed = c->next;
		drg_conn_free(c);
	}
}

static int wait_ms(const struct drg_loop *l, int64_t now_ns)
{
	if (l->again != NULL)
		return 0;
	bool trim = drg_trim_is_wanted(&l->http->trim);
	if (l->timers.next_ns == DRG_NEVER && !trim)
		return -1;
	if (drg_clock_is_simulated()) /* epoll_wait() does not know a test's clock */
		return CLOCK_LOOK_MS;
	int64_t ms = (l->timers.next_ns - now_ns) / 1000000 + 1;
	const int64_t most = trim ? DRG_TICK_MS : INT32_MAX;
	return ms < 0 ? 0 : (int)(ms > most ? most : ms);
}

static void loop_trim(struct drg_http *h)
{
	if (!drg_trim_begin(&h->trim))
		return;
	int rc = drg_pool_put(h->workers, &h->trim_item);
	assert(rc == DRG_OK); /* the queue has no limit */
	(void)rc;
}

static void *loop_run(void *arg)
{
	struct drg_loop *l = arg;
	struct epoll_event events[EVENTS_MAX];
	int64_t now_ns = drg_clock_ns(); /* when the last turn ended */
	while (!atomic_load_explicit(&l->ending, memory_order_acquire)) {
		int n = epoll_wait(l->epoll, events, EVENTS_MAX, wait_ms(l, now_ns));
		for (int i = 0; i < n; i++) {
			uint64_t wakes;
			if (events[i].data.ptr != NULL)
				drg_conn_event(events[i].data.ptr, events[i].events);
			else if (read(l->wake, &wakes, sizeof wakes) < 0)
				continue;
		}
		run_posts(l);
		run_again(l);
		now_ns = drg_clock_ns();
		run_timers(l, now_ns);
		free_closed(l);
		loop_trim(l->http);
	}
	return NULL;
}

/* ---- the date ---- */

struct drg_str drg_loop_date(struct drg_loop *l)
{
	time_t now = time(NULL);
	struct tm utc;
	if (now != l->date_s)
		l->date_n = strftime(l->date, sizeof l->date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n",
		                     gmtime_r(&now, &utc));
	l->date_s = now;
	return drg_str(l->date, l->date_n);
}

/* ---- start and stop ---- */

int drg_loop_start(struct drg_http *h, struct drg_loop **ret, struct drg_err *reterr)
{
	struct drg_loop *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	*ret = l; /* a loop that is only partly made can be stopped too */
	l->http = h;
	l->epoll = l->wake = -1;
	l->again_end = &l->again;
	l->sweep.run = sweep_run;
	pthread_mutex_init(&l->lock, NULL);
	drg_timers_init(&l->timers, drg_clock_ns());
	l->counts = drg_loop_counts_new(h);
	if (l->counts == NULL)
		return drg_fail_memory(reterr);
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = NULL };
	if (l->epoll < 0 || l->wake < 0 || epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->wake, &e) != 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot watch connections: %s", strerror(errno));
	int rc = drg_thread_start(&l->thread, loop_run, l, reterr);
	l->running = rc == DRG_OK;
	return rc;
}

void drg_loop_stop(struct drg_loop *l)
{
	if (l->running) {
		atomic_store(&l->ending, true);
		loop_wake(l);
		pthread_join(l->thread, NULL);
	}
	l->running = false;
	run_posts(l); /* the posts close connections that came at the last moment */
	while (l->conns != NULL)
		drg_conn_close(l->conns, true);
	run_again(l);
	free_closed(l);
	assert(l->conns == NULL && l->again == NULL);
}

void drg_loop_free(struct drg_loop *l)
{
	assert(!l->running && l->closed == NULL);
	drg_exchange_free_all(l);
	if (l->epoll >= 0)
		close(l->epoll);
	if (l->wake >= 0)
		close(l->wake);
	pthread_mutex_destroy(&l->lock);
	free(l->counts);
	free(l);
}
