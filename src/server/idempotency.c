#include "server/idempotency.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/uses.h"

static const int64_t DAY_US = INT64_C(24) * 3600 * 1000000;

/* Each answer that is stored removes up to this many old answers, so that old answers do not pile up. */
enum { FORGET_ROWS = 8 };

/* A linked list is enough: requests are at most as many as connections, and seldom more than a few. */
struct drg_retries {
	pthread_mutex_t lock;
	struct drg_retry *first;
};

int drg_retries_new(struct drg_retries **ret, struct drg_err *reterr)
{
	struct drg_retries *set = calloc(1, sizeof *set);
	if (set == NULL)
		return drg_fail_memory(reterr);
	pthread_mutex_init(&set->lock, NULL);
	*ret = set;
	return DRG_OK;
}

void drg_retries_free(struct drg_retries *set)
{
	if (set == NULL)
		return;
	assert(set->first == NULL);
	pthread_mutex_destroy(&set->lock);
	free(set);
}

int drg_retry_init(struct drg_retry *r, int64_t key_id, struct drg_str name, struct drg_str body,
                   struct drg_err *reterr)
{
	bool ok = name.n >= 1 && name.n <= DRG_RETRY_NAME_MAX;
	for (size_t i = 0; ok && i < name.n; i++)
		ok = name.p[i] > ' ' && name.p[i] <= '~';
	if (!ok)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_idempotency_key), "Idempotency-Key",
		                "Idempotency-Key: expected 1 to %d visible ASCII characters",
		                DRG_RETRY_NAME_MAX);
	*r = (struct drg_retry){ .key_id = key_id, .name = name };
	drg_digest_hex(body, r->body_hash);
	return DRG_OK;
}

static struct drg_retry *idempotency_find(const struct drg_retries *set, const struct drg_retry *like)
{
	struct drg_retry *r = set->first;
	while (r != NULL && (r->key_id != like->key_id || !drg_str_eq(r->name, like->name)))
		r = r->next;
	return r;
}

int drg_retries_enter(struct drg_retries *set, struct drg_retry *r, struct drg_err *reterr)
{
	assert(r->name.n > 0 && r->name.n <= DRG_RETRY_NAME_MAX);
	pthread_mutex_lock(&set->lock);
	bool free_name = idempotency_find(set, r) == NULL;
	if (free_name) {
		r->next = set->first;
		set->first = r;
	}
	pthread_mutex_unlock(&set->lock);
	return free_name ? DRG_OK
	                 : drg_fail(reterr, DRG_EEXIST, DRG_R(idempotency_in_flight), "Idempotency-Key",
	                            "Idempotency-Key: a request with this key is in progress; retry it after "
	                            "the response");
}

void drg_retries_leave(struct drg_retries *set, struct drg_retry *r)
{
	pthread_mutex_lock(&set->lock);
	assert(set->first != NULL);
	struct drg_retry **at = &set->first;
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	pthread_mutex_unlock(&set->lock);
}

struct finding {
	const struct drg_retry *r;
	struct drg_buf *out;
	bool old, other;
};

static int take_kept(void *ctx, const struct drg_kept_answer *k)
{
	struct finding *f = ctx;
	f->old = k->at_us <= drg_wall_us() - DAY_US;
	f->other = !drg_str_eq(k->body_hash, drg_str_c(f->r->body_hash));
	if (!f->old && !f->other)
		drg_buf_str(f->out, k->answer);
	return DRG_OK;
}

int drg_retry_find(const struct drg_retry *r, struct drg_txn *t, struct drg_buf *out, struct drg_err *reterr)
{
	struct finding f = { .r = r, .out = out };
	int rc = drg_txn_kept_get(t, r->key_id, r->name, take_kept, &f, reterr);
	if (rc != DRG_OK)
		return rc;
	if (f.old)
		return drg_fail(reterr, DRG_ENOENT, NULL, NULL, "the answer is older than a day");
	if (f.other)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(idempotency_mismatch), "Idempotency-Key",
		        "Idempotency-Key: it came with another body before; a new request needs a new one");
	return DRG_OK;
}

/* Count an answer against what the key may have kept today. */
static int idempotency_count(const struct drg_kept_answer *k, struct drg_txn *t, struct drg_err *reterr)
{
	const int64_t today = k->at_us / DAY_US;
	const struct drg_use u = { .sort = DRG_USE_KEPT,
		                   .number = k->key_id,
		                   .slot = today,
		                   .count = (int64_t)(k->name.n + k->body_hash.n + k->answer.n),
		                   .day = today };
	int64_t used;
	int rc = drg_txn_used(t, &u, &used, reterr);
	if (rc == DRG_OK && used + u.count > DRG_RETRY_DAY_BYTES)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(too_much_kept), "Idempotency-Key",
		        "Idempotency-Key: the responses kept for this key have reached %d MiB today, and "
		        "nothing was changed; send the request without the header, or after midnight UTC",
		        DRG_RETRY_DAY_BYTES >> 20);
	return rc == DRG_OK ? drg_txn_use(t, &u, reterr) : rc;
}

int drg_retry_keep(const struct drg_retry *r, struct drg_txn *t, struct drg_str answer,
                   struct drg_err *reterr)
{
	int64_t now_us = drg_wall_us();
	const struct drg_kept_answer k = { r->key_id, r->name, now_us, drg_str_c(r->body_hash), answer };
	int rc = idempotency_count(&k, t, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_kept_put(t, &k, reterr);
	return rc == DRG_OK ? drg_txn_kept_delete(t, now_us - DAY_US, FORGET_ROWS, reterr) : rc;
}
