#include "api/body.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "api/tables.h"
#include "http/params.h"
#include "text/utf8.h"

enum { FIELDS_MAX = 16 };

struct body_reader {
	struct drg_exchange *x;
	struct drg_arena *arena;
	struct drg_err *err;
	const struct drg_body_field *fields;
	size_t max_ids, left; /* ids that may still come */
	bool seen[FIELDS_MAX]; /* of a form ... */
	struct drg_str text[FIELDS_MAX]; /* ... and as what */
	struct drg_body_value v[FIELDS_MAX];
};

static int too_many(const struct body_reader *r, const char *name)
{
	return drg_fail(r->err, DRG_EINVAL, DRG_R(too_many_ids), name,
	                "%s: at most %zu ids are answered per request, all kinds together", name, r->max_ids);
}

int drg_body_bad_value(struct drg_err *reterr, const struct drg_reason *reason, const char *name,
                       const char *expected, const struct drg_json_item *found)
{
	char text[160];
	return drg_fail(reterr, DRG_EINVAL, reason, name, "%s: expected %s, found %s", name, expected,
	                drg_json_item_describe(found, text, sizeof text));
}

int drg_body_text(struct drg_err *reterr, const char *name, size_t max, const struct drg_json_item *v,
                  struct drg_str *ret)
{
	char expected[64] = "a text";
	if (max < SIZE_MAX)
		snprintf(expected, sizeof expected, "a text of 1 to %zu characters", max);
	if (v->type != DRG_JSON_STRING || v->s.n == 0)
		return drg_body_bad_value(reterr, DRG_R(wrong_type), name, expected, v);
	if (drg_utf8_count(v->s) > max)
		return drg_body_bad_value(reterr, DRG_R(too_long), name, expected, v);
	*ret = v->s;
	return DRG_OK;
}

bool drg_body_int(const struct drg_json_item *item, int64_t *ret)
{
	if (item->type == DRG_JSON_STRING)
		return drg_str_is_canonical_i64(item->s, ret);
	*ret = item->i;
	return item->type == DRG_JSON_INT;
}

const char *drg_body_type_text(enum drg_body_type type)
{
	static const char *const texts[] = { [DRG_B_INT] = "an integer",
		                             [DRG_B_INTS] = "an array of integers",
		                             [DRG_B_IDS] = "ids, with commas between them",
		                             [DRG_B_TEXT] = "a text",
		                             [DRG_B_LANG] = "a language tag such as uk or pt-BR",
		                             [DRG_B_LANG_OR_NOT] = "a language tag such as uk or pt-BR",
		                             [DRG_B_ELEMENTS] = "an array of elements" };
	return texts[type];
}

size_t drg_body_find(const struct drg_body_field *fields, struct drg_str name)
{
	size_t i = 0;
	while (fields[i].name != NULL && !drg_str_eq(name, drg_str_c(fields[i].name)))
		i++;
	return i;
}

/* How many ids a list of that text can have, if it is not too long. */
static size_t room_for(const struct body_reader *r, struct drg_str text)
{
	size_t n = 1;
	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == ',';
	return n < r->left ? n : r->left;
}

/* For a form: lists may be repeated. */
static size_t find_repeated(const struct drg_body_field *f, struct drg_str name)
{
	size_t i = 0;
	while (f[i].name != NULL && !drg_str_eq(name, drg_str_c(f[i].name)) &&
	       !(f[i].type != DRG_B_INT && drg_params_is_repeat(name, drg_str_c(f[i].name))))
		i++;
	return i;
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

static int split_ids(struct body_reader *r, const char *name, struct drg_str text, struct drg_body_value *v)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t room = room_for(r, text);
	v->ids = drg_arena_alloc(r->arena, room * sizeof *v->ids);
	if (v->ids == NULL)
		return DRG_ENOMEM;
	for (; p < end; p++) {
		const char *from = p;
		while (p < end && *p != ',')
			p++;
		struct drg_str id = drg_str_trim(drg_str(from, (size_t)(p - from)));
		if (id.n == 0)
			continue;
		if (v->n == room)
			return too_many(r, name);
		v->ids[v->n++] = id;
	}
	return DRG_OK;
}

/* An integer as a supplier id: its text, except that -0 is 0. */
static struct drg_str id_of(struct drg_str raw)
{
	return raw.p[0] == '-' && raw.n == 2 && raw.p[1] == '0' ? drg_str(raw.p + 1, 1) : raw;
}

