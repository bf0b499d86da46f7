#include "curate/reference/merge_priv.h"
#include "model/names.h"

/* A dict record, a redirect with its journal and such; one hotel content. */
enum { ARENA_BYTES = 256 << 20, SCRATCH_BYTES = 64 << 20 };

int drg_merging_begin(struct drg_merging *x, struct drg_txn *t, struct drg_err *reterr)
{
	x->txn = t;
	x->s = drg_txn_store(t);
	drg_arena_init(&x->arena, ARENA_BYTES);
	drg_arena_init(&x->scratch, SCRATCH_BYTES);
	drg_buf_init(&x->referrers, SIZE_MAX);
	const struct drg_audit audit = { .by = x->m->by, .why = x->m->why };
	int rc = drg_audit_check(&audit, reterr);
	return rc == DRG_OK ? drg_txn_lock_imports(t, reterr) : rc;
}

void drg_merging_done(struct drg_merging *x)
{
	drg_buf_done(&x->referrers);
	drg_arena_done(&x->scratch);
	drg_arena_done(&x->arena);
}

int drg_merging_put(struct drg_merging *x, const struct drg_record *r, struct drg_err *reterr)
{
	enum drg_put_result result;
	return drg_txn_put(x->txn, r, &result, reterr);
}

int drg_merging_keep(struct drg_merging *x, enum drg_dict_how how, const struct drg_record *was,
                     const struct drg_record *is, struct drg_err *reterr)
{
	const struct drg_dict_event e = { .kind = x->m->kind,
		                          .id = x->m->from,
		                          .how = how,
		                          .was = drg_main_name(was, &x->arena),
		                          .is = drg_main_name(is, &x->arena),
		                          .into = x->sums.into,
		                          .by = x->m->by,
		                          .why = x->m->why };
	return drg_dict_event_put(x->txn, &e, reterr);
}
