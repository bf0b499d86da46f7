#include "http/conns/conn.h"

#include <assert.h>
#include <errno.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/conns/conn_priv.h"
#include "base/clock.h"
#include "base/thread.h"
#include "http/conns/peers.h"
#include "http/counts_priv.h"
#include "base/proxy_header.h"
#include "http/http_priv.h"

enum {
	STEPS = 64, /* steps of a connection in one turn: some thirty small requests in a row */
	READ_MORE = 4096, /* room to receive the rest of a head */
	LINGERING_MAX = 256, /* lingering connections of the server */
	LINGER_READS = 16, /* reads of a lingering connection in one turn */
	LARGE_BODY = 16 * 1024,
};
static const int64_t LINGER_NS = 2 * DRG_SECOND_NS;
static const uint64_t LINGER_BYTES = 64 * 1024 * 1024;

/* If a client that waits has closed its sending side, the server asks after this time whether the client is
 * still there, unless the answer comes first. */
static const int64_t ASK_NS = DRG_TICK_MS * INT64_C(1000000);

static const char STILL_THERE[] = "HTTP/1.1 102 Processing\r\n\r\n";

/* ---- deadlines ---- */

/** Wait for the answer of a client that has closed its sending side. */
static void wait_for_ended(struct drg_conn *c)
{
	drg_conn_set_deadline(c, drg_clock_ns() + (c->x->http_1_0 ? DRG_SECOND_NS : ASK_NS));
}

void drg_conn_wait(struct drg_conn *c)
{
	assert(c->x != NULL);
	drg_conn_set_state(c, DRG_CONN_WAITING);
	c->asked = false;
	drg_conn_set_deadline(c, DRG_NEVER);
	if (c->ended)
		wait_for_ended(c);
}

/** Ask the client whether it is still there. @return whether the wait continues. */
static bool probe_client(struct drg_conn *c)
{
	if (c->asked || c->x->http_1_0)
		return false;
	c->asked = true;
	drg_conn_send_line(c, STILL_THERE);
	drg_conn_set_deadline(c, DRG_NEVER);
	return true;
}

void drg_conn_due(struct drg_conn *c, int64_t now_ns)
{
	if (now_ns < c->deadline_ns) {
		if (c->deadline_ns != DRG_NEVER)
			drg_timer_set(&c->loop->timers, &c->timer, c->deadline_ns);
		return;
	}
	if (c->state != DRG_CONN_WAITING || !probe_client(c))
		drg_conn_close(c, c->state == DRG_CONN_WRITING);
}

/* ---- accepting ---- */

static void conn_refuse(struct drg_conn *c);

static void conn_start(struct drg_loop *l, struct drg_post *p)
{
	struct drg_conn *c = DRG_CONTAINER_OF(p, struct drg_conn, arrives);
	struct epoll_event e = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c };
	c->next = l->conns;
	if (c->next != NULL)
		c->next->prev = c;
	l->conns = c;
	drg_measure_add(&l->counts->accepted, 1);
	drg_count_conn(l->counts, c->state, true);
	drg_conn_set_deadline(c, c->deadline_ns);
	if (atomic_load(&l->ending) || epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &e) != 0)
		drg_conn_close(c, true);
	else if (c->refused)
		conn_refuse(c);
}

/** Count the connection for its client. @return false: the client has its share. */
static bool take_share(struct drg_conn *c)
{
	assert(c->peer == NULL);
	struct drg_http *h = c->loop->http;
	if (c->trusted)
		return true;
	pthread_mutex_lock(&h->peers_lock);
	int rc = drg_peers_join(h->peers, &c->client, h->opt.max_per_address, &c->peer);
	pthread_mutex_unlock(&h->peers_lock);
	return rc == DRG_OK;
}

/** Give the connection's place to another one. */
static void free_place(struct drg_conn *c)
{
	struct drg_http *h = c->loop->http;
	if (c->peer != NULL) {
		pthread_mutex_lock(&h->peers_lock);
		drg_peers_leave(h->peers, c->peer);
		pthread_mutex_unlock(&h->peers_lock);
	}
	c->peer = NULL;
	if (c->counted)
		atomic_fetch_sub(&h->n_conns, 1);
	c->counted = false;
}

