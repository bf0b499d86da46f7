/* POST curate/accept: the first suggestion of every case that a filter shows is right (decision C12). */
#include <math.h>
#include <sodium.h>

#include "api/tables.h"
#include "api/write.h"
#include "decide/history.h"
#include "workbench/deciding.h"
#include "workbench/queue/cases.h"
#include "workbench/queue/filter.h"

enum { ACCEPT_MAX = 5000, SAMPLE = 10 };

struct accept_request {
	struct drg_write write;
	struct drg_exchange *x;
	struct drg_keeper_wait wait;
	struct drg_queue_filter filter;
	struct drg_decisions d;
	struct drg_decided known;
	struct drg_buf decisions; /* struct drg_decision */
	struct drg_arena ids;
	size_t total; /* that the filter shows, except: */
	size_t vetoed, below; /* those with a veto, and those that are less likely than `above` */
	float above;
};

static void accept_done(struct accept_request *q)
{
	drg_buf_done(&q->decisions);
	drg_arena_done(&q->ids);
}

/* ---- which --------------------------------------------------------------------------------------------- */

/* @param version  That the case had before its candidate was looked at: who decided since has made another
 *                 one. */
static int accept_add(struct accept_request *q, const struct drg_case_entry *e, int64_t version)
{
	const struct drg_decision d = {
		.verb = DRG_VERB_MAP,
		.kind = (enum drg_kind)e->c.kind,
		.adapter = e->c.adapter,
		.id = drg_arena_str(&q->ids, e->c.id),
		.dict_id = e->c.dict_id,
		.unseen = true,
		.likely = e->c.likely,
		.above = q->above,
		.has_version = true,
		.version = version,
	};
	drg_buf_add(&q->decisions, &d, sizeof d);
	return d.id.p != NULL && q->decisions.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

/* True if the case is as it was read. If a person decided since, its first candidate is another one. */
static bool accept_is_as_read(const struct drg_case_entry *e)
{
	return e->c.suggested && atomic_load_explicit(&e->n_ranked, memory_order_relaxed) > 0 &&
	       atomic_load_explicit(&e->dict_id, memory_order_relaxed) == e->c.dict_id;
}

static int accept_gather(struct drg_reading *r, struct accept_request *q)
{
	const struct drg_cases_view *v = drg_cases_view(drg_app_of(r->x)->cases);
	const struct drg_case_sieve s = drg_cases_sieve(v, &q->filter);
	int rc = DRG_OK;
	for (size_t at = drg_cases_next(v, &s, DRG_QUEUE_BY_WORTH, 0); at < v->n && rc == DRG_OK;
	     at = drg_cases_next(v, &s, DRG_QUEUE_BY_WORTH, at + 1)) {
		const struct drg_case_entry *e = drg_cases_at(v, DRG_QUEUE_BY_WORTH, at);
		struct drg_source source;
		int64_t version = atomic_load_explicit(&e->version, memory_order_acquire);
		if (!accept_is_as_read(e) || !drg_case_is_visible(r, &e->c, &source) ||
		    !drg_api_can_write(r->x, e->c.adapter))
			continue;
		if (e->c.likely < q->above)
			q->below++;
		else if (drg_reason_is_veto((enum drg_match_reason)e->c.reason))
			q->vetoed++;
		else if (q->total++ < ACCEPT_MAX)
			rc = accept_add(q, e, version);
	}
	q->d.v = (struct drg_decision *)(void *)q->decisions.p;
	q->d.n = q->decisions.n / sizeof *q->d.v;
	return rc;
}

/* ---- the answers --------------------------------------------------------------------------------------- */

static void accept_sample_item(struct drg_reading *r, const struct drg_decision *d,
                               const struct drg_lang_pref *pref)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, d->adapter);
	struct drg_source s = { .name_esc = { NULL, 0 } };
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", d->adapter);
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(d->kind)));
	drg_jw_member_str(&r->w, "id", d->id);
	bool there = a != NULL && drg_catalog_source(r->cat, a, d->kind, d->id, &s);
	drg_escaped_or_null(&r->w, "name", there ? s.name_esc : drg_str(NULL, 0));
	drg_jw_member_object(&r->w, "best");
	drg_curate_dict_members(r, d->kind, d->dict_id, pref);
	drg_jw_member_real(&r->w, "probability", round((double)d->likely * 1e4) / 1e4);
	drg_jw_object_end(&r->w);
	drg_jw_object_end(&r->w);
}

static void accept_left_out(struct drg_jw *w, const struct accept_request *q)
{
	drg_jw_member_object(w, "left_out");
	drg_jw_member_u64(w, "veto", q->vetoed);
	drg_jw_member_u64(w, "below", q->below);
	drg_jw_object_end(w);
}

/* Ten of them at random: each as likely as any other. */
static void accept_sample(struct drg_reading *r, struct accept_request *q)
{
	struct drg_lang_pref pref = drg_reading_langs(r);
	drg_jw_array(&r->w);
	for (size_t i = 0; i < q->d.n && i < SAMPLE; i++) {
		size_t at = i + randombytes_uniform((uint32_t)(q->d.n - i));
		const struct drg_decision picked = q->d.v[at];
		q->d.v[at] = q->d.v[i];
		q->d.v[i] = picked;
		accept_sample_item(r, &picked, &pref);
	}
	drg_jw_array_end(&r->w);
}

