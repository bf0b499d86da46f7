#include "model/ndjson.h"

#include <assert.h>
#include <stdio.h>

#include "model/content.h"
#include "model/value.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

/* More members than any type has fields; a line with more has unknown ones anyway. */
enum { LINE_MEMBERS_MAX = 40 };

struct member {
	struct drg_str name;
	struct drg_json_item v;
};

/* One line on its way to a record. */
struct ndjson_reading {
	struct drg_arena *arena;
	struct drg_err *err;
	struct member members[LINE_MEMBERS_MAX];
	unsigned n_members;
	enum drg_kind kind;
	uint64_t seen; /* bit per field that came already, be it null */
	struct drg_record r;
};

static int fail_found(struct drg_err *reterr, const struct drg_reason *reason, const char *field,
                      const char *expected, const struct drg_json_item *v)
{
	char found[512];
	return drg_fail(reterr, DRG_EINVAL, reason, field, "expected %s, found %s", expected,
	                drg_json_item_describe(v, found, sizeof found));
}

static int ndjson_collect(struct ndjson_reading *x, const struct drg_json_item *object)
{
	struct drg_json_walk w;
	struct member m;
	int rc;
	x->n_members = 0;
	drg_json_walk_init(&w, object, x->arena);
	while ((rc = drg_json_walk_next(&w, &m.name, &m.v)) == DRG_OK) {
		if (x->n_members == LINE_MEMBERS_MAX)
			return drg_fail(x->err, DRG_EINVAL, DRG_R(too_many_members), NULL,
			                "expected at most %d members, found more", LINE_MEMBERS_MAX);
		x->members[x->n_members++] = m;
	}
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(x->err);
}

static int fail_duplicate(const struct ndjson_reading *x, const char *name)
{
	return drg_fail(x->err, DRG_EINVAL, DRG_R(duplicate_member), name,
	                "expected one member of this name, found two");
}

/* Member @p name, or NULL, to @p ret. */
static int find_member(const struct ndjson_reading *x, const char *name, const struct drg_json_item **ret)
{
	const struct drg_str wanted = drg_str_c(name);
	*ret = NULL;
	for (unsigned i = 0; i < x->n_members; i++) {
		if (!drg_str_eq(x->members[i].name, wanted))
			continue;
		if (*ret != NULL)
			return fail_duplicate(x, name);
		*ret = &x->members[i].v;
	}
	return DRG_OK;
}

static int fail_type(const struct ndjson_reading *x, const struct drg_json_item *v)
{
	struct drg_buf b;
	drg_buf_init(&b, 512);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		if (!drg_types[t].internal)
			drg_buf_printf(&b, "%s%s", t == 0 ? "one of " : ", ", drg_types[t].name);
	drg_buf_char(&b, '\0');
	int rc = v == NULL ? drg_fail(x->err, DRG_EINVAL, DRG_R(missing_field), "type",
	                              "expected %s, found nothing", b.p)
	                   : fail_found(x->err,
	                                v->type == DRG_JSON_STRING ? DRG_R(unknown_type) : DRG_R(wrong_type),
	                                "type", b.p, v);
	drg_buf_done(&b);
	return rc;
}

static int ndjson_read_type(struct ndjson_reading *x)
{
	const struct drg_json_item *v;
	int rc = find_member(x, "type", &v);
	if (rc != DRG_OK)
		return rc;
	const struct drg_type *type = v != NULL && v->type == DRG_JSON_STRING ? drg_type_by_name(v->s) : NULL;
	/* Keys are made by commands; no file may bring one. */
	if (type == NULL || type->internal)
		return fail_type(x, v);
	drg_record_init(&x->r, type);
	return DRG_OK;
}

/* The kind decides which fields there are, so it is read before them. */
static int ndjson_read_kind(struct ndjson_reading *x)
{
	x->kind = DRG_KIND_NONE;
	if (x->r.type->kinds == 0)
		return DRG_OK;
	const struct drg_field_def *f = drg_field_of(x->r.type, DRG_F_KIND);
	const struct drg_json_item *v;
	int rc = find_member(x, f->wire, &v);
	if (rc != DRG_OK)
		return rc;
	if (v == NULL || v->type == DRG_JSON_NULL)
		return drg_value_fail(x->err, f, DRG_R(missing_field), v != NULL ? "null" : "nothing");
	union drg_value value;
	rc = drg_value_read(f, v, x->arena, &value, x->err);
	if (rc == DRG_OK)
		x->kind = (enum drg_kind)value.i;
	return rc;
}

static int read_deleted(struct ndjson_reading *x)
{
	const struct drg_json_item *v;
	int rc = find_member(x, "deleted", &v);
	if (rc != DRG_OK || v == NULL)
		return rc;
	if (v->type != DRG_JSON_BOOL)
		return fail_found(x->err, DRG_R(wrong_type), "deleted", "true or false", v);
	x->r.deleted = v->b;
	return DRG_OK;
}

