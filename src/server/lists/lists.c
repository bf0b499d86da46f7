#include "server/lists/lists.h"

#include <assert.h>
#include <stdlib.h>
#include <sodium.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/lru.h"
#include "base/outage.h"
#include "base/worker.h"
#include "server/lists/held.h"
#include "text/collate.h"

enum {
	BUCKETS = 1024,
	STALE_MS = 600, /* a list may be served while it is behind the data by less than this */
	USED_MS = 1000, /* precision of the order of use */
	/* delay before a rebuild that nobody waits for, so that a burst of commits costs one */
	GATHER_MS = 150,
	HOT_SECONDS = 60, /* a list is rebuilt without a request if it was asked for within this time */
	DEFAULT_MAX_LISTS = 16384,
	DEFAULT_MAX_WAITING = 1024,
	LATE_MS = 1000, /* a longer wait is logged ... */
	/* ... and its end is logged after this time without one; memory is given back then, too */
	CALM_MS = 10000,
	GATE_MS = 5 /* how often a test's gate is checked */
};
static const size_t DEFAULT_MAX_BYTES = (size_t)512 << 20;
static const size_t MAX_LIST_BYTES = (size_t)1 << 30;

struct list_entry {
	struct drg_lru_item used;
	struct drg_list_key key;
	struct drg_held_list *ready; /* NULL before the first build */
	uint64_t version; /* list version of `ready` */
	/* the newest version that `ready` is known to be of, once it is outdated */
	struct drg_data_version at;
	int64_t stale_since_ns; /* since when it is outdated; 0: it is up to date */
	int64_t moved_ns; /* when a change arrived during the build; 0: none did */
	/* when it was last asked for; when it was last moved to the front of the order of use */
	int64_t asked_ns, used_ns;
	int64_t first_ns; /* when it was first built; 0: never */
	int64_t coding_ns[DRG_CODING_COUNT]; /* when it was last asked for in each coding */
	bool wanted; /* requests wait for a build, not only for a coding */
	struct drg_awaited awaited;
	int rc; /* the last build's failure ... */
	struct drg_err err;
	int64_t failed_ns; /* ... it is the answer to all requests that came before this */
	bool building;
};

struct drg_lists {
	struct drg_lists_options o;
	struct drg_worker builder; /* its lock protects what follows */
	uint64_t version; /* list version of the last change */
	struct drg_data_version data; /* ... and the version of the data since then that is equal for lists */
	struct drg_lru entries;
	struct drg_turns turns;
	size_t bytes;
	int64_t built; /* how many so far */
	bool draining; /* no request waits any more, except for the list being built */
	struct drg_outage queue; /* requests wait too long, or too many wait */
	int64_t queue_ns; /* when that was last true */
	size_t refused; /* requests refused since it began */
	struct drg_list_body body; /* for the builder, kept between builds */
	struct drg_buf coded; /* likewise */
	struct drg_packer *packer; /* likewise; NULL: nothing was compressed lately */
	int64_t built_ns; /* when the last build ended */
	struct drg_durations builds;
	drg_measure failed;
};

/* ---- entries, under the lock ----------------------------------------------------------------------------- */

static struct list_entry *entry_of(struct drg_lru_item *item)
{
	return item != NULL ? DRG_CONTAINER_OF(item, struct list_entry, used) : NULL;
}

static struct list_entry *awaited_entry(struct drg_awaited *a)
{
	return a != NULL ? DRG_CONTAINER_OF(a, struct list_entry, awaited) : NULL;
}

static bool is_awaited(const struct list_entry *e)
{
	return !TAILQ_EMPTY(&e->awaited.waits);
}

static struct list_entry *newest_entry(const struct drg_lists *l)
{
	return entry_of(l->entries.newest);
}

static struct list_entry *older_entry(const struct list_entry *e)
{
	return entry_of(e->used.older);
}

static uint64_t hash_key(const struct drg_list_key *key)
{
	return drg_hash(key, sizeof *key, 0);
}

static struct list_entry *find_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct drg_lru_item *item = drg_lru_first(&l->entries, hash_key(key));
	while (item != NULL && memcmp(&entry_of(item)->key, key, sizeof *key) != 0)
		item = drg_lru_next(item);
	return entry_of(item);
}

