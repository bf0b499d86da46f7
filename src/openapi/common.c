/* The parts that operations share: parameters of the head, headers of answers, errors (decisions E1, E2). */
#include <stdio.h>

#include "api/app.h"
#include "base/reason.h"
#include "openapi/document_priv.h"

/* ---- headers --------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *description, *schema;
} request_headers[] = {
	{ "X-Request-Id", "A name for the request, which the answer and the log will have",
	  "{\"type\":\"string\",\"maxLength\":128}" },
	{ "X-Min-Data-Version", "An X-Data-Version: the answer is made from it or a later one, or is a 503",
	  "{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}-[0-9]+[+]?$\"}" },
	{ "If-None-Match", "The ETag of an earlier answer: 304 if nothing has changed",
	  "{\"type\":\"string\"}" },
	{ "Idempotency-Key",
	  "A name for the request; sent again within a day, one that changed something gets the same answer",
	  "{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"pattern\":\"^[!-~]+$\"}" },
};

static const struct {
	const char *name, *description, *schema;
} answer_headers[] = {
	{ "X-Request-Id", "The request's name, its own or a new one; on errors, and where one was sent",
	  "{\"type\":\"string\",\"maxLength\":128}" },
	{ "X-Data-Version",
	  "The data that the answer was made from; equal ones mean equal bytes, but where a + stands behind",
	  "{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}-[0-9]+[+]?$\"}" },
	{ "X-Ignored-Fields", "Names of parameters and attributes that were sent and mean nothing here",
	  "{\"type\":\"string\"}" },
	{ "X-Total-Count", "How many places or cases match",
	  "{\"type\":\"string\",\"pattern\":\"^[0-9]+$\"}" },
	{ "ETag", "The entity tag of the answer, with its coding", "{\"type\":\"string\"}" },
	{ "Cache-Control", "For how long the answer may be kept, and by whom", "{\"type\":\"string\"}" },
	{ "Vary", "The request headers that the answer depends on", "{\"type\":\"string\"}" },
	{ "Access-Control-Allow-Origin",
	  "Pages of which site may read the answer: of any (*), or of the one that asked",
	  "{\"type\":\"string\"}" },
	{ "Access-Control-Expose-Headers", "The headers that they may read, where the request has an Origin",
	  "{\"type\":\"string\"}" },
	{ "Retry-After", "Seconds to wait", "{\"type\":\"string\",\"pattern\":\"^[0-9]+$\"}" },
	{ "RateLimit-Policy",
	  "Of a key with limits: q requests in w seconds, q elements of sourceAdd in a day "
	  "(draft-ietf-httpapi-ratelimit-headers)",
	  "{\"type\":\"string\"}" },
	{ "RateLimit", "Likewise: r are left, all are there again in t seconds", "{\"type\":\"string\"}" },
	{ "Allow", "The methods that the address takes", "{\"type\":\"string\"}" },
	{ "Idempotent-Replayed", "The answer is that of an earlier request",
	  "{\"type\":\"string\",\"enum\":[\"true\"]}" },
	{ "Content-Disposition", "That it is to be saved, and under which name", "{\"type\":\"string\"}" },
	{ "Set-Cookie", "The session; or nothing, where it is over", "{\"type\":\"string\"}" },
	{ "Deprecation", "Since when the endpoint should not be used any more (RFC 9745)",
	  "{\"type\":\"string\",\"pattern\":\"^@[0-9]+$\"}" },
	{ "Sunset", "When it ends (RFC 8594)", "{\"type\":\"string\"}" },
	{ "Link", "The endpoint that replaces it", "{\"type\":\"string\"}" },
	{ "Content-Security-Policy", "Permissions of the page: none", "{\"type\":\"string\"}" },
	{ "Referrer-Policy", "The sites that a browser tells the address: none",
	  "{\"type\":\"string\",\"enum\":[\"no-referrer\"]}" },
	{ "X-Content-Type-Options", "The type is as it says",
	  "{\"type\":\"string\",\"enum\":[\"nosniff\"]}" },
};

static json_t *common_schema(struct drg_openapi_work *w, const char *text)
{
	json_t *s = json_loads(text, 0, NULL);
	w->failed |= s == NULL;
	return s;
}

static void put_headers(struct drg_openapi_work *w)
{
	json_t *parameters = json_object(), *headers = json_object();
	for (size_t i = 0; i < DRG_ARRAY_LEN(request_headers); i++)
		drg_openapi_put(w, parameters, request_headers[i].name,
		                json_pack("{s:s, s:s, s:s, s:o}", "name", request_headers[i].name, "in",
		                          "header", "description", request_headers[i].description, "schema",
		                          common_schema(w, request_headers[i].schema)));
	for (size_t i = 0; i < DRG_ARRAY_LEN(answer_headers); i++)
		drg_openapi_put(w, headers, answer_headers[i].name,
		                json_pack("{s:s, s:o}", "description", answer_headers[i].description,
		                          "schema", common_schema(w, answer_headers[i].schema)));
	drg_openapi_put(w, w->all, "parameters", parameters);
	drg_openapi_put(w, w->all, "headers", headers);
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

static const struct {
	int status;
	const char *description, *header;
} errors[] = {
	{ 400, "The address, a header, a parameter or the body breaks a rule", NULL },
	{ 403, "Key, secret or session: missing, not valid, or not for this", NULL },
	{ 404, "There is nothing at this address", NULL },
	{ 405, "The address does not take this method", "Allow" },
	{ 406, "Accept-Encoding refuses every form of the answer", NULL },
	{ 409, "A request with this Idempotency-Key is in progress", NULL },
	{ 410, "The cursor is of a history that is over: start over with the export", NULL },
	{ 412, "The data have no version as in X-Min-Data-Version, or the list has no tag as in If-Match",
	  NULL },
	{ 413, "The body is too large", NULL },
	{ 414, "The address is too long", NULL },
	{ 415, "The media type of the body", NULL },
	{ 422, "The Idempotency-Key came before with another body, or what was sent cannot be taken", NULL },
	{ 429, "Too many attempts, or more than the limits of the key: wait", "Retry-After" },
	{ 431, "The headers are too large", NULL },
	{ 500, "A fault of the server; the message has the request's id", NULL },
	{ 501, "This server knows no such method, or no such coding of a body", NULL },
	{ 503, "Not now: try again", "Retry-After" },
};

void drg_openapi_error_name(int status, char name[static DRG_OPENAPI_NAME])
{
	snprintf(name, DRG_OPENAPI_NAME, "Error%d", status);
}

#define LISTED(word, status) &drg_reason_##word,

static json_t *words_of(struct drg_openapi_work *w, int status)
{
	static const struct drg_reason *const reasons[] = { DRG_REASONS(LISTED) };
	json_t *words = json_array();
	for (size_t i = 0; i < DRG_ARRAY_LEN(reasons); i++)
		if (reasons[i]->status == status)
			drg_openapi_add(w, words, json_string(reasons[i]->word));
	return words;
}

/* The body of decision E1. */
static json_t *error_schema(struct drg_openapi_work *w, int status)
{
	json_t *code = json_pack("{s:s, s:i}", "type", "integer", "const", status);
	json_t *reason = json_pack("{s:s, s:s, s:o}", "type", "string", "description",
	                           "For programs: what is wrong; words may come to these", "examples",
	                           words_of(w, status));
	json_t *field = json_pack("{s:[s, s], s:s}", "type", "string", "null", "description",
	                          "The parameter, header or attribute at fault");
	json_t *message =
	        json_pack("{s:s, s:s}", "type", "string", "description", "For people; it may change");
	json_t *error = json_pack("{s:s, s:[s, s, s, s], s:{s:o, s:o, s:o, s:o}}", "type", "object",
	                          "required", "code", "reason", "field", "message", "properties", "code",
	                          code, "reason", reason, "field", field, "message", message);
	json_t *word = json_pack("{s:s, s:s}", "type", "string", "const", "error");
	return json_pack("{s:s, s:[s, s], s:{s:o, s:o}}", "type", "object", "required", "status", "error",
	                 "properties", "status", word, "error", error);
}

