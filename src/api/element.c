#include "api/element.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/value.h"

#define REQ DRG_FF_REQUIRED
#define OR_NULL DRG_FF_NULL /* with REQ: must be there, and may be null */
#define DEF DRG_FF_DEFAULT
#define EMPTY DRG_ELEMENT_EMPTY
#define K(kind) (1U << DRG_KIND_##kind)
#define LISTS (DRG_KINDS_SOURCE & ~K(HOTEL))
#define ROW(field, wire, type, flags, min, max, kinds)                                                       \
	{                                                                                                    \
		field, wire, type, flags, min, max, 0, NULL, DRG_REF_NONE, kinds, NULL                       \
	}

/* The tables of spec 4.2, in the order of the echo. */
/* clang-format off */
static const struct drg_field_def source_add[] = {
	ROW(DRG_F_SOURCE_ID,       "id",            DRG_V_SRCID, REQ,           1, DRG_CHARS_ID,  0),
	ROW(DRG_F_NAME,            "name",          DRG_V_TEXT,  REQ,           1, DRG_CHARS_NAME, LISTS),
	ROW(DRG_F_NAME,            "name",          DRG_V_TEXT,  REQ,           1, 255,  K(HOTEL)),
	ROW(DRG_F_ISO_CODE,        "iso_code",      DRG_V_TEXT,  REQ | OR_NULL, 3, 3,    K(CURRENCY)),
	ROW(DRG_F_IS_RESORT,       "is_resort",     DRG_V_BOOL,  DEF,           0, 1,    K(CITY)),
	ROW(DRG_F_SRC_CATEGORY_ID, "category_id",   DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_CATEGORY_NAME,   "category_name", DRG_V_TEXT,  REQ | EMPTY,   0, 255,  K(HOTEL)),
	ROW(DRG_F_SRC_COUNTRY_ID,  "country_id",    DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(CITY)),
	ROW(DRG_F_COUNTRY_NAME,    "country_name",  DRG_V_TEXT,  0,             1, 255,  K(CITY)),
	ROW(DRG_F_SRC_COUNTRY_ID,  "country_id",    DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_COUNTRY_NAME,    "country_name",  DRG_V_TEXT,  REQ | EMPTY,   0, 255,  K(HOTEL)),
	ROW(DRG_F_SRC_CITY_ID,     "city_id",       DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_CITY_NAME,       "city_name",     DRG_V_TEXT,  REQ | EMPTY,   0, 255,  K(HOTEL)),
};

static const struct drg_field_def compared[] = {
	ROW(DRG_F_SOURCE_ID,       "id",            DRG_V_SRCID, REQ,           1, DRG_CHARS_ID,  0),
	ROW(DRG_F_NAME,            "name",          DRG_V_TEXT,  REQ,           1, DRG_CHARS_NAME, 0),
	ROW(DRG_F_ISO_CODE,        "iso_code",      DRG_V_TEXT,  REQ | OR_NULL | EMPTY, 3, 3, K(CURRENCY)),
	ROW(DRG_F_IS_RESORT,       "is_resort",     DRG_V_BOOL,  DEF,           0, 1,    K(CITY)),
	ROW(DRG_F_SRC_CATEGORY_ID, "category_id",   DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_CATEGORY_NAME,   "category_name", DRG_V_TEXT,  0,             1, DRG_CHARS_NAME, K(HOTEL)),
	ROW(DRG_F_SRC_COUNTRY_ID,  "country_id",    DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_COUNTRY_NAME,    "country_name",  DRG_V_TEXT,  0,             1, DRG_CHARS_NAME, K(HOTEL)),
	ROW(DRG_F_SRC_CITY_ID,     "city_id",       DRG_V_SRCID, 0,             1, DRG_CHARS_ID,  K(HOTEL)),
	ROW(DRG_F_CITY_NAME,       "city_name",     DRG_V_TEXT,  0,             1, DRG_CHARS_NAME, K(HOTEL)),
};
/* clang-format on */
_Static_assert(DRG_ARRAY_LEN(source_add) <= DRG_ELEMENT_FIELDS, "an element has room for each field");
_Static_assert(DRG_ARRAY_LEN(compared) <= DRG_ELEMENT_FIELDS, "an element has room for each field");

