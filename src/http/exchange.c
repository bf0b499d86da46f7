#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "http/http_priv.h"
#include "http/negotiate.h"
#include "http/pack.h"

enum {
	FREE_MAX = 64, /* exchanges that a loop keeps for reuse */
	KEPT_BYTES = 1024 * 1024, /* a larger buffer is not kept with them */
	FREE_BYTES = 2 * 1024 * 1024, /* of all buffers that are kept with them */
	TRIM_BYTES = 1024 * 1024, /* memory of a request that is worth returning to the system at once */
	/* The memory that a handler may need besides body and answer; and for each byte that a body can have
	 * (an element of two bytes has a record of some hundred). */
	ARENA_MIN = 64 * 1024 * 1024,
	ARENA_FOR_BYTE = 512,
	IGNORED_MAX = 1024,
	LARGE_REQUEST =
	        64 * 1024, /* smaller ones are not counted: there is at most one for each connection */
};

/* ---- a stock of exchanges ---- */

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
	drg_buf_init(&x->ignored, IGNORED_MAX);
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
	struct drg_exchange empty = { .http = x->http,
		                      .loop = x->loop,
		                      .arena = x->arena,
		                      .out = x->out,
		                      .packed = x->packed,
		                      .body = x->body,
		                      .ignored = x->ignored,
		                      .scratch = x->scratch,
		                      .weights = x->weights };
	*x = empty;
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
	if (x->release != NULL)
		x->release(x->release_ctx);
	drg_stream_reader_left(x->stream);
	if (x->has_file)
		atomic_fetch_sub(&h->files, 1);
	drg_http_release(h, &x->body_held);
	if (x->answer_bytes > 0)
		atomic_fetch_sub(&h->answer_bytes, x->answer_bytes);
	if (kept_bytes(x) + x->arena.used > TRIM_BYTES && drg_trim_want(&h->trim))
		drg_loop_sweep(x->loop); /* a loop does it */
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

/* ---- the request ---- */

const struct drg_endpoint *drg_exchange_endpoint(const struct drg_exchange *x)
{
	return x->endpoint;
}

struct drg_str drg_exchange_header(struct drg_exchange *x, const char *name)
{
	const struct drg_str wanted = drg_str_c(name);
	size_t i = 0;
	while (i < x->http->n_app_headers && !drg_str_eq(x->http->app_headers[i], wanted))
		i++;
	assert(i < x->http->n_app_headers);
	return x->head.app[i];
}

struct drg_str drg_exchange_body(const struct drg_exchange *x)
{
	return drg_buf_view(&x->body);
}

bool drg_exchange_body_is_form(const struct drg_exchange *x)
{
	return x->body_is == DRG_BODY_IS_FORM;
}

int drg_exchange_form_each(struct drg_exchange *x, drg_pair_fn *fn, void *ctx)
{
	assert(drg_exchange_body_is_form(x));
	return drg_form_each(drg_buf_view(&x->body), &x->arena, fn, ctx, &x->err);
}

struct drg_str drg_exchange_request_id(const struct drg_exchange *x)
{
	return drg_str(x->request_id, x->request_id_n);
}

bool drg_exchange_has(const struct drg_exchange *x, const char *name)
{
	return drg_params_get(&x->params, name)->given;
}

int64_t drg_exchange_int(const struct drg_exchange *x, const char *name, int64_t dflt)
{
	const struct drg_param_value *v = drg_params_get(&x->params, name);
	return v->given ? v->i : dflt;
}

bool drg_exchange_flag(const struct drg_exchange *x, const char *name)
{
	return drg_params_get(&x->params, name)->i != 0;
}

struct drg_str drg_exchange_text(const struct drg_exchange *x, const char *name)
{
	return drg_params_get(&x->params, name)->s;
}

struct drg_str drg_exchange_lang(const struct drg_exchange *x, const char *name)
{
	return drg_params_get(&x->params, name)->s;
}

