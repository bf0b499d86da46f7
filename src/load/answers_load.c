#include "load/answers_load.h"

#include "load/columns.h"

enum answer_column {
	ANS_ADAPTER,
	ANS_KIND,
	ANS_ID,
	ANS_DICT,
	ANS_DECISION,
	ANS_WANTED,
	ANS_DRAWN = ANS_WANTED,
	ANS_COUNT
};
static const char *const answer_columns[ANS_COUNT] = { "adapter_id", "kind",     "id",
	                                               "dict_id",    "decision", "drawn" };

struct answers_loading {
	struct drg_answers_load *m;
	struct drg_store *s;
	struct drg_ledger ledger;
	int64_t largest[DRG_KIND_COUNT]; /* ids; 0: not known */
	const char *file;
	uint64_t line;
	int columns[ANS_COUNT];
	int64_t instead; /* what a row of an audit says that it is */
};

static void answers_refuse(struct answers_loading *x, const char *why)
{
	x->m->n_refused++;
	if (x->m->refused != NULL)
		x->m->refused(x->m->ctx, x->file, x->line, why);
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static struct drg_str answers_cell(const struct answers_loading *x, const struct drg_sheet_row *row,
                                   enum answer_column c)
{
	unsigned i = (unsigned)x->columns[c]; /* -1: there is no such column */
	return i < row->n ? row->cells[i].text : drg_str("", 0);
}

/* @return what is wrong with it; NULL: nothing. */
static const char *answers_read_decision(struct drg_str decision, struct drg_answer *a)
{
	for (unsigned i = 0; drg_answer_words[i] != NULL; i++)
		if (drg_str_eq_nocase(decision, drg_str_c(drg_answer_words[i]))) {
			a->sort = (enum drg_answer_sort)i;
			return NULL;
		}
	a->sort = DRG_ANSWER_ACCEPT;
	a->has_dict = true;
	return drg_str_to_i64(decision, &a->dict_id) ? NULL
	                                             : "decision: expected accept, reject, new, the id of a "
	                                               "record of the reference, or nothing";
}

static const char *answers_read(struct answers_loading *x, const struct drg_sheet_row *row,
                                struct drg_answer *a)
{
	struct drg_str dict = answers_cell(x, row, ANS_DICT);
	*a = (struct drg_answer){ .kind = drg_kind_by_name(answers_cell(x, row, ANS_KIND)),
		                  .id = answers_cell(x, row, ANS_ID),
		                  .has_dict = dict.n > 0 && !drg_str_eq(dict, DRG_STR("-")),
		                  .repeats = true,
		                  .by = x->m->by,
		                  .why = x->m->why };
	if (!drg_str_to_i64(answers_cell(x, row, ANS_ADAPTER), &a->adapter))
		return "adapter_id: expected the number of a supplier";
	if ((unsigned)a->kind >= DRG_KIND_SOURCE_COUNT || a->id.n == 0)
		return "expected kind and id of a supplier's record";
	if (a->has_dict && !drg_str_to_i64(dict, &a->dict_id))
		return "dict_id: expected the id of a record of the reference, or nothing";
	const int64_t drawn = a->dict_id;
	const char *bad = answers_read_decision(answers_cell(x, row, ANS_DECISION), a);
	a->judges = drg_str_eq(answers_cell(x, row, ANS_DRAWN), DRG_STR("audit"));
	if (bad == NULL && a->judges && a->sort == DRG_ANSWER_ACCEPT && a->dict_id != drawn) {
		x->instead = a->dict_id;
		a->instead = &x->instead;
		a->dict_id = drawn;
		a->sort = DRG_ANSWER_REJECT;
	}
	return bad;
}

/* A decision: the answer, and what the batch has come to. */
struct answers_step {
	struct drg_answer *a;
	struct drg_ledger_state from;
};

static int answers_run(void *step, struct drg_txn *t, struct drg_err *reterr)
{
	struct answers_step *x = step;
	x->a->ledger->state = x->from;
	int rc = drg_answer_give(x->a, t, reterr);
	return rc == DRG_OK ? drg_ledger_end(x->a->ledger, t, reterr) : rc;
}

/* Tried, and undone. */
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

static int answers_row(struct answers_loading *x, struct drg_answer *a, struct drg_err *reterr)
{
	struct answers_step step = { .a = a, .from = x->ledger.state };
	a->ledger = &x->ledger;
	a->largest = x->largest;
	int rc =
	        x->m->dry_run ? answers_try(x, &step, reterr) : drg_txn_run(x->s, answers_run, &step, reterr);
	if (rc == DRG_OK) {
		x->m->n[a->sort] += a->changed;
		x->m->same += !a->changed;
		return DRG_OK;
	}
	x->ledger.state = step.from;
	if (rc != DRG_ENOENT && rc != DRG_EINVAL)
		return rc;
	answers_refuse(x, reterr->message);
	return DRG_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------ */

static int answers_header(struct answers_loading *x, const struct drg_sheet_row *row, struct drg_err *reterr)
{
	int rc = drg_columns_find(row, answer_columns, ANS_COUNT, x->columns, reterr);
	if (rc != DRG_OK)
		return rc;
	for (unsigned c = 0; c < ANS_WANTED; c++)
		if (x->columns[c] < 0)
			return drg_fail(
			        reterr, DRG_EINVAL, NULL, NULL,
			        "%s: expected the columns adapter_id, kind, id, dict_id and decision, as "
			        "'match queue --output FILE' writes them; there is no %s",
			        x->file, answer_columns[c]);
	return DRG_OK;
}

static int answers_rows(struct answers_loading *x, struct drg_sheet *sheet, struct drg_err *reterr)
{
	struct drg_sheet_row row;
	struct drg_answer a;
	int rc = drg_sheet_next(sheet, &row, reterr);
	if (rc == DRG_OK)
		rc = answers_header(x, &row, reterr);
	while (rc == DRG_OK && (rc = drg_sheet_next(sheet, &row, reterr)) == DRG_OK) {
		x->line = row.line;
		x->m->rows++;
		if (answers_cell(x, &row, ANS_DECISION).n == 0) {
			x->m->same++;
			continue;
		}
		const char *bad = answers_read(x, &row, &a);
		if (bad != NULL)
			answers_refuse(x, bad);
		else
			rc = answers_row(x, &a, reterr);
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int answers_files(struct answers_loading *x, struct drg_err *reterr)
{
	const struct drg_sheet_options plain = { .encoding = NULL };
	int rc = drg_columns_open(reterr);
	for (size_t i = 0; i < x->m->n_files && rc == DRG_OK; i++) {
		struct drg_sheet *sheet;
		x->file = x->m->files[i];
		rc = drg_sheet_open(x->file, &plain, &sheet, reterr);
		if (rc != DRG_OK)
			break;
		rc = answers_rows(x, sheet, reterr);
		drg_sheet_close(sheet);
	}
	return rc;
}

int drg_answers_load(struct drg_store *s, struct drg_answers_load *m, struct drg_err *reterr)
{
	struct answers_loading x = { .m = m, .s = s };
	memset(m->n, 0, sizeof m->n);
	m->rows = m->same = m->n_refused = 0;
	x.ledger = (struct drg_ledger){
		.what = DRG_BATCH_MAP, .by = m->by, .why = m->why, .files = drg_str_c(m->files[0])
	};
	drg_ledger_init(&x.ledger);
	int rc = drg_store_lock_imports(s, reterr);
	if (rc == DRG_OK) {
		rc = answers_files(&x, reterr);
		drg_store_unlock_imports(s);
	}
	m->batch = x.ledger.state.batch;
	drg_ledger_done(&x.ledger);
	return rc;
}
