#include "load/answers_load.h"

#include "match/tally.h"
#include "matching/desk/nearby.h"

enum answer_column { ANS_DICT = 3, ANS_DECISION, ANS_WANTED, ANS_DRAWN = ANS_WANTED, ANS_COUNT };
static const char *const answer_columns[ANS_COUNT] = { "adapter_id", "kind",     "id",
	                                               "dict_id",    "decision", "drawn" };

struct answers_loading {
	struct drg_answers_load *m;
	struct drg_store *s;
	struct drg_ledger ledger;
	int64_t largest[DRG_KIND_COUNT]; /* the highest id of each kind; 0: not looked up yet */
	struct drg_tally made; /* drg_nearby_list.key of records that these files make */
	struct drg_arena arena; /* of a row */
};

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* The words of a decision, each with its verb in a row of the queue and in a row of an audit. */
static const struct {
	const char *word;
	enum drg_decide_verb verb, judged;
} answer_words[] = { { "accept", DRG_VERB_MAP, DRG_VERB_RIGHT },
	             { "reject", DRG_VERB_NOT_SAME, DRG_VERB_WRONG },
	             { "new", DRG_VERB_NEW, DRG_VERB_NEW } };

/* Read the decision of a row. @param drawn  The row is of an audit. @return the fault; NULL: none. */
static const char *answers_read_decision(struct drg_str word, bool drawn, struct drg_decision *d)
{
	int64_t other;
	for (unsigned i = 0; i < DRG_ARRAY_LEN(answer_words); i++)
		if (drg_str_eq_nocase(word, drg_str_c(answer_words[i].word))) {
			d->verb = drawn ? answer_words[i].judged : answer_words[i].verb;
			return NULL;
		}
	if (!drg_str_to_i64(word, &other))
		return "decision: expected accept, reject, new, the id of a record of the reference, or "
		       "nothing";
	d->verb = !drawn ? DRG_VERB_MAP : other == d->dict_id ? DRG_VERB_RIGHT : DRG_VERB_WRONG;
	d->has_into = d->verb == DRG_VERB_WRONG;
	d->into = other;
	if (!drawn) {
		d->dict_id = other;
		d->suggested = false;
	}
	return NULL;
}

static const char *answers_read(struct answers_loading *x, const struct drg_sheet_row *row,
                                struct drg_decision *d)
{
	struct drg_str dict = drg_read_back_cell(&x->m->list, row, ANS_DICT);
	const bool drawn = drg_str_eq(drg_read_back_cell(&x->m->list, row, ANS_DRAWN), DRG_STR("audit"));
	*d = (struct drg_decision){ .suggested = dict.n == 0 || drg_str_eq(dict, DRG_STR("-")),
		                    .repeats = true,
		                    .largest = x->largest };
	const char *bad = drg_read_back_source(&x->m->list, row, &d->adapter, &d->kind, &d->id);
	if (bad != NULL)
		return bad;
	if (!d->suggested && !drg_str_to_i64(dict, &d->dict_id))
		return "dict_id: expected the id of a record of the reference, or nothing";
	const bool says = !d->suggested;
	bad = answers_read_decision(drg_read_back_cell(&x->m->list, row, ANS_DECISION), drawn, d);
	if (bad == NULL && drawn && (!says || d->verb == DRG_VERB_NEW))
		return "an audit takes accept, reject, or the id that is right, of the mapping in dict_id";
	d->suggested = d->suggested && d->verb != DRG_VERB_NEW;
	d->keeps = d->verb == DRG_VERB_MAP;
	return bad;
}

/* A row in a transaction, and the totals of the batch. */
struct answers_step {
	struct drg_decision *d;
	struct drg_ledger *ledger;
	struct drg_ledger_state from;
};

static int answers_run(void *step, struct drg_txn *t, struct drg_err *reterr)
{
	struct answers_step *x = step;
	x->ledger->state = x->from;
	int rc = drg_decisions_run(t, x->ledger, x->d, 1, reterr);
	return rc == DRG_OK ? drg_ledger_end(x->ledger, t, reterr) : rc;
}

