#include "node/readers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/outage.h"
#include "base/pool.h"
#include "node/copies.h"

/* How long a copy of the store is waited for that is behind the catalog, and how often it is asked. */
enum { LATE_MS = 200, ASK_MS = 5 };

/* A handle that was not used for so long is asked whether the store is there, before a job waits for it; a job that has waited for longer is
 * not tried again; and when nobody could open the store, so long nobody tries. */
static const int64_t UNUSED_NS = INT64_C(1000000000), PATIENT_NS = 4 * INT64_C(1000000000),
                     AWAY_NS = INT64_C(1000000000);

/* How often a thread without a job looks whether its handle is still of the store that the path names. */
enum { IDLE_LOOK_MS = 500 };

/* Its own thread's, once that has begun. */
struct reader {
	struct drg_store *store; /* NULL: to be opened */
	enum drg_read_from from;
	int64_t copy_again_ns; /* from DRG_FROM_STORE_INSTEAD: until then */
	int64_t used_ns;
};

struct drg_readers {
	char *url;
	struct drg_follower *follower;
	struct drg_pool *pool;
	struct drg_outage outage;
	_Atomic int64_t away_ns; /* when a database could not be opened */
	unsigned n_threads;
	bool odd_words, is_file;
	struct reader readers[];
};

static bool store_failed(int rc)
{
	return rc != DRG_OK && rc != DRG_ENOENT && rc != DRG_EINVAL && rc != DRG_ELIMIT && rc != DRG_ENOMEM;
}

static void reader_close(struct reader *r)
{
	drg_store_close(r->store);
	r->store = NULL;
}

/* A handle of a store that was replaced is of no use, and keeps its files (store.h). */
static void reader_close_if_useless(struct reader *r)
{
	bool again = r->from == DRG_FROM_STORE_INSTEAD && drg_clock_ns() >= r->copy_again_ns;
	if (r->store != NULL && (again || drg_store_in_place(r->store, NULL) != DRG_OK))
		reader_close(r);
}

/* What everybody reads is at least as new as the catalog, or what is read and kept would stay old. */
static struct drg_clock readers_shown(const struct drg_readers *p)
{
	struct drg_followed followed = { .n = 0 };
	if (p->follower != NULL)
		drg_follower_followed(p->follower, &followed);
	return followed.clock;
}

/* @return false: the copy has not come to what the catalog shows, or has another history. */
static bool reader_awaits_copy(const struct drg_readers *p, struct reader *r)
{
	const struct drg_clock shown = readers_shown(p);
	const struct timespec ask = { .tv_nsec = ASK_MS * 1000000 };
	const int64_t until_ns = drg_clock_ns() + (int64_t)LATE_MS * 1000000;
	struct drg_clock clock;
	bool has = false;
	if (drg_follower_avoids_copies(p->follower))
		return false;
	do {
		if (drg_store_clock(r->store, &clock, NULL) != DRG_OK ||
		    drg_store_has(r->store, &clock, &shown, &has, NULL) != DRG_OK)
			return false;
	} while (!has && drg_clock_ns() < until_ns && nanosleep(&ask, NULL) == 0);
	return has;
}

/* A database that hangs takes every question and answers none: a look finds that out sooner than a reading. */
static bool reader_will_do(const struct drg_readers *p, struct reader *r)
{
	struct drg_clock clock;
	if (p->follower != NULL && r->from == DRG_FROM_COPY)
		return reader_awaits_copy(p, r);
	return p->is_file || drg_clock_ns() - r->used_ns < UNUSED_NS ||
	       drg_store_clock(r->store, &clock, NULL) == DRG_OK;
}

static int reader_open(struct drg_readers *p, struct reader *r, struct drg_err *err)
{
	const struct drg_clock shown = readers_shown(p);
	int64_t away_ns = atomic_load(&p->away_ns);
	if (away_ns != 0 && drg_clock_ns() - away_ns < AWAY_NS)
		return drg_fail(err, DRG_EIO, NULL, NULL, "the store was away a moment ago");
	bool itself = p->follower != NULL && drg_follower_avoids_copies(p->follower);
	int rc = itself ? drg_open_itself(p->url, &r->store, &r->from, err)
	                : drg_open_reading(p->url, &shown, 0, &r->store, &r->from, err);
	r->copy_again_ns = drg_clock_ns() + DRG_COPY_AGAIN_NS;
	atomic_store(&p->away_ns, rc == DRG_OK || p->is_file ? 0 : drg_clock_ns());
	if (rc == DRG_OK && p->odd_words)
		drg_store_give_odd_words(r->store);
	return rc;
}

/* A failing store shows in r->store: NULL. */
static void try_job(struct drg_readers *p, struct drg_read_job *j, struct reader *r)
{
	memset(&j->err, 0, sizeof j->err);
	reader_close_if_useless(r);
	if (r->store != NULL && !reader_will_do(p, r))
		reader_close(r);
	if (r->store == NULL) {
		j->rc = reader_open(p, r, &j->err);
		if (j->rc != DRG_OK)
			return;
	}
	j->rc = j->run(j, r->store, &j->err);
	r->used_ns = drg_clock_ns();
	if (store_failed(j->rc))
		reader_close(r);
}

static void do_job(struct drg_readers *p, struct drg_read_job *j, struct reader *r)
{
	bool used = r->store != NULL;
	int64_t began_ns = drg_clock_ns();
	try_job(p, j, r);
	if (r->store == NULL && used && drg_clock_ns() - began_ns < PATIENT_NS)
		try_job(p, j, r);
	if (r->store != NULL) {
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
	do_job(p, job_of(item), &p->readers[thread]);
}

static void readers_ended(struct drg_lane_item *item)
{
	struct drg_read_job *j = job_of(item);
	j->done(j);
}

static bool readers_idle(void *readers, unsigned thread)
{
	struct drg_readers *p = readers;
	reader_close_if_useless(&p->readers[thread]);
	return p->readers[thread].store != NULL;
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

int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr)
{
	unsigned n = o->threads > 0 ? o->threads : 2;
	size_t max = o->max_jobs > 0 ? o->max_jobs : 4096;
	struct drg_readers *p = calloc(1, sizeof *p + n * sizeof p->readers[0]);
	if (p == NULL)
		return drg_fail_memory(reterr);
	p->n_threads = n;
	p->odd_words = o->odd_words;
	p->follower = o->follower;
	p->url = strdup(o->store_url);
	p->is_file = drg_store_is_file(o->store_url);
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
		drg_store_close(p->readers[i].store);
	free(p->url);
	free(p);
}