int drg_exchange_each(const struct drg_exchange *x, const char *name, drg_pair_fn *fn, void *ctx)
{
	for (size_t i = 0; i < x->params.n_pairs; i++) {
		const struct drg_pair *pair = &x->params.pairs[i];
		if (!drg_params_is_repeat(pair->name, drg_str_c(name)))
			continue;
		int rc = fn(ctx, pair->name, pair->value);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

/* ---- the answer ---- */

struct drg_arena *drg_exchange_arena(struct drg_exchange *x)
{
	return &x->arena;
}

struct drg_buf *drg_exchange_out(struct drg_exchange *x)
{
	return &x->out;
}

struct drg_err *drg_exchange_err(struct drg_exchange *x)
{
	return &x->err;
}

int drg_exchange_fail_status(struct drg_exchange *x, int status, const struct drg_reason *reason,
                             const char *field, const char *fmt, ...)
{
	char message[sizeof x->err.message];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	x->fail_status = status;
	return drg_fail(&x->err, DRG_EINVAL, reason, field, "%s", message);
}

void drg_exchange_add_header(struct drg_exchange *x, const char *name, const char *value)
{
	assert(x->n_headers < DRG_HEADERS_MAX);
	const char *n = drg_arena_str(&x->arena, drg_str_c(name)).p;
	const char *v = drg_arena_str(&x->arena, drg_str_c(value)).p;
	if (n == NULL || v == NULL)
		return; /* out of memory: the answer goes without it */
	x->headers[x->n_headers].name = n;
	x->headers[x->n_headers++].value = v;
}

void drg_exchange_set_version(struct drg_exchange *x, const struct drg_data_version *v)
{
	x->version = *v;
	x->versioned = true;
}

void drg_exchange_add_to_header(struct drg_exchange *x, const char *name, const char *value)
{
	size_t i = 0;
	while (i < x->n_headers && strcmp(x->headers[i].name, name) != 0)
		i++;
	if (i == x->n_headers) {
		drg_exchange_add_header(x, name, value);
		return;
	}
	const size_t n = strlen(x->headers[i].value) + sizeof ", " + strlen(value);
	char *both = drg_arena_alloc(&x->arena, n);
	if (both == NULL)
		return;
	snprintf(both, n, "%s, %s", x->headers[i].value, value);
	x->headers[i].value = both;
}

void drg_exchange_set_type(struct drg_exchange *x, const char *type)
{
	x->type = type;
}

/** Report an ignored name. It is a client's text, so characters that a header field may not have are
 * percent-encoded. */
void drg_exchange_ignored(struct drg_exchange *x, struct drg_str name)
{
	static const char hex[] = "0123456789ABCDEF";
	struct drg_buf *b = &x->ignored;
	/* The worst case: a separator, every byte encoded, and a NUL. Names that do not fit are left out: the
	 * list says enough. */
	if (name.n > IGNORED_MAX || b->n + 2 + 3 * name.n + 1 > IGNORED_MAX)
		return;
	if (b->n > 0)
		drg_buf_lit(b, ", ");
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		if (c > ' ' && c < 0x7f && c != ',' && c != '%') {
			drg_buf_char(b, (char)c);
		} else {
			drg_buf_char(b, '%');
			drg_buf_char(b, hex[c >> 4]);
			drg_buf_char(b, hex[c & 15]);
		}
	}
	drg_buf_char(b, '\0');
	if (b->rc == DRG_OK)
		b->n--;
	else
		drg_buf_done(b); /* out of memory: the answer goes without it */
}

void drg_exchange_content(struct drg_exchange *x, const struct drg_content *c, void (*release)(void *ctx),
                          void *ctx)
{
	assert(x->content == NULL && x->stream == NULL);
	x->content = c;
	x->versioned = false; /* a content has its own version */
	x->release = release;
	x->release_ctx = ctx;
}

enum drg_coding drg_exchange_coding(struct drg_exchange *x)
{
	static const struct drg_content all = { .coded_when_asked = true };
	enum drg_coding c = DRG_CODING_IDENTITY;
	return drg_negotiate_coding(drg_pack_weights(x), &all, &c) ? c : DRG_CODING_IDENTITY;
}

bool drg_exchange_revalidates(const struct drg_exchange *x)
{
	return x->head.if_none_match.p != NULL;
}

bool drg_exchange_has_etag(const struct drg_exchange *x, const char *etag)
{
	enum drg_coding unused = DRG_CODING_IDENTITY;
	return drg_exchange_revalidates(x) && drg_etag_matches(x->head.if_none_match, false, etag, &unused);
}

/* ---- waiting, and the application ---- */

void drg_exchange_suspend(struct drg_exchange *x, drg_handler_fn *again)
{
	if (x->large) { /* it is suspended already while a worker runs it */
		x->work = again;
		return;
	}
	drg_pack_weights(x); /* before another thread needs them */
	x->again = again;
	x->stage = DRG_STAGE_SUSPENDED;
	atomic_store(&x->resumed, false);
}

void drg_exchange_pack(struct drg_exchange *x)
{
	drg_pack_answer(x, SIZE_MAX);
}

void drg_exchange_on_leave(struct drg_exchange *x, drg_leave_fn *leave)
{
	atomic_store(&x->leave, leave);
	if (atomic_load(&x->orphan)) /* the client left before this call; a worker is running this */
		drg_exchange_client_left(x);
}

void drg_exchange_client_left(struct drg_exchange *x)
{
	drg_leave_fn *leave = atomic_exchange(&x->leave, NULL);
	if (leave != NULL)
		leave(x);
}

void drg_exchange_hand_to_worker(struct drg_exchange *x)
{
	int rc = drg_pool_put(x->http->workers, &x->work_item);
	assert(rc == DRG_OK); /* the queue has no limit: there are at most as many items as connections */
	(void)rc;
}

void drg_exchange_resume(struct drg_exchange *x)
{
	if (x->large && !x->worked) {
		drg_exchange_hand_to_worker(x);
		return;
	}
	/* Once it is posted the exchange may end, and the server might stop. */
	struct drg_http *h = x->http;
	atomic_fetch_add(&h->resuming, 1);
	atomic_store(&x->resumed, true);
	drg_loop_post(x->loop, &x->post);
	atomic_fetch_sub(&h->resuming, 1);
}

void drg_exchange_wake(void *exchange)
{
	drg_exchange_resume(exchange);
}

void drg_exchange_set_data(struct drg_exchange *x, void *data)
{
	x->data = data;
}

void *drg_exchange_data(const struct drg_exchange *x)
{
	return x->data;
}

void *drg_exchange_app(const struct drg_exchange *x)
{
	return x->http->app.ctx;
}

void *drg_exchange_conn_memory(struct drg_exchange *x)
{
	assert(x->conn != NULL);
	return x->conn->memory;
}

void drg_exchange_set_key_id(struct drg_exchange *x, int64_t id)
{
	x->key_id = id;
}

void drg_exchange_set_key_narrow(struct drg_exchange *x, bool narrow)
{
	x->key_narrow = narrow;
}

void drg_exchange_owe(struct drg_exchange *x)
{
	x->owes = true;
}

struct drg_from drg_exchange_from(const struct drg_exchange *x)
{
	struct drg_from from = { .n_origin = x->head.n_origin };
	if (x->conn == NULL)
		return from;
	struct drg_address client =
	        drg_address_client(x->head.forwarded ? &x->head.client : &x->conn->client);
	memcpy(from.client, client.bytes, sizeof from.client);
	from.by_proxy = x->conn->trusted;
	from.origin = x->head.origin;
	from.host = x->head.host;
	return from;
}

int drg_exchange_set_who(struct drg_exchange *x, struct drg_str who)
{
	x->who = drg_arena_str(&x->arena, who);
	return x->who.p != NULL || who.n == 0 ? DRG_OK : drg_fail_memory(&x->err);
}

struct drg_str drg_exchange_who(const struct drg_exchange *x)
{
	return x->who;
}

bool drg_exchange_key_narrow(const struct drg_exchange *x)
{
	return x->key_narrow;
}

int64_t drg_exchange_key_id(const struct drg_exchange *x)
{
	return x->key_id;
}

struct drg_str drg_exchange_segment(const struct drg_exchange *x, const char *name)
{
	struct drg_str rest = drg_str_c(x->endpoint->path + 1), wanted = drg_str_c(name), segment;
	for (size_t at = 0; drg_str_split(&rest, '/', &segment); at++)
		if (segment.n > 0 && segment.p[0] == ':' &&
		    drg_str_eq(drg_str(segment.p + 1, segment.n - 1), wanted))
			return x->target.segments[at];
	return drg_str(NULL, 0);
}
