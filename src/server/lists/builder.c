/* The thread that builds reference lists: it chooses the next list, builds it, and gives memory back when it
 * is idle. */
#include "server/lists/lists_priv.h"

#include <assert.h>

#include "server/lists/lists.h"
#include "base/clock.h"
#include "base/lru.h"
#include "base/outage.h"
#include "base/worker.h"
#include "server/lists/held.h"
#include "text/collate.h"

enum {
	/* delay before a rebuild that nobody waits for, so that a burst of commits costs one */
	GATHER_MS = 150,
	HOT_SECONDS = 60, /* a list is rebuilt without a request if it was asked for within this time */
	LATE_MS = 1000, /* a longer wait is logged ... */
	/* ... and its end is logged after this time without one; memory is given back then, too */
	CALM_MS = 10000,
	GATE_MS = 5, /* how often a test's gate is checked */
};

uint64_t drg_lists_data_version(const struct drg_lists *l, struct drg_data_version *ret)
{
	uint64_t v = 0;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	if (cat != NULL) {
		const struct drg_catalog_read_mark look = drg_catalog_read_begin(cat);
		*ret = drg_catalog_read_end(cat, &look);
		v = drg_catalog_list_version(cat);
	}
	drg_read_unlock();
	return v;
}

/* Is the list rebuilt without a request? Only if it was asked for again after its first build: a stranger can
 * ask for thousands of lists once. */
static bool is_hot(const struct drg_list_entry *e, int64_t cold_ns)
{
	return e->asked_ns > cold_ns && e->asked_ns > e->first_ns;
}

/* The hot list that has been outdated for longest, unless its last build failed: that one waits for a request
 * or a change. */
static struct drg_list_entry *next_behind(const struct drg_lists *l)
{
	struct drg_list_entry *behind = NULL;
	int64_t cold = drg_clock_ns() - HOT_SECONDS * DRG_SECOND_NS;
	for (struct drg_list_entry *e = drg_lists_newest(l); e != NULL; e = drg_lists_older(e))
		if (e->stale_since_ns != 0 && e->rc == DRG_OK && is_hot(e, cold) &&
		    (behind == NULL || e->stale_since_ns < behind->stale_since_ns))
			behind = e;
	return behind;
}

/* The next list to build; lists that requests wait for come first.
 * @param ret_due  When to build it; in the past if a request waits. */
static struct drg_list_entry *next_job(struct drg_lists *l, int64_t *ret_due)
{
	struct drg_list_entry *e = drg_lists_awaited(drg_turns_next(&l->turns));
	*ret_due = 0;
	if (e != NULL)
		return e;
	e = next_behind(l);
	if (e != NULL)
		*ret_due = e->stale_since_ns + GATHER_MS * INT64_C(1000000);
	return e;
}

static int build_body(struct drg_lists *l, const struct drg_list_key *key, uint64_t *ret_version,
                      struct drg_data_version *ret_data, struct drg_err *err)
{
	drg_buf_clear(&l->body.text);
	l->body.total = DRG_LIST_UNCOUNTED;
	/* A list may show a record in several places, and it must be the same in all. */
	drg_follower_hold(l->o.follower);
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	assert(cat != NULL);
	*ret_version = drg_catalog_list_version(cat);
	const struct drg_catalog_read_mark look = drg_catalog_read_begin(cat);
	*ret_data = drg_catalog_read_end(cat, &look);
	int rc = key->build(cat, key, l->o.ctx, &l->body, err);
	assert(rc != DRG_EBUSY); /* DRG_EBUSY means "is being built" */
	drg_read_unlock();
	drg_follower_release(l->o.follower);
	if (rc == DRG_OK && l->body.text.rc != DRG_OK)
		rc = drg_fail(err, l->body.text.rc, NULL, NULL, "the list is too large to build");
	return rc;
}

int drg_lists_attach(const struct drg_lists *l, struct drg_held_list *made)
{
	if (l->o.attach == NULL)
		return DRG_OK;
	made->list.attached = l->o.attach(&made->list);
	made->detach = made->list.attached != NULL ? l->o.detach : NULL;
	return made->list.attached != NULL ? DRG_OK : DRG_ENOMEM;
}

