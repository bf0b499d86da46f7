#include "decide/decision.h"

#include <assert.h>
#include <stdio.h>

#include "decide/mapping.h"
#include "decide/suggest.h"
#include "decide/verb.h"
#include "model/key.h"
#include "store/suggestions.h"
#include "match/outcome.h"
#include "text/utf8.h"

enum { DECISION_ROOM = 1 << 20 };

#define VERB(id, word, about, says, locks, how, run)                                                         \
	[DRG_VERB_##id] = { word, DRG_ABOUT_##about, DRG_SAYS_##says, locks, DRG_HOW_##how, run },
const struct drg_verb_def drg_verbs[DRG_VERBS] = { DRG_VERB_TABLE(VERB) };
#undef VERB

bool drg_decision_is_shared(const struct drg_decision *d)
{
	return drg_verbs[d->verb].about == DRG_ABOUT_DICT;
}

/* ---- versions ------------------------------------------------------------------------------------------ */

int drg_source_version(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_record *source, struct drg_arena *arena, int64_t *ret,
                       struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	drg_key_source(&key, adapter, kind, id);
	*ret = 0;
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows)) {
		*ret = rows.row.m.seq;
		rows.rc = arena != NULL ? drg_record_copy(arena, &rows.row.r, source) : DRG_OK;
	}
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK)
		return rc;
	drg_key_not_same(&key, adapter, kind, id, 0);
	for (drg_rows_siblings(&rows, s, &key, 0, reterr); drg_rows_next(&rows);)
		*ret = rows.row.m.seq > *ret ? rows.row.m.seq : *ret;
	return drg_rows_end(&rows);
}

/* Find the commit that changed a live record last. */
static int decision_row_seq(struct drg_store *s, const struct drg_record *key, int64_t *ret,
                            struct drg_err *reterr)
{
	struct drg_rows rows;
	drg_rows_get(&rows, s, key, reterr);
	if (drg_rows_next(&rows))
		*ret = rows.row.m.seq;
	return drg_rows_end(&rows);
}

int drg_dict_version(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret_gone, int64_t *ret,
                     struct drg_err *reterr)
{
	struct drg_record key;
	drg_key_dict(&key, kind, id);
	*ret = 0;
	int rc = decision_row_seq(s, &key, ret, reterr);
	*ret_gone = rc == DRG_ENOENT;
	drg_key_redirect(&key, kind, id);
	if (rc == DRG_ENOENT)
		rc = decision_row_seq(s, &key, ret, reterr);
	return rc == DRG_ENOENT ? drg_fail(reterr, rc, DRG_R(unknown_dict), "dict_id",
	                                   "dict_id: there is no %s with the id %lld", drg_kind_name(kind),
	                                   (long long)id)
	                        : rc;
}

static int decision_is_of(const char *field, int64_t wanted, int64_t is, struct drg_err *reterr)
{
	return is == wanted ? DRG_OK
	                    : drg_fail(reterr, DRG_EEXIST, DRG_R(changed_since), field,
	                               "%s: it was changed since: its version is %lld by now, not %lld; look "
	                               "at it again",
	                               field, (long long)is, (long long)wanted);
}

/* ---- the record of a decision -------------------------------------------------------------------------- */

static int decision_load_dict(const struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	int64_t into;
	bool gone;
	int rc = DRG_OK;
	if (d->has_version)
		rc = drg_dict_version(x->s, d->kind, d->dict_id, &gone, &d->is.version, reterr);
	if (rc == DRG_OK && d->has_version)
		rc = decision_is_of("version", d->version, d->is.version, reterr);
	if (rc != DRG_OK || d->verb != DRG_VERB_MERGE || !d->has_into_version)
		return rc;
	rc = drg_dict_version(x->s, d->kind, d->into, &gone, &into, reterr);
	return rc == DRG_OK ? decision_is_of("into_version", d->into_version, into, reterr) : rc;
}

static int decision_no_suggestion(const struct drg_decision *d, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_dict), "dict_id",
	                "nothing is suggested for adapter %lld %s \"%.*s\": name a DICT_ID, or run "
	                "dragoman match first",
	                (long long)d->adapter, drg_kind_name(d->kind), DRG_STR_ARG(d->id));
}

/* Load the source, and check that it is in the state that the decider saw. */
static int decision_load_source(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	const struct drg_mapping_source of = { d->adapter, d->kind, d->id };
	int rc = drg_source_version(x->s, d->adapter, d->kind, d->id, &x->source, &x->arena, &d->is.version,
	                            reterr);
	if (rc == DRG_ENOENT)
		return d->suggested ? decision_no_suggestion(d, reterr)
		                    : drg_mapping_fail_unknown(x->s, &of, reterr);
	if (rc != DRG_OK)
		return rc;
	d->is.was_mapped = d->is.is_mapped = drg_record_has(&x->source, DRG_F_DICT_ID);
	d->is.was = d->is.is = drg_record_i(&x->source, DRG_F_DICT_ID, 0);
	return d->has_version ? decision_is_of("version", d->version, d->is.version, reterr) : DRG_OK;
}

