#include "http/http_priv.h"
#include "http/mhd_quirks.h"

static bool is_token(struct drg_str s)
{
	/* The characters of a field name (RFC 9110, 5.6.2), a bit each. */
	static const uint64_t allowed[4] = { UINT64_C(0x03ff6cfa00000000), UINT64_C(0x57ffffffc7fffffe) };
	bool all = s.n > 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		all &= allowed[c >> 6] >> (c & 63) & 1;
	}
	return all;
}

/** Might one of eight bytes be a control character? Exact but for a tab, which counts as one here. */
static bool may_have_control(const char *at)
{
	const uint64_t each = UINT64_C(0x0101010101010101), high = each * 0x80;
	uint64_t w;
	memcpy(&w, at, sizeof w);
	uint64_t del = w ^ each * 0x7f;
	return (((w - each * ' ') & ~w) | ((del - each) & ~del)) & high;
}

static bool has_control(struct drg_str s)
{
	bool found = false;
	size_t i = 0;
	while (i + 8 <= s.n && !may_have_control(s.p + i))
		i += 8;
	for (; i < s.n; i++)
		found |= ((unsigned char)s.p[i] < ' ' && s.p[i] != '\t') || s.p[i] == 0x7f;
	return found;
}

/** Digits only, no overflow; libmicrohttpd has refused the rest before. */
static uint64_t read_length(struct drg_str s)
{
	uint64_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	return n;
}

/** While a head is read. */
struct head_reading {
	const struct drg_http *http;
	struct drg_arena *arena;
	struct drg_head *head;
	struct drg_mhd_layout layout;
	bool believed; /* the other side is a proxy that may name its client */
	struct drg_forwarded forwarded;
	bool no_memory;
};

static void keep_first(struct drg_str *at, struct drg_str value)
{
	if (at->p == NULL)
		*at = value;
}

/** A field that is a list: further ones of its name are added to it (RFC 9110, 5.3). */
static void add_to_list(struct head_reading *r, struct drg_str *at, struct drg_str value)
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

static void keep_for_app(const struct head_reading *r, struct drg_str name, struct drg_str value)
{
	for (size_t i = 0; i < r->http->n_app_headers; i++)
		if (name.n == r->http->app_headers[i].n && drg_str_eq_nocase(name, r->http->app_headers[i])) {
			keep_first(&r->head->app[i], value);
			r->head->n_app[i]++;
		}
}

static void read_host(struct head_reading *r, struct drg_str value)
{
	if (r->head->n_host++ == 0)
		r->head->host = value;
}

static void read_origin(struct head_reading *r, struct drg_str value)
{
	if (r->head->n_origin++ == 0)
		r->head->origin = value;
}

static void read_expect(struct head_reading *r, struct drg_str value)
{
	r->head->expects_continue = drg_str_eq_nocase(value, DRG_STR("100-continue"));
}

static void read_content_type(struct head_reading *r, struct drg_str value)
{
	keep_first(&r->head->content_type, value);
}

static void read_request_id(struct head_reading *r, struct drg_str value)
{
	keep_first(&r->head->request_id, value);
}

static void read_if_none_match(struct head_reading *r, struct drg_str value)
{
	add_to_list(r, &r->head->if_none_match, value);
}

static void read_accept_encoding(struct head_reading *r, struct drg_str value)
{
	add_to_list(r, &r->head->accept_encoding, value);
}

static void read_accept(struct head_reading *r, struct drg_str value)
{
	add_to_list(r, &r->head->accept, value);
}

static void read_content_length(struct head_reading *r, struct drg_str value)
{
	if (r->head->n_length++ == 0)
		r->head->length = read_length(value);
}

static void read_transfer_encoding(struct head_reading *r, struct drg_str value)
{
	if (r->head->n_coding++ == 0)
		r->head->coding = value;
}

static void read_forwarded_for(struct head_reading *r, struct drg_str value)
{
	if (r->believed)
		drg_forwarded_add(&r->forwarded, value);
}

#define NAME(text)                                                                                           \
	{                                                                                                    \
		(text), sizeof(text) - 1                                                                     \
	}

