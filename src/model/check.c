#include "model/check.h"

#include "model/content.h"
#include "model/value.h"
#include "text/json_scan.h"

/* An object, stored byte for byte as received. */
static int record_check_raw(const struct drg_field_def *f, struct drg_str text, struct drg_arena *arena,
                            struct drg_err *reterr)
{
	struct drg_json_item v;
	int rc = drg_json_scan_document(text, arena, &v, reterr);
	return rc == DRG_OK && v.type != DRG_JSON_OBJECT
	               ? drg_value_fail(reterr, f, DRG_R(wrong_type), "something else")
	               : rc;
}

static int record_check_value(const struct drg_record *r, const struct drg_field_def *f,
                              struct drg_err *reterr)
{
	const union drg_value v = *drg_record_value(r, f);
	struct drg_arena arena;
	if (f->vtype == DRG_V_JSON)
		return drg_content_check(f, v.s, reterr);
	if (f->vtype != DRG_V_RAW)
		return drg_value_check(f, v, reterr);
	drg_arena_init(&arena, SIZE_MAX);
	int rc = record_check_raw(f, v.s, &arena, reterr);
	drg_arena_done(&arena);
	return rc;
}

/* Name the record in the message. */
static int record_fail(const struct drg_record *r, const struct drg_field_def *f, int rc,
                       const struct drg_err *e, struct drg_err *reterr)
{
	char label[160];
	const char *field = e->field[0] != '\0' ? e->field : f->wire;
	return drg_fail(reterr, rc, drg_reason_find(e->reason), field, "%s: %s: %s",
	                drg_record_label(r, label, sizeof label), field, e->message);
}

int drg_record_check(const struct drg_record *r, struct drg_err *reterr)
{
	const struct drg_type *t = r->type;
	const unsigned needed = r->deleted ? DRG_FF_ID : DRG_FF_ID | DRG_FF_REQUIRED;
	const enum drg_kind kind = drg_record_kind(r);
	uint64_t rest = r->has; /* fields that are not checked yet */
	struct drg_err e;
	e.field[0] = '\0';
	int rc = DRG_OK;
	if (t->kinds != 0 && !drg_kind_in(t->kinds, kind))
		return drg_fail(reterr, DRG_EINVAL, NULL, "kind", "%s: kind: expected a kind of it", t->name);
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		const bool has = drg_record_has_value(r, f);
		if ((!has && (f->flags & needed) == 0) || !drg_field_applies(f, kind))
			continue;
		rest &= ~drg_field_bit(f->field);
		if (!has)
			rc = drg_value_fail(&e, f, DRG_R(missing_field), "nothing");
		else if (!r->deleted)
			rc = record_check_value(r, f, &e);
		if (rc != DRG_OK)
			return record_fail(r, f, rc, &e, reterr);
	}
	if (!r->deleted && rest != 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s %s has a field that belongs to another type", t->name,
		                drg_kind_name(kind));
	return DRG_OK;
}
