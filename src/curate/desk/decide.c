#include "curate/desk/decide.h"

#include "curate/answer.h"
#include "curate/apart.h"
#include "curate/history.h"
#include "curate/mapping.h"
#include "curate/reference/dict_name.h"
#include "curate/suggest.h"
#include "model/key.h"
#include "store/suggestions.h"

enum { DECIDE_ROOM = 1 << 20 };

const char *const drg_decide_words[] = { "map",   "clear", "not_same", "new",       "undo", "undo_not_same",
	                                 "merge", "split", "name",     "undo_name", NULL };

struct deciding_all {
	struct drg_decide *d;
	struct drg_txn *t;
	struct drg_ledger ledger;
	struct drg_arena arena; /* of an item */
	struct drg_record source; /* of an item about one */
};

/* ---- versions --------------------------------------------------------------------------------------------- */

struct decide_row {
	struct drg_arena *arena; /* NULL: the row is not wanted */
	struct drg_record *r;
	int64_t seq;
};

static int decide_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct decide_row *x = ctx;
	x->seq = m->seq > x->seq ? m->seq : x->seq;
	return x->arena != NULL ? drg_record_copy(x->arena, r, x->r) : DRG_OK;
}

int drg_decide_version(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_record *source, struct drg_arena *arena, int64_t *ret,
                       struct drg_err *reterr)
{
	struct decide_row row = { .arena = arena, .r = source };
	struct drg_record key;
	drg_key_source(&key, adapter, kind, id);
	int rc = drg_store_get(s, &key, decide_take, &row, reterr);
	row.arena = NULL;
	drg_key_not_same(&key, adapter, kind, id, 0);
	if (rc == DRG_OK)
		rc = drg_store_siblings(s, &key, decide_take, &row, reterr);
	*ret = row.seq;
	return rc;
}

int drg_decide_dict_version(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret_gone, int64_t *ret,
                            struct drg_err *reterr)
{
	struct decide_row row = { .arena = NULL };
	struct drg_record key;
	drg_key_dict(&key, kind, id);
	int rc = drg_store_get(s, &key, decide_take, &row, reterr);
	*ret_gone = rc == DRG_ENOENT;
	drg_key_redirect(&key, kind, id);
	if (rc == DRG_ENOENT)
		rc = drg_store_get(s, &key, decide_take, &row, reterr);
	*ret = row.seq;
	return rc == DRG_ENOENT ? drg_fail(reterr, rc, DRG_R(unknown_dict), "dict_id",
	                                   "dict_id: there is no %s with the id %lld", drg_kind_name(kind),
	                                   (long long)id)
	                        : rc;
}

static int decide_overtaken(const struct drg_decide_item *i, const char *field, int64_t is,
                            struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EEXIST, DRG_R(changed_since), field,
	                "%s: it was changed since: its version is %lld by now, not %lld; look at it again",
	                field, (long long)is, (long long)(field[0] == 'v' ? i->version : i->into_version));
}

static int decide_see_dict(const struct deciding_all *x, const struct drg_decide_item *i, int64_t id,
                           const char *field, bool has, int64_t version, int64_t *ret, struct drg_err *reterr)
{
	bool gone;
	if (!has)
		return DRG_OK;
	int rc = drg_decide_dict_version(drg_txn_store(x->t), i->kind, id, &gone, ret, reterr);
	return rc == DRG_OK && *ret != version ? decide_overtaken(i, field, *ret, reterr) : rc;
}

/* The records of the reference that it is about. */
static int decide_see_shared(const struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	int64_t into;
	int rc = decide_see_dict(x, i, i->dict_id, "version", i->has_version, i->version, &i->is_version,
	                         reterr);
	if (rc == DRG_OK && i->sort == DRG_DECIDE_MERGE)
		rc = decide_see_dict(x, i, i->into, "into_version", i->has_into_version, i->into_version,
		                     &into, reterr);
	return rc;
}

/* The source as it is, and whether it is what its decider saw. */
static int decide_see(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	const struct drg_mapping_source of = { i->adapter, i->kind, i->id };
	struct drg_store *s = drg_txn_store(x->t);
	if (DRG_DECIDE_IS_SHARED(i->sort))
		return decide_see_shared(x, i, reterr);
	int rc = drg_decide_version(s, i->adapter, i->kind, i->id, &x->source, &x->arena, &i->is_version,
	                            reterr);
	if (rc == DRG_ENOENT)
		return drg_mapping_unknown_source(s, &of, reterr);
	if (rc != DRG_OK)
		return rc;
	i->was_mapped = i->is_mapped = drg_record_has(&x->source, DRG_F_DICT_ID);
	i->was = i->is = drg_record_i(&x->source, DRG_F_DICT_ID, 0);
	return i->has_version && i->is_version != i->version
	               ? decide_overtaken(i, "version", i->is_version, reterr)
	               : DRG_OK;
}

