#include "server/write.h"

#include <assert.h>

static int write_keep(struct drg_write *q, struct drg_txn *t, struct drg_err *reterr)
{
	drg_buf_clear(q->out);
	bool keep = q->answer(q->ctx, q->out);
	if (q->out->rc == DRG_ELIMIT)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL,
		                "the answer is larger than an answer can be");
	if (q->out->rc != DRG_OK)
		return drg_fail(reterr, q->out->rc, NULL, NULL, "no memory for the answer");
	return keep ? drg_retry_keep(q->retry, t, drg_buf_view(q->out), reterr) : DRG_OK;
}

/* The drg_txn_fn of a struct drg_write. */
static int write_run(void *write, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_write *q = write;
	int rc = DRG_ENOENT;
	if (q->retry != NULL) {
		drg_buf_clear(q->out);
		rc = drg_retry_find(q->retry, t, q->out, reterr);
	}
	q->replayed = rc == DRG_OK;
	if (rc != DRG_ENOENT)
		return rc;
	rc = q->run(q->ctx, t, reterr);
	return rc == DRG_OK && q->retry != NULL ? write_keep(q, t, reterr) : rc;
}

static void write_done(struct drg_job *j)
{
	struct drg_write *q = DRG_CONTAINER_OF(j, struct drg_write, job);
	if (q->retry != NULL)
		drg_retries_leave(q->retries, q->retry);
	if (q->stored != NULL && j->rc == DRG_OK && !q->replayed)
		q->stored(q->ctx);
	q->done(q);
}

static int write_expect(void *write, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_write *q = write;
	return q->expect(q->ctx, t, reterr);
}

void drg_write_submit(struct drg_writer *w, struct drg_retries *retries, struct drg_write *q)
{
	assert(q->run != NULL && q->done != NULL &&
	       (q->retry == NULL || (q->answer != NULL && q->out != NULL)));
	q->retries = retries;
	q->job.run = write_run;
	q->job.ctx = q;
	q->job.expect = q->expect != NULL ? write_expect : NULL;
	q->job.done = write_done;
	q->job.rc = q->retry != NULL ? drg_retries_enter(retries, q->retry, &q->job.err) : DRG_OK;
	if (q->job.rc == DRG_OK)
		drg_writer_submit(w, &q->job);
	else
		q->done(q);
}
