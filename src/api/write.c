#include "api/write.h"

#include <assert.h>

#include "access/key_limits.h"
#include "api/freshness.h"

int drg_api_write_set_idempotency_key(struct drg_exchange *x, struct drg_write *q)
{
	struct drg_str name = drg_exchange_header_at(x, DRG_HEADER_IDEMPOTENCY);
	if (name.p == NULL)
		return DRG_OK;
	q->out = drg_exchange_out(x);
	q->retry = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q->retry);
	return q->retry != NULL ? drg_retry_init(q->retry, drg_exchange_caller(x)->id, name,
	                                         drg_exchange_body(x), drg_exchange_err(x))
	                        : DRG_ENOMEM;
}

static void api_write_done(struct drg_write *w)
{
	drg_exchange_resume(w->owner);
}

int drg_api_write(struct drg_exchange *x, struct drg_write *q, drg_handler_fn *then)
{
	assert(q->run != NULL && then != NULL);
	const struct drg_app *app = drg_app_of(x);
	q->owner = x;
	q->job.bytes = drg_exchange_body(x).n + drg_exchange_arena(x)->used;
	q->done = api_write_done;
	/* Suspended before the writer can know of it, so that its call finds it so. */
	drg_exchange_suspend(x, then);
	drg_write_submit(app->writer, app->retries, q);
	return DRG_HTTP_SUSPENDED;
}

/* 422 is for a retry with another body (E2), 429 for more than the key may add (E30) or have kept (M24). */
static bool write_has_status(const struct drg_reason *reason)
{
	return reason == DRG_R(idempotency_mismatch) || reason == DRG_R(too_many_today) ||
	       reason == DRG_R(too_much_kept);
}

int drg_api_write_finish(struct drg_write *q)
{
	struct drg_exchange *x = q->owner;
	const struct drg_job *j = &q->job;
	const struct drg_reason *reason = drg_reason_find(j->err.reason);
	if (reason == DRG_R(too_much_kept))
		drg_key_limits_tomorrow(x);
	if (j->rc == DRG_EINVAL && write_has_status(reason))
		return drg_exchange_fail_status(x, reason->status, reason,
		                                j->err.field[0] != '\0' ? j->err.field : NULL, "%s",
		                                j->err.message);
	if (j->rc != DRG_OK) {
		*drg_exchange_err(x) = j->err;
		return j->rc;
	}
	drg_api_set_version(x, &j->commit);
	if (q->replayed)
		drg_exchange_add_header(x, "Idempotent-Replayed", "true");
	return DRG_OK;
}
