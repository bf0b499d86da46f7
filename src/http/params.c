#include "http/params.h"

#include <assert.h>
#include <inttypes.h>

#include "text/json_scan.h"
#include "text/lang.h"
#include "text/utf8.h"

static const struct drg_param no_params[1];

struct params_reader {
	struct drg_arena *arena;
	struct drg_params p;
	size_t most_pairs; /* size of the array of pairs */
	void (*ignored)(void *ctx, struct drg_str name);
	bool only_known; /* another parameter is an error */
	void *ctx;
	struct drg_err *err;
};

/** Fill the error with "NAME: expected EXPECTED, found the text ...". */
static int fail_text(struct drg_err *reterr, const struct drg_reason *reason, const char *name,
                     const char *expected, struct drg_str text)
{
	char found[160];
	const struct drg_json_item item = { .type = DRG_JSON_STRING, .s = text };
	return drg_fail(reterr, DRG_EINVAL, reason, name, "%s: expected %s, found %s", name, expected,
	                drg_json_item_describe(&item, found, sizeof found));
}

int drg_params_fail_int(struct drg_err *reterr, const char *name, struct drg_str text)
{
	bool digits = text.n > 0;
	for (size_t i = text.n > 1 && text.p[0] == '-'; i < text.n; i++)
		digits = digits && text.p[i] >= '0' && text.p[i] <= '9';
	return fail_text(reterr, DRG_R(bad_integer), name,
	                 digits ? "an integer within 64 bits" : "an integer", text);
}

static int params_read_int(const struct params_reader *r, const struct drg_param *param, struct drg_str text,
                           int64_t *ret)
{
	int64_t i;
	if (!drg_str_to_i64(text, &i))
		return drg_params_fail_int(r->err, param->name, text);
	bool bounded = param->min != 0 || param->max != 0;
	if (bounded && (i < param->min || i > param->max))
		return drg_fail(r->err, DRG_EINVAL, DRG_R(out_of_range), param->name,
		                "%s: expected an integer from %" PRId64 " to %" PRId64 ", found %" PRId64,
		                param->name, param->min, param->max, i);
	*ret = i;
	return DRG_OK;
}

static int params_read_flag(const struct params_reader *r, const struct drg_param *param, struct drg_str text,
                            int64_t *ret)
{
	static const struct {
		const char *word;
		bool on;
	} words[] = {
		{ "", true },   { "1", true },      { "true", true }, { "yes", true },  { "on", true },
		{ "0", false }, { "false", false }, { "no", false },  { "off", false },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++) {
		if (drg_str_eq_nocase(text, drg_str_c(words[i].word))) {
			*ret = words[i].on;
			return DRG_OK;
		}
	}
	return fail_text(r->err, DRG_R(bad_flag), param->name, "1, true, yes, on, 0, false, no or off", text);
}

/* Read a language; a text that is not a language tag is ignored (L1). */
static int params_read_lang(const struct params_reader *r, const struct drg_param *param, struct drg_str text,
                            struct drg_param_value *v)
{
	v->given = drg_lang_valid(text);
	if (!v->given) {
		r->ignored(r->ctx, drg_str_c(param->name));
		return DRG_OK;
	}
	char *buf = drg_arena_alloc(r->arena, DRG_LANG_MAX + 1);
	if (buf == NULL)
		return drg_fail_memory(r->err);
	v->s = drg_lang_normal(text, buf);
	return DRG_OK;
}

static int params_read_text(const struct params_reader *r, const struct drg_param *param, struct drg_str text,
                            struct drg_str *ret)
{
	size_t n = drg_utf8_count(text);
	if (param->max > 0 && n > (size_t)param->max)
		return drg_fail(r->err, DRG_EINVAL, DRG_R(too_long), param->name,
		                "%s: expected at most %" PRId64 " characters, found %zu", param->name,
		                param->max, n);
	if (n < (size_t)param->min)
		return drg_fail(r->err, DRG_EINVAL, DRG_R(too_short), param->name,
		                "%s: expected at least %" PRId64 " characters, found %zu", param->name,
		                param->min, n);
	*ret = text;
	return DRG_OK;
}

