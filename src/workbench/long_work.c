#include "workbench/long_work.h"

#include <assert.h>

#include "api/freshness.h"
#include "decide/history.h"
#include "workbench/load.h"
#include "workbench/queue/cases.h"

static int long_work_write(struct drg_reading *r, void *work)
{
	struct drg_long_work *w = work;
	r->mixed = true;
	return w->write(r, w);
}

static int long_work_answer(struct drg_exchange *x)
{
	struct drg_long_work *w = drg_exchange_data(x);
	if (w->rc != DRG_OK) {
		*drg_exchange_err(x) = w->err;
		return w->rc;
	}
	if (w->l.rc != DRG_OK)
		return drg_curate_load_fail(x, &w->l);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	int rc = drg_reading_run(x, long_work_write, w);
	if (w->changes)
		drg_api_set_version(x, &w->l.commit);
	return rc;
}

static int long_work_run(struct drg_loading *l, struct drg_store *s, const char *path, struct drg_err *reterr)
{
	struct drg_long_work *w = DRG_CONTAINER_OF(l, struct drg_long_work, l);
	return w->run(w, s, path, reterr);
}

static void long_work_ended(struct drg_loading *l)
{
	struct drg_long_work *w = DRG_CONTAINER_OF(l, struct drg_long_work, l);
	const struct drg_app *app = drg_app_of(w->x);
	if (w->changes) {
		drg_follower_wake(app->follower);
		drg_cases_invalidate(app->cases);
	}
	drg_exchange_resume(w->x);
}

int drg_long_work(struct drg_exchange *x, struct drg_long_work *w)
{
	assert(w->run != NULL && w->write != NULL && w->name != NULL);
	if (!drg_api_is_person(x))
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(role_not_allowed), NULL,
		                "only somebody who has signed in may do this");
	w->x = x;
	w->by = drg_exchange_caller(x)->name;
	w->l.file = drg_exchange_body(x);
	w->l.name = w->name;
	w->l.work = long_work_run;
	w->l.ended = long_work_ended;
	int rc =
	        drg_audit_check(&(const struct drg_audit){ .by = w->by, .why = w->why }, drg_exchange_err(x));
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, w);
	/* Suspended before the thread can know of it. */
	drg_exchange_suspend(x, long_work_answer);
	struct drg_err err;
	rc = drg_loads_submit(drg_app_of(x)->loads, &w->l, &err);
	if (rc == DRG_OK)
		return DRG_HTTP_SUSPENDED; /* it may have ended by now, and been answered: w is gone */
	w->rc = rc;
	w->err = err;
	drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}
