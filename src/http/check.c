/* The checks of a request before its handler runs, in the order of decision E7: id, method, key, parameters,
 * body. */
#include <assert.h>

#include "http/http_priv.h"
#include "http/pack.h"

bool drg_exchange_holds_secret(const struct drg_exchange *x, struct drg_str text)
{
	for (const char *const *secret = x->http->app.secrets; secret != NULL && *secret != NULL; secret++)
		if (text.n > 0 && memmem(text.p, text.n, *secret, strlen(*secret)) != NULL)
			return true;
	return false;
}

/* The id is in the log and in the answer, so it has neither odd characters nor a key. */
static bool sane_request_id(const struct drg_exchange *x, struct drg_str id)
{
	if (id.p == NULL || id.n == 0 || id.n > DRG_REQUEST_ID_MAX || drg_exchange_holds_secret(x, id))
		return false;
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i] <= ' ' || id.p[i] > '~' || strchr("\"\\<>&'", id.p[i]) != NULL)
			return false;
	return true;
}

static void set_request_id(struct drg_exchange *x)
{
	struct drg_str sent = x->head.request_id;
	x->request_id_sent = sent.p != NULL;
	if (sane_request_id(x, sent)) {
		memcpy(x->request_id, sent.p, sent.n);
		x->request_id_n = sent.n;
		x->request_id[sent.n] = '\0';
		return;
	}
	x->request_number = atomic_fetch_add_explicit(&x->http->next_id, 1, memory_order_relaxed);
}

const char *const drg_verb_names[] = { "GET", "HEAD", "POST", "DELETE", "OPTIONS", "other" };

static void set_verb(struct drg_exchange *x)
{
	x->verb = DRG_VERB_GET;
	while (x->verb < DRG_VERB_OTHER && !drg_str_eq(x->method, drg_str_c(drg_verb_names[x->verb])))
		x->verb++;
}

static int find_endpoint(struct drg_exchange *x)
{
	if (x->verb == DRG_VERB_OPTIONS && drg_str_eq(x->target.path, DRG_STR("*")))
		return DRG_OK; /* "*" is about the server itself */
	x->route = drg_router_find(x->http->router, &x->target);
	const char *near = x->route == NULL ? drg_router_suggest(x->http->router, &x->target) : NULL;
	if (near != NULL)
		return drg_exchange_fail_status(x, 404, NULL, NULL,
		                                "there is nothing at this address, but at %s: letter case, "
		                                "slashes and the beginning count",
		                                near);
	if (x->route == NULL)
		return drg_exchange_fail_status(x, 404, NULL, NULL, "there is nothing at this address");
	if (x->verb == DRG_VERB_OPTIONS)
		return DRG_OK;
	static const enum drg_method of_verb[] = { [DRG_VERB_GET] = DRG_GET,
		                                   [DRG_VERB_HEAD] = DRG_GET,
		                                   [DRG_VERB_POST] = DRG_POST,
		                                   [DRG_VERB_DELETE] = DRG_DELETE };
	if (x->verb != DRG_VERB_OTHER)
		x->endpoint = x->route->by_method[of_verb[x->verb]];
	if (x->endpoint != NULL)
		return DRG_OK;
	const char *allow = drg_answer_allow(x);
	drg_exchange_add_header(x, "Allow", allow);
	return drg_exchange_fail_status(x, 405, NULL, NULL, "this address takes only %s", allow);
}

/** Is the value a media type such as "application/json; charset=utf-8" (E10)? */
static bool is_media_type(struct drg_str value, struct drg_str type)
{
	struct drg_str part;
	if (!drg_str_split(&value, ';', &part) || !drg_str_eq_nocase(drg_str_trim(part), type))
		return false;
	while (drg_str_split(&value, ';', &part)) {
		part = drg_str_trim(part);
		bool utf8 = drg_str_eq_nocase(part, DRG_STR("charset=utf-8")) ||
		            drg_str_eq_nocase(part, DRG_STR("charset=\"utf-8\""));
		if (part.n > 0 && !utf8)
			return false;
	}
	return true;
}

static int fail_media_type(struct drg_exchange *x)
{
	if (x->endpoint->body == DRG_BODY_FILE)
		return drg_exchange_fail_status(x, 415, NULL, "Content-Type",
		                                "the body must be the file itself, not a form that has it");
	return drg_exchange_fail_status(
	        x, 415, NULL, "Content-Type", "the body must be application/json%s, in UTF-8",
	        x->endpoint->body == DRG_BODY_JSON_OR_FORM ? " or application/x-www-form-urlencoded" : "");
}

/** Is the value multipart/form-data? Parameters, such as the boundary, do not matter. */
static bool is_multipart(struct drg_str value)
{
	struct drg_str type;
	return drg_str_split(&value, ';', &type) &&
	       drg_str_eq_nocase(drg_str_trim(type), DRG_STR("multipart/form-data"));
}

/** Check the media type (E10). If the head does not say JSON, the body must begin like JSON. */
static int check_media_type(struct drg_exchange *x)
{
	struct drg_str type = x->head.content_type, coding = x->head.content_coding;
	bool form_too = x->endpoint->body == DRG_BODY_JSON_OR_FORM;
	x->body_is = DRG_BODY_IS_JSON;
	if (coding.n > 0 && x->endpoint->body != DRG_BODY_NONE &&
	    !drg_str_eq_nocase(coding, DRG_STR("identity")))
		return drg_exchange_fail_status(x, 415, NULL, "Content-Encoding",
		                                "the body must be sent as it is, not compressed");
	if (is_multipart(type) && x->endpoint->body != DRG_BODY_NONE)
		return fail_media_type(x);
	if (x->endpoint->body == DRG_BODY_FILE || x->endpoint->body == DRG_BODY_NONE || type.p == NULL ||
	    is_media_type(type, DRG_STR("application/json")))
		return DRG_OK;
	x->body_is = form_too && is_media_type(type, DRG_STR("application/x-www-form-urlencoded"))
	                     ? DRG_BODY_IS_FORM
	                     : DRG_BODY_IS_OTHER;
	return DRG_OK;
}

