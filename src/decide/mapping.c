/* Decisions about the mapping of one source (M16 and M17): map, clear, undo; and drg_verb_map_to(), by which
 * all verbs change a mapping. */
#include "decide/mapping.h"

#include <assert.h>

#include "decide/apart.h"
#include "decide/standing.h"
#include "decide/suggest.h"
#include "decide/verb.h"

int drg_mapping_fail_unknown(struct drg_store *s, const struct drg_mapping_source *of, struct drg_err *reterr)
{
	struct drg_record adapter;
	drg_key_adapter(&adapter, of->adapter);
	int rc = drg_store_exists(s, &adapter, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_adapter), "adapter_id", "there is no adapter %lld",
		                (long long)of->adapter);
	return rc != DRG_OK ? rc
	                    : drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_source), "id",
	                               "adapter %lld has no %s \"%.*s\"", (long long)of->adapter,
	                               drg_kind_name(of->kind), DRG_STR_ARG(of->id));
}

int drg_verb_put(struct drg_verb_run *x, const struct drg_record *r, struct drg_err *reterr)
{
	assert(x->ledger != NULL && x->txn != NULL);
	enum drg_put_result result;
	return drg_ledger_put(x->ledger, x->txn, r, &result, reterr);
}

/* ---- map, clear ---------------------------------------------------------------------------------------- */

/* Put the source. Its new event must have a later time than the events that it has. */
static int mapping_put(struct drg_verb_run *x, const int64_t *dict_id, struct drg_err *reterr)
{
	int64_t next, *last = &x->ledger->state.last_us;
	drg_source_set_mapping(&x->source, dict_id);
	int rc = drg_event_next_at(x->s, &x->source, 0, &next, reterr);
	if (rc != DRG_OK)
		return rc;
	*last = next - 1 > *last ? next - 1 : *last;
	return drg_verb_put(x, &x->source, reterr);
}

int drg_verb_map_to(struct drg_verb_run *x, struct drg_decision *d, const int64_t *dict_id,
                    struct drg_err *reterr)
{
	assert(x->source.type->id == DRG_TYPE_SOURCE && !x->source.deleted);
	struct drg_decision_result *is = &d->is;
	int64_t live = 0;
	int rc = dict_id != NULL ? drg_resolve(x->s, d->kind, *dict_id, &live, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	if (d->keeps && is->was_mapped && dict_id != NULL && live != is->was)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is mapped to %lld by now: map set changes that", (long long)is->was);
	is->is_mapped = dict_id != NULL;
	is->is = live;
	is->asked = dict_id != NULL ? *dict_id : 0;
	is->redirected = is->asked != live;
	is->changed = is->is_mapped != is->was_mapped || (is->is_mapped && live != is->was);
	if (is->is_mapped)
		rc = drg_not_same_remove(x, live, &is->was_apart, reterr);
	if (rc == DRG_OK && is->changed)
		rc = mapping_put(x, is->is_mapped ? &live : NULL, reterr);
	/* A mapping that a person removed stays removed. A mapping that a person undid makes the source an
	 * open question again (decision M34). */
	return rc == DRG_OK && is->changed && !is->is_mapped && x->how == DRG_HOW_UNDO
	               ? drg_suggest_reopen(x->txn, &x->source, &is->was, reterr)
	               : rc;
}

int drg_verb_map(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	return drg_verb_map_to(x, d, &d->dict_id, reterr);
}

int drg_verb_clear(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	return drg_verb_map_to(x, d, NULL, reterr);
}

/* ---- undo ---------------------------------------------------------------------------------------------- */

/* The last event of a source. */
struct last {
	bool any, had_from, had_to;
	int64_t from, to;
	struct drg_event_gist is;
};

static int take_last(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(struct last *)ctx = (struct last){
		.any = true,
		.had_from = drg_record_has(r, DRG_F_FROM),
		.had_to = drg_record_has(r, DRG_F_TO),
		.from = drg_record_i(r, DRG_F_FROM, 0),
		.to = drg_record_i(r, DRG_F_TO, 0),
		.is = drg_event_gist(r),
	};
	return DRG_OK;
}

static int can_be_undone(const struct drg_decision *d, const struct last *l, struct drg_err *reterr)
{
	if (!l->any)
		return drg_fail(reterr, DRG_ENOENT, DRG_R(no_decision), NULL,
		                "there is no decision about this source that could be undone");
	if (l->is.how == DRG_HOW_MERGE)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(merged), NULL,
		                "its last change came from a merge: dragoman dict split %s %lld undoes that",
		                drg_kind_name(d->kind), (long long)l->from);
	if (l->is.how == DRG_HOW_SPLIT)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(split), NULL,
		                "its last change came from a split: use map set or map clear");
	if (l->had_to != d->is.was_mapped || (l->had_to && l->to != d->is.was))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), NULL,
		                "an import has changed the mapping since the last decision: use map set or "
		                "map clear");
	return DRG_OK;
}

int drg_verb_undo(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct last l = { .any = false };
	int rc = drg_event_each(x->s, &x->source, take_last, &l, reterr);
	if (rc == DRG_OK)
		rc = can_be_undone(d, &l, reterr);
	if (rc == DRG_OK && l.is.how == DRG_HOW_AUDIT && l.is.keeps) /* it was judged right */
		return drg_judge_note(x, d, reterr);
	return rc == DRG_OK ? drg_verb_map_to(x, d, l.had_from ? &l.from : NULL, reterr) : rc;
}