static bool name_is(struct drg_str name, const char *wire)
{
	return strncmp(wire, name.p, name.n) == 0 && wire[name.n] == '\0';
}

/* Members mostly come in the order of the table, so the search goes on where the last one was found. */
static const struct drg_field_def *ndjson_find_field(const struct ndjson_reading *x, struct drg_str name,
                                                     unsigned *at)
{
	const struct drg_type *type = x->r.type;
	for (unsigned i = 0; i < type->n_fields; i++) {
		const struct drg_field_def *f = &type->fields[*at];
		*at = *at + 1 < type->n_fields ? *at + 1 : 0;
		if (name_is(name, f->wire))
			return drg_field_applies(f, x->kind) ? f : NULL;
	}
	return NULL;
}

static int ndjson_fail_member(const struct ndjson_reading *x, struct drg_str name)
{
	const struct drg_type *type = x->r.type;
	char where[64];
	struct drg_buf names;
	snprintf(where, sizeof where, "%s%s%s", type->name, x->kind != DRG_KIND_NONE ? " " : "",
	         drg_kind_name(x->kind));
	drg_buf_init(&names, 1024);
	for (unsigned i = 0; i < type->n_fields; i++)
		if (drg_field_applies(&type->fields[i], x->kind))
			drg_buf_printf(&names, "%s, ", type->fields[i].wire);
	drg_buf_add(&names, "deleted", sizeof "deleted");
	int rc = drg_value_fail_member(x->err, name, where, names.p);
	drg_buf_done(&names);
	return rc;
}

/* The check of a line takes duplicate members, that of a document refuses them at any depth. Numbers are kept
 * as sent, whatever their size. */
static int read_raw(struct ndjson_reading *x, const struct drg_field_def *f, const struct drg_json_item *v,
                    struct drg_str *ret)
{
	struct drg_json_item checked;
	if (v->type != DRG_JSON_OBJECT)
		return fail_found(x->err, DRG_R(wrong_type), f->wire, "an object", v);
	int rc = drg_json_scan_document(v->s, x->arena, &checked, NULL);
	if (rc == DRG_EINVAL)
		return drg_fail(x->err, rc, DRG_R(duplicate_member), f->wire,
		                "expected different member names inside, found one twice");
	if (rc != DRG_OK)
		return drg_fail_memory(x->err);
	*ret = v->s;
	return DRG_OK;
}

static int ndjson_read_field(struct ndjson_reading *x, const struct drg_field_def *f,
                             const struct drg_json_item *v)
{
	uint64_t bit = drg_field_bit(f->field);
	union drg_value *to = drg_record_room(&x->r, f);
	int rc;

	if ((x->seen & bit) != 0)
		return fail_duplicate(x, f->wire);
	x->seen |= bit;
	if (x->r.deleted && (f->flags & DRG_FF_ID) == 0)
		return DRG_OK;
	if (v->type == DRG_JSON_NULL) {
		if ((f->flags & DRG_FF_NULL) != 0)
			x->r.nulls |= bit;
		return DRG_OK; /* a required one is missed later */
	}
	if (f->vtype == DRG_V_RAW)
		rc = read_raw(x, f, v, &to->s);
	else if (f->vtype == DRG_V_JSON)
		rc = drg_content_read(f, v, x->arena, &to->s, x->err);
	else
		rc = drg_value_read(f, v, x->arena, to, x->err);
	if (rc == DRG_OK)
		x->r.has |= bit;
	return rc;
}

