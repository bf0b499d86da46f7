#include "node/lists.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <sodium.h>

#include "base/clock.h"
#include "node/held_list.h"
#include "text/collate.h"

enum {
	BUCKETS = 1024,
	STALE_MS = 600, /* a list may be behind the data by this much */
	USED_MS = 1000, /* how finely the order of use is kept */
	GATHER_MS = 150, /* before a rebuild unasked, so that a burst of commits costs one */
	HOT_SECONDS = 60, /* rebuilt unasked while it was asked for within this */
	DEFAULT_MAX_LISTS = 16384
};
static const size_t DEFAULT_MAX_BYTES = (size_t)512 << 20;
static const size_t MAX_LIST_BYTES = (size_t)1 << 30;

struct waiter {
	drg_list_wake_fn *wake;
	void *ctx;
	struct waiter *next;
};

struct entry {
	struct drg_list_key key;
	struct drg_held_list *ready; /* NULL before the first build */
	uint64_t version; /* list version of `ready` */
	int64_t stale_since_ns; /* when the data went past it; 0: it is up to date */
	int64_t moved_ns; /* when a change was heard of during the build; 0: none was */
	int64_t asked_ns, used_ns; /* last asked for; last put in front of the order of use */
	struct waiter *waiters;
	int64_t waited_for_ns; /* since when, where there are waiters */
	int rc; /* the last build's failure ... */
	struct drg_err err;
	int64_t failed_ns; /* ... which is the answer to everybody who asked before this */
	bool building;
	struct entry *in_bucket;
	struct entry *newer, *older; /* by last use */
};

struct drg_lists {
	struct drg_lists_options o;
	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_t thread;
	bool stopping;
	uint64_t version; /* list version of the last change heard of */
	struct entry *buckets[BUCKETS];
	struct entry *newest, *oldest;
	size_t bytes, n_entries;
	struct drg_buf body, coded; /* the builder's own, kept between builds */
};

/* ---- entries, under the lock ----------------------------------------------------------------------------- */

static unsigned bucket_of(const struct drg_list_key *key)
{
	uint64_t h = 1469598103934665603u;
	const unsigned char *p = (const unsigned char *)key;
	for (size_t i = 0; i < sizeof *key; i++)
		h = (h ^ p[i]) * 1099511628211u;
	return (unsigned)(h >> 32) % BUCKETS;
}

static struct entry *find_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct entry *e = l->buckets[bucket_of(key)];
	while (e != NULL && memcmp(&e->key, key, sizeof *key) != 0)
		e = e->in_bucket;
	return e;
}

static void unlink_used(struct drg_lists *l, struct entry *e)
{
	*(e->newer != NULL ? &e->newer->older : &l->newest) = e->older;
	*(e->older != NULL ? &e->older->newer : &l->oldest) = e->newer;
}

static void link_newest(struct drg_lists *l, struct entry *e)
{
	e->newer = NULL;
	e->older = l->newest;
	*(l->newest != NULL ? &l->newest->newer : &l->oldest) = e;
	l->newest = e;
}

static struct entry *add_entry(struct drg_lists *l, const struct drg_list_key *key)
{
	struct entry *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	memcpy(&e->key, key, sizeof *key);
	struct entry **bucket = &l->buckets[bucket_of(key)];
	e->in_bucket = *bucket;
	*bucket = e;
	link_newest(l, e);
	l->n_entries++;
	return e;
}

static void drop_entry(struct drg_lists *l, struct entry *e)
{
	struct entry **at = &l->buckets[bucket_of(&e->key)];
	while (*at != e)
		at = &(*at)->in_bucket;
	*at = e->in_bucket;
	unlink_used(l, e);
	if (e->ready != NULL)
		l->bytes -= e->ready->bytes;
	drg_list_release(e->ready);
	l->n_entries--;
	free(e);
}

/* @p fresh stays, however large it is: those who wait for it have yet to take it. */
static void shrink(struct drg_lists *l, const struct entry *fresh)
{
	struct entry *e = l->oldest;
	while (e != NULL && (l->bytes > l->o.max_bytes || l->n_entries > l->o.max_lists)) {
		struct entry *newer = e->newer;
		if (e != fresh && e->waiters == NULL)
			drop_entry(l, e);
		e = newer;
	}
}

static void wake_all(struct waiter *w)
{
	while (w != NULL) {
		struct waiter *next = w->next;
		w->wake(w->ctx);
		free(w);
		w = next;
	}
}

/* ---- the builder ----------------------------------------------------------------------------------------- */

static uint64_t data_version(const struct drg_lists *l)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	uint64_t v = cat != NULL ? drg_catalog_list_version(cat) : 0;
	drg_read_unlock();
	return v;
}

/* What is waited for comes first, the longest first; then what has been behind the longest and was asked for lately,
 * unless the last try failed: that waits for a request or a change.
 * @param ret_due  When the job returned is to be done; in the past for one that is waited for. */