static int params_read_value(const struct params_reader *r, const struct drg_param *param,
                             struct drg_str text, struct drg_param_value *v)
{
	int rc = DRG_OK;
	v->given = true;
	switch (param->type) {
	case DRG_P_INT: rc = params_read_int(r, param, text, &v->i); break;
	case DRG_P_FLAG: rc = params_read_flag(r, param, text, &v->i); break;
	case DRG_P_LANG: rc = params_read_lang(r, param, text, v); break;
	case DRG_P_TEXT: rc = params_read_text(r, param, text, &v->s); break;
	}
	if (rc == DRG_OK && param->check != NULL)
		rc = param->check(text, param->name, r->err);
	return rc;
}

bool drg_params_is_repeat(struct drg_str name, struct drg_str param)
{
	if (name.n < param.n || memcmp(name.p, param.p, param.n) != 0)
		return false;
	if (name.n == param.n)
		return true;
	if (name.p[param.n] != '[' || name.p[name.n - 1] != ']')
		return false;
	for (size_t i = param.n + 1; i + 1 < name.n; i++)
		if (name.p[i] < '0' || name.p[i] > '9')
			return false;
	return name.n >= param.n + 2;
}

static bool has_brackets(struct drg_str name, struct drg_str param)
{
	return name.n > param.n && memcmp(name.p, param.p, param.n) == 0 && name.p[param.n] == '[';
}

bool drg_params_check_brackets(struct drg_str name, const char *param, bool list, struct drg_err *reterr)
{
	if (!has_brackets(name, drg_str_c(param)))
		return true;
	const int shown = (int)(name.n < 64 ? name.n : 64);
	if (list)
		(void)drg_fail(reterr, DRG_EINVAL, DRG_R(bad_list), param,
		               "%s: expected %s[]=..., %s[0]=... or %s=1,2, found %.*s", param, param, param,
		               param, shown, name.p);
	else
		(void)drg_fail(reterr, DRG_EINVAL, DRG_R(bad_list), param,
		               "%s: expected %s=... with one value, found %.*s", param, param, shown, name.p);
	return false;
}

static const struct drg_param *find_query_param(const struct drg_params *p, struct drg_str name)
{
	for (const struct drg_param *param = p->table; param->name != NULL; param++) {
		struct drg_str wanted = drg_str_c(param->name);
		if (!param->in_path &&
		    (param->repeated ? drg_params_is_repeat(name, wanted) : drg_str_eq(name, wanted)))
			return param;
	}
	return NULL;
}

static int add_pair(void *ctx, struct drg_str name, struct drg_str value)
{
	struct params_reader *r = ctx;
	assert(r->p.n_pairs < r->most_pairs);
	r->p.pairs[r->p.n_pairs++] = (struct drg_pair){ name, value };
	return DRG_OK;
}

/** Read the query as pairs: there is at most one more than ampersands. */
static int read_pairs(struct params_reader *r, struct drg_str query)
{
	size_t most = 1;
	for (size_t i = 0; i < query.n; i++)
		most += query.p[i] == '&';
	r->most_pairs = most;
	r->p.pairs = drg_arena_calloc(r->arena, most, sizeof *r->p.pairs);
	if (r->p.pairs == NULL)
		return drg_fail_memory(r->err);
	return drg_form_each(query, r->arena, add_pair, r, r->err);
}

