/* src/server/idempotency.h
 * Requests that may be sent again (header Idempotency-Key; decision M24). The answer is stored for a day, in
 * the same transaction as the write, and a repetition gets the same bytes. The client chooses the names; they
 * belong to its API key. */
#pragma once
#include "base/digest.h"
#include "store/store.h"

enum { DRG_RETRY_NAME_MAX = 255 };
/** The limit of a key's stored responses in a day (UTC), in bytes. */
enum { DRG_RETRY_DAY_BYTES = 256 << 20 };

/** The named requests in progress. */
struct drg_retries;

DRG_MUSTCHECK
int drg_retries_new(struct drg_retries **ret, struct drg_err *reterr);
void drg_retries_free(struct drg_retries *set);

/** One named request. Plain data; borrowed texts live as long as the request. */
struct drg_retry {
	int64_t key_id;
	struct drg_str name;
	char body_hash[DRG_DIGEST_TEXT];
	struct drg_retry *next; /**< in the list of the set */
};

/** @return DRG_OK; DRG_EINVAL: a name is 1 to DRG_RETRY_NAME_MAX visible ASCII characters. */
DRG_MUSTCHECK
int drg_retry_init(struct drg_retry *r, int64_t key_id, struct drg_str name, struct drg_str body,
                   struct drg_err *reterr);

/** Begin a request. @return DRG_OK; DRG_EEXIST: a request of this name is in progress. From any thread. */
DRG_MUSTCHECK
int drg_retries_enter(struct drg_retries *set, struct drg_retry *r, struct drg_err *reterr);
void drg_retries_leave(struct drg_retries *set, struct drg_retry *r);

/**
 * Find the answer to a request that was answered within a day.
 * @param out  Gets the answer.
 * @return DRG_OK; DRG_ENOENT: the request was not answered; DRG_EINVAL: it was, but with another body (reason
 * idempotency_mismatch); the store's error.
 */
DRG_MUSTCHECK
int drg_retry_find(const struct drg_retry *r, struct drg_txn *t, struct drg_buf *out, struct drg_err *reterr);

/** Store the answer, and remove some answers that are older than a day. @return DRG_OK; DRG_EINVAL: the key has
 * had its share of today (reason too_much_kept); the store's error. */
DRG_MUSTCHECK
int drg_retry_keep(const struct drg_retry *r, struct drg_txn *t, struct drg_str answer,
                   struct drg_err *reterr);
