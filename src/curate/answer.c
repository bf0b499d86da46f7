#include "curate/answer.h"

#include "curate/apart.h"
#include "curate/history.h"
#include "curate/learn/audit.h"
#include "curate/mapping.h"
#include "curate/propose/new_record.h"
#include "curate/suggest.h"

enum { ANSWER_ROOM = 1 << 20 };

const char *const drg_answer_words[] = { "accept", "reject", "new", NULL };

/* ---- what is suggested ------------------------------------------------------------------------------------ */

static int answer_take(void *ctx, const struct drg_suggestion *s)
{
	struct drg_answer *a = ctx;
	struct drg_suggested best;
	if (drg_suggest_ranked(s->ranked, &best, 1) > 0) {
		a->dict_id = best.dict_id;
		a->has_dict = true;
	}
	return DRG_OK;
}

static int answer_no_suggestion(const struct drg_answer *a, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_dict), "dict_id",
	                "nothing is suggested for adapter %lld %s \"%.*s\": name a DICT_ID, or run "
	                "dragoman match first",
	                (long long)a->adapter, drg_kind_name(a->kind), DRG_STR_ARG(a->id));
}

/* What is mapped already has a suggestion still, for the case that the mapping is taken back (M34): an answer that names no record
 * is not about that. One that is given again changes nothing. */
static int answer_is_open(const struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_record key, source;
	struct drg_arena arena;
	int64_t live = 0;
	drg_arena_init(&arena, ANSWER_ROOM);
	drg_key_source(&key, a->adapter, a->kind, a->id);
	int rc = drg_fetch(drg_txn_store(t), &key, &arena, &source, reterr);
	if (rc == DRG_OK && drg_record_has(&source, DRG_F_DICT_ID)) {
		rc = drg_resolve(drg_txn_store(t), a->kind, a->dict_id, &live, reterr);
		if (rc == DRG_OK && (a->sort == DRG_ANSWER_REJECT || live != source.v[DRG_F_DICT_ID].i))
			rc = drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
			              "it is mapped to %lld by now: name the DICT_ID that is meant",
			              (long long)source.v[DRG_F_DICT_ID].i);
	}
	drg_arena_done(&arena);
	return rc;
}

static int answer_find_dict(struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	if (a->has_dict)
		return DRG_OK;
	int rc = drg_store_suggestion(drg_txn_store(t), a->adapter, a->kind, a->id, answer_take, a, reterr);
	if (rc == DRG_ENOENT || (rc == DRG_OK && !a->has_dict))
		return answer_no_suggestion(a, reterr);
	return rc == DRG_OK ? answer_is_open(a, t, reterr) : rc;
}

/* ---- decisions of their own ------------------------------------------------------------------------------- */

static int answer_accept(struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_mapping_decision d = { .adapter = a->adapter,
		                          .kind = a->kind,
		                          .id = a->id,
		                          .dict_id = a->dict_id,
		                          .by = a->by,
		                          .why = a->why };
	int rc = drg_mapping_set(&d, t, reterr);
	if (rc != DRG_OK)
		return rc;
	a->dict_id = d.change.is;
	a->changed = d.change.changed;
	a->was_apart = d.change.was_apart;
	return DRG_OK;
}

static int answer_reject(struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_apart p = { .adapter = a->adapter,
		               .kind = a->kind,
		               .id = a->id,
		               .dict_id = a->dict_id,
		               .by = a->by,
		               .why = a->why };
	int rc = drg_apart_say(&p, t, reterr);
	if (rc != DRG_OK)
		return rc;
	a->changed = p.changed;
	a->was_mapped = p.was_mapped;
	return DRG_OK;
}

/* ---- answers of a batch ----------------------------------------------------------------------------------- */

static int answer_ledger_map(struct drg_answer *a, struct drg_txn *t, struct drg_record *source,
                             struct drg_err *reterr)
{
	enum drg_put_result result;
	source->nulls &= ~(UINT64_C(1) << DRG_F_DICT_ID);
	drg_record_set_i(source, DRG_F_DICT_ID, a->dict_id);
	return drg_ledger_put(a->ledger, t, source, &result, reterr);
}

