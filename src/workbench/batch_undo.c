/* POST curate/batchUndo: undo a batch (decisions C7, M28). */
#include "api/body.h"
#include "api/curate_words.h"
#include "api/freshness.h"
#include "api/gather.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/log.h"
#include "decide/batch.h"
#include "decide/history.h"
#include "text/json_scan.h"
#include "workbench/queue/cases.h"
#include "workbench/record_json.h"
#include "workbench/undoer.h"

enum { LEFT_MAX = 100 };

struct undo_work {
	struct drg_exchange *x;
	struct drg_undoer_job job;
	struct drg_copied left;
	const char *why[LEFT_MAX]; /* static texts */
};

static void undo_left(void *ctx, const struct drg_record *r, const char *why)
{
	static const struct drg_row_meta none;
	struct undo_work *k = ctx;
	size_t at = k->left.n;
	if (drg_copied_take(&k->left, r, &none) == DRG_OK)
		k->why[at] = why;
}

static void undo_done(struct drg_undoer_job *j)
{
	struct undo_work *k = DRG_CONTAINER_OF(j, struct undo_work, job);
	const struct drg_app *app = drg_app_of(k->x);
	drg_follower_wake(app->follower);
	drg_cases_invalidate(app->cases);
	drg_exchange_resume(k->x);
}

/* The words of the store have its place, and who holds it: they are for the log (decision E3). */
static int undo_fail(struct drg_reading *r, const struct undo_work *k)
{
	const struct drg_reason *reason = drg_reason_find(k->job.err.reason);
	if (reason == DRG_R(unknown_batch) || reason == DRG_R(undone_already) ||
	    reason == DRG_R(role_not_allowed))
		return drg_exchange_fail_status(r->x, reason->status, reason, NULL, "%s", k->job.err.message);
	if (reason == DRG_R(import_running))
		return drg_fail(drg_exchange_err(r->x), DRG_EBUSY, reason, NULL, DRG_CURATE_IMPORT_RUNNING);
	if (reason == DRG_R(stopping))
		return drg_fail(drg_exchange_err(r->x), DRG_EBUSY, reason, NULL, "%s", k->job.err.message);
	drg_log(DRG_LOG_WARN, "cannot undo batch %lld: %s", (long long)k->job.u.batch, k->job.err.message);
	if (k->job.rc == DRG_EFULL || reason == DRG_R(not_stored))
		return drg_fail(drg_exchange_err(r->x), DRG_EBUSY, DRG_R(not_stored), NULL,
		                "the server's disk is full or failing; once it is fixed, the same request "
		                "completes the undo");
	return drg_fail(drg_exchange_err(r->x), DRG_EBUSY, DRG_R(store_away), NULL,
	                "the store cannot be written at present; try again later");
}

