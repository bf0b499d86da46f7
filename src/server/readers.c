#include "server/readers.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/outage.h"
#include "base/pool.h"
#include "server/copies.h"
#include "store/lend.h"

/* How long to wait for a copy of the store that is behind the catalog. */
enum { READER_LATE_MS = 200 };

/* A job that has waited longer than PATIENT_NS is not tried again. After a database let a job wait that long,
 * jobs fail at once for AWAY_NS, unless the follower has been answered since. */
static const int64_t PATIENT_NS = 4 * DRG_SECOND_NS, AWAY_NS = DRG_SECOND_NS;

/* How often an idle thread checks whether its handle is still of the store at the path. */
enum { IDLE_LOOK_MS = 500 };

/* Used only by its own thread, once that has begun. */
struct reader {
	struct drg_store *store; /* NULL: not open; the handle of a database is borrowed for each job */
	enum drg_read_from from;
	int64_t copy_again_ns; /* with DRG_FROM_STORE_INSTEAD: when a copy is tried again */
};

struct drg_readers {
	char *url;
	struct drg_follower *follower;
	struct drg_pool *pool;
	struct drg_outage outage;
	_Atomic int64_t away_ns; /* when reading from a database last failed; 0: it did not */
	unsigned n_threads;
	bool odd_words, is_file;
	struct drg_long_reads *turns;
	struct drg_long_pool *sort; /* this reader's sort, for the turns */
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

/* Close the handle of a store that was replaced: it is useless, and keeps its files (store.h). */
static void reader_close_if_useless(struct reader *r)
{
	if (r->store != NULL && drg_store_in_place(r->store, NULL) != DRG_OK)
		reader_close(r);
}

/* The commit that a server must have to be read: the catalog's. Older rows would be cached and stay
 * outdated. */
static struct drg_clock readers_shown(const struct drg_readers *p)
{
	struct drg_follower_position followed = { .n = 0 };
	if (p->follower != NULL)
		drg_follower_read_position(p->follower, &followed);
	return followed.clock;
}

/* Open the store. For a database this is also a test: a database that hangs accepts questions and answers
 * none, and a short question finds that out sooner than a job. */
static int reader_open(struct drg_readers *p, struct reader *r, struct drg_err *err)
{
	const struct drg_clock shown = readers_shown(p);
	const bool lent = !p->is_file;
	bool was_instead = r->from == DRG_FROM_STORE_INSTEAD && drg_clock_ns() < r->copy_again_ns;
	bool itself = was_instead || (p->follower != NULL && drg_follower_avoids_copies(p->follower));
	int rc = itself ? drg_store_open_primary(p->url, lent, &r->store, &r->from, err)
	                : drg_store_open_reading(p->url, &shown, lent, READER_LATE_MS, &r->store, &r->from,
	                                         err);
	if (!was_instead)
		r->copy_again_ns = drg_clock_ns() + DRG_COPY_AGAIN_NS;
	if (rc == DRG_OK && p->odd_words)
		drg_store_allow_unknown_enums(r->store);
	return rc;
}

/* Try a job; r->store is NULL if the store failed. */
static void try_job(struct drg_readers *p, struct drg_read_job *j, struct reader *r)
{
	memset(&j->err, 0, sizeof j->err);
	reader_close_if_useless(r);
	if (r->store == NULL) {
		j->rc = reader_open(p, r, &j->err);
		if (j->rc != DRG_OK)
			return;
	}
	j->rc = j->run(j, r->store, &j->err);
	if (store_failed(j->rc))
		reader_close(r);
}

static bool is_crowded(const struct drg_read_job *j)
{
	return j->rc == DRG_EBUSY && strcmp(j->err.reason, "busy") == 0;
}

static void fail_job(struct drg_read_job *j)
{
	j->rc = drg_fail(&j->err, DRG_EBUSY, DRG_R(store_away), NULL,
	                 "the store cannot be read at present; try again later");
}

/* Has the store answered since? /readyz says so then. */
static bool has_answered_since(const struct drg_readers *p, int64_t away_ns)
{
	return p->follower != NULL && drg_follower_answered_ns(p->follower) > away_ns;
}

static void do_job(struct drg_readers *p, struct drg_read_job *j, struct reader *r)
{
	const int64_t began_ns = drg_clock_ns(), away_ns = atomic_load(&p->away_ns);
	bool used = r->store != NULL || !p->is_file;
	if (away_ns != 0 && began_ns - away_ns < AWAY_NS && !has_answered_since(p, away_ns)) {
		fail_job(j);
		return;
	}
	try_job(p, j, r);
	if (r->store == NULL && used && drg_clock_ns() - began_ns < PATIENT_NS)
		try_job(p, j, r);
	if (r->store != NULL) {
		atomic_store(&p->away_ns, 0);
		drg_outage_end(&p->outage, "the store can be read again");
		drg_store_return(&r->store);
		return;
	}
	if (is_crowded(j))
		return;
	bool slow = !p->is_file && drg_clock_ns() - began_ns >= AWAY_NS;
	atomic_store(&p->away_ns, slow ? drg_clock_ns() : 0);
	drg_outage_begin(&p->outage, DRG_EIO, DRG_LOG_ERROR,
	                 "cannot read the store: %s; requests that need it get 503", j->err.message);
	fail_job(j);
}

static void readers_work(void *readers, unsigned thread, struct drg_lane_item *item)
{
	struct drg_readers *p = readers;
	struct drg_read_job *j = DRG_CONTAINER_OF(item, struct drg_read_job, item);
	drg_long_reads_enter(p->turns, p->sort);
	do_job(p, j, &p->readers[thread]);
	drg_long_reads_leave(p->turns, p->sort);
	if (j->rc == DRG_OK && j->then != NULL)
		j->then(j);
}

static void readers_ended(struct drg_lane_item *item)
{
	struct drg_read_job *j = DRG_CONTAINER_OF(item, struct drg_read_job, item);
	j->done(j);
}

static bool readers_idle(void *readers, unsigned thread)
{
	struct drg_readers *p = readers;
	reader_close_if_useless(&p->readers[thread]);
	return p->readers[thread].store != NULL;
}

int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j)
{
	assert(j->run != NULL && j->done != NULL);
	int rc = drg_pool_put(p->pool, &j->item);
	if (rc == DRG_OK)
		return DRG_OK;
	return j->rc = drg_fail(&j->err, DRG_EBUSY, DRG_R(queue_full), NULL,
	                        "too many requests%s wait for the store; try again later",
	                        rc == DRG_ELIMIT ? " of this key" : "");
}

int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr)
{
	assert(o->store_url != NULL);
	unsigned n = o->threads > 0 ? o->threads : 2;
	size_t max = o->max_jobs > 0 ? o->max_jobs : 4096;
	struct drg_readers *p = calloc(1, sizeof *p + n * sizeof p->readers[0]);
	if (p == NULL)
		return drg_fail_memory(reterr);
	p->n_threads = n;
	p->odd_words = o->odd_words;
	p->turns = o->turns;
	p->sort = o->sort;
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
		                               .background = o->turns != NULL,
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
