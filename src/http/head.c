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
	struct drg_str target, name, value; /* as the parser reports them, perhaps in parts */
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

static void keep_for_app(const struct drg_head_reading *r, struct drg_str name, struct drg_str value)
{
	for (size_t i = 0; i < r->http->n_app_headers; i++)
		if (name.n == r->http->app_headers[i].n && drg_str_eq_nocase(name, r->http->app_headers[i])) {
			keep_first(&r->head->app[i], value);
			r->head->n_app[i]++;
		}
}

static void read_forwarded_for(struct drg_head_reading *r, struct drg_str value)
{
	if (r->believed)
		drg_forwarded_add(&r->forwarded, value);
}

#define AT(member) offsetof(struct drg_head, member)
#define NAME(text)                                                                                           \
	{                                                                                                    \
		(text), sizeof(text) - 1                                                                     \
	}

/* The fields that are kept: the first value, or all values as a list; and their count, if it matters. */
static const struct {
	struct drg_str name;
	size_t value;
	bool list;
	size_t count; /* place of the count; 0: not counted */
} head_fields[] = {
	{ NAME("Host"), AT(host), false, AT(n_host) },
	{ NAME("Origin"), AT(origin), false, AT(n_origin) },
	{ NAME("Expect"), AT(expect), false, 0 },
	{ NAME("If-Match"), AT(if_match), true, 0 },
	{ NAME("Content-Type"), AT(content_type), false, 0 },
	{ NAME("X-Request-Id"), AT(request_id), false, 0 },
	{ NAME("If-None-Match"), AT(if_none_match), true, 0 },
	{ NAME("Content-Length"), AT(length_text), false, AT(n_length) },
	{ NAME("Accept-Encoding"), AT(accept_encoding), true, 0 },
	{ NAME("Content-Encoding"), AT(content_coding), true, 0 },
	{ NAME("Transfer-Encoding"), AT(coding), false, AT(n_coding) },
};

static void read_field(struct drg_head_reading *r, struct drg_str name, struct drg_str value)
{
	char *head = (char *)r->head;
	value = drg_str_trim(value.p != NULL ? value : DRG_STR(""));
	for (size_t i = 0; i < DRG_ARRAY_LEN(head_fields); i++) {
		if (name.n != head_fields[i].name.n || !drg_str_eq_nocase(name, head_fields[i].name))
			continue;
		struct drg_str *at = (struct drg_str *)(void *)(head + head_fields[i].value);
		if (head_fields[i].list)
			add_to_list(r, at, value);
		else
			keep_first(at, value);
		if (head_fields[i].count > 0)
			++*(unsigned *)(void *)(head + head_fields[i].count);
	}
	if (drg_str_eq_nocase(name, DRG_STR("X-Forwarded-For")))
		read_forwarded_for(r, value);
	keep_for_app(r, name, value);
}

/** Check a trailer: it may not change how the request is framed, routed or allowed (RFC 9110, 6.5.1). */
static unsigned check_trailer(const struct drg_exchange *x, struct drg_str name)
{
	static const char *const forbidden[] = {
		"Content-Length",   "Transfer-Encoding", "Host",   "Content-Type",
		"Content-Encoding", "Connection",        "Expect", "Upgrade"
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(forbidden); i++)
		if (drg_str_eq_nocase(name, drg_str_c(forbidden[i])))
			return BIT(TRAILER);
	for (size_t i = 0; i < x->http->n_app_headers; i++)
		if (drg_str_eq_nocase(name, x->http->app_headers[i]))
			return BIT(TRAILER);
	return 0;
}

/* ---- callbacks of the parser ---- */

static int extend(struct drg_str *s, const char *at, size_t n)
{
	bool on = s->p != NULL && s->p + s->n == at;
	*s = on ? drg_str(s->p, s->n + n) : drg_str(at, n);
	return 0;
}

static struct drg_head_reading *reading_of(const llhttp_t *p)
{
	return ((struct drg_exchange *)p->data)->reading;
}

static int on_url(llhttp_t *p, const char *at, size_t n)
{
	return extend(&reading_of(p)->target, at, n);
}

static int on_name(llhttp_t *p, const char *at, size_t n)
{
	return extend(&reading_of(p)->name, at, n);
}

static int on_value(llhttp_t *p, const char *at, size_t n)
{
	return extend(&reading_of(p)->value, at, n);
}

static int on_field(llhttp_t *p)
{
	struct drg_exchange *x = p->data;
	struct drg_head_reading *r = x->reading;
	if (x->trailing)
		x->broken |= check_trailer(x, r->name);
	else
		read_field(r, r->name, r->value);
	r->name = r->value = drg_str(NULL, 0);
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
	.on_header_field = on_name,
	.on_header_value = on_value,
	.on_header_value_complete = on_field,
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

int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr)
{
	const struct drg_http_options *o = &x->http->opt;
	struct drg_request_line line;
	struct drg_head_reading r = {
		.http = x->http, .arena = &x->arena, .head = ret, .believed = x->conn->trusted
	};
	r.forwarded = (struct drg_forwarded){ .trusted = o->trusted, .n_trusted = o->n_trusted };
	x->broken = drg_rules_head(x->text, &line);
	x->broken |= check_sizes(x, &line);
	x->method = line.method;
	x->raw_target = line.target;
	x->http_1_0 = drg_str_eq(line.version, DRG_STR("HTTP/1.0"));
	if (!drg_head_is_framed(x))
		return drg_head_fail(x, reterr);
	llhttp_init(&x->parser, HTTP_REQUEST, &parser_settings);
	x->parser.data = x;
	x->reading = &r;
	bool parsed = parse(x, x->text);
	x->reading = NULL;
	ret->forwarded = r.forwarded.known;
	ret->client = r.forwarded.client;
	ret->chunked = ret->n_coding == 1 && drg_str_eq_nocase(ret->coding, DRG_STR("chunked"));
	ret->expects_continue = drg_str_eq_nocase(ret->expect, DRG_STR("100-continue"));
	x->broken |= check_parsed_head(x, ret);
	x->broken |= parsed && drg_str_eq(r.target, x->raw_target) ? 0 : BIT(PARSER);
	if (r.no_memory)
		return drg_fail_memory(reterr);
	return x->broken != 0 ? drg_head_fail(x, reterr) : DRG_OK;
}

bool drg_head_read_trailers(struct drg_exchange *x, struct drg_str text)
{
	struct drg_head_reading r = { .http = x->http, .arena = &x->arena };
	x->broken |= drg_rules_fields(text);
	if (text.n > x->http->opt.max_headers)
		x->broken |= BIT(HEADERS_SIZE);
	if (x->broken != 0)
		return false;
	llhttp_resume(&x->parser);
	x->reading = &r;
	bool parsed = parse(x, text) && x->whole;
	x->reading = NULL;
	x->broken |= parsed ? 0 : BIT(PARSER);
	return x->broken == 0;
}
