#include "model/ndjson.h"

#include "model/content.h"
#include "model/value.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

/* One line on its way to a record. */
struct reading {
	struct drg_str line;
	struct drg_arena *arena;
	struct drg_record r;
	enum drg_kind kind;
	struct drg_err *err;
};

static int parse(struct drg_str line, json_t **ret, struct drg_err *reterr)
{
	static const char prefix[] = "line 1, ";
	struct drg_err e;
	int rc = drg_json_parse(line, ret, &e);
	if (rc == DRG_OK)
		return rc;
	/* The caller knows which line of its file this is. */
	bool first = strncmp(e.message, prefix, sizeof prefix - 1) == 0;
	return drg_fail(reterr, rc, e.reason, NULL, "%s", e.message + (first ? sizeof prefix - 1 : 0));
}

static int fail_found(struct drg_err *reterr, const char *reason, const char *field, const char *expected,
                      const json_t *v)
{
	char found[512] = "nothing";
	if (v != NULL)
		drg_json_describe(v, found, sizeof found);
	return drg_fail(reterr, DRG_EINVAL, v != NULL ? reason : "missing_field", field,
	                "expected %s, found %s", expected, found);
}

static int fail_type(const json_t *v, struct drg_err *reterr)
{
	struct drg_buf names;
	drg_buf_init(&names, 512);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		if (t != DRG_TYPE_API_KEY)
			drg_buf_printf(&names, "%s%s", t == 0 ? "one of " : ", ", drg_types[t].name);
	drg_buf_char(&names, '\0');
	int rc = fail_found(reterr, json_is_string(v) ? "unknown_type" : "wrong_type", "type", names.p, v);
	drg_buf_done(&names);
	return rc;
}

static int read_type(struct reading *x, const json_t *object)
{
	const json_t *v = json_object_get(object, "type");
	const struct drg_type *type = drg_type_by_name(drg_str(json_string_value(v), json_string_length(v)));
	/* Keys are made by commands; no file may bring one. */
	if (type == NULL || type->id == DRG_TYPE_API_KEY)
		return fail_type(v, x->err);
	drg_record_init(&x->r, type);
	return DRG_OK;
}

/* The kind decides which fields there are, so it is read before them. */
static int read_kind(struct reading *x, const json_t *object)
{
	x->kind = DRG_KIND_NONE;
	if (x->r.type->n_kinds == 0)
		return DRG_OK;
	const struct drg_field_def *f = drg_field_of(x->r.type, DRG_F_KIND);
	const json_t *v = json_object_get(object, f->wire);
	if (v == NULL || json_is_null(v))
		return drg_value_fail(x->err, f, "missing_field", v != NULL ? "null" : "nothing");
	union drg_value value;
	int rc = drg_value_read(f, v, x->arena, &value, x->err);
	if (rc == DRG_OK)
		x->kind = (enum drg_kind)value.i;
	return rc;
}

static int read_deleted(struct reading *x, const json_t *object)
{
	const json_t *v = json_object_get(object, "deleted");
	if (v != NULL && !json_is_boolean(v))
		return fail_found(x->err, "wrong_type", "deleted", "true or false", v);
	x->r.deleted = json_is_true(v);
	return DRG_OK;
}

/* Members mostly come in the order of the table, so the search goes on where the last one was found. */
static const struct drg_field_def *find_field(const struct reading *x, const char *name, unsigned *at)
{
	const struct drg_type *type = x->r.type;
	for (unsigned i = 0; i < type->n_fields; i++) {
		const struct drg_field_def *f = &type->fields[*at];
		*at = *at + 1 < type->n_fields ? *at + 1 : 0;
		if (strcmp(f->wire, name) == 0)
			return drg_field_applies(f, x->kind) ? f : NULL;
	}
	return NULL;
}

static int fail_member(const struct reading *x, const char *name)
{
	const struct drg_type *type = x->r.type;
	struct drg_buf names;
	drg_buf_init(&names, 512);
	for (unsigned i = 0; i < type->n_fields; i++)
		if (drg_field_applies(&type->fields[i], x->kind))
			drg_buf_printf(&names, "%s, ", type->fields[i].wire);
	bool kind = x->kind != DRG_KIND_NONE;
	int rc = drg_fail(x->err, DRG_EINVAL, "unknown_field", name,
	                  "expected a member of %s%s%s (%.*sdeleted), found an unknown one", type->name,
	                  kind ? " " : "", kind ? drg_kind_name(x->kind) : "", (int)names.n, names.p);
	drg_buf_done(&names);
	return rc;
}

static int read_raw(struct reading *x, const struct drg_field_def *f, const json_t *v)
{
	if (!json_is_object(v))
		return fail_found(x->err, "wrong_type", f->wire, "an object", v);
	drg_record_set_s(&x->r, f->field, drg_json_member_raw(x->line, drg_str_c(f->wire)));
	return DRG_OK;
}

static int read_field(struct reading *x, const struct drg_field_def *f, const json_t *v)
{
	uint64_t bit = UINT64_C(1) << f->field;
	union drg_value *to = &x->r.v[f->field];
	int rc;

	if (x->r.deleted && (f->flags & DRG_FF_ID) == 0)
		return DRG_OK;
	if (json_is_null(v)) {
		if ((f->flags & DRG_FF_NULL) != 0)
			x->r.nulls |= bit;
		return DRG_OK; /* a required one is missed later */
	}
	if (f->vtype == DRG_V_RAW)
		rc = read_raw(x, f, v);
	else if (f->vtype == DRG_V_JSON)
		rc = drg_content_read(f, v, x->arena, &to->s, x->err);
	else
		rc = drg_value_read(f, v, x->arena, to, x->err);
	if (rc == DRG_OK)
		x->r.has |= bit;
	return rc;
}

