/* The judgements of an audit as decisions (M39): the mapping is right, or it is wrong. */
#include "decide/verb.h"

#include "base/clock.h"
#include "decide/history.h"
#include "decide/standing.h"

static int judge_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	return drg_standing_add(ctx, r);
}

/* How the mapping came about. */
static int judge_how(struct drg_verb_run *x, enum drg_how *ret, struct drg_err *reterr)
{
	struct drg_standing events;
	const struct drg_standing_event *v;
	drg_standing_init(&events);
	int rc = drg_event_each(x->s, &x->source, judge_event, &events, reterr);
	size_t n = rc == DRG_OK ? drg_standing_sort(&events, &v) : 0;
	*ret = n > 0 ? v[n - 1].is.how : DRG_HOW_SET;
	drg_standing_done(&events);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
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
		rc = judge_how(x, &how, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret_again = how == DRG_HOW_AUDIT;
	bool stands = d->is.was_mapped && d->is.was == live;
	return stands && (how == DRG_HOW_MATCH || how == DRG_HOW_AUDIT) ? DRG_OK : judge_stale(d, reterr);
}

/* The mapping does not change: only the event is written. */
int drg_judge_note(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_audit audit = { .how = x->how, .by = x->ledger->by, .why = x->why };
	int rc = drg_event_next_at(x->s, &x->source, drg_wall_us(), &audit.at_us, reterr);
	d->is.changed = true;
	return rc == DRG_OK ? drg_event_put(x->txn, &x->source, &d->is.was, &audit, reterr) : rc;
}

int drg_verb_right(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	bool again;
	int rc = judge_check(x, d, &again, reterr);
	return rc == DRG_OK && !again ? drg_judge_note(x, d, reterr) : rc;
}

/* Is what is said to be right the wrong one? */
static int judge_into(struct drg_verb_run *x, const struct drg_decision *d, struct drg_err *reterr)
{
	int64_t live;
	int rc = drg_resolve(x->s, d->kind, d->into, &live, reterr);
	return rc == DRG_OK && live == d->is.was
	               ? drg_fail(reterr, DRG_EINVAL, DRG_R(same), "into",
	                          "%lld cannot be wrong and right at once", (long long)live)
	               : rc;
}

int drg_verb_wrong(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	bool again;
	int rc = judge_check(x, d, &again, reterr);
	if (rc == DRG_OK && d->has_into)
		rc = judge_into(x, d, reterr);
	if (rc == DRG_OK)
		rc = drg_verb_map_to(x, d, d->has_into ? &d->into : NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_verb_not_same(x, d, reterr);
	d->is.changed = true;
	return rc;
}
