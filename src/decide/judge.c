/* The judgements of an audit as decisions (M39): the mapping is right, or it is wrong. */
#include "decide/verb.h"

#include "base/clock.h"
#include "decide/history.h"

static int judge_last(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	enum drg_how *how = ctx, is = (enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET);
	if (is != DRG_HOW_MERGE && is != DRG_HOW_SPLIT)
		*how = is;
	return DRG_OK;
}

static int judge_stale(const struct drg_decision *d, struct drg_err *reterr)
{
	if (!d->is.was_mapped)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is not mapped any more");
	return drg_fail(
	        reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
	        "it is mapped to %lld, by somebody, by now: that is not the matcher's mapping to %lld",
	        (long long)d->is.was, (long long)d->dict_id);
}

/* Check that the mapping is still the one to judge. @param ret_again  True: it was judged in this way before,
 * and nothing has changed. */
static int judge_check(struct drg_verb_run *x, const struct drg_decision *d, bool *ret_again,
                       struct drg_err *reterr)
{
	enum drg_how how = DRG_HOW_SET;
	int64_t live;
	int rc = drg_resolve(x->s, d->kind, d->dict_id, &live, reterr);
	if (rc == DRG_OK)
		rc = drg_event_each(x->s, &x->source, judge_last, &how, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret_again = how == DRG_HOW_AUDIT;
	bool stands = d->is.was_mapped && d->is.was == live;
	return stands && (how == DRG_HOW_MATCH || how == DRG_HOW_AUDIT) ? DRG_OK : judge_stale(d, reterr);
}

/* The mapping does not change: only the event is written. */
int drg_verb_right(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_audit audit = { .how = x->how, .by = x->ledger->by, .why = x->why };
	bool again;
	int rc = judge_check(x, d, &again, reterr);
	if (rc != DRG_OK || again)
		return rc;
	rc = drg_event_next_at(x->s, &x->source, drg_wall_us(), &audit.at_us, reterr);
	d->is.changed = true;
	return rc == DRG_OK ? drg_event_put(x->txn, &x->source, &d->is.was, &audit, reterr) : rc;
}

int drg_verb_wrong(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	bool again;
	int rc = judge_check(x, d, &again, reterr);
	if (rc == DRG_OK)
		rc = drg_verb_map_to(x, d, d->has_into ? &d->into : NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_verb_not_same(x, d, reterr);
	d->is.changed = true;
	return rc;
}
