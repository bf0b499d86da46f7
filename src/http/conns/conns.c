/* The connections that there are, and what they do. */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/conns/deadlines_priv.h"

static void free_conn(struct drg_conn *c)
{
	explicit_bzero(c->memory, sizeof c->memory); /* the text of a key */
	free(c);
}

/* ---- the list, under the lock ---- */

static void link_conn(struct drg_deadlines *d, struct drg_conn *c)
{
	assert((size_t)c->fd < d->n_fds && d->by_fd[c->fd] == NULL);
	c->next = d->conns;
	if (d->conns != NULL)
		d->conns->prev = c;
	d->conns = c;
	d->by_fd[c->fd] = c;
	atomic_fetch_add(&d->count, 1);
}

static void unlink_conn(struct drg_deadlines *d, struct drg_conn *c)
{
	assert(d->by_fd[c->fd] == c);
	assert(c->prev != NULL ? c->prev->next == c : d->conns == c);
	d->by_fd[c->fd] = NULL;
	if (c->prev != NULL)
		c->prev->next = c->next;
	else
		d->conns = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	drg_peers_leave(d->peers, c->peer);
	unsigned before = atomic_fetch_sub(&d->count, 1);
	assert(before > 0);
	(void)before;
}

/** Room in the table by descriptor. The system gives the lowest free number, so the table stays small. */
static bool conns_make_room(struct drg_deadlines *d, size_t fd)
{
	if (fd < d->n_fds)
		return true;
	size_t n = fd * 2 + 64;
	struct drg_conn **table = realloc(d->by_fd, n * sizeof *table);
	if (table == NULL)
		return false;
	memset(table + d->n_fds, 0, (n - d->n_fds) * sizeof *table);
	d->by_fd = table;
	d->n_fds = n;
	return true;
}

/* ---- coming and going ---- */

static int link_counted(struct drg_deadlines *d, struct drg_conn *c)
{
	if (!conns_make_room(d, (size_t)c->fd))
		return DRG_ENOMEM;
	/* Without memory libmicrohttpd closes a connection and tells nobody: its number comes back. */
	struct drg_conn *lost = d->by_fd[c->fd];
	if (lost != NULL) {
		assert(!lost->started);
		unlink_conn(d, lost);
		free(lost);
	}
	int rc = c->trusted ? DRG_OK : drg_peers_join(d->peers, &c->client, d->max_per_address, &c->peer);
	if (rc == DRG_OK)
		link_conn(d, c);
	return rc;
}

int drg_conn_admit(struct drg_deadlines *d, int fd, const struct drg_address *client, bool trusted)
{
	struct drg_conn *c = calloc(1, sizeof *c);
	if (c == NULL)
		return DRG_ENOMEM;
	c->fd = fd;
	c->owner = d;
	c->client = *client;
	c->trusted = trusted;
	drg_address_text(client, c->remote);
	int64_t now_ns = drg_clock_ns();
	atomic_store(&c->phase, DRG_CONN_FIRST);
	atomic_store(&c->since_ns, now_ns);
	atomic_store(&c->deadline_ns, now_ns + d->header_ns);
	pthread_mutex_lock(&d->reaper.lock);
	int rc = link_counted(d, c);
	pthread_mutex_unlock(&d->reaper.lock);
	if (rc != DRG_OK)
		free_conn(c);
	return rc;
}

void drg_conn_withdraw(struct drg_deadlines *d, int fd)
{
	pthread_mutex_lock(&d->reaper.lock);
	struct drg_conn *c = (size_t)fd < d->n_fds ? d->by_fd[fd] : NULL;
	if (c != NULL && !c->started)
		unlink_conn(d, c);
	else
		c = NULL; /* it was told of, and removed */
	pthread_mutex_unlock(&d->reaper.lock);
	if (c != NULL)
		free_conn(c);
}

