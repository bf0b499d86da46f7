#include "text/json_scan.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "text/json.h"
#include "text/json_priv.h"

/* ---- walking ------------------------------------------------------------------------------------------- */

/* The text is checked, so every construct is known to be complete. */

static const char *skip_space(const char *p)
{
	while (drg_json_is_space(*p))
		p++;
	return p;
}

/* From the opening quote to behind the closing one. */
static const char *skip_string(const char *p, const char *end, bool *ret_escapes)
{
	while (*(p = drg_json_skip_plain(p + 1, end)) != '"') {
		*ret_escapes = true;
		p++;
	}
	return p + 1;
}

static const char *skip_container(const char *p, const char *end)
{
	unsigned depth = 0;
	bool escapes;
	do {
		if (*p == '"') {
			p = skip_string(p, end, &escapes);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	} while (depth > 0);
	return p;
}

static const char *decode_escape(const char *p, uint8_t *out, size_t *n)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	if (p[1] != 'u') {
		out[(*n)++] = (uint8_t)values[strchr(letters, p[1]) - letters];
		return p + 2;
	}
	uint32_t c = drg_json_hex4(p + 2);
	p += 6;
	if (U16_IS_SURROGATE(c)) {
		c = (uint32_t)U16_GET_SUPPLEMENTARY(c, drg_json_hex4(p + 2));
		p += 6;
	}
	U8_APPEND_UNSAFE(out, *n, c);
	return p;
}

size_t drg_json_decode(struct drg_str s, char *out)
{
	size_t n = 0;
	for (const char *p = s.p; p < s.p + s.n;) {
		if (*p == '\\')
			p = decode_escape(p, (uint8_t *)out, &n);
		else
			out[n++] = *p++;
	}
	return n;
}

/* @p s is what stands between the quotes; decoded it is never longer. */
static int decode(struct drg_str s, struct drg_arena *a, struct drg_str *ret)
{
	char *out = drg_arena_alloc(a, s.n);
	if (out == NULL)
		return DRG_ENOMEM;
	*ret = drg_str(out, drg_json_decode(s, out));
	return DRG_OK;
}

static int read_string(const char **p, const char *end, struct drg_arena *a, struct drg_str *ret)
{
	bool escapes = false;
	const char *start = *p + 1;
	*p = skip_string(*p, end, &escapes);
	struct drg_str s = drg_str(start, (size_t)(*p - 1 - start));
	if (escapes)
		return decode(s, a, ret);
	*ret = s;
	return DRG_OK;
}

