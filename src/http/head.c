#include <assert.h>

#include "http/http_priv.h"

/* The first line besides the address: "OPTIONS  HTTP/1.1" and the like. */
enum { LINE_MORE = 64 };

#define BIT(rule) (1U << DRG_RULE_##rule)
/* Rules whose violation leaves the beginning of the next request known. */
#define SIZES (BIT(ADDRESS_SIZE) | BIT(HEADERS_SIZE))

size_t drg_head_end(struct drg_str bytes, size_t *scanned, size_t max_url, size_t max_headers)
{
	size_t at = *scanned;
	assert(at <= bytes.n);
	for (;;) {
		/* Bytes beyond the limits are not looked at, even if they were received: otherwise the end of
		 * the connection would depend on how a head is split into packets. */
		size_t most = at == 0 ? max_url + LINE_MORE : max_url + max_headers + LINE_MORE;
		size_t n = bytes.n < most ? bytes.n : most;
		const char *lf = at < n ? memchr(bytes.p + at, '\n', n - at) : NULL;
		*scanned = at;
		if (lf == NULL)
			return bytes.n > most ? most : 0;
		size_t end = (size_t)(lf - bytes.p) + 1;
		bool empty = end - at <= 2, bare = lf == bytes.p || lf[-1] != '\r';
		if (empty || bare)
			return end;
		at = end;
	}
}

/** The state of reading a head. */
struct drg_head_reading {
	const struct drg_http *http;
	struct drg_arena *arena;
	struct drg_head *head;
	struct drg_str target; /* as the parser reports it, perhaps in parts */
	bool framed; /* a field frames a body or changes the connection */
	bool bad_trailer;
	bool believed; /* the peer is a trusted proxy, which may name its client */
	struct drg_forwarded forwarded;
	bool no_memory;
};

/* ---- fields ---- */

static void keep_first(struct drg_str *at, struct drg_str value)
{
	if (at->p == NULL)
		*at = value;
}

/** Add a value to a field that is a list: the values of fields with one name are joined (RFC 9110, 5.3). */
static void add_to_list(struct drg_head_reading *r, struct drg_str *at, struct drg_str value)
{
	if (at->p == NULL) {
		*at = value;
		return;
	}
	char *joined = drg_arena_alloc(r->arena, at->n + 2 + value.n);
	r->no_memory |= joined == NULL;
	if (joined == NULL)
		return;
	memcpy(joined, at->p, at->n);
	memcpy(joined + at->n, ", ", 2);
	memcpy(joined + at->n + 2, value.p, value.n);
	*at = drg_str(joined, at->n + 2 + value.n);
}

/** Store a field that the server uses. */
static void read_own_field(struct drg_head_reading *r, enum drg_field_number number, struct drg_str value)
{
	struct drg_head *h = r->head;
	switch (number) {
	case DRG_FIELD_HOST:
		keep_first(&h->host, value);
		h->n_host++;
		break;
	case DRG_FIELD_ORIGIN:
		keep_first(&h->origin, value);
		h->n_origin++;
		break;
	case DRG_FIELD_EXPECT: keep_first(&h->expect, value); break;
	case DRG_FIELD_IF_MATCH: add_to_list(r, &h->if_match, value); break;
	case DRG_FIELD_CONTENT_TYPE: keep_first(&h->content_type, value); break;
	case DRG_FIELD_REQUEST_ID: keep_first(&h->request_id, value); break;
	case DRG_FIELD_IF_NONE_MATCH: add_to_list(r, &h->if_none_match, value); break;
	case DRG_FIELD_LENGTH:
		keep_first(&h->length_text, value);
		h->n_length++;
		r->framed = true;
		break;
	case DRG_FIELD_ACCEPT_ENCODING: add_to_list(r, &h->accept_encoding, value); break;
	case DRG_FIELD_CONTENT_ENCODING: add_to_list(r, &h->content_coding, value); break;
	case DRG_FIELD_CODING:
		keep_first(&h->coding, value);
		h->n_coding++;
		r->framed = true;
		break;
	case DRG_FIELD_FORWARDED_FOR:
		if (r->believed)
			drg_forwarded_add(&r->forwarded, value);
		break;
	case DRG_FIELD_CONNECTION: r->framed |= !drg_str_eq_nocase(value, DRG_STR("keep-alive")); break;
	default: r->framed = true; break; /* Proxy-Connection, Upgrade */
	}
}