static struct list_entry *lists_add_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct list_entry *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	memcpy(&e->key, key, sizeof *key);
	e->used.hash = hash_key(key);
	TAILQ_INIT(&e->awaited.waits);
	drg_lru_add(&l->entries, &e->used);
	return e;
}

static void drop_entry(struct drg_lists *l, struct list_entry *e)
{
	assert(!e->building && !is_awaited(e) && (e->ready == NULL || l->bytes >= e->ready->bytes));
	drg_lru_remove(&l->entries, &e->used);
	if (e->ready != NULL)
		l->bytes -= e->ready->bytes;
	drg_list_release(e->ready);
	free(e);
}

/* Drop an entry that was never built and will not be: it must not take the place of a list that is ready. A
 * stranger can ask for thousands and be refused, or leave. */
static void drop_unbuilt(struct drg_lists *l, struct list_entry *e)
{
	if (e->ready == NULL && e->rc == DRG_OK && !e->building && !is_awaited(e))
		drop_entry(l, e);
}

/* Drop the least recently used lists. @p fresh stays, however large it is: requests that wait for it still
 * have to take it. */
static void shrink(struct drg_lists *l, const struct list_entry *fresh)
{
	struct list_entry *newer;
	for (struct list_entry *e = entry_of(l->entries.oldest);
	     e != NULL && (l->bytes > l->o.max_bytes || l->entries.n > l->o.max_lists); e = newer) {
		newer = entry_of(e->used.newer);
		if (e != fresh && !is_awaited(e))
			drop_entry(l, e);
	}
}

/* Wake requests. Called without the lock; a request that was woken belongs to its caller again. */
static void wake_all(struct drg_list_waits *waits)
{
	struct drg_list_wait *w;
	while ((w = TAILQ_FIRST(waits)) != NULL) {
		TAILQ_REMOVE(waits, w, beside);
		w->wake(w->ctx);
	}
}

/* ---- the builder ----------------------------------------------------------------------------------------- */

/* The present version of the data. Called on the follower's thread, or while that is held. */
static uint64_t data_version(const struct drg_lists *l, struct drg_data_version *ret)
{
	uint64_t v = 0;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	if (cat != NULL) {
		const struct drg_catalog_look look = drg_catalog_look_begin(cat);
		*ret = drg_catalog_look_end(cat, &look);
		v = drg_catalog_list_version(cat);
	}
	drg_read_unlock();
	return v;
}

/* Is the list rebuilt without a request? Only if it was asked for again after its first build: a stranger can
 * ask for thousands of lists once. */
static bool is_hot(const struct list_entry *e, int64_t cold_ns)
{
	return e->asked_ns > cold_ns && e->asked_ns > e->first_ns;
}

/* The hot list that has been outdated for longest, unless its last build failed: that one waits for a request
 * or a change. */
static struct list_entry *next_behind(const struct drg_lists *l)
{
	struct list_entry *behind = NULL;
	int64_t cold = drg_clock_ns() - HOT_SECONDS * INT64_C(1000000000);
	for (struct list_entry *e = newest_entry(l); e != NULL; e = older_entry(e))
		if (e->stale_since_ns != 0 && e->rc == DRG_OK && is_hot(e, cold) &&
		    (behind == NULL || e->stale_since_ns < behind->stale_since_ns))
			behind = e;
	return behind;
}

/* The next list to build; lists that requests wait for come first.
 * @param ret_due  When to build it; in the past if a request waits. */
static struct list_entry *next_job(struct drg_lists *l, int64_t *ret_due)
{
	struct list_entry *e = awaited_entry(drg_turns_next(&l->turns));
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
	const struct drg_catalog_look look = drg_catalog_look_begin(cat);
	*ret_data = drg_catalog_look_end(cat, &look);
	int rc = key->build(cat, key, l->o.ctx, &l->body, err);
	assert(rc != DRG_EBUSY); /* DRG_EBUSY means "is being built" */
	drg_read_unlock();
	drg_follower_release(l->o.follower);
	if (rc == DRG_OK && l->body.text.rc != DRG_OK)
		rc = drg_fail(err, l->body.text.rc, NULL, NULL, "the list is too large to build");
	return rc;
}