static bool in_number(char c)
{
	return drg_json_is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* @p end bounds a number that ends the text; elsewhere something that is not a number follows. */
static void read_number(const char **p, const char *end, struct drg_json_item *ret)
{
	const char *start = *p;
	bool real = false;
	for (; *p < end && in_number(**p); (*p)++)
		real |= **p == '.' || (**p | 0x20) == 'e';
	struct drg_str s = drg_str(start, (size_t)(*p - start));
	ret->type = real ? DRG_JSON_REAL : DRG_JSON_INT;
	if (real) {
		ret->d = drg_json_real_of(s);
	} else if (!drg_str_to_i64(s, &ret->i)) {
		ret->type = DRG_JSON_BIG_INT;
		ret->s = s;
	}
}

static struct drg_json_item container(const char *start, const char *end)
{
	return (struct drg_json_item){ .type = *start == '{' ? DRG_JSON_OBJECT : DRG_JSON_ARRAY,
		                       .s = drg_str(start, (size_t)(end - start)) };
}

static int json_scan_read_value(const char **p, const char *end, struct drg_arena *a,
                                struct drg_json_item *ret)
{
	const char *start = *p;
	switch (*start) {
	case '"': ret->type = DRG_JSON_STRING; return read_string(p, end, a, &ret->s);
	case '{':
	case '[':
		*p = skip_container(start, end);
		*ret = container(start, *p);
		break;
	case 't':
	case 'f':
		ret->type = DRG_JSON_BOOL;
		ret->b = *start == 't';
		*p += ret->b ? 4 : 5;
		break;
	case 'n':
		ret->type = DRG_JSON_NULL;
		*p += 4;
		break;
	default: read_number(p, end, ret);
	}
	return DRG_OK;
}

/* @p value is checked, without the space around it. */
static int read_checked(struct drg_str value, struct drg_arena *arena, struct drg_json_item *ret,
                        struct drg_err *reterr)
{
	const char *p = value.p;
	struct drg_json_item v;
	if (*p == '{' || *p == '[')
		v = container(p, value.p + value.n); /* its end is known; no need to look for it */
	else if (json_scan_read_value(&p, value.p + value.n, arena, &v) != DRG_OK)
		return drg_fail_memory(reterr);
	*ret = v;
	return DRG_OK;
}

int drg_json_scan(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                  struct drg_err *reterr)
{
	struct drg_str value;
	struct drg_json_fault fault;
	if (drg_json_check(text, DRG_JSON_LINE, &value, &fault) != DRG_OK)
		return drg_fail(reterr, DRG_EINVAL, fault.reason, NULL, "column %zu: %s", fault.column,
		                fault.problem);
	return read_checked(value, arena, ret, reterr);
}

static int scan_lines(struct drg_str text, enum drg_json_use use, struct drg_arena *arena,
                      struct drg_json_item *ret, struct drg_err *reterr)
{
	struct drg_str value;
	struct drg_json_fault fault;
	int rc = drg_json_check(text, use, &value, &fault);
	if (rc == DRG_EINVAL)
		return drg_fail(reterr, rc, fault.reason, NULL, "line %zu, column %zu: %s", fault.line,
		                fault.column, fault.problem);
	if (rc != DRG_OK)
		return drg_fail_memory(reterr);
	return read_checked(value, arena, ret, reterr);
}

int drg_json_scan_document(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                           struct drg_err *reterr)
{
	return scan_lines(text, DRG_JSON_DOCUMENT, arena, ret, reterr);
}

int drg_json_scan_small_numbers(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                                struct drg_err *reterr)
{
	return scan_lines(text, DRG_JSON_TREE, arena, ret, reterr);
}

void drg_json_walk_init(struct drg_json_walk *w, const struct drg_json_item *container,
                        struct drg_arena *arena)
{
	assert(container->type == DRG_JSON_OBJECT || container->type == DRG_JSON_ARRAY);
	*w = (struct drg_json_walk){ .p = container->s.p + 1,
		                     .end = container->s.p + container->s.n,
		                     .arena = arena,
		                     .object = container->type == DRG_JSON_OBJECT };
}

int drg_json_walk_next(struct drg_json_walk *w, struct drg_str *ret_name, struct drg_json_item *ret)
{
	const char *p = skip_space(w->p);
	if (*p == ',')
		p = skip_space(p + 1);
	if (*p == '}' || *p == ']')
		return DRG_ENOENT;
	if (w->object) {
		if (read_string(&p, w->end, w->arena, ret_name) != DRG_OK)
			return DRG_ENOMEM;
		p = skip_space(skip_space(p) + 1); /* over the colon */
	}
	w->raw.p = p;
	int rc = json_scan_read_value(&p, w->end, w->arena, ret);
	w->raw.n = (size_t)(p - w->raw.p);
	w->p = p;
	return rc;
}

int drg_json_find_members(const struct drg_json_item *v, struct drg_arena *arena, const char *const names[],
                          size_t n, struct drg_json_item ret[])
{
	struct drg_json_walk w;
	struct drg_json_item member;
	struct drg_str name;
	int rc = DRG_ENOENT;
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct drg_json_item){ .type = DRG_JSON_NULL };
	if (v->type != DRG_JSON_OBJECT)
		return DRG_OK;
	drg_json_walk_init(&w, v, arena);
	while ((rc = drg_json_walk_next(&w, &name, &member)) == DRG_OK)
		for (size_t i = 0; i < n; i++)
			if (drg_str_eq(name, drg_str_c(names[i])))
				ret[i] = member;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_json_items(const struct drg_json_item *v, struct drg_arena *arena, const struct drg_json_item **ret,
                   size_t *ret_n)
{
	struct drg_json_walk w;
	struct drg_json_item *items, item;
	size_t n = 0, i = 0;
	int rc;
	*ret = v;
	*ret_n = v->type != DRG_JSON_NULL;
	if (v->type != DRG_JSON_ARRAY)
		return DRG_OK;
	drg_json_walk_init(&w, v, arena);
	while ((rc = drg_json_walk_next(&w, NULL, &item)) == DRG_OK)
		n++;
	items = rc == DRG_ENOENT ? drg_arena_calloc(arena, n, sizeof *items) : NULL;
	if (items == NULL)
		return DRG_ENOMEM;
	drg_json_walk_init(&w, v, arena);
	for (; i < n && (rc = drg_json_walk_next(&w, NULL, &items[i])) == DRG_OK; i++) {
	}
	*ret = items;
	*ret_n = n;
	return i == n ? DRG_OK : rc;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* At most this many bytes of a text are shown. */
enum { DESCRIBE_BYTES = 60 };

static const char *describe_text(struct drg_str s, char *buf, size_t n)
{
	if (s.n == 0) {
		snprintf(buf, n, "an empty text");
		return buf;
	}
	size_t shown = s.n;
	if (shown > DESCRIBE_BYTES)
		for (shown = DESCRIBE_BYTES; shown > 0 && U8_IS_TRAIL((uint8_t)s.p[shown]);)
			shown--;
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	drg_json_escape(&b, drg_str(s.p, shown)); /* a message goes to terminals: no control characters */
	snprintf(buf, n, "the text \"%.*s%s\"", (int)b.n, b.p, shown < s.n ? "..." : "");
	drg_buf_done(&b);
	return buf;
}

static const char *describe_real(double d, char *buf, size_t n)
{
	struct drg_buf b;
	if (!isfinite(d)) {
		snprintf(buf, n, "a number that is too big");
		return buf;
	}
	drg_buf_init(&b, 256);
	drg_json_real(&b, d);
	drg_buf_char(&b, '\0');
	/* 12.0 is written "12", but it is the point that made it an unwelcome number. */
	snprintf(buf, n, "the number %s%s", b.p, strpbrk(b.p, ".e") == NULL ? ".0" : "");
	drg_buf_done(&b);
	return buf;
}

const char *drg_json_item_describe(const struct drg_json_item *v, char *buf, size_t n)
{
	assert(n > 0);
	switch (v->type) {
	case DRG_JSON_STRING: return describe_text(v->s, buf, n);
	case DRG_JSON_REAL: return describe_real(v->d, buf, n);
	case DRG_JSON_INT: snprintf(buf, n, "the number %lld", (long long)v->i); break;
	case DRG_JSON_BIG_INT:
		snprintf(buf, n, "the number %.*s%s, which is beyond 64 bits",
		         (int)(v->s.n < DESCRIBE_BYTES ? v->s.n : DESCRIBE_BYTES), v->s.p,
		         v->s.n > DESCRIBE_BYTES ? "..." : "");
		break;
	case DRG_JSON_BOOL: snprintf(buf, n, v->b ? "true" : "false"); break;
	case DRG_JSON_NULL: snprintf(buf, n, "null"); break;
	case DRG_JSON_OBJECT: snprintf(buf, n, "an object"); break;
	case DRG_JSON_ARRAY: snprintf(buf, n, "an array"); break;
	}
	return buf;
}
