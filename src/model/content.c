#include "model/content.h"

#include <assert.h>
#include <stdio.h>

#include "model/value.h"

enum { TEXT_MAX_CHARS = 65536, URL_MAX_CHARS = 2048, MEMBERS_MAX = 4 };

#define NO DRG_F_NONE
#define NOREF DRG_REF_NONE
#define I64 -0x1p63, 0x1p63

/* clang-format off */
static const struct drg_field_def description_fields[] = {
	{ NO, "type_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_DESCRIPTION_TYPE, 0,
	  "the common type; null or absent: not mapped" },
	{ NO, "orig_type", DRG_V_NAMES, 0, 1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
	  "the supplier's name of the type" },
	{ NO, "text", DRG_V_NAMES, DRG_FF_REQUIRED, 1, TEXT_MAX_CHARS, 0, NULL, NOREF, 0,
	  "the description" },
};

static const struct drg_field_def facility_fields[] = {
	{ NO, "group_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_FACILITY_GROUP, 0,
	  "the common group; null or absent: not mapped" },
	{ NO, "orig_group", DRG_V_NAMES, 0, 1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
	  "the supplier's name of the group" },
	{ NO, "items", DRG_V_JSON, DRG_FF_REQUIRED, 0, 0, 0, NULL, NOREF, 0,
	  "the facilities of the group" },
};

static const struct drg_field_def facility_item_fields[] = {
	{ NO, "type_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_FACILITY_TYPE, 0,
	  "the common facility; null or absent: not mapped" },
	{ NO, "orig_type", DRG_V_NAMES, 0, 1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
	  "the supplier's name of the facility" },
	{ NO, "value_type", DRG_V_TEXT, 0, 1, 64, 0, NULL, NOREF, 0, "such as `boolean`, `free_or_paid`" },
	{ NO, "value", DRG_V_TEXT, 0, 1, DRG_CHARS_NAME, 0, NULL, NOREF, 0, "the value, as text" },
};

static const struct drg_field_def photo_fields[] = {
	{ NO, "url", DRG_V_TEXT, DRG_FF_REQUIRED, 1, URL_MAX_CHARS, 0, NULL, NOREF, 0,
	  "address of the picture" },
	{ NO, "is_main", DRG_V_BOOL, DRG_FF_DEFAULT, 0, 1, 0, NULL, NOREF, 0, "whether it is the main one" },
};
/* clang-format on */

/* A field that holds a list, and the fields of the list's objects. */
struct list {
	const char *wire;
	const struct drg_field_def *fields;
	unsigned n_fields;
};

#define LIST(wire, fields)                                                                                   \
	{                                                                                                    \
		wire, fields, DRG_ARRAY_LEN(fields)                                                          \
	}

static const struct list lists[] = {
	LIST("descriptions", description_fields),
	LIST("facilities", facility_fields),
	LIST("items", facility_item_fields),
	LIST("photos", photo_fields),
};

