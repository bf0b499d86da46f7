#include "http/http_priv.h"

/* The characters of a field name (RFC 9110, 5.6.2). */
static const char TOKEN_MARKS[] = "!#$%&'*+-.^_`|~";

static bool is_token(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i], letter = (char)(c | 0x20);
		if ((letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9'))
			continue;
		if (c == '\0' || strchr(TOKEN_MARKS, c) == NULL)
			return false;
	}
	return s.n > 0;
}

static bool has_control(struct drg_str s)
{
	bool found = false;
	for (size_t i = 0; i < s.n; i++)
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

/** While the head is read. `end`: where the text before ended. */
struct layout {
	const struct drg_http *http;
	struct drg_head *head;
	const char *end; /* its NUL; NULL: not watched */
	bool broken;
};

/**
 * libmicrohttpd 0.9.75 parses a head where it lies, and puts NULs behind names, values and lines. It shows neither a
 * NUL that the client sent (it ends the line) nor a folded line (it is added to the *name* of the field: "Content-Le: 5",
 * " ngth" sets Content-Length). But then something does not lie right behind the other. Later versions refuse
 * both themselves, and need not parse in place.
 */
static bool lies_in_place(void)
{
	return strcmp(MHD_get_version(), "0.9.75") == 0;
}

/** Is @p at the beginning of the line behind the text that ends at @p end (CR LF or LF, now NULs)? */
static bool begins_line(const char *end, const char *at)
{
	return at == end + 1 || (at == end + 2 && end[1] == '\0');
}

static bool follows_colon(const char *colon, const char *value)
{
	const char *at = colon + 1;
	while (at < value && (*at == ' ' || *at == '\t'))
		at++;
	return at == value;
}

static void watch_layout(struct layout *l, const char *name, size_t name_n, const char *value, size_t value_n)
{
	if (l->end == NULL)
		return;
	l->broken |= value == NULL || !begins_line(l->end, name) || !follows_colon(name + name_n, value);
	l->end = l->broken ? NULL : value + value_n;
}

/** Behind the last field there is one empty line. */
static bool ends_in_place(struct MHD_Connection *mhd, const char *method, const struct layout *l)
{
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	const char *end = info != NULL ? method + info->header_size : NULL;
	return end != NULL && (begins_line(l->end + 1, end) || begins_line(l->end + 2, end));
}

static void keep_first(struct drg_str *at, struct drg_str value)
{
	if (at->p == NULL)
		*at = value;
}

static void keep_for_app(const struct layout *l, struct drg_str name, struct drg_str value)
{
	for (size_t i = 0; i < l->http->n_app_headers; i++)
		if (drg_str_eq_nocase(name, l->http->app_headers[i]))
			keep_first(&l->head->app[i], value);
}

/** If-None-Match and Accept-Encoding are lists, but a second field of them does not occur; the first counts. */
static enum MHD_Result read_field(void *ctx, enum MHD_ValueKind kind, const char *key, size_t key_n,
                                  const char *text, size_t text_n)
{
	struct layout *l = ctx;
	struct drg_head *h = l->head;
	struct drg_str name = drg_str(key, key_n);
	struct drg_str value = drg_str_trim(drg_str(text != NULL ? text : "", text != NULL ? text_n : 0));
	(void)kind;
	watch_layout(l, key, key_n, text, text_n);
	h->bad_name |= !is_token(name);
	h->bad_value |= has_control(value);
	switch (key_n) {
	case sizeof "Host" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Host")) && h->n_host++ == 0)
			h->host = value;
		break;
	case sizeof "Origin" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Origin")))
			h->has_origin = true;
		else if (drg_str_eq_nocase(name, DRG_STR("Expect")))
			h->expects_continue = drg_str_eq_nocase(value, DRG_STR("100-continue"));
		break;
	case sizeof "Content-Type" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Content-Type")))
			keep_first(&h->content_type, value);
		else if (drg_str_eq_nocase(name, DRG_STR("X-Request-Id")))
			keep_first(&h->request_id, value);
		break;
	case sizeof "If-None-Match" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("If-None-Match")))
			keep_first(&h->if_none_match, value);
		break;
	case sizeof "Content-Length" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Content-Length")) && h->n_length++ == 0)
			h->length = read_length(value);
		break;
	case sizeof "Accept-Encoding" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Accept-Encoding")))
			keep_first(&h->accept_encoding, value);
		break;
	case sizeof "Transfer-Encoding" - 1:
		if (drg_str_eq_nocase(name, DRG_STR("Transfer-Encoding")) && h->n_coding++ == 0)
			h->coding = value;
		break;
	default: break;
	}
	keep_for_app(l, name, value);
	return MHD_YES;
}

static bool bad_host(struct drg_str host)
{
	for (size_t i = 0; i < host.n; i++)
		if (strchr(" \t/\\?#@,<>\"", host.p[i]) != NULL)
			return true;
	return false;
}

int drg_head_read(const struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr)
{
	const struct drg_request_line *line = &x->line;
	struct drg_head h = { .n_host = 0 };
	struct layout l = { .http = x->http, .head = &h };
	bool http_1_0 = strcmp(line->version, "HTTP/1.0") == 0;
	if (lies_in_place()) {
		l.broken = line->target != line->method + strlen(line->method) + 1 ||
		           line->version != line->target + line->target_n + 1;
		l.end = line->version + strlen(line->version);
	}
	MHD_get_connection_values_n(x->mhd, MHD_HEADER_KIND, read_field, &l);
	if (l.end != NULL)
		l.broken |= !ends_in_place(x->mhd, line->method, &l);
	h.chunked = h.n_coding == 1 && drg_str_eq_nocase(h.coding, DRG_STR("chunked"));
	const struct {
		bool wrong;
		const char *reason, *message;
	} rules[] = {
		{ l.broken, "bad_header",
		  "the head contains a NUL, a folded field or a second space in its first line" },
		{ h.bad_name, "bad_header",
		  "the name of a header field contains a space or another forbidden character" },
		{ h.bad_value, "bad_header", "the value of a header field contains a control character" },
		{ h.n_length > 1, "bad_framing", "Content-Length must be sent once" },
		{ h.n_length > 0 && h.n_coding > 0, "bad_framing",
		  "Content-Length and Transfer-Encoding must not be sent together" },
		{ h.n_coding > 0 && (!h.chunked || http_1_0), "bad_framing",
		  "Transfer-Encoding must be chunked, and HTTP/1.1" },
		{ h.n_host > 1, "bad_host", "Host must be sent once" },
		{ h.n_host == 0 && !http_1_0, "bad_host", "HTTP/1.1 requires Host" },
		{ bad_host(h.host), "bad_host", "Host is not a host name" },
	};
	*ret = h;
	for (size_t i = 0; i < DRG_ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return drg_fail(reterr, DRG_EINVAL, rules[i].reason, NULL, "%s", rules[i].message);
	return DRG_OK;
}