static int decision_take_best(void *ctx, const struct drg_suggestion *s)
{
	struct drg_decision *d = ctx;
	struct drg_suggested best[DRG_HOTEL_BEST];
	d->is.n_ranked = drg_suggest_parse(s->ranked, best, DRG_HOTEL_BEST);
	assert(d->is.n_ranked <= DRG_HOTEL_BEST);
	d->is.best = d->is.n_ranked > 0 ? best[0].dict_id : 0;
	return DRG_OK;
}

/* Refuse a decision that names no dict record if the source is mapped already. Such a source still has a
 * suggestion for the case that the mapping is undone (M34), and the decision is not about that one. A
 * decision that is repeated changes nothing. */
static int decision_is_open(struct drg_verb_run *x, const struct drg_decision *d, struct drg_err *reterr)
{
	int64_t live = 0;
	if (!d->is.was_mapped)
		return DRG_OK;
	int rc = drg_resolve(x->s, d->kind, d->dict_id, &live, reterr);
	if (rc == DRG_OK && (d->verb == DRG_VERB_NOT_SAME || live != d->is.was))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is mapped to %lld by now: name the DICT_ID that is meant",
		                (long long)d->is.was);
	return rc;
}

static int decision_find_dict(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	int rc = drg_store_suggestion(x->s, d->adapter, d->kind, d->id, decision_take_best, d, reterr);
	if (rc == DRG_ENOENT || (rc == DRG_OK && d->is.n_ranked == 0))
		return decision_no_suggestion(d, reterr);
	d->dict_id = d->is.best;
	return rc == DRG_OK ? decision_is_open(x, d, reterr) : rc;
}

/* ---- decisions about records that nobody has looked at ------------------------------------------------- */

struct decision_unseen {
	struct drg_arena *arena;
	int64_t best; /* 0: none */
	enum drg_match_reason reason;
	struct drg_str explanation;
};

static int decision_take_unseen(void *ctx, const struct drg_suggestion *s)
{
	struct decision_unseen *u = ctx;
	struct drg_suggested best;
	u->best = drg_suggest_parse(s->ranked, &best, 1) > 0 ? best.dict_id : 0;
	u->reason = drg_reason_by_name(s->reason);
	u->explanation = drg_arena_str(u->arena, s->explanation);
	return u->explanation.p != NULL ? DRG_OK : DRG_ENOMEM;
}

/* Check the rule for such a record, and keep the evidence for its event: after the mapping nothing else tells
 * why it was made. */