static const struct list *content_list_of(const struct drg_field_def *f)
{
	size_t i = 0;
	while (strcmp(lists[i].wire, f->wire) != 0) {
		i++;
		assert(i < DRG_ARRAY_LEN(lists)); /* a DRG_V_JSON field without a table */
	}
	return &lists[i];
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* One object of a list, its members in the places of the list's table. */
struct object {
	const struct list *list;
	bool given[MEMBERS_MAX];
	struct drg_json_item v[MEMBERS_MAX];
};

static int content_read_list(const struct drg_field_def *f, const struct drg_json_item *v,
                             struct drg_arena *a, struct drg_jw *w, struct drg_err *reterr);

static int content_fail_member(const struct list *l, struct drg_str name, struct drg_err *reterr)
{
	char names[128] = "";
	for (unsigned i = 0; i < l->n_fields; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i == 0 ? "" : ", ",
		         l->fields[i].wire);
	return drg_value_fail_member(reterr, name, l->wire, names);
}

static int content_collect(struct object *o, const struct drg_json_item *v, struct drg_arena *a,
                           struct drg_err *reterr)
{
	struct drg_json_walk w;
	struct drg_str name;
	struct drg_json_item member;
	int rc;
	drg_json_walk_init(&w, v, a);
	while ((rc = drg_json_walk_next(&w, &name, &member)) == DRG_OK) {
		unsigned i = 0;
		while (i < o->list->n_fields && !drg_str_eq(name, drg_str_c(o->list->fields[i].wire)))
			i++;
		if (i == o->list->n_fields)
			return content_fail_member(o->list, name, reterr);
		if (o->given[i])
			return drg_value_fail(reterr, &o->list->fields[i], DRG_R(duplicate_member),
			                      "it twice");
		o->given[i] = true;
		o->v[i] = member;
	}
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(reterr);
}

static int content_read_member(const struct drg_field_def *f, const struct drg_json_item *v,
                               struct drg_arena *a, struct drg_jw *w, struct drg_err *reterr)
{
	union drg_value value = { .i = f->dflt };
	int rc = DRG_OK;
	bool given = v != NULL && v->type != DRG_JSON_NULL;

	drg_jw_key(w, f->wire);
	if (given && f->vtype == DRG_V_JSON)
		return content_read_list(f, v, a, w, reterr);
	if (given)
		rc = drg_value_read(f, v, a, &value, reterr);
	else if ((f->flags & DRG_FF_REQUIRED) != 0)
		rc = drg_value_fail(reterr, f, DRG_R(missing_field), v != NULL ? "null" : "nothing");
	if (rc != DRG_OK)
		return rc;
	if (given || (f->flags & DRG_FF_DEFAULT) != 0)
		drg_value_write(w, f, value);
	else
		drg_jw_null(w);
	return DRG_OK;
}

static int read_object(const struct list *l, const struct drg_json_item *v, struct drg_arena *a,
                       struct drg_jw *w, struct drg_err *reterr)
{
	char found[512];
	if (v->type != DRG_JSON_OBJECT)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(wrong_type), NULL, "expected an object, found %s",
		                drg_json_item_describe(v, found, sizeof found));
	struct object o = { .list = l };
	int rc = content_collect(&o, v, a, reterr);
	drg_jw_object(w);
	for (unsigned i = 0; i < l->n_fields && rc == DRG_OK; i++)
		rc = content_read_member(&l->fields[i], o.given[i] ? &o.v[i] : NULL, a, w, reterr);
	drg_jw_object_end(w);
	return rc;
}

/* Put "facilities[3]." before the field that an item's error names. */
static int fail_in_item(struct drg_err *err, const struct drg_field_def *f, size_t at, int rc)
{
	if (err == NULL || rc != DRG_EINVAL)
		return rc;
	char path[sizeof err->field + 64];
	snprintf(path, sizeof path, "%s[%zu]%s%s", f->wire, at, err->field[0] != '\0' ? "." : "", err->field);
	return drg_fail(err, rc, drg_reason_find(err->reason), path, "%s", err->message);
}

static int content_read_list(const struct drg_field_def *f, const struct drg_json_item *v,
                             struct drg_arena *a, struct drg_jw *w, struct drg_err *reterr)
{
	char found[512];
	if (v->type != DRG_JSON_ARRAY)
		return drg_value_fail(reterr, f, DRG_R(wrong_type),
		                      drg_json_item_describe(v, found, sizeof found));
	struct drg_json_walk walk;
	struct drg_json_item item;
	int rc;
	drg_jw_array(w);
	drg_json_walk_init(&walk, v, a);
	for (size_t i = 0; (rc = drg_json_walk_next(&walk, NULL, &item)) == DRG_OK; i++) {
		rc = read_object(content_list_of(f), &item, a, w, reterr);
		if (rc != DRG_OK)
			return fail_in_item(reterr, f, i, rc);
	}
	drg_jw_array_end(w);
	return rc == DRG_ENOENT ? DRG_OK : drg_fail_memory(reterr);
}

int drg_content_read(const struct drg_field_def *f, const struct drg_json_item *v, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	int rc = content_read_list(f, v, arena, &w, reterr);
	struct drg_str text = { 0 };
	if (rc == DRG_OK && b.rc == DRG_OK)
		text = drg_arena_str(arena, drg_buf_view(&b));
	drg_buf_done(&b);
	if (rc != DRG_OK)
		return rc;
	if (text.p == NULL)
		return drg_fail_memory(reterr);
	*ret = text;
	return DRG_OK;
}

/* ---- stored values ------------------------------------------------------------------------------------- */

