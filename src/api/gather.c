#include "api/gather.h"

int drg_copied_init(struct drg_copied *g, struct drg_arena *arena, size_t max)
{
	*g = (struct drg_copied){ .arena = arena, .max = max };
	g->v = drg_arena_alloc(arena, max * sizeof *g->v);
	return g->v != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_copied_take(void *gathered, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_copied *g = gathered;
	g->more = g->n == g->max;
	if (g->more)
		return DRG_ELIMIT;
	g->v[g->n].seq = m->seq;
	return drg_record_copy(g->arena, r, &g->v[g->n++].r);
}

int drg_copied_rc(const struct drg_copied *g, int rc)
{
	return rc == DRG_ELIMIT && g->more ? DRG_OK : rc;
}

int drg_gather_one(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
                   struct drg_record_at *ret, struct drg_err *reterr)
{
	struct drg_rows rows;
	ret->r.type = NULL;
	ret->seq = 0;
	drg_rows_get(&rows, s, key, reterr);
	if (drg_rows_next(&rows)) {
		ret->seq = rows.row.m.seq;
		rows.rc = drg_record_copy(arena, &rows.row.r, &ret->r);
	}
	return drg_rows_end(&rows);
}