static struct drg_conn *new_conn(struct drg_loop *l, int fd, const struct drg_address *from)
{
	struct drg_conn *c = calloc(1, sizeof *c);
	if (c == NULL)
		return NULL;
	const struct drg_http_options *o = &l->http->opt;
	c->loop = l;
	c->fd = fd;
	c->client = *from;
	c->trusted = drg_networks_contain(o->trusted, o->n_trusted, from);
	c->state = o->proxy_protocol && c->trusted ? DRG_CONN_GREETING : DRG_CONN_HEAD;
	c->fresh = c->writable = true;
	c->arrives.run = conn_start;
	c->since_ns = drg_clock_ns();
	c->deadline_ns = c->since_ns + o->header_seconds * DRG_SECOND_NS;
	drg_buf_init(&c->in, SIZE_MAX);
	drg_address_text(from, c->remote);
	return c;
}

/* Count a connection here and not in its loop: the accepting thread would be far ahead of the loop. */
void drg_conn_accept(struct drg_http *h, int fd, const struct drg_address *from)
{
	struct drg_loop *l = h->loops[h->next_loop++ % h->n_loops];
	struct drg_conn *c = new_conn(l, fd, from);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	if (c == NULL) {
		close(fd);
		return;
	}
	c->refused = c->state == DRG_CONN_HEAD && !take_share(c); /* its loop sends the refusal */
	c->counted = !c->refused;
	if (c->counted)
		drg_trim_note(&h->trim, atomic_fetch_add(&h->n_conns, 1) + 1);
	drg_loop_post(l, &c->arrives);
}

/* ---- closing ---- */

/** Free received bytes that are not processed yet. */
static void drop_in(struct drg_conn *c)
{
	drg_buf_done(&c->in);
	c->in_at = 0;
	drg_http_release(c->loop->http, &c->in_held);
}

void drg_conn_free(struct drg_conn *c)
{
	assert(c->fd < 0 && c->x == NULL);
	explicit_bzero(c->memory, sizeof c->memory); /* the memory has the text of a key */
	free(c);
}