const struct drg_element_table drg_source_add_elements = { source_add, DRG_ARRAY_LEN(source_add) };
const struct drg_element_table drg_compared_elements = { compared, DRG_ARRAY_LEN(compared) };

/* ---- reading -------------------------------------------------------------------------------------------- */

struct element_reading {
	struct drg_element *e;
	struct drg_arena *arena;
	const struct drg_element_ignored *ignored;
	unsigned seen; /* bit per field: it was sent, be it as null ... */
	unsigned empty; /* ... or as an empty text */
	struct drg_json_item id; /* as sent */
	struct drg_err err; /* the first rule that was broken */
	int rc;
};

int drg_element_refuse(struct drg_element *e, struct drg_arena *arena, const struct drg_reason *reason,
                       const char *fmt, ...)
{
	char text[900];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	e->state = DRG_ELEMENT_REFUSED;
	e->reason = reason;
	e->message = drg_arena_str(arena, drg_str_c(text)).p;
	return e->message != NULL ? DRG_OK : DRG_ENOMEM;
}

/* Members mostly come in the order of the table, so the search goes on where the last one was found. */
static int element_find_field(const struct element_reading *r, struct drg_str name, unsigned *at)
{
	const struct drg_element_table *t = r->e->table;
	for (unsigned i = 0; i < t->n; i++) {
		unsigned k = *at;
		*at = k + 1 < t->n ? k + 1 : 0;
		if (drg_field_applies(&t->fields[k], r->e->kind) &&
		    drg_str_eq(name, drg_str_c(t->fields[k].wire)))
			return (int)k;
	}
	return -1;
}

/* A text that is empty, and may be: it counts as not sent, as an empty parameter does (L6, M22). */
static bool is_empty(const struct drg_field_def *f, const struct drg_json_item *v)
{
	bool may_be = (f->flags & REQ) == 0 || (f->flags & EMPTY) != 0;
	return may_be && drg_value_is_text(f->vtype) && v->type == DRG_JSON_STRING && v->s.n == 0;
}

static void element_read_field(struct element_reading *r, unsigned i, const struct drg_json_item *v)
{
	const struct drg_field_def *f = &r->e->table->fields[i];
	r->seen |= 1U << i;
	if (i == 0)
		r->id = *v;
	if (is_empty(f, v))
		r->empty |= 1U << i;
	else if (v->type != DRG_JSON_NULL && r->rc == DRG_OK) {
		r->rc = drg_value_read(f, v, r->arena, &r->e->v[i], &r->err);
		if (r->rc == DRG_OK)
			r->e->has |= 1U << i;
	}
}