/* Name the item: which of ten thousand? */
static int bad_item(struct body_reader *r, const struct drg_reason *reason, const char *name, size_t at,
                    const char *expected, const struct drg_json_item *found)
{
	char text[160];
	return drg_fail(r->err, DRG_EINVAL, reason, name, "%s[%zu]: expected %s, found %s", name, at,
	                expected, drg_json_item_describe(found, text, sizeof text));
}

static int body_read_ids(struct body_reader *r, const char *name, struct drg_json_walk *w, size_t room,
                         struct drg_body_value *v)
{
	struct drg_json_item item;
	int rc;
	v->ids = drg_arena_alloc(r->arena, room * sizeof *v->ids);
	if (v->ids == NULL)
		return DRG_ENOMEM;
	while ((rc = drg_json_walk_next(w, NULL, &item)) == DRG_OK) {
		if (item.type != DRG_JSON_STRING && item.type != DRG_JSON_INT)
			return bad_item(r, DRG_R(bad_id), name, v->n, "a text or an integer", &item);
		if (v->n == room)
			return too_many(r, name);
		v->ids[v->n++] = item.type == DRG_JSON_STRING ? item.s : id_of(w->raw);
	}
	return rc == DRG_ENOENT ? DRG_OK : DRG_ENOMEM;
}

static int read_ints(struct body_reader *r, const char *name, struct drg_json_walk *w, size_t room,
                     struct drg_body_value *v)
{
	struct drg_json_item item;
	int rc;
	v->ints = drg_arena_alloc(r->arena, room * sizeof *v->ints);
	if (v->ints == NULL)
		return DRG_ENOMEM;
	while ((rc = drg_json_walk_next(w, NULL, &item)) == DRG_OK) {
		int64_t i;
		if (!drg_body_int(&item, &i))
			return bad_item(r, DRG_R(bad_integer), name, v->n, "an integer", &item);
		if (v->n == room)
			return too_many(r, name);
		v->ints[v->n++] = i;
	}
	return rc == DRG_ENOENT ? DRG_OK : DRG_ENOMEM;
}

static int body_read_list(struct body_reader *r, const struct drg_body_field *f,
                          const struct drg_json_item *item, struct drg_body_value *v)
{
	if (f->type == DRG_B_IDS && item->type == DRG_JSON_STRING)
		return split_ids(r, f->name, item->s, v);
	if (item->type != DRG_JSON_ARRAY)
		return drg_body_bad_value(r->err, DRG_R(bad_list), f->name,
		                          f->type == DRG_B_IDS ? "ids separated by commas, or an array of ids"
		                                               : "an array of integers",
		                          item);
	struct drg_json_walk w;
	drg_json_walk_init(&w, item, r->arena);
	size_t room = room_for(r, item->s);
	return f->type == DRG_B_IDS ? body_read_ids(r, f->name, &w, room, v)
	                            : read_ints(r, f->name, &w, room, v);
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static int body_read_member(struct body_reader *r, size_t i, const struct drg_json_item *item)
{
	const struct drg_body_field *f = &r->fields[i];
	struct drg_body_value *v = &r->v[i];
	if (item->type == DRG_JSON_NULL)
		return DRG_OK;
	v->given = true;
	if (f->type == DRG_B_TEXT) {
		v->s = item->s;
		return item->type == DRG_JSON_STRING
		               ? DRG_OK
		               : drg_body_bad_value(r->err, DRG_R(wrong_type), f->name, "a text", item);
	}
	if (f->type != DRG_B_INT) {
		int rc = body_read_list(r, f, item, v);
		r->left -= v->n;
		return rc;
	}
	return drg_body_int(item, &v->i)
	               ? DRG_OK
	               : drg_body_bad_value(r->err, DRG_R(bad_integer), f->name, "an integer", item);
}

static bool is_empty_array(const struct drg_json_item *item, struct drg_arena *arena)
{
	struct drg_json_walk w;
	struct drg_json_item first;
	if (item->type != DRG_JSON_ARRAY)
		return false;
	drg_json_walk_init(&w, item, arena);
	return drg_json_walk_next(&w, NULL, &first) == DRG_ENOENT;
}

int drg_body_object(struct drg_exchange *x, struct drg_json_walk *ret)
{
	struct drg_arena *arena = drg_exchange_arena(x);
	struct drg_err *err = drg_exchange_err(x);
	struct drg_json_item body;
	if (drg_utf8_is_blank(drg_exchange_body(x)))
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_json), NULL,
		                "the body is empty: expected a JSON object");
	int rc = drg_json_scan_document(drg_exchange_body(x), arena, &body, err);
	if (rc != DRG_OK)
		return rc;
	if (body.type != DRG_JSON_OBJECT && !is_empty_array(&body, arena))
		return drg_body_bad_value(err, DRG_R(bad_body), "body", "a JSON object", &body);
	drg_json_walk_init(ret, &body, arena);
	return DRG_OK;
}

