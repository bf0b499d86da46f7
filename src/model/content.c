#include "model/content.h"

#include <assert.h>
#include <stdio.h>

#include "model/value.h"

enum { NAME_MAX_CHARS = 1024, TEXT_MAX_CHARS = 65536, URL_MAX_CHARS = 2048 };

#define NO DRG_F_NONE
#define NOREF DRG_REF_NONE
#define I64 -0x1p63, 0x1p63

/* clang-format off: a table reads by its columns, which are those of model.c */
static const struct drg_field_def description_fields[] = {
	{ NO, "type_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_DESCRIPTION_TYPE, 0,
	  "dict description_type; null: not mapped" },
	{ NO, "orig_type", DRG_V_NAMES, 0, 1, NAME_MAX_CHARS, 0, NULL, NOREF, 0,
	  "the supplier's name of the type, by language" },
	{ NO, "text", DRG_V_NAMES, DRG_FF_REQUIRED, 1, TEXT_MAX_CHARS, 0, NULL, NOREF, 0,
	  "the description by language" },
};

static const struct drg_field_def facility_fields[] = {
	{ NO, "group_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_FACILITY_GROUP, 0,
	  "dict facility_group; null: not mapped" },
	{ NO, "orig_group", DRG_V_NAMES, 0, 1, NAME_MAX_CHARS, 0, NULL, NOREF, 0,
	  "the supplier's name of the group, by language" },
	{ NO, "items", DRG_V_JSON, DRG_FF_REQUIRED, 0, 0, 0, NULL, NOREF, 0,
	  "array of {type_id, orig_type, value_type, value}" },
};

static const struct drg_field_def facility_item_fields[] = {
	{ NO, "type_id", DRG_V_INT, 0, I64, 0, NULL, DRG_KIND_FACILITY_TYPE, 0,
	  "dict facility_type; null: not mapped" },
	{ NO, "orig_type", DRG_V_NAMES, 0, 1, NAME_MAX_CHARS, 0, NULL, NOREF, 0,
	  "the supplier's name of the facility, by language" },
	{ NO, "value_type", DRG_V_TEXT, 0, 1, 64, 0, NULL, NOREF, 0, "boolean, free_or_paid, ..." },
	{ NO, "value", DRG_V_TEXT, 0, 1, NAME_MAX_CHARS, 0, NULL, NOREF, 0, "the value, as text" },
};

static const struct drg_field_def photo_fields[] = {
	{ NO, "url", DRG_V_TEXT, DRG_FF_REQUIRED, 1, URL_MAX_CHARS, 0, NULL, NOREF, 0,
	  "address of the picture" },
	{ NO, "is_main", DRG_V_BOOL, DRG_FF_DEFAULT, 0, 1, 0, NULL, NOREF, 0, "is it the main one" },
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

static const struct list *list_of(const struct drg_field_def *f)
{
	size_t i = 0;
	while (strcmp(lists[i].wire, f->wire) != 0) {
		i++;
		assert(i < DRG_ARRAY_LEN(lists)); /* a DRG_V_JSON field without a table */
	}
	return &lists[i];
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static int read_list(const struct drg_field_def *f, const json_t *v, struct drg_arena *a, struct drg_jw *w,
                     struct drg_err *reterr);

static int check_members(const struct list *l, json_t *object, struct drg_err *reterr)
{
	for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
		unsigned k = 0;
		while (k < l->n_fields && strcmp(l->fields[k].wire, json_object_iter_key(i)) != 0)
			k++;
		if (k < l->n_fields)
			continue;
		char names[128] = "";
		for (k = 0; k < l->n_fields; k++)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
			         k == 0 ? "" : ", ", l->fields[k].wire);
		return drg_fail(reterr, DRG_EINVAL, "unknown_field", json_object_iter_key(i),
		                "expected only the members %s, found another one", names);
	}
	return DRG_OK;
}

static int read_member(const struct drg_field_def *f, const json_t *v, struct drg_arena *a, struct drg_jw *w,
                       struct drg_err *reterr)
{
	union drg_value value = { .i = f->dflt };
	int rc = DRG_OK;
	bool given = v != NULL && !json_is_null(v);

	drg_jw_key(w, f->wire);
	if (given && f->vtype == DRG_V_JSON)
		return read_list(f, v, a, w, reterr);
	if (given)
		rc = drg_value_read(f, v, a, &value, reterr);
	else if ((f->flags & DRG_FF_REQUIRED) != 0)
		rc = drg_value_fail(reterr, f, "missing_field", v != NULL ? "null" : "nothing");
	if (rc != DRG_OK)
		return rc;
	if (given || (f->flags & DRG_FF_DEFAULT) != 0)
		drg_value_write(w, f, value);
	else
		drg_jw_null(w);
	return DRG_OK;
}

static int read_object(const struct list *l, json_t *v, struct drg_arena *a, struct drg_jw *w,
                       struct drg_err *reterr)
{
	int rc = check_members(l, v, reterr);
	drg_jw_object(w);
	for (unsigned i = 0; i < l->n_fields && rc == DRG_OK; i++)
		rc = read_member(&l->fields[i], json_object_get(v, l->fields[i].wire), a, w, reterr);
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
	return drg_fail(err, rc, err->reason, path, "%s", err->message);
}

static int read_list(const struct drg_field_def *f, const json_t *v, struct drg_arena *a, struct drg_jw *w,
                     struct drg_err *reterr)
{
	char found[512];
	if (!json_is_array(v))
		return drg_value_fail(reterr, f, "wrong_type", drg_json_describe(v, found, sizeof found));
	drg_jw_array(w);
	for (size_t i = 0; i < json_array_size(v); i++) {
		json_t *item = json_array_get(v, i);
		int rc = json_is_object(item) ? read_object(list_of(f), item, a, w, reterr)
		                              : drg_fail(reterr, DRG_EINVAL, "wrong_type", NULL,
		                                         "expected an object, found %s",
		                                         drg_json_describe(item, found, sizeof found));
		if (rc != DRG_OK)
			return fail_in_item(reterr, f, i, rc);
	}
	drg_jw_array_end(w);
	return DRG_OK;
}

int drg_content_read(const struct drg_field_def *f, const json_t *v, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	int rc = read_list(f, v, arena, &w, reterr);
	struct drg_str text = { 0 };
	if (rc == DRG_OK && b.rc == DRG_OK)
		text = drg_arena_str(arena, drg_buf_view(&b));
	drg_buf_done(&b);
	if (rc != DRG_OK)
		return rc;
	if (text.p == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	*ret = text;
	return DRG_OK;
}

/* ---- references ---------------------------------------------------------------------------------------- */

static void list_refs(const struct drg_field_def *f, const char *path, const json_t *v, drg_ref_fn *fn,
                      void *ctx)
{
	const struct list *l = list_of(f);
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

void drg_content_refs(const struct drg_field_def *f, struct drg_str text, drg_ref_fn *fn, void *ctx)
{
	json_t *v = json_loadb(text.p, text.n, 0, NULL);
	list_refs(f, f->wire, v, fn, ctx);
	json_decref(v);
}