/* Try a decision, and undo it. */
static int answers_try(struct answers_loading *x, struct answers_step *step, struct drg_err *reterr)
{
	struct drg_txn *t;
	int rc = drg_store_begin(x->s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = answers_run(step, t, reterr);
	drg_txn_rollback(t);
	x->ledger.state = step->from;
	return rc;
}

static void answers_count(struct drg_answers_load *m, const struct drg_decision *d)
{
	const enum drg_decide_verb v = d->verb;
	if (!d->is.changed)
		m->list.same++;
	else if (v == DRG_VERB_MAP || v == DRG_VERB_RIGHT)
		m->accepted++;
	else if (v == DRG_VERB_NEW)
		m->made++;
	else
		m->rejected++;
}

/* Is a record of its name nearby, in the reference or by another row? @param ret  drg_nearby_list.key */
static int answers_look(struct answers_loading *x, struct drg_decision *d, uint64_t *ret,
                        struct drg_err *reterr)
{
	const struct drg_mapping_source of = { d->adapter, d->kind, d->id };
	struct drg_nearby_list found;
	*ret = 0;
	if (d->verb != DRG_VERB_NEW || x->m->names == NULL)
		return DRG_OK;
	drg_arena_reset(&x->arena);
	int rc = drg_nearby_find(x->s, x->m->names, &of, NULL, 0, &x->arena, &found, reterr);
	if (rc == DRG_OK)
		rc = drg_nearby_text(&found, &x->arena, &d->beside);
	if (rc == DRG_OK && found.key != 0 && drg_tally_get(&x->made, found.key) > 0)
		d->beside = DRG_STR("the new record of another row");
	*ret = found.key;
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

static bool answers_is_refusal(int rc)
{
	return rc == DRG_ENOENT || rc == DRG_EINVAL || rc == DRG_EEXIST;
}

static int answers_row(struct answers_loading *x, struct drg_decision *d, struct drg_err *reterr)
{
	struct answers_step step = { .d = d, .ledger = &x->ledger, .from = x->ledger.state };
	uint64_t key;
	int rc = answers_look(x, d, &key, reterr);
	if (rc == DRG_OK)
		rc = x->m->list.dry_run ? answers_try(x, &step, reterr)
		                        : drg_txn_run(x->s, answers_run, &step, reterr);
	if (rc == DRG_OK && d->is.rc == DRG_OK && d->is.changed && key != 0 &&
	    drg_tally_add(&x->made, key) != DRG_OK)
		rc = drg_fail_memory(reterr);
	x->m->beside += rc == DRG_OK && d->is.rc == DRG_EEXIST && d->beside.n > 0;
	if (rc != DRG_OK)
		x->ledger.state = step.from;
	else if (d->is.rc == DRG_OK)
		answers_count(x->m, d);
	else if (answers_is_refusal(d->is.rc))
		drg_read_back_refuse(&x->m->list, d->is.err.message);
	else if (reterr != NULL)
		*reterr = d->is.err;
	return rc != DRG_OK ? rc : answers_is_refusal(d->is.rc) ? DRG_OK : d->is.rc;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static int answers_take(void *ctx, const struct drg_sheet_row *row, struct drg_err *reterr)
{
	struct answers_loading *x = ctx;
	struct drg_decision d;
	if (drg_read_back_cell(&x->m->list, row, ANS_DECISION).n == 0) {
		x->m->list.same++;
		return DRG_OK;
	}
	const char *bad = answers_read(x, row, &d);
	if (bad == NULL)
		return answers_row(x, &d, reterr);
	drg_read_back_refuse(&x->m->list, bad);
	return DRG_OK;
}

static const struct drg_read_back_form answers_form = {
	.columns = answer_columns,
	.n_columns = ANS_COUNT,
	.n_wanted = ANS_WANTED,
	.expected = "the columns adapter_id, kind, id, dict_id and decision, as 'match queue --output FILE' "
	            "writes them",
	.row = answers_take,
};

int drg_answers_load(struct drg_store *s, struct drg_answers_load *m, struct drg_err *reterr)
{
	struct answers_loading x = { .m = m, .s = s };
	m->accepted = m->rejected = m->made = m->beside = 0;
	drg_tally_init(&x.made);
	drg_arena_init(&x.arena, SIZE_MAX);
	x.ledger = (struct drg_ledger){ .what = DRG_BATCH_MAP,
		                        .by = m->list.by,
		                        .why = m->list.why,
		                        .files = drg_str_c(drg_read_back_name(&m->list)) };
	drg_ledger_init(&x.ledger);
	int rc = drg_store_lock_imports(s, reterr);
	if (rc == DRG_OK) {
		rc = drg_read_back(&m->list, &answers_form, &x, reterr);
		drg_store_unlock_imports(s);
	}
	m->list.batch = x.ledger.state.batch;
	drg_ledger_done(&x.ledger);
	drg_tally_done(&x.made);
	drg_arena_done(&x.arena);
	return rc;
}