static bool begins_like_json(struct drg_str body)
{
	size_t i = 0;
	while (i < body.n && strchr(" \t\r\n", body.p[i]) != NULL && body.p[i] != '\0')
		i++;
	return i < body.n && body.p[i] == '{';
}

int drg_check_body(struct drg_exchange *x)
{
	if (x->body_is == DRG_BODY_IS_JSON)
		return DRG_OK;
	if (begins_like_json(drg_buf_view(&x->body)))
		x->body_is = DRG_BODY_IS_JSON;
	return x->body_is != DRG_BODY_IS_OTHER ? DRG_OK : fail_media_type(x);
}

int drg_check_fail_body_size(struct drg_exchange *x)
{
	return drg_exchange_fail_status(x, 413, NULL, NULL, "the body is larger than %zu bytes",
	                                drg_endpoint_max_body(x->endpoint, x->http->opt.max_body));
}

static void check_note_ignored(void *ctx, struct drg_str name)
{
	drg_exchange_ignored(ctx, name);
}

static int authorize(struct drg_exchange *x)
{
	assert(x->endpoint != NULL);
	if (x->endpoint->auth == DRG_AUTH_PUBLIC)
		return DRG_OK;
	assert(x->http->app.authorize != NULL);
	for (unsigned i = 0; i < DRG_APP_HEADERS_MAX; i++)
		if (x->head.n_app[i] > 1)
			return drg_fail(&x->err, DRG_EINVAL, DRG_R(repeated_header),
			                x->http->fields.name[DRG_FIELD_OURS + i].p, "%s must be sent once",
			                x->http->fields.name[DRG_FIELD_OURS + i].p);
	int rc = x->http->app.authorize(x, x->endpoint);
	x->n_early_headers = x->n_headers;
	return rc;
}

/* Count a request with a file: such bodies are large, so few are held at the same time (decision E26). */
static int take_file(struct drg_exchange *x)
{
	if (x->endpoint->body != DRG_BODY_FILE)
		return DRG_OK;
	x->has_file = atomic_fetch_add(&x->http->files, 1) < DRG_FILES_MAX;
	if (x->has_file)
		return DRG_OK;
	atomic_fetch_sub(&x->http->files, 1);
	return drg_fail(&x->err, DRG_EBUSY, DRG_R(busy), NULL,
	                "other files are being sent to this server; try again when they are through");
}

static bool is_known_host(const struct drg_http_options *o, struct drg_str host)
{
	struct drg_address address;
	struct drg_str name = host;
	const char *colon = memchr(host.p, ':', host.n);
	if (drg_address_parse(host, &address))
		return true;
	if (colon != NULL)
		name.n = (size_t)(colon - host.p);
	bool known = drg_str_eq_nocase(name, DRG_STR("localhost"));
	for (size_t i = 0; i < o->n_hosts && !known; i++)
		known = drg_str_eq_nocase(name, drg_str_c(o->hosts[i]));
	return known;
}

static int check_host(struct drg_exchange *x)
{
	const struct drg_http_options *o = &x->http->opt;
	struct drg_str host = x->head.host;
	if (!o->some_hosts || host.n == 0 || is_known_host(o, host))
		return DRG_OK;
	return drg_fail(&x->err, DRG_EINVAL, DRG_R(bad_host), "Host",
	                "Host: expected an address or localhost, found \"%.*s\"; --admin-host names others",
	                (int)(host.n < 80 ? host.n : 80), host.p);
}

int drg_check_request(struct drg_exchange *x, bool *ret_framing)
{
	int rc = drg_head_read(x, &x->head, &x->err);
	*ret_framing = rc != DRG_OK && !drg_head_is_framed(x);
	set_request_id(x);
	set_verb(x);
	if (rc == DRG_OK)
		rc = check_host(x);
	if (rc == DRG_OK)
		rc = drg_target_parse(x->raw_target, &x->arena, &x->target, &x->err);
	if (rc == DRG_OK)
		rc = find_endpoint(x);
	if (rc != DRG_OK || x->verb == DRG_VERB_OPTIONS)
		return rc;
	rc = authorize(x);
	if (rc == DRG_OK && drg_pack_refused(x))
		rc = drg_exchange_fail_status(x, 406, NULL, "Accept-Encoding",
		                              "Accept-Encoding: every coding is refused");
	/* A client that sends a body there has put the parameters into it; without them the request would do
	 * something else, such as make a key with more rights (L6). */
	if (rc == DRG_OK && x->endpoint->method == DRG_POST && x->endpoint->body == DRG_BODY_NONE &&
	    drg_head_has_body(&x->head))
		rc = drg_fail(&x->err, DRG_EINVAL, DRG_R(bad_body), "body",
		              "this request takes its parameters in the query; send no body");
	if (rc == DRG_OK)
		rc = check_media_type(x);
	if (rc == DRG_OK && x->head.length > drg_endpoint_max_body(x->endpoint, x->http->opt.max_body))
		rc = drg_check_fail_body_size(x);
	if (rc == DRG_OK)
		rc = drg_params_read(x->endpoint, &x->target, &x->arena, check_note_ignored, x, &x->params,
		                     &x->err);
	return rc == DRG_OK ? take_file(x) : rc;
}
