#include "text/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "text/json_priv.h"
#include "text/json_scan.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

int drg_json_parse(struct drg_str text, json_t **ret, struct drg_err *reterr)
{
	struct drg_str value;
	struct drg_json_fault fault;
	int rc = drg_json_check(text, DRG_JSON_TREE, &value, &fault);
	if (rc == DRG_EINVAL)
		return drg_fail(reterr, rc, fault.reason, NULL, "line %zu, column %zu: %s", fault.line,
		                fault.column, fault.problem);
	/* jansson only builds the tree: what it refuses has been refused. */
	json_t *v = rc == DRG_OK ? json_loadb(text.p, text.n, JSON_DECODE_ANY, NULL) : NULL;
	if (v == NULL)
		return drg_fail_memory(reterr);
	*ret = v;
	return DRG_OK;
}

int drg_json_member_raw(struct drg_str object, struct drg_str name, struct drg_str *ret)
{
	assert(object.n > 1);
	struct drg_json_item item = { .type = DRG_JSON_OBJECT, .s = object }, value;
	struct drg_json_walk w;
	struct drg_arena names;
	struct drg_str member, raw = { 0 };
	int rc = DRG_OK;
	while (drg_json_is_space(*item.s.p)) {
		item.s.p++;
		item.s.n--;
	}
	drg_arena_init(&names, SIZE_MAX);
	drg_json_walk_init(&w, &item, &names);
	while (raw.p == NULL && (rc = drg_json_walk_next(&w, &member, &value)) == DRG_OK)
		if (drg_str_eq(member, name))
			raw = w.raw;
	drg_arena_done(&names);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	*ret = raw;
	return DRG_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static inline bool must_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

static size_t plain_run(struct drg_str s, size_t i)
{
	while (i < s.n && !must_escape((unsigned char)s.p[i]))
		i++;
	return i;
}

/* The characters with a short escape, and the letters that stand for them. */
static const char letters[] = "\"\\\b\f\n\r\t", codes[] = "\"\\bfnrt";

static void escape_char(struct drg_buf *b, char c)
{
	const char *at = memchr(letters, c, sizeof letters - 1);
	if (at != NULL) {
		drg_buf_char(b, '\\');
		drg_buf_char(b, codes[at - letters]);
	} else {
		drg_buf_printf(b, "\\u%04x", (unsigned)c);
	}
}

void drg_json_escape(struct drg_buf *b, struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		size_t end = plain_run(s, i);
		drg_buf_add(b, s.p + i, end - i);
		if (end < s.n)
			escape_char(b, s.p[end]);
		i = end;
	}
}

void drg_json_unescape(struct drg_buf *b, struct drg_str escaped)
{
	for (size_t i = 0; i < escaped.n; i++) {
		char c = escaped.p[i];
		if (c == '\\' && i + 5 < escaped.n && escaped.p[i + 1] == 'u') {
			/* Only control characters are written so: the number fits a byte. */
			char hex[3] = { escaped.p[i + 4], escaped.p[i + 5], '\0' };
			c = (char)strtoul(hex, NULL, 16);
			i += 5;
		} else if (c == '\\' && i + 1 < escaped.n) {
			const char *at = memchr(codes, escaped.p[++i], sizeof codes - 1);
			c = at != NULL ? letters[at - codes] : escaped.p[i];
		}
		drg_buf_char(b, c);
	}
}

bool drg_json_needs_escape(struct drg_str s)
{
	return plain_run(s, 0) < s.n;
}

void drg_json_string(struct drg_buf *b, struct drg_str s)
{
	drg_buf_char(b, '"');
	drg_json_escape(b, s);
	drg_buf_char(b, '"');
}

/* Most numbers of the world are a few digits with a point in between: an integer over a power of ten.
 * Dividing the two, both exact, gives the double nearest to that decimal, so if it is d the text reads back
 * as d. */