static int decision_check_unseen(struct drg_verb_run *x, const struct drg_decision *d, struct drg_err *reterr)
{
	struct decision_unseen u = { .arena = &x->arena };
	char text[DRG_CHARS_WHY];
	int rc = drg_store_suggestion(x->s, d->adapter, d->kind, d->id, decision_take_unseen, &u, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
	if (d->is.was_mapped || u.best != d->dict_id)
		return drg_fail(reterr, DRG_EEXIST, DRG_R(needs_a_look), "dict_id",
		                "dict_id: %lld is not its first suggestion; look at it before you map it",
		                (long long)d->dict_id);
	if (u.reason == DRG_WHY_COUNT || drg_reason_is_veto(u.reason))
		return drg_fail(reterr, DRG_EEXIST, DRG_R(needs_a_look), "dict_id",
		                "%s; look at it before you map it",
		                u.reason < DRG_WHY_COUNT
		                        ? drg_reason_words(u.reason)
		                        : "this program does not know why it was not mapped");
	if (!(d->likely >= d->above)) /* not known is less */
		return drg_fail(reterr, DRG_EEXIST, DRG_R(needs_a_look), "above",
		                "it is less likely than %g to be %lld; look at it before you map it",
		                (double)d->above, (long long)d->dict_id);
	int n = d->likely > 0 ? snprintf(text, sizeof text, "accepted with others, %.1f %% likely: %.*s",
	                                 100 * (double)d->likely, DRG_STR_ARG(u.explanation))
	                      : snprintf(text, sizeof text, "accepted with others: %.*s",
	                                 DRG_STR_ARG(u.explanation));
	const struct drg_str why = drg_str(text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
	x->ledger->event_why = drg_arena_str(&x->arena, drg_utf8_cut(why, sizeof text - 8));
	return x->ledger->event_why.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}

/* ---- one decision -------------------------------------------------------------------------------------- */

/* Load the state after the decision. */
static int decision_load_after(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	bool gone;
	d->is.n_ranked = 0;
	d->is.best = 0;
	if (d->verb == DRG_VERB_NAME || d->verb == DRG_VERB_UNDO_NAME)
		return drg_dict_version(x->s, d->kind, d->dict_id, &gone, &d->is.version, reterr);
	if (drg_verbs[d->verb].about != DRG_ABOUT_SOURCE || !d->has_version)
		/* a caller that gives no version does not need the next one: this saves three reads for each
		 * row of a list */
		return DRG_OK;
	int rc = drg_source_version(x->s, d->adapter, d->kind, d->id, &x->source, &x->arena, &d->is.version,
	                            reterr);
	if (rc != DRG_OK || d->is.is_mapped)
		return rc;
	rc = drg_store_suggestion(x->s, d->adapter, d->kind, d->id, decision_take_best, d, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int decision_run(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	assert((size_t)d->verb < DRG_VERBS);
	const struct drg_verb_def *verb = &drg_verbs[d->verb];
	int rc = drg_audit_check(&(const struct drg_audit){ .by = x->ledger->by, .why = d->why }, reterr);
	if (rc == DRG_OK && verb->about == DRG_ABOUT_DICT)
		rc = decision_load_dict(x, d, reterr);
	if (rc == DRG_OK && verb->about == DRG_ABOUT_SOURCE)
		rc = decision_load_source(x, d, reterr);
	if (rc == DRG_OK && d->suggested)
		rc = decision_find_dict(x, d, reterr);
	if (rc == DRG_OK && d->unseen)
		rc = decision_check_unseen(x, d, reterr);
	if (rc == DRG_OK && verb->locks)
		rc = drg_txn_lock_imports(x->txn, reterr);
	if (rc == DRG_OK)
		rc = verb->run(x, d, reterr);
	assert(rc != DRG_OK || d->is.changed ||
	       (d->is.is_mapped == d->is.was_mapped && d->is.is == d->is.was));
	return rc == DRG_OK ? decision_load_after(x, d, reterr) : rc;
}

static bool is_refusal(int rc)
{
	return rc == DRG_EINVAL || rc == DRG_ENOENT || rc == DRG_EEXIST || rc == DRG_ELIMIT ||
	       rc == DRG_EBUSY;
}

/* Run the verb. @return DRG_OK, even if the verb refused: then it has written nothing. */
static int decision_apply_verb(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr)
{
	const int how = drg_verbs[d->verb].how;
	const struct drg_ledger_state before = x->ledger->state;
	assert(x->ledger->event_how == NULL && x->ledger->event_why.n == 0);
	unsigned long writes = drg_txn_writes(x->txn);
	d->is = (struct drg_decision_result){ .rc = DRG_OK };
	drg_arena_reset(&x->arena);
	x->why = d->why.n > 0 ? d->why : x->ledger->why;
	x->how = d->unseen ? DRG_HOW_MATCH : how == DRG_HOW_BATCH ? DRG_HOW_SET : (enum drg_how)how;
	x->ledger->event_why = d->why;
	x->ledger->event_how = how == DRG_HOW_BATCH && !d->unseen ? NULL : &x->how;
	d->is.rc = decision_run(x, d, &d->is.err);
	x->ledger->event_why = drg_str("", 0);
	x->ledger->event_how = NULL;
	if (d->is.rc == DRG_OK || (is_refusal(d->is.rc) && drg_txn_writes(x->txn) == writes))
		return DRG_OK;
	x->ledger->state = before;
	if (reterr != NULL)
		*reterr = d->is.err;
	return d->is.rc;
}

/* ---- all decisions ------------------------------------------------------------------------------------- */

int drg_decisions_run(struct drg_txn *t, struct drg_ledger *j, struct drg_decision *v, size_t n,
                      struct drg_err *reterr)
{
	struct drg_verb_run x = { .txn = t, .s = drg_txn_store(t), .ledger = j };
	int rc = drg_audit_check(&(const struct drg_audit){ .by = j->by, .why = j->why }, reterr);
	drg_arena_init(&x.arena, DECISION_ROOM);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = decision_apply_verb(&x, &v[i], reterr);
	drg_arena_done(&x.arena);
	return rc;
}

int drg_decisions_run_batch(void *decisions, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_decisions *d = decisions;
	assert(d->n == 0 || d->v != NULL);
	struct drg_ledger j = { .what = DRG_BATCH_DECIDE, .by = d->by, .why = d->why, .after = d->after };
	drg_ledger_init(&j);
	int rc = drg_decisions_run(t, &j, d->v, d->n, reterr);
	if (rc == DRG_OK)
		rc = drg_ledger_end(&j, t, reterr);
	d->batch = rc == DRG_OK ? j.state.batch : 0;
	if (rc == DRG_OK && d->batch > 0)
		d->after = d->batch;
	drg_ledger_done(&j);
	return rc;
}
