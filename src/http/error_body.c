#include "http/error_body.h"

#include "http/mhd.h"
#include "text/json.h"

static const struct {
	int rc, status;
} statuses[] = {
	{ DRG_OK, 200 },     { DRG_EINVAL, 400 }, { DRG_EAUTH, 403 },
	{ DRG_ENOENT, 404 }, { DRG_EEXIST, 409 }, { DRG_ELIMIT, 503 },
	{ DRG_EBUSY, 503 },  { DRG_EFULL, 503 },  { DRG_EIO, 503 },
};

/* What is said where nobody said more. */
static const struct {
	int status;
	const struct drg_reason *reason;
	const char *message;
} defaults[] = {
	{ 400, DRG_R(bad_request), "the request is not valid" },
	{ 403, DRG_R(forbidden), "the key or the secret is missing or not valid for this" },
	{ 404, DRG_R(not_found), "there is no such address" },
	{ 405, DRG_R(method_not_allowed), "this address does not take this method" },
	{ 406, DRG_R(not_acceptable), "no form of this answer is accepted" },
	{ 409, DRG_R(conflict), "the request is in conflict with what is there" },
	{ 410, DRG_R(gone), "this is not kept any more" },
	{ 412, DRG_R(precondition_failed), "what the request expects of the data is not so" },
	{ 413, DRG_R(body_too_large), "the body is too large" },
	{ 414, DRG_R(address_too_long), "the address is too long" },
	{ 415, DRG_R(unsupported_media_type), "the body must be application/json" },
	{ 422, DRG_R(not_processable), "the request cannot be processed" },
	{ 429, DRG_R(too_many_requests), "too many requests, try again later" },
	{ 431, DRG_R(headers_too_large), "the request headers are too large" },
	{ 500, DRG_R(internal_error), "internal error" },
	{ 503, DRG_R(unavailable), "the service cannot do this now, try again later" },
};

int drg_http_status(int rc)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(statuses); i++)
		if (statuses[i].rc == rc)
			return statuses[i].status;
	return 500;
}

/** What is said, with the status' own words where nobody said more. */
static void said(int status, const struct drg_err *err, struct drg_str *ret_reason,
                 struct drg_str *ret_message)
{
	const char *reason = err->reason, *message = err->message;
	for (size_t i = 0; i < DRG_ARRAY_LEN(defaults); i++) {
		if (defaults[i].status != status)
			continue;
		reason = reason[0] != '\0' ? reason : defaults[i].reason->word;
		message = message[0] != '\0' ? message : defaults[i].message;
	}
	*ret_reason = drg_str_c(reason);
	*ret_message = drg_str_c(message);
}

static void write_field(struct drg_buf *b, const struct drg_err *err)
{
	drg_buf_lit(b, ",\"field\":");
	if (err->field[0] != '\0')
		drg_json_string(b, drg_str_c(err->field));
	else
		drg_buf_lit(b, "null");
}

void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err)
{
	struct drg_str reason, message;
	said(status, err, &reason, &message);
	drg_buf_lit(b, "{\"status\":\"error\",\"error\":{\"code\":");
	drg_buf_i64(b, status);
	drg_buf_lit(b, ",\"reason\":");
	drg_json_string(b, reason);
	write_field(b, err);
	drg_buf_lit(b, ",\"message\":");
	drg_json_string(b, message);
	drg_buf_lit(b, "}}");
}

void drg_error_problem(struct drg_buf *b, int status, const struct drg_err *err)
{
	struct drg_str reason, message;
	said(status, err, &reason, &message);
	drg_buf_lit(b, "{\"type\":\"/docs#");
	drg_buf_str(b, reason);
	drg_buf_lit(b, "\",\"title\":");
	drg_json_string(b, drg_str_c(MHD_get_reason_phrase_for((unsigned)status)));
	drg_buf_lit(b, ",\"status\":");
	drg_buf_i64(b, status);
	drg_buf_lit(b, ",\"detail\":");
	drg_json_string(b, message);
	drg_buf_lit(b, ",\"reason\":");
	drg_json_string(b, reason);
	write_field(b, err);
	drg_buf_char(b, '}');
}