static void read_field(void *ctx, unsigned number, struct drg_str value)
{
	struct drg_head_reading *r = ctx;
	for (; number != DRG_FIELD_NONE; number = drg_fields_other(&r->http->fields, number)) {
		if (number < DRG_FIELD_OURS) {
			read_own_field(r, (enum drg_field_number)number, value);
			continue;
		}
		keep_first(&r->head->app[number - DRG_FIELD_OURS], value);
		r->head->n_app[number - DRG_FIELD_OURS]++;
	}
}

/** Check a trailer: it may not change how the request is framed, routed or allowed (RFC 9110, 6.5.1). */
static void check_trailer(void *ctx, unsigned number, struct drg_str value)
{
	static const unsigned forbidden = 1U << DRG_FIELD_LENGTH | 1U << DRG_FIELD_CODING |
	                                  1U << DRG_FIELD_HOST | 1U << DRG_FIELD_CONTENT_TYPE |
	                                  1U << DRG_FIELD_CONTENT_ENCODING | 1U << DRG_FIELD_CONNECTION |
	                                  1U << DRG_FIELD_EXPECT | 1U << DRG_FIELD_UPGRADE;
	struct drg_head_reading *r = ctx;
	(void)value;
	for (; number != DRG_FIELD_NONE; number = drg_fields_other(&r->http->fields, number))
		r->bad_trailer |= number >= DRG_FIELD_OURS || (forbidden >> number & 1) != 0;
}

/* ---- callbacks of the parser ---- */

static int on_url(llhttp_t *p, const char *at, size_t n)
{
	struct drg_str *s = &((struct drg_exchange *)p->data)->reading->target;
	bool on = s->p != NULL && s->p + s->n == at;
	*s = on ? drg_str(s->p, s->n + n) : drg_str(at, n);
	return 0;
}

static int on_head(llhttp_t *p)
{
	struct drg_exchange *x = p->data;
	x->keep_alive = llhttp_should_keep_alive(p);
	x->reading->head->length = p->content_length;
	/* the server supports no upgrade, so the request for one is ignored (RFC 9110, 7.8) */
	p->upgrade = 0;
	return 0;
}

static int on_whole(llhttp_t *p)
{
	((struct drg_exchange *)p->data)->whole = true;
	return HPE_PAUSED;
}

/** Pause after the last chunk: trailers are checked before the parser reads them. */
static int on_chunk(llhttp_t *p)
{
	struct drg_exchange *x = p->data;
	x->trailing = p->content_length == 0;
	return x->trailing ? HPE_PAUSED : 0;
}

static const llhttp_settings_t parser_settings = {
	.on_url = on_url,
	.on_headers_complete = on_head,
	.on_chunk_header = on_chunk,
	.on_body = drg_body_keep,
	.on_message_complete = on_whole,
};

static bool parse(struct drg_exchange *x, struct drg_str text)
{
	llhttp_errno_t rc = llhttp_execute(&x->parser, text.p, text.n);
	return rc == HPE_OK || (rc == HPE_PAUSED && (x->whole || x->trailing) &&
	                        llhttp_get_error_pos(&x->parser) == text.p + text.n);
}

/* ---- the whole head ---- */

/** Check the result of llhttp. */
static unsigned check_parsed_head(const struct drg_exchange *x, const struct drg_head *h)
{
	unsigned broken = 0;
	broken |= h->n_length > 1 ? BIT(LENGTH_TWICE) : 0;
	broken |= h->n_length > 0 && h->n_coding > 0 ? BIT(LENGTH_AND_CODING) : 0;
	broken |= h->n_coding > 0 && x->http_1_0 ? BIT(CODING_1_0) : 0;
	broken |= h->n_coding > 1 ? BIT(PARSER) : 0;
	broken |= h->n_host > 1 ? BIT(HOST_TWICE) : 0;
	broken |= h->n_host == 0 && !x->http_1_0 ? BIT(NO_HOST) : 0;
	return broken | (drg_rules_is_host(h->host) ? 0 : BIT(HOST));
}