static int accept_preview(struct drg_reading *r, struct accept_request *q)
{
	r->mixed = true;
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_u64(&r->w, "total", q->total);
	drg_jw_member_u64(&r->w, "most", ACCEPT_MAX);
	accept_left_out(&r->w, q);
	drg_jw_key(&r->w, "sample");
	accept_sample(r, q);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int accept_answer(struct drg_exchange *x)
{
	struct accept_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	uint64_t accepted = 0, refused = 0;
	int rc = drg_api_write_finish(&q->write);
	for (size_t i = 0; i < q->d.n && rc == DRG_OK; i++) {
		accepted += q->d.v[i].is.rc == DRG_OK && q->d.v[i].is.changed;
		refused += q->d.v[i].is.rc != DRG_OK;
	}
	if (rc == DRG_OK) {
		drg_data_begin(&w);
		drg_jw_object(&w);
		drg_jw_member_i64_or_null(&w, "batch", q->d.batch > 0, q->d.batch);
		drg_jw_member_u64(&w, "accepted", accepted);
		drg_jw_member_u64(&w, "refused", refused);
		drg_jw_member_u64(&w, "left", q->total - q->d.n);
		accept_left_out(&w, q);
		drg_jw_object_end(&w);
		drg_data_end(&w);
	}
	accept_done(q);
	return rc;
}

/* ---- the request --------------------------------------------------------------------------------------- */

/* A drg_txn_fn; @p request is a struct accept_request. */
static int accept_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct accept_request *q = request;
	return drg_deciding_run(drg_app_of(q->x)->deciding, &q->known, &q->d, t, reterr);
}

static void accept_stored(void *request)
{
	const struct accept_request *q = request;
	drg_deciding_keep(drg_app_of(q->x)->deciding, &q->known);
	drg_cases_invalidate(drg_app_of(q->x)->cases);
}

/* More than the preview counted were not seen by anybody. */
static int accept_compare(struct accept_request *q)
{
	int64_t seen = drg_exchange_int(q->x, "total", 0);
	if ((int64_t)q->total <= seen)
		return DRG_OK;
	return drg_exchange_fail_status(
	        q->x, 409, DRG_R(changed_since), "total",
	        "total: there are %zu by now, and %lld were seen; look again with dry_run", q->total,
	        (long long)seen);
}

static int accept_look(struct drg_reading *r, void *request)
{
	struct accept_request *q = request;
	int rc = accept_gather(r, q);
	if (rc == DRG_OK && drg_exchange_flag(r->x, "dry_run"))
		return accept_preview(r, q);
	return rc == DRG_OK ? accept_compare(q) : rc;
}

static int accept_looked(struct drg_exchange *x)
{
	struct accept_request *q = drg_exchange_data(x);
	int rc = q->wait.rc;
	if (rc != DRG_OK)
		*drg_exchange_err(x) = q->wait.err;
	else
		rc = drg_exchange_has(x, "adapter_id")
		             ? drg_reading_run_adapter(x, q->filter.adapter, accept_look, q)
		             : drg_reading_run(x, accept_look, q);
	if (rc != DRG_OK || drg_exchange_flag(x, "dry_run")) {
		accept_done(q);
		return rc;
	}
	q->write.job.rows = 4 * q->d.n;
	return drg_api_write(x, &q->write, accept_answer);
}

static int accept(struct drg_exchange *x)
{
	struct accept_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	struct drg_str by = drg_exchange_text(x, "by");
	if (q == NULL)
		return DRG_ENOMEM;
	q->x = x;
	q->write = (struct drg_write){ .run = accept_run, .ctx = q, .stored = accept_stored };
	q->d.by = drg_exchange_caller(x)->name;
	q->d.why = drg_exchange_text(x, "why");
	int rc = by.n > 0 && !drg_api_is_person(x) ? drg_curate_by(x, by, &q->d.by) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_audit_check(&(const struct drg_audit){ .by = q->d.by, .why = q->d.why },
		                     drg_exchange_err(x));
	if (rc == DRG_OK)
		rc = drg_case_filter_read(x, &q->filter);
	if (rc != DRG_OK)
		return rc;
	q->filter.suggested = 1;
	q->above = q->filter.above;
	q->filter.above = 0; /* those below it are counted */
	drg_buf_init(&q->decisions, SIZE_MAX);
	drg_arena_init(&q->ids, SIZE_MAX);
	drg_exchange_set_data(x, q);
	return drg_case_await(x, &q->wait, accept_looked);
}

static const struct drg_param accept_params[] = {
	DRG_PARAM_CASE_FILTER,
	{ .name = "dry_run", .type = DRG_P_FLAG, .doc = "only look: how many, and ten of them at random" },
	{ .name = "total",
	  .type = DRG_P_INT,
	  .min = 0,
	  .max = INT64_MAX,
	  .doc = "how many the look has found; more by now are a 409" },
	{ .name = "why",
	  .type = DRG_P_TEXT,
	  .max = DRG_CHARS_WHY,
	  .schema = DRG_SCHEMA_LINE,
	  .doc = "the reason, for the history" },
	{ .name = "by",
	  .type = DRG_P_TEXT,
	  .max = DRG_CURATE_BY_MAX,
	  .schema = DRG_SCHEMA_LINE,
	  .doc = "the curator who decides with this key" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_accept[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/accept",
	  .name = "curateAccept",
	  .handler = accept,
	  .auth = DRG_AUTH_CURATOR,
	  .params = accept_params,
	  .summary = "Accept the first suggestion of all that a filter shows",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