static int answer_ledger_accept(struct drg_answer *a, struct drg_txn *t, struct drg_record *source,
                                struct drg_err *reterr)
{
	int rc = drg_resolve(drg_txn_store(t), a->kind, a->dict_id, &a->dict_id, reterr);
	if (rc != DRG_OK)
		return rc;
	bool other = drg_record_has(source, DRG_F_DICT_ID) && source->v[DRG_F_DICT_ID].i != a->dict_id;
	if (other && !a->replace)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is mapped to %lld by now: map set changes that",
		                (long long)source->v[DRG_F_DICT_ID].i);
	a->changed = other || !drg_record_has(source, DRG_F_DICT_ID);
	rc = drg_apart_forget(t, source, a->dict_id, &a->was_apart, reterr);
	return rc == DRG_OK && a->changed ? answer_ledger_map(a, t, source, reterr) : rc;
}

static int answer_ledger_new(struct drg_answer *a, struct drg_txn *t, struct drg_record *source,
                             struct drg_err *reterr)
{
	const struct drg_mapping_source of = { a->adapter, a->kind, a->id };
	struct drg_new_record n = { .sources = source, .n = 1, .ledger = a->ledger, .largest = a->largest };
	int64_t made = 0;
	int rc = a->repeats ? drg_new_record_made(drg_txn_store(t), &of, &made, reterr) : DRG_OK;
	if (made != 0)
		a->dict_id = made;
	if (rc != DRG_OK || made != 0)
		return rc;
	if (drg_record_has(source, DRG_F_DICT_ID))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
		                "it is mapped to %lld: there is no need of a new record",
		                (long long)source->v[DRG_F_DICT_ID].i);
	rc = drg_new_record_make(&n, t, reterr);
	a->dict_id = n.dict_id;
	a->changed = true;
	return rc == DRG_OK ? answer_ledger_map(a, t, source, reterr) : rc;
}

static int answer_of_batch(struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_mapping_source of = { a->adapter, a->kind, a->id };
	struct drg_record key, source;
	struct drg_arena arena;
	drg_arena_init(&arena, ANSWER_ROOM);
	drg_key_source(&key, a->adapter, a->kind, a->id);
	int rc = drg_fetch(drg_txn_store(t), &key, &arena, &source, reterr);
	if (rc == DRG_ENOENT)
		rc = drg_mapping_unknown_source(drg_txn_store(t), &of, reterr);
	else if (rc == DRG_OK)
		rc = a->sort == DRG_ANSWER_NEW ? answer_ledger_new(a, t, &source, reterr)
		                               : answer_ledger_accept(a, t, &source, reterr);
	drg_arena_done(&arena);
	return rc;
}

static int answer_judge(struct drg_answer *a, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_judgement j = { .adapter = a->adapter,
		                   .kind = a->kind,
		                   .id = a->id,
		                   .dict_id = a->dict_id,
		                   .right = a->sort == DRG_ANSWER_ACCEPT,
		                   .instead = a->instead,
		                   .by = a->by,
		                   .why = a->why };
	if (a->sort == DRG_ANSWER_NEW || !a->has_dict)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(bad_value), "decision",
		        "an audit takes accept, reject, or the id that is right, of the mapping in dict_id");
	int rc = drg_audit_judge(&j, t, reterr);
	a->changed = j.changed;
	a->was_mapped = j.changed && !j.right;
	return rc;
}

int drg_answer_give(void *answer, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_answer *a = answer;
	const struct drg_audit audit = { .by = a->by, .why = a->why };
	a->changed = a->was_apart = a->was_mapped = false;
	int rc = drg_audit_check(&audit, reterr);
	if (rc == DRG_OK && a->judges)
		return answer_judge(a, t, reterr);
	if (rc == DRG_OK && a->sort != DRG_ANSWER_NEW)
		rc = answer_find_dict(a, t, reterr);
	if (rc != DRG_OK)
		return rc;
	if (a->sort == DRG_ANSWER_REJECT)
		return answer_reject(a, t, reterr);
	return a->ledger != NULL ? answer_of_batch(a, t, reterr) : answer_accept(a, t, reterr);
}