static int attach(const struct drg_lists *l, struct drg_held_list *made)
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
		job->made = drg_held_list_again(there, &there->list.version);
	if (job->made == NULL)
		return drg_fail_memory(&job->err);
	int rc = l->packer == NULL ? drg_packer_new(&l->packer, &job->err) : DRG_OK;
	return rc == DRG_OK ? drg_held_list_code(job->made, c, l->packer, &l->coded, &job->err) : rc;
}

/* Called without the lock. */
static void job_do(struct drg_lists *l, struct list_job *job)
{
	int rc = job->build ? job_build(l, job) : DRG_OK;
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT && rc == DRG_OK; c++)
		rc = job_code_as(l, job, (enum drg_coding)c);
	if (rc == DRG_OK && job->made != NULL && attach(l, job->made) != DRG_OK)
		rc = drg_fail_memory(&job->err);
	if (rc != DRG_OK) {
		drg_list_release(job->made);
		job->made = NULL;
	}
	job->rc = rc;
}

/* The codings that requests wait for, and those that were asked for lately. */
static unsigned wanted_codings(const struct list_entry *e)
{
	const int64_t cold = drg_clock_ns() - HOT_SECONDS * INT64_C(1000000000);
	const struct drg_list_wait *w;
	unsigned bits = 0;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++)
		bits |= (unsigned)(e->coding_ns[c] > cold) << c;
	TAILQ_FOREACH(w, &e->awaited.waits, beside)
	bits |= 1U << w->coding;
	return bits;
}

static struct list_job job_of(struct list_entry *e)
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

static void take_over(struct drg_lists *l, struct list_entry *e, const struct list_job *job)
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
static void build_entry(struct drg_lists *l, struct list_entry *e)
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
	shrink(l, e);
	pthread_mutex_unlock(&l->builder.lock);
	wake_all(&over);
	pthread_mutex_lock(&l->builder.lock);
}

/* Log once when requests begin to wait because lists are asked for faster than they are built. */
static void log_queue(struct drg_lists *l, const struct list_entry *e)
{
	const int64_t now_ns = drg_clock_ns(),
	              ms = is_awaited(e) ? (now_ns - e->awaited.since_ns) / 1000000 : 0;
	if (ms < LATE_MS && l->queue_ns == 0)
		return;
	drg_outage_begin(&l->queue, DRG_EBUSY, DRG_LOG_WARN,
	                 "lists are asked for faster than they are built: %zu are waited for, this one for "
	                 "%lld ms, %zu requests were refused; clients take turns",
	                 l->turns.n, (long long)ms, l->refused);
	if (ms >= LATE_MS)
		l->queue_ns = now_ns;
}

/* ... and once when that is over. @return when that may be. */
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

/* There is nothing to build: give back the builder's memory after a while. @return when that is due. */
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

/* A step of the builder's thread. */
static int64_t lists_build_next(void *lists)
{
	struct drg_lists *l = lists;
	int64_t due = 0;
	if (l->builder.stopping)
		return DRG_WHEN_WOKEN;
	if (l->o.gate != NULL && *l->o.gate <= l->built)
		return drg_clock_ns() + GATE_MS * INT64_C(1000000);
	struct list_entry *e = l->draining ? NULL : next_job(l, &due);
	if (e == NULL)
		return rest(l);
	if (due > drg_clock_ns())
		return due;
	log_queue(l, e);
	build_entry(l, e);
	return DRG_AT_ONCE;
}

/* The newest version that an entry is known to be of: the present one, as long as nothing has changed that a
 * list can show. The list may have been built from data whose publication was not reported yet. */
static struct drg_data_version newest_of(const struct drg_lists *l, const struct list_entry *e)
{
	bool current = e->version == l->version && l->data.seq >= e->at.seq;
	return current ? l->data : e->at;
}

void drg_lists_data_changed(struct drg_lists *l)
{
	struct drg_data_version data = { 0 };
	uint64_t now = data_version(l, &data);
	int64_t t = drg_clock_ns();
	pthread_mutex_lock(&l->builder.lock);
	for (struct list_entry *e = newest_entry(l); e != NULL && now != l->version; e = older_entry(e)) {
		e->at = newest_of(l, e);
		if (e->ready != NULL && e->version != now && e->stale_since_ns == 0)
			e->stale_since_ns = t;
		if (e->building && e->moved_ns == 0)
			e->moved_ns = t;
		e->rc = DRG_OK; /* a failed build may succeed with other data */
	}
	l->version = now;
	l->data = data;
	drg_worker_wake(&l->builder);
	pthread_mutex_unlock(&l->builder.lock);
}