static const struct {
	struct drg_str name;
	void (*read)(struct head_reading *r, struct drg_str value);
} head_fields[] = {
	{ NAME("Host"), read_host },
	{ NAME("Accept"), read_accept },
	{ NAME("Origin"), read_origin },
	{ NAME("Expect"), read_expect },
	{ NAME("Content-Type"), read_content_type },
	{ NAME("X-Request-Id"), read_request_id },
	{ NAME("If-None-Match"), read_if_none_match },
	{ NAME("Content-Length"), read_content_length },
	{ NAME("Accept-Encoding"), read_accept_encoding },
	{ NAME("X-Forwarded-For"), read_forwarded_for },
	{ NAME("Transfer-Encoding"), read_transfer_encoding },
};

static enum MHD_Result head_read_field(void *ctx, enum MHD_ValueKind kind, const char *key, size_t key_n,
                                       const char *text, size_t text_n)
{
	struct head_reading *r = ctx;
	struct drg_str name = drg_str(key, key_n);
	struct drg_str value = drg_str_trim(drg_str(text != NULL ? text : "", text != NULL ? text_n : 0));
	(void)kind;
	drg_mhd_layout_field(&r->layout, name, text, text_n);
	r->head->bad_name |= !is_token(name);
	r->head->bad_value |= has_control(value);
	for (size_t i = 0; i < DRG_ARRAY_LEN(head_fields); i++)
		if (key_n == head_fields[i].name.n && drg_str_eq_nocase(name, head_fields[i].name))
			head_fields[i].read(r, value);
	keep_for_app(r, name, value);
	return MHD_YES;
}

static bool bad_host(struct drg_str host)
{
	for (size_t i = 0; i < host.n; i++)
		if (strchr(" \t/\\?#@,<>\"", host.p[i]) != NULL)
			return true;
	return false;
}

int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr)
{
	const struct drg_request_line *line = &x->line;
	struct drg_head h = { .n_host = 0 };
	const struct drg_http_options *o = &x->http->opt;
	struct head_reading r = {
		.http = x->http, .arena = &x->arena, .head = &h, .believed = x->conn->trusted
	};
	r.forwarded = (struct drg_forwarded){ .trusted = o->trusted, .n_trusted = o->n_trusted };
	bool http_1_0 = strcmp(line->version, "HTTP/1.0") == 0;
	drg_mhd_layout_begin(&r.layout, line);
	MHD_get_connection_values_n(x->mhd, MHD_HEADER_KIND, head_read_field, &r);
	bool in_place = drg_mhd_layout_ends(&r.layout, x->mhd, line->method);
	h.forwarded = r.forwarded.known;
	h.client = r.forwarded.client;
	h.chunked = h.n_coding == 1 && drg_str_eq_nocase(h.coding, DRG_STR("chunked"));
	const struct {
		bool wrong;
		const struct drg_reason *reason;
		const char *message;
	} rules[] = {
		{ !in_place, DRG_R(bad_header),
		  "the head contains a NUL, a folded field, a line that ends with LF alone or a second space "
		  "in its "
		  "first line" },
		{ h.bad_name, DRG_R(bad_header),
		  "the name of a header field contains a space or another forbidden character" },
		{ h.bad_value, DRG_R(bad_header),
		  "the value of a header field contains a control character" },
		{ h.n_length > 1, DRG_R(bad_framing), "Content-Length must be sent once" },
		{ h.n_length > 0 && h.n_coding > 0, DRG_R(bad_framing),
		  "Content-Length and Transfer-Encoding must not be sent together" },
		{ h.n_coding > 0 && (!h.chunked || http_1_0), DRG_R(bad_framing),
		  "Transfer-Encoding must be chunked, and HTTP/1.1" },
		{ h.n_host > 1, DRG_R(bad_host), "Host must be sent once" },
		{ h.n_host == 0 && !http_1_0, DRG_R(bad_host), "HTTP/1.1 requires Host" },
		{ bad_host(h.host), DRG_R(bad_host), "Host is not a host name" },
	};
	*ret = h;
	if (r.no_memory)
		return drg_fail_memory(reterr);
	for (size_t i = 0; i < DRG_ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return drg_fail(reterr, DRG_EINVAL, rules[i].reason, NULL, "%s", rules[i].message);
	return DRG_OK;
}