static bool short_real(struct drg_buf *b, double d)
{
	static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };
	double size = fabs(d);
	if (!(size >= 1e-4 && size < 1e6))
		return false;
	unsigned places = 0;
	while (places < DRG_ARRAY_LEN(tens) && round(size * tens[places]) / tens[places] != size)
		places++;
	if (places == DRG_ARRAY_LEN(tens))
		return false;
	assert(places < DRG_ARRAY_LEN(tens));
	char text[DRG_I64_TEXT];
	int64_t all = (int64_t)round(size * tens[places]), ten = (int64_t)tens[places];
	if (d < 0)
		drg_buf_char(b, '-');
	drg_buf_i64(b, all / ten);
	/* The 1 in front keeps the zeros behind the point. */
	size_t n = drg_i64_text(ten + all % ten, text);
	text[0] = '.';
	if (places > 0)
		drg_buf_add(b, text, n);
	return true;
}

void drg_json_real(struct drg_buf *b, double d)
{
	char text[40];
	int n = 0;
	if (!isfinite(d)) { /* JSON has none: somebody else wrote it into the store */
		drg_buf_lit(b, "null");
		return;
	}
	if (short_real(b, d))
		return;
	/* 17 digits always read back; fewer often do. Adding zero makes 0 of -0, which JSON readers mix up. */
	for (int digits = 15; digits <= 17; digits++) {
		n = snprintf(text, sizeof text, "%.*g", digits, d + 0.0);
		if (strtod(text, NULL) == d)
			break;
	}
	drg_buf_add(b, text, (size_t)n);
}

static void json_write_value(struct drg_jw *w, const json_t *v);

static void json_write_members(struct drg_jw *w, const json_t *v)
{
	json_t *object = (json_t *)v; /* jansson's iterator lacks const */
	drg_jw_object(w);
	for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
		drg_jw_key_str(w, drg_str(json_object_iter_key(i), json_object_iter_key_len(i)));
		json_write_value(w, json_object_iter_value(i));
	}
	drg_jw_object_end(w);
}

static void write_items(struct drg_jw *w, const json_t *v)
{
	drg_jw_array(w);
	for (size_t i = 0; i < json_array_size(v); i++)
		json_write_value(w, json_array_get(v, i));
	drg_jw_array_end(w);
}

static void json_write_value(struct drg_jw *w, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT: json_write_members(w, v); break;
	case JSON_ARRAY: write_items(w, v); break;
	case JSON_STRING: drg_jw_str(w, drg_str(json_string_value(v), json_string_length(v))); break;
	case JSON_INTEGER: drg_jw_i64(w, json_integer_value(v)); break;
	case JSON_REAL: drg_jw_real(w, json_real_value(v)); break;
	case JSON_TRUE: drg_jw_bool(w, true); break;
	case JSON_FALSE: drg_jw_bool(w, false); break;
	case JSON_NULL: drg_jw_null(w); break;
	}
}

void drg_json_value(struct drg_buf *b, const json_t *v)
{
	struct drg_jw w = { .b = b };
	json_write_value(&w, v);
}

/* ---- the writer ---------------------------------------------------------------------------------------- */

static void json_begin(struct drg_jw *w, char bracket)
{
	drg_jw_sep(w);
	drg_buf_char(w->b, bracket);
	w->comma = false;
}

static void json_end(struct drg_jw *w, char bracket)
{
	drg_buf_char(w->b, bracket);
	w->comma = true;
}

void drg_jw_object(struct drg_jw *w)
{
	json_begin(w, '{');
}

void drg_jw_object_end(struct drg_jw *w)
{
	json_end(w, '}');
}

void drg_jw_array(struct drg_jw *w)
{
	json_begin(w, '[');
}

void drg_jw_array_end(struct drg_jw *w)
{
	json_end(w, ']');
}

void drg_jw_key_escaped(struct drg_jw *w, struct drg_str escaped)
{
	drg_jw_escaped(w, escaped);
	drg_buf_char(w->b, ':');
	w->comma = false;
}