static int params_read_query(struct params_reader *r)
{
	for (size_t i = 0; i < r->p.n_pairs; i++) {
		const struct drg_pair *pair = &r->p.pairs[i];
		const struct drg_param *param = find_query_param(&r->p, pair->name);
		for (const struct drg_param *p = r->p.table; param == NULL && p->name != NULL; p++)
			if (!p->in_path &&
			    !drg_params_check_brackets(pair->name, p->name, p->repeated, r->err))
				return DRG_EINVAL;
		if (param == NULL && r->only_known)
			return drg_fail(r->err, DRG_EINVAL, DRG_R(unknown_parameter), NULL,
			                "there is no parameter %.*s here",
			                (int)(pair->name.n < 64 ? pair->name.n : 64), pair->name.p);
		if (param == NULL) {
			r->ignored(r->ctx, pair->name);
			continue;
		}
		struct drg_param_value *v = &r->p.values[param - r->p.table];
		if (v->seen && !param->repeated) {
			if (drg_str_eq(pair->value, v->sent))
				continue;
			return drg_fail(r->err, DRG_EINVAL, DRG_R(repeated_parameter), param->name,
			                "%s is given twice, with different values", param->name);
		}
		v->seen = true;
		v->sent = pair->value;
		/* A flag without a value is on; any other parameter without a value counts as not sent (L2,
		 * L6). */
		bool empty = pair->value.n == 0 && param->type != DRG_P_FLAG;
		int rc = empty ? DRG_OK : params_read_value(r, param, pair->value, v);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

/** Read the segments at the places where the endpoint's path has ":name". */
static int read_path(struct params_reader *r, const char *path, const struct drg_target *t)
{
	struct drg_str rest = drg_str_c(path + 1), segment;
	for (size_t at = 0; drg_str_split(&rest, '/', &segment); at++) {
		if (segment.n == 0 || segment.p[0] != ':')
			continue;
		struct drg_str name = drg_str(segment.p + 1, segment.n - 1);
		for (const struct drg_param *param = r->p.table; param->name != NULL; param++) {
			if (!param->in_path || !drg_str_eq(name, drg_str_c(param->name)))
				continue;
			assert(at < DRG_TARGET_SEGMENTS);
			int rc = params_read_value(r, param, t->segments[at],
			                           &r->p.values[param - r->p.table]);
			if (rc != DRG_OK)
				return rc;
		}
	}
	return DRG_OK;
}

/** Say what is missing and where it belongs, and name a parameter that differs only in the case of
 * letters. */
static int fail_missing(const struct params_reader *r, const struct drg_param *param)
{
	static const char *const types[] = { [DRG_P_INT] = "an integer",
		                             [DRG_P_FLAG] = "true or false",
		                             [DRG_P_LANG] = "a language tag",
		                             [DRG_P_TEXT] = "a text" };
	const char *type = param->repeated ? "one or several, with commas between them," : types[param->type];
	for (size_t i = 0; i < r->p.n_pairs; i++)
		if (r->p.pairs[i].name.n > 0 && !drg_str_eq(r->p.pairs[i].name, drg_str_c(param->name)) &&
		    drg_str_eq_nocase(r->p.pairs[i].name, drg_str_c(param->name)))
			return drg_fail(
			        r->err, DRG_EINVAL, DRG_R(missing_field), param->name,
			        "%s is required: %s in the query; found %.*s, whose letters differ in case",
			        param->name, type, DRG_STR_ARG(r->p.pairs[i].name));
	return drg_fail(r->err, DRG_EINVAL, DRG_R(missing_field), param->name,
	                "%s is required: %s in the query", param->name, type);
}

static int check_missing(const struct params_reader *r)
{
	for (const struct drg_param *param = r->p.table; param->name != NULL; param++) {
		struct drg_param_value *v = &r->p.values[param - r->p.table];
		if (v->given)
			continue;
		if (param->required)
			return fail_missing(r, param);
		if (param->type == DRG_P_LANG)
			v->s = DRG_STR("en");
	}
	return DRG_OK;
}

int drg_params_read(const struct drg_endpoint *e, const struct drg_target *t, struct drg_arena *arena,
                    void (*ignored)(void *ctx, struct drg_str name), void *ctx, struct drg_params *ret,
                    struct drg_err *reterr)
{
	struct params_reader r = {
		.arena = arena, .ignored = ignored, .only_known = e->only_known, .ctx = ctx, .err = reterr
	};
	r.p.table = e->params != NULL ? e->params : no_params;
	size_t n = 0;
	while (r.p.table[n].name != NULL)
		n++;
	r.p.values = drg_arena_calloc(arena, n, sizeof *r.p.values);
	if (r.p.values == NULL)
		return drg_fail_memory(reterr);
	int rc = read_path(&r, e->path, t);
	if (rc == DRG_OK && t->query.n > 0)
		rc = read_pairs(&r, t->query);
	if (rc == DRG_OK)
		rc = params_read_query(&r);
	if (rc == DRG_OK)
		rc = check_missing(&r);
	if (rc == DRG_OK)
		*ret = r.p;
	return rc;
}

const struct drg_param_value *drg_params_get(const struct drg_params *p, const char *name)
{
	const struct drg_param *param = p->table;
	while (param->name != NULL && strcmp(param->name, name) != 0)
		param++;
	assert(param->name != NULL);
	return &p->values[param - p->table];
}
