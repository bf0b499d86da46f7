#include "model/value.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/lang.h"
#include "text/stamp.h"
#include "text/utf8.h"

typedef int value_reader(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                         union drg_value *ret, struct drg_err *reterr);

/* ---- messages ------------------------------------------------------------------------------------------ */

static void expect_integer(const struct drg_field_def *f, struct drg_buf *b)
{
	if (f->min <= -0x1p63)
		drg_buf_lit(b, "an integer");
	else
		drg_buf_printf(b, "an integer from %.0f to %.0f", f->min, f->max);
}

static void expect_words(const struct drg_field_def *f, struct drg_buf *b)
{
	const char *before = "one of ";
	for (const char *const *word = f->words; *word != NULL; word++) {
		if (**word == '\0')
			continue;
		drg_buf_printf(b, "%s%s", before, *word);
		before = ", ";
	}
}

static void expect_text(const struct drg_field_def *f, struct drg_buf *b)
{
	if (f->min == f->max)
		drg_buf_printf(b, "a text of %.0f characters", f->max);
	else
		drg_buf_printf(b, "a text of %.0f to %.0f characters", f->min, f->max);
}

static void value_expect(const struct drg_field_def *f, struct drg_buf *b)
{
	switch (f->vtype) {
	case DRG_V_INT: expect_integer(f, b); break;
	case DRG_V_ENUM: expect_words(f, b); break;
	case DRG_V_BOOL: drg_buf_lit(b, "true or false"); break;
	case DRG_V_REAL: drg_buf_printf(b, "a number from %g to %g", f->min, f->max); break;
	case DRG_V_SRCID:
		expect_text(f, b);
		drg_buf_lit(b, ", or an integer");
		break;
	case DRG_V_TEXT: expect_text(f, b); break;
	case DRG_V_NAMES:
		expect_text(f, b);
		drg_buf_lit(b, ", or an object of such texts by language");
		break;
	case DRG_V_LANG: drg_buf_lit(b, "a language tag such as uk or pt-br"); break;
	case DRG_V_UPPER: drg_buf_printf(b, "%.0f letters or digits", f->max); break;
	case DRG_V_TIME: drg_buf_lit(b, "a time of the day as HH:MM:SS"); break;
	case DRG_V_STAMP: drg_buf_lit(b, "a time such as 2026-11-20T22:30:00Z"); break;
	case DRG_V_JSON: drg_buf_lit(b, "an array"); break;
	case DRG_V_RAW: drg_buf_lit(b, "an object"); break;
	}
	if ((f->flags & DRG_FF_REQUIRED) != 0 && (f->flags & DRG_FF_NULL) != 0)
		drg_buf_lit(b, ", or null where there is none");
}

int drg_value_fail(struct drg_err *reterr, const struct drg_field_def *f, const struct drg_reason *reason,
                   const char *found)
{
	struct drg_buf b;
	drg_buf_init(&b, 512);
	value_expect(f, &b);
	int rc = drg_fail(reterr, DRG_EINVAL, reason, f->wire, "expected %.*s, found %s", (int)b.n, b.p,
	                  found);
	drg_buf_done(&b);
	return rc;
}

int drg_value_fail_member(struct drg_err *reterr, struct drg_str name, const char *where, const char *names)
{
	enum { SHOWN_BYTES = 64 };
	struct drg_buf b;
	drg_buf_init(&b, 512);
	drg_json_escape(&b, drg_str(name.p, name.n < SHOWN_BYTES ? name.n : SHOWN_BYTES));
	drg_buf_char(&b, '\0');
	int rc = drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_field), b.p,
	                  "expected a member of %s (%s), found an unknown one", where, names);
	drg_buf_done(&b);
	return rc;
}

static int fail_with_value(struct drg_err *reterr, const struct drg_field_def *f,
                           const struct drg_reason *reason, const struct drg_json_item *v)
{
	char found[512];
	return drg_value_fail(reterr, f, reason, drg_json_item_describe(v, found, sizeof found));
}

/* ---- numbers and words --------------------------------------------------------------------------------- */

static int value_read_int(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                          union drg_value *ret, struct drg_err *reterr)
{
	(void)a;
	if ((double)v->i < f->min || (double)v->i > f->max)
		return fail_with_value(reterr, f, DRG_R(out_of_range), v);
	ret->i = v->i;
	return DRG_OK;
}

