#include "http/http_priv.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "http/negotiate.h"
#include "http/pack.h"

/* Digits of a request's number, which follows the process's prefix. */
enum { REQUEST_DIGITS = 10 };

/* ---- the request ---- */

const struct drg_endpoint *drg_exchange_endpoint(const struct drg_exchange *x)
{
	return x->endpoint;
}

struct drg_str drg_exchange_header(struct drg_exchange *x, const char *name)
{
	const struct drg_fields *known = &x->http->fields;
	const struct drg_str wanted = drg_str_c(name);
	unsigned i = DRG_FIELD_OURS;
	while (i < known->n && !drg_str_eq(known->name[i], wanted))
		i++;
	assert(i < known->n);
	return x->head.app[i - DRG_FIELD_OURS];
}

struct drg_str drg_exchange_header_at(const struct drg_exchange *x, unsigned place)
{
	assert(DRG_FIELD_OURS + place < x->http->fields.n);
	return x->head.app[place];
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

/* Most requests end before anything needs the id, so it is written on demand. */
struct drg_str drg_exchange_request_id(struct drg_exchange *x)
{
	static const char hex[] = "0123456789abcdef";
	if (x->request_id_n == 0) {
		size_t at = strlen(x->http->id_prefix);
		assert(at + REQUEST_DIGITS < sizeof x->request_id);
		memcpy(x->request_id, x->http->id_prefix, at);
		for (int shift = 4 * (REQUEST_DIGITS - 1); shift >= 0; shift -= 4)
			x->request_id[at++] = hex[x->request_number >> shift & 15];
		x->request_id[at] = '\0';
		x->request_id_n = at;
	}
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
	assert(status >= 400 && status <= 599);
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
	assert(name != NULL && value != NULL);
	assert(x->n_headers < DRG_HEADERS_MAX);
	const char *n = drg_arena_str(&x->arena, drg_str_c(name)).p;
	const char *v = drg_arena_str(&x->arena, drg_str_c(value)).p;
	if (n == NULL || v == NULL)
		return; /* out of memory: the answer is sent without the header */
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
	/* The worst case is a separator, every byte encoded, and a NUL. Names that do not fit are left out:
	 * the list says enough. */
	if (name.n > DRG_IGNORED_MAX || b->n + 2 + 3 * name.n + 1 > DRG_IGNORED_MAX)
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
		drg_buf_done(b); /* out of memory: the answer is sent without the header */
}

void drg_exchange_content(struct drg_exchange *x, struct drg_content *c,
                          const struct drg_data_version *version)
{
	assert(x->content == NULL && x->stream == NULL);
	x->content = c;
	x->versioned = version != NULL; /* the response shows nothing that was read before */
	if (version != NULL)
		x->version = *version;
	if (c->total[0] != '\0')
		drg_exchange_add_header(x, "X-Total-Count", c->total);
}

enum drg_coding drg_exchange_coding(struct drg_exchange *x)
{
	static const struct drg_content all = { .coded_when_asked = true };
	enum drg_coding c = DRG_CODING_IDENTITY;
	return drg_negotiate_coding(drg_pack_weights(x), &all, &c) ? c : DRG_CODING_IDENTITY;
}

struct drg_str drg_exchange_tags(const struct drg_exchange *x)
{
	return x->head.if_none_match;
}

/* ---- waiting, and the application ---- */

void drg_exchange_suspend(struct drg_exchange *x, drg_handler_fn *again)
{
	assert(again != NULL);
	if (x->large) { /* a worker runs it, so it is suspended already */
		x->work = again;
		return;
	}
	drg_pack_weights(x); /* compute them before another thread uses them */
	x->again = again;
	x->stage = DRG_STAGE_SUSPENDED;
	atomic_store(&x->resumed, false);
}

void drg_exchange_pack(struct drg_exchange *x)
{
	drg_pack_answer(x, SIZE_MAX);
}

void drg_exchange_on_disconnect(struct drg_exchange *x, drg_disconnect_fn *leave)
{
	atomic_store(&x->leave, leave);
	if (atomic_load(&x->orphan)) /* the client left before this call, while a worker runs the handler */
		drg_exchange_client_left(x);
}

void drg_exchange_client_left(struct drg_exchange *x)
{
	drg_disconnect_fn *leave = atomic_exchange(&x->leave, NULL);
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
	/* After the post the exchange may end, and the server may stop: `resuming` keeps the server. */
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

/* Copy a list that is not NULL. The copy of an empty list must not be NULL, which means all. */
static const int64_t *copy_ids(struct drg_arena *arena, const int64_t *ids, size_t n)
{
	int64_t *copy = drg_arena_alloc(arena, (n + 1) * sizeof *copy);
	if (copy != NULL && n > 0)
		memcpy(copy, ids, n * sizeof *copy);
	return copy;
}

int drg_exchange_set_caller(struct drg_exchange *x, const struct drg_caller *c)
{
	struct drg_caller copy = *c;
	if (c->name.n > 0)
		copy.name = drg_arena_str(&x->arena, c->name);
	if (c->reads != NULL)
		copy.reads = copy_ids(&x->arena, c->reads, c->n_reads);
	if (c->writes != NULL)
		copy.writes = copy_ids(&x->arena, c->writes, c->n_writes);
	if ((copy.name.p == NULL) != (c->name.p == NULL) || (copy.reads == NULL) != (c->reads == NULL) ||
	    (copy.writes == NULL) != (c->writes == NULL))
		return drg_fail_memory(&x->err);
	x->caller = copy;
	return DRG_OK;
}

const struct drg_caller *drg_exchange_caller(const struct drg_exchange *x)
{
	return &x->caller;
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
