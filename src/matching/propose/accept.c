/* Makes the records of proposals, some hundred in a transaction, as one batch (decision M40). */
#include "matching/propose/accept.h"

#include <assert.h>
#include <stdio.h>

#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"
#include "store/txn_run.h"

enum { AT_A_TIME = 200 };

static size_t accept_waiting(const struct drg_new_accept *a)
{
	return a->ends.n / sizeof(struct drg_new_end);
}

static void accept_refuse(struct drg_new_accept *a, int64_t number, const char *why)
{
	char where[48];
	a->n_refused++;
	snprintf(where, sizeof where, "cluster %lld", (long long)number);
	if (a->refused != NULL)
		a->refused(a->ctx, where, why);
}

/* ---- a transaction ------------------------------------------------------------------------------------- */

/* For a transaction: makes the waiting records. Its counts are valid if it commits. */
struct accept_slice {
	struct drg_new_accept *a;
	struct drg_ledger_state from;
	uint64_t made, mapped, same;
	struct drg_buf refusals; /* struct accept_refusal */
	struct drg_buf told; /* struct drg_new_made, if somebody wants to know */
	struct drg_arena texts; /* of told */
};

struct accept_refusal {
	int64_t number;
	char why[sizeof(((struct drg_err *)0)->message)];
};

/* The main name of the record that a field of @p of leads to. */
static int accept_name_of(struct accept_slice *x, struct drg_store *s, const struct drg_record *of,
                          enum drg_field f, struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_record key, it;
	*ret = drg_str("", 0);
	if (!drg_record_has(of, f))
		return DRG_OK;
	drg_key_dict(&key, drg_kind_named_by(f), drg_record_i(of, f, 0));
	int rc = drg_fetch(s, &key, &x->texts, &it, reterr);
	return rc == DRG_OK ? drg_main_name(&it, &x->texts, ret) : rc == DRG_ENOENT ? DRG_OK : rc;
}

static int accept_tell(struct accept_slice *x, struct drg_store *s, const struct drg_proposal_make *m,
                       int64_t number, struct drg_err *reterr)
{
	struct drg_new_made made = { .number = number, .n = m->n };
	struct drg_record key, it;
	drg_key_dict(&key, m->sources[0].kind, m->dict_id);
	int rc = drg_fetch(s, &key, &x->texts, &it, reterr);
	if (rc == DRG_OK)
		rc = drg_main_name(&it, &x->texts, &made.name);
	if (rc == DRG_OK && drg_record_has(&it, DRG_F_CITY_ID))
		rc = accept_name_of(x, s, &it, DRG_F_CITY_ID, &made.city, reterr);
	if (rc == DRG_OK && drg_record_has(&it, DRG_F_CITY_ID))
		rc = accept_name_of(x, s, &it, DRG_F_COUNTRY_ID, &made.country, reterr);
	drg_buf_add(&x->told, &made, sizeof made);
	return rc != DRG_OK || x->told.rc == DRG_OK ? rc : drg_fail_memory(reterr);
}

