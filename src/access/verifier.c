#include "access/verifier.h"

#include <assert.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/pool.h"

/* VERIFIER_WAITING: the last of so many waits for some three seconds. VERIFIER_STRANGERS: fewer strangers may
 * wait, or they would keep all others out. VERIFIER_EACH: the most of one client. */
enum { VERIFIER_WAITING = 24, VERIFIER_STRANGERS = 16, VERIFIER_EACH = 4 };

struct drg_verifier {
	struct drg_pool *pool;
	_Atomic unsigned strangers;
};

static void verifier_work(void *ctx, unsigned thread, struct drg_lane_item *item)
{
	struct drg_verification *v = DRG_CONTAINER_OF(item, struct drg_verification, item);
	struct drg_verifier *all = ctx;
	assert(v->done != NULL);
	(void)thread;
	v->rc = v->choose ? drg_password_hash(v->password, v->hash, NULL)
	                  : drg_password_compare(v->hash, v->password);
	if (!v->known)
		atomic_fetch_sub(&all->strangers, 1);
}

static void verifier_ended(struct drg_lane_item *item)
{
	struct drg_verification *v = DRG_CONTAINER_OF(item, struct drg_verification, item);
	assert(v->done != NULL);
	v->done(v);
}

int drg_verifier_start(struct drg_verifier **ret, struct drg_err *reterr)
{
	if (sodium_init() < 0)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
	struct drg_verifier *v = calloc(1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(reterr);
	const struct drg_pool_options o = { .threads = 1,
		                            .max = VERIFIER_WAITING,
		                            .max_each = VERIFIER_EACH,
		                            .work = verifier_work,
		                            .ended = verifier_ended,
		                            .ctx = v };
	int rc = drg_pool_start(&o, &v->pool, reterr);
	if (rc == DRG_OK)
		*ret = v;
	else
		free(v);
	return rc;
}

void drg_verifier_stop(struct drg_verifier *v)
{
	if (v == NULL)
		return;
	drg_pool_stop(v->pool);
	free(v);
}

int drg_verifier_put(struct drg_verifier *v, struct drg_verification *one)
{
	assert(one->done != NULL);
	if (one->known)
		return drg_pool_put(v->pool, &one->item);
	int rc = atomic_fetch_add(&v->strangers, 1) < VERIFIER_STRANGERS ? drg_pool_put(v->pool, &one->item)
	                                                                 : DRG_EBUSY;
	if (rc != DRG_OK)
		atomic_fetch_sub(&v->strangers, 1);
	return rc;
}