static int content_take_list(const struct drg_field_def *f, struct drg_str *rest, struct drg_err *reterr)
{
	const struct list *l = content_list_of(f);
	struct drg_str next = DRG_STR("[");
	bool ok = true;
	if (drg_kept_take(rest, DRG_STR("[]")))
		return DRG_OK;
	for (size_t n = 0; ok && drg_kept_take(rest, next); n++) {
		for (unsigned i = 0; i < l->n_fields && ok; i++) {
			const struct drg_field_def *member = &l->fields[i];
			ok = drg_kept_take(rest, i == 0 ? DRG_STR("{\"") : DRG_STR(",\"")) &&
			     drg_kept_take(rest, drg_str_c(member->wire)) &&
			     drg_kept_take(rest, DRG_STR("\":"));
			int rc = !ok                           ? DRG_OK
			         : member->vtype != DRG_V_JSON ? drg_value_take(member, rest, reterr)
			         : (member->flags & DRG_FF_REQUIRED) == 0 &&
			                         drg_kept_take(rest, DRG_STR("null"))
			                 ? DRG_OK
			                 : content_take_list(member, rest, reterr);
			if (rc != DRG_OK)
				return fail_in_item(reterr, f, n, rc);
		}
		ok = ok && drg_kept_take(rest, DRG_STR("}"));
		next = DRG_STR(",");
	}
	return ok && drg_kept_take(rest, DRG_STR("]"))
	               ? DRG_OK
	               : drg_value_fail(reterr, f, DRG_R(invalid_format),
	                                "it in another form than the canonical one");
}

int drg_content_check(const struct drg_field_def *f, struct drg_str text, struct drg_err *reterr)
{
	int rc = content_take_list(f, &text, reterr);
	return rc == DRG_OK && text.n > 0 ? drg_value_fail(reterr, f, DRG_R(invalid_format), "text after it")
	                                  : rc;
}

/* ---- references ---------------------------------------------------------------------------------------- */

bool drg_content_names(enum drg_kind kind)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(lists); i++)
		for (unsigned k = 0; k < lists[i].n_fields; k++)
			if (lists[i].fields[k].ref == (int)kind)
				return true;
	return false;
}

static void list_refs(const struct drg_field_def *f, const char *path, const json_t *v, drg_ref_fn *fn,
                      void *ctx)
{
	const struct list *l = content_list_of(f);
	for (size_t i = 0; i < json_array_size(v); i++) {
		for (unsigned k = 0; k < l->n_fields; k++) {
			const struct drg_field_def *member = &l->fields[k];
			const json_t *value = json_object_get(json_array_get(v, i), member->wire);
			char at[128];
			snprintf(at, sizeof at, "%s[%zu].%s", path, i, member->wire);
			if (member->vtype == DRG_V_JSON)
				list_refs(member, at, value, fn, ctx);
			else if (member->ref != NOREF && json_is_integer(value))
				fn(ctx, member->ref, json_integer_value(value), drg_str(NULL, 0), at);
		}
	}
}

int drg_content_refs(const struct drg_field_def *f, struct drg_str text, drg_ref_fn *fn, void *ctx)
{
	json_t *v = json_loadb(text.p, text.n, 0, NULL);
	if (v == NULL)
		return DRG_ENOMEM;
	list_refs(f, f->wire, v, fn, ctx);
	json_decref(v);
	return DRG_OK;
}

/* ---- other references ---------------------------------------------------------------------------------- */

/* @return how many ids have changed. */
static size_t relink_list(const struct drg_field_def *f, json_t *v, drg_relink_fn *fn, void *ctx)
{
	const struct list *l = content_list_of(f);
	size_t changed = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		for (unsigned k = 0; k < l->n_fields; k++) {
			const struct drg_field_def *member = &l->fields[k];
			json_t *value = json_object_get(json_array_get(v, i), member->wire);
			if (member->vtype == DRG_V_JSON) {
				changed += relink_list(member, value, fn, ctx);
			} else if (member->ref != NOREF && json_is_integer(value)) {
				int64_t id = json_integer_value(value);
				int64_t now = fn(ctx, (enum drg_kind)member->ref, id);
				changed += now != id;
				json_integer_set(value, now);
			}
		}
	}
	return changed;
}

int drg_content_relink(const struct drg_field_def *f, drg_relink_fn *fn, void *ctx, struct drg_arena *arena,
                       struct drg_str *text, bool *changed)
{
	json_t *v = json_loadb(text->p, text->n, 0, NULL);
	if (v == NULL)
		return DRG_ENOMEM;
	int rc = DRG_OK;
	if (relink_list(f, v, fn, ctx) > 0) {
		struct drg_buf b;
		drg_buf_init(&b, SIZE_MAX);
		drg_json_value(&b, v);
		struct drg_str now =
		        b.rc == DRG_OK ? drg_arena_str(arena, drg_buf_view(&b)) : drg_str(NULL, 0);
		drg_buf_done(&b);
		*changed = true;
		rc = now.p != NULL ? DRG_OK : DRG_ENOMEM;
		if (rc == DRG_OK)
			*text = now;
	}
	json_decref(v);
	return rc;
}