/* Make one record. If it is refused, nothing was written. */
static int accept_one(struct accept_slice *x, struct drg_txn *t, const struct drg_mapping_source *v, size_t n,
                      int64_t number, struct drg_err *reterr)
{
	struct drg_proposal_make m = {
		.sources = v, .n = n, .ledger = &x->a->ledger, .largest = x->a->largest
	};
	struct drg_err e = { .code = DRG_OK };
	unsigned long before = drg_txn_writes(t);
	int rc = drg_proposal_make(&m, t, &e);
	if (rc == DRG_OK) {
		x->made += !m.was_made;
		x->mapped += m.was_made ? 0 : n;
		x->same += m.was_made;
		return m.was_made || x->a->makes == NULL
		               ? DRG_OK
		               : accept_tell(x, drg_txn_store(t), &m, number, reterr);
	}
	if ((rc != DRG_EINVAL && rc != DRG_ENOENT) || drg_txn_writes(t) != before) {
		if (reterr != NULL)
			*reterr = e;
		return rc;
	}
	struct accept_refusal r = { .number = number };
	snprintf(r.why, sizeof r.why, "%s", e.message);
	drg_buf_add(&x->refusals, &r, sizeof r);
	return x->refusals.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

static int accept_run(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	struct accept_slice *x = slice;
	const struct drg_new_end *ends = (const struct drg_new_end *)(const void *)x->a->ends.p;
	const struct drg_mapping_source *v = (const struct drg_mapping_source *)(const void *)x->a->waiting.p;
	int rc = DRG_OK;
	size_t from = 0;
	x->a->ledger.state = x->from;
	x->made = x->mapped = x->same = 0;
	drg_buf_clear(&x->refusals);
	drg_buf_clear(&x->told);
	drg_arena_reset(&x->texts);
	for (size_t i = 0; i < accept_waiting(x->a) && rc == DRG_OK; from = ends[i++].end)
		rc = accept_one(x, t, v + from, ends[i].end - from, ends[i].number, reterr);
	return rc == DRG_OK ? drg_ledger_end(&x->a->ledger, t, reterr) : rc;
}

/* Make them, and roll that back. */
static int accept_try(struct accept_slice *x)
{
	struct drg_txn *t;
	int rc = drg_store_begin(x->a->s, &t, x->a->err);
	if (rc != DRG_OK)
		return rc;
	rc = accept_run(x, t, x->a->err);
	drg_txn_rollback(t);
	x->a->ledger.state = x->from;
	return rc;
}

static void accept_report(const struct accept_slice *x)
{
	struct drg_new_accept *a = x->a;
	const struct accept_refusal *r = (const struct accept_refusal *)(const void *)x->refusals.p;
	const struct drg_new_made *v = (const struct drg_new_made *)(const void *)x->told.p;
	for (size_t i = 0; i < x->refusals.n / sizeof *r; i++)
		accept_refuse(a, r[i].number, r[i].why);
	for (size_t i = 0; i < x->told.n / sizeof *v; i++)
		a->makes(a->ctx, &v[i]);
	a->made += x->made;
	a->mapped += x->mapped;
	a->same += x->same;
}

static int accept_flush(struct drg_new_accept *a)
{
	struct accept_slice x = { .a = a, .from = a->ledger.state };
	drg_buf_init(&x.refusals, SIZE_MAX);
	drg_buf_init(&x.told, SIZE_MAX);
	drg_arena_init(&x.texts, SIZE_MAX);
	int rc = accept_waiting(a) == 0 ? DRG_OK
	         : a->dry_run           ? accept_try(&x)
	                                : drg_txn_run(a->s, accept_run, &x, a->err);
	if (rc == DRG_OK)
		accept_report(&x);
	else
		a->ledger.state = x.from;
	drg_arena_done(&x.texts);
	drg_buf_done(&x.told);
	drg_buf_done(&x.refusals);
	drg_buf_clear(&a->waiting);
	drg_buf_clear(&a->ends);
	drg_arena_reset(&a->texts);
	return rc;
}

/* ---- all proposals ------------------------------------------------------------------------------------- */

int drg_new_accept_begin(struct drg_new_accept *a, struct drg_store *s, const char *files,
                         struct drg_err *reterr)
{
	a->s = s;
	a->locked = false;
	a->err = reterr;
	a->made = a->mapped = a->same = a->n_refused = 0;
	a->proposed = 0;
	a->ledger = (struct drg_ledger){
		.what = DRG_BATCH_MAP, .by = a->by, .why = a->why, .files = drg_str_c(files)
	};
	drg_ledger_init(&a->ledger);
	memset(a->largest, 0, sizeof a->largest);
	drg_buf_init(&a->waiting, SIZE_MAX);
	drg_buf_init(&a->ends, SIZE_MAX);
	drg_arena_init(&a->texts, SIZE_MAX);
	int rc = drg_store_lock_imports(s, reterr);
	a->locked = rc == DRG_OK;
	return rc;
}

int drg_new_accept_add(struct drg_new_accept *a, const struct drg_mapping_source *sources, size_t n,
                       int64_t number)
{
	assert(n > 0);
	bool room = true;
	for (size_t i = 0; i < n; i++) {
		struct drg_mapping_source v = sources[i];
		v.id = drg_arena_str(&a->texts, v.id);
		room = room && v.id.p != NULL;
		drg_buf_add(&a->waiting, &v, sizeof v);
	}
	const struct drg_new_end end = { a->waiting.n / sizeof(struct drg_mapping_source), number };
	drg_buf_add(&a->ends, &end, sizeof end);
	if (!room || a->waiting.rc != DRG_OK || a->ends.rc != DRG_OK)
		return drg_fail_memory(a->err);
	return accept_waiting(a) == AT_A_TIME ? accept_flush(a) : DRG_OK;
}

int drg_new_accept_end(struct drg_new_accept *a, int rc)
{
	if (rc == DRG_OK)
		rc = accept_flush(a);
	if (a->locked)
		drg_store_unlock_imports(a->s);
	drg_buf_done(&a->waiting);
	drg_buf_done(&a->ends);
	drg_arena_done(&a->texts);
	drg_ledger_done(&a->ledger);
	return rc;
}

static int accept_proposal(void *ctx, const struct drg_proposal *p)
{
	struct drg_new_accept *a = ctx;
	struct drg_mapping_source v[64]; /* suppliers of one house */
	size_t n = 0;
	for (; n < p->n && n < DRG_ARRAY_LEN(v); n++)
		v[n] = (struct drg_mapping_source){ p->members[n].adapter, DRG_KIND_HOTEL, p->members[n].id };
	return drg_new_accept_add(a, v, n, ++a->proposed);
}

int drg_new_accept_all(struct drg_store *s, struct drg_proposing *p, struct drg_new_accept *a,
                       struct drg_err *reterr)
{
	int rc = drg_new_accept_begin(a, s, "match new", reterr);
	if (rc == DRG_OK)
		rc = drg_propose(s, p, accept_proposal, a, reterr);
	return drg_new_accept_end(a, rc);
}
