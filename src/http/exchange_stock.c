/* The stock of exchanges of a loop: taken for a request, recycled after it. And the memory of large
 * requests. */
#include "http/http_priv.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "http/negotiate.h"
#include "http/pack.h"

enum {
	FREE_MAX = 64, /* exchanges that a loop keeps for reuse */
	KEPT_BYTES = 1024 * 1024, /* a larger buffer is freed instead */
	FREE_BYTES = 2 * 1024 * 1024, /* all buffers that are kept */
	TRIM_BYTES = 1024 * 1024, /* memory of a request that is worth returning to the system at once */
	/* The memory that a handler may need besides body and answer, and the same for each byte of the body
	 * (an element of two bytes has a record of some hundred bytes). */
	ARENA_MIN = 64 * 1024 * 1024,
	ARENA_FOR_BYTE = 512,
	/* Requests below this size do not count: there is at most one for each connection. */
	LARGE_REQUEST = 64 * 1024,
};

static struct drg_exchange *new_exchange(struct drg_loop *l)
{
	struct drg_http *h = l->http;
	struct drg_exchange *x = calloc(1, sizeof *x);
	if (x == NULL)
		return NULL;
	x->http = h;
	x->loop = l;
	drg_arena_init(&x->arena, ARENA_MIN + ARENA_FOR_BYTE * h->opt.max_body);
	drg_buf_init(&x->out, h->opt.max_answers);
	drg_buf_init(&x->packed, h->opt.max_answers);
	drg_buf_init(&x->body, h->opt.max_body > DRG_FILE_MAX ? h->opt.max_body : DRG_FILE_MAX);
	drg_buf_init(&x->ignored, DRG_IGNORED_MAX);
	drg_buf_init(&x->scratch, 64 * 1024);
	return x;
}

static void free_exchange(struct drg_exchange *x)
{
	drg_arena_done(&x->arena);
	drg_buf_done(&x->out);
	drg_buf_done(&x->packed);
	drg_buf_done(&x->body);
	drg_buf_done(&x->ignored);
	drg_buf_done(&x->scratch);
	free(x);
}

static size_t kept_bytes(const struct drg_exchange *x)
{
	return x->out.cap + x->packed.cap + x->body.cap;
}

struct drg_exchange *drg_exchange_take(struct drg_loop *l)
{
	struct drg_exchange *x = l->free;
	if (x == NULL)
		return new_exchange(l);
	assert(l->n_free > 0 && l->free_bytes >= kept_bytes(x));
	l->free = x->next;
	l->n_free--;
	l->free_bytes -= kept_bytes(x);
	return x;
}

static void recycle_buf(struct drg_buf *b)
{
	if (b->cap > KEPT_BYTES)
		drg_buf_done(b);
	else
		drg_buf_clear(b);
}

/** Reset an exchange, but keep its memory. */
static void clean(struct drg_exchange *x)
{
	const size_t from = offsetof(struct drg_exchange, conn);
	memset((char *)x + from, 0, sizeof *x - from);
	x->target.n_segments = 0;
	x->target.path = x->target.decoded = x->target.query = drg_str(NULL, 0);
	x->err.code = DRG_OK;
	x->err.reason[0] = x->err.field[0] = x->err.message[0] = '\0';
	drg_arena_reset(&x->arena);
	recycle_buf(&x->out);
	recycle_buf(&x->packed);
	recycle_buf(&x->body);
	drg_buf_clear(&x->ignored);
	drg_buf_clear(&x->scratch);
}

static void exchange_release(struct drg_exchange *x)
{
	struct drg_http *h = x->http;
	drg_content_release(x->content);
	drg_stream_reader_left(x->stream);
	if (x->has_file)
		atomic_fetch_sub(&h->files, 1);
	drg_http_release(h, &x->body_held);
	if (x->answer_bytes > 0)
		atomic_fetch_sub(&h->answer_bytes, x->answer_bytes);
	if (kept_bytes(x) + x->arena.used > TRIM_BYTES && drg_trim_want(&h->trim))
		drg_loop_sweep(x->loop); /* the loop returns the memory */
}

void drg_exchange_recycle(struct drg_exchange *x)
{
	struct drg_loop *l = x->loop;
	exchange_release(x);
	clean(x);
	if (l->n_free == FREE_MAX || l->free_bytes + kept_bytes(x) > FREE_BYTES) {
		free_exchange(x);
		return;
	}
	l->free_bytes += kept_bytes(x);
	x->next = l->free;
	l->free = x;
	l->n_free++;
}

void drg_exchange_drop(struct drg_exchange *x)
{
	exchange_release(x);
	free_exchange(x);
}

bool drg_http_hold(struct drg_http *h, size_t *held, size_t cap)
{
	if (cap < LARGE_REQUEST || cap <= *held)
		return true;
	size_t more = cap - *held;
	if (atomic_fetch_add(&h->request_bytes, more) + more <= h->opt.max_requests) {
		*held = cap;
		return true;
	}
	atomic_fetch_sub(&h->request_bytes, more);
	return false;
}

void drg_http_release(struct drg_http *h, size_t *held)
{
	if (*held > 0)
		atomic_fetch_sub(&h->request_bytes, *held);
	*held = 0;
}

void drg_exchange_free_all(struct drg_loop *l)
{
	while (l->free != NULL) {
		struct drg_exchange *x = l->free;
		l->free = x->next;
		free_exchange(x);
	}
}