static int read_json(struct body_reader *r)
{
	struct drg_json_walk w;
	struct drg_json_item item;
	struct drg_str name;
	int rc = drg_body_object(r->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &item)) == DRG_OK) {
		size_t i = drg_body_find(r->fields, name);
		if (r->fields[i].name == NULL) {
			drg_exchange_ignored(r->x, name);
			continue;
		}
		rc = body_read_member(r, i, &item);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : DRG_ENOMEM;
}

/* ---- forms ---------------------------------------------------------------------------------------------- */

static int form_int(const struct body_reader *r, const char *name, struct drg_str text, int64_t *ret)
{
	return drg_str_to_i64(text, ret) ? DRG_OK : drg_params_fail_int(r->err, name, text);
}

/* A list can come in many pairs, so it takes the room that it can need at most. */
static int form_list(struct body_reader *r, const char *name, struct drg_str text, struct drg_body_value *v)
{
	struct drg_str part;
	if (v->ints == NULL) {
		size_t most = drg_exchange_body(r->x).n / 2 + 1;
		most = most < r->max_ids ? most : r->max_ids;
		v->ints = drg_arena_alloc(r->arena, most * sizeof *v->ints);
		if (v->ints == NULL)
			return DRG_ENOMEM;
	}
	while (drg_str_split(&text, ',', &part)) {
		part = drg_str_trim(part);
		if (part.n == 0)
			continue;
		if (r->left == 0)
			return too_many(r, name);
		int rc = form_int(r, name, part, &v->ints[v->n]);
		if (rc != DRG_OK)
			return rc;
		v->n++;
		r->left--;
	}
	return DRG_OK;
}

static int form_pair(void *ctx, struct drg_str name, struct drg_str value)
{
	struct body_reader *r = ctx;
	size_t i = find_repeated(r->fields, name);
	const struct drg_body_field *f = &r->fields[i];
	if (f->name == NULL) {
		for (f = r->fields; f->name != NULL; f++)
			if (!drg_params_check_brackets(name, f->name, f->type != DRG_B_INT, r->err))
				return DRG_EINVAL;
		drg_exchange_ignored(r->x, name);
		return DRG_OK;
	}
	if (f->type == DRG_B_INT && r->seen[i] && drg_str_eq(value, r->text[i]))
		return DRG_OK;
	if (f->type == DRG_B_INT && r->seen[i])
		return drg_fail(r->err, DRG_EINVAL, DRG_R(repeated_parameter), f->name,
		                "%s is given twice, with different values", f->name);
	r->seen[i] = true;
	r->text[i] = value;
	if (value.n == 0)
		return DRG_OK;
	r->v[i].given = true;
	return f->type == DRG_B_INT ? form_int(r, f->name, value, &r->v[i].i)
	                            : form_list(r, f->name, value, &r->v[i]);
}

/* --------------------------------------------------------------------------------------------------------- */

int drg_body_parse_fields(struct drg_exchange *x, const struct drg_body_field *fields, size_t max_ids,
                          struct drg_body_value *ret)
{
	assert(fields != NULL && ret != NULL);
	struct body_reader r = {
		.x = x,
		.arena = drg_exchange_arena(x),
		.err = drg_exchange_err(x),
		.fields = fields,
		.max_ids = max_ids,
		.left = max_ids,
	};
	size_t n = 0;
	while (fields[n].name != NULL)
		n++;
	assert(n <= FIELDS_MAX);
	int rc = drg_exchange_body_is_form(x) ? drg_exchange_form_each(x, form_pair, &r) : read_json(&r);
	n = 0;
	for (; rc == DRG_OK && fields[n].name != NULL; n++)
		if (fields[n].required && !r.v[n].given)
			rc = drg_fail(r.err, DRG_EINVAL, DRG_R(missing_field), fields[n].name,
			              "%s is required: %s in the body", fields[n].name,
			              drg_body_type_text(fields[n].type));
	if (rc == DRG_OK)
		memcpy(ret, r.v, n * sizeof *ret);
	return rc;
}

int drg_body_parse(struct drg_exchange *x, struct drg_body_value *ret)
{
	return drg_body_parse_fields(x, drg_columns_of(x)->fields, (size_t)drg_app_of(x)->max_batch, ret);
}