void drg_conn_close(struct drg_conn *c, bool discard)
{
	static const struct linger reset = { .l_onoff = 1, .l_linger = 0 };
	struct drg_loop *l = c->loop;
	if (c->x != NULL)
		drg_dispatch_cut(c);
	assert(c->x == NULL && c->fd >= 0);
	/* Discard unsent bytes: they are not worth the kernel's memory. */
	if (discard && c->state != DRG_CONN_LINGERING) /* a lingering client still reads the last answer */
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	/* A forked process that writes a snapshot has the socket for a moment, so close() alone does not end
	 * its events. */
	epoll_ctl(l->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	close(c->fd);
	c->fd = -1;
	drg_count_conn(l->counts, c->state, false);
	if (c->state == DRG_CONN_LINGERING)
		atomic_fetch_sub(&l->http->n_lingering, 1);
	drg_timer_stop(&c->timer);
	drop_in(c);
	free_place(c);
	drg_trim_note(&l->http->trim, atomic_load(&l->http->n_conns));
	*(c->prev != NULL ? &c->prev->next : &l->conns) = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	assert(c->timer.back == NULL && c->peer == NULL && !c->counted);
	if (c->queued)
		return; /* the loop frees it when it takes it from the queue */
	c->next = l->closed;
	l->closed = c;
}

/** Keep the connection for a moment after its last answer. A socket that is closed with unread bytes, or that
 * receives more afterwards, sends a reset, which can overtake the answer (a 413 to a client that keeps
 * sending). */
static void conn_linger(struct drg_conn *c)
{
	assert(c->x == NULL && c->fd >= 0);
	struct drg_http *h = c->loop->http;
	drg_conn_set_state(c, DRG_CONN_LINGERING);
	bool many = atomic_fetch_add(&h->n_lingering, 1) >= LINGERING_MAX;
	drop_in(c);
	free_place(c);
	shutdown(c->fd, SHUT_WR);
	drg_conn_set_deadline(c, drg_clock_ns() + LINGER_NS);
	if (many)
		drg_conn_close(c, false);
}

static void conn_refuse(struct drg_conn *c)
{
	drg_conn_send_line(c, c->loop->http->too_many);
	drg_measure_add(&c->loop->counts->errors[DRG_R(too_many_connections)->number], 1);
	conn_linger(c);
}

/** @return whether to take a further step. */
static bool step_linger(struct drg_conn *c)
{
	for (int i = 0; i < LINGER_READS && c->readable; i++) {
		/* With MSG_TRUNC Linux discards the bytes without copying them. */
		ssize_t n = recv(c->fd, c->loop->bytes, DRG_LOOP_BYTES, MSG_TRUNC | MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN && !c->ended) {
			c->readable = false;
		} else if (n == 0 || (n < 0 && errno != EINTR)) {
			drg_conn_close(c, false);
			return false;
		}
		c->dropped += n > 0 ? (uint64_t)n : 0;
	}
	if (c->dropped > LINGER_BYTES)
		drg_conn_close(c, false);
	else if (c->readable)
		drg_loop_again(c->loop, c);
	return false;
}

void drg_conn_next(struct drg_conn *c, int64_t now_ns)
{
	assert(c->x == NULL && c->out_n == 0);
	if (c->closing) {
		if (c->linger || c->in.n > c->in_at || c->readable)
			conn_linger(c);
		else
			drg_conn_close(c, false);
		return;
	}
	drg_conn_set_state(c, DRG_CONN_HEAD);
	c->begun = false;
	c->scanned = 0;
	c->since_ns = now_ns;
	drg_conn_set_deadline(c, c->since_ns + c->loop->http->opt.idle_seconds * DRG_SECOND_NS);
}

/* ---- reading ---- */

/** Process the complete parts of @p bytes. @return how many bytes these have; 0: more bytes are needed. */
static size_t take_greeting(struct drg_conn *c, struct drg_str bytes)
{
	size_t n = 0;
	switch (drg_proxy_header_read(bytes, &n, &c->client)) {
	case DRG_PROXY_MORE: return 0;
	case DRG_PROXY_BAD: drg_conn_close(c, false); return bytes.n;
	default: break;
	}
	const struct drg_http_options *o = &c->loop->http->opt;
	c->trusted = drg_networks_contain(o->trusted, o->n_trusted, &c->client);
	drg_address_text(&c->client, c->remote);
	drg_conn_set_state(c, DRG_CONN_HEAD);
	if (!take_share(c))
		conn_refuse(c);
	return n;
}

static size_t take_head(struct drg_conn *c, struct drg_str bytes)
{
	const struct drg_http_options *o = &c->loop->http->opt;
	if (bytes.n >= 2 && memcmp(bytes.p, "\r\n", 2) == 0)
		return 2; /* an empty line before a request (RFC 9112, 2.2) */
	size_t n = drg_head_end(bytes, &c->scanned, o->max_url, o->max_headers);
	if (n > 0) {
		c->fresh = c->begun = false;
		c->scanned = 0;
		drg_dispatch_head(c, drg_str(bytes.p, n));
		return n;
	}
	if (!c->begun && !c->fresh)
		drg_conn_set_deadline(c, drg_clock_ns() + o->header_seconds * DRG_SECOND_NS);
	c->begun = true;
	return 0;
}

static size_t take(struct drg_conn *c, struct drg_str bytes)
{
	assert(bytes.n > 0);
	switch (c->state) {
	case DRG_CONN_GREETING: return take_greeting(c, bytes);
	case DRG_CONN_HEAD: return take_head(c, bytes);
	case DRG_CONN_BODY: return drg_dispatch_body(c->x, bytes);
	default: return 0;
	}
}

/** Receive bytes. @return how many; 0: none now, or the end. */
static size_t receive(struct drg_conn *c, char *to, size_t room)
{
	assert(room > 0); /* recv() with no room returns 0, which would be taken for the end */
	ssize_t n = recv(c->fd, to, room, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		c->readable = errno == EINTR || c->ended;
		return 0;
	}
	if (n <= 0) {
		drg_conn_close(c, n < 0);
		return 0;
	}
	/* A short read has taken all bytes that were there; epoll reports further bytes, and the end. */
	c->readable = (size_t)n == room || c->ended;
	return (size_t)n;
}

/** Receive the rest of a head, or of a body that is discarded, behind the bytes received before. */
static bool receive_more(struct drg_conn *c)
{
	assert(c->in_at <= c->in.n);
	struct drg_http *h = c->loop->http;
	if (c->in_at > 0) {
		memmove(c->in.p, c->in.p + c->in_at, c->in.n - c->in_at);
		c->in.n -= c->in_at;
		c->in_at = 0;
	}
	if (!drg_buf_reserve(&c->in, READ_MORE) || !drg_http_hold(h, &c->in_held, c->in.cap)) {
		drg_conn_close(c, true); /* no request has begun that could be answered */
		return false;
	}
	size_t n = receive(c, c->in.p + c->in.n, c->in.cap - c->in.n);
	if (n > 0)
		c->in.n += n;
	return n > 0;
}

static bool receive_new(struct drg_conn *c)
{
	char *bytes = c->loop->bytes;
	size_t n = receive(c, bytes, DRG_LOOP_BYTES), at = 0, taken = 1;
	while (at < n && taken > 0 && c->fd >= 0) {
		taken = take(c, drg_str(bytes + at, n - at));
		at += taken;
	}
	if (at < n && c->fd >= 0) {
		drg_buf_add(&c->in, bytes + at, n - at);
		if (c->in.rc != DRG_OK)
			drg_conn_close(c, true);
	}
	return n > 0;
}

/** Receive a part of the body directly to its place; the parser reads it there. */
static bool receive_body(struct drg_conn *c)
{
	size_t room;
	char *to = drg_dispatch_body_room(c->x, &room);
	size_t n = to != NULL ? receive(c, to, room) : 0;
	if (n > 0)
		(void)drg_dispatch_body(c->x, drg_str(to, n));
	return n > 0;
}

/** @return whether to take a further step. */
static bool step_read(struct drg_conn *c)
{
	if (c->in.n > c->in_at) {
		size_t n = take(c, drg_str(c->in.p + c->in_at, c->in.n - c->in_at));
		c->in_at += n;
		if (c->in_at == c->in.n && c->fd >= 0)
			drop_in(c);
		if (n > 0)
			return true;
	}
	if (!c->readable || c->fd < 0)
		return false;
	if (c->in.n > c->in_at)
		return receive_more(c);
	if (c->state != DRG_CONN_BODY)
		return receive_new(c);
	/* Between two pieces of a large body other connections of the loop get their turn. */
	if (c->x->body_seen > LARGE_BODY) {
		drg_thread_yield();
		drg_loop_again(c->loop, c);
	}
	bool more = drg_exchange_reads_straight(c->x) ? receive_body(c) : receive_new(c);
	return more && !c->queued;
}

void drg_conn_run(struct drg_conn *c)
{
	bool on = true;
	for (int i = 0; i < STEPS && on && c->fd >= 0; i++) {
		switch (c->state) {
		case DRG_CONN_WAITING: on = false; break;
		case DRG_CONN_WRITING: on = drg_conn_write(c); break;
		case DRG_CONN_LINGERING: on = step_linger(c); break;
		default: on = step_read(c); break;
		}
	}
	if (on && c->fd >= 0)
		drg_loop_again(c->loop, c);
}

void drg_conn_event(struct drg_conn *c, uint32_t events)
{
	if (c->fd < 0)
		return;
	bool reset = (events & EPOLLERR) != 0, ended = (events & (EPOLLRDHUP | EPOLLHUP)) != 0;
	c->readable |= (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0;
	c->writable |= (events & EPOLLOUT) != 0;
	if (reset) { /* the client reads no answer any more */
		drg_conn_close(c, true);
		return;
	}
	if (ended && !c->ended && c->state == DRG_CONN_WAITING)
		wait_for_ended(c);
	c->ended |= ended;
	drg_conn_run(c);
}