static void undo_write_left(struct drg_jw *w, const struct undo_work *k)
{
	drg_jw_member_array(w, "left");
	for (size_t i = 0; i < k->left.n; i++) {
		drg_jw_object(w);
		drg_curate_record(w, "record", &k->left.v[i].r);
		drg_jw_member_str(w, "why", drg_str_c(k->why[i]));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static int undo_write(struct drg_reading *r, void *work)
{
	struct undo_work *k = work;
	const struct {
		const char *name;
		uint64_t n;
	} counts[] = { { "removed", k->job.u.removed },
		       { "restored", k->job.u.restored },
		       { "kept", k->job.u.kept } };
	if (k->job.rc != DRG_OK)
		return undo_fail(r, k);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_i64_or_null(&r->w, "batch", k->job.u.undone_by > 0, k->job.u.undone_by);
	for (size_t i = 0; i < DRG_ARRAY_LEN(counts); i++)
		drg_jw_member_i64(&r->w, counts[i].name, (int64_t)counts[i].n);
	undo_write_left(&r->w, k);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int undo_member(struct undo_work *k, struct drg_str name, const struct drg_json_item *v)
{
	struct drg_err *err = drg_exchange_err(k->x);
	bool by = drg_str_eq(name, DRG_STR("by")) && !drg_api_is_person(k->x);
	if (drg_str_eq(name, DRG_STR("batch"))) {
		if (!drg_body_int(v, &k->job.u.batch) || k->job.u.batch < 1)
			return drg_body_bad_value(err, DRG_R(bad_integer), "batch", "the number of a batch",
			                          v);
	} else if (by || drg_str_eq(name, DRG_STR("why"))) {
		struct drg_str text;
		int rc = drg_body_text(err, by ? "by" : "why", by ? (size_t)DRG_CURATE_BY_MAX : DRG_CHARS_WHY,
		                       v, &text);
		if (rc == DRG_OK && by)
			return drg_curate_by(k->x, text, &k->job.u.by);
		if (rc != DRG_OK)
			return rc;
		k->job.u.why = text;
	} else {
		drg_exchange_ignored(k->x, name);
	}
	return DRG_OK;
}

static int undo_read(struct undo_work *k)
{
	struct drg_json_item v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_body_object(k->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		rc = v.type != DRG_JSON_NULL ? undo_member(k, name, &v) : DRG_OK;
		if (rc != DRG_OK)
			return rc;
	}
	if (rc == DRG_ENOENT && k->job.u.batch == 0)
		return drg_fail(drg_exchange_err(k->x), DRG_EINVAL, DRG_R(missing_field), "batch",
		                "batch is required");
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A batch is of any supplier: not for keys that may write some only. */
static int undo_allowed(struct drg_exchange *x)
{
	int rc = drg_api_check_write(x, 0);
	return rc != DRG_EAUTH ? rc
	                       : drg_fail(drg_exchange_err(x), rc, DRG_R(adapter_not_allowed), NULL,
	                                  "this key is for some suppliers only: it may not undo batches");
}

/* Imports are for administrators: no key is one. */
static int undo_look_role(struct drg_reading *r, void *work)
{
	struct undo_work *k = work;
	const struct drg_person *p =
	        drg_api_is_person(r->x) ? drg_catalog_person(r->cat, -drg_exchange_caller(r->x)->id) : NULL;
	k->job.u.spare_imports = p == NULL || p->role < DRG_PERSON_ADMIN;
	return DRG_OK;
}

static int undo_answer(struct drg_exchange *x)
{
	const struct undo_work *k = drg_exchange_data(x);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	int rc = drg_reading_run(x, undo_write, drg_exchange_data(x));
	drg_api_set_version(x, &k->job.commit);
	return rc;
}

static int undo_submit(struct undo_work *k)
{
	if (drg_copied_init(&k->left, drg_exchange_arena(k->x), LEFT_MAX) != DRG_OK)
		return DRG_ENOMEM;
	k->job.u.left = undo_left;
	k->job.u.ctx = k;
	k->job.done = undo_done;
	drg_exchange_set_data(k->x, k);
	/* Suspended before the undoer can know of it; once it has the job, that is the undoer's. */
	drg_exchange_suspend(k->x, undo_answer);
	drg_undoer_submit(drg_app_of(k->x)->undoer, &k->job);
	return DRG_HTTP_SUSPENDED;
}

static int curate_batch_undo(struct drg_exchange *x)
{
	struct undo_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->x = x;
	k->job.u.by = drg_exchange_caller(x)->name;
	int rc = undo_read(k);
	if (rc == DRG_OK)
		rc = drg_audit_check(&(const struct drg_audit){ .by = k->job.u.by, .why = k->job.u.why },
		                     drg_exchange_err(x));
	if (rc == DRG_OK)
		rc = undo_allowed(x);
	if (rc == DRG_OK)
		rc = drg_reading_run(x, undo_look_role, k);
	return rc == DRG_OK ? undo_submit(k) : rc;
}

const struct drg_endpoint drg_curate_batch_undo[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/batchUndo",
	  .name = "curateBatchUndo",
	  .handler = curate_batch_undo,
	  .auth = DRG_AUTH_CURATOR,
	  .body = DRG_BODY_JSON,
	  .summary = "Undo a batch; an import as an admin only" },
	{ 0 },
};