/* ---- for requests ---------------------------------------------------------------------------------------- */

void drg_lists_lang(const struct drg_catalog *cat, struct drg_str lang, char *buf)
{
	struct drg_str pick = drg_catalog_order_lang(cat, lang);
	assert(pick.n <= DRG_LANG_MAX);
	memset(buf, 0, DRG_LANG_MAX + 1);
	memcpy(buf, pick.p, pick.n);
}

/* May the list be served to a request that came at @p asked_ns? A list that was built since then always may,
 * however long it took: a stream of changes must not make a request wait for ever. */
static bool fresh_enough(const struct drg_lists *l, const struct list_entry *e,
                         const struct drg_list_wish *wish)
{
	return e->ready != NULL &&
	       (e->stale_since_ns == 0 || wish->asked_ns - e->stale_since_ns < STALE_MS * INT64_C(1000000)) &&
	       newest_of(l, e).seq >= wish->min_seq;
}

/* Update the version of a list that was built from earlier data and is equal for the present ones. */
static int refresh_version(struct drg_lists *l, struct list_entry *e)
{
	struct drg_data_version newest = newest_of(l, e);
	if (DRG_LIKELY(drg_data_version_eq(&e->ready->list.version, &newest)))
		return DRG_OK;
	struct drg_held_list *again = drg_held_list_again(e->ready, &newest);
	if (again == NULL || attach(l, again) != DRG_OK) {
		drg_list_release(again);
		return DRG_ENOMEM;
	}
	drg_list_release(e->ready);
	e->ready = again;
	return DRG_OK;
}

static int wait_for(struct drg_lists *l, struct list_entry *e, struct drg_list_wait *w, struct drg_err *err)
{
	bool first = !is_awaited(e);
	int rc = drg_turns_join(&l->turns, &e->awaited, w);
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(err);
	if (rc != DRG_OK) {
		l->refused++;
		l->queue_ns = drg_clock_ns();
		return drg_fail(err, DRG_ELIMIT, DRG_R(lists_waiting), NULL,
		                "%s; try again later, and ask for one after the other",
		                rc == DRG_ELIMIT ? "your address waits for many lists already"
		                                 : "too many lists are waited for");
	}
	if (first)
		e->awaited.since_ns = drg_clock_ns();
	drg_worker_wake(&l->builder);
	return DRG_EBUSY;
}

/* Note the use of a list. The order of use is kept to the second, so that hot lists are not moved with every
 * request. */
static void mark_used(struct drg_lists *l, struct list_entry *e, const struct drg_list_wish *wish)
{
	e->asked_ns = wish->asked_ns;
	e->coding_ns[wish->coding] = wish->asked_ns;
	if (wish->asked_ns - e->used_ns < USED_MS * INT64_C(1000000))
		return;
	e->used_ns = wish->asked_ns;
	drg_lru_use(&l->entries, &e->used);
}

static int fail_stopping(struct drg_err *err)
{
	return drg_fail(err, DRG_ESTOPPED, DRG_R(stopping), NULL, "the server is stopping");
}

static int hand_out(struct drg_lists *l, struct list_entry *e, const struct drg_list **ret,
                    struct drg_err *err)
{
	if (refresh_version(l, e) != DRG_OK)
		return drg_fail_memory(err);
	drg_list_hold(e->ready);
	*ret = &e->ready->list;
	return DRG_OK;
}

static int get_from(struct drg_lists *l, struct list_entry *e, const struct drg_list_wish *wish,
                    struct drg_list_wait *wait, const struct drg_list **ret, struct drg_err *err)
{
	mark_used(l, e, wish);
	bool fresh = fresh_enough(l, e, wish);
	if (fresh && drg_list_has(&e->ready->list, wish->coding))
		return hand_out(l, e, ret, err);
	if (l->draining && !e->building)
		return fail_stopping(err);
	if (wait == NULL)
		return DRG_EBUSY;
	if (e->rc != DRG_OK && wish->asked_ns <= e->failed_ns) {
		if (err != NULL)
			*err = e->err;
		return e->rc;
	}
	wait->coding = (int)wish->coding;
	e->wanted |= !fresh;
	return wait_for(l, e, wait, err);
}

