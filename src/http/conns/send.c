/* Sends answers without copying them, by one system call if the kernel takes all bytes. */
#include <assert.h>
#include <errno.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/thread.h"
#include "http/conns/conn.h"
#include "http/http_priv.h"

/* An answer above WHOLE bytes is given to the kernel in slices, with turns of other connections in between:
 * on a fast network the kernel takes megabytes at once, for milliseconds. */
enum { WHOLE = 512 * 1024, SLICE = 128 * 1024 };

void drg_conn_send(struct drg_conn *c, const struct iovec *parts, size_t n)
{
	assert(n <= DRG_CONN_OUT);
	c->out_n = 0;
	memset(c->out, 0, sizeof c->out);
	for (size_t i = 0; i < n; i++) {
		c->out[i] = parts[i];
		c->out_n += parts[i].iov_len;
	}
	drg_conn_set_state(c, DRG_CONN_WRITING);
}

void drg_conn_send_line(struct drg_conn *c, const char *text)
{
	ssize_t n = send(c->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)n; /* the answer's first line: there is room; epoll reports a client that has left */
}

/** Write the first @p most remaining bytes as an iovec. */
static size_t out_parts(const struct drg_conn *c, size_t most, struct iovec parts[DRG_CONN_OUT])
{
	size_t n = 0;
	for (size_t i = 0; i < DRG_CONN_OUT && most > 0; i++) {
		if (c->out[i].iov_len == 0)
			continue;
		parts[n] = c->out[i];
		if (parts[n].iov_len > most)
			parts[n].iov_len = most;
		most -= parts[n++].iov_len;
	}
	return n;
}

static void out_sent(struct drg_conn *c, size_t n)
{
	assert(n <= c->out_n);
	c->out_n -= n;
	for (size_t i = 0; n > 0; i++) {
		assert(i < DRG_CONN_OUT);
		size_t part = c->out[i].iov_len < n ? c->out[i].iov_len : n;
		c->out[i].iov_base = (char *)c->out[i].iov_base + part;
		c->out[i].iov_len -= part;
		n -= part;
	}
}

/** @return whether to take a further step. */
static bool send_out(struct drg_conn *c)
{
	struct iovec parts[DRG_CONN_OUT];
	bool large = c->out_n > WHOLE;
	struct msghdr m = { .msg_iov = parts };
	m.msg_iovlen = out_parts(c, large ? SLICE : SIZE_MAX, parts);
	ssize_t n = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0 && errno == EINTR)
		n = 0;
	if (n < 0 && errno != EAGAIN) {
		drg_conn_close(c, true);
		return false;
	}
	if (n < 0) {
		c->writable = false;
		return false;
	}
	if ((size_t)n == c->out_n)
		c->out_n = 0;
	else
		out_sent(c, (size_t)n);
	if (large) {
		drg_thread_yield();
		drg_loop_again(c->loop, c);
	}
	return !large;
}

/** Bytes that the kernel has and that the client has not received. */
static uint64_t on_the_way(const struct drg_conn *c)
{
	int n = 0;
	return ioctl(c->fd, SIOCOUTQ, &n) == 0 && n > 0 ? (uint64_t)n : 0;
}

/** Get the next piece of the stream. @return whether there is something to send, or the stream has ended. */
static bool next_piece(struct drg_conn *c)
{
	struct iovec parts[DRG_CONN_OUT];
	size_t n = 0;
	switch (drg_stream_next(c->x, parts, &n)) {
	case DRG_STREAM_PIECE:
		drg_conn_send(c, parts, n);
		/* The client gets time for the bytes that it has not received yet. */
		drg_conn_set_answer_deadline(c, drg_clock_ns(), c->out_n + on_the_way(c));
		return true;
	case DRG_STREAM_EMPTY: drg_conn_set_deadline(c, DRG_NEVER); return false;
	case DRG_STREAM_CUT: drg_conn_close(c, false); return false;
	case DRG_STREAM_OVER: break;
	}
	return true;
}

bool drg_conn_write(struct drg_conn *c)
{
	assert(c->state == DRG_CONN_WRITING && c->x != NULL);
	if (c->out_n > 0)
		return c->writable && send_out(c);
	if (c->x->stream != NULL && !next_piece(c))
		return false;
	if (c->out_n == 0)
		drg_dispatch_completed(c);
	return true;
}