static int element_read_members(struct element_reading *r, const struct drg_json_item *object)
{
	struct drg_json_walk w;
	struct drg_json_item v;
	struct drg_str name;
	unsigned at = 0;
	int rc;
	drg_json_walk_init(&w, object, r->arena);
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		int i = element_find_field(r, name, &at);
		if (i >= 0)
			element_read_field(r, (unsigned)i, &v);
		else
			r->ignored->note(r->ignored->ctx, r->e->kind, name);
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Reject missing fields, and fill in defaults for fields that were not sent. */
static void element_complete(struct element_reading *r)
{
	struct drg_element *e = r->e;
	for (unsigned i = 0; i < e->table->n && r->rc == DRG_OK; i++) {
		const struct drg_field_def *f = &e->table->fields[i];
		bool sent = (r->seen >> i & 1) != 0;
		if ((e->has >> i & 1) != 0 || !drg_field_applies(f, e->kind))
			continue;
		bool none = sent && ((f->flags & OR_NULL) != 0 || (r->empty >> i & 1) != 0);
		if ((f->flags & REQ) != 0 && !none) {
			r->rc = drg_value_fail(&r->err, f, DRG_R(missing_field), sent ? "null" : "nothing");
		} else if ((f->flags & DEF) != 0) {
			e->v[i].i = f->dflt;
			e->has |= 1U << i;
		}
	}
}

static int set_key(struct element_reading *r)
{
	char text[DRG_I64_TEXT];
	if (r->id.type == DRG_JSON_STRING || r->id.type == DRG_JSON_BIG_INT)
		r->e->key = r->id.s;
	else if (r->id.type == DRG_JSON_INT)
		r->e->key = drg_arena_str(r->arena, drg_str(text, drg_i64_text(r->id.i, text)));
	else
		return DRG_OK;
	return r->e->key.p != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_element_read(const struct drg_element_table *table, enum drg_kind kind,
                     const struct drg_json_item *item, struct drg_arena *arena,
                     const struct drg_element_ignored *ignored, struct drg_element *ret)
{
	struct element_reading r = {
		.e = ret, .arena = arena, .ignored = ignored, .id = { .type = DRG_JSON_NULL }
	};
	char found[160];
	*ret = (struct drg_element){ .kind = kind, .table = table };
	int rc = DRG_OK;
	if (item->type == DRG_JSON_OBJECT) {
		rc = element_read_members(&r, item);
		element_complete(&r);
	} else {
		r.rc = drg_fail(&r.err, DRG_EINVAL, DRG_R(wrong_type), "element",
		                "expected an object, found %s",
		                drg_json_item_describe(item, found, sizeof found));
	}
	if (rc == DRG_OK)
		rc = set_key(&r);
	if (rc == DRG_OK && r.rc == DRG_EINVAL)
		rc = drg_element_refuse(ret, arena, drg_reason_find(r.err.reason), "%s: %s", r.err.field,
		                        r.err.message);
	return r.rc == DRG_ENOMEM ? DRG_ENOMEM : rc;
}

/* ---- comparing ------------------------------------------------------------------------------------------ */

static bool same_field(const struct drg_element *a, const struct drg_element *b, unsigned i)
{
	bool has = (a->has >> i & 1) != 0;
	if (!has || ((a->has ^ b->has) >> i & 1) != 0)
		return !has && (b->has >> i & 1) == 0;
	return drg_value_is_text(a->table->fields[i].vtype) ? drg_str_eq(a->v[i].s, b->v[i].s)
	                                                    : a->v[i].i == b->v[i].i;
}

bool drg_element_same(const struct drg_element *a, const struct drg_element *b)
{
	assert(a->table == b->table && a->kind == b->kind);
	bool same = a->state == b->state;
	for (unsigned i = 0; i < a->table->n && same; i++)
		same = same_field(a, b, i);
	return same && (a->state != DRG_ELEMENT_REFUSED || strcmp(a->message, b->message) == 0);
}

/* ---- echo ----------------------------------------------------------------------------------------------- */

void drg_element_json(const struct drg_element *e, struct drg_jw *w)
{
	drg_jw_object(w);
	for (unsigned i = 0; i < e->table->n; i++) {
		const struct drg_field_def *f = &e->table->fields[i];
		if (!drg_field_applies(f, e->kind))
			continue;
		drg_jw_key(w, f->wire);
		if ((e->has >> i & 1) == 0 && (f->flags & (REQ | OR_NULL)) == REQ)
			drg_jw_str(w, DRG_STR("")); /* as sent: a required text is never null */
		else if ((e->has >> i & 1) == 0)
			drg_jw_null(w);
		else if (f->vtype == DRG_V_BOOL)
			drg_jw_bool(w, e->v[i].i != 0);
		else
			drg_jw_str(w, e->v[i].s);
	}
	drg_jw_object_end(w);
}