void drg_jw_key(struct drg_jw *w, const char *name)
{
	drg_jw_key_escaped(w, drg_str_c(name));
}

void drg_jw_key_str(struct drg_jw *w, struct drg_str name)
{
	drg_jw_str(w, name);
	drg_buf_char(w->b, ':');
	w->comma = false;
}

void drg_jw_str(struct drg_jw *w, struct drg_str s)
{
	drg_jw_sep(w);
	drg_json_string(w->b, s);
}

void drg_jw_escaped(struct drg_jw *w, struct drg_str escaped)
{
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	drg_buf_str(w->b, escaped);
	drg_buf_char(w->b, '"');
}

void drg_jw_i64(struct drg_jw *w, int64_t v)
{
	drg_jw_sep(w);
	drg_buf_i64(w->b, v);
}

void drg_jw_real(struct drg_jw *w, double d)
{
	drg_jw_sep(w);
	drg_json_real(w->b, d);
}

void drg_jw_bool(struct drg_jw *w, bool v)
{
	drg_jw_raw(w, v ? DRG_STR("true") : DRG_STR("false"));
}

void drg_jw_null(struct drg_jw *w)
{
	drg_jw_raw(w, DRG_STR("null"));
}

void drg_jw_raw(struct drg_jw *w, struct drg_str json)
{
	drg_jw_sep(w);
	drg_buf_str(w->b, json);
}

void drg_jw_member_object(struct drg_jw *w, const char *name)
{
	drg_jw_key(w, name);
	drg_jw_object(w);
}

void drg_jw_member_array(struct drg_jw *w, const char *name)
{
	drg_jw_key(w, name);
	drg_jw_array(w);
}

void drg_jw_member_str(struct drg_jw *w, const char *name, struct drg_str s)
{
	drg_jw_key(w, name);
	drg_jw_str(w, s);
}

void drg_jw_member_escaped(struct drg_jw *w, const char *name, struct drg_str escaped)
{
	drg_jw_key(w, name);
	drg_jw_escaped(w, escaped);
}

void drg_jw_member_i64(struct drg_jw *w, const char *name, int64_t v)
{
	drg_jw_key(w, name);
	drg_jw_i64(w, v);
}

void drg_jw_member_u64(struct drg_jw *w, const char *name, uint64_t v)
{
	drg_jw_key(w, name);
	drg_jw_i64(w, (int64_t)v);
}

void drg_jw_member_i64_str(struct drg_jw *w, const char *name, int64_t v)
{
	char text[DRG_I64_TEXT];
	drg_jw_key(w, name);
	drg_jw_escaped(w, drg_str(text, drg_i64_text(v, text)));
}

void drg_jw_member_real(struct drg_jw *w, const char *name, double d)
{
	drg_jw_key(w, name);
	drg_jw_real(w, d);
}

void drg_jw_member_bool(struct drg_jw *w, const char *name, bool v)
{
	drg_jw_key(w, name);
	drg_jw_bool(w, v);
}

void drg_jw_member_null(struct drg_jw *w, const char *name)
{
	drg_jw_key(w, name);
	drg_jw_null(w);
}

void drg_jw_member_raw(struct drg_jw *w, const char *name, struct drg_str json)
{
	drg_jw_key(w, name);
	drg_jw_raw(w, json);
}

void drg_jw_member_str_or_null(struct drg_jw *w, const char *name, struct drg_str s)
{
	drg_jw_key(w, name);
	if (s.n > 0)
		drg_jw_str(w, s);
	else
		drg_jw_null(w);
}

void drg_jw_member_i64_or_null(struct drg_jw *w, const char *name, bool is_known, int64_t v)
{
	drg_jw_key(w, name);
	if (is_known)
		drg_jw_i64(w, v);
	else
		drg_jw_null(w);
}