/* The work to do for an entry, and its result. */
struct list_job {
	const struct drg_list_key *key;
	struct drg_held_list *before; /* held; NULL: there is none */
	bool build; /* false: only a coding is missing */
	unsigned codings; /* bits */
	struct drg_held_list *made; /* NULL: the present list stays */
	uint64_t version;
	struct drg_data_version data;
	int rc;
	struct drg_err err;
};

/* Is the new body equal to the old one? Then it need not be compressed again; most changes show in few
 * lists. */
static bool is_unchanged_list(const struct drg_lists *l, const struct list_job *job)
{
	char etag[DRG_LIST_ETAG];
	if (job->before == NULL)
		return false;
	drg_list_etag(drg_buf_view(&l->body.text), etag);
	return strcmp(etag, job->before->list.etag) == 0;
}

static int job_build(struct drg_lists *l, struct list_job *job)
{
	int rc = build_body(l, job->key, &job->version, &job->data, &job->err);
	if (rc != DRG_OK || is_unchanged_list(l, job))
		return rc;
	rc = drg_held_list_new(drg_buf_view(&l->body.text), &job->made, &job->err);
	if (rc != DRG_OK)
		return rc;
	job->made->list.total = l->body.total;
	job->made->list.version = job->data;
	return DRG_OK;
}

static int job_code_as(struct drg_lists *l, struct list_job *job, enum drg_coding c)
{
	const struct drg_held_list *there = job->made != NULL ? job->made : job->before;
	if ((job->codings >> c & 1) == 0 || drg_list_has(&there->list, c))
		return DRG_OK;
	if (job->made == NULL)
		job->made = drg_held_list_clone(there, &there->list.version);
	if (job->made == NULL)
		return drg_fail_memory(&job->err);
	int rc = l->packer == NULL ? drg_packer_new(&l->packer, &job->err) : DRG_OK;
	return rc == DRG_OK ? drg_held_list_compress(job->made, c, l->packer, &l->coded, &job->err) : rc;
}

/* Called without the lock. */
static void job_do(struct drg_lists *l, struct list_job *job)
{
	int rc = job->build ? job_build(l, job) : DRG_OK;
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT && rc == DRG_OK; c++)
		rc = job_code_as(l, job, (enum drg_coding)c);
	if (rc == DRG_OK && job->made != NULL && drg_lists_attach(l, job->made) != DRG_OK)
		rc = drg_fail_memory(&job->err);
	if (rc != DRG_OK) {
		drg_list_release(job->made);
		job->made = NULL;
	}
	job->rc = rc;
}

/* The codings that requests wait for, and those that were asked for lately. */
static unsigned wanted_codings(const struct drg_list_entry *e)
{
	const int64_t cold = drg_clock_ns() - HOT_SECONDS * DRG_SECOND_NS;
	const struct drg_list_wait *w;
	unsigned bits = 0;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++)
		bits |= (unsigned)(e->coding_ns[c] > cold) << c;
	TAILQ_FOREACH(w, &e->awaited.waits, beside)
	bits |= 1U << w->coding;
	return bits;
}

static struct list_job job_of(struct drg_list_entry *e)
{
	struct list_job job = { .key = &e->key,
		                .before = e->ready,
		                .build = e->ready == NULL || e->wanted || e->stale_since_ns != 0,
		                .codings = wanted_codings(e) };
	if (e->ready != NULL)
		drg_list_hold(e->ready);
	e->wanted = false;
	e->building = true;
	e->moved_ns = 0;
	return job;
}

static void take_over(struct drg_lists *l, struct drg_list_entry *e, const struct list_job *job)
{
	e->building = false;
	e->rc = job->rc;
	e->err = job->err;
	if (job->made != NULL) {
		l->bytes += job->made->bytes - (e->ready != NULL ? e->ready->bytes : 0);
		drg_list_release(e->ready);
		e->ready = job->made;
	}
	if (job->rc != DRG_OK) {
		e->failed_ns = drg_clock_ns();
	} else if (job->build) {
		e->version = job->version;
		e->at = job->data;
		e->stale_since_ns = job->version == l->version ? 0 : e->moved_ns;
		if (e->first_ns == 0)
			e->first_ns = drg_clock_ns();
	}
}

