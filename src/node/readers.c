#include "node/readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/outage.h"
#include "base/pool.h"

/* How often a thread without a job looks whether its handle is still of the store that the path names. */
enum { IDLE_LOOK_MS = 500 };

struct drg_readers {
	char *url;
	struct drg_pool *pool;
	struct drg_outage outage;
	unsigned n_threads;
	bool odd_words;
	struct drg_store *stores[]; /* each its own thread's, once that has begun; NULL: to be opened */
};

static bool store_failed(int rc)
{
	return rc != DRG_OK && rc != DRG_ENOENT && rc != DRG_EINVAL && rc != DRG_ELIMIT && rc != DRG_ENOMEM;
}

static void readers_close_store(struct drg_store **store)
{
	drg_store_close(*store);
	*store = NULL;
}

/* A handle of a store that was replaced is of no use, and keeps its files (store.h). */
static void readers_close_if_replaced(struct drg_store **store)
{
	if (*store != NULL && drg_store_in_place(*store, NULL) != DRG_OK)
		readers_close_store(store);
}

static int readers_open_store(const struct drg_readers *p, struct drg_store **store, struct drg_err *err)
{
	int rc = drg_store_open(p->url, DRG_STORE_READ, store, err);
	if (rc == DRG_OK && p->odd_words)
		drg_store_give_odd_words(*store);
	return rc;
}

/* A failing store shows in *store: NULL. */
static void try_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	memset(&j->err, 0, sizeof j->err);
	readers_close_if_replaced(store);
	if (*store == NULL) {
		j->rc = readers_open_store(p, store, &j->err);
		if (j->rc != DRG_OK)
			return;
	}
	j->rc = j->run(j, *store, &j->err);
	if (store_failed(j->rc))
		readers_close_store(store);
}

static void do_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	bool used = *store != NULL;
	try_job(p, j, store);
	if (*store == NULL && used)
		try_job(p, j, store);
	if (*store != NULL) {
		drg_outage_end(&p->outage, "the store can be read again");
		return;
	}
	drg_outage_begin(&p->outage, DRG_EIO, DRG_LOG_ERROR,
	                 "cannot read the store: %s; requests that need it get 503", j->err.message);
	j->rc = drg_fail(&j->err, DRG_EBUSY, DRG_R(store_away), NULL,
	                 "the store cannot be read at present; try again later");
}

static struct drg_read_job *job_of(struct drg_lane_item *item)
{
	return DRG_CONTAINER_OF(item, struct drg_read_job, item);
}

static void readers_work(void *readers, unsigned thread, struct drg_lane_item *item)
{
	struct drg_readers *p = readers;
	do_job(p, job_of(item), &p->stores[thread]);
}

static void readers_ended(struct drg_lane_item *item)
{
	struct drg_read_job *j = job_of(item);
	j->done(j);
}

static bool readers_idle(void *readers, unsigned thread)
{
	struct drg_readers *p = readers;
	readers_close_if_replaced(&p->stores[thread]);
	return p->stores[thread] != NULL;
}

int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j, struct drg_err *reterr)
{
	int rc = drg_pool_put(p->pool, &j->item);
	if (rc == DRG_OK)
		return DRG_OK;
	return drg_fail(reterr, DRG_EBUSY, DRG_R(queue_full), NULL,
	                "too many requests%s wait for the store; try again later",
	                rc == DRG_ELIMIT ? " of this key" : "");
}

/* Before the threads begin. What fails is tried again, and said, at the first job. */
static void readers_open(struct drg_readers *p)
{
	for (unsigned i = 0; i < p->n_threads; i++)
		if (readers_open_store(p, &p->stores[i], NULL) != DRG_OK)
			return;
}

int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr)
{
	unsigned n = o->threads > 0 ? o->threads : 2;
	size_t max = o->max_jobs > 0 ? o->max_jobs : 4096;
	struct drg_readers *p = calloc(1, sizeof *p + n * sizeof p->stores[0]);
	if (p == NULL)
		return drg_fail_memory(reterr);
	p->n_threads = n;
	p->odd_words = o->odd_words;
	p->url = strdup(o->store_url);
	if (p->url != NULL)
		readers_open(p);
	const struct drg_pool_options pool = { .threads = n,
		                               .max = max,
		                               .max_each = o->max_each > 0 ? o->max_each : (max + 3) / 4,
		                               .max_at_work = o->all_threads || n == 1 ? n : n - 1,
		                               .work = readers_work,
		                               .ended = readers_ended,
		                               .idle = readers_idle,
		                               .idle_ms = IDLE_LOOK_MS,
		                               .ctx = p };
	int rc = p->url != NULL ? drg_pool_start(&pool, &p->pool, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = p;
	else
		drg_readers_stop(p);
	return rc;
}

void drg_readers_stop(struct drg_readers *p)
{
	if (p == NULL)
		return;
	drg_pool_stop(p->pool);
	for (unsigned i = 0; i < p->n_threads; i++)
		drg_store_close(p->stores[i]);
	free(p->url);
	free(p);
}