static int get_locked(struct drg_lists *l, const struct drg_list_wish *wish, struct drg_list_wait *wait,
                      const struct drg_list **ret, struct drg_err *err)
{
	if (l->builder.stopping)
		return fail_stopping(err);
	struct list_entry *e = find_entry(l, &wish->key);
	if (e == NULL)
		e = lists_add_entry(l, &wish->key);
	if (e == NULL)
		return drg_fail_memory(err);
	int rc = get_from(l, e, wish, wait, ret, err);
	drop_unbuilt(l, e);
	return rc;
}

int drg_lists_get(struct drg_lists *l, const struct drg_list_wish *wish, struct drg_list_wait *wait,
                  const struct drg_list **ret, struct drg_err *reterr)
{
	pthread_mutex_lock(&l->builder.lock);
	int rc = get_locked(l, wish, wait, ret, reterr);
	pthread_mutex_unlock(&l->builder.lock);
	return rc;
}

bool drg_lists_leave(struct drg_lists *l, struct drg_list_wait *wait)
{
	pthread_mutex_lock(&l->builder.lock);
	struct list_entry *e = awaited_entry(wait->awaited);
	bool waited = drg_turns_leave(&l->turns, wait);
	if (waited)
		drop_unbuilt(l, e);
	pthread_mutex_unlock(&l->builder.lock);
	return waited;
}

size_t drg_lists_waiting(struct drg_lists *l)
{
	pthread_mutex_lock(&l->builder.lock);
	size_t n = l->turns.n;
	pthread_mutex_unlock(&l->builder.lock);
	return n;
}

void drg_lists_count(struct drg_lists *l, struct drg_lists_counts *ret)
{
	*ret = (struct drg_lists_counts){ .failed = drg_measure_of(&l->failed) };
	drg_durations_gather(&l->builds, &ret->builds);
	pthread_mutex_lock(&l->builder.lock);
	ret->waiting = l->turns.n;
	ret->ready = l->entries.n;
	ret->bytes = l->bytes;
	pthread_mutex_unlock(&l->builder.lock);
}

void drg_lists_drain(struct drg_lists *l)
{
	struct drg_list_waits over = TAILQ_HEAD_INITIALIZER(over);
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->builder.lock);
	l->draining = true;
	for (struct list_entry *e = newest_entry(l); e != NULL; e = older_entry(e))
		if (!e->building)
			drg_turns_take(&l->turns, &e->awaited, &over);
	pthread_mutex_unlock(&l->builder.lock);
	wake_all(&over);
}

static void lists_free(struct drg_lists *l)
{
	drg_lru_done(&l->entries);
	drg_turns_done(&l->turns);
	drg_buf_done(&l->body.text);
	drg_buf_done(&l->coded);
	drg_packer_free(l->packer);
	drg_worker_done(&l->builder);
	free(l);
}

int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr)
{
	/* libsodium chooses its fastest hash, for ETags */
	struct drg_lists *l = sodium_init() >= 0 ? calloc(1, sizeof *l) : NULL;
	if (l == NULL)
		return drg_fail_memory(reterr);
	l->o = *o;
	if (l->o.max_bytes == 0)
		l->o.max_bytes = DEFAULT_MAX_BYTES;
	if (l->o.max_lists == 0)
		l->o.max_lists = DEFAULT_MAX_LISTS;
	drg_buf_init(&l->body.text, MAX_LIST_BYTES);
	drg_buf_init(&l->coded, 2 * MAX_LIST_BYTES);
	drg_worker_init(&l->builder);
	int rc = drg_lru_init(&l->entries, BUCKETS, reterr);
	if (rc == DRG_OK)
		rc = drg_turns_init(&l->turns, o->max_waiting > 0 ? o->max_waiting : DEFAULT_MAX_WAITING,
		                    reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&l->builder, lists_build_next, l, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = l;
	else
		lists_free(l);
	return rc;
}

void drg_lists_stop(struct drg_lists *l)
{
	if (l == NULL)
		return;
	drg_worker_stop(&l->builder);
	drg_lists_drain(l);
	while (l->entries.newest != NULL)
		drop_entry(l, newest_entry(l));
	lists_free(l);
}