static json_t *error_response(struct drg_openapi_work *w, size_t i, const char *schema)
{
	static const char *const of_all[] = { "X-Request-Id",
		                              "X-Data-Version",
		                              "X-Ignored-Fields",
		                              "Cache-Control",
		                              "Vary",
		                              "Access-Control-Allow-Origin",
		                              "Access-Control-Expose-Headers",
		                              "Deprecation",
		                              "Sunset",
		                              "Link",
		                              "RateLimit",
		                              "RateLimit-Policy" };
	json_t *headers = json_object();
	for (size_t k = 0; k < DRG_ARRAY_LEN(of_all); k++)
		drg_openapi_put(w, headers, of_all[k], drg_openapi_ref("headers", of_all[k]));
	if (errors[i].header != NULL)
		drg_openapi_put(w, headers, errors[i].header, drg_openapi_ref("headers", errors[i].header));
	return json_pack("{s:s, s:o, s:{s:{s:o}}}", "description", errors[i].description, "headers", headers,
	                 "content", "application/json", "schema", drg_openapi_ref("schemas", schema));
}

static void put_errors(struct drg_openapi_work *w)
{
	json_t *responses = json_object(), *schemas = json_object_get(w->all, "schemas");
	for (size_t i = 0; i < DRG_ARRAY_LEN(errors); i++) {
		char name[DRG_OPENAPI_NAME];
		drg_openapi_error_name(errors[i].status, name);
		drg_openapi_put(w, schemas, name, error_schema(w, errors[i].status));
		drg_openapi_put(w, responses, name, error_response(w, i, name));
	}
	drg_openapi_put(w, w->all, "responses", responses);
}

/* ---- keys ------------------------------------------------------------------------------------------------ */

static json_t *key_in(const char *in, const char *name, const char *description)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "type", "apiKey", "in", in, "name", name, "description",
	                 description);
}

static json_t *key(const char *header, const char *description)
{
	return key_in("header", header, description);
}

void drg_openapi_common(struct drg_openapi_work *w)
{
	put_headers(w);
	put_errors(w);
	drg_openapi_put(
	        w, w->all, "securitySchemes",
	        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "keyA", key("X-Api-Key", "A key of API A"),
	                  "keyB", key("X-Service-Api-Key", "A key of API B"), "secretB",
	                  key("X-Service-Api-Secret", "The secret of the key of API B; from servers only"),
	                  "clientKeyB", key("X-Service-Client-Key", "The same as X-Service-Api-Key"),
	                  "clientSecretB", key("X-Service-Client-Secret", "The same as X-Service-Api-Secret"),
	                  "session",
	                  key_in("cookie", DRG_SESSION_COOKIE,
	                         "A person who has signed in (POST /v1/session); a server with a public URL "
	                         "of a "
	                         "loopback address calls it " DRG_SESSION_COOKIE_PLAIN),
	                  "csrf",
	                  key("X-CSRF-Token", "The csrf of the session, with what changes something")));
}