/* Called with the lock held; releases it while it builds. */
static void build_entry(struct drg_lists *l, struct drg_list_entry *e)
{
	assert(!e->building); /* there is one builder */
	struct list_job job = job_of(e);
	pthread_mutex_unlock(&l->builder.lock);
	const int64_t began_ns = drg_clock_ns();
	job_do(l, &job);
	drg_durations_add(&l->builds, (drg_clock_ns() - began_ns) / 1000);
	drg_measure_add(&l->failed, job.rc != DRG_OK);
	drg_list_release(job.before);
	pthread_mutex_lock(&l->builder.lock);

	struct drg_list_waits over = TAILQ_HEAD_INITIALIZER(over);
	take_over(l, e, &job);
	drg_turns_take(&l->turns, &e->awaited, &over);
	l->built++;
	l->built_ns = drg_clock_ns();
	drg_lists_shrink(l, e);
	pthread_mutex_unlock(&l->builder.lock);
	drg_lists_wake(&over);
	pthread_mutex_lock(&l->builder.lock);
}

/* Log once when requests begin to wait because lists are asked for faster than they are built. */
static void log_queue(struct drg_lists *l, const struct drg_list_entry *e)
{
	const int64_t now_ns = drg_clock_ns(),
	              ms = drg_lists_is_awaited(e) ? (now_ns - e->awaited.since_ns) / 1000000 : 0;
	if (ms < LATE_MS && l->queue_ns == 0)
		return;
	drg_outage_begin(&l->queue, DRG_EBUSY, DRG_LOG_WARN,
	                 "lists are asked for faster than they are built: %zu are waited for, this one for "
	                 "%lld ms, %zu requests were refused; clients take turns",
	                 l->turns.n, (long long)ms, l->refused);
	if (ms >= LATE_MS)
		l->queue_ns = now_ns;
}

/* Log once when requests no longer wait too long. @return the time at which that may be so. */
static int64_t log_queue_end(struct drg_lists *l)
{
	if (l->queue_ns == 0)
		return DRG_WHEN_WOKEN;
	const int64_t calm_ns = l->queue_ns + CALM_MS * INT64_C(1000000);
	if (calm_ns > drg_clock_ns())
		return calm_ns;
	l->queue_ns = 0;
	l->refused = 0;
	drg_outage_end(&l->queue, "lists are built as fast as they are asked for again");
	return DRG_WHEN_WOKEN;
}

/* Nothing is to be built: give back the builder's memory after a while. @return when that is due. */
static int64_t rest(struct drg_lists *l)
{
	const int64_t calm_ns = log_queue_end(l), rest_ns = l->built_ns + CALM_MS * INT64_C(1000000);
	if (l->built_ns == 0)
		return calm_ns;
	if (rest_ns > drg_clock_ns())
		return rest_ns < calm_ns ? rest_ns : calm_ns;
	l->built_ns = 0;
	drg_packer_free(l->packer);
	l->packer = NULL;
	drg_buf_done(&l->body.text);
	drg_buf_done(&l->coded);
	return calm_ns;
}

int64_t drg_lists_build_next(void *lists)
{
	struct drg_lists *l = lists;
	int64_t due = 0;
	if (l->builder.stopping)
		return DRG_WHEN_WOKEN;
	if (l->o.gate != NULL && *l->o.gate <= l->built)
		return drg_clock_ns() + GATE_MS * INT64_C(1000000);
	struct drg_list_entry *e = l->draining ? NULL : next_job(l, &due);
	if (e == NULL)
		return rest(l);
	if (due > drg_clock_ns())
		return due;
	log_queue(l, e);
	build_entry(l, e);
	return DRG_AT_ONCE;
}
