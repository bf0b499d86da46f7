#include "http/access_log.h"

#include <assert.h>

#include "text/json.h"
#include "text/utf8.h"

enum { LONGEST_TEXT = 2048 };

/** Append a client's text as a JSON string. Bytes that are not UTF-8 are replaced, since JSON must be
 * UTF-8. */
static void access_log_add_text(struct drg_buf *b, struct drg_str s)
{
	if (s.n > LONGEST_TEXT)
		s.n = LONGEST_TEXT;
	size_t bad;
	drg_buf_char(b, '"');
	while (!drg_utf8_valid(s, &bad)) {
		drg_json_escape(b, drg_str(s.p, bad));
		drg_buf_char(b, '?');
		s = drg_str(s.p + bad + 1, s.n - bad - 1);
	}
	drg_json_escape(b, s);
	drg_buf_char(b, '"');
}

/** Append the path, and the endpoint's path if it differs, which is rare. */
static void access_log_add_paths(struct drg_buf *b, struct drg_str path, const char *route)
{
	const struct drg_str known = drg_str_c(route != NULL ? route : "");
	drg_buf_lit(b, "\",\"path\":");
	if (route != NULL && drg_str_eq(path, known)) {
		drg_buf_char(b, '"');
		drg_buf_str(b, path);
		drg_buf_char(b, '"');
	} else {
		access_log_add_text(b, path);
	}
	drg_buf_lit(b, ",\"route\":");
	if (route == NULL) {
		drg_buf_lit(b, "null");
		return;
	}
	drg_buf_char(b, '"');
	drg_buf_str(b, known);
	drg_buf_char(b, '"');
}

void drg_access_line_write(const struct drg_access_line *line, struct drg_buf *b)
{
	assert(line->remote != NULL && line->method != NULL);
	drg_buf_lit(b, "\"request_id\":\"");
	drg_buf_str(b, line->request_id);
	drg_buf_lit(b, "\",\"remote\":\"");
	drg_buf_str(b, drg_str_c(line->remote));
	drg_buf_lit(b, "\",\"method\":\"");
	drg_buf_str(b, drg_str_c(line->method));
	access_log_add_paths(b, line->path, line->route);
	drg_buf_lit(b, ",\"status\":");
	drg_buf_i64(b, line->status);
	drg_buf_lit(b, ",\"bytes\":");
	drg_buf_i64(b, (int64_t)line->bytes);
	drg_buf_lit(b, ",\"us\":");
	drg_buf_i64(b, line->us);
	if (line->reason != NULL) {
		drg_buf_lit(b, ",\"reason\":");
		access_log_add_text(b, drg_str_c(line->reason));
	}
	if (line->version != NULL && line->version[0] != '\0') {
		drg_buf_lit(b, ",\"version\":\"");
		drg_buf_str(b, drg_str_c(line->version));
		drg_buf_char(b, '"');
	}
	if (line->key_id != 0) {
		drg_buf_lit(b, ",\"key\":");
		drg_buf_i64(b, line->key_id);
	}
	if (line->cut)
		drg_buf_lit(b, ",\"cut\":true");
}
