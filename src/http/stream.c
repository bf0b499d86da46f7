#include "http/stream.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>

#include "http/http_priv.h"
#include "http/pack.h"

enum { BLOCK_BYTES = 64 * 1024 };

static char CRLF[] = "\r\n", LAST_CHUNK[] = "0\r\n\r\n";

/* A ring buffer between the writer and the http thread of the connection. */
struct drg_stream {
	struct drg_exchange *x; /* the exchange of the reader */
	pthread_mutex_t lock; /* protects all but the bytes that are being sent */
	pthread_cond_t room;
	size_t from, n; /* where the bytes that wait to be sent begin, and how many there are */
	size_t sending; /* how many of these are being sent; for the http thread */
	bool waits; /* the http thread waits for bytes */
	bool ended, complete; /* the writer has ended the stream; the body is complete */
	bool last; /* the last chunk is being sent */
	bool left; /* the client reads no more */
	unsigned users; /* exchange and writer, as long as they use the stream */
	char bytes[DRG_STREAM_BYTES];
};

/* Drop a user. Called under the lock, which it releases. */
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
	s->x = x;
	s->users = 2;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->room, NULL);
	x->streams = true;
	x->stream = *ret = s;
	return DRG_OK;
}

/* ---- the writer ------------------------------------------------------------------------------------------ */

/* Let the http thread go on. Under the lock. */
static void wake_reader(struct drg_stream *s)
{
	if (s->waits)
		drg_loop_post(s->x->loop, &s->x->post);
	s->waits = false;
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

void drg_stream_reader_left(struct drg_stream *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->left = true;
	s->waits = false;
	pthread_cond_signal(&s->room);
	let_go(s);
}

/** Remove the bytes that were sent. Under the lock. */
static void sent(struct drg_stream *s)
{
	assert(s->sending <= s->n);
	s->from = (s->from + s->sending) % DRG_STREAM_BYTES;
	s->n -= s->sending;
	if (s->sending > 0)
		pthread_cond_signal(&s->room);
	s->sending = 0;
}

/** Send the next contiguous part; the writer does not overwrite it until it was sent. Under the lock. */
static size_t put_piece(struct drg_stream *s, struct iovec parts[DRG_CONN_OUT])
{
	struct drg_exchange *x = s->x;
	size_t n = s->n < BLOCK_BYTES ? s->n : BLOCK_BYTES;
	if (n > DRG_STREAM_BYTES - s->from)
		n = DRG_STREAM_BYTES - s->from;
	s->sending = n;
	x->streamed += n;
	struct iovec piece = { s->bytes + s->from, n };
	if (x->http_1_0) { /* in HTTP/1.0 the body ends with the connection */
		parts[0] = piece;
		return 1;
	}
	int head = snprintf(x->chunk, sizeof x->chunk, "%zx\r\n", n);
	parts[0] = (struct iovec){ x->chunk, (size_t)head };
	parts[1] = piece;
	parts[2] = (struct iovec){ CRLF, 2 };
	return 3;
}

enum drg_stream_next drg_stream_next(struct drg_exchange *x, struct iovec parts[DRG_CONN_OUT], size_t *ret_n)
{
	struct drg_stream *s = x->stream;
	enum drg_stream_next next = DRG_STREAM_PIECE;
	pthread_mutex_lock(&s->lock);
	sent(s);
	if (s->n > 0) {
		*ret_n = put_piece(s, parts);
	} else if (!s->ended) {
		s->waits = true;
		next = DRG_STREAM_EMPTY;
	} else if (!s->complete) {
		next = DRG_STREAM_CUT;
	} else if (s->last || x->http_1_0) {
		next = DRG_STREAM_OVER;
	} else {
		s->last = true;
		parts[0] = (struct iovec){ LAST_CHUNK, sizeof LAST_CHUNK - 1 };
		*ret_n = 1;
	}
	pthread_mutex_unlock(&s->lock);
	return next;
}