static int read_real(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                     union drg_value *ret, struct drg_err *reterr)
{
	(void)a;
	double d = v->type == DRG_JSON_REAL ? v->d : (double)v->i;
	if (d < f->min || d > f->max)
		return fail_with_value(reterr, f, DRG_R(out_of_range), v);
	ret->d = d + 0.0; /* 0 for -0: one value, one text */
	return DRG_OK;
}

static int value_read_bool(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                           union drg_value *ret, struct drg_err *reterr)
{
	(void)f;
	(void)a;
	(void)reterr;
	ret->i = v->b;
	return DRG_OK;
}

static int read_enum(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                     union drg_value *ret, struct drg_err *reterr)
{
	(void)a;
	for (int64_t i = 0; f->words[i] != NULL; i++) {
		if (v->s.n > 0 && drg_str_eq(v->s, drg_str_c(f->words[i]))) {
			ret->i = i;
			return DRG_OK;
		}
	}
	return fail_with_value(reterr, f, f->field == DRG_F_KIND ? DRG_R(unknown_kind) : DRG_R(unknown_value),
	                       v);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static int value_keep(struct drg_arena *a, struct drg_str s, union drg_value *ret, struct drg_err *reterr)
{
	struct drg_str copy = drg_arena_str(a, s);
	if (copy.p == NULL)
		return drg_fail_memory(reterr);
	ret->s = copy;
	return DRG_OK;
}

static int fail_length(struct drg_err *reterr, const struct drg_field_def *f, size_t count)
{
	char found[40];
	snprintf(found, sizeof found, "%zu characters", count);
	return drg_value_fail(reterr, f, (double)count > f->max ? DRG_R(too_long) : DRG_R(too_short), found);
}

/* Decision M11. */
static int value_check_text(const struct drg_field_def *f, struct drg_str s, struct drg_err *reterr)
{
	const struct drg_utf8_look look = drg_utf8_look(s);
	if (!look.valid)
		return drg_value_fail(reterr, f, DRG_R(invalid_text), "a text that is not UTF-8");
	if (look.blank && (s.n > 0 || f->min > 0))
		return drg_value_fail(reterr, f, DRG_R(empty_text),
		                      s.n == 0 ? "an empty text" : "only white space");
	if (look.control)
		return drg_value_fail(reterr, f, DRG_R(control_character), "a control character");
	if ((double)look.count < f->min || (double)look.count > f->max)
		return fail_length(reterr, f, look.count);
	return DRG_OK;
}

static int value_read_text(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                           union drg_value *ret, struct drg_err *reterr)
{
	(void)a;
	int rc = value_check_text(f, v->s, reterr);
	if (rc == DRG_OK)
		ret->s = v->s;
	return rc;
}

static int read_source_id(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                          union drg_value *ret, struct drg_err *reterr)
{
	if (v->type == DRG_JSON_STRING)
		return value_read_text(f, v, a, ret, reterr);
	char text[DRG_I64_TEXT];
	return value_keep(a, drg_str(text, drg_i64_text(v->i, text)), ret, reterr);
}

static int read_upper(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                      union drg_value *ret, struct drg_err *reterr)
{
	char upper[16];
	if (v->s.n != (size_t)f->max || v->s.n > sizeof upper)
		return fail_with_value(reterr, f, DRG_R(invalid_format), v);
	for (size_t i = 0; i < v->s.n; i++) {
		char c = v->s.p[i];
		if (c >= 'a' && c <= 'z')
			c = (char)(c - ('a' - 'A'));
		if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9'))
			return fail_with_value(reterr, f, DRG_R(invalid_format), v);
		upper[i] = c;
	}
	return value_keep(a, drg_str(upper, v->s.n), ret, reterr);
}

static int value_read_lang(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                           union drg_value *ret, struct drg_err *reterr)
{
	char tag[DRG_LANG_MAX + 1];
	if (!drg_lang_valid(v->s))
		return fail_with_value(reterr, f, DRG_R(invalid_format), v);
	return value_keep(a, drg_lang_normal(v->s, tag), ret, reterr);
}

static int read_time(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                     union drg_value *ret, struct drg_err *reterr)
{
	(void)a;
	if (!drg_time_valid(v->s))
		return fail_with_value(reterr, f, DRG_R(invalid_format), v);
	ret->s = v->s;
	return DRG_OK;
}

static int read_stamp(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                      union drg_value *ret, struct drg_err *reterr)
{
	char text[DRG_STAMP_TEXT];
	int64_t us;
	if (!drg_stamp_parse(v->s, &us))
		return fail_with_value(reterr, f, DRG_R(invalid_format), v);
	return value_keep(a, drg_str(text, drg_stamp_text(us, text)), ret, reterr);
}

/* ---- names by language --------------------------------------------------------------------------------- */

struct name {
	struct drg_str lang, text;
};

static int by_lang(const void *a, const void *b)
{
	return drg_str_cmp(((const struct name *)a)->lang, ((const struct name *)b)->lang);
}

/* Sort by tag. @return false: a tag is repeated. */
static bool sort_names(struct name *names, size_t n)
{
	enum { FEW = 16 }; /* below this, qsort() would cost more than the rest of the record */
	bool differ = true;
	if (n > FEW)
		qsort(names, n, sizeof *names, by_lang);
	for (size_t i = 1; i < n; i++) {
		const struct name one = names[i];
		size_t to = i;
		int order = 0;
		while (to > 0 && (order = by_lang(&one, &names[to - 1])) < 0) {
			names[to] = names[to - 1];
			to--;
		}
		names[to] = one;
		differ = differ && (to == 0 || order > 0);
	}
	return differ;
}

static int fail_with_lang(struct drg_err *reterr, const struct drg_field_def *f, struct drg_str lang)
{
	char found[512];
	const struct drg_json_item v = { .type = DRG_JSON_STRING, .s = lang };
	return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_format), f->wire,
	                "expected language tags such as uk or pt-br as member names, found %s",
	                drg_json_item_describe(&v, found, sizeof found));
}

