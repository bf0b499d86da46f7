/* src/api/write.h
 * The one way in which requests write: suspend, have the writer run it, and answer when it is stored and
 * shown (decision M9). */
#pragma once
#include "api/app.h"
#include "server/write.h"

/** Name it by its header Idempotency-Key; names belong to a key, or to a person. @return DRG_OK; DRG_EINVAL:
 * not a name; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_api_write_set_idempotency_key(struct drg_exchange *x, struct drg_write *q);

/** Suspend the request and queue its write. @p q is in the arena of its exchange; its run, expect, ctx,
 * answer, stored and job.rows are the handler's.
 * @param then  Answers, in any case: drg_api_write_finish() says how it ended.
 * @return what the handler returns. */
int drg_api_write(struct drg_exchange *x, struct drg_write *q, drg_handler_fn *then);

/** How it ended, for `then`: on success the version of the answer is said, and with a name the answer made;
 * else the exchange's err.
 * @return what a handler returns. */
int drg_api_write_finish(struct drg_write *q);