/* ---- the decisions ---------------------------------------------------------------------------------------- */

static struct drg_str decide_why(const struct deciding_all *x, const struct drg_decide_item *i)
{
	return i->why.n > 0 ? i->why : x->d->why;
}

static int decide_answer(struct deciding_all *x, struct drg_decide_item *i, enum drg_answer_sort sort,
                         struct drg_err *reterr)
{
	struct drg_answer a = { .sort = sort,
		                .adapter = i->adapter,
		                .kind = i->kind,
		                .id = i->id,
		                .has_dict = sort != DRG_ANSWER_NEW,
		                .dict_id = i->dict_id,
		                .by = x->d->by,
		                .why = decide_why(x, i),
		                .ledger = sort != DRG_ANSWER_REJECT ? &x->ledger : NULL,
		                .replace = true,
		                .largest = x->d->largest };
	int rc = drg_answer_give(&a, x->t, reterr);
	if (rc != DRG_OK)
		return rc;
	i->changed = a.changed;
	i->is_mapped = sort != DRG_ANSWER_REJECT || (i->was_mapped && !a.was_mapped);
	i->is = sort != DRG_ANSWER_REJECT ? a.dict_id : i->was;
	if (sort == DRG_ANSWER_NEW && x->d->largest != NULL)
		x->d->largest[i->kind] = a.dict_id;
	return DRG_OK;
}

static int decide_new(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	int rc = drg_txn_lock_imports(x->t, reterr);
	return rc == DRG_OK ? decide_answer(x, i, DRG_ANSWER_NEW, reterr) : rc;
}

/* As drg_mapping_clear(), in the batch. */
static int decide_clear(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	const uint64_t bit = UINT64_C(1) << DRG_F_DICT_ID;
	enum drg_put_result result;
	i->changed = i->was_mapped;
	i->is_mapped = false;
	x->source.has &= ~bit;
	x->source.nulls |= bit;
	if (!i->changed)
		return DRG_OK;
	int rc = drg_ledger_put(&x->ledger, x->t, &x->source, &result, reterr);
	return rc == DRG_OK ? drg_txn_unsuggest(x->t, i->adapter, i->kind, i->id, reterr) : rc;
}

static int decide_undo(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	struct drg_mapping_decision m = {
		.adapter = i->adapter, .kind = i->kind, .id = i->id, .by = x->d->by, .why = decide_why(x, i)
	};
	int rc = drg_mapping_undo(&m, x->t, reterr);
	if (rc != DRG_OK)
		return rc;
	i->changed = m.change.changed;
	i->is_mapped = m.change.is_mapped;
	i->is = m.change.is;
	return DRG_OK;
}

static int decide_unsay(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	struct drg_apart a = { .adapter = i->adapter,
		               .kind = i->kind,
		               .id = i->id,
		               .dict_id = i->dict_id,
		               .by = x->d->by,
		               .why = decide_why(x, i) };
	int rc = drg_apart_unsay(&a, x->t, reterr);
	i->changed = rc == DRG_OK && a.changed;
	return rc;
}

static int decide_merge(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	struct drg_merge m = {
		.kind = i->kind, .from = i->dict_id, .into = i->into, .by = x->d->by, .why = decide_why(x, i)
	};
	int rc = i->sort == DRG_DECIDE_MERGE ? drg_dict_merge(&m, x->t, reterr)
	                                     : drg_dict_split(&m, x->t, reterr);
	if (rc != DRG_OK)
		return rc;
	i->changed = true;
	i->sums = m.sums;
	return DRG_OK;
}

static int decide_name(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	bool gone;
	struct drg_dict_naming n = { .kind = i->kind,
		                     .id = i->dict_id,
		                     .lang = i->lang,
		                     .name = i->name,
		                     .by = x->d->by,
		                     .why = decide_why(x, i),
		                     .arena = &x->arena };
	int rc = i->sort == DRG_DECIDE_NAME ? drg_dict_name(&n, x->t, reterr)
	                                    : drg_dict_name_undo(&n, x->t, reterr);
	i->changed = rc == DRG_OK && n.changed;
	return rc == DRG_OK ? drg_decide_dict_version(drg_txn_store(x->t), i->kind, i->dict_id, &gone,
	                                              &i->is_version, reterr)
	                    : rc;
}