struct drg_conn *drg_conn_started(struct drg_deadlines *d, int fd)
{
	pthread_mutex_lock(&d->reaper.lock);
	struct drg_conn *c = (size_t)fd < d->n_fds ? d->by_fd[fd] : NULL;
	assert(c != NULL && !c->started);
	c->started = true;
	bool watched = drg_leavers_watch(d, c);
	pthread_mutex_unlock(&d->reaper.lock);
	(void)watched; /* without it, its deadlines see to it */
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

/** Under the lock. @return what remains to be closed, -1: nothing. */
static int hand_to_linger(struct drg_deadlines *d, int fd)
{
	if (fd < 0 || d->n_to_linger == DRG_LINGER_MAX)
		return fd;
	d->to_linger[d->n_to_linger++] = fd;
	return -1;
}

void drg_conn_remove(struct drg_conn *c)
{
	if (c == NULL)
		return;
	struct drg_deadlines *d = c->owner;
	int fd = keep_for_linger(c);
	pthread_mutex_lock(&d->reaper.lock);
	assert(c->parked == NULL && c->started);
	fd = hand_to_linger(d, fd);
	drg_leavers_forget(d, c);
	unlink_conn(d, c);
	pthread_mutex_unlock(&d->reaper.lock);
	if (fd >= 0)
		close(fd);
	free_conn(c);
}

void drg_deadlines_refuse(struct drg_deadlines *d, int fd, const char *text)
{
	ssize_t n = send(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)n; /* a new socket has room for it; who is not there does not read it */
	shutdown(fd, SHUT_WR);
	pthread_mutex_lock(&d->reaper.lock);
	fd = hand_to_linger(d, fd);
	pthread_mutex_unlock(&d->reaper.lock);
	if (fd >= 0)
		close(fd);
}

unsigned drg_conn_count(const struct drg_deadlines *d)
{
	return atomic_load(&d->count);
}

/* ---- what a connection does ---- */

/** The deadline last: the reaper acts on it only if it is still the one that it saw first. @return false: it has acted. */
static bool set(struct drg_conn *c, enum drg_conn_phase phase, int64_t since_ns, int64_t deadline_ns)
{
	int64_t seen = atomic_load_explicit(&c->deadline_ns, memory_order_relaxed);
	atomic_store_explicit(&c->phase, phase, memory_order_relaxed);
	atomic_store_explicit(&c->since_ns, since_ns, memory_order_relaxed);
	while (seen != DRG_CUT &&
	       !atomic_compare_exchange_weak_explicit(&c->deadline_ns, &seen, deadline_ns,
	                                              memory_order_release, memory_order_relaxed))
		;
	return seen != DRG_CUT;
}

/** @p from_ns, header_seconds, and the time that @p bytes take at the least rate. */
static int64_t allowance(const struct drg_deadlines *d, int64_t from_ns, uint64_t bytes)
{
	int64_t transfer, sum;
	if (bytes > INT64_MAX || __builtin_mul_overflow((int64_t)bytes, d->byte_ns, &transfer) ||
	    __builtin_add_overflow(from_ns + d->header_ns, transfer, &sum))
		return DRG_NEVER;
	return sum;
}

void drg_conn_wait(struct drg_conn *c, int64_t now_ns)
{
	set(c, DRG_CONN_IDLE, now_ns, now_ns + c->owner->idle_ns);
	if (atomic_load_explicit(&c->gone, memory_order_relaxed))
		shutdown(c->fd, SHUT_RD); /* nothing more will come: libmicrohttpd is to see that at once */
}

bool drg_conn_head(struct drg_conn *c, int64_t now_ns)
{
	/* The first head has its deadline since the connection was made. */
	bool first = atomic_load_explicit(&c->phase, memory_order_relaxed) == DRG_CONN_FIRST;
	int64_t deadline = atomic_load_explicit(&c->deadline_ns, memory_order_relaxed);
	return set(c, DRG_CONN_READING, 0, first ? deadline : now_ns + c->owner->header_ns);
}

void drg_conn_body(struct drg_conn *c, int64_t start_ns, uint64_t bytes)
{
	set(c, DRG_CONN_READING, 0, allowance(c->owner, start_ns, bytes));
}

bool drg_conn_work(struct drg_conn *c)
{
	return set(c, DRG_CONN_BUSY, 0, DRG_NEVER);
}

/** An answer that is large has to be read faster: nobody keeps megabytes of ours for an hour. */
static int64_t answer_allowance(const struct drg_deadlines *d, int64_t now_ns, uint64_t bytes)
{
	static const uint64_t SECOND_NS = 1000000000;
	uint64_t slow = bytes < DRG_SLOW_BYTES ? bytes : DRG_SLOW_BYTES;
	int64_t at_least_rate = allowance(d, now_ns, bytes), until = allowance(d, now_ns, slow);
	uint64_t rest_ns = (bytes - slow) * (SECOND_NS / DRG_SLOW_BYTES);
	if (until == DRG_NEVER || rest_ns > (uint64_t)(DRG_NEVER - until))
		return at_least_rate;
	until += (int64_t)rest_ns;
	return until < at_least_rate ? until : at_least_rate;
}

void drg_conn_answer(struct drg_conn *c, int64_t now_ns, uint64_t bytes)
{
	set(c, DRG_CONN_BUSY, 0, answer_allowance(c->owner, now_ns, bytes));
}

void drg_conn_park(struct drg_conn *c, void *request, bool http_1_0)
{
	pthread_mutex_lock(&c->owner->reaper.lock);
	assert(c->parked == NULL); /* one request at a time */
	c->parked = request;
	c->http_1_0 = http_1_0;
	c->asked = false;
	pthread_mutex_unlock(&c->owner->reaper.lock);
}

void drg_conn_unpark(struct drg_conn *c)
{
	pthread_mutex_lock(&c->owner->reaper.lock);
	c->parked = NULL;
	pthread_mutex_unlock(&c->owner->reaper.lock);
}

/* ---- a census ---- */

static void count_one(const struct drg_conn *c, struct drg_conn_census *all)
{
	int phase = atomic_load(&c->phase);
	if (phase == DRG_CONN_READING)
		all->reading++;
	else if (phase != DRG_CONN_BUSY)
		all->waiting++;
	else if (atomic_load(&c->deadline_ns) < DRG_CUT)
		all->answering++;
}

void drg_deadlines_census(struct drg_deadlines *d, struct drg_conn_census *ret)
{
	*ret = (struct drg_conn_census){ 0 };
	pthread_mutex_lock(&d->reaper.lock);
	for (const struct drg_conn *c = d->conns; c != NULL; c = c->next)
		count_one(c, ret);
	pthread_mutex_unlock(&d->reaper.lock);
}
