#include "http/error_body.h"

#include <assert.h>

#include "text/json.h"

static const struct {
	int rc, status;
} statuses[] = {
	{ DRG_OK, 200 },     { DRG_EINVAL, 400 }, { DRG_EAUTH, 403 },
	{ DRG_ENOENT, 404 }, { DRG_EEXIST, 409 }, { DRG_ELIMIT, 503 },
	{ DRG_EBUSY, 503 },  { DRG_EFULL, 503 },  { DRG_EIO, 503 },
};

/* The phrase of a status, and its default reason and message. */
static const struct status_words {
	int status;
	const char *phrase;
	const struct drg_reason *reason;
	const char *message;
} table[] = {
	{ 200, "OK", NULL, "" },
	{ 204, "No Content", NULL, "" },
	{ 304, "Not Modified", NULL, "" },
	{ 400, "Bad Request", DRG_R(bad_request), "the request is not valid" },
	{ 403, "Forbidden", DRG_R(forbidden), "the key or the secret is missing or not valid for this" },
	{ 404, "Not Found", DRG_R(not_found), "there is no such address" },
	{ 405, "Method Not Allowed", DRG_R(method_not_allowed), "this address does not take this method" },
	{ 406, "Not Acceptable", DRG_R(not_acceptable), "no form of this answer is accepted" },
	{ 409, "Conflict", DRG_R(conflict), "the request is in conflict with what is there" },
	{ 410, "Gone", DRG_R(gone), "this is not kept any more" },
	{ 412, "Precondition Failed", DRG_R(precondition_failed), "the data is not as the request expects" },
	{ 413, "Content Too Large", DRG_R(body_too_large), "the body is too large" },
	{ 414, "URI Too Long", DRG_R(address_too_long), "the address is too long" },
	{ 415, "Unsupported Media Type", DRG_R(unsupported_media_type), "the body must be application/json" },
	{ 422, "Unprocessable Content", DRG_R(not_processable), "the request cannot be processed" },
	{ 429, "Too Many Requests", DRG_R(too_many_requests), "too many requests, try again later" },
	{ 431, "Request Header Fields Too Large", DRG_R(headers_too_large),
	  "the request headers are too large" },
	{ 500, "Internal Server Error", DRG_R(internal_error), "internal error" },
	{ 501, "Not Implemented", DRG_R(not_implemented), "this server cannot do this" },
	{ 503, "Service Unavailable", DRG_R(unavailable), "the service cannot do this now, try again later" },
	{ 505, "HTTP Version Not Supported", DRG_R(version_not_supported),
	  "this server speaks HTTP/1.1 and HTTP/1.0" },
};

static struct status_words words_of_status(int status)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(table); i++)
		if (table[i].status == status)
			return table[i];
	return (struct status_words){ status, "", NULL, "" }; /* a phrase may be empty (RFC 9112, 4) */
}

const char *drg_http_phrase(int status)
{
	return words_of_status(status).phrase;
}

int drg_http_status(int rc)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(statuses); i++)
		if (statuses[i].rc == rc)
			return statuses[i].status;
	return 500;
}

int drg_http_status_at(unsigned i)
{
	return i < DRG_ARRAY_LEN(table) ? table[i].status : 0;
}

unsigned drg_http_status_place(int status)
{
	static_assert(DRG_HTTP_STATUSES == DRG_ARRAY_LEN(table) + 1, "and one for no answer");
	unsigned i = 0;
	while (i < DRG_ARRAY_LEN(table) && table[i].status != status)
		i++;
	return i;
}

const struct drg_reason *drg_error_reason(int status, const struct drg_err *err)
{
	const struct drg_reason *own = err->reason[0] != '\0' ? drg_reason_find(err->reason) : NULL;
	return own != NULL ? own : words_of_status(status).reason;
}

void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err)
{
	const struct status_words said = words_of_status(status);
	const struct drg_reason *reason = drg_error_reason(status, err);
	drg_buf_lit(b, "{\"status\":\"error\",\"error\":{\"code\":");
	drg_buf_i64(b, status);
	drg_buf_lit(b, ",\"reason\":");
	drg_json_string(b, drg_str_c(reason != NULL ? reason->word : ""));
	drg_buf_lit(b, ",\"field\":");
	if (err->field[0] != '\0')
		drg_json_string(b, drg_str_c(err->field));
	else
		drg_buf_lit(b, "null");
	drg_buf_lit(b, ",\"message\":");
	drg_json_string(b, drg_str_c(err->message[0] != '\0' ? err->message : said.message));
	drg_buf_lit(b, "}}");
}