static int decide_one(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	switch (i->sort) {
	case DRG_DECIDE_MAP: return decide_answer(x, i, DRG_ANSWER_ACCEPT, reterr);
	case DRG_DECIDE_CLEAR: return decide_clear(x, i, reterr);
	case DRG_DECIDE_NOT_SAME: return decide_answer(x, i, DRG_ANSWER_REJECT, reterr);
	case DRG_DECIDE_NEW: return decide_new(x, i, reterr);
	case DRG_DECIDE_UNDO: return decide_undo(x, i, reterr);
	case DRG_DECIDE_UNDO_NOT_SAME: return decide_unsay(x, i, reterr);
	case DRG_DECIDE_NAME:
	case DRG_DECIDE_UNDO_NAME: return decide_name(x, i, reterr);
	default: return decide_merge(x, i, reterr);
	}
}

/* ---- all of them ------------------------------------------------------------------------------------------ */

static int decide_take_left(void *ctx, const struct drg_suggestion *s)
{
	struct drg_decide_item *i = ctx;
	struct drg_suggested best[DRG_HOTEL_BEST];
	i->n_ranked = drg_suggest_ranked(s->ranked, best, DRG_HOTEL_BEST);
	i->best = i->n_ranked > 0 ? best[0].dict_id : 0;
	return DRG_OK;
}

/* What has become of a source. */
static int decide_see_after(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	struct drg_store *s = drg_txn_store(x->t);
	int rc = drg_decide_version(s, i->adapter, i->kind, i->id, &x->source, &x->arena, &i->is_version,
	                            reterr);
	if (rc != DRG_OK || i->is_mapped)
		return rc;
	rc = drg_store_suggestion(s, i->adapter, i->kind, i->id, decide_take_left, i, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static bool is_refusal(int rc)
{
	return rc == DRG_EINVAL || rc == DRG_ENOENT || rc == DRG_EEXIST || rc == DRG_ELIMIT ||
	       rc == DRG_EBUSY;
}

static void decide_clear_result(struct drg_decide_item *i)
{
	i->err = (struct drg_err){ .code = DRG_OK };
	i->changed = i->was_mapped = i->is_mapped = false;
	i->was = i->is = i->is_version = i->best = 0;
	i->n_ranked = 0;
	i->sums = (struct drg_merge_sums){ .into = 0 };
}

/* In words for clients: those of the store have its place, and who holds it (decision E3). */
static void decide_busy(struct drg_decide_item *i)
{
	if (drg_str_eq(drg_str_c(i->err.reason), DRG_STR("import_running")))
		drg_fail(&i->err, i->rc, DRG_R(import_running), NULL, DRG_DECIDE_IMPORT_RUNNING);
	else
		drg_fail(&i->err, i->rc, DRG_R(busy), NULL, "another process holds the store; try again");
}

/* @return DRG_OK, be it refused or not: who refuses has written nothing */
static int decide_item(struct deciding_all *x, struct drg_decide_item *i, struct drg_err *reterr)
{
	const struct drg_ledger_state before = x->ledger.state;
	unsigned long writes = drg_txn_writes(x->t);
	drg_arena_reset(&x->arena);
	decide_clear_result(i);
	x->ledger.event_why = i->why;
	int rc = drg_audit_check(&(const struct drg_audit){ .by = x->d->by, .why = i->why }, &i->err);
	if (rc == DRG_OK)
		rc = decide_see(x, i, &i->err);
	if (rc == DRG_OK)
		rc = decide_one(x, i, &i->err);
	if (rc == DRG_OK && !DRG_DECIDE_IS_SHARED(i->sort))
		rc = decide_see_after(x, i, &i->err);
	i->rc = rc;
	if (rc == DRG_EBUSY)
		decide_busy(i);
	if (rc == DRG_OK || (is_refusal(rc) && drg_txn_writes(x->t) == writes))
		return DRG_OK;
	x->ledger.state = before;
	*reterr = i->err;
	return rc;
}

int drg_decide_run(void *decide, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_decide *d = decide;
	struct deciding_all x = { .d = d, .t = t };
	const struct drg_audit audit = { .by = d->by, .why = d->why };
	int rc = drg_audit_check(&audit, reterr);
	if (rc != DRG_OK)
		return rc;
	x.ledger = (struct drg_ledger){
		.what = DRG_BATCH_DECIDE, .by = d->by, .why = d->why, .after = d->after
	};
	drg_ledger_init(&x.ledger);
	drg_arena_init(&x.arena, DECIDE_ROOM);
	for (size_t i = 0; i < d->n && rc == DRG_OK; i++)
		rc = decide_item(&x, &d->v[i], reterr);
	if (rc == DRG_OK)
		rc = drg_ledger_end(&x.ledger, t, reterr);
	d->batch = x.ledger.state.batch;
	if (rc == DRG_OK && d->batch > 0)
		d->after = d->batch;
	drg_ledger_done(&x.ledger);
	drg_arena_done(&x.arena);
	return rc;
}
