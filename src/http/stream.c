#include "http/stream.h"

#include <assert.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "http/http_priv.h"
#include "http/pack.h"

enum { BLOCK_BYTES = 64 * 1024 };

/* A ring between the writer and the http thread of the connection. */
struct drg_stream {
	struct drg_http *http;
	struct MHD_Connection *mhd; /* set while it is suspended, waiting for bytes */
	pthread_mutex_t lock; /* for all */
	pthread_cond_t room;
	size_t from, n; /* the bytes that wait to be sent */
	bool ended, complete; /* nothing more comes */
	bool left; /* nobody reads */
	unsigned users; /* exchange and writer */
	char bytes[DRG_STREAM_BYTES];
};

/* Under the lock, which it lets go. */
static void let_go(struct drg_stream *s)
{
	assert(s->users > 0);
	bool last = --s->users == 0;
	pthread_mutex_unlock(&s->lock);
	if (!last)
		return;
	pthread_cond_destroy(&s->room);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

int drg_exchange_stream(struct drg_exchange *x, struct drg_stream **ret)
{
	assert(x->stream == NULL && x->content == NULL);
	if (x->head.accept_encoding.p != NULL && drg_pack_weights(x)[DRG_CODING_IDENTITY] == 0)
		return drg_exchange_fail_status(
		        x, 406, NULL, "Accept-Encoding",
		        "Accept-Encoding: what is sent while it is made is not compressed; accept identity");
	struct drg_stream *s = malloc(sizeof *s);
	if (s == NULL)
		return drg_fail_memory(&x->err);
	memset(s, 0, offsetof(struct drg_stream, bytes));
	s->http = x->http;
	s->users = 2;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->room, NULL);
	x->stream = *ret = s;
	return DRG_OK;
}

/* ---- the writer ------------------------------------------------------------------------------------------ */

/* Under the lock: let the http thread go on. */
static void wake_reader(struct drg_stream *s)
{
	struct drg_http *h = s->http;
	struct MHD_Connection *mhd = s->mhd;
	if (mhd == NULL)
		return;
	s->mhd = NULL;
	/* As in drg_exchange_resume(): the server is not taken down while libmicrohttpd is being told. */
	atomic_fetch_add(&h->resuming, 1);
	MHD_resume_connection(mhd);
	atomic_fetch_sub(&h->busy, 1);
	atomic_fetch_sub(&h->resuming, 1);
}

static size_t stream_put(struct drg_stream *s, struct drg_str bytes)
{
	size_t at = (s->from + s->n) % DRG_STREAM_BYTES, room = DRG_STREAM_BYTES - s->n;
	size_t n = bytes.n < room ? bytes.n : room;
	if (n > DRG_STREAM_BYTES - at)
		n = DRG_STREAM_BYTES - at;
	assert(s->n + n <= DRG_STREAM_BYTES && at + n <= DRG_STREAM_BYTES);
	memcpy(s->bytes + at, bytes.p, n);
	s->n += n;
	return n;
}

int drg_stream_write(struct drg_stream *s, struct drg_str bytes)
{
	pthread_mutex_lock(&s->lock);
	while (bytes.n > 0 && !s->left) {
		if (s->n == DRG_STREAM_BYTES) {
			pthread_cond_wait(&s->room, &s->lock);
			continue;
		}
		size_t n = stream_put(s, bytes);
		bytes = drg_str(bytes.p + n, bytes.n - n);
		wake_reader(s);
	}
	bool left = s->left;
	pthread_mutex_unlock(&s->lock);
	return left ? DRG_ESTOPPED : DRG_OK;
}

void drg_stream_end(struct drg_stream *s, bool complete)
{
	pthread_mutex_lock(&s->lock);
	assert(!s->ended);
	s->ended = true;
	s->complete = complete;
	wake_reader(s);
	let_go(s);
}

/* ---- the reader ------------------------------------------------------------------------------------------ */

void drg_stream_leave(struct drg_stream *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->left = true;
	pthread_cond_signal(&s->room);
	let_go(s);
}

static size_t get(struct drg_stream *s, char *to, size_t max)
{
	size_t n = s->n < max ? s->n : max;
	if (n > DRG_STREAM_BYTES - s->from)
		n = DRG_STREAM_BYTES - s->from;
	assert(n <= s->n && s->from + n <= DRG_STREAM_BYTES);
	memcpy(to, s->bytes + s->from, n);
	s->from = (s->from + n) % DRG_STREAM_BYTES;
	s->n -= n;
	pthread_cond_signal(&s->room);
	return n;
}

/* Under the lock. Counted as busy, so that the server does not stop with it; nor does it wait once the server stops. */
static ssize_t wait_for_writer(struct drg_exchange *x)
{
	struct drg_http *h = x->http;
	atomic_fetch_add(&h->busy, 1);
	if (atomic_load(&h->stopping)) {
		atomic_fetch_sub(&h->busy, 1);
		return MHD_CONTENT_READER_END_WITH_ERROR;
	}
	assert(x->stream->mhd == NULL);
	drg_conn_work(x->conn);
	x->stream->mhd = x->mhd;
	MHD_suspend_connection(x->mhd);
	return 0;
}

/* Bytes that the kernel has, and the client has not. */
static uint64_t on_the_way(const struct drg_exchange *x)
{
	int n = 0;
	return ioctl(x->conn->fd, SIOCOUTQ, &n) == 0 && n > 0 ? (uint64_t)n : 0;
}

/* Called by libmicrohttpd when the kernel has taken what it had before: the client has time for what it did not get yet. */
static ssize_t read_block(void *ctx, uint64_t at, char *to, size_t max)
{
	struct drg_exchange *x = ctx;
	struct drg_stream *s = x->stream;
	ssize_t n;
	(void)at;
	pthread_mutex_lock(&s->lock);
	if (s->n > 0)
		n = (ssize_t)get(s, to, max);
	else if (s->ended)
		n = s->complete ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
	else
		n = wait_for_writer(x);
	pthread_mutex_unlock(&s->lock);
	if (n > 0) {
		x->streamed += (uint64_t)n;
		drg_conn_answer(x->conn, drg_clock_ns(), (uint64_t)n + on_the_way(x));
	}
	return n;
}

struct MHD_Response *drg_stream_response(struct drg_exchange *x)
{
	return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_block, x, NULL);
}
