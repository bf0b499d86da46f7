#include "model/relink.h"

#include "model/content.h"

static int relink_field(struct drg_record *r, const struct drg_field_def *f, drg_relink_fn *fn, void *ctx,
                        struct drg_arena *arena, bool *changed)
{
	union drg_value *v = drg_record_room(r, f);
	if (f->vtype == DRG_V_JSON)
		return drg_content_relink(f, fn, ctx, arena, &v->s, changed);
	int kind = f->ref == DRG_REF_OWN_KIND ? (int)drg_record_kind(r) : f->ref;
	if (kind < 0) /* no reference, or not to a dict record */
		return DRG_OK;
	int64_t now = fn(ctx, (enum drg_kind)kind, v->i);
	*changed = *changed || now != v->i;
	v->i = now;
	return DRG_OK;
}

int drg_record_relink(struct drg_record *r, drg_relink_fn *fn, void *ctx, struct drg_arena *arena,
                      bool *ret_changed)
{
	bool changed = false;
	int rc = DRG_OK;
	for (unsigned i = 0; i < r->type->n_fields && rc == DRG_OK && !r->deleted; i++)
		if (drg_record_has_value(r, &r->type->fields[i]))
			rc = relink_field(r, &r->type->fields[i], fn, ctx, arena, &changed);
	if (rc == DRG_OK)
		*ret_changed = changed;
	return rc;
}