/* Let the message name the member: "name.uk". */
static int fail_in_name(struct drg_err *err, struct drg_str lang, int rc)
{
	if (err == NULL)
		return rc;
	char path[sizeof err->field + DRG_LANG_MAX + 1];
	snprintf(path, sizeof path, "%s.%.*s", err->field, DRG_STR_ARG(lang));
	return drg_fail(err, rc, drg_reason_find(err->reason), path, "%s", err->message);
}

static int read_name(const struct drg_field_def *f, struct drg_str lang, const struct drg_json_item *v,
                     struct drg_arena *a, struct name *ret, struct drg_err *reterr)
{
	if (!drg_lang_valid(lang))
		return fail_with_lang(reterr, f, lang);
	struct drg_field_def text = *f;
	text.vtype = DRG_V_TEXT;
	int rc = v->type == DRG_JSON_STRING ? value_check_text(&text, v->s, reterr)
	                                    : fail_with_value(reterr, &text, DRG_R(wrong_type), v);
	if (rc != DRG_OK)
		return fail_in_name(reterr, lang, rc);
	char *tag = drg_arena_alloc(a, DRG_LANG_MAX + 1);
	if (tag == NULL)
		return drg_fail_memory(reterr);
	ret->lang = drg_lang_normal(lang, tag);
	ret->text = v->s;
	return DRG_OK;
}

static int keep_names(const struct name *names, size_t n, struct drg_arena *a, union drg_value *ret,
                      struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	for (size_t i = 0; i < n; i++) {
		drg_jw_key_escaped(&w, names[i].lang);
		drg_jw_str(&w, names[i].text);
	}
	drg_jw_object_end(&w);
	int rc = b.rc == DRG_OK ? value_keep(a, drg_buf_view(&b), ret, reterr) : drg_fail_memory(reterr);
	drg_buf_done(&b);
	return rc;
}

static int value_read_members(const struct drg_field_def *f, const struct drg_json_item *v,
                              struct drg_arena *a, struct name *ret, size_t *ret_n, struct drg_err *reterr)
{
	struct drg_json_walk w;
	struct drg_str lang;
	struct drg_json_item text;
	size_t n = 0;
	int rc;
	drg_json_walk_init(&w, v, a);
	while ((rc = drg_json_walk_next(&w, &lang, &text)) == DRG_OK) {
		if (n == DRG_NAMES_MAX)
			return drg_value_fail(reterr, f, DRG_R(too_long), "more languages than there are");
		rc = read_name(f, lang, &text, a, &ret[n++], reterr);
		if (rc != DRG_OK)
			return rc;
	}
	*ret_n = n;
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(reterr);
}