static int ndjson_read_fields(struct ndjson_reading *x)
{
	unsigned at = 0;
	x->seen = 0;
	for (unsigned i = 0; i < x->n_members; i++) {
		const struct member *m = &x->members[i];
		const struct drg_field_def *f = ndjson_find_field(x, m->name, &at);
		int rc = DRG_OK;
		if (f != NULL)
			rc = ndjson_read_field(x, f, &m->v);
		else if (!name_is(m->name, "type") && !name_is(m->name, "deleted"))
			rc = ndjson_fail_member(x, m->name);
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

static int ndjson_complete(struct ndjson_reading *x)
{
	unsigned needed = x->r.deleted ? DRG_FF_ID : DRG_FF_ID | DRG_FF_REQUIRED;
	for (unsigned i = 0; i < x->r.type->n_fields; i++) {
		const struct drg_field_def *f = &x->r.type->fields[i];
		if (drg_record_has_value(&x->r, f) || !drg_field_applies(f, x->kind))
			continue;
		if ((f->flags & needed) != 0)
			return drg_value_fail(x->err, f, DRG_R(missing_field),
			                      (x->seen & drg_field_bit(f->field)) != 0 ? "null" : "nothing");
		if ((f->flags & DRG_FF_DEFAULT) != 0 && !x->r.deleted)
			set_default(&x->r, f);
	}
	return DRG_OK;
}

int drg_ndjson_read(struct drg_str line, struct drg_arena *arena, struct drg_record *ret,
                    struct drg_err *reterr)
{
	static int (*const steps[])(struct ndjson_reading *) = { ndjson_read_type, ndjson_read_kind,
		                                                 read_deleted, ndjson_read_fields,
		                                                 ndjson_complete };
	struct drg_json_item object;
	int rc = drg_json_scan(line, arena, &object, reterr);
	if (rc != DRG_OK)
		return rc;
	if (object.type != DRG_JSON_OBJECT)
		return fail_found(reterr, DRG_R(wrong_type), NULL, "an object", &object);
	struct ndjson_reading x; /* not cleared: it is big, and each step fills its part */
	x.arena = arena;
	x.err = reterr;
	rc = ndjson_collect(&x, &object);
	for (size_t i = 0; i < DRG_ARRAY_LEN(steps) && rc == DRG_OK; i++)
		rc = steps[i](&x);
	if (rc == DRG_OK)
		*ret = x.r;
	return rc;
}

/* ---- references ---------------------------------------------------------------------------------------- */

static int field_refs(const struct drg_record *r, const struct drg_field_def *f, drg_ref_fn *fn, void *ctx)
{
	const union drg_value *v = drg_record_value(r, f);
	if (f->vtype == DRG_V_JSON)
		return drg_content_refs(f, v->s, fn, ctx);
	if (f->ref == DRG_REF_SOURCE_HOTEL)
		fn(ctx, f->ref, r->v[DRG_F_ADAPTER_ID].i, v->s, f->wire);
	else if (f->ref == DRG_REF_OWN_KIND)
		fn(ctx, (int)drg_record_kind(r), v->i, drg_str(NULL, 0), f->wire);
	else if (f->ref != DRG_REF_NONE)
		fn(ctx, f->ref, v->i, drg_str(NULL, 0), f->wire);
	return DRG_OK;
}

int drg_record_refs(const struct drg_record *r, drg_ref_fn *fn, void *ctx)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < r->type->n_fields && rc == DRG_OK && !r->deleted; i++)
		if (drg_record_has_value(r, &r->type->fields[i]))
			rc = field_refs(r, &r->type->fields[i], fn, ctx);
	return rc;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The quoted name when the canonical object holds only "en"; else an empty string, as where a damaged store has
 * none. */
static struct drg_str only_en(struct drg_str names)
{
	const struct drg_str en = DRG_STR("{\"en\":");
	if (names.n < en.n || memcmp(names.p, en.p, en.n) != 0)
		return drg_str(NULL, 0);
	size_t i = en.n + 1; /* behind the opening quote */
	while (i < names.n && names.p[i] != '"')
		i += names.p[i] == '\\' ? 2 : 1;
	i++;
	return i < names.n && names.p[i] == '}' ? drg_str(names.p + en.n, i - en.n) : drg_str(NULL, 0);
}

static bool is_default(const struct drg_field_def *f, union drg_value v)
{
	if ((f->flags & DRG_FF_DEFAULT) == 0)
		return false;
	return f->vtype == DRG_V_LANG ? drg_str_eq(v.s, DRG_STR("en")) : v.i == f->dflt;
}

static void write_field(struct drg_jw *w, const struct drg_record *r, const struct drg_field_def *f)
{
	if (drg_record_is_null(r, f))
		drg_jw_member_null(w, f->wire);
	if (!drg_record_has_value(r, f) || is_default(f, *drg_record_value(r, f)))
		return;
	drg_jw_key(w, f->wire);
	struct drg_str plain =
	        f->vtype == DRG_V_NAMES ? only_en(drg_record_value(r, f)->s) : drg_str(NULL, 0);
	if (plain.n > 0)
		drg_jw_raw(w, plain);
	else
		drg_value_write(w, f, *drg_record_value(r, f));
}

void drg_ndjson_write(const struct drg_record *r, struct drg_buf *out)
{
	assert(r->type->id < DRG_TYPE_COUNT);
	struct drg_jw w = { .b = out };
	drg_jw_object(&w);
	drg_jw_member_escaped(&w, "type", drg_str_c(r->type->name));
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (!r->deleted || (f->flags & DRG_FF_ID) != 0)
			write_field(&w, r, f);
	}
	if (r->deleted)
		drg_jw_member_bool(&w, "deleted", true);
	drg_jw_object_end(&w);
	drg_buf_char(out, '\n');
}