static struct entry *next_job(struct drg_lists *l, int64_t *ret_due)
{
	struct entry *behind = NULL, *awaited = NULL;
	int64_t cold = drg_clock_ns() - HOT_SECONDS * INT64_C(1000000000);
	*ret_due = 0;
	for (struct entry *e = l->newest; e != NULL; e = e->older) {
		if (e->waiters != NULL && (awaited == NULL || e->waited_for_ns < awaited->waited_for_ns))
			awaited = e;
		if (e->stale_since_ns != 0 && e->rc == DRG_OK && e->asked_ns > cold &&
		    (behind == NULL || e->stale_since_ns < behind->stale_since_ns))
			behind = e;
	}
	if (awaited != NULL)
		return awaited;
	if (behind != NULL)
		*ret_due = behind->stale_since_ns + GATHER_MS * INT64_C(1000000);
	return behind;
}

static int build_body(struct drg_lists *l, const struct drg_list_key *key, uint64_t *ret_version,
                      struct drg_err *err)
{
	drg_buf_clear(&l->body);
	/* A list names a record in more than one place, and must say the same in all. */
	drg_follower_hold(l->o.follower);
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(l->o.follower);
	assert(cat != NULL);
	*ret_version = drg_catalog_list_version(cat);
	int rc = key->build(cat, key, l->o.ctx, &l->body, err);
	assert(rc != DRG_EBUSY); /* that means "is being built" */
	drg_read_unlock();
	drg_follower_let_go(l->o.follower);
	if (rc == DRG_OK && l->body.rc != DRG_OK)
		rc = drg_fail(err, l->body.rc, NULL, NULL, "the list is too large to build");
	return rc;
}

/* Most changes show in few lists: what came out as it was need not be compressed again. Only this thread ever replaces
 * a list, so it may look at one without the lock. */
static bool unchanged(const struct drg_lists *l, const struct entry *e)
{
	char etag[DRG_LIST_ETAG];
	if (e->ready == NULL)
		return false;
	drg_list_etag(drg_buf_view(&l->body), etag);
	return strcmp(etag, e->ready->list.etag) == 0;
}

/* Called and returns with the lock held; builds without it. */
static void build_entry(struct drg_lists *l, struct entry *e)
{
	struct drg_err err = { 0 };
	struct drg_held_list *made = NULL;
	uint64_t version = 0;
	e->building = true;
	e->moved_ns = 0;
	pthread_mutex_unlock(&l->lock);
	int rc = build_body(l, &e->key, &version, &err);
	if (rc == DRG_OK && !unchanged(l, e))
		rc = drg_held_list_new(drg_buf_view(&l->body), &l->coded, &made, &err);
	pthread_mutex_lock(&l->lock);

	e->building = false;
	e->rc = rc;
	e->err = err;
	if (made != NULL) {
		l->bytes += made->bytes - (e->ready != NULL ? e->ready->bytes : 0);
		drg_list_release(e->ready);
		e->ready = made;
	}
	if (rc == DRG_OK) {
		e->version = version;
		e->stale_since_ns = version == l->version ? 0 : e->moved_ns;
	} else {
		e->failed_ns = drg_clock_ns();
	}
	struct waiter *w = e->waiters;
	e->waiters = NULL;
	shrink(l, e);
	pthread_mutex_unlock(&l->lock);
	wake_all(w);
	pthread_mutex_lock(&l->lock);
}

static void wait_until(struct drg_lists *l, int64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	pthread_cond_timedwait(&l->work, &l->lock, &t);
}

static void *run(void *arg)
{
	struct drg_lists *l = arg;
	/* Requests come first: the builder takes what is left of the cores. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
	pthread_mutex_lock(&l->lock);
	while (!l->stopping) {
		int64_t due;
		struct entry *e = next_job(l, &due);
		if (e == NULL)
			pthread_cond_wait(&l->work, &l->lock);
		else if (due > drg_clock_ns())
			wait_until(l, due);
		else
			build_entry(l, e);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

void drg_lists_data_changed(struct drg_lists *l)
{
	uint64_t now = data_version(l);
	int64_t t = drg_clock_ns();
	pthread_mutex_lock(&l->lock);
	for (struct entry *e = l->newest; e != NULL && now != l->version; e = e->older) {
		if (e->ready != NULL && e->version != now && e->stale_since_ns == 0)
			e->stale_since_ns = t;
		if (e->building && e->moved_ns == 0)
			e->moved_ns = t;
		e->rc = DRG_OK; /* what failed may do better with other data */
	}
	l->version = now;
	pthread_cond_signal(&l->work);
	pthread_mutex_unlock(&l->lock);
}

/* ---- for requests ---------------------------------------------------------------------------------------- */

