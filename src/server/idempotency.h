/* src/server/idempotency.h
 * Requests that may be sent again (header Idempotency-Key; decision M24): the answer is kept for a day, in the transaction of what
 * it tells of, and a repetition gets the same bytes. Names are the client's and belong to its API key. */
#pragma once
#include "base/digest.h"
#include "store/store.h"

enum { DRG_RETRY_NAME_MAX = 255 };

/** The requests under way that have a name. */
struct drg_retries;

DRG_MUSTCHECK
int drg_retries_new(struct drg_retries **ret, struct drg_err *reterr);
void drg_retries_free(struct drg_retries *set);

/** One named request. Plain data; what it borrows lives as long as the request. */
struct drg_retry {
	int64_t key_id;
	struct drg_str name;
	char body_hash[DRG_DIGEST_TEXT];
	struct drg_retry *next; /**< the set's */
};

/** @return DRG_OK; DRG_EINVAL: a name is 1 to DRG_RETRY_NAME_MAX visible ASCII characters. */
DRG_MUSTCHECK
int drg_retry_init(struct drg_retry *r, int64_t key_id, struct drg_str name, struct drg_str body,
                   struct drg_err *reterr);

/** Begin. @return DRG_OK; DRG_EEXIST: a request of this name is under way. From any thread. */
DRG_MUSTCHECK
int drg_retries_enter(struct drg_retries *set, struct drg_retry *r, struct drg_err *reterr);
void drg_retries_leave(struct drg_retries *set, struct drg_retry *r);

/**
 * Was it answered before, within a day?
 * @param out  Gets the answer.
 * @return DRG_OK; DRG_ENOENT; DRG_EINVAL: it was, but the body was another (reason idempotency_mismatch); or the store's
 *         error.
 */
DRG_MUSTCHECK
int drg_retry_find(const struct drg_retry *r, struct drg_txn *t, struct drg_buf *out, struct drg_err *reterr);

/** Keep the answer. Forgets some that are older than a day. */
DRG_MUSTCHECK
int drg_retry_keep(const struct drg_retry *r, struct drg_txn *t, struct drg_str answer,
                   struct drg_err *reterr);