static unsigned check_sizes(const struct drg_exchange *x, const struct drg_request_line *line)
{
	const struct drg_http_options *o = &x->http->opt;
	/* if the line did not end, all of it counts as address */
	size_t target = line->version.n > 0 || line->target.n > 0 ? line->target.n : x->text.n;
	if (target > o->max_url)
		return BIT(ADDRESS_SIZE);
	const char *end = memchr(x->text.p, '\n', x->text.n);
	size_t fields = end != NULL ? (size_t)(x->text.p + x->text.n - end) : 0;
	return fields > o->max_headers ? BIT(HEADERS_SIZE) : 0;
}

bool drg_head_is_framed(const struct drg_exchange *x)
{
	return (x->broken & ~SIZES) == 0;
}

int drg_head_fail(struct drg_exchange *x, struct drg_err *reterr)
{
	assert(x->broken != 0);
	const struct drg_rule_row *rule = &drg_rules[__builtin_ctz(x->broken)];
	x->fail_status = rule->status;
	return drg_fail(reterr, DRG_EINVAL, rule->reason, NULL, "%s (%s)", rule->message, rule->section);
}

/** Parse a head that breaks no rule of ours. @return the rules that the parser finds broken. */
static unsigned parse_head(struct drg_exchange *x, struct drg_head_reading *r)
{
	llhttp_init(&x->parser, HTTP_REQUEST, &parser_settings);
	x->parser.data = x;
	x->reading = r;
	bool parsed = parse(x, x->text);
	x->reading = NULL;
	return parsed && drg_str_eq(r->target, x->raw_target) ? 0 : BIT(PARSER);
}

/** True if the head only requests a path of this server. Such a request has no body, and the connection
 * stays open, so the parser would find nothing that our rules have not checked. */
static bool is_plain(const struct drg_exchange *x, const struct drg_head_reading *r)
{
	return !r->framed && !x->http_1_0 && x->raw_target.p[0] == '/' &&
	       drg_str_eq(x->method, DRG_STR("GET"));
}

int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr)
{
	const struct drg_http_options *o = &x->http->opt;
	struct drg_request_line line;
	struct drg_head_reading r = {
		.http = x->http, .arena = &x->arena, .head = ret, .believed = x->conn->trusted
	};
	r.forwarded = (struct drg_forwarded){ .trusted = o->trusted, .n_trusted = o->n_trusted };
	x->broken = drg_rules_head(x->text, &x->http->fields, &line, read_field, &r);
	x->broken |= check_sizes(x, &line);
	x->method = line.method;
	x->raw_target = line.target;
	x->http_1_0 = drg_str_eq(line.version, DRG_STR("HTTP/1.0"));
	if (!drg_head_is_framed(x)) {
		*ret = (struct drg_head){ .host = { NULL, 0 } }; /* its fields are unreliable */
		return drg_head_fail(x, reterr);
	}
	if (is_plain(x, &r))
		x->whole = x->keep_alive = true;
	else
		x->broken |= parse_head(x, &r);
	ret->forwarded = r.forwarded.known;
	ret->client = r.forwarded.client;
	ret->chunked = ret->n_coding == 1 && drg_str_eq_nocase(ret->coding, DRG_STR("chunked"));
	ret->expects_continue = drg_str_eq_nocase(ret->expect, DRG_STR("100-continue"));
	x->broken |= check_parsed_head(x, ret);
	if (r.no_memory)
		return drg_fail_memory(reterr);
	return x->broken != 0 ? drg_head_fail(x, reterr) : DRG_OK;
}

bool drg_head_read_trailers(struct drg_exchange *x, struct drg_str text)
{
	struct drg_head_reading r = { .http = x->http };
	const unsigned broken = drg_rules_fields(text, &x->http->fields, check_trailer, &r);
	x->broken |= broken | (r.bad_trailer ? BIT(TRAILER) : 0);
	if (text.n > x->http->opt.max_headers)
		x->broken |= BIT(HEADERS_SIZE);
	if (x->broken != 0)
		return false;
	llhttp_resume(&x->parser);
	bool parsed = parse(x, text) && x->whole;
	x->broken |= parsed ? 0 : BIT(PARSER);
	return x->broken == 0;
}
