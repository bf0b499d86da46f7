#include "decide/reference/merge_priv.h"
#include "model/names.h"

/* ARENA_BYTES: for a dict record, a redirect with its journal and the like. SCRATCH_BYTES: for one hotel
 * content. */
enum { ARENA_BYTES = 256 << 20, SCRATCH_BYTES = 64 << 20 };

void drg_merging_begin(struct drg_merging *x, struct drg_verb_run *v, const struct drg_decision *d)
{
	x->v = v;
	x->d = d;
	x->txn = v->txn;
	x->s = v->s;
	drg_arena_init(&x->arena, ARENA_BYTES);
	drg_arena_init(&x->scratch, SCRATCH_BYTES);
	drg_buf_init(&x->referrers, SIZE_MAX);
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
	struct drg_str was_name, is_name;
	int rc = drg_main_name(was, &x->arena, &was_name);
	if (rc == DRG_OK)
		rc = drg_main_name(is, &x->arena, &is_name);
	if (rc != DRG_OK)
		return drg_fail_memory(reterr);
	const struct drg_dict_event e = { .kind = x->d->kind,
		                          .id = x->d->dict_id,
		                          .how = how,
		                          .was = was_name,
		                          .is = is_name,
		                          .into = x->sums.into,
		                          .by = x->v->ledger->by,
		                          .why = x->v->why };
	return drg_dict_event_put(x->txn, &e, reterr);
}