static int value_read_names(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *a,
                            union drg_value *ret, struct drg_err *reterr)
{
	struct name names[DRG_NAMES_MAX];
	size_t n = 1;
	names[0] = (struct name){ DRG_STR("en"), v->s };
	int rc = v->type == DRG_JSON_STRING ? value_check_text(f, v->s, reterr)
	                                    : value_read_members(f, v, a, names, &n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (n == 0)
		return drg_value_fail(reterr, f, DRG_R(empty_text), "an empty object");
	if (!sort_names(names, n))
		return drg_value_fail(reterr, f, DRG_R(duplicate_member), "one language twice");
	return keep_names(names, n, a, ret, reterr);
}

/* ---- by type ------------------------------------------------------------------------------------------- */

#define BOOL (1U << DRG_JSON_BOOL)
#define INT (1U << DRG_JSON_INT)
#define REAL (1U << DRG_JSON_REAL)
#define STRING (1U << DRG_JSON_STRING)
#define OBJECT (1U << DRG_JSON_OBJECT)

static const struct {
	unsigned accepts; /* bit per enum drg_json_type */
	value_reader *read;
} readers[] = {
	[DRG_V_INT] = { INT, value_read_int },
	[DRG_V_ENUM] = { STRING, read_enum },
	[DRG_V_BOOL] = { BOOL, value_read_bool },
	[DRG_V_REAL] = { REAL | INT, read_real },
	[DRG_V_SRCID] = { STRING | INT, read_source_id },
	[DRG_V_TEXT] = { STRING, value_read_text },
	[DRG_V_NAMES] = { STRING | OBJECT, value_read_names },
	[DRG_V_LANG] = { STRING, value_read_lang },
	[DRG_V_UPPER] = { STRING, read_upper },
	[DRG_V_TIME] = { STRING, read_time },
	[DRG_V_STAMP] = { STRING, read_stamp },
};

int drg_value_read(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *arena,
                   union drg_value *ret, struct drg_err *reterr)
{
	assert(f->vtype < DRG_ARRAY_LEN(readers) && v->type != DRG_JSON_NULL);
	if (v->type == DRG_JSON_BIG_INT && (readers[f->vtype].accepts & INT) != 0)
		return fail_with_value(reterr, f, DRG_R(out_of_range), v);
	if ((readers[f->vtype].accepts >> v->type & 1) == 0)
		return fail_with_value(reterr, f, DRG_R(wrong_type), v);
	return readers[f->vtype].read(f, v, arena, ret, reterr);
}

void drg_value_write(struct drg_jw *w, const struct drg_field_def *f, union drg_value v)
{
	switch (f->vtype) {
	case DRG_V_INT: drg_jw_i64(w, v.i); break;
	case DRG_V_ENUM: drg_jw_escaped(w, drg_str_c(f->words[v.i])); break;
	case DRG_V_BOOL: drg_jw_bool(w, v.i != 0); break;
	case DRG_V_REAL: drg_jw_real(w, v.d); break;
	case DRG_V_SRCID:
	case DRG_V_TEXT:
	case DRG_V_LANG:
	case DRG_V_UPPER:
	case DRG_V_TIME:
	case DRG_V_STAMP: drg_jw_str(w, v.s); break;
	case DRG_V_NAMES:
	case DRG_V_JSON:
	case DRG_V_RAW: drg_jw_raw(w, v.s); break;
	}
}

/* ---- stored values ------------------------------------------------------------------------------------- */

static int fail_with_kept(struct drg_err *reterr, const struct drg_field_def *f,
                          const struct drg_reason *reason, struct drg_str s)
{
	return fail_with_value(reterr, f, reason, &(struct drg_json_item){ .type = DRG_JSON_STRING, .s = s });
}

static int fail_with_form(struct drg_err *reterr, const struct drg_field_def *f)
{
	return drg_value_fail(reterr, f, DRG_R(invalid_format), "it in another form than the canonical one");
}

/* Check that the escapes of a text are those that the writer makes. */
static int kept_check_escaped(const struct drg_field_def *f, struct drg_str escaped, struct drg_err *reterr)
{
	struct drg_buf text, again;
	drg_buf_init(&text, SIZE_MAX);
	drg_buf_init(&again, SIZE_MAX);
	drg_json_unescape(&text, escaped);
	drg_json_escape(&again, drg_buf_view(&text));
	int rc = text.rc == DRG_OK && again.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
	if (rc == DRG_OK && !drg_str_eq(drg_buf_view(&again), escaped))
		rc = fail_with_form(reterr, f);
	if (rc == DRG_OK)
		rc = value_check_text(f, drg_buf_view(&text), reterr);
	drg_buf_done(&text);
	drg_buf_done(&again);
	return rc;
}

static bool lang_is_kept(struct drg_str lang)
{
	char tag[DRG_LANG_MAX + 1];
	return drg_lang_valid(lang) && drg_str_eq(lang, drg_lang_normal(lang, tag));
}

bool drg_kept_take(struct drg_str *rest, struct drg_str text)
{
	if (rest->n < text.n || memcmp(rest->p, text.p, text.n) != 0)
		return false;
	*rest = drg_str(rest->p + text.n, rest->n - text.n);
	return true;
}

/* Take a string with its quotes. @param ret  The text between the quotes, still escaped. @return false:
 * there is none. */
static bool kept_take_string(struct drg_str *rest, struct drg_str *ret)
{
	const char *end = rest->n > 1 && rest->p[0] == '"' ? memchr(rest->p + 1, '"', rest->n - 1) : NULL;
	while (end != NULL && end[-1] == '\\') { /* the quote can be escaped */
		const char *p = rest->p + 1;
		while (p < end)
			p += *p == '\\' ? 2 : 1;
		if (p == end)
			break;
		end = memchr(end + 1, '"', (size_t)(rest->p + rest->n - end) - 1);
	}
	if (end == NULL)
		return false;
	*ret = drg_str(rest->p + 1, (size_t)(end - rest->p) - 1);
	*rest = drg_str(end + 1, rest->n - ret->n - 2);
	return true;
}

static int kept_check_string(const struct drg_field_def *f, struct drg_str text, struct drg_err *reterr)
{
	return (memchr(text.p, '\\', text.n) != NULL ? kept_check_escaped : value_check_text)(f, text,
	                                                                                      reterr);
}

static bool kept_take_char(struct drg_str *rest, char c)
{
	if (rest->n == 0 || rest->p[0] != c)
		return false;
	rest->p++;
	rest->n--;
	return true;
}

/* Take a tag with its quotes; most have two letters. */
static bool kept_take_lang(struct drg_str *rest, struct drg_str *ret)
{
	const char *p = rest->p;
	if (rest->n < 4 || p[0] != '"' || p[3] != '"' || p[1] < 'a' || p[1] > 'z' || p[2] < 'a' || p[2] > 'z')
		return kept_take_string(rest, ret) && lang_is_kept(*ret);
	*ret = drg_str(p + 1, 2);
	*rest = drg_str(p + 4, rest->n - 4);
	return true;
}

/* {"en":"Old Town","uk":"..."}: tags ascending and unique, no spaces. */
static int kept_take_names(const struct drg_field_def *f, struct drg_str *rest, struct drg_err *reterr)
{
	struct drg_str lang, text, last = { 0 };
	char next = '{';
	for (unsigned n = 0; kept_take_char(rest, next); n++) {
		if (!kept_take_lang(rest, &lang) || (n > 0 && drg_str_cmp(last, lang) >= 0) ||
		    n == DRG_NAMES_MAX || !kept_take_char(rest, ':') || !kept_take_string(rest, &text))
			return fail_with_form(reterr, f);
		int rc = kept_check_string(f, text, reterr);
		if (rc != DRG_OK)
			return fail_in_name(reterr, lang, rc);
		last = lang;
		next = ',';
	}
	return last.n > 0 && kept_take_char(rest, '}') ? DRG_OK : fail_with_form(reterr, f);
}

static int kept_check_names(const struct drg_field_def *f, struct drg_str names, struct drg_err *reterr)
{
	int rc = kept_take_names(f, &names, reterr);
	return rc == DRG_OK && names.n > 0 ? fail_with_form(reterr, f) : rc;
}

static bool kept_take_int(struct drg_str *rest, int64_t *ret)
{
	size_t n = 0;
	while (n < rest->n && ((rest->p[n] >= '0' && rest->p[n] <= '9') || rest->p[n] == '-'))
		n++;
	const struct drg_str digits = drg_str(rest->p, n);
	*rest = drg_str(rest->p + n, rest->n - n);
	return drg_str_is_canonical_i64(digits, ret);
}

int drg_value_take(const struct drg_field_def *f, struct drg_str *rest, struct drg_err *reterr)
{
	const bool may_be_null = (f->flags & (DRG_FF_REQUIRED | DRG_FF_DEFAULT)) == 0;
	struct drg_str text;
	union drg_value v;
	bool ok = may_be_null && drg_kept_take(rest, DRG_STR("null"));
	if (ok)
		return DRG_OK;
	switch (f->vtype) {
	case DRG_V_NAMES: return kept_take_names(f, rest, reterr);
	case DRG_V_TEXT:
		ok = kept_take_string(rest, &text);
		return ok ? kept_check_string(f, text, reterr) : fail_with_form(reterr, f);
	case DRG_V_BOOL:
		ok = drg_kept_take(rest, DRG_STR("true")) || drg_kept_take(rest, DRG_STR("false"));
		return ok ? DRG_OK : fail_with_form(reterr, f);
	default:
		assert(f->vtype == DRG_V_INT);
		ok = kept_take_int(rest, &v.i);
		return ok ? drg_value_check(f, v, reterr) : fail_with_form(reterr, f);
	}
}

static int kept_check_upper(const struct drg_field_def *f, struct drg_str s, struct drg_err *reterr)
{
	bool ok = (double)s.n == f->max;
	for (size_t i = 0; i < s.n && ok; i++)
		ok = (s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= '0' && s.p[i] <= '9');
	return ok ? DRG_OK : fail_with_kept(reterr, f, DRG_R(invalid_format), s);
}

static int kept_check_stamp(const struct drg_field_def *f, struct drg_str s, struct drg_err *reterr)
{
	char text[DRG_STAMP_TEXT];
	int64_t us;
	if (!drg_stamp_parse(s, &us))
		return fail_with_kept(reterr, f, DRG_R(invalid_format), s);
	return drg_str_eq(s, drg_str(text, drg_stamp_text(us, text))) ? DRG_OK : fail_with_form(reterr, f);
}

static int fail_with_number(struct drg_err *reterr, const struct drg_field_def *f, union drg_value v)
{
	struct drg_json_item item = { .type = DRG_JSON_INT, .i = v.i };
	if (f->vtype == DRG_V_REAL)
		item = (struct drg_json_item){ .type = DRG_JSON_REAL, .d = v.d };
	return fail_with_value(reterr, f, DRG_R(out_of_range), &item);
}

static bool number_is_kept(const struct drg_field_def *f, union drg_value v)
{
	switch (f->vtype) {
	case DRG_V_ENUM: return drg_word_exists(f, v.i);
	case DRG_V_BOOL: return v.i == 0 || v.i == 1;
	case DRG_V_REAL: return v.d >= f->min && v.d <= f->max && !(v.d == 0 && signbit(v.d));
	default: return (double)v.i >= f->min && (double)v.i <= f->max;
	}
}

int drg_value_check(const struct drg_field_def *f, union drg_value v, struct drg_err *reterr)
{
	bool ok = true;
	switch (f->vtype) {
	case DRG_V_INT:
	case DRG_V_ENUM:
	case DRG_V_BOOL:
	case DRG_V_REAL: return number_is_kept(f, v) ? DRG_OK : fail_with_number(reterr, f, v);
	case DRG_V_SRCID:
	case DRG_V_TEXT: return value_check_text(f, v.s, reterr);
	case DRG_V_NAMES: return kept_check_names(f, v.s, reterr);
	case DRG_V_UPPER: return kept_check_upper(f, v.s, reterr);
	case DRG_V_STAMP: return kept_check_stamp(f, v.s, reterr);
	case DRG_V_LANG: ok = lang_is_kept(v.s); break;
	case DRG_V_TIME: ok = drg_time_valid(v.s); break;
	case DRG_V_JSON:
	case DRG_V_RAW: break; /* the caller checks it, see value.h */
	}
	return ok ? DRG_OK : fail_with_kept(reterr, f, DRG_R(invalid_format), v.s);
}

int drg_field_check_text(enum drg_type_id type, enum drg_field field, struct drg_str text,
                         struct drg_err *reterr)
{
	const struct drg_field_def *f = drg_field_of(&drg_types[type], field);
	struct drg_err e;
	assert(f->vtype == DRG_V_TEXT || f->vtype == DRG_V_SRCID);
	int rc = value_check_text(f, text, &e);
	return rc == DRG_OK ? rc
	                    : drg_fail(reterr, rc, drg_reason_find(e.reason), f->wire, "%s: %s", f->wire,
	                               e.message);
}
