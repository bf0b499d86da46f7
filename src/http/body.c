/* Reads bodies with the parser; a chunked body ends with trailers. */
#include "base/thread.h"

#include <assert.h>

#include "http/http_priv.h"

enum {
	PIECE = 64 * 1024, /* bytes received at once */
	/* Most bytes of framing: a chunk of one byte has five more, and some extensions. */
	FRAME_BYTES = 16 * 1024,
	FRAME_PER_BYTE = 16,
};

static int body_stop(struct drg_exchange *x, int rc)
{
	x->body_rc = rc;
	return -1;
}

static int fail_requests_waiting(struct drg_exchange *x)
{
	return drg_fail(&x->err, DRG_EBUSY, DRG_R(busy), NULL,
	                "too many large requests are being received; try again later");
}

int drg_body_keep(llhttp_t *p, const char *at, size_t n)
{
	struct drg_exchange *x = p->data;
	x->body_seen += n;
	if (!x->refused && x->body_seen > drg_endpoint_max_body(x->endpoint, x->http->opt.max_body))
		return body_stop(x, drg_check_fail_body_size(x));
	if (!x->body_kept)
		return 0;
	if (x->body.p != NULL && at == x->body.p + x->body.n)
		x->body.n += n; /* these bytes were received directly to their place */
	else
		drg_buf_add(&x->body, at, n);
	if (x->body.rc != DRG_OK)
		return body_stop(x, drg_fail_memory(&x->err));
	return drg_http_hold(x->http, &x->body_held, x->body.cap) ? 0
	                                                          : body_stop(x, fail_requests_waiting(x));
}

bool drg_exchange_reads_straight(const struct drg_exchange *x)
{
	return x->body_kept && !x->head.chunked;
}

char *drg_dispatch_body_room(struct drg_exchange *x, size_t *ret_n)
{
	assert(x->body_seen < x->head.length);
	uint64_t rest = x->head.length - x->body_seen;
	size_t n = rest < PIECE ? (size_t)rest : PIECE;
	if (drg_buf_reserve(&x->body, n) && drg_http_hold(x->http, &x->body_held, x->body.cap)) {
		*ret_n = n;
		return x->body.p + x->body.n;
	}
	bool full = x->body.rc == DRG_OK;
	drg_dispatch_body_failed(x, full ? fail_requests_waiting(x) : drg_fail_memory(&x->err));
	return NULL;
}

/** Read the trailers as one piece. */
static size_t read_trailers(struct drg_exchange *x, struct drg_str bytes)
{
	size_t scanned = 0;
	size_t n = drg_head_end(bytes, &scanned, x->http->opt.max_headers, 0);
	if (n > 0 && !drg_head_read_trailers(x, drg_str(bytes.p, n)))
		x->body_rc = drg_head_fail(x, &x->err);
	return n;
}

static int body_fail(struct drg_exchange *x, unsigned rule)
{
	x->broken |= 1U << rule;
	return drg_head_fail(x, &x->err);
}

size_t drg_body_take(struct drg_exchange *x, struct drg_str bytes)
{
	if (x->trailing)
		return read_trailers(x, bytes);
	size_t n = bytes.n;
	llhttp_errno_t rc = llhttp_execute(&x->parser, bytes.p, bytes.n);
	if (rc == HPE_PAUSED)
		n = (size_t)(llhttp_get_error_pos(&x->parser) - bytes.p);
	else if (rc != HPE_OK && x->body_rc == DRG_OK)
		x->body_rc = body_fail(x, DRG_RULE_CHUNK);
	x->body_raw += n;
	if (x->body_rc == DRG_OK && x->body_raw > FRAME_BYTES + (FRAME_PER_BYTE + 1) * x->body_seen)
		x->body_rc = body_fail(x, DRG_RULE_CHUNK);
	return n;
}