static int read_members(struct reading *x, json_t *object)
{
	unsigned at = 0;
	for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
		const char *name = json_object_iter_key(i);
		const struct drg_field_def *f = find_field(x, name, &at);
		int rc = DRG_OK;
		if (f != NULL)
			rc = read_field(x, f, json_object_iter_value(i));
		else if (strcmp(name, "type") != 0 && strcmp(name, "deleted") != 0)
			rc = fail_member(x, name);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

static void set_default(struct drg_record *r, const struct drg_field_def *f)
{
	if (f->vtype == DRG_V_LANG)
		drg_record_set_s(r, f->field, DRG_STR("en"));
	else
		drg_record_set_i(r, f->field, f->dflt);
}

static int complete(struct reading *x, const json_t *object)
{
	unsigned needed = x->r.deleted ? DRG_FF_ID : DRG_FF_ID | DRG_FF_REQUIRED;
	for (unsigned i = 0; i < x->r.type->n_fields; i++) {
		const struct drg_field_def *f = &x->r.type->fields[i];
		if (drg_record_has(&x->r, f->field) || !drg_field_applies(f, x->kind))
			continue;
		if ((f->flags & needed) != 0)
			return drg_value_fail(x->err, f, "missing_field",
			                      json_object_get(object, f->wire) != NULL ? "null" : "nothing");
		if ((f->flags & DRG_FF_DEFAULT) != 0 && !x->r.deleted)
			set_default(&x->r, f);
	}
	return DRG_OK;
}

static int read_object(struct reading *x, json_t *object)
{
	if (!json_is_object(object))
		return fail_found(x->err, "wrong_type", NULL, "an object", object);
	int rc = read_type(x, object);
	if (rc == DRG_OK)
		rc = read_kind(x, object);
	if (rc == DRG_OK)
		rc = read_deleted(x, object);
	if (rc == DRG_OK)
		rc = read_members(x, object);
	if (rc == DRG_OK)
		rc = complete(x, object);
	return rc;
}

int drg_ndjson_read(struct drg_str line, struct drg_arena *arena, struct drg_record *ret,
                    struct drg_err *reterr)
{
	struct reading x = { .line = line, .arena = arena, .err = reterr };
	json_t *v;
	int rc = parse(line, &v, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = read_object(&x, v);
	json_decref(v);
	if (rc == DRG_OK)
		*ret = x.r;
	return rc;
}

/* ---- references ---------------------------------------------------------------------------------------- */

static void field_refs(const struct drg_record *r, const struct drg_field_def *f, drg_ref_fn *fn, void *ctx)
{
	const union drg_value *v = &r->v[f->field];
	if (f->vtype == DRG_V_JSON)
		drg_content_refs(f, v->s, fn, ctx);
	else if (f->ref == DRG_REF_SOURCE_HOTEL)
		fn(ctx, f->ref, r->v[DRG_F_ADAPTER_ID].i, v->s, f->wire);
	else if (f->ref == DRG_REF_OWN_KIND)
		fn(ctx, (int)drg_record_kind(r), v->i, drg_str(NULL, 0), f->wire);
	else if (f->ref != DRG_REF_NONE)
		fn(ctx, f->ref, v->i, drg_str(NULL, 0), f->wire);
}

void drg_record_refs(const struct drg_record *r, drg_ref_fn *fn, void *ctx)
{
	if (r->deleted)
		return;
	for (unsigned i = 0; i < r->type->n_fields; i++)
		if (drg_record_has(r, r->type->fields[i].field))
			field_refs(r, &r->type->fields[i], fn, ctx);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The quoted name when the canonical object holds only "en"; else an empty string. */
static struct drg_str only_en(struct drg_str names)
{
	const struct drg_str en = DRG_STR("{\"en\":");
	if (names.n < en.n || memcmp(names.p, en.p, en.n) != 0)
		return drg_str(NULL, 0);
	size_t i = en.n + 1; /* behind the opening quote */
	while (names.p[i] != '"')
		i += names.p[i] == '\\' ? 2 : 1;
	i++;
	return names.p[i] == '}' ? drg_str(names.p + en.n, i - en.n) : drg_str(NULL, 0);
}

static bool is_default(const struct drg_field_def *f, union drg_value v)
{
	if ((f->flags & DRG_FF_DEFAULT) == 0)
		return false;
	return f->vtype == DRG_V_LANG ? drg_str_eq(v.s, DRG_STR("en")) : v.i == f->dflt;
}

static void write_field(struct drg_jw *w, const struct drg_record *r, const struct drg_field_def *f)
{
	if ((r->nulls >> f->field & 1) != 0) {
		drg_jw_key(w, f->wire);
		drg_jw_null(w);
	}
	if (!drg_record_has(r, f->field) || is_default(f, r->v[f->field]))
		return;
	drg_jw_key(w, f->wire);
	struct drg_str plain = f->vtype == DRG_V_NAMES ? only_en(r->v[f->field].s) : drg_str(NULL, 0);
	if (plain.n > 0)
		drg_jw_raw(w, plain);
	else
		drg_value_write(w, f, r->v[f->field]);
}

void drg_ndjson_write(const struct drg_record *r, struct drg_buf *out)
{
	struct drg_jw w = { .b = out };
	drg_jw_object(&w);
	drg_jw_key(&w, "type");
	drg_jw_escaped(&w, drg_str_c(r->type->name));
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (!r->deleted || (f->flags & DRG_FF_ID) != 0)
			write_field(&w, r, f);
	}
	if (r->deleted) {
		drg_jw_key(&w, "deleted");
		drg_jw_bool(&w, true);
	}
	drg_jw_object_end(&w);
	drg_buf_char(out, '\n');
}