void drg_lists_lang(const struct drg_catalog *cat, struct drg_str lang, char *buf)
{
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(lang, chain);
	struct drg_str pick = DRG_STR("en");
	for (unsigned i = 0; i < n; i++) {
		if (drg_catalog_knows_lang(cat, chain[i]) || drg_collator_known(chain[i])) {
			pick = chain[i];
			break;
		}
	}
	memset(buf, 0, DRG_LANG_MAX + 1);
	memcpy(buf, pick.p, pick.n);
}

/* May it be served to who asked at @p asked_ns? What was built since then always may, however long it took: a stream of
 * changes must not keep anybody waiting for ever. */
static bool fresh_enough(const struct entry *e, int64_t asked_ns)
{
	return e->ready != NULL &&
	       (e->stale_since_ns == 0 || asked_ns - e->stale_since_ns < STALE_MS * INT64_C(1000000));
}

static int wait_for(struct drg_lists *l, struct entry *e, drg_list_wake_fn *wake, void *ctx,
                    struct drg_err *err)
{
	struct waiter *w = malloc(sizeof *w);
	if (w == NULL)
		return drg_fail(err, DRG_ENOMEM, NULL, NULL, "out of memory");
	if (e->waiters == NULL)
		e->waited_for_ns = drg_clock_ns();
	*w = (struct waiter){ wake, ctx, e->waiters };
	e->waiters = w;
	pthread_cond_signal(&l->work);
	return DRG_EBUSY;
}

/* The order of use is kept to the second, so that hot lists are not moved about with every request. */
static void mark_used(struct drg_lists *l, struct entry *e, int64_t asked_ns)
{
	e->asked_ns = asked_ns;
	if (asked_ns - e->used_ns < USED_MS * INT64_C(1000000))
		return;
	e->used_ns = asked_ns;
	unlink_used(l, e);
	link_newest(l, e);
}

static int get_locked(struct drg_lists *l, const struct drg_list_key *key, int64_t asked_ns,
                      drg_list_wake_fn *wake, void *ctx, const struct drg_list **ret, struct drg_err *err)
{
	if (l->stopping)
		return drg_fail(err, DRG_ESTOPPED, "stopping", NULL, "the server is stopping");
	struct entry *e = find_entry(l, key);
	if (e == NULL)
		e = add_entry(l, key);
	if (e == NULL)
		return drg_fail(err, DRG_ENOMEM, NULL, NULL, "out of memory");
	mark_used(l, e, asked_ns);
	if (fresh_enough(e, asked_ns)) {
		drg_list_hold(e->ready);
		*ret = &e->ready->list;
		return DRG_OK;
	}
	if (wake == NULL)
		return DRG_EBUSY;
	if (e->rc != DRG_OK && asked_ns <= e->failed_ns) {
		if (err != NULL)
			*err = e->err;
		return e->rc;
	}
	return wait_for(l, e, wake, ctx, err);
}

int drg_lists_get(struct drg_lists *l, const struct drg_list_key *key, int64_t asked_ns,
                  drg_list_wake_fn *wake, void *ctx, const struct drg_list **ret, struct drg_err *reterr)
{
	pthread_mutex_lock(&l->lock);
	int rc = get_locked(l, key, asked_ns, wake, ctx, ret, reterr);
	pthread_mutex_unlock(&l->lock);
	return rc;
}

int drg_lists_start(const struct drg_lists_options *o, struct drg_lists **ret, struct drg_err *reterr)
{
	struct drg_lists *l =
	        sodium_init() >= 0 ? calloc(1, sizeof *l) : NULL; /* its fastest hash, for ETags */
	if (l == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	l->o = *o;
	if (l->o.max_bytes == 0)
		l->o.max_bytes = DEFAULT_MAX_BYTES;
	if (l->o.max_lists == 0)
		l->o.max_lists = DEFAULT_MAX_LISTS;
	drg_buf_init(&l->body, MAX_LIST_BYTES);
	drg_buf_init(&l->coded, 2 * MAX_LIST_BYTES);
	pthread_mutex_init(&l->lock, NULL);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* as drg_clock_ns() */
	pthread_cond_init(&l->work, &attr);
	pthread_condattr_destroy(&attr);
	if (pthread_create(&l->thread, NULL, run, l) != 0) {
		pthread_mutex_destroy(&l->lock);
		pthread_cond_destroy(&l->work);
		free(l);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = l;
	return DRG_OK;
}

void drg_lists_stop(struct drg_lists *l)
{
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->lock);
	l->stopping = true;
	pthread_cond_signal(&l->work);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	while (l->newest != NULL) {
		struct waiter *w = l->newest->waiters;
		drop_entry(l, l->newest);
		wake_all(w);
	}
	drg_buf_done(&l->body);
	drg_buf_done(&l->coded);
	pthread_cond_destroy(&l->work);
	pthread_mutex_destroy(&l->lock);
	free(l);
}
